/**
 * @file fault.h
 * Sets of faulty nodes and links, made one by one, at random or from text, and distances in the
 * damaged network. subnet.h and hierarchy.h choose the part of a damaged network to use.
 *
 * While one thread changes a set of faults, no other thread may use it; otherwise any number of
 * threads may read it.
 *
 * Source: Horng 1992, chapter 5 and 6.1.3, 6.1.4. docs/faults.md has the definitions that the
 * library uses.
 *
 * @since 1.0
 */
#ifndef CUBENET_FAULT_H
#define CUBENET_FAULT_H

#include "control.h"
#include "decision.h"
#include "interchange.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the faults of a network ---- */

/** A set of faulty nodes and links of a topology; opaque. */
typedef struct cn_faults cn_faults;

/**
 * Makes an empty set of faults.
 *
 * @param topology kept alive by the set; at most 2^30 nodes. Links can fail only if no node has
 *        more than 64 ports.
 * @return CN_ERR_UNSUPPORTED (more nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N). Memory: 1 bit per
 *         node, and 8 bytes more per node from the first faulty link on.
 */
CN_API cn_status cn_faults_new(const cn_topology *topology, cn_faults **faults);

/** Makes an independent copy. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N). */
CN_API cn_status cn_faults_copy(const cn_faults *faults, cn_faults **copy);

/** Frees the set and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_faults_free(cn_faults **faults);

/**
 * Makes a node faulty; changes nothing when the node is faulty already.
 * @return CN_ERR_ARGUMENT (no such node). O(1).
 */
CN_API cn_status cn_faults_add_node(cn_faults *faults, uint64_t node);

/**
 * Repairs a node; changes nothing when the node is not faulty. Faulty links at the node stay
 * faulty.
 * @return CN_ERR_ARGUMENT (no such node). O(1).
 */
CN_API cn_status cn_faults_remove_node(cn_faults *faults, uint64_t node);

/**
 * Makes the link at @p port of @p node faulty, in both directions if the link has two.
 * @return CN_ERR_UNSUPPORTED (a network with more than 64 ports a node), CN_ERR_ARGUMENT (no such
 *         node or port), CN_ERR_MEMORY. O(degree), for the first faulty link of the set O(N).
 */
CN_API cn_status cn_faults_add_link(cn_faults *faults, uint64_t node, uint32_t port);

/**
 * Repairs the link at @p port of @p node; changes nothing when the link is not faulty.
 * @return CN_ERR_ARGUMENT (no such node or port), CN_ERR_UNSUPPORTED (as for cn_faults_add_link()).
 *         O(degree).
 */
CN_API cn_status cn_faults_remove_link(cn_faults *faults, uint64_t node, uint32_t port);

/** Removes all faults from the set. CN_ERR_ARGUMENT for NULL. O(N). */
CN_API cn_status cn_faults_clear(cn_faults *faults);

/** Returns 1 when @p node is faulty; 0 when it works or does not exist, and for NULL. */
CN_API int cn_faults_has_node(const cn_faults *faults, uint64_t node);

/**
 * Returns 1 when the link at @p port of @p node is itself faulty, otherwise 0. A working link at a
 * faulty node does not count.
 */
CN_API int cn_faults_has_link(const cn_faults *faults, uint64_t node, uint32_t port);

/** Returns the number of faulty nodes; 0 for NULL. */
CN_API uint64_t cn_faults_node_count(const cn_faults *faults);

/** Returns the number of faulty links, faulty links at faulty nodes included; 0 for NULL. */
CN_API uint64_t cn_faults_link_count(const cn_faults *faults);

/**
 * Returns the faulty nodes in ascending order.
 * @param capacity room in @p nodes, in elements
 * @param count out: number of faulty nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N / 64 + faulty nodes).
 */
CN_API cn_status cn_faults_nodes(const cn_faults *faults, uint64_t nodes[], size_t capacity,
                                 size_t *count);

/**
 * Returns the faulty links. Each link appears once, as its lower end (the sender where links are
 * unidirectional) and the port at this end. The order is ascending by node, then by port.
 * @param capacity room in @p nodes and in @p ports, in elements
 * @param count out: number of faulty links, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N + faulty links).
 */
CN_API cn_status cn_faults_links(const cn_faults *faults, uint64_t nodes[], uint32_t ports[],
                                 size_t capacity, size_t *count);

/**
 * Changes of a network in use, for cn_subnet_update() (subnet.h) and cn_hierarchy_update()
 * (hierarchy.h). The numbers never change.
 */
typedef enum cn_change {
    CN_CHANGE_FAIL_NODE = 0,   /**< the node becomes faulty */
    CN_CHANGE_REPAIR_NODE = 1, /**< the node works again; its faulty links stay faulty */
    CN_CHANGE_FAIL_LINK = 2,   /**< the link becomes faulty, in both directions if it has two */
    CN_CHANGE_REPAIR_LINK = 3  /**< the link works again */
} cn_change;

/* ---- random faults, and the faults of a subcube ---- */

/*
 * These functions add faults to the set. Random faults hit only nodes or links that still work. The
 * result depends on the set and the arguments alone: the same seed gives the same faults on every
 * machine. Time O(N), for links O(N degree).
 */

/**
 * Makes @p count working nodes fail. All sets of so many working nodes are equally likely.
 * @return CN_ERR_ARGUMENT (fewer than @p count nodes still work)
 */
CN_API cn_status cn_faults_add_random_nodes(cn_faults *faults, uint64_t count, uint64_t seed);

