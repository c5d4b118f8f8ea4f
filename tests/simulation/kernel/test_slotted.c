/* The slotted kernels with the traffic that a scenario brings. */
#include "support/support.h"

#include <math.h>

#include "base/random.h"

static const char *const systems[] = {"deflection", "separate-buffers", "shared-buffer"};

enum { SYSTEMS = 3, KINDS = 12 };

static cn_topology *cube(uint32_t n)
{
    cn_topology *topology;
    assert_ok(cn_topology_hypercube(n, &topology));
    return topology;
}

/* One traffic of each kind, every source among them. The network has 2^n nodes, n even. */
static cn_traffic *traffic_of(const cn_topology *topology, int kind)
{
    static double weights[256 * 256];
    uint64_t list[1024], nodes = cn_topology_node_count(topology);
    cn_traffic *traffic = NULL;
    switch (kind) {
    case 7:
        assert_ok(cn_traffic_hotspot(topology, 3, 0.02, &traffic));
        assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
        return traffic;
    case 8:
        assert_ok(cn_traffic_permutation(topology, 5, &traffic));
        assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_POISSON));
        return traffic;
    case 9:
        assert_ok(cn_traffic_geometric_locality(topology, 0.5, &traffic));
        assert_ok(cn_traffic_set_on_off(traffic, 20.0, 10.0));
        return traffic;
    case 10:
        for (uint64_t s = 0; s < nodes; s++)
            list[s] = s % 4 == 0 ? s : s ^ 9;
        assert_ok(cn_traffic_destinations(topology, list, nodes, &traffic));
        return traffic;
    case 11:
        if (nodes <= 256) {
            for (uint64_t s = 0; s < nodes; s++)
                for (uint64_t d = 0; d < nodes; d++)
                    weights[s * nodes + d] = s == d ? 0.0 : (double)((s ^ d) % 7);
            assert_ok(cn_traffic_matrix(topology, weights, nodes * nodes, &traffic));
        }
        return traffic;
    default:
        if (cn_traffic_new(topology, (cn_pattern)kind, &traffic) == CN_OK && kind == 0)
            assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_POISSON));
        return traffic;
    }
}

static cn_scenario *scenario_on(const char *system, const cn_topology *topology, double load,
                                const cn_traffic *traffic)
{
    cn_scenario *scenario;
    assert_ok(cn_scenario_new(topology, system, &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 30.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1000.0));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    return scenario;
}

static cn_result *simulate(cn_scenario *scenario)
{
    cn_result *result;
    assert_ok(cn_simulate(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return result;
}

/* ---- the same bits ---- */

/* Uniform traffic from geometric sources is what a scenario has without. */
static void plain_traffic_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * SYSTEMS; i++) {
        cn_topology *t = cube(6);
        cn_traffic *traffic;
        if (i >= SYSTEMS) {
            cn_topology_free(&t);
            assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
        }
        for (int source = CN_SOURCE_OF_SYSTEM; source <= CN_SOURCE_GEOMETRIC; source++) {
            assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &traffic));
            assert_ok(cn_traffic_set_source(traffic, (cn_source)source));
            cn_result *with = simulate(scenario_on(systems[i % SYSTEMS], t, 0.8, traffic));
            cn_result *without = simulate(scenario_on(systems[i % SYSTEMS], t, 0.8, NULL));
            assert_same_result(with, without);
            cn_result_free(&with);
            cn_result_free(&without);
            cn_traffic_free(&traffic);
        }
        cn_topology_free(&t);
    }
}

static cn_result *step_by(const cn_scenario *scenario, uint64_t part, uint64_t cycles)
{
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t done = 0; done < cycles; done += part)
        assert_ok(cn_sim_step(sim, cycles - done < part ? cycles - done : part, NULL));
    assert_ok(cn_sim_result(sim, &result));
    cn_sim_close(&sim);
    return result;
}

static void check_cutting(const char *system, const cn_topology *topology)
{
    for (int kind = 0; kind < KINDS; kind++) {
        cn_traffic *traffic = traffic_of(topology, kind);
        if (traffic == NULL)
            continue;
        cn_scenario *scenario = scenario_on(system, topology, 0.4, traffic);
        cn_result *whole = step_by(scenario, 80, 80), *parts = step_by(scenario, 7, 80);
        assert_same_result(whole, parts);
        assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, kind % 2 == 0 ? 2.0 : 3.0));
        cn_result *threads = step_by(scenario, 40, 80);
        assert_same_result(whole, threads);
        cn_result_free(&whole);
        cn_result_free(&parts);
        cn_result_free(&threads);
        cn_scenario_free(&scenario);
        cn_traffic_free(&traffic);
    }
}

