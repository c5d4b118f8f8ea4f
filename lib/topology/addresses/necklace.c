/* Rotations and necklaces (Ziavras & Krishnamurthy 1999, section 4). */
#include "topology/addresses/necklace.h"

#include "base/error.h"
#include "topology/each.h"

int cni_has_necklaces(const cn_topology *topology)
{
    return topology->family == CNI_BOOLEAN_CUBE ||
           (topology->family == CNI_GENERALIZED_HYPERCUBE && cni_is_symmetric(topology));
}

cn_status cni_check_symmetric(const char *function, const cn_topology *topology)
{
    if (cni_has_necklaces(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: %s has no necklaces; a generalized hypercube with equal radices or a "
                    "hypercube has",
                    function, topology->name);
}

/* ---- words ---- */

cni_word cni_word_of(const cn_topology *topology, uint64_t node)
{
    cni_word word; /* not cleared: only n of its residues are read */
    word.n = topology->dimensions;
    word.turn = topology->radix[0] - 1;
    word.mask = word.turn == 1 ? node : 0;
    for (uint32_t i = 0; i < word.n; i++) {
        uint64_t digit = 0;
        if (word.turn > 1) {
            digit = cni_take_digit(&node, topology->radix[0]);
            word.mask |= (uint64_t)(digit != 0) << i;
        }
        word.residue[word.n - 1 - i] = digit == word.turn ? 0 : digit;
    }
    return word;
}

uint64_t cni_word_node(const cn_topology *topology, const cni_word *word)
{
    uint64_t node = 0;
    for (uint32_t i = 0; i < word->n; i++) {
        uint64_t residue = word->residue[word->n - 1 - i];
        if ((word->mask >> i & 1) != 0)
            node += (residue == 0 ? word->turn : residue) * topology->stride[i];
    }
    return node;
}

static uint64_t rotate_mask(uint64_t mask, uint32_t q, uint32_t n)
{
    return ((mask << q) | (mask >> (n - q))) & ((UINT64_C(1) << n) - 1);
}

int cni_mask_is_largest(uint64_t mask, uint32_t n)
{
    for (uint32_t q = 1; q < n; q++)
        if (rotate_mask(mask, q, n) > mask)
            return 0;
    return 1;
}

uint32_t cni_mask_period(uint64_t mask, uint32_t n)
{
    uint32_t q = 1;
    while (q < n && rotate_mask(mask, q, n) != mask)
        q++;
    return q;
}

static int has_digit(const cni_word *word, uint32_t q)
{
    return (word->mask >> (word->n - 1 - q) & 1) != 0;
}

cni_word cni_word_rotate(const cni_word *word, uint64_t steps)
{
    uint32_t n = word->n, q = (uint32_t)(steps % n);
    uint64_t turns = steps / n;
    cni_word out = {.n = n, .turn = word->turn, .mask = rotate_mask(word->mask, q, n)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = q + i < n ? q + i : q + i - n;
        if (has_digit(word, from))
            out.residue[i] = (word->residue[from] + turns + (q + i >= n)) % word->turn;
    }
    return out;
}

/* The digit at index start + offset of the rotation that begins with digit k-1 at start; both
 * digits are not 0. */
static uint64_t digit_from(const cni_word *word, uint32_t start, uint32_t offset)
{
    uint32_t at = start + offset, wrapped = at >= word->n;
    uint64_t digit = word->residue[at - wrapped * word->n] + wrapped;
    digit += word->turn - word->residue[start]; /* 1 .. 2 (k-1) */
    return digit > word->turn ? digit - word->turn : digit;
}

/* The rotation that begins with k-1 at index a has a larger address than the rotation that
 * begins with k-1 at index b; both have the same binary correspondent. */
static int is_larger(const cni_word *word, uint32_t a, uint32_t b)
{
    for (uint32_t offset = 1; offset < word->n; offset++) {
        uint32_t at = a + offset < word->n ? a + offset : a + offset - word->n;
        if (!has_digit(word, at))
            continue;
        uint64_t from_a = digit_from(word, a, offset), from_b = digit_from(word, b, offset);
        if (from_a != from_b)
            return from_a > from_b;
    }
    return 0;
}

/* Rotation by q, a period of the mask, adds the same number to all digits. */
static int adds_the_same(const cni_word *word, uint32_t q)
{
    uint64_t added = 0; /* none yet */
    for (uint32_t i = 0; i < word->n; i++) {
        if (!has_digit(word, i))
            continue;
        uint64_t here = digit_from(word, i, q);
        if (added != 0 && added != here)
            return 0;
        added = here;
    }
    return 1;
}

/*
 * R^(q + n m) takes index q to the left end and adds m to the digits (m+1 to those that came
 * around). The word has period P exactly when rotation by some q adds the same to all digits and
 * further turns make up for it; these P form a subgroup of the n (k-1) rotations in which the least
 * q, which divides n, has order n/q: the least P is q (k-1).
 */
static uint64_t period_of(const cni_word *word, uint32_t mask_period)
{
    uint32_t q = mask_period;
    while (q < word->n && !(word->n % q == 0 && adds_the_same(word, q)))
        q += mask_period;
    return q * word->turn;
}

cni_orbit cni_word_orbit(const cni_word *word)
{
    uint32_t n = word->n, start = 0, step = 1; /* the period of the mask */
    if (word->mask == 0)
        return (cni_orbit){.displacement = 0, .period = 1};
    uint64_t largest = word->mask, rotated;
    for (; step < n && (rotated = rotate_mask(word->mask, step, n)) != word->mask; step++) {
        start = rotated > largest ? step : start;
        largest = rotated > largest ? rotated : largest;
    }
    if (word->turn == 1) /* the mask is all there is */
        return (cni_orbit){.displacement = start, .period = step};
    for (uint32_t q = start + step; q < n; q += step)
        if (is_larger(word, q, start))
            start = q;
    uint64_t period = period_of(word, step);
    uint64_t turns = word->residue[start] == 0 ? 0 : word->turn - word->residue[start];
    uint64_t steps = start + n * turns;
    return (cni_orbit){.displacement = steps < period ? steps : steps % period, .period = period};
}

/* ---- public functions ---- */

static cn_status check(const char *function, const cn_topology *topology, uint64_t node)
{
    CNI_TRY(cni_check_symmetric(function, topology));
    return cni_check_node(function, "node", topology, node);
}

uint64_t cni_rotated_by(const cn_topology *topology, uint64_t node, uint64_t steps)
{
    cni_word word = cni_word_of(topology, node);
    word = cni_word_rotate(&word, steps);
    return cni_word_node(topology, &word);
}

cn_status cn_necklace_rotate(const cn_topology *topology, uint64_t node, uint64_t *rotated)
{
    CNI_REQUIRE_BOTH(topology, rotated);
    CNI_TRY(check(__func__, topology, node));
    *rotated = cni_rotated_by(topology, node, 1 % cni_unfolded_length(topology));
    return CN_OK;
}

cn_status cn_necklace_rotate_back(const cn_topology *topology, uint64_t node, uint64_t *rotated)
{
    CNI_REQUIRE_BOTH(topology, rotated);
    CNI_TRY(check(__func__, topology, node));
    *rotated = cni_rotated_by(topology, node, cni_unfolded_length(topology) - 1);
    return CN_OK;
}

cn_status cn_necklace_period(const cn_topology *topology, uint64_t node, uint64_t *period)
{
    CNI_REQUIRE_BOTH(topology, period);
    CNI_TRY(check(__func__, topology, node));
    cni_word word = cni_word_of(topology, node);
    *period = cni_word_orbit(&word).period;
    return CN_OK;
}

static void take_displacement(const void *topology, uint64_t node, uint64_t other,
                              uint64_t *displacement)
{
    cni_word word = cni_word_of(topology, node);
    (void)other;
    *displacement = cni_word_orbit(&word).displacement;
}

cn_status cn_necklace_displacement(const cn_topology *topology, uint64_t node,
                                   uint64_t *displacement)
{
    CNI_REQUIRE_BOTH(topology, displacement);
    CNI_TRY(check(__func__, topology, node));
    take_displacement(topology, node, node, displacement);
    return CN_OK;
}

cn_status cn_necklace_displacements(const cn_topology *topology, const uint64_t nodes[],
                                    size_t count, const cn_control *control,
                                    uint64_t displacements[])
{
    CNI_REQUIRE(topology);
    CNI_TRY(cni_check_symmetric(__func__, topology));
    const cni_each each = {.function = __func__,
                           .topology = topology,
                           .object = topology,
                           .answer = take_displacement,
                           .name = {"nodes", NULL, "displacements"},
                           .nodes = nodes,
                           .units = 16 * topology->dimensions,
                           .width = 1};
    return cni_answer_each(&each, count, control, displacements);
}

cn_status cn_necklace_generator(const cn_topology *topology, uint64_t node, uint64_t *generator)
{
    CNI_REQUIRE_BOTH(topology, generator);
    CNI_TRY(check(__func__, topology, node));
    cni_word word = cni_word_of(topology, node);
    word = cni_word_rotate(&word, cni_word_orbit(&word).displacement);
    *generator = cni_word_node(topology, &word);
    return CN_OK;
}

cn_status cn_necklace_unfolded(const cn_topology *topology, uint64_t node, uint64_t nodes[],
                               size_t capacity, size_t *count)
{
    CNI_REQUIRE(topology);
    CNI_TRY(check(__func__, topology, node));
    uint64_t length = cni_unfolded_length(topology); /* the degree: below 2^32 */
    CNI_REQUIRE_ARRAY(nodes, capacity);
    CNI_REQUIRE_FIT(length, capacity, count, "an unfolded necklace of %s has %llu elements",
                    topology->name, (unsigned long long)length);
    cni_word word = cni_word_of(topology, node);
    word = cni_word_rotate(&word, cni_word_orbit(&word).displacement);
    for (uint64_t i = length; i-- > 0;) { /* element length is element 0 again */
        word = cni_word_rotate(&word, 1 % length);
        nodes[i] = cni_word_node(topology, &word);
    }
    return CN_OK;
}
