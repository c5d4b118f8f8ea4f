/**
 * @file simulation.h
 * A simulation that the caller drives cycle by cycle. cn_simulate() of scenario.h is this loop with
 * a rule for when to stop: as many cycles stepped by hand give the same result, bit for bit.
 *
 *     cn_sim_open(scenario, &sim);
 *     cn_sim_inject(sim, source, destination, tag);
 *     cn_sim_step(sim, 1);
 *     while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) { ... }
 *     cn_sim_close(&sim);
 *
 * A cycle of the slotted networks: every node routes and sends; neighbours exchange; what has arrived
 * is delivered; then new messages are admitted. The delay of a message counts the cycles from the
 * end of the one in which it was admitted to the end of the one in which it arrived, so a message
 * that nothing holds up takes as many cycles as hops.
 *
 * A cycle of the system "wormhole" is told in docs/wormhole.md; there a message of M flits that nothing
 * holds up takes M + hops cycles.
 *
 * The systems "optimal-path" and "two-level" know a second clock: unless `slotted`, time is continuous
 * and a cycle is a unit of it. Calls come between two units, so a message is injected at a whole time; its
 * delivery names the unit in which it arrived, so delivered - injected is its delay rounded up. The
 * metrics of the result rest on exact times.
 *
 * @since 0.1
 */
#ifndef CUBENET_SIMULATION_H
#define CUBENET_SIMULATION_H

#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A running simulation; opaque. It belongs to one thread at a time: a call that takes a const cn_sim only
 * reads it, and any number of threads may do so at once; every other call changes it, cn_sim_result() and
 * cn_sim_deadlock() too, which look through the network and keep what they find. No such look changes what
 * the simulation does next.
 */
typedef struct cn_sim cn_sim;

/**
 * A message that the caller injected and the network has delivered. Members are only ever appended;
 * the size argument of cn_sim_next_delivery() tells how many of them the caller knows.
 */
typedef struct cn_delivery {
    uint64_t tag;         /**< what the caller gave to cn_sim_inject() */
    uint64_t source;      /**< node */
    uint64_t destination; /**< node, or CN_ALL_NODES */
    uint64_t injected;    /**< the cycle at whose end it was admitted: cn_sim_cycle() of then */
    uint64_t delivered;   /**< the cycle at whose end it arrived; the delay is the difference */
} cn_delivery;

/**
 * Opens a simulation of @p scenario at cycle 0 with an empty network. The scenario is copied: later
 * changes to it do not matter here. Of its parameters `measure_cycles`, `relative_precision` and
 * `replications` are not looked at, the caller decides how long to step.
 *
 * @return CN_ERR_UNSUPPORTED (no simulator for this system and topology), CN_ERR_ARGUMENT (parameters
 *         that do not go together), CN_ERR_DISCONNECTED (survivors of the faults that cannot reach each
 *         other, or fewer than two), CN_ERR_MEMORY
 */
CN_API cn_status cn_sim_open(const cn_scenario *scenario, cn_sim **sim);

/** Ends the simulation and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_sim_close(cn_sim **sim);

/**
 * Simulates @p cycles more cycles. Deliveries that were not fetched before are kept.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (a message grew too old to be told from a new one),
 *         CN_ERR_MEMORY (unlimited queues have outgrown it), CN_ERR_DEADLOCK (see cn_sim_deadlock()),
 *         CN_ERR_INTERNAL (messages were lost); after any of the last four the simulation takes no more steps:
 *         CN_ERR_STATE. Cost of cn_simulate() for so many cycles.
 */
CN_API cn_status cn_sim_step(cn_sim *sim, uint64_t cycles);

/** Number of cycles simulated so far, warm-up included; 0 for NULL. */
CN_API uint64_t cn_sim_cycle(const cn_sim *sim);

/**
 * Gives the network one message at the end of the present cycle, after what the scenario's own
 * traffic brought (none when `load` is 0). It counts as offered, and as accepted or refused.
 *
 * @param tag handed back with the delivery; tags need not differ
 * @return CN_OK: admitted. CN_REFUSED: the source's buffers are full; try again after a step.
 *         CN_ERR_ARGUMENT (no such node, destination = source), CN_ERR_DISCONNECTED (one of the two is
 *         faulty or disabled), CN_ERR_OVERFLOW, CN_ERR_MEMORY (if only a part of it could be admitted, every
 *         later call fails, too), CN_ERR_STATE (after an error that ended the simulation). O(n) on average.
 */
CN_API cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t tag);

/** The destination of a broadcast. */
#define CN_ALL_NODES UINT64_MAX

/**
 * Gives the network one broadcast, as cn_sim_inject() a message to one node. There is one delivery of it, with
 * destination CN_ALL_NODES, when the last node has it. The metrics count it as the system counts its own broadcasts:
 * "wormhole" as one message, "collective" as one for each destination.
 *
 * @return CN_ERR_UNSUPPORTED (the system has no broadcasts, or not on this network), CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY, CN_ERR_STATE. O(N n) at most.
 */
CN_API cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint64_t tag);

/**
 * What every directed channel has carried since cycle 0, warm-up included; for the wormhole system in
 * flits.
 *
 * @param loads out: loads[node * P + port], P = cn_topology_max_degree(); 0 where a node has no such
 *        port
 * @param capacity room in @p loads, in elements
 * @param count out: number of elements, nodes times P, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_UNSUPPORTED (the system does not count by channel), CN_ERR_CAPACITY, CN_ERR_ARGUMENT.
 *         O(channels)
 */
CN_API cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity,
                                      size_t *count);

/**
 * In a deadlock: a dependency cycle, that is channels each held by a message that waits for the next one (and perhaps for
 * others, which deadlocked messages hold as well). A channel whose virtual channels are held by several of them
 * may come more than once.
 *
 * It looks for itself: where the rest of the network goes on, cn_sim_step() may see a deadlock only
 * thousands of clock cycles later, at the same one however the steps are cut.
 *
 * @param channels out: node * P + port, P = cn_topology_max_degree()
 * @param capacity room in @p channels, in elements
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be NULL
 * @return CN_ERR_STATE (no deadlock, or none that has a dependency cycle), CN_ERR_CAPACITY, CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY. A look through the network, as in cn_sim_result(): O(channels), and a few steps
 *         a message.
 */
CN_API cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count);

/**
 * Hands out the injected messages that have arrived, each once, in order of arrival (within a cycle
 * of a slotted network by destination). Messages of the scenario's own traffic are only counted.
 *
 * @param delivery out
 * @param size sizeof(cn_delivery) as the caller knows it; no byte past it is written, and members that
 *        the library does not know are 0
 * @return CN_OK, CN_DONE (none left), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size);

/**
 * The metrics so far. Rates, means and quantiles cover the cycles after the first `warmup_cycles`;
 * a message counts when it is delivered in them. Where messages can never move again the result says
 * CN_STOP_DEADLOCK.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_STATE (no cycle measured yet, or the simulation ended
 *         with an error that makes its counts worthless), CN_ERR_INTERNAL (messages were lost)
 */
CN_API cn_status cn_sim_result(cn_sim *sim, cn_result **result);

#ifdef __cplusplus
}
#endif

#endif
