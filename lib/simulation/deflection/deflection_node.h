/* Parts of the cycle that are the same in every variant; inlined into each. */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H

#include <string.h>

#include "base/inline.h"
#include "simulation/deflection/deflection.h"
#include "topology/topology.h"

/* What a pass counts, in registers until its end. */
typedef struct cni_deflection_tally {
    uint64_t queue, first_phase, offered, accepted, distance;
} cni_deflection_tally;

/* What comes to the nodes of a block of a cube, by port: to which nodes straight, to which round the end of
 * a ring, to which from another part, and how many nodes away the senders of the first are. */
typedef struct cni_deflection_coming {
    uint64_t straight[CNI_MAX_PORTS], round[CNI_MAX_PORTS], outer[CNI_MAX_PORTS],
        step[CNI_MAX_PORTS];
} cni_deflection_coming;

/* Bits of the 64 places of a row that are not empty. */
CNI_INLINE uint64_t cni_deflection_filled(const uint64_t row[])
{
    uint64_t filled = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j++)
        filled |= (uint64_t)(row[j] != CNI_NO_MESSAGE) << j;
    return filled;
}

/* The header of a cube in the form of a message: a field for each digit. A product takes the place of the
 * division; it is exact for the headers below CNI_UNIFORM_NODES of which more than one digit is left. */
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

/* The port that leads back to where a port of a cube comes from; rings of one direction have none. */
CNI_INLINE uint32_t cni_deflection_back(const cni_deflection_shape *s, uint32_t port)
{
    if (s->radix == 2)
        return port;
    return port < s->dimensions ? port + s->dimensions : port - s->dimensions;
}

/* Hops from source to destination that a fresh header of a cube asks for. */
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

/* With statistics: messages come over the channels of a row to these nodes of a block. */
CNI_INLINE void cni_deflection_count_coming(const cni_deflection *k, uint64_t row, uint64_t block,
                                            uint64_t nodes)
{
    uint64_t *plane = k->own.plane + (row * k->shape.blocks + block) * CNI_PLANES;
    for (; nodes != 0; plane++) {
        uint64_t carry = *plane & nodes;
        *plane ^= nodes;
        nodes = carry;
    }
}

/* And a node offers messages. */
CNI_INLINE void cni_deflection_count_new(const cni_deflection *k, uint64_t node, uint64_t offered,
                                         uint64_t accepted)
{
    k->own.all.offered[node - k->shape.first] += offered;
    k->own.all.accepted[node - k->shape.first] += accepted;
}

/* The field of so many hops, or of the most that it holds. */
CNI_INLINE uint64_t cni_deflection_hop_field(const cni_deflection_shape *s, uint64_t hops)
{
    if (!CNI_RARELY(s->hop_mask != 0))
        return 0;
    return (hops < s->hop_mask ? hops : s->hop_mask) << s->hop_shift;
}

/* A fresh header of a cube in the form of a message, and above these 32 bits the hops that it asks for. */
CNI_INLINE uint64_t cni_deflection_fresh(const cni_deflection_shape *s, uint64_t header)
{
    uint64_t fields = cni_deflection_fields(s, header);
    return fields | cni_deflection_distance(s, fields) << 32;
}

#endif
