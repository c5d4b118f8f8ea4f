/**
 * @file scenario.h
 * Scenarios and results: a scenario is a topology, a system and its parameters; a result holds
 * metrics.
 *
 * A prediction and a simulation return the same kind of result, so they can be compared directly:
 *
 *     cn_scenario_new(cube, "deflection", &scenario);
 *     cn_scenario_set(scenario, CN_PARAM_LOAD, 1.5);
 *     cn_scenario_set(scenario, CN_PARAM_BUFFERS, 12);
 *     cn_predict(scenario, &model);
 *     cn_simulate(scenario, &simulation);
 *     cn_result_value(model, CN_METRIC_MEAN_DELAY, &delay);
 *
 * @since 0.1
 */
#ifndef CUBENET_SCENARIO_H
#define CUBENET_SCENARIO_H

#include "choice.h"
#include "collective.h"
#include "routing.h"
#include "subnet.h"
#include "traffic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A topology, a system on it and its parameters; opaque. */
typedef struct cn_scenario cn_scenario;

/** The metrics of a prediction or simulation; opaque and immutable. */
typedef struct cn_result cn_result;

/* ---- systems: what kind of node and switching ---- */

/** Returns the number of systems. */
CN_API size_t cn_system_count(void);

/**
 * Returns the canonical name of system @p index, 0 .. count-1, as in "deflection"; NULL beyond
 * that.
 */
CN_API const char *cn_system_name(size_t index);

/** Returns a one-line description of system @p index; NULL when there is no such system. */
CN_API const char *cn_system_summary(size_t index);

/**
 * Finds the index of the system with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_system_from_name(const char *name, size_t *index);

/**
 * Checks whether system @p index has an analytic model for the given topology.
 *
 * @param topology NULL: for any topology
 * @return CN_OK when it has; CN_ERR_UNSUPPORTED when not, and cn_last_error() says why;
 *         CN_ERR_ARGUMENT (no such system, invalid topology). O(1). After CN_OK cn_predict() may
 *         still refuse values of parameters, and networks that are too large for these values.
 */
CN_API cn_status cn_system_check_model(size_t index, const cn_topology *topology);

/**
 * Checks whether system @p index has a simulator for the given topology: cn_simulate() and
 * cn_sim_open().
 * @return Errors as for cn_system_check_model().
 */
CN_API cn_status cn_system_check_simulator(size_t index, const cn_topology *topology);

/**
 * The objects that may be attached to a scenario in addition to its parameters. The numbers never
 * change.
 */
typedef enum cn_attachment {
    CN_ATTACHMENT_FAULTS = 1,     /**< "faults": cn_scenario_set_faults() */
    CN_ATTACHMENT_SUBNET = 2,     /**< "subnet": cn_scenario_set_subnet() */
    CN_ATTACHMENT_TRAFFIC = 3,    /**< "traffic": cn_scenario_set_traffic() */
    CN_ATTACHMENT_OPERATIONS = 4, /**< "operations": cn_scenario_set_operations() */
    CN_ATTACHMENT_ROUTING = 5     /**< "routing": cn_scenario_set_routing(), and its name alone:
                                   cn_scenario_set_routing_name() */
} cn_attachment;

/** Returns the number of kinds of attachment; their numbers are 1 .. this number. */
CN_API size_t cn_attachment_count(void);

/**
 * Returns the canonical name of an attachment, as quoted above; NULL for a number that is no
 * attachment.
 */
CN_API const char *cn_attachment_name(cn_attachment attachment);

/** Finds the attachment with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_attachment_from_name(const char *name, cn_attachment *attachment);

/**
 * Returns 1 when system @p index takes this kind of attachment; 0 when it does not, or when one of
 * the two does not exist. O(1).
 */
CN_API int cn_system_takes_attachment(size_t index, cn_attachment attachment);

/* ---- parameters ---- */

/**
 * The parameters. cn_param_name() and its siblings below return the properties of each. A system
 * takes some of them; setting one that it does not take is an error. The numbers never change.
 */
