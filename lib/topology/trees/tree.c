/* Spanning trees as handles: checks, translation to the root, and the common questions of all
 * families. */
#include "topology/trees/tree.h"

#include "base/error.h"
#include "topology/each.h"

cn_status cni_make_tree(const char *function, const cn_topology *topology, const cni_tree_ops *ops,
                        uint64_t root, const char *argument, uint32_t dimension, cn_tree **tree)
{
    CNI_TRY(cni_check_node(function, "root", topology, root));
    if (argument != NULL && dimension >= topology->dimensions)
        return cni_fail(CN_ERR_ARGUMENT, "%s: %s = %lu, but in %s it must be 0 to %lu", function,
                        argument, (unsigned long)dimension, topology->name,
                        (unsigned long)(topology->dimensions - 1));
    cn_tree *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->topology = cni_topology_retain(topology);
    made->ops = ops;
    made->root = root;
    made->dimension = dimension;
    *tree = made;
    return CN_OK;
}

cn_status cni_tree_copy(const cn_tree *tree, cn_tree **copy)
{
    cn_tree *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    *made = *tree;
    cni_topology_retain(made->topology);
    cni_tree_rows_retain(made->rows);
    *copy = made;
    return CN_OK;
}

void cn_tree_free(cn_tree **tree)
{
    if (tree == NULL || !CNI_IS_VALID(*tree))
        return;
    cni_topology_release((*tree)->topology);
    cni_tree_rows_release((*tree)->rows);
    cni_object_release(*tree);
    *tree = NULL;
}

CNI_GETTER(uint64_t, cn_tree_root, tree, tree->root, CN_NO_NODE);

/* The node of the operations, which have root 0, for a node of the tree; and the way back. */
static uint64_t inwards(const cn_tree *tree, uint64_t node)
{
    return tree->ops->is_stored ? node : cni_header(tree->topology, node, tree->root);
}

static uint64_t outwards(const cn_tree *tree, uint64_t node)
{
    return tree->ops->is_stored ? node : cni_translate(tree->topology, node, tree->root);
}

uint64_t cni_parent_in_tree(const cn_tree *tree, uint64_t node)
{
    return outwards(tree, tree->ops->parent(tree, inwards(tree, node)));
}

static uint64_t children_of(const cn_tree *tree, uint64_t node, uint64_t out[], uint64_t room)
{
    uint64_t count = tree->ops->children(tree, inwards(tree, node), 0, out, room);
    for (uint64_t i = 0; count != CNI_TOO_MANY && i < room && i < count; i++)
        out[i] = outwards(tree, out[i]);
    return count;
}

static cn_status check_work(const char *function, const cn_tree *tree, uint64_t node,
                            uint64_t answer)
{
    if (answer != CNI_TOO_MANY)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: counting below node %llu of a tree in %s would visit more than 2^%d nodes",
                    function, (unsigned long long)node, tree->topology->name,
                    CN_TREE_MOST_COUNTED_LOG2);
}

static void take_parent(const void *tree, uint64_t node, uint64_t other, uint64_t *parent)
{
    (void)other;
    *parent = node == ((const cn_tree *)tree)->root ? CN_NO_NODE : cni_parent_in_tree(tree, node);
}

cn_status cn_tree_parent(const cn_tree *tree, uint64_t node, uint64_t *parent)
{
    CNI_REQUIRE_BOTH(tree, parent);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    take_parent(tree, node, node, parent);
    return CN_OK;
}

cn_status cn_tree_parents(const cn_tree *tree, const uint64_t nodes[], size_t count,
                          const cn_control *control, uint64_t parents[])
{
    CNI_REQUIRE(tree);
    const cni_each each = {.function = __func__,
                           .topology = tree->topology,
                           .object = tree,
                           .answer = take_parent,
                           .name = {"nodes", NULL, "parents"},
                           .nodes = nodes,
                           .units = 16 * (1 + (uint64_t)tree->topology->dimensions),
                           .width = 1};
    return cni_answer_each(&each, count, control, parents);
}

cn_status cn_tree_depth(const cn_tree *tree, uint64_t node, uint64_t *depth)
{
    CNI_REQUIRE_BOTH(tree, depth);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    *depth = tree->ops->depth(tree, inwards(tree, node));
    return CN_OK;
}

cn_status cn_tree_child_count(const cn_tree *tree, uint64_t node, uint64_t *count)
{
    CNI_REQUIRE_BOTH(tree, count);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    uint64_t found = children_of(tree, node, NULL, 0);
    CNI_TRY(check_work(__func__, tree, node, found));
    *count = found;
    return CN_OK;
}

cn_status cn_tree_children(const cn_tree *tree, uint64_t node, uint64_t children[], size_t capacity,
                           size_t *count)
{
    CNI_REQUIRE(tree);
    CNI_REQUIRE_ARRAY(children, capacity);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    uint64_t needed = children_of(tree, node, NULL, 0);
    CNI_TRY(check_work(__func__, tree, node, needed));
    CNI_REQUIRE_FIT(needed, capacity, count, "node %llu has %llu children",
                    (unsigned long long)node, (unsigned long long)needed);
    children_of(tree, node, children, needed);
    return CN_OK;
}

cn_status cn_tree_subtree_size(const cn_tree *tree, uint64_t node, uint64_t *size)
{
    CNI_REQUIRE_BOTH(tree, size);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    uint64_t found = tree->ops->subtree_size(tree, inwards(tree, node));
    CNI_TRY(check_work(__func__, tree, node, found));
    *size = found;
    return CN_OK;
}

cn_status cn_tree_path(const cn_tree *tree, uint64_t node, uint64_t nodes[], size_t capacity,
                       size_t *count)
{
    CNI_REQUIRE(tree);
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_TRY(cni_check_node(__func__, "node", tree->topology, node));
    size_t needed = (size_t)tree->ops->depth(tree, inwards(tree, node)) + 1;
    CNI_REQUIRE_FIT(needed, capacity, count, "the path to node %llu has %zu",
                    (unsigned long long)node, needed);
    nodes[needed - 1] = node;
    for (size_t i = needed - 1; i > 0; i--)
        nodes[i - 1] = cni_parent_in_tree(tree, nodes[i]);
    return CN_OK;
}

cn_status cn_tree_arrays(const cn_tree *tree, uint64_t parents[], uint64_t first[],
                         uint64_t children[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(tree);
    CNI_REQUIRE_ARRAY(parents, capacity);
    if (first != NULL || children != NULL) {
        CNI_REQUIRE(first);
        CNI_REQUIRE(children);
    }
    uint64_t nodes = tree->topology->nodes;
    CNI_REQUIRE_FIT(nodes, capacity, count, "%s has %llu nodes", tree->topology->name,
                    (unsigned long long)nodes);
    for (uint64_t v = 0; v < nodes; v++)
        parents[v] = v == tree->root ? CN_NO_NODE : cni_parent_in_tree(tree, v);
    if (first == NULL)
        return CN_OK;
    first[0] = 0;
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t room = nodes - 1 - first[v];
        first[v + 1] = first[v] + children_of(tree, v, children + first[v], room);
    }
    return CN_OK;
}
