/* A subnet in JSON: its faults, and an array that names the working nodes that it leaves out. */
#include "routing/subnets/subnet.h"

#include "routing/faults/fault.h"

typedef struct form {
    const cn_topology *topology;
    cn_subnet *subnet;
} form;

void cni_io_disabled(cni_io *io, const cn_topology *topology, const cn_faults *faults,
                     cni_visit_element_fn put, void *of, cn_subnet **subnet)
{
    uint64_t *nodes = NULL;
    size_t count;
    if (cni_io_writes(io)) {
        cni_io_array(io, "disabled", (size_t)topology->nodes, put, of);
        return;
    }
    cni_io_list(io, "disabled", &nodes, &count, topology->nodes - 1);
    if (cni_io_reads(io))
        cni_io_blame(io, "disabled", cn_subnet_chosen(faults, nodes, count, subnet));
    cni_release(nodes);
}

static void put_disabled(cni_io *io, size_t node, void *of)
{
    const cn_subnet *subnet = of;
    if (!cni_survives(subnet, node) && !cni_node_faulty(subnet->faults, node))
        cni_io_put(io, node);
}

static void visit(cni_io *io, void *object)
{
    form *f = object;
    cn_faults *faults = cni_io_writes(io) ? f->subnet->faults : NULL;
    cni_io_faults(io, f->topology, &faults);
    cni_io_disabled(io, f->topology, faults, put_disabled, f->subnet, &f->subnet);
    if (!cni_io_writes(io))
        cn_faults_free(&faults);
}

void cni_io_subnet(cni_io *io, const cn_topology *topology, cn_subnet **subnet)
{
    form f = {topology, *subnet};
    cni_io_object(io, "subnet", visit, &f);
    *subnet = f.subnet;
}
