/*
 * The random words that make the messages of a wormhole network.
 *
 * A node has two sequences for the whole run. scenario/traffic/source.h reads the times of its
 * messages from the first sequence; the second sequence has three words for each message. Another
 * sequence belongs to each cycle, from (seed, cycle, node): its word g decides grant g of the node.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_SOURCE_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_SOURCE_H

/* Numbers that stand in the place of a cycle; no run reaches a cycle with such a number. */
#define CNI_WORMHOLE_TIMES UINT64_MAX
#define CNI_WORMHOLE_MESSAGES (UINT64_MAX - 1)

/* Message j of a node has the words 3j, 3j + 1 and 3j + 2. */
enum {
    CNI_WORMHOLE_CLASS,       /* broadcast or unicast */
    CNI_WORMHOLE_DESTINATION, /* destination, or base dimension */
    CNI_WORMHOLE_QUEUE,       /* queue, and target of the first leg */
    CNI_WORMHOLE_WORDS
};

/* Injected message i of a cycle takes this word + i of the sequence of the cycle and its source,
 * for its queue or base dimension. */
#define CNI_WORMHOLE_INJECTED (UINT64_C(1) << 32)

/* A uniform number in [0,1). */
static inline double cni_wormhole_uniform(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* A uniform node other than `node`: each has the probability 1/(N-1), to within N / 2^40. */
static inline uint64_t cni_wormhole_other(uint64_t node, uint64_t nodes, uint64_t word)
{
    uint64_t other = node + 1 + ((word >> 24) * (nodes - 1) >> 40);
    return other < nodes ? other : other - nodes;
}

#endif
