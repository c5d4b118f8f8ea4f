/* Running collective operations: deadlock, replications, stepping by hand, memory. */
#include "support/support.h"

#include <math.h>
#include <string.h>

static cn_scenario *broadcasts_on(uint64_t k, uint32_t n, double machine, double operations)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_generalized_hypercube(k, n, &topology));
    assert_ok(cn_scenario_new(topology, "collective", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MACHINE, machine));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, operations));
    cn_topology_free(&topology);
    return scenario;
}

static void set(cn_scenario *scenario, cn_param param, double value)
{
    assert_ok(cn_scenario_set(scenario, param, value));
}

/* ---- deadlock ---- */

/* With one buffer a node, nodes whose messages wait for each other's buffers are soon found. */
static void a_deadlock_is_found_and_classes_avoid_it(void **state)
{
    (void)state;
    cn_scenario *scenario = broadcasts_on(5, 3, 1, 40);
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 1);
    cn_result *result;
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DEADLOCK, "deadlock in cycle");
    assert_null(result);
    set(scenario, CN_PARAM_REPLICATIONS, 1);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DEADLOCK, "buffer_classes = yes");

    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_step(sim, 1000, NULL), CN_ERR_DEADLOCK, "deadlock in cycle");
    assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_STATE, "ended");
    assert_fails(cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 1), CN_ERR_STATE, "ended");
    size_t length;
    assert_fails(cn_sim_deadlock(sim, NULL, 0, &length), CN_ERR_STATE, "names none");
    assert_ok(cn_sim_result(sim, &result)); /* what had been delivered until then */
    assert_int_equal(cn_result_stop(result), CN_STOP_DEADLOCK);
    assert_true(value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT) > 0);
    assert_near(value_of(result, CN_METRIC_CYCLES), (double)cn_sim_cycle(sim), 0);
    assert_false(cn_result_has(result, CN_METRIC_COMPLETION_CYCLES));
    cn_result_free(&result);
    cn_sim_close(&sim);

    set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "needs at least 2");
    set(scenario, CN_PARAM_TRANSIT_BUFFERS, 2);
    set(scenario, CN_PARAM_REPLICATIONS, 20);
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_MESSAGES_DELIVERED), 20 * 40 * 124, 0);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* The tightest buffers that classes allow, in networks where one class nearly always deadlocks. */
static void classes_never_deadlock(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
    } networks[] = {{3, 4}, {6, 2}, {2, 6}};
    size_t deadlocks = 0;
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
        for (int choice = 0; choice < 8; choice++) {
            cn_scenario *scenario = broadcasts_on(networks[i].k, networks[i].n, 1, 200);
            double n = networks[i].n;
            int adaptive = choice & 1;
            cn_result *result;
            set(scenario, CN_PARAM_DETOURS, adaptive);
            set(scenario, CN_PARAM_ONE_PORT, choice >> 1 & 1);
            set(scenario, CN_PARAM_DESTINATIONS, choice >> 2 ? 20 : 0);
            set(scenario, CN_PARAM_TRANSIT_BUFFERS, 1);
            deadlocks += cn_simulate(scenario, NULL, &result) == CN_ERR_DEADLOCK;
            cn_result_free(&result);
            set(scenario, CN_PARAM_BUFFER_CLASSES, 1);
            set(scenario, CN_PARAM_TRANSIT_BUFFERS,
                adaptive && networks[i].k > 2 ? 2 * n - 1 : n - 1);
            assert_ok(cn_simulate(scenario, NULL, &result));
            cn_result_free(&result);
            cn_scenario_free(&scenario);
        }
    assert_true(deadlocks >= 8);
}

/* ---- replications ---- */

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *scenario = broadcasts_on(4, 3, machine, 60);
        set(scenario, CN_PARAM_TRANSIT_BUFFERS, 8);
        set(scenario, CN_PARAM_DESTINATIONS, 16);
        cn_result *one, *many;
        assert_ok(cn_simulate(scenario, NULL, &one));
        set(scenario, CN_PARAM_THREADS, 3);
        assert_ok(cn_simulate(scenario, NULL, &many));
        assert_same_result(one, many);
        assert_true(isfinite(half_width_of(one, CN_METRIC_COMPLETION_CYCLES)));
        assert_true(half_width_of(one, CN_METRIC_COMPLETION_CYCLES) > 0);
        cn_result_free(&many);
        assert_ok(cn_scenario_set_seed(scenario, 2));
        assert_ok(cn_simulate(scenario, NULL, &many));
        assert_true(value_of(one, CN_METRIC_CONTENTIONS) != value_of(many, CN_METRIC_CONTENTIONS));
        cn_result_free(&one);
        cn_result_free(&many);
        cn_scenario_free(&scenario);
    }
}

