#include "support/support.h"

#include "scenario/scenario.h"

#include <math.h>
#include <string.h>

/* The numbers and names themselves are pinned in tests/project/test_pinned_numbers.c. */
enum { ROWS = CN_PARAM_OPERATION_KIND, UNUSED = 14 };

static const int unknown[] = {0, -1, UNUSED, ROWS + 1, 1000, INT32_MAX, INT32_MIN};
enum { UNKNOWN = sizeof unknown / sizeof unknown[0] };

static cn_scenario *open_scenario(void)
{
    cn_topology *cube;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_scenario_new(cube, "deflection", &scenario));
    cn_topology_free(&cube);
    return scenario;
}

static void names_lead_back_to_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(cn_param_count(), ROWS);
    for (int i = 1; i <= ROWS; i++) {
        if (i == UNUSED)
            continue;
        cn_param param;
        assert_ok(cn_param_from_name(cn_param_name((cn_param)i), &param));
        assert_int_equal(param, i);
    }
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = 1; i <= ROWS; i++) {
        if (i == UNUSED)
            continue;
        cn_param param = (cn_param)i;
        double least, greatest, start;
        int whole = 17;
        assert_true(strlen(cn_param_unit(param)) > 0);
        assert_true(strlen(cn_param_meaning(param)) > 0);
        assert_null(strchr(cn_param_meaning(param), '\n'));
        for (int j = 1; j < i; j++)
            if (j != UNUSED)
                assert_string_not_equal(cn_param_meaning(param), cn_param_meaning((cn_param)j));
        assert_ok(cn_param_range(param, &least, &greatest, &start, &whole));
        assert_true(isfinite(least) && isfinite(greatest));
        assert_true(least < greatest);
        assert_true(least <= start && start <= greatest);
        assert_true(whole == 0 || whole == 1);
        if (whole) {
            assert_true(least == floor(least) && greatest == floor(greatest));
            assert_true(start == floor(start));
            assert_true(greatest <= 9007199254740992.0); /* 2^53: every whole number is a double */
        }
        assert_true(cni_param_default(param) == start);
        assert_ok(cn_param_range(param, NULL, NULL, NULL, NULL));
        double only = 17;
        assert_ok(cn_param_range(param, NULL, &only, NULL, NULL));
        assert_true(only == greatest);
    }
}

static void unknown_numbers_have_no_row(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    for (int i = 0; i < UNKNOWN; i++) {
        cn_param param = (cn_param)unknown[i];
        double value = 17;
        assert_null(cn_param_name(param));
        assert_null(cn_param_unit(param));
        assert_null(cn_param_meaning(param));
        assert_fails(cn_param_range(param, &value, NULL, NULL, NULL), CN_ERR_ARGUMENT, "param = ");
        assert_int_equal(cn_scenario_takes(scenario, param), 0);
        assert_fails(cn_scenario_set(scenario, param, 1), CN_ERR_ARGUMENT, "param = ");
        assert_fails(cn_scenario_get(scenario, param, &value), CN_ERR_ARGUMENT, "param = ");
        assert_true(value == 17);
    }
    cn_scenario_free(&scenario);
}

static void unknown_names_are_not_found(void **state)
{
    (void)state;
    static const char *const names[] = {"",      "Load",    "loads", "loa",      " load",
                                        "load ", "BUFFERS", "seed",  "buffers\n"};
    cn_param param = CN_PARAM_THREADS;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_fails(cn_param_from_name(names[i], &param), CN_ERR_NOT_FOUND, quoted(names[i]));
    assert_fails(cn_param_from_name(NULL, &param), CN_ERR_ARGUMENT, "name");
    assert_fails(cn_param_from_name("load", NULL), CN_ERR_ARGUMENT, "param");
    assert_int_equal(param, CN_PARAM_THREADS);
}

/* What the row of a parameter accepts and what it refuses, by the inner check and, where the system
 * takes the parameter, by the setter. */
static cn_status try_value(cn_scenario *scenario, cn_param param, double value)
{
    cn_status status = cni_param_check("try_value", param, value);
    if (cn_scenario_takes(scenario, param)) {
        double before, after;
        assert_ok(cn_scenario_get(scenario, param, &before));
        assert_int_equal(cn_scenario_set(scenario, param, value), status);
        assert_ok(cn_scenario_get(scenario, param, &after));
        assert_true(after == (status == CN_OK ? value : before));
    }
    return status;
}

