/* Kernels whose cycle is a pass over the nodes: division among threads, and sums over the
 * threads. */
#include "simulation/kernel/divided.h"

#include <string.h>

#include "base/memory.h"

/* With fewer nodes for each thread, waiting for the other threads in every cycle costs more than
 * another thread gains. */
enum { NODES_PER_HAND = 256 };

static uint32_t hands_of(const cni_divided *base)
{
    return base->hands == NULL ? 0 : cni_team_workers(base->team);
}

cn_status cni_divided_open_hands(cni_divided *base, uint32_t threads, uint64_t nodes, size_t size)
{
    uint64_t useful = (nodes + NODES_PER_HAND - 1) / NODES_PER_HAND;
    CNI_TRY(cni_team_open(threads < useful ? threads : (uint32_t)useful, &base->team));
    base->hands = cni_allocate(cni_team_workers(base->team), sizeof *base->hands);
    CNI_TRY_MEMORY(base->hands);
    for (uint32_t i = 0; i < hands_of(base); i++) {
        cni_hand *hand = cni_allocate(1, size);
        base->hands[i] = hand;
        CNI_TRY_MEMORY(hand);
        hand->delays = i == 0 ? &base->head.delays : cni_allocate(1, sizeof *hand->delays);
        CNI_TRY_MEMORY(hand->delays);
        hand->hops = base->counts.hops;
        if (i > 0 && hand->hops != NULL)
            CNI_TRY_MEMORY(hand->hops = cni_allocate(1, sizeof *hand->hops));
    }
    return CN_OK;
}

void cni_divided_close(cni_divided *base)
{
    for (uint32_t i = 0; i < hands_of(base) && base->hands[i] != NULL; i++) {
        cni_hand *hand = base->hands[i];
        cni_release(hand->landing);
        cni_release(i > 0 ? hand->delays : NULL);
        cni_release(i > 0 ? hand->hops : NULL);
        cni_release(hand);
    }
    cni_release(base->hands);
    cni_team_close(&base->team);
    cni_part_close(&base->part);
    cni_slotted_close(&base->slotted);
    cni_mailbox_close(&base->head.mailbox);
    cni_counts_close(&base->counts);
}

/* ---- counting ---- */

void cni_divided_count(const cni_divided *base, uint64_t counters[CNI_COUNTERS])
{
    memset(counters, 0, CNI_COUNTERS * sizeof *counters);
    for (uint32_t i = 0; i < hands_of(base); i++)
        for (size_t c = 0; c < CNI_COUNTERS; c++)
            counters[c] += base->hands[i]->counters[c];
    counters[CNI_COUNT_CYCLES] = base->cycle;
}

const cni_histogram *cni_divided_gather(const void *state)
{
    const cni_divided *base = state;
    for (uint32_t i = 1; i < hands_of(base); i++) {
        cni_hand *hand = base->hands[i];
        cni_histogram_merge(base->hands[0]->delays, hand->delays);
        cni_histogram_clear(hand->delays);
        if (hand->hops == NULL)
            continue;
        cni_histogram_merge(base->counts.hops, hand->hops);
        cni_histogram_clear(hand->hops);
    }
    return base->hands[0]->delays;
}

void cni_divided_clear_delays(void *state)
{
    const cni_divided *base = state;
    for (uint32_t i = 0; i < hands_of(base); i++)
        cni_histogram_clear(base->hands[i]->delays);
}

cni_part *cni_divided_part(void *state)
{
    return &((cni_divided *)state)->part;
}

/* The number of accepted messages that are not delivered. */
static uint64_t count_present(const cni_divided *base)
{
    uint64_t messages = base->part.balance;
    for (uint32_t i = 0; i < hands_of(base); i++)
        messages += base->hands[i]->counters[CNI_COUNT_ACCEPTED] -
                    base->hands[i]->counters[CNI_COUNT_DELIVERED];
    return messages;
}

uint64_t cni_divided_next_event(const void *state)
{
    const cni_divided *base = state;
    return count_present(base) > 0 || base->part.parts > 0
               ? base->cycle + 1
               : cni_slotted_next(&base->slotted, base->cycle);
}

/* ---- arrivals to report ---- */