typedef enum cn_param {
    /**
     * "load": offered load, the mean number of new messages per node and cycle (or unit of time).
     * 0 to 1000000 messages/node/cycle; default 0. Taken by separate-buffers, shared-buffer,
     * optimistic-bound, deflection, degraded-bound, flow-deviation, wormhole.
     */
    CN_PARAM_LOAD = 1,
    /**
     * "buffers": number of messages that a node can hold; 0: unlimited.
     * Whole, 0 to 1048576 messages; default 0 (deflection 12 on the 6-cube). Taken by deflection.
     */
    CN_PARAM_BUFFERS = 2,
    /**
     * "warmup_cycles": cycles simulated before measuring starts.
     * Whole, 0 to 1e15 cycles; default 1000. Taken by separate-buffers, shared-buffer, deflection,
     * wormhole.
     */
    CN_PARAM_WARMUP_CYCLES = 3,
    /**
     * "measure_cycles": greatest number of measured cycles.
     * Whole, 1 to 1e15 cycles; default 100000. Taken by separate-buffers, shared-buffer, deflection,
     * wormhole.
     */
    CN_PARAM_MEASURE_CYCLES = 4,
    /**
     * "replications": number of independent runs, each with a seed of its own.
     * Whole, 1 to 1000000 runs; default 1 (collective 20 on the 6-cube). Taken by separate-buffers,
     * shared-buffer, deflection, wormhole, collective.
     */
    CN_PARAM_REPLICATIONS = 5,
    /**
     * "relative_precision": a run ends early when the 95 % half-widths of throughput and mean delay
     * are at most this share of their values; 0: never.
     * 0 to 1; default 0.005 (flow-deviation 1e-6 on the 6-cube). Taken by separate-buffers,
     * shared-buffer, deflection, flow-deviation, wormhole.
     */
    CN_PARAM_RELATIVE_PRECISION = 6,
    /**
     * "threads": number of threads that share the work; does not affect the result.
     * Whole, 1 to 1024 threads; default 1. Taken by separate-buffers, shared-buffer, deflection,
     * wormhole, collective.
     */
    CN_PARAM_THREADS = 7,
    /**
     * "virtual_channels": number of virtual channels per directed physical channel.
     * Whole, 1 to 64 channels; default 2. Taken by wormhole.
     */
    CN_PARAM_VIRTUAL_CHANNELS = 8,
    /**
     * "message_flits": length of a message.
     * Whole, 1 to 1048576 flits; default 32. Taken by wormhole.
     */
    CN_PARAM_MESSAGE_FLITS = 9,
    /**
     * "flit_buffers": depth of the buffer of a virtual channel.
     * Whole, 1 to 1048576 flits; default 2. Taken by wormhole.
     */
    CN_PARAM_FLIT_BUFFERS = 10,
    /**
     * "broadcast_fraction": share of the new messages that are broadcasts.
     * 0 to 1; default 0. Taken by wormhole.
     */
    CN_PARAM_BROADCAST_FRACTION = 11,
    /**
     * "startup_latency": time from the creation of a message to its first flit.
     * 0 to 1e9 cycles; default 0. Taken by wormhole.
     */
    CN_PARAM_STARTUP_LATENCY = 12,
    /**
     * "node_failure_probability": probability that a node is faulty, independently of the others.
     * 0 to 1; default 0. Taken by degraded-bound.
     */
    CN_PARAM_NODE_FAILURE_PROBABILITY = 13,
    /**
     * "processing_ratio": time that a node needs to process a message, divided by the time that a
     * channel of the Boolean n-cube needs to transmit it.
     * 0 to 1000000; default 0. Taken by no system.
     */
    CN_PARAM_PROCESSING_RATIO = 14,
    /**
     * "model_variant": form of the system's analytic model.
     * Whole, 0 to 2; default 0. Taken by separate-buffers, deflection, degraded-bound, wormhole.
     */
    CN_PARAM_MODEL_VARIANT = 15,
    /**
     * "state_space": state diagram of the model of path lengths.
     * Whole, 0 to 2; default 0. Taken by deflection.
     */
    CN_PARAM_STATE_SPACE = 16,
    /**
     * "selection": which of the channels that the routing allows a message takes.
     * Whole, 0 to 2; default 0. Taken by separate-buffers, shared-buffer.
     */
    CN_PARAM_SELECTION = 17,
    /**
     * "injection_servers": number of messages of one source queue that may enter the network at the
     * same time.
     * Whole, 1 to 64 messages; default 1. Taken by wormhole.
     */
    CN_PARAM_INJECTION_SERVERS = 18,
    /**
     * "one_port": whether a node sends over only one channel at a time.
     * Whole, 0 to 1; default 0. Taken by wormhole, collective.
     */
    CN_PARAM_ONE_PORT = 19,
    /**
     * "slotted": whether each transmission takes exactly one cycle.
     * Whole, 0 to 1; default 1. Taken by separate-buffers, shared-buffer.
     */
    CN_PARAM_SLOTTED = 20,
    /**
     * "operations": number of broadcasts or multicasts to start, unless operation_rate determines
     * it.
     * Whole, 0 to 1e9 operations; default 1. Taken by collective.
     */
    CN_PARAM_OPERATIONS = 21,
    /**
     * "start_cycles": number of cycles, from the first on, in which operations start.
     * Whole, 1 to 1e9 cycles; default 20. Taken by collective.
     */
    CN_PARAM_START_CYCLES = 22,
    /**
     * "destinations": number of destinations drawn for an operation, before the source and repeated
     * nodes are left out; 0: all other nodes.
     * Whole, 0 to 16777216 nodes; default 0. Taken by collective.
     */
    CN_PARAM_DESTINATIONS = 23,
    /**
     * "destination_choice": rule for the destinations of a random multicast.
     * Whole, 0 to 3; default 0. Taken by collective.
     */
    CN_PARAM_DESTINATION_CHOICE = 24,
    /**
     * "machine": limited resource of a node.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_MACHINE = 25,
    /**
     * "tree": tree that the messages follow.
     * Whole, 0 to 4; default 0. Taken by collective.
     */
    CN_PARAM_TREE = 26,
    /**
     * "clubbing": whether messages of one multicast travel as one copy while they share a path on
     * the tree, as those of a broadcast always do.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_CLUBBING = 27,
    /**
     * "channel_capacity": number of messages that a directed channel can carry in a cycle; 0:
     * unlimited.
     * Whole, 0 to 1048576 messages/cycle; default 1. Taken by collective.
     */
    CN_PARAM_CHANNEL_CAPACITY = 28,
    /**
     * "buffer_classes": whether buffers are divided into classes by the number of hops made, which
     * makes the network free of deadlock.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_BUFFER_CLASSES = 29,
    /**
     * "detours": whether a message may avoid a channel for which other messages wait.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_DETOURS = 30,
    /**
     * "operation_rate": mean number of operations that a node starts per cycle; 0: the parameter
     * operations determines their number.
     * 0 to 1000000 operations/node/cycle; default 0. Taken by collective.
     */
    CN_PARAM_OPERATION_RATE = 31,
    /**
     * "transit_buffers": number of buffers of a node for messages in transit (machine = paper:
     * number of messages that it handles in a cycle); 0: unlimited.
     * Whole, 0 to 1048576 messages; default 0. Taken by collective.
     */
    CN_PARAM_TRANSIT_BUFFERS = 32,
    /**
     * "unsafe": whether a routing that can deadlock may run.
     * Whole, 0 to 1; default 0. Taken by wormhole.
     */
    CN_PARAM_UNSAFE = 33
} cn_param;

