#include "topology/oracle.h"

static void every_size(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        cn_topology *t;
        assert_ok(cn_topology_psnn(n, &t));
        oracle_check_network(t);
        assert_ok(cn_topology_shuffle_exchange(n, &t));
        oracle_check_network(t);
    }
}

/* The definition with divisions instead of bits. */
static uint64_t sigma(uint64_t i, uint64_t nodes)
{
    return i < nodes / 2 ? 2 * i : 2 * i + 1 - nodes;
}

static void neighbors_by_definition(void **state)
{
    (void)state;
    cn_topology *psnn, *pse;
    const uint64_t nodes = 64;
    assert_ok(cn_topology_psnn(6, &psnn));
    assert_ok(cn_topology_shuffle_exchange(6, &pse));
    for (uint64_t i = 0; i < nodes; i++)
        for (uint64_t j = 0; j < nodes; j++) {
            uint32_t port;
            int shuffled = i != j && (sigma(i, nodes) == j || sigma(j, nodes) == i);
            int next = (i + 1) % nodes == j || (j + 1) % nodes == i;
            assert_ok(cn_topology_port_to(psnn, i, j, &port));
            assert_int_equal(port != CN_NO_PORT, shuffled || next);
            assert_ok(cn_topology_port_to(pse, i, j, &port));
            assert_int_equal(port != CN_NO_PORT, shuffled || i / 2 == j / 2 ? i != j : 0);
        }
    cn_topology_free(&psnn);
    cn_topology_free(&pse);
}

/* PSNN: n + ceil(n/2) - 2 from n = 3 on, one less than printed; PSE: 2 n - 1. By closed form and by
 * a search that does not know it. */
static void diameters(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 14; n++)
        for (int exchange = 0; exchange < 2; exchange++) {
            cn_topology *t, *plain;
            uint64_t hops, searched;
            assert_ok((exchange ? cn_topology_shuffle_exchange : cn_topology_psnn)(n, &t));
            plain = support_as_edges(t);
            assert_ok(cn_topology_diameter(t, NULL, &hops));
            assert_ok(cn_topology_diameter(plain, NULL, &searched));
            assert_int_equal(hops, exchange ? 2 * n - 1 : n + (n + 1) / 2 - 2);
            assert_int_equal(hops, searched);
            cn_topology_free(&plain);
            cn_topology_free(&t);
        }
}

/* The head's walk against searches, in networks that are too large for the oracle. */
static void exchange_distances(void **state)
{
    (void)state;
    for (uint32_t n = 11; n <= 13; n++) {
        cn_topology *t, *plain;
        uint64_t hops, searched;
        assert_ok(cn_topology_shuffle_exchange(n, &t));
        plain = support_as_edges(t);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t i = 0; i < 100; i++) {
            uint64_t u = i * 2654435761 % nodes, v = i * 40503 % nodes;
            assert_ok(cn_topology_distance(t, u, v, NULL, &hops));
            assert_ok(cn_topology_distance(plain, u, v, NULL, &searched));
            assert_int_equal(hops, searched);
        }
        cn_topology_free(&plain);
        cn_topology_free(&t);
    }
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t hops;
    assert_fails(cn_topology_psnn(0, &t), CN_ERR_ARGUMENT, "n = 0");
    assert_null(t);
    assert_fails(cn_topology_psnn(63, &t), CN_ERR_ARGUMENT, "n = 63");
    assert_fails(cn_topology_shuffle_exchange(0, &t), CN_ERR_ARGUMENT, "n = 0");
    assert_ok(cn_topology_psnn(62, &t));
    assert_ok(cn_topology_neighbor(t, UINT64_C(1) << 61, 2, &hops)); /* sigma(10...0) = 0...01 */
    assert_int_equal(hops, 1);
    assert_ok(cn_topology_diameter(t, NULL, &hops));
    assert_int_equal(hops, 91);
    assert_fails(cn_topology_distance(t, 0, 1, NULL, &hops), CN_ERR_UNSUPPORTED, "psnn(62)");
    cn_topology_free(&t);
    assert_ok(cn_topology_shuffle_exchange(62, &t));
    assert_ok(cn_topology_distance(t, 0, cn_topology_node_count(t) - 1, NULL, &hops));
    assert_int_equal(hops, 123);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size), cmocka_unit_test(neighbors_by_definition),
        cmocka_unit_test(diameters),  cmocka_unit_test(exchange_distances),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
