/*
 * What a node of a wormhole network offers of itself: a Poisson process of messages, each a broadcast
 * or a unicast to another node, all equally likely.
 *
 * Message j of a node is made from words 4j .. 4j+3 of its own random sequence, which begins at
 * cni_random_derive(cni_random_derive(seed, CNI_WORMHOLE_SOURCE), node): the time since message j-1,
 * its class, its destination (or base dimension), its queue.
 */
#ifndef CNI_SIMULATION_WORMHOLE_SOURCE_H
#define CNI_SIMULATION_WORMHOLE_SOURCE_H

#include "base/random.h"

/* In the place of a cycle, and of no cycle that is ever reached. */
#define CNI_WORMHOLE_SOURCE UINT64_MAX

enum {
    CNI_WORMHOLE_GAP,
    CNI_WORMHOLE_CLASS,
    CNI_WORMHOLE_DESTINATION,
    CNI_WORMHOLE_QUEUE,
    CNI_WORMHOLE_WORDS
};

/* Words of the sequence of a node and cycle (derived from seed, cycle, node): number g decides grant
 * number g of the node in that cycle; message number i that the caller injects takes two. */
#define CNI_WORMHOLE_INJECTED (UINT64_C(1) << 32)

/*
 * -ln(u) for a uniform u: an exponential time of mean 1. Only additions, multiplications and divisions, so
 * it has the same bits everywhere, which a library's logarithm does not promise. ln(m) is taken as
 * 2 artanh((m-1)/(m+1)) for the mantissa 1/sqrt(2) < m < sqrt(2); error below 1e-15.
 */
double cni_wormhole_exponential(uint64_t word);

/* A uniform number in [0,1) from a word, for comparisons with a probability. */
static inline double cni_wormhole_uniform(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

#endif
