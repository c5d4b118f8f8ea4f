#include "topology/oracle.h"

static void every_size(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        cn_topology *t;
        assert_ok(cn_topology_de_bruijn(n, &t));
        oracle_check_network(t);
    }
}

static void neighbors_by_definition(void **state)
{
    (void)state;
    cn_topology *t;
    const uint64_t nodes = 32;
    assert_ok(cn_topology_de_bruijn(5, &t));
    for (uint64_t i = 0; i < nodes; i++)
        for (uint64_t j = 0; j < nodes; j++) {
            uint32_t port;
            int shifted = 2 * i % nodes == j / 2 * 2 || 2 * j % nodes == i / 2 * 2;
            assert_ok(cn_topology_port_to(t, i, j, &port));
            assert_int_equal(port != CN_NO_PORT, i != j && shifted);
        }
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    assert_fails(cn_topology_de_bruijn(0, &t), CN_ERR_ARGUMENT, "n = 0");
    assert_null(t);
    assert_fails(cn_topology_de_bruijn(63, &t), CN_ERR_ARGUMENT, "n = 63");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),
        cmocka_unit_test(neighbors_by_definition),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
