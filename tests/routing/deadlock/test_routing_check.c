/* Verdicts on routings. */
#include "routing/networks.h"
#include "support/support.h"
#include "support/wormhole_rules.h"

#include "routing/rules/routing.h"

static cn_verdict verdict_of(const cn_topology *t, const char *name, uint32_t virtual_channels)
{
    cn_routing *r;
    cn_deadlock *check;
    cn_verdict verdict;
    uint32_t least;
    assert_ok(cn_routing_new(t, name, NULL, NULL, &r));
    assert_ok(cn_routing_least_virtual_channels(r, &least));
    assert_ok(cn_routing_deadlock_check(r, virtual_channels == 0 ? least : virtual_channels, NULL,
                                        &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    cn_deadlock_free(&check);
    cn_routing_free(&r);
    return verdict;
}

static void minimal_is_cyclic_on_the_3_cube(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(3, &t));
    assert_int_equal(verdict_of(t, "minimal", 1), CN_VERDICT_CYCLIC);
    assert_int_equal(verdict_of(t, "minimal", 4), CN_VERDICT_CYCLIC);
    cn_topology_free(&t);
    assert_ok(cn_topology_tree(3, 3, &t)); /* one way for each pair, and no ring */
    assert_int_equal(verdict_of(t, "minimal", 1), CN_VERDICT_ACYCLIC);
    cn_topology_free(&t);
}

/* What is proved for all networks is found on all small ones. */
static void proved_routings_are_free_on_every_family(void **state)
{
    (void)state;
    static const char *const names[] = {"dimension-order",  "duato",          "up-down",
                                        "up-down-adaptive", "negative-first", "valiant"};
    static const unsigned most[] = {0, 3, 4, 7, 8, 9, 11, 12, 13, 14, 16, 18, 20, 21};
    unsigned served = 0;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        cn_topology *t = network_of_family(most[i]);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            cn_routing *r;
            cn_status status = cn_routing_new(t, names[n], NULL, NULL, &r);
            if (status != CN_OK) {
                assert_int_equal(status, CN_ERR_UNSUPPORTED);
                continue;
            }
            assert_true(r->kind->has_escapes);
            for (uint32_t more = 0; more < 2; more++) {
                cn_deadlock *check;
                assert_ok(cn_routing_deadlock_check(r, r->least + more, NULL, &check));
                assert_true(cn_deadlock_is_free(check));
                cn_deadlock_free(&check);
                served++;
            }
            cn_routing_free(&r);
        }
        cn_topology_free(&t);
    }
    assert_true(served > 80);
}

static void the_verdict_is_that_of_the_rule(void **state)
{
    (void)state;
    static const unsigned networks[] = {0, 3, 8, 9, 11};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (int rule = 0; rule < 2; rule++) {
            cn_topology *t = network_of_family(networks[i]);
            cn_routing *r;
            cn_deadlock *checks[2];
            uint32_t least;
            uint64_t x[4], y[4];
            assert_ok(cn_routing_new(t, rule == 0 ? "dimension-order" : "duato", NULL, NULL, &r));
            assert_ok(cn_routing_least_virtual_channels(r, &least));
            assert_ok(cn_routing_deadlock_check(r, least, NULL, &checks[0]));
            assert_ok(wormhole_check(t, (wormhole_rule)rule, least, NULL, &checks[1]));
            assert_ok(cn_deadlock_counts(checks[0], &x[0], &x[1], &x[2], &x[3]));
            assert_ok(cn_deadlock_counts(checks[1], &y[0], &y[1], &y[2], &y[3]));
            assert_memory_equal(x, y, sizeof x);
            cn_deadlock_free(&checks[0]);
            cn_deadlock_free(&checks[1]);
            cn_routing_free(&r);
            cn_topology_free(&t);
        }
}

/* In the 2-cube by dimension order: 8 channels, of which a message of either leg may hold all, so
 * 16. A leg of two hops goes from a channel of dimension 0 to one of dimension 1, 4 pairs in each
 * leg; a channel that ends a leg is followed by each of the 2 channels of its head, 16 pairs. */
