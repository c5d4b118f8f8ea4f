/* simulation.h, and cn_predict() and cn_simulate() of scenario.h, by system. */
#include "given.h"

#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/part.h"
#include "cubenet/experimental/shard.h"

static void deflection(void)
{
    scenario_of("deflection", 0.5);
}

static void deflection_two_way(void)
{
    two_way();
    scenario_of("deflection", 0.5);
}

static void deflection_one_way(void)
{
    one_way();
    scenario_of("deflection", 0.2);
}

static void deflection_own(void)
{
    deflection_one_way();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_BUFFERS, 4));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN));
}

static void deflection_traffic(void)
{
    deflection();
    assert_ok(cn_traffic_permutation(given.topology, 3, &given.traffic));
    assert_ok(cn_traffic_set_on_off(given.traffic, 4, 4));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_LOAD, 0.2));
    assert_ok(cn_scenario_set_traffic(given.scenario, given.traffic));
}

static void deflection_trace(void)
{
    static const uint64_t cycles[] = {0, 0, 4}, sources[] = {1, 2, 1}, ends[] = {2, 3, 5};
    deflection();
    assert_ok(cn_traffic_trace(given.topology, cycles, sources, ends, NULL, 3, &given.traffic));
    assert_ok(cn_scenario_set_traffic(given.scenario, given.traffic));
}

static void deflection_threads(void)
{
    deflection();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_THREADS, 2));
}

static void deflection_replications(void)
{
    deflection();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_REPLICATIONS, 3));
}

static void deflection_both(void)
{
    deflection_replications();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_THREADS, 2));
}

static void deflection_precise(void)
{
    deflection();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MEASURE_CYCLES, 1000));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_RELATIVE_PRECISION, 0.2));
}

static void separate(void)
{
    scenario_of("separate-buffers", 0.3);
}

static void shared(void)
{
    scenario_of("shared-buffer", 0.3);
}

static void optimal_path(void)
{
    faults();
    routed_scenario("optimal-path", 0.2);
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
}

static void optimal_path_continuous(void)
{
    optimal_path();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_SLOTTED, 0));
}

static void two_level(void)
{
    faults();
    routed_scenario("two-level", 0.2);
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
}

static void two_level_continuous(void)
{
    two_level();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_SLOTTED, 0));
}

static void wormhole(void)
{
    scenario_of("wormhole", 0.002);
}

static void wormhole_broadcasts(void)
{
    scenario_of("wormhole", 0.001);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_BROADCAST_FRACTION, 0.1));
}

static void wormhole_two_way(void)
{
    two_way();
    scenario_of("wormhole", 0.002);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_VIRTUAL_CHANNELS, 3));
}

static void wormhole_damaged(void)
{
    two_way();
    scenario_of("wormhole", 0.002);
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 2));
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_BROADCAST_FRACTION, 0.1));
}

static void cut_through(void)
{
    scenario_of("cut-through", 0.002);
}

static void cut_through_damaged(void)
{
    two_way();
    scenario_of("cut-through", 0.002);
    assert_ok(cn_faults_new(given.topology, &given.faults));
    assert_ok(cn_faults_add_node(given.faults, 2));
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_BROADCAST_FRACTION, 0.1));
}

static void collective(void)
{
    small_cube();
    scenario_of("collective", 0.2);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MACHINE, CN_MACHINE_PAPER));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_OPERATIONS, 2));
}

static void collective_machine(void)
{
    collective();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MACHINE, CN_MACHINE_CHANNELS));
}

static void collective_multicasts(void)
{
    collective();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_DESTINATIONS, 3));
}

static void collective_list(void)
{
    collective_machine();
    assert_ok(cn_operations_new(given.topology, &given.operations));
    assert_ok(cn_operations_add(given.operations, 0, (uint64_t[]){3, 5}, 2, 1));
    assert_ok(cn_operations_add_broadcast(given.operations, 2, 0));
    assert_ok(cn_scenario_set_operations(given.scenario, given.operations));
}

static void optimistic(void)
{
    scenario_of("optimistic-bound", 0.3);
}

static void degraded_bound(void)
{
    scenario_of("degraded-bound", 0.3);
}

static void flows(void)
{
    edges();
    scenario_of("flow-deviation", 0.3);
}

static void cut_through_deflection(void)
{
    scenario_of("cut-through-deflection", 0.02);
}

static void cut_through_deflection_trace(void)
{
    deflection_trace();
    cn_scenario_free(&given.scenario);
    assert_ok(cn_scenario_new(given.topology, "cut-through-deflection", &given.scenario));
    assert_ok(cn_scenario_set_traffic(given.scenario, given.traffic));
}

static void flows_faults(void)
{
    faults();
    scenario_of("flow-deviation", 0.3);
    assert_ok(cn_scenario_set_faults(given.scenario, given.faults));
}

