/* Operations in JSON: the operations in the order of the list, and the trees that were set. A
 * broadcast has no destinations. */
#include "scenario/operations.h"

#include "base/memory.h"
#include "topology/trees/tree.h"

typedef struct operation {
    cni_listed_operation row;
    uint64_t *destinations;
    cn_operations *list;
} operation;

static void visit_operation(cni_io *io, void *of)
{
    operation *o = of;
    cni_io_whole(io, "source", &o->row.source, UINT64_MAX);
    cni_io_whole(io, "start", &o->row.start, UINT64_MAX);
    int is_broadcast = !CNI_IO_HAS(io, "destinations", o->row.count > 0);
    if (!is_broadcast)
        cni_io_list(io, "destinations", &o->destinations, &o->row.count, UINT64_MAX);
    if (!cni_io_reads(io))
        return;
    cni_io_blame(io, NULL,
                 is_broadcast ? cn_operations_add_broadcast(o->list, o->row.source, o->row.start)
                              : cn_operations_add(o->list, o->row.source, o->destinations,
                                                  o->row.count, o->row.start));
}

static void visit_row(cni_io *io, size_t i, void *of)
{
    cn_operations *list = of;
    operation o = {.list = list};
    if (cni_io_writes(io)) {
        o.row = list->row[i];
        o.destinations = list->destination + o.row.first;
    }
    cni_io_object(io, NULL, visit_operation, &o);
    if (!cni_io_writes(io))
        cni_release(o.destinations);
}

static void visit_tree(cni_io *io, size_t i, void *of)
{
    cn_operations *list = of;
    cn_tree *tree = cni_io_writes(io) ? list->tree[i] : NULL;
    cni_io_tree(io, NULL, list->topology, &tree);
    if (cni_io_reads(io))
        io->status = cn_operations_set_tree(list, tree);
    if (!cni_io_writes(io))
        cn_tree_free(&tree);
}

static void visit(cni_io *io, void *of)
{
    cn_operations *list = of;
    cni_io_array(io, "list", list->rows, visit_row, list);
    if (CNI_IO_HAS(io, "trees", list->trees > 0))
        cni_io_array(io, "trees", list->trees, visit_tree, list);
}

void cni_io_operations(cni_io *io, const cn_topology *topology, cn_operations **operations)
{
    if (cni_io_reads(io))
        io->status = cn_operations_new(topology, operations);
    cni_io_object(io, "operations", visit, *operations);
    if (io->status != CN_OK)
        cn_operations_free(operations);
}
