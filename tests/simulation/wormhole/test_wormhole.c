/* The wormhole kernel: what is exact, what must never happen, and what it says of deadlock. */
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "simulation/run/sim.h"
#include "simulation/wormhole/wormhole.h"

static cn_scenario *on(const cn_topology *topology, double load, uint32_t v, uint32_t flits)
{
    cn_scenario *scenario = NULL;
    assert_ok(cn_scenario_new(topology, "wormhole", &scenario));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, v));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    return scenario;
}

static cn_scenario *on_cube(uint32_t n, double load, uint32_t v, uint32_t flits)
{
    cn_topology *cube = NULL;
    assert_ok(cn_topology_hypercube(n, &cube));
    cn_scenario *scenario = on(cube, load, v, flits);
    cn_topology_free(&cube);
    return scenario;
}

static cn_sim *open_and_free(cn_scenario *scenario)
{
    cn_sim *sim = NULL;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    return sim;
}

/* Steps until nothing is under way; the number of the cycle in which the last message came. */
static uint64_t drain(cn_sim *sim, cn_delivery *last)
{
    uint64_t counters[CNI_COUNTERS], left;
    do {
        assert_ok(cn_sim_step(sim, 1, NULL));
        sim->kernel->count(sim->state, counters);
        left = counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED];
    } while (left > 0);
    while (cn_sim_next_delivery(sim, last, sizeof *last) == CN_OK) {
    }
    return cn_sim_cycle(sim);
}

static void zero_load_latencies_are_exact(void **state)
{
    (void)state;
    cn_delivery delivery;
    for (uint32_t flits = 1; flits <= 33; flits += 16)
        for (uint32_t n = 1; n <= 6; n++) {
            cn_sim *sim = open_and_free(on_cube(n, 0, 2, flits));
            for (uint32_t hops = 1; hops <= n; hops++) {
                assert_ok(cn_sim_inject(sim, 1, 1 ^ ((UINT64_C(1) << hops) - 1), 0, hops));
                drain(sim, &delivery);
                assert_int_equal(delivery.delivered - delivery.injected, flits + hops);
                assert_int_equal(delivery.tag, hops);
            }
            assert_ok(cn_sim_inject_broadcast(sim, 1, CN_BASE_OF_SCENARIO, 99));
            drain(sim, &delivery);
            assert_int_equal(delivery.delivered - delivery.injected, n * (flits + 1));
            assert_int_equal(delivery.destination, CN_ALL_NODES);
            assert_int_equal(delivery.source, 1);
            assert_int_equal(delivery.tag, 99);
            cn_sim_close(&sim);
        }
}

/* A startup of 3 comes before every copy; one port sends n copies one after the other, the first to
 * the largest subtree; one flit buffer halves the rate of a channel. */
static void startup_one_port_and_one_buffer(void **state)
{
    (void)state;
    cn_delivery delivery;
    cn_scenario *scenario = on_cube(4, 0, 2, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 3));
    cn_sim *sim = open_and_free(scenario);
    assert_ok(cn_sim_inject(sim, 0, 7, 0, 0));
    assert_int_equal(drain(sim, &delivery), 3 + 8 + 3);
    assert_ok(cn_sim_inject_broadcast(sim, 5, CN_BASE_OF_SCENARIO, 0));
    drain(sim, &delivery);
    assert_int_equal(delivery.delivered - delivery.injected, 4 * (3 + 8 + 1));
    cn_sim_close(&sim);

    scenario = on_cube(4, 0, 2, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, 1));
    sim = open_and_free(scenario);
    assert_ok(cn_sim_inject_broadcast(sim, 5, CN_BASE_OF_SCENARIO, 0));
    /* a copy of rank r starts M r cycles late and has r steps fewer below it, of M + 1 each */
    assert_int_equal(drain(sim, &delivery), 4 * 9);
    cn_sim_close(&sim);

    scenario = on_cube(4, 0, 2, 8);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 1));
    sim = open_and_free(scenario);
    assert_ok(cn_sim_inject(sim, 0, 7, 0, 0));
    assert_int_equal(drain(sim, &delivery), 2 * 8 - 1 + 3);
    cn_sim_close(&sim);
}

