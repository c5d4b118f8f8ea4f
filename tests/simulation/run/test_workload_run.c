/* Workloads in every system: message by message what a plain interpreter finds; completion,
 * critical path, bound. */
#include "support/networks.h"
#include "plain_workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cubenet/experimental/part.h"
#include "cubenet/experimental/shard.h"

static const char *const systems[] = {"separate-buffers", "shared-buffer",
                                      "deflection",       "cut-through",
                                      "wormhole",         "cut-through-deflection"};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static int has_flits(const char *system)
{
    return strcmp(system, "wormhole") == 0 || strcmp(system, "cut-through") == 0;
}

static cn_scenario *with_workload(const cn_scenario *scenario, const cn_workload *workload)
{
    cn_scenario *own;
    assert_ok(cn_scenario_copy(scenario, &own));
    assert_ok(cn_scenario_set_workload(own, workload));
    return own;
}

static void assert_times(const cn_result *result, const plain_times *plain, size_t messages)
{
    uint64_t ready[PLAIN_MESSAGES], injected[PLAIN_MESSAGES], delivered[PLAIN_MESSAGES];
    size_t count;
    assert_ok(cn_result_messages(result, ready, injected, delivered, PLAIN_MESSAGES, &count));
    assert_int_equal(count, messages);
    for (size_t m = 0; m < messages; m++) {
        assert_int_equal(ready[m], plain->ready[m]);
        assert_int_equal(injected[m], plain->injected[m]);
        assert_int_equal(delivered[m], plain->delivered[m]);
    }
}

/* The same network does the same for both hosts. */
static void assert_same_network(const cn_result *result, cn_sim *plain)
{
    static const cn_metric metrics[] = {CN_METRIC_CYCLES, CN_METRIC_MESSAGES_DELIVERED,
                                        CN_METRIC_MESSAGES_OFFERED, CN_METRIC_MEAN_HOPS};
    cn_result *other;
    assert_ok(cn_sim_result(plain, &other));
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (cn_result_has(other, metrics[i]) && cn_result_has(result, metrics[i]))
            assert_true(value_of(result, metrics[i]) == value_of(other, metrics[i]));
    cn_result_free(&other);
}

static void assert_shares(const cn_result *result, const plain_times *plain)
{
    static const cn_metric shares[] = {
        CN_METRIC_CRITICAL_COMPUTING, CN_METRIC_CRITICAL_SOURCE_WAITING,
        CN_METRIC_CRITICAL_NETWORK_WAITING, CN_METRIC_CRITICAL_WIRES};
    double sum = 0.0, completion = value_of(result, CN_METRIC_COMPLETION_CYCLES);
    for (size_t i = 0; i < 4; i++) {
        assert_true(value_of(result, shares[i]) >= 0.0);
        sum += value_of(result, shares[i]);
    }
    assert_true(sum == completion);
    assert_true(completion == (double)(plain->end - plain->start));
    if (cn_result_has(result, CN_METRIC_BOUND_RATIO)) {
        assert_true(value_of(result, CN_METRIC_BOUND_RATIO) >= 1.0);
        assert_near(value_of(result, CN_METRIC_BOUND_RATIO),
                    completion / value_of(result, CN_METRIC_LOWER_BOUND_CYCLES), 1e-12);
    }
}

