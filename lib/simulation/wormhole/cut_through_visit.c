/*
 * Messages that go as a whole, in a snapshot: where each header is and since when, and what its tail is still to leave.
 * The places that are taken, the channels that are crossed and the ends of all that follow from this.
 */
#include <string.h>

#include "simulation/wormhole/wormhole_visit.h"

/* A message in the network. */
typedef struct whole_message {
    cni_worm_message message;
    uint64_t came; /* the cycle in which its header came to its node */
    uint32_t hops, key;
} whole_message;

static uint32_t channels_of(const cni_wormhole *k)
{
    return k->nodes * k->ports;
}

static whole_message message_of(const cni_wormhole *k, uint32_t worm)
{
    const cni_worm_header *header = cni_worm_header_of(k, worm);
    const cni_crossing *passed = &k->whole.crossing[channels_of(k) + (header->key >> k->shift)];
    whole_message m = {k->worms.message[worm], header->since, cni_worm_at(k, worm)->head,
                       header->key};
    if (passed->worm == worm)
        m.came = passed->end - m.message.flits;
    return m;
}

/* ---- where its header is ---- */

static cn_status take_place(cni_wormhole *k, uint32_t virtual_channel)
{
    CNI_ALLOW(k->whole.stored[virtual_channel] < k->whole.room,
              "more messages than a buffer has places");
    cni_cut_through_store(k, virtual_channel);
    return CN_OK;
}

static cn_status pass_on(cni_wormhole *k, uint32_t worm, const whole_message *m)
{
    uint32_t number = channels_of(k) + (m->key >> k->shift);
    CNI_ALLOW(m->came + m->message.flits > k->cycle &&
                  k->whole.crossing[number].worm == CNI_WORM_NONE,
              "a message that is passed to its node");
    cni_worm_at(k, worm)->exit = 1;
    cni_cut_through_pass(k, number, worm, m->key, m->came + m->message.flits);
    return CN_OK;
}

static cn_status add_message(cni_wormhole *k, const whole_message *m, uint32_t *worm)
{
    uint32_t node;
    CNI_ALLOW(m->hops > 0 && m->hops <= CNI_WORM_HOPS && m->came <= k->cycle &&
                  cni_worm_comes(k, &m->message, m->key, &node),
              "a message where its routing does not send it");
    CNI_TRY(cni_worm_add(k, &m->message, 0, worm));
    cni_worm_at(k, *worm)->head = (uint16_t)m->hops;
    k->worms.holders += 1;
    cni_worm_header_of(k, *worm)->node = node;
    cni_worm_header_of(k, *worm)->key = m->key;
    CNI_TRY(take_place(k, m->key));
    if (node == m->message.destination && node == m->message.target)
        return pass_on(k, *worm, m);
    cni_wormhole_wait(k, *worm, m->came);
    return CN_OK;
}

/* ---- what its tail is still to leave ---- */

static cn_status cross(cni_wormhole *k, uint32_t channel, uint32_t worm, uint32_t left,
                       uint64_t end)
{
    CNI_ALLOW(k->whole.crossing[channel].worm == CNI_WORM_NONE, "two messages on a channel");
    cni_cut_through_cross(k, channel, worm, left, end);
    return CN_OK;
}

/* It crosses the channel of `to` until `end`, and comes from this buffer, whose channel it crosses until `before`. */
static cn_status cross_from(cni_wormhole *k, uint32_t worm, uint32_t from, uint64_t before,
                            uint32_t to, uint64_t end)
{
    CNI_ALLOW(cni_worm_leads_on(k, from) && (before == 0 || (before > k->cycle && before < end)),
              "the buffer that a message leaves");
    CNI_TRY(cross(k, to >> k->shift, worm, from, end));
    return take_place(k, from);
}