static void predicted(void)
{
    static void (*const scenarios[])(void) = {
        deflection,   deflection_two_way, deflection_one_way, shared,
        optimal_path, two_level,          wormhole,           wormhole_broadcasts,
        flows,        flows_faults,       cut_through,        deflection_own,
    };
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        FAILS(cn_predict, scenarios[i], given.scenario, NULL, &made.result);
    FAILS(cn_predict, separate, given.scenario, NULL, &made.result);
    NEVER(cn_predict_channel_delays, separate, given.scenario, NULL, out.reals[0], 256, out.sizes);
    FAILS(cn_predict_channel_delays, optimal_path, given.scenario, NULL, out.reals[0], 256,
          out.sizes);
    FAILS(cn_predict, optimistic, given.scenario, NULL, &made.result);
    FAILS(cn_predict, degraded_bound, given.scenario, NULL, &made.result);
}

/* Loads at which queues grow while they are simulated. */
static void wormhole_heavy(void)
{
    wormhole();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_LOAD, 0.1));
}

static void separate_heavy(void)
{
    scenario_of("separate-buffers", 3);
}

static void shared_heavy(void)
{
    scenario_of("shared-buffer", 4);
}

static void valiant_heavy(void)
{
    routed_scenario("valiant", 3);
}

static void optimal_path_heavy(void)
{
    optimal_path();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_LOAD, 3));
}

static void two_level_heavy(void)
{
    two_level_continuous();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_LOAD, 3));
}

/* What takes all its memory when it is opened, and what takes more in a step. */
static void (*const settled[])(void) = {
    deflection,
    deflection_two_way,
    deflection_one_way,
    deflection_traffic,
    deflection_trace,
    deflection_threads,
    wormhole,
    wormhole_broadcasts,
    wormhole_two_way,
    wormhole_damaged,
    cut_through,
    cut_through_damaged,
    cut_through_deflection,
    cut_through_deflection_trace,
};
static void (*const growing[])(void) = {
    separate_heavy, shared_heavy, valiant_heavy,      optimal_path_heavy,    two_level_heavy,
    wormhole_heavy, collective,   collective_machine, collective_multicasts, collective_list,
};
/* What takes memory in its first step: the loads of channels, which only the warm-up needs. */
static void (*const late[])(void) = {
    optimal_path,
    optimal_path_continuous,
    two_level,
    two_level_continuous,
};
enum { LATE = sizeof late / sizeof *late };
enum { SETTLED = sizeof settled / sizeof *settled, GROWING = sizeof growing / sizeof *growing };

static void (*scenario_to_open)(void);

static void opened(void)
{
    scenario_to_open();
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
}

/* A few cycles are over, and messages of the caller are on their way. */
static void running(void)
{
    opened();
    assert_ok(cn_sim_step(given.sim, 12, NULL));
    assert_ok(cn_sim_inject(given.sim, 0, 7, 0, 1));
    assert_ok(cn_sim_step(given.sim, 20, NULL));
}

static void all_alone(void)
{
    scenario_of("deflection", 0);
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
}

static void alone_in_wormhole(void)
{
    scenario_of("wormhole", 0);
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
}

static void reported(void)
{
    deflection_trace();
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
    assert_ok(cn_sim_report_trace(given.sim));
}

/* Four worms that wait for each other round a ring; in another ring one goes on for long. */
static void in_deadlock(void)
{
    assert_ok(cn_topology_kary_ncube(4, 2, 0, &given.topology));
    scenario_of("wormhole", 0);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_VIRTUAL_CHANNELS, 1));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_MESSAGE_FLITS, 200));
    assert_ok(cn_scenario_set_routing_name(given.scenario, "dimension-order"));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_UNSAFE, 1));
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
    for (uint64_t node = 0; node < 4; node++)
        assert_ok(cn_sim_inject(given.sim, node, (node + 2) % 4, 0, node));
    assert_ok(cn_sim_inject(given.sim, 8, 10, 0, 8));
    assert_ok(cn_sim_step(given.sim, 20, NULL));
}

static void known_deadlock(void)
{
    in_deadlock();
    assert_int_equal(cn_sim_step(given.sim, 10000, NULL), CN_ERR_DEADLOCK);
}

static void unsafe_on_ring(void)
{
    assert_ok(cn_topology_ring(4, 0, &given.topology));
    scenario_of("wormhole", 0);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_VIRTUAL_CHANNELS, 1));
    assert_ok(cn_scenario_set_routing_name(given.scenario, "dimension-order"));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_UNSAFE, 1));
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
    for (uint64_t node = 0; node < 4; node++)
        assert_ok(cn_sim_inject(given.sim, node, (node + 2) % 4, 0, node));
}

