/* A spanning tree in JSON: its family and root, and its dimension or its parents. */
#include "topology/trees/tree.h"

#include <string.h>

typedef struct form {
    const cn_topology *topology;
    cn_tree *tree;
} form;

static void visit_parent(cni_io *io, size_t v, void *of)
{
    const cn_tree *tree = of;
    cni_io_put(io, v == tree->root ? v : cni_parent_in_tree(tree, v));
}

/* Reads a stored tree: the parents of all nodes, where the parent of the root is the root. A
 * wrong list makes no tree. */
static void read_stored(cni_io *io, uint64_t root, form *f)
{
    uint64_t *parents = NULL;
    size_t count;
    cni_io_list(io, "parents", &parents, &count, f->topology->nodes - 1);
    if (cni_io_reads(io) && count > root && parents[root] == root)
        parents[root] = CN_NO_NODE;
    if (cni_io_reads(io))
        cni_io_blame(io, "parents",
                     cn_tree_from_parents(f->topology, root, parents, count, NULL, &f->tree));
    cni_release(parents);
}

static void visit(cni_io *io, void *object)
{
    form *f = object;
    const cn_tree *tree = f->tree;
    const cn_topology *topology = f->topology;
    int writes = cni_io_writes(io);
    char family[CNI_JSON_NAME];
    uint64_t root = writes ? tree->root : 0, dimension = writes ? tree->dimension : 0;
    cni_io_name(io, "family", writes ? tree->ops->name : NULL, family);
    cni_io_whole(io, "root", &root, topology->nodes - 1);
    int by_dimension = CNI_IO_HAS(io, "dimension", tree->ops->has_dimension);
    if (by_dimension)
        cni_io_whole(io, "dimension", &dimension, UINT32_MAX);
    int by_parents = CNI_IO_HAS(io, "parents", tree->ops->is_stored);
    if (by_parents && writes)
        cni_io_array(io, "parents", (size_t)topology->nodes, visit_parent, cni_mutable(tree));
    if (!cni_io_reads(io))
        return;
    if (strcmp(family, "stored") == 0 && by_parents && !by_dimension)
        read_stored(io, root, f);
    else if (strcmp(family, "balanced") == 0 && !by_parents && !by_dimension)
        cni_io_blame(io, NULL, cn_tree_balanced(topology, root, &f->tree));
    else if (strcmp(family, "binomial") == 0 && by_dimension && !by_parents)
        cni_io_blame(io, NULL, cn_tree_binomial(topology, root, (uint32_t)dimension, &f->tree));
    else if (strcmp(family, "edge-disjoint") == 0 && by_dimension && !by_parents)
        cni_io_blame(io, NULL,
                     cn_tree_edge_disjoint(topology, root, (uint32_t)dimension, &f->tree));
    else
        cni_io_fail(
            io, "family",
            "a tree is \"balanced\", \"binomial\" or \"edge-disjoint\" with a dimension, or "
            "\"stored\" with parents, but this one is \"%.40s\"",
            family);
}

void cni_io_tree(cni_io *io, const char *key, const cn_topology *topology, cn_tree **tree)
{
    form f = {topology, *tree};
    cni_io_object(io, key, visit, &f);
    *tree = f.tree;
}
