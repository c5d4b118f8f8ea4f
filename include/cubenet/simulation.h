/**
 * @file simulation.h
 * Simulations that the caller drives cycle by cycle. cn_simulate() of scenario.h runs the same loop
 * with a stopping rule: the same number of cycles gives the same result, bit for bit.
 *
 *     cn_sim_open(scenario, NULL, &sim);
 *     cn_sim_inject(sim, source, destination, 0, tag);
 *     cn_sim_step(sim, 1, NULL);
 *     while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) { ... }
 *     cn_sim_close(&sim);
 *
 * In a clock cycle of a slotted network every node routes its messages and sends them to its
 * neighbours, messages that have arrived at their destinations are delivered, and then new messages
 * are admitted. The delay of a message counts the cycles from the end of the cycle in which it was
 * admitted to the end of the cycle in which it arrived, so a message that never waits takes as many
 * cycles as hops.
 *
 * docs/simulation.md describes a cycle of each system. In "wormhole" and "cut-through" a message of
 * M flits that never waits takes M + hops cycles. In "cut-through-deflection" a cycle is a
 * mini-cycle of that page.
 *
 * The system "separate-buffers" also runs in continuous time, when `slotted` is "no"; a cycle is
 * then one unit of time. Calls take effect between two units of time, so a message is injected at a
 * whole time. Its delivery names the unit in which the message arrived, so delivered - injected is
 * the delay rounded up. The metrics of the result use the exact times.
 *
 * @since 1.0
 */
#ifndef CUBENET_SIMULATION_H
#define CUBENET_SIMULATION_H

#include "control.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A running simulation; opaque. A call that takes a const cn_sim only reads the simulation, and any
 * number of threads may make such calls at once. Every other call changes the simulation and must
 * have it to itself. Calls of the second kind are also cn_sim_result() and cn_sim_deadlock(), which
 * store their results in the object but do not affect the rest of the simulation.
 */
typedef struct cn_sim cn_sim;

/**
 * The delivery of a message that the caller had injected. Later versions only append members; the
 * size argument of cn_sim_next_delivery() tells the library which members the program knows.
 */
typedef struct cn_delivery {
    uint64_t tag;         /**< the tag passed to cn_sim_inject() */
    uint64_t source;      /**< the source node */
    uint64_t destination; /**< the destination node, or CN_ALL_NODES */
    uint64_t injected;    /**< the cycle (cn_sim_cycle()) at whose end the message was admitted */
    uint64_t delivered;   /**< the cycle at whose end it arrived; the delay is the difference */
    /**
     * number of channels that the message crossed; of a broadcast, the depth of the node that
     * received it last in the tree of the broadcast. A copy crosses one channel from its parent,
     * except with routings that send a message for a neighbour around
     */
    uint64_t hops;
    uint64_t flits; /**< the length of the message; 1 where messages are not divided into flits */
    /**
     * number of hops that did not bring the message closer to its destination; 0 in every system
     * except "deflection" and "cut-through-deflection". In these two systems hops and deflections
     * of the messages of a trace are not known and are 0.
     */
    uint64_t deflections;
} cn_delivery;

/**
 * Opens a simulation of @p scenario at cycle 0 with an empty network. The scenario is copied, so
 * later changes to it have no effect. The parameters `relative_precision` and `replications` are
 * ignored, because the caller decides how long to step; `measure_cycles` only limits a warm-up
 * whose `warmup_cycles` is "automatic".
 *
 * @param control progress, limits and cancellation; may be NULL. A call that ends early, also at a
 *        time limit, returns CN_ERR_CANCELLED and opens nothing.
 * @return CN_ERR_UNSUPPORTED (no simulator for this system and topology), CN_ERR_ARGUMENT
 *         (parameters that contradict each other), CN_ERR_DISCONNECTED (some survivors of the
 *         faults cannot reach each other, or there are fewer than two), CN_ERR_MEMORY
 */
CN_API cn_status cn_sim_open(const cn_scenario *scenario, const cn_control *control, cn_sim **sim);

