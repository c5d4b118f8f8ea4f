#include "support/support.h"

#include <math.h>

static cn_scenario *scenario_on(const cn_topology *topology, double load)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, "flow-deviation", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    return scenario;
}

static double metric_of(const cn_scenario *scenario, cn_metric metric)
{
    cn_result *result;
    double value;
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, metric, &value));
    cn_result_free(&result);
    return value;
}

static cn_faults *figure_5_1(const cn_topology *cube)
{
    static const uint64_t nodes[] = {2, 3, 4, 7, 9};
    cn_faults *faults;
    assert_ok(cn_faults_new(cube, &faults));
    for (size_t i = 0; i < 5; i++)
        assert_ok(cn_faults_add_node(faults, nodes[i]));
    return faults;
}

static void faults_go_with_the_scenario(void **state)
{
    (void)state;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_scenario *scenario = scenario_on(cube, 0.4);
    cn_faults *faults = figure_5_1(cube);
    double whole = 32.0 / 15.0 / (1.0 - 0.4 * 8.0 / 15.0);
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), whole, 1e-8);
    assert_ok(cn_scenario_set_faults(scenario, faults));
    cn_faults_free(&faults); /* the scenario has a copy */
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), 3.685011, 1e-5);
    assert_ok(cn_scenario_reset(scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.4));
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), 3.685011, 1e-5);
    assert_ok(cn_scenario_set_faults(scenario, NULL));
    assert_near(metric_of(scenario, CN_METRIC_MEAN_DELAY), whole, 1e-8);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void metrics_fit_together(void **state)
{
    (void)state;
    cn_topology *cube;
    assert_ok(cn_topology_hypercube(4, &cube));
    cn_faults *faults = figure_5_1(cube);
    for (double load = 0.0; load < 0.7; load += 0.3) {
        cn_scenario *scenario = scenario_on(cube, load);
        assert_ok(cn_scenario_set_faults(scenario, faults));
        double delay = metric_of(scenario, CN_METRIC_MEAN_DELAY);
        double hops = metric_of(scenario, CN_METRIC_MEAN_HOPS);
        assert_near(metric_of(scenario, CN_METRIC_THROUGHPUT), load, 0.0);
        assert_near(metric_of(scenario, CN_METRIC_OFFERED_LOAD), load, 0.0);
        assert_near(metric_of(scenario, CN_METRIC_NETWORK_THROUGHPUT), 11 * load, 1e-12);
        assert_near(metric_of(scenario, CN_METRIC_ACCEPTANCE_PROBABILITY), 1.0, 0.0);
        assert_near(metric_of(scenario, CN_METRIC_MEAN_QUEUE_LENGTH), load * delay, 1e-12);
        assert_near(metric_of(scenario, CN_METRIC_POWER), 11 * load / delay, 1e-12);
        /* 14 good links, so 28 channels */
        assert_near(metric_of(scenario, CN_METRIC_CHANNEL_UTILIZATION), 11 * load * hops / 28,
                    1e-12);
        if (load > 0.0)
            assert_true(hops >= 2.290909 && hops < delay);
        else
            assert_near(delay, 126.0 / 55.0, 1e-12);
        cn_scenario_free(&scenario);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void what_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *ring, *huge;
    cn_scenario *scenario, *other;
    cn_result *result;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_ring(16, 1, &ring));
    assert_ok(cn_topology_hypercube(11, &huge));
    cn_faults *faults = figure_5_1(cube);
    assert_fails(cn_scenario_new(huge, "flow-deviation", &scenario), CN_ERR_UNSUPPORTED,
                 "hypercube(11)");
    scenario = scenario_on(ring, 0.9);
    assert_fails(cn_scenario_set_faults(NULL, faults), CN_ERR_ARGUMENT, "scenario");
    assert_fails(cn_scenario_set_faults(scenario, faults), CN_ERR_ARGUMENT,
                 "faults of hypercube(4)");
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "load = 0.9, but ring(16)");
    assert_null(result);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "no simulator");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "relative_precision = 0");
    assert_ok(cn_scenario_reset(scenario));
    double gap;
    assert_ok(cn_scenario_get(scenario, CN_PARAM_RELATIVE_PRECISION, &gap));
    assert_near(gap, 1e-6, 0.0);
    assert_ok(cn_scenario_new(cube, "optimistic-bound", &other));
    assert_fails(cn_scenario_set_faults(other, faults), CN_ERR_UNSUPPORTED,
                 "optimistic-bound does not take faults");
    assert_ok(cn_scenario_set_faults(other, NULL));
    cn_scenario_free(&other);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
    cn_topology_free(&huge);
}

static cn_status run_once(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_link(faults, 6, 0);
    if (status == CN_OK)
        status = cn_scenario_new(cube, "flow-deviation", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 0.5);
    if (status == CN_OK)
        status = cn_scenario_set_faults(scenario, faults);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(run_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_go_with_the_scenario),
        cmocka_unit_test(metrics_fit_together),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
