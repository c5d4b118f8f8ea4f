/*
 * n spanning trees of the Boolean cube without a common channel (Johnsson & Ho 1989), for root 0.
 *
 * Tree j: 0 -> 2^j, from there a binomial tree over the nodes with bit j set, dimensions ranked
 * j+1, ..., j+n-1 (mod n), and each of these nodes but 2^j sends back across dimension j to a leaf.
 * No channel is in two trees: one that sets a bit m belongs to the tree whose j is the first one-bit of
 * its end cyclically above m; one that clears a bit j, to tree j.
 */
#include "topology/trees/tree.h"

#include "base/error.h"

static uint64_t bit(const cn_tree *tree, uint32_t steps_above)
{
    return UINT64_C(1) << (tree->dimension + steps_above) % tree->topology->dimensions;
}

/* Of the one-bits other than j, how many steps above j the last one is; 0 when there is none. */
static uint32_t last_step(const cn_tree *tree, uint64_t node)
{
    uint32_t step = tree->topology->dimensions - 1;
    while (step > 0 && (node & bit(tree, step)) == 0)
        step--;
    return step;
}

static uint64_t parent(const cn_tree *tree, uint64_t node)
{
    if ((node & bit(tree, 0)) == 0) /* a leaf */
        return node | bit(tree, 0);
    return node ^ bit(tree, last_step(tree, node)); /* 2^j loses bit j itself */
}

static uint64_t depth(const cn_tree *tree, uint64_t node)
{
    uint64_t ones = cni_popcount(node);
    return node == 0 || (node & bit(tree, 0)) != 0 ? ones : ones + 2;
}

static uint64_t children(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room)
{
    uint64_t across = bit(tree, 0);
    uint32_t used = last_step(tree, node), inside = tree->topology->dimensions - 1 - used;
    if ((node & across) == 0) { /* the root has one child, a leaf none */
        if (node == 0 && from == 0 && room > 0)
            out[0] = across;
        return node == 0;
    }
    uint64_t count = inside + (node != across);
    for (uint64_t i = 0; i < room && from + i < count; i++)
        out[i] =
            from + i < inside ? node | bit(tree, used + 1 + (uint32_t)(from + i)) : node ^ across;
    return count;
}

static uint64_t subtree_size(const cn_tree *tree, uint64_t node)
{
    uint64_t across = bit(tree, 0), nodes = tree->topology->nodes;
    if (node == 0)
        return nodes;
    if ((node & across) == 0)
        return 1;
    return (nodes >> last_step(tree, node)) - (node == across);
}

static const cni_tree_ops edge_disjoint_ops = {
    .name = "edge-disjoint",
    .has_dimension = 1,
    .parent = parent,
    .depth = depth,
    .children = children,
    .subtree_size = subtree_size,
};

cn_status cn_tree_edge_disjoint(const cn_topology *topology, uint64_t root, uint32_t index,
                                cn_tree **tree)
{
    CNI_REQUIRE_OUT(tree);
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_hypercube(__func__, topology));
    return cni_make_tree(__func__, topology, &edge_disjoint_ops, root, "index", index, tree);
}
