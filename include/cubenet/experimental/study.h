/**
 * @file study.h
 * Studies: the effect of random faults on a network. A study draws fault patterns, builds the
 * surviving network for each and measures it; the result holds means over the patterns with 95 %
 * confidence intervals.
 *
 *     cn_study_new(cube, &study);
 *     cn_study_set(study, CN_STUDY_NODE_PROBABILITY, 0.05);    what fails
 *     cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX);      what is kept in use
 *     cn_study_set(study, CN_STUDY_PATTERNS, 1000);
 *     cn_study_run(study, NULL, &result);
 *     cn_result_value(result, CN_METRIC_SURVIVOR_FRACTION, &share);
 *
 * While one thread changes a study no other may use it; any number of threads may run it at once.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_STUDY_H
#define CUBENET_EXPERIMENTAL_STUDY_H

#include "../control.h"
#include "../hierarchy.h"
#include "../scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of a study: faults, the part kept in use and the measurements; opaque. */
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

/* ---- settings ---- */

/** The part of a damaged network that a study keeps in use. */
typedef enum cn_keep {
    CN_KEEP_WORKING = 0,  /**< "working": all working nodes */
    CN_KEEP_DEGRADED = 1, /**< "degraded": the k-degraded subnet, cn_subnet_degraded() */
    CN_KEEP_CONVEX = 2,   /**< "convex": the convex subnet of a Boolean cube, cn_subnet_convex() */
    /** "minimal": the minimal subnet of a Boolean or k-ary n-cube, cn_subnet_minimal() */
    CN_KEEP_MINIMAL = 3,
    /** "clusters": all working nodes of a Boolean cube, in the clusters of cn_hierarchy_new() */
    CN_KEEP_CLUSTERS = 4
} cn_keep;

/** Returns the canonical name; NULL for a number that is no cn_keep. */
CN_API const char *cn_keep_name(cn_keep keep);

/** Finds the cn_keep with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_keep_from_name(const char *name, cn_keep *keep);

/**
 * The parameters of a study, for cn_study_set().
 *
 * A fault pattern has several parts, applied in the order of the parameters: the faults of
 * cn_study_set_faults(), clusters that grow (cn_faults_add_grown_clusters()), random nodes and
 * links (cn_faults_add_random_nodes(), cn_faults_add_random_links()), bombs
 * (cn_faults_add_random_clusters()), and the nodes and links that fail independently
 * (cn_faults_add_failing_nodes(), cn_faults_add_failing_links()). Each part chooses among nodes and
 * links that still work. A part whose numbers or probabilities are 0 adds no fault.
 */
typedef enum cn_study_param {
    /**
     * "grown_nodes": nodes that fail in clusters grown around random centers.
     * Whole, 0 to 1073741824 nodes; default 0.
     */
    CN_STUDY_GROWN_NODES = 1,
    /**
     * "grown_centers": these centers, from 1 to grown_nodes if that is not 0.
     * Whole, 0 to 1073741824 nodes; default 1.
     */
    CN_STUDY_GROWN_CENTERS = 2,
    /**
     * "random_nodes": random nodes that fail.
     * Whole, 0 to 1073741824 nodes; default 0.
     */
    CN_STUDY_RANDOM_NODES = 3,
    /**
     * "random_links": random links that fail.
     * Whole, 0 to 68719476736 links; default 0.
     */
    CN_STUDY_RANDOM_LINKS = 4,
    /**
     * "bombs": random centers around which all nodes fail.
     * Whole, 0 to 1073741824 nodes; default 0.
     */
    CN_STUDY_BOMBS = 5,
    /**
     * "bomb_radius": distance from such a center up to which nodes fail.
     * Whole, 0 to 4294967295 hops; default 0.
     */
    CN_STUDY_BOMB_RADIUS = 6,
    /**
     * "node_probability": probability that a node fails, independently of the others.
     * 0 to 1; default 0.
     */
    CN_STUDY_NODE_PROBABILITY = 7,
    /**
     * "link_probability": probability that a link fails, independently of the others.
     * 0 to 1; default 0.
     */
    CN_STUDY_LINK_PROBABILITY = 8,
    /**
     * "keep": what is kept in use (cn_keep).
     * Whole, 0 to 4; default 0.
     */
    CN_STUDY_KEEP = 9,
    /**
     * "k": bad links that a node of the k-degraded subnet may have.
     * Whole, 0 to 4294967295; default 1.
     */
    CN_STUDY_K = 10,
    /**
     * "link_rule": faulty links in the k-degraded subnet (cn_link_rule).
     * Whole, 0 to 1; default 0.
     */
    CN_STUDY_LINK_RULE = 11,
    /**
     * "tie_rule": ties between clusters in two-level routing (cn_tie_rule).
     * Whole, 0 to 2; default 0.
     */
    CN_STUDY_TIE_RULE = 12,
    /**
     * "paths": whether mean distances and hops are measured.
     * Whole, 0 to 1; default 1.
     */
    CN_STUDY_PATHS = 13,
    /**
     * "patterns": patterns that are drawn.
     * Whole, 1 to 1099511627776 patterns; default 100.
     */
    CN_STUDY_PATTERNS = 14,
    /**
     * "threads": threads that share the patterns; does not affect the result.
     * Whole, 1 to 1024 threads; default 1.
     */
    CN_STUDY_THREADS = 15
} cn_study_param;

