/* The state of the kernels that store and forward, in a snapshot. Between steps no message is on
 * a channel. The place of a queue in memory changes no result, and is not written. */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/store_forward/store_forward_node.h"
#include "topology/topology.h"

/* ---- messages: always wide in a snapshot ---- */

uint64_t cni_store_ports_of(const cni_store *k, uint64_t node, const cni_message *m)
{
    const cni_network *net = &k->network;
    const int is_classed = k->shape.form == CNI_STORE_CLASSED;
    uint64_t to = m->identity & k->shape.to_mask, target = is_classed ? m->way >> 8 : to;
    if (k->shape.form == CNI_STORE_CUBE)
        return to;
    if (to >= k->shape.nodes || target >= k->shape.nodes)
        return 0;
    if (k->shape.form == CNI_STORE_RINGS)
        return to == 0 ? 0 : cni_store_channels(k, &k->shape, node, m);
    uint32_t class = is_classed ? (uint32_t)(m->way & 255) : 0;
    uint32_t last = cni_leg_class(net->routing, net->routing->kind->legs - 1);
    if (class >= net->routing->classes || (class >= last && target != to) || node == target ||
        !cni_network_serves(net, node) || !cni_network_is_endpoint(net, to) ||
        !cni_network_serves(net, target))
        return 0;
    return cni_store_channels(k, &k->shape, node, m);
}

/* Refuses a message that cannot be at this node. Here and below, s is the shape of wide
 * messages. */
static cn_status check_message(const cni_store *k, const cni_store_shape *s, uint64_t node,
                               uint32_t port, const cni_message *m, uint64_t *injected)
{
    uint64_t source = cni_store_source(s, m->identity), ports = cni_store_ports_of(k, node, m);
    uint64_t number = m->identity >> s->number_shift & (s->numbers - 1);
    uint64_t is_injected = m->identity >> s->injected_shift & 1;
    CNI_ALLOW((k->slotted_clock ? m->created : m->created >> CNI_TICK_BITS) <= k->base.cycle &&
                  source < s->nodes && cni_network_is_endpoint(&k->network, source) &&
                  (k->separate ? ports >> port & 1 : ports) != 0,
              "a message that cannot be");
    CNI_ALLOW(is_injected || k->base.slotted.trace == NULL ||
                  cni_slotted_find(&k->base.slotted, m->created, source, number) != NULL,
              "a message that the trace does not have");
    *injected += is_injected;
    return CN_OK;
}

/* ---- queues ---- */

/* The wide form of message i of a queue. */
static cni_message wide_message(const cni_store *k, const cni_store_shape *s, const cni_pool *pool,
                                const cni_queue *queue, uint32_t i)
{
    const uint64_t *at = pool->words + (size_t)cni_queue_place(queue, i) * pool->width;
    cni_message m = cni_store_load(&k->shape, at);
    return k->shape.is_wide ? m : cni_store_widen_message(&k->shape, &m, s);
}

static cn_status append_message(cni_store *k, const cni_store_shape *s, cni_pool *pool,
                                cni_queue *queue, const cni_message *m)
{
    cni_message narrow;
    if (!k->shape.is_wide && !cni_store_narrow_message(s, m, &k->shape, &narrow))
        CNI_TRY(cni_store_widen(k));
    return cni_store_push(&k->shape, pool, queue, k->shape.is_wide ? m : &narrow, 1);
}

/* Visits the queue of a port of a node, or the only queue of the node. */
static cn_status visit_queue(cni_archive *archive, cni_store *k, const cni_store_shape *s,
                             cni_pool *pool, uint64_t node, uint32_t port, uint64_t *injected)
{
    cni_queue *queue = &k->queue[cni_store_queue(k->queues, cni_store_at(k, node), port)];
    uint32_t length = cni_queue_length(queue);
    CNI_TRY(cni_archive_length(archive, &length, s->width * sizeof *pool->words));
    for (uint32_t i = 0; i < length; i++) {
        cni_message m = {0};
        if (!cni_archive_reads(archive))
            m = wide_message(k, s, pool, queue, i);
        cni_archive_u64s(archive, &m.created, 1);
        cni_archive_u64s(archive, &m.identity, 1);
        if (s->form == CNI_STORE_CLASSED)
            cni_archive_u64s(archive, &m.way, 1);
        if (!cni_archive_reads(archive))
            continue;
        CNI_TRY(check_message(k, s, node, port, &m, injected));
        CNI_TRY(append_message(k, s, pool, queue, &m));
    }
    return CN_OK;
}