/* 1024 nodes are shared among three threads. */
static void runs_do_not_depend_on_steps_and_threads(void **state)
{
    (void)state;
    cn_topology *large = cube(10), *small = cube(6), *kary;
    assert_ok(cn_topology_kary_ncube(4, 5, 1, &kary));
    check_cutting("deflection", large);
    check_cutting("deflection", kary);
    check_cutting("separate-buffers", small);
    check_cutting("shared-buffer", small);
    cn_topology_free(&large);
    cn_topology_free(&small);
    cn_topology_free(&kary);
}

/* ---- the right messages ---- */

/* Mean distance and offered load as the traffic says. The limits are 4.5 standard errors: a
 * distance has a standard deviation of at most half the diameter, and the sources a variance a
 * cycle of at most load (1 + load), that of the on/off one being inflated by its correlation, below
 * 20 times here. */
static void check_means(const char *system, const cn_topology *topology, double load)
{
    double nodes = (double)cn_topology_node_count(topology);
    uint64_t diameter, senders;
    assert_ok(cn_topology_diameter(topology, NULL, &diameter));
    for (int kind = 0; kind < KINDS; kind++) {
        cn_traffic *traffic = traffic_of(topology, kind);
        double exact;
        if (traffic == NULL)
            continue;
        assert_ok(cn_traffic_mean_distance(traffic, NULL, &exact));
        assert_ok(cn_traffic_senders(traffic, &senders));
        cn_result *result = simulate(scenario_on(system, topology, load, traffic));
        double messages = load * (double)senders * 1000.0, offered = load * (double)senders / nodes;
        double inflation = cn_traffic_source(traffic) == CN_SOURCE_ON_OFF ? 20.0 : 1.0;
        /* sources stay the same when each has one distance */
        assert_near(value_of(result, CN_METRIC_MEAN_DISTANCE), exact,
                    4.5 * 0.5 * (double)diameter / sqrt(messages) * sqrt(1.0 + load));
        assert_near(value_of(result, CN_METRIC_OFFERED_LOAD), offered,
                    4.5 * offered * sqrt((1.0 + load) * inflation / messages));
        assert_false(cn_result_is_saturated(result));
        cn_result_free(&result);
        cn_traffic_free(&traffic);
    }
}

static void messages_travel_the_distances_of_the_traffic(void **state)
{
    (void)state;
    cn_topology *t = cube(6), *kary, *ring;
    assert_ok(cn_topology_kary_ncube(4, 3, 1, &kary));
    assert_ok(cn_topology_kary_ncube(4, 3, 0, &ring));
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_means(systems[i], t, 0.25);
        check_means(systems[i], kary, 0.2);
        check_means(systems[i], ring, 0.1);
    }
    cn_topology_free(&t);
    cn_topology_free(&kary);
    cn_topology_free(&ring);
}

static void one_distance_is_exact(void **state)
{
    (void)state;
    cn_topology *t = cube(8);
    cn_traffic *traffic;
    assert_ok(cn_traffic_new(t, CN_PATTERN_BIT_COMPLEMENT, &traffic));
    for (size_t i = 0; i < SYSTEMS; i++) {
        cn_result *result = simulate(scenario_on(systems[i], t, 0.3, traffic));
        assert_true(value_of(result, CN_METRIC_MEAN_DISTANCE) == 8.0);
        assert_true(value_of(result, CN_METRIC_MEAN_HOPS) > 7.9);
        cn_result_free(&result);
    }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

/* With neighbours only, and one message at most in a cycle, nobody ever waits for a channel. */
static void lone_messages_are_never_late(void **state)
{
    (void)state;
    cn_topology *t = cube(6);
    cn_traffic *traffic;
    uint64_t list[64];
    for (uint64_t s = 0; s < 64; s++)
        list[s] = s ^ 4;
    assert_ok(cn_traffic_destinations(t, list, 64, &traffic));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    for (size_t i = 0; i < SYSTEMS; i++) {
        cn_result *result = simulate(scenario_on(systems[i], t, 0.98, traffic));
        assert_true(value_of(result, CN_METRIC_DELAY_MAX) == 1.0);
        double throughput = value_of(result, CN_METRIC_THROUGHPUT);
        assert_near(throughput, 0.98, 4.5 * sqrt(0.98 * 0.02 / 64000.0));
        assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION), throughput / 6.0, 1e-15);
        cn_result_free(&result);
    }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

