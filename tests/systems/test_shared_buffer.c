/* The system "shared-buffer": the model beside the simulation. */
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

/* The Poisson approximation is good for light loads and large n; at load 1.4 it is low by 16.9,
 * 6.5, 3.3 and 1.4 % for n = 4, 6, 8 and 10. The margins add three times the simulation's 0.25
 * %. */
static void model_and_simulation_agree(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double load, low, high;
    } cases[] = {{4, 0.4, -0.026, -0.01},  {4, 1.4, -0.178, -0.16},  {6, 0.2, -0.01, 0.006},
                 {6, 0.8, -0.024, -0.008}, {6, 1.4, -0.073, -0.056}, {8, 0.6, -0.01, 0.006},
                 {8, 1.4, -0.041, -0.024}, {10, 1.4, -0.022, -0.006}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double model = predicted("shared-buffer", cases[i].n, cases[i].load);
        double gap = model / simulated("shared-buffer", cases[i].n, cases[i].load) - 1.0;
        assert_true(gap > cases[i].low && gap < cases[i].high);
    }
}

static void the_simulation_is_the_true_one(void **state)
{
    (void)state;
    assert_near(simulated("shared-buffer", 6, 1.4), 5.69, 0.01 * 5.69);
}

/* bound <= shared <= separate at equal load. At 0.2 the last two differ by less than their
 * error. */
static void the_systems_are_in_order(void **state)
{
    (void)state;
    static const double loads[] = {0.6, 1.0, 1.4, 1.6};
    for (size_t i = 0; i < 4; i++) {
        double shared = simulated("shared-buffer", 6, loads[i]);
        assert_true(predicted("optimistic-bound", 6, loads[i]) < shared);
        assert_true(shared < simulated("separate-buffers", 6, loads[i]));
    }
}

static void what_it_does_not_take_is_refused(void **state)
{
    (void)state;
    cn_topology *star, *ring;
    cn_scenario *scenario = cube_scenario("shared-buffer", 3, 0.5);
    cn_result *result;
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 0), CN_ERR_UNSUPPORTED,
                 "shared-buffer does not take the parameter buffers");
    cn_scenario_free(&scenario);
    assert_ok(cn_topology_star(70, &star));
    assert_fails(cn_scenario_new(star, "shared-buffer", &scenario), CN_ERR_UNSUPPORTED, "star(70)");
    assert_null(scenario);
    cn_topology_free(&star);
    /* a simulation, but no model */
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &ring));
    assert_ok(cn_scenario_new(ring, "shared-buffer", &scenario));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "kary_ncube(k=5,n=1,");
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
        cmocka_unit_test(the_simulation_is_the_true_one),
        cmocka_unit_test(the_systems_are_in_order),
        cmocka_unit_test(what_it_does_not_take_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
