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

/* A node at work: what goes over each port, and the set of those that are taken. On the k-ary cubes `best`
 * is its place in the rows of channels, as most nodes use few of them; else it is collected first. On the
 * Boolean cubes all of it is looked at in the end, and nothing keeps the set before. */
typedef struct cni_deflection_ports {
    uint64_t *best;
    uint64_t stride, taken;
} cni_deflection_ports;

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
    k->own.all.offered[node] += offered;
    k->own.all.accepted[node] += accepted;
}

/* The field of so many hops, or of the most that it holds. */
CNI_INLINE uint64_t cni_deflection_hop_field(const cni_deflection_shape *s, uint64_t hops)
{
    if (!CNI_RARELY(s->hop_mask != 0))
        return 0;
    return (hops < s->hop_mask ? hops : s->hop_mask) << s->hop_shift;
}

/* Eight bytes as a word, the first one lowest; compilers know it as a load. */
CNI_INLINE uint64_t cni_little_word(const unsigned char bytes[])
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/*
 * The ports that the nodes of a block take, turned from a set of ports by node into a set of nodes by port.
 * Byte i of plane q is of node i: its ports from 8q on.
 */
typedef struct cni_deflection_taken {
    unsigned char plane[CNI_MAX_PORTS / 8][CNI_BLOCK];
} cni_deflection_taken;

CNI_INLINE void cni_deflection_take_none(cni_deflection_taken *taken, uint32_t ports)
{
    for (uint32_t p = 0; p < ports; p += 8)
        memset(taken->plane[p / 8], 0, CNI_BLOCK);
}

CNI_INLINE void cni_deflection_take(cni_deflection_taken *taken, uint32_t ports, uint32_t node,
                                    uint64_t set)
{
    for (uint32_t p = 0; p < ports; p += 8)
        taken->plane[p / 8][node] = (unsigned char)(set >> p);
}

/* The product moves bit 0 of byte i to bit 56 + i, and nothing else comes there. */
CNI_INLINE uint64_t cni_deflection_takers(const cni_deflection_taken *taken, uint32_t port)
{
    uint64_t nodes = 0, ones = UINT64_C(0x0101010101010101);
    for (uint32_t i = 0; i < CNI_BLOCK; i += 8) {
        uint64_t eight = cni_little_word(&taken->plane[port / 8][i]) >> port % 8 & ones;
        nodes |= eight * UINT64_C(0x0102040810204080) >> 56 << i;
    }
    return nodes;
}

#endif
