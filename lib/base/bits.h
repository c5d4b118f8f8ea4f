/* Single bits of words. */
#ifndef CNI_BASE_BITS_H
#define CNI_BASE_BITS_H

#include <stdint.h>

/* Number of zeros above the highest one-bit; 63 for 1, and for 0. */
static inline uint32_t cni_leading_zeros(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_clzll(word | 1);
#else
    uint32_t zeros = 0;
    while (zeros < 63 && (word >> 63) == 0) {
        word <<= 1;
        zeros++;
    }
    return zeros;
#endif
}

/* Position of the lowest one-bit of a word that is not 0. */
static inline uint32_t cni_lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    return 63 - cni_leading_zeros(word & (0 - word));
#endif
}

/* The position of the one-bit with this rank (0: the lowest) in a word with that many one-bits. */
static inline uint32_t cni_select_bit(uint64_t word, uint32_t rank)
{
    for (; rank > 0; rank--)
        word &= word - 1;
    return cni_lowest_bit(word);
}

#endif
