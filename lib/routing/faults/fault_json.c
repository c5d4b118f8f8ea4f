/* Faults in JSON: the arrays "nodes" and "links"; an empty array is left out. */
#include "routing/faults/fault.h"

#include "topology/families/topology_json.h"

static void visit_node(cni_io *io, size_t i, void *of)
{
    cn_faults *faults = of;
    uint64_t node = i;
    if (cni_io_writes(io) && !cni_node_faulty(faults, node))
        return;
    cni_io_whole(io, NULL, &node, faults->topology->nodes - 1);
    if (cni_io_reads(io) && cni_node_faulty(faults, node))
        cni_io_fail(io, NULL, "node %llu stands here a second time", (unsigned long long)node);
    if (cni_io_reads(io))
        cni_faults_set_node(faults, node, 1);
}

/* A two-way link stands once, at its lower node. */
static void put_links(cni_io *io, size_t node, void *of)
{
    const cn_faults *faults = of;
    for (uint64_t left = faults->links[node]; left != 0; left &= left - 1) {
        uint32_t port = cni_lowest_bit(left);
        uint64_t ends[] = {node, cni_neighbor(faults->topology, node, port)};
        if (cni_is_first_end(faults->topology, node, port))
            cni_io_wholes(io, NULL, ends, 2, UINT64_MAX);
    }
}

static void read_link(cni_io *io, size_t i, void *of)
{
    cn_faults *faults = of;
    const cn_topology *t = faults->topology;
    uint64_t ends[2];
    uint32_t port;
    (void)i;
    cni_io_wholes(io, NULL, ends, 2, t->nodes - 1);
    if (!cni_io_reads(io))
        return;
    cn_topology_port_to(t, ends[0], ends[1], &port); /* both are nodes */
    if (port == CN_NO_PORT)
        cni_io_fail(io, NULL, "%s has no link from %llu to %llu", t->name,
                    (unsigned long long)ends[0], (unsigned long long)ends[1]);
    else if (cn_faults_has_link(faults, ends[0], port))
        cni_io_fail(io, NULL, "the link from %llu to %llu stands here a second time",
                    (unsigned long long)ends[0], (unsigned long long)ends[1]);
    else
        cni_io_blame(io, NULL, cn_faults_add_link(faults, ends[0], port));
}

static void visit_sets(cni_io *io, void *of)
{
    cn_faults *faults = of;
    if (CNI_IO_HAS(io, "nodes", faults->node_count > 0))
        cni_io_array(io, "nodes", (size_t)faults->topology->nodes, visit_node, faults);
    if (CNI_IO_HAS(io, "links", faults->link_count > 0))
        cni_io_array(io, "links", (size_t)faults->topology->nodes,
                     cni_io_writes(io) ? put_links : read_link, faults);
}

void cni_io_faults(cni_io *io, const cn_topology *topology, cn_faults **faults)
{
    if (cni_io_reads(io))
        cni_io_blame(io, "faults", cn_faults_new(topology, faults));
    cni_io_object(io, "faults", visit_sets, *faults);
    if (io->status != CN_OK)
        cn_faults_free(faults);
}

/* ---- a whole text ---- */

static void visit(cni_io *io, void *object)
{
    cn_faults **faults = object;
    cn_topology *topology = cni_io_writes(io) ? (*faults)->topology : NULL;
    cni_io_topology(io, &topology);
    if (cni_io_reads(io))
        cni_io_blame(io, "topology", cn_faults_new(topology, faults));
    visit_sets(io, *faults);
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
    if (io->status != CN_OK)
        cn_faults_free(faults);
}

CNI_JSON_TEXTS(faults, visit);
