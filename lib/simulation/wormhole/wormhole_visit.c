/*
 * The state of the wormhole kernel in a snapshot: messages, and where worms have gone. All else follows: what is held and
 * shared, who waits for what, which nodes do not have a broadcast yet. Who reads
 * makes sure of what indices, sums and counts need: a state that no run comes to goes on, and is stopped where a worm would
 * go further than its routing ever sends one.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/traffic/traffic.h"
#include "simulation/wormhole/wormhole_visit.h"

/* ---- messages that are not served yet ---- */

/* The cycle in which an early message joins its queue. */
static cn_status visit_due(const cni_worm_visit *v, const cni_worm_message *message)
{
    uint64_t due = message->created + v->k->startup;
    cni_archive_u64s(v->archive, &due, 1);
    CNI_ALLOW(due > v->k->cycle && due == message->created + v->k->startup,
              "a message that joins its queue too late");
    return CN_OK;
}

/* Those that are early, or those of the queue of a channel. */
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
        CNI_TRY(cni_worm_visit_unserved(v, &message));
        if (is_early)
            CNI_TRY(visit_due(v, &message));
        if (!cni_archive_reads(v->archive))
            continue;
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

/* A worm as it is in a snapshot. */
typedef struct record {
    cni_worm_message message;
    uint64_t since; /* of a waiting header */
    uint32_t left, tail, hops;
    uint8_t header;
} record;

static record record_of(const cni_wormhole *k, uint32_t worm)
{
    const cni_worm *w = cni_worm_at(k, worm);
    record r = {.message = k->worms.message[worm],
                .left = cni_worm_left(k, worm),
                .tail = w->tail,
                .hops = w->head,
                .header = w->exit != 0     ? CNI_WORM_ARRIVED
                          : w->header != 0 ? CNI_WORM_TRAVELLING
                                           : CNI_WORM_WAITING};
    r.since = r.header == CNI_WORM_WAITING ? cni_worm_header_of(k, worm)->since : 0;
    return r;
}

cn_status cni_worm_add(cni_wormhole *k, const cni_worm_message *message, uint32_t left,
                       uint32_t *worm)
{
    CNI_TRY(cni_wormhole_make_room(k, 1));
    *worm = (uint32_t)k->worms.used++;
    k->worms.message[*worm] = *message;
    cni_worm_begin(k, *worm, left);
    k->sources.queue[message->source * k->ports + message->port].served += left > 0;
    cni_worm_header_of(k, *worm)->class = message->class;
    return CN_OK;
}

/* Those that wait at a source, in the order in which they do. */
static cn_status visit_new_worm(const cni_worm_visit *v, record *r)
{
    uint32_t worm;
    CNI_TRY(cni_worm_visit_unserved(v, &r->message));
    cni_archive_u64s(v->archive, &r->since, 1);
    if (!cni_archive_reads(v->archive))
        return CN_OK;
    CNI_TRY(cni_worm_add(v->k, &r->message, r->message.flits, &worm));
    cni_worm_header_of(v->k, worm)->node = r->message.source;
    cni_worm_header_of(v->k, worm)->key = CNI_WORM_SOURCE + r->message.port;
    cni_wormhole_wait(v->k, worm, r->since);
    return CN_OK;
}

static cn_status visit_new_worms(const cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    for (uint32_t node = 0; node < k->nodes; node++) {
        uint32_t count = 0;
        for (uint32_t at = k->waiting.header[node].next; at != node;
             at = k->waiting.header[at].next)
            count += cni_worm_at(k, at - k->nodes)->head == 0;
        CNI_TRY(cni_archive_length(v->archive, &count, CNI_WORM_MESSAGE_BYTES));
        uint32_t at = k->waiting.header[node].next;
        for (uint32_t i = 0; i < count; i++) {
            record r = {0};
            while (!cni_archive_reads(v->archive) && cni_worm_at(k, at - k->nodes)->head > 0)
                at = k->waiting.header[at].next;
            if (!cni_archive_reads(v->archive)) {
                r = record_of(k, at - k->nodes);
                at = k->waiting.header[at].next;
            }
            CNI_TRY(visit_new_worm(v, &r));
        }
    }
    return CN_OK;
}

/* Gives a worm a hop that it holds. */
static cn_status hold(cni_wormhole *k, uint32_t worm, uint32_t hop)
{
    uint32_t virtual_channel = k->worms.path[(size_t)worm * k->stride + hop];
    CNI_ALLOW(cni_worm_leads_on(k, virtual_channel), "the hops of a worm");
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    CNI_ALLOW((k->waiting.held[(size_t)node * k->node_words + (at >> 6)] & cni_worm_bit(at)) == 0,
              "a virtual channel that two worms hold");
    cni_worm_hold(k, worm, hop, node, at);
    return CN_OK;
}

/* Whether flits lie along a worm as they can; flits[0] are those in the buffer of the tail. */
static int is_filled(const cni_wormhole *k, const record *r, const uint32_t flits[])
{
    uint32_t held = r->hops - r->tail, last = flits[held - 1];
    uint64_t sum = r->left;
    for (uint32_t i = 0; i < held; i++) {
        if (flits[i] > k->buffers)
            return 0;
        sum += flits[i];
    }
    if ((r->left > 0 && r->tail > 0) || (r->left == 0 && flits[0] == 0) || sum == 0)
        return 0;
    if (r->header == CNI_WORM_ARRIVED)
        return sum <= r->message.flits;
    if (sum != r->message.flits)
        return 0;
    if (r->header == CNI_WORM_WAITING)
        return last > 0;
    return last == 0 && (held > 1 ? flits[held - 2] : r->left) > 0;
}