/**
 * Ends the simulation, frees it and sets the handle to NULL. Does nothing for NULL or a handle that
 * is NULL.
 */
CN_API void cn_sim_close(cn_sim **sim);

/**
 * Simulates @p cycles more cycles. Deliveries that the caller has not fetched yet are kept. The
 * simulator skips cycles in which nothing can happen (cn_sim_next_event()), with the same results.
 * @param control progress in cycles, limits and cancellation; may be NULL. A call that ends early
 *        has simulated whole cycles, and the next call goes on from there; cn_sim_cycle() tells the
 *        number of cycles. The status is CN_OK at a time limit and CN_ERR_CANCELLED after a
 *        cancellation.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (the age of a message exceeds its counter),
 *         CN_ERR_MEMORY (the unlimited queues need more memory than there is), CN_ERR_DEADLOCK (see
 *         cn_sim_deadlock()), CN_ERR_INTERNAL (messages were lost), CN_ERR_EXCHANGE (of a part:
 *         experimental/part.h); after any of these errors but CN_ERR_ARGUMENT the simulation cannot
 *         go on: later steps return CN_ERR_STATE. CN_ERR_UNSUPPORTED (a part, with a control that
 *         is not NULL). Cost of cn_simulate() for the same number of cycles.
 */
CN_API cn_status cn_sim_step(cn_sim *sim, uint64_t cycles, const cn_control *control);

/** Returns the number of cycles simulated so far, warm-up included; 0 for NULL. */
CN_API uint64_t cn_sim_cycle(const cn_sim *sim);

/** The cycle of an event that never comes. */
#define CN_NEVER UINT64_MAX

/**
 * Returns the cycle of the next event: the first later cycle in which a message may move, be
 * delivered, or be offered by the traffic of the scenario. Until then cn_sim_step() only advances
 * the clock, in O(1) for any number of cycles. cn_sim_inject() may bring the event forward.
 *
 * The cycle is exact for an empty network at load 0, for a trace, for the operations of
 * "collective", for the sources of "wormhole", for "cut-through" and in continuous time; in
 * continuous time the cycle may be too early where nothing happens for 10 000 cycles. Where sources
 * are drawn per node and cycle (slotted systems with a load), and otherwise while messages are on
 * their way, the function returns the next cycle.
 *
 * @return a cycle number. CN_NEVER when the network is empty and stays empty unless the caller
 *         injects a message, and after an error that ended the simulation. 0 for NULL. O(log
 *         messages) for a trace, otherwise O(1) on average.
 */
CN_API uint64_t cn_sim_next_event(const cn_sim *sim);

/**
 * Steps cycle by cycle until there is a delivery that the caller has not fetched, until nothing can
 * happen any more (cn_sim_next_event() is CN_NEVER), or until the clock is at cycle @p limit. The
 * clock then stands at the first such cycle. The simulator skips cycles in which nothing happens.
 * When no injected message is on its way and the load is above 0, the call runs to the limit.
 *
 * @param limit a cycle number, as cn_sim_cycle() returns it
 * @param control as for cn_sim_step()
 * @return CN_OK (there is a delivery to fetch, possibly without any step), CN_DONE (there is no
 *         delivery, and nothing more can happen or the limit is reached), CN_ERR_UNSUPPORTED (a
 *         part of a network: experimental/part.h), otherwise errors as for cn_sim_step().
 */
CN_API cn_status cn_sim_step_until(cn_sim *sim, uint64_t limit, const cn_control *control);

/**
 * Returns the number of messages accepted and not delivered yet, messages of the scenario's own
 * traffic included, counted as by the metric `messages_in_flight`; 0 for NULL. O(threads); for
 * "wormhole" and "cut-through" about the cost of a clock cycle.
 */
CN_API uint64_t cn_sim_in_flight(const cn_sim *sim);

/**
 * Checks whether cn_sim_inject() would admit a message of this source now. The call changes no
 * counts.
 * @return CN_OK (the message would be admitted), CN_REFUSED (the buffers of the source are full;
 *         only "deflection" and "cut-through-deflection" refuse messages), CN_ERR_ARGUMENT,
 *         CN_ERR_DISCONNECTED (the source is faulty or disabled), CN_ERR_STATE (after an error that
 *         ended the simulation). O(1)
 */
