/*
 * The buffers that parts exchange: words in the byte order of the machine, in this order.
 * - Head: checksum of all words behind the first; number of the exchange; sending part; words of
 *   the runs; number of letters; 1 when more letters follow.
 * - For each run: row << 40 | node of the first receiver; a bit for each message; the messages.
 * - For each letter: the delivery of an injected message that is among the messages; its number.
 */
#ifndef CNI_SIMULATION_KERNEL_PART_BUFFER_H
#define CNI_SIMULATION_KERNEL_PART_BUFFER_H

#include <stdint.h>

#include "cubenet/simulation.h"

#include "base/random.h"

enum {
    CNI_PART_ROW_SHIFT = 40,
    /* Letters in a buffer at most, which bounds its size; further letters follow in exchanges of
     * their own. */
    CNI_PART_LETTERS = 64,
    CNI_PART_LETTER_WORDS = sizeof(cn_delivery) / sizeof(uint64_t) + 1
};

enum {
    CNI_HEAD_SUM,
    CNI_HEAD_NUMBER,
    CNI_HEAD_PART,
    CNI_HEAD_RUNS,
    CNI_HEAD_LETTERS,
    CNI_HEAD_MORE,
    CNI_HEAD_WORDS
};

/* A checksum of all words behind the first word, which also depends on their order. */
static inline uint64_t cni_part_sum(const uint64_t buffer[], uint64_t words)
{
    uint64_t sum = words, sums = 0;
    for (uint64_t i = CNI_HEAD_SUM + 1; i < words; i++) {
        sum += buffer[i];
        sums += sum;
    }
    return sum ^ sums * CNI_RANDOM_STEP;
}

/* The words of a buffer for the messages of this many channels, of `width` words each, in this
 * many runs. */
static inline uint64_t cni_part_words(uint64_t runs, uint64_t channels, uint32_t width)
{
    return CNI_HEAD_WORDS + 2 * runs + channels * width +
           (uint64_t)CNI_PART_LETTERS * CNI_PART_LETTER_WORDS;
}

#endif
