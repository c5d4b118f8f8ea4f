/* The steps of a cycle that all variants share, cut-through included. They are inlined into each
 * variant, where `form` is a constant. */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H

#include <string.h>

#include "base/inline.h"
#include "simulation/deflection/deflection.h"
#include "topology/topology.h"

/* The counters of a pass, which stay in registers until its end. */
typedef struct cni_deflection_tally {
    uint64_t queue, first_phase, offered, accepted, distance;
} cni_deflection_tally;

/* The arrivals at a block of a cube, by port. straight: the nodes whose message comes over a
 * plain channel; round: round the end of a ring; outer: from another part. step: from a node to
 * the sender of its straight channel, modulo 2^64. */
typedef struct cni_deflection_coming {
    uint64_t straight[CNI_MAX_PORTS], round[CNI_MAX_PORTS], outer[CNI_MAX_PORTS],
        step[CNI_MAX_PORTS];
} cni_deflection_coming;

/* The messages that a block of a cube sends, by port: the place of the message of its first
 * node, and a bit for each node that sends. In CNI_FORM_ROUTED row[0] is the bank. */
typedef struct cni_deflection_sending {
    uint64_t *row[CNI_MAX_PORTS];
    uint64_t sent[CNI_MAX_PORTS];
} cni_deflection_sending;

/* The number of messages in the queues of a block. */
CNI_INLINE uint64_t cni_deflection_count_queued(const uint32_t length[])
{
    uint64_t sum = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j++)
        sum += length[j];
    return sum;
}

/* Turns the number of a header of a cube into the header field of a message, a field for each
 * digit. A product replaces the division. It is exact while the header is below
 * CNI_UNIFORM_NODES, and the last digit needs no division. */
CNI_INLINE uint64_t cni_deflection_fields(const cni_deflection_shape *s, uint64_t header)
{
    uint64_t fields = 0;
    uint32_t shift = 0;
    if (s->digit_bits == 1)
        return header;
    for (uint32_t i = 1; i < s->dimensions; i++, shift += s->digit_bits) {
        uint64_t rest = header * s->inverse >> 40;
        fields |= (header - rest * s->radix) << shift;
        header = rest;
    }
    return fields | header << shift;
}

/* The port of a cube that leads back from a port. Rings of one direction have none. */
CNI_INLINE uint32_t cni_deflection_back(const cni_deflection_shape *s, uint32_t port)
{
    if (s->radix == 2)
        return port;
    return port < s->dimensions ? port + s->dimensions : port - s->dimensions;
}

/* The bits of a node's number that a port of a Boolean cube changes, without the bits within a
 * block. */
CNI_INLINE uint64_t cni_deflection_far(uint32_t port)
{
    return UINT64_C(1) << port & ~(uint64_t)(CNI_BLOCK - 1);
}

/* Whether a bank of a Boolean cube has messages to other blocks in the places of the receivers. */
CNI_INLINE int cni_deflection_is_turned(int bank)
{
    return bank == 1;
}

/* The hops that a header field of a cube needs. */
CNI_INLINE uint64_t cni_deflection_distance(const cni_deflection_shape *s, uint64_t header)
{
    if (s->digit_bits == 1)
        return cni_popcount(header);
    uint64_t hops = 0;
    for (uint32_t i = 0; i < s->dimensions; i++, header >>= s->digit_bits) {
        uint64_t e = header & ((UINT64_C(1) << s->digit_bits) - 1);
        hops += s->bidirectional && s->radix - e < e ? s->radix - e : e;
    }
    return hops;
}

/* With statistics: counts a message over the channels of a row for each of these nodes of a
 * block. */
CNI_INLINE void cni_deflection_count_coming(const cni_deflection *k, uint64_t row, uint64_t block,
                                            uint64_t nodes)
{
    uint64_t *came = k->came + (row * k->shape.blocks + block) * CNI_BLOCK;
    if (nodes == 0)
        return;
    for (uint32_t j = 0; j < CNI_BLOCK; j++)
        came[j] += nodes >> j & 1;
}

/* With statistics: counts the messages that a node offers and accepts. */
CNI_INLINE void cni_deflection_count_new(const cni_deflection *k, uint64_t node, uint64_t offered,
                                         uint64_t accepted)
{
    k->base.counts.offered[node - k->shape.first] += offered;
    k->base.counts.accepted[node - k->shape.first] += accepted;
}

/* The hop field for a number of hops. A number too large for the field becomes the greatest that
 * fits. */
CNI_INLINE uint64_t cni_deflection_hop_field(const cni_deflection_shape *s, uint64_t hops)
{
    if (!CNI_RARELY(s->hop_mask != 0))
        return 0;
    return (hops < s->hop_mask ? hops : s->hop_mask) << s->hop_shift;
}

/* The header field of header number `header` of a cube in the lower 32 bits, and the hops that
 * the header needs above them. */
CNI_INLINE uint64_t cni_deflection_fresh(const cni_deflection_shape *s, uint64_t header)
{
    uint64_t fields = cni_deflection_fields(s, header);
    return fields | cni_deflection_distance(s, fields) << 32;
}

/* ---- a message and a channel ---- */

/* The message after it has crossed a channel. */
CNI_INLINE uint64_t cni_deflection_cross(cni_deflection_form form, const cni_deflection_shape *s,
                                         uint64_t message, uint32_t port)
{
    if (form == CNI_FORM_ROUTED)
        return message;
    if (form == CNI_FORM_BOOLEAN)
        return message ^ UINT64_C(1) << port;
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t one = UINT64_C(1) << shift, top = (s->radix - 1) << shift;
    uint64_t digit = message & ((UINT64_C(1) << s->digit_bits) - 1) << shift;
    if (up)
        return message + (digit == top ? 0 - top : one);
    return message + (digit == 0 ? top : 0 - one);
}

