#include "support/support.h"

#include <string.h>

#include "simulation/store_forward/store_forward.h"
#include "simulation/store_forward/store_forward_kernel.h"

/* Numbers that divide evenly: 8 nodes, 10 cycles; of 40 offered messages 32 accepted and 16
 * delivered. */
static const uint64_t counters[CNI_COUNTERS] = {
    [CNI_COUNT_CYCLES] = 10,          [CNI_COUNT_OFFERED] = 40, [CNI_COUNT_ACCEPTED] = 32,
    [CNI_COUNT_DELIVERED] = 16,       [CNI_COUNT_DELAY] = 64,   [CNI_COUNT_HOPS] = 48,
    [CNI_COUNT_WAITING] = 100,        [CNI_COUNT_TRAVEL] = 64,  [CNI_COUNT_NODE_CYCLES] = 80,
    [CNI_COUNT_CHANNEL_CYCLES] = 240, [CNI_COUNT_SPARE] = 10,
};

#define RESULT_HEAD .head = {CNI_TYPE_WORD(CNI_OBJECT_result)}

static void check(const cn_result *result, cn_metric metric, double value, uint64_t samples)
{
    double found;
    uint64_t of;
    assert_ok(cn_result_value(result, metric, &found));
    assert_ok(cn_result_samples(result, metric, &of));
    assert_near(found, value, 1e-15);
    assert_int_equal(of, samples);
}

/* Of separate buffers in slotted time on a cube of 8 nodes. */
static void evaluate(const uint64_t counted[CNI_COUNTERS], cn_result *result)
{
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_scenario_new(cube, "separate-buffers", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 1));
    cni_separate_buffers_kernel.evaluate(scenario, counted, result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

static void check_rates(const cn_result *result)
{
    check(result, CN_METRIC_THROUGHPUT, 0.2, 10);
    check(result, CN_METRIC_NETWORK_THROUGHPUT, 1.6, 10);
    check(result, CN_METRIC_OFFERED_LOAD, 0.5, 10);
    check(result, CN_METRIC_ACCEPTANCE_PROBABILITY, 0.8, 40);
}

static void metrics_follow_from_the_counters(void **state)
{
    (void)state;
    cn_result result = {RESULT_HEAD};
    evaluate(counters, &result);
    check_rates(&result);
    check(&result, CN_METRIC_CHANNEL_UTILIZATION, 0.2, 10);
    check(&result, CN_METRIC_TRANSIT_PROBABILITY, 32.0 / 240.0, 10);
    check(&result, CN_METRIC_MEAN_DISTANCE, 2, 32);
    check(&result, CN_METRIC_MEAN_DELAY, 4, 16);
    check(&result, CN_METRIC_MEAN_QUEUE_LENGTH, 1.25, 10);
    check(&result, CN_METRIC_MEAN_HOPS, 3, 16);
    check(&result, CN_METRIC_POWER, 0.4, 10);
    check(&result, CN_METRIC_POWER_ACCEPTED, 0.32, 10);
}

static void a_saturated_network_has_rates_alone(void **state)
{
    (void)state;
    cn_result result = {RESULT_HEAD};
    uint64_t full[CNI_COUNTERS];
    memcpy(full, counters, sizeof full);
    full[CNI_COUNT_SPARE] = 0;
    evaluate(full, &result);
    assert_true(result.saturated);
    check_rates(&result);
    static const cn_metric steady[] = {CN_METRIC_MEAN_DELAY, CN_METRIC_MEAN_QUEUE_LENGTH,
                                       CN_METRIC_MEAN_HOPS, CN_METRIC_POWER,
                                       CN_METRIC_POWER_ACCEPTED};
    for (size_t i = 0; i < sizeof steady / sizeof steady[0]; i++)
        assert_false(cn_result_has(&result, steady[i]));
}

/* Nothing to divide by: the metric is left out, not infinite. */
static void nothing_delivered_has_no_delay(void **state)
{
    (void)state;
    static const uint64_t none[CNI_COUNTERS] = {[CNI_COUNT_CYCLES] = 10,
                                                [CNI_COUNT_NODE_CYCLES] = 80,
                                                [CNI_COUNT_CHANNEL_CYCLES] = 240,
                                                [CNI_COUNT_SPARE] = 10};
    cn_result result = {RESULT_HEAD};
    evaluate(none, &result);
    check(&result, CN_METRIC_THROUGHPUT, 0, 10);
    check(&result, CN_METRIC_CHANNEL_UTILIZATION, 0, 10);
    assert_false(cn_result_has(&result, CN_METRIC_MEAN_DELAY));
    assert_false(cn_result_has(&result, CN_METRIC_ACCEPTANCE_PROBABILITY));
    assert_false(cn_result_has(&result, CN_METRIC_POWER_ACCEPTED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_follow_from_the_counters),
        cmocka_unit_test(a_saturated_network_has_rates_alone),
        cmocka_unit_test(nothing_delivered_has_no_delay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