static cn_status visit_queues(cni_archive *archive, cni_store *k, const cni_store_shape *s)
{
    /* half of the span is for messages created before the present cycle, half for later ones */
    uint64_t injected = 0, half = k->shape.span / 2;
    if (cni_archive_reads(archive))
        k->shape.epoch = k->shape.is_wide || k->base.cycle < half ? 0 : k->base.cycle - half;
    for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++) {
        cni_store_worker *w = cni_store_worker_at(k, i);
        for (uint64_t node = w->first_node; node < w->end_node; node++)
            for (uint32_t port = 0; port < k->queues; port++)
                CNI_TRY(visit_queue(archive, k, s, &w->pool, node, port, &injected));
    }
    CNI_ALLOW(!cni_archive_reads(archive) || injected == k->base.head.mailbox.waiting,
              "the number of injected messages");
    return CN_OK;
}

/* ---- the continuous clock ---- */

/* Checks that every channel with messages is listed exactly once. */
static cn_status check_busy(const cni_store *k)
{
    uint64_t queues = cni_store_queues(k->queues, k->shape.nodes), empty = 0;
    uint8_t *listed = cni_allocate(queues, sizeof *listed);
    int holds = listed != NULL;
    for (uint32_t i = 0; i < k->busy_count && holds; i++) {
        uint32_t node = k->busy[i] >> 6, port = k->busy[i] & 63;
        uint64_t q = 0;
        holds = node < k->shape.nodes && port < k->shape.ports;
        if (holds)
            q = cni_store_queue(k->queues, node, port);
        holds = holds && !listed[q] && cni_queue_length(&k->queue[q]) > 0;
        listed[q] = 1;
    }
    for (uint64_t q = 0; q < queues; q++)
        empty += cni_queue_length(&k->queue[q]) == 0;
    cni_release(listed);
    CNI_TRY_MEMORY(listed);
    CNI_ALLOW(holds && k->busy_count == queues - empty, "the list of the channels in use");
    return CN_OK;
}

static cn_status visit_events(cni_archive *archive, cni_store *k)
{
    if (k->slotted_clock)
        return CN_OK;
    cni_archive_u32s(archive, &k->busy_count, 1);
    CNI_ALLOW(k->busy_count <= cni_store_queues(k->queues, k->shape.nodes),
              "the number of the channels in use");
    cni_archive_u32s(archive, k->busy, k->busy_count);
    if (cni_archive_reads(archive))
        CNI_TRY(check_busy(k));
    return cni_store_visit_clock(k, archive);
}

/* ---- all ---- */

static cn_status visit_counters(cni_archive *archive, cni_store *k)
{
    cni_histogram *hops[CNI_MAX_WORKERS];
    CNI_TRY(cni_divided_visit_counters(archive, &k->base));
    size_t threads = cni_divided_list_hops(&k->base, hops);
    return cni_counts_visit(archive, &k->base.counts, hops, threads);
}

cn_status cni_store_visit(void *state, cni_archive *archive)
{
    cni_store *k = state;
    const cni_store_shape wide = cni_store_wide_shape(k);
    cni_archive_u64s(archive, &k->base.cycle, 1);
    cni_archive_u64s(archive, &k->injections, 1);
    CNI_ALLOW(k->injections <= wide.numbers, "the number of injections");
    cni_part_visit(archive, &k->base.part);
    CNI_TRY(visit_counters(archive, k));
    CNI_TRY(cni_slotted_visit(archive, &k->base.slotted));
    CNI_TRY(cni_mailbox_visit(archive, &k->base.head.mailbox, k->base.slotted.trace != NULL));
    CNI_TRY(visit_queues(archive, k, &wide));
    if (k->seen_length != NULL)
        cni_archive_u32s(archive, k->seen_length, cni_store_queues(k->queues, cni_store_nodes(k)));
    CNI_TRY(visit_events(archive, k));
    return cni_archive_reads(archive)
               ? cni_divided_make_landing_room(&k->base, k->base.head.mailbox.waiting)
               : CN_OK;
}