/** Returns the number of parameters; their numbers are 1 .. this number. */
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
 * Returns the number of values of a parameter that selects one of several alternatives; the values
 * are 0 .. this number - 1. Returns 0 for a parameter that is a number, and for a number that is no
 * parameter. A yes-or-no parameter has two values, "no" and "yes".
 */
CN_API size_t cn_param_choice_count(cn_param param);

/** Returns the canonical name of a value, as in "binomial"; NULL where there is none. */
CN_API const char *cn_param_choice_name(cn_param param, size_t value);

/** Returns the meaning of a value in one line; NULL where there is none. */
CN_API const char *cn_param_choice_meaning(cn_param param, size_t value);

/**
 * Finds the value with this canonical name, for cn_scenario_set(). CN_ERR_NOT_FOUND;
 * CN_ERR_ARGUMENT (the parameter is a number, or there is no such parameter).
 */
CN_API cn_status cn_param_choice_from_name(cn_param param, const char *name, double *value);

/**
 * Returns 1 when system @p index takes @p param; 0 when it does not, or when one of the two does
 * not exist. O(1).
 */
CN_API int cn_system_takes(size_t index, cn_param param);

/* ---- scenarios ---- */

/**
 * Makes a scenario of @p system on @p topology, with all parameters at the defaults of the system
 * and seed 1.
 *
 * @param topology kept alive by the scenario
 * @param system canonical name of a system
 * @return CN_ERR_NOT_FOUND (no such system), CN_ERR_UNSUPPORTED (not on this topology),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_scenario_new(const cn_topology *topology, const char *system,
                                 cn_scenario **scenario);

/** Frees the scenario and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_scenario_free(cn_scenario **scenario);

/** Returns the canonical name of the scenario's system; "" for NULL. */
CN_API const char *cn_scenario_system(const cn_scenario *scenario);

/**
 * Returns 1 when the scenario's system takes @p param; 0 when it does not or there is no such
 * parameter, and for NULL. O(1).
 */