static double sent_of(cn_sim *sim, cn_metric metric)
{
    cn_result *result = NULL;
    assert_ok(cn_sim_result(sim, &result));
    double value = value_of(result, metric);
    cn_result_free(&result);
    return value;
}

/* Three unicasts of 8 flits are before the copies in the one queue of the node: the first copy
 * waits for 24 cycles, and the broadcast takes four steps from there on. With a queue for each port
 * three copies wait for nothing. */
static void the_wait_of_the_first_copy_is_told_apart(void **state)
{
    (void)state;
    for (int one_port = 0; one_port <= 1; one_port++)
        for (int startup = 0; startup <= 3; startup += 3) {
            cn_delivery delivery;
            cn_scenario *scenario = on_cube(4, 0, 2, 8);
            assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, one_port));
            assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, startup));
            cn_sim *sim = open_and_free(scenario);
            for (int i = 0; i < 3; i++)
                assert_ok(cn_sim_inject(sim, 5, 5 ^ 8, 0, 0));
            assert_ok(cn_sim_inject_broadcast(sim, 5, 1, 0));
            drain(sim, &delivery);
            double delay = sent_of(sim, CN_METRIC_MEAN_DELAY_BROADCAST);
            double sent = sent_of(sim, CN_METRIC_MEAN_DELAY_BROADCAST_SENT);
            assert_near(delay - sent, one_port ? 24.0 : 0.0, 1e-12);
            assert_near(delay, one_port ? 24.0 + 4 * (9 + startup) : delay, 1e-12);
            assert_true(delay >= 4 * (9 + startup));
            cn_sim_close(&sim);
        }
}

static void a_broadcast_reaches_each_node_once(void **state)
{
    (void)state;
    enum { N = 5, NODES = 32, FLITS = 6 };
    for (uint64_t source = 0; source < NODES; source += 7) {
        cn_delivery delivery;
        uint64_t loads[NODES * N], into[NODES] = {0};
        size_t count;
        cn_sim *sim = open_and_free(on_cube(N, 0, 3, FLITS));
        assert_ok(cn_sim_inject_broadcast(sim, source, CN_BASE_OF_SCENARIO, 0));
        drain(sim, &delivery);
        assert_ok(cn_sim_channel_loads(sim, loads, NODES * N, &count));
        assert_int_equal(count, NODES * N);
        for (uint64_t c = 0; c < NODES * N; c++)
            into[(c / N) ^ (UINT64_C(1) << c % N)] += loads[c];
        for (uint64_t node = 0; node < NODES; node++)
            assert_int_equal(into[node], node == source ? 0 : FLITS);
        cn_sim_close(&sim);
    }
}

/* However crowded it is, nobody makes a detour, and all arrive. */
static void paths_are_minimal(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        cn_topology *topology = NULL;
        static const uint64_t radices[] = {4, 5};
        assert_ok(kind == 0   ? cn_topology_hypercube(5, &topology)
                  : kind == 1 ? cn_topology_kary_ncube(5, 2, 1, &topology)
                  : kind == 2 ? cn_topology_mesh(radices, 2, &topology)
                              : cn_topology_kary_ncube(4, 2, 0, &topology));
        uint64_t nodes = cn_topology_node_count(topology), hops = 0, distance,
                 counters[CNI_COUNTERS];
        cn_sim *sim = open_and_free(on(topology, 0, 3, 9));
        for (uint64_t i = 0; i < 20 * nodes; i++) {
            uint64_t source = i % nodes, word = cni_random_word(5, i);
            uint64_t destination = (source + 1 + word % (nodes - 1)) % nodes;
            assert_ok(cn_topology_distance(topology, source, destination, NULL, &distance));
            assert_ok(cn_sim_inject(sim, source, destination, 0, i));
            hops += distance;
        }
        cn_delivery delivery;
        drain(sim, &delivery);
        sim->kernel->count(sim->state, counters);
        assert_int_equal(counters[CNI_COUNT_WORM_HOPS], hops);
        assert_int_equal(counters[CNI_COUNT_WORM_UNICAST_GRANTS], hops);
        assert_int_equal(counters[CNI_COUNT_WORM_FLIT_HOPS], 9 * hops);
        cn_sim_close(&sim);
        cn_topology_free(&topology);
    }
}

enum { REPLAYED = 400 };