static void compare(const cn_scenario *scenario, const cn_workload *workload, uint64_t start)
{
    plain_times plain;
    cn_sim *sim = plain_workload_run(scenario, workload, start, &plain);
    cn_scenario *own = with_workload(scenario, workload);
    cn_result *result;
    assert_ok(cn_simulate(own, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    assert_times(result, &plain, cn_workload_count(workload));
    if (plain.end > plain.start) {
        assert_same_network(result, sim);
        assert_shares(result, &plain);
    }
    cn_result_free(&result);
    cn_scenario_free(&own);
    cn_sim_close(&sim);
}

/* Whether the system exists on the network. */
static int make_scenario(const cn_topology *topology, const char *system, uint64_t seed,
                         cn_scenario **scenario)
{
    if (cn_scenario_new(topology, system, scenario) != CN_OK)
        return 0;
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_LOAD, 0.0));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_WARMUP_CYCLES, 0.0));
    assert_ok(cn_scenario_set_seed(*scenario, seed));
    if (cn_scenario_takes(*scenario, CN_PARAM_MESSAGE_FLITS))
        assert_ok(cn_scenario_set(*scenario, CN_PARAM_MESSAGE_FLITS, 5.0));
    if (cn_scenario_takes(*scenario, CN_PARAM_BUFFERS) && seed % 2 == 1) {
        double least;
        assert_ok(cn_scenario_range(*scenario, CN_PARAM_BUFFERS, &least, NULL, NULL));
        assert_ok(cn_scenario_set(*scenario, CN_PARAM_BUFFERS, least));
    }
    cn_sim *sim;
    if (cn_sim_open(*scenario, NULL, &sim) == CN_OK) {
        cn_sim_close(&sim);
        return 1;
    }
    cn_scenario_free(scenario);
    return 0;
}

static void the_interpreter_agrees(void **state)
{
    (void)state;
    size_t compared[SYSTEMS] = {0};
    for (size_t n = 0; n < network_count(); n++) {
        cn_topology *topology = make_network(n);
        uint64_t nodes = cn_topology_node_count(topology);
        for (size_t i = 0; i < 3 * SYSTEMS && nodes >= 2 && nodes <= 32; i++) {
            const char *system = systems[i % SYSTEMS];
            cn_scenario *scenario;
            if (!make_scenario(topology, system, n + i, &scenario))
                continue;
            cn_workload *workload =
                random_workload(topology, n * SYSTEMS + i, 1 + (n * 37 + i * 61) % 200,
                                has_flits(system) ? 20 : 1, CN_NO_NODE);
            compare(scenario, workload, 0);
            compared[i % SYSTEMS]++;
            cn_workload_free(&workload);
            cn_scenario_free(&scenario);
        }
        cn_topology_free(&topology);
    }
    for (size_t s = 0; s < SYSTEMS; s++) {
        print_message("%s: %zu workloads\n", systems[s], compared[s]);
        assert_true(compared[s] >= 6);
    }
}

/* ---- beside traffic, on damage, in continuous time ---- */

static cn_topology *torus(uint64_t k, uint64_t l)
{
    cn_topology *topology;
    assert_ok(cn_topology_torus((uint64_t[]){k, l}, 2, &topology));
    return topology;
}

static void above_background_traffic_it_starts_after_the_warm_up(void **state)
{
    (void)state;
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(4, &topology));
    for (size_t s = 0; s < SYSTEMS; s++) {
        cn_scenario *scenario;
        assert_true(make_scenario(topology, systems[s], s, &scenario));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, has_flits(systems[s]) ? 0.02 : 0.1));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100.0));
        cn_workload *workload =
            random_workload(topology, s, 150, has_flits(systems[s]) ? 20 : 1, CN_NO_NODE);
        compare(scenario, workload, 100);
        cn_workload_free(&workload);
        cn_scenario_free(&scenario);
    }
    cn_topology_free(&topology);
}

