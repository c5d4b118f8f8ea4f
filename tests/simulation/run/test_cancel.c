/* Calls that are cancelled at each of their callbacks, by a flag, and by the clock: every one of the calls that take a
 * cn_control, and all leave what they use as it was. */
#if CNI_THREADS
#define _POSIX_C_SOURCE 200809L
#endif

#include "support/support.h"

#include <string.h>

#include "base/budget.h"

#if CNI_THREADS
#include <pthread.h>
#include <time.h>
#endif

/* ---- what is called: each takes some milliseconds at least, and gives a number ---- */

/* Objects that the calls use and must leave as they are. */
typedef struct objects {
    cn_topology *cube, *small, *shuffle, *plain, *tall, *low;
    cn_faults *faults;
    cn_hierarchy *hierarchy;
    cn_traffic *traffic;
    cn_routing *up_down, *fresh;
    cn_scenario *run, *runs, *model, *chain, *operations;
    cn_study *study;
    cn_sim *sim;
} objects;

static objects have;

static cn_scenario *scenario_of(cn_topology *topology, const char *system, double load)
{
    cn_scenario *made;
    assert_ok(cn_scenario_new(topology, system, &made));
    if (load > 0.0)
        assert_ok(cn_scenario_set(made, CN_PARAM_LOAD, load));
    return made;
}

static void set_cycles(cn_scenario *scenario, double warmup, double measured)
{
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, warmup));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, measured));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0.0));
}

