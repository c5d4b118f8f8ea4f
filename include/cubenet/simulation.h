/**
 * @file simulation.h
 * A simulation that the caller drives cycle by cycle. cn_simulate() of scenario.h runs the same
 * loop with a stopping rule: the same number of cycles stepped by hand gives the same result, bit
 * for bit.
 *
 *     cn_sim_open(scenario, NULL, &sim);
 *     cn_sim_inject(sim, source, destination, 0, tag);
 *     cn_sim_step(sim, 1, NULL);
 *     while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) { ... }
 *     cn_sim_close(&sim);
 *
 * In a clock cycle of the slotted networks every node routes and sends its messages, neighbours
 * exchange them, messages that have arrived are delivered, and then new messages are admitted. The
 * delay of a message counts the cycles from the end of the cycle in which it was admitted to the
 * end of the cycle in which it arrived, so a message that never waits takes as many cycles as hops.
 *
 * docs/wormhole.md describes a cycle of the system "wormhole", docs/cut-through.md one of
 * "cut-through"; there a message of M flits that never waits takes M + hops cycles. In
 * "cut-through-deflection" a cycle is what that page calls a mini-cycle.
 *
 * The system "separate-buffers" also runs in continuous time, when `slotted` is "no"; a cycle is
 * then one unit of time. Calls take effect between two units, so a message is
 * injected at a whole time. Its delivery names the unit in which it arrived, so delivered -
 * injected is its delay rounded up. The metrics of the result use the exact times.
 *
 * @since 0.1
 */
#ifndef CUBENET_SIMULATION_H
#define CUBENET_SIMULATION_H

#include "control.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A running simulation; opaque. A call that takes a const cn_sim only reads it, and any number of
 * threads may make such calls at once. Every other call changes it, so only one thread at a time
 * may make one. This includes cn_sim_result() and cn_sim_deadlock(), which store what they find in
 * the object but do not affect the rest of the simulation.
 */
typedef struct cn_sim cn_sim;

/**
 * A delivered message that the caller had injected. Later versions only append members; the size
 * argument of cn_sim_next_delivery() says how many of them the caller was compiled with.
 */
typedef struct cn_delivery {
    uint64_t tag;         /**< the tag passed to cn_sim_inject() */
    uint64_t source;      /**< node */
    uint64_t destination; /**< node, or CN_ALL_NODES */
    uint64_t injected;  /**< the cycle at whose end it was admitted: cn_sim_cycle() at that time */
    uint64_t delivered; /**< the cycle at whose end it arrived; the delay is the difference */
    /** channels that it crossed; of a broadcast, from the source to the node that received it
     * last */
    uint64_t hops;
    uint64_t flits; /**< its length; 1 where messages are not divided into flits */
    /** of these hops, those that did not bring it closer to its destination; 0 in every system but
     *  "deflection" and "cut-through-deflection", where hops and deflections of the messages of a
     *  trace are not known, and are 0 */
    uint64_t deflections;
} cn_delivery;

/**
 * Opens a simulation of @p scenario at cycle 0 with an empty network. The scenario is copied, so
 * later changes to it have no effect. The parameters `relative_precision` and `replications` are
 * ignored, because the caller decides how long to step; `measure_cycles` only limits a warm-up
 * whose `warmup_cycles` is "automatic".
 *
 * @param control progress, limits and cancellation; may be NULL. A call that ends early opens
 *        nothing: CN_ERR_CANCELLED, at a time limit, too.
 * @return CN_ERR_UNSUPPORTED (no simulator for this system and topology), CN_ERR_ARGUMENT
 *         (parameters that contradict each other), CN_ERR_DISCONNECTED (some survivors of the
 *         faults cannot reach each other, or there are fewer than two), CN_ERR_MEMORY
 */
CN_API cn_status cn_sim_open(const cn_scenario *scenario, const cn_control *control, cn_sim **sim);

/** Ends the simulation and sets the handle to NULL. NULL, and a handle that is NULL, are
 * accepted. */
CN_API void cn_sim_close(cn_sim **sim);

/**
 * Simulates @p cycles more cycles. Deliveries that were not fetched yet are kept. Cycles in which
 * nothing can happen (cn_sim_next_event()) are skipped, with the same results.
 * @param control progress in cycles, limits and cancellation; may be NULL. A call that ends early
 *        has simulated whole cycles, and the next one goes on from there: cn_sim_cycle() tells how
 *        many they were. The status is CN_OK at a time limit, CN_ERR_CANCELLED when it was
 *        cancelled.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (the age of a message exceeds its counter),
 *         CN_ERR_MEMORY (the unlimited queues need more memory than there is), CN_ERR_DEADLOCK (see
 *         cn_sim_deadlock()), CN_ERR_INTERNAL (messages were lost), CN_ERR_EXCHANGE (of a part:
 *         experimental/part.h); after one of these last five errors the simulation cannot be
 *         stepped further: CN_ERR_STATE. CN_ERR_UNSUPPORTED (a part, with a control that is not
 *         NULL). Cost of cn_simulate() for so many cycles.
 */