CN_API cn_status cn_sim_can_accept(const cn_sim *sim, uint64_t source);

/**
 * Returns the number of messages that wait at a node at the end of the present cycle. A program
 * that models a queue of limited length in front of the network compares this number with the limit
 * before it injects a message.
 *
 * @param messages out. In "deflection" and "cut-through-deflection" the messages in the buffers of
 *        the node (in the second system without messages whose header has left the node again); in
 *        "separate-buffers" and "shared-buffer" the messages in the queues of the node. In these
 *        systems messages in transit count, because they wait for the same channels. In "wormhole"
 *        and "cut-through" the messages of the node, copies of broadcasts included, whose last flit
 *        has not left the node. 0 for a node that takes no part.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED ("collective"), CN_ERR_STATE (after an error that
 *         ended the simulation). O(ports), in "wormhole" and "cut-through" also a step for each of
 *         these messages, and for each message in its startup latency.
 */
CN_API cn_status cn_sim_queued(const cn_sim *sim, uint64_t node, uint64_t *messages);

/**
 * Injects one message at the end of the present cycle, after the messages of the scenario's own
 * traffic (none when `load` is 0). The metrics count the message as offered, and as accepted or
 * refused.
 *
 * @param flits the length of the message, up to 2^32-1; 0: the length that the scenario sets
 *        (`message_flits`). A length above 1 is possible only in "wormhole" and "cut-through".
 * @param tag returned with the delivery; tags need not be unique
 * @return CN_OK (admitted), CN_REFUSED (the buffers of the source are full; the caller may try
 *         again after a step), CN_ERR_ARGUMENT (no such node, destination = source, flits),
 *         CN_ERR_UNSUPPORTED (flits above 1 where messages have no flits), CN_ERR_DISCONNECTED (one
 *         of the two is faulty or disabled, or no path leads to the destination), CN_ERR_OVERFLOW,
 *         CN_ERR_MEMORY (if only a part of the message was admitted, every later call fails too),
 *         CN_ERR_STATE (after an error that ended the simulation, and with a workload:
 *         experimental/workload.h). O(n) on average.
 */
CN_API cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t flits,
                               uint64_t tag);

/** The destination of a broadcast. */
#define CN_ALL_NODES UINT64_MAX

/** The base of a broadcast that the parameter `broadcast_base` determines. */
#define CN_BASE_OF_SCENARIO UINT32_MAX

/**
 * Injects one broadcast, as cn_sim_inject() injects a message to one node. The broadcast has one
 * delivery, with destination CN_ALL_NODES, when the last node has received it. The metrics count
 * the broadcast as one message in "wormhole" and "cut-through", and as one message per destination
 * in "collective".
 *
 * @param base the dimension in which the binomial tree begins, 0 .. n-1, in "wormhole" and
 *        "cut-through" on undamaged Boolean n-cubes; in all other cases CN_BASE_OF_SCENARIO. A base
 *        given here does not advance the round-robin of the node.
 * @return CN_ERR_UNSUPPORTED (the system has no broadcasts, no broadcasts on this network, or no
 *         bases), CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (no path leads to some node), CN_ERR_MEMORY
 *         (the simulation goes on as without the call; but if only a part of the broadcast was
 *         admitted, which is possible only in "collective", every later step and injection fails,
 *         too), CN_ERR_STATE (as cn_sim_inject()). O(N n) at most; O(channels) where the tree is
 *         breadth-first.
 */
CN_API cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint32_t base, uint64_t tag);

