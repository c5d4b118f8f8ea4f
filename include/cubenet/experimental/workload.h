/**
 * @file workload.h
 * Workloads: messages that wait for other messages, like the messages of an application.
 *
 *     cn_workload_new(topology, &workload);
 *     cn_workload_add(workload, 0, 1, 16, 0, NULL, 0, NULL, 0, &first);
 *     cn_workload_add(workload, 1, 2, 16, 50, &first, 1, NULL, 0, NULL);
 *     cn_scenario_set_workload(scenario, workload);
 *     cn_simulate(scenario, NULL, &result);
 *
 * Node 0 sends 16 flits to node 1. When they have arrived, node 1 computes for 50 cycles and sends
 * 16 flits to node 2. The simulation runs to the last delivery. docs/collective.md has a guide.
 *
 * While one thread changes a workload no other may use it; any number of threads may read it at
 * once.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_WORKLOAD_H
#define CUBENET_EXPERIMENTAL_WORKLOAD_H

#include "../control.h"
#include "../scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Messages of one topology, numbered from 0; opaque. */
typedef struct cn_workload cn_workload;

/** A message of a workload. Later versions only append members. */
typedef struct cn_workload_entry {
    uint64_t source;      /**< host */
    uint64_t destination; /**< host; the source: computing alone */
    uint64_t flits;       /**< 0: as the scenario says (`message_flits`), or computing alone */
    uint64_t computing;   /**< cycles from the last event that it waits for until it is ready */
    uint64_t after;       /**< number of deliveries that it waits for */
    uint64_t after_sent;  /**< number of injections that it waits for */
} cn_workload_entry;

/**
 * Makes an empty workload.
 *
 * @param topology kept alive by the workload; at most 2^32 nodes
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (more nodes), CN_ERR_MEMORY
 */
CN_API cn_status cn_workload_new(const cn_topology *topology, cn_workload **workload);

/** Makes an independent copy. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(messages + waits). */
CN_API cn_status cn_workload_copy(const cn_workload *workload, cn_workload **copy);

/** Frees the workload and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_workload_free(cn_workload **workload);

/**
 * Adds a message. Its number is the number of messages that were added before. The message is ready
 * @p computing cycles after the last event that it waits for, or after cycle 0 when it waits for
 * none. It may wait for deliveries to its source and for injections by its source, since a node
 * knows no other events.
 *
 * A message from a node to itself with 0 flits is computing alone: it is delivered when it is
 * ready. Such a message stands for work that sends nothing, or joins several waits.
 *
 * @param source host (hosts.h): any node, unless the network has chosen or added hosts
 * @param destination host
 * @param flits 1 .. 2^32 - 1; 0: as the scenario says (`message_flits`), or computing alone
 * @param computing cycles, 0 .. 2^32 - 1
 * @param after @p after_count numbers of messages to the source whose delivery it waits for; may be
 *        NULL with count 0
 * @param after_sent @p after_sent_count numbers of messages of the source whose injection it waits
 *        for, as at a port that sends one after the other; may be NULL with count 0
 * @param number out: number of the message; may be NULL
 * @return CN_ERR_ARGUMENT (no host, a number of flits or cycles outside its range, a message to its
 *         own source that has flits, a message waited for that has no smaller number, does not go
 *         to the source or is not of the source), CN_ERR_OVERFLOW (2^31 - 1 messages, or 2^32 - 1
 *         waits), CN_ERR_MEMORY; after an error the workload is unchanged. O(waits)
 */
CN_API cn_status cn_workload_add(cn_workload *workload, uint64_t source, uint64_t destination,
                                 uint64_t flits, uint64_t computing, const uint64_t after[],
                                 size_t after_count, const uint64_t after_sent[],
                                 size_t after_sent_count, uint64_t *number);

/** Returns the number of messages, messages that are computing alone included; 0 for NULL. O(1) */
CN_API size_t cn_workload_count(const cn_workload *workload);

/**
 * Returns the message with a number.
 *
 * @param number below the count
 * @param message out
 * @param size sizeof(cn_workload_entry) in the program; the function writes no byte past this size,
 *        and sets members that the library does not know to 0
 * @return CN_ERR_ARGUMENT. O(waits of the message)
 */
CN_API cn_status cn_workload_message(const cn_workload *workload, size_t number,
                                     cn_workload_entry *message, size_t size);

/**
 * Returns the numbers of the messages for which a message waits: first the messages whose delivery
 * it waits for, then the messages whose injection it waits for, each in the order of
 * cn_workload_add().
 *
 * @param number below the count
 * @param waits out
 * @param capacity room in @p waits, in elements
 * @param count out: number of waits, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(waits of the message)
 */
CN_API cn_status cn_workload_waits(const cn_workload *workload, size_t number, uint64_t waits[],
                                   size_t capacity, size_t *count);

/** Returns 1 when both have the same messages in the same order on equal topologies; otherwise 0,
 *  also for NULL. O(messages + waits) */