typedef struct listed {
    uint64_t cycle[REPLAYED], source[REPLAYED], destination[REPLAYED];
} listed;

/* Injects the list in steps up to the cycle of the next message, or of one cycle, and fetches what
 * arrives. */
static void play(cn_scenario *scenario, const listed *list, int by_cycle, cn_delivery *delivered)
{
    cn_sim *sim = open_and_free(scenario);
    size_t count = 0;
    for (size_t i = 0; i < REPLAYED; i++) {
        while (cn_sim_cycle(sim) < list->cycle[i])
            assert_ok(cn_sim_step(sim, by_cycle ? 1 : list->cycle[i] - cn_sim_cycle(sim), NULL));
        assert_ok(cn_sim_inject(sim, list->source[i], list->destination[i], 0, i));
    }
    assert_ok(cn_sim_step(sim, 5000, NULL));
    while (cn_sim_next_delivery(sim, &delivered[count], sizeof *delivered) == CN_OK)
        count++;
    assert_int_equal(count, REPLAYED);
    cn_sim_close(&sim);
}

/* A run that is played again gives the same deliveries. Where there is no choice of a queue and a
 * channel, a trace of the same messages has the same delays as their injection. */
static void a_run_can_be_replayed(void **state)
{
    (void)state;
    listed list;
    cn_delivery first[REPLAYED], again[REPLAYED];
    for (size_t i = 0; i < REPLAYED; i++) {
        uint64_t word = cni_random_word(11, i);
        list.cycle[i] = (i == 0 ? 0 : list.cycle[i - 1]) + word % 3;
        list.source[i] = (word >> 20) % 16;
        list.destination[i] = (list.source[i] + 1 + (word >> 40) % 15) % 16;
    }
    play(on_cube(4, 0.02, 3, 8), &list, 0, first);
    play(on_cube(4, 0.02, 3, 8), &list, 1, again);
    assert_memory_equal(first, again, sizeof first);

    cn_topology *cube = NULL;
    cn_traffic *trace = NULL;
    cn_result *result = NULL;
    double delay = 0.0;
    cn_scenario *scenario = on_cube(4, 0, 1, 8);
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    play(scenario, &list, 0, first);
    for (size_t i = 0; i < REPLAYED; i++)
        delay += (double)(first[i].delivered - first[i].injected) / REPLAYED;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(
        cn_traffic_trace(cube, list.cycle, list.source, list.destination, NULL, REPLAYED, &trace));
    scenario = on_cube(4, 0, 1, 8);
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_ok(cn_scenario_set_traffic(scenario, trace));
    cn_sim *sim = open_and_free(scenario);
    assert_ok(cn_sim_step(sim, 5000, NULL));
    assert_ok(cn_sim_result(sim, &result));
    double value = 0.0;
    assert_ok(cn_result_value(result, CN_METRIC_MEAN_DELAY, &value));
    assert_near(value, delay, 1e-9 * delay);
    assert_true(value > 8 + 2); /* some of them wait */
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_traffic_free(&trace);
    cn_topology_free(&cube);
}

/* One channel with one virtual channel serves a message in M + 1 cycles: M flits, and one until the
 * tail has left the buffer. Messages are admitted between cycles, which leaves the mean wait of
 * M/D/1 as it is: lambda S^2 / (2 (1 - lambda S)). */
static void one_channel_is_a_queue_with_constant_service(void **state)
{
    (void)state;
    static const double shares[] = {0.2, 0.5, 0.8};
    for (size_t i = 0; i < 3; i++) {
        double service = 17.0, load = shares[i] / service;
        cn_scenario *scenario = on_cube(1, load, 1, 16);
        cn_result *result = NULL;
        assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 10000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 1500000));
        assert_ok(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
        assert_ok(cn_simulate(scenario, NULL, &result));
        double mean = service + load * service * service / (2.0 * (1.0 - shares[i]));
        assert_near(value_of(result, CN_METRIC_MEAN_DELAY), mean,
                    1.5 * half_width_of(result, CN_METRIC_MEAN_DELAY));
        assert_true(half_width_of(result, CN_METRIC_MEAN_DELAY) < 0.04 * mean);
        assert_near(value_of(result, CN_METRIC_CHANNEL_UTILIZATION), load * 16, 0.01);
        cn_result_free(&result);
        cn_scenario_free(&scenario);
    }
}

