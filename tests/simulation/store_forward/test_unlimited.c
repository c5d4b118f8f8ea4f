/* Driving the simulations with unlimited buffers, and what they say when there is no steady
 * state. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

static const char *const systems[] = {"separate-buffers", "shared-buffer"};

static cn_scenario *scenario_on(const char *system, cn_topology *topology, double load)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    cn_topology_free(&topology);
    return scenario;
}

static cn_sim *open_and_free(cn_scenario *scenario)
{
    cn_sim *sim;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    return sim;
}

/* ---- injected messages ---- */

/* Without load the delay is the distance, between any two nodes. */
static void check_lone_messages(const char *system, cn_topology *topology)
{
    uint64_t nodes = cn_topology_node_count(topology), hops[64];
    for (uint64_t v = 1; v < nodes; v++)
        assert_ok(cn_topology_distance(topology, 0, v, NULL, &hops[v]));
    cn_sim *sim = open_and_free(scenario_on(system, topology, 0.0));
    for (uint64_t v = 1; v < nodes; v++) {
        cn_delivery got;
        uint64_t begin = cn_sim_cycle(sim);
        assert_ok(cn_sim_inject(sim, 0, v, 0, 1000 + v));
        assert_ok(cn_sim_step(sim, hops[v] - 1, NULL));
        assert_int_equal(cn_sim_next_delivery(sim, &got, sizeof got), CN_DONE);
        assert_ok(cn_sim_step(sim, 1, NULL));
        assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
        assert_int_equal(got.tag, 1000 + v);
        assert_int_equal(got.source, 0);
        assert_int_equal(got.destination, v);
        assert_int_equal(got.injected, begin);
        assert_int_equal(got.delivered, begin + hops[v]);
    }
    cn_sim_close(&sim);
}

static void a_lone_message_needs_its_distance(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_topology *topology;
        assert_ok(cn_topology_hypercube(6, &topology));
        check_lone_messages(systems[s], topology);
        assert_ok(cn_topology_kary_ncube(4, 3, 0, &topology));
        check_lone_messages(systems[s], topology);
        assert_ok(cn_topology_kary_ncube(5, 2, 1, &topology));
        check_lone_messages(systems[s], topology);
    }
}

/* Messages thrown in among the scenario's own traffic: each comes out once, with its tag, in order
 * of cycle and destination. */
static void check_each_delivered_once(const char *system, double load)
{
    enum { MESSAGES = 4000 };
    static char seen[MESSAGES];
    static uint64_t wanted[MESSAGES];
    memset(seen, 0, sizeof seen);
    cn_sim *sim = open_and_free(cube_scenario(system, 7, load));
    uint64_t injected = 0, delivered = 0, draw = 0;
    cn_delivery got, last = {0};
    for (int round = 0; delivered < MESSAGES; round++) {
        assert_true(round < 10000);
        for (int tries = 0; tries < 100 && injected < MESSAGES; tries++, injected++) {
            uint64_t source = cni_random_word(9, draw++) % 128;
            wanted[injected] = (source + 1 + cni_random_word(9, draw++) % 127) % 128;
            assert_ok(cn_sim_inject(sim, source, wanted[injected], 0, injected));
        }
        assert_ok(cn_sim_step(sim, 1 + (uint64_t)round % 3, NULL));
        while (cn_sim_next_delivery(sim, &got, sizeof got) == CN_OK) {
            assert_true(got.tag < injected);
            assert_int_equal(seen[got.tag]++, 0);
            assert_int_equal(got.destination, wanted[got.tag]);
            assert_true(got.delivered > got.injected && got.delivered <= cn_sim_cycle(sim));
            assert_true(got.delivered > last.delivered ||
                        (got.delivered == last.delivered && got.destination >= last.destination));
            last = got;
            delivered++;
        }
    }
    cn_sim_close(&sim);
}

static void each_message_is_delivered_once_with_its_tag(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        check_each_delivered_once(systems[s], 0.0);
        check_each_delivered_once(systems[s], 1.2);
    }
}

/* A queue without limit takes what a node is given; one channel sends one a cycle. */
static void nothing_is_ever_refused(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_sim *sim = open_and_free(cube_scenario(systems[s], 3, 0.0));
        cn_delivery got;
        for (uint64_t i = 0; i < 5000; i++)
            assert_ok(cn_sim_inject(sim, 2, 6, 0, i));
        assert_ok(cn_sim_step(sim, 5001, NULL));
        for (uint64_t i = 0; i < 5000; i++) {
            assert_ok(cn_sim_next_delivery(sim, &got, sizeof got));
            assert_int_equal(got.tag, i); /* the oldest first, in either system */
            assert_int_equal(got.delivered, i + 1);
        }
        cn_sim_close(&sim);
    }
}

