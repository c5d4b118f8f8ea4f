/*
 * Messages that go as a whole, in a snapshot: where each header is and since when, and the buffers
 * and the source that its tail has still to leave. The places that are taken, the channels that are
 * crossed and the ends of the crossings follow from this.
 */
#include "simulation/wormhole/wormhole_visit.h"

static uint32_t channels_of(const cni_wormhole *k)
{
    return k->nodes * k->ports;
}

/* ---- where its header is ---- */

static cn_status take_place(cni_wormhole *k, uint32_t virtual_channel)
{
    CNI_ALLOW(k->whole.stored[virtual_channel] < k->whole.room,
              "more messages than a buffer has places");
    cni_cut_through_store(k, virtual_channel);
    return CN_OK;
}

static cn_status pass_to_node(cni_wormhole *k, uint32_t worm, const cni_worm_record *r,
                              uint32_t key)
{
    uint32_t number = channels_of(k) + (key >> k->shift);
    CNI_ALLOW(r->since + r->message.flits > k->cycle &&
                  k->whole.crossing[number].worm == CNI_WORM_NONE,
              "a message that is passed to its node");
    cni_worm_at(k, worm)->exit = 1;
    cni_cut_through_pass(k, number, worm, key, r->since + r->message.flits);
    return CN_OK;
}

static cn_status add_message(cni_wormhole *k, const cni_worm_record *r, uint32_t key,
                             uint32_t *worm)
{
    const cni_worm_message *message = &r->message;
    uint32_t node;
    CNI_ALLOW(r->hops <= CNI_WORM_HOPS && r->since <= k->cycle &&
                  cni_worm_comes(k, message, key, &node),
              "a message where its routing does not send it");
    CNI_TRY(cni_worm_add(k, r, 0, node, key, worm));
    cni_worm_at(k, *worm)->head = (uint16_t)r->hops;
    CNI_TRY(take_place(k, key));
    if (node == message->destination && node == message->target)
        return pass_to_node(k, *worm, r, key);
    cni_wormhole_wait(k, *worm, r->since);
    return CN_OK;
}

/* ---- the channels between header and tail ---- */

static cn_status cross_channel(cni_wormhole *k, uint32_t channel, uint32_t worm, uint32_t left,
                               uint64_t end)
{
    CNI_ALLOW(k->whole.crossing[channel].worm == CNI_WORM_NONE, "two messages on a channel");
    cni_cut_through_cross(k, channel, worm, left, end);
    return CN_OK;
}

/* A message crosses the channel of `to` until `end`. It comes from the buffer `from`, whose
 * channel it crosses until `before`; 0: no longer. */
static cn_status cross_from_buffer(cni_wormhole *k, uint32_t worm, uint32_t from, uint64_t before,
                                   uint32_t to, uint64_t end)
{
    CNI_ALLOW(cni_worm_leads_on(k, from) && (before == 0 || (before > k->cycle && before < end)),
              "the buffer that a message leaves");
    CNI_TRY(cross_channel(k, to >> k->shift, worm, from, end));
    return take_place(k, from);
}

/* Visits the channels that a message crosses, from its header back to its tail. */
static cn_status visit_tail(const cni_worm_visit *v, uint32_t worm, const cni_worm_record *r,
                            uint32_t to)
{
    cni_wormhole *k = v->k;
    int reads = cni_archive_reads(v->archive);
    const cni_worm_message *message = &r->message;
    uint32_t hops = r->hops;
    uint64_t end = r->since + message->flits - 1;
    for (; hops > 1 && end > k->cycle; hops--) {
        uint32_t from = k->whole.crossing[to >> k->shift].left;
        const cni_crossing *last = reads ? NULL : &k->whole.crossing[from >> k->shift];
        uint64_t before = last != NULL && last->worm == worm ? last->end : 0;
        cni_archive_u32s(v->archive, &from, 1);
        cni_archive_u64s(v->archive, &before, 1);
        if (reads)
            CNI_TRY(cross_from_buffer(k, worm, from, before, to, end));
        to = from;
        end = before;
    }
    if (!reads || hops > 1 || end <= k->cycle)
        return CN_OK;
    k->sources.queue[message->source * k->ports + message->port].served += 1;
    return cross_channel(k, to >> k->shift, worm, CNI_WORM_SOURCE + message->port, end);
}

/* ---- all ---- */

cn_status cni_cut_through_visit(const cni_worm_visit *v, const cni_worm_record *r, uint32_t worm)
{
    uint32_t key = 0;
    if (!cni_archive_reads(v->archive))
        key = cni_worm_header_of(v->k, worm)->key;
    cni_archive_u32s(v->archive, &key, 1);
    if (cni_archive_reads(v->archive))
        CNI_TRY(add_message(v->k, r, key, &worm));
    return visit_tail(v, worm, r, key);
}

/* The message that passes from this virtual channel to its node. All other messages wait. */
uint32_t cni_cut_through_moving(const cni_wormhole *k, uint32_t virtual_channel)
{
    const cni_crossing *c = &k->whole.crossing[channels_of(k) + (virtual_channel >> k->shift)];
    return c->left == virtual_channel ? c->worm : CNI_WORM_NONE;
}
