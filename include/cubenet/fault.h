/**
 * @file fault.h
 * Damaged networks: what is broken (cn_faults), what is kept in use (cn_subnet), and how a damaged
 * hypercube is split into convex clusters (cn_hierarchy), with the routing rules of each.
 *
 * A survivor is a node that is neither faulty nor disabled. A link of a survivor is bad when the link
 * is faulty or its far end is no survivor. The status of a node's neighbours is a word: bit p is 1
 * when the link of port p is good.
 *
 * The objects here can be changed; each is for one thread at a time while it is, and for any number
 * of readers while it is not. A subnet and a hierarchy keep a copy of the faults that they were made
 * for. When a call on one of them fails for want of memory, it is as it was before.
 *
 * Source of all of it: Horng 1992, chapter 5 and 6.1.3, 6.1.4. docs/faults.md has the definitions as
 * they are used here, with the theorem behind them.
 */
#ifndef CUBENET_FAULT_H
#define CUBENET_FAULT_H

#include "routing.h"

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
 * @return CN_ERR_UNSUPPORTED (more nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY. One bit a node; 8 bytes a
 *         node more from the first faulty link on.
 */
CN_API cn_status cn_faults_new(const cn_topology *topology, cn_faults **faults);

/** A copy that lives its own life. */
CN_API cn_status cn_faults_copy(const cn_faults *faults, cn_faults **copy);

/** Gives the set up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_faults_free(cn_faults **faults);

/** Makes a node faulty; no change when it is. */
CN_API cn_status cn_faults_add_node(cn_faults *faults, uint64_t node);

/** Repairs a node; no change when it works. Faulty links at the node stay faulty. */
CN_API cn_status cn_faults_remove_node(cn_faults *faults, uint64_t node);

/**
 * Makes the link behind @p port of @p node faulty, in both directions where it has two.
 * @return CN_ERR_UNSUPPORTED (a network with more than 64 ports a node), CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_add_link(cn_faults *faults, uint64_t node, uint32_t port);

/** Repairs a link; no change when it works. */
CN_API cn_status cn_faults_remove_link(cn_faults *faults, uint64_t node, uint32_t port);

/** Repairs everything. */
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
 */
CN_API cn_status cn_faults_nodes(const cn_faults *faults, uint64_t nodes[], size_t capacity,
                                 size_t *count);

/**
 * The faulty links, each once, as the lower of its ends (its sender where links go one way) and the
 * port there; ascending by node, then by port.
 * @param capacity room in @p nodes and in @p ports, in elements
 * @param count out: how many there are, also when the capacity is too small; may be NULL
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

/** Every node fails with probability @p p, independently. */
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
 * @param value,any as of cn_subcube_parse()
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (a bit in both words, or above n - 1)
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_subcube(cn_faults *faults, uint64_t value, uint64_t any);

/**
 * A node and its surroundings are bombed out: all nodes at most @p radius hops away from @p center,
 * in the undamaged network, fail.
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_around(cn_faults *faults, uint64_t center, uint32_t radius);

/**
 * Bombs out @p count different nodes with their surroundings, every choice of centers equally
 * likely.
 * @param count at most the number of nodes
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
 */
CN_API cn_status cn_faults_text(const cn_faults *faults, char text[], size_t capacity,
                                size_t *length);

/**
 * Reads what cn_faults_text() writes, in any order. Empty lines and lines that begin with '#' are
 * skipped; the topology line may be missing, but if it is there, it has to name @p topology.
 *
 * @return CN_ERR_ARGUMENT (the sentence has the number of the line), CN_ERR_UNSUPPORTED,
 *         CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_parse(const cn_topology *topology, const char *text, cn_faults **faults);

/* ---- the damaged network as it is ---- */

/**
 * Hops of a shortest path around the faults; CN_UNREACHABLE (with CN_OK) when there is none, also
 * when one of the ends is faulty. A search, with memory for it.
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

/* ---- subnets ---- */

/** The part of a damaged network that is kept in use, made by a rule from the faults; opaque. */
typedef struct cn_subnet cn_subnet;

/** What a node is in a subnet. The numbers never change. */
typedef enum cn_node_state {
    CN_NODE_SURVIVING = 0,
    CN_NODE_FAULTY = 1,
    CN_NODE_DISABLED = 2 /**< works, but is not used */
} cn_node_state;

/** What the k-degraded subnet makes of a faulty link. The numbers never change. */
typedef enum cn_link_rule {
    CN_LINK_IS_BAD = 0, /**< one bad link for each of its ends */
    /** One of its ends is disabled first: of two working ends the one with more faulty links to
     * working nodes, of equal ones the lower. With it every 1-degraded subnet is convex. */
    CN_LINK_DISABLES_END = 1
} cn_link_rule;

/**
 * The k-degraded subnet: survivors with more than @p k bad links are disabled until there are none.
 * It is the largest set of working nodes in which each has at most k bad links, whatever the order.
 *
 * The nodes do it among themselves, in rounds: all that have too many bad links at the beginning of
 * a round disable themselves and tell those of their neighbours that still survived then, one message
 * each. cn_subnet_rounds() and cn_subnet_messages() count them.
 *
 * @param faults of a topology whose links go both ways, with at most 64 ports a node; copied
 * @param k with k at least the degree nothing is disabled (but for the link rule)
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(N + degree (faulty + disabled)).
 * Source: Horng 1992, 5.3.1.
 */
CN_API cn_status cn_subnet_degraded(const cn_faults *faults, uint32_t k, cn_link_rule link_rule,
                                    cn_subnet **subnet);

/**
 * A convex subnet of a damaged Boolean n-cube: every two survivors at Hamming distance h are joined
 * by a path of h good links. Found by a heuristic: while some survivor is unsafe
 * (cn_subnet_is_safe()), take among those with the most bad links one, and let o be the number of
 * other survivors in the subcube that its bad links span. It is disabled when o > 1. When o = 1, the one
 * of the two with fewer dead nodes within Hamming distance 2 is, of equal ones itself; of two that a
 * faulty link joins one that CN_LINK_DISABLES_END would disable. In the end disabled nodes are put back
 * as long as one of them can be added alone.
 *
 * All nodes of the 1-degraded subnet with CN_LINK_DISABLES_END survive.
 *
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT, CN_ERR_MEMORY. About 17 bytes a
 *         node, 25 with faulty links.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_convex(const cn_faults *faults, cn_subnet **subnet);

/**
 * A largest convex subnet, by exhaustive search; for small cubes.
 *
 * @param faults of a Boolean cube of at most 6 dimensions
 * @param budget how many nodes the search tree may have, at least 1. When they are used up, the
 *        subnet is the best one found, never smaller than that of cn_subnet_convex().
 * @param upper out: no convex subnet has more survivors; equal to cn_subnet_survivor_count() when the
 *        search came to its end. May be NULL.
 * @param used out: nodes of the search tree that were looked at; may be NULL
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Rebuilding and updating the subnet use
 *         the heuristic.
 */
CN_API cn_status cn_subnet_optimum(const cn_faults *faults, uint64_t budget, cn_subnet **subnet,
                                   uint64_t *upper, uint64_t *used);

/**
 * A subnet in which minimal routing works, for Boolean and k-ary n-cubes: every two survivors are joined,
 * both ways, by a path of good links as long as their distance in the undamaged network.
 *
 * Survivors u and v are in conflict when all channels at u that come closer to v are bad; minimal
 * routing never sticks exactly when no two are. While there are conflicts, the node with the most of
 * them is disabled, of equal ones that with more bad links, then the lowest. In the end disabled
 * nodes are put back that bring no conflict.
 *
 * On long rings this costs far more than in a Boolean cube, where cn_subnet_convex() is faster and
 * keeps more: docs/faults.md has the numbers.
 *
 * @param faults of a topology with at most 2^13 nodes and 64 ports a node
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(n N (N + n disabled)), memory N^2
 *         bits while it works. It cannot be rebuilt or updated.
 * Source: Horng 1992, 6.1.4 asks for it.
 */
CN_API cn_status cn_subnet_minimal(const cn_faults *faults, cn_subnet **subnet);

/**
 * The subnet in which exactly these working nodes are disabled.
 *
 * @param faults as for cn_subnet_degraded()
 * @param disabled @p count nodes; faulty ones among them stay faulty. NULL when count is 0.
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. It cannot be rebuilt or updated.
 */
CN_API cn_status cn_subnet_chosen(const cn_faults *faults, const uint64_t disabled[], size_t count,
                                  cn_subnet **subnet);

/** A copy that lives its own life. */
CN_API cn_status cn_subnet_copy(const cn_subnet *subnet, cn_subnet **copy);

/** Gives the subnet up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_subnet_free(cn_subnet **subnet);

/**
 * Makes the subnet anew, by its own rule, for other faults of the same topology. Allocates nothing
 * unless these are the first with faulty links.
 * @return CN_ERR_ARGUMENT (another topology), CN_ERR_STATE (cn_subnet_chosen(), cn_subnet_minimal()),
 *         CN_ERR_MEMORY
 */
CN_API cn_status cn_subnet_rebuild(cn_subnet *subnet, const cn_faults *faults);

/* ---- what a subnet says ---- */

/** Number of survivors; 0 for NULL. */
CN_API uint64_t cn_subnet_survivor_count(const cn_subnet *subnet);

/** Number of nodes that work but are disabled; 0 for NULL. */
CN_API uint64_t cn_subnet_disabled_count(const cn_subnet *subnet);

/** Rounds of the latest degrading, build or update; 0 for a convex subnet and for NULL. */
CN_API uint64_t cn_subnet_rounds(const cn_subnet *subnet);

/** Messages of the latest degrading, build or update; 0 for a convex subnet and for NULL. */
CN_API uint64_t cn_subnet_messages(const cn_subnet *subnet);

/** What @p node is: one of cn_node_state. */
CN_API cn_status cn_subnet_node_state(const cn_subnet *subnet, uint64_t node, cn_node_state *state);

/**
 * The survivors in ascending order.
 * @param capacity room in @p nodes, in elements
 * @param count out: how many there are, also when the capacity is too small; may be NULL
 */
CN_API cn_status cn_subnet_survivors(const cn_subnet *subnet, uint64_t nodes[], size_t capacity,
                                     size_t *count);

/**
 * The good links of a node, bit p for port p. Of a node that is no survivor: the working links to
 * survivors, which would be good if it were one.
 */
CN_API cn_status cn_subnet_neighbor_status(const cn_subnet *subnet, uint64_t node,
                                           uint64_t *status);

/**
 * Whether the subcube spanned at a survivor by all its bad links holds no other survivor.
 *
 * @param safe out: 1 or 0. All survivors are safe exactly when the subnet is convex, and exactly when
 *        the optimal-path rule never finds itself without a channel.
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (also: not a survivor). Time
 *         O(2^b) with b bad links, less when it is not safe.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_is_safe(const cn_subnet *subnet, uint64_t node, int *safe);

/** Whether every two survivors are joined by a path of good links as long as their Hamming
 * distance: 1 or 0. Errors as of cn_subnet_is_safe(). */
CN_API cn_status cn_subnet_is_convex(const cn_subnet *subnet, int *convex);

/**
 * The channels that the optimal-path rule allows at @p node to @p destination in this subnet: those that
 * come closer and are good. In a k-ary n-cube the channels of cn_route_valid() stand for the header.
 *
 * @param channels out: bit i for port i; never 0 with CN_OK
 * @return CN_DONE when node is destination, CN_ERR_DISCONNECTED (one of the two is no survivor, or no
 *         channel is left, which does not happen in a convex or minimal subnet), CN_ERR_UNSUPPORTED
 *         (neither a hypercube nor a k-ary n-cube), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_subnet_next_hops(const cn_subnet *subnet, uint64_t node, uint64_t destination,
                                     uint64_t *channels);

/* ---- faults and repairs while the subnet is in use ---- */

/*
 * A k-degraded subnet is afterwards exactly the one that cn_subnet_rebuild() would make.
 *
 * A convex subnet is afterwards convex; no node that works and is disabled could be added to it
 * alone. With thorough = 0 only what the change concerns is looked at, and the disabled nodes. With
 * thorough = 1 the subnet is also made anew, and the larger of the two is kept: never fewer survivors
 * than cn_subnet_rebuild() would leave.
 *
 * All: no change when it is so already. CN_ERR_STATE (cn_subnet_chosen(), cn_subnet_minimal()),
 * CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY.
 */

/** The node fails. */
CN_API cn_status cn_subnet_fail_node(cn_subnet *subnet, uint64_t node, int thorough);

/** The node works again. */
CN_API cn_status cn_subnet_repair_node(cn_subnet *subnet, uint64_t node, int thorough);

/** The link behind @p port of @p node fails. */
CN_API cn_status cn_subnet_fail_link(cn_subnet *subnet, uint64_t node, uint32_t port, int thorough);

/** The link behind @p port of @p node works again. */
CN_API cn_status cn_subnet_repair_link(cn_subnet *subnet, uint64_t node, uint32_t port,
                                       int thorough);

/* ---- the two-level hierarchy ---- */

/**
 * A damaged Boolean cube split into clusters: subcubes in which every two working nodes are joined by
 * an optimal path inside. Nothing is disabled. Opaque.
 */
typedef struct cn_hierarchy cn_hierarchy;

#define CN_NO_CLUSTER UINT32_MAX /**< the node is faulty */

/** Which of several equally good channels out of a cluster. The numbers never change. */
typedef enum cn_tie_rule {
    CN_TIE_HEADER = 0, /**< those that also come closer to the destination, when there are any */
    CN_TIE_ANY = 1,    /**< all of them */
    CN_TIE_LOWEST = 2  /**< the one of the lowest dimension */
} cn_tie_rule;

/**
 * Splits a damaged Boolean cube. A subcube is convex when all working nodes in it are safe, counting
 * bad links, dimensions and nodes of the subcube only. One that is not is cut in the dimension in
 * which its unsafe nodes have the most bad links, the lowest of equal ones. Subcubes without a working
 * node are dropped. With node faults only (one at least) there are at most as many clusters as faults.
 *
 * @param faults of a Boolean cube; copied
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Horng 1992, 5.5.1 and figure 5.11.
 */
CN_API cn_status cn_hierarchy_new(const cn_faults *faults, cn_hierarchy **hierarchy);

/** Gives it up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_hierarchy_free(cn_hierarchy **hierarchy);

/** Number of clusters; 0 for NULL. */
CN_API uint32_t cn_hierarchy_cluster_count(const cn_hierarchy *hierarchy);

/**
 * The address of a cluster over {0, 1, X} as two words (cn_subcube_text()), and how many working
 * nodes it has.
 * @param cluster 0 .. clusters - 1; numbers may change with a fault or repair
 * @param value,any,survivors out; each may be NULL
 */
CN_API cn_status cn_hierarchy_cluster(const cn_hierarchy *hierarchy, uint32_t cluster,
                                      uint64_t *value, uint64_t *any, uint64_t *survivors);

/** The cluster of a node; CN_NO_CLUSTER (with CN_OK) for a faulty one. */
CN_API cn_status cn_hierarchy_cluster_of(const cn_hierarchy *hierarchy, uint64_t node,
                                         uint32_t *cluster);

/**
 * Makes the routing tables: for every cluster and node the hops of a shortest path in the whole
 * damaged network to the nearest working node of the cluster. Faults and repairs keep them right.
 *
 * @return CN_ERR_MEMORY (2 bytes for each cluster and node), CN_ERR_OVERFLOW (a path of 65535 hops).
 *         Time O(clusters N n). Nothing happens when they are there.
 */
CN_API cn_status cn_hierarchy_make_tables(cn_hierarchy *hierarchy);

/**
 * The cluster routing table of a node, one entry for each cluster, its own included.
 *
 * @param values,anys out: the address of the cluster of each entry
 * @param channels out: the best channels, bit i for port i; 0 for the own cluster and for one that
 *        cannot be reached
 * @param hops out: hops to the cluster; 0 for the own one, CN_UNREACHABLE when there is no way
 * @param capacity room in each of the four arrays, in elements
 * @param count out: number of clusters, also when the capacity is too small; may be NULL
 * @return CN_ERR_STATE (no tables yet, or the node is faulty), CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_hierarchy_table(const cn_hierarchy *hierarchy, uint64_t node, uint64_t values[],
                                    uint64_t anys[], uint64_t channels[], uint64_t hops[],
                                    size_t capacity, size_t *count);

/** The good links of a node in the damaged network, bit i for port i: links that work and lead to a
 * working node. */
CN_API cn_status cn_hierarchy_neighbor_status(const cn_hierarchy *hierarchy, uint64_t node,
                                              uint64_t *status);

/**
 * The channels that the two-level rule allows at @p node to @p destination; as cn_route_two_level()
 * with the node's own table.
 *
 * @param channels out: bit i for port i; never 0 with CN_OK
 * @return CN_DONE when node is destination, CN_ERR_DISCONNECTED (one of the two is faulty, or there is
 *         no way), CN_ERR_STATE (no tables yet), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_hierarchy_next_hops(const cn_hierarchy *hierarchy, uint64_t node,
                                        uint64_t destination, cn_tie_rule tie_rule,
                                        uint64_t *channels);

/**
 * The mean number of hops of two-level routing over all ordered pairs of different working nodes that
 * can reach each other, each allowed channel being taken with equal probability.
 *
 * @param mean out: 0 when there is no such pair
 * @param pairs out: number of those pairs; may be NULL
 * @return CN_ERR_STATE (no tables yet), CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(N^2 n).
 * Source: Horng 1992, 5.5.3.
 */
CN_API cn_status cn_hierarchy_mean_hops(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                        double *mean, uint64_t *pairs);

/*
 * Faults and repairs. Only the cluster that is hit is split again; then convex siblings are merged
 * from there upwards. Clusters are convex and part the working nodes, as a new hierarchy's do, but
 * need not be the same. Tables, when there are any, are exactly what they would be if made anew.
 * No change when it is so already. CN_ERR_ARGUMENT, CN_ERR_MEMORY. CN_ERR_OVERFLOW: the tables are
 * gone, all else is done.
 * Source: Horng 1992, 6.1.3.
 */

/** The node fails. */
CN_API cn_status cn_hierarchy_fail_node(cn_hierarchy *hierarchy, uint64_t node);

/** The node works again. */
CN_API cn_status cn_hierarchy_repair_node(cn_hierarchy *hierarchy, uint64_t node);

/** The link behind @p port of @p node fails. */
CN_API cn_status cn_hierarchy_fail_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port);

