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
#define FILLED(row) cni_deflection_filled(row)
#define WIDE 0
#define TARGET

#define VARIANT plain
#define PASSES cni_deflection_passes
#include "simulation/deflection/deflection_forms.inc.h"
