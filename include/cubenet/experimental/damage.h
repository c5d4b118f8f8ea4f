/**
 * @file damage.h
 * Clusters of faults, largest and minimal subnets, two-level routing by weights, and what monotone
 * paths reach in a damaged k-ary n-cube. The same seed gives the same faults on every machine.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_DAMAGE_H
#define CUBENET_EXPERIMENTAL_DAMAGE_H

#include "../control.h"
#include "../fault.h"
#include "../hierarchy.h"
#include "../routing.h"
#include "../subnet.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes the nodes around @p count distinct random centers fail, as cn_faults_add_around() does for
 * one; every choice of centers is equally likely.
 * @param count at most the number of nodes
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(count N degree).
 */
CN_API cn_status cn_faults_add_random_clusters(cn_faults *faults, uint64_t count, uint32_t radius,
                                               uint64_t seed);

/**
 * Makes @p count nodes fail in clusters that grow around @p centers centers. The centers fail
 * first; all sets of so many working nodes are equally likely. Then one node at a time fails, drawn
 * uniformly from the working nodes that have a neighbour that failed in this call, until @p count
 * nodes have failed. The sizes of the clusters are therefore random, and clusters may merge. When
 * older faults leave no such node, another working node becomes a center.
 *
 * @param centers 1 .. count; 0 when count is 0
 * @return CN_ERR_ARGUMENT when fewer than count nodes still work, CN_ERR_MEMORY (5 bytes per node).
 *         Time O(N + degree count), and O(N) more for each additional center.
 * Source: Horng 1992, 5.3.3 for growing clusters; Eden 1961 for the growth rule.
 */
CN_API cn_status cn_faults_add_grown_clusters(cn_faults *faults, uint64_t count, uint64_t centers,
                                              uint64_t seed);

/**
 * Counts the pairs that monotone paths can serve in a damaged k-ary n-cube. A monotone path keeps
 * to one direction in each dimension; it may go the long way round a ring and take the dimensions
 * in any order, and it always ends. counts[x] ordered pairs of distinct working nodes have a
 * monotone path that goes the long way in x dimensions, and none with fewer. counts[0] counts the
 * same pairs as counts[0] of cn_faults_stretch_counts(). Boolean and unidirectional networks have
 * only one direction per dimension.
 *
 * @param faults of a Boolean or k-ary n-cube with at most 2^12 nodes
 * @param capacity room in @p counts, in elements; n + 1 are always enough
 * @param count out: the greatest x plus 1 (0 when there are no pairs), also when the capacity is
 *        too small; may be NULL
 * @param blocked out: number of pairs without a monotone path, which counts[] leaves out; may be
 *        NULL
 * @return CN_ERR_UNSUPPORTED, CN_ERR_CAPACITY, CN_ERR_MEMORY, CN_ERR_ARGUMENT. Time O(2^n n N^2) in
 *         a bidirectional network, otherwise O(n N^2).
 * Source: Horng 1992, 6.1.4 asks for a definition of convexity on k-ary n-cubes.
 */
CN_API cn_status cn_faults_monotone_counts(const cn_faults *faults, const cn_control *control,
                                           uint64_t counts[], size_t capacity, size_t *count,
                                           uint64_t *blocked);

/**
 * Makes a cluster of nodes fail: all nodes at most @p radius hops from @p center in the undamaged
 * network.
 * @return CN_ERR_ARGUMENT (no such node), CN_ERR_MEMORY. O(N degree).
 * Source: Horng 1992, 5.3.3.
 */
CN_API cn_status cn_faults_add_around(cn_faults *faults, uint64_t center, uint32_t radius);

#define CN_OPTIMUM_DEFAULT UINT64_C(1000000) /**< default step limit of cn_subnet_optimum() */

/**
 * Makes a largest convex subnet by exhaustive search; for small cubes.
 *
 * @param faults of a Boolean cube of at most 6 dimensions
 * @param control limits of the search (control.h); may be NULL. A step is a node of the search
 *        tree; the default limit is CN_OPTIMUM_DEFAULT steps. When the search reaches a limit, the
 *        subnet is the best one found, never smaller than that of cn_subnet_convex().
 * @param upper out: no convex subnet has more survivors than this; equal to
 *        cn_subnet_survivor_count() when the search was completed. May be NULL.
 * @param used out: number of steps taken; may be NULL
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Later rebuilds and updates of the
 *         subnet use the heuristic of cn_subnet_convex().
 */