/* Twice what the channels carry, for long: the kernel looks for deadlocks and finds none. */
static void overload_does_not_deadlock(void **state)
{
    (void)state;
    for (uint32_t v = 2; v <= 4; v++)
        for (int kind = 0; kind < 4; kind++) {
            cn_topology *topology = NULL;
            static const uint64_t radices[] = {4, 5};
            assert_ok(kind == 0   ? cn_topology_hypercube(4, &topology)
                      : kind == 1 ? cn_topology_kary_ncube(4, 2, 1, &topology)
                      : kind == 2 ? cn_topology_mesh(radices, 2, &topology)
                                  : cn_topology_kary_ncube(3, 2, 0, &topology));
            cn_scenario *scenario = on(topology, 0.5, v, 8);
            assert_ok(cn_scenario_set_routing_name(
                scenario, v > 2 || kind % 2 == 0 ? "duato" : "dimension-order"));
            if (kind == 0)
                assert_ok(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 0.1));
            cn_sim *sim = open_and_free(scenario);
            uint64_t before[CNI_COUNTERS], after[CNI_COUNTERS];
            assert_ok(cn_sim_step(sim, 2 * CNI_WORM_CHECK, NULL));
            sim->kernel->count(sim->state, before);
            assert_ok(cn_sim_step(sim, 1000, NULL));
            sim->kernel->count(sim->state, after);
            assert_true(after[CNI_COUNT_DELIVERED] > before[CNI_COUNT_DELIVERED] + 100);
            cn_sim_close(&sim);
            cn_topology_free(&topology);
        }
}

/* ---- deadlock ---- */

/* One virtual channel and dimension order without classes. */
static cn_scenario *unsafe_scenario(const cn_topology *topology, double load)
{
    cn_scenario *scenario = on(topology, load, 1, 32);
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_UNSAFE, 1));
    return scenario;
}

/* Each node of a one-way ring sends two hops on: every message gets its first channel and waits for
 * its second for ever. */
static void a_deadlock_is_reported_with_its_circle(void **state)
{
    (void)state;
    enum { NODES = 5 };
    cn_topology *ring = NULL;
    uint64_t channels[NODES];
    size_t count = 77;
    cn_delivery delivery;
    assert_ok(cn_topology_ring(NODES, 0, &ring));
    cn_sim *sim = open_and_free(unsafe_scenario(ring, 0));
    assert_fails(cn_sim_deadlock(sim, channels, NODES, &count), CN_ERR_STATE, "not deadlocked");
    assert_int_equal(count, 77);
    for (uint64_t node = 0; node < NODES; node++)
        assert_ok(cn_sim_inject(sim, node, (node + NODES - 2) % NODES, 0, node));
    assert_fails(cn_sim_step(sim, 1000, NULL), CN_ERR_DEADLOCK, "5 messages can never move again");
    assert_non_null(strstr(cn_last_error(), "->"));
    assert_true(cn_sim_cycle(sim) < 100);
    assert_fails(cn_sim_step(sim, 1, NULL), CN_ERR_STATE, "ended");
    assert_fails(cn_sim_inject(sim, 0, 1, 0, 1), CN_ERR_STATE, "ended");
    assert_int_equal(cn_sim_next_delivery(sim, &delivery, sizeof delivery), CN_DONE);
    assert_fails(cn_sim_deadlock(sim, channels, NODES - 1, &count), CN_ERR_CAPACITY,
                 "the dependency cycle has");
    assert_ok(cn_sim_deadlock(sim, channels, NODES, &count));
    assert_int_equal(count, NODES);
    for (size_t i = 0; i < count; i++) { /* each begins where the one before ends */
        uint64_t end;
        assert_ok(cn_topology_neighbor(ring, channels[i], 0, &end));
        assert_int_equal(channels[(i + 1) % count], end);
    }
    cn_result *result = NULL;
    assert_ok(cn_sim_result(sim, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_DEADLOCK);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_topology_free(&ring);
}

/* A look at a running simulation: it goes on afterwards. */
static void a_result_tells_of_the_deadlock(cn_sim *sim)
{
    uint64_t channels[4];
    size_t count;
    cn_result *result = NULL;
    assert_ok(cn_sim_result(sim, &result));
    assert_int_equal(cn_result_stop(result), CN_STOP_DEADLOCK);
    cn_result_free(&result);
    assert_ok(cn_sim_deadlock(sim, channels, 4, &count));
    assert_int_equal(count, 4);
}

/* Two rings of a one-way 4 x 4 torus: one stands still, and on the other messages come and go. The
 * watchdog sees it all the same. */
static void a_deadlock_in_a_corner_is_found(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &torus));
    cn_sim *sim = open_and_free(unsafe_scenario(torus, 0));
    for (uint64_t x = 0; x < 4; x++)
        assert_ok(cn_sim_inject(sim, x, (x + 2) % 4, 0, x));
    cn_status status = CN_OK;
    for (uint64_t c = 0; c < 2 * CNI_WORM_CHECK && status == CN_OK; c++) {
        if (c % 20 == 0) /* a neighbour on another ring */
            assert_ok(cn_sim_inject(sim, 9, 8, 0, c));
        status = cn_sim_step(sim, 1, NULL);
        if (c == 99 || c == 199)
            a_result_tells_of_the_deadlock(sim);
    }
    assert_int_equal(status, CN_ERR_DEADLOCK);
    assert_int_equal(cn_sim_cycle(sim), CNI_WORM_CHECK);
    cn_sim_close(&sim);
    cn_topology_free(&torus);
}