/** The link behind @p port of @p node works again. */
CN_API cn_status cn_hierarchy_repair_link(cn_hierarchy *hierarchy, uint64_t node, uint32_t port);

/* ---- as a drawing ---- */

/*
 * Text in the DOT language, which graphviz draws: "dot -Tsvg". Nodes are named by their numbers and labelled
 * with their addresses. Faulty nodes are black, disabled ones grey with a dashed rim, faulty links red
 * and dashed, links that are bad because an end is dead light grey. A Boolean cube of at most 8
 * dimensions has places for its nodes, unless it is drawn in clusters.
 *
 * All: capacity is the room in text, the NUL included; length, which may be NULL, is the number of
 * characters without it, also when the capacity is too small. CN_ERR_CAPACITY, CN_ERR_ARGUMENT.
 */

/** A damaged network. */
CN_API cn_status cn_faults_dot(const cn_faults *faults, char text[], size_t capacity,
                               size_t *length);

/** A subnet in its damaged network. */
CN_API cn_status cn_subnet_dot(const cn_subnet *subnet, char text[], size_t capacity,
                               size_t *length);

/** A damaged cube with its clusters: a box, labelled with the address of the cluster, around the
 *  working nodes of each; links between clusters are blue. */
CN_API cn_status cn_hierarchy_dot(const cn_hierarchy *hierarchy, char text[], size_t capacity,
                                  size_t *length);

