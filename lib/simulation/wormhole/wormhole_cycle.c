/* The cycle of the wormhole kernel: grant, send, settle, admit (docs/simulation.md). This file
 * has the order of the steps and the settling of arrivals; the other steps have files of their
 * own. */
#include "simulation/wormhole/wormhole.h"

#include "base/error.h"
#include "base/inline.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- settle ---- */

static void count_delivery(cni_wormhole *k, uint64_t created, uint32_t source, uint32_t node)
{
    uint64_t delay = k->cycle - created;
    if (CNI_RARELY(k->counts.words > 0)) {
        k->counts.delivered[node] += 1;
        k->counts.offered[source] -= 1;
        cni_counts_leave(&k->counts, source, k->cycle);
    }
    k->counters[CNI_COUNT_DELIVERED] += 1;
    k->counters[CNI_COUNT_DELAY] += delay;
    cni_histogram_add(&k->head.delays, delay);
}

static void free_worm(cni_wormhole *k, uint32_t worm)
{
    cni_worm_header_of(k, worm)->next = k->worms.free;
    k->worms.free = worm;
}

cn_status cni_wormhole_arrive(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->worms.message[worm];
    if (message->broadcast == CNI_WORM_NONE) {
        count_delivery(k, message->created, message->source, message->destination);
        k->counters[CNI_COUNT_WORM_HOPS] += cni_worm_at(k, worm)->head;
        if (CNI_RARELY(k->counts.words > 0))
            cni_histogram_count(k->counts.hops, cni_worm_at(k, worm)->head);
        if (message->number == CNI_WORM_NONE ||
            (message->traced && !k->head.mailbox.reports_trace)) {
            free_worm(k, worm);
            return CN_OK;
        }
    }
    CNI_TRY(cni_grow(&k->arrived.all, &k->arrived.places, k->arrived.count + 1,
                     sizeof *k->arrived.all));
    uint64_t group = message->broadcast == CNI_WORM_NONE ? message->destination : CNI_WORM_NONE;
    k->arrived.all[k->arrived.count++] =
        (cni_worm_arrival){group << 32 | cni_worm_header_of(k, worm)->key, worm};
    return CN_OK;
}

/* ---- arrivals that the caller or a broadcast waits for ---- */