/* A ring of so many nodes has distances beyond what 16 bits hold. */
static void distances_of_a_long_ring_are_whole(void **state)
{
    (void)state;
    for (int both_ways = 0; both_ways < 2; both_ways++) {
        cn_topology *topology;
        uint64_t nodes = UINT64_C(1) << 18, to = nodes / 2 - 1, hops;
        double mean;
        cn_result *result;
        assert_ok(cn_topology_ring(nodes, both_ways, &topology));
        assert_ok(cn_topology_distance(topology, 0, to, NULL, &hops));
        assert_true(hops > UINT16_MAX);
        cn_scenario *scenario = scenario_on("separate-buffers", topology, 0.0);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0.0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0.0));
        cn_sim *sim = open_and_free(scenario);
        assert_ok(cn_sim_inject(sim, 0, to, 0, 1));
        assert_ok(cn_sim_step(sim, 2 * hops, NULL));
        assert_ok(cn_sim_result(sim, &result));
        assert_ok(cn_result_value(result, CN_METRIC_MEAN_HOPS, &mean));
        assert_true(mean == (double)hops);
        assert_ok(cn_result_value(result, CN_METRIC_MEAN_DISTANCE, &mean));
        assert_true(mean == (double)hops);
        cn_result_free(&result);
        cn_sim_close(&sim);
    }
}

/* Distances without a closed form would fill more memory than there is, and are longer than 16
 * bits. */
static void a_long_path_of_edges_is_refused(void **state)
{
    (void)state;
    enum { NODES = (1 << 16) + 1 };
    static uint64_t edges[2 * (NODES - 1)];
    cn_topology *topology;
    cn_tree *tree;
    cn_routing *routing;
    cn_sim *sim;
    for (uint64_t v = 0; v + 1 < NODES; v++) {
        edges[2 * v] = v;
        edges[2 * v + 1] = v + 1;
    }
    assert_ok(cn_topology_from_edges(NODES, edges, NODES - 1, NULL, &topology));
    assert_ok(cn_tree_breadth_first(topology, 0, NULL, &tree));
    assert_ok(cn_routing_tree(tree, &routing));
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario;
        assert_ok(cn_scenario_new(topology, systems[s], &scenario));
        assert_ok(cn_scenario_set_routing(scenario, routing));
        assert_int_equal(cn_sim_open(scenario, NULL, &sim), CN_ERR_UNSUPPORTED);
        assert_non_null(strstr(cn_last_error(), "at most 65536 nodes, but it has 65537"));
        cn_scenario_free(&scenario);
    }
    cn_routing_free(&routing);
    cn_tree_free(&tree);
    cn_topology_free(&topology);
}

/* ---- the same bits ---- */

static void stepping_equals_simulating(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario = cube_scenario(systems[s], 5, 1.5);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 333));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 5000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        cn_result *whole, *stepped;
        assert_ok(cn_simulate(scenario, NULL, &whole));
        assert_int_equal(cn_result_stop(whole), CN_STOP_CYCLES);
        cn_sim *sim = open_and_free(scenario);
        for (uint64_t cycle = 0, step = 1; cycle < 5333; cycle += step, step = 1 + step * 7 % 113)
            assert_ok(cn_sim_step(sim, step < 5333 - cycle ? step : 5333 - cycle, NULL));
        assert_ok(cn_sim_result(sim, &stepped));
        assert_same_result(whole, stepped);
        assert_int_equal(cn_result_stop(whole), cn_result_stop(stepped));
        cn_result_free(&whole);
        cn_result_free(&stepped);
        cn_sim_close(&sim);
    }
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (double replications = 1; replications < 6; replications += 4) {
            cn_result *one, *three;
            cn_scenario *scenario = cube_scenario(systems[s], 5, 1.5);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1000));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
            assert_ok(cn_simulate(scenario, NULL, &one));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 3));
            assert_ok(cn_simulate(scenario, NULL, &three));
            assert_same_result(one, three);
            assert_int_equal(cn_result_stop(one), CN_STOP_CYCLES);
            cn_result_free(&one);
            cn_result_free(&three);
            cn_scenario_free(&scenario);
        }
}

/* ---- the accounting ---- */

/* Little's law without a rest: what waits at the start of every cycle is the sum of the delays,
 * once everything has arrived; and every hop was one of a distance. */
