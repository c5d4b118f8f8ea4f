/**
 * @file scenario.h
 * One experiment and its outcome: a topology, a system, parameters in; metrics out.
 *
 * A prediction and a simulation give the same kind of result, so they can be laid side by side:
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

/** An experiment; opaque. */
typedef struct cn_scenario cn_scenario;

/** The outcome of one; opaque and immutable. */
typedef struct cn_result cn_result;

/* ---- systems: what kind of node and switching ---- */

/** How many systems there are. */
CN_API size_t cn_system_count(void);

/** Canonical name of system @p index, 0 .. count-1, like "deflection"; NULL beyond. */
CN_API const char *cn_system_name(size_t index);

/** One line that says what system @p index is; NULL beyond. */
CN_API const char *cn_system_summary(size_t index);

/** The index of the system with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_system_from_name(const char *name, size_t *index);

/**
 * Whether system @p index has an analytic model, of some network or of the one that is given.
 *
 * @param topology NULL: of any network
 * @return CN_OK when it has; CN_ERR_UNSUPPORTED when not, and cn_last_error() says why;
 *         CN_ERR_ARGUMENT (no such system, no topology). O(1). What is left to cn_predict() to refuse
 *         are values of parameters, and networks that are too large for some of them.
 */
CN_API cn_status cn_system_check_model(size_t index, const cn_topology *topology);

/**
 * The same of a simulator: cn_simulate() and cn_sim_open().
 * @return Errors as for cn_system_check_model().
 */
CN_API cn_status cn_system_check_simulator(size_t index, const cn_topology *topology);

/** What may be attached to a scenario beside its parameters. The numbers never change. */
typedef enum cn_attachment {
    CN_ATTACHMENT_FAULTS = 1,     /**< "faults": cn_scenario_set_faults() */
    CN_ATTACHMENT_SUBNET = 2,     /**< "subnet": cn_scenario_set_subnet() */
    CN_ATTACHMENT_TRAFFIC = 3,    /**< "traffic": cn_scenario_set_traffic() */
    CN_ATTACHMENT_OPERATIONS = 4, /**< "operations": cn_scenario_set_operations() */
    CN_ATTACHMENT_ROUTING = 5     /**< "routing": cn_scenario_set_routing(), and its name alone:
                                   cn_scenario_set_routing_name() */
} cn_attachment;

/** Number of kinds of attachment; they are 1 .. this. */
CN_API size_t cn_attachment_count(void);

/** Canonical name, as quoted above; NULL for a number that is no attachment. */
CN_API const char *cn_attachment_name(cn_attachment attachment);

/** The attachment with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_attachment_from_name(const char *name, cn_attachment *attachment);

/** 1 when system @p index takes this kind of attachment; 0 when not, or when one of the two does not
 *  exist. O(1). */
CN_API int cn_system_takes_attachment(size_t index, cn_attachment attachment);

/* ---- parameters ---- */

/**
 * The parameters. Each has one row of facts: cn_param_name() and its siblings below. A system takes
 * some of them; setting one that it does not take is an error. The numbers never change.
 */
