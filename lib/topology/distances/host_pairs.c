/* Distances between hosts, where not all nodes are hosts: one search from each host. */
#include "base/error.h"
#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

/* Adds the distances from a host to all others. */
static cn_status add(const cni_graph *graph, uint64_t host, cni_budget *budget, cni_search *search,
                     cni_all_pairs *all)
{
    const cn_topology *t = graph->topology;
    cni_search_within(graph, (uint32_t)host, budget, search);
    if (!cni_budget_work(budget, t->hosts))
        return CN_DONE;
    for (uint64_t rank = 0; rank < t->hosts; rank++) {
        uint32_t hops = search->hops[cni_host_at(t, rank)];
        if (hops == CNI_FAR)
            return cni_fail_disconnected(graph, (size_t)host, search->reached);
        all->lower += hops;
        all->diameter = hops > all->diameter ? hops : all->diameter;
    }
    return CN_OK;
}

cn_status cni_host_pairs_find(const cn_topology *topology, cni_budget *budget,
                              cni_all_pairs *result)
{
    cni_graph graph;
    cni_search search;
    *result = (cni_all_pairs){0};
    CNI_TRY(cni_graph_open_within(topology, budget, &graph));
    cn_status status = cni_search_open(&graph, &search);
    for (uint64_t rank = 0; rank < topology->hosts && status == CN_OK; rank++)
        status = add(&graph, cni_host_at(topology, rank), budget, &search, result);
    result->upper = result->lower;
    cni_search_close(&search);
    cni_graph_close(&graph);
    return status;
}
