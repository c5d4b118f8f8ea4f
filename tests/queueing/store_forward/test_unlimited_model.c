/* What the models of unlimited buffers have in common: their limits and what follows from the
 * delay. */
#include "support/support.h"

#include <math.h>

static const char *const systems[] = {"optimistic-bound", "shared-buffer", "separate-buffers"};

static cn_status predict(const char *system, uint32_t n, double load, cn_result **result)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_status status = cn_topology_hypercube(n, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, system, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, load);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
        status = cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static double delay_of(const char *system, uint32_t n, double load)
{
    cn_result *result;
    assert_ok(predict(system, n, load, &result));
    double delay = value_of(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    return delay;
}

static void the_capacity_is_the_limit(void **state)
{
    (void)state;
    cn_result *result = NULL;
    for (size_t s = 0; s < 3; s++) {
        assert_fails(
            predict(systems[s], 6, 1.96875, &result), CN_ERR_UNSTABLE,
            "load = 1.96875, but hypercube(6) has a steady state only below n/d = 1.96875");
        assert_null(result);
        assert_fails(predict(systems[s], 6, 1e6, &result), CN_ERR_UNSTABLE, "load = 1000000");
        assert_fails(predict(systems[s], 1, 1.0, &result), CN_ERR_UNSTABLE, "n/d = 1 ");
        assert_fails(predict(systems[s], 62, 2.0, &result), CN_ERR_UNSTABLE, "n/d = 2 ");
        for (uint32_t n = 1; n <= 62; n++) {
            double below = nextafter(2.0 - ldexp(1.0, 1 - (int)n), 0.0);
            double delay = delay_of(systems[s], n, below);
            assert_true(isfinite(delay) && delay > n / 2.0);
        }
    }
}

/* At no load a message needs its distance, and the way there has no step in it. */
static void without_load_the_delay_is_the_distance(void **state)
{
    (void)state;
    static const double loads[] = {0.0, 5e-324, 1e-310, 1e-100, 1e-17, 1e-15, 1e-12, 1e-9};
    for (size_t s = 0; s < 3; s++)
        for (uint32_t n = 1; n <= 62; n++) {
            double d = n / 2.0 / (1.0 - ldexp(1.0, -(int)n));
            for (size_t i = 0; i < 8; i++)
                assert_near(delay_of(systems[s], n, loads[i]), d, (1e-14 + loads[i]) * d);
        }
}

static void one_dimension_is_one_queue(void **state)
{
    (void)state;
    /* geometric arrivals at one channel: exactly 1 / (1 - load); the Poisson model is none for n =
     * 1 */
    for (double load = 0.1; load < 0.95; load += 0.1) {
        assert_near(delay_of("separate-buffers", 1, load), 1.0 / (1.0 - load), 1e-14 / (1 - load));
        assert_near(delay_of("optimistic-bound", 1, load), 1.0 / (1.0 - load), 1e-14 / (1 - load));
        assert_near(delay_of("shared-buffer", 1, load), -log(1.0 - load) / load, 1e-14);
    }
}

/* bound <= shared <= separate, and each rises with the load. Near capacity the Poisson
 * approximation falls below the bound: from 0.89 of it on for n = 4, 0.962 for n = 6, 0.990 for n =
 * 10. Below a tenth of it and from n = 8 on, it lies above separate buffers, by up to 0.04 %. */
static void the_models_are_in_order(void **state)
{
    (void)state;
    for (uint32_t n = 6; n <= 62; n++) {
        double capacity = 2.0 - ldexp(1.0, 1 - (int)n), before[3] = {0, 0, 0};
        for (double share = 0.05; share < 0.96; share += 0.05) {
            double delay[3];
            for (size_t s = 0; s < 3; s++) {
                delay[s] = delay_of(systems[s], n, share * capacity);
                assert_true(delay[s] >= before[s]);
                before[s] = delay[s];
            }
            double slack = share < 0.099 ? 4e-4 * delay[2] : 0.0;
            assert_true(delay[0] <= delay[1] && delay[1] <= delay[2] + slack);
        }
    }
}

static void the_metrics_follow(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        cn_result *r;
        double d = 6.0 * 32.0 / 63.0, load = 1.4;
        assert_ok(predict(systems[s], 6, load, &r));
        double delay = value_of(r, CN_METRIC_MEAN_DELAY);
        assert_near(value_of(r, CN_METRIC_THROUGHPUT), load, 0);
        assert_near(value_of(r, CN_METRIC_NETWORK_THROUGHPUT), 64 * load, 0);
        assert_near(value_of(r, CN_METRIC_OFFERED_LOAD), load, 0);
        assert_near(value_of(r, CN_METRIC_ACCEPTANCE_PROBABILITY), 1, 0);
        assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH), load * delay, 1e-13);
        assert_near(value_of(r, CN_METRIC_CHANNEL_UTILIZATION), load * d / 6, 1e-14);
        assert_near(value_of(r, CN_METRIC_TRANSIT_PROBABILITY), load * (d - 1) / 6, 1e-14);
        assert_near(value_of(r, CN_METRIC_MEAN_DISTANCE), d, 1e-14);
        assert_near(value_of(r, CN_METRIC_MEAN_HOPS), d, 1e-14);
        assert_near(value_of(r, CN_METRIC_POWER), 64 * load / delay, 1e-12);
        assert_near(value_of(r, CN_METRIC_POWER_ACCEPTED), 64 * load / delay, 1e-12);
        assert_int_equal(cn_result_is_saturated(r), 0);
        assert_int_equal(cn_result_stop(r), CN_STOP_MODEL);
        cn_result_free(&r);
    }
}

