/* Breadth-first search, for the distances and diameters of networks without a closed form. */
#include "topology/distances/breadth_first.h"

#include "base/error.h"
#include "topology/distances/all_pairs.h"

cn_status cni_search_open(const cni_graph *graph, cni_search *search)
{
    search->reached = 0;
    search->hops = cni_allocate(graph->nodes, sizeof *search->hops);
    search->queue = cni_allocate(graph->nodes, sizeof *search->queue);
    if (search->hops != NULL && search->queue != NULL)
        return CN_OK;
    cni_search_close(search);
    return CN_ERR_MEMORY;
}

void cni_search_close(cni_search *search)
{
    cni_release(search->hops);
    cni_release(search->queue);
    search->hops = NULL;
    search->queue = NULL;
}

uint32_t cni_search_within(const cni_graph *graph, uint32_t source, cni_budget *budget,
                           cni_search *search)
{
    for (size_t v = 0; v < graph->nodes; v++)
        search->hops[v] = CNI_FAR;
    search->hops[source] = 0;
    search->queue[0] = source;
    search->reached = 1;
    for (size_t at = 0; at < search->reached; at++) {
        uint32_t v = search->queue[at];
        if (!cni_budget_work(budget, 2 + graph->first[v + 1] - graph->first[v]))
            break;
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t w = graph->neighbor[e];
            if (search->hops[w] != CNI_FAR)
                continue;
            search->hops[w] = search->hops[v] + 1;
            search->queue[search->reached++] = w;
        }
    }
    return search->hops[search->queue[search->reached - 1]];
}

/* Turns a search that was stopped before it knew anything, CN_DONE, into CN_ERR_CANCELLED. */
static cn_status or_cancelled(cn_status status, const cni_budget *budget)
{
    return status == CN_DONE ? cni_budget_fail(budget) : status;
}

/* Opens a search and searches from the source; after success the caller closes the search. */
static cn_status search_all(const cn_topology *topology, uint64_t source, cni_budget *budget,
                            cni_search *search)
{
    cni_graph graph;
    CNI_TRY(cni_graph_open(topology, budget, &graph));
    cn_status status = cni_search_open(&graph, search);
    if (status == CN_OK) {
        cni_search_within(&graph, (uint32_t)source, budget, search);
        status = cni_budget_go_on(budget, 0);
    }
    if (status != CN_OK)
        cni_search_close(search);
    cni_graph_close(&graph);
    return status;
}

static cn_status search_distance(const cn_topology *topology, uint64_t source, uint64_t destination,
                                 cni_budget *budget, uint64_t *distance)
{
    cni_search search;
    CNI_TRY(search_all(topology, source, budget, &search));
    uint32_t hops = search.hops[destination];
    *distance = hops == CNI_FAR ? CN_UNREACHABLE : hops;
    cni_search_close(&search);
    return CN_OK;
}

cn_status cni_search_distance(const cn_topology *topology, uint64_t source, uint64_t destination,
                              uint64_t *distance)
{
    return search_distance(topology, source, destination, NULL, distance);
}

static cn_status search_distance_counts(const cn_topology *topology, uint64_t source,
                                        cni_budget *budget, uint64_t counts[], size_t capacity,
                                        size_t *count)
{
    cni_search search;
    CNI_TRY(search_all(topology, source, budget, &search));
    *count = (size_t)search.hops[search.queue[search.reached - 1]] + 1;
    cn_status status = capacity < *count ? CN_ERR_CAPACITY : CN_OK;
    if (status == CN_OK) {
        for (size_t h = 0; h < *count; h++)
            counts[h] = 0;
        for (size_t i = 0; i < search.reached; i++)
            counts[search.hops[search.queue[i]]] += 1;
    }
    cni_search_close(&search);
    return status;
}

