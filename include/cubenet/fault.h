/**
 * @file fault.h
 * What is broken in a network: sets of faulty nodes and links, by hand, at random or as text, and what
 * is left of the network as it is. What to keep in use of it: subnet.h and hierarchy.h.
 *
 * A set of faults can be changed; it is for one thread at a time while it is, and for any number of
 * readers while it is not.
 *
 * Source: Horng 1992, chapter 5 and 6.1.3, 6.1.4. docs/faults.md has the definitions as they are used
 * here.
 *
 * @since 0.1
 */
#ifndef CUBENET_FAULT_H
#define CUBENET_FAULT_H

#include "decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the faults of a network ---- */

/** A set of faulty nodes and links of a topology; opaque. */
typedef struct cn_faults cn_faults;

/**
 * An empty set of faults.
 *
 * @param topology kept alive by the set; at most 2^30 nodes. Links can fail where no node has more
 *        than 64 ports.
 * @return CN_ERR_UNSUPPORTED (more nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N): one bit a node; 8 bytes
 *         a node more from the first faulty link on.
 */
CN_API cn_status cn_faults_new(const cn_topology *topology, cn_faults **faults);

/** A copy that lives its own life. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N). */
CN_API cn_status cn_faults_copy(const cn_faults *faults, cn_faults **copy);

/** Gives the set up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_faults_free(cn_faults **faults);

/** Makes a node faulty; no change when it is. CN_ERR_ARGUMENT (no such node). O(1). */
CN_API cn_status cn_faults_add_node(cn_faults *faults, uint64_t node);

/**
 * Repairs a node; no change when it works. Faulty links at the node stay faulty.
 * @return CN_ERR_ARGUMENT (no such node). O(1).
 */
CN_API cn_status cn_faults_remove_node(cn_faults *faults, uint64_t node);

/**
 * Makes the link behind @p port of @p node faulty, in both directions where it has two.
 * @return CN_ERR_UNSUPPORTED (a network with more than 64 ports a node), CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY. O(degree), the first faulty link O(N).
 */
CN_API cn_status cn_faults_add_link(cn_faults *faults, uint64_t node, uint32_t port);

/** Repairs a link; no change when it works. CN_ERR_ARGUMENT (no such node or port), CN_ERR_UNSUPPORTED as
 *  for cn_faults_add_link(). O(degree). */
CN_API cn_status cn_faults_remove_link(cn_faults *faults, uint64_t node, uint32_t port);

/** Repairs everything. CN_ERR_ARGUMENT for NULL. O(N). */
CN_API cn_status cn_faults_clear(cn_faults *faults);

/** 1 when @p node is faulty; 0 when not, when there is no such node, or for NULL. */
CN_API int cn_faults_has_node(const cn_faults *faults, uint64_t node);

/** 1 when the link itself is in the set (a good link at a faulty node is not), else 0. */
CN_API int cn_faults_has_link(const cn_faults *faults, uint64_t node, uint32_t port);

/** Number of faulty nodes; 0 for NULL. */
CN_API uint64_t cn_faults_node_count(const cn_faults *faults);

/** Number of faulty links, those at faulty nodes included; 0 for NULL. */
CN_API uint64_t cn_faults_link_count(const cn_faults *faults);

/**
 * The faulty nodes in ascending order.
 * @param capacity room in @p nodes, in elements
 * @param count out: how many there are, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N / 64 + faulty nodes).
 */
CN_API cn_status cn_faults_nodes(const cn_faults *faults, uint64_t nodes[], size_t capacity,
                                 size_t *count);

/**
 * The faulty links, each once, as the lower of its ends (its sender where links go one way) and the
 * port there; ascending by node, then by port.
 * @param capacity room in @p nodes and in @p ports, in elements
 * @param count out: how many there are, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N + faulty links).
 */
CN_API cn_status cn_faults_links(const cn_faults *faults, uint64_t nodes[], uint32_t ports[],
                                 size_t capacity, size_t *count);

/* ---- random faults ---- */

