#include "routing/damage.h"

#include "cubenet/experimental/damage.h"
#include "support/limits.h"

#include <math.h>

static void check(const cn_faults *faults, cn_subnet *convex, cn_subnet *degraded, uint32_t n)
{
    unsigned char alive[DAMAGE_MOST_NODES];
    int says;
    assert_ok(cn_subnet_rebuild(convex, faults, NULL));
    assert_ok(cn_subnet_rebuild(degraded, faults, NULL));
    damage_read(faults, convex, n, alive);
    assert_true(damage_is_convex(faults, alive, n));
    assert_ok(cn_subnet_is_convex(convex, &says));
    assert_int_equal(says, 1);
    for (uint64_t v = 0; v < UINT64_C(1) << n; v++)
        assert_true(alive[v] || !damage_survives(degraded, v));
    damage_route_all(convex, n);
}

/* No working node that is disabled can be added alone. */
static void check_that_none_can_be_added(const cn_faults *faults, const cn_subnet *convex,
                                         uint32_t n)
{
    unsigned char alive[DAMAGE_MOST_NODES];
    damage_read(faults, convex, n, alive);
    for (uint64_t v = 0; v < UINT64_C(1) << n; v++) {
        if (alive[v] || cn_faults_has_node(faults, v))
            continue;
        alive[v] = 1;
        assert_false(damage_is_convex(faults, alive, n));
        alive[v] = 0;
    }
}

static void all_node_faults_of_small_cubes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *convex, *degraded;
        damage_open(n, &cube, &faults);
        assert_ok(cn_subnet_convex(faults, NULL, &convex));
        assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &degraded));
        for (uint64_t set = 0; set < UINT64_C(1) << (1 << n); set++) {
            damage_set_nodes(faults, set);
            check(faults, convex, degraded, n);
            if (set % 7 == 0)
                check_that_none_can_be_added(faults, convex, n);
        }
        cn_subnet_free(&convex);
        cn_subnet_free(&degraded);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void random_nodes_and_links(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *convex, *degraded;
        damage_open(n, &cube, &faults);
        assert_ok(cn_subnet_convex(faults, NULL, &convex));
        assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &degraded));
        for (uint64_t seed = 1; seed <= 40; seed++) {
            assert_ok(cn_faults_clear(faults));
            assert_ok(cn_faults_add_failing_nodes(faults, 0.01 * (double)(seed % 15), seed));
            assert_ok(cn_faults_add_failing_links(faults, 0.005 * (double)(seed % 11), seed));
            check(faults, convex, degraded, n);
            if (seed % 8 == 0)
                check_that_none_can_be_added(faults, convex, n);
        }
        cn_subnet_free(&convex);
        cn_subnet_free(&degraded);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

/* All safe, convex, and the rule never without a channel: the same thing, for any set of
 * survivors. */
