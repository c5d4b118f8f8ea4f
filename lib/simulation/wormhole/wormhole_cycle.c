/* The cycle of the wormhole kernel: grant, send, settle, admit (docs/wormhole.md). The first and the last
 * have files of their own. */
#include "simulation/wormhole/cut_through.h"

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- settle ---- */

/* The tail has left the buffer of a virtual channel. */
static void release_tail(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    uint32_t channel = virtual_channel >> k->shift;
    uint32_t node = virtual_channel / k->span, at = virtual_channel - node * k->span;
    uint32_t count = k->held_count[channel]--;
    uint32_t flits = k->message[worm].flits;
    size_t word = (size_t)node * k->node_words + (at >> 6);
    uint64_t bit = UINT64_C(1) << (at & 63);
    cni_worm_at(k, worm)->tail += 1;
    k->held[word] ^= bit;
    k->held_sum -= 1;
    k->held_square -= 2 * count - 1;
    k->busy -= count == 1;
    k->crossed[channel] += flits;
    k->counters[CNI_COUNT_WORM_FLIT_HOPS] += flits;
    if (k->crowd.is_on)
        cni_crowd_release(k, virtual_channel, count);
    else if (count == 2)
        cni_worm_mark_shared(k, node, at >> k->shift);
    cni_wormhole_list(k, node, (k->wanted[word] & bit) != 0);
}

static void deliver(cni_wormhole *k, uint64_t created, uint32_t source, uint32_t node)
{
    uint64_t delay = k->cycle - created;
    if (CNI_RARELY(k->counts.words > 0)) {
        k->counts.delivered[node] += 1;
        cni_wormhole_count_leave(k, source);
    }
    k->counters[CNI_COUNT_DELIVERED] += 1;
    k->counters[CNI_COUNT_DELAY] += delay;
    k->in_flight -= 1;
    cni_histogram_add(&k->head.delays, delay);
}

static void free_worm(cni_wormhole *k, uint32_t worm)
{
    cni_worm_header_of(k, worm)->next = k->free_worm;
    k->free_worm = worm;
}

