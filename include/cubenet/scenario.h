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
 */
#ifndef CUBENET_SCENARIO_H
#define CUBENET_SCENARIO_H

#include "choice.h"
#include "collective.h"
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

/* ---- parameters ---- */

/**
 * The parameters. Each has one row of facts: cn_param_name() and its siblings below. A system takes
 * some of them; setting one that it does not take is an error. The numbers never change.
 */
typedef enum cn_param {
    CN_PARAM_LOAD = 1,                      /**< "load" */
    CN_PARAM_BUFFERS = 2,                   /**< "buffers" */
    CN_PARAM_WARMUP_CYCLES = 3,             /**< "warmup_cycles" */
    CN_PARAM_MEASURE_CYCLES = 4,            /**< "measure_cycles" */
    CN_PARAM_REPLICATIONS = 5,              /**< "replications" */
    CN_PARAM_RELATIVE_PRECISION = 6,        /**< "relative_precision" */
    CN_PARAM_THREADS = 7,                   /**< "threads" */
    CN_PARAM_VIRTUAL_CHANNELS = 8,          /**< "virtual_channels" */
    CN_PARAM_MESSAGE_FLITS = 9,             /**< "message_flits" */
    CN_PARAM_FLIT_BUFFERS = 10,             /**< "flit_buffers" */
    CN_PARAM_BROADCAST_FRACTION = 11,       /**< "broadcast_fraction" */
    CN_PARAM_STARTUP_LATENCY = 12,          /**< "startup_latency" */
    CN_PARAM_NODE_FAILURE_PROBABILITY = 13, /**< "node_failure_probability" */
    CN_PARAM_PROCESSING_RATIO = 14,         /**< "processing_ratio" */
    CN_PARAM_MODEL_VARIANT = 15,            /**< "model_variant" */
    CN_PARAM_STATE_SPACE = 16,              /**< "state_space" */
    CN_PARAM_ADAPTIVE = 17,                 /**< "adaptive" */
    CN_PARAM_INJECTION_SERVERS = 18,        /**< "injection_servers" */
    CN_PARAM_ONE_PORT = 19,                 /**< "one_port" */
    CN_PARAM_SLOTTED = 20,                  /**< "slotted" */
    CN_PARAM_OPERATIONS = 21,               /**< "operations" */
    CN_PARAM_START_CYCLES = 22,             /**< "start_cycles" */
    CN_PARAM_DESTINATIONS = 23,             /**< "destinations" */
    CN_PARAM_DESTINATION_CHOICE = 24,       /**< "destination_choice" */
    CN_PARAM_MACHINE = 25,                  /**< "machine" */
    CN_PARAM_TREE = 26,                     /**< "tree" */
    CN_PARAM_CLUBBING = 27,                 /**< "clubbing" */
    CN_PARAM_CHANNEL_CAPACITY = 28,         /**< "channel_capacity" */
    CN_PARAM_BUFFER_CLASSES = 29,           /**< "buffer_classes" */
    CN_PARAM_DETOURS = 30,                  /**< "detours" */
    CN_PARAM_OPERATION_RATE = 31,           /**< "operation_rate" */
    CN_PARAM_TRANSIT_BUFFERS = 32           /**< "transit_buffers" */
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
 * are. A system may start from a default of its own and may demand more of a value when it is used.
 * Outputs may be NULL. CN_ERR_ARGUMENT for a number that is no parameter.
 */
CN_API cn_status cn_param_range(cn_param param, double *least, double *greatest,
                                double *default_value, int *whole);

/** The parameter with this canonical name. CN_ERR_NOT_FOUND. */
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

/** 1 when the scenario's system takes @p param, else 0. */
CN_API int cn_scenario_takes(const cn_scenario *scenario, cn_param param);

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

/** Puts every parameter and the seed back to the defaults; topology, faults, subnet and traffic stay.
 *  CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_scenario_reset(cn_scenario *scenario);

/**
 * Sets the seed. All randomness of a simulation follows from it: the same scenario and seed give the
 * same messages in the same cycles, on any machine with the arithmetic that base.h asks for, and for any
 * number of threads the same bits. (Half-widths are the one thing in a simulation that asks the math library: their last bits may differ between
 * machines, and with them, very rarely, the batch in which `relative_precision` is met.)
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
    CN_METRIC_MEAN_DELAY = 1,
    CN_METRIC_MEAN_DELAY_UNICAST = 2,
    CN_METRIC_MEAN_DELAY_BROADCAST = 3,
    CN_METRIC_THROUGHPUT = 4,
    CN_METRIC_NETWORK_THROUGHPUT = 5,
    CN_METRIC_OFFERED_LOAD = 6,
    CN_METRIC_ACCEPTANCE_PROBABILITY = 7,
    CN_METRIC_MEAN_QUEUE_LENGTH = 8,
    CN_METRIC_CHANNEL_UTILIZATION = 9,
    CN_METRIC_FIRST_PHASE_UTILIZATION = 10,
    CN_METRIC_SECOND_PHASE_UTILIZATION = 11,
    CN_METRIC_FORWARDING_PROBABILITY = 12,
    CN_METRIC_DEFLECTION_PROBABILITY = 13,
    CN_METRIC_NET_PROGRESS = 14,
    CN_METRIC_TRANSIT_PROBABILITY = 15,
    CN_METRIC_MEAN_DISTANCE = 16,
    CN_METRIC_MEAN_HOPS = 17,
    CN_METRIC_POWER = 18,
    CN_METRIC_POWER_ACCEPTED = 19,
    CN_METRIC_DELAY_P50 = 20,
    CN_METRIC_DELAY_P95 = 21,
    CN_METRIC_DELAY_P99 = 22,
    CN_METRIC_DELAY_MAX = 23,
    CN_METRIC_CHANNEL_MESSAGE_RATE = 24,
    CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING = 25,
    CN_METRIC_MESSAGES_DELIVERED = 26,
    CN_METRIC_MESSAGES_IN_FLIGHT = 27,
    CN_METRIC_CYCLES = 28,
    CN_METRIC_MESSAGES_OFFERED = 29,
    CN_METRIC_MESSAGES_REFUSED = 30,
    CN_METRIC_MESSAGES_ACCEPTED = 31,
    CN_METRIC_WAITING_PER_HOP = 32,
    CN_METRIC_CHANNEL_RATE_UNICAST = 33,
    CN_METRIC_CHANNEL_RATE_BROADCAST = 34,
    CN_METRIC_CHANNEL_RATE_REPLICA = 35,
    CN_METRIC_COMPLETION_CYCLES = 36,
    CN_METRIC_OPERATION_CYCLES = 37,
    CN_METRIC_TRANSMISSIONS = 38,
    CN_METRIC_CONTENTIONS = 39,
    CN_METRIC_PEAK_BUFFER_USE = 40,
    CN_METRIC_PEAK_CHANNEL_LOAD = 41,
    CN_METRIC_LOWER_BOUND_CYCLES = 42,
    CN_METRIC_SURVIVOR_FRACTION = 43,
    CN_METRIC_REACHABLE_FRACTION = 44,
    CN_METRIC_WORKING_FRACTION = 45,
    CN_METRIC_SURVIVORS_OF_WORKING = 46,
    CN_METRIC_CONNECTED_FRACTION = 47,
    CN_METRIC_CLUSTERS = 48,
    CN_METRIC_SATURATED_FRACTION = 49,
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

/** The metric with this canonical name. CN_ERR_NOT_FOUND. */
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
