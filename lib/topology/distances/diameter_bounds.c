/*
 * Bounds of the diameter. Let u be a node in the middle of a long path. The search takes the nodes
 * farthest from u first and finds the eccentricity of each. When the remaining nodes lie within i
 * hops of u, no distance between two of them is above 2 i, so the search ends as soon as an
 * eccentricity reaches 2 i (Crescenzi, Grossi, Habib, Lanzi & Marino 2013).
 */
#include "topology/distances/all_pairs.h"

#include "base/error.h"
#include "topology/distances/breadth_first.h"

/* The next node on the path back to the start of the search. Of several nodes it takes the first
 * and the last by turns, so that the path runs through the middle of the network and not along
 * its border. */
static uint32_t step_back(const cni_graph *graph, const cni_search *search, uint32_t v)
{
    uint32_t back = v;
    for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
        uint32_t w = graph->neighbor[e];
        if (search->hops[w] + 1 == search->hops[v] && (back == v || search->hops[v] % 2 == 1))
            back = w;
    }
    return back;
}

/* Searches from node 0, and then from the node farthest from it. The longest path of the second
 * search has u in its middle. CN_DONE when the budget was stopped before any bound was known. */
static cn_status sweep(const cni_graph *graph, cni_budget *budget, cni_search *search, uint32_t *u,
                       cni_bounds *bounds)
{
    for (int times = 0; times < 2; times++) {
        uint32_t hops = cni_search_within(graph, *u, budget, search);
        if (!cni_budget_work(budget, 0))
            return times == 0 ? CN_DONE : CN_OK;
        if (search->reached < graph->nodes)
            return cni_fail_disconnected(graph, *u, search->reached);
        bounds->upper = times == 0 ? 2 * (uint64_t)hops : bounds->upper;
        bounds->lower = hops;
        *u = search->queue[graph->nodes - 1];
    }
    for (uint64_t hops = 0; hops < bounds->lower / 2; hops++)
        *u = step_back(graph, search, *u);
    return CN_OK;
}

/* Searches from the farthest nodes inwards, some nodes of equal distance at a time. */
static cn_status look_inwards(const cni_graph *graph, cni_budget *budget, const cni_search *search,
                              cni_bounds *bounds)
{
    uint32_t eccentricity[CNI_BATCH];
    size_t left = graph->nodes, count = 0;
    for (int going = 1; going && left > 0; left -= count) {
        const uint32_t *queue = search->queue, hops = search->hops[queue[left - 1]];
        uint64_t upper = 2 * (uint64_t)hops < bounds->upper ? 2 * (uint64_t)hops : bounds->upper;
        bounds->upper = upper > bounds->lower ? upper : bounds->lower;
        if (bounds->lower == bounds->upper)
            return CN_OK;
        count = 1;
        while (count < CNI_BATCH && count < left && search->hops[queue[left - 1 - count]] == hops)
            count++;
        cn_status status =
            cni_eccentricities(graph, queue + left - count, count, budget, eccentricity, NULL);
        if (status != CN_OK) /* the bounds so far are still bounds when the budget is stopped */
            return status == CN_ERR_CANCELLED ? CN_OK : status;
        for (size_t s = 0; s < count; s++)
            bounds->lower = eccentricity[s] > bounds->lower ? eccentricity[s] : bounds->lower;
        going = cni_budget_spend(
            budget, graph->nodes * (count < bounds->lower ? (uint64_t)count : bounds->lower));
    }
    bounds->upper = left == 0 ? bounds->lower : bounds->upper;
    return CN_OK;
}

/* Searches from every node: the distances from one node bound other distances only with two-way
 * links. Where not all nodes are hosts, searches from every host. */
static cn_status by_all_pairs(const cni_graph *graph, cni_budget *budget, cni_bounds *bounds)
{
    cni_all_pairs all;
    CNI_TRY(cni_all_pairs_run(graph, budget, &all));
    bounds->lower = bounds->upper = all.diameter;
    if (all.lower < all.upper)
        bounds->upper = graph->nodes - 1;
    return CN_OK;
}

cn_status cni_bound_diameter(const cni_graph *graph, cni_budget *budget, cni_bounds *bounds)
{
    cni_search search;
    uint32_t u = 0;
    *bounds = (cni_bounds){0, 0, 0};
    if (!graph->topology->bidirectional || !cni_all_are_hosts(graph->topology))
        return by_all_pairs(graph, budget, bounds);
    CNI_TRY(cni_search_open(graph, &search));
    cn_status status = sweep(graph, budget, &search, &u, bounds);
    if (cni_representatives(graph->topology) == 1)
        bounds->upper = bounds->lower;
    if (status == CN_OK && bounds->lower < bounds->upper && cni_budget_work(budget, 0)) {
        cni_search_within(graph, u, budget, &search);
        if (cni_budget_work(budget, 0))
            status = look_inwards(graph, budget, &search, bounds);
    }
    cni_search_close(&search);
    return status;
}

cn_status cni_find_diameter(const cn_topology *topology, cni_budget *budget, cni_bounds *bounds)
{
    cni_graph graph;
    *bounds = (cni_bounds){topology->diameter, topology->diameter, topology->diameter > 0};
    if (bounds->lower > 0)
        return CN_OK;
    CNI_TRY(cni_graph_open_within(topology, budget, &graph));
    cn_status status = cni_bound_diameter(&graph, budget, bounds);
    cni_graph_close(&graph);
    return status;
}