CN_API int cn_scenario_takes(const cn_scenario *scenario, cn_param param);

/**
 * Returns 1 when the scenario's system takes this kind of attachment; 0 when it does not or there
 * is no such attachment, and for NULL. O(1).
 */
CN_API int cn_scenario_takes_attachment(const cn_scenario *scenario, cn_attachment attachment);

/**
 * Returns the range of a parameter in this scenario. The system, the topology and the present
 * values of the other parameters may restrict the range of cn_param_range(). cn_scenario_set()
 * accepts a value outside the restricted range, so that parameters can be set in any order;
 * cn_predict() and cn_simulate() refuse it. The model may still not cover a value inside the range.
 *
 * @param least out; may be NULL
 * @param greatest out; may be NULL. Below @p least when the other parameters allow no value at all.
 * @param default_value out: the value in a new scenario of this system on this topology; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the system does not take the parameter). O(1).
 */
CN_API cn_status cn_scenario_range(const cn_scenario *scenario, cn_param param, double *least,
                                   double *greatest, double *default_value);

/**
 * Sets a parameter. The function refuses a value out of range; it never clamps it.
 * @return CN_ERR_ARGUMENT (no such parameter, out of range, NaN, not whole),
 *         CN_ERR_UNSUPPORTED (the system does not take it)
 */
CN_API cn_status cn_scenario_set(cn_scenario *scenario, cn_param param, double value);

/**
 * Returns the present value of a parameter. CN_ERR_UNSUPPORTED when the system does not take it.
 */
CN_API cn_status cn_scenario_get(const cn_scenario *scenario, cn_param param, double *value);

/**
 * Sets the faults of the scenario's network; a new scenario has none.
 *
 * @param faults of the scenario's topology; copied. NULL: no faults, which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take faults), CN_ERR_ARGUMENT (the faults are of
 *         another topology), CN_ERR_MEMORY (the faults of the scenario are then unchanged). O(N).
 */
CN_API cn_status cn_scenario_set_faults(cn_scenario *scenario, const cn_faults *faults);

/**
 * Sets the subnet that the scenario's messages use: its survivors send, receive and forward
 * messages; disabled nodes do not. A new scenario has none.
 *
 * The routing "optimal-path" goes by a subnet, and is the default where there is one; every other
 * routing gives CN_ERR_ARGUMENT when the scenario is used. So does a subnet that is not convex, and a
 * scenario that has faults of its own which differ from those that the subnet was made for.
 *
 * @param subnet of the scenario's topology; copied, so later changes to it have no effect. NULL: no
 *        subnet, which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take a subnet), CN_ERR_ARGUMENT (the subnet is of
 *         another topology), CN_ERR_MEMORY (the subnet of the scenario is then unchanged). O(N).
 */
CN_API cn_status cn_scenario_set_subnet(cn_scenario *scenario, const cn_subnet *subnet);

/**
 * Sets the traffic that the nodes send; a new scenario has uniform traffic from the system's own
 * source.
 *
 * The models cover that default traffic only: cn_predict() refuses any other with
 * CN_ERR_UNSUPPORTED. cn_simulate() and cn_sim_open() refuse a load that the source of the traffic
 * cannot offer.
 *
 * @param traffic of the scenario's topology; copied. NULL: the traffic of a new scenario, which
 *        every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take traffic), CN_ERR_ARGUMENT (the traffic is of
 *         another topology), CN_ERR_MEMORY, and the errors of cn_traffic_mean_distance(); after an
 *         error the traffic of the scenario is unchanged. On cubes it takes the time of that
 *         function; for "separate-buffers" O(N^2 ports) up to 4096 nodes.
 */
CN_API cn_status cn_scenario_set_traffic(cn_scenario *scenario, const cn_traffic *traffic);

/**
 * Sets the operations that the scenario carries out; a new scenario has random operations. With a
 * list the parameters `operations`, `operation_rate`, `start_cycles`, `destinations` and
 * `destination_choice` are ignored, and only the trees of `tree` = "turned" are random. With any
 * other tree a single run is made, whatever `replications` says, and every half-width is 0.
 *
 * @param operations of the scenario's topology, at least one; copied. NULL: random operations
 *        again.
 * @return CN_ERR_UNSUPPORTED (the system does not take operations), CN_ERR_ARGUMENT (the list is of
 *         another topology, or empty), CN_ERR_MEMORY (the operations of the scenario are then
 *         unchanged). O(all destinations).
 */
CN_API cn_status cn_scenario_set_operations(cn_scenario *scenario, const cn_operations *operations);

