/* The completely connected network (Ginosar & Egozi 1989, 4.1.1). Port p of node v: v + 1 + p mod N. */
#include "topology/topology.h"

#include <stdio.h>

#include "base/error.h"

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    return (node + 1 + port) % t->nodes;
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    (void)node;
    return t->max_degree - 1 - port;
}

static uint32_t port_to(const cn_topology *t, uint64_t node, uint64_t neighbor)
{
    return node == neighbor ? CN_NO_PORT : (uint32_t)((neighbor + t->nodes - node - 1) % t->nodes);
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    (void)t;
    *hops = source != destination;
    return CN_OK;
}

static cn_status diameter(const cn_topology *t, uint64_t *hops)
{
    (void)t;
    *hops = 1;
    return CN_OK;
}

static cn_status mean_distance(const cn_topology *t, double *mean)
{
    (void)t;
    *mean = 1.0;
    return CN_OK;
}

static cn_status distance_counts(const cn_topology *t, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    (void)source;
    *count = 2;
    if (capacity < 2)
        return CN_ERR_CAPACITY;
    counts[0] = 1;
    counts[1] = t->nodes - 1;
    return CN_OK;
}

/* e = floor(N^2 / 4) */
static int bisection(const cn_topology *t, uint64_t *width)
{
    *width = t->nodes / 2 * ((t->nodes + 1) / 2);
    return 1;
}

static const cni_topology_ops complete_ops = {
    .degree = cni_regular_degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .port_to = port_to,
    .link_count = cni_regular_link_count,
    .distance = distance,
    .diameter = diameter,
    .mean_distance = mean_distance,
    .distance_counts = distance_counts,
    .bisection = bisection,
    .broadcast_time = cni_doubling_time,
};

cn_status cn_topology_complete(uint64_t nodes, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^32 - 1",
                        __func__, (unsigned long long)nodes);
    cn_topology *t = cni_topology_new(&complete_ops, CNI_COMPLETE, nodes);
    CNI_TRY_MEMORY(t);
    t->max_degree = (uint32_t)(nodes - 1);
    t->representatives = 1;
    snprintf(t->name, sizeof t->name, "complete(%llu)", (unsigned long long)nodes);
    *topology = t;
    return CN_OK;
}