static cn_status predict_all(void *context)
{
    (void)context;
    cn_status status = CN_OK;
    for (size_t s = 0; s < 3 && status == CN_OK; s++) {
        cn_result *result = NULL;
        status = predict(systems[s], 6, 1.4, &result);
        cn_result_free(&result);
    }
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(predict_all, NULL);
}

static void near_capacity_the_approximation_is_below_the_bound(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double share; /* of the capacity at which the two cross */
    } cases[] = {{2, 0.462}, {4, 0.890}, {6, 0.962}, {8, 0.982}, {10, 0.990}};
    for (size_t i = 0; i < 5; i++)
        for (int after = 0; after < 2; after++) {
            double capacity = 2.0 - ldexp(1.0, 1 - (int)cases[i].n);
            double load = capacity * (cases[i].share + (after ? 0.002 : -0.002));
            assert_int_equal(delay_of("shared-buffer", cases[i].n, load) <
                                 delay_of("optimistic-bound", cases[i].n, load),
                             after);
        }
}

/* On a complete network every message makes one hop, but for rounding. */
static void no_probability_of_transit_is_negative(void **state)
{
    (void)state;
    for (uint64_t share = 0; share <= 10; share++) {
        cn_topology *topology;
        cn_traffic *traffic;
        cn_scenario *scenario;
        cn_result *result;
        double transit;
        assert_ok(cn_topology_generalized_hypercube(4, 1, &topology));
        assert_ok(cn_traffic_hotspot(topology, 1, (double)share / 10, &traffic));
        assert_ok(cn_scenario_new(topology, "separate-buffers", &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
        assert_ok(cn_scenario_set_traffic(scenario, traffic));
        assert_ok(cn_predict(scenario, NULL, &result));
        assert_ok(cn_result_value(result, CN_METRIC_TRANSIT_PROBABILITY, &transit));
        assert_true(transit >= 0.0);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
        cn_traffic_free(&traffic);
        cn_topology_free(&topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_probability_of_transit_is_negative),
        cmocka_unit_test(the_capacity_is_the_limit),
        cmocka_unit_test(without_load_the_delay_is_the_distance),
        cmocka_unit_test(one_dimension_is_one_queue),
        cmocka_unit_test(the_models_are_in_order),
        cmocka_unit_test(near_capacity_the_approximation_is_below_the_bound),
        cmocka_unit_test(the_metrics_follow),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