/**
 * Sets the routing of the messages as an object, in place of a name. Where a name is enough,
 * cn_scenario_set_routing_name() is simpler, and its routing follows the scenario's faults.
 *
 * A routing that the system cannot run, and one whose faults are not the scenario's (those of its
 * subnet where it has one), is refused when the scenario is used: cn_predict(), cn_simulate() and
 * cn_sim_open() return CN_ERR_UNSUPPORTED and CN_ERR_ARGUMENT. So faults and routing can be set in
 * any order.
 *
 * @param routing of the scenario's topology; it is immutable, and the scenario keeps it alive. NULL:
 *        the system's own routing, as in a new scenario, which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_ARGUMENT (the routing is of
 *         another topology), CN_ERR_MEMORY (the routing of the scenario is then unchanged). O(1), or
 *         the time of cn_topology_equal().
 */
CN_API cn_status cn_scenario_set_routing(cn_scenario *scenario, const cn_routing *routing);

/**
 * Sets the routing by its name (cn_routing_kind_name()), in place of any set before. The routing is
 * that of the scenario's topology, faults and subnet at the time of use.
 *
 * "wormhole" has "dimension-order" and "duato", its default. With `unsafe` = "yes" the first has no
 * classes of virtual channels on rings, and the second takes any virtual channel of any channel on a
 * shortest path: both may deadlock.
 *
 * The name is checked at once. Whether the system and the network have that routing is checked when
 * the scenario is used: cn_predict(), cn_simulate() and cn_sim_open() return CN_ERR_UNSUPPORTED.
 *
 * @param name canonical. NULL or "": the system's own routing, which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_NOT_FOUND (no such name),
 *         CN_ERR_ARGUMENT (a routing that needs more than a name: "tree", "own"). O(1).
 */
CN_API cn_status cn_scenario_set_routing_name(cn_scenario *scenario, const char *name);

/**
 * Returns the canonical name of the routing in use: that of the object, else the name that was set,
 * else that of the system's own; "" for a system that does not take a routing, and for NULL. O(1).
 */
CN_API const char *cn_scenario_routing_name(const cn_scenario *scenario);

/**
 * Resets every parameter and the seed to the defaults; the topology and all attachments stay.
 * CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_scenario_reset(cn_scenario *scenario);

/**
 * Sets the seed. All randomness of a simulation follows from it: the same scenario and seed give
 * the same messages in the same cycles, on any machine with the arithmetic that base.h asks for,
 * and for any number of threads the same bits. The one exception are half-widths, which use the
 * math library: their last bits may differ between machines, and with them, very rarely, the batch
 * in which `relative_precision` is met.
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_scenario_set_seed(cn_scenario *scenario, uint64_t seed);

/** Returns the seed; 0 for NULL. */
CN_API uint64_t cn_scenario_seed(const cn_scenario *scenario);

/* ---- running ---- */

/**
 * Solves the analytic model of the scenario's system.
 *
 * @return CN_ERR_UNSUPPORTED (no model for this system, topology or variant), CN_ERR_UNSTABLE (no
 *         steady state at this load), CN_ERR_ARGUMENT (parameters that contradict each other),
 *         CN_ERR_DISCONNECTED (some survivors of the faults cannot reach each other, or there are
 *         fewer than two), CN_ERR_CONVERGENCE, CN_ERR_MEMORY
 */
CN_API cn_status cn_predict(const cn_scenario *scenario, cn_result **result);

/**
 * Simulates the scenario: `warmup_cycles` cycles without measuring, then `measure_cycles` measured
 * cycles. With `relative_precision` above 0 the run ends early when the 95 % half-widths of
 * throughput and mean delay (with broadcasts also of their mean delay) are at most this share of
 * their values. Several `replications` are separate runs of this kind, each with a seed of its own;
 * the half-widths then come from the differences between the runs, and counts of messages and
 * cycles are sums over the runs. The time is proportional to nodes times cycles, whatever the load;
 * in continuous time (`slotted` is "no") it is proportional to the number of hops.
 *
 * A run of "collective" ends when all its operations are complete; counts other than those of
 * messages and cycles are then means over the runs (docs/collective.md).
 *
 * A network with unlimited buffers has no steady state at a load that its channels cannot carry.
 * Such a run ends with CN_STOP_SATURATED before its queues fill the memory, even during the
 * warm-up. Its result holds no delay, queue length or power, and its rates are those of the
 * measured cycles.
 *
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (as for cn_predict()),
 *         CN_ERR_MEMORY, CN_ERR_THREAD, CN_ERR_OVERFLOW, CN_ERR_DEADLOCK (in one of the runs some
 *         messages can never move again; cn_sim_result() returns a result even then)
 */
