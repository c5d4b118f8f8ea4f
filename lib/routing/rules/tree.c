/* Along the edges of a spanning tree, up to where the ways part and down from there. */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "topology/trees/tree.h"

/* The child of the node on the way down to the target, or the parent when the target is not below. */
static uint64_t next_node(const cn_tree *tree, uint64_t node, uint64_t target)
{
    uint64_t below = target, parent = target;
    while (below != tree->root) {
        cn_tree_parent(tree, below, &parent); /* its arguments are valid */
        if (parent == node)
            return below;
        below = parent;
    }
    cn_tree_parent(tree, node, &parent);
    return parent;
}

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    uint32_t port;
    (void)class;
    cn_topology_port_to(routing->topology, node, next_node(routing->state, node, target), &port);
    cni_allow(entry, cni_bit(port), 1);
}

static void close(void *state)
{
    cn_tree *tree = state;
    cn_tree_free(&tree);
}

cn_status cn_routing_tree(const cn_tree *tree, cn_routing **routing)
{
    CNI_REQUIRE(routing);
    *routing = NULL;
    CNI_REQUIRE(tree);
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_tree_routing, tree->topology, NULL, &made));
    cn_tree *copy = cni_allocate(1, sizeof *copy);
    if (copy == NULL)
        return cni_routing_abandon(&made, CN_ERR_MEMORY);
    *copy = *tree;
    copy->topology = cni_topology_retain(tree->topology);
    made->state = copy;
    *routing = made;
    return CN_OK;
}

const cni_routing_kind cni_tree_routing = {
    .name = "tree",
    .summary = "along the edges of a spanning tree",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .is_proved = 1,
    .entry = entry,
    .close = close,
};
