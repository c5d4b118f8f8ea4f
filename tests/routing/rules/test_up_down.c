/* Up-down and its adaptive form on random graphs, damaged and not: every message arrives, whatever
 * it chooses, and the checker finds no deadlock. */
#include "routing/damage.h"
#include "routing/networks.h"
#include "routing/rules/routing.h"

#include <string.h>

enum { MOST_PORTS = 64, MOST_NODES = 64, MOST_CHANNELS = 2 };

/* Where a message may be: over virtual channel v of port p of a node, or at its source. */
typedef struct states {
    const cn_topology *t;
    const cn_routing *r;
    uint32_t virtual_channels;
    uint64_t destination;
    int longest[MOST_NODES][MOST_PORTS + 1][MOST_CHANNELS]; /* hops left + 1; 0 unknown, -1 open */
} states;

/* The longest walk from a state; fails where there is no way on, or one without end. */
static int walk(states *s, uint64_t previous, uint32_t port, uint32_t v)
{
    uint64_t node = previous, sets[MOST_PORTS];
    int *longest = &s->longest[previous][port == CN_NO_PORT ? MOST_PORTS : port][v], choices = 0;
    if (*longest != 0) {
        assert_int_not_equal(*longest, -1);
        return *longest;
    }
    if (port != CN_NO_PORT)
        assert_ok(cn_topology_neighbor(s->t, previous, port, &node));
    if (node == s->destination)
        return *longest = 1;
    *longest = -1;
    int most = 0;
    size_t degree;
    assert_ok(cn_routing_virtual_channels(s->r, s->virtual_channels, node, s->destination, previous,
                                          port, v, sets, MOST_PORTS, &degree));
    for (uint32_t p = 0; p < degree; p++)
        for (uint32_t w = 0; w < s->virtual_channels; w++)
            if ((sets[p] >> w & 1) != 0) {
                int left = walk(s, node, p, w);
                most = left > most ? left : most;
                choices++;
            }
    assert_true(choices > 0);
    return *longest = most + 1;
}

static void check(const cn_topology *t, const cn_faults *faults, const char *name,
                  uint32_t virtual_channels, cn_verdict least, cn_verdict most)
{
    static states s;
    cn_routing *r;
    cn_deadlock *verdict, *again;
    cn_verdict found;
    uint32_t needed;
    assert_ok(cn_routing_new(t, name, faults, NULL, &r));
    assert_ok(cn_routing_least_virtual_channels(r, &needed));
    assert_int_equal(needed, virtual_channels);
    uint64_t nodes = cn_topology_node_count(t);
    for (uint64_t d = 0; d < nodes; d++) {
        if (faults != NULL && cn_faults_has_node(faults, d))
            continue;
        memset(&s, 0, sizeof s);
        s.t = t;
        s.r = r;
        s.virtual_channels = virtual_channels;
        s.destination = d;
        for (uint64_t v = 0; v < nodes; v++)
            if (faults == NULL || !cn_faults_has_node(faults, v))
                walk(&s, v, CN_NO_PORT, 0);
    }
    assert_ok(cn_routing_deadlock_check(r, virtual_channels, NULL, &verdict));
    assert_ok(cn_routing_deadlock_check(r, virtual_channels, NULL, &again));
    assert_ptr_equal(verdict, again); /* what is kept */
    assert_ok(cn_deadlock_verdict(verdict, &found));
    assert_true(cn_deadlock_is_free(verdict));
    assert_in_range(found, least, most);
    cn_routing_free(&r);
    cn_deadlock_free(&verdict);
    assert_true(cn_deadlock_is_free(again));
    cn_deadlock_free(&again);
}

static void check_both(const cn_topology *t, const cn_faults *faults)
{
    check(t, faults, "up-down", 1, CN_VERDICT_ACYCLIC, CN_VERDICT_ACYCLIC);
    check(t, faults, "up-down-adaptive", 2, CN_VERDICT_ACYCLIC, CN_VERDICT_ESCAPE);
}

