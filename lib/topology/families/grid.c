/*
 * Torus and mesh of mixed radices (Ginosar & Egozi 1989, 4.1.3: hypertorus and hypermesh), a ring or
 * a line of k_i nodes in dimension i.
 *
 * First come the ports that lead one down, in the order of the dimensions, then those that lead one
 * up. A line has no port beyond its ends, a ring of two nodes only the one down. With equal radices
 * the torus is the bidirectional k-ary n-cube, and with all radices 2 the mesh is the Boolean n-cube,
 * port for port; they are built as what they are.
 */
#include "topology/topology.h"

#include <math.h>

#include "base/error.h"

static int wraps(const cn_topology *t)
{
    return t->family == CNI_TORUS;
}

static int has_down(const cn_topology *t, uint64_t node, uint32_t i)
{
    return wraps(t) || cni_digit(t, node, i) > 0;
}

static int has_up(const cn_topology *t, uint64_t node, uint32_t i)
{
    return wraps(t) ? t->radix[i] > 2 : cni_digit(t, node, i) < t->radix[i] - 1;
}

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    uint32_t ports = 0;
    for (uint32_t i = 0; i < t->dimensions; i++)
        ports += (uint32_t)(has_down(t, node, i) + has_up(t, node, i));
    return ports;
}

/* Number of the port that leads down (up) in a dimension, which exists. */
static uint32_t port_of(const cn_topology *t, uint64_t node, uint32_t dimension, int up)
{
    uint32_t port = 0;
    for (uint32_t i = 0; i < (up ? t->dimensions : dimension); i++)
        port += (uint32_t)has_down(t, node, i);
    for (uint32_t i = 0; up && i < dimension; i++)
        port += (uint32_t)has_up(t, node, i);
    return port;
}

static void find_port(const cn_topology *t, uint64_t node, uint32_t port, uint32_t *dimension,
                      int *up)
{
    uint32_t seen = 0;
    for (*up = 0; *up < 2; *up += 1)
        for (uint32_t i = 0; i < t->dimensions; i++) {
            int exists = *up ? has_up(t, node, i) : has_down(t, node, i);
            *dimension = i;
            if (exists && seen++ == port)
                return;
        }
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint32_t i;
    int up;
    find_port(t, node, port, &i, &up);
    uint64_t digit = cni_digit(t, node, i), k = t->radix[i], stride = t->stride[i];
    if (up)
        return digit < k - 1 ? node + stride : node - (k - 1) * stride;
    return digit > 0 ? node - stride : node + (k - 1) * stride;
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint32_t i;
    int up;
    find_port(t, node, port, &i, &up);
    int back_up = !up && !(wraps(t) && t->radix[i] == 2);
    return port_of(t, neighbor(t, node, port), i, back_up);
}

static cn_status link_count(const cn_topology *t, uint64_t *links)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t lines = t->nodes / t->radix[i];
        uint64_t add = wraps(t) && t->radix[i] > 2 ? t->nodes : t->nodes - lines;
        if (sum > UINT64_MAX - add)
            return cni_fail(CN_ERR_OVERFLOW, "%s has more than 2^64 - 1 links", t->name);
        sum += add;
    }
    *links = sum;
    return CN_OK;
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t a = cni_digit(t, source, i), b = cni_digit(t, destination, i);
        uint64_t apart = a > b ? a - b : b - a;
        sum += wraps(t) && t->radix[i] - apart < apart ? t->radix[i] - apart : apart;
    }
    *hops = sum;
    return CN_OK;
}

static cn_status diameter(const cn_topology *t, uint64_t *hops)
{
    *hops = 0;
    for (uint32_t i = 0; i < t->dimensions; i++)
        *hops += wraps(t) ? t->radix[i] / 2 : t->radix[i] - 1;
    return CN_OK;
}

/* Over the pairs of one dimension, a node and itself included: (k^2-1)/(3k) on a line, k/4 (k even)
 * or (k^2-1)/(4k) (k odd) on a ring. */
static cn_status mean_distance(const cn_topology *t, double *mean)
{
    double sum = 0.0, nodes = (double)t->nodes;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        double k = (double)t->radix[i], odd = (k - 1.0) / k * (k + 1.0);
        sum += !wraps(t) ? odd / 3.0 : t->radix[i] % 2 == 0 ? k / 4.0 : odd / 4.0;
    }
    *mean = sum * (nodes / (nodes - 1.0));
    return CN_OK;
}

/* How far one may go one way and the other in a dimension before the ways meet or end: the counts of
 * that dimension are S_a + S_b - 1, S_a = 1 + x + ... + x^a. */
static void ways(const cn_topology *t, uint64_t node, uint32_t i, uint64_t *a, uint64_t *b)
{
    uint64_t k = t->radix[i], digit = cni_digit(t, node, i);
    *a = wraps(t) ? k / 2 : digit;
    *b = wraps(t) ? (k - 1) / 2 : k - 1 - digit;
}

/* Multiplies the polynomial by S_a + S_b - 1: sums up from below, then takes differences. */
static void multiply(uint64_t counts[], size_t length, uint64_t a, uint64_t b)
{
    for (size_t h = 1; h < length; h++)
        counts[h] += counts[h - 1];
    for (size_t h = length; h-- > 0;) {
        uint64_t sum = counts[h], here = sum - (h > 0 ? counts[h - 1] : 0);
        uint64_t beyond = (h > a ? counts[h - a - 1] : 0) + (h > b ? counts[h - b - 1] : 0);
        counts[h] = 2 * sum - beyond - here;
    }
}

