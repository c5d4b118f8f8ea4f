/*
 * The traffic of a slotted simulation: in every cycle each node offers a geometric number of
 * messages to uniformly random other nodes (Horng 1992, 2.3).
 *
 * The random sequence of a node in a cycle begins at cni_random_derive(cni_random_derive(seed,
 * cycle), node), where `cycle` is the number of cycles that are over. All slotted kernels use the
 * same words of the sequence for the same purpose, so their runs can be compared message by
 * message. Phase 1 of deflection routing (deflection.h) uses half a word for each message, from
 * word 0 on. The other purposes begin at the following words.
 */
#ifndef CNI_SIMULATION_KERNEL_GEOMETRIC_H
#define CNI_SIMULATION_KERNEL_GEOMETRIC_H

#include "base/inline.h"
#include "base/random.h"

#define CNI_WORDS_PHASE_TWO (UINT64_C(1) << 32) /* phase 2 of deflection routing */
#define CNI_WORDS_OFFERED (UINT64_C(2) << 32)   /* the number of messages that the node offers */
#define CNI_WORDS_HEADERS (UINT64_C(3) << 32)   /* the destinations of these messages */

/* The words that pick the queue of a message. A message that comes by inlet i (in cubes, over
 * port i) uses word i. New messages use the words from CNI_WORDS_NEW on, by number, and injected
 * messages the words from CNI_WORDS_INJECTED on. */
#define CNI_WORDS_NEW (UINT64_C(4) << 32)
#define CNI_WORDS_INJECTED (UINT64_C(5) << 32)

/* The words with which a routing of two legs begins, for new messages and for injected messages. */
#define CNI_WORDS_BEGIN (UINT64_C(6) << 32)
#define CNI_WORDS_BEGIN_INJECTED (UINT64_C(7) << 32)

enum {
    CNI_GEOMETRIC_THRESHOLDS = 254, /* a number of thresholds and the mark below fit into a byte */
    CNI_GEOMETRIC_BIN_BITS = 10,    /* 1 KB, which stays in the first cache */
    CNI_GEOMETRIC_BINS = 1 << CNI_GEOMETRIC_BIN_BITS,
    CNI_GEOMETRIC_OPEN = 255 /* mark of a bin that a threshold divides */
};

/* With more nodes than 2^24 the product of 40 bits of a word and nodes - 1 in
 * cni_uniform_header() would overflow. */
#define CNI_UNIFORM_NODES (UINT64_C(1) << 24)

/* Start from {0}: no traffic. */
typedef struct cni_geometric {
    uint32_t thresholds;
    /* threshold j is 2^64 a^(j+1), a = load / (1 + load) */
    uint64_t threshold[CNI_GEOMETRIC_THRESHOLDS];
    /* by the top bits of a word: the number of thresholds above the word, or CNI_GEOMETRIC_OPEN */
    uint8_t bin[CNI_GEOMETRIC_BINS];
} cni_geometric;

void cni_geometric_start(cni_geometric *traffic, double load);

/* The number of messages that a node offers at the end of a cycle. The bins decide without a
 * search, except for the words of a bin that a threshold divides. */
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
        /* A number above the last threshold goes on with another word, because a geometric
         * number has no memory. */
        if (number < CNI_GEOMETRIC_THRESHOLDS)
            return offered;
    }
}

/* The nodes, among up to 64, that offer a message. The first word of each node decides. */
CNI_INLINE uint64_t cni_geometric_offering(const cni_geometric *traffic, const uint64_t stream[],
                                           uint32_t count)
{
    uint64_t nodes = 0, threshold = traffic->thresholds > 0 ? traffic->threshold[0] : 0;
    for (uint32_t i = 0; i < count; i++)
        nodes |= (uint64_t)(cni_random_word(stream[i], CNI_WORDS_OFFERED) < threshold) << i;
    return nodes;
}

/* The header of offered message number `index`, in the numbering of cn_topology_header(): 1 ..
 * N-1, each with probability 1 / (N-1) up to a relative error of N / 2^40, for N up to
 * CNI_UNIFORM_NODES. */
static inline uint64_t cni_uniform_header(uint64_t stream, uint64_t index, uint64_t nodes)
{
    uint64_t word = cni_random_word(stream, CNI_WORDS_HEADERS + index);
    return 1 + ((word >> 24) * (nodes - 1) >> 40);
}

#endif
