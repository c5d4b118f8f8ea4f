/*
 * Random numbers: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) used as a counter-based generator.
 *
 * Every node has a stream of its own, and in every cycle that stream starts at a place that is
 * computed from (seed, cycle, node) alone. So nothing has to be stored, and a run has the same bits
 * for any number of threads, any order of the nodes and any split of the network.
 *
 * Check value of SplitMix64: the words from state 0 are e220a8397b1dcdaf, 6e789e6aa1b965f4,
 * 06c45d188009454f.
 */
#ifndef CNI_BASE_RANDOM_H
#define CNI_BASE_RANDOM_H

#include <stdint.h>

#define CNI_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The output function of SplitMix64: a bijection that spreads every bit over the word. */
static inline uint64_t cni_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Word number index (0, 1, ...) of the sequence that starts at state. */
static inline uint64_t cni_random_word(uint64_t state, uint64_t index)
{
    return cni_random_mix(state + (index + 1) * CNI_RANDOM_STEP);
}

/* A state that depends on all bits of both arguments. Nested calls derive streams from a seed:
 * cni_random_derive(cni_random_derive(seed, cycle), node). */
static inline uint64_t cni_random_derive(uint64_t state, uint64_t key)
{
    return cni_random_word(cni_random_word(state, 0), key);
}

/* Uniform on 0 .. bound-1 from 32 uniform bits, to within bound / 2^32. */
static inline uint32_t cni_random_below(uint32_t bits, uint32_t bound)
{
    return (uint32_t)(((uint64_t)bits * bound) >> 32);
}

/* Uniform on 0 .. bound-1 from a uniform word, to within bound / 2^64: the upper half of their
 * product. */
static inline uint64_t cni_random_scale(uint64_t word, uint64_t bound)
{
    uint64_t low = UINT32_MAX, a = word >> 32, b = word & low, c = bound >> 32, d = bound & low;
    uint64_t middle = a * d + (b * d >> 32), other = b * c + (middle & low);
    return a * c + (middle >> 32) + (other >> 32);
}

#endif