static void an_automatic_warm_up_ends_where_it_ends_without_workload(void **state)
{
    (void)state;
    cn_topology *topology = torus(4, 4);
    cn_scenario *scenario;
    cn_sim *sim;
    cn_result *result;
    assert_true(make_scenario(topology, "wormhole", 2, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.01));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, CN_WARMUP_AUTOMATIC));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 30000, NULL));
    assert_ok(cn_sim_result(sim, &result));
    double warmup = value_of(result, CN_METRIC_WARMUP_CYCLES);
    assert_true(warmup > 0.0 && warmup < 25000.0);
    cn_workload *workload = random_workload(topology, 3, 100, 9, CN_NO_NODE);
    compare(scenario, workload, (uint64_t)warmup);
    cn_workload_free(&workload);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void on_a_damaged_network(void **state)
{
    (void)state;
    cn_topology *topology = torus(5, 5);
    cn_faults *faults;
    assert_ok(cn_faults_new(topology, &faults));
    assert_ok(cn_faults_add_node(faults, 7));
    assert_ok(cn_faults_add_link(faults, 12, 1));
    for (size_t s = 0; s + 1 < SYSTEMS; s++) {
        cn_scenario *scenario, *own;
        cn_sim *sim;
        assert_true(make_scenario(topology, systems[s], 1, &scenario));
        assert_ok(cn_scenario_set_faults(scenario, faults));
        if (cn_scenario_takes(scenario, CN_PARAM_VIRTUAL_CHANNELS))
            assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 2.0));
        cn_workload *workload =
            random_workload(topology, s, 150, has_flits(systems[s]) ? 20 : 1, 7);
        compare(scenario, workload, 0);
        assert_ok(cn_workload_add(workload, 3, 7, 1, 0, NULL, 0, NULL, 0, NULL));
        own = with_workload(scenario, workload);
        assert_fails(cn_sim_open(own, NULL, &sim), CN_ERR_DISCONNECTED,
                     "message 150 goes from node 3 to node 7, but node 7 does not survive");
        assert_null(sim);
        cn_scenario_free(&own);
        cn_workload_free(&workload);
        cn_scenario_free(&scenario);
    }
    cn_faults_free(&faults);
    cn_topology_free(&topology);
}