typedef enum cn_param {
    /**
     * "load": mean number of new messages that a node offers per cycle (or unit time).
     * 0 to 1000000 messages/node/cycle; default 0. Taken by separate-buffers, shared-buffer,
     * optimistic-bound, deflection, degraded-bound, flow-deviation, optimal-path, two-level,
     * wormhole.
     */
    CN_PARAM_LOAD = 1,
    /**
     * "buffers": messages that a node can hold; 0 is unlimited.
     * Whole, 0 to 1048576 messages; default 0 (deflection 12 on the 6-cube). Taken by deflection.
     */
    CN_PARAM_BUFFERS = 2,
    /**
     * "warmup_cycles": cycles simulated before anything is measured.
     * Whole, 0 to 1e15 cycles; default 1000. Taken by separate-buffers, shared-buffer, deflection,
     * optimal-path, two-level, wormhole.
     */
    CN_PARAM_WARMUP_CYCLES = 3,
    /**
     * "measure_cycles": cycles measured at the most.
     * Whole, 1 to 1e15 cycles; default 100000. Taken by separate-buffers, shared-buffer, deflection,
     * optimal-path, two-level, wormhole.
     */
    CN_PARAM_MEASURE_CYCLES = 4,
    /**
     * "replications": independent runs, each on a seed of its own.
     * Whole, 1 to 1000000 runs; default 1 (collective 20 on the 6-cube). Taken by separate-buffers,
     * shared-buffer, deflection, optimal-path, two-level, wormhole, collective.
     */
    CN_PARAM_REPLICATIONS = 5,
    /**
     * "relative_precision": a run ends early when the 95 % half-widths of throughput and mean delay
     * are at most this share of their values; 0 never.
     * 0 to 1; default 0.005 (flow-deviation 1e-6 on the 6-cube). Taken by separate-buffers,
     * shared-buffer, deflection, flow-deviation, optimal-path, two-level, wormhole.
     */
    CN_PARAM_RELATIVE_PRECISION = 6,
    /**
     * "threads": threads that share the work; the result does not depend on it.
     * Whole, 1 to 1024 threads; default 1. Taken by separate-buffers, shared-buffer, deflection,
     * optimal-path, two-level, wormhole, collective.
     */
    CN_PARAM_THREADS = 7,
    /**
     * "virtual_channels": virtual channels per directed physical channel.
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
     * "node_failure_probability": probability that a node is faulty, each on its own.
     * 0 to 1; default 0. Taken by degraded-bound.
     */
    CN_PARAM_NODE_FAILURE_PROBABILITY = 13,
    /**
     * "processing_ratio": node processing time over the transmission time of a message on a Boolean
     * n-cube's channel.
     * 0 to 1000000; default 0. Taken by no system.
     */
    CN_PARAM_PROCESSING_RATIO = 14,
    /**
     * "model_variant": which form of the system's model.
     * Whole, 0 to 2; default 0. Taken by deflection, degraded-bound, wormhole.
     */
    CN_PARAM_MODEL_VARIANT = 15,
    /**
     * "state_space": states of the path length model.
     * Whole, 0 to 2; default 0. Taken by deflection.
     */
    CN_PARAM_STATE_SPACE = 16,
    /**
     * "selection": which of the channels that the routing allows a message takes.
     * Whole, 0 to 2; default 0. Taken by no system.
     */
    CN_PARAM_SELECTION = 17,
    /**
     * "injection_servers": messages of one source queue that may be entering the network at a time.
     * Whole, 1 to 64 messages; default 1. Taken by wormhole.
     */
    CN_PARAM_INJECTION_SERVERS = 18,
    /**
     * "one_port": whether a node sends over one channel at a time.
     * Whole, 0 to 1; default 0. Taken by wormhole, collective.
     */
    CN_PARAM_ONE_PORT = 19,
    /**
     * "slotted": whether transmissions last one cycle each.
     * Whole, 0 to 1; default 0. Taken by optimal-path, two-level.
     */
    CN_PARAM_SLOTTED = 20,
    /**
     * "operations": broadcasts or multicasts that are started, unless operation_rate says how many.
     * Whole, 0 to 1e9 operations; default 1. Taken by collective.
     */
    CN_PARAM_OPERATIONS = 21,
    /**
     * "start_cycles": cycles from the first on in which operations start.
     * Whole, 1 to 1e9 cycles; default 20. Taken by collective.
     */
    CN_PARAM_START_CYCLES = 22,
    /**
     * "destinations": destinations of an operation before what falls together is left out; 0: all
     * other nodes.
     * Whole, 0 to 16777216 nodes; default 0. Taken by collective.
     */
    CN_PARAM_DESTINATIONS = 23,
    /**
     * "destination_choice": the destinations of a random multicast.
     * Whole, 0 to 3; default 0. Taken by collective.
     */
    CN_PARAM_DESTINATION_CHOICE = 24,
    /**
     * "machine": what is scarce in a node.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_MACHINE = 25,
    /**
     * "tree": tree that messages follow.
     * Whole, 0 to 4; default 0. Taken by collective.
     */
    CN_PARAM_TREE = 26,
    /**
     * "clubbing": whether messages of one multicast go as one copy as far as their paths on the tree
     * agree, as those of a broadcast always do.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_CLUBBING = 27,
    /**
     * "channel_capacity": messages that a directed channel carries in a cycle; 0 is unlimited.
     * Whole, 0 to 1048576 messages/cycle; default 1. Taken by collective.
     */
    CN_PARAM_CHANNEL_CAPACITY = 28,
    /**
     * "buffer_classes": whether buffers are divided into classes by the hops that a message has
     * made, which keeps the network free of deadlock.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_BUFFER_CLASSES = 29,
    /**
     * "detours": whether a message may go round a channel for which others wait.
     * Whole, 0 to 1; default 0. Taken by collective.
     */
    CN_PARAM_DETOURS = 30,
    /**
     * "operation_rate": mean number of operations that a node starts per cycle; 0: operations says
     * how many there are.
     * 0 to 1000000 operations/node/cycle; default 0. Taken by collective.
     */
    CN_PARAM_OPERATION_RATE = 31,
    /**
     * "transit_buffers": buffers of a node for messages in transit (machine = paper: messages that
     * it handles in a cycle); 0 is unlimited.
     * Whole, 0 to 1048576 messages; default 0. Taken by collective.
     */
    CN_PARAM_TRANSIT_BUFFERS = 32,
    /**
     * "unsafe": whether a routing that can deadlock may run.
     * Whole, 0 to 1; default 0. Taken by wormhole.
     */
    CN_PARAM_UNSAFE = 33
} cn_param;