static void the_accounts_add_up(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario = cube_scenario(systems[s], 6, 0.0);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        cn_sim *sim = open_and_free(scenario);
        for (uint64_t i = 0; i < 3000; i++) {
            uint64_t source = cni_random_word(4, 2 * i) % 64;
            assert_ok(cn_sim_inject(sim, source, source ^ (1 + cni_random_word(4, 2 * i + 1) % 63),
                                    0, i));
            if (i % 40 == 39)
                assert_ok(cn_sim_step(sim, 1, NULL));
        }
        assert_ok(cn_sim_step(sim, 200, NULL));
        cn_result *r;
        assert_ok(cn_sim_result(sim, &r));
        assert_near(value_of(r, CN_METRIC_MESSAGES_OFFERED), 3000, 0);
        assert_near(value_of(r, CN_METRIC_MESSAGES_ACCEPTED), 3000, 0);
        assert_near(value_of(r, CN_METRIC_MESSAGES_DELIVERED), 3000, 0);
        assert_near(value_of(r, CN_METRIC_MESSAGES_REFUSED), 0, 0);
        assert_near(value_of(r, CN_METRIC_MESSAGES_IN_FLIGHT), 0, 0);
        assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH) * 64.0 * 275.0,
                    value_of(r, CN_METRIC_MEAN_DELAY) * 3000.0, 1e-6);
        assert_near(value_of(r, CN_METRIC_MEAN_HOPS), value_of(r, CN_METRIC_MEAN_DISTANCE), 1e-12);
        assert_near(value_of(r, CN_METRIC_CHANNEL_UTILIZATION) * 6.0 * 64.0 * 275.0,
                    value_of(r, CN_METRIC_MEAN_DISTANCE) * 3000.0, 1e-6);
        cn_result_free(&r);
        cn_sim_close(&sim);
    }
}

static void metrics_agree_with_each_other(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario = cube_scenario(systems[s], 6, 1.4);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        cn_result *r;
        assert_ok(cn_simulate(scenario, NULL, &r));
        double rho = value_of(r, CN_METRIC_CHANNEL_UTILIZATION);
        double h = value_of(r, CN_METRIC_MEAN_HOPS), delay = value_of(r, CN_METRIC_MEAN_DELAY);
        double throughput = value_of(r, CN_METRIC_THROUGHPUT);
        assert_near(throughput, 6.0 * rho / h, 1e-12);
        assert_near(value_of(r, CN_METRIC_NETWORK_THROUGHPUT), 64.0 * throughput, 1e-12);
        assert_near(value_of(r, CN_METRIC_TRANSIT_PROBABILITY), rho * (1.0 - 1.0 / h), 1e-12);
        assert_near(value_of(r, CN_METRIC_POWER), 64.0 * throughput / delay, 1e-9);
        assert_near(value_of(r, CN_METRIC_POWER_ACCEPTED), 64.0 * throughput / delay, 1e-9);
        assert_near(value_of(r, CN_METRIC_ACCEPTANCE_PROBABILITY), 1.0, 0);
        /* up to what the borders of the run cut off: 20000 cycles against some 10 on the way */
        assert_near(value_of(r, CN_METRIC_MEAN_QUEUE_LENGTH), throughput * delay, 0.01);
        assert_near(h, value_of(r, CN_METRIC_MEAN_DISTANCE), 1e-3);
        assert_near(value_of(r, CN_METRIC_OFFERED_LOAD), 1.4, 0.01);
        assert_true(value_of(r, CN_METRIC_DELAY_P50) <= value_of(r, CN_METRIC_DELAY_P95));
        assert_true(value_of(r, CN_METRIC_DELAY_P99) <= value_of(r, CN_METRIC_DELAY_MAX));
        assert_int_equal(cn_result_is_saturated(r), 0);
        cn_result_free(&r);
        cn_scenario_free(&scenario);
    }
}

/* ---- no steady state ---- */

static void check_saturated(const cn_result *r)
{
    static const cn_metric steady[] = {CN_METRIC_MEAN_DELAY,     CN_METRIC_MEAN_QUEUE_LENGTH,
                                       CN_METRIC_MEAN_HOPS,      CN_METRIC_POWER,
                                       CN_METRIC_POWER_ACCEPTED, CN_METRIC_DELAY_P50,
                                       CN_METRIC_DELAY_P99,      CN_METRIC_DELAY_MAX};
    assert_int_equal(cn_result_stop(r), CN_STOP_SATURATED);
    assert_int_equal(cn_result_is_saturated(r), 1);
    for (size_t i = 0; i < sizeof steady / sizeof steady[0]; i++)
        assert_false(cn_result_has(r, steady[i]));
    assert_true(value_of(r, CN_METRIC_CHANNEL_UTILIZATION) > 0.9);
}

