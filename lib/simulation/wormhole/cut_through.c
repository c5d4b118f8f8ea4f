/*
 * Virtual cut-through (docs/simulation.md): the machine of worms, except that a header is given a
 * virtual channel only when the channel is idle and the buffer behind it has room for the whole
 * message. So a message that has begun to cross a channel never stops, and the cycle in which its
 * tail is through is known at once: a hop costs one event, whatever the length of the message.
 *
 * `held` has all virtual channels of a channel while a message crosses it, and the virtual channels
 * whose buffers are full.
 */
#include "base/error.h"
#include "simulation/wormhole/wormhole.h"

static cn_status open_channels(cni_wormhole *k)
{
    uint32_t channels = k->nodes * k->ports;
    k->stride = 0; /* no path: the buffer of a message is enough */
    CNI_TRY(CNI_WORM_MAKE(k, k->whole.stored, (uint64_t)channels << k->shift));
    CNI_TRY(CNI_WORM_MAKE(k, k->whole.full, (uint64_t)k->nodes * k->node_words));
    CNI_TRY(CNI_WORM_MAKE(k, k->whole.crossing, 2 * (uint64_t)channels));
    for (uint32_t i = 0; i < 2 * channels; i++)
        k->whole.crossing[i].worm = CNI_WORM_NONE;
    return cni_wheel_open(&k->whole.ends, 2 * channels);
}

/* ---- grants ---- */

void cni_cut_through_pass(cni_wormhole *k, uint32_t number, uint32_t worm, uint32_t left,
                          uint64_t end)
{
    k->whole.crossing[number] = (cni_crossing){end, worm, left};
    k->whole.crossings += 1;
    cni_wheel_put(&k->whole.ends, number, end);
}

void cni_cut_through_cross(cni_wormhole *k, uint32_t channel, uint32_t worm, uint32_t left,
                           uint64_t end)
{
    uint32_t node = channel / k->ports, at = (channel - node * k->ports) << k->shift;
    k->waiting.held[(size_t)node * k->node_words + (at >> 6)] |= k->every << (at & 63);
    cni_cut_through_pass(k, channel, worm, left, end);
}

void cni_cut_through_store(cni_wormhole *k, uint32_t virtual_channel)
{
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    size_t word = (size_t)node * k->node_words + (at >> 6);
    uint64_t bit = UINT64_C(1) << (at & 63);
    if (++k->whole.stored[virtual_channel] != k->whole.room)
        return;
    k->whole.full[word] |= bit;
    k->waiting.held[word] |= bit;
}

/* As cni_worm_way.give: the message begins to cross the channel, and takes a place in the buffer
 * at its end. */
static void give_whole(cni_wormhole *k, uint32_t worm, uint32_t node, uint32_t at)
{
    uint32_t virtual_channel = node * k->span + at;
    cni_cut_through_cross(k, virtual_channel >> k->shift, worm, cni_worm_header_of(k, worm)->key,
                          k->cycle + k->worms.message[worm].flits - 1);
    cni_cut_through_store(k, virtual_channel);
    cni_worm_header_of(k, worm)->key = virtual_channel;
    k->worms.holders += cni_worm_at(k, worm)->head++ == 0;
    k->worms.picked[k->worms.header_count++] = worm;
}

/* ---- ends of crossings ---- */

/* Frees virtual channels of a node, and lists the node if a header waits for one of them. */
static void free_channels(cni_wormhole *k, uint32_t node, size_t word, uint64_t set)
{
    k->waiting.held[word] &= ~set;
    cni_wormhole_list(k, node, (k->waiting.wanted[word] & set) != 0);
}

/* The tail of a message of so many flits has crossed a channel. */
static void leave_channel(cni_wormhole *k, uint32_t channel, uint64_t flits)
{
    uint32_t node = channel / k->ports, at = (channel - node * k->ports) << k->shift;
    size_t word = (size_t)node * k->node_words + (at >> 6);
    k->channels.crossed[channel] += flits;
    k->counters[CNI_COUNT_WORM_FLIT_HOPS] += flits;
    free_channels(k, node, word, k->every << (at & 63) & ~k->whole.full[word]);
}