CN_API cn_status cn_subnet_optimum(const cn_faults *faults, const cn_control *control,
                                   cn_subnet **subnet, uint64_t *upper, uint64_t *used);

/**
 * Makes a subnet in which minimal routing works, for Boolean and k-ary n-cubes: every two survivors
 * are joined, in both directions, by a path of good links as long as their distance in the
 * undamaged network.
 *
 * Survivors u and v are in conflict when all channels at u that come closer to v are bad; minimal
 * routing reaches every destination if and only if there are no conflicts. While there are
 * conflicts, the node with the most conflicts is disabled, of equal ones the one with more bad
 * links, then the lowest. Finally, disabled nodes that cause no conflict are enabled again.
 *
 * On long rings this disables far more nodes than in a Boolean cube; in a Boolean cube
 * cn_subnet_convex() is faster and keeps more nodes. docs/lab/damage.md has the numbers.
 *
 * @param faults of a topology with at most 2^13 nodes and 64 ports a node
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(n N (N + n disabled)), memory
 *         N^2 bits during the call. The subnet cannot be rebuilt or updated.
 * Source: Horng 1992, 6.1.4 poses the problem.
 */
CN_API cn_status cn_subnet_minimal(const cn_faults *faults, const cn_control *control,
                                   cn_subnet **subnet);

/**
 * Makes the routing `two-level` in a hierarchy with tables of its own, whose ways to a cluster have
 * the least weight: the sum of weights of the channels, usually delays, where
 * cn_routing_two_level() counts hops. Inside the destination's cluster the weights have no effect.
 * Among the channels of an entry a message takes the channels that also bring it closer to the
 * destination, if there are any (CN_TIE_HEADER), as in cn_routing_two_level(); with all weights 1
 * and a slack below 1 both routings are the same.
 *
 * The function makes the tables anew, as the nodes would make them among themselves. In the first
 * round every working node sends its table, which has only its own cluster, to the neighbours at
 * its good links; in each further round every node does so whose table has changed. No node knows
 * more than the tables of its neighbours and the weights of its own channels.
 *
 * @param weights of the channel of port p of node v in element v n + p, 0.001 .. 1e6, also where
 *        there is no channel; NULL (count 0): all 1
 * @param count N n
 * @param slack 0 .. 1e6: an entry has all channels to neighbours of less weight by which the way to
 *        the cluster has at most this much more weight than the best; 0: the best ones alone
 * @param rounds out: number of rounds in which some node sent its table; may be NULL
 * @param messages out: number of tables sent, each to one neighbour; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED, CN_ERR_UNSUPPORTED (above 2^14 nodes),
 *         CN_ERR_MEMORY (16 bytes for each cluster and node, beside the routing), CN_ERR_CANCELLED.
 *         Time O(rounds N n clusters). The hierarchy needs no tables.
 * Source: Horng 1992, 5.5.2; McQuillan, Falk & Richer 1978 for the algorithm.
 */
CN_API cn_status cn_routing_two_level_weighted(const cn_hierarchy *hierarchy,
                                               const double weights[], size_t count, double slack,
                                               const cn_control *control, cn_routing **routing,
                                               uint64_t *rounds, uint64_t *messages);

/**
 * Makes the faults of a composed network from faults of its base: a router fails with its hosts,
 * and a link with all its relays.
 *
 * @param faults faults of the base of @p topology, or of the base of this base; faults of @p
 *        topology itself are copied
 * @param topology a network from cn_topology_with_hosts() or cn_topology_with_lengths()
 * @param carried out; free it with cn_faults_free()
 * @return CN_ERR_ARGUMENT (@p topology is not composed of the network of the faults),
 *         CN_ERR_UNSUPPORTED (links of @p topology cannot fail), CN_ERR_MEMORY
 */
CN_API cn_status cn_faults_carry(const cn_faults *faults, const cn_topology *topology,
                                 cn_faults **carried);

#ifdef __cplusplus
}
#endif

#endif
