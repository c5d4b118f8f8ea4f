/* The system "wormhole": reference latencies, channel rates, saturation, and results that do not
 * depend on how a run is cut or shared out. */
#include "support/support.h"

#include <math.h>

static cn_scenario *wormhole(uint32_t n, uint32_t flits, uint32_t v, double fraction, double load)
{
    cn_scenario *scenario = cube_scenario("wormhole", n, load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, v));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, fraction));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    return scenario;
}

static cn_result *run(cn_scenario *scenario, double warmup, double cycles)
{
    cn_result *result = NULL;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, warmup));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, cycles));
    assert_ok(cn_simulate(scenario, NULL, &result));
    return result;
}

/* Mean broadcast latency of an independent simulator, which is within 0.5 %; the runs here are long
 * enough for about 1 % each. */
static void reference_latencies(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, v;
        double fraction, load, delay, cycles;
    } cases[] = {
        {6, 2, .01, .004, 215.9, 200000}, {6, 2, .01, .010, 250.5, 150000},
        {6, 2, .01, .016, 302.7, 150000}, {6, 2, .01, .025, 451.0, 200000},
        {6, 4, .02, .010, 276.7, 100000}, {6, 4, .02, .021, 507.0, 150000},
        {8, 4, .02, .007, 367.8, 25000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_scenario *scenario =
            wormhole(cases[i].n, 32, cases[i].v, cases[i].fraction, cases[i].load);
        cn_result *result = run(scenario, 5000, cases[i].cycles);
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST), cases[i].delay,
                    0.02 * cases[i].delay);
        assert_int_equal(cn_result_stop(result), CN_STOP_CYCLES);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* Each class of channel traffic: unicasts lambda_u d/n, copies from sources lambda_b, and replicas
 * lambda_b (2^n - 1 - n)/n, with the rates of unicasts and broadcasts that this run offered. */
static void channel_rates_follow_the_corrected_formula(void **state)
{
    (void)state;
    for (uint32_t n = 5; n <= 7; n++) {
        double nodes = (double)(1 << n), load = 0.4 / (32.0 * n), fraction = 0.05;
        cn_scenario *scenario = wormhole(n, 32, 2, fraction, load);
        cn_result *result = run(scenario, 2000, floor(2e7 / nodes / n));
        double distance = n * nodes / 2.0 / (nodes - 1.0), ratio = (nodes - 1.0 - n) / n;
        double broadcast = value_of(result, CN_METRIC_CHANNEL_RATE_BROADCAST);
        double replica = value_of(result, CN_METRIC_CHANNEL_RATE_REPLICA);
        double unicast = value_of(result, CN_METRIC_CHANNEL_RATE_UNICAST);
        double offered = value_of(result, CN_METRIC_OFFERED_LOAD);
        double rate = value_of(result, CN_METRIC_CHANNEL_MESSAGE_RATE);
        double expected = (offered - broadcast) * distance / n + broadcast * (1.0 + ratio);
        assert_near(replica, ratio * broadcast, 0.01 * replica);
        assert_near(unicast, (offered - broadcast) * distance / n, 0.01 * unicast);
        assert_near(rate, expected, 0.01 * expected);
        assert_near(rate, unicast + broadcast + replica, 1e-12);
        /* 2e7 load / n messages were expected, and a twentieth of them as broadcasts */
        double messages = 2e7 * load / n;
        assert_near(offered, load, 4.0 * load / sqrt(messages));
        assert_near(broadcast, fraction * load, 4.0 * fraction * load / sqrt(fraction * messages));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

static void what_a_result_holds(void **state)
{
    (void)state;
    cn_scenario *scenario = wormhole(5, 8, 3, 0.05, 0.02);
    cn_result *result = run(scenario, 1000, 60000);
    double unicast = value_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
    double broadcast = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST);
    double mean = value_of(result, CN_METRIC_MEAN_DELAY);
    assert_true(unicast < mean && mean < broadcast);
    assert_near(mean, 0.95 * unicast + 0.05 * broadcast, 0.05 * mean);
    assert_near(value_of(result, CN_METRIC_MEAN_HOPS), 5.0 * 16.0 / 31.0, 0.02);
    double rate = value_of(result, CN_METRIC_CHANNEL_MESSAGE_RATE);
    assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION), 8.0 * rate, 0.01 * 8.0 * rate);
    assert_true(value_of(result, CN_METRIC_WAITING_PER_HOP) > 0.0);
    double sharing = value_of(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING);
    assert_true(sharing > 1.0 && sharing < 3.0);
    assert_true(value_of(result, CN_METRIC_DELAY_P50) <= value_of(result, CN_METRIC_DELAY_P95));
    /* Little: messages present = rate times delay */
    double present = value_of(result, CN_METRIC_MEAN_QUEUE_LENGTH);
    assert_near(present, value_of(result, CN_METRIC_THROUGHPUT) * mean, 0.01 * present);
    assert_near(value_of(result, CN_METRIC_MESSAGES_ACCEPTED) -
                    value_of(result, CN_METRIC_MESSAGES_DELIVERED),
                value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT), 0.0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* At 115 % of saturation: in short runs rates still rise, and chance decides which run is called
 * saturated. */
