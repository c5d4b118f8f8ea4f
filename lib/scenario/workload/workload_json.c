/* Workloads in JSON: the messages in their order. */
#include "base/memory.h"
#include "scenario/workload/workload.h"
#include "topology/families/topology_json.h"

/* A message in JSON. Of two elements the first is for deliveries, the second for injections; the
 * index is cni_waits_for_sent(). */
typedef struct form {
    uint64_t source, destination, flits, computing;
    const cni_workload_wait *written[2];
    uint64_t *read[2];
    size_t count[2];
} form;

static void put_wait(cni_io *io, size_t i, void *of)
{
    const cni_workload_wait *waits = of;
    cni_io_put(io, cni_waited_number(waits[i]));
}

static void visit_waits(cni_io *io, const char *key, form *m, int list)
{
    if (!CNI_IO_HAS(io, key, m->count[list] > 0))
        return;
    if (cni_io_writes(io))
        cni_io_array(io, key, m->count[list], put_wait, cni_mutable(m->written[list]));
    else
        cni_io_list(io, key, &m->read[list], &m->count[list], UINT64_MAX);
}

static void visit_form(cni_io *io, void *of)
{
    form *m = of;
    cni_io_whole(io, "source", &m->source, UINT64_MAX);
    cni_io_whole(io, "destination", &m->destination, UINT64_MAX);
    if (CNI_IO_HAS(io, "flits", m->flits > 0))
        cni_io_whole(io, "flits", &m->flits, UINT64_MAX);
    if (CNI_IO_HAS(io, "computing", m->computing > 0))
        cni_io_whole(io, "computing", &m->computing, UINT64_MAX);
    visit_waits(io, "after", m, 0);
    visit_waits(io, "after_sent", m, 1);
}

static void put_message(cni_io *io, size_t i, void *of)
{
    const cn_workload *workload = of;
    const cni_workload_row *is = &workload->message[i];
    form m = {is->source, is->destination, is->flits, is->computing, {0}, {0}, {0}};
    for (size_t w = is->waits; w < cni_workload_waits_end(workload, i); w++)
        m.count[cni_waits_for_sent(workload->wait[w])]++;
    if (workload->waits > 0)
        m.written[0] = workload->wait + is->waits;
    if (m.count[1] > 0)
        m.written[1] = m.written[0] + m.count[0];
    cni_io_object(io, NULL, visit_form, &m);
}

static void read_message(cni_io *io, size_t i, void *of)
{
    form m = {0};
    (void)i;
    cni_io_object(io, NULL, visit_form, &m);
    if (cni_io_reads(io))
        cni_io_blame(io, NULL,
                     cn_workload_add(of, m.source, m.destination, m.flits, m.computing, m.read[0],
                                     m.count[0], m.read[1], m.count[1], NULL));
    cni_release(m.read[0]);
    cni_release(m.read[1]);
}

static void visit_messages(cni_io *io, void *of)
{
    cn_workload *workload = of;
    cni_io_array(io, "messages", workload == NULL ? 0 : workload->messages,
                 cni_io_writes(io) ? put_message : read_message, workload);
}

void cni_io_workload(cni_io *io, const cn_topology *topology, cn_workload **workload)
{
    if (cni_io_reads(io))
        io->status = cn_workload_new(topology, workload);
    cni_io_object(io, "workload", visit_messages, *workload);
    if (io->status != CN_OK)
        cn_workload_free(workload);
}

/* ---- a whole text ---- */

static void visit(cni_io *io, void *object)
{
    cn_workload **workload = object;
    cn_topology *topology = cni_io_writes(io) ? (*workload)->topology : NULL;
    cni_io_topology(io, &topology);
    if (cni_io_reads(io))
        io->status = cn_workload_new(topology, workload);
    visit_messages(io, *workload);
    if (!cni_io_writes(io))
        cn_topology_free(&topology);
    if (io->status != CN_OK)
        cn_workload_free(workload);
}

CNI_JSON_TEXTS(workload, visit);