CN_API cn_status cn_sim_step(cn_sim *sim, uint64_t cycles, const cn_control *control);

/** Returns the number of cycles simulated so far, warm-up included; 0 for NULL. */
CN_API uint64_t cn_sim_cycle(const cn_sim *sim);

/** The cycle of an event that never comes. */
#define CN_NEVER UINT64_MAX

/**
 * Returns the first cycle after the present one at whose end anything in the simulation may differ
 * from now: a message has moved, was delivered, or was offered by the scenario's own traffic. Until
 * then cn_sim_step() only advances the clock, however many cycles these are, and cn_sim_inject()
 * may bring the event forward.
 *
 * The cycle is exact for an empty network at load 0, for a trace, for the operations of
 * "collective", for the sources of "wormhole", for "cut-through" and in continuous time; in
 * continuous time it may be too early where nothing happens for 10 000 cycles. Where sources are
 * drawn per node and cycle (slotted systems with a load), and elsewhere while messages are on their
 * way, it is the next cycle.
 *
 * @return CN_NEVER: the network is empty and stays so unless the caller injects something; also
 *         after an error that ended the simulation. 0 for NULL. O(log messages) for a trace, else
 *         O(1) on average.
 */
CN_API uint64_t cn_sim_next_event(const cn_sim *sim);

/**
 * Steps cycle by cycle until a message that the caller injected has arrived and was not fetched,
 * until nothing can happen any more (cn_sim_next_event() is CN_NEVER), or until the clock is at
 * cycle @p limit. The clock then stands at the first such cycle; cycles in which nothing happens
 * are skipped. Without an injected message on its way and with a load above 0 it runs to the limit.
 *
 * @param limit a cycle number, as cn_sim_cycle() returns it
 * @param control as for cn_sim_step()
 * @return CN_OK: a delivery can be fetched, possibly without a step; CN_DONE: none, and nothing
 *         more can happen or the limit is reached. CN_ERR_UNSUPPORTED (a part of a network:
 *         experimental/part.h), otherwise errors as for cn_sim_step().
 */
CN_API cn_status cn_sim_step_until(cn_sim *sim, uint64_t limit, const cn_control *control);

/**
 * Returns the number of messages accepted and not delivered yet, including those of the scenario's
 * own traffic, in the units of the metric messages_in_flight; 0 for NULL. O(threads); for
 * "wormhole" and "cut-through" about the cost of a clock cycle.
 */
CN_API uint64_t cn_sim_in_flight(const cn_sim *sim);

/**
 * Says whether cn_sim_inject() would admit a message of this source now. It counts nothing.
 * @return CN_OK: yes. CN_REFUSED: the source's buffers are full; only "deflection" and
 *         "cut-through-deflection" refuse messages. CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (the
 *         source is faulty or disabled), CN_ERR_STATE. O(1)
 */
CN_API cn_status cn_sim_can_accept(const cn_sim *sim, uint64_t source);

/**
 * Returns the number of messages that wait at a node at the end of the present cycle. A host whose
 * nodes have a queue of limited length in front of the network asks this before it injects: "has
 * room" is then a number below the limit.
 *
 * @param messages out. In "deflection" and "cut-through-deflection" those in the node's buffers (of
 *        the latter those whose header has not left the node again), in "separate-buffers" and
 *        "shared-buffer" those in its queues; messages in transit count, because they wait for the
 *        same channels. In "wormhole" and "cut-through" those, also copies of broadcasts, that have
 *        not left their source as a whole. 0 for a node that takes no part.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED ("collective"), CN_ERR_STATE. O(ports), in "wormhole"
 *         and "cut-through" also a step for each of these messages, and for each message in its
 *         startup latency.
 */
CN_API cn_status cn_sim_queued(const cn_sim *sim, uint64_t node, uint64_t *messages);

/**
 * Injects one message at the end of the present cycle, after the messages of the scenario's own
 * traffic (none when `load` is 0). The metrics count it as offered, and as accepted or refused.
 *
 * @param flits the length of the message, up to 2^32-1; 0: as the scenario says (`message_flits`).
 *        Above 1 only in "wormhole" and "cut-through".
 * @param tag returned with the delivery; tags need not be unique
 * @return CN_OK: admitted. CN_REFUSED: the source's buffers are full; try again after a step.
 *         CN_ERR_ARGUMENT (no such node, destination = source, flits), CN_ERR_UNSUPPORTED (flits
 *         above 1 where messages have no flits), CN_ERR_DISCONNECTED (one of the two is faulty or
 *         disabled, or no path leads to the destination), CN_ERR_OVERFLOW, CN_ERR_MEMORY (if only a
 *         part of the message was admitted, every later call fails too), CN_ERR_STATE (after an
 *         error that ended the simulation, and with a workload: experimental/workload.h). O(n) on
 *         average.
 */