/** Number of parameters; they are 1 .. this. */
CN_API size_t cn_param_count(void);

/** Canonical name; NULL for a number that is no parameter. */
CN_API const char *cn_param_name(cn_param param);

/** Unit of the value, "1" for pure numbers; NULL for a number that is no parameter. */
CN_API const char *cn_param_unit(cn_param param);

/** One line that says what it means; NULL for a number that is no parameter. */
CN_API const char *cn_param_meaning(cn_param param);

/**
 * Least and greatest value that any system accepts, the default, and whether only whole numbers
 * are. What a system makes of them: cn_scenario_range().
 * Outputs may be NULL. CN_ERR_ARGUMENT for a number that is no parameter.
 */
CN_API cn_status cn_param_range(cn_param param, double *least, double *greatest,
                                double *default_value, int *whole);

/** The parameter with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_param_from_name(const char *name, cn_param *param);

/**
 * Number of values of a parameter that picks one of several things, 0 .. this - 1; 0 for a parameter that
 * is a number, and for what is no parameter. One that says whether or not has two, "no" and "yes".
 */
CN_API size_t cn_param_choice_count(cn_param param);

/** Canonical name of a value, like "binomial"; NULL where there is none. */
CN_API const char *cn_param_choice_name(cn_param param, size_t value);

/** One line that says what a value means; NULL where there is none. */
CN_API const char *cn_param_choice_meaning(cn_param param, size_t value);

/** The value with this canonical name, for cn_scenario_set(). CN_ERR_NOT_FOUND; CN_ERR_ARGUMENT (a
 *  parameter that is a number, no such parameter). */
CN_API cn_status cn_param_choice_from_name(cn_param param, const char *name, double *value);

/** 1 when system @p index takes @p param; 0 when not, or when one of the two does not exist. O(1). */
CN_API int cn_system_takes(size_t index, cn_param param);

/* ---- scenarios ---- */