/* The tail of a message has left the buffer of a virtual channel. */
static void leave_buffer(cni_wormhole *k, uint32_t virtual_channel)
{
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    size_t word = (size_t)node * k->node_words + (at >> 6);
    uint64_t bit = UINT64_C(1) << (at & 63);
    k->whole.stored[virtual_channel] -= 1;
    if ((k->whole.full[word] & bit) == 0)
        return;
    k->whole.full[word] &= ~bit;
    if (k->whole.crossing[virtual_channel >> k->shift].worm == CNI_WORM_NONE)
        free_channels(k, node, word, bit);
}

/* Ends a crossing: the tail has left `left`, and has crossed a channel or come to its node. */
static cn_status finish_crossing(cni_wormhole *k, uint32_t number)
{
    cni_crossing ended = k->whole.crossing[number];
    uint32_t channels = k->nodes * k->ports;
    k->whole.crossing[number].worm = CNI_WORM_NONE;
    k->whole.crossings -= 1;
    if (number < channels)
        leave_channel(k, number, k->worms.message[ended.worm].flits);
    if (ended.left >= CNI_WORM_SOURCE)
        return cni_wormhole_leave_source(k, ended.worm);
    leave_buffer(k, ended.left);
    if (number < channels)
        return CN_OK;
    k->worms.holders -= 1;
    cni_worm_at(k, ended.worm)->tail = cni_worm_at(k, ended.worm)->head;
    return cni_wormhole_arrive(k, ended.worm);
}

static uint64_t end_of(const void *user, uint32_t number)
{
    return ((const cni_wormhole *)user)->whole.crossing[number].end;
}

uint64_t cni_cut_through_next_end(const cni_wormhole *k)
{
    return cni_wheel_next(&k->whole.ends, end_of, k);
}

/* As cni_worm_way.move: ends the crossings that are due. Then the headers that were granted a
 * channel in this cycle come to its end. */
static cn_status move_whole(cni_wormhole *k)
{
    k->moved = k->whole.crossings;
    for (uint32_t i = cni_wheel_take(&k->whole.ends, k->cycle, end_of, k), next;
         i != CNI_WHEEL_NONE; i = next) {
        next = k->whole.ends.next[i];
        CNI_TRY(finish_crossing(k, i));
    }
    for (size_t i = 0; i < k->worms.header_count; i++) {
        uint32_t worm = k->worms.picked[i], virtual_channel = cni_worm_header_of(k, worm)->key;
        if (!cni_wormhole_come(k, worm, virtual_channel))
            continue;
        cni_worm_at(k, worm)->exit = 1;
        cni_cut_through_pass(k, k->nodes * k->ports + (virtual_channel >> k->shift), worm,
                             virtual_channel, k->cycle + k->worms.message[worm].flits);
    }
    k->worms.header_count = 0;
    return CN_OK;
}

/* As cni_worm_way.sent. */
static uint64_t count_sent(const cni_wormhole *k, uint64_t loads[])
{
    uint64_t all = 0;
    for (uint32_t channel = 0; channel < k->nodes * k->ports; channel++) {
        const cni_crossing *c = &k->whole.crossing[channel];
        if (c->worm == CNI_WORM_NONE)
            continue;
        uint64_t sent = k->cycle + k->worms.message[c->worm].flits - c->end;
        all += sent;
        if (loads != NULL)
            loads[channel] += sent;
    }
    return all;
}

/* The load of a virtual channel: messages in its buffer. */
static uint32_t load_of(const cni_wormhole *k, uint32_t node, uint32_t at)
{
    return k->whole.stored[node * k->span + at];
}

static size_t find_held(const cni_wormhole *k, uint32_t worm, const uint32_t **virtual_channels)
{
    *virtual_channels = &cni_worm_header_of(k, worm)->key;
    return cni_worm_holds(cni_worm_at(k, worm)) ? 1 : 0;
}

const cni_worm_way cni_whole_messages = {.open = open_channels,
                                         .grant = cni_wormhole_grant,
                                         .give = give_whole,
                                         .load = load_of,
                                         .move = move_whole,
                                         .sent = count_sent,
                                         .held = find_held,
                                         .visit = cni_cut_through_visit,
                                         .moving = cni_cut_through_moving};
