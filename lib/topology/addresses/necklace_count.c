/* All necklaces at a distance: their number, and one after the other. */
#include "topology/addresses/necklace.h"

#include "base/error.h"

static cn_status check_distance(const char *function, const cn_topology *topology,
                                uint64_t distance)
{
    CNI_TRY(cni_check_symmetric(function, topology));
    if (distance <= topology->dimensions)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "%s: distance = %llu, but in %s it must be 0 to %lu", function,
                    (unsigned long long)distance, topology->name,
                    (unsigned long)topology->dimensions);
}

/* ---- counts ---- */

static uint64_t power(uint64_t base, uint32_t exponent)
{
    uint64_t product = 1;
    for (; exponent > 0; exponent--)
        product *= base;
    return product;
}

/* C(n, w); the products fit 64 bits up to n = 62. */
static uint64_t binomial(uint32_t n, uint32_t w)
{
    uint64_t value = 1;
    for (uint32_t i = 1; i <= w; i++)
        value = value * (n - w + i) / i;
    return value;
}

/* Euler's function: the number of 0 .. e-1 without a common factor with e. */
static uint64_t totient(uint32_t e)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < e; i++)
        count += cni_gcd(i, e) == 1;
    return count;
}

/*
 * By Burnside's lemma the number of necklaces is the mean, over the n (k-1) rotations R^j, of the
 * number of words that R^j leaves unchanged. Let the words have w > 0 digits other than 0, and let
 * g be the greatest common divisor of n and j. R^j makes g cycles of the indices, of n/g indices
 * each. A word stays unchanged if in each cycle all digits are 0 or none is, and if once around a
 * cycle adds a multiple of k-1 to a digit: k-1 divides j/g. So e = n/g divides n and w and has no
 * factor in common with k-1; phi(e) of the j belong to this e, and each leaves C(n/e, w/e)
 * (k-1)^(w/e) words unchanged.
 */
cn_status cn_necklace_count(const cn_topology *topology, uint64_t distance, uint64_t *necklaces)
{
    CNI_REQUIRE_BOTH(topology, necklaces);
    CNI_TRY(check_distance(__func__, topology, distance));
    uint32_t n = topology->dimensions, w = (uint32_t)distance;
    uint64_t turn = topology->radix[0] - 1, fixed = 0;
    for (uint32_t e = 1; e <= w; e++)
        if (n % e == 0 && w % e == 0 && cni_gcd(e, turn) == 1)
            fixed += totient(e) * binomial(n / e, w / e) * power(turn, w / e);
    *necklaces = w == 0 ? 1 : fixed / cni_unfolded_length(topology);
    return CN_OK;
}

/* Moebius' function. */
static int moebius(uint32_t m)
{
    int sign = 1;
    for (uint32_t p = 2; p <= m; p++) {
        if (m % p != 0)
            continue;
        m /= p;
        if (m % p == 0)
            return 0;
        sign = -sign;
    }
    return sign;
}

/* Every period is q (k-1) with a q that divides n, n/q without a factor in common with k-1; k^q - 1
 * nodes other than 0 have this period or one that divides it. */
uint64_t cni_necklaces_longer_than(const cn_topology *topology, uint64_t displacement)
{
    uint32_t n = topology->dimensions;
    uint64_t k = topology->radix[0], necklaces = 0;
    for (uint32_t q = 1; q <= n; q++) {
        if (n % q != 0 || cni_gcd(n / q, k - 1) != 1 || q * (k - 1) <= displacement)
            continue;
        uint64_t nodes = 0; /* of period q (k-1); modulo 2^64 on the way */
        for (uint32_t d = 1; d <= q; d++)
            if (q % d == 0 && cni_gcd(n / d, k - 1) == 1)
                nodes += (uint64_t)moebius(q / d) * (power(k, d) - 1);
        necklaces += nodes / (q * (k - 1));
    }
    return necklaces;
}

/* ---- iteration ---- */

/* The next smaller word of n bits with as many ones; 0 when there is none. By Gosper's step to the
 * next larger one, on the complement. */
static uint64_t next_smaller_mask(uint64_t mask, uint32_t n)
{
    uint64_t all = (UINT64_C(1) << n) - 1, zeros = mask ^ all;
    if (zeros == 0)
        return 0;
    uint64_t lowest = zeros & (~zeros + 1), carried = zeros + lowest;
    zeros = carried | ((carried ^ zeros) / lowest >> 2);
    return zeros > all ? 0 : zeros ^ all;
}

/* Counts the digits up; the leftmost stays k-1. When all digits are k-1 again, goes on to the next
 * smaller mask that is the largest of its rotations. 0 when there is none. */
static int step(cni_word *word)
{
    for (uint32_t q = word->n; q-- > 1;) {
        if ((word->mask >> (word->n - 1 - q) & 1) == 0)
            continue;
        if (++word->residue[q] < word->turn)
            return 1;
        word->residue[q] = 0;
    }
    uint64_t leftmost = UINT64_C(1) << (word->n - 1);
    do
        word->mask = next_smaller_mask(word->mask, word->n);
    while ((word->mask & leftmost) != 0 && !cni_mask_is_largest(word->mask, word->n));
    return (word->mask & leftmost) != 0;
}

cn_status cn_necklace_first(const cn_topology *topology, uint64_t distance, uint64_t *generator)
{
    CNI_REQUIRE_BOTH(topology, generator);
    CNI_TRY(check_distance(__func__, topology, distance));
    uint64_t sum = 0;
    for (uint32_t i = topology->dimensions - (uint32_t)distance; i < topology->dimensions; i++)
        sum += (topology->radix[0] - 1) * topology->stride[i];
    *generator = sum;
    return CN_OK;
}

cn_status cn_necklace_next(const cn_topology *topology, uint64_t generator, uint64_t *next)
{
    CNI_REQUIRE_BOTH(topology, next);
    CNI_TRY(cni_check_symmetric(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "generator", topology, generator));
    cni_word word = cni_word_of(topology, generator);
    if (cni_word_orbit(&word).displacement != 0)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "%s: generator = %llu, but another node is the generator of its necklace in %s",
            __func__, (unsigned long long)generator, topology->name);
    if (word.mask == 0)
        return CN_DONE;
    do
        if (!step(&word))
            return CN_DONE;
    while (cni_word_orbit(&word).displacement != 0);
    *next = cni_word_node(topology, &word);
    return CN_OK;
}