cn_status cni_divided_make_landing_room(cni_divided *base, uint64_t messages)
{
    for (uint32_t i = 0; i < hands_of(base); i++)
        CNI_TRY(cni_grow(&base->hands[i]->landing, &base->hands[i]->landing_room, messages,
                         sizeof(cni_landing)));
    return CN_OK;
}

cn_status cni_divided_make_room(void *kernel)
{
    cni_divided *base = kernel;
    CNI_TRY(cni_mailbox_make_room(&base->head.mailbox, cni_size(base->traced)));
    return cni_divided_make_landing_room(base, base->head.mailbox.waiting + base->traced);
}

/* Trace messages may arrive from any part, so in a part the room is for all since cycle 0. */
cn_status cni_divided_make_trace_room(cni_divided *base, uint64_t cycles)
{
    uint64_t first = base->part.parts > 0 ? 0 : base->cycle;
    base->traced = 0;
    if (base->head.mailbox.reports_trace)
        base->traced =
            count_present(base) + cni_slotted_between(&base->slotted, first, base->cycle + cycles);
    return base->traced > 0 ? cni_divided_make_room(base) : CN_OK;
}

void cni_divided_note_landing(cni_hand *hand, const cni_landing *landing)
{
    cni_landing *list = hand->landing;
    if (hand->landings == hand->landing_room)
        return;
    size_t at = hand->landings++;
    for (; at > 0 && list[at - 1].cycle == landing->cycle && list[at - 1].node > landing->node;
         at--)
        list[at] = list[at - 1];
    list[at] = *landing;
}

/* All nodes of a thread are below the nodes of the next thread. */
void cni_divided_land(cni_divided *base,
                      void (*post)(cni_divided *base, const cni_landing *landing))
{
    size_t next[CNI_MAX_WORKERS] = {0};
    for (;;) {
        uint32_t first = hands_of(base);
        for (uint32_t i = 0; i < hands_of(base); i++)
            if (next[i] < base->hands[i]->landings &&
                (first == hands_of(base) || base->hands[i]->landing[next[i]].cycle <
                                                base->hands[first]->landing[next[first]].cycle))
                first = i;
        if (first == hands_of(base))
            break;
        post(base, &base->hands[first]->landing[next[first]++]);
    }
    for (uint32_t i = 0; i < hands_of(base); i++)
        base->hands[i]->landings = 0;
}

/* ---- the traffic of the scenario ---- */

void cni_divided_find_listed(const cni_divided *base, cni_hand *hand, uint64_t node, uint64_t cycle)
{
    if (base->slotted.trace != NULL)
        hand->trace_at = cni_trace_find(base->slotted.traffic, cycle, node);
}

uint64_t cni_divided_offered(const cni_divided *base, cni_hand *hand, uint64_t node,
                             uint64_t stream, const cni_trace_message **listed, uint64_t cycle)
{
    const cni_slotted *slotted = &base->slotted;
    if (slotted->trace == NULL)
        return slotted->load > 0.0 ? cni_slotted_offered(slotted, node, stream) : 0;
    const size_t first = hand->trace_at;
    *listed = slotted->trace + first;
    for (; hand->trace_at < slotted->trace_count; hand->trace_at++) {
        const cni_trace_message *m = slotted->trace + hand->trace_at;
        if (m->cycle != cycle || m->source != node)
            break;
    }
    return hand->trace_at - first;
}

/* ---- snapshots ---- */

cn_status cni_divided_visit_counters(cni_archive *archive, cni_divided *base)
{
    uint64_t *counters[CNI_MAX_WORKERS];
    cni_histogram *delays[CNI_MAX_WORKERS];
    for (uint32_t i = 0; i < hands_of(base); i++) {
        counters[i] = base->hands[i]->counters;
        delays[i] = base->hands[i]->delays;
    }
    cni_archive_sums(archive, counters, hands_of(base), CNI_COUNTERS);
    return cni_archive_histogram(archive, delays, hands_of(base));
}

size_t cni_divided_list_hops(const cni_divided *base, cni_histogram *hops[CNI_MAX_WORKERS])
{
    for (uint32_t i = 0; i < hands_of(base); i++)
        hops[i] = base->hands[i]->hops;
    return hands_of(base);
}
