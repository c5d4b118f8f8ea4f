/* Sets of nodes of a Boolean cube as bits: bit v mod 64 of word v / 64 for node v. */
#ifndef CNI_ROUTING_FAULTS_NODE_SET_H
#define CNI_ROUTING_FAULTS_NODE_SET_H

#include "routing/faults/fault.h"

/* The nodes across dimension i (0 .. 5) from those of a word. */
static inline uint64_t cni_across(uint64_t word, uint32_t i)
{
    static const uint64_t zeros[] = {/* nodes whose bit i is 0 */
                                     UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                     UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x00ff00ff00ff00ff),
                                     UINT64_C(0x0000ffff0000ffff), UINT64_C(0x00000000ffffffff)};
    uint32_t step = UINT32_C(1) << i;
    return (word & zeros[i]) << step | (word >> step & zeros[i]);
}

/*
 * Counts, to `most` at most, the members other than the node itself in the subcube at the node that
 * the dimensions span; *other is one of them. Members are those whose bit in `set` differs from
 * that in `flip`, 0 or all ones. The nodes of one word, which the six lowest dimensions join, are
 * counted at once.
 */
static inline uint32_t cni_others_in(const uint64_t set[], uint64_t flip, uint64_t node,
                                     uint64_t dimensions, uint32_t most, uint64_t *other)
{
    uint64_t self = cni_bit(node & 63), inside = self, high = dimensions >> 6;
    for (uint64_t low = dimensions & 63; low != 0; low &= low - 1)
        inside |= cni_across(inside, cni_lowest_bit(low));
    uint64_t part = 0, found = (set[node >> 6] ^ flip) & inside & ~self;
    uint32_t count = 0;
    for (;;) {
        if (found != 0) {
            *other = ((node >> 6) ^ part) << 6 | cni_lowest_bit(found);
            count += cni_popcount(found);
        }
        part = (part - high) & high;
        if (part == 0 || count >= most)
            return count < most ? count : most;
        found = (set[(node >> 6) ^ part] ^ flip) & inside;
    }
}

#endif
