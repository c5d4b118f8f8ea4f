#include "support/support.h"
#include "support/wormhole_rules.h"

static cn_topology *open_kary(uint64_t k, uint32_t n, int two_way)
{
    cn_topology *topology = NULL;
    assert_ok(cn_topology_kary_ncube(k, n, two_way, &topology));
    return topology;
}

/* The four channels of a square of the plane wait for one another. By hand. */
static void the_square(void **state)
{
    (void)state;
    cn_topology *cube = open_kary(2, 2, 1);
    cn_deadlock *check;
    uint64_t nodes[4], destinations[4], channels, dependencies;
    uint32_t ports[4], vcs[4];
    size_t count;
    assert_ok(wormhole_check(cube, WORMHOLE_DUATO_UNSAFE, 1, NULL, &check));
    assert_ok(cn_deadlock_counts(check, &channels, &dependencies, NULL, NULL));
    assert_int_equal(channels, 8);
    assert_int_equal(dependencies, 8); /* each channel and the one round the corner */
    assert_ok(cn_deadlock_cycle(check, nodes, ports, vcs, destinations, 4, &count));
    assert_int_equal(count, 4);
    const uint64_t expected[] = {0, 1, 3, 2};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(nodes[i], expected[i]);
        assert_int_equal(ports[i], i % 2);
        assert_int_equal(vcs[i], 0);
        assert_int_equal(destinations[i], nodes[i] ^ 3);
    }
    assert_ok(cn_deadlock_counts(check, NULL, NULL, NULL, NULL));
    cn_deadlock_free(&check);
    cn_topology_free(&cube);
}

/* ---- rules that are no good ---- */

typedef struct bad {
    uint64_t set;
    int calls;
    cn_status status;
} bad;

static cn_status bad_rule(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t channel, uint64_t sets[])
{
    bad *it = user;
    (void)previous;
    (void)port;
    (void)channel;
    it->calls++;
    sets[0] = node == 3 && destination == 0 ? it->set : 1;
    return it->status;
}

static cn_status none(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                      uint32_t port, uint32_t channel, uint64_t sets[])
{
    (void)user;
    (void)destination;
    (void)previous;
    (void)port;
    (void)channel;
    (void)node;
    (void)sets;
    return CN_OK;
}

static cn_status all_ports(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                           uint32_t port, uint32_t channel, uint64_t sets[])
{
    none(user, node, destination, previous, port, channel, sets);
    sets[0] = sets[1] = 1;
    return CN_OK;
}

/* Each time it is asked the next of two answers. */
static cn_status fickle(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                        uint32_t port, uint32_t channel, uint64_t sets[])
{
    bad *it = user;
    (void)node;
    (void)destination;
    (void)previous;
    (void)port;
    (void)channel;
    sets[0] = it->calls++ < 5 * 5 ? 1 : 2;
    return CN_OK;
}

