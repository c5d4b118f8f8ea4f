/* The Boolean n-cube (Horng 1992, 1.2.1): neighbours differ in one bit, port i flips bit i. */
#include "topology/topology.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

static uint64_t neighbor(const cn_topology *cube, uint64_t node, uint32_t port)
{
    (void)cube;
    return node ^ (UINT64_C(1) << port);
}

static uint32_t back_port(const cn_topology *cube, uint64_t node, uint32_t port)
{
    (void)cube;
    (void)node;
    return port;
}

static cn_status link_count(const cn_topology *cube, uint64_t *links)
{
    if (cube->nodes / 2 > UINT64_MAX / cube->dimensions)
        return cni_fail(CN_ERR_OVERFLOW, "%s has %lu x 2^%lu links, more than 2^64 - 1", cube->name,
                        (unsigned long)cube->dimensions, (unsigned long)(cube->dimensions - 1));
    *links = cube->nodes / 2 * cube->dimensions;
    return CN_OK;
}

static cn_status distance(const cn_topology *cube, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    (void)cube;
    *hops = cni_popcount(source ^ destination);
    return CN_OK;
}

static cn_status diameter(const cn_topology *cube, uint64_t *hops)
{
    *hops = cube->dimensions;
    return CN_OK;
}

/* d = n 2^(n-1) / (2^n - 1) */
static cn_status mean_distance(const cn_topology *cube, double *mean)
{
    double n = cube->dimensions;
    *mean = n / 2.0 / (1.0 - ldexp(1.0, -(int)cube->dimensions));
    return CN_OK;
}

/* C(n, h) nodes at distance h; the product that is divided fits for n up to 62 only after the
 * common factor is out, so Pascal's rule it is. */
static cn_status distance_counts(const cn_topology *cube, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    (void)source;
    uint32_t n = cube->dimensions;
    *count = (size_t)n + 1;
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    counts[0] = 1;
    for (uint32_t row = 1; row <= n; row++) {
        counts[row] = 1;
        for (uint32_t h = row - 1; h > 0; h--)
            counts[h] += counts[h - 1];
    }
    return CN_OK;
}

/* e = N / 2: all links of one dimension. */
static int bisection(const cn_topology *cube, uint64_t *width)
{
    *width = cube->nodes / 2;
    return 1;
}

/* F = n: dimension by dimension, the informed double in every step. */
static int broadcast_time(const cn_topology *cube, uint64_t *steps)
{
    *steps = cube->dimensions;
    return 1;
}

const cni_topology_ops cni_boolean_cube_ops = {
    .degree = cni_regular_degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .link_count = link_count,
    .distance = distance,
    .diameter = diameter,
    .mean_distance = mean_distance,
    .distance_counts = distance_counts,
    .bisection = bisection,
    .broadcast_time = broadcast_time,
};

cn_status cn_topology_hypercube(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_TRY(cni_check_range(__func__, "n", n, 1, CNI_MAX_DIMENSIONS));
    cn_topology *cube = cni_topology_new(&cni_boolean_cube_ops, CNI_BOOLEAN_CUBE, 1);
    CNI_TRY_MEMORY(cube);
    cni_set_dimensions(cube, 2, n);
    cube->max_degree = n;
    cube->representatives = 1;
    snprintf(cube->name, sizeof cube->name, "hypercube(%lu)", (unsigned long)n);
    *topology = cube;
    return CN_OK;
}
