/*
 * Collective operations as workloads: steps, and flits over the busiest channel. What is counted
 * message by message along the channels of dimension-order routing equals the closed forms of
 * docs/collective.md, in all networks with up to 64 nodes and in some with up to 1024. In the
 * closed forms M flits divide evenly among the blocks.
 */
#include "collective_cases.h"

#include <string.h>

enum { MANY = 600 }; /* of more nodes no N^2 messages are counted but those of `interleaved` */

typedef struct counts {
    uint64_t steps, messages;
    double busiest; /* flits */
} counts;

/* ---- counting ---- */

typedef struct channels {
    const network_case *network;
    cn_routing *routing; /* NULL: every message crosses one channel */
    double *flits;       /* by node and port */
    uint32_t ports;
    uint64_t path[2048];
} channels;

/* Over the channel between two neighbours. */
static int crosses(channels *c, uint64_t from, uint64_t to, double flits)
{
    uint32_t port;
    assert_ok(cn_topology_port_to(c->network->topology, from, to, &port));
    if (port == CN_NO_PORT)
        return 0;
    c->flits[from * c->ports + port] += flits;
    return 1;
}

static void walk(channels *c, uint64_t from, uint64_t to, double flits)
{
    size_t nodes = 0;
    if (crosses(c, from, to, flits))
        return;
    assert_non_null(c->routing);
    assert_ok(cn_routing_path(c->routing, from, to, 0, c->path, 2048, &nodes));
    for (size_t i = 1; i < nodes; i++)
        assert_true(crosses(c, c->path[i - 1], c->path[i], flits));
}

static int is_routed(const network_case *network)
{
    return network->kind == CASE_TORUS || network->kind == CASE_ONE_WAY ||
           network->kind == CASE_MESH || case_is_cube(network);
}

static counts count(const network_case *network, cn_collective_operation kind,
                    cn_algorithm algorithm, uint64_t flits)
{
    cn_workload *workload;
    channels c = {.network = network, .ports = cn_topology_max_degree(network->topology)};
    counts found = {0};
    assert_ok(cn_workload_collective(network->topology, kind, algorithm, flits, 0, &workload));
    assert_ok(cn_workload_steps(workload, &found.steps));
    c.flits = calloc(network->nodes * c.ports, sizeof *c.flits);
    if (is_routed(network))
        assert_ok(cn_routing_new(network->topology, "dimension-order", NULL, NULL, &c.routing));
    for (size_t i = 0; i < cn_workload_count(workload); i++) {
        cn_workload_entry m;
        assert_ok(cn_workload_message(workload, i, &m, sizeof m));
        if (m.source == m.destination)
            continue;
        walk(&c, m.source, m.destination, (double)m.flits);
        found.messages++;
    }
    for (size_t i = 0; i < network->nodes * c.ports; i++)
        found.busiest = c.flits[i] > found.busiest ? c.flits[i] : found.busiest;
    if (is_routed(network) && network->nodes <= 27) {
        double counted;
        assert_ok(cn_workload_busiest_channel(workload, NULL, NULL, &counted));
        assert_near(counted, found.busiest, 1e-9 * counted);
    }
    free(c.flits);
    cn_routing_free(&c.routing);
    cn_workload_free(&workload);
    return found;
}

/* ---- closed forms, of a reduce-scatter of one flit: an allgather of as much is the same backwards
 * ---- */

