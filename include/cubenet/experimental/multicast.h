/**
 * @file multicast.h
 * Multicast on the balanced trees of symmetric generalized hypercubes and Boolean cubes, hop by
 * hop, their spanning graph, and a check that trees have no channel in common.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_MULTICAST_H
#define CUBENET_EXPERIMENTAL_MULTICAST_H

#include "../control.h"
#include "../tree.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CN_NO_GROUP UINT32_MAX /**< group of a destination that is the current node */

/**
 * Returns the next node on the path of a multicast message from @p source to @p destination, which
 * follows the balanced spanning tree of the source (cn_tree_balanced(), tree.h).
 *
 * The rule translates @p current and @p destination so that the source becomes node 0. Let d be the
 * displacement of the translated destination. The rule compares the digits of the two, from index d
 * mod n, counted from the left, cyclically to the right. The hop corrects the first digit in which
 * they differ. A message that has left the tree still takes a shortest path to its destination.
 *
 * @param topology a symmetric generalized hypercube or a Boolean cube; any of its nodes may be
 *        given
 * @param next out: a neighbour of @p current, one hop closer to @p destination; untouched when the
 *        message has arrived
 * @return CN_DONE when current is the destination, CN_ERR_UNSUPPORTED (another topology),
 *         CN_ERR_ARGUMENT. Cost of a displacement (necklace.h): O(n).
 * Source: Ziavras & Krishnamurthy 1999, 5.2.2.
 */
CN_API cn_status cn_route_multicast_next_hop(const cn_topology *topology, uint64_t source,
                                             uint64_t current, uint64_t destination,
                                             uint64_t *next);

/**
 * Groups the destinations of a multicast message by the child of @p current on the path to each
 * destination, so that one copy of the message per child is enough ("clubbing").
 *
 * @param destinations count elements, in any order; may contain a node twice, and @p current
 * @param group_of out, count elements: the group of each destination; CN_NO_GROUP for a destination
 *        that is @p current. May be NULL.
 * @param children out: children[g] is the node to which the copy for group g goes. Groups are
 *        numbered in the order in which their first destinations appear.
 * @param sizes out: sizes[g] is the number of destinations in group g; may be NULL
 * @param capacity room in @p children and @p sizes, in elements; at least the lesser of @p count
 *        and the degree
 * @param groups out: number of groups; with CN_ERR_CAPACITY the capacity that is needed
 * @return CN_ERR_UNSUPPORTED, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. Time O(count (n + groups)).
 * Source: Ziavras & Krishnamurthy 1999, 5.2.1.
 */
CN_API cn_status cn_route_multicast_groups(const cn_topology *topology, uint64_t source,
                                           uint64_t current, const uint64_t destinations[],
                                           size_t count, uint32_t group_of[], uint64_t children[],
                                           uint64_t sizes[], size_t capacity, size_t *groups);

/**
 * Returns the parents of @p node in the spanning graph BSG, which is the balanced tree with every
 * short necklace unfolded. A node v of period P appears n (k-1) / P times: once in each root
 * subtree i with i = D(v) mod P, where D(v) is its displacement. In each of these subtrees it has a
 * parent by the rule of the balanced tree with i in place of D(v). All root subtrees therefore have
 * the same size, one node for each necklace. The first parent is the parent in the balanced tree.
 * The root has no parents: the count is 0.
 *
 * @param root any node
 * @param parents out, in the order of the subtrees
 * @param subtrees out: the number i of the root subtree of each parent; may be NULL
 * @param capacity room in each of the two, in elements; n is always enough
 * @param count out: number of parents, also when the capacity is too small; may be NULL
 * @return CN_ERR_UNSUPPORTED (topologies without necklaces), CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 * Source: Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_spanning_graph_parents(const cn_topology *topology, uint64_t root,
                                           uint64_t node, uint64_t parents[], uint64_t subtrees[],
                                           size_t capacity, size_t *count);

/**
 * Checks that trees of the same topology and root have no channel in common. The two directions of
 * a link are two channels.
 *
 * @param trees @p count trees
 * @param node out: CN_NO_NODE when they have no channel in common; otherwise a node that two of
 *        them reach over the same channel
 * @return CN_ERR_ARGUMENT (different topologies or roots). Time O(N count^2) times the cost of
 *         finding a parent.
 */
CN_API cn_status cn_tree_common_channel(const cn_tree *const trees[], size_t count, uint64_t *node);

#ifdef __cplusplus
}
#endif

#endif