static void in_continuous_time(void **state)
{
    (void)state;
    cn_topology *topology = torus(3, 4);
    cn_scenario *scenario;
    assert_true(make_scenario(topology, "separate-buffers", 2, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0.0));
    cn_workload *workload = random_workload(topology, 5, 200, 1, CN_NO_NODE);
    compare(scenario, workload, 0);
    cn_scenario *own = with_workload(scenario, workload);
    cn_result *result;
    assert_ok(cn_simulate(own, NULL, &result));
    assert_false(cn_result_has(result, CN_METRIC_BOUND_RATIO));
    cn_result_free(&result);
    cn_workload_free(&workload);
    cn_scenario_free(&own);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

/* ---- driven ---- */

/* A workload that makes sources wait: all nodes of the 4-cube send to all others at once. */
static cn_workload *all_to_all(const cn_topology *topology)
{
    cn_workload *workload;
    uint64_t nodes = cn_topology_node_count(topology);
    assert_ok(cn_workload_new(topology, &workload));
    for (uint64_t step = 1; step < nodes; step++)
        for (uint64_t v = 0; v < nodes; v++)
            assert_ok(cn_workload_add(workload, v, v ^ step, 1, 0, NULL, 0, NULL, 0, NULL));
    return workload;
}

static cn_scenario *all_to_all_scenario(const char *system, double threads)
{
    cn_topology *topology;
    cn_scenario *scenario;
    assert_ok(cn_topology_hypercube(4, &topology));
    cn_workload *workload = all_to_all(topology);
    assert_ok(cn_scenario_new(topology, system, &scenario));
    if (cn_scenario_takes(scenario, CN_PARAM_MESSAGE_FLITS))
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 1.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    cn_workload_free(&workload);
    cn_topology_free(&topology);
    return scenario;
}

static void the_result_is_that_of(cn_sim *sim, const cn_result *expected)
{
    cn_result *result;
    assert_ok(cn_sim_result(sim, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    uint64_t a[3][PLAIN_MESSAGES], b[3][PLAIN_MESSAGES];
    size_t count;
    assert_ok(cn_result_messages(result, a[0], a[1], a[2], PLAIN_MESSAGES, &count));
    assert_ok(cn_result_messages(expected, b[0], b[1], b[2], PLAIN_MESSAGES, &count));
    for (int i = 0; i < 3; i++)
        assert_memory_equal(a[i], b[i], count * sizeof a[i][0]);
    assert_same_result(result, expected);
    cn_result_free(&result);
}

static void steps_threads_and_snapshots_keep_the_bits(void **state)
{
    (void)state;
    for (size_t s = 0; s < SYSTEMS; s++) {
        cn_scenario *scenario = all_to_all_scenario(systems[s], 1.0);
        cn_scenario *threads = all_to_all_scenario(systems[s], 3.0);
        cn_result *whole;
        assert_ok(cn_simulate(scenario, NULL, &whole));
        uint64_t end = (uint64_t)value_of(whole, CN_METRIC_CYCLES);
        int refuses = strstr(systems[s], "deflection") != NULL;
        assert_true((value_of(whole, CN_METRIC_CRITICAL_SOURCE_WAITING) > 0.0) == refuses);
        assert_true(value_of(whole, CN_METRIC_MESSAGES_REFUSED) == 0.0);
        for (uint64_t cut = 0; cut <= end; cut++) {
            cn_sim *sim, *restored, *copy;
            size_t size;
            assert_ok(cn_sim_open(threads, NULL, &sim));
            assert_ok(cn_sim_step(sim, cut, NULL));
            assert_ok(cn_sim_save(sim, NULL, 0, &size) == CN_ERR_CAPACITY ? CN_OK : CN_ERR_STATE);
            uint8_t *data = test_malloc(size);
            assert_ok(cn_sim_save(sim, data, size, NULL));
            assert_ok(cn_sim_restore(scenario, data, size, NULL, &restored));
            assert_ok(cn_sim_copy(sim, NULL, &copy));
            cn_sim *all[] = {sim, restored, copy};
            for (size_t i = 0; i < 3; i++) {
                assert_ok(cn_sim_step(all[i], (end - cut) / 3, NULL));
                assert_ok(cn_sim_step(all[i], end - cn_sim_cycle(all[i]), NULL));
                the_result_is_that_of(all[i], whole);
                cn_sim_close(&all[i]);
            }
            test_free(data);
        }
        cn_result_free(&whole);
        cn_scenario_free(&scenario);
        cn_scenario_free(&threads);
    }
}

enum { MANY = 6000 };

static void deliveries_of(const cn_topology *topology, const cn_workload *workload,
                          const char *system, double threads, uint64_t delivered[MANY])
{
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_result_messages(result, NULL, NULL, delivered, MANY, NULL));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void threads_that_share_a_network_keep_the_bits(void **state)
{
    (void)state;
    static const char *const threaded[] = {"separate-buffers", "shared-buffer", "deflection"};
    static uint64_t one[MANY], three[MANY];
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(10, &topology));
    cn_workload *workload = random_workload(topology, 11, MANY, 1, CN_NO_NODE);
    for (size_t s = 0; s < 3; s++) {
        deliveries_of(topology, workload, threaded[s], 1.0, one);
        deliveries_of(topology, workload, threaded[s], 3.0, three);
        assert_memory_equal(one, three, sizeof one);
    }
    cn_workload_free(&workload);
    cn_topology_free(&topology);
}

static void a_driven_one_stops_where_it_is_over(void **state)
{
    (void)state;
    cn_scenario *scenario = all_to_all_scenario("cut-through", 1.0);
    cn_result *whole, *part;
    cn_sim *sim;
    cn_delivery d;
    uint64_t delivered[PLAIN_MESSAGES];
    size_t count = 9;
    assert_ok(cn_simulate(scenario, NULL, &whole));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject(sim, 0, 1, 1, 0), CN_ERR_STATE, "injects its messages itself");
    assert_fails(cn_sim_inject_broadcast(sim, 0, CN_BASE_OF_SCENARIO, 0), CN_ERR_STATE,
                 "injects its messages itself");
    assert_fails(cn_sim_report_trace(sim), CN_ERR_STATE, "injects its messages itself");
    assert_ok(cn_sim_step(sim, 1, NULL));
    assert_ok(cn_sim_result(sim, &part));
    assert_int_equal(cn_result_stop(part), CN_STOP_CYCLES);
    assert_false(cn_result_has(part, CN_METRIC_COMPLETION_CYCLES));
    assert_true(cn_result_has(part, CN_METRIC_LOWER_BOUND_CYCLES));
    assert_ok(cn_result_messages(part, NULL, NULL, delivered, PLAIN_MESSAGES, NULL));
    assert_true(delivered[239] == CN_NEVER);
    assert_ok(cn_result_critical_path(part, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_int_equal(cn_sim_step_until(sim, 1000000, NULL), CN_DONE);
    assert_true((double)cn_sim_cycle(sim) == value_of(whole, CN_METRIC_CYCLES));
    assert_true(cn_sim_next_event(sim) == CN_NEVER);
    assert_int_equal(cn_sim_next_delivery(sim, &d, sizeof d), CN_DONE);
    cn_result_free(&part);
    cn_result_free(&whole);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

static void a_warm_up_may_be_cut_short(void **state)
{
    (void)state;
    cn_scenario *scenario = all_to_all_scenario("deflection", 1.0);
    cn_sim *sim;
    cn_result *result;
    uint64_t ready[PLAIN_MESSAGES];
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 500.0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 70, NULL));
    assert_ok(cn_sim_reset_statistics(sim));
    assert_ok(cn_sim_step(sim, 30, NULL));
    assert_ok(cn_sim_reset_statistics(sim)); /* begins it no second time */
    assert_ok(cn_sim_step(sim, 400, NULL));
    assert_ok(cn_sim_result(sim, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    assert_ok(cn_result_messages(result, ready, NULL, NULL, PLAIN_MESSAGES, NULL));
    for (size_t m = 0; m < 240; m++)
        assert_int_equal(ready[m], 70);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

static void computing_alone_takes_its_time(void **state)
{
    (void)state;
    static const uint64_t first[] = {0}, second[] = {1};
    cn_topology *topology = torus(3, 3);
    cn_workload *workload;
    cn_scenario *scenario;
    cn_result *result;
    cn_sim *sim;
    uint64_t path[3], times[3];
    assert_ok(cn_workload_new(topology, &workload));
    assert_ok(cn_workload_add(workload, 0, 0, 0, 1000000000, NULL, 0, NULL, 0, NULL));
    assert_ok(cn_workload_add(workload, 0, 1, 7, 0, first, 1, NULL, 0, NULL));
    assert_ok(cn_workload_add(workload, 0, 2, 7, 3, NULL, 0, second, 1, NULL));
    assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_ok(cn_result_messages(result, NULL, times, NULL, 3, NULL));
    assert_int_equal(times[1], 1000000000);
    assert_int_equal(times[2], 1000000003);
    assert_ok(cn_result_critical_path(result, path, 3, NULL));
    assert_memory_equal(path, ((uint64_t[]){0, 1, 2}), sizeof path);
    assert_true(value_of(result, CN_METRIC_CRITICAL_COMPUTING) == 1000000003.0);
    assert_true(value_of(result, CN_METRIC_CRITICAL_WIRES) == 8.0);
    assert_true(value_of(result, CN_METRIC_BOUND_RATIO) == 1.0);
    assert_fails(cn_result_critical_path(result, path, 2, NULL), CN_ERR_CAPACITY, "3 messages");
    assert_fails(cn_result_messages(result, NULL, NULL, NULL, 2, NULL), CN_ERR_CAPACITY,
                 "3 messages");
    cn_result_free(&result);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_int_equal(cn_sim_next_event(sim), 1000000000);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_workload_free(&workload);
    assert_ok(cn_workload_new(topology, &workload));
    assert_ok(cn_workload_add(workload, 4, 4, 0, 0, NULL, 0, NULL, 0, NULL));
    assert_ok(cn_scenario_new(topology, "deflection", &scenario));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_ok(cn_simulate(scenario, NULL, &result)); /* it is over before the first cycle */
    assert_int_equal(cn_result_stop(result), CN_STOP_COMPLETED);
    assert_true(value_of(result, CN_METRIC_COMPLETION_CYCLES) == 0.0);
    assert_false(cn_result_has(result, CN_METRIC_BOUND_RATIO));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_workload_free(&workload);
    cn_topology_free(&topology);
}

/* ---- limits, replications, refusals ---- */

static void measure_cycles_is_a_limit_where_it_was_set(void **state)
{
    (void)state;
    cn_scenario *scenario = all_to_all_scenario("separate-buffers", 1.0);
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 3.0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_CYCLES);
    assert_true(value_of(result, CN_METRIC_CYCLES) == 3.0);
    assert_false(cn_result_is_saturated(result));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

static void replications_have_means_and_the_times_of_the_first(void **state)
{
    (void)state;
    cn_scenario *scenario = all_to_all_scenario("separate-buffers", 2.0);
    cn_result *one, *many, *shards[2], *merged, *read;
    uint64_t a[PLAIN_MESSAGES], b[PLAIN_MESSAGES];
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.3));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 50.0));
    assert_ok(cn_simulate(scenario, NULL, &one));
    double sum = 0.0;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 5.0));
    assert_ok(cn_simulate(scenario, NULL, &many));
    assert_int_equal(cn_result_stop(many), CN_STOP_COMPLETED);
    assert_ok(cn_result_messages(one, NULL, NULL, a, PLAIN_MESSAGES, NULL));
    assert_ok(cn_result_messages(many, NULL, NULL, b, PLAIN_MESSAGES, NULL));
    assert_memory_equal(a, b, 240 * sizeof a[0]);
    assert_true(isinf(half_width_of(one, CN_METRIC_COMPLETION_CYCLES)));
    assert_true(half_width_of(many, CN_METRIC_COMPLETION_CYCLES) > 0.0);
    assert_true(!isinf(half_width_of(many, CN_METRIC_BOUND_RATIO)));
    for (int m = CN_METRIC_CRITICAL_COMPUTING; m <= CN_METRIC_CRITICAL_WIRES; m++)
        sum += value_of(many, (cn_metric)m);
    assert_near(sum, value_of(many, CN_METRIC_COMPLETION_CYCLES), 1e-9);
    for (uint64_t i = 0; i < 2; i++)
        assert_ok(cn_simulate_shard(scenario, i, 2, NULL, &shards[i]));
    char *text = test_malloc(1000000);
    assert_ok(cn_result_json(shards[0], text, 1000000, NULL));
    cn_result_free(&shards[0]);
    assert_ok(cn_result_from_json(text, NULL, &shards[0]));
    assert_ok(cn_result_merge((const cn_result *[]){shards[1], shards[0]}, 2, NULL, &merged));
    assert_same_result(many, merged);
    assert_ok(cn_result_messages(merged, NULL, NULL, b, PLAIN_MESSAGES, NULL));
    assert_memory_equal(a, b, 240 * sizeof a[0]);
    assert_ok(cn_result_json(merged, text, 1000000, NULL));
    assert_ok(cn_result_from_json(text, NULL, &read));
    char *again = test_malloc(1000000);
    assert_ok(cn_result_json(read, again, 1000000, NULL));
    assert_string_equal(text, again);
    test_free(text);
    test_free(again);
    cn_result_free(&one);
    cn_result_free(&many);
    cn_result_free(&merged);
    cn_result_free(&read);
    cn_result_free(&shards[0]);
    cn_result_free(&shards[1]);
    cn_scenario_free(&scenario);
}

