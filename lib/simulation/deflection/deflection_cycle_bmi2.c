/* The cycle of deflection routing for x86-64 processors with POPCNT and PDEP. */
#include <string.h>

#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

#if CNI_BMI2
#include <immintrin.h>

#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))

#define FORM CNI_FORM_BOOLEAN
#define RUN run_boolean_bmi2
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_KARY
#define RUN run_kary_bmi2
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_ROUTED
#define RUN run_routed_bmi2
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

const cni_deflection_run_fn cni_deflection_runs_bmi2[CNI_FORMS] = {
    [CNI_FORM_BOOLEAN] = run_boolean_bmi2,
    [CNI_FORM_KARY] = run_kary_bmi2,
    [CNI_FORM_ROUTED] = run_routed_bmi2,
};

#endif
