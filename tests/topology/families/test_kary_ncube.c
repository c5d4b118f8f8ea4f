#include "topology/adjacency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t top = UINT64_C(1) << 62;

/* One port down in every dimension, then, where it leads elsewhere, one up. */
static void open_kary(graph *g, uint32_t k, uint32_t n, int bidirectional)
{
    uint32_t nodes = 1;
    for (uint32_t i = 0; i < n; i++)
        nodes *= k;
    graph_open(g, nodes, 2 * n);
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0, stride = 1; i < n; i++, stride *= k) {
            uint32_t digit = v / stride % k;
            graph_join(g, v, v - digit * stride + (digit + k - 1) % k * stride);
        }
        for (uint32_t i = 0, stride = 1; i < n && bidirectional && k > 2; i++, stride *= k) {
            uint32_t digit = v / stride % k;
            graph_join(g, v, v - digit * stride + (digit + 1) % k * stride);
        }
    }
}

static void check_kary(uint32_t k, uint32_t n, int bidirectional)
{
    cn_topology *network;
    graph g;
    open_kary(&g, k, n, bidirectional);
    assert_ok(cn_topology_kary_ncube(k, n, bidirectional, &network));
    assert_int_equal(cn_topology_dimensions(network), n);
    graph_check(&g, network, g.nodes > 700 ? 17 : 1);
    cn_topology_free(&network);
    graph_close(&g);
}

static void small_networks_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 7; k++)
        for (uint32_t n = 1, nodes = k; nodes <= 2500; n++, nodes *= k) {
            check_kary(k, n, 0);
            check_kary(k, n, 1);
        }
}

static void rings_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t k = 8; k <= 40; k++) {
        check_kary(k, 1, 0);
        check_kary(k, 1, 5); /* any number but 0 */
    }
    check_kary(16, 2, 0);
    check_kary(16, 2, 1);
    check_kary(11, 2, 1);
}

static void radix_two_is_the_hypercube(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 62; n += n < 6 ? 1 : 8)
        for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
            cn_topology *network, *cube;
            assert_ok(cn_topology_hypercube(n, &cube));
            assert_ok(cn_topology_kary_ncube(2, n, bidirectional, &network));
            assert_true(cn_topology_node_count(network) == cn_topology_node_count(cube));
            assert_int_equal(cn_topology_max_degree(network), n);
            assert_int_equal(cn_topology_is_bidirectional(network), 1);
            uint64_t last = cn_topology_node_count(cube) - 1, node = last / 3;
            for (uint32_t p = 0; p < n; p++) {
                uint64_t a, b;
                uint32_t back_a, back_b;
                assert_ok(cn_topology_neighbor(network, node, p, &a));
                assert_ok(cn_topology_neighbor(cube, node, p, &b));
                assert_true(a == b);
                assert_ok(cn_topology_back_port(network, node, p, &back_a));
                assert_ok(cn_topology_back_port(cube, node, p, &back_b));
                assert_int_equal(back_a, back_b);
            }
            uint64_t a, b;
            cn_status of_network = cn_topology_link_count(network, &a);
            assert_int_equal(of_network, cn_topology_link_count(cube, &b));
            assert_true(of_network != CN_OK || a == b);
            assert_ok(cn_topology_distance(network, node, last, NULL, &a));
            assert_ok(cn_topology_distance(cube, node, last, NULL, &b));
            assert_true(a == b);
            assert_ok(cn_topology_header(network, node, last, &a));
            assert_true(a == (node ^ last));
            cn_topology_free(&network);
            cn_topology_free(&cube);
        }
}

static void name_tells_radix_and_dimensions(void **state)
{
    (void)state;
    cn_topology *one, *other;
    assert_ok(cn_topology_kary_ncube(8, 2, 0, &one));
    assert_ok(cn_topology_kary_ncube(8, 2, 1, &other));
    assert_string_equal(cn_topology_name(one), "kary_ncube(k=8,n=2,bidirectional=False)");
    assert_string_not_equal(cn_topology_name(other), cn_topology_name(one));
    cn_topology_free(&one);
    cn_topology_free(&other);
    assert_ok(cn_topology_kary_ncube(top, 1, 1, &one));
    assert_non_null(strstr(cn_topology_name(one), "4611686018427387904"));
    cn_topology_free(&one);
}

