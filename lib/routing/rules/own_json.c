/* An own rule in JSON: the table, and the class of every channel and virtual channel. */
#include "routing/rules/own.h"
#include "routing/rules/table_json.h"

/* The table that was read answers in place of the caller's function, so all checks of a function
 * apply to it. */
typedef struct tabled {
    cni_read_table table;
    const cn_topology *topology;
    size_t *first;      /* nodes + 1: where the channels of a node begin */
    uint64_t *arrivals; /* class by channel and virtual channel */
    uint32_t virtual_channels;
} tabled;

static cn_status look_up(const tabled *t, uint64_t node, uint64_t target, uint64_t previous,
                         uint32_t port, uint32_t virtual_channel, int escapes_only, uint64_t sets[])
{
    uint64_t class = 0;
    if (port != CN_NO_PORT)
        class = t->arrivals[(t->first[previous] + port) * t->virtual_channels + virtual_channel];
    cni_lanes_to_sets(cni_read_entry(&t->table, node, (uint32_t) class, target),
                      CN_MAX_VIRTUAL_CHANNELS, escapes_only, sets);
    return CN_OK;
}

static cn_status tabled_rule(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                             uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return look_up(user, node, destination, previous, port, virtual_channel, CNI_ALL_LANES,
                   channels);
}

static cn_status tabled_escape(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                               uint32_t port, uint32_t virtual_channel, uint64_t channels[])
{
    return look_up(user, node, destination, previous, port, virtual_channel, CNI_ESCAPES_ONLY,
                   channels);
}

static void put_arrival(cni_io *io, size_t i, void *of)
{
    const cni_own_rule *o = of;
    cni_io_put(io, o->arrival[i]);
}

/* Room for the classes of so many channels. */
static cn_status open_arrivals(tabled *t, uint64_t *channels)
{
    t->first = cni_first_channels(t->topology);
    CNI_TRY_MEMORY(t->first);
    *channels = t->first[t->topology->nodes] * t->virtual_channels;
    t->arrivals = cni_allocate(*channels, sizeof *t->arrivals);
    return t->arrivals == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* Of a composed network: the rule of its base. */
static void visit_base(cni_io *io, cni_routing_form *f)
{
    cni_routing_form base = {f->topology->base, f->faults,
                             cni_io_writes(io) ? f->routing->base : NULL};
    cni_own_visit(io, &base);
    if (cni_io_reads(io))
        cni_io_blame(io, NULL,
                     cni_routing_lift(io->json->function, f->topology, base.routing,
                                      io->json->budget, &f->routing));
    if (!cni_io_writes(io))
        cn_routing_free(&base.routing);
}

void cni_own_visit(cni_io *io, void *form)
{
    cni_routing_form *f = form;
    if (f->topology != NULL && f->topology->base != NULL) {
        visit_base(io, f);
        return;
    }
    const cni_own_rule *o = cni_io_writes(io) ? f->routing->state : NULL;
    uint64_t virtual_channels = o == NULL ? 0 : o->virtual_channels;
    uint64_t classes = o == NULL ? 0 : f->routing->classes;
    int escapes = o == NULL ? 0 : f->routing->has_escapes;
    tabled t = {.topology = f->topology};
    uint64_t channels = 0;
    if (cni_io_reads(io) && f->faults != NULL)
        cni_io_fail(io, NULL, "an own rule takes no faults");
    cni_io_whole(io, "virtual_channels", &virtual_channels, CN_MAX_VIRTUAL_CHANNELS);
    cni_io_flag(io, "escapes", &escapes);
    cni_io_whole(io, "classes", &classes, CNI_MOST_CLASSES);
    if (cni_io_reads(io) && virtual_channels == 0)
        cni_io_fail(io, "virtual_channels", "there must be at least 1");
    t.virtual_channels = (uint32_t)virtual_channels;
    t.table.classes = (uint32_t)classes;
    if (cni_io_reads(io))
        io->status = open_arrivals(&t, &channels);
    if (cni_io_writes(io))
        cni_io_array(io, "arrivals", o->first[f->topology->nodes] * o->virtual_channels,
                     put_arrival, cni_mutable(o));
    else
        cni_io_wholes(io, "arrivals", t.arrivals, channels, classes - 1);
    cni_io_table(io, f, &t.table);
    if (cni_io_reads(io))
        cni_io_blame(io, NULL,
                     cni_own_build(io->json->function, f->topology, t.virtual_channels, tabled_rule,
                                   escapes ? tabled_escape : NULL, &t, io->json->budget,
                                   &f->routing));
    cni_read_table_close(&t.table);
    cni_release(t.first);
    cni_release(t.arrivals);
}