/*
 * All of them add to what is there, look only at what still works, and depend on the arguments alone:
 * the same seed gives the same faults everywhere. Time O(N), for links O(N degree).
 */

/**
 * @p count nodes fail, every choice equally likely.
 * @return CN_ERR_ARGUMENT when fewer still work
 */
CN_API cn_status cn_faults_add_random_nodes(cn_faults *faults, uint64_t count, uint64_t seed);

/** Every node fails with probability @p p, independently. CN_ERR_ARGUMENT (p not 0 .. 1). O(N). */
CN_API cn_status cn_faults_add_failing_nodes(cn_faults *faults, double p, uint64_t seed);

/**
 * @p count links fail, every choice equally likely. Links at faulty nodes are among them.
 * @return CN_ERR_ARGUMENT when fewer still work, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_add_random_links(cn_faults *faults, uint64_t count, uint64_t seed);

/** Every link fails with probability @p p, independently. CN_ERR_UNSUPPORTED, CN_ERR_MEMORY */
CN_API cn_status cn_faults_add_failing_links(cn_faults *faults, double p, uint64_t seed);

/**
 * A subcube fails: all its nodes, as when they share a power supply. For Boolean cubes.
 *
 * Every other node has at most one neighbour in it, so the 1-degraded subnet loses nothing more.
 *
 * @param value digits that are 0 or 1, as of cn_subcube_parse()
 * @param any digits that are X
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (a bit in both words, or above n - 1)
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_subcube(cn_faults *faults, uint64_t value, uint64_t any);

/**
 * A node and its surroundings are bombed out: all nodes at most @p radius hops away from @p center,
 * in the undamaged network, fail.
 * @return CN_ERR_ARGUMENT (no such node), CN_ERR_MEMORY. O(N degree).
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_around(cn_faults *faults, uint64_t center, uint32_t radius);

/**
 * Bombs out @p count different nodes with their surroundings, every choice of centers equally
 * likely.
 * @param count at most the number of nodes
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(count N degree).
 */
CN_API cn_status cn_faults_add_random_clusters(cn_faults *faults, uint64_t count, uint32_t radius,
                                               uint64_t seed);

/**
 * @p count nodes fail in clusters that grow around @p centers of them. The centers, working nodes with
 * every choice equally likely, fail first; then, one by one, a node out of all the working nodes that
 * are neighbours of what has failed in this call, each equally likely, until @p count have failed. So
 * the sizes of the clusters are random, and clusters may grow together. Where older faults wall them
 * in, another working node becomes a center.
 *
 * @param centers 1 .. count; 0 when count is 0
 * @return CN_ERR_ARGUMENT when fewer than count nodes still work, CN_ERR_MEMORY: 5 bytes a node.
 *         Time O(N + degree count), and O(N) more whenever they are walled in.
 * Source: Horng 1992, 5.3.3 has the notion; the way of growing is that of Eden 1961.
 */
CN_API cn_status cn_faults_add_grown_clusters(cn_faults *faults, uint64_t count, uint64_t centers,
                                              uint64_t seed);

/* ---- faults as text ---- */

/**
 * Writes the set as lines: "topology NAME", "node ADDRESS" for each faulty node, "link ADDRESS
 * ADDRESS" for each faulty link, in the order of cn_faults_nodes() and cn_faults_links().
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N + characters).
 */
CN_API cn_status cn_faults_text(const cn_faults *faults, char text[], size_t capacity,
                                size_t *length);

/**
 * Reads what cn_faults_text() writes, in any order. Empty lines and lines that begin with '#' are
 * skipped; the topology line may be missing, but if it is there, it has to name @p topology or one
 * that is equal to it. ("edges(9,12)" names every list of 12 edges of 9 nodes.)
 *
 * @return CN_ERR_ARGUMENT (the sentence has the number of the line), CN_ERR_UNSUPPORTED,
 *         CN_ERR_MEMORY. O(N + characters), and O(degree) a link.
 */
