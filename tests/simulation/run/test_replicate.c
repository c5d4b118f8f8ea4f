/* When a run ends, several runs at once, and whether the half-widths mean what they say. */
#include "support/support.h"

#include <math.h>

static cn_scenario *deflection_on_cube(uint32_t n, double load, double buffers, double precision,
                                       double cycles)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 1000));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, precision));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, cycles));
    cn_topology_free(&topology);
    return scenario;
}

static void a_run_ends_when_it_is_precise(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(6, 1.5, 12, 0.01, 1e7);
    cn_result *loose, *tight;
    assert_ok(cn_simulate(scenario, NULL, &loose));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.004));
    assert_ok(cn_simulate(scenario, NULL, &tight));
    static const cn_metric watched[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY};
    for (size_t i = 0; i < 2; i++) {
        assert_true(half_width_of(loose, watched[i]) <= 0.01 * value_of(loose, watched[i]));
        assert_true(half_width_of(tight, watched[i]) <= 0.004 * value_of(tight, watched[i]));
    }
    assert_int_equal(cn_result_stop(loose), CN_STOP_PRECISION);
    assert_int_equal(cn_result_stop(tight), CN_STOP_PRECISION);
    assert_true(value_of(tight, CN_METRIC_CYCLES) > value_of(loose, CN_METRIC_CYCLES));
    assert_true(value_of(tight, CN_METRIC_CYCLES) < 1e6);
    cn_result_free(&loose);
    cn_result_free(&tight);
    cn_scenario_free(&scenario);
}

/* However coarse the wish, half of all batches must be complete. */
static void precision_needs_enough_batches(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(6, 1.5, 12, 1.0, 1e7);
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_PRECISION);
    assert_near(value_of(result, CN_METRIC_CYCLES), 1000 + 32 * 32, 0);
    cn_result_free(&result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_PRECISION);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void a_short_run_says_that_it_knows_little(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(6, 1.5, 12, 0, 20);
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_CYCLES);
    assert_true(isinf(half_width_of(result, CN_METRIC_THROUGHPUT)));
    assert_near(value_of(result, CN_METRIC_CYCLES), 1020, 0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void replications_do_not_depend_on_threads(void **state)
{
    (void)state;
    cn_result *results[3];
    static const double threads[3] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        cn_scenario *scenario = deflection_on_cube(4, 1.5, 5, 0, 500);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 7));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads[i]));
        assert_ok(cn_simulate(scenario, NULL, &results[i]));
        cn_scenario_free(&scenario);
    }
    for (int i = 1; i < 3; i++)
        for (size_t m = 1; m <= cn_metric_count(); m++) {
            cn_metric metric = (cn_metric)m;
            assert_int_equal(cn_result_has(results[0], metric), cn_result_has(results[i], metric));
            if (!cn_result_has(results[0], metric))
                continue;
            assert_true(value_of(results[0], metric) == value_of(results[i], metric));
            assert_true(half_width_of(results[0], metric) == half_width_of(results[i], metric));
        }
    assert_near(value_of(results[0], CN_METRIC_CYCLES), 7 * 1500, 0);
    assert_int_equal(cn_result_stop(results[0]), CN_STOP_CYCLES);
    for (int i = 0; i < 3; i++)
        cn_result_free(&results[i]);
}

static void replications_differ(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(4, 1.5, 5, 0, 500);
    cn_result *one, *two;
    assert_ok(cn_simulate(scenario, NULL, &one));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 2));
    assert_ok(cn_simulate(scenario, NULL, &two));
    assert_true(half_width_of(two, CN_METRIC_THROUGHPUT) > 0.0);
    assert_true(value_of(one, CN_METRIC_THROUGHPUT) != value_of(two, CN_METRIC_THROUGHPUT));
    cn_result_free(&one);
    cn_result_free(&two);
    cn_scenario_free(&scenario);
}

/* Delays of messages that queue together are alike, so a quantile is known far less well than its
 * number of messages says: 4-cube near capacity with many buffers. */
