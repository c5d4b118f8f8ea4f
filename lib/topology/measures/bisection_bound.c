/*
 * A lower bound of the bisection width that a reader can check with integers.
 *
 * Let every node send one unit to every other, over any paths. Whatever the paths, 2 h h' units
 * cross between halves of h and h' >= h nodes (at least h from every single source), so the loads
 * of the links of a cut add up to at least that. The most loaded links of the network reach this
 * sum with the fewest links, and no cut has fewer than these. The paths are shortest under lengths
 * that grow with the load, source after source and round after round, which levels the loads;
 * rounds add up, as do the units.
 */
#include "topology/measures/bisection.h"

#include <string.h>

#include "base/error.h"
#include "base/sort.h"

/* On a path of more nodes a sum of lengths would not fit 32 bits. */
static const size_t MOST_NODES = (size_t)1 << 20;

typedef struct flow {
    const cni_graph *graph;
    uint32_t *link; /* number of the link, by place in graph->neighbor */
    size_t links;
    uint64_t *load;        /* by link */
    uint64_t *sorted;      /* the loads, the greatest first */
    uint32_t *length;      /* by link */
    uint32_t *far;         /* distance from the source, by node */
    uint32_t *parent;      /* number of the last link on the path to the node, by node */
    uint32_t *from;        /* the node at the other end of that link, by node */
    uint32_t *order;       /* nodes, nearest first */
    uint32_t *units;       /* that pass a node, by node */
    cni_node_lists bucket; /* by distance modulo BUCKETS */
    uint64_t greatest;     /* load */
    void *block;           /* of the arrays */
} flow;

/* Lengths are LEAST .. LEAST + STEEPEST; distances are kept in this many buckets, modulo the
 * number. */
enum { LEAST = 32, SCALE = 256, STEEPEST = 2048, BUCKETS = 4096 };

/* The length of a link grows with the fourth power of the load: 1 + 64 (load / greatest)^4 in
 * units of LEAST. Steep lengths spread the flow. */
static void set_lengths(flow *f, cni_budget *budget)
{
    for (size_t e = 0; e < f->links && cni_budget_work(budget, 4); e++) {
        uint64_t part = f->greatest == 0 ? 0 : f->load[e] * SCALE / f->greatest;
        uint64_t square = part * part / SCALE;
        f->length[e] = LEAST + (uint32_t)(square * square * STEEPEST / (SCALE * SCALE));
    }
}

/* Shortest paths from one node; returns the number of reached nodes. */
static size_t search(flow *f, uint32_t source, cni_budget *budget)
{
    size_t nodes = f->graph->nodes, reached = 0, waiting = 1;
    for (size_t v = 0; v < nodes; v++)
        f->far[v] = CNI_NO_ENTRY;
    f->far[source] = 0;
    cni_list_enter(&f->bucket, 0, source);
    for (uint32_t distance = 0; waiting > 0; distance++) {
        const size_t here = distance % BUCKETS;
        while (f->bucket.head[here] != CNI_NO_ENTRY) {
            uint32_t v = f->bucket.head[here];
            uint64_t degree = f->graph->first[v + 1] - f->graph->first[v];
            if (!cni_budget_work(budget, 8 + 8 * degree))
                return reached;
            cni_list_leave(&f->bucket, here, v);
            waiting--;
            f->order[reached++] = v;
            for (size_t e = f->graph->first[v]; e < f->graph->first[v + 1]; e++) {
                uint32_t w = f->graph->neighbor[e], way = distance + f->length[f->link[e]];
                if (way >= f->far[w])
                    continue;
                if (f->far[w] != CNI_NO_ENTRY)
                    cni_list_leave(&f->bucket, f->far[w] % BUCKETS, w);
                else
                    waiting++;
                f->far[w] = way;
                f->parent[w] = f->link[e];
                f->from[w] = v;
                cni_list_enter(&f->bucket, way % BUCKETS, w);
            }
        }
    }
    return reached;
}

/* Sends the units of the last search from its source to all nodes: adds them to the loads. */
static void route(flow *f)
{
    size_t nodes = f->graph->nodes;
    for (size_t v = 0; v < nodes; v++)
        f->units[v] = 1;
    for (size_t i = nodes; i-- > 1;) {
        uint32_t v = f->order[i];
        uint64_t *load = &f->load[f->parent[v]];
        *load += f->units[v];
        f->units[f->from[v]] += f->units[v];
        if (*load > f->greatest)
            f->greatest = *load;
    }
}

/* ---- what the loads prove ---- */