static cn_status distance_counts(const cn_topology *t, uint64_t source, uint64_t counts[],
                                 size_t capacity, size_t *count)
{
    uint64_t farthest = 0, a, b;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        ways(t, source, i, &a, &b);
        farthest += a > b ? a : b;
    }
    if (farthest >= SIZE_MAX)
        return cni_fail(CN_ERR_OVERFLOW, "%s has more distances than an array can hold", t->name);
    *count = cni_size((uint64_t)farthest + 1);
    if (capacity < *count)
        return CN_ERR_CAPACITY;
    for (size_t h = 0; h < *count; h++)
        counts[h] = 0;
    counts[0] = 1;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        ways(t, source, i, &a, &b);
        multiply(counts, *count, a, b);
    }
    return CN_OK;
}

/* The dimensions, the longest first. */
static void sort_dimensions(const cn_topology *t, uint32_t longest[])
{
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint32_t at = i;
        for (; at > 0 && t->radix[longest[at - 1]] < t->radix[i]; at--)
            longest[at] = longest[at - 1];
        longest[at] = i;
    }
}

/*
 * With k_1 >= k_2 >= ... and k_m the first even one (or the last): e = sum over i = 1 .. m of the
 * product of all k_j, j > i; twice that for rings. (Aroca & Fernandez Anta, Bisection (band)width of
 * product networks, IEEE Trans. Parallel Distrib. Syst. 25, 2014.) A plane across the longest
 * dimension, with a step where its middle is odd. Rings of two nodes among longer ones fit neither.
 */
static int bisection(const cn_topology *t, uint64_t *width)
{
    uint32_t longest[CNI_MAX_DIMENSIONS];
    sort_dimensions(t, longest);
    if (wraps(t) && t->radix[longest[t->dimensions - 1]] == 2)
        return 0;
    uint64_t sum = 0, plane = t->nodes;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        plane /= t->radix[longest[i]];
        sum += plane;
        if (t->radix[longest[i]] % 2 == 0)
            break;
    }
    *width = wraps(t) ? 2 * sum : sum;
    return 1;
}

/*
 * Dimension by dimension, a line from any of its nodes takes at most k - 1 steps (the farther side
 * first) and a ring ceil(k/2), so that F is the diameter of a mesh, and of a torus with even radices.
 */
static int broadcast_time(const cn_topology *t, uint64_t *steps)
{
    for (uint32_t i = 0; wraps(t) && i < t->dimensions; i++)
        if (t->radix[i] % 2 != 0)
            return 0;
    return diameter(t, steps) == CN_OK;
}

static const cni_topology_ops grid_ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .link_count = link_count,
    .distance = distance,
    .diameter = diameter,
    .mean_distance = mean_distance,
    .distance_counts = distance_counts,
    .bisection = bisection,
    .bisection_order = sort_dimensions,
    .broadcast_time = broadcast_time,
};

static cn_status check_radices(const char *function, const uint64_t radices[], uint32_t n)
{
    CNI_TRY(cni_check_range(function, "n", n, 1, CNI_MAX_DIMENSIONS));
    uint64_t nodes = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (radices[i] < 2)
            return cni_fail(CN_ERR_ARGUMENT, "%s: radices[%lu] = %llu, but it must be at least 2",
                            function, (unsigned long)i, (unsigned long long)radices[i]);
        if (nodes > CNI_MAX_NODES / radices[i])
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: with radices[%lu] = %llu there are more than 2^62 nodes", function,
                            (unsigned long)i, (unsigned long long)radices[i]);
        nodes *= radices[i];
    }
    return CN_OK;
}

static int all_equal(const uint64_t radices[], uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (radices[i] != radices[0])
            return 0;
    return 1;
}

static cn_status grid_new(cni_family family, const uint64_t radices[], uint32_t n,
                          cn_topology **topology)
{
    cn_topology *t = cni_topology_new(&grid_ops, family, 1);
    CNI_TRY_MEMORY(t);
    t->dimensions = n;
    for (uint32_t i = 0; i < n; i++) {
        t->radix[i] = radices[i];
        t->stride[i] = t->nodes;
        t->nodes *= radices[i];
        t->max_degree += radices[i] > 2 ? 2 : 1;
    }
    t->representatives = family == CNI_TORUS ? 1 : 0;
    *topology = t;
    return CN_OK;
}

cn_status cn_topology_torus(const uint64_t radices[], uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(radices);
    CNI_TRY(check_radices(__func__, radices, n));
    if (all_equal(radices, n))
        CNI_TRY(cn_topology_kary_ncube(radices[0], n, 1, topology));
    else
        CNI_TRY(grid_new(CNI_TORUS, radices, n, topology));
    cni_name_by_radices(*topology, "torus");
    return CN_OK;
}

cn_status cn_topology_mesh(const uint64_t radices[], uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(radices);
    CNI_TRY(check_radices(__func__, radices, n));
    if (radices[0] == 2 && all_equal(radices, n))
        CNI_TRY(cn_topology_hypercube(n, topology));
    else
        CNI_TRY(grid_new(CNI_MESH, radices, n, topology));
    cni_name_by_radices(*topology, "mesh");
    return CN_OK;
}
