/**
 * @file parameter.h
 * The parameters of scenarios, and the table of their names, units, ranges and meanings.
 *
 * cn_scenario_set() sets a parameter (scenario.h); cn_system_takes() says which systems take it
 * (system.h). The values of a parameter that selects one of several alternatives are in choice.h.
 *
 * @since 1.0
 */
#ifndef CUBENET_PARAMETER_H
#define CUBENET_PARAMETER_H

#include "choice.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The parameters. The functions below, such as cn_param_name(), return the properties of each
 * parameter. A system takes some of the parameters; to set any other parameter is an error. The
 * numbers never change.
 */
typedef enum cn_param {
    /**
     * "load": offered load, the mean number of new messages per node and cycle (or unit of time).
     * 0 to 1000000 messages/node/cycle.
     * Default 0. Taken by separate-buffers, shared-buffer, optimistic-bound, deflection,
     * degraded-bound, flow-deviation, wormhole, cut-through, cut-through-deflection.
     */
    CN_PARAM_LOAD = 1,
    /**
     * "buffers": number of messages that a node can hold.
     * Whole, 0 to 1048576 messages.
     * Default 0; deflection, cut-through-deflection: 2 times the greatest degree. Taken by
     * deflection, cut-through-deflection.
     */
    CN_PARAM_BUFFERS = 2,
    /**
     * "warmup_cycles": cycles simulated before measuring starts.
     * Whole, 0 to 1e15 cycles, or "automatic".
     * Default "automatic". Taken by separate-buffers, shared-buffer, deflection, wormhole,
     * cut-through, cut-through-deflection.
     */
    CN_PARAM_WARMUP_CYCLES = 3,
    /**
     * "measure_cycles": greatest number of measured cycles.
     * Whole, 1 to 1e15 cycles.
     * Default 100000. Taken by separate-buffers, shared-buffer, deflection, wormhole, cut-through,
     * cut-through-deflection.
     */
    CN_PARAM_MEASURE_CYCLES = 4,
    /**
     * "replications": number of independent runs, each with a seed of its own.
     * Whole, 1 to 1000000 runs.
     * Default 1; collective: 20. Taken by separate-buffers, shared-buffer, deflection, wormhole,
     * collective, cut-through, cut-through-deflection.
     */
    CN_PARAM_REPLICATIONS = 5,
    /**
     * "relative_precision": a run ends early when the 95 % half-widths of throughput and mean delay
     * are at most this share of their values; 0: never.
     * 0 to 1.
     * Default 0.005; flow-deviation: 1e-6. Taken by separate-buffers, shared-buffer, deflection,
     * flow-deviation, wormhole, cut-through, cut-through-deflection.
     */
    CN_PARAM_RELATIVE_PRECISION = 6,
    /**
     * "threads": number of threads that share the work; does not affect the result.
     * Whole, 1 to 1024 threads.
     * Default 1. Taken by separate-buffers, shared-buffer, deflection, wormhole, collective,
     * cut-through, cut-through-deflection.
     */
    CN_PARAM_THREADS = 7,
    /**
     * "virtual_channels": number of virtual channels per directed physical channel.
     * Whole, 1 to 64 channels.
     * Default 2. Taken by wormhole, cut-through.
     */
    CN_PARAM_VIRTUAL_CHANNELS = 8,
    /**
     * "message_flits": length of a message.
     * Whole, 1 to 1048576 flits.
     * Default 32. Taken by wormhole, cut-through, cut-through-deflection.
     */
    CN_PARAM_MESSAGE_FLITS = 9,
    /**
     * "flit_buffers": depth of the buffer of a virtual channel.
     * Whole, 1 to 1048576 flits.
     * Default 2. Taken by wormhole.
     */
    CN_PARAM_FLIT_BUFFERS = 10,
    /**
     * "broadcast_fraction": share of the new messages that are broadcasts.
     * 0 to 1.
     * Default 0. Taken by wormhole, cut-through.
     */
    CN_PARAM_BROADCAST_FRACTION = 11,
    /**
     * "startup_latency": time from the creation of a message to its first flit.
     * 0 to 1e9 cycles.
     * Default 0. Taken by wormhole, cut-through.
     */
    CN_PARAM_STARTUP_LATENCY = 12,
    /**
     * "node_failure_probability": probability that a node is faulty, independently of the others.
     * 0 to 1.
     * Default 0. Taken by degraded-bound.
     */
    CN_PARAM_NODE_FAILURE_PROBABILITY = 13,
    /**
     * "model_variant": form of the system's analytic model.
     * "published": the equations of the paper; "corrected": the equations with the errors of the
     * paper corrected; "own": the library's own model; "automatic": the form that is nearest to the
     * simulation.
     * Default "automatic". Taken by separate-buffers, deflection, degraded-bound, wormhole,
     * cut-through.
     */
    CN_PARAM_MODEL_VARIANT = 15,
    /**
     * "state_space": state diagram of the model of path lengths.
     * "automatic": exact where that is fast, otherwise reduced; "exact": one state for each sorted
     * header; "reduced": states of valid dimensions and distance; unidirectional rings only.
     * Default "automatic". Taken by deflection.
     */
    CN_PARAM_STATE_SPACE = 16,
    /**
     * "selection": which of the channels that the routing allows a message takes.
     * "random": any of them, with equal probability; "lowest": the one of the lowest port;
     * "least-loaded": the one for which the fewest messages wait.
     * Default "random". Taken by separate-buffers, shared-buffer, deflection, wormhole,
     * cut-through.
     */
    CN_PARAM_SELECTION = 17,
    /**
     * "injection_servers": number of messages of one source queue that may enter the network at the
     * same time.
     * Whole, 1 to 64 messages.
     * Default 1. Taken by wormhole, cut-through.
     */
    CN_PARAM_INJECTION_SERVERS = 18,
    /**
     * "one_port": whether a node sends over only one channel at a time.
     * "no": a node may send over all its channels in a cycle; "yes": a node sends over only one
     * channel at a time.
     * Default "no". Taken by wormhole, collective, cut-through.
     */
    CN_PARAM_ONE_PORT = 19,
    /**
     * "slotted": whether each transmission takes exactly one cycle.
     * "no": each transmission takes an exponential time of mean 1, drawn again at each hop; "yes":
     * each transmission takes exactly one cycle.
     * Default "yes". Taken by separate-buffers, shared-buffer.
     */
    CN_PARAM_SLOTTED = 20,
    /**
     * "operations": number of broadcasts or multicasts to start, unless operation_rate determines
     * it.
     * Whole, 0 to 1e9 operations.
     * Default 1. Taken by collective.
     */
    CN_PARAM_OPERATIONS = 21,
    /**
     * "start_cycles": number of cycles, from the first on, in which operations start.
     * Whole, 1 to 1e9 cycles.
     * Default 20. Taken by collective.
     */
    CN_PARAM_START_CYCLES = 22,
    /**
     * "destinations": number of destinations drawn for an operation, before the source and repeated
     * nodes are left out; 0: all other nodes.
     * Whole, 0 to 16777216 nodes.
     * Default 0. Taken by collective.
     */
    CN_PARAM_DESTINATIONS = 23,
    /**
     * "destination_choice": rule for the destinations of a random multicast.
     * "stride": a random start and stride for each operation; "same-stride": the same start and
     * stride for all operations; "uniform": distinct nodes, drawn uniformly; "same-run":
     * consecutive nodes, the same for all operations.
     * Default "stride". Taken by collective.
     */
    CN_PARAM_DESTINATION_CHOICE = 24,
    /**
     * "machine": limited resource of a node.
     * "paper": a node handles a limited number of messages in a cycle: it sends multicasts first
     * come, first served and accepts broadcasts last come, first served (an interpretation of
     * Ziavras & Krishnamurthy 1999); "channels": channels and buffers are limited.
     * Default "channels". Taken by collective.
     */
    CN_PARAM_MACHINE = 25,
    /**
     * "tree": tree that the messages follow.
     * "balanced": the balanced tree; "split": the balanced spanning graph, with split messages;
     * "binomial": the binomial tree of base 0; hypercubes only; "turned": the balanced tree,
     * rotated at random for each operation; "least-used": balanced or breadth-first, but at every
     * node a message to one destination takes, of the channels on a shortest path, the one that has
     * been given the fewest messages; "breadth-first": the breadth-first tree, in any network.
     * Default "balanced". Taken by collective.
     */
    CN_PARAM_TREE = 26,
    /**
     * "clubbing": whether messages of one multicast travel as one copy while they share a path on
     * the tree, as those of a broadcast always do.
     * "no": each message of a multicast travels separately; "yes": messages of one multicast travel
     * as one copy while they share a path.
     * Default "no". Taken by collective.
     */
    CN_PARAM_CLUBBING = 27,
    /**
     * "channel_capacity": number of messages that a directed channel can carry in a cycle; 0:
     * unlimited.
     * Whole, 0 to 1048576 messages/cycle.
     * Default 1. Taken by collective.
     */
    CN_PARAM_CHANNEL_CAPACITY = 28,
    /**
     * "buffer_classes": whether buffers are divided into classes by the number of hops made, which
     * makes the network free of deadlock.
     * "no": a message may take any buffer of a node; "yes": each buffer class holds messages with
     * one number of hops made, so that no deadlock can occur.
     * Default "no". Taken by collective.
     */
    CN_PARAM_BUFFER_CLASSES = 29,
    /**
     * "detours": whether a message may avoid a channel for which other messages wait.
     * "no": a message never leaves its path; "yes": a message may avoid a channel for which other
     * messages wait, at the cost of one more hop.
     * Default "no". Taken by collective.
     */
    CN_PARAM_DETOURS = 30,
    /**
     * "operation_rate": mean number of operations that a node starts per cycle; 0: the parameter
     * operations determines their number.
     * 0 to 1000000 operations/node/cycle.
     * Default 0. Taken by collective.
     */
    CN_PARAM_OPERATION_RATE = 31,
    /**
     * "transit_buffers": number of buffers of a node for messages in transit (machine = paper:
     * number of messages that it handles in a cycle); 0: unlimited.
     * Whole, 0 to 1048576 messages.
     * Default 0. Taken by collective.
     */
    CN_PARAM_TRANSIT_BUFFERS = 32,
    /**
     * "unsafe": whether a routing that can deadlock may run.
     * "no": a message takes only channels among which no deadlock can occur; "yes": the rules that
     * prevent deadlock are left out: a run may end in one.
     * Default "no". Taken by wormhole, cut-through.
     */
    CN_PARAM_UNSAFE = 33,
    /**
     * "statistics": whether channels, nodes and hops are counted one by one.
     * "no": a run counts what its metrics need; "yes": a run also counts by channel, by node and by
     * hops.
     * Default "no". Taken by separate-buffers, shared-buffer, deflection, wormhole, collective,
     * cut-through, cut-through-deflection.
     */
    CN_PARAM_STATISTICS = 34,
    /**
     * "message_buffers": number of messages that the buffer of a virtual channel can hold; 0:
     * unlimited.
     * Whole, 0 to 1048576 messages.
     * Default 2. Taken by cut-through.
     */
    CN_PARAM_MESSAGE_BUFFERS = 35,
    /**
     * "broadcast_base": dimension in which the binomial tree of a broadcast begins; other values
     * than random on undamaged Boolean n-cubes only.
     * "random": a random dimension for each broadcast; "fixed": dimension 0 for all; "round-robin":
     * dimension 0 for the first broadcast of a node, then the next dimension each time.
     * Default "random". Taken by wormhole, cut-through.
     */
    CN_PARAM_BROADCAST_BASE = 36,
    /**
     * "operation_threshold": in each cycle every node draws a number k and starts an operation when
     * its Poisson probability is above this share of the greatest one; 0: numbers of operations are
     * Poisson numbers.
     * 0 to 1.
     * Default 0. Taken by collective.
     */
    CN_PARAM_OPERATION_THRESHOLD = 37,
    /**
     * "operation_kind": what an operation is.
     * "outward": the source sends to its destinations; "contention": each destination sends a
     * message to the source; "combining": each destination sends a message to the source; of those
     * that meet at a node one goes on; "concentration": each destination sends one message towards
     * the source when all messages from beyond it have come.
     * Default "outward". Taken by collective.
     */
    CN_PARAM_OPERATION_KIND = 38
} cn_param;

