/* The steps of every hop of a worm, inline for the inner loops: a header is given a virtual
 * channel, and the tail leaves a virtual channel. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_HOPS_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_HOPS_H

#include "simulation/kernel/processor.h"
#include "simulation/wormhole/wormhole.h"

/* The number of the set that a message may take at a node, where choices have numbers. */
static inline uint32_t cni_worm_choice_number(const cni_wormhole *k, uint32_t node,
                                              const cni_worm_message *message)
{
    if (k->choices.is_by_difference)
        return node ^ message->target;
    return cni_table_number(k->network.table, cni_routing_place(k->network.routing, node,
                                                                message->state, message->target));
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

/* Random bits for draw `number` of a node in the cycle. */
CNI_INLINE uint32_t cni_worm_draw(const cni_wormhole *k, uint32_t node, uint32_t number)
{
    return (uint32_t)(cni_random_word(cni_random_word(k->cycle_seed, node), number) >> 32);
}

#endif