static void driven(void)
{
    scenario_to_open = deflection;
    ENDS(cn_sim_inject, all_alone, given.sim, 1, 2, 0, 7);
    ENDS(cn_sim_inject, alone_in_wormhole, given.sim, 1, 2, 0, 7);
    ENDS(cn_sim_inject_broadcast, alone_in_wormhole, given.sim, 1, CN_BASE_OF_SCENARIO, 7);
    ENDS(cn_sim_inject, alone_in_wormhole, given.sim, 1, 2, 9, 7);
    NUMBER(cn_sim_cycle, running, given.sim);
    NUMBER(cn_sim_next_event, running, given.sim);
    NUMBER(cn_sim_in_flight, running, given.sim);
    NEVER(cn_sim_can_accept, running, given.sim, 0);
    NEVER(cn_sim_queued, running, given.sim, 0, out.words[0]);
    NEVER(cn_sim_reset_statistics, running, given.sim);
    NEVER(cn_sim_report_trace, reported, given.sim);
    ENDS(cn_sim_step, reported, given.sim, 60, NULL);
    ENDS(cn_sim_step_until, reported, given.sim, 60, NULL);
    NEVER(cn_sim_next_delivery, running, given.sim, &out.delivery, sizeof out.delivery);
    FAILS(cn_sim_result, running, given.sim, &made.result);
    FREES(cn_sim_close, running, &given.sim);
    scenario_to_open = wormhole;
    NEVER(cn_sim_channel_loads, running, given.sim, out.words[0], 256, out.sizes);
    scenario_to_open = separate;
    NEVER(cn_sim_channel_loads, running, given.sim, out.words[0], 256, out.sizes);
    FAILS(cn_sim_deadlock, in_deadlock, given.sim, out.words[0], 256, out.sizes);
    FAILS(cn_sim_deadlock, known_deadlock, given.sim, out.words[0], 256, out.sizes);
    ENDS(cn_sim_step, unsafe_on_ring, given.sim, 5000, NULL);
    FAILS(cn_sim_result, in_deadlock, given.sim, &made.result);
}

/* A snapshot of a simulation that is running, and of the same scenario. */
static unsigned char snapshot[1 << 19];
static size_t snapshot_size;

static void saved(void)
{
    running();
    assert_ok(cn_sim_inject(given.sim, 1, 6, 0, 2));
    assert_ok(cn_sim_save(given.sim, snapshot, sizeof snapshot, &snapshot_size));
}

static void snapshots(void)
{
    static void (*const systems[])(void) = {
        deflection_threads, separate_heavy,      shared_heavy,
        wormhole_heavy,     wormhole_broadcasts, collective_machine,
    };
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        scenario_to_open = systems[i];
        FAILS(cn_sim_save, saved, given.sim, snapshot, sizeof snapshot, out.sizes);
        FAILS(cn_sim_restore, saved, given.scenario, snapshot, snapshot_size, NULL, &made.sim);
        FAILS(cn_sim_copy, saved, given.sim, NULL, &made.sim);
    }
}

/* ---- parts ---- */

static int no_exchange(void *user, int call, uint64_t number, cn_part_neighbor *const neighbors[],
                       size_t count)
{
    (void)user;
    (void)call;
    (void)number;
    (void)neighbors;
    return count > 0;
}

static void to_divide(void)
{
    assert_ok(cn_topology_hypercube(7, &given.topology));
    scenario_of("deflection", 0.5);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_STATISTICS, 1));
}

static void to_divide_psnn(void)
{
    assert_ok(cn_topology_psnn(7, &given.topology));
    scenario_of("deflection", 0.1);
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_STATISTICS, 1));
}

static void divided(void)
{
    to_divide();
    assert_ok(cn_sim_open_part(given.scenario, 1, 2, no_exchange, NULL, NULL, &given.sim));
    assert_ok(cn_sim_inject(given.sim, 64, 0, 0, 7));
    assert_ok(cn_sim_save(given.sim, snapshot, sizeof snapshot, &snapshot_size));
}

/* The only part, which needs no exchange. */
static void alone(void)
{
    to_divide();
    assert_ok(cn_sim_open_part(given.scenario, 0, 1, no_exchange, NULL, NULL, &given.sim));
    assert_ok(cn_sim_step(given.sim, 50, NULL));
    assert_ok(cn_sim_save_counts(given.sim, snapshot, sizeof snapshot, &snapshot_size));
}

