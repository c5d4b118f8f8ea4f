/* Eight words at a time, for the code of kernels that is for processors with AVX-512. */
#ifndef CNI_SIMULATION_KERNEL_LANES_INC_H
#define CNI_SIMULATION_KERNEL_LANES_INC_H

#include <immintrin.h>

#include "base/inline.h"
#include "base/random.h"

#define CNI_INLINE_LANES __attribute__((target("avx512f,avx512dq"), always_inline))

static inline CNI_INLINE_LANES __m512i all(uint64_t word)
{
    return _mm512_set1_epi64((long long)word);
}

static inline CNI_INLINE_LANES __m512i lane_numbers(void)
{
    return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
}

/* cni_random_mix() */
static inline CNI_INLINE_LANES __m512i mix(__m512i z)
{
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)),
                           all(UINT64_C(0xbf58476d1ce4e5b9)));
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)),
                           all(UINT64_C(0x94d049bb133111eb)));
    return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

/* cni_random_word() of eight sequences */
static inline CNI_INLINE_LANES __m512i words_of(__m512i streams, uint64_t index)
{
    return mix(_mm512_add_epi64(streams, all((index + 1) * CNI_RANDOM_STEP)));
}

/* Two matrices of 4 x 4 words, side by side in four rows: word j of row i becomes word i of row j. */
static inline CNI_INLINE_LANES void transpose_four(__m512i row[4])
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512i a = _mm512_unpacklo_epi64(row[0], row[1]), b = _mm512_unpackhi_epi64(row[0], row[1]);
    __m512i c = _mm512_unpacklo_epi64(row[2], row[3]), d = _mm512_unpackhi_epi64(row[2], row[3]);
    row[0] = _mm512_permutex2var_epi64(a, low, c);
    row[1] = _mm512_permutex2var_epi64(b, low, d);
    row[2] = _mm512_permutex2var_epi64(a, high, c);
    row[3] = _mm512_permutex2var_epi64(b, high, d);
}

/* One of 8 x 8. */
static inline CNI_INLINE_LANES void transpose_eight(__m512i row[8])
{
    transpose_four(row);
    transpose_four(row + 4);
    for (int j = 0; j < 4; j++) {
        __m512i upper = row[j], lower = row[j + 4];
        row[j] = _mm512_shuffle_i64x2(upper, lower, 0x44);
        row[j + 4] = _mm512_shuffle_i64x2(upper, lower, 0xee);
    }
}

#endif