static void above_capacity_there_is_no_delay(void **state)
{
    (void)state;
    static const double loads[] = {1.96875, 1.98, 2.2, 4.0, 6.0};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < 5; i++)
            for (double replications = 1; replications < 3; replications++) {
                cn_scenario *scenario = cube_scenario(systems[s], 6, loads[i]);
                cn_result *r;
                assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
                assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 10000));
                assert_ok(cn_simulate(scenario, NULL, &r));
                check_saturated(r);
                /* about 32 messages a channel at the most */
                assert_true(value_of(r, CN_METRIC_MESSAGES_IN_FLIGHT) < replications * 40 * 384);
                cn_result_free(&r);
                cn_scenario_free(&scenario);
            }
}

/* The excess is what stays: the queues of a run grow by load less throughput a cycle. */
static void the_queues_of_a_saturated_run_grow(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario = cube_scenario(systems[s], 6, 2.5);
        double before = 0.0;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
        cn_sim *sim = open_and_free(scenario);
        assert_ok(cn_sim_step(sim, 100, NULL));
        for (int i = 0; i < 4; i++) {
            cn_result *r;
            assert_ok(cn_sim_step(sim, 100, NULL));
            assert_ok(cn_sim_result(sim, &r));
            check_saturated(r);
            double in_flight = value_of(r, CN_METRIC_MESSAGES_IN_FLIGHT);
            assert_true(in_flight > before + 0.9 * 100 * 64 * (2.5 - 1.96875));
            assert_near(value_of(r, CN_METRIC_MESSAGES_ACCEPTED),
                        value_of(r, CN_METRIC_MESSAGES_DELIVERED) + in_flight, 0);
            before = in_flight;
            cn_result_free(&r);
        }
        cn_sim_close(&sim);
    }
}

/* Below capacity, however near, nothing is said and the delay is there. */
static void below_capacity_nothing_is_said(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        cn_scenario *scenario = cube_scenario(systems[s], 6, 1.96);
        cn_result *r;
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
        assert_ok(cn_simulate(scenario, NULL, &r));
        assert_int_equal(cn_result_stop(r), CN_STOP_CYCLES);
        assert_int_equal(cn_result_is_saturated(r), 0);
        assert_true(value_of(r, CN_METRIC_WARMUP_CYCLES) <= 500);
        assert_near(value_of(r, CN_METRIC_CYCLES), 2000 + value_of(r, CN_METRIC_WARMUP_CYCLES), 0);
        assert_true(value_of(r, CN_METRIC_MEAN_DELAY) > 10.0);
        cn_result_free(&r);
        cn_scenario_free(&scenario);
    }
}

/* At 0.9956 of the capacity the queues take some 50000 cycles to fill: after 15000 the delay is far
 * below its limit (about 350 with separate buffers), and says that it is not known. */
static void queues_that_still_fill_are_disclaimed(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int settled = 0; settled < 2; settled++) {
            cn_scenario *scenario = cube_scenario(systems[s], 6, settled ? 1.6 : 1.96);
            cn_result *r;
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 15000));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, settled ? 1000 : 0));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, settled ? 0 : 1));
            assert_ok(cn_simulate(scenario, NULL, &r));
            assert_int_equal(cn_result_stop(r), CN_STOP_CYCLES);
            assert_int_equal(isinf(half_width_of(r, CN_METRIC_MEAN_DELAY)) != 0, !settled);
            assert_int_equal(isinf(half_width_of(r, CN_METRIC_MEAN_QUEUE_LENGTH)) != 0, !settled);
            assert_int_equal(isinf(half_width_of(r, CN_METRIC_DELAY_P95)) != 0, !settled);
            /* it still rises in the run that is too short, and its half-width says so */
            assert_true(half_width_of(r, CN_METRIC_THROUGHPUT) < (settled ? 0.05 : 0.2));
            assert_int_equal(cn_result_is_settled(r), settled);
            cn_result_free(&r);
            cn_scenario_free(&scenario);
        }
}

/* So do several short runs, though they agree with each other. */
static void replications_that_still_fill_are_disclaimed(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int settled = 0; settled < 2; settled++) {
            cn_scenario *scenario = cube_scenario(systems[s], 6, settled ? 1.2 : 1.96);
            cn_result *r;
            assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 2000));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, settled ? 1000 : 0));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 4));
            assert_ok(cn_simulate(scenario, NULL, &r));
            assert_int_equal(isinf(half_width_of(r, CN_METRIC_MEAN_DELAY)) != 0, !settled);
            assert_int_equal(isinf(half_width_of(r, CN_METRIC_DELAY_P95)) != 0, !settled);
            assert_true(half_width_of(r, CN_METRIC_THROUGHPUT) < 0.1);
            cn_result_free(&r);
            cn_scenario_free(&scenario);
        }
}

