/*
 * The Boolean n-cube (Horng 1992, 1.2.1) and the generalized hypercube (Bhuyan & Agrawal 1984;
 * Ziavras & Krishnamurthy 1999, 2): nodes are neighbours when their addresses differ in one digit.
 *
 * The ports go dimension by dimension; in dimension i, port x = 0 .. k_i - 2 of its block leads to
 * digit (a_i + 1 + x) mod k_i, and port k_i - 2 - x of the same block leads back. When all radices
 * are 2 that is the Boolean n-cube port for port, in which port i flips bit i.
 *
 * The completely connected network (Ginosar & Egozi 1989, 4.1.1) is the cube of one digit; it has
 * no dimensions all the same.
 */
#include "topology/topology.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

static uint32_t digits_of(const cn_topology *cube)
{
    return cni_is_complete(cube) ? 1 : cube->dimensions;
}

/* The dimension of a port; *port becomes its number in the block of that dimension. */
static uint32_t split_port(const cn_topology *cube, uint32_t *port)
{
    uint32_t dimension = 0;
    for (; *port >= cube->radix[dimension] - 1; dimension++)
        *port -= (uint32_t)(cube->radix[dimension] - 1);
    return dimension;
}

static uint64_t neighbor(const cn_topology *cube, uint64_t node, uint32_t port)
{
    uint32_t dimension = split_port(cube, &port);
    uint64_t k = cube->radix[dimension], stride = cube->stride[dimension];
    uint64_t up = (uint64_t)port + 1;
    if (cni_digit(cube, node, dimension) + up < k)
        return node + up * stride;
    return node - (k - up) * stride;
}

static uint32_t back_port(const cn_topology *cube, uint64_t node, uint32_t port)
{
    (void)node;
    uint32_t in_block = port;
    uint64_t k = cube->radix[split_port(cube, &in_block)];
    return port - in_block + (uint32_t)(k - 2) - in_block;
}

/* The two must differ in one digit. */
static uint32_t port_to(const cn_topology *cube, uint64_t node, uint64_t neighbor)
{
    uint32_t port = CN_NO_PORT, block = 0;
    for (uint32_t i = 0; i < digits_of(cube); i++) {
        uint64_t k = cube->radix[i], up = cni_digit(cube, neighbor, i) + k;
        up = (up - cni_digit(cube, node, i)) % k;
        if (up > 0 && port != CN_NO_PORT)
            return CN_NO_PORT;
        if (up > 0)
            port = block + (uint32_t)(up - 1);
        block += (uint32_t)(k - 1);
    }
    return port;
}

static cn_status distance(const cn_topology *cube, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint64_t differing = 0;
    for (uint32_t i = 0; i < digits_of(cube); i++)
        differing += cni_digit(cube, source, i) != cni_digit(cube, destination, i);
    *hops = differing;
    return CN_OK;
}

/* The coefficients of the product of all 1 + (k_i - 1) x. */
static cn_status distance_counts(const cn_topology *cube, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    (void)source;
    *count = (size_t)digits_of(cube) + 1;
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    counts[0] = 1;
    for (uint32_t i = 0; i < digits_of(cube); i++) {
        counts[i + 1] = 0;
        for (uint32_t h = i + 1; h > 0; h--)
            counts[h] += (cube->radix[i] - 1) * counts[h - 1];
    }
    return CN_OK;
}

/* ---- what is known in closed form ---- */

/* Of all N nodes, a share 1 - 1/k_i differs from a given node in dimension i. In the Boolean cube
 * the mean is n 2^(n-1) / (2^n - 1). */
static double mean_distance(const cn_topology *cube)
{
    double nodes = (double)cube->nodes, sum = 0.0;
    if (cni_is_complete(cube))
        return 1.0;
    if (cni_is_hypercube(cube))
        return cube->dimensions / 2.0 / (1.0 - ldexp(1.0, -(int)cube->dimensions));
    for (uint32_t i = 0; i < cube->dimensions; i++)
        sum += 1.0 - 1.0 / (double)cube->radix[i];
    return sum * (nodes / (nodes - 1.0));
}

/*
 * In a product of complete graphs the first N/2 nodes, in the order in which the greatest radix
 * varies fastest, have the fewest links to the rest (Lindsey 1964). So cut the dimension of least
 * radix k: floor(k^2/4) links for each of the lines along it; an odd k leaves one layer to be cut
 * in the same way. n dimensions of k: k^(n+1)/4 for even k, (k+1)(k^n-1)/4 for odd k. 0 above
 * 2^64 - 1.
 */