CN_API cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t flits,
                               uint64_t tag);

/** The destination of a broadcast. */
#define CN_ALL_NODES UINT64_MAX

/** The base of a broadcast that the parameter `broadcast_base` determines. */
#define CN_BASE_OF_SCENARIO UINT32_MAX

/**
 * Injects one broadcast, as cn_sim_inject() injects a message to one node. It has one delivery,
 * with destination CN_ALL_NODES, when the last node has received it. The metrics count it as they
 * count the broadcasts of the system: "wormhole" and "cut-through" as one message, "collective" as
 * one message per destination.
 *
 * @param base the dimension in which the binomial tree begins, 0 .. n-1, in "wormhole" and
 *        "cut-through" on undamaged Boolean n-cubes; elsewhere CN_BASE_OF_SCENARIO alone. A base
 *        that is named here does not count in the round-robin of the node.
 * @return CN_ERR_UNSUPPORTED (the system has no broadcasts, or not on this network, or no base),
 *         CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (no path leads to some node), CN_ERR_MEMORY (the
 *         simulation goes on as if the broadcast had not been tried; but if only a part of it was
 *         admitted, which can be so in "collective" alone, every later step and injection fails,
 *         too), CN_ERR_STATE (as cn_sim_inject()). O(N n) at most; O(channels) where the tree is
 *         breadth-first.
 */
CN_API cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint32_t base, uint64_t tag);

/**
 * Returns the number of messages that each directed channel has carried; for the systems "wormhole"
 * and "cut-through" the number of flits. They are counted from cycle 0, and from the end of the
 * warm-up anew. These systems and "collective" always count them, others when the parameter
 * `statistics` is "yes". All other statistics are those of a result (statistics.h).
 *
 * @param loads out: loads[node * P + port], P = cn_topology_max_degree(); 0 where a node has no
 *        such port
 * @param capacity room in @p loads, in elements
 * @param count out: number of elements, nodes times P, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_UNSUPPORTED (the system does not count by channel unless it is asked to),
 *         CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(channels)
 */
CN_API cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity,
                                      size_t *count);

/**
 * Returns a dependency cycle of the present deadlock: channels, each held by a message that waits
 * for the next one (and perhaps for others, which deadlocked messages hold too). A channel appears
 * more than once when several messages of the dependency cycle hold virtual channels of it.
 *
 * The function searches for the deadlock at once. While other messages still move, cn_sim_step()
 * may report it thousands of clock cycles later; that clock cycle does not depend on how the caller
 * divides its steps.
 *
 * @param channels out: node * P + port, P = cn_topology_max_degree()
 * @param capacity room in @p channels, in elements
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_STATE (no deadlock, or none that has a dependency cycle), CN_ERR_CAPACITY,
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. A look through the network, as in cn_sim_result():
 *         O(channels), and a few steps a message.
 */
CN_API cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count);

/**
 * From now on cn_sim_next_delivery() also returns the messages of the scenario's trace that arrive;
 * the tag is the number of the message in the lists of cn_traffic_trace(), from 0. They need
 * memory until they are fetched. cn_sim_step_until() stops at them, too. The counts and the result
 * do not change. Calls after the first do nothing.
 * @return CN_ERR_ARGUMENT (the scenario's traffic is no trace), CN_ERR_STATE (as cn_sim_inject()).
 *         O(1)
 */
CN_API cn_status cn_sim_report_trace(cn_sim *sim);

/**
 * Returns the next injected message that has arrived. Each message is returned once, in order of
 * arrival (within a cycle of a slotted network by destination). Messages of the scenario's own
 * traffic are counted but not returned, except those of a trace after cn_sim_report_trace().
 *
 * @param delivery out
 * @param size sizeof(cn_delivery) as the caller was compiled with it; the function writes no byte
 *        past it, and sets members that the library does not have to 0
 * @return CN_OK, CN_DONE (none left), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size);

/**
 * Begins the measurement anew at the present cycle: rates, means, quantiles and half-widths of
 * later results cover the cycles after it. A warm-up that is not over ends. The network, the counts
 * of the whole run (such as messages_delivered) and cn_sim_channel_loads() are unaffected.
 * @return CN_ERR_ARGUMENT, CN_ERR_STATE (after an error that ended the simulation); where that
 *         begins a workload (experimental/workload.h) also CN_ERR_MEMORY. O(threads)
 */
CN_API cn_status cn_sim_reset_statistics(cn_sim *sim);