static void make_objects(void)
{
    assert_ok(cn_topology_hypercube(9, &have.cube));
    assert_ok(cn_topology_psnn(11, &have.shuffle));
    have.plain = support_as_edges(have.shuffle);
    assert_ok(cn_topology_hypercube(7, &have.small));
    assert_ok(cn_topology_psnn(8, &have.tall));
    assert_ok(cn_topology_psnn(6, &have.low));
    assert_ok(cn_faults_new(have.cube, &have.faults));
    assert_ok(cn_faults_add_random_nodes(have.faults, 40, 1));
    assert_ok(cn_hierarchy_new(have.faults, &have.hierarchy));
    assert_ok(cn_hierarchy_make_tables(have.hierarchy, NULL));
    assert_ok(cn_traffic_new(have.shuffle, CN_PATTERN_UNIFORM, &have.traffic));
    assert_ok(cn_routing_new(have.tall, "up-down", NULL, NULL, &have.up_down));
    have.run = scenario_of(have.cube, "deflection", 0.5);
    set_cycles(have.run, 20, 400);
    have.runs = scenario_of(have.cube, "separate-buffers", 0.2);
    set_cycles(have.runs, 20, 150);
    assert_ok(cn_scenario_set(have.runs, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_scenario_set(have.runs, CN_PARAM_THREADS, 2));
    have.model = scenario_of(have.tall, "separate-buffers", 0.02);
    have.chain = scenario_of(have.cube, "deflection", 0.5);
    assert_ok(cn_scenario_set(have.chain, CN_PARAM_BUFFERS, 1000));
    have.operations = scenario_of(have.cube, "collective", 0.0);
    assert_ok(cn_study_new(have.cube, &have.study));
    assert_ok(cn_study_set_random(have.study, 20, 0));
    assert_ok(cn_study_set_patterns(have.study, 10));
    assert_ok(cn_sim_open(have.run, NULL, &have.sim));
}

static void free_objects(void)
{
    cn_sim_close(&have.sim);
    cn_study_free(&have.study);
    cn_scenario_free(&have.run);
    cn_scenario_free(&have.runs);
    cn_scenario_free(&have.model);
    cn_scenario_free(&have.chain);
    cn_scenario_free(&have.operations);
    cn_routing_free(&have.up_down);
    cn_traffic_free(&have.traffic);
    cn_hierarchy_free(&have.hierarchy);
    cn_faults_free(&have.faults);
    cn_topology_free(&have.cube);
    cn_topology_free(&have.shuffle);
    cn_topology_free(&have.plain);
    cn_topology_free(&have.small);
    cn_topology_free(&have.tall);
    cn_topology_free(&have.low);
}

/* What a call that makes a result found; a cancelled one may have none. */
static cn_status value_in(cn_status status, cn_metric metric, cn_result *result, double *value)
{
    if (result != NULL && cn_result_has(result, metric))
        *value = value_of(result, metric);
    cn_result_free(&result);
    return status;
}

static cn_status simulate(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.run, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status simulate_threads(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.runs, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status simulate_operations(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_simulate(have.operations, control, &result);
    return value_in(status, CN_METRIC_MESSAGES_DELIVERED, result, value);
}

/* A cancelled step counts, and the next one goes on from there. */
static cn_status step(const cn_control *control, double *value)
{
    uint64_t before = cn_sim_cycle(have.sim);
    cn_status status = cn_sim_step(have.sim, 300, control);
    uint64_t stepped = cn_sim_cycle(have.sim) - before;
    assert_true(status == CN_OK ? stepped == 300 : stepped <= 300);
    *value = 1.0;
    return status;
}

static cn_status open_sim(const cn_control *control, double *value)
{
    cn_sim *sim;
    cn_scenario *scenario = scenario_of(have.tall, "wormhole", 0.001);
    cn_status status = cn_scenario_set_routing_name(scenario, "up-down-adaptive");
    if (status == CN_OK)
        status = cn_sim_open(scenario, control, &sim);
    *value = status == CN_OK;
    if (status == CN_OK)
        cn_sim_close(&sim);
    else
        assert_null(sim);
    cn_scenario_free(&scenario);
    return status;
}

static cn_status predict(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_predict(have.model, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status predict_chain(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_predict(have.chain, control, &result);
    return value_in(status, CN_METRIC_MEAN_DELAY, result, value);
}

static cn_status optimal_load(const cn_control *control, double *value)
{
    return cn_optimal_load(have.chain, control, value, NULL);
}

static cn_status flow_deviation(const cn_control *control, double *value)
{
    return cn_flow_deviation(have.low, NULL, NULL, 0, 0.1, 1e-6, control, value, NULL, NULL, 0);
}

static cn_status flow_saturation(const cn_control *control, double *value)
{
    double upper;
    return cn_flow_saturation(have.low, NULL, NULL, 0, 1e-3, control, value, &upper);
}

static cn_status study(const cn_control *control, double *value)
{
    cn_result *result;
    cn_status status = cn_study_run(have.study, control, &result);
    return value_in(status, CN_METRIC_MEAN_DISTANCE, result, value);
}

static cn_status diameter(const cn_control *control, double *value)
{
    uint64_t hops = 0;
    cn_status status = cn_topology_diameter(have.plain, control, &hops);
    *value = (double)hops;
    return status;
}

static cn_status mean_distance(const cn_control *control, double *value)
{
    return cn_topology_mean_distance(have.shuffle, control, value);
}

static cn_status best_chord(const cn_control *control, double *value)
{
    uint64_t chord = 0, hops;
    cn_status status = cn_chordal_ring_best_chord(3000, 0, control, &chord, &hops);
    *value = (double)chord;
    return status;
}

static cn_status make_routing(const char *name, const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status = cn_routing_new(have.shuffle, name, NULL, control, &routing);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

static cn_status minimal(const cn_control *control, double *value)
{
    return make_routing("minimal", control, value);
}

static cn_status valiant(const cn_control *control, double *value)
{
    return make_routing("valiant", control, value);
}

static cn_status two_level(const cn_control *control, double *value)
{
    cn_routing *routing;
    cn_status status = cn_routing_two_level(have.hierarchy, control, &routing);
    *value = routing != NULL;
    cn_routing_free(&routing);
    return status;
}

static cn_status loads(const cn_control *control, double *value)
{
    return cn_routing_saturation_load(have.up_down, NULL, NULL, control, value);
}

static cn_status stretch(const cn_control *control, double *value)
{
    return cn_routing_stretch(have.up_down, control, value, NULL);
}

static cn_status is_livelock_free(const cn_control *control, double *value)
{
    int found = 0;
    cn_status status = cn_routing_is_livelock_free(have.up_down, control, &found);
    *value = found;
    return status;
}

static cn_status deadlock(const cn_control *control, double *value)
{
    cn_deadlock *check;
    cn_status status =
        cn_deadlock_check_wormhole(have.small, CN_WORMHOLE_ADAPTIVE, 2, control, &check);
    *value = cn_deadlock_is_free(check);
    cn_deadlock_free(&check);
    return status;
}

static cn_status faults_mean(const cn_control *control, double *value)
{
    return cn_faults_mean_distance(have.faults, control, value, NULL);
}

static cn_status faults_stretch(const cn_control *control, double *value)
{
    uint64_t counts[512], unreachable = 0;
    size_t count = 0;
    cn_status status =
        cn_faults_stretch_counts(have.faults, control, counts, 512, &count, &unreachable);
    *value = (double)count;
    return status;
}

static cn_status monotone(const cn_control *control, double *value)
{
    uint64_t counts[64], blocked = 0;
    size_t count = 0;
    cn_status status =
        cn_faults_monotone_counts(have.faults, control, counts, 64, &count, &blocked);
    *value = (double)blocked;
    return status;
}

static cn_status mean_hops(const cn_control *control, double *value)
{
    return cn_hierarchy_mean_hops(have.hierarchy, CN_TIE_HEADER, control, value, NULL);
}

static cn_status measure(const cn_control *control, double *value)
{
    double upper;
    cn_known kind;
    return cn_topology_measure(have.shuffle, CN_MEASURE_MEAN_DISTANCE, 0.5, control, value, &upper,
                               &kind);
}

static const struct long_call {
    const char *name;
    cn_status (*call)(const cn_control *control, double *value);
} long_calls[] = {
    {"cn_simulate", simulate},
    {"cn_simulate, threads", simulate_threads},
    {"cn_simulate, operations", simulate_operations},
    {"cn_sim_step", step},
    {"cn_sim_open", open_sim},
    {"cn_predict", predict},
    {"cn_predict, chain", predict_chain},
    {"cn_optimal_load", optimal_load},
    {"cn_flow_deviation", flow_deviation},
    {"cn_flow_saturation", flow_saturation},
    {"cn_study_run", study},
    {"cn_topology_diameter", diameter},
    {"cn_topology_mean_distance", mean_distance},
    {"cn_chordal_ring_best_chord", best_chord},
    {"cn_routing_new, minimal", minimal},
    {"cn_routing_new, valiant", valiant},
    {"cn_routing_two_level", two_level},
    {"cn_routing_saturation_load", loads},
    {"cn_routing_stretch", stretch},
    {"cn_routing_is_livelock_free", is_livelock_free},
    {"cn_deadlock_check_wormhole", deadlock},
    {"cn_faults_mean_distance", faults_mean},
    {"cn_faults_stretch_counts", faults_stretch},
    {"cn_faults_monotone_counts", monotone},
    {"cn_hierarchy_mean_hops", mean_hops},
    {"cn_topology_measure", measure},
};
enum { LONG_CALLS = sizeof long_calls / sizeof long_calls[0] };

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
static int cancel_at(const struct long_call *it, int last, double expected)
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
    for (size_t i = 0; i < LONG_CALLS; i++) {
        const struct long_call *it = &long_calls[i];
        double expected = -1.0, again = -1.0;
        int asked = 0;
        assert_ok(it->call(NULL, &expected));
        for (int last = 1; last <= 32; last += 1 + last / 2) {
            if (cancel_at(it, last, expected) == 0)
                break;
            asked++;
        }
        if (asked == 0)
            fail_msg("%s never asks", it->name);
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
    assert_string_equal(cn_stop_name(cn_result_stop(result)), "cancelled");
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
    for (size_t i = 0; i < LONG_CALLS; i++) {
        double value;
        cn_status status = long_calls[i].call(control, &value);
        if (status != CN_ERR_CANCELLED)
            fail_msg("%s: status %d", long_calls[i].name, (int)status);
        assert_non_null(strstr(cn_last_error(), "cancelled by cn_control_cancel()"));
    }
    assert_ok(cn_control_resume(control));
    double value;
    assert_ok(simulate(control, &value));
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
        assert_string_equal(cn_stop_name(cn_result_stop(result)), "time-limit");
        assert_true(value_of(result, CN_METRIC_CYCLES) > 0.0);
        cn_result_free(&result);
        set_cycles(scenario, 1e9, 1e9);
        assert_fails(cn_simulate(scenario, control, &result), CN_ERR_CANCELLED,
                     "cn_simulate: the time limit of 0.1 seconds was reached before");
        assert_null(result);
    }
    assert_ok(cn_study_set_patterns(have.study, 1000000000));
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
    assert_ok(cn_study_set_patterns(have.study, 1000000000));
    assert_ok(cn_study_set_threads(have.study, 2));
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