static void the_theorem_holds(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    uint64_t random = 5, convex_sets = 0;
    damage_open(4, &cube, &faults);
    for (int run = 0; run < 3000; run++) {
        uint64_t dead = damage_random(&random) & damage_random(&random) & 0xffff, disabled[16];
        size_t count = 0;
        unsigned char alive[16];
        damage_set_nodes(faults, dead & damage_random(&random));
        assert_ok(cn_faults_add_random_links(faults, damage_random(&random) % 3, (uint64_t)run));
        for (uint64_t v = 0; v < 16; v++)
            if (dead >> v & 1)
                disabled[count++] = v;
        cn_subnet *subnet;
        assert_ok(cn_subnet_chosen(faults, disabled, count, &subnet));
        damage_read(faults, subnet, 4, alive);
        int convex, all_safe = 1, never_stuck = 1;
        for (uint64_t v = 0; v < 16; v++) {
            int safe;
            uint64_t channels;
            if (!alive[v])
                continue;
            assert_ok(cn_subnet_is_safe(subnet, v, &safe));
            all_safe &= safe;
            for (uint64_t w = 0; w < 16; w++)
                if (alive[w] && w != v)
                    never_stuck &= damage_next_hops(subnet, v, w, &channels) == CN_OK;
        }
        assert_ok(cn_subnet_is_convex(subnet, &convex));
        assert_int_equal(convex, damage_is_convex(faults, alive, 4));
        assert_int_equal(convex, all_safe);
        assert_int_equal(convex, never_stuck);
        convex_sets += (uint64_t)convex;
        cn_subnet_free(&subnet);
    }
    assert_true(convex_sets > 100 && convex_sets < 2900);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void figure_5_1(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *whole, *convex;
    /* table 5.1 */
    static const struct {
        uint64_t node, bad;
    } unsafe[] = {{0, 6}, {1, 10}, {5, 3}, {6, 7}, {11, 10}};
    size_t found = 0;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_chosen(faults, NULL, 0, &whole));
    for (uint64_t v = 0; v < 16; v++) {
        int safe;
        uint64_t status;
        if (cn_faults_has_node(faults, v)) {
            assert_fails(cn_subnet_is_safe(whole, v, &safe), CN_ERR_ARGUMENT, "not a survivor");
            continue;
        }
        assert_ok(cn_subnet_is_safe(whole, v, &safe));
        if (safe)
            continue;
        assert_ok(cn_subnet_neighbor_status(whole, v, &status));
        assert_true(found < 5 && v == unsafe[found].node && (~status & 15) == unsafe[found].bad);
        found++;
    }
    assert_int_equal(found, 5);
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_int_equal(cn_subnet_survivor_count(convex), 9);
    assert_false(damage_survives(convex, 6) || damage_survives(convex, 11));
    cn_subnet_free(&whole);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void figure_5_7(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *convex;
    damage_open(4, &cube, &faults);
    assert_ok(cn_faults_add_link(faults, 9, 2));
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_int_equal(cn_subnet_survivor_count(convex), 15);
    assert_true(damage_survives(convex, 9) != damage_survives(convex, 13));
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void nothing_left_and_nothing_broken(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *convex;
    uint64_t channels = 77;
    int says;
    damage_open(3, &cube, &faults);
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_int_equal(cn_subnet_survivor_count(convex), 8);
    assert_ok(cn_faults_add_failing_nodes(faults, 1, 1));
    assert_ok(cn_subnet_rebuild(convex, faults, NULL));
    assert_int_equal(cn_subnet_survivor_count(convex), 0);
    assert_ok(cn_subnet_is_convex(convex, &says));
    assert_int_equal(says, 1);
    assert_fails(damage_next_hops(convex, 0, 1, &channels), CN_ERR_DISCONNECTED, "bit in common");
    /* two that cannot reach each other: a connected half stays, or one of them */
    damage_set_nodes(faults, 0xff & ~(1u << 0 | 1u << 7));
    assert_ok(cn_subnet_rebuild(convex, faults, NULL));
    assert_int_equal(cn_subnet_survivor_count(convex), 1);
    damage_set_nodes(faults, 0xff & ~(1u << 0 | 1u << 6 | 1u << 7));
    assert_ok(cn_subnet_rebuild(convex, faults, NULL));
    assert_int_equal(cn_subnet_survivor_count(convex), 2);
    assert_ok(damage_next_hops(convex, 6, 7, &channels));
    assert_int_equal(channels, 1);
    channels = 77;
    assert_fails(damage_next_hops(convex, 6, 0, &channels), CN_ERR_DISCONNECTED, "bit in common");
    assert_int_equal(channels, 77);
    cn_subnet_free(&convex);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/*
 * Horng 1992, figures 5.5 and 5.8, as shares of all nodes. The expected ones come from an
 * independent program that simulated the heuristic without putting nodes back; that adds at most
 * 0.1 for n = 6 and 0.6 for n = 8, p = 0.1. Half-widths: 4 standard errors of these runs and the
 * last digit printed.
 */
static void shares_of_survivors(void **state)
{
    (void)state;
    enum { RUNS = 2000 };
    static const struct {
        uint32_t n;
        double p, degraded, convex, extra;
    } rows[] = {{6, 0.01, 98.65, 98.94, 0},  {6, 0.05, 70.6, 93.5, 0},  {6, 0.10, 22.6, 85.1, 0.1},
                {8, 0.01, 94.5, 98.9, 0.05}, {8, 0.05, 3.5, 91.7, 0.1}, {8, 0.10, 0, 76, 0.6}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *subnet[2];
        double sum[2] = {0}, squares[2] = {0};
        damage_open(rows[r].n, &cube, &faults);
        assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet[0]));
        assert_ok(cn_subnet_convex(faults, NULL, &subnet[1]));
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            assert_ok(cn_faults_clear(faults));
            assert_ok(cn_faults_add_failing_nodes(faults, rows[r].p, seed));
            for (int i = 0; i < 2; i++) {
                assert_ok(cn_subnet_rebuild(subnet[i], faults, NULL));
                double share =
                    100.0 * (double)cn_subnet_survivor_count(subnet[i]) / (double)(1 << rows[r].n);
                sum[i] += share;
                squares[i] += share * share;
            }
        }
        for (int i = 0; i < 2; i++) {
            double mean = sum[i] / RUNS;
            double error = sqrt((squares[i] / RUNS - mean * mean) / RUNS);
            double expected = i == 0 ? rows[r].degraded : rows[r].convex;
            assert_near(mean, expected + (i == 1 ? rows[r].extra / 2 : 0),
                        4 * error + 0.05 + (i == 1 ? rows[r].extra / 2 : 0));
            cn_subnet_free(&subnet[i]);
        }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static cn_status build_all(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_subnet *subnet = NULL, *copy = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(4, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_link(faults, 0, 1);
    if (status == CN_OK)
        status = cn_subnet_convex(faults, NULL, &subnet);
    if (status == CN_OK)
        status = cn_subnet_copy(subnet, &copy);
    cn_subnet_free(&subnet);
    if (status == CN_OK)
        status = cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &subnet);
    cn_subnet_free(&subnet);
    if (status == CN_OK)
        status = cn_subnet_chosen(faults, NULL, 0, &subnet);
    cn_subnet_free(&subnet);
    if (status == CN_OK)
        status = cn_subnet_optimum(faults, LIMITS(.steps = 100), &subnet, NULL, NULL);
    cn_subnet_free(&subnet);
    if (status == CN_OK)
        status = cn_subnet_update(copy, CN_CHANGE_REPAIR_LINK, 0, 1, NULL);
    cn_subnet_free(&copy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(build_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_node_faults_of_small_cubes),
        cmocka_unit_test(random_nodes_and_links),
        cmocka_unit_test(the_theorem_holds),
        cmocka_unit_test(figure_5_1),
        cmocka_unit_test(figure_5_7),
        cmocka_unit_test(nothing_left_and_nothing_broken),
        cmocka_unit_test(shares_of_survivors),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