/** Returns the canonical name of a parameter; NULL for a number that is no cn_study_param. */
CN_API const char *cn_study_param_name(cn_study_param param);

/** Finds the parameter with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_study_param_from_name(const char *name, cn_study_param *param);

/** Returns the unit of a parameter, "1" for pure numbers; NULL for a number that is no
 * cn_study_param. */
CN_API const char *cn_study_param_unit(cn_study_param param);

/** Returns the meaning of a parameter in one line; NULL for a number that is no cn_study_param. */
CN_API const char *cn_study_param_meaning(cn_study_param param);

/**
 * Returns the least and greatest value that any study accepts, the default, and whether the value
 * must be a whole number. Outputs may be NULL. CN_ERR_ARGUMENT for a number that is no
 * cn_study_param.
 */
CN_API cn_status cn_study_param_range(cn_study_param param, double *least, double *greatest,
                                      double *default_value, int *whole);

/**
 * Sets one number of a study. CN_STUDY_KEEP, CN_STUDY_LINK_RULE and CN_STUDY_TIE_RULE take a value
 * of their enum.
 *
 * For CN_STUDY_KEEP the function builds the kept part once, without faults, to check that the
 * builder supports the topology. It checks the centers of clusters against the number of grown
 * nodes set so far; the check is repeated when patterns are drawn.
 *
 * @return CN_ERR_ARGUMENT (no such parameter, a value out of its range, more nodes, links or
 *         centers than there are), CN_ERR_UNSUPPORTED (links that cannot fail, a builder that does
 *         not take the topology), CN_ERR_OVERFLOW (links that cannot be counted), CN_ERR_MEMORY.
 *         O(1); for CN_STUDY_KEEP the cost of the builder.
 */
CN_API cn_status cn_study_set(cn_study *study, cn_study_param param, double value);

/**
 * Sets faults that every pattern contains; copied; NULL for none. CN_ERR_ARGUMENT (another
 * topology), CN_ERR_MEMORY. O(N).
 */
CN_API cn_status cn_study_set_faults(cn_study *study, const cn_faults *faults);

/**
 * Sets the load that each pattern carries, as a scenario to be predicted or simulated.
 *
 * A scenario that names the routing "optimal-path" uses the subnet that is kept; the study must
 * keep one, and cn_study_run() returns CN_ERR_ARGUMENT when it is not convex. Any other scenario
 * gets the faults, with disabled nodes as faulty nodes. The routing "two-level" breaks ties by
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

/** Sets the seed of the patterns. CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_study_set_seed(cn_study *study, uint64_t seed);

/* ---- results ---- */