CN_API cn_status cn_simulate(const cn_scenario *scenario, cn_result **result);

/* ---- metrics ---- */

/**
 * The metrics that a result may hold. cn_metric_name() and its siblings return the properties of
 * each. A result holds the metrics that its system has. The numbers never change.
 */
typedef enum cn_metric {
    /**
     * "mean_delay", in cycles: mean time from the admission of a delivered message to its arrival.
     * Source: Horng 1992, eq. 3.25.
     */
    CN_METRIC_MEAN_DELAY = 1,
    /** "mean_delay_unicast", in cycles: mean delay of unicasts only. */
    CN_METRIC_MEAN_DELAY_UNICAST = 2,
    /**
     * "mean_delay_broadcast", in cycles: mean time until a broadcast reaches its last node.
     * Source: Shahrabi et al. 2001, eq. 1.
     */
    CN_METRIC_MEAN_DELAY_BROADCAST = 3,
    /**
     * "throughput", in messages/node/cycle: accepted throughput, the messages delivered per node and
     * cycle.
     * Source: Horng 1992, eq. 3.23.
     */
    CN_METRIC_THROUGHPUT = 4,
    /**
     * "network_throughput", in messages/cycle: messages that the whole network delivers per cycle.
     * Source: Horng & Kleinrock 1991, eq. 18.
     */
    CN_METRIC_NETWORK_THROUGHPUT = 5,
    /** "offered_load", in messages/node/cycle: messages offered per node and cycle. */
    CN_METRIC_OFFERED_LOAD = 6,
    /**
     * "acceptance_probability": share of the offered messages that are admitted (P_A).
     * Source: Horng 1992, eq. 3.16.
     */
    CN_METRIC_ACCEPTANCE_PROBABILITY = 7,
    /**
     * "mean_queue_length", in messages: mean number of messages in a node at the start of a cycle.
     * Source: Horng 1992, eq. 3.24.
     */
    CN_METRIC_MEAN_QUEUE_LENGTH = 8,
    /**
     * "channel_utilization": probability that a channel carries a message in a cycle (rho).
     * Source: Horng 1992, eq. 3.11.
     */
    CN_METRIC_CHANNEL_UTILIZATION = 9,
    /**
     * "first_phase_utilization": part of channel_utilization that phase 1 assigns (rho_1).
     * Source: Horng 1992, eq. 3.12.
     */
    CN_METRIC_FIRST_PHASE_UTILIZATION = 10,
    /**
     * "second_phase_utilization": part of channel_utilization that phase 2 assigns (rho_2).
     * Source: Horng 1992, 3.3.4.
     */
    CN_METRIC_SECOND_PHASE_UTILIZATION = 11,
    /**
     * "forwarding_probability": probability that a channel brings a message closer to its
     * destination in a cycle (P_f).
     * Source: Horng 1992, eq. 3.30.
     */
    CN_METRIC_FORWARDING_PROBABILITY = 12,
    /**
     * "deflection_probability": probability that a channel deflects a message in a cycle (P_r).
     * Source: Horng 1992, eq. 3.29.
     */
    CN_METRIC_DEFLECTION_PROBABILITY = 13,
    /**
     * "net_progress": forwarding probability minus deflection probability (P_f - P_r).
     * Source: Horng 1992, eq. 3.31.
     */
    CN_METRIC_NET_PROGRESS = 14,
    /**
     * "transit_probability": probability that a channel delivers to a node a message that must
     * travel further (P_t).
     * Source: Horng 1992, 3.3.4.
     */
    CN_METRIC_TRANSIT_PROBABILITY = 15,
    /**
     * "mean_distance", in hops: mean distance from source to destination of a message (d).
     * Source: Horng 1992, 3.3.1.
     */
    CN_METRIC_MEAN_DISTANCE = 16,
    /**
     * "mean_hops", in hops: mean number of channels that a message crosses (h).
     * Source: Horng 1992, eq. 3.14.
     */
    CN_METRIC_MEAN_HOPS = 17,
    /**
     * "power", in messages/cycle^2: network throughput divided by mean delay.
     * Source: Horng 1992, 3.4.
     */
    CN_METRIC_POWER = 18,
    /**
     * "power_accepted", in messages/cycle^2: power times acceptance probability.
     * Source: Horng & Kleinrock 1991, 5.
     */
    CN_METRIC_POWER_ACCEPTED = 19,
    /** "delay_p50", in cycles: delay that half of the messages do not exceed. */
    CN_METRIC_DELAY_P50 = 20,
    /** "delay_p95", in cycles: delay that 95 % of the messages do not exceed. */
    CN_METRIC_DELAY_P95 = 21,
    /** "delay_p99", in cycles: delay that 99 % of the messages do not exceed. */
    CN_METRIC_DELAY_P99 = 22,
    /** "delay_max", in cycles: greatest delay observed. */
    CN_METRIC_DELAY_MAX = 23,
    /**
     * "channel_message_rate", in messages/cycle: messages that start to cross a channel per cycle.
     * Source: Shahrabi et al. 2001, eq. 11.
     */
    CN_METRIC_CHANNEL_MESSAGE_RATE = 24,
    /**
     * "virtual_channel_multiplexing": mean number of virtual channels that are in use on a channel,
     * weighted by that number: E[v^2]/E[v].
     * Source: Shahrabi et al. 2001, eq. 31.
     */
    CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING = 25,
    /**
     * "messages_delivered", in messages: messages delivered in the whole run, warm-up included.
     */
    CN_METRIC_MESSAGES_DELIVERED = 26,
    /**
     * "messages_in_flight", in messages: messages in the network at the end: accepted minus
     * delivered.
     */
    CN_METRIC_MESSAGES_IN_FLIGHT = 27,
    /** "cycles", in cycles: cycles simulated, warm-up included. */
    CN_METRIC_CYCLES = 28,
    /**
     * "messages_offered", in messages: messages offered in the whole run: accepted plus refused.
     */
    CN_METRIC_MESSAGES_OFFERED = 29,
    /** "messages_refused", in messages: offered messages that found no free buffer. */
    CN_METRIC_MESSAGES_REFUSED = 30,
    /** "messages_accepted", in messages: messages admitted in the whole run, warm-up included. */
    CN_METRIC_MESSAGES_ACCEPTED = 31,
    /**
     * "waiting_per_hop", in cycles: mean time that a header waits for a virtual channel at a hop.
     * Source: Shahrabi et al. 2001, eq. 20.
     */
    CN_METRIC_WAITING_PER_HOP = 32,
    /**
     * "channel_rate_unicast", in messages/cycle: part of channel_message_rate due to unicasts.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_UNICAST = 33,
    /**
     * "channel_rate_broadcast", in messages/cycle: part of channel_message_rate due to copies that
     * the source of a broadcast sends.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_BROADCAST = 34,
    /**
     * "channel_rate_replica", in messages/cycle: part of channel_message_rate due to broadcast
     * copies that other nodes forward.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_REPLICA = 35,
    /**
     * "completion_cycles", in cycles: cycles until the last message reaches its destination.
     * Source: Ziavras & Krishnamurthy 1999, 6.
     */
    CN_METRIC_COMPLETION_CYCLES = 36,
    /**
     * "operation_cycles", in cycles: mean time from the start of an operation to its last delivery.
     */
    CN_METRIC_OPERATION_CYCLES = 37,
    /** "transmissions", in messages: messages sent over channels in the whole run. */
    CN_METRIC_TRANSMISSIONS = 38,
    /**
     * "contentions", in messages: number of times that a message waited one cycle for its turn.
     * Source: Ziavras & Krishnamurthy 1999, 6.
     */
    CN_METRIC_CONTENTIONS = 39,
    /**
     * "peak_buffer_use", in messages: greatest number of messages that waited in a node, or to enter
     * it, at the end of a cycle.
     */
    CN_METRIC_PEAK_BUFFER_USE = 40,
    /**
     * "peak_channel_load", in messages: number of messages that the busiest directed channel
     * carried.
     */
    CN_METRIC_PEAK_CHANNEL_LOAD = 41,
    /**
     * "lower_bound_cycles", in cycles: lower bound of completion_cycles for every schedule on these
     * trees.
     */
    CN_METRIC_LOWER_BOUND_CYCLES = 42,
    /**
     * "survivor_fraction": number of survivors divided by the number of nodes.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVOR_FRACTION = 43,
    /** "reachable_fraction": share of the ordered pairs of survivors that a path joins. */
    CN_METRIC_REACHABLE_FRACTION = 44,
    /** "working_fraction": number of nodes that are not faulty divided by the number of nodes. */
    CN_METRIC_WORKING_FRACTION = 45,
    /**
     * "survivors_of_working": number of survivors divided by the number of nodes that are not
     * faulty.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVORS_OF_WORKING = 46,
    /**
     * "connected_fraction": share of the fault patterns, of those with survivors, in which all
     * survivors can reach each other.
     */
    CN_METRIC_CONNECTED_FRACTION = 47,
    /**
     * "clusters": number of clusters of the two-level hierarchy.
     * Source: Horng 1992, 5.5.1.
     */
    CN_METRIC_CLUSTERS = 48,
    /**
     * "saturated_fraction": share of the fault patterns that cannot carry the load, of those on
     * which the scenario was run.
     */
    CN_METRIC_SATURATED_FRACTION = 49,
    /** "empty_fraction": share of the fault patterns that leave no survivor. */
    CN_METRIC_EMPTY_FRACTION = 50
} cn_metric;

