/**
 * @file study.h
 * Measures the effect of random faults on a network. A study draws fault patterns, builds the
 * surviving network for each and measures it; the result holds means over the patterns with 95 %
 * confidence intervals.
 *
 *     cn_study_new(cube, &study);
 *     cn_study_set_failing(study, 0.05, 0);       what fails
 *     cn_study_keep_convex(study);                what is kept in use
 *     cn_study_set_patterns(study, 1000);
 *     cn_study_run(study, NULL, &result);
 *     cn_result_value(result, CN_METRIC_SURVIVOR_FRACTION, &share);
 *
 * While one thread changes a study no other may use it; any number of threads may run it at once.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 0.1
 */
#ifndef CUBENET_EXPERIMENTAL_STUDY_H
#define CUBENET_EXPERIMENTAL_STUDY_H

#include "../control.h"
#include "../hierarchy.h"
#include "../scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What fails, what is kept in use and what is measured; opaque. */
typedef struct cn_study cn_study;

/**
 * Makes a study of 100 patterns from seed 1 on 1 thread, in which nothing fails, all working nodes
 * are kept in use, and paths are measured.
 *
 * @param topology kept alive by the study; at most 2^30 nodes
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_study_new(const cn_topology *topology, cn_study **study);

/** Frees the study and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_study_free(cn_study **study);

/* ---- what fails ---- */

/*
 * A pattern has several parts. Each call sets one part and leaves the others unchanged; 0 removes
 * the part. The parts are applied in the order of these functions, and each chooses among nodes and
 * links that still work.
 */

/**
 * Sets faults that every pattern contains; copied; NULL for none. CN_ERR_ARGUMENT (another
 * topology), CN_ERR_MEMORY. O(N).
 */
CN_API cn_status cn_study_set_faults(cn_study *study, const cn_faults *faults);

/**
 * Makes @p nodes nodes of each pattern fail in clusters that grow around @p centers random centers:
 * cn_faults_add_grown_clusters(). CN_ERR_ARGUMENT (more nodes than the network has, or centers not
 * 1 .. nodes)
 */
CN_API cn_status cn_study_set_clusters(cn_study *study, uint64_t nodes, uint64_t centers);

/**
 * Makes @p nodes random nodes and @p links random links of each pattern fail:
 * cn_faults_add_random_nodes(), cn_faults_add_random_links(). CN_ERR_ARGUMENT (more than the
 * network has), CN_ERR_UNSUPPORTED (links that cannot fail), CN_ERR_OVERFLOW
 */
CN_API cn_status cn_study_set_random(cn_study *study, uint64_t nodes, uint64_t links);

/**
 * Makes the nodes within @p radius hops of @p count random centers fail in each pattern:
 * cn_faults_add_random_clusters(). CN_ERR_ARGUMENT (more centers than nodes)
 */
CN_API cn_status cn_study_set_bombs(cn_study *study, uint64_t count, uint32_t radius);

/**
 * Makes every node and every link fail with the given probability, independently:
 * cn_faults_add_failing_nodes(), cn_faults_add_failing_links(). CN_ERR_ARGUMENT (not 0 .. 1),
 * CN_ERR_UNSUPPORTED (links that cannot fail)
 */
CN_API cn_status cn_study_set_failing(cn_study *study, double node_probability,
                                      double link_probability);

/**
 * Returns the faults of pattern @p index (0, 1, ...) as cn_study_run() uses them. They depend only
 * on the topology, the parts above, the seed and the index.
 *
 * @return CN_ERR_ARGUMENT (the parts together need more nodes or links than the network has),
 *         CN_ERR_MEMORY. Cost of the functions that the parts name.
 */
CN_API cn_status cn_study_pattern(const cn_study *study, uint64_t index, cn_faults **faults);

/* ---- what is kept in use ---- */

/*
 * The last of these calls takes effect. All but the first build the subnet or hierarchy once, without
 * faults, to check that the builder supports the topology. They take the cost of the builder, and
 * return CN_ERR_UNSUPPORTED or CN_ERR_MEMORY.
 */

/** Keeps all working nodes in use. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_keep_working(cn_study *study);

/** Keeps the k-degraded subnet: cn_subnet_degraded(). CN_ERR_ARGUMENT. */
CN_API cn_status cn_study_keep_degraded(cn_study *study, uint32_t k, cn_link_rule link_rule);

/** Keeps the convex subnet of a Boolean cube: cn_subnet_convex(). CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_keep_convex(cn_study *study);

/**
 * Keeps the minimal subnet of a Boolean or k-ary n-cube: cn_subnet_minimal().
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_study_keep_minimal(cn_study *study);

/**
 * Keeps all working nodes of a Boolean cube, in the clusters of the two-level hierarchy:
 * cn_hierarchy_new().
 * @return CN_ERR_ARGUMENT.
 */
CN_API cn_status cn_study_keep_clusters(cn_study *study, cn_tie_rule tie_rule);

/* ---- how it is measured ---- */

