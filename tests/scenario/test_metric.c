#include "support/support.h"

#include <string.h>

/* The canonical names by number, for ever. */
static const char *const names[] = {
    "mean_delay",
    "mean_delay_unicast",
    "mean_delay_broadcast",
    "throughput",
    "network_throughput",
    "offered_load",
    "acceptance_probability",
    "mean_queue_length",
    "channel_utilization",
    "first_phase_utilization",
    "second_phase_utilization",
    "forwarding_probability",
    "deflection_probability",
    "net_progress",
    "transit_probability",
    "mean_distance",
    "mean_hops",
    "power",
    "power_accepted",
    "delay_p50",
    "delay_p95",
    "delay_p99",
    "delay_max",
    "channel_message_rate",
    "virtual_channel_multiplexing",
    "messages_delivered",
    "messages_in_flight",
    "cycles",
    "messages_offered",
    "messages_refused",
    "messages_accepted",
};
enum { METRICS = sizeof names / sizeof names[0] };

static void names_and_numbers_are_those_agreed(void **state)
{
    (void)state;
    assert_int_equal(cn_metric_count(), METRICS);
    for (int i = 0; i < METRICS; i++) {
        cn_metric metric;
        assert_string_equal(cn_metric_name((cn_metric)(i + 1)), names[i]);
        assert_ok(cn_metric_from_name(names[i], &metric));
        assert_int_equal(metric, i + 1);
    }
    assert_int_equal(CN_METRIC_MEAN_DELAY, 1);
    assert_int_equal(CN_METRIC_THROUGHPUT, 4);
    assert_int_equal(CN_METRIC_POWER_ACCEPTED, 19);
    assert_int_equal(CN_METRIC_CYCLES, 28);
    assert_int_equal(CN_METRIC_MESSAGES_ACCEPTED, METRICS);
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
        assert_fails(cn_metric_from_name(wrong[i], &metric), CN_ERR_NOT_FOUND, wrong[i]);
    assert_fails(cn_metric_from_name(NULL, &metric), CN_ERR_ARGUMENT, "name");
    assert_fails(cn_metric_from_name("power", NULL), CN_ERR_ARGUMENT, "metric");
    assert_int_equal(metric, CN_METRIC_CYCLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers_are_those_agreed),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(unknown_numbers_have_no_row),
        cmocka_unit_test(unknown_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