/** Returns the number of metrics; their numbers are 1 .. this number. */
CN_API size_t cn_metric_count(void);

/** Returns the canonical name of a metric; NULL for a number that is no metric. */
CN_API const char *cn_metric_name(cn_metric metric);

/** Returns the unit of a metric, "1" for pure numbers; NULL for a number that is no metric. */
CN_API const char *cn_metric_unit(cn_metric metric);

/** Returns the meaning of a metric in one line; NULL for a number that is no metric. */
CN_API const char *cn_metric_meaning(cn_metric metric);

/**
 * Returns the paper and equation that define a metric, "" where there is none; NULL for a number
 * that is no metric.
 */
CN_API const char *cn_metric_source(cn_metric metric);

/** Finds the metric with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_metric_from_name(const char *name, cn_metric *metric);

/* ---- results ---- */

/** The reason why a run ended. The numbers never change. */
typedef enum cn_stop {
    CN_STOP_MODEL = 0,     /**< an analytic model, which runs nothing */
    CN_STOP_PRECISION = 1, /**< `relative_precision` was met */
    /** `measure_cycles` cycles were measured, or the caller stopped stepping */
    CN_STOP_CYCLES = 2,
    CN_STOP_SATURATED = 3, /**< the queues grow without limit */
    CN_STOP_DEADLOCK = 4,  /**< some messages can never move again */
    CN_STOP_COMPLETED = 5  /**< all operations are complete; for runs that end by themselves */
} cn_stop;

