#include "support/support.h"

#include "scenario/result.h"

#include <string.h>

/* The numbers and names themselves are pinned in tests/project/test_pinned_numbers.c. */
enum { METRICS = CN_METRIC_CRITICAL_WIRES };

static void names_lead_back_to_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(cn_metric_count(), METRICS);
    for (int i = 1; i <= METRICS; i++) {
        cn_metric metric;
        assert_ok(cn_metric_from_name(cn_metric_name((cn_metric)i), &metric));
        assert_int_equal(metric, i);
    }
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = 1; i <= METRICS; i++) {
        assert_true(strlen(cn_metric_unit((cn_metric)i)) > 0);
        assert_true(strlen(cn_metric_meaning((cn_metric)i)) > 0);
        assert_null(strchr(cn_metric_meaning((cn_metric)i), '\n'));
        assert_non_null(cn_metric_source((cn_metric)i));
        for (int j = 1; j < i; j++)
            assert_string_not_equal(cn_metric_meaning((cn_metric)i),
                                    cn_metric_meaning((cn_metric)j));
    }
}

static void unknown_numbers_have_no_row(void **state)
{
    (void)state;
    static const int unknown[] = {0, -1, METRICS + 1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        cn_metric metric = (cn_metric)unknown[i];
        assert_null(cn_metric_name(metric));
        assert_null(cn_metric_unit(metric));
        assert_null(cn_metric_meaning(metric));
        assert_null(cn_metric_source(metric));
    }
}

static void what_rests_on_the_queues_is_known(void **state)
{
    (void)state;
    static const cn_metric queued[] = {CN_METRIC_DELAY_P50, CN_METRIC_DELAY_P95,
                                       CN_METRIC_DELAY_P99};
    static const cn_metric steady[] = {CN_METRIC_MEAN_DELAY,
                                       CN_METRIC_MEAN_DELAY_UNICAST,
                                       CN_METRIC_MEAN_DELAY_BROADCAST,
                                       CN_METRIC_MEAN_QUEUE_LENGTH,
                                       CN_METRIC_MEAN_DELAY_BROADCAST_SENT,
                                       CN_METRIC_POWER,
                                       CN_METRIC_POWER_ACCEPTED};
    int counted = 0;
    for (int m = -1; m <= METRICS + 1; m++)
        counted += cni_metric_rest((cn_metric)m) == CNI_COUNTED;
    for (size_t i = 0; i < sizeof queued / sizeof queued[0]; i++)
        assert_int_equal(cni_metric_rest(queued[i]), CNI_QUEUED);
    for (size_t i = 0; i < sizeof steady / sizeof steady[0]; i++)
        assert_int_equal(cni_metric_rest(steady[i]), CNI_STEADY);
    assert_int_equal(counted, METRICS + 3 - 10); /* with three numbers that are no metric */
}

static void unknown_names_are_not_found(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "Power", "power ", "powe", "power_", "delay", "load"};
    cn_metric metric = CN_METRIC_CYCLES;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_fails(cn_metric_from_name(wrong[i], &metric), CN_ERR_NOT_FOUND, quoted(wrong[i]));
    assert_fails(cn_metric_from_name(NULL, &metric), CN_ERR_ARGUMENT, "name");
    assert_fails(cn_metric_from_name("power", NULL), CN_ERR_ARGUMENT, "metric");
    assert_int_equal(metric, CN_METRIC_CYCLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_back_to_their_numbers),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(unknown_numbers_have_no_row),
        cmocka_unit_test(what_rests_on_the_queues_is_known),
        cmocka_unit_test(unknown_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
