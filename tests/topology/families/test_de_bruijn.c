#include "topology/oracle.h"

static void every_size(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 10; n++) {
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

/* Overlaps and counts against searches that know nothing of them, in networks that are too large
 * for the oracle. */
static void distances_by_search(void **state)
{
    (void)state;
    for (uint32_t n = 11; n <= 13; n++) {
        cn_topology *t, *plain;
        uint64_t hops, searched, counts[16], expected[16];
        double mean, searched_mean;
        size_t count, searched_count;
        assert_ok(cn_topology_de_bruijn(n, &t));
        plain = support_as_edges(t);
        assert_ok(cn_topology_diameter(t, NULL, &hops));
        assert_ok(cn_topology_diameter(plain, NULL, &searched));
        assert_int_equal(hops, searched);
        assert_ok(cn_topology_mean_distance(t, NULL, &mean));
        assert_ok(cn_topology_mean_distance(plain, NULL, &searched_mean));
        assert_true(mean == searched_mean);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t i = 0; i < 20; i++) {
            uint64_t u = i * 2654435761 % nodes, v = i * 40503 % nodes;
            assert_ok(cn_topology_distance(t, u, v, NULL, &hops));
            assert_ok(cn_topology_distance(plain, u, v, NULL, &searched));
            assert_int_equal(hops, searched);
            assert_ok(cn_topology_distance_counts(t, u, NULL, counts, 16, &count));
            assert_ok(cn_topology_distance_counts(plain, u, NULL, expected, 16, &searched_count));
            assert_int_equal(count, searched_count);
            assert_memory_equal(counts, expected, count * sizeof *counts);
        }
        cn_topology_free(&plain);
        cn_topology_free(&t);
    }
}

/* No memory is needed however large the network is. */
static void largest(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t hops, counts[63], sum = 0;
    size_t count;
    double mean;
    assert_ok(cn_topology_de_bruijn(62, &t));
    assert_ok(cn_topology_diameter(t, NULL, &hops));
    assert_int_equal(hops, 62);
    uint64_t u = UINT64_C(0x2f0e1d3c5b4a6978), last = cn_topology_node_count(t) - 1;
    assert_ok(cn_topology_distance(t, 0, last, NULL, &hops));
    assert_int_equal(hops, 62);
    assert_ok(cn_topology_distance(t, u, u << 7 & last, NULL, &hops));
    assert_int_equal(hops, 7);
    assert_ok(cn_topology_distance_counts(t, u, NULL, counts, 63, &count));
    for (size_t h = 0; h < count; h++)
        sum += counts[h];
    assert_true(sum == last + 1);
    assert_true(counts[0] == 1 && counts[1] == 4);
    assert_fails(cn_topology_mean_distance(t, NULL, &mean), CN_ERR_UNSUPPORTED, "de_bruijn(62)");
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
        cmocka_unit_test(distances_by_search),
        cmocka_unit_test(largest),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