/**
 * Is no parameter, because a seed has 64 bits, more than a double holds. A program that uses this
 * name does not compile, and the message of the compiler names the function to use.
 */
#define CN_PARAM_SEED cn_scenario_set_seed_sets_the_seed

/**
 * Returns the greatest number of a parameter. The parameters have the numbers from 1 to this
 * number, except 14, which is not used and for which cn_param_name() returns NULL.
 */
CN_API size_t cn_param_count(void);

/** Returns the canonical name of a parameter; NULL for a number that is no parameter. */
CN_API const char *cn_param_name(cn_param param);

/**
 * Returns the unit of a parameter, "1" for pure numbers; NULL for a number that is no parameter.
 */
CN_API const char *cn_param_unit(cn_param param);

/** Returns the meaning of a parameter in one line; NULL for a number that is no parameter. */
CN_API const char *cn_param_meaning(cn_param param);

/**
 * Returns the least and greatest value that any system accepts, the default, and whether the value
 * must be a whole number. cn_scenario_range() returns the range for one scenario. Outputs may be
 * NULL. CN_ERR_ARGUMENT for a number that is no parameter.
 */
CN_API cn_status cn_param_range(cn_param param, double *least, double *greatest,
                                double *default_value, int *whole);

/** Finds the parameter with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_param_from_name(const char *name, cn_param *param);

/**
 * Returns the number of values of a parameter that have names. The named values are the least value
 * of cn_param_range() and the values that follow. A parameter that selects one of several
 * alternatives has only named values, 0 .. this number - 1; a yes-or-no parameter has the two
 * values "no" and "yes"; of `warmup_cycles` only the least value has a name. Returns 0 for a
 * parameter without named values, and for a number that is no parameter.
 */
CN_API size_t cn_param_choice_count(cn_param param);

/**
 * Returns the canonical name, such as "binomial", of the value that is @p value above the least
 * value; NULL when this value has no name.
 */
CN_API const char *cn_param_choice_name(cn_param param, size_t value);

/**
 * Returns the meaning, in one line, of the value that is @p value above the least value; NULL when
 * this value has no name.
 */
CN_API const char *cn_param_choice_meaning(cn_param param, size_t value);

/**
 * Finds the value with this canonical name, for cn_scenario_set().
 * @return CN_ERR_NOT_FOUND (no such name), CN_ERR_ARGUMENT (no value of the parameter has a name,
 *         or there is no such parameter)
 */
CN_API cn_status cn_param_choice_from_name(cn_param param, const char *name, double *value);

#ifdef __cplusplus
}
#endif

#endif
