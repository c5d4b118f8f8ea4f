/* The cycle of the wormhole kernel: grant, send, settle, admit (docs/wormhole.md). The first and the last
 * have files of their own. */
#include "simulation/wormhole/wormhole.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- send ---- */

/* In the loops below what does not change is held in variables of their own: the compiler cannot know that
 * the words that are written are not the kernel's own members. */

/* Each worm sends wherever it has a flit, room, and the channel for itself; elsewhere it requests the
 * channel. One that has a flit and room nowhere sleeps until its header is given something. The list of
 * contested channels has one place more than there are channels, so that every request can be written
 * behind its end. */
static void send_unshared(cni_wormhole *k)
{
    uint32_t *active = k->active;
    const uint32_t *path = k->path;
    cni_worm *worms = k->worm;
    uint64_t *requests = k->requests;
    uint32_t *contested = k->contested;
    uint32_t stride = k->stride, shift = k->shift, numbers = (UINT32_C(1) << shift) - 1;
    size_t listed = 0, count = k->active_count;
    for (size_t i = 0; i < count; i++) {
        cni_worm *w = &worms[active[i]];
        uint64_t ready = w->filled & w->vacant, shared = ready & w->shared;
        if (ready == 0) {
            w->awake = 0;
            active[i--] = active[--count];
            continue;
        }
        w->moves = ready ^ shared;
        const uint32_t *own = path + (size_t)active[i] * stride;
        for (; shared != 0; shared &= shared - 1) {
            uint32_t virtual_channel = own[cni_lowest_bit(shared)];
            uint32_t channel = virtual_channel >> shift;
            uint64_t others = requests[channel];
            contested[listed] = channel;
            listed += others == 0;
            requests[channel] = others | UINT64_C(1) << (virtual_channel & numbers);
        }
    }
    k->active_count = count;
    k->contested_count = listed;
}

/* Round robin: the first request after the last winner. */
static void arbitrate(cni_wormhole *k)
{
    const uint32_t *contested = k->contested;
    const cni_worm_holder *holders = k->holder;
    cni_worm *worms = k->worm;
    uint64_t *all_requests = k->requests;
    uint8_t *turns = k->turn;
    uint32_t shift = k->shift;
    for (size_t i = 0, count = k->contested_count; i < count; i++) {
        uint32_t channel = contested[i];
        uint64_t requests = all_requests[channel];
        uint64_t later = requests & ~((UINT64_C(2) << turns[channel]) - 1);
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        cni_worm_holder holder = holders[(size_t)channel << shift | winner];
        worms[holder.worm].moves |= UINT64_C(1) << holder.hop;
        turns[channel] = (uint8_t)winner;
        all_requests[channel] = 0;
    }
}

/* ---- settle ---- */

/* The tail has left the buffer of a hop. */
static void release_tail(cni_wormhole *k, uint32_t worm, cni_worm *w)
{
    uint32_t virtual_channel = k->path[(size_t)worm * k->stride + w->tail++];
    uint32_t channel = virtual_channel >> k->shift;
    uint32_t number = virtual_channel & ((UINT32_C(1) << k->shift) - 1);
    uint32_t count = k->held_count[channel]--;
    uint32_t flits = k->facts[worm].message.flits;
    k->held[channel] ^= UINT64_C(1) << number;
    k->free_count[channel] = (uint8_t)(k->free_count[channel] + (number > 0));
    k->held_sum -= 1;
    k->held_square -= 2 * count - 1;
    k->busy -= count == 1;
    k->crossed[channel] += flits;
    k->counters[CNI_COUNT_WORM_FLIT_HOPS] += flits;
    if (count == 2)
        cni_worm_mark_shared(k, channel);
    uint32_t node = channel / k->ports;
    if (k->waiting[node].first != CNI_WORM_NONE)
        cni_wormhole_list(k, node);
}

static void deliver(cni_wormhole *k, uint64_t created)
{
    uint64_t delay = k->cycle - created;
    k->counters[CNI_COUNT_DELIVERED] += 1;
    k->counters[CNI_COUNT_DELAY] += delay;
    k->in_flight -= 1;
    cni_histogram_add(&k->head.delays, delay);
}

static void free_worm(cni_wormhole *k, uint32_t worm)
{
    k->facts[worm].next = k->free_worm;
    k->free_worm = worm;
}

static cn_status arrive(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->facts[worm].message;
    if (message->broadcast == CNI_WORM_NONE) {
        deliver(k, message->created);
        k->counters[CNI_COUNT_WORM_HOPS] += k->worm[worm].head;
        if (message->number == CNI_WORM_NONE ||
            (message->traced && !k->head.mailbox.reports_trace)) {
            free_worm(k, worm);
            return CN_OK;
        }
    }
    CNI_TRY(cni_grow(&k->arrived, &k->arrived_places, k->arrived_count + 1, sizeof *k->arrived));
    k->arrived[k->arrived_count++] = worm;
    return CN_OK;
}

