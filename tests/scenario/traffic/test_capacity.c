/* The load that the channels carry. */
#include "support/support.h"

#include <math.h>

#include "scenario/traffic/traffic_bound.h"

static void check(cn_topology *topology, double expected)
{
    double distance;
    assert_ok(cn_topology_mean_distance(topology, NULL, &distance));
    assert_near(cni_capacity(topology), expected, 1e-14 * expected);
    assert_near(cni_capacity(topology) * distance, cn_topology_max_degree(topology), 1e-13);
    cn_topology_free(&topology);
}

static void capacity_is_channels_over_distance(void **state)
{
    (void)state;
    cn_topology *topology;
    for (uint32_t n = 1; n <= 12; n++) {
        assert_ok(cn_topology_hypercube(n, &topology));
        check(topology, 2.0 - pow(2.0, 1.0 - n));
    }
    /* one channel a node, distances 1..4 */
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &topology));
    check(topology, 1.0 / 2.5);
    /* two channels a node, distances 1 1 2 2 */
    assert_ok(cn_topology_kary_ncube(5, 1, 1, &topology));
    check(topology, 2.0 / 1.5);
    /* 4 x 4: 15 others, (0 + 1 + 2 + 3) 4 hops in each of the two dimensions */
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &topology));
    check(topology, 2.0 / (48.0 / 15.0));
}

static void capacity_is_exact_for_cubes(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double capacity;
    } cases[] = {{1, 1.0}, {2, 1.5}, {6, 1.96875}, {10, 1.998046875}, {62, 2.0}};
    for (size_t i = 0; i < 5; i++) {
        cn_topology *topology;
        assert_ok(cn_topology_hypercube(cases[i].n, &topology));
        assert_true(cni_capacity(topology) == cases[i].capacity);
        cn_topology_free(&topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity_is_channels_over_distance),
        cmocka_unit_test(capacity_is_exact_for_cubes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