CN_API cn_status cn_faults_parse(const cn_topology *topology, const char *text, cn_faults **faults);

/* ---- the damaged network as it is ---- */

/**
 * Hops of a shortest path around the faults; CN_UNREACHABLE (with CN_OK) when there is none, also
 * when one of the ends is faulty. A search, with memory for it.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N degree).
 */
CN_API cn_status cn_faults_distance(const cn_faults *faults, uint64_t source, uint64_t destination,
                                    uint64_t *distance);

/**
 * The mean distance over all ordered pairs of different working nodes that can reach each other.
 *
 * @param mean out: 0 when there is no such pair
 * @param pairs out: number of those pairs; may be NULL. Fewer than w (w-1), with w working nodes: the
 *        network is disconnected.
 * @return CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N^2 degree).
 */
CN_API cn_status cn_faults_mean_distance(const cn_faults *faults, double *mean, uint64_t *pairs);

/**
 * The number of ordered pairs of different working nodes that can reach each other; w (w-1), with w
 * working nodes, when the damaged network is connected.
 *
 * @return CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N degree), where links go one way O(N^2 degree).
 */
CN_API cn_status cn_faults_reachable_pairs(const cn_faults *faults, uint64_t *pairs);

/**
 * How many hops the faults cost: counts[x] ordered pairs of different working nodes are x hops farther
 * apart than in the undamaged network.
 *
 * Minimal routing with a choice at every node works for all pairs exactly when all of them are in
 * counts[0]; in a Boolean cube that is convexity. In a one-way k-ary n-cube x is always a multiple of
 * k: x / k is the number of extra wraps, and the network is W-convex when none is above W.
 *
 * @param capacity room in @p counts, in elements
 * @param count out: greatest x and 1 more (0 without pairs), also when the capacity is too small; may
 *        be NULL
 * @param unreachable out: pairs without any way, in no count; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N^2 degree), for any topology.
 * Source: Horng 1992, 5.4.1 and 6.1.4.
 */
CN_API cn_status cn_faults_stretch_counts(const cn_faults *faults, uint64_t counts[],
                                          size_t capacity, size_t *count, uint64_t *unreachable);

/**
 * What paths that keep to one direction in each dimension can do in a damaged k-ary n-cube. Such a path
 * may go the long way round a ring; it is monotone, so it ends, and orders of dimensions are free.
 * counts[x] ordered pairs of different working nodes have a monotone path with x dimensions gone the
 * long way, and none with fewer; those in counts[0] are those of counts[0] of
 * cn_faults_stretch_counts(). In Boolean and one-way networks there is only the one direction.
 *
 * @param faults of a Boolean or k-ary n-cube with at most 2^12 nodes
 * @param capacity room in @p counts, in elements; n + 1 are always enough
 * @param count out: greatest x and 1 more (0 without pairs), also when the capacity is too small; may
 *        be NULL
 * @param blocked out: pairs without a monotone path, in no count; may be NULL
 * @return CN_ERR_UNSUPPORTED, CN_ERR_CAPACITY, CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(2^n n N^2) in a
 *         two-way network, else O(n N^2).
 * Source: Horng 1992, 6.1.4 asks for a definition of convexity on k-ary n-cubes.
 */
CN_API cn_status cn_faults_monotone_counts(const cn_faults *faults, uint64_t counts[],
                                           size_t capacity, size_t *count, uint64_t *blocked);

/* ---- as a drawing ---- */

/**
 * A damaged network as text in the DOT language, which graphviz draws: "dot -Tsvg". Nodes are named by
 * their numbers and labelled with their addresses. Faulty nodes are black, disabled ones grey with a
 * dashed rim, faulty links red and dashed, links that are bad because an end is dead light grey. A
 * Boolean cube of at most 8 dimensions has places for its nodes, unless it is drawn in clusters.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: number of characters without it, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(N degree).
 */
CN_API cn_status cn_faults_dot(const cn_faults *faults, char text[], size_t capacity,
                               size_t *length);

#ifdef __cplusplus
}
#endif

#endif