cn_status cni_wormhole_arrive(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->message[worm];
    if (message->broadcast == CNI_WORM_NONE) {
        deliver(k, message->created, message->source, message->destination);
        k->counters[CNI_COUNT_WORM_HOPS] += cni_worm_at(k, worm)->head;
        if (CNI_RARELY(k->counts.words > 0))
            cni_histogram_count(k->counts.hops, cni_worm_at(k, worm)->head);
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

/* The header has come into the buffer of its last hop. */
static void settle_header(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    uint32_t virtual_channel = k->path[(size_t)worm * k->stride + w->head - 1];
    int has_arrived = cni_wormhole_come(k, worm, virtual_channel);
    w->header = 0;
    if (has_arrived)
        w->vacant |= w->exit = cni_worm_bit(w->head);
    if (k->crowd.is_on)
        cni_crowd_come(k, virtual_channel, has_arrived);
}

/* The tail has left the source or a buffer. It is in the next one, or with the node: the worm has arrived. It stays listed as active
 * until the next cycle finds that it has no flits. */
static cn_status settle_tail(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    const uint32_t *path = &k->path[(size_t)worm * k->stride];
    int is_of_source = w->leaving == 1;
    if (!is_of_source)
        release_tail(k, worm, path[w->tail]);
    w->leaving = UINT64_C(2) << (w->tail & 63);
    if (k->crowd.is_on && w->tail < w->head)
        cni_crowd_follow(k, path[w->tail], is_of_source);
    if (is_of_source)
        return cni_wormhole_leave_source(k, worm); /* which may move the worms in memory */
    if (w->tail < w->head)
        return CN_OK;
    k->holders -= 1;
    return cni_wormhole_arrive(k, worm);
}

static cn_status move_worms(cni_wormhole *k)
{
    if (k->crowd.is_on)
        cni_crowd_send(k);
    else
        cni_wormhole_send(k);
    for (size_t i = 0; i < k->header_count; i++)
        settle_header(k, k->picked[i]);
    for (size_t i = 0; i < k->tail_count; i++)
        CNI_TRY(settle_tail(k, k->tails[i]));
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
    return (uint64_t)cni_worm_header_of(k, worm)->key << 32 | worm;
}

/* A message of the caller has arrived. */
static void hand_over(cni_wormhole *k, uint64_t created, uint32_t source, uint32_t number,
                      uint64_t hops, uint64_t flits)
{
    cn_delivery *delivery = cni_mailbox_find(&k->head.mailbox, created, source, number);
    if (delivery != NULL) {
        delivery->hops = hops;
        delivery->flits = flits;
    }
    cni_mailbox_arrive(&k->head.mailbox, delivery, k->cycle);
}

static cn_status arrive_copy(cni_wormhole *k, uint32_t worm)
{
    cni_worm_message message = k->message[worm];
    cni_worm_broadcast *whole = &k->broadcast[message.broadcast];
    k->counters[CNI_COUNT_WORM_COPIES] += 1;
    free_worm(k, worm);
    if (--whole->missing > 0)
        return cni_wormhole_send_on(k, message.broadcast, message.destination, message.source);
    deliver(k, whole->created, whole->source, message.destination);
    k->counters[CNI_COUNT_WORM_BROADCASTS] += 1;
    k->counters[CNI_COUNT_WORM_BROADCAST_DELAY] += k->cycle - whole->created;
    if (CNI_RARELY(k->counts.words > 0))
        cni_histogram_count(k->counts.broadcasts, k->cycle - whole->created);
    if (whole->number != CNI_WORM_NONE)
        hand_over(k, whole->created, whole->source, whole->number,
                  cni_wormhole_depth(k, message.broadcast, message.destination), k->flits);
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
    cni_sort(k->arrived, count, sizeof *k->arrived, by_order, NULL);
    for (size_t i = 0; i < count; i++) {
        const cni_worm_message *message = &k->message[(uint32_t)k->arrived[i]];
        if (message->broadcast == CNI_WORM_NONE)
            told[unicasts++] = (uint64_t)message->destination << 32 | i;
    }
    cni_sort(told, unicasts, sizeof *told, by_order, NULL);
    if (k->head.mailbox.reports_trace)
        CNI_TRY(cni_mailbox_make_room(&k->head.mailbox, unicasts));
    for (size_t i = 0; i < unicasts; i++) {
        uint32_t worm = (uint32_t)k->arrived[(uint32_t)told[i]];
        const cni_worm_message *message = &k->message[worm];
        uint32_t hops = cni_worm_at(k, worm)->head;
        if (message->traced)
            cni_mailbox_report(&k->head.mailbox, &k->traffic->table->trace[message->number],
                               k->cycle, hops, message->flits);
        else
            hand_over(k, message->created, message->source, message->number, hops, message->flits);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t worm = (uint32_t)k->arrived[i];
        if (k->message[worm].broadcast == CNI_WORM_NONE)
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

/* Headers wait only where something is held, or where they have just come. Where messages go as a whole, nothing
 * happens between the cycles in which one ends; that nothing goes on is found in a cycle of its own. */
uint64_t cni_wormhole_next_event(const void *state)
{
    const cni_wormhole *k = state;
    if (k->listed_count > 0 || (k->holders > 0 && k->crossings == 0))
        return k->cycle + 1;
    uint64_t end = k->crossings > 0 ? cni_cut_through_next_end(k) : CN_NEVER;
    uint64_t message = cni_wormhole_next_message(k);
    return end < message ? end : message;
}

void cni_wormhole_skip(void *state, uint64_t cycles)
{
    pass_time(state, cycles);
}

/* Half of the channels are busy, and of these most are shared. Worms that hold few virtual channels move fewer flits when
 * one is looked at, so then less will do. */
static int is_crowded(const cni_wormhole *k)
{
    return 2 * k->busy > k->network.channels && 4 * (k->held_sum + k->holders) > 7 * k->busy;
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
    if (k->room > 0)
        CNI_TRY(cni_cut_through_move(k));
    else
        CNI_TRY(move_worms(k));
    if (k->arrived_count > 0)
        CNI_TRY(settle_arrivals(k));
    if (k->cycle % CNI_WORM_LOOK == 0)
        cni_crowd_set(k, is_crowded(k));
    return cni_wormhole_admit(k);
}

cn_status cni_wormhole_run(void *state, uint64_t cycles)
{
    cni_wormhole *k = state;
    for (uint64_t c = 0; c < cycles; c++) {
        CNI_TRY(run_cycle(k));
        int stands = k->moved == 0 && k->holders > 0;
        if (stands || k->cycle % CNI_WORM_CHECK == 0)
            CNI_TRY(cni_wormhole_check(k));
        if (k->strays)
            return cni_fail(CN_ERR_INTERNAL,
                            "cn_sim_step: the snapshot had a worm that its routing sends too far");
        if (stands)
            return cni_fail(CN_ERR_INTERNAL,
                            "cn_sim_step: nothing moved in cycle %llu, but there is no deadlock",
                            (unsigned long long)k->cycle);
    }
    return CN_OK;
}