static void greatest_ring_works(void **state)
{
    (void)state;
    for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
        cn_topology *ring;
        uint64_t word;
        double mean;
        size_t count = 0;
        assert_ok(cn_topology_kary_ncube(top, 1, bidirectional, &ring));
        assert_true(cn_topology_node_count(ring) == top);
        assert_ok(cn_topology_neighbor(ring, 0, 0, &word));
        assert_true(word == top - 1);
        assert_ok(cn_topology_link_count(ring, &word));
        assert_true(word == top);
        assert_ok(cn_topology_diameter(ring, NULL, &word));
        assert_true(word == (bidirectional ? top / 2 : top - 1));
        assert_ok(cn_topology_distance(ring, 0, 1, NULL, &word));
        assert_true(word == (bidirectional ? 1 : top - 1));
        assert_ok(cn_topology_distance(ring, 1, 0, NULL, &word));
        assert_true(word == 1);
        assert_ok(cn_topology_distance(ring, 5, 5, NULL, &word));
        assert_true(word == 0);
        assert_ok(cn_topology_mean_distance(ring, NULL, &mean));
        assert_near(mean / (double)top, bidirectional ? 0.25 : 0.5, 1e-15);
        assert_fails(cn_topology_distance_counts(ring, 0, NULL, NULL, 0, &count), CN_ERR_CAPACITY,
                     "capacity = ");
        assert_true(count == (bidirectional ? (size_t)top / 2 + 1 : (size_t)top));
        cn_topology_free(&ring);
    }
}

/* 3^39 is the greatest power of three that fits. */
static void greatest_powers_work(void **state)
{
    (void)state;
    for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
        cn_topology *network;
        uint64_t word, counts[79], sum = 0, last = UINT64_C(4052555153018976267) - 1;
        uint64_t farthest = bidirectional ? 39 : 78;
        size_t count;
        assert_ok(cn_topology_kary_ncube(3, 39, bidirectional, &network));
        assert_true(cn_topology_node_count(network) == last + 1);
        assert_ok(cn_topology_diameter(network, NULL, &word));
        assert_true(word == farthest);
        assert_ok(cn_topology_distance(network, 0, last, NULL, &word)); /* every digit 0 -> 2 */
        assert_int_equal(word, 39);
        assert_ok(
            cn_topology_distance(network, last, 0, NULL, &word)); /* 2 -> 0: down twice or up */
        assert_true(word == farthest);
        assert_ok(cn_topology_neighbor(network, last, 38, &word));
        assert_true(word == last - UINT64_C(1350851717672992089)); /* 3^38 */
        assert_ok(cn_topology_distance_counts(network, last, NULL, counts, 79, &count));
        assert_true(count == farthest + 1);
        for (size_t h = 0; h < count; h++)
            sum += counts[h];
        assert_true(sum == last + 1);
        assert_true(counts[1] == (bidirectional ? 78 : 39));
        /* channels: 39 a node, 1.58e20 in all */
        assert_fails(cn_topology_link_count(network, &word), CN_ERR_OVERFLOW, "more than 2^64 - 1");
        cn_topology_free(&network);
    }
}

static void sizes_end_at_two_to_the_62(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int fits;
    } rows[] = {
        {2, 62, 1},
        {2, 63, 0},
        {3, 39, 1},
        {3, 40, 0},
        {4, 31, 1},
        {4, 32, 0},
        {UINT64_C(1) << 31, 2, 1},
        {(UINT64_C(1) << 31) + 1, 2, 0},
        {UINT64_C(1) << 32, 2, 0}, /* 2^64: 0 when it wraps */
        {UINT64_C(1) << 62, 1, 1},
        {(UINT64_C(1) << 62) + 1, 1, 0},
        {UINT64_MAX, 1, 0},
        {UINT64_MAX, 2, 0},
        {1664510, 3, 1}, /* the greatest cube */
        {1664511, 3, 0},
        {2, 64, 0},
        {4, UINT32_MAX, 0},
        {1, 1, 0},
        {1, 5, 0},
        {0, 1, 0},
        {5, 0, 0},
        {0, 0, 0},
    };
    int some_object;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_topology *network = (cn_topology *)(void *)&some_object;
        for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
            if (rows[i].fits) {
                assert_ok(cn_topology_kary_ncube(rows[i].k, rows[i].n, bidirectional, &network));
                cn_topology_free(&network);
                continue;
            }
            char part[32] = "n = 0";
            if (rows[i].k < 2 || rows[i].n > 0)
                snprintf(part, sizeof part, "k = %llu,", (unsigned long long)rows[i].k);
            assert_fails(cn_topology_kary_ncube(rows[i].k, rows[i].n, bidirectional, &network),
                         CN_ERR_ARGUMENT, part);
            assert_null(network);
        }
    }
    assert_fails(cn_topology_kary_ncube(1, 4, 0, &(cn_topology *){NULL}), CN_ERR_ARGUMENT, "k = 1");
    assert_fails(cn_topology_kary_ncube(4, 0, 0, &(cn_topology *){NULL}), CN_ERR_ARGUMENT, "n = 0");
    assert_fails(cn_topology_kary_ncube(4, 2, 0, NULL), CN_ERR_ARGUMENT, "topology");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_are_as_defined),
        cmocka_unit_test(rings_are_as_defined),
        cmocka_unit_test(radix_two_is_the_hypercube),
        cmocka_unit_test(name_tells_radix_and_dimensions),
        cmocka_unit_test(greatest_ring_works),
        cmocka_unit_test(greatest_powers_work),
        cmocka_unit_test(sizes_end_at_two_to_the_62),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
