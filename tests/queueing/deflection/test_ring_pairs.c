/* Pairs that meet again on two rings: against two messages followed exactly, and against simulations. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "queueing/deflection/ring_pairs.h"

static cni_ring_pairs solve(uint32_t k, double load)
{
    cni_ring_pairs found;
    assert_int_equal(cni_ring_pairs_solve(k, load, NULL, &found), CN_OK);
    assert_true(isfinite(found.hops) && isfinite(found.created) && isfinite(found.lost) &&
                isfinite(found.together));
    return found;
}

static double mean_distance(uint32_t k)
{
    double nodes = (double)k * k;
    return (k - 1.0) * nodes / (nodes - 1.0);
}

/* ---- two messages alone ---- */

enum { LARGEST = 6, HEADERS = LARGEST * LARGEST };

typedef double two[HEADERS][HEADERS][LARGEST]; /* older, younger, how far apart in dimension 0 */

static double goes_first(uint32_t k, uint32_t header)
{
    return header / k > header % k ? 1.0 : header / k < header % k ? 0.0 : 0.5;
}

static uint32_t hop(uint32_t k, uint32_t header, int dimension)
{
    uint32_t x = header / k, y = header % k;
    return dimension == 0 ? (x + k - 1) % k * k + y : x * k + (y + k - 1) % k;
}

/* The younger one's hops that lead away, in a cycle of all pairs. */
static double cycle(uint32_t k, two now, two then)
{
    double astray = 0.0;
    memset(then, 0, sizeof(two));
    for (uint32_t a = 1; a < k * k; a++)
        for (uint32_t b = 1; b < k * k; b++)
            for (uint32_t apart = 0; apart < k; apart++)
                for (int ways = 0; ways < 4; ways++) {
                    int of_a = ways / 2, of_b = ways % 2;
                    double take_a = of_a == 0 ? goes_first(k, a) : 1.0 - goes_first(k, a);
                    double take_b = of_b == 0 ? goes_first(k, b) : 1.0 - goes_first(k, b);
                    if (apart == 0)
                        take_b = of_a != of_b;
                    double share = now[a][b][apart] * take_a * take_b;
                    uint32_t left = of_b == 0 ? b / k : b % k;
                    astray += left == 0 ? share : 0.0;
                    then[hop(k, a, of_a)][hop(k, b, of_b)]
                        [(apart + k + (of_a == 0) - (of_b == 0)) % k] += share;
                }
    return astray;
}

/* At a small load a message meets no more than one other. All that A is at B's creation: any age, any place. Hops that lead
 * away, by the load. */
static double astray_alone(uint32_t k)
{
    static two now, then;
    double each = 1.0 / (k * k - 1.0), older[HEADERS] = {0.0}, age[HEADERS], next[HEADERS];
    double left = 1.0, astray = 0.0;
    for (uint32_t h = 0; h < k * k; h++)
        age[h] = h > 0 ? each : 0.0;
    memset(now, 0, sizeof now);
    for (int t = 0; left > 0.0; t++) {
        for (uint32_t h = 1; h < k * k; h++)
            older[h] += t == 0 ? age[h] / 2.0 : age[h];
        memset(next, 0, sizeof next);
        for (uint32_t h = 1; h < k * k; h++) {
            next[hop(k, h, 0)] += age[h] * goes_first(k, h);
            next[hop(k, h, 1)] += age[h] * (1.0 - goes_first(k, h));
        }
        memcpy(age, next, sizeof age);
        left = 0.0;
        for (uint32_t h = 1; h < k * k; h++)
            left += age[h];
    }
    for (uint32_t a = 1; a < k * k; a++)
        for (uint32_t b = 1; b < k * k; b++)
            for (uint32_t apart = 0; apart < k; apart++) /* two in one node: once in both orders */
                now[a][b][apart] = each * (older[a] + (apart == 0 ? each / 2.0 : 0.0));
    for (int t = 0; t < 60 * (int)k; t++) {
        double here = t % 2 == 0 ? cycle(k, now, then) : cycle(k, then, now);
        astray += here;
    }
    return astray;
}

