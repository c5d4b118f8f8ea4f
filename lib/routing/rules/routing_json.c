/* A routing in JSON: its name, its faults and, under "with", the further members of its kind. */
#include "routing/rules/routing.h"

#include "routing/faults/fault.h"
#include "topology/families/topology_json.h"

static void build(cni_io *io, const cni_routing_kind *kind, cni_routing_form *f)
{
    if (CNI_IO_HAS(io, "with", 0))
        cni_io_fail(io, "with", "the routing %s has nothing beside its name", kind->name);
    else
        cni_io_blame(io, "name",
                     cni_routing_build(io->json->function, kind, f->topology, f->faults,
                                       io->json->budget, &f->routing));
}

static void visit_members(cni_io *io, void *object)
{
    cni_routing_form *f = object;
    const cni_routing_kind *kind = cni_io_writes(io) ? f->routing->kind : NULL;
    char name[CNI_JSON_NAME];
    cni_io_name(io, "name", cni_io_writes(io) ? kind->name : NULL, name);
    if (CNI_IO_HAS(io, "faults", f->faults != NULL))
        cni_io_faults(io, f->topology, &f->faults);
    /* the kind is known when its name is read; while keys are listed there is none */
    int has_more = CNI_IO_HAS(io, "with", kind->visit != NULL);
    cn_status status = cni_io_reads(io) ? cni_routing_find(io->json->function, name, &kind) : CN_OK;
    if (has_more && kind != NULL && kind->visit != NULL)
        cni_io_object(io, "with", kind->visit, f);
    else if (status != CN_OK)
        cni_io_blame(io, "name", status);
    else if (cni_io_reads(io))
        build(io, kind, f);
    if (cni_io_writes(io))
        return;
    cn_faults_free(&f->faults);
    if (io->status != CN_OK)
        cn_routing_free(&f->routing);
}

void cni_io_routing(cni_io *io, const cn_topology *topology, cn_routing **routing)
{
    cni_routing_form f = {topology, cni_io_writes(io) ? (*routing)->faults : NULL, *routing};
    cni_io_object(io, "routing", visit_members, &f);
    *routing = f.routing;
}

static void visit(cni_io *io, void *object)
{
    cn_routing **routing = object;
    cn_topology *topology = cni_io_writes(io) ? (*routing)->topology : NULL;
    cni_io_topology(io, &topology);
    cni_routing_form f = {topology, cni_io_writes(io) ? (*routing)->faults : NULL, *routing};
    visit_members(io, &f);
    *routing = f.routing;
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
}

CNI_JSON_TEXTS(routing, visit);
