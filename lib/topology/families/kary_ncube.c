/*
 * A ring or a line of k_i nodes in dimension i: the k-ary n-cube (Horng 1992, 4.1), torus and mesh
 * of mixed radices (Ginosar & Egozi 1989, 4.1.3: hypertorus and hypermesh), the ring (4.1.2).
 *
 * First come the ports that lead one down, in the order of the dimensions, then those that lead one
 * up, which unidirectional rings do not have. A line has no port beyond its ends, a ring of two
 * nodes only the one down. With equal radices the torus is the bidirectional k-ary n-cube, and with
 * all radices 2 torus and mesh are the Boolean n-cube, port for port; make_grid() builds them as
 * such.
 */
#include "topology/topology.h"

#include <stdio.h>

#include "base/error.h"

static int wraps(const cn_topology *t)
{
    return t->family != CNI_MESH;
}

static int has_down(const cn_topology *t, uint64_t node, uint32_t i)
{
    return wraps(t) || cni_digit(t, node, i) > 0;
}

static int has_up(const cn_topology *t, uint64_t node, uint32_t i)
{
    if (wraps(t))
        return t->bidirectional && t->radix[i] > 2;
    return cni_digit(t, node, i) < t->radix[i] - 1;
}

static uint32_t degree(const cn_topology *t, uint64_t node)
{
    uint32_t ports = 0;
    for (uint32_t i = 0; i < t->dimensions; i++)
        ports += (uint32_t)(has_down(t, node, i) + has_up(t, node, i));
    return ports;
}

/* The port that leads down (up) in a dimension; the port exists. */
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
    *up = port >= t->dimensions;
    *dimension = *up ? port - t->dimensions : port;
    if (cni_is_kary_ncube(t)) /* no port is missing */
        return;
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
    if (!t->bidirectional)
        return CN_NO_PORT;
    find_port(t, node, port, &i, &up);
    int back_up = !up && !(wraps(t) && t->radix[i] == 2);
    return port_of(t, neighbor(t, node, port), i, back_up);
}

static cn_status distance(const cn_topology *t, uint64_t source, uint64_t destination,
                          uint64_t *hops)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t a = cni_digit(t, source, i), b = cni_digit(t, destination, i);
        uint64_t apart = a > b ? a - b : b - a, around = t->radix[i] - apart;
        if (!t->bidirectional)
            sum += a >= b ? apart : around;
        else
            sum += wraps(t) && around < apart ? around : apart;
    }
    *hops = sum;
    return CN_OK;
}

/* How far a message may go one way (a) and the other (b) in a dimension before the ways meet or
 * end. The distance counts of the dimension are the polynomial S_a + S_b - 1, where
 * S_a = 1 + x + ... + x^a. */
static void ways(const cn_topology *t, uint64_t node, uint32_t i, uint64_t *a, uint64_t *b)
{
    uint64_t k = t->radix[i], down = k - 1;
    if (!wraps(t))
        down = cni_digit(t, node, i);
    else if (t->bidirectional)
        down = k / 2;
    *a = down;
    *b = k - 1 - down;
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

static const cni_topology_ops grid_ops = {
    .degree = degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .distance = distance,
    .distance_counts = distance_counts,
};

/* Equal radices: no port is missing. */
static const cni_topology_ops kary_ops = {
    .degree = cni_regular_degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .distance = distance,
    .distance_counts = distance_counts,
};

/* ---- what is known in closed form ---- */

/* The mean over the pairs of one dimension, a node and itself included: (k^2-1)/(3k) on a line,
 * (k-1)/2 on a one-way ring, k/4 (k even) or (k^2-1)/(4k) (k odd) on a two-way ring. */
static double mean_in(const cn_topology *t, uint32_t i)
{
    double k = (double)t->radix[i], odd = (k - 1.0) / k * (k + 1.0);
    if (!wraps(t))
        return odd / 3.0;
    if (!t->bidirectional)
        return (k - 1.0) / 2.0;
    return t->radix[i] % 2 == 0 ? k / 4.0 : odd / 4.0;
}

/*
 * With k_1 >= k_2 >= ... and k_m the first even one (or the last): e = sum over i = 1 .. m of the
 * product of all k_j, j > i; twice that for rings. (Aroca & Fernandez Anta, Bisection (band)width
 * of product networks, IEEE Trans. Parallel Distrib. Syst. 25, 2014.) The cut is a plane across the
 * longest dimension, with a step where k_1 is odd. One-way and two-way links count alike. The
 * result is 0, not known, where rings of two nodes are among longer ones: the formula does not
 * hold.
 */
static uint64_t bisection(const cn_topology *t)
{
    uint32_t longest[CNI_MAX_DIMENSIONS] = {0};
    uint64_t sum = 0, plane = t->nodes;
    cni_order_dimensions(t, longest);
    if (wraps(t) && t->radix[longest[t->dimensions - 1]] == 2)
        return 0;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        plane /= t->radix[longest[i]];
        sum += plane;
        if (t->radix[longest[i]] % 2 == 0)
            break;
    }
    return wraps(t) ? 2 * sum : sum;
}

