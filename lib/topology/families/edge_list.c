/* A graph given edge by edge: the one topology that is stored, as arrays of neighbours. */
#include "topology/topology.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "topology/distances/breadth_first.h"

typedef struct edge_list {
    cn_topology common;
    size_t *first;       /* nodes + 1: where the ports of a node begin in the two below */
    uint32_t *neighbor;  /* by node and port */
    uint32_t *back_port; /* by node and port */
    size_t edges;
} edge_list;

static const edge_list *of(const cn_topology *topology)
{
    return (const edge_list *)topology;
}

static uint32_t degree(const cn_topology *topology, uint64_t node)
{
    return (uint32_t)(of(topology)->first[node + 1] - of(topology)->first[node]);
}

static uint64_t neighbor(const cn_topology *topology, uint64_t node, uint32_t port)
{
    return of(topology)->neighbor[of(topology)->first[node] + port];
}

static uint32_t back_port(const cn_topology *topology, uint64_t node, uint32_t port)
{
    return of(topology)->back_port[of(topology)->first[node] + port];
}

static cn_status link_count(const cn_topology *topology, uint64_t *links)
{
    *links = of(topology)->edges;
    return CN_OK;
}

/* Where all ports lead says how they lead back, and of which nodes they are: a node has as many as lead to it. */
static int same(const cn_topology *a, const cn_topology *b)
{
    size_t edges = of(a)->edges;
    return edges == of(b)->edges &&
           memcmp(of(a)->neighbor, of(b)->neighbor, 2 * edges * sizeof *of(a)->neighbor) == 0;
}

static void lend_graph(const cn_topology *topology, cni_graph *graph)
{
    graph->nodes = cni_size(topology->nodes);
    graph->first = of(topology)->first;
    graph->neighbor = of(topology)->neighbor;
}

/* ---- construction ---- */

static void destroy(cn_topology *topology)
{
    edge_list *graph = (edge_list *)topology;
    cni_release(graph->first);
    cni_release(graph->neighbor);
    cni_release(graph->back_port);
}

static const cni_topology_ops edge_list_ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .link_count = link_count,
    .distance = cni_search_distance,
    .diameter = cni_search_diameter,
    .mean_distance = cni_search_mean_distance,
    .distance_counts = cni_search_distance_counts,
    .same = same,
    .lend_graph = lend_graph,
    .destroy = destroy,
};

static cn_status check_ends(uint64_t node_count, const uint64_t edges[], size_t edge_count)
{
    for (size_t e = 0; e < edge_count; e++) {
        uint64_t u = edges[2 * e], v = edges[2 * e + 1];
        if (u >= node_count || v >= node_count)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_topology_from_edges: edge %zu joins %llu and %llu, but the nodes "
                            "are 0 to %llu",
                            e, (unsigned long long)u, (unsigned long long)v,
                            (unsigned long long)(node_count - 1));
        if (u == v)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_topology_from_edges: edge %zu is a loop at node %llu, but two "
                            "different nodes must be joined",
                            e, (unsigned long long)u);
    }
    return CN_OK;
}

/* Sorts the edges into the ports of their ends, in the order of the list. */
static cn_status fill(edge_list *graph, const uint64_t edges[])
{
    size_t nodes = cni_size(graph->common.nodes);
    size_t *next = cni_allocate(nodes, sizeof *next); /* free place of each node */
    if (next == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < 2 * graph->edges; i++)
        graph->first[edges[i] + 1] += 1;
    for (size_t v = 0; v < nodes; v++) {
        uint32_t ports = (uint32_t)graph->first[v + 1];
        if (ports > graph->common.max_degree)
            graph->common.max_degree = ports;
        graph->first[v + 1] += graph->first[v];
        next[v] = graph->first[v];
    }
    for (size_t e = 0; e < graph->edges; e++) {
        size_t u = (size_t)edges[2 * e], v = (size_t)edges[2 * e + 1];
        size_t at_u = next[u]++, at_v = next[v]++;
        graph->neighbor[at_u] = (uint32_t)v;
        graph->neighbor[at_v] = (uint32_t)u;
        graph->back_port[at_u] = (uint32_t)(at_v - graph->first[v]);
        graph->back_port[at_v] = (uint32_t)(at_u - graph->first[u]);
    }
    cni_release(next);
    return CN_OK;
}

static cn_status check_simple(const edge_list *graph)
{
    size_t nodes = cni_size(graph->common.nodes);
    uint64_t *seen_by = cni_allocate(nodes, sizeof *seen_by); /* last node + 1 that has it */
    if (seen_by == NULL)
        return CN_ERR_MEMORY;
    cn_status status = CN_OK;
    for (size_t v = 0; v < nodes && status == CN_OK; v++) {
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            if (seen_by[graph->neighbor[e]] == v + 1)
                status = cni_fail(CN_ERR_ARGUMENT,
                                  "cn_topology_from_edges: nodes %zu and %lu are joined more than "
                                  "once, but two nodes share at most one link",
                                  v, (unsigned long)graph->neighbor[e]);
            seen_by[graph->neighbor[e]] = v + 1;
        }
    }
    cni_release(seen_by);
    return status;
}

cn_status cn_topology_from_edges(uint64_t node_count, const uint64_t edges[], size_t edge_count,
                                 cn_topology **topology)
{
    CNI_REQUIRE(topology);
    *topology = NULL;
    if (node_count < 1 || node_count > UINT64_C(1) << 32)
        return cni_fail(CN_ERR_ARGUMENT, "%s: node_count = %llu, but it must be 1 to 2^32",
                        __func__, (unsigned long long)node_count);
    if (edge_count > (size_t)1 << 31)
        return cni_fail(CN_ERR_ARGUMENT, "%s: edge_count = %zu, but it must be at most 2^31",
                        __func__, edge_count);
    if (edge_count > 0)
        CNI_REQUIRE(edges);
    CNI_TRY(check_ends(node_count, edges, edge_count));

    edge_list *graph = cni_allocate(1, sizeof *graph);
    if (graph == NULL)
        return CN_ERR_MEMORY;
    cni_topology_init(&graph->common, &edge_list_ops, CNI_EDGE_LIST, node_count);
    graph->edges = edge_count;
    snprintf(graph->common.name, sizeof graph->common.name, "edges(%llu,%zu)",
             (unsigned long long)node_count, edge_count);
    graph->first = cni_allocate((uint64_t)node_count + 1, sizeof *graph->first);
    graph->neighbor = cni_allocate(2 * (uint64_t)edge_count, sizeof *graph->neighbor);
    graph->back_port = cni_allocate(2 * (uint64_t)edge_count, sizeof *graph->back_port);
    cn_status status = CN_ERR_MEMORY;
    if (graph->first != NULL && graph->neighbor != NULL && graph->back_port != NULL)
        status = fill(graph, edges);
    if (status == CN_OK)
        status = check_simple(graph);
    *topology = &graph->common;
    if (status != CN_OK)
        cn_topology_free(topology);
    return status;
}
