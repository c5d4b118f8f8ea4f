/*
 * The state of the wormhole kernel in a snapshot: messages, and where worms have gone. All else
 * follows: the held and shared virtual channels, the waiting of headers, the nodes without a
 * broadcast. Reading checks all that indices, sums and counts need. A state to which no run comes
 * goes on; it is stopped where a worm would go further than its routing ever sends a worm.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/traffic/traffic.h"
#include "simulation/wormhole/wormhole_hops.h"
#include "simulation/wormhole/wormhole_short.h"
#include "simulation/wormhole/wormhole_visit.h"

/* ---- messages that are not served yet ---- */

/* Visits the early messages, or the messages in the queue of a channel. */
static cn_status visit_list(const cni_worm_visit *v, cni_worm_list *list, int is_early)
{
    cni_wormhole *k = v->k;
    uint32_t count = cni_archive_reads(v->archive) ? 0 : cni_wormhole_length(k, list);
    CNI_TRY(cni_archive_length(v->archive, &count, CNI_WORM_MESSAGE_BYTES));
    for (uint32_t i = 0, at = list->first; i < count; i++) {
        cni_worm_message message = {0};
        if (!cni_archive_reads(v->archive)) {
            message = k->sources.queued[at];
            at = message.next;
        }
        CNI_TRY(cni_worm_visit_message(v, &message));
        if (!cni_archive_reads(v->archive))
            continue;
        CNI_TRY(cni_worm_check_unserved(k, &message));
        CNI_ALLOW(!is_early || message.created + k->startup > k->cycle,
                  "a message that joins its queue too late");
        CNI_TRY(cni_wormhole_make_room(k, 1));
        cni_wormhole_keep(k, list, &message);
    }
    return CN_OK;
}

static cn_status visit_queued(const cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    for (uint64_t channel = 0; channel < (uint64_t)k->nodes * k->ports; channel++)
        CNI_TRY(visit_list(v, &k->sources.queue[channel].list, 0));
    return visit_list(v, &k->sources.early, 1);
}

/* ---- worms ---- */

cn_status cni_worm_add(cni_wormhole *k, const cni_worm_record *r, uint32_t left, uint32_t node,
                       uint32_t key, uint32_t *worm)
{
    CNI_TRY(cni_wormhole_make_room(k, 1));
    *worm = (uint32_t)k->worms.used++;
    k->worms.message[*worm] = r->message;
    cni_worm_begin(k, *worm, left);
    k->sources.queue[r->message.source * k->ports + r->message.port].served += left > 0;
    k->worms.holders += r->hops > 0;
    cni_worm_header *header = cni_worm_header_of(k, *worm);
    header->class = r->message.class;
    header->target = r->message.target;
    header->node = node;
    header->key = key;
    header->since = r->since;
    return CN_OK;
}

/* Gives a worm a hop that it holds. */
static cn_status hold_hop(cni_wormhole *k, uint32_t worm, uint32_t hop)
{
    uint32_t virtual_channel = k->worms.path[(size_t)worm * k->stride + hop];
    CNI_ALLOW(cni_worm_leads_on(k, virtual_channel), "the hops of a worm");
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    CNI_ALLOW((k->waiting.held[(size_t)node * k->node_words + (at >> 6)] & cni_worm_bit(at)) == 0,
              "a virtual channel that two worms hold");
    cni_worm_hold(k, worm, hop, node, at);
    return CN_OK;
}

/* The hops of a worm, as in a snapshot. */
typedef struct train {
    uint32_t left, tail, hops;
    uint8_t progress; /* of its header: cni_worm_progress */
} train;

/* Whether the flits of a worm lie along it as they can. flits[0] are in the buffer of the tail. */
static int is_filled(const cni_wormhole *k, const train *t, uint32_t all, const uint32_t flits[])
{
    uint32_t held = t->hops - t->tail, last = flits[held - 1];
    uint64_t sum = t->left;
    for (uint32_t i = 0; i < held; i++) {
        if (flits[i] > k->buffers)
            return 0;
        sum += flits[i];
    }
    if ((t->left > 0 && t->tail > 0) || (t->left == 0 && flits[0] == 0) || sum == 0)
        return 0;
    if (t->progress == CNI_WORM_ARRIVED)
        return sum <= all;
    if (sum != all)
        return 0;
    if (t->progress == CNI_WORM_WAITING)
        return last > 0;
    return last == 0 && (held > 1 ? flits[held - 2] : t->left) > 0;
}