/**
 * Sets whether mean distances and hops are measured (1) or not (0). Measuring takes time O(N^2
 * degree) per pattern, for a convex subnet O(N degree).
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_study_set_paths(cn_study *study, int measured);

/**
 * Sets the load that each pattern carries, as a scenario to be predicted or simulated.
 *
 * A scenario that names the routing "optimal-path" uses the subnet that is kept; the study must
 * keep one, and cn_study_run() returns CN_ERR_ARGUMENT when it is not convex. Any other scenario gets
 * the faults, with disabled nodes as faulty nodes. The routing "two-level" breaks ties by
 * CN_TIE_HEADER.
 *
 * @param scenario on the study's topology, of a system that takes faults or a subnet; copied. Its
 *        own faults, subnet and `threads` are ignored; each pattern uses a different seed. NULL: no
 *        load.
 * @param simulate 1: cn_simulate(), 0: cn_predict()
 * @return CN_ERR_UNSUPPORTED (the system takes neither, or has no model or simulator),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(1).
 */
CN_API cn_status cn_study_set_scenario(cn_study *study, const cn_scenario *scenario, int simulate);

/** Sets the number of patterns, 1 .. 2^40. CN_ERR_ARGUMENT */
CN_API cn_status cn_study_set_patterns(cn_study *study, uint64_t patterns);

/** Sets the seed of the patterns. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_set_seed(cn_study *study, uint64_t seed);

/**
 * Sets the number of threads, 1 .. 1024. It does not affect the result, to the last bit.
 * CN_ERR_ARGUMENT
 */
CN_API cn_status cn_study_set_threads(cn_study *study, uint32_t threads);

/**
 * Draws the patterns and measures them.
 *
 * Each value of the result is a mean over the patterns that have the metric; cn_result_samples()
 * returns their number. Half-widths come from Student's t over the patterns; for the four shares
 * of patterns they come from Wilson's interval. A metric that no pattern has is not in the result.
 *
 * - working_fraction, survivor_fraction, empty_fraction: of all patterns
 * - survivors_of_working: of patterns with a working node
 * - connected_fraction: of patterns with a survivor
 * - reachable_fraction: of patterns with two survivors or more
 * - clusters: with cn_study_keep_clusters()
 * - mean_distance: hops of shortest paths between survivors; of patterns in which some survivors
 *   can reach others. Each pattern has the same weight, whatever its number of pairs.
 * - mean_hops: the hops of two-level routing, with cn_study_keep_clusters(); otherwise mean_hops of
 *   the scenario
 * - saturated_fraction: of patterns on which the scenario was run. Patterns with fewer than two
 *   survivors, and those in which the system finds no path between some survivors
 *   (CN_ERR_DISCONNECTED), do not count
 * - unsettled_fraction: of patterns that carry the load, when they are simulated. Their simulation was
 *   too short for a steady state, so the delays that it adds to the means may be too small
 * - every other metric of the scenario's results, such as mean_delay: of patterns that carry the
 *   load. Half-widths come from the differences between patterns.
 *
 * cn_result_system() returns the system of the scenario, or "study" without one;
 * cn_result_is_saturated() returns 1 when none of the patterns on which the scenario was run
 * carries the load. cn_result_is_settled() returns 0 when unsettled_fraction is above 0.
 *
 * @param control progress in patterns, limits and cancellation; may be NULL. A study that ends early
 *        gives the result of its first patterns, with CN_STOP_TIME_LIMIT (CN_OK) or CN_STOP_CANCELLED
 *        (CN_ERR_CANCELLED). When the first pattern is not measured there is no result, and the status
 *        is CN_ERR_CANCELLED in both cases.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_THREAD, and the errors of the builders and the
 *         scenario, such as CN_ERR_UNSUPPORTED. When several patterns fail, it is the status of the
 *         first. Each thread needs as much memory as the builders do. The cost of a pattern is that
 *         of cn_study_pattern(), of the builder, of the paths (cn_study_set_paths()) and of the
 *         scenario.
 * Source: Horng 1992, 5.3.3, 5.4.3, 5.5.3.
 */
CN_API cn_status cn_study_run(const cn_study *study, const cn_control *control, cn_result **result);

/**
 * Measures a part of the patterns: a shard, of which cn_result_merge() makes the result of cn_study_run(), as
 * cn_simulate_shard() says. Up to 2^14 patterns can be divided in any way; more of them are divided in blocks, which have
 * the least power of two of patterns with which there are at most 2^14 blocks. Runs of the scenario may end by
 * precision here: each pattern has the same weight.
 *
 * @param shard 0 .. shards - 1
 * @param shards 1 .. number of patterns, or of blocks
 * @param control as for cn_study_run(), but a study that ends early has no result, and the status is CN_ERR_CANCELLED
 * @return errors as for cn_study_run(); CN_ERR_ARGUMENT also for numbers of shards that are not allowed
 * @since 0.1
 */
CN_API cn_status cn_study_run_shard(const cn_study *study, uint64_t shard, uint64_t shards,
                                    const cn_control *control, cn_result **result);

/**
 * Writes the study as JSON: what was set of it, but not the number of threads. Otherwise as cn_topology_json().
 * @since 0.1
 */
CN_API cn_status cn_study_json(const cn_study *study, char text[], size_t capacity, size_t *length);

/**
 * Makes the study that cn_study_json() wrote: its results have the same bits. Only "topology" must be there; what is left
 * out is as cn_study_new() makes it.
 * @return errors as for cn_scenario_from_json(), and those of the functions that set the same things
 * @since 0.1
 */
CN_API cn_status cn_study_from_json(const char *text, const cn_control *control, cn_study **study);

#ifdef __cplusplus
}
#endif

#endif
