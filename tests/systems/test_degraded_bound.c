#include "support/support.h"

#include <math.h>

static cn_scenario *scenario_of(uint32_t n, double load, double failing, double variant)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(n, &topology));
    assert_ok(cn_scenario_new(topology, "degraded-bound", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_NODE_FAILURE_PROBABILITY, failing));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant));
    cn_topology_free(&topology);
    return scenario;
}

static double metric_of(uint32_t n, double load, double failing, double variant, cn_metric metric)
{
    cn_scenario *scenario = scenario_of(n, load, failing, variant);
    cn_result *result;
    double value;
    assert_ok(cn_predict(scenario, NULL, &result));
    assert_ok(cn_result_value(result, metric, &value));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return value;
}

static void equations_as_printed(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 62; n += 5)
        for (double p = 0.0; p < 0.5; p += 0.1)
            for (double load = 0.0; load < 0.4; load += 0.1) {
                double c = 2.0 * (1.0 - p) - pow(2.0, 1.0 - n), size = pow(2.0, n);
                if (c <= load)
                    continue;
                assert_near(metric_of(n, load, p, CN_MODEL_PUBLISHED, CN_METRIC_MEAN_DELAY) *
                                (c - load),
                            n * (1.0 - p), 1e-12 * n);
                assert_near(
                    metric_of(n, load, p, CN_MODEL_PUBLISHED, CN_METRIC_CHANNEL_UTILIZATION),
                    load / c, 1e-12);
                double rho = load * size / 2.0 / (size * (1.0 - p) - 1.0);
                assert_near(metric_of(n, load, p, CN_MODEL_CORRECTED, CN_METRIC_MEAN_DELAY) *
                                (1.0 - rho),
                            n * size / 2.0 / (size - 1.0), 1e-11 * n);
                assert_near(
                    metric_of(n, load, p, CN_MODEL_CORRECTED, CN_METRIC_NETWORK_THROUGHPUT) / size,
                    load * (1.0 - p), 1e-12);
            }
}

/* Without faults the bound is exact (every channel the same M/M/1 queue), and both forms are
 * one. */
static void without_faults_both_are_the_same(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 20; n++) {
        double both[2];
        for (int variant = 0; variant < 2; variant++)
            both[variant] = metric_of(n, 0.9, 0.0, variant, CN_METRIC_MEAN_DELAY);
        assert_near(both[0], both[1], 1e-12 * both[0]);
        double d = n / 2.0 / (1.0 - pow(2.0, -(double)n));
        assert_near(metric_of(n, 0.0, 0.0, CN_MODEL_CORRECTED, CN_METRIC_MEAN_DELAY), d, 1e-12 * n);
    }
}

/* The published form is above the mean distance of any network when nothing is sent at all. */
static void the_published_form_is_no_bound_at_light_load(void **state)
{
    (void)state;
    assert_true(metric_of(4, 0.0, 0.3, CN_MODEL_PUBLISHED, CN_METRIC_MEAN_DELAY) > 2.19);
    assert_near(metric_of(4, 0.0, 0.3, CN_MODEL_CORRECTED, CN_METRIC_MEAN_DELAY), 32.0 / 15.0,
                1e-12);
}

static void limits_are_told(void **state)
{
    (void)state;
    cn_result *result;
    cn_scenario *scenario = scenario_of(4, 1.675, 0.1, 0);
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSTABLE, "less than 1.675");
    assert_null(result);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_NODE_FAILURE_PROBABILITY, 0.95));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "= 0.95");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_NODE_FAILURE_PROBABILITY, 1.0));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_ARGUMENT, "= 1 ");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_NODE_FAILURE_PROBABILITY, 1.1), CN_ERR_ARGUMENT,
                 "1.1");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "model_variant = own, but degraded-bound has only: published, corrected");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "no simulator");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 4), CN_ERR_UNSUPPORTED, "buffers");
    cn_scenario_free(&scenario);
    cn_topology *ring;
    assert_ok(cn_topology_kary_ncube(5, 1, 1, &ring));
    assert_fails(cn_scenario_new(ring, "degraded-bound", &scenario), CN_ERR_UNSUPPORTED,
                 "kary_ncube(k=5,n=1,");
    cn_topology_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_as_printed),
        cmocka_unit_test(without_faults_both_are_the_same),
        cmocka_unit_test(the_published_form_is_no_bound_at_light_load),
        cmocka_unit_test(limits_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