/* Reads a worm: its hops and the flits in its buffers. */
static cn_status read_worm(const cni_worm_visit *v, const cni_worm_record *r, const train *t)
{
    cni_wormhole *k = v->k;
    const cni_worm_message *message = &r->message;
    uint32_t worm, node, path[CNI_WORM_HOPS], flits[CNI_WORM_HOPS];
    CNI_ALLOW(t->progress <= CNI_WORM_ARRIVED && t->hops <= k->stride && t->tail < t->hops &&
                  t->left <= message->flits,
              "the hops of a worm");
    cni_archive_u32s(v->archive, path, t->hops);
    cni_archive_u32s(v->archive, flits, t->hops - t->tail);
    CNI_ALLOW(is_filled(k, t, message->flits, flits), "the flits of a worm");
    uint32_t key = path[t->hops - 1];
    int goes = t->progress == CNI_WORM_TRAVELLING ? cni_worm_is_on(k, message, key, &node)
                                                  : cni_worm_comes(k, message, key, &node);
    int is_end = goes && node == message->destination && node == message->target;
    CNI_ALLOW(goes && is_end == (t->progress == CNI_WORM_ARRIVED),
              "a worm where its routing does not send it");
    CNI_TRY(cni_worm_add(k, r, t->left, node, key, &worm));
    memcpy(&k->worms.path[(size_t)worm * k->stride], path, t->hops * sizeof *path);
    for (uint32_t hop = t->tail; hop < t->hops; hop++)
        CNI_TRY(hold_hop(k, worm, hop));
    cni_worm *w = cni_worm_at(k, worm);
    w->tail = (uint16_t)t->tail;
    w->head = (uint16_t)t->hops;
    w->header = t->progress == CNI_WORM_TRAVELLING ? cni_worm_bit(t->hops - 1) : 0;
    w->exit = t->progress == CNI_WORM_ARRIVED ? cni_worm_bit(t->hops) : 0;
    w->leaving = t->left > 0 ? 1 : UINT64_C(2) << (t->tail & 63);
    cni_crowd_lay(k, worm, t->left, flits);
    if (t->progress == CNI_WORM_WAITING)
        cni_wormhole_wait(k, worm, r->since);
    return CN_OK;
}

cn_status cni_worms_visit(const cni_worm_visit *v, const cni_worm_record *r, uint32_t worm)
{
    const cni_wormhole *k = v->k;
    train t = {.hops = r->hops};
    if (!cni_archive_reads(v->archive)) {
        const cni_worm *w = cni_worm_at(k, worm);
        t.left = cni_worm_left(k, worm);
        t.tail = w->tail;
        t.progress = w->exit != 0     ? CNI_WORM_ARRIVED
                     : w->header != 0 ? CNI_WORM_TRAVELLING
                                      : CNI_WORM_WAITING;
    }
    cni_archive_u32s(v->archive, &t.left, 1);
    cni_archive_u32s(v->archive, &t.tail, 1);
    cni_archive_u8s(v->archive, &t.progress, 1);
    if (cni_archive_reads(v->archive))
        return read_worm(v, r, &t);
    cni_archive_u32s(v->archive, &k->worms.path[(size_t)worm * k->stride], t.hops);
    for (uint32_t hop = t.tail; hop < t.hops; hop++) {
        uint32_t flits = cni_worm_flits(k, worm, hop);
        cni_archive_u32s(v->archive, &flits, 1);
    }
    return CN_OK;
}

uint32_t cni_worms_moving(const cni_wormhole *k, uint32_t virtual_channel)
{
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    cni_worm_holder by = k->channels.holder[virtual_channel];
    if (!cni_crowd_has(&k->waiting.held[(size_t)node * k->node_words], at) ||
        by.hop != cni_worm_at(k, by.worm)->tail || cni_worm_waits(cni_worm_at(k, by.worm)))
        return CNI_WORM_NONE;
    return by.worm;
}