static uint64_t bisection(const cn_topology *cube)
{
    uint64_t sum = 0, lines = cube->nodes, k;
    uint32_t order[CNI_MAX_DIMENSIONS] = {0}, i = 0;
    cni_order_dimensions(cube, order);
    do {
        k = cube->radix[order[i++]];
        lines /= k;
        uint64_t cut = k / 2 * (k - k / 2); /* of one line; k is below 2^32 */
        if (lines > UINT64_MAX / cut || cut * lines > UINT64_MAX - sum)
            return 0;
        sum += cut * lines;
    } while (k % 2 == 1 && lines > 1);
    return sum;
}

static void find_facts(cn_topology *cube)
{
    cube->diameter = digits_of(cube);
    cube->mean_distance = mean_distance(cube);
    cube->bisection = bisection(cube);
    cube->broadcast_time = cni_doubling_time(cube);
}

/* ---- the Boolean cube, with operations on bits ---- */

static uint64_t flip(const cn_topology *cube, uint64_t node, uint32_t port)
{
    (void)cube;
    return node ^ (UINT64_C(1) << port);
}

static cn_status hamming_distance(const cn_topology *cube, uint64_t source, uint64_t destination,
                                  uint64_t *hops)
{
    (void)cube;
    *hops = cni_popcount(source ^ destination);
    return CN_OK;
}

const cni_topology_ops cni_boolean_cube_ops = {
    .degree = cni_regular_degree,
    .neighbor = flip,
    .back_port = back_port,
    .distance = hamming_distance,
    .distance_counts = distance_counts,
};

static const cni_topology_ops digit_ops = {
    .degree = cni_regular_degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .port_to = port_to,
    .distance = distance,
    .distance_counts = distance_counts,
};

/* ---- construction ---- */

static cn_status make_cube(const char *function, const uint64_t radices[], uint32_t n,
                           cn_topology **topology)
{
    cn_topology *cube;
    uint64_t ports = 0;
    CNI_TRY(cni_topology_of_radices(function, &cni_boolean_cube_ops, CNI_BOOLEAN_CUBE, radices, n,
                                    &cube));
    for (uint32_t i = 0; i < n; i++) {
        ports += radices[i] - 1;
        if (radices[i] == 2)
            continue;
        cube->ops = &digit_ops;
        cube->family = CNI_GENERALIZED_HYPERCUBE;
    }
    if (ports >= CN_NO_PORT) {
        cni_topology_release(cube);
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: a node would have %llu ports (the sum of radix - 1 over all "
                        "dimensions), but it may have at most %lu",
                        function, (unsigned long long)ports, (unsigned long)(CN_NO_PORT - 1));
    }
    cube->max_degree = (uint32_t)ports;
    find_facts(cube);
    if (cni_is_symmetric(cube))
        snprintf(cube->name, sizeof cube->name, "generalized_hypercube(k=%llu,n=%lu)",
                 (unsigned long long)cube->radix[0], (unsigned long)n);
    else
        cni_name_by_radices(cube, "generalized_hypercube");
    *topology = cube;
    return CN_OK;
}

static cn_status make_equal(const char *function, uint64_t k, uint32_t n, cn_topology **topology)
{
    uint64_t radices[CNI_MAX_DIMENSIONS];
    CNI_TRY(cni_equal_radices(function, k, n, radices));
    return make_cube(function, radices, n, topology);
}

cn_status cn_topology_hypercube(uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_TRY(cni_check_range(__func__, "n", n, 1, CNI_MAX_DIMENSIONS));
    CNI_TRY(make_equal(__func__, 2, n, topology));
    snprintf((*topology)->name, CNI_NAME_CAPACITY, "hypercube(%lu)", (unsigned long)n);
    return CN_OK;
}

cn_status cn_topology_generalized_hypercube(uint64_t k, uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    return make_equal(__func__, k, n, topology);
}

cn_status cn_topology_generalized_hypercube_mixed(const uint64_t radices[], uint32_t n,
                                                  cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(radices);
    return make_cube(__func__, radices, n, topology);
}

cn_status cn_topology_complete(uint64_t nodes, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^32 - 1",
                        __func__, (unsigned long long)nodes);
    CNI_TRY(cni_topology_of_radices(__func__, &digit_ops, CNI_COMPLETE, &nodes, 1, topology));
    cn_topology *t = *topology;
    t->dimensions = 0;
    t->max_degree = (uint32_t)(nodes - 1);
    find_facts(t);
    snprintf(t->name, sizeof t->name, "complete(%llu)", (unsigned long long)nodes);
    return CN_OK;
}
