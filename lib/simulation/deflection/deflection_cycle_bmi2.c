/* The cycle of deflection routing for x86-64 processors with POPCNT and PDEP. */
#include <string.h>

#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

#if CNI_BMI2
#include <immintrin.h>

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))

#define BOOLEAN 1
#define RUN cni_deflection_run_boolean_bmi2
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef BOOLEAN

#define BOOLEAN 0
#define RUN cni_deflection_run_kary_bmi2
#include "simulation/deflection/deflection_cycle.inc.h"

#endif