/**
 * Makes every working node fail with probability @p p, independently of the others.
 * @return CN_ERR_ARGUMENT (p outside 0 .. 1)
 */
CN_API cn_status cn_faults_add_failing_nodes(cn_faults *faults, double p, uint64_t seed);

/**
 * Makes @p count working links fail. All sets of so many working links are equally likely; links at
 * faulty nodes can fail, too.
 * @return CN_ERR_ARGUMENT (fewer than @p count links still work), CN_ERR_UNSUPPORTED (as for
 *         cn_faults_add_link()), CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_add_random_links(cn_faults *faults, uint64_t count, uint64_t seed);

/**
 * Makes every working link fail with probability @p p, independently of the others.
 * @return CN_ERR_UNSUPPORTED (as for cn_faults_add_link()), CN_ERR_ARGUMENT (p outside 0 .. 1),
 *         CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_add_failing_links(cn_faults *faults, double p, uint64_t seed);

/**
 * Makes all nodes of a subcube of a Boolean cube fail, as nodes that share a power supply do.
 *
 * Every node outside the subcube has at most one neighbour in it, so the 1-degraded subnet disables
 * no further node.
 *
 * @param value the digits that are 0 or 1, as from cn_subcube_parse() (address.h)
 * @param any 1 where the digit is X
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (a bit in both words, or above
 *         dimension n - 1)
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_subcube(cn_faults *faults, uint64_t value, uint64_t any);

/* ---- faults as text ---- */

/**
 * Writes the set with its topology as JSON: an array of the faulty nodes, and an array of the
 * faulty links, each link as its two nodes. Otherwise as cn_topology_json(). O(N + characters).
 */
CN_API cn_status cn_faults_json(const cn_faults *faults, char text[], size_t capacity,
                                size_t *length);

/**
 * Makes the set that cn_faults_json() wrote, and its topology.
 * @return errors as for cn_topology_from_json(), cn_faults_new() and cn_faults_add_link()
 */
CN_API cn_status cn_faults_from_json(const char *text, const cn_control *control,
                                     cn_faults **faults);

/* ---- distances in the damaged network ---- */

/**
 * Returns the length of a shortest path around the faults, in hops; CN_UNREACHABLE (with CN_OK)
 * when there is no such path, or when @p source or @p destination is faulty. The function searches
 * the network and allocates memory for the search.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N degree).
 */
CN_API cn_status cn_faults_distance(const cn_faults *faults, uint64_t source, uint64_t destination,
                                    const cn_control *control, uint64_t *distance);

/**
 * Returns the mean distance, in hops, over all ordered pairs of distinct working nodes for which a
 * path leads from the first to the second.
 *
 * @param mean out: 0 when there is no such pair
 * @param pairs out: number of these pairs; may be NULL. With w working nodes the number is w (w-1)
 *        when the damaged network is connected, otherwise less.
 * @return CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N^2 degree).
 */
CN_API cn_status cn_faults_mean_distance(const cn_faults *faults, const cn_control *control,
                                         double *mean, uint64_t *pairs);

/**
 * Returns the number of ordered pairs of distinct working nodes for which a path leads from the
 * first to the second. With w working nodes the number is w (w-1) when the damaged network is
 * connected, otherwise less.
 *
 * @return CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N degree); O(N^2 degree) in unidirectional
 *         networks.
 */
CN_API cn_status cn_faults_reachable_pairs(const cn_faults *faults, const cn_control *control,
                                           uint64_t *pairs);

/**
 * Counts the extra hops that the faults cause: counts[x] ordered pairs of distinct working nodes
 * are x hops farther apart than in the undamaged network.
 *
 * Minimal routing that chooses at every node works for all pairs if and only if counts[0] counts
 * all pairs; a Boolean cube is then convex. In a unidirectional k-ary n-cube x is always a multiple
 * of k. x / k is the number of extra wraps, and the network is W-convex when no pair needs more
 * than W extra wraps.
 *
 * @param capacity room in @p counts, in elements
 * @param count out: the greatest x plus 1 (0 when there are no pairs), also when the capacity is
 *        too small; may be NULL
 * @param unreachable out: number of pairs without any path, which counts[] leaves out; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N^2 degree), for any topology.
 * Source: Horng 1992, 5.4.1 and 6.1.4.
 */
CN_API cn_status cn_faults_stretch_counts(const cn_faults *faults, const cn_control *control,
                                          uint64_t counts[], size_t capacity, size_t *count,
                                          uint64_t *unreachable);

/* ---- as a drawing ---- */

/**
 * Draws a damaged network as SVG, or in the DOT language, which graphviz draws ("dot -Tsvg"). The
 * labels of nodes are their addresses; the names of nodes in DOT are their numbers. Faulty nodes
 * are black, disabled nodes grey with a dashed outline, faulty links red and dashed, and working
 * links at a faulty or disabled node light grey. A key explains the colours that occur. The
 * positions of the nodes are those of cn_topology_write().
 *
 * @param format CN_FORMAT_DOT or CN_FORMAT_SVG
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_UNSUPPORTED (another format, SVG of more than CN_DRAWING_NODES
 *         nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_CANCELLED. Cost as cn_topology_write().
 */
CN_API cn_status cn_faults_draw(const cn_faults *faults, cn_format format,
                                const cn_control *control, char text[], size_t capacity,
                                size_t *length);

#ifdef __cplusplus
}
#endif

#endif
