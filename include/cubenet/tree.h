/**
 * @file tree.h
 * Spanning trees: trees of generalized hypercubes and Boolean cubes, breadth-first trees, and trees
 * given by their parents in any topology.
 *
 * The trees of generalized hypercubes and Boolean cubes are rules, not lists: they take a few bytes
 * in every network, and their queries compute the results. A tree of this kind with root s is the
 * tree with root 0 translated by s (cn_topology_translate()). Breadth-first trees and trees given
 * by their parents are stored: they take 20 bytes for each node, and their queries look the results
 * up. No query allocates memory. cn_tree_arrays() writes a whole tree into arrays.
 *
 * A message follows the tree from the root outwards: an edge is the channel from parent to child.
 *
 * @since 1.0
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
 * large: subtree i has the nodes of displacement i (necklace.h), one node of each necklace of more
 * than i nodes.
 *
 * Let the root be 0 and D(v) the displacement of node v. The parent of v results from this rule: go
 * left cyclically from the index before D(v) mod n, counted from the left, and clear the first
 * nonzero digit. A child of v fills one of the zeros that lie cyclically between the last nonzero
 * digit and index D(v) mod n, and has the same displacement. The order of the children begins with
 * the zero that is leftmost in the generator; the children of one zero have the order of its new
 * digit in the generator: k-1, 1, 2, ..., k-2. Child i of the root has displacement i.
 *
 * @param root any node
 * @return CN_ERR_UNSUPPORTED (another topology), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Fragopoulou, Akl & Meijer 1996, in Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_tree_balanced(const cn_topology *topology, uint64_t root, cn_tree **tree);

/**
 * Makes the spanning binomial tree of a Boolean cube with a base dimension: the root sends in
 * dimensions base, base+1, ..., base+n-1 (mod n), and a node that received the message in one
 * dimension sends in the later dimensions of this order. Child i of the root is its neighbour in
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
 * Tree j: the root has one child, its neighbour in dimension j. This child is the root of a
 * binomial tree of the half of the cube across dimension j from the root, with dimensions in the
 * order j+1, j+2, ..., j+n-1 (mod n). Each node of the binomial tree except its root has its
 * neighbour in dimension j as its last child, a leaf. The tree has height n + 1 (1 for n = 1). The
 * n trees together use every channel except those into the root.
 *
 * @param root any node
 * @param index j, 0 .. n-1
 * @return CN_ERR_UNSUPPORTED (not a Boolean cube), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Johnsson & Ho 1989, "Optimum broadcasting and personalized communication in hypercubes".
 */
CN_API cn_status cn_tree_edge_disjoint(const cn_topology *topology, uint64_t root, uint32_t index,
                                       cn_tree **tree);

/**
 * Makes the tree with the given parents, in any topology, also with unidirectional links. The
 * children of a node are in the order of the ports that lead to them. The tree uses the channel
 * from parent to child.
 *
 * @param root any node; parents[root] is CN_NO_NODE
 * @param parents parents[v] is the parent of node v; copied
 * @param count elements in @p parents; exactly N
 * @return CN_ERR_ARGUMENT (no spanning tree: the error sentence names a node and the reason, see
 *         cn_tree_validate()), CN_ERR_UNSUPPORTED (more than 2^27 nodes or 2^31 channels),
 *         CN_ERR_MEMORY. Time O(N degree); memory 20 bytes per node, and during the construction 12
 *         more per node and 4 per channel.
 */
CN_API cn_status cn_tree_from_parents(const cn_topology *topology, uint64_t root,
                                      const uint64_t parents[], size_t count,
                                      const cn_control *control, cn_tree **tree);

/**
 * Makes the breadth-first spanning tree of any topology. The search begins at the root and visits
 * the nodes in the order in which it reached them. From each node it reaches the neighbours that it
 * has not reached yet, in ascending order of the ports; these are the children of the node, in this
 * order. All paths from the root are shortest paths.
 *
 * @param root any node
 * @return CN_ERR_DISCONNECTED (no path leads from the root to some node; the error sentence names
 *         such a node), CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (more than 2^27 nodes or 2^31
 *         channels), CN_ERR_MEMORY. Time O(channels); memory as for cn_tree_from_parents().
 */
CN_API cn_status cn_tree_breadth_first(const cn_topology *topology, uint64_t root,
                                       const cn_control *control, cn_tree **tree);

/** Frees the tree and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_tree_free(cn_tree **tree);

/* ---- queries; O(n) each, O(1) in stored trees, unless their comment says otherwise ---- */

/** Returns the root; CN_NO_NODE for NULL. */
CN_API uint64_t cn_tree_root(const cn_tree *tree);

/**
 * Returns the parent of @p node; CN_NO_NODE (with CN_OK) for the root. In a balanced tree the cost
 * is that of a displacement (necklace.h).
 * @return CN_ERR_ARGUMENT (no such node).
 */
