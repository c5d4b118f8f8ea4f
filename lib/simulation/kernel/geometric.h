/*
 * The traffic of a slotted simulation: every node offers a geometric number of messages a cycle to
 * uniformly random other nodes (Horng 1992, 2.3.1).
 *
 * A node's random sequence of a cycle begins at cni_random_derive(cni_random_derive(seed, cycle),
 * node), where the cycle is the number of cycles that are over. Which words of it serve what is the
 * same in every slotted kernel, so that their runs can be compared message by message: phase 1 of
 * the assignment takes half a word a message from word 0 on, phase 2 and the traffic begin as
 * below.
 */
#ifndef CNI_SIMULATION_KERNEL_GEOMETRIC_H
#define CNI_SIMULATION_KERNEL_GEOMETRIC_H

#include "base/inline.h"
#include "base/random.h"

#define CNI_WORDS_PHASE_TWO (UINT64_C(1) << 32)
#define CNI_WORDS_OFFERED (UINT64_C(2) << 32)
#define CNI_WORDS_HEADERS (UINT64_C(3) << 32)

/* The words that pick the queue of a message: word i for a message that comes by inlet i (in
 * cubes, over port i), words from here on for new messages by number, then the words for
 * injected messages. */
#define CNI_WORDS_NEW (UINT64_C(4) << 32)
#define CNI_WORDS_INJECTED (UINT64_C(5) << 32)

/* The words with which a routing of two legs begins, in the same order. */
#define CNI_WORDS_BEGIN (UINT64_C(6) << 32)
#define CNI_WORDS_BEGIN_INJECTED (UINT64_C(7) << 32)

enum {
    CNI_GEOMETRIC_THRESHOLDS = 254,
    CNI_GEOMETRIC_BIN_BITS = 10,
    CNI_GEOMETRIC_BINS = 1 << CNI_GEOMETRIC_BIN_BITS,
    CNI_GEOMETRIC_OPEN = 255 /* a bin in which several numbers meet */
};

/* With more nodes the product in cni_uniform_header() would overflow. */
#define CNI_UNIFORM_NODES (UINT64_C(1) << 24)

/* Start from {0}: no traffic. */
typedef struct cni_geometric {
    uint32_t thresholds;
    uint64_t threshold[CNI_GEOMETRIC_THRESHOLDS]; /* 2^64 a^(j+1), a = load / (1 + load) */
    uint8_t bin[CNI_GEOMETRIC_BINS]; /* the number of thresholds above a word with these top bits */
} cni_geometric;

void cni_geometric_start(cni_geometric *traffic, double load);

/* The number of messages that a node offers at the end of a cycle. The bins decide for all but
 * about one word in a thousand. */
static inline uint64_t cni_geometric_offered(const cni_geometric *traffic, uint64_t stream)
{
    uint64_t offered = 0;
    for (uint64_t draw = 0;; draw++) {
        uint64_t word = cni_random_word(stream, CNI_WORDS_OFFERED + draw);
        uint32_t number = traffic->bin[word / (UINT64_MAX / CNI_GEOMETRIC_BINS + 1)];
        if (number == CNI_GEOMETRIC_OPEN)
            for (number = 0; number < traffic->thresholds && word < traffic->threshold[number];)
                number++;
        offered += number;
        /* at the end of the table: the geometric law has no memory, so the rest has the law of
         * the start */
        if (number < CNI_GEOMETRIC_THRESHOLDS)
            return offered;
    }
}

/* Those of up to 64 nodes that offer something: the first word of each decides it. */
CNI_INLINE uint64_t cni_geometric_offering(const cni_geometric *traffic, const uint64_t stream[],
                                           uint32_t count)
{
    uint64_t nodes = 0, threshold = traffic->thresholds > 0 ? traffic->threshold[0] : 0;
    for (uint32_t i = 0; i < count; i++)
        nodes |= (uint64_t)(cni_random_word(stream[i], CNI_WORDS_OFFERED) < threshold) << i;
    return nodes;
}

/* The header of offered message number `index`, numbered as by cn_topology_header(): 1 .. N-1,
 * uniform to within N / 2^40 of 1/N, for N up to CNI_UNIFORM_NODES. */
static inline uint64_t cni_uniform_header(uint64_t stream, uint64_t index, uint64_t nodes)
{
    uint64_t word = cni_random_word(stream, CNI_WORDS_HEADERS + index);
    return 1 + ((word >> 24) * (nodes - 1) >> 40);
}

#endif