/*
 * A broadcast goes dimension by dimension: a line takes at most k - 1 steps from any node (the
 * farther side first), and so does a one-way ring; a two-way ring takes ceil(k/2). That is the
 * diameter, but for two-way rings of odd k; a network of one such ring alone needs ceil(k/2) steps
 * all the same.
 */
static void find_facts(cn_topology *t)
{
    const int both_ways = wraps(t) && t->bidirectional;
    double mean = 0.0, nodes = (double)t->nodes;
    for (uint32_t i = 0; i < t->dimensions; i++) {
        uint64_t k = t->radix[i];
        uint64_t links = wraps(t) && k > 2 ? t->nodes : t->nodes - t->nodes / k;
        t->links = t->links > UINT64_MAX - links ? UINT64_MAX : t->links + links;
        t->diameter += both_ways ? k / 2 : k - 1;
        t->broadcast_time += both_ways ? (k + 1) / 2 : k - 1;
        mean += mean_in(t, i);
    }
    if (t->broadcast_time != t->diameter && t->dimensions > 1)
        t->broadcast_time = 0;
    if (cni_is_kary_ncube(t)) /* a product is rounded once */
        mean = t->dimensions * mean_in(t, 0);
    t->mean_distance = mean * (nodes / (nodes - 1.0));
    t->bisection = bisection(t);
}

/* Equal radices make a torus a k-ary n-cube; radix 2 throughout makes any grid a Boolean cube. */
static cn_status make_grid(const char *function, cni_family family, const uint64_t radices[],
                           uint32_t n, cn_topology **topology)
{
    cn_topology *t;
    CNI_TRY(cni_topology_of_radices(function, &grid_ops, family, radices, n, &t));
    if (cni_is_symmetric(t) && radices[0] == 2) {
        cni_topology_release(t);
        return cn_topology_hypercube(n, topology);
    }
    if (cni_is_symmetric(t) && family == CNI_TORUS)
        t->family = CNI_KARY_BIDIRECTIONAL;
    if (t->family != CNI_TORUS && t->family != CNI_MESH)
        t->ops = &kary_ops;
    t->bidirectional = t->family != CNI_KARY_UNIDIRECTIONAL;
    for (uint32_t i = 0; i < n; i++)
        t->max_degree += t->bidirectional && radices[i] > 2 ? 2 : 1;
    t->representatives = t->family == CNI_MESH ? 0 : 1;
    find_facts(t);
    *topology = t;
    return CN_OK;
}

cn_status cn_topology_torus(const uint64_t radices[], uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(radices);
    CNI_TRY(make_grid(__func__, CNI_TORUS, radices, n, topology));
    cni_name_by_radices(*topology, "torus");
    return CN_OK;
}

cn_status cn_topology_mesh(const uint64_t radices[], uint32_t n, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_REQUIRE(radices);
    CNI_TRY(make_grid(__func__, CNI_MESH, radices, n, topology));
    cni_name_by_radices(*topology, "mesh");
    return CN_OK;
}

static cn_status make_equal(const char *function, uint64_t k, uint32_t n, int bidirectional,
                            cn_topology **topology)
{
    uint64_t radices[CNI_MAX_DIMENSIONS];
    CNI_TRY(cni_equal_radices(function, k, n, radices));
    return make_grid(function, bidirectional ? CNI_KARY_BIDIRECTIONAL : CNI_KARY_UNIDIRECTIONAL,
                     radices, n, topology);
}

cn_status cn_topology_kary_ncube(uint64_t k, uint32_t n, int bidirectional, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_TRY(make_equal(__func__, k, n, bidirectional, topology));
    cn_topology *t = *topology;
    snprintf(t->name, sizeof t->name, "kary_ncube(k=%llu,n=%lu,bidirectional=%s)",
             (unsigned long long)k, (unsigned long)n, t->bidirectional ? "True" : "False");
    return CN_OK;
}

cn_status cn_topology_ring(uint64_t nodes, int bidirectional, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    if (nodes < 2 || nodes > CNI_MAX_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be 2 to 2^62", __func__,
                        (unsigned long long)nodes);
    CNI_TRY(make_equal(__func__, nodes, 1, bidirectional, topology));
    cn_topology *t = *topology;
    snprintf(t->name, sizeof t->name, "ring(%llu%s)", (unsigned long long)nodes,
             t->bidirectional ? "" : ",bidirectional=False");
    return CN_OK;
}
