/*
 * Sets of small numbers as bits, with a walk in the order in which a cycle serves nodes and ports:
 * rising in odd cycles, falling in even cycles, so that neither end is favoured.
 */
#ifndef CNI_SIMULATION_COLLECTIVE_COLLECTIVE_SETS_H
#define CNI_SIMULATION_COLLECTIVE_COLLECTIVE_SETS_H

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
    uint32_t bit = walk->rising ? cni_lowest_bit(walk->rest) : 63 - cni_leading_zeros(walk->rest);
    walk->rest ^= cni_bit(bit);
    *member = (uint32_t)(walk->word << 6) | bit;
    return 1;
}

#endif