/* A header has come from a node, and it may be that another leg begins. */
static void change_state(const cni_wormhole *k, cni_worm_message *message, uint32_t from,
                         uint32_t port, uint32_t number, uint32_t node)
{
    const cn_routing *routing = k->network.routing;
    message->state =
        (uint8_t)cni_routing_after(routing, message->state, message->target, from, port, number);
    if (node != message->target)
        return;
    message->target = message->destination;
    message->state = (uint8_t)cni_leg_class(routing, 1);
}

/* The header has come into the buffer of its last hop. */
static void settle_header(cni_wormhole *k, uint32_t worm, cni_worm *w)
{
    cni_worm_facts *facts = &k->facts[worm];
    uint32_t virtual_channel = k->path[(size_t)worm * k->stride + w->head - 1];
    uint32_t from = facts->node, channel = virtual_channel >> k->shift;
    w->travelling = 0;
    facts->node = k->network.far[channel];
    if (facts->node == facts->message.destination && facts->node == facts->message.target) {
        w->exit = UINT64_C(1) << w->head;
        w->vacant |= w->exit;
        return;
    }
    if (k->network.routing->kind->after != NULL)
        change_state(k, &facts->message, from, channel - from * k->ports,
                     virtual_channel & ((UINT32_C(1) << k->shift) - 1), facts->node);
    facts->key = virtual_channel;
    cni_wormhole_wait(k, worm);
}

/* Buffers of any size: hops at which a flit came in, and those at which one went out. */
static void count_flits(cni_wormhole *k, uint32_t worm, cni_worm *w, uint64_t in, uint64_t out)
{
    uint32_t *flits = k->flits_in + (size_t)worm * k->stride;
    for (uint64_t rest = in | out; rest != 0; rest &= rest - 1) {
        uint32_t hop = cni_lowest_bit(rest);
        uint64_t bit = UINT64_C(1) << hop;
        flits[hop] += (in & bit) != 0 ? 1 : UINT32_MAX;
        w->filled = flits[hop] > 0 ? w->filled | bit << 1 : w->filled & ~(bit << 1);
        w->vacant = flits[hop] < k->buffers ? w->vacant | bit : w->vacant & ~bit;
    }
}

/* What else happens to a worm whose header has made a hop or whose tail has left the source or a buffer.
 * *gone: it has arrived, tail and all. */
static cn_status settle_ends(cni_wormhole *k, uint32_t worm, int *gone)
{
    if (k->worm[worm].left == 0 && (k->worm[worm].moves & 1) != 0) {
        k->worm[worm].filled &= ~UINT64_C(1);
        CNI_TRY(cni_wormhole_leave_source(k, worm)); /* which may move the worms in memory */
    }
    cni_worm *w = &k->worm[worm];
    if (w->travelling && (w->moves >> (w->head - 1) & 1) != 0)
        settle_header(k, worm, w);
    if (w->left == 0 && (w->filled >> w->tail & 2) == 0) {
        release_tail(k, worm, w);
        *gone = w->tail == w->head && w->exit != 0;
    }
    return CN_OK;
}

static cn_status settle(cni_wormhole *k)
{
    cni_worm *worms = k->worm;
    uint32_t *active = k->active;
    uint64_t moved = 0;
    int two_buffers = k->flits_in == NULL;
    for (size_t i = 0; i < k->active_count;) {
        uint32_t worm = active[i];
        cni_worm *w = &worms[worm];
        uint64_t moves = w->moves, came = moves & ~w->exit, left = moves >> 1;
        uint64_t in = came & ~left, out = left & ~came;
        moved |= moves;
        w->left -= (uint32_t)(moves & 1);
        if (two_buffers) {
            /* the second flit fills a buffer, and the last one empties it */
            uint64_t filled = w->filled, vacant = w->vacant;
            w->vacant = (vacant & ~(in & filled >> 1)) | out;
            w->filled = (filled | in << 1) & ~((out & vacant) << 1);
        } else {
            count_flits(k, worm, w, in, out);
        }
        i++;
        uint64_t ends = w->travelling & moves >> (w->head - 1); /* the header has come in */
        if (w->left == 0)
            ends |= (moves & 1) | (~(w->filled >> w->tail) >> 1 & 1);
        if ((ends & 1) == 0)
            continue;
        int gone = 0;
        CNI_TRY(settle_ends(k, worm, &gone));
        if (gone) {
            k->active[--i] = k->active[--k->active_count];
            k->holders -= 1;
            CNI_TRY(arrive(k, worm));
        }
        worms = k->worm;
        active = k->active;
    }
    k->moved |= moved;
    return CN_OK;
}

/* ---- arrivals with consequences ---- */

static int by_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t order_of(const cni_wormhole *k, uint32_t worm)
{
    return (uint64_t)k->path[(size_t)worm * k->stride + k->worm[worm].head - 1] << 32 | worm;
}