static void only_full_queues_give_rates_half_widths(void **state)
{
    (void)state;
    size_t saturated = 0, covers = 0;
    for (int is_long = 0; is_long < 2; is_long++)
        for (uint64_t seed = 1; seed <= 30; seed++) {
            cn_scenario *scenario = wormhole(4, 32, 2, 0, 1.15 * 0.0426);
            assert_ok(cn_scenario_set_seed(scenario, seed));
            cn_result *result = run(scenario, 500, is_long ? 20000 : 2000);
            if (cn_result_is_saturated(result)) {
                double half_width = half_width_of(result, CN_METRIC_THROUGHPUT);
                saturated += !is_long;
                assert_true(is_long ? isfinite(half_width) : isinf(half_width));
                assert_int_equal(isinf(half_width_of(result, CN_METRIC_MEAN_HOPS)), !is_long);
                covers +=
                    is_long && fabs(value_of(result, CN_METRIC_THROUGHPUT) - 0.0426) <= half_width;
            }
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
    assert_true(saturated >= 10);
    assert_true(covers >= 26);
}

/* n = 6, M = 32, V = 2, beta = .01 saturates near .034, at two thirds of what the channels could
 * carry. */
static void saturation_is_recognised(void **state)
{
    (void)state;
    for (int replications = 1; replications <= 2; replications++) {
        cn_scenario *scenario = wormhole(6, 32, 2, .01, .040);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
        cn_result *result = run(scenario, 2000, 60000);
        assert_int_equal(cn_result_stop(result), CN_STOP_SATURATED);
        assert_true(cn_result_is_saturated(result));
        assert_false(cn_result_has(result, CN_METRIC_MEAN_DELAY));
        assert_false(cn_result_has(result, CN_METRIC_MEAN_DELAY_UNICAST));
        assert_false(cn_result_has(result, CN_METRIC_MEAN_DELAY_BROADCAST));
        assert_false(cn_result_has(result, CN_METRIC_MEAN_QUEUE_LENGTH));
        assert_false(cn_result_has(result, CN_METRIC_DELAY_P50));
        assert_near(value_of(result, CN_METRIC_THROUGHPUT), .034, .002);
        assert_near(value_of(result, CN_METRIC_OFFERED_LOAD), .040, .001);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    for (int i = 0; i < 2; i++) { /* and not where there is a steady state */
        cn_scenario *scenario = wormhole(6, 32, 2, .01, i == 0 ? .004 : .030);
        cn_result *result = run(scenario, i == 0 ? 0 : 3000, i == 0 ? 3000 : 30000);
        assert_int_equal(cn_result_stop(result), CN_STOP_CYCLES);
        assert_true(cn_result_has(result, CN_METRIC_MEAN_DELAY));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* What happens to be under way at the end of a short run of few messages is no sign of it: a tenth
 * of what the channels carry, and less. */
/* The greatest loads that are run end before they fill the memory, in the warm-up as well; greater
 * ones are not run at all. */
static void an_absurd_load_ends_early(void **state)
{
    (void)state;
    for (int replications = 1; replications <= 2; replications++) {
        cn_scenario *scenario = wormhole(4, 32, 2, .01, 4.0 / 32);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
        cn_result *result = run(scenario, 1000000000, 1000000000);
        assert_int_equal(cn_result_stop(result), CN_STOP_SATURATED);
        assert_false(cn_result_has(result, CN_METRIC_MEAN_DELAY));
        assert_true(value_of(result, CN_METRIC_CYCLES) < 40000 * replications);
        cn_result_free(&result);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.126));
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSTABLE,
                     "4 channels a node carries more than 0.125 messages of 32 flits");
        cn_scenario_free(&scenario);
    }
}

static void few_messages_are_no_saturation(void **state)
{
    (void)state;
    static const double loads[] = {1e-4, 1e-3, 1e-3, 1e-2}, cycles[] = {10000, 2000, 20000, 1000};
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            cn_scenario *scenario = wormhole(i == 3 ? 3 : 4, 32, 2, 0, loads[i]);
            assert_ok(cn_scenario_set_seed(scenario, seed));
            cn_result *result = run(scenario, 250, cycles[i]);
            assert_int_equal(cn_result_stop(result), CN_STOP_CYCLES);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
}

/* A run that would never end by itself is cut short when its queues are full enough. */
static void an_overloaded_run_ends_early(void **state)
{
    (void)state;
    cn_scenario *scenario = wormhole(4, 16, 2, 0, 0.25);
    cn_result *result = run(scenario, 1000, 1e12);
    assert_int_equal(cn_result_stop(result), CN_STOP_SATURATED);
    assert_true(value_of(result, CN_METRIC_CYCLES) < 1e5);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* Broadcasts are fewer than messages: their mean decides when the run is precise enough. */
static void precision_is_that_of_broadcasts_too(void **state)
{
    (void)state;
    cn_scenario *scenario = wormhole(4, 8, 2, .02, .02);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.02));
    cn_result *result = run(scenario, 500, 1e7);
    static const cn_metric watched[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY,
                                        CN_METRIC_MEAN_DELAY_BROADCAST};
    assert_int_equal(cn_result_stop(result), CN_STOP_PRECISION);
    for (size_t i = 0; i < 3; i++)
        assert_true(half_width_of(result, watched[i]) <= 0.02 * value_of(result, watched[i]));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void results_do_not_depend_on_cuts_or_threads(void **state)
{
    (void)state;
    cn_result *results[4] = {NULL};
    cn_scenario *scenario = wormhole(4, 16, 3, .05, .02);
    results[0] = run(scenario, 500, 9500);
    for (uint64_t part = 1; part <= 977; part += 976) {
        cn_sim *sim = NULL;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        for (uint64_t c = 0; c < 10000; c += part)
            assert_ok(cn_sim_step(sim, part < 10000 - c ? part : 10000 - c, NULL));
        assert_ok(cn_sim_result(sim, &results[1]));
        assert_same_result(results[0], results[1]);
        cn_result_free(&results[1]);
        cn_sim_close(&sim);
    }
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 5));
    for (int threads = 1; threads <= 3; threads++) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
        results[threads] = run(scenario, 500, 3000);
        assert_same_result(results[1], results[threads]);
    }
    for (int i = 0; i < 4; i++)
        cn_result_free(&results[i]);
    cn_scenario_free(&scenario);
}