/**
 * A scenario of @p system on @p topology, all parameters at the defaults of the system, seed 1.
 *
 * @param topology kept alive by the scenario
 * @param system canonical name of a system
 * @return CN_ERR_NOT_FOUND (no such system), CN_ERR_UNSUPPORTED (not on this topology),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_scenario_new(const cn_topology *topology, const char *system,
                                 cn_scenario **scenario);

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_scenario_free(cn_scenario **scenario);

/** Canonical name of the scenario's system; "" for NULL. */
CN_API const char *cn_scenario_system(const cn_scenario *scenario);

/** 1 when the scenario's system takes @p param; 0 when not, when there is no such parameter, or for
 *  NULL. O(1). */
CN_API int cn_scenario_takes(const cn_scenario *scenario, cn_param param);

/** The same of an attachment. */
CN_API int cn_scenario_takes_attachment(const cn_scenario *scenario, cn_attachment attachment);

/**
 * The values of a parameter with which this scenario can be used: its system, its topology and the present
 * values of all other parameters may leave less than cn_param_range() says. cn_scenario_set() accepts a
 * value outside, so that parameters can be set in any order; cn_predict() and cn_simulate() refuse it.
 * A value inside may still be one that the model does not cover.
 *
 * @param least out; may be NULL
 * @param greatest out; may be NULL. Below @p least when the other parameters leave no value at all.
 * @param default_value out: the value in a new scenario of this system on this topology; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the system does not take the parameter). O(1).
 */
CN_API cn_status cn_scenario_range(const cn_scenario *scenario, cn_param param, double *least,
                                   double *greatest, double *default_value);

/**
 * Sets a parameter. A value out of range is refused, never clamped.
 * @return CN_ERR_ARGUMENT (no such parameter, out of range, NaN, not whole),
 *         CN_ERR_UNSUPPORTED (the system does not take it)
 */
CN_API cn_status cn_scenario_set(cn_scenario *scenario, cn_param param, double value);

/** The present value of a parameter. CN_ERR_UNSUPPORTED when the system does not take it. */
CN_API cn_status cn_scenario_get(const cn_scenario *scenario, cn_param param, double *value);

/**
 * The faults of the scenario's network; none in a new scenario.
 *
 * @param faults of the scenario's topology; copied. NULL: none, which every system takes.
 * @return CN_ERR_UNSUPPORTED (the system does not take faults), CN_ERR_ARGUMENT (of another topology),
 *         CN_ERR_MEMORY (the faults are then those of before)
 */
CN_API cn_status cn_scenario_set_faults(cn_scenario *scenario, const cn_faults *faults);

/**
 * The subnet that the scenario's messages use: its survivors send and receive, and what is disabled is
 * left alone. None in a new scenario.
 *
 * The system "optimal-path" takes one. Without it, it uses the convex subnet of the scenario's faults
 * (cn_subnet_convex()). A subnet that is not convex is accepted here and refused with CN_ERR_ARGUMENT
 * when the scenario is used; so is one that was made for other faults than the scenario's own, when
 * it has some. It may come with the same ones.
 *
 * @param subnet of the scenario's topology; copied, so later updates of it do not matter. NULL: none,
 *        which every system takes.
 * @return CN_ERR_UNSUPPORTED (the system does not take a subnet), CN_ERR_ARGUMENT (of another topology),
 *         CN_ERR_MEMORY (the subnet is then that of before)
 */
CN_API cn_status cn_scenario_set_subnet(cn_scenario *scenario, const cn_subnet *subnet);

/**
 * What the nodes send; uniform traffic from the system's own source in a new scenario.
 *
 * A model is of that traffic: cn_predict() refuses any other with CN_ERR_UNSUPPORTED. A load that the
 * traffic's source cannot offer is refused by cn_simulate() and cn_sim_open().
 *
 * @param traffic of the scenario's topology; copied. NULL: that of a new scenario, which every system
 *        takes.
 * @return CN_ERR_UNSUPPORTED (the system does not take traffic), CN_ERR_ARGUMENT (of another topology),
 *         CN_ERR_MEMORY, and what cn_traffic_mean_distance() returns (the traffic is then that of
 *         before). On cubes in the time of that function; "separate-buffers" O(N^2 ports) up to 4096
 *         nodes.
 */
