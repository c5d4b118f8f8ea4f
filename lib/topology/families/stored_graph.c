/* The operations of topologies that are stored as arrays of neighbours. */
#include "topology/families/stored_graph.h"

#include <string.h>

#include "topology/distances/breadth_first.h"

static const cni_stored_graph *of(const cn_topology *topology)
{
    return (const cni_stored_graph *)topology;
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

/* The neighbours by port decide; the ports back follow from them. */
static int same(const cn_topology *a, const cn_topology *b)
{
    size_t nodes = (size_t)a->nodes, channels = of(a)->first[nodes];
    return memcmp(of(a)->first, of(b)->first, (nodes + 1) * sizeof *of(a)->first) == 0 &&
           (channels == 0 ||
            memcmp(of(a)->neighbor, of(b)->neighbor, channels * sizeof *of(a)->neighbor) == 0) &&
           (a->host_at == NULL) == (b->host_at == NULL) &&
           (a->base == NULL || cn_topology_equal(a->base, b->base)) &&
           (a->host_at == NULL ||
            memcmp(a->host_at, b->host_at, (size_t)a->hosts * sizeof *a->host_at) == 0);
}

static void lend_graph(const cn_topology *topology, cni_graph *graph)
{
    graph->nodes = cni_size(topology->nodes);
    graph->first = of(topology)->first;
    graph->neighbor = of(topology)->neighbor;
}

static void destroy(cn_topology *topology)
{
    cni_stored_graph *graph = (cni_stored_graph *)topology;
    cni_release(graph->first);
    cni_release(graph->neighbor);
    cni_release(graph->back_port);
    cni_release(graph->host_at);
    cni_release(graph->host_rank);
    cni_release(graph->lengths);
    cni_topology_release(topology->base);
}

static const cni_topology_ops ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .distance = cni_search_distance,
    .same = same,
    .lend_graph = lend_graph,
    .destroy = destroy,
};

cni_stored_graph *cni_stored_graph_new(uint64_t nodes)
{
    cni_stored_graph *graph = cni_allocate(1, sizeof *graph);
    if (graph == NULL)
        return NULL;
    cni_topology_init(&graph->common, &ops, CNI_EDGE_LIST, nodes);
    graph->first = cni_allocate(nodes + 1, sizeof *graph->first);
    if (graph->first == NULL) {
        cni_object_release(graph);
        return NULL;
    }
    return graph;
}