/**
 * Returns the faults of pattern @p index (0, 1, ...) as cn_study_run() uses them. They depend only
 * on the topology, the parts, the seed and the index.
 *
 * @return CN_ERR_ARGUMENT (the parts together need more nodes or links than the network has),
 *         CN_ERR_MEMORY. Cost of the functions that the parts name.
 */
CN_API cn_status cn_study_pattern(const cn_study *study, uint64_t index, cn_faults **faults);

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
 * - clusters: with CN_KEEP_CLUSTERS
 * - mean_distance: hops of shortest paths between survivors; of patterns in which some survivors
 *   can reach others. Each pattern has the same weight, whatever its number of pairs.
 * - mean_hops: the hops of two-level routing, with CN_KEEP_CLUSTERS; otherwise mean_hops of
 *   the scenario
 * - saturated_fraction: of patterns on which the scenario was run. Patterns with fewer than two
 *   survivors, and patterns in which the system finds no path between some survivors
 *   (CN_ERR_DISCONNECTED), do not count
 * - unsettled_fraction: of patterns that carry the load, when they are simulated. Their simulation
 *   was too short for a steady state, so the delays that it adds to the means may be too small
 * - every other metric of the scenario's results, such as mean_delay: of patterns that carry the
 *   load. Half-widths come from the differences between patterns.
 *
 * cn_result_system() returns the system of the scenario, or "study" without one;
 * cn_result_is_saturated() returns 1 when none of the patterns on which the scenario was run
 * carries the load. cn_result_is_settled() returns 0 when unsettled_fraction is above 0.
 *
 * @param control progress in patterns, limits and cancellation; may be NULL. A study that ends
 *        early gives the result of its first patterns, with CN_STOP_TIME_LIMIT (CN_OK) or
 *        CN_STOP_CANCELLED (CN_ERR_CANCELLED). When the first pattern is not measured there is no
 *        result, and the status is CN_ERR_CANCELLED in both cases.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_THREAD, and the errors of the builders and the
 *         scenario, such as CN_ERR_UNSUPPORTED. When several patterns fail, it is the status of the
 *         first. Each thread needs as much memory as the builders do. The cost of a pattern is that
 *         of cn_study_pattern(), of the builder, of the paths and of the scenario. Paths take
 *         O(N^2 degree), in a convex subnet O(N degree).
 * Source: Horng 1992, 5.3.3, 5.4.3, 5.5.3.
 */
CN_API cn_status cn_study_run(const cn_study *study, const cn_control *control, cn_result **result);

/**
 * Measures a part of the patterns: a shard. cn_result_merge() makes the result of cn_study_run()
 * from all shards, as for cn_simulate_shard(). Up to 2^14 patterns can be divided in any way. More
 * patterns are divided in blocks of B patterns, where B is the least power of two with which there
 * are at most 2^14 blocks. Runs of the scenario may end by precision here: each pattern has the
 * same weight.
 *
 * @param shard 0 .. shards - 1
 * @param shards 1 .. number of patterns, or of blocks
 * @param control as for cn_study_run(), but a study that ends early has no result, and the status
 *        is CN_ERR_CANCELLED
 * @return errors as for cn_study_run(); CN_ERR_ARGUMENT also for numbers of shards that are not
 *         allowed
 */
CN_API cn_status cn_study_run_shard(const cn_study *study, uint64_t shard, uint64_t shards,
                                    const cn_control *control, cn_result **result);

/**
 * Writes the study as JSON: all its settings except the number of threads. Otherwise as
 * cn_topology_json().
 */
CN_API cn_status cn_study_json(const cn_study *study, char text[], size_t capacity, size_t *length);

/**
 * Makes the study that cn_study_json() wrote: its results have the same bits. Only the member
 * "topology" is required; all other settings are by default as in cn_study_new().
 * @return errors as for cn_scenario_from_json(), and the errors of the functions that set the same
 *         things
 */
CN_API cn_status cn_study_from_json(const char *text, const cn_control *control, cn_study **study);

#ifdef __cplusplus
}
#endif

#endif