static void parts(void)
{
    static const uint8_t *const data[] = {snapshot};
    NEVER(cn_part_nodes, to_divide, given.topology, 0, 2, out.words[0], out.words[1]);
    FAILS(cn_sim_open_part, to_divide, given.scenario, 1, 2, no_exchange, NULL, NULL, &made.sim);
    FAILS(cn_sim_open_part, to_divide_psnn, given.scenario, 1, 2, no_exchange, NULL, NULL,
          &made.sim);
    FAILS(cn_sim_restore_part, divided, given.scenario, snapshot, snapshot_size, no_exchange, NULL,
          NULL, &made.sim);
    NEVER(cn_sim_exchanged, divided, given.sim, out.words[0], out.words[1], out.reals[0],
          out.reals[1]);
    FAILS(cn_sim_save_counts, alone, given.sim, snapshot, sizeof snapshot, out.sizes);
    FAILS(cn_result_merge_parts, alone, given.scenario, data, &snapshot_size, 1, &made.result);
}

/* The system of scenario_to_open, with statistics. */
static void counted(void)
{
    scenario_to_open();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_STATISTICS, 1));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_THREADS, 2));
}

static void counted_running(void)
{
    counted();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_WARMUP_CYCLES, 0));
    assert_ok(cn_sim_open(given.scenario, NULL, &given.sim));
    assert_ok(cn_sim_step(given.sim, 100, NULL));
}

static void counted_result(void)
{
    counted();
    assert_ok(cn_simulate(given.scenario, NULL, &given.result));
}

static void counted_replications(void)
{
    counted();
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_REPLICATIONS, 3));
    assert_ok(cn_scenario_set(given.scenario, CN_PARAM_RELATIVE_PRECISION, 0));
}

static void counted_shard(void)
{
    counted_replications();
    assert_ok(cn_simulate_shard(given.scenario, 1, 2, NULL, &given.result));
}

static void statistics(void)
{
    static void (*const systems[])(void) = {deflection, separate, shared, optimal_path_continuous,
                                            wormhole_broadcasts};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        scenario_to_open = systems[i];
        FAILS(cn_sim_open, counted, given.scenario, NULL, &made.sim);
        FAILS(cn_simulate, counted, given.scenario, NULL, &made.result);
        NEVER(cn_sim_channel_loads, counted_running, given.sim, out.words[0], 256, out.sizes);
        FAILS(cn_sim_result, counted_running, given.sim, &made.result);
    }
    FAILS(cn_simulate, counted_replications, given.scenario, NULL, &made.result);
    FAILS(cn_simulate_shard, counted_replications, given.scenario, 1, 2, NULL, &made.result);
    NEVER(cn_result_shard, counted_shard, given.result, out.words[0], out.words[1]);
    NEVER(cn_result_merge, counted_result, (const cn_result *const[]){given.result}, 1, NULL,
          &made.result);
    NUMBER(cn_result_has_statistics, counted_result, given.result);
    NEVER(cn_result_channel_loads, counted_result, given.result, out.words[0], 256, out.sizes);
    NEVER(cn_result_node_counts, counted_result, given.result, CN_NODE_COUNT_FORWARDED,
          out.words[0], 256, out.sizes);
    NEVER(cn_result_node_queues, counted_result, given.result, out.reals[0], 256, out.sizes);
    NEVER(cn_result_histogram, counted_result, given.result, CN_DISTRIBUTION_DELAY, out.reals[0],
          out.reals[1], out.words[0], 256, out.sizes);
    NEVER(cn_result_quantile, counted_result, given.result, CN_DISTRIBUTION_HOPS, 0.9,
          out.reals[0]);
    NEVER(cn_result_batches, counted_result, given.result, CN_METRIC_THROUGHPUT, out.reals[0], 256,
          out.sizes, out.words[0]);
}

static void opened_and_run(void (*scenario)(void))
{
    FAILS(cn_simulate, scenario, given.scenario, NULL, &made.result);
    FAILS(cn_sim_open, scenario, given.scenario, NULL, &made.sim);
    scenario_to_open = scenario;
}

void simulation_rows(void **state)
{
    (void)state;
    predicted();
    for (size_t i = 0; i < SETTLED; i++) {
        opened_and_run(settled[i]);
        NEVER(cn_sim_step, opened, given.sim, 20, NULL);
    }
    for (size_t i = 0; i < LATE; i++) {
        opened_and_run(late[i]);
        ENDS(cn_sim_step, opened, given.sim, 20, NULL);
    }
    for (size_t i = 0; i < GROWING; i++) {
        opened_and_run(growing[i]);
        ENDS(cn_sim_step, opened, given.sim, 60, NULL);
    }
    FAILS(cn_simulate, deflection_replications, given.scenario, NULL, &made.result);
    FAILS(cn_simulate, deflection_both, given.scenario, NULL, &made.result);
    FAILS(cn_simulate, deflection_precise, given.scenario, NULL, &made.result);
    FAILS(cn_simulated_saturation_load, deflection, given.scenario, 0.5, NULL, out.reals[0],
          out.reals[1]);
    driven();
    snapshots();
    parts();
    statistics();
}
