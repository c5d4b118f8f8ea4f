#include "support/support.h"

#include "scenario/result.h"

#include <math.h>
#include <string.h>

static cn_scenario *open_scenario(void)
{
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    cn_topology_free(&cube);
    return scenario;
}

static void new_result_holds_nothing(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    assert_ok(cn_scenario_set_seed(scenario, 77));
    cn_result *result = cni_result_new(scenario);
    assert_non_null(result);
    for (int i = 1; i <= (int)cn_metric_count(); i++) {
        double value = 17;
        uint64_t samples = 17;
        cn_metric metric = (cn_metric)i;
        assert_int_equal(cn_result_has(result, metric), 0);
        assert_fails(cn_result_value(result, metric, &value), CN_ERR_NOT_FOUND,
                     cn_metric_name(metric));
        assert_fails(cn_result_half_width(result, metric, &value), CN_ERR_NOT_FOUND,
                     cn_metric_name(metric));
        assert_fails(cn_result_samples(result, metric, &samples), CN_ERR_NOT_FOUND,
                     cn_metric_name(metric));
        assert_true(value == 17 && samples == 17);
    }
    assert_int_equal(cn_result_seed(result), 77);
    assert_string_equal(cn_result_system(result), "deflection");
    assert_string_equal(cn_result_model(result), "");
    assert_int_equal(cn_result_is_saturated(result), 0);
    assert_int_equal(cn_result_is_settled(result), 1);
    cn_scenario_free(&scenario);
    assert_string_equal(cn_result_system(result), "deflection");
    cn_result_free(&result);
}

static void what_is_put_in_comes_out(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    cn_result *result = cni_result_new(scenario);
    for (int i = 1; i <= (int)cn_metric_count(); i++)
        cni_result_put(result, (cn_metric)i,
                       i == 3   ? NAN
                       : i == 4 ? INFINITY
                                : -1.5 * i,
                       (uint64_t)i << 40);
    for (int i = 1; i <= (int)cn_metric_count(); i++) {
        double value = 17, half_width = 17;
        uint64_t samples = 17;
        cn_metric metric = (cn_metric)i;
        if (i == 3 || i == 4) { /* what is not finite is left out */
            assert_int_equal(cn_result_has(result, metric), 0);
            assert_fails(cn_result_value(result, metric, &value), CN_ERR_NOT_FOUND, "holds no");
            continue;
        }
        assert_int_equal(cn_result_has(result, metric), 1);
        assert_ok(cn_result_value(result, metric, &value));
        assert_ok(cn_result_half_width(result, metric, &half_width));
        assert_ok(cn_result_samples(result, metric, &samples));
        assert_true(value == -1.5 * i && half_width == 0 && samples == (uint64_t)i << 40);
    }
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void unknown_metrics_are_in_no_result(void **state)
{
    (void)state;
    static const int unknown[] = {0, -1, CN_METRIC_CRITICAL_WIRES + 1, 1000, INT32_MAX, INT32_MIN};
    cn_scenario *scenario = open_scenario();
    cn_result *result = cni_result_new(scenario);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        double value = 17;
        uint64_t samples = 17;
        cn_metric metric = (cn_metric)unknown[i];
        assert_int_equal(cn_result_has(result, metric), 0);
        assert_fails(cn_result_value(result, metric, &value), CN_ERR_ARGUMENT, "metric = ");
        assert_fails(cn_result_half_width(result, metric, &value), CN_ERR_ARGUMENT, "metric = ");
        assert_fails(cn_result_samples(result, metric, &samples), CN_ERR_ARGUMENT, "metric = ");
        assert_true(value == 17 && samples == 17);
    }
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void null_is_refused(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    cn_result *result = cni_result_new(scenario);
    double value;
    uint64_t samples;
    cni_result_put(result, CN_METRIC_POWER, 3, 1);
    assert_fails(cn_result_value(NULL, CN_METRIC_POWER, &value), CN_ERR_ARGUMENT, "result");
    assert_fails(cn_result_value(result, CN_METRIC_POWER, NULL), CN_ERR_ARGUMENT, "value");
    assert_fails(cn_result_half_width(NULL, CN_METRIC_POWER, &value), CN_ERR_ARGUMENT, "result");
    assert_fails(cn_result_half_width(result, CN_METRIC_POWER, NULL), CN_ERR_ARGUMENT,
                 "half_width");
    assert_fails(cn_result_samples(NULL, CN_METRIC_POWER, &samples), CN_ERR_ARGUMENT, "result");
    assert_fails(cn_result_samples(result, CN_METRIC_POWER, NULL), CN_ERR_ARGUMENT, "samples");
    assert_int_equal(cn_result_has(NULL, CN_METRIC_POWER), 0);
    assert_int_equal(cn_result_stop(NULL), CN_STOP_MODEL);
    assert_int_equal(cn_result_is_saturated(NULL), 0);
    assert_int_equal(cn_result_is_settled(NULL), 0);
    assert_int_equal(cn_result_seed(NULL), 0);
    assert_string_equal(cn_result_system(NULL), "");
    assert_string_equal(cn_result_model(NULL), "");
    cn_result_free(&result);
    assert_null(result);
    cn_result_free(&result);
    cn_result_free(NULL);
    cn_scenario_free(&scenario);
}

static void every_stop_has_its_number_and_its_own_sentence(void **state)
{
    (void)state;
    static const cn_stop stops[] = {CN_STOP_MODEL,     CN_STOP_PRECISION, CN_STOP_CYCLES,
                                    CN_STOP_SATURATED, CN_STOP_DEADLOCK,  CN_STOP_COMPLETED};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(stops[i], i);
        assert_true(strlen(cn_stop_text(stops[i])) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(cn_stop_text(stops[i]), cn_stop_text(stops[j]));
        assert_string_not_equal(cn_stop_text(stops[i]), cn_stop_text((cn_stop)6));
    }
    static const int unknown[] = {-1, 6, 1000, INT32_MIN};
    for (int i = 0; i < 4; i++)
        assert_true(strlen(cn_stop_text((cn_stop)unknown[i])) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_result_holds_nothing),
        cmocka_unit_test(what_is_put_in_comes_out),
        cmocka_unit_test(unknown_metrics_are_in_no_result),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(every_stop_has_its_number_and_its_own_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