CN_API cn_status cn_scenario_set_traffic(cn_scenario *scenario, const cn_traffic *traffic);

/**
 * The operations that the scenario carries out; random ones in a new scenario. With a list the parameters
 * `operations`, `operation_rate`, `start_cycles`, `destinations` and `destination_choice` are not looked at, and
 * nothing is random but the trees of `tree` = "turned": with any other one run is made whatever `replications`, and
 * every half-width is 0.
 *
 * @param operations of the scenario's topology, at least one; copied. NULL: random ones again.
 * @return CN_ERR_UNSUPPORTED (the system does not take operations), CN_ERR_ARGUMENT (of another
 *         topology, none), CN_ERR_MEMORY (the operations are then those of before)
 */
CN_API cn_status cn_scenario_set_operations(cn_scenario *scenario, const cn_operations *operations);

/**
 * The routing by which messages go, as an object, in place of the name of one. cn_scenario_set_routing_name()
 * does where a name is enough, and follows the scenario's faults.
 *
 * What the system cannot run, and a routing whose faults are not the scenario's (those of its subnet
 * where it has one), is refused when the scenario is used: by cn_predict(), cn_simulate() and
 * cn_sim_open(), with CN_ERR_UNSUPPORTED and CN_ERR_ARGUMENT. So faults and routing can be set in any order.
 *
 * @param routing of the scenario's topology; it is immutable, and kept alive by the scenario. NULL: the
 *        system's own routing, as in a new scenario, which every system takes.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_ARGUMENT (of another
 *         topology), CN_ERR_MEMORY (the routing is then that of before). O(1), or the time of
 *         cn_topology_equal().
 */
CN_API cn_status cn_scenario_set_routing(cn_scenario *scenario, const cn_routing *routing);

/**
 * The routing by its name (cn_routing_kind_name()), in place of any before. It is that of the
 * scenario's topology, faults and subnet at the time at which the scenario is used.
 *
 * "wormhole" has "dimension-order" and "duato", which is its own. With `unsafe` = "yes" the first one has no
 * classes of virtual channels on rings, and the second one takes any virtual channel of any channel on a
 * shortest way: both may deadlock.
 *
 * The name is checked at once. Whether the system and the network have that routing is found out when
 * the scenario is used: by cn_predict(), cn_simulate() and cn_sim_open(), with CN_ERR_UNSUPPORTED.
 *
 * @param name canonical. NULL or "": the system's own routing, which every system takes.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_NOT_FOUND (no such name),
 *         CN_ERR_ARGUMENT (a routing that needs more than a name: "tree", "own"). O(1).
 */
CN_API cn_status cn_scenario_set_routing_name(cn_scenario *scenario, const char *name);

/** Canonical name of the routing by which messages go: of the object, else the one that was set, else the
 *  system's own; "" for a system that does not take a routing, and for NULL. O(1). */
CN_API const char *cn_scenario_routing_name(const cn_scenario *scenario);

/** Puts every parameter and the seed back to the defaults; topology, routing, faults, subnet, traffic and
 *  operations stay. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_scenario_reset(cn_scenario *scenario);

/**
 * Sets the seed. All randomness of a simulation follows from it: the same scenario and seed give the
 * same messages in the same cycles, on any machine with the arithmetic that base.h asks for, and for any
 * number of threads the same bits. (Half-widths are the one thing in a simulation that asks the math library: their last bits may differ between
 * machines, and with them, very rarely, the batch in which `relative_precision` is met.)
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_scenario_set_seed(cn_scenario *scenario, uint64_t seed);

/** The seed; 0 for NULL. */
CN_API uint64_t cn_scenario_seed(const cn_scenario *scenario);

