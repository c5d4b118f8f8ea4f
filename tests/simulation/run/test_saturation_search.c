/* The saturation load of a simulation, and what a run without a steady state says of itself. */
#include "support/support.h"

#include <math.h>
#include <string.h>

static cn_scenario *short_runs(const cn_topology *topology, const char *system)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 500));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 4000));
    return scenario;
}

static int is_saturated_at(cn_scenario *scenario, double load)
{
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_simulate(scenario, NULL, &result));
    int saturated = cn_result_is_saturated(result);
    assert_int_equal(saturated, cn_result_stop(result) == CN_STOP_SATURATED);
    cn_result_free(&result);
    return saturated;
}

/* The two ends are loads at which the scenario was run: anyone can run it there again. */
static void check_bracket(cn_scenario *scenario, double accuracy, double least, double most)
{
    double lower, upper, again[2];
    assert_ok(cn_simulated_saturation_load(scenario, accuracy, NULL, &lower, &upper));
    assert_true(lower < upper && upper - lower <= accuracy * upper);
    assert_true(least <= upper && lower <= most);
    assert_false(is_saturated_at(scenario, lower));
    assert_true(is_saturated_at(scenario, upper));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 2)); /* and its own load is no matter */
    assert_ok(cn_simulated_saturation_load(scenario, accuracy, NULL, &again[0], &again[1]));
    assert_near(again[0], lower, 0.0);
    assert_near(again[1], upper, 0.0);
    cn_scenario_free(&scenario);
}

static void runs_bracket_the_saturation_load(void **state)
{
    (void)state;
    static const uint64_t sides[] = {4, 3};
    cn_topology *cube, *mesh;
    cn_scenario *scenario;
    double exact;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_mesh(sides, 2, &mesh));
    /* exact where the limit of the model is that of the simulation */
    check_bracket(short_runs(cube, "separate-buffers"), 0.02, 1.875, 1.875);
    check_bracket(short_runs(cube, "shared-buffer"), 0.05, 1.875, 1.875);
    scenario = short_runs(cube, "separate-buffers");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    check_bracket(scenario, 0.05, 1.875, 1.875);
    scenario = short_runs(mesh, "separate-buffers");
    assert_ok(cn_saturation_load(scenario, NULL, &exact));
    check_bracket(scenario, 0.02, exact, exact);
    /* by the queues: no channel carries more than it can */
    check_bracket(short_runs(cube, "wormhole"), 0.1, 0.02, 1.875 / 32.0);
    check_bracket(short_runs(mesh, "wormhole"), 0.1, 0.005, 0.05);
    cn_topology_free(&mesh);
    cn_topology_free(&cube);
}

/* Deflection: what it delivers when every buffer is always full. */
static void what_is_refused_has_a_throughput_limit(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_result *result;
    double lower, upper;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_scenario *scenario = short_runs(cube, "deflection");
    assert_ok(cn_simulated_saturation_load(scenario, 0.01, NULL, &lower, &upper));
    assert_true(lower > 1.55 && lower < upper && upper < 1.7);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 1e6));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_THROUGHPUT), 0.5 * (lower + upper), 1e-12);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* A source that offers too little to fill the network. */
static void a_source_may_be_unable_to_saturate(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_traffic *traffic;
    double lower, upper;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_traffic_new(cube, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    cn_scenario *scenario = short_runs(cube, "separate-buffers");
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    assert_ok(cn_simulated_saturation_load(scenario, 0.01, NULL, &lower, &upper));
    assert_near(lower, 1.0, 0.0);
    assert_true(isinf(upper));
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&cube);
}

static void what_has_no_bracket_is_told(void **state)
{
    (void)state;
    const uint64_t cycle = 1, source = 0, destination = 3;
    cn_topology *cube;
    cn_traffic *trace;
    cn_scenario *scenario;
    double lower = -1.0, upper = -1.0;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "flow-deviation", &scenario));
    assert_fails(cn_simulated_saturation_load(scenario, 0.1, NULL, &lower, &upper),
                 CN_ERR_UNSUPPORTED, "no simulator");
    cn_scenario_free(&scenario);
    assert_ok(cn_scenario_new(cube, "collective", &scenario));
    assert_fails(cn_simulated_saturation_load(scenario, 0.1, NULL, &lower, &upper),
                 CN_ERR_UNSUPPORTED, "does not take the parameter load");
    cn_scenario_free(&scenario);
    scenario = short_runs(cube, "separate-buffers");
    assert_fails(cn_simulated_saturation_load(scenario, 0.0, NULL, &lower, &upper), CN_ERR_ARGUMENT,
                 "accuracy = 0");
    assert_fails(cn_simulated_saturation_load(scenario, NAN, NULL, &lower, &upper), CN_ERR_ARGUMENT,
                 "accuracy");
    assert_ok(cn_traffic_trace(cube, &cycle, &source, &destination, NULL, 1, &trace));
    assert_ok(cn_scenario_set_traffic(scenario, trace));
    assert_fails(cn_simulated_saturation_load(scenario, 0.1, NULL, &lower, &upper),
                 CN_ERR_UNSUPPORTED, "trace");
    assert_near(lower, -1.0, 0.0);
    assert_near(upper, -1.0, 0.0);
    cn_traffic_free(&trace);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* ---- what a run says ---- */

