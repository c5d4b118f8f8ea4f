/* A topology as two flat arrays of neighbours, for searches. */
#include "topology/distances/graph.h"

#include "base/error.h"

/* The most nodes of a computed network: the arrays of a larger one would fill the memory of most
 * machines. */
static const uint64_t MOST_NODES = UINT64_C(1) << 27;
static const uint64_t MOST_CHANNELS = UINT64_C(1) << 31;

cn_status cni_check_size(const cn_topology *topology, cni_budget *budget)
{
    uint64_t channels = 0;
    if (topology->nodes <= MOST_NODES) {
        uint64_t most = MOST_CHANNELS / topology->nodes;
        if (topology->max_degree <= most)
            return CN_OK;
        for (uint64_t v = 0; v < topology->nodes && channels <= MOST_CHANNELS; v++) {
            if (!cni_budget_work(budget, 1))
                return CN_DONE;
            channels += topology->ops->degree(topology, v);
        }
        if (channels <= MOST_CHANNELS)
            return CN_OK;
    }
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s has %llu nodes of up to %lu ports, but a search stores the network and "
                    "takes at most 2^27 nodes and 2^31 channels",
                    topology->name, (unsigned long long)topology->nodes,
                    (unsigned long)topology->max_degree);
}

static cn_status fill(cni_graph *graph, cni_budget *budget)
{
    const cn_topology *topology = graph->topology;
    for (size_t v = 0; v < graph->nodes; v++) {
        graph->first[v + 1] = graph->first[v] + topology->ops->degree(topology, v);
        if (!cni_budget_work(budget, 1))
            return CN_DONE;
    }
    graph->neighbor = cni_allocate(graph->first[graph->nodes], sizeof *graph->neighbor);
    CNI_TRY_MEMORY(graph->neighbor);
    for (size_t v = 0; v < graph->nodes; v++)
        for (size_t at = graph->first[v]; at < graph->first[v + 1]; at++) {
            graph->neighbor[at] =
                (uint32_t)topology->ops->neighbor(topology, v, (uint32_t)(at - graph->first[v]));
            if (!cni_budget_work(budget, 4))
                return CN_DONE;
        }
    return CN_OK;
}

cn_status cni_graph_open(const cn_topology *topology, cni_budget *budget, cni_graph *graph)
{
    cn_status status = cni_graph_open_within(topology, budget, graph);
    return status == CN_DONE ? cni_budget_fail(budget) : status;
}

cn_status cni_graph_open_within(const cn_topology *topology, cni_budget *budget, cni_graph *graph)
{
    graph->topology = topology;
    graph->owned = 0;
    if (topology->ops->lend_graph != NULL) {
        topology->ops->lend_graph(topology, graph);
        return CN_OK;
    }
    CNI_TRY(cni_check_size(topology, budget));
    graph->nodes = cni_size(topology->nodes);
    graph->owned = 1;
    graph->neighbor = NULL;
    graph->first = cni_allocate(graph->nodes + 1, sizeof *graph->first);
    CNI_TRY_MEMORY(graph->first);
    cn_status status = fill(graph, budget);
    if (status != CN_OK)
        cni_graph_close(graph);
    return status;
}

void cni_graph_close(cni_graph *graph)
{
    if (!graph->owned)
        return;
    cni_release(graph->first);
    cni_release(graph->neighbor);
    graph->first = NULL;
    graph->neighbor = NULL;
}

cn_status cni_fail_disconnected(const cni_graph *graph, size_t source, size_t reached)
{
    return cni_fail(CN_ERR_DISCONNECTED,
                    "%s is not connected: node %zu reaches %zu of its %zu nodes",
                    graph->topology->name, source, reached, graph->nodes);
}

cn_status cni_check_two_way(const char *measure, const cn_topology *topology)
{
    if (topology->bidirectional)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "the search for %s needs bidirectional links, but those of %s are unidirectional", measure,
        topology->name);
}