/* ---- running ---- */

/**
 * The analytic model of the scenario's system.
 *
 * @return CN_ERR_UNSUPPORTED (no model for this system, topology or variant), CN_ERR_UNSTABLE (no
 *         steady state at this load), CN_ERR_ARGUMENT (parameters that do not go together),
 *         CN_ERR_DISCONNECTED (survivors of the faults that cannot reach each other, or fewer than two),
 *         CN_ERR_CONVERGENCE, CN_ERR_MEMORY
 */
CN_API cn_status cn_predict(const cn_scenario *scenario, cn_result **result);

/**
 * Simulates the scenario: `warmup_cycles` unmeasured, then `measure_cycles`, or less when
 * `relative_precision` is above 0 and the 95 % half-widths of throughput and mean delay (where there are
 * broadcasts also of theirs) have come down to that share of their values. With several `replications` each is run like that on a
 * seed of its own and the half-widths come from the differences between them; counts of messages and
 * cycles are then sums over the runs. Takes time in proportion to nodes times cycles, whatever the
 * load; in continuous time (`slotted` is "no") in proportion to the hops alone.
 *
 * A run of "collective" ends by itself, when all its operations are complete; counts but those of messages
 * and cycles are then means over the runs (docs/collective.md).
 *
 * A network with unlimited buffers has no steady state at a load that its channels cannot carry: such
 * a run is cut short, its warm-up too, before its queues fill the memory, ends with CN_STOP_SATURATED, and its result
 * holds no delay, queue length or power. Its rates are those of the cycles that were measured.
 *
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (as for cn_predict()),
 *         CN_ERR_MEMORY, CN_ERR_THREAD, CN_ERR_OVERFLOW, CN_ERR_DEADLOCK (in one of the runs
 *         some messages can never move again; to have a result all the same: cn_sim_result())
 */
CN_API cn_status cn_simulate(const cn_scenario *scenario, cn_result **result);

/* ---- metrics ---- */

/**
 * What a result may hold. Each metric has one row of facts: cn_metric_name() and its siblings. A
 * result holds those that its system has. The numbers never change.
 */