static void quantiles_of_replications_allow_for_correlation(void **state)
{
    (void)state;
    cn_scenario *scenario = deflection_on_cube(4, 1.88, 300, 0, 4000);
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 10));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_true(half_width_of(result, CN_METRIC_MEAN_DELAY) > 2.0);
    assert_true(half_width_of(result, CN_METRIC_DELAY_P50) > 2.0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/*
 * Does the 95 % interval hold the truth 95 times in a hundred? 400 short runs against one of a
 * thousand times their length. The count is binomial: 380 +- 4.36, so 361..396 is all but certain
 * (p > 0.9999) when the half-widths are right; batch means of a finite run stay a little below.
 */
static void check_coverage(double load, double buffers, double replications, double cycles,
                           int metrics)
{
    enum { RUNS = 400 };
    static const cn_metric watched[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY, CN_METRIC_POWER,
                                        CN_METRIC_ACCEPTANCE_PROBABILITY};
    cn_scenario *scenario = deflection_on_cube(4, load, buffers, 0, 2e5);
    cn_result *truth, *result;
    int inside[4] = {0};
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
    assert_ok(cn_simulate(scenario, NULL, &truth));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, cycles));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
    for (uint64_t seed = 100; seed < 100 + RUNS; seed++) {
        assert_ok(cn_scenario_set_seed(scenario, seed));
        assert_ok(cn_simulate(scenario, NULL, &result));
        for (int i = 0; i < metrics; i++)
            inside[i] += fabs(value_of(result, watched[i]) - value_of(truth, watched[i])) <=
                         half_width_of(result, watched[i]);
        cn_result_free(&result);
    }
    for (int i = 0; i < metrics; i++) {
        if (inside[i] < 361 || inside[i] > 396)
            print_error("%s: %d of %d inside\n", cn_metric_name(watched[i]), inside[i], RUNS);
        assert_in_range(inside[i], 361, 396);
    }
    cn_result_free(&truth);
    cn_scenario_free(&scenario);
}

static void half_widths_cover_the_truth(void **state)
{
    (void)state;
    skip_under_sanitizers();
    check_coverage(1.2, 6, 1, 1600, 4);
    check_coverage(1.2, 6, 8, 200, 4);
    /* Batches of 50 to 100 cycles, and queues that last as long. What is refused then comes in rare
     * bursts, too far from normal for any interval of this kind. */
    check_coverage(1.6, 40, 1, 3200, 3);
}

/* Worms close to saturation, where the state of the network takes thousands of cycles to change: a
 * short run says that it is not settled, and only delays suffer from that. */
static void a_run_that_is_too_short_is_not_settled(void **state)
{
    (void)state;
    static const double cycles[] = {2000, 300000};
    for (int i = 0; i < 2; i++) {
        cn_scenario *scenario = cube_scenario("wormhole", 4, 0.04);
        cn_result *result;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, cycles[i]));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_int_equal(cn_result_is_settled(result), i);
        assert_int_equal(cn_result_is_saturated(result), 0);
        assert_int_equal(isfinite(half_width_of(result, CN_METRIC_MEAN_DELAY)) != 0, i);
        assert_int_equal(isfinite(half_width_of(result, CN_METRIC_MEAN_QUEUE_LENGTH)) != 0, i);
        assert_true(isfinite(half_width_of(result, CN_METRIC_THROUGHPUT)));
        assert_true(isfinite(half_width_of(result, CN_METRIC_MEAN_HOPS)));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_when_it_is_precise),
        cmocka_unit_test(precision_needs_enough_batches),
        cmocka_unit_test(quantiles_of_replications_allow_for_correlation),
        cmocka_unit_test(a_short_run_says_that_it_knows_little),
        cmocka_unit_test(replications_do_not_depend_on_threads),
        cmocka_unit_test(replications_differ),
        cmocka_unit_test(a_run_that_is_too_short_is_not_settled),
        cmocka_unit_test(half_widths_cover_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