/**
 * Returns the metrics measured so far. Rates, means and quantiles cover the cycles after the
 * warm-up, whose length the metric `warmup_cycles` says; a message counts when it is delivered in
 * these cycles. When some messages can never move again, the stop reason of the result is
 * CN_STOP_DEADLOCK.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_STATE (no cycle measured yet, or the simulation
 *         ended with an error that makes its counts invalid), CN_ERR_INTERNAL (messages were lost),
 *         CN_ERR_UNSUPPORTED (a part of a network: experimental/part.h)
 */
CN_API cn_status cn_sim_result(cn_sim *sim, cn_result **result);

/**
 * Writes a snapshot of a simulation into memory of the caller: all that cn_sim_restore() needs,
 * with the same scenario, to go on with the same bits. The network, the warm-up, the measurement,
 * the messages on their way with their tags, and the deliveries that were not fetched are in it;
 * the scenario is not, only a hash of it. Between two calls there is nothing else but the exchange
 * function of a part, which cn_sim_restore_part() takes anew: what a cn_control was told is over.
 *
 * A snapshot is a sequence of bytes, the same on every machine, whatever its byte order, processor
 * and number of threads. It begins with its version and ends with a hash; docs/snapshots.md
 * describes it. Two simulations that cannot be told apart by their later results may have different
 * snapshots.
 *
 * @param data out; untouched when the capacity is too small
 * @param capacity room in @p data, in bytes; 0 (and NULL) asks for the size alone
 * @param size out: bytes of the snapshot, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT, CN_ERR_MEMORY (@p data may then hold a part),
 *         CN_ERR_STATE (after an error other than a deadlock that ended the simulation). O(size),
 *         two times
 * @since 0.1
 */
CN_API cn_status cn_sim_save(const cn_sim *sim, uint8_t data[], size_t capacity, size_t *size);

/**
 * Opens a simulation in the state of a snapshot. Later steps, deliveries and results are those of
 * the simulation that was saved, bit for bit, on any number of threads: the parameter `threads` of
 * the scenario may differ. So may `relative_precision`, `replications` and `model_variant`, which a
 * driven simulation does not use; in all else, seed included, the scenario must equal the one that
 * was simulated.
 *
 * Data may come from anywhere. What is no snapshot, was cut or changed, or belongs to another
 * scenario or version is refused with a sentence. Whoever makes up a snapshot on purpose, with a
 * hash that fits, gets a simulation that runs and counts what was made up; it cannot do any harm.
 *
 * @param data from cn_sim_save(), perhaps on another machine
 * @param size its size in bytes
 * @param control progress, limits and cancellation, as in cn_sim_open(); may be NULL
 * @return CN_ERR_ARGUMENT (no snapshot, a damaged one, one of another scenario or seed),
 *         CN_ERR_UNSUPPORTED (one of another version), CN_ERR_MEMORY, otherwise as cn_sim_open().
 *         Cost of cn_sim_open(), and O(size)
 * @since 0.1
 */
CN_API cn_status cn_sim_restore(const cn_scenario *scenario, const uint8_t data[], size_t size,
                                const cn_control *control, cn_sim **sim);

/**
 * Opens a second simulation in the same state: from here on the two know nothing of each other.
 * @param control as for cn_sim_open()
 * @return errors and cost as cn_sim_save() and cn_sim_restore()
 * @since 0.1
 */
CN_API cn_status cn_sim_copy(const cn_sim *sim, const cn_control *control, cn_sim **copy);

/**
 * Brackets the saturation load of a simulated network: the greatest load at which a run had a
 * steady state, and the least at which a run had none (CN_STOP_SATURATED), found by bisection. Each
 * run is cn_simulate() with the scenario's seed and its other parameters, so the bracket is the
 * same each time and on any number of threads; longer runs see saturation earlier. The load of the
 * scenario does not matter and need not be set.
 *
 * The systems "deflection" and "cut-through-deflection" refuse messages and have a steady state at
 * every load: for them one run at the greatest load gives the throughput limit, and the bracket is
 * its 95 % confidence interval.
 *
 * @param accuracy 1e-4..1: the bracket is at most this share of @p upper wide; not used for these
 *        two systems
 * @param control progress, limits and cancellation; may be NULL. A search that ends early gives
 *        nothing: CN_ERR_CANCELLED, at a time limit, too.
 * @param lower out, messages per node and cycle
 * @param upper out; infinite when the source of the traffic cannot offer enough to saturate the
 *        network, and @p lower is then the most it offers
 * @return CN_ERR_UNSUPPORTED (no simulator, no parameter load, a trace), CN_ERR_DISCONNECTED (what
 *         survives of the network is in pieces), CN_ERR_UNSTABLE (saturated at every load),
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