/* ---- traces ---- */

enum { MESSAGES = 3000 };
static uint64_t cycles[MESSAGES], sources[MESSAGES], destinations[MESSAGES];

/* Some in every cycle from 0 on, several of one node among them. */
static void write_trace(uint64_t nodes, uint64_t a_cycle)
{
    for (uint64_t i = 0; i < MESSAGES; i++) {
        cycles[i] = i / a_cycle;
        sources[i] =
            i % 5 == 0 && i > 0 ? sources[i - 1] : cni_random_scale(cni_random_word(3, i), nodes);
        destinations[i] =
            (sources[i] + 1 + cni_random_scale(cni_random_word(4, i), nodes - 1)) % nodes;
    }
}

static cn_scenario *trace_scenario(const char *system, const cn_topology *topology,
                                   uint32_t threads)
{
    cn_traffic *trace;
    assert_ok(cn_traffic_trace(topology, cycles, sources, destinations, NULL, MESSAGES, &trace));
    cn_scenario *scenario = scenario_on(system, topology, 0.0, trace);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0.0));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    cn_traffic_free(&trace);
    return scenario;
}

/* The same messages by hand. */
static cn_result *inject_trace(const char *system, const cn_topology *topology, uint64_t steps)
{
    cn_scenario *scenario = scenario_on(system, topology, 0.0, NULL);
    cn_sim *sim;
    cn_result *result;
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0.0));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    for (uint64_t c = 0, i = 0; c < steps; c++) {
        for (; i < MESSAGES && cycles[i] == c; i++)
            assert_true(cn_sim_inject(sim, sources[i], destinations[i], 0, i) >= 0);
        assert_ok(cn_sim_step(sim, 1, NULL));
    }
    assert_ok(cn_sim_result(sim, &result));
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return result;
}

static void assert_same_values(const cn_result *a, const cn_result *b)
{
    for (size_t m = 1; m <= cn_metric_count(); m++)
        if (cn_result_has(a, (cn_metric)m))
            assert_true(value_of(a, (cn_metric)m) == value_of(b, (cn_metric)m));
}

/* Message for message: every single one has the delay that it has when it is injected, and so every
 * metric is the same to the last bit (not its half-width: what is injected after a batch counts in
 * the next). Separate buffers draw the queue of an injected message from other words; there the
 * counts agree. `a_cycle` above what the nodes take makes deflection refuse some. */
static void check_trace(const char *system, const cn_topology *topology, uint64_t a_cycle, int same)
{
    const uint64_t steps = MESSAGES / a_cycle + 200;
    write_trace(cn_topology_node_count(topology), a_cycle);
    cn_result *by_hand = inject_trace(system, topology, steps);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        cn_scenario *scenario = trace_scenario(system, topology, threads);
        for (uint64_t part = 1; part <= steps; part += steps - 1) {
            cn_result *result = step_by(scenario, part, steps);
            assert_true(value_of(result, CN_METRIC_MESSAGES_OFFERED) == MESSAGES);
            assert_true(value_of(result, CN_METRIC_MESSAGES_IN_FLIGHT) == 0.0);
            assert_true(value_of(result, CN_METRIC_MESSAGES_DELIVERED) ==
                        value_of(by_hand, CN_METRIC_MESSAGES_DELIVERED));
            assert_true(value_of(result, CN_METRIC_MEAN_DISTANCE) ==
                        value_of(by_hand, CN_METRIC_MEAN_DISTANCE));
            if (same)
                assert_same_values(result, by_hand);
            cn_result_free(&result);
        }
        cn_scenario_free(&scenario);
    }
    cn_result_free(&by_hand);
}

static void a_trace_is_delivered_message_for_message(void **state)
{
    (void)state;
    cn_topology *t = cube(6), *kary, *large = cube(9);
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &kary));
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_trace(systems[i], t, 3, i != 1);
        check_trace(systems[i], t, 300, i != 1);
        check_trace(systems[i], kary, 20, i != 1);
    }
    check_trace("deflection", large, 100, 1);
    cn_topology_free(&t);
    cn_topology_free(&kary);
    cn_topology_free(&large);
}