/* Means over the runs: those of each run alone, added up. */
static void replications_are_runs_on_other_seeds(void **state)
{
    (void)state;
    cn_scenario *scenario = broadcasts_on(4, 3, 1, 60);
    set(scenario, CN_PARAM_REPLICATIONS, 1);
    cn_result *single, *twice;
    assert_ok(cn_simulate(scenario, NULL, &single));
    assert_int_equal(cn_result_stop(single), CN_STOP_COMPLETED);
    assert_true(isinf(half_width_of(single, CN_METRIC_COMPLETION_CYCLES)));
    set(scenario, CN_PARAM_REPLICATIONS, 2);
    assert_ok(cn_simulate(scenario, NULL, &twice));
    assert_int_equal(cn_result_stop(twice), CN_STOP_COMPLETED);
    uint64_t samples;
    assert_ok(cn_result_samples(twice, CN_METRIC_COMPLETION_CYCLES, &samples));
    assert_int_equal(samples, 2);
    assert_near(value_of(twice, CN_METRIC_TRANSMISSIONS), 60 * 63, 0); /* of each */
    assert_near(value_of(twice, CN_METRIC_MESSAGES_DELIVERED), 2 * 60 * 63, 0);
    assert_near(value_of(single, CN_METRIC_MESSAGES_DELIVERED), 60 * 63, 0);
    cn_result_free(&single);
    cn_result_free(&twice);
    cn_scenario_free(&scenario);
}

static void poisson_starts_have_their_mean(void **state)
{
    (void)state;
    cn_scenario *scenario = broadcasts_on(2, 6, 1, 0);
    set(scenario, CN_PARAM_OPERATION_RATE,
        0.4); /* 25.6 a cycle: more than one part of the drawing */
    set(scenario, CN_PARAM_START_CYCLES, 50);
    set(scenario, CN_PARAM_DESTINATIONS, 1);
    set(scenario, CN_PARAM_DESTINATION_CHOICE, CN_DESTINATIONS_UNIFORM);
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    double mean = 20 * 50 * 64 * 0.4; /* operations, of one message each */
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), mean, 4 * sqrt(mean));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void no_operations_take_no_time(void **state)
{
    (void)state;
    cn_scenario *scenario = broadcasts_on(3, 2, 1, 0);
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_near(value_of(result, CN_METRIC_COMPLETION_CYCLES), 0, 0);
    assert_near(value_of(result, CN_METRIC_MESSAGES_OFFERED), 0, 0);
    assert_false(cn_result_has(result, CN_METRIC_MEAN_DELAY));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* ---- by hand ---- */

static void steps_may_be_cut_anyhow(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *scenario = broadcasts_on(4, 3, machine, 90);
        set(scenario, CN_PARAM_TRANSIT_BUFFERS, 6);
        set(scenario, CN_PARAM_BUFFER_CLASSES, machine);
        cn_sim *sims[2];
        cn_result *results[2];
        for (int s = 0; s < 2; s++) {
            assert_ok(cn_sim_open(scenario, NULL, &sims[s]));
            for (uint64_t left = 400, part = 1; left > 0; left -= part, part = part % 7 + 1) {
                part = s == 0 ? left : part < left ? part : left;
                assert_ok(cn_sim_step(sims[s], part, NULL));
            }
            assert_ok(cn_sim_result(sims[s], &results[s]));
            cn_sim_close(&sims[s]);
        }
        assert_same_result(results[0], results[1]);
        set(scenario, CN_PARAM_REPLICATIONS, 1);
        cn_result *whole;
        assert_ok(cn_simulate(scenario, NULL, &whole));
        static const cn_metric same[] = {CN_METRIC_COMPLETION_CYCLES, CN_METRIC_CONTENTIONS,
                                         CN_METRIC_MEAN_DELAY, CN_METRIC_LOWER_BOUND_CYCLES};
        for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
            assert_near(value_of(whole, same[i]), value_of(results[0], same[i]), 0);
        assert_near(value_of(whole, CN_METRIC_CYCLES), value_of(whole, CN_METRIC_COMPLETION_CYCLES),
                    0);
        cn_result_free(&whole);
        cn_result_free(&results[0]);
        cn_result_free(&results[1]);
        cn_scenario_free(&scenario);
    }
}

static cn_stop stop_of(cn_sim *sim)
{
    cn_result *result;
    assert_ok(cn_sim_result(sim, &result));
    cn_stop stop = cn_result_stop(result);
    cn_result_free(&result);
    return stop;
}

static void a_run_says_when_all_is_complete(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *scenario = broadcasts_on(4, 3, machine, 9);
        cn_sim *sim;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 1, NULL));
        assert_int_equal(stop_of(sim), CN_STOP_CYCLES); /* some have not even started */
        assert_ok(cn_sim_step(sim, 200, NULL));
        assert_int_equal(stop_of(sim), CN_STOP_COMPLETED);
        assert_ok(cn_sim_inject(sim, 0, 63, 0, 0));
        assert_int_equal(stop_of(sim), CN_STOP_CYCLES);
        assert_ok(cn_sim_step(sim, 3, NULL));
        assert_int_equal(stop_of(sim), CN_STOP_COMPLETED);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