static uint64_t log2_of(uint64_t x)
{
    return x < 2 ? 0 : 1 + log2_of(x / 2);
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

/* Distance t of partners on a ring. */
static double swing_distance(uint64_t t)
{
    return ((double)(UINT64_C(2) << t) + (t % 2 == 0 ? 1 : -1)) / 3;
}

/* Dimensions i, i+1, ... j of those that begin with i. */
static double product(const network_case *c, uint32_t first, uint32_t last)
{
    double found = (double)c->radix[first];
    for (uint32_t d = first; d != last;) {
        d = (d + 1) % c->n;
        found *= (double)c->radix[d];
    }
    return found;
}

/* Of all parts together in dimension d: part s has 1 / parts, of which 1/k_s .. 1/k_d is left
 * there. */
static double left_in(const network_case *c, uint32_t d)
{
    double found = 0;
    for (uint32_t s = 0; s < c->n; s++)
        found += 1 / product(c, s, d) / c->n;
    return found;
}

static double busiest_of_rings(const network_case *c)
{
    double found = 0;
    int both_ways = c->kind == CASE_TORUS;
    for (uint32_t d = 0; d < c->n;
         d++) /* a ring of two nodes has one channel for both directions */
        found = most_of(found, left_in(c, d) * (double)(c->radix[d] - 1) /
                                   (both_ways && c->radix[d] > 2 ? 2 : 1));
    return found;
}

/* The steps of a part take the dimensions in turn. Up and down a channel of a ring lead distance t
 * of t's flits. */
static double busiest_of_swing(const network_case *c)
{
    double found = 0;
    for (uint32_t d = 0; d < c->n; d++) {
        double load = 0;
        for (uint32_t s = 0; s < c->n; s++) {
            double flits = 1.0 / c->n; /* of the plain and the mirrored part */
            for (uint64_t t = 0; t < log2_of(c->radix[d]); t++)
                for (uint32_t i = 0; i < c->n; i++) {
                    uint32_t now = (s + i) % c->n;
                    flits /= t < log2_of(c->radix[now]) ? 2 : 1;
                    if (now == d)
                        load += flits * swing_distance(t) / (c->radix[d] > 2 ? 2 : 1);
                }
        }
        found = most_of(found, load);
    }
    return found;
}

/* Half of the nodes send away, all of them even or all odd. */
static double busiest_of_bine_on_a_ring(const network_case *c)
{
    double even = 0, odd = 0;
    for (uint64_t t = 0; t < log2_of(c->nodes); t++) {
        double flits = 1.0 / (double)(UINT64_C(2) << t), distance = swing_distance(t);
        even += flits * (distance + (t % 2 == 0 ? 1 : -1)) / 2;
        odd += flits * (distance - (t % 2 == 0 ? 1 : -1)) / 2;
    }
    return most_of(even, odd);
}

/* Channel q of a ring: of partners in windows of w nodes, at + 1 or w - 1 - at cross it upward,
 * whichever is less; half the ring apart, the even nodes send upward and the odd ones downward. */
static double busiest_of_recursive(const network_case *c)
{
    double found = 0.5; /* where each message has a channel of its own */
    uint64_t before = 0;
    for (uint32_t d = 0; d < c->n && c->kind == CASE_TORUS; d++) {
        uint64_t bits = log2_of(c->radix[d]);
        for (uint64_t q = 0; q < c->radix[d]; q++) {
            double load = 0;
            for (uint64_t b = 0; b < bits; b++) {
                uint64_t window = UINT64_C(2) << b, at = q % window;
                uint64_t crossing = at + 1 < window / 2 ? at + 1 : window - 1 - at;
                if (b + 1 == bits)
                    crossing = bits == 1 ? 1 : window / 4;
                load += (double)crossing / (double)(UINT64_C(2) << (before + b));
            }
            found = most_of(found, load);
        }
        before += bits;
    }
    return found;
}

static int goes_round_links(const network_case *c)
{
    if (c->kind != CASE_MESH || case_is_cube(c))
        return 1;
    for (uint32_t d = 1; d < c->n; d++)
        if (c->radix[d] % 2 != 0)
            return 0;
    return c->n > 1;
}

/* 0: none. */
static double busiest_of(const network_case *c, cn_algorithm algorithm)
{
    double found = 0;
    if (algorithm == CN_ALGORITHM_RING && goes_round_links(c))
        return 1 - 1.0 / (double)c->nodes;
    if (algorithm == CN_ALGORITHM_RINGS)
        return busiest_of_rings(c);
    if (algorithm == CN_ALGORITHM_SWING)
        return busiest_of_swing(c);
    if (algorithm == CN_ALGORITHM_BINE && c->kind == CASE_TORUS && c->n == 1)
        return busiest_of_bine_on_a_ring(c);
    if (algorithm == CN_ALGORITHM_RECURSIVE && (c->kind == CASE_TORUS || !is_routed(c)))
        return busiest_of_recursive(c);
    for (uint32_t d = 0; d < c->n && algorithm == CN_ALGORITHM_DIMENSIONS; d++)
        found = most_of(found, left_in(c, d));
    return found;
}

static uint64_t steps_of(const network_case *c, cn_algorithm algorithm)
{
    uint64_t steps = 0;
    if (algorithm == CN_ALGORITHM_RING)
        return c->nodes - 1;
    if (algorithm == CN_ALGORITHM_DIMENSIONS)
        return c->n;
    if (algorithm != CN_ALGORITHM_RINGS)
        return log2_of(c->nodes);
    for (uint32_t d = 0; d < c->n; d++)
        steps += c->radix[d] - 1;
    return steps;
}

/* ---- what is counted is what the closed forms say ---- */

static void check_reducing(const network_case *c)
{
    for (cn_algorithm a = 0; a <= CN_ALGORITHM_DIMENSIONS; a++) {
        uint64_t blocks = case_parts(c, a) * c->nodes;
        double each = busiest_of(c, a) * (double)blocks;
        if (!case_has(c, a) || (each == 0 && !is_routed(c)) ||
            (a == CN_ALGORITHM_RING && c->nodes > MANY))
            continue;
        counts scatter = count(c, CN_COLLECTIVE_REDUCE_SCATTER, a, blocks);
        counts gather = count(c, CN_COLLECTIVE_ALLGATHER, a, blocks);
        counts both = count(c, CN_COLLECTIVE_ALLREDUCE, a, blocks);
        assert_int_equal(scatter.steps, steps_of(c, a));
        assert_int_equal(gather.steps, steps_of(c, a));
        assert_int_equal(both.steps, 2 * steps_of(c, a));
        assert_int_equal(both.messages, scatter.messages + gather.messages);
        if (each == 0)
            continue;
        assert_near(scatter.busiest, each, 1e-9 * each);
        assert_near(gather.busiest, each * (double)c->nodes, 1e-9 * each * (double)c->nodes);
        assert_near(both.busiest, 2 * each, 1e-9 * each);
    }
}

/* Of all pairs: N/k times what a ring of k nodes has, or one channel for each value of a digit.
 * Half the ring apart, even nodes send upward and odd ones downward: of k/2 nodes in a row k/4 are
 * even, or one of two numbers next to it. */
static double busiest_of_pairs(const network_case *c)
{
    double found = 0;
    for (uint32_t d = 0; d < c->n; d++) {
        double k = (double)c->radix[d], crossing = 1;
        if (c->kind == CASE_ONE_WAY)
            crossing = k == 2 ? 1 : k * (k - 1) / 2;
        else if (c->kind == CASE_TORUS && k > 2)
            crossing = (k * k - (c->radix[d] % 2 == 1) + 4 * (c->radix[d] % 4 == 2)) / 8;
        found = most_of(found, crossing * (double)c->nodes / k);
    }
    return found;
}

static void check_all_to_all(const network_case *c)
{
    if (c->kind == CASE_MESH && !case_is_cube(c))
        return;
    double expected = 6 * busiest_of_pairs(c);
    if (case_has(c, CN_ALGORITHM_DIMENSIONS)) {
        counts found = count(c, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_DIMENSIONS, 6 * c->n);
        assert_int_equal(found.steps, c->n);
        assert_near(found.busiest, expected * c->n, 1e-9);
    }
    if ((!is_routed(c) && c->n > 1) || c->nodes > MANY)
        return; /* messages of several hops, and no dimension order */
    counts found = count(c, CN_COLLECTIVE_ALL_TO_ALL, CN_ALGORITHM_ROTATED, 6);
    assert_int_equal(found.steps, c->nodes - 1);
    assert_int_equal(found.messages, c->nodes * (c->nodes - 1));
    assert_near(found.busiest, expected, 1e-9 * expected);
}

/* A step is a place on the longest chain: no channel is used twice in one, and all are but in the
 * last. */
static void check_interleaved(const network_case *c)
{
    uint64_t degree = cn_topology_max_degree(c->topology), n = c->nodes;
    uint64_t steps = (n - 1 + degree - 1) / degree;
    cn_workload *workload;
    if (!case_has(c, CN_ALGORITHM_INTERLEAVED))
        return;
    counts found = count(c, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED, 3);
    assert_int_equal(found.steps, steps);
    assert_near(found.busiest, 3.0 * (double)steps, 0);
    assert_ok(cn_workload_collective(c->topology, CN_COLLECTIVE_ALLGATHER, CN_ALGORITHM_INTERLEAVED,
                                     3, 0, &workload));
    uint64_t *step = calloc(n * (n - 1), sizeof *step);
    uint8_t *used = calloc(steps * n * degree, 1);
    for (size_t i = 0; i < n * (n - 1); i++) {
        cn_workload_entry m;
        uint64_t waits[2];
        size_t waited;
        uint32_t port;
        assert_ok(cn_workload_message(workload, i, &m, sizeof m));
        assert_ok(cn_workload_waits(workload, i, waits, 2, &waited));
        for (size_t w = 0; w < waited; w++)
            step[i] = step[waits[w]] + 1 > step[i] ? step[waits[w]] + 1 : step[i];
        assert_ok(cn_topology_port_to(c->topology, m.source, m.destination, &port));
        assert_int_equal(used[(step[i] * n + m.source) * degree + port]++, 0);
    }
    for (size_t i = 0; i < (steps - 1) * n * degree; i++)
        assert_int_equal(used[i], 1);
    free(step);
    free(used);
    cn_workload_free(&workload);
}

static void check(const network_case *c)
{
    check_reducing(c);
    check_all_to_all(c);
    check_interleaved(c);
}

static void networks_with_up_to_64_nodes(void **state)
{
    (void)state;
    each_case(2, is_sanitized() ? 18 : 64, check);
}

static void networks_with_up_to_1024_nodes(void **state)
{
    (void)state;
    static const struct {
        int kind;
        uint32_t n;
        uint64_t radix[10];
    } networks[] = {
        {CASE_TORUS, 1, {256}},
        {CASE_TORUS, 1, {1024}},
        {CASE_TORUS, 2, {16, 16}},
        {CASE_TORUS, 2, {32, 32}},
        {CASE_TORUS, 2, {8, 32}},
        {CASE_TORUS, 2, {64, 4}},
        {CASE_TORUS, 2, {20, 10}},
        {CASE_TORUS, 2, {31, 29}},
        {CASE_TORUS, 3, {8, 8, 8}},
        {CASE_TORUS, 3, {16, 8, 8}},
        {CASE_TORUS, 3, {4, 8, 16}},
        {CASE_TORUS, 3, {2, 16, 4}},
        {CASE_TORUS, 3, {5, 6, 7}},
        {CASE_TORUS, 4, {4, 4, 4, 4}},
        {CASE_TORUS, 5, {4, 4, 4, 4, 4}},
        {CASE_TORUS, 8, {2, 2, 2, 2, 2, 2, 2, 2}},
        {CASE_TORUS, 9, {2, 2, 2, 2, 2, 2, 2, 2, 2}},
        {CASE_TORUS, 10, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
        {CASE_ONE_WAY, 2, {12, 12}},
        {CASE_ONE_WAY, 3, {6, 6, 6}},
        {CASE_GENERALIZED, 2, {16, 16}},
        {CASE_GENERALIZED, 2, {32, 32}},
        {CASE_GENERALIZED, 2, {10, 20}},
        {CASE_GENERALIZED, 3, {8, 8, 8}},
        {CASE_GENERALIZED, 3, {10, 10, 10}},
        {CASE_GENERALIZED, 3, {4, 8, 16}},
        {CASE_GENERALIZED, 4, {5, 5, 5, 5}},
        {CASE_GENERALIZED, 6, {3, 3, 3, 3, 3, 3}},
        {CASE_GENERALIZED, 5, {4, 4, 4, 4, 4}},
        {CASE_COMPLETE, 1, {100}},
        {CASE_COMPLETE, 1, {256}},
    };
    skip_under_sanitizers();
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        network_case c = {.kind = networks[i].kind, .n = networks[i].n, .nodes = 1};
        memcpy(c.radix, networks[i].radix, sizeof c.radix);
        for (uint32_t d = 0; d < c.n; d++)
            c.nodes *= c.radix[d];
        c.topology = case_topology(c.kind, c.radix, c.n);
        check(&c);
        cn_topology_free(&c.topology);
    }
}

/* ---- the order of `interleaved`, in networks that are too large for its messages ---- */

static uint64_t rotated(const cn_topology *topology, uint64_t node)
{
    assert_ok(cn_necklace_rotate(topology, node, &node));
    return node;
}

static uint64_t nonzero_digits(uint64_t node, uint64_t k)
{
    uint64_t found = 0;
    for (; node > 0; node /= k)
        found += node % k != 0;
    return found;
}

/* Necklaces by distance and least node, each from its first node on whose rightmost digit is 1,
 * one place a node: place s is step s / L, and its node comes from the one with a 0 in the place
 * of the digit that rotation number s mod L of node 1 has. That one has been reached in an
 * earlier step. */
static void check_order(uint64_t k, uint32_t n)
{
    cn_topology *gh;
    assert_ok(cn_topology_generalized_hypercube(k, n, &gh));
    uint64_t nodes = cn_topology_node_count(gh), changes = n * (k - 1), place = 0, change = 1;
    uint64_t *step = calloc(nodes, sizeof *step); /* 1 and more */
    for (uint64_t away = 1; away <= n; away++)
        for (uint64_t v = 1; v < nodes; v++) {
            uint64_t here = v, period;
            if (step[v] > 0 || nonzero_digits(v, k) != away)
                continue;
            assert_ok(cn_necklace_period(gh, v, &period));
            while (here % k != 1)
                here = rotated(gh, here);
            for (uint64_t turn = place % changes; turn > 0; turn--)
                here = rotated(gh, here);
            for (; period > 0; period--, place++) {
                assert_int_equal(step[here], 0);
                step[here] = place / changes + 1;
                assert_true(here == change ||
                            (step[here - change] > 0 && step[here - change] < step[here]));
                here = rotated(gh, here);
                change = rotated(gh, change);
            }
        }
    assert_int_equal(place, nodes - 1);
    free(step);
    cn_topology_free(&gh);
}

static void parents_come_in_an_earlier_step(void **state)
{
    (void)state;
    uint64_t most = is_sanitized() ? 1000 : 20000;
    for (uint64_t k = 2; k * k <= most; k++) {
        uint64_t nodes = k;
        for (uint32_t n = 1; nodes <= most; n++, nodes *= k)
            check_order(k, n);
    }
}

/* Flits that do not divide: the busiest channel has at most one flit more from each of its
 * messages. */
static void the_busiest_channel_of_few_flits(void **state)
{
    (void)state;
    const uint64_t radices[] = {8, 8};
    network_case c = {CASE_TORUS, {8, 8}, 2, 64, case_topology(CASE_TORUS, radices, 2)};
    counts found = count(&c, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RING, 16);
    assert_int_equal(found.steps, 126);
    assert_int_equal(found.messages, 2 * 63 * 16); /* 16 blocks of one flit */
    assert_near(found.busiest, 2 * 16, 0);
    found = count(&c, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_RECURSIVE, 16);
    assert_int_equal(found.steps, 12);
    cn_topology_free(&c.topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_with_up_to_64_nodes),
        cmocka_unit_test(networks_with_up_to_1024_nodes),
        cmocka_unit_test(parents_come_in_an_earlier_step),
        cmocka_unit_test(the_busiest_channel_of_few_flits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