/* Without a warm-up the messages of cycle 0 count in every system. */
static void messages_of_cycle_0_are_offered(void **state)
{
    (void)state;
    static const char *const every[] = {"separate-buffers", "shared-buffer", "deflection",
                                        "wormhole", "cut-through"};
    const uint64_t cycle[] = {0, 5}, source[] = {0, 1}, destination[] = {1, 2}, sides[] = {4};
    cn_topology *mesh;
    cn_traffic *trace;
    assert_ok(cn_topology_mesh(sides, 1, &mesh));
    assert_ok(cn_traffic_trace(mesh, cycle, source, destination, NULL, 2, &trace));
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        cn_scenario *scenario;
        cn_result *result;
        assert_ok(cn_scenario_new(mesh, every[i], &scenario));
        assert_ok(cn_scenario_set_traffic(scenario, trace));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 100));
        assert_ok(cn_simulate(scenario, NULL, &result));
        assert_near(400.0 * value_of(result, CN_METRIC_OFFERED_LOAD), 2.0, 1e-9);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
    cn_traffic_free(&trace);
    cn_topology_free(&mesh);
}

/* A trace replaces the load, and one that is over, or empty, offers nothing. */
static void a_trace_replaces_the_load(void **state)
{
    (void)state;
    cn_topology *t = cube(4);
    for (size_t i = 0; i < SYSTEMS; i++) {
        cn_traffic *trace;
        write_trace(16, 1000);
        assert_ok(cn_traffic_trace(t, cycles, sources, destinations, NULL, 1, &trace));
        cn_result *result = simulate(scenario_on(systems[i], t, 1.0, trace));
        assert_true(value_of(result, CN_METRIC_MESSAGES_OFFERED) == 1.0);
        assert_false(cn_result_is_saturated(result));
        cn_result_free(&result);
        cn_traffic_free(&trace);
        assert_ok(cn_traffic_trace(t, NULL, NULL, NULL, NULL, 0, &trace));
        result = simulate(scenario_on(systems[i], t, 1.0, trace));
        assert_true(value_of(result, CN_METRIC_MESSAGES_OFFERED) == 0.0);
        cn_result_free(&result);
        cn_traffic_free(&trace);
    }
    cn_topology_free(&t);
}

static void long_messages_have_no_slot(void **state)
{
    (void)state;
    static const uint64_t one[] = {1}, three[] = {3};
    cn_topology *t = cube(4);
    cn_traffic *trace;
    cn_result *result;
    for (size_t i = 0; i < SYSTEMS; i++) {
        assert_ok(cn_traffic_trace(t, one, one, three, one, 1, &trace));
        result = simulate(scenario_on(systems[i], t, 0.0, trace));
        cn_result_free(&result);
        cn_traffic_free(&trace);
        assert_ok(cn_traffic_trace(t, one, one, three, three, 1, &trace));
        cn_scenario *scenario = scenario_on(systems[i], t, 0.0, trace);
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_UNSUPPORTED, "one flit");
        cn_scenario_free(&scenario);
        cn_traffic_free(&trace);
    }
    cn_topology_free(&t);
}

/* ---- loads ---- */

static void a_load_that_the_source_cannot_offer_is_refused(void **state)
{
    (void)state;
    cn_topology *t = cube(4);
    cn_traffic *traffic;
    cn_result *result;
    cn_sim *sim;
    assert_ok(cn_traffic_new(t, CN_PATTERN_UNIFORM, &traffic));
    assert_ok(cn_traffic_set_source(traffic, CN_SOURCE_BERNOULLI));
    for (size_t i = 0; i < SYSTEMS; i++) {
        cn_scenario *scenario = scenario_on(systems[i], t, 1.25, traffic);
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "load = 1.25");
        assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "Bernoulli");
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 2.0));
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_ARGUMENT, "load = 1.25");
        cn_scenario_free(&scenario);
    }
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static int is_saturated(const char *system, const cn_topology *t, const cn_traffic *traffic,
                        double load)
{
    cn_scenario *scenario = scenario_on(system, t, load, traffic);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 20000.0));
    cn_result *result = simulate(scenario);
    int saturated = cn_result_is_saturated(result);
    if (system != systems[0]) {
        assert_int_equal(cn_result_stop(result), saturated ? CN_STOP_SATURATED : CN_STOP_CYCLES);
        assert_int_equal(cn_result_has(result, CN_METRIC_MEAN_DELAY), !saturated);
        assert_int_equal(value_of(result, CN_METRIC_CYCLES) < 20000.0, saturated);
    }
    cn_result_free(&result);
    return saturated;
}