/* Long before the watchdog looks: rings of a 5 x 5 torus stand, and elsewhere flits still move. */
static void a_run_with_a_dead_part_has_no_result(void **state)
{
    (void)state;
    cn_topology *torus = NULL;
    cn_result *result = NULL;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    cn_scenario *scenario = unsafe_scenario(torus, 0.02);
    assert_ok(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, 4000));
    for (int replications = 1; replications <= 2; replications++) {
        assert_ok(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, replications));
        assert_fails(cn_simulate(scenario, NULL, &result), CN_ERR_DEADLOCK, "can never move again");
        assert_null(result);
    }
    cn_sim *sim = NULL;
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_ok(cn_sim_step(sim, 4000, NULL)); /* not even now has it stopped as a whole */
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&torus);
}

/* ---- refusals and failures ---- */

static void calls_of_other_systems_are_refused(void **state)
{
    (void)state;
    cn_sim *sim = NULL;
    uint64_t loads[8];
    size_t count = 0;
    cn_scenario *scenario = cube_scenario("deflection", 2, 0);
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject_broadcast(sim, 0, CN_BASE_OF_SCENARIO, 0), CN_ERR_UNSUPPORTED,
                 "deflection");
    assert_fails(cn_sim_channel_loads(sim, loads, 8, &count), CN_ERR_UNSUPPORTED, "deflection");
    assert_fails(cn_sim_deadlock(sim, loads, 8, &count), CN_ERR_STATE, "not deadlocked");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);

    sim = open_and_free(on_cube(2, 0, 2, 4));
    assert_fails(cn_sim_channel_loads(sim, loads, 7, &count), CN_ERR_CAPACITY, "capacity = 7");
    assert_int_equal(count, 8);
    assert_fails(cn_sim_channel_loads(sim, NULL, 8, &count), CN_ERR_ARGUMENT, "loads");
    assert_ok(cn_sim_channel_loads(sim, loads, 8, NULL));
    assert_fails(cn_sim_channel_loads(NULL, loads, 8, &count), CN_ERR_ARGUMENT, "sim");
    assert_fails(cn_sim_inject_broadcast(NULL, 0, CN_BASE_OF_SCENARIO, 0), CN_ERR_ARGUMENT, "sim");
    assert_fails(cn_sim_deadlock(NULL, loads, 8, &count), CN_ERR_ARGUMENT, "sim");
    assert_ok(cn_sim_channel_loads(sim, loads, 8, &count));
    cn_sim_close(&sim);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    cn_sim *sim = NULL;
    cn_topology *topology = NULL;
    cn_scenario *scenario = on_cube(4, 0.01, 1, 8);
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "virtual_channels = 1");
    assert_ok(cn_scenario_set_routing_name(scenario, "dimension-order"));
    assert_ok(cn_sim_open(scenario, NULL, &sim));
    assert_fails(cn_sim_inject(sim, 3, 3, 0, 0), CN_ERR_ARGUMENT, "must differ");
    assert_fails(cn_sim_inject_broadcast(sim, 16, CN_BASE_OF_SCENARIO, 0), CN_ERR_ARGUMENT,
                 "source");
    assert_fails(cn_sim_inject_broadcast(sim, 1, 4, 0), CN_ERR_ARGUMENT,
                 "cn_sim_inject_broadcast: base = 4, but it must be 0 to 3");
    assert_fails(cn_sim_inject(sim, 0, CN_ALL_NODES, 0, 0), CN_ERR_ARGUMENT, "destination");
    cn_sim_close(&sim);
    assert_fails(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, 0), CN_ERR_ARGUMENT,
                 "message_flits = 0");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, 1.01), CN_ERR_ARGUMENT,
                 "broadcast_fraction");
    assert_fails(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, -0.01), CN_ERR_ARGUMENT,
                 "broadcast_fraction");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1.5));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "startup_latency");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_STARTUP_LATENCY, 1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_ONE_PORT, 1));
    assert_ok(cn_scenario_set(scenario, CN_PARAM_INJECTION_SERVERS, 2));
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "injection_servers = 2");
    cn_scenario_free(&scenario);

    assert_ok(cn_topology_kary_ncube(4, 2, 1, &topology));
    scenario = on(topology, 0.01, 2, 8);
    assert_fails(cn_sim_open(scenario, NULL, &sim), CN_ERR_ARGUMENT, "virtual_channels = 2");
    assert_ok(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, 3));
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static cn_status make_scenario(cn_scenario **scenario)
{
    cn_topology *cube = NULL;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_scenario_new(cube, "wormhole", scenario);
    cn_topology_free(&cube);
    if (status != CN_OK)
        return status;
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_LOAD, 0.1));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_MESSAGE_FLITS, 4));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_FLIT_BUFFERS, 3));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_BROADCAST_FRACTION, 0.3));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_STARTUP_LATENCY, 2));
    assert_ok(cn_scenario_set(*scenario, CN_PARAM_WARMUP_CYCLES, 0));
    return CN_OK;
}