/* ---- the decisions of one node, as pure functions ---- */

/**
 * The optimal-path rule: of the channels that the header asks for, those whose link is good. Any of
 * them may be taken. For Boolean cubes.
 *
 * @param header cn_topology_header(): node xor destination
 * @param neighbor_status bit i is 1 when the link of port i is good
 * @param channels out: header & neighbor_status; untouched unless CN_OK
 * @return CN_DONE for header 0 (arrived), CN_ERR_DISCONNECTED when none is left: the destination is
 *         dead, or the subnet is not convex. Drop the message; it cannot get there by this rule.
 * Source: Horng 1992, 5.3.2 and figure 5.4.
 */
CN_API cn_status cn_route_optimal_path(uint64_t header, uint64_t neighbor_status,
                                       uint64_t *channels);

/**
 * The two-level rule: inside the destination's cluster the optimal-path rule, outside the channels of
 * the cluster's entry in the node's table. For Boolean cubes.
 *
 * @param node,destination the current and the last node
 * @param neighbor_status of the node in the damaged network (cn_hierarchy_neighbor_status())
 * @param values,anys,table_channels the table of the node (cn_hierarchy_table()), @p count entries
 * @param tie_rule which of the entry's channels
 * @param channels out: the channels that may be taken; untouched unless CN_OK
 * @return CN_DONE (arrived), CN_ERR_DISCONNECTED (no entry holds the destination, or its entry has no
 *         channel), CN_ERR_ARGUMENT. O(count).
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_route_two_level(uint64_t node, uint64_t destination, uint64_t neighbor_status,
                                    const uint64_t values[], const uint64_t anys[],
                                    const uint64_t table_channels[], size_t count,
                                    cn_tie_rule tie_rule, uint64_t *channels);

#ifdef __cplusplus
}
#endif

#endif