static cn_status arrive_copy(cni_wormhole *k, uint32_t worm)
{
    cni_worm_message message = k->facts[worm].message;
    cni_worm_broadcast *whole = &k->broadcast[message.broadcast];
    k->counters[CNI_COUNT_WORM_COPIES] += 1;
    free_worm(k, worm);
    if (--whole->missing > 0)
        return cni_wormhole_send_on(k, message.broadcast, message.destination, message.source);
    deliver(k, whole->created);
    k->counters[CNI_COUNT_WORM_BROADCASTS] += 1;
    k->counters[CNI_COUNT_WORM_BROADCAST_DELAY] += k->cycle - whole->created;
    if (whole->number != CNI_WORM_NONE)
        cni_mailbox_arrive(&k->head.mailbox, whole->created, whole->source, whole->number,
                           k->cycle);
    whole->missing = k->free_broadcast;
    k->free_broadcast = message.broadcast;
    return CN_OK;
}

/* By the number of the virtual channel, so that a node's copies come in a fixed order. What the caller
 * is told of goes by destination, broadcasts last. */
static cn_status settle_arrivals(cni_wormhole *k)
{
    size_t count = k->arrived_count;
    size_t unicasts = 0;
    CNI_TRY(cni_grow(&k->arrived, &k->arrived_places, 2 * count, sizeof *k->arrived));
    uint64_t *told = k->arrived + count;
    for (size_t i = 0; i < count; i++)
        k->arrived[i] = order_of(k, (uint32_t)k->arrived[i]);
    qsort(k->arrived, count, sizeof *k->arrived, by_order);
    for (size_t i = 0; i < count; i++) {
        const cni_worm_message *message = &k->facts[(uint32_t)k->arrived[i]].message;
        if (message->broadcast == CNI_WORM_NONE)
            told[unicasts++] = (uint64_t)message->destination << 32 | i;
    }
    qsort(told, unicasts, sizeof *told, by_order);
    if (k->head.mailbox.reports_trace)
        CNI_TRY(cni_mailbox_make_room(&k->head.mailbox, unicasts));
    for (size_t i = 0; i < unicasts; i++) {
        uint32_t worm = (uint32_t)k->arrived[(uint32_t)told[i]];
        const cni_worm_message *message = &k->facts[worm].message;
        if (message->traced)
            cni_mailbox_report(&k->head.mailbox, &k->traffic->table->trace[message->number],
                               k->cycle);
        else
            cni_mailbox_arrive(&k->head.mailbox, message->created, message->source, message->number,
                               k->cycle);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t worm = (uint32_t)k->arrived[i];
        if (k->facts[worm].message.broadcast == CNI_WORM_NONE)
            free_worm(k, worm);
        else
            CNI_TRY(arrive_copy(k, worm));
    }
    k->arrived_count = 0;
    return CN_OK;
}

/* ---- cycles ---- */

/* What begins each of so many cycles. */
static void pass_time(cni_wormhole *k, uint64_t cycles)
{
    k->counters[CNI_COUNT_WORM_PRESENT] += k->in_flight * cycles;
    k->counters[CNI_COUNT_WORM_NODES] += k->network.served * cycles;
    k->counters[CNI_COUNT_WORM_CHANNELS] += k->network.channels * cycles;
    k->cycle += cycles;
    k->injections = 0;
}

/* Headers wait only where something is held, or where they have just come. */
uint64_t cni_wormhole_next_event(const void *state)
{
    const cni_wormhole *k = state;
    return k->holders > 0 || k->listed_count > 0 ? k->cycle + 1 : cni_wormhole_next_message(k);
}

void cni_wormhole_skip(void *state, uint64_t cycles)
{
    pass_time(state, cycles);
}

static cn_status run_cycle(cni_wormhole *k)
{
    pass_time(k, 1);
    k->cycle_seed = cni_random_derive(k->seed, k->cycle);
    k->moved = 0;
    cni_wormhole_grant(k);
    k->counters[CNI_COUNT_WORM_HELD] += k->held_sum;
    k->counters[CNI_COUNT_WORM_HELD_SQUARE] += k->held_square;
    k->counters[CNI_COUNT_WORM_BUSY] += k->busy;
    send_unshared(k);
    arbitrate(k);
    CNI_TRY(settle(k));
    if (k->arrived_count > 0)
        CNI_TRY(settle_arrivals(k));
    return cni_wormhole_admit(k);
}

cn_status cni_wormhole_run(cni_wormhole *k, uint64_t cycles)
{
    for (uint64_t c = 0; c < cycles; c++) {
        CNI_TRY(run_cycle(k));
        int stands = k->moved == 0 && k->holders > 0;
        if (stands || k->cycle % CNI_WORM_CHECK == 0)
            CNI_TRY(cni_wormhole_check(k));
        if (stands)
            return cni_fail(CN_ERR_INTERNAL,
                            "cn_sim_step: nothing moved in cycle %llu, but there is no deadlock",
                            (unsigned long long)k->cycle);
    }
    return CN_OK;
}