/* A run that is over before its queues are long has all its cycles. */
static void a_short_run_is_not_shortened(void **state)
{
    (void)state;
    cn_scenario *scenario = cube_scenario("shared-buffer", 6, 1.97);
    cn_result *r;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 100));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 500));
    assert_ok(cn_simulate(scenario, NULL, &r));
    check_saturated(r);
    assert_near(value_of(r, CN_METRIC_CYCLES), 600, 0);
    cn_result_free(&r);
    cn_scenario_free(&scenario);
}

/* What the caller injects counts, too: half of the channels are left, then more than half is
 * asked. */
static void injected_messages_can_saturate(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        cn_scenario *scenario = cube_scenario("separate-buffers", 4, 1.875 / 2);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        cn_sim *sim = open_and_free(scenario);
        for (uint64_t cycle = 0; cycle < 2000; cycle++) {
            for (uint64_t node = 0; node < 16; node++) /* 2 hops a node and cycle, or less */
                if (over || cycle % 8 > 0)
                    assert_ok(cn_sim_inject(sim, node, node ^ (cycle % 2 ? 3 : 12), 0, 0));
            if (over && cycle % 100 == 0)
                assert_ok(cn_sim_inject(sim, 0, 1, 0, 0));
            assert_ok(cn_sim_step(sim, 1, NULL));
        }
        cn_result *r;
        assert_ok(cn_sim_result(sim, &r));
        assert_int_equal(cn_result_is_saturated(r), over);
        assert_int_equal(cn_result_stop(r), over ? CN_STOP_SATURATED : CN_STOP_CYCLES);
        assert_int_equal(cn_result_has(r, CN_METRIC_MEAN_DELAY), !over);
        assert_int_equal(cn_result_has(r, CN_METRIC_POWER), !over);
        cn_result_free(&r);
        cn_sim_close(&sim);
    }
}

/* ---- memory ---- */

/* Steps so far that the places have to grow, and messages of the caller's on top. */
static cn_status drive(void *context)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_hypercube(3, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, context, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 4.0);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    for (uint64_t i = 0; i < 40 && status == CN_OK; i++)
        status = cn_sim_inject(sim, i % 8, (i + 1) % 8, 0, i);
    if (status == CN_OK) {
        status = cn_sim_step(sim, 50, NULL);
        if (status == CN_ERR_MEMORY)
            assert_int_equal(cn_sim_step(sim, 1, NULL), CN_ERR_STATE);
    }
    if (status == CN_OK)
        status = cn_sim_result(sim, &result);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static cn_status simulate(void *context)
{
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_topology_hypercube(4, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, context, &scenario);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_LOAD, 1.0);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        char system[32];
        strcpy(system, systems[s]);
        support_fail_every_allocation(drive, system);
        support_fail_every_allocation(simulate, system);
    }
}

static void a_steady_run_allocates_nothing_more(void **state)
{
    (void)state;
    support_install_allocator(0);
    cn_sim *sim = open_and_free(cube_scenario("shared-buffer", 6, 1.0));
    assert_ok(cn_sim_step(sim, 3000, NULL));
    uint64_t before = support_allocations();
    assert_ok(cn_sim_step(sim, 3000, NULL));
    assert_int_equal(support_allocations(), before);
    cn_sim_close(&sim);
    support_remove_allocator();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_message_needs_its_distance),
        cmocka_unit_test(distances_of_a_long_ring_are_whole),
        cmocka_unit_test(a_long_path_of_edges_is_refused),
        cmocka_unit_test(each_message_is_delivered_once_with_its_tag),
        cmocka_unit_test(nothing_is_ever_refused),
        cmocka_unit_test(stepping_equals_simulating),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(the_accounts_add_up),
        cmocka_unit_test(metrics_agree_with_each_other),
        cmocka_unit_test(above_capacity_there_is_no_delay),
        cmocka_unit_test(the_queues_of_a_saturated_run_grow),
        cmocka_unit_test(below_capacity_nothing_is_said),
        cmocka_unit_test(queues_that_still_fill_are_disclaimed),
        cmocka_unit_test(replications_that_still_fill_are_disclaimed),
        cmocka_unit_test(a_short_run_is_not_shortened),
        cmocka_unit_test(injected_messages_can_saturate),
        cmocka_unit_test(every_failed_allocation_unwinds),
        cmocka_unit_test(a_steady_run_allocates_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
