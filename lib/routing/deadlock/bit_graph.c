/* A directed graph as a matrix of bits, with a search for a shortest cycle. */
#include "routing/deadlock/bit_graph.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "topology/topology.h"

cn_status cni_bit_graph_open(cni_bit_graph *graph, size_t vertices)
{
    graph->vertices = vertices;
    graph->words = (vertices + 63) / 64;
    graph->rows = cni_allocate((uint64_t)vertices * graph->words, sizeof *graph->rows);
    return graph->rows == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_bit_graph_close(cni_bit_graph *graph)
{
    cni_release(graph->rows);
    graph->rows = NULL;
}

uint64_t cni_bit_graph_edges(const cni_bit_graph *graph)
{
    uint64_t edges = 0;
    for (size_t w = 0; w < graph->vertices * graph->words; w++)
        edges += cni_popcount(graph->rows[w]);
    return edges;
}

typedef struct search {
    const cni_bit_graph *graph;
    uint64_t *alive;     /* vertices that may still lie on a cycle */
    uint32_t *in_degree; /* by vertex: edges from vertices that are alive */
    uint64_t *unseen;
    uint32_t *queue;
    uint32_t *parent;
    uint32_t *depth; /* vertices on the path from the start to here, both included */
} search;

/* Removes a vertex, and then every vertex that no edge leads to any more: none lies on a cycle. */
static void peel(search *s, uint32_t vertex)
{
    size_t begin = 0, end = 0;
    s->queue[end++] = vertex;
    s->alive[vertex >> 6] &= ~(UINT64_C(1) << (vertex & 63));
    while (begin < end) {
        const uint64_t *row = cni_bit_row(s->graph, s->queue[begin++]);
        for (size_t w = 0; w < s->graph->words; w++)
            for (uint64_t left = row[w] & s->alive[w]; left != 0; left &= left - 1) {
                uint32_t next = (uint32_t)(64 * w) + cni_lowest_bit(left);
                if (--s->in_degree[next] > 0)
                    continue;
                s->alive[w] &= ~(left & (~left + 1));
                s->queue[end++] = next;
            }
    }
}

/* Leaves those vertices alive that may lie on a cycle. */
static void prepare(search *s)
{
    size_t vertices = s->graph->vertices;
    for (uint32_t v = 0; v < vertices; v++) {
        const uint64_t *row = cni_bit_row(s->graph, v);
        cni_set_bit(s->alive, v);
        for (size_t w = 0; w < s->graph->words; w++)
            for (uint64_t left = row[w]; left != 0; left &= left - 1)
                s->in_degree[64 * w + cni_lowest_bit(left)]++;
    }
    for (uint32_t v = 0; v < vertices; v++)
        if (s->in_degree[v] == 0 && cni_has_bit(s->alive, v))
            peel(s, v);
}

/* The length of a shortest cycle through start, when it is below `limit`; else 0. *last is the
 * vertex before start on the cycle. */
static size_t cycle_through(search *s, cni_budget *budget, uint32_t start, size_t limit,
                            uint32_t *last)
{
    size_t begin = 0, end = 0;
    for (size_t w = 0; w < s->graph->words; w++)
        s->unseen[w] = s->alive[w];
    s->unseen[start >> 6] &= ~(UINT64_C(1) << (start & 63));
    s->depth[start] = 1;
    s->queue[end++] = start;
    while (begin < end) {
        uint32_t v = s->queue[begin++];
        const uint64_t *row = cni_bit_row(s->graph, v);
        if (s->depth[v] >= limit || !cni_budget_work(budget, s->graph->words))
            return 0;
        if (cni_has_bit(row, start)) {
            *last = v;
            return s->depth[v];
        }
        for (size_t w = 0; s->depth[v] + 1 < limit && w < s->graph->words; w++) {
            uint64_t found = row[w] & s->unseen[w];
            s->unseen[w] &= ~found;
            for (; found != 0; found &= found - 1) {
                uint32_t next = (uint32_t)(64 * w) + cni_lowest_bit(found);
                s->parent[next] = v;
                s->depth[next] = s->depth[v] + 1;
                s->queue[end++] = next;
            }
        }
    }
    return 0;
}

static cn_status find(search *s, cni_budget *budget, uint32_t cycle[], size_t *length)
{
    size_t best = 0;
    prepare(s);
    for (uint32_t v = 0; v < s->graph->vertices && best != 1; v++) {
        if (!cni_has_bit(s->alive, v))
            continue;
        uint32_t at = v;
        size_t found = cycle_through(s, budget, v, best > 0 ? best : s->graph->vertices + 1, &at);
        CNI_TRY(cni_budget_go_on(budget, s->graph->words));
        if (found > 0) {
            best = found;
            for (size_t i = best; i-- > 0; at = s->parent[at])
                cycle[i] = at;
        }
        peel(s, v); /* all cycles through v are found */
    }
    *length = best;
    return CN_OK;
}

cn_status cni_shortest_cycle(const cni_bit_graph *graph, cni_budget *budget, uint32_t cycle[],
                             size_t *length)
{
    size_t vertices = graph->vertices;
    search s = {.graph = graph};
    const cni_array arrays[] = {
        CNI_ARRAY(s.alive, graph->words),  CNI_ARRAY(s.in_degree, vertices),
        CNI_ARRAY(s.unseen, graph->words), CNI_ARRAY(s.queue, vertices),
        CNI_ARRAY(s.parent, vertices),     CNI_ARRAY(s.depth, vertices),
    };
    void *block;
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    cn_status status = find(&s, budget, cycle, length);
    cni_release(block);
    return status;
}