/** Frees the result and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_result_free(cn_result **result);

/** Returns 1 when the result holds @p metric, otherwise 0. */
CN_API int cn_result_has(const cn_result *result, cn_metric metric);

/**
 * Returns the value of a metric in its unit (cn_metric_unit()).
 * @return CN_ERR_NOT_FOUND when the result does not hold it (also: the mean delay of a run in which
 *         nothing was delivered, or with CN_STOP_SATURATED)
 */
CN_API cn_status cn_result_value(const cn_result *result, cn_metric metric, double *value);

/**
 * Returns the 95 % half-width of a value: with this confidence the true value of the simulated
 * system lies in value +- half_width. It is 0 for a model and for exact counts, and infinite when
 * too little was measured to estimate it. Errors as for cn_result_value().
 */
CN_API cn_status cn_result_half_width(const cn_result *result, cn_metric metric,
                                      double *half_width);

/**
 * Returns the number of observations behind a value (messages, cycles); 0 for a model. Errors as
 * for cn_result_value().
 */
CN_API cn_status cn_result_samples(const cn_result *result, cn_metric metric, uint64_t *samples);

/** Returns the reason why the run ended; CN_STOP_MODEL for NULL. */
CN_API cn_stop cn_result_stop(const cn_result *result);

/**
 * Returns the canonical name of a reason: "model", "precision", "cycles", "saturated", "deadlock"
 * or "completed"; NULL for a number that is no cn_stop.
 */
CN_API const char *cn_stop_name(cn_stop stop);

/** Finds the reason with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_stop_from_name(const char *name, cn_stop *stop);

/**
 * Returns a fixed sentence that explains @p stop. Never NULL, even for a number that is no cn_stop.
 */
CN_API const char *cn_stop_text(cn_stop stop);

/**
 * Returns 1 when the load is more than the network can carry: the offered messages need more hops
 * than the channels can provide, or the queues grow without limit. Otherwise returns 0. In a
 * saturated network that refuses messages the delay is that of the accepted messages only.
 */
CN_API int cn_result_is_saturated(const cn_result *result);

/** Returns the seed of the run; for a model the seed of its scenario. 0 for NULL. */
CN_API uint64_t cn_result_seed(const cn_result *result);

/** Returns the canonical name of the system; "" for NULL. */
CN_API const char *cn_result_system(const cn_result *result);

#ifdef __cplusplus
}
#endif

#endif
