/* A graph given edge by edge. */
#include "topology/families/stored_graph.h"

#include "base/error.h"

static cn_status check_ends(uint64_t node_count, const uint64_t edges[], size_t edge_count,
                            cni_budget *budget)
{
    for (size_t e = 0; e < edge_count; e++) {
        uint64_t u = edges[2 * e], v = edges[2 * e + 1];
        CNI_TRY(cni_budget_go_on(budget, 1));
        if (u >= node_count || v >= node_count)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_topology_from_edges: edge %zu joins %llu and %llu, but the nodes "
                            "are 0 to %llu",
                            e, (unsigned long long)u, (unsigned long long)v,
                            (unsigned long long)(node_count - 1));
    }
    return CN_OK;
}

/* Sorts the edges into the ports of their ends, in the order of the list. */
static cn_status fill(cni_stored_graph *graph, const uint64_t edges[], size_t count,
                      cni_budget *budget)
{
    size_t nodes = cni_size(graph->common.nodes);
    size_t *next = cni_allocate(nodes, sizeof *next); /* free place of each node */
    CNI_TRY_MEMORY(next);
    for (size_t i = 0; i < 2 * count && cni_budget_pass(budget, i, 2); i++)
        graph->first[edges[i] + 1] += 1;
    for (size_t v = 0; v < nodes; v++) {
        graph->first[v + 1] += graph->first[v];
        next[v] = graph->first[v];
    }
    for (size_t i = 0; i < 2 * count && cni_budget_pass(budget, i, 4); i++)
        graph->neighbor[next[edges[i]]++] = (uint32_t)edges[i ^ 1];
    cni_release(next);
    return cni_budget_go_on(budget, 0);
}

cn_status cn_topology_from_edges(uint64_t node_count, const uint64_t edges[], size_t edge_count,
                                 const cn_control *control, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE_ARRAY(edges, edge_count);
    CNI_BUDGET(budget, control, 0);
    if (node_count < 1 || node_count > UINT64_C(1) << 32)
        return cni_fail(CN_ERR_ARGUMENT, "%s: node_count = %llu, but it must be 1 to 2^32",
                        __func__, (unsigned long long)node_count);
    return cni_graph_from_edges(node_count, edges, edge_count, &budget, topology);
}

cn_status cni_graph_from_edges(uint64_t node_count, const uint64_t edges[], size_t edge_count,
                               cni_budget *budget, cn_topology **topology)
{
    static const char function[] = "cn_topology_from_edges";
    if (edge_count > (size_t)1 << 31)
        return cni_fail(CN_ERR_ARGUMENT, "%s: edge_count = %zu, but it must be at most 2^31",
                        function, edge_count);
    CNI_TRY(check_ends(node_count, edges, edge_count, budget));

    cni_stored_graph *graph = cni_stored_graph_new(node_count);
    CNI_TRY_MEMORY(graph);
    graph->neighbor = cni_allocate(2 * (uint64_t)edge_count, sizeof *graph->neighbor);
    cn_status status =
        graph->neighbor == NULL ? CN_ERR_MEMORY : fill(graph, edges, edge_count, budget);
    if (status == CN_OK)
        status = cni_stored_graph_finish(graph, "edges", budget);
    *topology = &graph->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}
