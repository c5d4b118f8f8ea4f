/*
 * Which random words make the messages of a wormhole network.
 *
 * A node has two sequences for the whole run: that of the times of its messages, which
 * scenario/source.h reads, and that of the messages themselves, three words for each; and one for
 * every cycle, from (seed, cycle, node), of which word g decides grant number g of the node.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_SOURCE_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_SOURCE_H

#include "base/random.h"

/* In the place of a cycle, and of none that is ever reached. */
#define CNI_WORMHOLE_TIMES UINT64_MAX
#define CNI_WORMHOLE_MESSAGES (UINT64_MAX - 1)

/* The words of message j are 3j, 3j + 1 and 3j + 2. */
enum {
    CNI_WORMHOLE_CLASS,       /* broadcast or unicast */
    CNI_WORMHOLE_DESTINATION, /* or base dimension */
    CNI_WORMHOLE_QUEUE,
    CNI_WORMHOLE_WORDS
};

/* Of the node's sequence of the cycle: number i that the caller injects takes this word + i for its
 * queue or base dimension. */
#define CNI_WORMHOLE_INJECTED (UINT64_C(1) << 32)

/* A uniform number in [0,1). */
static inline double cni_wormhole_uniform(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* A uniform other node, to within N / 2^40 of 1/(N-1). */
static inline uint64_t cni_wormhole_other(uint64_t node, uint64_t nodes, uint64_t word)
{
    uint64_t other = node + 1 + ((word >> 24) * (nodes - 1) >> 40);
    return other < nodes ? other : other - nodes;
}

#endif
