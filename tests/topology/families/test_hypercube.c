#include "topology/adjacency.h"

#include <string.h>

static void small_cubes_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        cn_topology *cube;
        graph g;
        graph_open(&g, UINT32_C(1) << n, n);
        for (uint32_t v = 0; v < g.nodes; v++)
            for (uint32_t i = 0; i < n; i++)
                graph_join(&g, v, v ^ UINT32_C(1) << i);
        assert_ok(cn_topology_hypercube(n, &cube));
        assert_int_equal(cn_topology_dimensions(cube), n);
        graph_check(&g, cube, 1);
        cn_topology_free(&cube);
        graph_close(&g);
    }
}

static void name_tells_the_dimensions(void **state)
{
    (void)state;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(6, &cube));
    assert_string_equal(cn_topology_name(cube), "hypercube(6)");
    cn_topology_free(&cube);
    assert_ok(cn_topology_hypercube(62, &cube));
    assert_string_equal(cn_topology_name(cube), "hypercube(62)");
    cn_topology_free(&cube);
}

static void greatest_cube_works(void **state)
{
    (void)state;
    cn_topology *cube;
    uint64_t last = (UINT64_C(1) << 62) - 1, word, counts[63], sum = 0;
    uint32_t port, degree;
    double mean;
    size_t count;
    assert_ok(cn_topology_hypercube(62, &cube));
    assert_true(cn_topology_node_count(cube) == UINT64_C(1) << 62);
    assert_int_equal(cn_topology_max_degree(cube), 62);
    assert_ok(cn_topology_degree(cube, last, &degree));
    assert_int_equal(degree, 62);
    assert_ok(cn_topology_neighbor(cube, last, 61, &word));
    assert_true(word == last >> 1);
    assert_ok(cn_topology_port_to(cube, last >> 1, last, &port));
    assert_int_equal(port, 61);
    assert_ok(cn_topology_port_to(cube, 0, last, &port));
    assert_int_equal(port, CN_NO_PORT);
    assert_ok(cn_topology_distance(cube, 0, last, NULL, &word));
    assert_int_equal(word, 62);
    assert_ok(cn_topology_diameter(cube, NULL, &word));
    assert_int_equal(word, 62);
    assert_ok(cn_topology_mean_distance(cube, NULL, &mean)); /* 31 (1 + 2^-62 ...) */
    assert_near(mean, 31, 1e-14);
    assert_ok(cn_topology_distance_counts(cube, last, NULL, counts, 63, &count));
    assert_int_equal(count, 63);
    for (uint32_t h = 0; h <= 62; h++) {
        sum += counts[h];
        assert_true(counts[h] == counts[62 - h]);
    }
    assert_true(sum == UINT64_C(1) << 62);
    assert_true(counts[1] == 62 && counts[2] == 1891);
    assert_true(counts[31] == UINT64_C(465428353255261088)); /* C(62,31) */
    cn_topology_free(&cube);
}

static void links_overflow_from_sixty_dimensions_on(void **state)
{
    (void)state;
    for (uint32_t n = 58; n <= 62; n++) {
        cn_topology *cube;
        uint64_t links = 17;
        assert_ok(cn_topology_hypercube(n, &cube));
        if (n < 60) {
            assert_ok(cn_topology_link_count(cube, &links));
            assert_true(links == n * (UINT64_C(1) << (n - 1)));
        } else {
            assert_fails(cn_topology_link_count(cube, &links), CN_ERR_OVERFLOW,
                         "more than 2^64 - 1");
            assert_true(links == 17);
        }
        cn_topology_free(&cube);
    }
}

static void other_dimensions_are_refused(void **state)
{
    (void)state;
    int some_object;
    static const struct {
        uint32_t n;
        const char *text;
    } rows[] = {{0, "n = 0"}, {63, "n = 63"}, {64, "n = 64"}, {UINT32_MAX, "n = 4294967295"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_topology *cube = (cn_topology *)(void *)&some_object;
        assert_fails(cn_topology_hypercube(rows[i].n, &cube), CN_ERR_ARGUMENT, rows[i].text);
        assert_non_null(strstr(cn_last_error(), "1 to 62"));
        assert_null(cube);
    }
    assert_fails(cn_topology_hypercube(3, NULL), CN_ERR_ARGUMENT, "topology");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cubes_are_as_defined),
        cmocka_unit_test(name_tells_the_dimensions),
        cmocka_unit_test(greatest_cube_works),
        cmocka_unit_test(links_overflow_from_sixty_dimensions_on),
        cmocka_unit_test(other_dimensions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
