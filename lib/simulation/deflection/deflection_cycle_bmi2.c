/* The cycle of deflection routing for x86-64 processors with POPCNT and PDEP, and for those with AVX-512 beside, where
 * cubes go eight nodes at a time. */
#include <string.h>

#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

#if CNI_BMI2
#include <immintrin.h>

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))

#define FILLED(row) cni_deflection_filled(row)
#define WIDE 0
#define VARIANT bmi2
#define PASSES cni_deflection_passes_bmi2
#include "simulation/deflection/deflection_forms.inc.h"
#undef VARIANT
#undef PASSES
#undef TARGET
#undef FILLED
#undef WIDE

#if CNI_AVX512
#include "simulation/kernel/lanes.inc.h"

/* Eight words at a time; gcc has to be told that it may draw them so. */
#define AVX512 "bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
#ifdef __clang__
#define TARGET __attribute__((target(AVX512)))
#else
#define TARGET __attribute__((target(AVX512 ",prefer-vector-width=512")))
#endif

#include "simulation/deflection/deflection_lanes.inc.h"

TARGET CNI_INLINE uint64_t filled_avx512(const uint64_t row[])
{
    const __m512i none = _mm512_set1_epi64(-1);
    uint64_t filled = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j += 8)
        filled |= (uint64_t)bits_of(_mm512_cmpneq_epi64_mask(_mm512_loadu_si512(row + j), none))
                  << j;
    return filled;
}

#define FILLED(row) filled_avx512(row)
#define WIDE 1
#define VARIANT avx512
#define PASSES cni_deflection_passes_avx512
#include "simulation/deflection/deflection_forms.inc.h"

#endif
#endif
