#include "topology/oracle.h"

static const uint64_t shapes[][4] = {
    {2, 0, 0, 0}, {3, 0, 0, 0}, {7, 0, 0, 0}, {2, 3, 0, 0}, {3, 2, 0, 0}, {4, 3, 0, 0},
    {5, 5, 0, 0}, {4, 4, 0, 0}, {2, 2, 3, 0}, {3, 2, 4, 0}, {2, 5, 2, 3}, {3, 3, 3, 0},
    {2, 2, 2, 0}, {6, 2, 0, 0}, {2, 2, 2, 2}, {5, 4, 3, 0},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static uint32_t dimensions(const uint64_t shape[4])
{
    uint32_t n = 0;
    while (n < 4 && shape[n] > 0)
        n++;
    return n;
}

static void every_shape(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        cn_topology *t;
        assert_ok(cn_topology_torus(shapes[s], dimensions(shapes[s]), &t));
        oracle_check_network(t);
        assert_ok(cn_topology_mesh(shapes[s], dimensions(shapes[s]), &t));
        oracle_check_network(t);
    }
}

/* Neighbours differ by one in one digit; only a torus joins the first to the last. */
static void neighbors_by_digits(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int torus = 0; torus < 2; torus++) {
            uint32_t n = dimensions(shapes[s]);
            cn_topology *t;
            assert_ok(torus ? cn_topology_torus(shapes[s], n, &t)
                            : cn_topology_mesh(shapes[s], n, &t));
            uint64_t nodes = cn_topology_node_count(t);
            for (uint64_t u = 0; u < nodes; u++)
                for (uint64_t v = 0; v < nodes; v++) {
                    uint64_t a[4], b[4], differing = 0, steps = 0;
                    uint32_t port;
                    assert_ok(cn_topology_digits(t, u, a, 4, NULL));
                    assert_ok(cn_topology_digits(t, v, b, 4, NULL));
                    for (uint32_t i = 0; i < n; i++) {
                        uint64_t apart = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
                        differing += apart > 0;
                        steps += torus && apart == shapes[s][i] - 1 && apart > 0 ? 1 : apart;
                    }
                    assert_ok(cn_topology_port_to(t, u, v, &port));
                    assert_int_equal(port != CN_NO_PORT, differing == 1 && steps == 1);
                }
            cn_topology_free(&t);
        }
}

static void equal_radices_are_the_cube(void **state)
{
    (void)state;
    const uint64_t threes[] = {3, 3}, twos[] = {2, 2, 2};
    cn_topology *t, *cube;
    assert_ok(cn_topology_torus(threes, 2, &t));
    assert_ok(cn_topology_kary_ncube(3, 2, 1, &cube));
    assert_string_equal(cn_topology_name(t), "torus([3,3])");
    for (uint64_t v = 0; v < 9; v++)
        for (uint32_t p = 0; p < 4; p++) {
            uint64_t a, b;
            assert_ok(cn_topology_neighbor(t, v, p, &a));
            assert_ok(cn_topology_neighbor(cube, v, p, &b));
            assert_int_equal(a, b);
        }
    cn_topology_free(&t);
    cn_topology_free(&cube);
    assert_ok(cn_topology_mesh(twos, 3, &t));
    for (uint64_t v = 0; v < 8; v++)
        for (uint32_t p = 0; p < 3; p++) {
            uint64_t a;
            assert_ok(cn_topology_neighbor(t, v, p, &a));
            assert_int_equal(a, v ^ (1u << p));
        }
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    const uint64_t one[] = {3, 1}, large[] = {UINT64_C(1) << 40, UINT64_C(1) << 40};
    uint64_t many[63];
    cn_topology *t;
    for (int i = 0; i < 63; i++)
        many[i] = 2;
    assert_fails(cn_topology_torus(one, 2, &t), CN_ERR_ARGUMENT, "radices[1] = 1");
    assert_null(t);
    assert_fails(cn_topology_mesh(one, 2, &t), CN_ERR_ARGUMENT, "radices[1] = 1");
    assert_fails(cn_topology_torus(large, 2, &t), CN_ERR_ARGUMENT, "2^62");
    assert_fails(cn_topology_mesh(many, 0, &t), CN_ERR_ARGUMENT, "n = 0");
    assert_fails(cn_topology_mesh(many, 63, &t), CN_ERR_ARGUMENT, "n = 63");
    assert_fails(cn_topology_mesh(NULL, 2, &t), CN_ERR_ARGUMENT, "radices");
    assert_ok(cn_topology_mesh(many, 62, &t));
    cn_topology_free(&t);
}

/* Far too large for any search: everything is computed. */
static void huge(void **state)
{
    (void)state;
    const uint64_t radices[] = {1000000007, 1000, 999};
    cn_topology *t;
    uint64_t hops;
    assert_ok(cn_topology_mesh(radices, 3, &t));
    assert_ok(cn_topology_distance(t, 0, cn_topology_node_count(t) - 1, NULL, &hops));
    assert_int_equal(hops, 1000000006 + 999 + 998);
    cn_topology_free(&t);
    assert_ok(cn_topology_torus(radices, 3, &t));
    assert_ok(cn_topology_diameter(t, NULL, &hops));
    assert_int_equal(hops, 500000003 + 500 + 499);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape),
        cmocka_unit_test(neighbors_by_digits),
        cmocka_unit_test(equal_radices_are_the_cube),
        cmocka_unit_test(errors),
        cmocka_unit_test(huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
