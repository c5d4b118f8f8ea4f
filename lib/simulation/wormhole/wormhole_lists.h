/* Lists of the members of sets, 64 a word. Plain code and vectors make the same lists. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_LISTS_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/inline.h"

#if CNI_AVX512
#include <immintrin.h>
#define CNI_FOR_LANES __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512bw,avx512vbmi2")))
#endif

enum { CNI_LISTED = 64 }; /* the most words of a set that is listed */

typedef struct cni_bit_list {
    uint16_t at[64 * CNI_LISTED + 64];
    size_t count;
} cni_bit_list;

typedef void (*cni_list_fn)(const uint64_t set[], size_t words, cni_bit_list *list);

CNI_INLINE void cni_list_plain(const uint64_t set[], size_t words, cni_bit_list *list)
{
    list->count = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t rest = set[i]; rest != 0; rest &= rest - 1)
            list->at[list->count++] = (uint16_t)(i << 6 | cni_lowest_bit(rest));
}

#if CNI_AVX512
/* The number of members of a word cannot be foreseen. This code needs no branch for it, except
 * for words with more than 32 members. */
CNI_FOR_LANES CNI_INLINE void cni_list_lanes(const uint64_t set[], size_t words, cni_bit_list *list)
{
    unsigned char numbers[64];
    size_t count = 0;
    for (uint32_t i = 0; i < 64; i++)
        numbers[i] = (unsigned char)i;
    const __m512i all = _mm512_loadu_si512(numbers), step = _mm512_set1_epi16(64);
    __m512i first = _mm512_setzero_si512();
    for (size_t i = 0; i < words; i++) {
        __m512i found = _mm512_maskz_compress_epi8(set[i], all);
        __m512i half = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
        size_t here = (size_t)__builtin_popcountll(set[i]);
        _mm512_storeu_si512(list->at + count, _mm512_add_epi16(first, half));
        if (CNI_RARELY(here > 32)) {
            half = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(found, 1));
            _mm512_storeu_si512(list->at + count + 32, _mm512_add_epi16(first, half));
        }
        count += here;
        first = _mm512_add_epi16(first, step);
    }
    list->count = count;
}
#endif

#endif
