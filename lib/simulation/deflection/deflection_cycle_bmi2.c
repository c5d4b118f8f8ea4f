/* The cycle of deflection routing for x86-64 processors with POPCNT and PDEP, and for those with AVX-512 beside. */
#include <string.h>

#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

#if CNI_BMI2
#include <immintrin.h>

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))

#define VARIANT bmi2
#define RUNS cni_deflection_runs_bmi2
#include "simulation/deflection/deflection_forms.inc.h"
#undef VARIANT
#undef RUNS
#undef TARGET

/* Draws eight words at a time; gcc has to be told that it may. */
#ifdef __clang__
#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512dq,avx512vl")))
#else
#define TARGET \
    __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#define VARIANT avx512
#define RUNS cni_deflection_runs_avx512
#include "simulation/deflection/deflection_forms.inc.h"

#endif
