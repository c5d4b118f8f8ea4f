#include "topology/oracle.h"

static void every_ring(void **state)
{
    (void)state;
    for (uint64_t nodes = 2; nodes <= 17; nodes++)
        for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
            cn_topology *t;
            assert_ok(cn_topology_ring(nodes, bidirectional, &t));
            assert_int_equal(cn_topology_node_count(t), nodes);
            oracle_check_network(t);
        }
}

/* Ginosar & Egozi print |i - j| mod N; one way round it is (j - i) mod N. */
static void one_way(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t there, back;
    assert_ok(cn_topology_ring(10, 0, &t));
    assert_string_equal(cn_topology_name(t), "ring(10,bidirectional=False)");
    assert_ok(cn_topology_distance(t, 7, 5, NULL, &there));
    assert_ok(cn_topology_distance(t, 5, 7, NULL, &back));
    assert_int_equal(there, 2);
    assert_int_equal(back, 8);
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    assert_fails(cn_topology_ring(1, 1, &t), CN_ERR_ARGUMENT, "nodes = 1,");
    assert_null(t);
    assert_fails(cn_topology_ring((UINT64_C(1) << 62) + 1, 1, &t), CN_ERR_ARGUMENT, "2^62");
    assert_fails(cn_topology_ring(4, 1, NULL), CN_ERR_ARGUMENT, "topology");
    assert_ok(cn_topology_ring(UINT64_C(1) << 62, 1, &t));
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ring),
        cmocka_unit_test(one_way),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
