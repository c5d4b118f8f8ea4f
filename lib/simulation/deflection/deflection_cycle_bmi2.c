/* The cycle of deflection routing for x86-64 processors with POPCNT and PDEP, and for those with AVX-512 beside. */
#include <string.h>

#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"
#include "simulation/kernel/lanes.h"

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

/* Draws eight words at a time; gcc has to be told that it may. */
#ifdef __clang__
#define TARGET CNI_LANES_TARGET
#else
#define TARGET CNI_LANES_TARGET __attribute__((target("prefer-vector-width=512")))
#endif

TARGET CNI_INLINE uint64_t filled_avx512(const uint64_t row[])
{
    const __m512i none = _mm512_set1_epi64(-1);
    uint64_t filled = 0;
    for (uint32_t j = 0; j < CNI_BLOCK; j += 8)
        filled |= (uint64_t)_mm512_cmpneq_epi64_mask(_mm512_loadu_si512(row + j), none) << j;
    return filled;
}

#include "simulation/deflection/deflection_lanes.inc.h"

#define FILLED(row) filled_avx512(row)
#define WIDE 1
#define VARIANT avx512
#define PASSES cni_deflection_passes_avx512
#include "simulation/deflection/deflection_forms.inc.h"

#endif
