#include "routing/damage.h"

#include "cubenet/experimental/damage.h"
#include "support/limits.h"

/* The size of a largest convex subnet of a 3-cube: all subsets of its nodes. */
static uint64_t try_all_subsets(const cn_faults *faults)
{
    uint64_t best = 0;
    for (unsigned set = 0; set < 256; set++) {
        unsigned char alive[8];
        uint64_t size = 0;
        int allowed = 1;
        for (uint32_t v = 0; v < 8; v++) {
            alive[v] = set >> v & 1;
            size += alive[v];
            allowed &= !alive[v] || !cn_faults_has_node(faults, v);
        }
        if (allowed && size > best && damage_is_convex(faults, alive, 3))
            best = size;
    }
    return best;
}

static void three_cubes_against_all_subsets(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    damage_open(3, &cube, &faults);
    for (uint64_t seed = 0; seed < 400; seed++) {
        cn_subnet *subnet;
        uint64_t upper;
        unsigned char alive[8];
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, seed % 5, seed));
        assert_ok(cn_faults_add_random_links(faults, seed % 7, seed));
        assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = 1000), &subnet, &upper, NULL));
        damage_read(faults, subnet, 3, alive);
        assert_true(damage_is_convex(faults, alive, 3));
        assert_int_equal(cn_subnet_survivor_count(subnet), try_all_subsets(faults));
        assert_int_equal(upper, cn_subnet_survivor_count(subnet));
        cn_subnet_free(&subnet);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* All sets of at least `size` survivors of figure 5.1 that are convex. */
static void figure_5_1_has_one_best_subnet(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    uint64_t upper, found = 0;
    damage_figure_5_1(&cube, &faults);
    for (unsigned set = 0; set < 1u << 16; set++) {
        unsigned char alive[16];
        int size = 0, allowed = 1;
        for (uint32_t v = 0; v < 16; v++) {
            alive[v] = set >> v & 1;
            size += alive[v];
            allowed &= !alive[v] || !cn_faults_has_node(faults, v);
        }
        if (!allowed || size < 9 || !damage_is_convex(faults, alive, 4))
            continue;
        assert_int_equal(size, 9);
        assert_false(alive[6] || alive[11]);
        found++;
    }
    assert_int_equal(found, 1);
    assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = 1000), &subnet, &upper, NULL));
    assert_int_equal(upper, 9);
    assert_int_equal(cn_subnet_survivor_count(subnet), 9);
    assert_false(damage_survives(subnet, 6) || damage_survives(subnet, 11));
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* Whatever the budget: heuristic <= found <= optimum <= upper. */
static void bounds_hold_when_the_budget_ends(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    uint64_t ended_early = 0;
    damage_open(5, &cube, &faults);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cn_subnet *best, *heuristic;
        uint64_t exact, upper, used;
        unsigned char alive[32];
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, 5 + seed % 5, seed));
        assert_ok(cn_faults_add_random_links(faults, seed % 4, seed));
        assert_ok(cn_subnet_convex(faults, NULL, &heuristic));
        assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = UINT64_MAX), &best, &upper, &used));
        exact = cn_subnet_survivor_count(best);
        assert_int_equal(upper, exact);
        damage_read(faults, best, 5, alive);
        assert_true(damage_is_convex(faults, alive, 5));
        cn_subnet_free(&best);
        for (uint64_t budget = 1; budget < used; budget = 2 * budget + 1) {
            assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = budget), &best, &upper, NULL));
            assert_true(cn_subnet_survivor_count(best) >= cn_subnet_survivor_count(heuristic));
            assert_true(cn_subnet_survivor_count(best) <= exact && exact <= upper);
            ended_early += upper > exact;
            cn_subnet_free(&best);
        }
        cn_subnet_free(&heuristic);
    }
    assert_true(ended_early > 0);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* With faulty links: the default budget suffices, and exchange comes near the optimum. */
static void near_the_optimum(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 6; n++) {
        cn_topology *cube;
        cn_faults *faults;
        uint64_t kept = 0, most = 0, exact = 0, nodes = UINT64_C(1) << n;
        damage_open(n, &cube, &faults);
        for (uint64_t seed = 1; seed <= 120; seed++) {
            cn_subnet *best, *heuristic;
            uint64_t upper;
            assert_ok(cn_faults_clear(faults));
            assert_ok(cn_faults_add_random_nodes(faults, seed / 7 % (nodes / 8 + 1), seed));
            assert_ok(cn_faults_add_random_links(faults, 1 + seed % (nodes / 4 + 1), seed));
            assert_ok(cn_subnet_convex(faults, NULL, &heuristic));
            assert_ok(cn_subnet_optimum(faults, NULL, &best, &upper, NULL));
            kept += cn_subnet_survivor_count(heuristic);
            most += cn_subnet_survivor_count(best);
            exact += upper == cn_subnet_survivor_count(best);
            cn_subnet_free(&heuristic);
            cn_subnet_free(&best);
        }
        assert_int_equal(exact, 120);
        assert_true(100 * kept >= (n < 5 ? 99 : 98) * most);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    damage_open(7, &cube, &faults);
    assert_fails(cn_subnet_optimum(faults, LIMITS(.steps = 10), &subnet, NULL, NULL),
                 CN_ERR_UNSUPPORTED, "at most 6");
    assert_null(subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    damage_open(6, &cube, &faults);
    assert_ok(cn_subnet_optimum(faults, NULL, &subnet, NULL, NULL));
    cn_subnet_free(&subnet);
    assert_ok(cn_subnet_optimum(faults, LIMITS(.steps = 1), &subnet, NULL, NULL));
    assert_int_equal(cn_subnet_survivor_count(subnet), 64);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_cubes_against_all_subsets),
        cmocka_unit_test(figure_5_1_has_one_best_subnet),
        cmocka_unit_test(bounds_hold_when_the_budget_ends),
        cmocka_unit_test(near_the_optimum),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
