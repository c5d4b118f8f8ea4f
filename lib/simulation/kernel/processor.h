/* Abilities of the processor that cycles use, found when the program runs. Results have the same
 * bits with and without them. */
#ifndef CNI_SIMULATION_KERNEL_PROCESSOR_H
#define CNI_SIMULATION_KERNEL_PROCESSOR_H

#include "base/inline.h"
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "topology/topology.h"

/* PDEP and POPCNT. */
static inline int cni_has_pdep(void)
{
#if CNI_BMI2
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

/* Whether the processor has the parts of AVX-512 that the vectors of eight nodes use, and all
 * instructions of cni_has_pdep(). */
static inline int cni_has_lanes(void)
{
#if CNI_AVX512
    return cni_has_pdep() && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
#else
    return 0;
#endif
}

/* The position of one-bit number cni_random_below(random, count of one-bits) of a word.
 * has_pdep: the processor has the instructions. They are inline assembly, because a function
 * compiled for these processors could not be inlined into general code. */
CNI_INLINE uint32_t cni_pick_bit(uint64_t word, uint32_t random, int has_pdep)
{
#if CNI_BMI2
    if (has_pdep) {
        uint64_t ones, bit;
        __asm__("popcnt %1, %0" : "=r"(ones) : "r"(word) : "cc");
        __asm__("pdep %1, %2, %0"
                : "=r"(bit)
                : "r"(word), "r"(UINT64_C(1) << cni_random_below(random, (uint32_t)ones)));
        return cni_lowest_bit(bit);
    }
#else
    (void)has_pdep;
#endif
    return cni_select_bit(word, cni_random_below(random, cni_popcount(word)));
}

#endif