typedef enum cn_metric {
    /**
     * "mean_delay", in cycles: mean time from admission to arrival of a delivered message.
     * Source: Horng 1992, eq. 3.25.
     */
    CN_METRIC_MEAN_DELAY = 1,
    /** "mean_delay_unicast", in cycles: the same of unicasts alone. */
    CN_METRIC_MEAN_DELAY_UNICAST = 2,
    /**
     * "mean_delay_broadcast", in cycles: mean time until a broadcast has reached its last node.
     * Source: Shahrabi et al. 2001, eq. 1.
     */
    CN_METRIC_MEAN_DELAY_BROADCAST = 3,
    /**
     * "throughput", in messages/node/cycle: messages delivered per node and cycle.
     * Source: Horng 1992, eq. 3.23.
     */
    CN_METRIC_THROUGHPUT = 4,
    /**
     * "network_throughput", in messages/cycle: messages delivered per cycle by the whole network.
     * Source: Horng & Kleinrock 1991, eq. 18.
     */
    CN_METRIC_NETWORK_THROUGHPUT = 5,
    /** "offered_load", in messages/node/cycle: messages offered per node and cycle. */
    CN_METRIC_OFFERED_LOAD = 6,
    /**
     * "acceptance_probability": share of the offered messages that were admitted (P_A).
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
     * "first_phase_utilization": the part of it assigned in phase 1 (rho_1).
     * Source: Horng 1992, eq. 3.12.
     */
    CN_METRIC_FIRST_PHASE_UTILIZATION = 10,
    /**
     * "second_phase_utilization": the part of it assigned in phase 2 (rho_2).
     * Source: Horng 1992, 3.3.4.
     */
    CN_METRIC_SECOND_PHASE_UTILIZATION = 11,
    /**
     * "forwarding_probability": probability that a channel brings a message closer in a cycle (P_f).
     * Source: Horng 1992, eq. 3.30.
     */
    CN_METRIC_FORWARDING_PROBABILITY = 12,
    /**
     * "deflection_probability": probability that a channel deflects a message in a cycle (P_r).
     * Source: Horng 1992, eq. 3.29.
     */
    CN_METRIC_DEFLECTION_PROBABILITY = 13,
    /**
     * "net_progress": forwarding less deflection probability (P_f - P_r).
     * Source: Horng 1992, eq. 3.31.
     */
    CN_METRIC_NET_PROGRESS = 14,
    /**
     * "transit_probability": probability that a channel brings a message that travels on (P_t).
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
     * "power", in messages/cycle^2: network throughput over mean delay.
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
    /** "delay_max", in cycles: greatest delay seen. */
    CN_METRIC_DELAY_MAX = 23,
    /**
     * "channel_message_rate", in messages/cycle: messages that begin to cross a channel per cycle.
     * Source: Shahrabi et al. 2001, eq. 11.
     */
    CN_METRIC_CHANNEL_MESSAGE_RATE = 24,
    /**
     * "virtual_channel_multiplexing": virtual channels held on a channel, as one that is held sees
     * it: E[v^2]/E[v].
     * Source: Shahrabi et al. 2001, eq. 31.
     */
    CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING = 25,
    /**
     * "messages_delivered", in messages: messages delivered in the whole run, warm-up included.
     */
    CN_METRIC_MESSAGES_DELIVERED = 26,
    /**
     * "messages_in_flight", in messages: messages in the network at the end: accepted less
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
     * "channel_rate_unicast", in messages/cycle: the part of channel_message_rate that unicasts
     * make.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_UNICAST = 33,
    /**
     * "channel_rate_broadcast", in messages/cycle: the part that copies from the source of a
     * broadcast make.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_BROADCAST = 34,
    /**
     * "channel_rate_replica", in messages/cycle: the part that copies sent on by other nodes make.
     * Source: Shahrabi et al. 2001, eq. 10.
     */
    CN_METRIC_CHANNEL_RATE_REPLICA = 35,
    /**
     * "completion_cycles", in cycles: cycles until the last message has reached its destination.
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
     * "contentions", in messages: times that a message waited a cycle for its turn.
     * Source: Ziavras & Krishnamurthy 1999, 6.
     */
    CN_METRIC_CONTENTIONS = 39,
    /**
     * "peak_buffer_use", in messages: most messages that waited in a node, or for it, at the end of
     * a cycle.
     */
    CN_METRIC_PEAK_BUFFER_USE = 40,
    /** "peak_channel_load", in messages: messages that the busiest directed channel carried. */
    CN_METRIC_PEAK_CHANNEL_LOAD = 41,
    /** "lower_bound_cycles", in cycles: no schedule on these trees completes in fewer cycles. */
    CN_METRIC_LOWER_BOUND_CYCLES = 42,
    /**
     * "survivor_fraction": survivors over all nodes.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVOR_FRACTION = 43,
    /**
     * "reachable_fraction": share of the ordered pairs of survivors that are joined by a path.
     */
    CN_METRIC_REACHABLE_FRACTION = 44,
    /** "working_fraction": nodes that are not faulty over all. */
    CN_METRIC_WORKING_FRACTION = 45,
    /**
     * "survivors_of_working": survivors over the nodes that are not faulty.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVORS_OF_WORKING = 46,
    /**
     * "connected_fraction": share of the fault patterns with survivors in which all of them reach
     * each other.
     */
    CN_METRIC_CONNECTED_FRACTION = 47,
    /**
     * "clusters": number of clusters of the two-level hierarchy.
     * Source: Horng 1992, 5.5.1.
     */
    CN_METRIC_CLUSTERS = 48,
    /**
     * "saturated_fraction": share of the fault patterns that cannot carry the load, of those that
     * were solved.
     */
    CN_METRIC_SATURATED_FRACTION = 49,
    /** "empty_fraction": share of the fault patterns that leave no survivor. */
    CN_METRIC_EMPTY_FRACTION = 50
} cn_metric;