/* To the opposite node every message makes n hops: the channels carry one a node and cycle. A
 * hotspot takes in n of them: (N - 1) share + 1 - share = n / load. To neighbours only a node sends
 * n. */
static void capacity_is_that_of_the_traffic(void **state)
{
    (void)state;
    cn_topology *t = cube(5);
    cn_traffic *opposite, *hotspot, *near;
    assert_ok(cn_traffic_new(t, CN_PATTERN_BIT_COMPLEMENT, &opposite));
    assert_ok(cn_traffic_hotspot(t, 0, 0.3, &hotspot)); /* load 5 / 10 */
    assert_ok(cn_traffic_geometric_locality(t, 0.0, &near));
    for (size_t i = 1; i < SYSTEMS; i++) {
        assert_false(is_saturated(systems[i], t, opposite, 0.9));
        assert_true(is_saturated(systems[i], t, opposite, 1.05));
        assert_false(is_saturated(systems[i], t, hotspot, 0.45));
        assert_true(is_saturated(systems[i], t, hotspot, 0.52));
        assert_false(is_saturated(systems[i], t, near, 4.0)); /* uniform traffic: 1.94 */
        assert_true(is_saturated(systems[i], t, near, 5.0));
    }
    assert_false(is_saturated("deflection", t, near, 3.0));
    assert_true(is_saturated("deflection", t, opposite, 1.5));
    cn_traffic_free(&opposite);
    cn_traffic_free(&hotspot);
    cn_traffic_free(&near);
    cn_topology_free(&t);
}

/* Where every hop takes a random channel, the busiest is full at load 3/2 when a 4-cube transposes;
 * the channels together would carry 2. */
static void capacity_is_that_of_the_busiest_channel(void **state)
{
    (void)state;
    cn_topology *t = cube(4);
    cn_traffic *transpose;
    assert_ok(cn_traffic_new(t, CN_PATTERN_TRANSPOSE, &transpose));
    assert_false(is_saturated("separate-buffers", t, transpose, 1.4));
    assert_true(is_saturated("separate-buffers", t, transpose, 1.55));
    assert_false(is_saturated("shared-buffer", t, transpose, 1.55));
    assert_true(is_saturated("shared-buffer", t, transpose, 2.05));
    cn_traffic_free(&transpose);
    cn_topology_free(&t);
}

/* Several replications of every kind, with and without threads. */
static void replications_share_a_traffic(void **state)
{
    (void)state;
    cn_topology *t = cube(4);
    for (int kind = 7; kind < KINDS; kind++) {
        cn_traffic *traffic = traffic_of(t, kind);
        cn_result *result[2];
        for (uint32_t i = 0; i < 2; i++) {
            cn_scenario *scenario = scenario_on("deflection", t, 0.3, traffic);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 4.0));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_THREADS, 1.0 + 2.0 * i));
            result[i] = simulate(scenario);
        }
        assert_same_result(result[0], result[1]);
        cn_result_free(&result[0]);
        cn_result_free(&result[1]);
        cn_traffic_free(&traffic);
    }
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_traffic_changes_nothing),
        cmocka_unit_test(runs_do_not_depend_on_steps_and_threads),
        cmocka_unit_test(messages_travel_the_distances_of_the_traffic),
        cmocka_unit_test(one_distance_is_exact),
        cmocka_unit_test(lone_messages_are_never_late),
        cmocka_unit_test(a_trace_is_delivered_message_for_message),
        cmocka_unit_test(messages_of_cycle_0_are_offered),
        cmocka_unit_test(a_trace_replaces_the_load),
        cmocka_unit_test(long_messages_have_no_slot),
        cmocka_unit_test(a_load_that_the_source_cannot_offer_is_refused),
        cmocka_unit_test(capacity_is_that_of_the_traffic),
        cmocka_unit_test(capacity_is_that_of_the_busiest_channel),
        cmocka_unit_test(replications_share_a_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
