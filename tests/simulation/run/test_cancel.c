/* Calls that are cancelled at each of their callbacks, by a flag, and by the clock: every one of
 * the calls that take a cn_control, and all leave what they use as it was. */
#if CNI_THREADS
#define _POSIX_C_SOURCE 200809L
#endif

#include "simulation/long_calls.h"

#include <string.h>

#include "base/budget.h"

#if CNI_THREADS
#include <pthread.h>
#include <time.h>
#endif

/* ---- cancelled at every k-th callback ---- */

typedef struct caller {
    int calls, last;
    uint64_t done;
} caller;

static int stop_at(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    caller *c = user;
    assert_true(total == 0 || done <= total);
    assert_true(done >= c->done && lower <= upper);
    c->done = done;
    return ++c->calls == c->last;
}

/* Gives the number of callbacks; 0: it came to its end before the last one. */
static int cancel_at(const long_call *it, int last, double expected)
{
    cn_control *control;
    caller c = {.last = last};
    double value = -1.0;
    uint64_t blocks = support_blocks();
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, stop_at, &c));
    cn_status status = it->call(control, &value);
    cn_control_free(&control);
    assert_int_equal(support_blocks(), blocks);
    if (c.calls < last) {
        assert_ok(status);
        if (value != expected)
            fail_msg("%s: %.17g with a callback, %.17g without", it->name, value, expected);
        return 0;
    }
    assert_int_equal(status, CN_ERR_CANCELLED);
    assert_non_null(strstr(cn_last_error(), "cancelled by its callback"));
    assert_int_equal(c.calls, last); /* once told, it does not ask again */
    return c.calls;
}

static void at_every_callback(void **state)
{
    (void)state;
    support_install_allocator(0);
    make_objects();
    int most = is_sanitized() ? 2 : 32; /* a sanitizer takes ten times as long */
    for (size_t i = 0; i < long_call_count(); i++) {
        const long_call *it = long_call_at(i);
        double expected = -1.0, again = -1.0;
        int asked = 0;
        assert_ok(it->call(NULL, &expected));
        for (int last = 1; last <= most; last += 1 + last / 2) {
            if (cancel_at(it, last, expected) == 0)
                break;
            asked++;
        }
        if (asked == 0)
            fail_msg("%s never asks", it->name);
        if (is_sanitized())
            continue;
        assert_ok(it->call(NULL, &again));
        assert_true(again == expected);
    }
    free_objects();
    assert_int_equal(support_blocks(), 0);
    support_remove_allocator();
}

/* ---- what a cancelled run gives ---- */

static void a_part_of_a_run(void **state)
{
    (void)state;
    cn_control *control;
    cn_result *result;
    caller c = {.last = 1};
    make_objects();
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_progress(control, stop_at, &c));
    assert_fails(cn_simulate(have.run, control, &result), CN_ERR_CANCELLED, "by its callback");
    assert_null(result); /* it was in the warm-up */
    set_cycles(have.run, 0, 1e9);
    c = (caller){.last = 5};
    assert_fails(cn_simulate(have.run, control, &result), CN_ERR_CANCELLED, "by its callback");
    assert_int_equal(cn_result_stop(result), CN_STOP_CANCELLED);
    assert_string_equal(cn_enum_name(CN_ENUM_STOP, (int)cn_result_stop(result)), "cancelled");
    double cycles = value_of(result, CN_METRIC_CYCLES);
    assert_true(cycles == (double)c.done && cycles < 1e9);
    cn_result_free(&result);
    /* cut into any steps, a run is what it is */
    cn_result *whole;
    set_cycles(have.run, 0, cycles);
    c = (caller){.last = 5};
    assert_ok(cn_simulate(have.run, NULL, &whole));
    set_cycles(have.run, 0, 1e9);
    cn_sim *sim;
    assert_ok(cn_sim_open(have.run, NULL, &sim));
    assert_ok(cn_sim_step(sim, (uint64_t)cycles, NULL));
    assert_ok(cn_sim_result(sim, &result));
    assert_near(value_of(result, CN_METRIC_MEAN_DELAY), value_of(whole, CN_METRIC_MEAN_DELAY), 0);
    cn_result_free(&result);
    cn_result_free(&whole);
    cn_sim_close(&sim);
    cn_control_free(&control);
    free_objects();
}

/* ---- the flag, and the clock ---- */

