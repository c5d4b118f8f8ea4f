#include "topology/oracle.h"

static void every_size(void **state)
{
    (void)state;
    for (uint64_t nodes = 2; nodes <= 12; nodes++) {
        cn_topology *t;
        assert_ok(cn_topology_star(nodes, &t));
        oracle_check_network(t);
    }
}

static void large(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t links;
    assert_ok(cn_topology_star(UINT32_MAX, &t));
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(links, UINT64_C(4294967294));
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    assert_fails(cn_topology_star(1, &t), CN_ERR_ARGUMENT, "nodes = 1,");
    assert_null(t);
    assert_fails(cn_topology_star(UINT64_C(1) << 32, &t), CN_ERR_ARGUMENT, "nodes = 4294967296");
    assert_fails(cn_topology_star(4, NULL), CN_ERR_ARGUMENT, "topology");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),
        cmocka_unit_test(large),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