/**
 * Returns the number of messages that each directed channel has carried; in "wormhole" and
 * "cut-through" the number of flits. Counting begins at cycle 0, and again at the end of the
 * warm-up. "wormhole", "cut-through" and "collective" always count channel loads, other systems
 * when the parameter `statistics` is "yes". All other statistics belong to a result (statistics.h).
 *
 * @param loads out: loads[node * P + port], P = cn_topology_max_degree(); 0 where a node has no
 *        such port
 * @param capacity room in @p loads, in elements
 * @param count out: number of elements, nodes times P, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_UNSUPPORTED (the system counts channel loads only when `statistics` is "yes"),
 *         CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(channels)
 */
CN_API cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity,
                                      size_t *count);

/**
 * Returns a dependency cycle of the present deadlock: a list of channels, each held by a message
 * that waits for the next channel of the list (and perhaps for other channels, which deadlocked
 * messages hold, too). A channel appears more than once when several messages of the dependency
 * cycle hold virtual channels of it.
 *
 * The function searches for a deadlock at once. While other messages still move, cn_sim_step() may
 * report the deadlock thousands of clock cycles later; the clock cycle of the report does not
 * depend on the number of cycles in each step.
 *
 * @param channels out: node * P + port, P = cn_topology_max_degree()
 * @param capacity room in @p channels, in elements
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_STATE (no deadlock, or none that has a dependency cycle), CN_ERR_CAPACITY,
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(channels), and a few steps for each message.
 */
CN_API cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count);

/**
 * Makes cn_sim_next_delivery() return also the deliveries of the scenario's trace from now on. The
 * tag is the number of the message in the lists of cn_traffic_trace(), from 0. Each delivery takes
 * memory until the caller fetches it. cn_sim_step_until() stops at these deliveries, too. The
 * counts and the result do not change. Calls after the first do nothing.
 * @return CN_ERR_ARGUMENT (the traffic of the scenario is no trace), CN_ERR_STATE (as
 *         cn_sim_inject()). O(1)
 */
CN_API cn_status cn_sim_report_trace(cn_sim *sim);

/**
 * Returns the next delivery of an injected message. The function returns each delivery once, in
 * order of arrival (within a cycle of a slotted network by destination). Messages of the scenario's
 * own traffic are counted but have no deliveries here, except messages of a trace after
 * cn_sim_report_trace().
 *
 * @param delivery out
 * @param size sizeof(cn_delivery) in the program; the function writes no byte past this size, and
 *        sets members that the library does not know to 0
 * @return CN_OK, CN_DONE (there is no delivery), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size);

/**
 * Begins the measurement anew at the present cycle: rates, means, quantiles and half-widths of
 * later results cover the cycles after the call. A warm-up that is not over ends. The call does not
 * affect the network, the counts of the whole run (such as messages_delivered) and
 * cn_sim_channel_loads().
 * @return CN_ERR_ARGUMENT, CN_ERR_STATE (after an error that ended the simulation); when the end of
 *         the warm-up begins a workload (experimental/workload.h) also CN_ERR_MEMORY. O(threads)
 */
CN_API cn_status cn_sim_reset_statistics(cn_sim *sim);

/**
 * Returns the metrics measured so far. Rates, means and quantiles cover the cycles after the
 * warm-up, whose length is the metric `warmup_cycles`. A message counts when it is delivered in
 * these cycles. When some messages can never move again, the stop reason of the result is
 * CN_STOP_DEADLOCK.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_STATE (no cycle measured yet, or the simulation
 *         ended with an error that makes its counts invalid), CN_ERR_INTERNAL (messages were lost),
 *         CN_ERR_UNSUPPORTED (a part of a network: experimental/part.h)
 */
CN_API cn_status cn_sim_result(cn_sim *sim, cn_result **result);

/**
 * Writes a snapshot of a simulation into memory of the caller. From the snapshot and the same
 * scenario cn_sim_restore() makes a simulation that goes on with the same bits. The snapshot
 * contains the state of the network, the warm-up, the measurement, the messages on their way with
 * their tags, and the deliveries not fetched yet. It does not contain the scenario, only a hash of
 * the scenario, and not the exchange function of a part, which cn_sim_restore_part() takes anew.
 *
 * A snapshot is a sequence of bytes, the same on every machine, whatever its byte order, processor
 * and number of threads. It begins with its version and ends with a hash; docs/simulation.md
 * describes it. Two simulations that cannot be told apart by their later results may have different
 * snapshots.
 *
 * @param data out; untouched when the capacity is too small
 * @param capacity room in @p data, in bytes; 0 (and NULL) asks for the size alone
 * @param size out: bytes of the snapshot, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT, CN_ERR_MEMORY (@p data may then hold a part of the
 *         snapshot), CN_ERR_STATE (after an error other than a deadlock that ended the simulation).
 *         O(size).
 */
