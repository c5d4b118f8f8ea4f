/**
 * @file scenario.h
 * Scenarios: a scenario is one experiment, made of a topology, a system and its parameters. The
 * prediction and the simulation of a scenario return the same kind of result, so their values can
 * be compared directly:
 *
 *     cn_scenario_new(cube, "deflection", &scenario);
 *     cn_scenario_set(scenario, CN_PARAM_LOAD, 1.5);
 *     cn_scenario_set(scenario, CN_PARAM_BUFFERS, 12);
 *     cn_predict(scenario, NULL, &model);
 *     cn_simulate(scenario, NULL, &simulation);
 *     cn_result_value(model, CN_METRIC_MEAN_DELAY, &delay);
 *
 * @since 1.0
 */
#ifndef CUBENET_SCENARIO_H
#define CUBENET_SCENARIO_H

#include "control.h"
#include "collective.h"
#include "parameter.h"
#include "result.h"
#include "routing.h"
#include "subnet.h"
#include "system.h"
#include "traffic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A topology, a system on it and its parameters; opaque. */
typedef struct cn_scenario cn_scenario;

/* ---- making and setting ---- */

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

/**
 * Makes a scenario with the same system, topology, attachments, parameters and seed. The two
 * scenarios share the attached objects, which never change, so a copy takes a few hundred bytes.
 * CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(1).
 */
CN_API cn_status cn_scenario_copy(const cn_scenario *scenario, cn_scenario **copy);

/** Frees the scenario and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_scenario_free(cn_scenario **scenario);

/**
 * Writes the scenario as JSON: topology, system, seed, the parameters that were set, by name, and
 * the attached objects. The text leaves out a parameter that was never set, since it follows its
 * default. Equal scenarios whose topologies have the same name have the same text. Otherwise as
 * cn_topology_json().
 */
CN_API cn_status cn_scenario_json(const cn_scenario *scenario, char text[], size_t capacity,
                                  size_t *length);

/**
 * Makes the scenario that cn_scenario_json() wrote: its model gives the same result, and its
 * simulation the same bits. Only the members "topology" and "system" are required.
 * @return errors as for cn_topology_from_json(), and the errors of the setters; CN_ERR_CANCELLED.
 *         Cost of making the topology and the attached objects.
 */
CN_API cn_status cn_scenario_from_json(const char *text, const cn_control *control,
                                       cn_scenario **scenario);

/** Returns the canonical name of the scenario's system; "" for NULL. */
CN_API const char *cn_scenario_system(const cn_scenario *scenario);

/**
 * Returns 1 when the system of the scenario takes @p param; otherwise 0, also for a number that is
 * no parameter, and for NULL. O(1).
 */
CN_API int cn_scenario_takes(const cn_scenario *scenario, cn_param param);

/**
 * Returns the range of a parameter in this scenario. The system, the topology and the present
 * values of the other parameters may restrict the range of cn_param_range(). cn_scenario_set()
 * accepts a value outside the restricted range, so that parameters can be set in any order;
 * cn_predict() and cn_simulate() refuse it. The model may still not cover a value inside the range.
 *
 * @param least out; may be NULL
 * @param greatest out; may be NULL. Below @p least when the other parameters allow no value at all.
 * @param default_value out: the value in a new scenario of this system on this topology; may be
 *        NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the system does not take the parameter). O(1).
 */
CN_API cn_status cn_scenario_range(const cn_scenario *scenario, cn_param param, double *least,
                                   double *greatest, double *default_value);

/**
 * Sets a parameter. The function refuses a value out of range; it never clamps it.
 * @return CN_ERR_ARGUMENT (no such parameter, out of range, NaN, not whole), CN_ERR_UNSUPPORTED
 *         (the system does not take the parameter)
 */
CN_API cn_status cn_scenario_set(cn_scenario *scenario, cn_param param, double value);

/**
 * Returns the present value of a parameter.
 * @return CN_ERR_UNSUPPORTED (the system does not take the parameter)
 */
CN_API cn_status cn_scenario_get(const cn_scenario *scenario, cn_param param, double *value);

/**
 * Sets the faults of the scenario's network; a new scenario has no faults.
 *
 * @param faults faults of the scenario's topology; copied. NULL: no faults, which every system
 *        accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take faults), CN_ERR_ARGUMENT (the faults are of
 *         another topology), CN_ERR_MEMORY (the faults of the scenario are then unchanged). O(N).
 */
CN_API cn_status cn_scenario_set_faults(cn_scenario *scenario, const cn_faults *faults);

