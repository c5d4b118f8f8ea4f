/* Checks of the parents that a caller gives. */
#include "topology/trees/tree.h"

#include "cubenet/experimental/multicast.h"

#include "base/error.h"

/* marks in place of a depth */
static const uint64_t UNKNOWN = UINT64_MAX, ON_THE_WAY = UINT64_MAX - 1;

static int has_channel(const cn_topology *topology, uint64_t from, uint64_t to)
{
    uint32_t port = CN_NO_PORT;
    cn_topology_port_to(topology, from, to, &port); /* the arguments are valid */
    return port != CN_NO_PORT;
}

static cn_status check_parent(const char *function, const cn_topology *topology, uint64_t root,
                              uint64_t node, uint64_t parent)
{
    if (parent == CN_NO_NODE)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: node %llu has no parent, but only the root, %llu, may "
                        "have none",
                        function, (unsigned long long)node, (unsigned long long)root);
    if (parent >= topology->nodes)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: parents[%llu] = %llu, but the nodes of %s are 0 to %llu", function,
                        (unsigned long long)node, (unsigned long long)parent, topology->name,
                        (unsigned long long)(topology->nodes - 1));
    if (!has_channel(topology, parent, node))
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: parents[%llu] = %llu, but %s has no channel from there", function,
                        (unsigned long long)node, (unsigned long long)parent, topology->name);
    return CN_OK;
}

/* Follows parents from a node up to a node of known depth, and writes the depths of all nodes on
 * the way. */
static cn_status find_depth(const char *function, const cn_topology *topology, uint64_t root,
                            const uint64_t parents[], cni_budget *budget, uint64_t node,
                            uint64_t depths[])
{
    uint64_t steps = 0, u = node;
    for (; depths[u] == UNKNOWN; u = parents[u], steps++) {
        CNI_TRY(check_parent(function, topology, root, u, parents[u]));
        CNI_TRY(cni_budget_go_on(budget, 8));
        depths[u] = ON_THE_WAY;
    }
    if (depths[u] == ON_THE_WAY)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: the parents of node %llu form a cycle at node "
                        "%llu and never reach the root, %llu",
                        function, (unsigned long long)node, (unsigned long long)u,
                        (unsigned long long)root);
    uint64_t depth = depths[u] + steps;
    for (u = node; depths[u] == ON_THE_WAY; u = parents[u])
        depths[u] = depth--;
    return CN_OK;
}

/* Depths are distances exactly when no channel leads more than one level down. */
static int is_shortest(const cn_topology *topology, cni_budget *budget, const uint64_t depths[])
{
    for (uint64_t v = 0; v < topology->nodes; v++) {
        uint32_t degree = topology->ops->degree(topology, v);
        if (!cni_budget_work(budget, 1 + 2 * (uint64_t)degree))
            return 0;
        for (uint32_t port = 0; port < degree; port++)
            if (depths[topology->ops->neighbor(topology, v, port)] > depths[v] + 1)
                return 0;
    }
    return 1;
}

static cn_status validate(const char *function, const cn_topology *topology, uint64_t root,
                          const uint64_t parents[], cni_budget *budget, uint64_t depths[],
                          uint64_t *height)
{
    if (parents[root] != CN_NO_NODE)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: parents[%llu] = %llu, but the root must have CN_NO_NODE", function,
                        (unsigned long long)root, (unsigned long long)parents[root]);
    for (uint64_t v = 0; v < topology->nodes; v++)
        depths[v] = UNKNOWN;
    depths[root] = 0;
    *height = 0;
    for (uint64_t v = 0; v < topology->nodes; v++) {
        CNI_TRY(find_depth(function, topology, root, parents, budget, v, depths));
        *height = depths[v] > *height ? depths[v] : *height;
    }
    return CN_OK;
}

cn_status cni_check_tree(const char *function, const cn_topology *topology, uint64_t root,
                         const uint64_t parents[], size_t count, cni_budget *budget,
                         uint64_t *height, int *shortest)
{
    CNI_TRY(cni_check_node(function, "root", topology, root));
    if (count != topology->nodes)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s has %llu nodes", function, count,
                        topology->name, (unsigned long long)topology->nodes);
    uint64_t *depths = cni_allocate(count, sizeof *depths);
    CNI_TRY_MEMORY(depths);
    uint64_t greatest = 0;
    cn_status status = validate(function, topology, root, parents, budget, depths, &greatest);
    int found = status == CN_OK && shortest != NULL && is_shortest(topology, budget, depths);
    if (status == CN_OK)
        status = cni_budget_go_on(budget, 0);
    if (status == CN_OK && height != NULL)
        *height = greatest;
    if (status == CN_OK && shortest != NULL)
        *shortest = found;
    cni_release(depths);
    return status;
}

cn_status cn_tree_validate(const cn_topology *topology, uint64_t root, const uint64_t parents[],
                           size_t count, const cn_control *control, uint64_t *height, int *shortest)
{
    CNI_REQUIRE_BOTH(topology, parents);
    CNI_BUDGET(budget, control, 0);
    return cni_check_tree(__func__, topology, root, parents, count, &budget, height, shortest);
}

cn_status cn_tree_common_channel(const cn_tree *const trees[], size_t count, uint64_t *node)
{
    CNI_REQUIRE_BOTH(trees, node);
    CNI_REQUIRE_EACH(trees, count);
    for (size_t j = 0; j < count; j++) {
        const cn_topology *one = trees[0]->topology, *other = trees[j]->topology;
        if (!cn_topology_equal(one, other))
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: trees[%zu] is one of %s, but trees[0] is one of %s", __func__, j,
                            other->name, one->name);
        if (trees[j]->root != trees[0]->root)
            return cni_fail(CN_ERR_ARGUMENT,
                            "%s: trees[%zu] has the root %llu, but trees[0] has %llu", __func__, j,
                            (unsigned long long)trees[j]->root, (unsigned long long)trees[0]->root);
    }
    const cn_topology *topology = count == 0 ? NULL : trees[0]->topology;
    for (uint64_t step = 0; topology != NULL && step < topology->nodes; step++) {
        /* where nodes have digits, from the root outwards; a channel into v comes from the
         * parent of v */
        uint64_t root = trees[0]->root;
        uint64_t v = topology->dimensions > 0 ? cni_translate(topology, step, root) : step;
        for (size_t j = 1; j < count && v != root; j++)
            for (size_t i = 0; i < j; i++)
                if (cni_parent_in_tree(trees[i], v) == cni_parent_in_tree(trees[j], v)) {
                    *node = v;
                    return CN_OK;
                }
    }
    *node = CN_NO_NODE;
    return CN_OK;
}
