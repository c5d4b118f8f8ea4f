#include "topology/oracle.h"

static void every_tree(void **state)
{
    (void)state;
    const uint32_t most_levels[] = {0, 9, 5, 4, 3, 2};
    for (uint64_t b = 1; b <= 5; b++)
        for (uint32_t m = 1; m <= most_levels[b]; m++) {
            cn_topology *t;
            assert_ok(cn_topology_tree(b, m, &t));
            oracle_check_network(t);
        }
}

static void parents_and_children(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t v;
    assert_ok(cn_topology_tree(3, 2, &t));
    assert_int_equal(cn_topology_node_count(t), 13);
    assert_ok(cn_topology_neighbor(t, 0, 2, &v));
    assert_int_equal(v, 3);
    assert_ok(cn_topology_neighbor(t, 3, 0, &v));
    assert_int_equal(v, 0);
    assert_ok(cn_topology_neighbor(t, 3, 1, &v));
    assert_int_equal(v, 10);
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    assert_fails(cn_topology_tree(0, 3, &t), CN_ERR_ARGUMENT, "branching = 0");
    assert_null(t);
    assert_fails(cn_topology_tree(UINT32_MAX, 1, &t), CN_ERR_ARGUMENT, "branching = 4294967295");
    assert_fails(cn_topology_tree(2, 0, &t), CN_ERR_ARGUMENT, "levels = 0");
    assert_fails(cn_topology_tree(2, 62, &t), CN_ERR_ARGUMENT, "2^62");
    assert_fails(cn_topology_tree(1, 1048577, &t), CN_ERR_ARGUMENT, "levels = 1048577");
    assert_ok(cn_topology_tree(2, 61, &t));
    assert_int_equal(cn_topology_node_count(t), (UINT64_C(1) << 62) - 1);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree),
        cmocka_unit_test(parents_and_children),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