static int no_exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                       size_t count)
{
    (void)user, (void)call, (void)number, (void)neighbors, (void)count;
    return 1;
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    cn_scenario *scenario = all_to_all_scenario("separate-buffers", 1.0), *other;
    cn_topology *cube, *ring;
    cn_workload *workload;
    cn_result *result;
    cn_sim *sim;
    double low, high;
    assert_fails(cn_sim_open_part(scenario, 0, 2, no_exchange, NULL, NULL, &sim),
                 CN_ERR_UNSUPPORTED, "the scenario has a workload");
    assert_fails(cn_simulated_saturation_load(scenario, 0.1, NULL, &low, &high), CN_ERR_UNSUPPORTED,
                 "a run of a workload ends by itself");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.1));
    assert_fails(cn_predict(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "covers no workload");
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_ring(16, 1, &ring));
    assert_ok(cn_workload_new(ring, &workload));
    assert_fails(cn_scenario_set_workload(scenario, workload), CN_ERR_ARGUMENT,
                 "a workload of ring(16)");
    cn_workload_free(&workload);
    assert_ok(cn_workload_new(cube, &workload));
    assert_fails(cn_scenario_set_workload(scenario, workload), CN_ERR_ARGUMENT,
                 "the workload is empty");
    assert_ok(cn_workload_add(workload, 0, 1, 2, 0, NULL, 0, NULL, 0, NULL));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED,
                 "message 0 has 2 flits, but the messages of separate-buffers have no flits");
    assert_ok(cn_scenario_set_workload(scenario, NULL));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 500.0));
    assert_ok(cn_simulate(scenario, NULL, &result));
    assert_fails(cn_result_messages(result, NULL, NULL, NULL, 0, NULL), CN_ERR_NOT_FOUND,
                 "holds no times of messages");
    assert_fails(cn_result_critical_path(result, NULL, 0, NULL), CN_ERR_NOT_FOUND,
                 "holds no times of messages");
    cn_result_free(&result);
    assert_ok(cn_scenario_new(cube, "collective", &other));
    assert_fails(cn_scenario_set_workload(other, workload), CN_ERR_UNSUPPORTED,
                 "collective does not take a workload");
    cn_workload_free(&workload);
    cn_scenario_free(&other);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
}

