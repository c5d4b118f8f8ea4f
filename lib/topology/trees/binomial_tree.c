/*
 * Spanning trees of the Boolean cube by ranks of its dimensions, for root 0. Dimension d has the
 * rank (d - base) mod n; an address that is rotated to the right by the base has bit i for rank i.
 *
 * The binomial tree with a base dimension (Abraham & Padmanabhan 1989): a node receives in the
 * dimension of the greatest rank among its one-bits, and sends in the dimensions of greater rank.
 *
 * n trees without a common channel (Johnsson & Ho 1989), where tree j has the base j: the root
 * sends to 2^j; from there the binomial tree leads over the nodes with bit j set; and each of these
 * nodes but 2^j sends back across dimension j to a leaf. No channel is in two trees. A channel that
 * sets a bit m belongs to the tree whose j is the first one-bit of the end of the channel
 * cyclically above m. A channel that clears a bit j belongs to tree j.
 */
#include "topology/trees/tree.h"

#include "base/error.h"

static uint64_t bit_of_rank(const cn_tree *tree, uint32_t rank)
{
    return UINT64_C(1) << (tree->dimension + rank) % tree->topology->dimensions;
}

/* The greatest rank of a one-bit, plus 1; 0 for the root. */
static uint32_t ranks_used(const cn_tree *tree, uint64_t node)
{
    uint32_t n = tree->topology->dimensions, base = tree->dimension, used = 0;
    uint64_t ranks = (node >> base | node << (n - base)) & (tree->topology->nodes - 1);
    for (; ranks != 0; ranks >>= 1)
        used++;
    return used;
}

/* ---- the binomial tree ---- */

static uint64_t parent(const cn_tree *tree, uint64_t node)
{
    return node ^ bit_of_rank(tree, ranks_used(tree, node) - 1);
}

static uint64_t depth(const cn_tree *tree, uint64_t node)
{
    (void)tree;
    return cni_popcount(node);
}

static uint64_t children(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room)
{
    uint32_t used = ranks_used(tree, node), count = tree->topology->dimensions - used;
    for (uint64_t i = 0; i < room && from + i < count; i++)
        out[i] = node | bit_of_rank(tree, used + (uint32_t)(from + i));
    return count;
}

static uint64_t subtree_size(const cn_tree *tree, uint64_t node)
{
    return tree->topology->nodes >> ranks_used(tree, node);
}

static const cni_tree_ops binomial_ops = {
    .name = "binomial",
    .has_dimension = 1,
    .parent = parent,
    .depth = depth,
    .children = children,
    .subtree_size = subtree_size,
};

cn_status cn_tree_binomial(const cn_topology *topology, uint64_t root, uint32_t base,
                           cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_hypercube(__func__, topology));
    return cni_make_tree(__func__, topology, &binomial_ops, root, "base", base, tree);
}

/* ---- the trees without a common channel ---- */

/* Whether the node is the root, whose only child is 2^j, or a leaf without bit j. */
static int is_outside(const cn_tree *tree, uint64_t node)
{
    return (node & bit_of_rank(tree, 0)) == 0;
}

static uint64_t disjoint_parent(const cn_tree *tree, uint64_t node)
{
    return is_outside(tree, node) ? node | bit_of_rank(tree, 0) : parent(tree, node);
}

static uint64_t disjoint_depth(const cn_tree *tree, uint64_t node)
{
    return depth(tree, node) + (node != 0 && is_outside(tree, node) ? 2 : 0);
}

static uint64_t disjoint_children(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                                  uint64_t room)
{
    uint64_t across = bit_of_rank(tree, 0);
    if (is_outside(tree, node)) {
        if (node == 0 && from == 0 && room > 0)
            out[0] = across;
        return node == 0;
    }
    uint64_t inside = children(tree, node, from, out, room);
    if (node != across && inside >= from && inside - from < room)
        out[inside - from] = node ^ across;
    return inside + (node != across);
}

static uint64_t disjoint_subtree_size(const cn_tree *tree, uint64_t node)
{
    uint64_t across = bit_of_rank(tree, 0);
    if (is_outside(tree, node))
        return node == 0 ? tree->topology->nodes : 1;
    return 2 * subtree_size(tree, node) - (node == across);
}

static const cni_tree_ops edge_disjoint_ops = {
    .name = "edge-disjoint",
    .has_dimension = 1,
    .parent = disjoint_parent,
    .depth = disjoint_depth,
    .children = disjoint_children,
    .subtree_size = disjoint_subtree_size,
};

cn_status cn_tree_edge_disjoint(const cn_topology *topology, uint64_t root, uint32_t index,
                                cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_hypercube(__func__, topology));
    return cni_make_tree(__func__, topology, &edge_disjoint_ops, root, "index", index, tree);
}
