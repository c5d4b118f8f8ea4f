/*
 * The stored trees of the sources of a run: breadth first, or given with the list of operations. A
 * run makes a tree when the first operation of its source starts, and keeps the tree. A tree holds
 * for every node the channel into the node, node * degree + port of the parent; CNI_NO_INLET at the
 * source and at nodes without a path.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_TREES_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_TREES_H

#include "scenario/operations.h"
#include "simulation/collective/collective_routes.h"

#define CNI_NO_INLET UINT32_MAX

/* Start from {0}. */
typedef struct cni_source_trees {
    const cn_operations *given; /* may be NULL */
    uint32_t **inlet;           /* [source][node]; NULL: all messages go by digits */
    uint32_t *queue;            /* room for a search */
    uint64_t kept, most;        /* nodes of all trees */
} cni_source_trees;

cn_status cni_source_trees_open(const cni_tree_routes *routes, const cn_operations *given,
                                cni_source_trees *trees);
void cni_source_trees_close(const cni_tree_routes *routes, cni_source_trees *trees);

/* The tree of a source; NULL where its messages go by digits. CN_ERR_UNSUPPORTED (too many trees),
 * CN_ERR_MEMORY. */
cn_status cni_source_tree(const cni_tree_routes *routes, cni_source_trees *trees, uint32_t source,
                          const uint32_t **inlet);

static inline int cni_source_tree_is_given(const cni_source_trees *trees, uint32_t source)
{
    return trees->given != NULL && cni_operations_tree(trees->given, source) != NULL;
}

/* The number of nodes on the path to a node that the tree reaches, without the source. */
static inline uint32_t cni_source_tree_depth(const cni_tree_routes *routes, const uint32_t inlet[],
                                             uint32_t node)
{
    uint32_t depth = 0;
    for (; inlet[node] != CNI_NO_INLET; depth++)
        node = inlet[node] / routes->degree;
    return depth;
}

#endif