static cn_status read_worm(const cni_worm_visit *v, const record *r)
{
    cni_wormhole *k = v->k;
    uint32_t worm, node, flits[CNI_WORM_HOPS + 1];
    CNI_ALLOW(r->header <= CNI_WORM_ARRIVED && r->hops <= k->stride && r->tail < r->hops &&
                  r->left <= r->message.flits,
              "the hops of a worm");
    CNI_TRY(cni_worm_add(k, &r->message, r->left, &worm));
    uint32_t *path = &k->worms.path[(size_t)worm * k->stride];
    cni_archive_u32s(v->archive, path, r->hops);
    cni_archive_u32s(v->archive, flits, r->hops - r->tail);
    CNI_ALLOW(is_filled(k, r, flits), "the flits of a worm");
    int goes = r->header == CNI_WORM_TRAVELLING
                   ? cni_worm_is_on(k, &r->message, path[r->hops - 1], &node)
                   : cni_worm_comes(k, &r->message, path[r->hops - 1], &node);
    int is_end = goes && node == r->message.destination && node == r->message.target;
    CNI_ALLOW(goes && is_end == (r->header == CNI_WORM_ARRIVED),
              "a worm where its routing does not send it");
    for (uint32_t hop = r->tail; hop < r->hops; hop++)
        CNI_TRY(hold(k, worm, hop));
    cni_worm *w = cni_worm_at(k, worm);
    w->tail = (uint16_t)r->tail;
    w->head = (uint16_t)r->hops;
    w->header = r->header == CNI_WORM_TRAVELLING ? cni_worm_bit(r->hops - 1) : 0;
    w->exit = r->header == CNI_WORM_ARRIVED ? cni_worm_bit(r->hops) : 0;
    w->leaving = r->left > 0 ? 1 : UINT64_C(2) << (r->tail & 63);
    k->worms.holders += 1;
    cni_crowd_lay(k, worm, r->left, flits);
    cni_worm_header_of(k, worm)->node = node;
    cni_worm_header_of(k, worm)->key = path[r->hops - 1];
    if (r->header == CNI_WORM_WAITING)
        cni_wormhole_wait(k, worm, r->since);
    return CN_OK;
}

static cn_status visit_worm(const cni_worm_visit *v, uint32_t worm)
{
    cni_wormhole *k = v->k;
    record r = {0};
    if (!cni_archive_reads(v->archive))
        r = record_of(k, worm);
    CNI_TRY(cni_worm_visit_message(v, &r.message));
    cni_archive_u64s(v->archive, &r.since, 1);
    cni_archive_u32s(v->archive, &r.left, 1);
    cni_archive_u32s(v->archive, &r.tail, 1);
    cni_archive_u32s(v->archive, &r.hops, 1);
    cni_archive_u8s(v->archive, &r.header, 1);
    if (cni_archive_reads(v->archive))
        return read_worm(v, &r);
    cni_archive_u32s(v->archive, &k->worms.path[(size_t)worm * k->stride], r.hops);
    for (uint32_t hop = r.tail; hop < r.hops; hop++) {
        uint32_t flits = cni_worm_flits(k, worm, hop);
        cni_archive_u32s(v->archive, &flits, 1);
    }
    return CN_OK;
}

/* In the order of the virtual channels that hold their tails. */
static cn_status write_worms(const cni_worm_visit *v)
{
    const cni_wormhole *k = v->k;
    for (uint32_t node = 0; node < k->nodes; node++)
        for (uint32_t i = 0; i < k->node_words; i++)
            for (uint64_t set = k->waiting.held[(size_t)node * k->node_words + i]; set != 0;
                 set &= set - 1) {
                const cni_worm_holder *by =
                    &k->channels.holder[(size_t)node * k->span + (i << 6 | cni_lowest_bit(set))];
                if (by->hop == cni_worm_at(k, by->worm)->tail)
                    CNI_TRY(visit_worm(v, by->worm));
            }
    return CN_OK;
}

cn_status cni_worms_visit(const cni_worm_visit *v, uint64_t worms)
{
    cni_wormhole *k = v->k;
    if (!cni_archive_reads(v->archive))
        return write_worms(v);
    k->crowd.is_on = 0; /* the turns are others now */
    cni_crowd_set(k, 1);
    for (uint64_t i = 0; i < worms; i++)
        CNI_TRY(visit_worm(v, CNI_WORM_NONE));
    cni_crowd_set(k, 0);
    return CN_OK;
}

static cn_status visit_worms(const cni_worm_visit *v)
{
    uint64_t worms = v->k->worms.holders;
    CNI_TRY(visit_new_worms(v));
    CNI_TRY(cni_archive_count(v->archive, &worms, CNI_WORM_MESSAGE_BYTES));
    return v->k->way->visit(v, worms);
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
    if (cni_archive_reads(archive))
        k->in_flight = k->counters[CNI_COUNT_ACCEPTED] - k->counters[CNI_COUNT_DELIVERED];
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