/* From its header to its tail, which is the last that crosses a channel. */
static cn_status visit_tail(const cni_worm_visit *v, uint32_t worm, const whole_message *m)
{
    cni_wormhole *k = v->k;
    int reads = cni_archive_reads(v->archive);
    uint32_t to = m->key, hops = m->hops;
    uint64_t end = m->came + m->message.flits - 1;
    for (; hops > 1 && end > k->cycle; hops--) {
        uint32_t from = k->whole.crossing[to >> k->shift].left;
        const cni_crossing *last = reads ? NULL : &k->whole.crossing[from >> k->shift];
        uint64_t before = last != NULL && last->worm == worm ? last->end : 0;
        cni_archive_u32s(v->archive, &from, 1);
        cni_archive_u64s(v->archive, &before, 1);
        if (reads)
            CNI_TRY(cross_from(k, worm, from, before, to, end));
        to = from;
        end = before;
    }
    if (!reads || hops > 1 || end <= k->cycle)
        return CN_OK;
    k->sources.queue[m->message.source * k->ports + m->message.port].served += 1;
    return cross(k, to >> k->shift, worm, CNI_WORM_SOURCE + m->message.port, end);
}

/* ---- all ---- */

static cn_status visit_whole(const cni_worm_visit *v, uint32_t worm)
{
    whole_message m = {0};
    if (!cni_archive_reads(v->archive))
        m = message_of(v->k, worm);
    CNI_TRY(cni_worm_visit_message(v, &m.message));
    cni_archive_u64s(v->archive, &m.came, 1);
    cni_archive_u32s(v->archive, &m.hops, 1);
    cni_archive_u32s(v->archive, &m.key, 1);
    if (cni_archive_reads(v->archive))
        CNI_TRY(add_message(v->k, &m, &worm));
    return visit_tail(v, worm, &m);
}

/* In the order in which they wait at the nodes, then by the channels over which they come to their ends. */
static cn_status write_all(const cni_worm_visit *v)
{
    const cni_wormhole *k = v->k;
    for (uint32_t node = 0; node < k->nodes; node++)
        for (uint32_t at = k->waiting.header[node].next; at != node;
             at = k->waiting.header[at].next)
            if (cni_worm_holds(cni_worm_at(k, at - k->nodes)))
                CNI_TRY(visit_whole(v, at - k->nodes));
    for (uint32_t number = channels_of(k); number < 2 * channels_of(k); number++)
        if (k->whole.crossing[number].worm != CNI_WORM_NONE)
            CNI_TRY(visit_whole(v, k->whole.crossing[number].worm));
    return CN_OK;
}

/* A header may get something in the next cycle where one has just come, or where something that is wanted is free. */
static void list_again(cni_wormhole *k)
{
    memset(k->waiting.is_listed, 0, k->nodes);
    k->waiting.listed_count = 0;
    for (uint32_t node = 0; node < k->nodes; node++) {
        const uint64_t *wanted = &k->waiting.wanted[(size_t)node * k->node_words];
        const uint64_t *held = &k->waiting.held[(size_t)node * k->node_words];
        uint32_t last = k->waiting.header[node].previous;
        int is_to_be = last != node && k->waiting.header[last].since == k->cycle;
        for (uint32_t i = 0; i < k->node_words; i++)
            is_to_be |= (wanted[i] & ~held[i]) != 0;
        cni_wormhole_list(k, node, is_to_be);
    }
}

/* What is wanted may be more than headers may take, and decides which cycles are skipped. */
static void visit_wanted(const cni_worm_visit *v)
{
    cni_wormhole *k = v->k;
    for (uint32_t node = 0; node < k->nodes; node++) {
        uint64_t set[CNI_WORM_WORDS], *wanted = &k->waiting.wanted[(size_t)node * k->node_words];
        if (k->waiting.header[node].next == node)
            continue;
        memcpy(set, wanted, k->node_words * sizeof *set);
        cni_archive_u64s(v->archive, set, k->node_words);
        for (uint32_t i = 0; cni_archive_reads(v->archive) && i < k->node_words; i++)
            wanted[i] |= set[i];
    }
}

cn_status cni_cut_through_visit(const cni_worm_visit *v, uint64_t messages)
{
    cni_wormhole *k = v->k;
    k->whole.ends.now = cni_archive_reads(v->archive) ? k->cycle : k->whole.ends.now;
    for (uint64_t i = 0; cni_archive_reads(v->archive) && i < messages; i++)
        CNI_TRY(visit_whole(v, CNI_WORM_NONE));
    if (!cni_archive_reads(v->archive))
        CNI_TRY(write_all(v));
    visit_wanted(v);
    if (cni_archive_reads(v->archive))
        list_again(k);
    return CN_OK;
}
