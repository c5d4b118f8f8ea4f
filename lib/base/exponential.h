/*
 * Exponential times from random words, and the other uses of exp() and log() in random draws. Two
 * math libraries differ in the last bits of these functions, and a run must not. The functions here
 * use whole numbers, or additions, multiplications and divisions, which IEEE 754 rounds in one way;
 * no statement adds to a product, so that a compiler cannot fuse the two operations.
 */
#ifndef CNI_BASE_EXPONENTIAL_H
#define CNI_BASE_EXPONENTIAL_H

#include "base/bits.h"

enum { CNI_EXPONENTIAL_BITS = 44 }; /* times have the unit 2^-44 */

#define CNI_LN2_BITS UINT64_C(12193974156573) /* 2^44 ln 2 */

/* For m = (256 + i) / 512: -ln m in units of 2^-44, and 1 / m in units of 2^-30. */
typedef struct cni_logarithm {
    uint64_t negative;
    uint32_t inverse;
} cni_logarithm;

extern const cni_logarithm cni_logarithms[256];

/*
 * An exponential time of mean 1 from a uniform word: -ln U in units of 2^-44 for U = word / 2^64,
 * where the lowest bit of the word counts as 1, so that U is not 0. With U = 2^-z x and
 * x = m (1 + d) in [1/2, 1), m the next lower of 256 steps, -ln U is z ln 2 - ln m - ln (1 + d),
 * with ln (1 + d) = d - d^2/2 to within d^3/3 < 2^-25.
 */
static inline uint64_t cni_exponential(uint64_t word)
{
    uint32_t zeros = cni_leading_zeros(word);
    uint64_t x = (word | 1) << zeros;
    const cni_logarithm *at = &cni_logarithms[x >> 55 & 255];
    uint64_t d = ((x & ((UINT64_C(1) << 55) - 1)) >> 23) * at->inverse >> 27;
    uint64_t sum = zeros * CNI_LN2_BITS + at->negative + ((d >> 5) * (d >> 5) >> 35);
    return sum > d ? sum - d : 0;
}

/* e^-x for 0 <= x <= 16, to within 3e-14 of itself. */
double cni_decay(double x);

/* -ln(1 - p) for p = probability / 2^53, 0 < p < 1, to within 1e-15 of itself. An exponential time
 * of mean 1, divided by this rate and rounded up, is the number of trials up to the first success,
 * when each trial succeeds with probability p. */
double cni_decay_rate(uint64_t probability);

#endif
