/*
 * The spanning binomial tree of the Boolean cube with a base dimension (Abraham & Padmanabhan 1989),
 * for root 0. Dimension d has the rank (d - base) mod n; a node is reached in the dimension of greatest
 * rank among its one-bits and sends in those of greater rank. Rotated to the right by the base, an
 * address has bit i for rank i.
 */
#include "topology/trees/tree.h"

#include "base/error.h"

static uint64_t to_ranks(const cn_tree *tree, uint64_t node)
{
    uint32_t n = tree->topology->dimensions, base = tree->dimension;
    return (node >> base | node << (n - base)) & (tree->topology->nodes - 1);
}

static uint64_t dimension_of_rank(const cn_tree *tree, uint32_t rank)
{
    return UINT64_C(1) << (tree->dimension + rank) % tree->topology->dimensions;
}

/* One more than the greatest rank of a one-bit; 0 for the root. */
static uint32_t ranks_used(const cn_tree *tree, uint64_t node)
{
    uint32_t used = 0;
    for (uint64_t ranks = to_ranks(tree, node); ranks != 0; ranks >>= 1)
        used++;
    return used;
}

static uint64_t parent(const cn_tree *tree, uint64_t node)
{
    return node ^ dimension_of_rank(tree, ranks_used(tree, node) - 1);
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
        out[i] = node | dimension_of_rank(tree, used + (uint32_t)(from + i));
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
