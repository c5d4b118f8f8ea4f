/* The system "separate-buffers": the model beside the simulation. */
#include "support/support.h"

static double delay_of(cn_result *result)
{
    double delay;
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &delay));
    cn_result_free(&result);
    return delay;
}

static double predicted(const char *system, uint32_t n, double load)
{
    cn_result *result;
    cn_scenario *scenario = cube_scenario(system, n, load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_ok(cn_predict(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return delay_of(result);
}

/* Within about 0.5 %, the default precision. */
static double simulated(const char *system, uint32_t n, double load)
{
    cn_result *result;
    cn_scenario *scenario = cube_scenario(system, n, load);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1e6));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_PRECISION);
    cn_scenario_free(&scenario);
    return delay_of(result);
}

/* The model takes the channels as independent of each other: it is right at light load and 1.3 to
 * 1.6 % low at load 1.4, for n = 4 to 10; the margin adds three times the simulation's 0.25 %
 * standard error. */
static void model_and_simulation_agree(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load, low, high;
    } cases[] = {{4, 0.4, -0.008, 0.008},  {6, 0.2, -0.008, 0.008}, {6, 0.8, -0.012, 0.005},
                 {6, 1.4, -0.025, -0.007}, {8, 0.8, -0.013, 0.004}, {8, 1.4, -0.024, -0.006},
                 {10, 0.6, -0.01, 0.007}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double model = predicted("separate-buffers", cases[i].n, cases[i].load);
        double gap = model / simulated("separate-buffers", cases[i].n, cases[i].load) - 1.0;
        assert_true(gap > cases[i].low && gap < cases[i].high);
    }
}

/* One dimension is one queue with geometric arrivals: here the model is exact. */
static void one_dimension_is_exact(void **state)
{
    (void)state;
    for (double load = 0.2; load < 0.7; load += 0.2) {
        cn_scenario *scenario = cube_scenario("separate-buffers", 1, load);
        cn_result *result;
        double half_width, model = predicted("separate-buffers", 1, load);
        assert_near(model, 1.0 / (1.0 - load), 1e-12);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 500000));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_ok(cn_result_half_width(result, CN_METRIC_MEAN_DELAY, &half_width));
        assert_near(delay_of(result), model, 1.5 * half_width);
        cn_scenario_free(&scenario);
    }
}

static void what_it_does_not_take_is_refused(void **state)
{
    (void)state;
    cn_topology *star, *ring;
    cn_scenario *scenario = cube_scenario("separate-buffers", 3, 0.5);
    cn_result *result;
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 0), CN_ERR_UNSUPPORTED,
                 "separate-buffers does not take the parameter buffers");
    cn_scenario_free(&scenario);
    assert_ok(cn_topology_star(70, &star));
    assert_fails(cn_scenario_new(star, "separate-buffers", &scenario), CN_ERR_UNSUPPORTED,
                 "star(70)");
    assert_null(scenario);
    cn_topology_free(&star);
    /* a simulation, but no model */
    assert_ok(cn_topology_kary_ncube(3, 9, 0, &ring));
    assert_ok(cn_scenario_new(ring, "separate-buffers", &scenario));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "has 19683");
    size_t index;
    assert_ok(cn_system_from_name("separate-buffers", &index));
    assert_fails(cn_system_check_model(index, ring), CN_ERR_UNSUPPORTED, "at most 16384 nodes");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.2));
    assert_ok(cn_simulate(scenario, NULL, &result));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_and_simulation_agree),
        cmocka_unit_test(one_dimension_is_exact),
        cmocka_unit_test(what_it_does_not_take_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
