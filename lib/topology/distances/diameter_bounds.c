/*
 * ecc(w) <= ecc(v) + d(v,w): one search from v bounds the eccentricity of every node near it. So
 * only nodes whose bound is above the greatest eccentricity found need a search of their own, and
 * sources are taken some way apart, a batch at a time.
 */
#include "topology/distances/diameter_bounds.h"

#include "base/error.h"
#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

typedef struct work {
    const cni_graph *graph;
    size_t representatives;
    int mirrored; /* v and N-1-v are images of each other, and v < N/2 stands for both */
    cni_budget *budget;
    cni_search search;
    uint32_t *upper; /* of the eccentricity, by representative */
    uint32_t *near;  /* number of the batch that has a source near this node, by node */
    uint64_t *scratch;
    uint32_t batch_number;
    uint32_t lower;
    uint32_t reach; /* how far apart the sources of a batch are taken */
} work;

static uint32_t canonical(const work *w, uint32_t v)
{
    return w->mirrored && v >= w->representatives ? (uint32_t)(w->graph->nodes - 1 - v) : v;
}

/* ecc(v) is known: bounds the nodes around v, as far as that may help. */
static void record(work *w, uint32_t v, uint32_t eccentricity)
{
    uint32_t *queue = w->search.queue;
    size_t from = 0, to = 1;
    if (eccentricity > w->lower)
        w->lower = eccentricity;
    queue[0] = v;
    w->upper[canonical(w, v)] = eccentricity;
    for (uint32_t bound = eccentricity + 1; bound <= w->lower + 1 && from < to; bound++) {
        size_t end = to;
        for (; from < end; from++) {
            uint32_t at = queue[from];
            if (!cni_budget_work(w->budget, 1 + w->graph->first[at + 1] - w->graph->first[at]))
                return; /* what is not lowered is a bound still */
            for (size_t e = w->graph->first[at]; e < w->graph->first[at + 1]; e++) {
                uint32_t next = w->graph->neighbor[e], c = canonical(w, next);
                if (w->upper[c] <= bound)
                    continue;
                w->upper[c] = bound;
                queue[to++] = next;
            }
        }
    }
}

/* Keeps later sources of this batch away from v. */
static void surround(work *w, uint32_t v)
{
    uint32_t *queue = w->search.queue;
    size_t from = 0, to = 1;
    queue[0] = v;
    w->near[v] = w->batch_number;
    for (uint32_t hops = 0; hops < w->reach; hops++) {
        size_t end = to;
        for (; from < end; from++) {
            uint32_t at = queue[from];
            if (!cni_budget_work(w->budget, 1 + w->graph->first[at + 1] - w->graph->first[at]))
                return; /* what is not lowered is a bound still */
            for (size_t e = w->graph->first[at]; e < w->graph->first[at + 1]; e++) {
                uint32_t next = w->graph->neighbor[e];
                if (w->near[next] == w->batch_number)
                    continue;
                w->near[next] = w->batch_number;
                queue[to++] = next;
            }
        }
    }
}

/* Sources that are not bounded yet, apart from each other. */
static size_t choose(work *w, uint32_t batch[CNI_BATCH])
{
    size_t count = 0;
    w->batch_number++;
    for (uint32_t v = 0; v < w->representatives && count < CNI_BATCH; v++) {
        if (!cni_budget_work(w->budget, 1))
            break;
        if (w->upper[v] <= w->lower || w->near[v] == w->batch_number)
            continue;
        batch[count++] = v;
        surround(w, v);
    }
    return count;
}

/* Eccentricities of the batch, of the first *count sources of it when it was stopped; gives the steps
 * that it took. */
static uint64_t run_batch(work *w, const uint32_t batch[], size_t *count, uint32_t eccentricity[])
{
    double sum = 0.0;
    if (w->scratch != NULL) {
        cni_batch_run(w->graph, batch, *count, w->budget, eccentricity, &sum, NULL, w->scratch);
        if (!cni_budget_work(w->budget, 0))
            *count = 0;
        return (uint64_t)w->graph->nodes * w->lower;
    }
    for (size_t s = 0; s < *count; s++) {
        eccentricity[s] = cni_search_within(w->graph, batch[s], w->budget, &w->search);
        if (!cni_budget_work(w->budget, 0))
            *count = s;
    }
    return (uint64_t)w->graph->nodes * *count;
}