static void small_loads_are_two_messages(void **state)
{
    (void)state;
    static const double load = 1e-4;
    for (uint32_t k = 3; k <= LARGEST; k++) {
        double exact = astray_alone(k);
        double found = (solve(k, load).hops - mean_distance(k)) / k / load;
        assert_true(fabs(found / exact - 1.0) < 0.02); /* what A wants forgets its header */
    }
}

/* ---- limits ---- */

static void nobody_meets_without_load(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= 21; k += 9)
        for (double load = 1e-290; load < 1e-12; load *= 1e100) {
            cni_ring_pairs found = solve(k, load);
            assert_near(found.hops, mean_distance(k), 1e-9);
            assert_near(found.created / load, 1.0, 1e-9);
            assert_near(found.lost, 0.0, 1e-9);
            assert_near(found.together, solve(k, 1e-12).together, 1e-6);
        }
}

/* Then a node always has two messages. */
static void full_nodes(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= 7; k += 4) {
        cni_ring_pairs found = solve(k, 1e7);
        assert_near(found.created * found.hops, 2.0, 1e-6);
    }
}

/* Any load settles, and more load never means fewer hops, less throughput or fewer losses. */
static void more_load_more_of_all(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= 7; k += 4) {
        cni_ring_pairs before = {.hops = 0.0};
        for (double load = 1e-5; load < 1e6; load *= 4.7) {
            cni_ring_pairs found = solve(k, load);
            assert_true(found.hops > before.hops && found.lost > before.lost);
            assert_true(found.created > before.created * (1.0 - 1e-12));
            before = found;
        }
    }
}

static void check_value(void **state)
{
    (void)state;
    cni_ring_pairs found = solve(8, 0.3);
    assert_near(found.hops, 11.00884570, 1e-8);
    assert_near(found.created, 0.13239368, 1e-8);
}

/* ---- simulations ---- */

static void compare(uint64_t k, double share, uint64_t seed)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_result *model, *truth;
    assert_int_equal(cn_topology_kary_ncube(k, 2, 0, &topology), CN_OK);
    assert_int_equal(cn_scenario_new(topology, "deflection", &scenario), CN_OK);
    cn_scenario_set(scenario, CN_PARAM_LOAD, share * 2.0 / mean_distance((uint32_t)k));
    cn_scenario_set(scenario, CN_PARAM_BUFFERS, 2.0);
    cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN);
    cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 400.0);
    cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, floor(1e6 / (double)(k * k)));
    cn_scenario_set_seed(scenario, seed);
    assert_int_equal(cn_predict(scenario, NULL, &model), CN_OK);
    assert_int_equal(cn_simulate(scenario, NULL, &truth), CN_OK);
    static const cn_metric metrics[] = {CN_METRIC_MEAN_DELAY, CN_METRIC_THROUGHPUT,
                                        CN_METRIC_SECOND_PHASE_UTILIZATION,
                                        CN_METRIC_DEFLECTION_PROBABILITY};
    static const double bound[] = {0.015, 0.02, 0.03, 0.05};
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        double found = value_of(model, metrics[i]), expected = value_of(truth, metrics[i]);
        double doubt;
        assert_int_equal(cn_result_half_width(truth, metrics[i], &doubt), CN_OK);
        if (!(fabs(found - expected) <= bound[i] * expected + doubt))
            print_error("k %lu share %g metric %zu: %g, simulated %g +- %g\n", (unsigned long)k,
                        share, i, found, expected, doubt);
        assert_true(fabs(found - expected) <= bound[i] * expected + doubt);
    }
    cn_result_free(&model);
    cn_result_free(&truth);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void random_points_as_simulated(void **state)
{
    (void)state;
    uint64_t random = 25;
    for (uint64_t point = 0; point < 16; point++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double x = (double)(random >> 11) * 0x1p-53;
        compare(3 + point % 8, 0.1 * pow(500.0, x), point + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_loads_are_two_messages),
        cmocka_unit_test(nobody_meets_without_load),
        cmocka_unit_test(full_nodes),
        cmocka_unit_test(more_load_more_of_all),
        cmocka_unit_test(check_value),
        cmocka_unit_test(random_points_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