/**
 * Sets the subnet that the messages of the scenario use: survivors send, receive and forward
 * messages, disabled nodes do not. A new scenario has no subnet.
 *
 * The routing "optimal-path" uses the subnet, and is the default of a scenario with a subnet. Three
 * settings give CN_ERR_ARGUMENT when the scenario is used: any other routing, a subnet that is not
 * convex, and faults of the scenario that differ from the faults of the subnet.
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
 * The models of "separate-buffers" and "cut-through" cover all traffic but traces and some sources.
 * The models of all other systems cover uniform traffic and locality from the system's own source.
 * cn_predict() refuses other traffic with CN_ERR_UNSUPPORTED; docs/traffic.md has the details.
 * cn_simulate() and cn_sim_open() refuse a load that the source of the traffic cannot offer.
 *
 * @param traffic traffic of the scenario's topology; copied. NULL: the traffic of a new scenario,
 *        which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take traffic), CN_ERR_ARGUMENT (the traffic is of
 *         another topology), CN_ERR_MEMORY, and the errors of cn_traffic_mean_distance(); after an
 *         error the traffic of the scenario is unchanged. On cubes the cost is that of
 *         cn_traffic_mean_distance(); for "separate-buffers" O(N^2 ports) up to 4096 nodes.
 */
CN_API cn_status cn_scenario_set_traffic(cn_scenario *scenario, const cn_traffic *traffic);

/**
 * Sets the list of operations that the scenario carries out; a new scenario has random operations.
 * With a list the parameters `operations`, `operation_rate`, `operation_threshold`, `start_cycles`,
 * `destinations` and `destination_choice` are ignored, and only the trees of `tree` = "turned" are
 * random. With any other value of `tree` a simulation makes a single run, whatever `replications`
 * is, and every half-width is 0.
 *
 * @param operations a list on the scenario's topology with at least one operation; copied. NULL:
 *        random operations.
 * @return CN_ERR_UNSUPPORTED (the system does not take operations), CN_ERR_ARGUMENT (the list is of
 *         another topology, or empty), CN_ERR_MEMORY (the operations of the scenario are then
 *         unchanged). O(all destinations).
 */
CN_API cn_status cn_scenario_set_operations(cn_scenario *scenario, const cn_operations *operations);

/**
 * Sets the routing of the messages as an object, in place of a name. Where a name is enough,
 * cn_scenario_set_routing_name() is simpler, and the routing follows the faults of the scenario.
 *
 * Faults and routing can be set in any order, because the routing is checked when the scenario is
 * used: cn_predict(), cn_simulate() and cn_sim_open() return CN_ERR_UNSUPPORTED for a routing that
 * the system cannot run, and CN_ERR_ARGUMENT for a routing whose faults are not the faults of the
 * scenario (of its subnet where it has one).
 *
 * @param routing a routing of the scenario's topology, kept alive by the scenario. NULL: the
 *        default routing of the system, as in a new scenario, which every system accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_ARGUMENT (the routing is
 *         of another topology), CN_ERR_MEMORY (the routing of the scenario is then unchanged).
 *         O(1), or the time of cn_topology_equal().
 */
CN_API cn_status cn_scenario_set_routing(cn_scenario *scenario, const cn_routing *routing);

/**
 * Sets the routing by its name (cn_routing_kind_name()), in place of any routing set before. When
 * the scenario is used, the routing is made for its topology, faults and subnet of that time.
 *
 * "wormhole" and "cut-through" take every routing. Their default is "duato" on undamaged
 * hypercubes, k-ary n-cubes, tori and meshes, and "up-down-adaptive" on other networks. They refuse
 * a routing that may deadlock unless `unsafe` is "yes". With `unsafe` = "yes" "dimension-order" has
 * no classes of virtual channels on rings, and "duato" takes any virtual channel of any channel on
 * a shortest path: both may deadlock.
 *
 * Parameters that were never set follow their defaults when a routing or faults are set:
 * `virtual_channels` becomes the least number with which the routing works.
 *
 * The function checks only the name. cn_predict(), cn_simulate() and cn_sim_open() check whether
 * the system and the network have the routing, and return CN_ERR_UNSUPPORTED when they do not.
 *
 * @param name canonical name. NULL or "": the default routing of the system, which every system
 *        accepts.
 * @return CN_ERR_UNSUPPORTED (the system does not take a routing), CN_ERR_NOT_FOUND (no such name),
 *         CN_ERR_ARGUMENT (a routing that needs more than a name: "tree", "own"). O(1).
 */
