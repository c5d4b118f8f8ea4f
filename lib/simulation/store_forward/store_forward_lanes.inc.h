/*
 * Eight words, or eight messages of one word, in vectors. Lane l belongs to node number l of a
 * group of CNI_STORE_LANES consecutive nodes, so no two lanes ever touch the same queue.
 */
/* The lanes below `count`. */
static inline LANES __mmask8 first_lanes(uint64_t count)
{
    return (__mmask8)(count < CNI_STORE_LANES ? (1u << count) - 1 : UINT8_MAX);
}

static inline LANES uint32_t ones_of(__mmask8 mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

static inline LANES __m512i low_half(__m512i words)
{
    return _mm512_and_si512(words, all(UINT32_MAX));
}

/* The random sequences of eight nodes in a cycle: cni_random_derive(seed, node + lane). */
static inline LANES __m512i streams_of(uint64_t seed, uint64_t node)
{
    __m512i key = _mm512_add_epi64(lane_numbers(), all(node + 1));
    return mix(_mm512_add_epi64(all(cni_random_mix(seed + CNI_RANDOM_STEP)),
                                _mm512_mullo_epi64(key, all(CNI_RANDOM_STEP))));
}

/* A search for one-bit number `rank` of each word. */
typedef struct search {
    __m512i words, rank, place;
} search;

/* Continues a search in the upper or the lower half of the bits. */
static inline LANES search halve_bits(search f, const uint32_t half)
{
    __m512i low = _mm512_and_si512(f.words, all((UINT64_C(1) << half) - 1));
    __m512i below = half == 1 ? low : _mm512_popcnt_epi64(low);
    __mmask8 above = _mm512_cmpge_epu64_mask(f.rank, below);
    f.place = _mm512_mask_add_epi64(f.place, above, f.place, all(half));
    if (half > 1) {
        f.rank = _mm512_mask_sub_epi64(f.rank, above, f.rank, below);
        f.words = _mm512_mask_srli_epi64(f.words, above, f.words, half);
    }
    return f;
}

/* The position of a one-bit of each word: the lowest, or one-bit number cni_random_below(bits,
 * number of one-bits). */
static inline LANES __m512i pick_bit(const cni_store_shape *s, __m512i words, __m512i bits)
{
    const uint32_t ports = s->ports; /* all one-bits are below bit number `ports` */
    __m512i lower = _mm512_sub_epi64(words, all(1));
    /* a node with many ports often leaves every message a single channel; then no search is
     * needed */
    if (s->selection == CN_SELECTION_LOWEST ||
        (ports > 16 && bits_of(_mm512_test_epi64_mask(words, lower)) == 0))
        return _mm512_popcnt_epi64(_mm512_andnot_si512(words, lower));
    __m512i rank = _mm512_srli_epi64(_mm512_mul_epu32(bits, _mm512_popcnt_epi64(words)), 32);
    search found = {words, rank, _mm512_setzero_si512()};
    if (ports > 16) {
        found = halve_bits(found, 32);
        found = halve_bits(found, 16);
    }
    if (ports > 4) {
        found = halve_bits(found, 8);
        found = halve_bits(found, 4);
    }
    found = halve_bits(found, 2);
    return halve_bits(found, 1).place;
}

/* ---- messages ---- */

/* The words with these numbers. */
static inline LANES __m512i load_words(const uint64_t *words, __m512i number)
{
    return _mm512_i64gather_epi64(number, words, 8);
}

static inline LANES __mmask8 is_there(__m512i m)
{
    return _mm512_cmpneq_epu64_mask(m, all(CNI_NO_TIME));
}

/* ---- queues: a cni_queue as a word, with the tail in the lower half ---- */

static inline LANES __m512i queue_length(__m512i queue)
{
    return _mm512_and_si512(_mm512_srli_epi64(queue, 32),
                            all((UINT64_C(1) << CNI_QUEUE_SHIFT) - 1));
}

/* The number of places in the block of each queue. */
static inline LANES __m512i queue_room(__m512i queue)
{
    return _mm512_sllv_epi64(all(1), _mm512_srli_epi64(queue, 32 + CNI_QUEUE_SHIFT));
}

/* Wraps numbers of places into the blocks of the queues: the low bits of the number, the block
 * of the tail. */
static inline LANES __m512i queue_place(__m512i queue, __m512i number)
{
    __m512i mask = _mm512_sub_epi64(queue_room(queue), all(1));
    /* bits of `number` where the mask is 1, bits of the tail elsewhere */
    return low_half(_mm512_ternarylogic_epi64(mask, number, queue, 0xca));
}
