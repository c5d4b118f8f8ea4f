#include "support/support.h"

#include "scenario/result.h"

#include <string.h>

/* The numbers and names themselves are pinned in tests/project/test_pinned_numbers.c. */
enum { METRICS = CNI_METRICS };

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
        cmocka_unit_test(unknown_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