static void stuck_and_missing(void **state)
{
    (void)state;
    cn_topology *ring = open_kary(5, 1, 0);
    cn_deadlock *check;
    cn_verdict verdict;
    uint64_t node, destination;
    uint32_t port, channel;
    size_t count;
    bad it = {.set = 0};
    assert_ok(cn_deadlock_check(ring, 1, bad_rule, NULL, 0, &it, NULL, &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_int_equal(verdict, CN_VERDICT_STUCK);
    assert_false(cn_deadlock_is_free(check));
    assert_ok(cn_deadlock_cycle(check, &node, &port, &channel, &destination, 1, &count));
    assert_int_equal(count, 1);
    assert_int_equal(destination, 0);
    assert_true((node == 3 && port == CN_NO_PORT) || (node == 4 && port == 0));
    cn_deadlock_free(&check);

    it.set = 1;
    assert_ok(cn_deadlock_check(ring, 1, bad_rule, none, 0, &it, NULL, &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_int_equal(verdict, CN_VERDICT_ESCAPE_MISSING);
    assert_ok(cn_deadlock_cycle(check, &node, &port, &channel, &destination, 1, &count));
    assert_int_equal(count, 1);
    assert_int_equal(node, 1);
    assert_int_equal(port, CN_NO_PORT);
    cn_deadlock_free(&check);

    assert_ok(cn_deadlock_check(ring, 2, bad_rule, NULL, 2, &it, NULL, &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_int_equal(verdict, CN_VERDICT_ESCAPE_MISSING);
    cn_deadlock_free(&check);
    cn_topology_free(&ring);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *ring = open_kary(5, 1, 0), *large = open_kary(2, 14, 1), *star, *cube;
    cn_deadlock *check = NULL;
    cn_verdict verdict;
    bad it = {.set = 1};
    uint64_t word[1];
    uint32_t half[1];
    assert_fails(cn_deadlock_check(ring, 1, bad_rule, NULL, 0, &it, NULL, NULL), CN_ERR_ARGUMENT,
                 "check");
    assert_fails(cn_deadlock_check(NULL, 1, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "topology");
    assert_fails(cn_deadlock_check(ring, 1, NULL, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "rule");
    assert_fails(cn_deadlock_check(ring, 0, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "virtual_channels = 0");
    assert_fails(cn_deadlock_check(ring, 65, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "virtual_channels = 65");
    assert_fails(cn_deadlock_check(ring, 2, bad_rule, NULL, 4, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "escape_set = 0x4");
    assert_fails(cn_deadlock_check(ring, 2, bad_rule, none, 1, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "escape_set");
    assert_int_equal(it.calls, 0);
    assert_fails(cn_deadlock_check(large, 1, bad_rule, NULL, 0, &it, NULL, &check),
                 CN_ERR_UNSUPPORTED, "2^13");
    assert_ok(cn_topology_star(5000, &star));
    assert_fails(cn_deadlock_check(star, 1, bad_rule, NULL, 0, &it, NULL, &check),
                 CN_ERR_UNSUPPORTED, "star(5000)");
    cn_topology_free(&star);
    assert_ok(cn_topology_hypercube(8, &cube));
    assert_fails(cn_deadlock_check(cube, 5, bad_rule, NULL, 0, &it, NULL, &check),
                 CN_ERR_UNSUPPORTED, "virtual_channels = 5");
    assert_fails(cn_deadlock_check(cube, 1, bad_rule, NULL, 0, &it, NULL, NULL), CN_ERR_ARGUMENT,
                 "check");
    cn_topology_free(&cube);

    it.set = 2;
    assert_fails(cn_deadlock_check(ring, 1, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "rule gave, at node 3 for destination 0, channels 0x2 of port 0,");
    assert_fails(cn_deadlock_check(ring, 2, none, bad_rule, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "escape gave a channel that rule does not give");
    it.status = CN_ERR_STATE;
    assert_fails(cn_deadlock_check(ring, 2, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_STATE,
                 "rule returned -8 at node 1 for destination 0");
    it.status = CN_DONE;
    assert_fails(cn_deadlock_check(ring, 2, bad_rule, NULL, 0, &it, NULL, &check), CN_ERR_ARGUMENT,
                 "rule returned 1 at node 1 for destination 0");
    for (int calls = 0; calls < 5 * 5; calls++) {
        it.calls = calls;
        cn_status status = cn_deadlock_check(ring, 2, fickle, NULL, 3, &it, NULL, &check);
        assert_true(status == CN_OK || status == CN_ERR_ARGUMENT);
        cn_deadlock_free(&check);
    }
    assert_null(check);
    cn_topology_free(&ring);
    cn_topology_free(&large);
    assert_ok(cn_topology_star(4, &star)); /* leaves have one port, the centre three */
    assert_fails(
        cn_deadlock_check(star, 1, all_ports, NULL, 0, NULL, NULL, &check), CN_ERR_ARGUMENT,
        "rule gave, at node 1 for destination 0, channels 0x1 of port 1, but there are 1 ports");
    cn_topology_free(&star);

    assert_fails(cn_deadlock_verdict(NULL, &verdict), CN_ERR_ARGUMENT, "check");
    assert_int_equal(cn_deadlock_is_free(NULL), 0);
    assert_fails(cn_deadlock_counts(NULL, NULL, NULL, NULL, NULL), CN_ERR_ARGUMENT, "check");
    assert_fails(cn_deadlock_cycle(NULL, word, half, half, word, 1, NULL), CN_ERR_ARGUMENT,
                 "check");
    cn_deadlock_free(NULL);
    cube = open_kary(2, 2, 1);
    assert_ok(wormhole_check(cube, WORMHOLE_DUATO, 2, NULL, &check));
    assert_fails(cn_deadlock_verdict(check, NULL), CN_ERR_ARGUMENT, "verdict");
    assert_fails(cn_deadlock_cycle(check, NULL, half, half, word, 1, NULL), CN_ERR_ARGUMENT,
                 "nodes");
    assert_fails(cn_deadlock_cycle(check, word, half, half, NULL, 1, NULL), CN_ERR_ARGUMENT,
                 "destinations");
    cn_deadlock_free(&check);
    cn_topology_free(&cube);
}

static cn_status work(void *context)
{
    static const wormhole_rule rules[] = {WORMHOLE_DUATO, WORMHOLE_DUATO_UNSAFE, WORMHOLE_ORDER};
    cn_topology *torus = NULL;
    cn_deadlock *check = NULL;
    (void)context;
    cn_status status = cn_topology_kary_ncube(3, 2, 1, &torus);
    for (int i = 0; status == CN_OK && i < 3; i++) {
        status = wormhole_check(torus, rules[i], 3, NULL, &check);
        assert_int_equal(status == CN_OK, check != NULL);
        cn_deadlock_free(&check);
    }
    cn_topology_free(&torus);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_square),
        cmocka_unit_test(stuck_and_missing),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