/* One base for all trees has half of the copies in the last dimension, which is full at a third of
 * the load. */
static void one_base_for_all_trees_saturates_early(void **state)
{
    (void)state;
    for (int base = CN_BASE_RANDOM; base <= CN_BASE_ROUND_ROBIN; base++) {
        cn_scenario *scenario = wormhole(6, 32, 2, 0.1, 0.013);
        cn_result *result;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_BASE, base));
        if (base == CN_BASE_FIXED)
            assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                         "broadcast_base = fixed, but the models of wormhole cover bases");
        result = run(scenario, 2000, 20000);
        assert_int_equal(cn_result_is_saturated(result), base == CN_BASE_FIXED);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

static void a_base_needs_a_whole_cube(void **state)
{
    (void)state;
    cn_topology *torus;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_scenario_new(torus, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.001));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_BASE, CN_BASE_ROUND_ROBIN));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "broadcast_base = round-robin, but wormhole has only: random");
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_latencies),
        cmocka_unit_test(channel_rates_follow_the_corrected_formula),
        cmocka_unit_test(what_a_result_holds),
        cmocka_unit_test(only_full_queues_give_rates_half_widths),
        cmocka_unit_test(saturation_is_recognised),
        cmocka_unit_test(an_absurd_load_ends_early),
        cmocka_unit_test(few_messages_are_no_saturation),
        cmocka_unit_test(an_overloaded_run_ends_early),
        cmocka_unit_test(precision_is_that_of_broadcasts_too),
        cmocka_unit_test(results_do_not_depend_on_cuts_or_threads),
        cmocka_unit_test(one_base_for_all_trees_saturates_early),
        cmocka_unit_test(a_base_needs_a_whole_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
