/**
 * @file tree.h
 * Spanning trees: those of generalized hypercubes and Boolean cubes, breadth-first trees and trees
 * given by their parents in any topology.
 *
 * The trees of generalized hypercubes and Boolean cubes are rules, not lists: they take a few bytes
 * in every network, and their queries compute the results. Such a tree rooted at s is the tree
 * rooted at node 0 translated by s (cn_topology_translate()). The trees of any topology are stored:
 * 20 bytes for each node, and their queries look the results up. No query allocates memory.
 * cn_tree_arrays() writes a whole tree into arrays.
 *
 * A message follows the tree from the root outwards: an edge is the channel from parent to child.
 *
 * @since 0.1
 */
#ifndef CUBENET_TREE_H
#define CUBENET_TREE_H

#include "control.h"
#include "interchange.h"
#include "necklace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A spanning tree of a topology, with its root; opaque. Immutable. */
typedef struct cn_tree cn_tree;

/* ---- families ---- */

/**
 * Makes the balanced spanning tree BST of a symmetric generalized hypercube or Boolean cube. All
 * paths from the root are shortest paths, and the n (k-1) subtrees at the root are about equally
 * large: subtree i has the nodes of displacement i (necklace.h), one for each necklace of more than
 * i nodes.
 *
 * With D(v) the displacement of node v, the parent for root 0 follows from this rule: go left
 * cyclically from the index before D(v) mod n, counted from the left, and clear the first nonzero
 * digit. A child fills one of the zeros that lie cyclically between the last nonzero digit and
 * index D(v) mod n, and has the same displacement. The children are numbered from the zero that is
 * leftmost in the generator, and those of one zero by its digit in the generator: k-1, 1, 2, ...,
 * k-2. Child i of the root has displacement i.
 *
 * @param root any node
 * @return CN_ERR_UNSUPPORTED (another topology), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Fragopoulou, Akl & Meijer 1996, in Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_tree_balanced(const cn_topology *topology, uint64_t root, cn_tree **tree);

/**
 * Makes the spanning binomial tree of a Boolean cube with a base dimension: the root sends in
 * dimensions base, base+1, ..., base+n-1 (mod n), and a node that received the message in one
 * dimension sends in those that come later in this order. Child i of the root is its neighbour in
 * dimension base + i (mod n), with 2^(n-1-i) nodes in its subtree. All paths from the root are
 * shortest paths.
 *
 * @param root any node
 * @param base 0 .. n-1
 * @return CN_ERR_UNSUPPORTED (not a Boolean cube), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Abraham & Padmanabhan 1989, as used by Shahrabi 2001, 2.
 */
CN_API cn_status cn_tree_binomial(const cn_topology *topology, uint64_t root, uint32_t base,
                                  cn_tree **tree);

/**
 * Makes one of n spanning trees of the Boolean cube that have the same root and no channel in
 * common.
 *
 * Tree j: the root has one child, its neighbour in dimension j. That child is the root of a
 * binomial tree, with dimensions in the order j+1, j+2, ..., j+n-1 (mod n), of all nodes across
 * dimension j from the root. Each node of the binomial tree except its root has as its last child
 * its neighbour in dimension j, a leaf. Height n + 1 (1 for n = 1). The n trees together use every
 * channel except those into the root.
 *
 * @param root any node
 * @param index j, 0 .. n-1
 * @return CN_ERR_UNSUPPORTED (not a Boolean cube), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Johnsson & Ho 1989, "Optimum broadcasting and personalized communication in hypercubes".
 */
CN_API cn_status cn_tree_edge_disjoint(const cn_topology *topology, uint64_t root, uint32_t index,
                                       cn_tree **tree);

/**
 * Makes the tree with these parents, in any topology, one with one-way links included. The children
 * of a node are in the order of the ports that lead to them. A channel is used from parent to
 * child; where several lead to the child, the one of the lowest port.
 *
 * @param root any node; parents[root] is CN_NO_NODE
 * @param parents the parent of every node; copied
 * @param count elements in @p parents; exactly N
 * @return CN_ERR_ARGUMENT when it is no spanning tree: the error sentence names a node and what is
 *         wrong with it (cn_tree_validate()). CN_ERR_UNSUPPORTED (more than 2^27 nodes or 2^31
 *         channels), CN_ERR_MEMORY. Time O(N degree); memory 20 bytes per node, and on the way 12
 *         more and 4 per channel.
 */
CN_API cn_status cn_tree_from_parents(const cn_topology *topology, uint64_t root,
                                      const uint64_t parents[], size_t count,
                                      const cn_control *control, cn_tree **tree);

/**
 * Makes the breadth-first spanning tree of any topology. Starting with the root, the nodes take
 * their turns in the order in which they were reached, and each reaches the nodes not yet reached
 * to which its ports lead, in ascending order of the ports. All paths from the root are shortest
 * paths. The children of a node are in the order of the ports.
 *
 * @param root any node
 * @return CN_ERR_DISCONNECTED (a node that cannot be reached from the root; the sentence names
 *         one), CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (more than 2^27 nodes or 2^31 channels),
 *         CN_ERR_MEMORY. Time O(channels); memory as for cn_tree_from_parents().
 */
CN_API cn_status cn_tree_breadth_first(const cn_topology *topology, uint64_t root,
                                       const cn_control *control, cn_tree **tree);

/** Frees the tree and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_tree_free(cn_tree **tree);

/* ---- queries; O(n) each, O(1) in stored trees, unless their comment says otherwise ---- */