static cn_status visit_worm(const cni_worm_visit *v, uint32_t worm)
{
    cni_wormhole *k = v->k;
    cni_worm_record r = {0};
    if (!cni_archive_reads(v->archive))
        r = (cni_worm_record){k->worms.message[worm], cni_worm_header_of(k, worm)->since,
                              cni_worm_at(k, worm)->head};
    CNI_TRY(cni_worm_visit_message(v, &r.message));
    cni_archive_u64s(v->archive, &r.since, 1);
    cni_archive_u32s(v->archive, &r.hops, 1);
    CNI_ALLOW(r.hops == 0 || r.message.broadcast == CNI_WORM_NONE ||
                  !cni_archive_reads(v->archive) ||
                  k->broadcasts.all[r.message.broadcast].sent != 0,
              "a copy of a broadcast that its source has not sent");
    if (r.hops > 0)
        return k->way->visit(v, &r, worm);
    if (!cni_archive_reads(v->archive))
        return CN_OK;
    CNI_TRY(cni_worm_check_unserved(k, &r.message));
    CNI_TRY(cni_worm_add(k, &r, r.message.flits, r.message.source, CNI_WORM_SOURCE + r.message.port,
                         &worm));
    cni_wormhole_wait(k, worm, r.since);
    return CN_OK;
}

/* Writes the worms whose headers wait, node by node in the order of waiting; then the other worms
 * by their virtual channels. */
static cn_status write_worms(const cni_worm_visit *v)
{
    const cni_wormhole *k = v->k;
    for (uint32_t node = 0; node < k->nodes; node++)
        for (uint32_t at = k->waiting.header[node].next; at != node;
             at = k->waiting.header[at].next)
            CNI_TRY(visit_worm(v, at - k->nodes));
    for (uint32_t i = 0; i < k->nodes * k->span; i++) {
        uint32_t worm = k->way->moving(k, i);
        if (worm != CNI_WORM_NONE)
            CNI_TRY(visit_worm(v, worm));
    }
    return CN_OK;
}

static cn_status visit_worms(const cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    uint64_t worms = k->worms.used;
    for (uint32_t at = k->worms.free; at != CNI_WORM_NONE; at = cni_worm_header_of(k, at)->next)
        worms -= 1;
    CNI_TRY(cni_archive_count(v->archive, &worms, CNI_WORM_MESSAGE_BYTES));
    if (!cni_archive_reads(v->archive))
        return write_worms(v);
    if (k->way == &cni_short_messages)
        cni_short_leave(k);
    k->crowd.is_on = 0; /* the turns were read anew */
    k->whole.ends.now = k->cycle;
    if (k->way == &cni_worms)
        cni_crowd_set(k, 1);
    for (uint64_t i = 0; i < worms; i++)
        CNI_TRY(visit_worm(v, CNI_WORM_NONE));
    cni_short_enter(k);
    if (k->way == &cni_worms)
        cni_crowd_set(k, 0);
    return CN_OK;
}

/* ---- all ---- */

static cn_status visit_counts(cni_wormhole *k, cni_archive *archive)
{
    uint64_t channels = (uint64_t)k->nodes * k->ports;
    cni_histogram *delays = &k->head.delays;
    cni_archive_u64s(archive, k->counters, CNI_COUNTERS);
    cni_archive_u64s(archive, k->channels.crossed, channels);
    for (uint32_t channel = 0; k->channels.turn != NULL && channel < channels; channel++) {
        uint8_t turn = k->crowd.is_on ? cni_crowd_last(k, channel) : k->channels.turn[channel];
        cni_archive_u8s(archive, &turn, 1);
        CNI_ALLOW(turn < k->virtual_channels, "the turn of a channel");
        if (cni_archive_reads(archive))
            k->channels.turn[channel] = turn;
    }
    CNI_TRY(cni_archive_histogram(archive, &delays, 1));
    return cni_counts_visit(archive, &k->counts, NULL, 1);
}

cn_status cni_wormhole_visit(void *state, cni_archive *archive)
{
    cni_wormhole *k = state;
    cni_worm_visit v = {.k = k, .archive = archive};
    cni_archive_u64s(archive, &k->cycle, 1);
    cni_archive_u32s(archive, &k->injections, 1);
    CNI_TRY(visit_counts(k, archive));
    CNI_TRY(cni_mailbox_visit(archive, &k->head.mailbox, cni_traffic_is_trace(k->traffic)));
    CNI_TRY(cni_wormhole_visit_sources(k, archive));
    cn_status status = cni_worm_visit_broadcasts(&v);
    if (status == CN_OK)
        status = visit_queued(&v);
    if (status == CN_OK)
        status = visit_worms(&v);
    cni_release(v.number);
    cni_release(v.size);
    return status;
}