CN_API cn_status cn_tree_parent(const cn_tree *tree, uint64_t node, uint64_t *parent);

/**
 * Returns the parents of many nodes: parents[i] is the result of cn_tree_parent() for nodes[i].
 * cn_tree_arrays() returns the parents of all nodes.
 * @param count elements in each of the two arrays, which may be the same
 * @return CN_ERR_ARGUMENT (an element is not a node: the error sentence names its index, and the
 *         parents before it are stored), CN_ERR_CANCELLED. O(n count), in stored trees O(count).
 */
CN_API cn_status cn_tree_parents(const cn_tree *tree, const uint64_t nodes[], size_t count,
                                 const cn_control *control, uint64_t parents[]);

/**
 * Returns the depth of @p node: the number of hops from the root along the tree.
 * @return CN_ERR_ARGUMENT (no such node)
 */
CN_API cn_status cn_tree_depth(const cn_tree *tree, uint64_t node, uint64_t *depth);

#define CN_TREE_MOST_COUNTED_LOG2 18 /**< nodes or digits are counted one by one up to 2^18 */

/**
 * Returns the number of children of @p node. In a balanced tree the cost is O(n) for each zero that
 * a child may fill; where the zeros of the child form a periodic pattern, the function tries each
 * of the k-1 digits, O(n) or more for each.
 * @return CN_ERR_UNSUPPORTED (more than 2^CN_TREE_MOST_COUNTED_LOG2 digits to try)
 */
CN_API cn_status cn_tree_child_count(const cn_tree *tree, uint64_t node, uint64_t *count);

/**
 * Returns all children of @p node in their order. Cost as for cn_tree_child_count().
 * @param capacity room in @p children, in elements
 * @param count out: number of children, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, and errors as for cn_tree_child_count()
 */
CN_API cn_status cn_tree_children(const cn_tree *tree, uint64_t node, uint64_t children[],
                                  size_t capacity, size_t *count);

/**
 * Returns the number of nodes in the subtree of @p node, the node included. In a balanced tree the
 * subtrees of the root and of its children have closed forms; the function counts other subtrees
 * node by node, at the cost of cn_tree_children() for each node.
 * @return CN_ERR_UNSUPPORTED (more than 2^CN_TREE_MOST_COUNTED_LOG2 nodes to count)
 */
CN_API cn_status cn_tree_subtree_size(const cn_tree *tree, uint64_t node, uint64_t *size);

/**
 * Returns the path from the root to @p node, both included: depth + 1 nodes.
 * @param capacity room in @p nodes, in elements
 * @param count out: number of nodes on the path, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. Cost of cn_tree_parent() for each node on the path.
 */
CN_API cn_status cn_tree_path(const cn_tree *tree, uint64_t node, uint64_t nodes[], size_t capacity,
                              size_t *count);

/**
 * Returns the whole tree as arrays: parents[v] is the parent of node v, CN_NO_NODE for the root;
 * the children of v in their order are children[first[v]] to children[first[v+1] - 1].
 *
 * @param parents out: room for @p capacity elements
 * @param first out: room for @p capacity + 1 elements; may be NULL
 * @param children out: room for @p capacity elements, of which N-1 are used; NULL if and only if @p
 *        first is NULL
 * @param capacity room in @p parents, in elements
 * @param count out: N, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. Cost of cn_tree_parent() and cn_tree_children() for
 *         each node.
 */
CN_API cn_status cn_tree_arrays(const cn_tree *tree, uint64_t parents[], uint64_t first[],
                                uint64_t children[], size_t capacity, size_t *count);

/* ---- as a drawing ---- */

/**
 * Draws the network of a tree as SVG, or in the DOT language, which graphviz draws ("dot -Tsvg").
 * The labels of nodes are their addresses, the names of nodes in DOT are their numbers, and the
 * positions of nodes are those of cn_topology_write(). The edges of the tree are blue, all other
 * links light grey and dashed, and the root is orange; a key explains the colours.
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
 * with a channel to the node, and the chain of parents of every node leads to the root. The
 * topology may be any topology.
 *
 * @param root any node; parents[root] is CN_NO_NODE
 * @param count elements in @p parents; exactly N
 * @param height out: greatest depth of a node; may be NULL
 * @param shortest out: 1 when every path from the root is a shortest path, otherwise 0; may be NULL
 * @return CN_ERR_ARGUMENT (no spanning tree: the error sentence names a node and the reason),
 *         CN_ERR_MEMORY. Time O(N degree) times the cost of cn_topology_neighbor(), memory 8 bytes
 *         per node.
 */
CN_API cn_status cn_tree_validate(const cn_topology *topology, uint64_t root,
                                  const uint64_t parents[], size_t count, const cn_control *control,
                                  uint64_t *height, int *shortest);

#ifdef __cplusplus
}
#endif

#endif