static void a_deadlock_is_one(void **state)
{
    (void)state;
    cn_topology *ring;
    cn_workload *workload;
    cn_scenario *scenario;
    cn_result *result;
    assert_ok(cn_topology_ring(4, 0, &ring));
    assert_ok(cn_workload_new(ring, &workload));
    for (uint64_t v = 0; v < 4; v++)
        assert_ok(cn_workload_add(workload, v, (v + 2) % 4, 50, 0, NULL, 0, NULL, 0, NULL));
    assert_ok(cn_scenario_new(ring, "wormhole", &scenario));
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_UNSAFE, 1.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 1.0));
    assert_ok(cn_scenario_set_workload(scenario, workload));
    assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DEADLOCK, "deadlock");
    cn_scenario_free(&scenario);
    cn_workload_free(&workload);
    cn_topology_free(&ring);
}

static cn_status run_it(void *context)
{
    cn_result *result = NULL;
    cn_status status = cn_simulate(context, NULL, &result);
    cn_result_free(&result);
    return status;
}

static void every_allocation_of_a_run_may_fail(void **state)
{
    (void)state;
    support_install_allocator(0);
    cn_scenario *scenario = all_to_all_scenario("deflection", 1.0);
    uint64_t k = 1;
    cn_status status;
    do {
        support_fail_allocation(k++);
        status = run_it(scenario);
        assert_true(status == CN_OK || status == CN_ERR_MEMORY);
    } while (status != CN_OK);
    assert_true(k > 10);
    support_fail_allocation(0);
    cn_scenario_free(&scenario);
    assert_int_equal(support_blocks(), 0);
    support_remove_allocator();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interpreter_agrees),
        cmocka_unit_test(above_background_traffic_it_starts_after_the_warm_up),
        cmocka_unit_test(an_automatic_warm_up_ends_where_it_ends_without_workload),
        cmocka_unit_test(on_a_damaged_network),
        cmocka_unit_test(in_continuous_time),
        cmocka_unit_test(steps_threads_and_snapshots_keep_the_bits),
        cmocka_unit_test(threads_that_share_a_network_keep_the_bits),
        cmocka_unit_test(a_driven_one_stops_where_it_is_over),
        cmocka_unit_test(a_warm_up_may_be_cut_short),
        cmocka_unit_test(computing_alone_takes_its_time),
        cmocka_unit_test(measure_cycles_is_a_limit_where_it_was_set),
        cmocka_unit_test(replications_have_means_and_the_times_of_the_first),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_deadlock_is_one),
        cmocka_unit_test(every_allocation_of_a_run_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
