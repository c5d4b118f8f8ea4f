/* Rows of entries against entry after entry. */
#include "support/support.h"

#include "routing/networks.h"
#include "routing/rules/rows.h"
#include "topology/topology.h"

static void assert_same_entry(const cni_entry *a, const cni_entry *b)
{
    assert_int_equal(a->ports, b->ports);
    assert_int_equal(a->lanes, b->lanes);
    for (uint32_t i = 0; i < a->lanes; i++) {
        assert_int_equal(a->lane[i].ports, b->lane[i].ports);
        assert_int_equal(a->lane[i].set, b->lane[i].set);
        assert_int_equal(a->lane[i].is_escape, b->lane[i].is_escape);
    }
}

/* All entries, with ascending targets and then backwards. */
static void check_rows(const cn_routing *routing)
{
    uint64_t nodes = routing->topology->nodes, ports[64];
    cni_table table;
    cni_rows rows;
    cni_entry room;
    assert_ok(cni_table_open(&table));
    assert_ok(cni_rows_open(routing, &table, &rows));
    for (uint32_t class = 0; class < routing->classes; class ++)
        for (uint64_t i = 0; i < 2 * nodes; i++) {
            uint64_t target = i < nodes ? i : 2 * nodes - 1 - i;
            int has_numbers = routing->table.entries == NULL;
            if (has_numbers)
                assert_ok(cni_rows_to(&rows, class, target));
            for (uint64_t v = 0; v < nodes && has_numbers; v++) {
                if (!cni_routing_serves(routing, v) || !cni_routing_serves(routing, target))
                    continue;
                assert_same_entry(&rows.table->entries[rows.number[v]],
                                  cni_routing_next(routing, v, class, target, &room));
            }
            assert_ok(cni_rows_ports(&rows, class, target, ports));
            for (uint64_t v = 0; v < nodes; v++)
                if (cni_routing_serves(routing, v) && cni_routing_serves(routing, target))
                    assert_int_equal(ports[v], cni_routing_ports(routing, v, class, target));
        }
    cni_rows_close(&rows);
    cni_table_close(&table);
}

static void check(const cn_topology *t, const cn_faults *faults)
{
    static const char *const names[] = {"minimal", "preferred",        "dimension-order", "duato",
                                        "up-down", "up-down-adaptive", "valiant"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cn_routing *routing;
        uint64_t longest;
        if (cn_routing_new(t, names[i], faults, NULL, &routing) != CN_OK)
            continue;
        check_rows(routing);
        if (routing->hops > 0) {
            assert_ok(cn_routing_longest_walk(routing, NULL, &longest));
            assert_true(longest <= routing->hops);
            if (routing->classes < 3)
                assert_int_equal(longest, routing->hops);
        }
        cn_routing_free(&routing);
    }
}

static void rows_are_entries_of_pairs(void **state)
{
    (void)state;
    cn_topology *t;
    for (unsigned i = 0; (t = network_of_family(i)) != NULL; i++) {
        cn_faults *faults;
        check(t, NULL);
        assert_ok(cn_faults_new(t, &faults));
        if (cn_topology_node_count(t) > 4 && cn_faults_add_random_nodes(faults, 2, 5 + i) == CN_OK)
            check(t, faults);
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
}

/* Where digits have different numbers of values, of one dimension, and of many. */
static void rows_are_put_together_of_digits(void **state)
{
    (void)state;
    static const uint64_t sides[][3] = {{3, 4, 5}, {2, 7, 3}, {16, 4, 1}, {5, 1, 1}, {2, 2, 2}};
    static const uint32_t dimensions[] = {3, 3, 2, 1, 3};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        cn_topology *t;
        assert_ok(cn_topology_torus(sides[i], dimensions[i], &t));
        check(t, NULL);
        cn_topology_free(&t);
        assert_ok(cn_topology_generalized_hypercube_mixed(sides[i], dimensions[i], &t));
        check(t, NULL);
        cn_topology_free(&t);
        assert_ok(cn_topology_mesh(sides[i], dimensions[i], &t));
        check(t, NULL);
        cn_topology_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_entries_of_pairs),
        cmocka_unit_test(rows_are_put_together_of_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