static void random_graphs_are_connected_and_free_of_deadlock(void **state)
{
    (void)state;
    uint64_t words = 11;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t nodes = 14 + i / 4;
        cn_topology *t = network_random(nodes, (uint32_t)(damage_random(&words) % nodes), &words);
        check_both(t, NULL);
        cn_topology_free(&t);
    }
}

static void families_are_connected_and_free_of_deadlock(void **state)
{
    (void)state;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        if (cn_topology_is_bidirectional(t))
            check_both(t, NULL);
        cn_topology_free(&t);
    }
}

static void damaged_graphs_too(void **state)
{
    (void)state;
    uint64_t words = 13;
    unsigned made = 0;
    for (uint32_t i = 0; i < 60; i++) {
        cn_topology *t = network_random(30, 40, &words);
        cn_faults *faults;
        cn_routing *r;
        assert_ok(cn_faults_new(t, &faults));
        for (int k = 0; k < 2; k++)
            assert_ok(cn_faults_add_node(faults, damage_random(&words) % 30));
        assert_ok(cn_faults_add_link(faults, damage_random(&words) % 30, 0));
        cn_status status = cn_routing_new(t, "up-down", faults, NULL, &r);
        cn_routing_free(&r);
        uint64_t pairs, alive = 0;
        for (uint64_t v = 0; v < 30; v++)
            alive += !cn_faults_has_node(faults, v);
        assert_ok(cn_faults_reachable_pairs(faults, NULL, &pairs));
        assert_int_equal(status, pairs == alive * (alive - 1) ? CN_OK : CN_ERR_DISCONNECTED);
        if (status == CN_OK) {
            check_both(t, faults);
            made++;
        }
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
    assert_true(made > 10);
}

static void the_root_is_the_node_of_least_eccentricity(void **state)
{
    (void)state;
    const uint64_t edges[] = {4, 0, 4, 1, 4, 2, 0, 3, 1, 3, 2, 5};
    cn_topology *t;
    cn_routing *r;
    uint64_t ports;
    assert_ok(cn_topology_from_edges(6, edges, 6, NULL, &t));
    assert_ok(cn_routing_new(t, "up-down", NULL, NULL, &r));
    /* levels: 4; 0 1 2; 3 5. From 0 to 1 by 3 would go down and then up. */
    assert_ok(cn_routing_channels(r, 0, 1, &ports));
    assert_int_equal(ports, 1); /* port 0 of node 0 leads to 4, port 1 to 3 */
    /* From 3 both 0 and 1 are up. */
    assert_ok(cn_routing_channels(r, 3, 4, &ports));
    assert_int_equal(ports, 3);
    cn_routing_free(&r);
    cn_topology_free(&t);
}

/* In a network of more levels than are searched at once, too: the middle of a line, and of a ring,
 * whose nodes are alike, the lowest one. */
static void the_root_of_long_networks(void **state)
{
    (void)state;
    enum { NODES = 300 };
    uint64_t edges[2 * NODES];
    for (uint64_t i = 0; i < NODES; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = (i + 1) % NODES;
    }
    for (size_t count = NODES - 1; count <= NODES; count++) {
        cn_topology *t;
        cn_routing *r;
        assert_ok(cn_topology_from_edges(NODES, edges, count, NULL, &t));
        assert_ok(cn_routing_new(t, "up-down", NULL, NULL, &r));
        const uint64_t *up = r->state;
        uint64_t root = 0;
        while (up[root] != 0) /* only the root has no way up */
            root++;
        assert_int_equal(root, count == NODES ? 0 : (NODES - 1) / 2);
        cn_routing_free(&r);
        cn_topology_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_connected_and_free_of_deadlock),
        cmocka_unit_test(families_are_connected_and_free_of_deadlock),
        cmocka_unit_test(damaged_graphs_too),
        cmocka_unit_test(the_root_is_the_node_of_least_eccentricity),
        cmocka_unit_test(the_root_of_long_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