/** Number of metrics; they are 1 .. this. */
CN_API size_t cn_metric_count(void);

/** Canonical name; NULL for a number that is no metric. */
CN_API const char *cn_metric_name(cn_metric metric);

/** Unit of the value, "1" for pure numbers; NULL for a number that is no metric. */
CN_API const char *cn_metric_unit(cn_metric metric);

/** One line that says what it means; NULL for a number that is no metric. */
CN_API const char *cn_metric_meaning(cn_metric metric);

/** Paper and equation, "" where none; NULL for a number that is no metric. */
CN_API const char *cn_metric_source(cn_metric metric);

/** The metric with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_metric_from_name(const char *name, cn_metric *metric);

/* ---- results ---- */

/** Why a run ended. The numbers never change. */
typedef enum cn_stop {
    CN_STOP_MODEL = 0,     /**< nothing ran: an analytic model */
    CN_STOP_PRECISION = 1, /**< `relative_precision` was met */
    CN_STOP_CYCLES = 2,    /**< `measure_cycles` were over, or the caller stopped stepping */
    CN_STOP_SATURATED = 3, /**< the queues grow without end */
    CN_STOP_DEADLOCK = 4,  /**< some messages can never move again */
    CN_STOP_COMPLETED = 5  /**< all that was to be done is done: a run that ends by itself */
} cn_stop;

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_result_free(cn_result **result);

/** 1 when the result holds @p metric, else 0. */
CN_API int cn_result_has(const cn_result *result, cn_metric metric);

/**
 * The value of a metric, in the unit of its row.
 * @return CN_ERR_NOT_FOUND when the result does not hold it (also: the mean delay of a run in which
 *         nothing was delivered, or with CN_STOP_SATURATED)
 */
CN_API cn_status cn_result_value(const cn_result *result, cn_metric metric, double *value);

/**
 * 95 % half-width of the value: the true value of the simulated system is in value +- half_width
 * with this confidence. 0 for a model and for exact counts; infinite when too little was measured
 * to tell. Errors as for cn_result_value().
 */
CN_API cn_status cn_result_half_width(const cn_result *result, cn_metric metric,
                                      double *half_width);

/** Number of observations behind the value (messages, cycles); 0 for a model. Errors as for
 *  cn_result_value(). */
CN_API cn_status cn_result_samples(const cn_result *result, cn_metric metric, uint64_t *samples);

/** Why the run ended; CN_STOP_MODEL for NULL. */
CN_API cn_stop cn_result_stop(const cn_result *result);

/** Canonical name, "model", "precision", "cycles", "saturated", "deadlock" or "completed"; NULL for a number
 *  that is none of cn_stop. */
CN_API const char *cn_stop_name(cn_stop stop);

/** The reason with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_stop_from_name(const char *name, cn_stop *stop);

/** A fixed sentence for @p stop, also for a number that is none of cn_stop. Never NULL. */
CN_API const char *cn_stop_text(cn_stop stop);

/**
 * 1 when the load is more than the network carries: the hops that the offered messages need exceed
 * the channels that there are (or the queues grow without end). In a network that refuses what it
 * cannot take the delay is then that of the accepted messages only. Else 0.
 */
CN_API int cn_result_is_saturated(const cn_result *result);

/** The seed of the run; for a model that of its scenario. 0 for NULL. */
CN_API uint64_t cn_result_seed(const cn_result *result);

/** Canonical name of the system; "" for NULL. */
CN_API const char *cn_result_system(const cn_result *result);

#ifdef __cplusplus
}
#endif

#endif