static int by_order(const void *a, const void *b)
{
    const cni_worm_arrival *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* Puts the delivery of a message that the caller injected into the mailbox. */
static void hand_over_letter(cni_wormhole *k, uint64_t created, uint32_t source, uint32_t number,
                             uint64_t hops, uint64_t flits)
{
    cni_letter *letter = cni_mailbox_find(&k->head.mailbox, created, source, number);
    if (letter != NULL) {
        letter->hops = (uint32_t)hops;
        letter->flits = (uint32_t)flits;
    }
    cni_mailbox_arrive(&k->head.mailbox, letter, k->cycle);
}

/* A copy of a broadcast has arrived. Its node sends copies on, unless the broadcast is complete. */
static cn_status arrive_copy(cni_wormhole *k, uint32_t worm)
{
    cni_worm_message message = k->worms.message[worm];
    cni_worm_broadcast *whole = &k->broadcasts.all[message.broadcast];
    k->counters[CNI_COUNT_WORM_COPIES] += 1;
    free_worm(k, worm);
    if (--whole->missing > 0)
        return cni_wormhole_send_on(k, message.broadcast, message.destination, message.source);
    count_delivery(k, whole->created, whole->source, message.destination);
    k->counters[CNI_COUNT_WORM_BROADCASTS] += 1;
    k->counters[CNI_COUNT_WORM_BROADCAST_DELAY] += k->cycle - whole->created;
    k->counters[CNI_COUNT_WORM_BROADCAST_WAIT] += whole->sent - 1 - whole->created - k->startup;
    if (CNI_RARELY(k->counts.words > 0))
        cni_histogram_count(k->counts.broadcasts, k->cycle - whole->created);
    if (whole->number != CNI_WORM_NONE)
        hand_over_letter(k, whole->created, whole->source, whole->number,
                         cni_wormhole_depth(k, message.broadcast, message.destination), k->flits);
    whole->missing = k->broadcasts.free;
    k->broadcasts.free = message.broadcast;
    return CN_OK;
}

/* Tells the caller that a unicast has arrived. */
static void report_unicast(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->worms.message[worm];
    uint32_t hops = cni_worm_at(k, worm)->head;
    if (message->traced)
        cni_mailbox_report(&k->head.mailbox, &k->traffic->table->trace[message->number], k->cycle,
                           hops, message->flits);
    else
        hand_over_letter(k, message->created, message->source, message->number, hops,
                         message->flits);
}

/* Settles unicasts by destination, then copies by the number of the virtual channel, so that the
 * copies of a node come in a fixed order. */
static cn_status settle_arrivals(cni_wormhole *k)
{
    if (k->head.mailbox.reports_trace)
        CNI_TRY(cni_mailbox_make_room(&k->head.mailbox, k->arrived.count));
    cni_sort(k->arrived.all, k->arrived.count, sizeof *k->arrived.all, by_order, NULL);
    for (size_t i = 0; i < k->arrived.count; i++) {
        uint32_t worm = k->arrived.all[i].worm;
        if (k->worms.message[worm].broadcast != CNI_WORM_NONE) {
            CNI_TRY(arrive_copy(k, worm));
            continue;
        }
        report_unicast(k, worm);
        free_worm(k, worm);
    }
    k->arrived.count = 0;
    return CN_OK;
}

/* ---- cycles ---- */

/* Begins so many cycles in which the numbers of messages, nodes and channels stay as they are. */
static void pass_time(cni_wormhole *k, uint64_t cycles)
{
    k->counters[CNI_COUNT_WORM_PRESENT] +=
        (k->counters[CNI_COUNT_ACCEPTED] - k->counters[CNI_COUNT_DELIVERED]) * cycles;
    k->counters[CNI_COUNT_WORM_NODES] += k->network.endpoints * cycles;
    k->counters[CNI_COUNT_WORM_CHANNELS] += k->network.channels * cycles;
    k->cycle += cycles;
    k->injections = 0;
}

/* With worms under way something may happen in every cycle: worms have no crossings. Where
 * messages go as a whole, nothing happens between the cycles in which a crossing ends. When such
 * messages are under way and nothing crosses, the next cycle is run: it finds the deadlock. */
uint64_t cni_wormhole_next_event(const void *state)
{
    const cni_wormhole *k = state;
    if ((k->worms.holders > 0 && k->whole.crossings == 0) || cni_wormhole_can_grant(k))
        return k->cycle + 1;
    uint64_t end = k->whole.crossings > 0 ? cni_cut_through_next_end(k) : CN_NEVER;
    uint64_t message = cni_wormhole_next_message(k);
    return end < message ? end : message;
}

void cni_wormhole_skip(void *state, uint64_t cycles)
{
    pass_time(state, cycles);
}

static cn_status run_cycle(cni_wormhole *k)
{
    pass_time(k, 1);
    k->cycle_seed = cni_random_word(cni_random_derive(k->seed, k->cycle), 0);
    k->moved = 0;
    k->way->grant(k);
    k->counters[CNI_COUNT_WORM_HELD] += k->channels.held_sum;
    k->counters[CNI_COUNT_WORM_HELD_SQUARE] += k->channels.held_square;
    k->counters[CNI_COUNT_WORM_BUSY] += k->channels.busy;
    CNI_TRY(k->way->move(k));
    if (k->arrived.count > 0)
        CNI_TRY(settle_arrivals(k));
    return cni_wormhole_admit(k);
}

cn_status cni_wormhole_run(void *state, uint64_t cycles)
{
    cni_wormhole *k = state;
    for (uint64_t c = 0; c < cycles; c++) {
        CNI_TRY(run_cycle(k));
        int stands = k->moved == 0 && k->worms.holders > 0;
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
