/**
 * @file simulation.h
 * A simulation that the caller drives cycle by cycle. cn_simulate() of scenario.h runs the same
 * loop with a stopping rule: the same number of cycles stepped by hand gives the same result, bit
 * for bit.
 *
 *     cn_sim_open(scenario, &sim);
 *     cn_sim_inject(sim, source, destination, tag);
 *     cn_sim_step(sim, 1);
 *     while (cn_sim_next_delivery(sim, &delivery, sizeof delivery) == CN_OK) { ... }
 *     cn_sim_close(&sim);
 *
 * In a clock cycle of the slotted networks every node routes and sends its messages, neighbours
 * exchange them, messages that have arrived are delivered, and then new messages are admitted. The
 * delay of a message counts the cycles from the end of the cycle in which it was admitted to the
 * end of the cycle in which it arrived, so a message that never waits takes as many cycles as hops.
 *
 * docs/wormhole.md describes a cycle of the system "wormhole"; there a message of M flits that
 * never waits takes M + hops cycles.
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
} cn_delivery;

/**
 * Opens a simulation of @p scenario at cycle 0 with an empty network. The scenario is copied, so
 * later changes to it have no effect. The parameters `relative_precision` and `replications` are
 * ignored, because the caller decides how long to step; `measure_cycles` only limits a warm-up whose
 * `warmup_cycles` is "automatic".
 *
 * @return CN_ERR_UNSUPPORTED (no simulator for this system and topology), CN_ERR_ARGUMENT
 *         (parameters that contradict each other), CN_ERR_DISCONNECTED (some survivors of the
 *         faults cannot reach each other, or there are fewer than two), CN_ERR_MEMORY
 */
CN_API cn_status cn_sim_open(const cn_scenario *scenario, cn_sim **sim);

/** Ends the simulation and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_sim_close(cn_sim **sim);

/**
 * Simulates @p cycles more cycles. Deliveries that were not fetched yet are kept.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (the age of a message exceeds its counter),
 *         CN_ERR_MEMORY (the unlimited queues need more memory than there is), CN_ERR_DEADLOCK (see
 *         cn_sim_deadlock()), CN_ERR_INTERNAL (messages were lost); after one of these last four
 *         errors the simulation cannot be stepped further: CN_ERR_STATE. Cost of
 *         cn_simulate() for so many cycles.
 */
CN_API cn_status cn_sim_step(cn_sim *sim, uint64_t cycles);

/** Returns the number of cycles simulated so far, warm-up included; 0 for NULL. */
CN_API uint64_t cn_sim_cycle(const cn_sim *sim);

/**
 * Injects one message at the end of the present cycle, after the messages of the scenario's own
 * traffic (none when `load` is 0). The metrics count it as offered, and as accepted or refused.
 *
 * @param tag returned with the delivery; tags need not be unique
 * @return CN_OK: admitted. CN_REFUSED: the source's buffers are full; try again after a step.
 *         CN_ERR_ARGUMENT (no such node, destination = source), CN_ERR_DISCONNECTED (one of the two
 *         is faulty or disabled, or no path leads to the destination), CN_ERR_OVERFLOW, CN_ERR_MEMORY (if only a part of the message was
 *         admitted, every later call fails too), CN_ERR_STATE (after an error that ended the
 *         simulation). O(n) on average.
 */
CN_API cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t tag);

/** The destination of a broadcast. */
#define CN_ALL_NODES UINT64_MAX

/**
 * Injects one broadcast, as cn_sim_inject() injects a message to one node. It has one delivery,
 * with destination CN_ALL_NODES, when the last node has received it. The metrics count it as they
 * count the broadcasts of the system: "wormhole" as one message, "collective" as one message per
 * destination.
 *
 * @return CN_ERR_UNSUPPORTED (the system has no broadcasts, or not on this network), CN_ERR_ARGUMENT,
 *         CN_ERR_DISCONNECTED (no path leads to some node), CN_ERR_MEMORY, CN_ERR_STATE. O(N n) at most;
 *         O(channels) where the tree is breadth-first.
 */
CN_API cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint64_t tag);

/**
 * Returns the number of messages that each directed channel has carried since cycle 0, warm-up
 * included; for the system "wormhole" the number of flits.
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
 * @param count out: length of the dependency cycle, also when the capacity is too small; may be NULL
 * @return CN_ERR_STATE (no deadlock, or none that has a dependency cycle), CN_ERR_CAPACITY, CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY. A look through the network, as in cn_sim_result(): O(channels), and a few steps
 *         a message.
 */
CN_API cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count);

/**
 * Returns the next injected message that has arrived. Each message is returned once, in order of
 * arrival (within a cycle of a slotted network by destination). Messages of the scenario's own
 * traffic are counted but not returned.
 *
 * @param delivery out
 * @param size sizeof(cn_delivery) as the caller was compiled with it; the function writes no byte
 *        past it, and sets members that the library does not have to 0
 * @return CN_OK, CN_DONE (none left), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size);

/**
 * Returns the metrics measured so far. Rates, means and quantiles cover the cycles after the warm-up,
 * whose length the metric `warmup_cycles` says; a message counts when it is delivered in these
 * cycles. When some messages can
 * never move again, the stop reason of the result is CN_STOP_DEADLOCK.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_STATE (no cycle measured yet, or the simulation
 *         ended with an error that makes its counts invalid), CN_ERR_INTERNAL (messages were lost)
 */
CN_API cn_status cn_sim_result(cn_sim *sim, cn_result **result);

#ifdef __cplusplus
}
#endif

#endif