/* A message that found no memory was not admitted. */
static cn_status inject_either(cn_sim *sim, uint64_t i)
{
    uint64_t before[CNI_COUNTERS], after[CNI_COUNTERS];
    sim->kernel->count(sim->state, before);
    cn_status status = i % 2 == 0 ? cn_sim_inject_broadcast(sim, i % 8, CN_BASE_OF_SCENARIO, i)
                                  : cn_sim_inject(sim, i % 8, (i + 3) % 8, 0, i);
    sim->kernel->count(sim->state, after);
    assert_int_equal(after[CNI_COUNT_ACCEPTED], before[CNI_COUNT_ACCEPTED] + (status == CN_OK));
    return status;
}

static cn_status run_all(void *context)
{
    (void)context;
    cn_scenario *scenario = NULL;
    cn_sim *sim = NULL;
    cn_result *result = NULL;
    cn_status status = make_scenario(&scenario);
    if (status == CN_OK)
        status = cn_sim_open(scenario, NULL, &sim);
    for (uint64_t i = 0; i < 80 && status == CN_OK; i++) {
        status = inject_either(sim, i);
        if (status == CN_OK)
            status = cn_sim_step(sim, 5, NULL);
    }
    if (status == CN_OK)
        status = cn_sim_result(sim, &result);
    cn_result_free(&result);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    return status;
}

static void every_failing_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(run_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load_latencies_are_exact),
        cmocka_unit_test(startup_one_port_and_one_buffer),
        cmocka_unit_test(the_wait_of_the_first_copy_is_told_apart),
        cmocka_unit_test(a_broadcast_reaches_each_node_once),
        cmocka_unit_test(paths_are_minimal),
        cmocka_unit_test(a_run_can_be_replayed),
        cmocka_unit_test(one_channel_is_a_queue_with_constant_service),
        cmocka_unit_test(overload_does_not_deadlock),
        cmocka_unit_test(a_deadlock_is_reported_with_its_circle),
        cmocka_unit_test(a_deadlock_in_a_corner_is_found),
        cmocka_unit_test(a_run_with_a_dead_part_has_no_result),
        cmocka_unit_test(calls_of_other_systems_are_refused),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(every_failing_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
