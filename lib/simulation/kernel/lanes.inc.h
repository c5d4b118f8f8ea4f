/* Vectors of eight words, for kernels on processors with AVX-512. */
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

/* cni_random_mix() of eight words */
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

/* A mask as a number. gcc 12 may widen a mask within its own register and keep only a byte of
 * it, so the mask is moved to another register first. */
static inline CNI_INLINE_LANES uint32_t bits_of(__mmask8 mask)
{
    uint32_t bits = mask;
    __asm__("" : "+r"(bits));
    return bits & UINT8_MAX;
}

#endif
