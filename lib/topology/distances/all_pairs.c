/*
 * The distances of all pairs. A batch of sources is searched level by level, with a bit for each
 * source: a node is reached from those sources from which a neighbour was reached one level before.
 * One level reads the whole network once, so a batch pays only with fewer levels than bits; in a
 * long ring the search goes source by source.
 */
#include "topology/distances/all_pairs.h"

#include "base/error.h"
#include "topology/distances/breadth_first.h"

/* Words of a batch; the most levels for batches. */
enum { LANES = CNI_BATCH / 64, MOST_LEVELS = 100 };

/* One level. `next` gets, by node, the sources that reach the node for the first time; `any` gets
 * all of these sources together, and *pairs grows by their number, at nodes that count. Returns 0
 * when no node was reached. */
static int expand(const cni_graph *graph, const uint64_t *frontier, uint64_t *next, uint64_t *seen,
                  int hosts_count, cni_budget *budget, uint64_t any[LANES], uint64_t *pairs)
{
    uint64_t all_fresh = 0;
    for (size_t v = 0; v < graph->nodes; v++) {
        uint64_t reached[LANES] = {0}, missing = 0;
        const uint64_t counts = !hosts_count || cni_is_host(graph->topology, v) ? UINT64_MAX : 0;
        if (!cni_budget_work(budget, 2 * LANES))
            return 0;
        for (int i = 0; i < LANES; i++)
            missing |= ~seen[LANES * v + (size_t)i];
        if (missing == 0) { /* in the last levels most nodes have been reached from all sources */
            for (int i = 0; i < LANES; i++)
                next[LANES * v + (size_t)i] = 0;
            continue;
        }
        cni_budget_work(budget, LANES * (graph->first[v + 1] - graph->first[v]));
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            const uint64_t *from = frontier + (size_t)LANES * graph->neighbor[e];
            for (int i = 0; i < LANES; i++)
                reached[i] |= from[i];
        }
        for (int i = 0; i < LANES; i++) {
            uint64_t fresh = reached[i] & ~seen[LANES * v + (size_t)i];
            next[LANES * v + (size_t)i] = fresh;
            seen[LANES * v + (size_t)i] |= fresh;
            all_fresh |= fresh;
            any[i] |= fresh & counts;
            *pairs += cni_popcount(fresh & counts);
        }
    }
    return all_fresh != 0;
}

/* Adds nothing when the budget was stopped. scratch: three words of LANES a node. */
static void run_batch(const cni_graph *graph, const uint32_t sources[], size_t count,
                      int hosts_count, cni_budget *budget, uint32_t eccentricity[],
                      cni_distance_sums *sums, uint64_t scratch[])
{
    size_t words = (size_t)LANES * graph->nodes;
    uint64_t *frontier = scratch, *next = scratch + words, *seen = scratch + 2 * words;
    for (size_t i = 0; i < 2 * words; i++)
        scratch[i] = 0;
    for (size_t i = 0; i < words; i++) { /* bits without a source count as seen */
        size_t base = i % LANES * 64;
        seen[i] = count >= base + 64 ? 0
                  : count <= base    ? ~UINT64_C(0)
                                     : ~UINT64_C(0) << count % 64;
    }
    for (size_t s = 0; s < count; s++) {
        size_t at = (size_t)LANES * sources[s] + s / 64;
        frontier[at] |= UINT64_C(1) << s % 64;
        seen[at] |= UINT64_C(1) << s % 64;
        eccentricity[s] = 0;
    }
    uint64_t reached = 0, total = 0;
    int going = 1;
    for (uint32_t level = 1; going; level++) {
        uint64_t any[LANES] = {0}, pairs = 0;
        going = expand(graph, frontier, next, seen, hosts_count, budget, any, &pairs);
        reached += pairs;
        total += pairs * level;
        for (size_t s = 0; s < count; s++)
            if (any[s / 64] >> s % 64 & 1)
                eccentricity[s] = level;
        uint64_t *swap = frontier;
        frontier = next;
        next = swap;
    }
    if (!cni_budget_work(budget, 0))
        return;
    sums->distances += (double)total;
    sums->pairs += reached;
}

/* The results of the searches from the first sources. */
typedef struct progress {
    size_t sources;
    cni_distance_sums sums;
    uint64_t diameter;
    uint32_t first;  /* the eccentricity of the first source */
    int need_all;    /* 1: a source must reach every node, or every host */
    int hosts_count; /* 1: only hosts count; 0: all nodes do */
} progress;

