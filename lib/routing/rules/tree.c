/* The routing along the edges of a spanning tree: up to the common ancestor, then down. */
#include "base/error.h"
#include "routing/rules/routing.h"
#include "topology/trees/tree.h"

/* The child of the node on the way down to the target, or the parent when the target is not
 * below. */
static uint64_t next_node(const cn_tree *tree, uint64_t node, uint64_t target)
{
    uint64_t below = target;
    while (below != tree->root) {
        uint64_t parent = cni_parent_in_tree(tree, below);
        if (parent == node)
            return below;
        below = parent;
    }
    return cni_parent_in_tree(tree, node);
}

static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    uint32_t port;
    (void)class;
    cn_topology_port_to(routing->topology, node, next_node(routing->state, node, target), &port);
    cni_allow(entry, cni_bit(port), CNI_ESCAPE_LANE);
}

static void close(void *state)
{
    cn_tree *tree = state;
    cn_tree_free(&tree);
}

/* Messages go up the tree, too. */
static cn_status check_ways_back(const cn_tree *tree)
{
    const cn_topology *topology = tree->topology;
    for (uint64_t v = 0; v < topology->nodes && !topology->bidirectional; v++) {
        uint32_t port;
        uint64_t parent = v == tree->root ? v : cni_parent_in_tree(tree, v);
        cn_topology_port_to(topology, v, parent, &port);
        if (v != tree->root && port == CN_NO_PORT)
            return cni_fail(CN_ERR_UNSUPPORTED,
                            "cn_routing_tree: messages go along the tree in both directions, but "
                            "%s has no channel from node %llu back to its parent, %llu",
                            topology->name, (unsigned long long)v, (unsigned long long)parent);
    }
    return CN_OK;
}

cn_status cn_routing_tree(const cn_tree *tree, cn_routing **routing)
{
    CNI_REQUIRE_OUT(routing);
    CNI_REQUIRE(tree);
    CNI_TRY(check_ways_back(tree));
    cn_routing *made;
    CNI_TRY(cni_routing_make(__func__, &cni_tree_routing, tree->topology, NULL, NULL, &made));
    cn_tree *copy = NULL;
    cn_status status = cni_tree_copy(tree, &copy);
    made->state = copy;
    return cni_routing_finish(made, status, routing);
}

static void visit(cni_io *io, void *object)
{
    cni_routing_form *f = object;
    cn_tree *tree = cni_io_writes(io) ? f->routing->state : NULL;
    if (cni_io_reads(io) && f->faults != NULL)
        cni_io_fail(io, NULL, "the routing tree takes no faults");
    cni_io_tree(io, "tree", f->topology, &tree);
    if (cni_io_reads(io))
        cni_io_blame(io, "tree", cn_routing_tree(tree, &f->routing));
    if (!cni_io_writes(io))
        cn_tree_free(&tree);
}

const cni_routing_kind cni_tree_routing = {
    .name = "tree",
    .summary = "along the edges of a spanning tree",
    .classes = 1,
    .legs = 1,
    .has_escapes = 1,
    .entry = entry,
    .close = close,
    .visit = visit,
};