static void legs_of_valiant_depend_one_way(void **state)
{
    (void)state;
    cn_topology *t;
    cn_routing *r;
    cn_deadlock *check;
    uint64_t channels, dependencies, escapes, none;
    assert_ok(cn_topology_hypercube(2, &t));
    assert_ok(cn_routing_new(t, "valiant", NULL, NULL, &r));
    assert_int_equal(r->least, 2);
    assert_ok(cn_routing_deadlock_check(r, 2, NULL, &check));
    assert_ok(cn_deadlock_counts(check, &channels, &dependencies, &escapes, &none));
    assert_int_equal(channels, 16);
    assert_int_equal(dependencies, 4 + 4 + 16);
    assert_int_equal(escapes, 16);
    cn_deadlock_free(&check);
    cn_routing_free(&r);
    cn_topology_free(&t);
}

/* A message by way of a node: its two legs keep to virtual channels of their own and arrive. */
static void legs_of_valiant_have_channels_of_their_own(void **state)
{
    (void)state;
    static const unsigned networks[] = {1, 3, 4, 9, 15, 21};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cn_topology *t = network_of_family(networks[i]);
        cn_routing *r;
        uint64_t seen[2] = {0, 0}, nodes = cn_topology_node_count(t);
        assert_ok(cn_routing_new(t, "valiant", NULL, NULL, &r));
        for (uint64_t n = 0; n < 2000; n++) {
            uint64_t at = n * 7 % nodes, end = n * 11 % nodes;
            uint64_t target = cni_routing_begin(r, end, n * UINT64_C(0x9e3779b97f4a7c15));
            assert_true(target < nodes);
            for (uint32_t leg = 0, class = 0; leg < 2;) {
                cni_entry room;
                if (at == target) {
                    class = cni_leg_class(r, ++leg);
                    target = end;
                    continue;
                }
                const cni_entry *entry = cni_routing_next(r, at, class, target, &room);
                assert_int_equal(entry->lanes, 1);
                uint64_t set = cni_cut_set(entry->lane[0].set, r->least);
                assert_true(set != 0);
                seen[leg] |= set;
                uint32_t port = cni_lowest_bit(entry->ports), stored;
                stored = cni_routing_after(r, class, target, at, port, CNI_STORED);
                class = cni_routing_after(r, class, target, at, port, cni_lowest_bit(set));
                assert_int_equal(class, stored);
                assert_int_equal(class / (r->classes / 2), leg);
                assert_ok(cn_topology_neighbor(t, at, port, &at));
            }
            assert_int_equal(at, end);
        }
        assert_int_equal(seen[0] & seen[1], 0);
        assert_int_equal(seen[0] | seen[1], (UINT64_C(1) << r->least) - 1);
        cn_routing_free(&r);
        cn_topology_free(&t);
    }
}

static void bad_arguments_are_named(void **state)
{
    (void)state;
    cn_topology *t;
    cn_routing *r;
    cn_deadlock *check;
    assert_ok(cn_topology_hypercube(3, &t));
    assert_ok(cn_routing_new(t, "duato", NULL, NULL, &r));
    assert_fails(cn_routing_deadlock_check(r, 1, NULL, &check), CN_ERR_ARGUMENT, "must be 2 to 64");
    assert_null(check);
    assert_fails(cn_routing_deadlock_check(r, 65, NULL, &check), CN_ERR_ARGUMENT,
                 "must be 2 to 64");
    assert_fails(cn_routing_deadlock_check(NULL, 2, NULL, &check), CN_ERR_ARGUMENT,
                 "routing is NULL");
    cn_routing_free(&r);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(12, &t));
    assert_ok(cn_routing_new(t, "duato", NULL, NULL, &r));
    assert_fails(cn_routing_deadlock_check(r, 2, NULL, &check), CN_ERR_UNSUPPORTED, "2^13");
    cn_routing_free(&r);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_is_cyclic_on_the_3_cube),
        cmocka_unit_test(proved_routings_are_free_on_every_family),
        cmocka_unit_test(the_verdict_is_that_of_the_rule),
        cmocka_unit_test(legs_of_valiant_depend_one_way),
        cmocka_unit_test(legs_of_valiant_have_channels_of_their_own),
        cmocka_unit_test(bad_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