/** Returns the root; CN_NO_NODE for NULL. */
CN_API uint64_t cn_tree_root(const cn_tree *tree);

/**
 * Returns the parent of @p node; CN_NO_NODE (with CN_OK) for the root. In a balanced tree it costs
 * as much as a displacement (necklace.h).
 * @return CN_ERR_ARGUMENT (no such node).
 */
CN_API cn_status cn_tree_parent(const cn_tree *tree, uint64_t node, uint64_t *parent);

/**
 * Returns the parents of many nodes: parents[i] of nodes[i], as cn_tree_parent(). cn_tree_arrays()
 * gives those of all.
 * @param count elements in each of the two arrays, which may be the same
 * @return CN_ERR_ARGUMENT (the sentence names the index of the bad node, and what comes before it
 *         is filled), CN_ERR_CANCELLED. O(n count), in stored trees O(count).
 */
CN_API cn_status cn_tree_parents(const cn_tree *tree, const uint64_t nodes[], size_t count,
                                 const cn_control *control, uint64_t parents[]);

/**
 * Returns the depth of @p node: the number of hops from the root along the tree. CN_ERR_ARGUMENT
 * (no such node).
 */
CN_API cn_status cn_tree_depth(const cn_tree *tree, uint64_t node, uint64_t *depth);

#define CN_TREE_MOST_COUNTED_LOG2 18 /**< nodes or digits are counted one by one up to 2^18 */

/**
 * Returns the number of children. In a balanced tree O(n) for each zero that a child may fill;
 * where the zeros of the child form a periodic pattern, each of the k-1 digits is tried, O(n) or
 * more.
 * @return CN_ERR_UNSUPPORTED when more than 2^CN_TREE_MOST_COUNTED_LOG2 digits would have to be
 *         tried
 */
CN_API cn_status cn_tree_child_count(const cn_tree *tree, uint64_t node, uint64_t *count);

/**
 * Returns all children in their order. Cost as for cn_tree_child_count().
 * @param capacity room in @p children, in elements
 * @param count out: number of children, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, and errors as for cn_tree_child_count()
 */
CN_API cn_status cn_tree_children(const cn_tree *tree, uint64_t node, uint64_t children[],
                                  size_t capacity, size_t *count);

/**
 * Returns the number of nodes in the subtree of @p node, the node included. In a balanced tree the
 * root and its children have closed forms; other subtrees are counted node by node, at the cost of
 * finding the children of each.
 * @return CN_ERR_UNSUPPORTED when more than 2^CN_TREE_MOST_COUNTED_LOG2 nodes would have to be
 *         counted
 */
CN_API cn_status cn_tree_subtree_size(const cn_tree *tree, uint64_t node, uint64_t *size);

/**
 * Returns the path from the root to @p node, both included: depth + 1 nodes.
 * @param capacity room in @p nodes, in elements
 * @param count out: nodes on the path, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. Costs as much as finding the parent of each node on the
 *         path.
 */
CN_API cn_status cn_tree_path(const cn_tree *tree, uint64_t node, uint64_t nodes[], size_t capacity,
                              size_t *count);

/**
 * Returns the whole tree as arrays: parents[v] is the parent of node v, CN_NO_NODE for the root;
 * the children of v in their order are children[first[v]] to children[first[v+1] - 1].
 *
 * @param parents room for @p capacity elements
 * @param first NULL, or room for @p capacity + 1 elements
 * @param children NULL (if and only if @p first is), or room for @p capacity elements; N-1 are used
 * @param capacity room in @p parents, in elements
 * @param count out: N, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. Time O(N) times the cost of parent and children.
 */
CN_API cn_status cn_tree_arrays(const cn_tree *tree, uint64_t parents[], uint64_t first[],
                                uint64_t children[], size_t capacity, size_t *count);

/* ---- as a drawing ---- */

/**
 * Draws the network of a tree, as CN_FORMAT_SVG or in the DOT language, which graphviz draws ("dot
 * -Tsvg"). Nodes are labelled with their addresses, and lie as in cn_topology_write(); in DOT they
 * are named by their numbers. The edges of the tree are blue, all other links light grey and
 * dashed, and the root is orange; a key says so.
 *
 * @param format CN_FORMAT_DOT or CN_FORMAT_SVG
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_UNSUPPORTED (another format, SVG of more than CN_DRAWING_NODES
 *         nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_CANCELLED. Cost as cn_topology_write(),
 *         and up to two calls of cn_tree_parent() for each port.
 */
CN_API cn_status cn_tree_draw(const cn_tree *tree, cn_format format, const cn_control *control,
                              char text[], size_t capacity, size_t *length);

/* ---- a check of any tree ---- */

/**
 * Checks that @p parents is a spanning tree of @p topology: every node except the root has a parent
 * with a channel to it, and the chain of parents of every node leads to the root. For any topology.
 *
 * @param root any node; parents[root] is CN_NO_NODE
 * @param count elements in @p parents; exactly N
 * @param height out: greatest depth; may be NULL
 * @param shortest out: 1 when every path from the root is a shortest path, otherwise 0; may be NULL
 * @return CN_ERR_ARGUMENT when it is no spanning tree: the error sentence names a node and what is
 *         wrong with it. CN_ERR_MEMORY. Time O(N degree) steps to a neighbour, memory 8 bytes per
 *         node.
 */
CN_API cn_status cn_tree_validate(const cn_topology *topology, uint64_t root,
                                  const uint64_t parents[], size_t count, const cn_control *control,
                                  uint64_t *height, int *shortest);

#ifdef __cplusplus
}
#endif

#endif
