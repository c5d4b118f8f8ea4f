/**
 * @file study.h
 * What random faults do to a network, in one call: patterns of faults are drawn, what survives is
 * built from each and measured, and the result holds means over the patterns with 95 % confidence.
 *
 *     cn_study_new(cube, &study);
 *     cn_study_set_failing(study, 0.05, 0);       what fails
 *     cn_study_keep_convex(study);                what is kept in use
 *     cn_study_set_patterns(study, 1000);
 *     cn_study_run(study, &result);
 *     cn_result_value(result, CN_METRIC_SURVIVOR_FRACTION, &share);
 *
 * A study belongs to one thread at a time while it is changed; any number of threads may run it.
 *
 * @since 0.1
 */
#ifndef CUBENET_STUDY_H
#define CUBENET_STUDY_H

#include "hierarchy.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is to fail, to be kept, and to be measured; opaque. */
typedef struct cn_study cn_study;

/**
 * A study in which nothing fails, all working nodes are kept, and paths are measured, of 100 patterns
 * on 1 thread from seed 1.
 *
 * @param topology kept alive by the study; at most 2^30 nodes
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_study_new(const cn_topology *topology, cn_study **study);

/** Gives the study up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_study_free(cn_study **study);

/* ---- what fails ---- */

/*
 * The parts of a pattern. Each call sets one of them, 0 takes it away again, and the others stay. They are
 * put together in the order in which they stand here, each drawn among what still works.
 */

/** Faults of every pattern, copied; NULL for none. CN_ERR_ARGUMENT (another topology), CN_ERR_MEMORY. O(N) */
CN_API cn_status cn_study_set_faults(cn_study *study, const cn_faults *faults);

/**
 * So many nodes fail in clusters that grow around random centers: cn_faults_add_grown_clusters().
 * CN_ERR_ARGUMENT (more nodes than there are, or centers not 1 .. nodes)
 */
CN_API cn_status cn_study_set_clusters(cn_study *study, uint64_t nodes, uint64_t centers);

/** So many nodes and links fail: cn_faults_add_random_nodes(), cn_faults_add_random_links().
 *  CN_ERR_ARGUMENT (more than there are), CN_ERR_UNSUPPORTED (links that cannot fail),
 *  CN_ERR_OVERFLOW */
CN_API cn_status cn_study_set_random(cn_study *study, uint64_t nodes, uint64_t links);

/** So many balls of nodes are bombed out: cn_faults_add_random_clusters(). CN_ERR_ARGUMENT (more than
 *  there are nodes) */
CN_API cn_status cn_study_set_bombs(cn_study *study, uint64_t count, uint32_t radius);

/** Every node and every link fails with its probability, independently:
 *  cn_faults_add_failing_nodes(), cn_faults_add_failing_links(). CN_ERR_ARGUMENT (not 0 .. 1),
 *  CN_ERR_UNSUPPORTED (links that cannot fail) */
CN_API cn_status cn_study_set_failing(cn_study *study, double node_probability,
                                      double link_probability);

/**
 * The faults of pattern @p index (0, 1, ...), as cn_study_run() uses them. They depend on the
 * topology, the parts above, the seed and the index alone.
 *
 * @return CN_ERR_ARGUMENT (the parts together want more than there is), CN_ERR_MEMORY. The cost of the
 *         functions that the parts name.
 */
CN_API cn_status cn_study_pattern(const cn_study *study, uint64_t index, cn_faults **faults);

/* ---- what is kept in use ---- */

/* The latest of these calls counts. CN_ERR_UNSUPPORTED where the builder does not know the topology,
 * CN_ERR_MEMORY: all but the first build once, without faults, to see whether it can be done, at the cost of
 * the builder. */

/** All working nodes. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_keep_working(cn_study *study);

/** The k-degraded subnet: cn_subnet_degraded(). CN_ERR_ARGUMENT. */
CN_API cn_status cn_study_keep_degraded(cn_study *study, uint32_t k, cn_link_rule link_rule);

