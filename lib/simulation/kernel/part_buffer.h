/*
 * What parts send each other: words of the machine's own byte order.
 *
 *     sum of all after it | number of the exchange | part that sends | words of the runs | letters
 *     | 1: more letters follow
 *     | runs, each: row << 40 | node of the first receiver; a bit for each message; the messages
 *     | letters, each: what the mailbox keeps of an injected message that is among the messages;
 *     its number
 */
#ifndef CNI_SIMULATION_KERNEL_PART_BUFFER_H
#define CNI_SIMULATION_KERNEL_PART_BUFFER_H

#include <stdint.h>

#include "cubenet/simulation.h"

#include "base/random.h"

enum {
    CNI_PART_ROW_SHIFT = 40,
    /* most letters in a buffer; further letters follow in exchanges of their own */
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

/* A sum of all words behind the first, and of their order. */
static inline uint64_t cni_part_sum(const uint64_t buffer[], uint64_t words)
{
    uint64_t sum = words, sums = 0;
    for (uint64_t i = CNI_HEAD_SUM + 1; i < words; i++) {
        sum += buffer[i];
        sums += sum;
    }
    return sum ^ sums * CNI_RANDOM_STEP;
}

/* The words of a buffer for all messages that so many channels can carry, in messages of `width`
 * words. */
static inline uint64_t cni_part_words(uint64_t runs, uint64_t channels, uint32_t width)
{
    return CNI_HEAD_WORDS + 2 * runs + channels * width +
           (uint64_t)CNI_PART_LETTERS * CNI_PART_LETTER_WORDS;
}

#endif