static void a_flag_that_is_up(void **state)
{
    (void)state;
    cn_control *control;
    make_objects();
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_cancel(control));
    for (size_t i = 0; i < long_call_count(); i++) {
        double value;
        cn_status status = long_call_at(i)->call(control, &value);
        if (status != CN_ERR_CANCELLED)
            fail_msg("%s: status %d", long_call_at(i)->name, (int)status);
        assert_non_null(strstr(cn_last_error(), "cancelled by cn_control_cancel()"));
    }
    assert_ok(cn_control_resume(control));
    cn_result *result;
    assert_ok(cn_simulate(have.run, control, &result));
    cn_result_free(&result);
    cn_control_free(&control);
    free_objects();
}

static void the_clock(void **state)
{
    (void)state;
    const double seconds = 0.1;
    cn_control *control;
    cn_result *result;
    make_objects();
    assert_ok(cn_control_new(&control));
    assert_ok(cn_control_set_seconds(control, seconds));
    for (int runs = 0; runs < 2; runs++) {
        cn_scenario *scenario = runs ? have.runs : have.run;
        set_cycles(scenario, 0, 1e9);
        double begin = cni_clock();
        assert_ok(cn_simulate(scenario, control, &result));
        double taken = cni_clock() - begin;
        assert_true(taken >= seconds && taken < seconds + 0.5);
        assert_int_equal(cn_result_stop(result), CN_STOP_TIME_LIMIT);
        assert_string_equal(cn_enum_name(CN_ENUM_STOP, (int)cn_result_stop(result)), "time-limit");
        assert_true(value_of(result, CN_METRIC_CYCLES) > 0.0);
        cn_result_free(&result);
        set_cycles(scenario, 1e9, 1e9);
        assert_fails(cn_simulate(scenario, control, &result), CN_ERR_CANCELLED,
                     "cn_simulate: the time limit of 0.1 seconds was reached before");
        assert_null(result);
    }
    assert_ok(cn_study_set(have.study, CN_STUDY_PATTERNS, 1000000000));
    double begin = cni_clock();
    assert_ok(cn_study_run(have.study, control, &result));
    assert_true(cni_clock() - begin < seconds + 0.5);
    assert_int_equal(cn_result_stop(result), CN_STOP_TIME_LIMIT);
    cn_result_free(&result);
    assert_ok(cn_sim_step(have.sim, 1000000000, control));
    assert_true(cn_sim_cycle(have.sim) < 1000000000);
    cn_control_free(&control);
    free_objects();
}

#if CNI_THREADS

typedef struct other {
    cn_control *control;
    pthread_t thread;
} other;

static void *cancel_soon(void *argument)
{
    other *o = argument;
    struct timespec some = {.tv_nsec = 40000000};
    nanosleep(&some, NULL);
    cn_control_cancel(o->control);
    return NULL;
}

static int only_here(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done, (void)total, (void)lower, (void)upper;
    return !pthread_equal(*(pthread_t *)user, pthread_self());
}

/* One run on two threads, two runs at once, and two patterns at once. */
static void from_another_thread(void **state)
{
    (void)state;
    make_objects();
    set_cycles(have.run, 0, 1e9);
    assert_ok(cn_scenario_set(have.run, CN_PARAM_THREADS, 2));
    set_cycles(have.runs, 0, 1e9);
    assert_ok(cn_study_set(have.study, CN_STUDY_PATTERNS, 1000000000));
    assert_ok(cn_study_set(have.study, CN_STUDY_THREADS, 2));
    for (int what = 0; what < 3; what++) {
        cn_result *result;
        pthread_t self = pthread_self();
        other o;
        assert_ok(cn_control_new(&o.control));
        assert_ok(cn_control_set_progress(o.control, only_here, &self));
        assert_int_equal(pthread_create(&o.thread, NULL, cancel_soon, &o), 0);
        double begin = cni_clock();
        cn_status status = what == 0   ? cn_simulate(have.run, o.control, &result)
                           : what == 1 ? cn_simulate(have.runs, o.control, &result)
                                       : cn_study_run(have.study, o.control, &result);
        assert_true(cni_clock() - begin < 5.0);
        assert_int_equal(status, CN_ERR_CANCELLED);
        assert_non_null(strstr(cn_last_error(), "cn_control_cancel()"));
        assert_true(result == NULL || cn_result_stop(result) == CN_STOP_CANCELLED);
        assert_int_equal(pthread_join(o.thread, NULL), 0);
        cn_result_free(&result);
        cn_control_free(&o.control);
    }
    free_objects();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_every_callback),
        cmocka_unit_test(a_part_of_a_run),
        cmocka_unit_test(a_flag_that_is_up),
        cmocka_unit_test(the_clock),
#if CNI_THREADS
        cmocka_unit_test(from_another_thread),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
