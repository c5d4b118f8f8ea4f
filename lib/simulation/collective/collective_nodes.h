/*
 * Sets of small numbers as bits, with a walk in the order in which a cycle serves nodes and ports:
 * rising in odd cycles, falling in even cycles, so that neither end is favoured.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_NODES_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_NODES_H

#include "routing/faults/fault.h"

static inline size_t cni_set_words(size_t members)
{
    return (members + 63) / 64;
}

static inline void cni_set_add(uint64_t set[], uint32_t member)
{
    set[member >> 6] |= cni_bit(member & 63);
}

static inline void cni_set_remove(uint64_t set[], uint32_t member)
{
    set[member >> 6] &= ~cni_bit(member & 63);
}

static inline int cni_set_has(const uint64_t set[], uint32_t member)
{
    return (set[member >> 6] >> (member & 63) & 1) != 0;
}

/* The first number from `from` up to `end` that is not a member; `end` if all are. */
static inline uint32_t cni_set_first_outside(const uint64_t set[], uint32_t from, uint32_t end)
{
    while (from < end) {
        uint64_t outside = ~set[from >> 6] >> (from & 63);
        if (outside != 0) {
            from += cni_lowest_bit(outside);
            return from < end ? from : end;
        }
        from = (from | 63) + 1;
    }
    return end;
}

static inline uint32_t cni_highest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return 63 - (uint32_t)__builtin_clzll(word);
#else
    uint32_t bit = 0;
    while (word >>= 1)
        bit++;
    return bit;
#endif
}

/* A walk over the members of a set. Each word of the set is read when the walk reaches it. */
typedef struct cni_set_walk {
    const uint64_t *set;
    size_t left, word; /* words still to come, and the present word */
    uint64_t rest;     /* members of the present word that are left */
    int rising;
} cni_set_walk;

static inline cni_set_walk cni_set_begin(const uint64_t set[], size_t words, uint64_t cycle)
{
    return (cni_set_walk){
        .set = set, .left = words, .word = cycle % 2 ? SIZE_MAX : words, .rising = cycle % 2 != 0};
}

/* 0 at the end. */
static inline int cni_set_next(cni_set_walk *walk, uint32_t *member)
{
    while (walk->rest == 0) {
        if (walk->left == 0)
            return 0;
        walk->left--;
        walk->word = walk->rising ? walk->word + 1 : walk->word - 1;
        walk->rest = walk->set[walk->word];
    }
    uint32_t bit = walk->rising ? cni_lowest_bit(walk->rest) : cni_highest_bit(walk->rest);
    walk->rest ^= cni_bit(bit);
    *member = (uint32_t)(walk->word << 6) | bit;
    return 1;
}

#endif
