#include "support/support.h"
#include "support/wormhole_rules.h"

enum { PORTS = 12 };

typedef struct network {
    const char *what;
    uint64_t radices[4];
    uint32_t n;
} network;

/* 'm' mesh, 't' torus, '1' one-way k-ary n-cube, 'g' generalized hypercube. All with rings have one
 * of three or more. */
static const network networks[] = {
    {"m", {2, 2, 2, 2}, 4}, {"m", {2}, 1},       {"m", {5}, 1},    {"m", {4, 3}, 2},
    {"m", {2, 3, 4}, 3},    {"t", {3}, 1},       {"t", {4}, 1},    {"t", {5, 5}, 2},
    {"t", {6, 6}, 2},       {"t", {4, 4, 4}, 3}, {"t", {2, 5}, 2}, {"t", {6, 2, 3}, 3},
    {"t", {7, 4}, 2},       {"1", {3, 3}, 2},    {"1", {6}, 1},    {"1", {4, 4, 4}, 3},
    {"g", {3}, 1},          {"g", {4, 3}, 2},    {"g", {2, 5}, 2}, {"g", {3, 2, 4}, 3},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

static int has_rings(const network *row)
{
    return row->what[0] == 't' || row->what[0] == '1';
}

static cn_topology *open_network(const network *row)
{
    cn_topology *topology = NULL;
    if (row->what[0] == 'm')
        assert_ok(cn_topology_mesh(row->radices, row->n, &topology));
    else if (row->what[0] == 'g')
        assert_ok(cn_topology_generalized_hypercube_mixed(row->radices, row->n, &topology));
    else if (row->what[0] == 't')
        assert_ok(cn_topology_torus(row->radices, row->n, &topology));
    else
        assert_ok(cn_topology_kary_ncube(row->radices[0], row->n, 0, &topology));
    return topology;
}

static uint32_t bits(uint64_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

static uint64_t distance(const cn_topology *topology, uint64_t from, uint64_t to)
{
    uint64_t hops;
    assert_ok(cn_topology_distance(topology, from, to, NULL, &hops));
    return hops;
}

static uint64_t hop(const cn_topology *topology, uint64_t node, uint32_t port)
{
    uint64_t far;
    assert_ok(cn_topology_neighbor(topology, node, port, &far));
    return far;
}

static uint32_t candidates(const cn_topology *topology, wormhole_rule rule, uint32_t channels,
                           uint64_t node, uint64_t destination, uint64_t sets[PORTS])
{
    size_t ports;
    uint32_t degree;
    for (uint32_t p = 0; p < PORTS; p++)
        sets[p] = UINT64_C(1) << 63;
    assert_ok(wormhole_route(topology, rule, channels, node, destination, sets, PORTS, &ports));
    assert_ok(cn_topology_degree(topology, node, &degree));
    assert_int_equal(ports, degree);
    for (uint32_t p = degree; p < PORTS; p++)
        assert_true(sets[p] == UINT64_C(1) << 63);
    return degree;
}

/* The dimension and the digits of a hop, read from the addresses of its ends. */
static uint32_t digits_of_hop(const cn_topology *topology, uint64_t node, uint64_t far,
                              uint64_t *from, uint64_t *to)
{
    uint64_t a[4] = {0}, b[4] = {0};
    uint32_t i = 0;
    assert_ok(cn_topology_digits(topology, node, a, 4, NULL));
    assert_ok(cn_topology_digits(topology, far, b, 4, NULL));
    while (a[i] == b[i])
        i++;
    *from = a[i];
    *to = b[i];
    return i;
}

/* The one port and virtual channels of dimension order, which lie in the lowest dimension left. */
static uint32_t ordered_port(const cn_topology *topology, uint64_t node, uint64_t destination,
                             uint64_t *set)
{
    uint64_t sets[PORTS], from, to;
    uint32_t found = PORTS,
             degree = candidates(topology, WORMHOLE_ORDER, 5, node, destination, sets);
    for (uint32_t p = 0; p < degree; p++)
        if (sets[p] != 0) {
            assert_int_equal(found, PORTS);
            found = p;
        }
    assert_true(found < degree);
    uint64_t far = hop(topology, node, found);
    assert_int_equal(digits_of_hop(topology, node, far, &from, &to),
                     digits_of_hop(topology, node, destination, &from, &to));
    *set = sets[found];
    return found;
}

/* Whether the walk in dimension order steps over the end of a ring before it changes dimension. */
static int walk_wraps(const cn_topology *topology, uint64_t node, uint64_t destination)
{
    uint32_t first = UINT32_MAX;
    while (node != destination) {
        uint64_t set, from, to;
        uint64_t far = hop(topology, node, ordered_port(topology, node, destination, &set));
        uint32_t i = digits_of_hop(topology, node, far, &from, &to);
        if (first != UINT32_MAX && i != first)
            return 0;
        first = i;
        if (from + 1 != to && to + 1 != from)
            return 1;
        node = far;
    }
    return 0;
}

static void check_pair(const cn_topology *topology, int rings, uint64_t node, uint64_t destination)
{
    uint64_t sets[PORTS], ordered = 0, escape;
    uint64_t hops = distance(topology, node, destination);
    uint32_t degree, port = ordered_port(topology, node, destination, &ordered);
    int wraps = rings && walk_wraps(topology, node, destination);
    uint64_t from, to, radix;
    assert_ok(cn_topology_radix(topology, digits_of_hop(topology, node, destination, &from, &to),
                                &radix));
    if (!rings || radix == 2)
        assert_int_equal(ordered, 0x1f);
    else if (wraps)
        assert_int_equal(ordered, 0x0a);
    else
        assert_int_equal(ordered, 0x15);
    assert_int_equal(distance(topology, hop(topology, node, port), destination), hops - 1);

    degree = candidates(topology, WORMHOLE_ORDER_UNSAFE, 3, node, destination, sets);
    for (uint32_t p = 0; p < degree; p++)
        assert_int_equal(sets[p], p == port ? 7 : 0);

    degree = candidates(topology, WORMHOLE_DUATO_UNSAFE, 2, node, destination, sets);
    for (uint32_t p = 0; p < degree; p++) {
        int closer = distance(topology, hop(topology, node, p), destination) < hops;
        assert_int_equal(sets[p], closer ? 3 : 0);
    }

    for (uint32_t v = rings ? 3 : 2; v <= 5; v++) {
        uint32_t escapes = 0;
        uint64_t all = (UINT64_C(1) << v) - 1;
        assert_ok(wormhole_escape(topology, WORMHOLE_DUATO, v, &escape));
        assert_int_equal(escape, rings ? 3 : 1);
        degree = candidates(topology, WORMHOLE_DUATO, v, node, destination, sets);
        for (uint32_t p = 0; p < degree; p++) {
            int closer = distance(topology, hop(topology, node, p), destination) < hops;
            assert_int_equal(sets[p] & ~escape, closer ? all & ~escape : 0);
            escapes += bits(sets[p] & escape);
        }
        assert_int_equal(escapes, 1);
        assert_int_equal(sets[port] & escape, wraps ? 2 : 1);
    }
}

static void every_pair_of_small_networks(void **state)
{
    (void)state;
    for (int r = 0; r < NETWORKS; r++) {
        cn_topology *topology = open_network(&networks[r]);
        uint64_t nodes = cn_topology_node_count(topology), sets[PORTS];
        for (uint64_t node = 0; node < nodes; node++)
            for (uint64_t destination = 0; destination < nodes; destination++) {
                if (node != destination) {
                    check_pair(topology, has_rings(&networks[r]), node, destination);
                    continue;
                }
                for (int rule = 0; rule < 4; rule++) {
                    uint32_t degree =
                        candidates(topology, (wormhole_rule)rule, 4, node, destination, sets);
                    for (uint32_t p = 0; p < degree; p++)
                        assert_int_equal(sets[p], 0);
                }
            }
        cn_topology_free(&topology);
    }
}

/* By hand: from 010110 to 110011 dimensions 0, 2 and 5 are left. And once round a ring of six. */
static void examples(void **state)
{
    (void)state;
    cn_topology *topology;
    uint64_t sets[PORTS];
    assert_ok(cn_topology_hypercube(6, &topology));
    candidates(topology, WORMHOLE_DUATO, 4, 0x16, 0x33, sets);
    const uint64_t adaptive[] = {0xf, 0, 0xe, 0, 0, 0xe};
    for (int p = 0; p < 6; p++)
        assert_int_equal(sets[p], adaptive[p]);
    candidates(topology, WORMHOLE_ORDER, 64, 0x16, 0x33, sets);
    assert_true(sets[0] == UINT64_MAX && sets[2] == 0 && sets[5] == 0);
    cn_topology_free(&topology);

    const uint64_t six[] = {6};
    assert_ok(cn_topology_torus(six, 1, &topology));
    const struct {
        uint64_t node, destination, down, up;
    } rows[] = {
        {4, 1, 4 | 1, 4}, /* a tie at an even digit: down by 3 2 1, not over the end */
        {5, 2, 4, 4 | 2}, /* a tie at an odd digit: up by 0 1 2, over the end */
        {4, 0, 0, 4 | 2}, /* up by 5 0, over the end */
        {5, 0, 0, 4 | 2}, /* the hop over the end itself */
        {0, 1, 0, 4 | 1}, /* behind it */
        {1, 5, 4 | 2, 0}, /* down by 0 5 */
        {0, 5, 4 | 2, 0}, /* the hop over the end itself */
        {5, 4, 4 | 1, 0}, /* behind it */
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        candidates(topology, WORMHOLE_DUATO, 3, rows[r].node, rows[r].destination, sets);
        assert_int_equal(sets[0], rows[r].down);
        assert_int_equal(sets[1], rows[r].up);
    }
    cn_topology_free(&topology);
}

static void least(void **state)
{
    (void)state;
    for (int r = 0; r < NETWORKS; r++) {
        cn_topology *topology = open_network(&networks[r]);
        uint32_t rings = (uint32_t)has_rings(&networks[r]), found;
        uint64_t sets[PORTS];
        for (int rule = 0; rule < 2; rule++) {
            assert_ok(wormhole_least(topology, (wormhole_rule)rule, &found));
            assert_int_equal(found, 1 + (uint32_t)rule + rings);
            assert_fails(
                wormhole_route(topology, (wormhole_rule)rule, found - 1, 0, 1, sets, PORTS, NULL),
                CN_ERR_ARGUMENT, "virtual_channels");
            assert_ok(wormhole_route(topology, (wormhole_rule)rule, 64, 0, 1, sets, PORTS, NULL));
        }
        cn_topology_free(&topology);
    }
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    cn_topology *complete;
    uint32_t found;
    assert_ok(cn_topology_complete(5, &complete));
    for (int rule = 0; rule < 2; rule++)
        assert_fails(wormhole_least(complete, (wormhole_rule)rule, &found), CN_ERR_UNSUPPORTED,
                     "complete(5)");
    cn_topology_free(&complete);
}

/* Following the escape channels alone, the two ways round a ring of even length are taken by as
 * many pairs. */
static void ties_are_shared_out(void **state)
{
    (void)state;
    const uint64_t eight[] = {8};
    cn_topology *ring;
    uint64_t set;
    int up = 0, down = 0;
    assert_ok(cn_topology_torus(eight, 1, &ring));
    for (uint64_t node = 0; node < 8; node++)
        *(ordered_port(ring, node, (node + 4) % 8, &set) == 0 ? &down : &up) += 1;
    assert_int_equal(up, 4);
    assert_int_equal(down, 4);
    cn_topology_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_small_networks),
        cmocka_unit_test(examples),
        cmocka_unit_test(least),
        cmocka_unit_test(other_networks_are_refused),
        cmocka_unit_test(ties_are_shared_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