cn_status cni_diameter(const cn_topology *topology, cni_budget *budget, uint64_t *diameter)
{
    cni_bounds found;
    CNI_TRY(or_cancelled(cni_find_diameter(topology, budget, &found), budget));
    CNI_TRY(cni_budget_go_on(budget, 0));
    *diameter = found.lower;
    return CN_OK;
}

cn_status cni_mean_distance(const cn_topology *topology, cni_budget *budget, double *mean)
{
    cni_all_pairs all;
    double nodes = (double)topology->hosts, found = topology->mean_distance;
    if (!(found > 0.0) && topology->hosts > 1) {
        CNI_TRY(or_cancelled(cni_all_pairs_find(topology, budget, &all), budget));
        CNI_TRY(cni_budget_go_on(budget, 0));
        found = all.lower / nodes / (nodes - 1.0);
    }
    *mean = found;
    return CN_OK;
}

cn_status cn_topology_distance(const cn_topology *topology, uint64_t source, uint64_t destination,
                               const cn_control *control, uint64_t *distance)
{
    CNI_REQUIRE_BOTH(topology, distance);
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", topology, destination));
    CNI_BUDGET(budget, control, 0);
    return topology->ops->distance == cni_search_distance
               ? search_distance(topology, source, destination, &budget, distance)
               : topology->ops->distance(topology, source, destination, distance);
}

static cn_status search_distances(const cn_topology *topology, uint64_t source, cni_budget *budget,
                                  uint64_t distances[])
{
    cni_search search;
    CNI_TRY(search_all(topology, source, budget, &search));
    for (uint64_t v = 0; v < topology->nodes && cni_budget_pass(budget, v, 1); v++)
        distances[v] = search.hops[v] == CNI_FAR ? CN_UNREACHABLE : search.hops[v];
    cni_search_close(&search);
    return cni_budget_go_on(budget, 0);
}

cn_status cn_topology_distances(const cn_topology *topology, uint64_t source,
                                const cn_control *control, uint64_t distances[], size_t capacity)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(distances, capacity);
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_BUDGET(budget, control, topology->nodes);
    if (capacity < topology->nodes)
        return cni_fail_capacity(__func__, capacity, "%s has %llu nodes", topology->name,
                                 (unsigned long long)topology->nodes);
    if (topology->ops->distance == cni_search_distance)
        return search_distances(topology, source, &budget, distances);
    for (uint64_t v = 0; v < topology->nodes; v++) {
        budget.done = v;
        CNI_TRY(cni_budget_go_on(&budget, 16));
        CNI_TRY(topology->ops->distance(topology, source, v, &distances[v]));
    }
    return CN_OK;
}

cn_status cn_topology_distance_counts(const cn_topology *topology, uint64_t source,
                                      const cn_control *control, uint64_t counts[], size_t capacity,
                                      size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    size_t needed = 0;
    CNI_BUDGET(budget, control, 0);
    cn_status status =
        topology->ops->distance_counts != NULL
            ? topology->ops->distance_counts(topology, source, counts, capacity, &needed)
            : search_distance_counts(topology, source, &budget, counts, capacity, &needed);
    if (status == CN_ERR_CAPACITY)
        cni_fail_capacity(__func__, capacity, "the distances are 0 to %zu", needed - 1);
    if (count != NULL && (status == CN_OK || status == CN_ERR_CAPACITY))
        *count = needed;
    return status;
}

cn_status cn_topology_diameter(const cn_topology *topology, const cn_control *control,
                               uint64_t *diameter)
{
    CNI_REQUIRE_BOTH(topology, diameter);
    CNI_BUDGET(budget, control, 0);
    return cni_diameter(topology, &budget, diameter);
}

cn_status cn_topology_mean_distance(const cn_topology *topology, const cn_control *control,
                                    double *mean)
{
    CNI_REQUIRE_BOTH(topology, mean);
    CNI_BUDGET(budget, control, 0);
    return cni_mean_distance(topology, &budget, mean);
}