/* The most links that are sorted to the end when the search is stopped. */
static const size_t MOST_WHEN_STOPPED = (size_t)1 << 21;

static int by_load(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The number of links, most loaded first, that are needed to carry the units which must cross. 0
 * for a large network once the search is stopped. */
static uint64_t proved(const flow *f, uint64_t sources, cni_budget *budget)
{
    uint64_t nodes = f->graph->nodes, half = nodes / 2, links = 0;
    uint64_t rest = sources / nodes * 2 * half * (nodes - half) + sources % nodes * half;
    cni_budget *limit = f->links > MOST_WHEN_STOPPED ? budget : NULL;
    if (rest == 0 || !cni_budget_work(limit, 0))
        return 0;
    memcpy(f->sorted, f->load, f->links * sizeof *f->load);
    if (!cni_sort_within(f->sorted, f->links, sizeof *f->sorted, by_load, limit))
        return 0;
    for (; rest > 0; links++)
        rest -= f->sorted[links] < rest ? f->sorted[links] : rest;
    return links;
}

/* ---- the search ---- */

/* Numbers the links at their lower ends, in order; the channel back looks the number up. */
static cn_status number_links(flow *f, cni_budget *budget)
{
    const cni_graph *graph = f->graph;
    uint32_t number = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t w = graph->neighbor[e];
            if (!cni_budget_work(budget, 8))
                return CN_DONE;
            if (w < v)
                continue;
            uint32_t port = (uint32_t)(e - graph->first[v]);
            uint32_t back = graph->topology->ops->back_port(graph->topology, v, port);
            f->link[e] = number;
            f->link[graph->first[w] + back] = number++;
        }
    return CN_OK;
}

/* CN_DONE when the budget was stopped. */
static cn_status flow_open(const cni_graph *graph, cni_budget *budget, flow *f)
{
    size_t nodes = graph->nodes, ends = graph->first[nodes];
    memset(f, 0, sizeof *f);
    f->graph = graph;
    f->links = ends / 2;
    const cni_array arrays[] = {
        CNI_ARRAY(f->link, ends),         CNI_ARRAY(f->load, f->links),
        CNI_ARRAY(f->sorted, f->links),   CNI_ARRAY(f->length, f->links),
        CNI_ARRAY(f->far, nodes),         CNI_ARRAY(f->parent, nodes),
        CNI_ARRAY(f->from, nodes),        CNI_ARRAY(f->order, nodes),
        CNI_ARRAY(f->units, nodes),       CNI_ARRAY(f->bucket.head, BUCKETS),
        CNI_ARRAY(f->bucket.next, nodes), CNI_ARRAY(f->bucket.previous, nodes),
    };
    CNI_TRY(cni_allocate_arrays(&f->block, arrays));
    for (size_t b = 0; b < BUCKETS; b++)
        f->bucket.head[b] = CNI_NO_ENTRY;
    return number_links(f, budget);
}

/* A step from source to source that visits all nodes and spreads any few consecutive sources. */
static uint64_t stride(uint64_t nodes)
{
    uint64_t step = nodes * 618 / 1000 + 1;
    while (cni_gcd(nodes, step) != 1)
        step++;
    return step;
}

static void run_sources(flow *f, uint64_t enough, cni_budget *budget, uint64_t *bound)
{
    uint64_t nodes = f->graph->nodes, step = stride(nodes);
    /* Loads stay below 2^50: a product with SCALE still fits. */
    uint64_t most = (UINT64_C(1) << 50) / nodes;
    int going = 1;
    for (uint64_t done = 1; going && done <= most && *bound < enough; done++) {
        set_lengths(f, budget);
        size_t reached = search(f, (uint32_t)(done * step % nodes), budget);
        uint64_t sources = done; /* whose units are routed */
        if (!cni_budget_work(budget, nodes))
            sources--;
        else if (reached < nodes)
            return; /* not connected: the bound stays 0 */
        else
            route(f);
        going = cni_budget_spend(budget, nodes);
        if (going && done % nodes != 0)
            continue;
        uint64_t now = proved(f, sources, budget);
        *bound = now > *bound ? now : *bound;
        budget->lower = (double)*bound;
    }
}

cn_status cni_bisect_bound(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                           uint64_t *bound)
{
    flow f;
    *bound = 0;
    if (graph->nodes > MOST_NODES)
        return CN_OK;
    cn_status status = flow_open(graph, budget, &f);
    if (status == CN_OK)
        run_sources(&f, enough, budget, bound);
    cni_release(f.block);
    return status == CN_DONE ? CN_OK : status;
}