CN_API cn_status cn_scenario_set_routing_name(cn_scenario *scenario, const char *name);

/**
 * Returns the canonical name of the routing in use: of the routing object or name that was set,
 * otherwise of the default routing of the system; "" for a system that does not take a routing, and
 * for NULL. O(1).
 */
CN_API const char *cn_scenario_routing_name(const cn_scenario *scenario);

/**
 * Resets every parameter and the seed to the defaults. The topology and all attachments stay.
 * CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_scenario_reset(cn_scenario *scenario);

/**
 * Sets the seed. All randomness of a simulation follows from it: the same scenario and seed give
 * the same messages in the same cycles, on any machine with the arithmetic that base.h asks for,
 * and for any number of threads the same bits. Half-widths are the only exception. They use the
 * math library, so their last bits may differ between machines, and with them, very rarely, the
 * batch in which `relative_precision` is met.
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_scenario_set_seed(cn_scenario *scenario, uint64_t seed);

/** Returns the seed; 0 for NULL. */
CN_API uint64_t cn_scenario_seed(const cn_scenario *scenario);

/* ---- running ---- */

/**
 * Predicts the metrics of the scenario by the analytic model of its system.
 *
 * @param control progress, limits and cancellation; may be NULL. A prediction that ends early, also
 *        at a time limit, returns CN_ERR_CANCELLED without a result.
 * @return CN_ERR_UNSUPPORTED (no model for this system, topology or variant), CN_ERR_UNSTABLE (no
 *         steady state at this load), CN_ERR_ARGUMENT (parameters that contradict each other, or
 *         the system takes `load` and it was never set), CN_ERR_DISCONNECTED (some survivors of the
 *         faults cannot reach each other, or there are fewer than two), CN_ERR_CONVERGENCE,
 *         CN_ERR_MEMORY
 */
CN_API cn_status cn_predict(const cn_scenario *scenario, const cn_control *control,
                            cn_result **result);

/**
 * Simulates the scenario: `warmup_cycles` cycles without measuring (by default as many as the
 * queues need to fill, at most a quarter of what follows), then `measure_cycles` measured cycles.
 * With `relative_precision` above 0 the run ends early when the 95 % half-widths of throughput and
 * mean delay (with broadcasts also of their mean delay) are at most this share of their values.
 * Several `replications` are separate runs of this kind, each with a seed of its own; the
 * half-widths then come from the differences between the runs, and counts of messages and cycles
 * are sums over the runs. The time of a simulation is proportional to nodes times cycles, whatever
 * the load; in continuous time (`slotted` is "no") it is proportional to the number of hops.
 *
 * A run of "collective" ends when all its operations are complete; all counts except counts of
 * messages and cycles are then means over the runs (docs/collective.md).
 *
 * A network with unlimited buffers has no steady state at a load that its channels cannot carry.
 * Such a run ends with CN_STOP_SATURATED before its queues fill the memory, even during the
 * warm-up. The result holds no delay, queue length or power, and its rates cover the measured
 * cycles.
 *
 * @param control progress in cycles, limits and cancellation; may be NULL. A run that ends early
 *        gives the result of the cycles that it measured, with CN_STOP_TIME_LIMIT (CN_OK) or
 *        CN_STOP_CANCELLED (CN_ERR_CANCELLED); of several replications the result covers the
 *        completed replications, or all replications when none is complete. When no cycle was
 *        measured there is no result, and the status is CN_ERR_CANCELLED in both cases.
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED (as for cn_predict(); a trace
 *         needs no load), CN_ERR_UNSTABLE (a load above what any network of this degree carries:
 *         one message, or one flit, per channel and cycle; not for "deflection", which refuses
 *         messages), CN_ERR_MEMORY, CN_ERR_THREAD, CN_ERR_OVERFLOW, CN_ERR_DEADLOCK (in one of the
 *         runs some messages can never move again; cn_sim_result() returns a result even then)
 */
CN_API cn_status cn_simulate(const cn_scenario *scenario, const cn_control *control,
                             cn_result **result);

/**
 * Returns a copy of the scenario of a result, as the scenario was when the model or the simulation
 * began. Messages that the caller injected into a driven simulation are no part of the scenario.
 * The result of a study has the scenario that the study applied to every fault pattern.
 * @return CN_ERR_NOT_FOUND (a study without a scenario), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_result_scenario(const cn_result *result, cn_scenario **scenario);

#ifdef __cplusplus
}
#endif

#endif
