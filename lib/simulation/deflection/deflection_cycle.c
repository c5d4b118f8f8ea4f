/* The cycle of deflection routing for any processor. */
#include <string.h>

#include "base/bits.h"
#include "simulation/deflection/deflection.h"

#include "simulation/deflection/deflection_node.h"

static inline uint32_t count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint32_t select_bit(uint64_t word, uint32_t rank)
{
    for (; rank > 0; rank--)
        word &= word - 1;
    return cni_lowest_bit(word);
}

#define COUNT(word) count_bits(word)
#define SELECT(word, rank) select_bit(word, rank)
#define TARGET

#define FORM CNI_FORM_BOOLEAN
#define RUN run_boolean
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_KARY
#define RUN run_kary
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

#define FORM CNI_FORM_ROUTED
#define RUN run_routed
#include "simulation/deflection/deflection_cycle.inc.h"
#undef RUN
#undef FORM

const cni_deflection_run_fn cni_deflection_runs[CNI_FORMS] = {
    [CNI_FORM_BOOLEAN] = run_boolean,
    [CNI_FORM_KARY] = run_kary,
    [CNI_FORM_ROUTED] = run_routed,
};