/* Adds the distances that a search has found; returns the greatest. */
static uint32_t add_search(const cni_graph *graph, const cni_search *search, progress *done)
{
    uint64_t sum = 0, count = 0;
    uint32_t greatest = 0;
    for (size_t i = 0; i < search->reached; i++) {
        uint32_t v = search->queue[i];
        if (done->hosts_count && !cni_is_host(graph->topology, v))
            continue;
        greatest = search->hops[v];
        sum += greatest;
        count++;
    }
    done->sums.distances += (double)sum;
    done->sums.pairs += count - 1;
    return greatest;
}

/* Searches from one source, or from a batch if there is scratch. Adds nothing when the budget
 * was stopped. */
static cn_status add_sources(const cni_graph *graph, const uint32_t sources[], size_t count,
                             cni_search *search, uint64_t scratch[], cni_budget *budget,
                             uint32_t eccentricity[], progress *done)
{
    uint64_t before = done->sums.pairs;
    if (scratch != NULL)
        run_batch(graph, sources, count, done->hosts_count, budget, eccentricity, &done->sums,
                  scratch);
    else
        cni_search_within(graph, sources[0], budget, search);
    if (!cni_budget_work(budget, 0))
        return CN_DONE;
    if (scratch == NULL)
        eccentricity[0] = add_search(graph, search, done);
    done->first = done->sources == 0 ? eccentricity[0] : done->first;
    for (size_t s = 0; s < count; s++)
        done->diameter = eccentricity[s] > done->diameter ? eccentricity[s] : done->diameter;
    done->sources += count;
    if (done->need_all && done->sums.pairs - before < count * (graph->topology->hosts - 1))
        return cni_fail_disconnected(graph, sources[0], search->reached);
    return CN_OK;
}

/* Searches from the `count` sources of the list or, without a list, from the first `count` hosts;
 * one source after the other, or in batches. */
static cn_status search_sources(const cni_graph *graph, const uint32_t list[], size_t count,
                                int in_batches, cni_budget *budget, uint32_t eccentricity[],
                                progress *done)
{
    uint32_t batch[CNI_BATCH], farthest[CNI_BATCH];
    uint64_t *scratch = NULL;
    cni_search search;
    CNI_TRY(cni_search_open(graph, &search));
    cn_status status = CN_OK;
    if (in_batches &&
        (scratch = cni_allocate(UINT64_C(3) * LANES * graph->nodes, sizeof *scratch)) == NULL)
        status = CN_ERR_MEMORY;
    for (int going = 1; going && status == CN_OK && done->sources < count;) {
        size_t first = done->sources, left = count - first,
               here = left < CNI_BATCH ? left : CNI_BATCH;
        here = in_batches ? here : 1;
        for (size_t s = 0; s < here; s++)
            batch[s] =
                list != NULL ? list[first + s] : (uint32_t)cni_host_at(graph->topology, first + s);
        status = add_sources(graph, batch, here, &search, scratch, budget, farthest, done);
        for (size_t s = 0; status == CN_OK && eccentricity != NULL && s < here; s++)
            eccentricity[first + s] = farthest[s];
        if (status == CN_OK)
            going = cni_budget_spend(budget, graph->nodes * (in_batches ? done->diameter : 1));
    }
    cni_release(scratch);
    cni_search_close(&search);
    return status == CN_DONE ? CN_OK : status;
}

/* The same; the search from the first source shows whether batches pay. Batches need two-way links:
 * with one-way links they would follow the links backward. */
static cn_status search_each(const cni_graph *graph, const uint32_t list[], size_t count,
                             cni_budget *budget, uint32_t eccentricity[], progress *done)
{
    CNI_TRY(search_sources(graph, list, count > 0, 0, budget, eccentricity, done));
    int in_batches = graph->topology->bidirectional && done->first <= MOST_LEVELS;
    return done->sources == 0
               ? CN_OK
               : search_sources(graph, list, count, in_batches, budget, eccentricity, done);
}

