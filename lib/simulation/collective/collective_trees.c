/* The stored trees of collective operations, made when the first operation of a source starts. */
#include "simulation/collective/collective_trees.h"

#include "base/error.h"
#include "base/memory.h"

/* The most nodes in all trees that a run keeps: 1 GiB. */
static const uint64_t MOST_KEPT = UINT64_C(1) << 28;

cn_status cni_source_trees_open(const cni_tree_routes *routes, const cn_operations *given,
                                cni_source_trees *trees)
{
    trees->given = given;
    trees->most = MOST_KEPT;
    if (routes->columns > 0 && (given == NULL || given->trees == 0))
        return CN_OK;
    trees->inlet = cni_allocate(routes->nodes, sizeof *trees->inlet);
    trees->queue = cni_allocate(routes->nodes, sizeof *trees->queue);
    return trees->inlet != NULL && trees->queue != NULL ? CN_OK : CN_ERR_MEMORY;
}

void cni_source_trees_close(const cni_tree_routes *routes, cni_source_trees *trees)
{
    for (uint32_t source = 0; trees->inlet != NULL && source < routes->nodes; source++)
        cni_release(trees->inlet[source]);
    cni_release(trees->inlet);
    cni_release(trees->queue);
    *trees = (cni_source_trees){0};
}

/* Makes the given tree or, without one, that of cn_tree_breadth_first(). Nodes without a path stay
 * without an inlet. */
static void search(const cni_tree_routes *routes, uint32_t source, const cn_tree *tree,
                   uint32_t queue[], uint32_t inlet[])
{
    uint32_t reached = 1;
    queue[0] = source;
    for (uint32_t at = 0; at < reached; at++) {
        uint32_t v = queue[at];
        for (uint32_t port = 0; port < cni_route_degree(routes, v); port++) {
            uint32_t w = cni_route_neighbor(routes, v, port);
            if (w == source || inlet[w] != CNI_NO_INLET ||
                (tree != NULL && cni_parent_in_tree(tree, w) != v))
                continue;
            inlet[w] = v * routes->degree + port;
            queue[reached++] = w;
        }
    }
}

static cn_status make_tree(const cni_tree_routes *routes, cni_source_trees *trees, uint32_t source,
                           const cn_tree *tree)
{
    uint32_t nodes = routes->nodes;
    if (trees->kept + nodes > trees->most)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "collective: operations start at more than %llu nodes, each of which has a "
                        "tree of %lu nodes, but trees of at most %llu nodes in all are kept",
                        (unsigned long long)(trees->kept / nodes), (unsigned long)nodes,
                        (unsigned long long)trees->most);
    uint32_t *inlet = trees->inlet[source] = cni_allocate(nodes, sizeof *inlet);
    CNI_TRY_MEMORY(inlet);
    trees->kept += nodes;
    for (uint32_t v = 0; v < nodes; v++)
        inlet[v] = CNI_NO_INLET;
    search(routes, source, tree, trees->queue, inlet);
    return CN_OK;
}

cn_status cni_source_tree(const cni_tree_routes *routes, cni_source_trees *trees, uint32_t source,
                          const uint32_t **inlet)
{
    *inlet = NULL;
    if (trees->inlet == NULL)
        return CN_OK;
    if (trees->inlet[source] == NULL) {
        const cn_tree *tree =
            trees->given == NULL ? NULL : cni_operations_tree(trees->given, source);
        if (tree == NULL && routes->columns > 0)
            return CN_OK;
        CNI_TRY(make_tree(routes, trees, source, tree));
    }
    *inlet = trees->inlet[source];
    return CN_OK;
}
