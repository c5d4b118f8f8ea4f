/* The steps of every hop of a worm, inline for the inner loops: a header comes to a node and
 * waits there, a header is given a virtual channel, and the tail leaves a virtual channel. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_HOPS_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_HOPS_H

#include "base/random.h"
#include "routing/decisions/channels.h"
#include "simulation/wormhole/wormhole.h"

#if CNI_BMI2
#include <immintrin.h>
#define CNI_FOR_BMI2 __attribute__((target("bmi,bmi2,popcnt")))
#endif

/* The number of the set that a message may take at a node, where choices have numbers. */
static inline uint32_t cni_worm_choice_number(const cni_wormhole *k, uint32_t node,
                                              const cni_worm_message *message)
{
    if (k->choices.is_by_difference)
        return node ^ message->target;
    return cni_table_number(k->network.table, cni_routing_place(k->network.routing, node,
                                                                message->state, message->target));
}

CNI_INLINE void cni_worm_add_choice(const cni_wormhole *k, uint32_t number, uint32_t words,
                                    uint64_t set[])
{
    const uint64_t *choice = &k->choices.set[(size_t)number * 2 * words];
    for (uint32_t i = 0; i < words; i++)
        set[i] |= choice[i] | choice[words + i];
}

/* Puts a header into the ring of its node: behind all headers that have waited longer, and by
 * key among the headers of the same cycle. The place of the node is before all headers. */
CNI_INLINE void cni_worm_line_up(cni_wormhole *k, uint32_t worm, uint64_t since)
{
    cni_worm_header *all = k->waiting.header, *own = cni_worm_header_of(k, worm);
    uint32_t place = k->nodes + worm;
    own->since = since;
    if (cni_worm_has_numbers(k))
        own->choice = cni_worm_choice_number(k, own->node, &k->worms.message[worm]);
    else
        cni_worm_write_choice(k, worm);
    uint32_t after = all[own->node].previous;
    while (all[after].since > since || (all[after].since == since && all[after].key > own->key))
        after = all[after].previous;
    own->previous = after;
    own->next = all[after].next;
    all[own->next].previous = place;
    all[after].next = place;
    cni_worm_add_choice(k, own->choice, k->node_words,
                        &k->waiting.wanted[(size_t)own->node * k->node_words]);
    cni_wormhole_list(k, own->node, 1);
}

/* A header has come from a node: finds its class in the routing, and begins the next leg at the
 * end of a leg. Only for routings with classes. */
static inline void cni_worm_change_state(const cni_wormhole *k, cni_worm_message *message,
                                         uint32_t from, uint32_t port, uint32_t number,
                                         uint32_t node)
{
    const cn_routing *routing = k->network.routing;
    message->state =
        (uint8_t)cni_routing_after(routing, message->state, message->target, from, port, number);
    if (node != message->target)
        return;
    message->target = message->destination;
    message->state = (uint8_t)cni_leg_class(routing, 1);
}

CNI_INLINE int cni_worm_come_in(cni_wormhole *k, uint32_t worm, uint32_t virtual_channel)
{
    cni_worm_header *header = cni_worm_header_of(k, worm);
    cni_worm_message *message = &k->worms.message[worm];
    uint32_t from = header->node, channel = virtual_channel >> k->shift;
    uint32_t node = k->network.far[channel];
    header->node = node;
    header->key = virtual_channel;
    header->since = k->cycle;
    if (node == message->destination && node == message->target)
        return 1;
    if (CNI_RARELY(k->counts.words > 0) && message->broadcast == CNI_WORM_NONE)
        k->counts.forwarded[node] += 1;
    if (k->network.routing->kind->after != NULL)
        cni_worm_change_state(k, message, from, channel - from * k->ports,
                              virtual_channel & ((UINT32_C(1) << k->shift) - 1), node);
    cni_worm_line_up(k, worm, k->cycle);
    return 0;
}

/* Grants a worm virtual channel `at` of a node for a hop. Returns the number of virtual channels
 * of the channel that are held then. */
static inline uint32_t cni_worm_hold(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t node,
                                     uint32_t at)
{
    uint32_t count = ++k->channels.held_count[node * k->ports + (at >> k->shift)];
    k->waiting.held[(size_t)node * k->node_words + (at >> 6)] |= cni_worm_bit(at);
    k->channels.held_sum += 1;
    k->channels.held_square += 2 * count - 1;
    k->channels.busy += count == 1;
    k->channels.holder[node * k->span + at] = (cni_worm_holder){worm, hop};
    return count;
}

/* The tail of a worm of so many flits has left the buffer of a virtual channel; `node` sends
 * over it. Returns the number of virtual channels of the channel that were held. */
static inline uint32_t cni_worm_release(cni_wormhole *k, uint32_t virtual_channel, uint32_t node,
                                        uint32_t flits)
{
    uint32_t channel = virtual_channel >> k->shift, at = virtual_channel - node * k->span;
    uint32_t count = k->channels.held_count[channel]--;
    size_t word = (size_t)node * k->node_words + (at >> 6);
    uint64_t bit = cni_worm_bit(at);
    k->waiting.held[word] ^= bit;
    k->channels.held_sum -= 1;
    k->channels.held_square -= 2 * count - 1;
    k->channels.busy -= count == 1;
    k->channels.crossed[channel] += flits;
    k->counters[CNI_COUNT_WORM_FLIT_HOPS] += flits;
    cni_wormhole_list(k, node, (k->waiting.wanted[word] & bit) != 0);
    return count;
}

/* ---- grants ---- */

/* The position of a one-bit of a word by its rank; rank 0 is the lowest one-bit. */
typedef uint32_t (*cni_worm_select_fn)(uint64_t word, uint32_t rank);

#if CNI_BMI2
CNI_FOR_BMI2 static inline uint32_t cni_worm_select_bmi2(uint64_t word, uint32_t rank)
{
    return (uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << rank, word));
}
#endif

/* The lowest virtual channel of each port in a word. The highest bit of each port is set before
 * the subtraction, which so borrows nothing from the next port. */
CNI_INLINE uint64_t cni_worm_lowest_of_ports(const cni_wormhole *k, uint64_t set)
{
    return set & ~((set | k->highest) - k->lowest);
}

/* A copy leaves the source of its broadcast: notes the cycle of the first one. */
static inline void cni_worm_note_sent(cni_wormhole *k, uint32_t worm)
{
    cni_worm_broadcast *whole = &k->broadcasts.all[k->worms.message[worm].broadcast];
    if (whole->sent == 0)
        whole->sent = k->cycle;
}

CNI_INLINE uint32_t cni_worm_draw(const cni_wormhole *k, uint32_t node, uint32_t number,
                                  uint32_t count)
{
    uint64_t stream = cni_random_word(k->cycle_seed, node);
    return cni_random_below((uint32_t)(cni_random_word(stream, number) >> 32), count);
}

#endif