/* 1 when the channel brings the message closer to its destination. */
CNI_INLINE int cni_deflection_is_valid(cni_deflection_form form, const cni_deflection *k,
                                       uint64_t node, uint64_t message, uint32_t port)
{
    const cni_deflection_shape *s = &k->shape;
    if (form == CNI_FORM_BOOLEAN)
        return (int)(message >> port & 1);
    if (form == CNI_FORM_ROUTED) {
        uint64_t to = message & s->header_mask, far = k->any.network.far[node * s->ports + port];
        if (k->any.hops == NULL)
            return (int)(cni_routing_ports(k->any.closer, node, 0, to) >> port & 1);
        return k->any.hops[to * s->nodes + far] < k->any.hops[to * s->nodes + node];
    }
    int up = port >= s->dimensions;
    uint32_t shift = (up ? port - s->dimensions : port) * s->digit_bits;
    uint64_t e = message >> shift & ((UINT64_C(1) << s->digit_bits) - 1);
    if (!s->bidirectional || e == 0)
        return e != 0;
    return up ? s->radix - e <= e : e <= s->radix - e;
}

/* ---- new messages ---- */

/* Computes the starts of the random sequences of the nodes of a block. */
CNI_INLINE void cni_deflection_begin_streams(uint64_t cycle_seed, uint64_t block, uint64_t stream[])
{
    uint64_t state = cni_random_mix(cycle_seed + CNI_RANDOM_STEP);
    for (uint64_t j = 0; j < CNI_BLOCK; j++)
        stream[j] = cni_random_mix(state + (block * CNI_BLOCK + j + 1) * CNI_RANDOM_STEP);
}

/* Admits the new messages of a node of a cube, as far as there is room. Returns the new length. */
CNI_INLINE uint32_t cni_deflection_admit_plain(const cni_deflection *k,
                                               const cni_deflection_shape *s,
                                               cni_deflection_tally *tally, uint64_t node,
                                               uint64_t stream, uint64_t created, uint32_t length)
{
    uint64_t *queue = k->queue + (node - s->first) * s->slots;
    uint64_t offered = cni_geometric_offered(&k->base.slotted.geometric, stream);
    uint32_t room = s->buffers - length;
    uint32_t accepted = offered < room ? (uint32_t)offered : room;
    uint64_t stamp = created << s->created_shift | node << s->source_shift;
    for (uint32_t j = 0; j < accepted; j++) {
        uint64_t header = cni_uniform_header(stream, j, s->nodes);
        uint64_t fresh = k->fresh != NULL ? k->fresh[header] : cni_deflection_fresh(s, header);
        uint64_t distance = fresh >> 32, hops = cni_deflection_hop_field(s, distance);
        queue[length + j] = stamp | (uint64_t)j << s->number_shift | hops | (fresh & UINT32_MAX);
        tally->distance += distance;
    }
    tally->offered += offered;
    tally->accepted += accepted;
    if (CNI_RARELY(k->came != NULL))
        cni_deflection_count_new(k, node, offered, accepted);
    return length + accepted;
}

/* Whether a pass admits new messages. A trace may have messages before the first cycle. */
CNI_INLINE int cni_deflection_admits(const cni_deflection *k, uint64_t cycle, int in)
{
    const cni_slotted *traffic = &k->base.slotted;
    return in != CNI_NO_BANK ? traffic->load > 0.0 || traffic->trace != NULL
                             : traffic->trace != NULL && cycle == 0;
}

/* The nodes of a block that may have new messages. */
CNI_INLINE uint64_t cni_deflection_sources(const cni_deflection *k, uint64_t there,
                                           const uint64_t stream[])
{
    if (k->base.slotted.trace == NULL && k->base.slotted.source.kind == CN_SOURCE_GEOMETRIC)
        return there & cni_geometric_offering(&k->base.slotted.geometric, stream, CNI_BLOCK);
    return there;
}

/* Admits the new messages of these nodes of a block. Returns the nodes among them that then hold
 * messages. */
CNI_INLINE uint64_t cni_deflection_admit_block(cni_deflection_form form, const cni_deflection *k,
                                               const cni_deflection_shape *s,
                                               cni_deflection_worker *w,
                                               cni_deflection_tally *tally, uint64_t cycle,
                                               uint64_t block, uint64_t nodes,
                                               const uint64_t stream[])
{
    int is_plain = form != CNI_FORM_ROUTED && k->base.slotted.traffic == NULL;
    uint64_t hold = 0;
    for (; nodes != 0; nodes &= nodes - 1) {
        uint32_t j = cni_lowest_bit(nodes), length;
        uint64_t node = block * CNI_BLOCK + j, at = node - s->first;
        if (is_plain)
            length = cni_deflection_admit_plain(k, s, tally, node, stream[j], cycle - k->epoch,
                                                k->length[at]);
        else
            length = cni_deflection_admit(k, w, node, stream[j], cycle, k->length[at]);
        k->length[at] = length;
        hold |= (uint64_t)(length != 0) << j;
    }
    return hold;
}

/* Adds the counters of a pass to the counters of the worker. */
CNI_INLINE void cni_deflection_add(cni_deflection_worker *w, const cni_deflection_tally *tally)
{
    w->hand.counters[CNI_COUNT_QUEUE] += tally->queue;
    w->hand.counters[CNI_COUNT_FIRST_PHASE] += tally->first_phase;
    w->hand.counters[CNI_COUNT_OFFERED] += tally->offered;
    w->hand.counters[CNI_COUNT_ACCEPTED] += tally->accepted;
    w->hand.counters[CNI_COUNT_DISTANCE] += tally->distance;
}

#endif
