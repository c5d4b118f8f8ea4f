/* Parts of the cycle that are the same in every variant; inlined into each. */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_NODE_H

#include "base/inline.h"
#include "simulation/deflection/deflection.h"
#include "topology/topology.h"

/* What a pass counts, in registers until its end. */
typedef struct cni_deflection_tally {
    uint64_t queue, first_phase, offered, accepted, distance;
} cni_deflection_tally;

/* Hops from source to destination that a fresh header asks for. */
CNI_INLINE uint64_t cni_deflection_distance(const cni_deflection_shape *k, uint64_t header)
{
    if (k->digit_bits == 1)
        return cni_popcount(header);
    uint64_t hops = 0;
    for (uint32_t i = 0; i < k->dimensions; i++, header >>= k->digit_bits) {
        uint64_t e = header & ((UINT64_C(1) << k->digit_bits) - 1);
        hops += k->bidirectional && k->radix - e < e ? k->radix - e : e;
    }
    return hops;
}

/* Sets where the messages in dimension i come from, relative to a node with this digit there: over
 * the down channels from one up, over the up channels from one down. */
CNI_INLINE void cni_deflection_senders(const cni_deflection_shape *k, uint32_t i, uint64_t digit,
                                       int64_t stride, int64_t from[])
{
    int64_t around = (int64_t)(k->radix - 1) * stride;
    from[i] = digit + 1 == k->radix ? -around : stride;
    if (k->bidirectional)
        from[k->dimensions + i] = digit == 0 ? around : -stride;
}

/* The same in every dimension, for the first node of a pass, with its digits. */
CNI_INLINE void cni_deflection_first_senders(const cni_deflection_shape *k, uint64_t node,
                                             uint64_t digits[], int64_t from[])
{
    int64_t stride = 1;
    for (uint32_t i = 0; i < k->dimensions; i++, node /= k->radix) {
        digits[i] = node % k->radix;
        cni_deflection_senders(k, i, digits[i], stride, from);
        stride *= (int64_t)k->radix;
    }
}

#endif