static void an_absent_metric_says_why(void **state)
{
    (void)state;
    double value;
    cn_result *result;
    cn_scenario *scenario = cube_scenario("separate-buffers", 4, 2.5);
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_fails(cn_result_value(result, CN_METRIC_MEAN_DELAY, &value), CN_ERR_NOT_FOUND,
                 "the network is saturated: offered 2.");
    assert_fails(cn_result_half_width(result, CN_METRIC_DELAY_P95, &value), CN_ERR_NOT_FOUND,
                 "messages per node and cycle");
    assert_fails(cn_result_value(result, CN_METRIC_CLUSTERS, &value), CN_ERR_NOT_FOUND,
                 "holds no clusters");
    assert_null(strstr(cn_last_error(), "saturated")); /* not for that reason */
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    scenario = cube_scenario("deflection", 4, 0.0);
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_fails(cn_result_value(result, CN_METRIC_MEAN_DELAY, &value), CN_ERR_NOT_FOUND,
                 "no message was delivered");
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void a_load_that_was_never_set_is_told(void **state)
{
    (void)state;
    const uint64_t cycle = 1, source = 0, destination = 3;
    cn_topology *cube;
    cn_traffic *trace;
    cn_result *result;
    cn_sim *sim;
    assert_ok(cn_topology_hypercube(4, &cube));
    for (size_t i = 0; i < cn_system_count(); i++) {
        cn_scenario *scenario;
        assert_ok(cn_scenario_new(cube, cn_system_name(i), &scenario));
        if (cn_scenario_takes(scenario, CN_PARAM_LOAD)) {
            assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT,
                         "load was never set");
            if (cn_system_check_simulator(i, cube) == CN_OK) {
                assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT,
                             "load was never set");
                assert_ok(cn_sim_open(scenario, NULL, &sim)); /* for what the caller injects */
                cn_sim_close(&sim);
            }
            assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0));
            assert_ok(cn_predict(scenario, NULL, &result));
            cn_result_free(&result);
            assert_ok(cn_scenario_reset(scenario));
            assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT,
                         "load was never set");
        }
        cn_scenario_free(&scenario);
    }
    cn_scenario *scenario = short_runs(cube, "separate-buffers");
    assert_ok(cn_traffic_trace(cube, &cycle, &source, &destination, NULL, 1, &trace));
    assert_ok(cn_scenario_set_traffic(scenario, trace));
    assert_ok(cn_simulate(scenario, NULL, &result)); /* which brings its own */
    cn_result_free(&result);
    cn_traffic_free(&trace);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void a_load_that_no_network_carries_is_told(void **state)
{
    (void)state;
    static const char *const systems[] = {"separate-buffers", "shared-buffer", "wormhole"};
    cn_result *result;
    for (int i = 0; i < 3; i++) {
        cn_scenario *scenario = cube_scenario(systems[i], 4, i == 2 ? 0.1251 : 4.001);
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSTABLE, "4 channels");
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, i == 2 ? 0.125 : 4.0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_true(cn_result_is_saturated(result));
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_scenario *scenario = cube_scenario("deflection", 4, 1000.0);
    assert_ok(cn_simulate(scenario, NULL, &result)); /* which refuses the rest */
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_bracket_the_saturation_load),
        cmocka_unit_test(what_is_refused_has_a_throughput_limit),
        cmocka_unit_test(a_source_may_be_unable_to_saturate),
        cmocka_unit_test(what_has_no_bracket_is_told),
        cmocka_unit_test(an_absent_metric_says_why),
        cmocka_unit_test(a_load_that_was_never_set_is_told),
        cmocka_unit_test(a_load_that_no_network_carries_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