CN_API int cn_workload_equal(const cn_workload *a, const cn_workload *b);

/**
 * Counts the messages of the longest chain in which each waits for the one before. Messages that
 * are computing alone are part of chains, but do not count.
 *
 * @param steps out
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(messages + waits)
 */
CN_API cn_status cn_workload_steps(const cn_workload *workload, uint64_t *steps);

/**
 * Returns the flits that cross the busiest channel when messages take each of the channels that a
 * routing allows with the same probability, as cn_routing_loads() says. At one flit per cycle and
 * with this choice of channels, the workload takes at least so many cycles, even if no message
 * waits for another.
 *
 * @param routing of the same topology; NULL: `dimension-order`, or `minimal` where the network has
 *        no dimensions
 * @param control progress, limits and cancellation; may be NULL
 * @param flits out; a message whose flits are 0 counts as one flit
 * @return CN_ERR_ARGUMENT (a routing of another topology), CN_ERR_DISCONNECTED (a network in
 *         pieces), and the errors of cn_routing_loads(). O(N channels + messages log messages)
 */
CN_API cn_status cn_workload_busiest_channel(const cn_workload *workload, const cn_routing *routing,
                                             const cn_control *control, double *flits);

/**
 * Attaches a workload to a scenario, which then needs no load. The simulation begins the workload
 * when its warm-up is over, at cycle 0 where no traffic of the scenario has to warm up, and ends
 * with the last delivery: CN_STOP_COMPLETED. `measure_cycles` ends it before only where it was set.
 * The traffic of the scenario goes on beside the workload.
 *
 * A message is injected when it is ready, or as soon as its source admits it: the messages that
 * wait at a source are admitted in the order in which they became ready, by number when in the same
 * cycle. While a simulation has a workload, cn_sim_inject(), cn_sim_inject_broadcast() and
 * cn_sim_report_trace() fail with CN_ERR_STATE, since all deliveries belong to the workload. Parts
 * of a network (part.h), models and searches for a saturation load take no workload.
 *
 * Opening the simulation fails with CN_ERR_UNSUPPORTED for a message of several flits where
 * messages have no flits, and with CN_ERR_DISCONNECTED for a message from or to a node that does
 * not take part.
 *
 * @param workload copied; NULL detaches the present one
 * @return CN_ERR_ARGUMENT (a workload of another topology, or without messages), CN_ERR_UNSUPPORTED
 *         (the system takes no workload: cn_system_takes_attachment()), CN_ERR_MEMORY
 */
CN_API cn_status cn_scenario_set_workload(cn_scenario *scenario, const cn_workload *workload);

/**
 * Returns the times of the messages of a workload, by number, in cycles as cn_sim_cycle() counts
 * them: when all that the message waits for had happened and its computing was done, when its
 * source injected it, and when it was delivered. CN_NEVER (simulation.h) stands for what did not
 * happen before the end of the run. Of several replications these are the times of the first.
 *
 * @param result of a scenario with a workload, from cn_simulate(), cn_sim_result() or
 *        cn_result_merge()
 * @param ready out; may be NULL
 * @param injected out; may be NULL
 * @param delivered out; may be NULL
 * @param capacity room in each of the three, in elements
 * @param count out: number of messages, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND (a result without workload), CN_ERR_CAPACITY, CN_ERR_ARGUMENT.
 *         O(messages)
 */
CN_API cn_status cn_result_messages(const cn_result *result, uint64_t ready[], uint64_t injected[],
                                    uint64_t delivered[], size_t capacity, size_t *count);

/**
 * Returns the critical path, which ends with the message that was delivered last. The predecessor
 * of a message on the path is the message for whose event it waited last; the path begins with a
 * message that waited for no other. Of several messages or events in the same cycle the first
 * counts. The metrics `critical_computing`, `critical_source_waiting`, `critical_network_waiting`
 * and `critical_wires` divide the time on this path.
 *
 * @param result as for cn_result_messages()
 * @param numbers out: the messages from the first to the last; none when the workload was not
 *        completed
 * @param capacity room in @p numbers, in elements
 * @param count out: number of messages, also when the capacity is too small; may be NULL
 * @return errors as for cn_result_messages(). O(messages on the path)
 */
CN_API cn_status cn_result_critical_path(const cn_result *result, uint64_t numbers[],
                                         size_t capacity, size_t *count);

/**
 * Writes the workload as JSON, with its topology: the messages in their order. The text leaves out
 * members of a message that are 0 or empty. Otherwise as cn_topology_json().
 */
CN_API cn_status cn_workload_json(const cn_workload *workload, char text[], size_t capacity,
                                  size_t *length);

/**
 * Makes the workload that cn_workload_json() wrote, and its topology.
 * @return errors as for cn_topology_from_json() and cn_workload_add()
 */
CN_API cn_status cn_workload_from_json(const char *text, const cn_control *control,
                                       cn_workload **workload);

#ifdef __cplusplus
}
#endif

#endif