cn_status cni_eccentricities(const cni_graph *graph, const uint32_t sources[], size_t count,
                             cni_budget *budget, uint32_t eccentricity[], cni_distance_sums *sums)
{
    cni_budget own = cni_budget_within(budget); /* its steps are not those of the caller */
    progress done = {0};
    CNI_TRY(search_each(graph, sources, count, &own, eccentricity, &done));
    if (sums != NULL) {
        sums->distances += done.sums.distances;
        sums->pairs += done.sums.pairs;
    }
    return cni_budget_go_on(budget, 0);
}

/* The least sum: every node has as many new neighbours as the greatest degree allows; hosts may all
 * be neighbours. */
double cni_least_sum(const cn_topology *topology, uint64_t *farthest)
{
    *farthest = 1;
    if (!cni_all_are_hosts(topology))
        return (double)topology->hosts - 1.0;
    double left = (double)topology->nodes - 1.0, sum = 0.0, hops = 0.0;
    double degree = topology->max_degree > 0 ? topology->max_degree : 1.0, level = degree;
    while (left > 0.0) {
        double here = level < left ? level : left;
        hops += 1.0;
        sum += here * hops;
        left -= here;
        level *= degree > 2.0 ? degree - 1.0 : 1.0;
    }
    *farthest = (uint64_t)hops;
    return sum;
}

/* Bounds of the sum of all distances. `sum` has the distances from so many nodes; no distance is
 * above `greatest`. */
static void conclude(const cn_topology *topology, double nodes, double sum, double greatest,
                     cni_all_pairs *result)
{
    uint64_t farthest;
    double all = (double)topology->hosts, left = all - nodes;
    result->lower = sum + left * cni_least_sum(topology, &farthest);
    result->upper = sum + left * greatest * (all - 1.0);
}

cn_status cni_all_pairs_run(const cni_graph *graph, cni_budget *budget, cni_all_pairs *result)
{
    const cn_topology *t = graph->topology;
    progress done = {.need_all = 1, .hosts_count = !cni_all_are_hosts(t)};
    size_t sources = cni_size(done.hosts_count ? t->hosts : cni_representatives(t));
    CNI_TRY(search_each(graph, NULL, sources, budget, NULL, &done));
    if (done.sources == 0)
        return CN_DONE;
    double each = (double)(t->hosts / sources);
    result->diameter = done.diameter;
    /* No distance is above two eccentricities where links go both ways. */
    conclude(t, each * (double)done.sources, each * done.sums.distances,
             t->bidirectional ? 2.0 * done.first : (double)graph->nodes, result);
    return CN_OK;
}

/* The sum over the representatives of a family that counts its distances without a search. */
static cn_status count_all_pairs(const cn_topology *topology, uint64_t counts[], cni_budget *budget,
                                 cni_all_pairs *result)
{
    const cni_topology_ops *ops = topology->ops;
    const uint64_t diameter = topology->diameter;
    double nodes = 0.0, sum = 0.0;
    uint64_t representatives = cni_representatives(topology);
    for (uint64_t v = 0; v < representatives; v++) {
        uint64_t images =
            ops->orbit != NULL ? ops->orbit(topology, v) : topology->nodes / representatives;
        if (images == 0)
            continue;
        size_t count;
        CNI_TRY(ops->distance_counts(topology, v, counts, cni_size(diameter + 1), &count));
        double from_here = 0.0;
        for (size_t hops = 1; hops < count; hops++)
            from_here += (double)hops * (double)counts[hops];
        nodes += (double)images;
        sum += (double)images * from_here;
        if (!cni_budget_spend(budget, 1 + diameter * diameter * diameter / 8))
            break;
    }
    result->diameter = diameter;
    conclude(topology, nodes, sum, (double)diameter, result);
    return CN_OK;
}

cn_status cni_all_pairs_find(const cn_topology *topology, cni_budget *budget, cni_all_pairs *result)
{
    if (topology->ops->distance_counts == NULL) {
        cni_graph graph;
        CNI_TRY(cni_graph_open_within(topology, budget, &graph));
        cn_status status = cni_all_pairs_run(&graph, budget, result);
        cni_graph_close(&graph);
        return status;
    }
    CNI_TRY(cni_check_size(topology, budget)); /* a larger network would take too long */
    uint64_t *counts = cni_allocate(topology->diameter + 1, sizeof *counts);
    cn_status status =
        counts == NULL ? CN_ERR_MEMORY : count_all_pairs(topology, counts, budget, result);
    cni_release(counts);
    return status;
}