static void search_batches(work *w, cni_budget *budget)
{
    uint32_t batch[CNI_BATCH], eccentricity[CNI_BATCH];
    for (size_t count = choose(w, batch); count > 0; count = choose(w, batch)) {
        uint64_t gain = 0, steps = run_batch(w, batch, &count, eccentricity);
        for (size_t s = 0; s < count; s++)
            record(w, batch[s], eccentricity[s]);
        for (size_t s = 0; s < count; s++)
            gain += w->lower - eccentricity[s];
        w->reach = count > 0 ? (uint32_t)(gain / count) : 0;
        if (budget != NULL)
            budget->lower = w->lower;
        if (!cni_budget_spend(budget, steps))
            return;
    }
}

/* From node 0 to the farthest node, from there to the farthest, and so on: good lower bounds. */
static cn_status sweep(work *w)
{
    uint32_t v = 0;
    for (int times = 0; times < 4; times++) {
        uint32_t farthest = cni_search_within(w->graph, v, w->budget, &w->search);
        if (!cni_budget_work(w->budget, 0))
            return times == 0 ? CN_DONE : CN_OK;
        if (w->search.reached < w->graph->nodes)
            return cni_fail(CN_ERR_DISCONNECTED,
                            "%s is not connected: node %lu reaches %zu of its %llu nodes",
                            w->graph->topology->name, (unsigned long)v, w->search.reached,
                            (unsigned long long)w->graph->nodes);
        uint32_t last = w->search.queue[w->graph->nodes - 1];
        if (times == 0)
            for (uint32_t u = 0; u < w->representatives; u++)
                w->upper[u] = farthest + w->search.hops[u];
        record(w, v, farthest);
        v = last;
    }
    return CN_OK;
}

/* What one node sees bounds what others see only where links go both ways. */
static cn_status one_way(const cni_graph *graph, cni_budget *budget, cni_diameter_bounds *bounds)
{
    cni_all_pairs all;
    CNI_TRY(cni_all_pairs_run(graph, budget, &all));
    bounds->lower = bounds->upper = all.diameter;
    if (all.lower < all.upper)
        bounds->upper = graph->nodes - 1;
    return CN_OK;
}

cn_status cni_bound_diameter(const cni_graph *graph, cni_budget *budget,
                             cni_diameter_bounds *bounds)
{
    if (!graph->topology->bidirectional)
        return one_way(graph, budget, bounds);
    work w = {.graph = graph,
              .budget = budget,
              .representatives = cni_size(cni_representatives(graph->topology))};
    w.mirrored = w.representatives > 1 && w.representatives == graph->nodes / 2;
    CNI_TRY(cni_search_open(graph, &w.search));
    w.upper = cni_allocate(graph->nodes, sizeof *w.upper);
    w.near = cni_allocate(graph->nodes, sizeof *w.near);
    cn_status status = w.upper == NULL || w.near == NULL ? CN_ERR_MEMORY : sweep(&w);
    if (status == CN_OK && w.representatives > 1) {
        if (w.lower <= CNI_BATCH_LEVELS) {
            w.scratch = cni_allocate(cni_batch_words(graph), sizeof *w.scratch);
            status = w.scratch == NULL ? CN_ERR_MEMORY : CN_OK;
        }
        if (status == CN_OK)
            search_batches(&w, budget);
    }
    if (status == CN_OK) {
        bounds->lower = bounds->upper = w.lower;
        for (size_t v = 0; v < w.representatives; v++)
            if (w.upper[v] > bounds->upper)
                bounds->upper = w.upper[v];
    }
    cni_release(w.scratch);
    cni_release(w.near);
    cni_release(w.upper);
    cni_search_close(&w.search);
    return status;
}