/** The convex subnet of a Boolean cube: cn_subnet_convex(). CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_keep_convex(cn_study *study);

/**
 * The minimal subnet of a Boolean or k-ary n-cube: cn_subnet_minimal().
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_study_keep_minimal(cn_study *study);

/**
 * All working nodes of a Boolean cube in the clusters of the two-level hierarchy: cn_hierarchy_new().
 * @return CN_ERR_ARGUMENT.
 */
CN_API cn_status cn_study_keep_clusters(cn_study *study, cn_tie_rule tie_rule);

/* ---- how it is measured ---- */

/**
 * Whether mean distances and hops are measured. That takes time O(N^2 degree) a pattern, but for a
 * convex subnet, where it is O(N degree).
 * @return CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_study_set_paths(cn_study *study, int measured);

/**
 * The load that each pattern is to carry, as a scenario that is solved by its model or simulated.
 *
 * A system that routes in a subnet ("optimal-path") is given the one that is kept; one has to be kept
 * then, and cn_study_run() returns CN_ERR_ARGUMENT when it is not convex. Any other is given the faults,
 * and the disabled nodes as faulty ones. "two-level" breaks ties as CN_TIE_HEADER does.
 *
 * @param scenario on the study's topology, of a system that takes faults or a subnet; copied. Faults and
 *        subnet of its own and `threads` do not matter; the seed is another one for each pattern. NULL:
 *        no load.
 * @param simulate 1: cn_simulate(), 0: cn_predict()
 * @return CN_ERR_UNSUPPORTED (the system takes neither, or has no model or simulator),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(1).
 */
CN_API cn_status cn_study_set_scenario(cn_study *study, const cn_scenario *scenario, int simulate);

/** Number of patterns, 1 .. 2^40. CN_ERR_ARGUMENT */
CN_API cn_status cn_study_set_patterns(cn_study *study, uint64_t patterns);

/** The seed of the patterns. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_set_seed(cn_study *study, uint64_t seed);

/** Number of threads, 1 .. 1024. The result is the same, to the last bit, for any number.
 *  CN_ERR_ARGUMENT */
CN_API cn_status cn_study_set_threads(cn_study *study, uint32_t threads);

/**
 * Draws the patterns and measures them.
 *
 * Each value of the result is a mean over the patterns that have it; their number is
 * cn_result_samples(). Half-widths are those of Student's t over the patterns, and for the three shares
 * of patterns those of Wilson's interval. A metric that no pattern has is not in the result.
 *
 * - working_fraction, survivor_fraction, empty_fraction: of all patterns
 * - survivors_of_working: of patterns with a working node
 * - connected_fraction: of patterns with a survivor
 * - reachable_fraction: of patterns with two survivors or more
 * - clusters: with cn_study_keep_clusters()
 * - mean_distance: hops of shortest paths between survivors; of patterns in which some can reach
 *   others. Each pattern counts alike, whatever its number of pairs.
 * - mean_hops: the same of two-level routing, with cn_study_keep_clusters(); else that of the scenario
 * - saturated_fraction: of patterns to which the scenario was put. It is not put to those with less
 *   than two survivors, and does not count where the system finds no way between some of them
 *   (CN_ERR_DISCONNECTED)
 * - whatever else the results of the scenario hold, mean_delay first of all: of patterns that carry
 *   the load. Half-widths come from the differences between patterns.
 *
 * cn_result_system() is that of the scenario, or "study"; cn_result_is_saturated() says that none of
 * the patterns to which it was put carries the load.
 *
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_THREAD, and what the builders and the scenario fail
 *         with, as CN_ERR_UNSUPPORTED: of several patterns that fail the first one's status. Memory for each
 *         thread as of the builders. The cost of a pattern is that of cn_study_pattern(), of the builder,
 *         of the paths (cn_study_set_paths()) and of the scenario.
 * Source: Horng 1992, 5.3.3, 5.4.3, 5.5.3.
 */
CN_API cn_status cn_study_run(const cn_study *study, cn_result **result);

#ifdef __cplusplus
}
#endif

#endif
