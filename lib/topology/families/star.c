/* The star (Ginosar & Egozi 1989, 4.1.5): node 0 in the middle, its port p leads to node p + 1. */
#include "topology/topology.h"

#include <stdio.h>

#include "base/error.h"

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    return node == 0 ? t->max_degree : 1;
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    (void)t;
    return node == 0 ? (uint64_t)port + 1 : 0;
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    (void)t;
    (void)port;
    return node == 0 ? 0 : (uint32_t)(node - 1);
}

static uint32_t port_to(const cn_topology *t, uint64_t node, uint64_t neighbor)
{
    (void)t;
    if ((node == 0) == (neighbor == 0))
        return CN_NO_PORT;
    return node == 0 ? (uint32_t)(neighbor - 1) : 0;
}

static cn_status link_count(const cn_topology *t, uint64_t *links)
{
    *links = t->nodes - 1;
    return CN_OK;
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    (void)t;
    *hops = source == destination ? 0 : source == 0 || destination == 0 ? 1 : 2;
    return CN_OK;
}

static cn_status diameter(const cn_topology *t, uint64_t *hops)
{
    *hops = t->nodes == 2 ? 1 : 2;
    return CN_OK;
}

/* 2 (N-1) ordered pairs at distance 1, (N-1)(N-2) at 2: d = 2 (N-1) / N */
static cn_status mean_distance(const cn_topology *t, double *mean)
{
    *mean = 2.0 * (double)(t->nodes - 1) / (double)t->nodes;
    return CN_OK;
}

static cn_status distance_counts(const cn_topology *t, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    *count = source == 0 || t->nodes == 2 ? 2 : 3;
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    counts[0] = 1;
    counts[1] = source == 0 ? t->nodes - 1 : 1;
    if (*count == 3)
        counts[2] = t->nodes - 2;
    return CN_OK;
}

/* e = floor(N/2): every node of the half without the middle loses its link. */
static int bisection(const cn_topology *t, uint64_t *width)
{
    *width = t->nodes / 2;
    return 1;
}

/* F = N - 1: one step to the middle, N - 2 out of it. */
static int broadcast_time(const cn_topology *t, uint64_t *steps)
{
    *steps = t->nodes - 1;
    return 1;
}

static const cni_topology_ops star_ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .port_to = port_to,
    .link_count = link_count,
    .distance = distance,
    .diameter = diameter,
    .mean_distance = mean_distance,
    .distance_counts = distance_counts,
    .bisection = bisection,
    .broadcast_time = broadcast_time,
};

cn_status cn_topology_star(uint64_t nodes, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^32 - 1",
                        __func__, (unsigned long long)nodes);
    cn_topology *t = cni_topology_new(&star_ops, CNI_STAR, nodes);
    CNI_TRY_MEMORY(t);
    t->max_degree = (uint32_t)(nodes - 1);
    snprintf(t->name, sizeof t->name, "star(%llu)", (unsigned long long)nodes);
    *topology = t;
    return CN_OK;
}