static void injected_messages_are_handed_back(void **state)
{
    (void)state;
    for (int machine = 0; machine < 2; machine++) {
        cn_scenario *scenario = broadcasts_on(4, 3, machine, machine ? 5 : 0);
        cn_sim *sim;
        cn_delivery got;
        assert_ok(cn_sim_open(scenario, NULL, &sim));
        assert_ok(cn_sim_step(sim, 40, NULL));
        for (uint64_t v = 63; v > 0; v--)
            assert_ok(cn_sim_inject(sim, 0, v, 0, 1000 + v));
        assert_ok(cn_sim_step(sim, 40, NULL));
        uint64_t last_cycle = 0, last_node = 0, seen = 0;
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK) {
            assert_int_equal(got.tag, 1000 + got.destination);
            assert_int_equal(got.injected, 40);
            assert_true(got.delivered > last_cycle ||
                        (got.delivered == last_cycle && got.destination > last_node));
            last_cycle = got.delivered;
            last_node = got.destination;
            seen |= UINT64_C(1) << got.destination;
        }
        assert_true(seen == UINT64_MAX - 1);
        for (uint64_t more = 0; more < 3; more++) { /* complete, and then no longer */
            assert_ok(cn_sim_step(sim, 100, NULL));
            assert_ok(cn_sim_inject(sim, 0, 1 + more, 0, more));
        }
        assert_ok(cn_sim_step(sim, 100, NULL));
        cn_result *result;
        assert_ok(cn_sim_result(sim, &result));
        assert_near(value_of(result, CN_METRIC_COMPLETION_CYCLES), 381, 0);
        assert_true(isinf(half_width_of(result, CN_METRIC_COMPLETION_CYCLES)));
        assert_true(isinf(half_width_of(result, CN_METRIC_TRANSMISSIONS)));
        cn_result_free(&result);
        cn_sim_close(&sim);
        cn_scenario_free(&scenario);
    }
}

static void other_systems_do_not_count_channels(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("deflection", 3, 1.0);
    cn_sim *sim;
    uint64_t loads[24];
    size_t count;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_channel_loads(sim, loads, 24, &count), CN_ERR_UNSUPPORTED, "deflection");
    assert_fails(cn_sim_channel_loads(NULL, loads, 24, &count), CN_ERR_ARGUMENT, "sim");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* ---- memory ---- */

typedef struct setting {
    double machine, tree, clubbing, destinations, choice, adaptive;
} setting;

static cn_status run_once(void *context)
{
    const setting *s = context;
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_generalized_hypercube(3, 3, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "collective", &scenario);
    if (status == CN_OK) {
        set(scenario, CN_PARAM_MACHINE, s->machine);
        set(scenario, CN_PARAM_TREE, s->tree);
        set(scenario, CN_PARAM_CLUBBING, s->clubbing);
        set(scenario, CN_PARAM_DESTINATIONS, s->destinations);
        set(scenario, CN_PARAM_DESTINATION_CHOICE, s->choice);
        set(scenario, CN_PARAM_DETOURS, s->adaptive);
        set(scenario, CN_PARAM_OPERATIONS, 9);
        set(scenario, CN_PARAM_REPLICATIONS, 2);
        status = cn_simulate(scenario, NULL, &result);
    }
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static cn_status inject_once(void *context)
{
    (void)context;
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_operations *operations = NULL;
    cn_sim *sim = NULL;
    cn_status status = cn_topology_generalized_hypercube(3, 3, &topology);
    if (status == CN_OK)
        status = cn_operations_new(topology, &operations);
    if (status == CN_OK)
        status = cn_operations_add_broadcast(operations, 1, 0);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "collective", &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MACHINE, CN_MACHINE_PAPER);
    if (status == CN_OK)
        status = cn_scenario_set_operations(scenario, operations);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    if (status == CN_OK)
        status = cn_sim_inject(sim, 1, 2, 0, 3);
    if (status == CN_OK)
        status = cn_sim_step(sim, 10, NULL);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_operations_free(&operations);
    cn_topology_free(&topology);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const setting settings[] = {
        {0, 0, 0, 0, 0, 0}, {0, 0, 0, 9, 0, 1}, {0, 1, 1, 9, 2, 0},
        {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 1}, {1, 1, 1, 9, 3, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        setting s = settings[i];
        support_fail_every_allocation(run_once, &s);
    }
    support_fail_every_allocation(inject_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadlock_is_found_and_classes_avoid_it),
        cmocka_unit_test(classes_never_deadlock),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(replications_are_runs_on_other_seeds),
        cmocka_unit_test(poisson_starts_have_their_mean),
        cmocka_unit_test(no_operations_take_no_time),
        cmocka_unit_test(steps_may_be_cut_anyhow),
        cmocka_unit_test(a_run_says_when_all_is_complete),
        cmocka_unit_test(injected_messages_are_handed_back),
        cmocka_unit_test(other_systems_do_not_count_channels),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