static void bounds_are_accepted_and_what_lies_outside_refused(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    for (int i = 1; i <= ROWS; i++) {
        if (i == UNUSED)
            continue;
        cn_param param = (cn_param)i;
        const char *name = cn_param_name(param);
        int whole;
        double least, greatest, start, below, above;
        assert_ok(cn_param_range(param, &least, &greatest, &start, &whole));
        below = whole ? least - 1 : nextafter(least, -INFINITY);
        above = whole ? greatest + 1 : nextafter(greatest, INFINITY);
        assert_ok(try_value(scenario, param, least));
        assert_ok(try_value(scenario, param, greatest));
        assert_ok(try_value(scenario, param, start));
        if (below < least) /* else: beyond the doubles that tell whole numbers apart */
            assert_fails(try_value(scenario, param, below), CN_ERR_ARGUMENT, name);
        if (above > greatest)
            assert_fails(try_value(scenario, param, above), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, NAN), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, -NAN), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, INFINITY), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, -INFINITY), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, 1e300), CN_ERR_ARGUMENT, name);
        assert_fails(try_value(scenario, param, -1e300), CN_ERR_ARGUMENT, name);
        if (whole) {
            assert_fails(try_value(scenario, param, least + 0.5), CN_ERR_ARGUMENT, name);
            assert_fails(try_value(scenario, param, nextafter(least + 1, -INFINITY)),
                         CN_ERR_ARGUMENT, name);
        } else {
            assert_ok(try_value(scenario, param, least + (greatest - least) / 3));
        }
    }
    cn_scenario_free(&scenario);
}

static void refusal_names_the_limits(void **state)
{
    (void)state;
    cn_scenario *scenario = open_scenario();
    assert_fails(cn_scenario_set(scenario, CN_PARAM_LOAD, -0.25), CN_ERR_ARGUMENT, "-0.25");
    assert_non_null(strstr(cn_last_error(), "load"));
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BUFFERS, 7.5), CN_ERR_ARGUMENT,
                 "buffers = 7.5");
    assert_non_null(strstr(cn_last_error(), "whole"));
    cn_scenario_free(&scenario);
}

static void choices_have_names_and_meanings(void **state)
{
    (void)state;
    for (int i = 0; i <= ROWS + 1; i++) {
        cn_param param = (cn_param)i;
        size_t count = cn_param_choice_count(param);
        double least, greatest, value;
        assert_null(cn_param_choice_name(param, count));
        assert_null(cn_param_choice_meaning(param, count));
        assert_null(cn_param_choice_name(param, SIZE_MAX));
        if (count == 0) {
            assert_fails(cn_param_choice_from_name(param, "own", &value), CN_ERR_ARGUMENT,
                         i >= 1 && i <= ROWS && i != UNUSED ? "is a number" : "param = ");
            continue;
        }
        assert_ok(cn_param_range(param, &least, &greatest, NULL, NULL));
        assert_true(param == CN_PARAM_WARMUP_CYCLES ? least == CN_WARMUP_AUTOMATIC && count == 1
                                                    : least == 0 && greatest == (double)count - 1);
        for (size_t v = 0; v < count; v++) {
            assert_true(strlen(cn_param_choice_meaning(param, v)) > 0);
            assert_null(strchr(cn_param_choice_meaning(param, v), '\n'));
            assert_ok(cn_param_choice_from_name(param, cn_param_choice_name(param, v), &value));
            assert_true(value == least + (double)v);
        }
        assert_fails(cn_param_choice_from_name(param, "oak", &value), CN_ERR_NOT_FOUND, "\"oak\"");
    }
    assert_fails(cn_param_choice_from_name(CN_PARAM_TREE, NULL, NULL), CN_ERR_ARGUMENT, "name");
    assert_fails(cn_param_choice_from_name(CN_PARAM_TREE, "split", NULL), CN_ERR_ARGUMENT, "value");
}

static void sentences_speak_the_names(void **state)
{
    (void)state;
    char text[CNI_NUMBER_CAPACITY];
    assert_string_equal(cni_param_text(CN_PARAM_TREE, CN_TREE_BINOMIAL, text), "binomial");
    assert_string_equal(cni_param_text(CN_PARAM_SLOTTED, 1, text), "yes");
    assert_string_equal(cni_param_text(CN_PARAM_TREE, 6, text), "6");
    assert_string_equal(cni_param_text(CN_PARAM_TREE, 0.5, text), "0.5");
    assert_string_equal(cni_param_text(CN_PARAM_LOAD, 2, text), "2");
    assert_string_equal(cni_param_text(CN_PARAM_WARMUP_CYCLES, CN_WARMUP_AUTOMATIC, text),
                        "automatic");
    assert_string_equal(cni_param_text(CN_PARAM_WARMUP_CYCLES, 0, text), "0");
    assert_fails(cni_param_check("f", CN_PARAM_WARMUP_CYCLES, -2), CN_ERR_ARGUMENT,
                 "warmup_cycles = -2, but it must be 0 to 1e+15 cycles, or one of: automatic");
    assert_fails(cni_param_check("f", CN_PARAM_TREE, 6), CN_ERR_ARGUMENT,
                 "tree = 6, but it must be one of: balanced, split, binomial, turned, "
                 "least-used, breadth-first");
    assert_fails(cni_param_check_choice("f", "thing", CN_PARAM_TREE, CN_TREE_SPLIT,
                                        1u << CN_TREE_BALANCED | 1u << CN_TREE_TURNED),
                 CN_ERR_UNSUPPORTED, "tree = split, but thing has only: balanced, turned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_back_to_their_numbers),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(unknown_numbers_have_no_row),
        cmocka_unit_test(unknown_names_are_not_found),
        cmocka_unit_test(bounds_are_accepted_and_what_lies_outside_refused),
        cmocka_unit_test(refusal_names_the_limits),
        cmocka_unit_test(choices_have_names_and_meanings),
        cmocka_unit_test(sentences_speak_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