CN_API cn_status cn_sim_save(const cn_sim *sim, uint8_t data[], size_t capacity, size_t *size);

/**
 * Opens a simulation in the state of a snapshot. Later steps, deliveries and results are those of
 * the simulation that was saved, bit for bit, on any number of threads: the parameter `threads` of
 * the scenario may differ. `relative_precision`, `replications` and `model_variant`, which a driven
 * simulation does not use, may differ, too. In everything else, seed included, the scenario must
 * equal the scenario of the saved simulation.
 *
 * The data may come from anywhere. The function refuses data that are no snapshot, were cut or
 * changed, or belong to another scenario or version, and the error sentence gives the reason. A
 * forged snapshot with a right hash gives a simulation that runs from the forged state, or that
 * ends with CN_ERR_INTERNAL, but does no other harm.
 *
 * @param data from cn_sim_save(), perhaps on another machine
 * @param size size of @p data in bytes
 * @param control progress, limits and cancellation, as in cn_sim_open(); may be NULL
 * @return CN_ERR_ARGUMENT (no snapshot, a damaged one, one of another scenario or seed),
 *         CN_ERR_UNSUPPORTED (one of another version), CN_ERR_MEMORY, otherwise as cn_sim_open().
 *         Cost of cn_sim_open(), and O(size)
 */
CN_API cn_status cn_sim_restore(const cn_scenario *scenario, const uint8_t data[], size_t size,
                                const cn_control *control, cn_sim **sim);

/**
 * Opens a second simulation in the same state. The two simulations are independent from then on.
 * @param control as for cn_sim_open()
 * @return errors and cost of cn_sim_save() and cn_sim_restore()
 */
CN_API cn_status cn_sim_copy(const cn_sim *sim, const cn_control *control, cn_sim **copy);

/**
 * Finds a lower and an upper bound of the saturation load of a simulated network by bisection: the
 * greatest load at which a run had a steady state, and the least load at which a run had no steady
 * state (CN_STOP_SATURATED). Each run is cn_simulate() with the seed and the other parameters of
 * the scenario, so the bounds are the same each time and on any number of threads. Longer runs
 * detect saturation at lower loads. The load of the scenario does not matter and need not be set.
 *
 * The systems "deflection" and "cut-through-deflection" refuse messages and have a steady state at
 * every load. One run at the greatest load then gives the greatest throughput, and the bounds are
 * its 95 % confidence interval.
 *
 * @param accuracy 1e-4..1: @p upper - @p lower is at most this share of @p upper; not used for
 *        these two systems
 * @param control progress, limits and cancellation; may be NULL. A search that ends early, also at
 *        a time limit, returns CN_ERR_CANCELLED without bounds.
 * @param lower out, messages per node and cycle
 * @param upper out, messages per node and cycle; infinite when the source of the traffic cannot
 *        saturate the network, and @p lower is then the greatest load of the source
 * @return CN_ERR_UNSUPPORTED (no simulator, no parameter load, a trace), CN_ERR_DISCONNECTED (some
 *         survivors cannot reach each other), CN_ERR_UNSTABLE (saturated at every load),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY, other errors of cn_simulate(); outputs are then
 *         untouched. Cost of about log2(1 / accuracy) + 3 calls of cn_simulate(), for "wormhole"
 *         and "cut-through" some more.
 */
CN_API cn_status cn_simulated_saturation_load(const cn_scenario *scenario, double accuracy,
                                              const cn_control *control, double *lower,
                                              double *upper);

#ifdef __cplusplus
}
#endif

#endif
