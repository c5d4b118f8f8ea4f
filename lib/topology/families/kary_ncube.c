/*
 * The k-ary n-cube (Horng 1992, 4.1): a ring of k in each of n dimensions.
 *
 * Port i < n leads one down in dimension i, port n + i (bidirectional only) one up. With k = 2 both
 * lead to the same node, and the network is built as the Boolean n-cube that it is.
 */
#include "topology/topology.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

static uint64_t neighbor(const cn_topology *cube, uint64_t node, uint32_t port)
{
    uint32_t dimension = port < cube->dimensions ? port : port - cube->dimensions;
    uint64_t digit = cni_digit(cube, node, dimension);
    uint64_t k = cube->radix[dimension], stride = cube->stride[dimension];
    if (port < cube->dimensions)
        return digit > 0 ? node - stride : node + (k - 1) * stride;
    return digit < k - 1 ? node + stride : node - (k - 1) * stride;
}

static uint32_t back_port(const cn_topology *cube, uint64_t node, uint32_t port)
{
    (void)node;
    if (!cube->bidirectional)
        return CN_NO_PORT;
    return port < cube->dimensions ? port + cube->dimensions : port - cube->dimensions;
}

/* One link per node and dimension, whether it carries messages one way or both. */
static cn_status link_count(const cn_topology *cube, uint64_t *links)
{
    if (cube->nodes > UINT64_MAX / cube->dimensions)
        return cni_fail(CN_ERR_OVERFLOW, "%s has %lu links per node, more than 2^64 - 1 in all",
                        cube->name, (unsigned long)cube->dimensions);
    *links = cube->nodes * cube->dimensions;
    return CN_OK;
}

static cn_status distance(const cn_topology *cube, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < cube->dimensions; i++) {
        uint64_t a = cni_digit(cube, source, i), b = cni_digit(cube, destination, i);
        uint64_t down = a >= b ? a - b : a + cube->radix[i] - b;
        uint64_t up = cube->radix[i] - down;
        sum += cube->bidirectional && up < down ? up : down;
    }
    *hops = sum;
    return CN_OK;
}

/* The greatest distance on one ring. */
static uint64_t ring_diameter(const cn_topology *cube)
{
    return cube->bidirectional ? cube->radix[0] / 2 : cube->radix[0] - 1;
}

static cn_status diameter(const cn_topology *cube, uint64_t *hops)
{
    *hops = cube->dimensions * ring_diameter(cube);
    return CN_OK;
}

static cn_status mean_distance(const cn_topology *cube, double *mean)
{
    double k = (double)cube->radix[0], nodes = (double)cube->nodes;
    double ring = (k - 1.0) / 2.0; /* mean on one ring, a node to itself included */
    if (cube->bidirectional)
        ring = cube->radix[0] % 2 == 0 ? k / 4.0 : (k - 1.0) / k * (k + 1.0) / 4.0;
    *mean = cube->dimensions * ring * (nodes / (nodes - 1.0));
    return CN_OK;
}

/* Multiplies the polynomial in counts by the one of a ring, in place: sums up from below, then takes
 * differences from above. Unidirectional: 1 + x + ... + x^(k-1). Bidirectional, m = floor(k/2):
 * 1 + 2x + ... + 2x^m for odd k, (1 + x)(1 + ... + x^(m-1)) for even k. */
static void multiply_by_ring(const cn_topology *cube, uint64_t counts[], size_t length)
{
    uint64_t k = cube->radix[0], m = ring_diameter(cube);
    for (size_t h = 1; h < length; h++)
        counts[h] += counts[h - 1];
    for (size_t h = length; h-- > 0;) {
        uint64_t here = counts[h], before = h >= 1 ? counts[h - 1] : 0;
        if (!cube->bidirectional)
            counts[h] = here - (h >= k ? counts[h - k] : 0);
        else if (k % 2 == 1)
            counts[h] = 2 * (here - (h >= m + 1 ? counts[h - m - 1] : 0)) - (here - before);
        else
            counts[h] = (here - (h >= m ? counts[h - m] : 0)) +
                        (before - (h >= m + 1 ? counts[h - m - 1] : 0));
    }
}

static cn_status distance_counts(const cn_topology *cube, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    (void)source;
    uint64_t greatest = cube->dimensions * ring_diameter(cube);
    if (greatest >= SIZE_MAX)
        return cni_fail(CN_ERR_OVERFLOW, "%s has more distances than an array can hold",
                        cube->name);
    *count = cni_size((uint64_t)greatest + 1);
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    for (size_t h = 0; h < *count; h++)
        counts[h] = 0;
    counts[0] = 1;
    for (uint32_t i = 0; i < cube->dimensions; i++)
        multiply_by_ring(cube, counts, *count);
    return CN_OK;
}

/* e = 2 N / k for even k; for odd k a plane with a step in its middle, 2 (k^n - 1) / (k - 1). Links of
 * both directions count alike. */
static int bisection(const cn_topology *cube, uint64_t *width)
{
    uint64_t k = cube->radix[0];
    *width = k % 2 == 0 ? cube->nodes / k * 2 : (cube->nodes - 1) / (k - 1) * 2;
    return 1;
}

/* Dimension by dimension: n (k-1), and n ceil(k/2) both ways. That is the diameter but for odd k with
 * links both ways, where a ring alone takes it all the same. */
static int broadcast_time(const cn_topology *cube, uint64_t *steps)
{
    uint64_t k = cube->radix[0];
    *steps = cube->dimensions * (cube->bidirectional ? (k + 1) / 2 : k - 1);
    return !cube->bidirectional || k % 2 == 0 || cube->dimensions == 1;
}

static const cni_topology_ops kary_ops = {
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

cn_status cn_topology_kary_ncube(uint64_t k, uint32_t n, int bidirectional, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (k < 2)
        return cni_fail(CN_ERR_ARGUMENT, "%s: k = %llu, but it must be at least 2", __func__,
                        (unsigned long long)k);
    if (n < 1)
        return cni_fail(CN_ERR_ARGUMENT, "%s: n = 0, but it must be at least 1", __func__);
    cn_topology *cube = cni_topology_new(
        &kary_ops, bidirectional ? CNI_KARY_BIDIRECTIONAL : CNI_KARY_UNIDIRECTIONAL, 1);
    CNI_TRY_MEMORY(cube);
    if (!cni_set_dimensions(cube, k, n)) {
        cni_release(cube);
        return cni_fail(CN_ERR_ARGUMENT, "%s: k = %llu, n = %lu, but k^n must be at most 2^62",
                        __func__, (unsigned long long)k, (unsigned long)n);
    }
    cube->bidirectional = bidirectional || k == 2;
    cube->max_degree = bidirectional && k > 2 ? 2 * n : n;
    cube->representatives = 1;
    if (k == 2) {
        cube->family = CNI_BOOLEAN_CUBE;
        cube->ops = &cni_boolean_cube_ops;
    }
    snprintf(cube->name, sizeof cube->name, "kary_ncube(k=%llu,n=%lu,bidirectional=%s)",
             (unsigned long long)k, (unsigned long)n, cube->bidirectional ? "True" : "False");
    *topology = cube;
    return CN_OK;
}
