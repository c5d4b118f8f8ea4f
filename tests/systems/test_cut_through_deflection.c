/* The system "cut-through-deflection": the model beside the simulation, what it says without load
 * and with too much, and where there is none. */
#include "support/support.h"

#include <math.h>

static cn_scenario *scenario_on(uint64_t k, uint32_t n, double buffers, double flits, double share)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    assert_ok(cn_topology_kary_ncube(k, n, 0, &topology));
    assert_ok(cn_scenario_new(topology, "cut-through-deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD,
                              2.0 * share / (double)(k - 1) / (n + flits - 1.0)));
    cn_topology_free(&topology);
    return scenario;
}

/* Loads as shares of what the channels carry. */
static void model_and_simulation_agree(void **state)
{
    (void)state;
    static const struct {
        uint32_t k, n;
        double buffers, flits, share;
    } cases[] = {{2, 6, 12, 32, 0.4}, {2, 6, 12, 4, 0.9},  {2, 4, 8, 1, 0.7},  {2, 6, 14, 8, 1.5},
                 {8, 2, 4, 16, 0.9},  {8, 2, 6, 32, 0.5},  {4, 3, 6, 8, 2.5},  {3, 4, 8, 128, 0.8},
                 {2, 8, 16, 16, 0.6}, {4, 2, 4, 100, 0.3}, {2, 6, 6, 32, 0.8}, {5, 2, 5, 2, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_result *model = NULL, *run = NULL;
        cn_scenario *scenario =
            scenario_on(cases[i].k, cases[i].n, cases[i].buffers, cases[i].flits, cases[i].share);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES,
                                  2500.0 * (cases[i].n + cases[i].flits)));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.008));
        assert_ok(cn_predict(scenario, NULL, &model));
        assert_ok(cn_simulate(scenario, NULL, &run));
        static const cn_metric close[] = {CN_METRIC_MEAN_DELAY, CN_METRIC_THROUGHPUT,
                                          CN_METRIC_CHANNEL_UTILIZATION,
                                          CN_METRIC_ACCEPTANCE_PROBABILITY, CN_METRIC_MEAN_HOPS};
        for (size_t c = 0; c < sizeof close / sizeof close[0]; c++)
            assert_near(value_of(model, close[c]) / value_of(run, close[c]), 1.0, 0.03);
        assert_near(value_of(model, CN_METRIC_DEFLECTION_PROBABILITY),
                    value_of(run, CN_METRIC_DEFLECTION_PROBABILITY), 0.01);
        assert_near(value_of(model, CN_METRIC_MEAN_DISTANCE) /
                        value_of(run, CN_METRIC_MEAN_DISTANCE),
                    1.0, 0.02);
        /* Little's law, and m mini-cycles for the tail */
        for (int m = 0; m < 2; m++) {
            const cn_result *result = m == 0 ? model : run;
            double queue = value_of(result, CN_METRIC_MEAN_QUEUE_LENGTH);
            assert_near(value_of(result, CN_METRIC_THROUGHPUT) *
                            (value_of(result, CN_METRIC_MEAN_DELAY) - cases[i].flits + 1.0) / queue,
                        1.0, m == 0 ? 1e-4 : 0.02);
        }
        cn_result_free(&model);
        cn_result_free(&run);
        cn_scenario_free(&scenario);
    }
}

/* A message alone, created at the end of any mini-cycle, with any header. */
static double delay_alone(uint64_t k, uint32_t n, uint64_t tail)
{
    uint64_t headers = 1, sum = 0, period = n + tail;
    for (uint32_t i = 0; i < n; i++)
        headers *= k;
    for (uint64_t header = 1; header < headers; header++)
        for (uint64_t begin = 0; begin < period; begin++) {
            uint64_t rest = header, cycle = begin;
            for (; rest != 0; cycle++) {
                uint64_t step = 1;
                for (uint64_t i = 0; i < cycle % period; i++)
                    step *= k;
                if (cycle % period < n && rest / step % k != 0)
                    rest -= step;
            }
            sum += cycle - begin + tail;
        }
    return (double)sum / (double)(headers - 1) / (double)period;
}

static void without_load_the_model_is_exact(void **state)
{
    (void)state;
    static const uint64_t cases[][3] = {{2, 4, 5},  {2, 5, 0},  {8, 2, 3},
                                        {4, 3, 12}, {16, 1, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cn_result *model = NULL;
        double flits = (double)cases[i][2] + 1.0;
        double exact = delay_alone(cases[i][0], (uint32_t)cases[i][1], cases[i][2]);
        cn_scenario *scenario = scenario_on(cases[i][0], (uint32_t)cases[i][1], 6, flits, 0.0);
        assert_ok(cn_predict(scenario, NULL, &model));
        assert_near(value_of(model, CN_METRIC_MEAN_DELAY), exact, 1e-3 * exact);
        assert_near(value_of(model, CN_METRIC_MEAN_HOPS), value_of(model, CN_METRIC_MEAN_DISTANCE),
                    1e-3);
        assert_true(value_of(model, CN_METRIC_THROUGHPUT) == 0.0);
        assert_true(value_of(model, CN_METRIC_ACCEPTANCE_PROBABILITY) > 0.9999);
        cn_result_free(&model);
        cn_scenario_free(&scenario);
    }
}

static void the_limit_is_what_it_delivers_at_any_load(void **state)
{
    (void)state;
    double limit = 0.0, lower, upper;
    cn_scenario *scenario = scenario_on(2, 4, 10, 8, 1.0);
    assert_ok(cn_saturation_load(scenario, NULL, &limit));
    assert_ok(cn_simulated_saturation_load(scenario, 0.02, NULL, &lower, &upper));
    assert_true(limit > 0.97 * lower && limit < 1.03 * upper);
    cn_scenario_free(&scenario);
}

static void where_there_is_no_model_it_says_so(void **state)
{
    (void)state;
    cn_result *result = NULL;
    cn_topology *torus = NULL;
    cn_scenario *scenario = scenario_on(2, 5, 65, 8, 1.0);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "buffers = 65");
    cn_scenario_free(&scenario);
    scenario = scenario_on(2, 13, 20, 8, 1.0);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "4096 nodes");
    cn_scenario_free(&scenario);
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    assert_ok(cn_scenario_new(torus, "cut-through-deflection", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "one-way rings");
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
}

/* With one channel and long messages it is busy all the time. */
static void a_full_channel_is_busy_with_probability_1(void **state)
{
    (void)state;
    for (uint64_t k = 2; k <= 32; k += 10)
        for (double flits = 32; flits <= 1024; flits *= 2) {
            cn_result *result = NULL;
            cn_scenario *scenario = scenario_on(k, 1, 12, flits, 40.0);
            assert_ok(cn_predict(scenario, NULL, &result));
            double busy = value_of(result, CN_METRIC_CHANNEL_UTILIZATION);
            assert_true(busy <= 1.0 && busy > 0.95);
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_and_simulation_agree),
        cmocka_unit_test(without_load_the_model_is_exact),
        cmocka_unit_test(the_limit_is_what_it_delivers_at_any_load),
        cmocka_unit_test(a_full_channel_is_busy_with_probability_1),
        cmocka_unit_test(where_there_is_no_model_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
