/*
 * The flits that move in a cycle of the wormhole kernel: those whose worms have a channel for themselves, and of those that
 * are ready for the same channel one. On processors with AVX-512 eight worms are moved at once where buffers hold two flits;
 * the same bits.
 */
#include "simulation/wormhole/wormhole.h"

#if CNI_AVX512
#include <immintrin.h>
#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f")))
#endif

/* In the loops below what does not change is held in variables of their own: the compiler cannot know that
 * the words that are written are not the kernel's own members. */

/* What is the same for all worms of a cycle. Where it is known when this is compiled, much falls away. */
typedef struct flit_rules {
    uint32_t words;  /* of a worm's hops */
    int two_buffers; /* the second flit fills a buffer, and the last one empties it */
} flit_rules;

/* The records that have bits of a worm. */
CNI_INLINE uint32_t first_record(flit_rules rules, const cni_worm *w)
{
    return rules.words == 1 ? 0 : w->tail >> 6;
}

CNI_INLINE uint32_t last_record(flit_rules rules, const cni_worm *w)
{
    return rules.words == 1 ? 0 : w->head >> 6;
}

/* ---- which flits move ---- */

/* Each worm sends wherever it has a flit, room, and the channel for itself; the list of rivals gets those that
 * have a flit and room elsewhere. One that has them nowhere sleeps until its header is given something. */
CNI_INLINE size_t send_unshared(flit_rules rules, cni_wormhole *k)
{
    uint32_t *active = k->active, *rivals = k->rivals;
    cni_worm *worms = k->worm;
    size_t count = k->active_count, rival_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t worm = active[i];
        cni_worm *w = worms + (size_t)worm * rules.words;
        uint64_t any_ready = 0, any_shared = 0;
        for (uint32_t j = first_record(rules, w), last = last_record(rules, w); j <= last; j++) {
            uint64_t ready = w[j].filled & w[j].vacant, shared = ready & w[j].shared;
            w[j].moves = ready ^ shared;
            any_ready |= ready;
            any_shared |= shared;
        }
        rivals[rival_count] = worm;
        rival_count += any_shared != 0;
        if (any_ready == 0) {
            k->awake[worm] = 0;
            active[i--] = active[--count];
        }
    }
    k->moved |= count; /* of those that are ready for the same channel one moves */
    k->active_count = count;
    return rival_count;
}

typedef struct request_list {
    uint64_t *of; /* by channel */
    uint32_t *contested, shift;
    size_t count;
} request_list;

/* The list of contested channels has one place more than there are channels, so that every request can be written
 * behind its end. */
CNI_INLINE void request(request_list *r, uint32_t virtual_channel)
{
    uint32_t channel = virtual_channel >> r->shift;
    uint64_t others = r->of[channel];
    r->contested[r->count] = channel;
    r->count += others == 0;
    r->of[channel] = others | UINT64_C(1) << (virtual_channel & ((UINT32_C(1) << r->shift) - 1));
}

/* The rivals request the channels that they share. */
CNI_INLINE size_t request_shared(flit_rules rules, cni_wormhole *k, size_t rival_count)
{
    const uint32_t *rivals = k->rivals;
    request_list r = {k->requests, k->contested, k->shift, 0};
    for (size_t i = 0; i < rival_count; i++) {
        const cni_worm *w = k->worm + (size_t)rivals[i] * rules.words;
        const uint32_t *path = k->path + (size_t)rivals[i] * k->stride;
        for (uint32_t j = first_record(rules, w), last = last_record(rules, w); j <= last; j++) {
            uint64_t hops = w[j].filled & w[j].vacant & w[j].shared;
            for (; hops != 0; hops &= hops - 1)
                request(&r, path[j << 6 | cni_lowest_bit(hops)]);
        }
    }
    return r.count;
}

/* Round robin: the first request after the last winner. */
CNI_INLINE void arbitrate(flit_rules rules, cni_wormhole *k, size_t contested_count)
{
    const uint32_t *contested = k->contested;
    const cni_worm_holder *holders = k->holder;
    cni_worm *worms = k->worm;
    uint64_t *all_requests = k->requests;
    uint8_t *turns = k->turn;
    uint32_t shift = k->shift;
    for (size_t i = 0; i < contested_count; i++) {
        uint32_t channel = contested[i];
        uint64_t requests = all_requests[channel];
        uint64_t later = requests & ~UINT64_C(1) << turns[channel];
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        cni_worm_holder holder = holders[(size_t)channel << shift | winner];
        uint32_t record = rules.words == 1 ? 0 : holder.hop >> 6;
        worms[(size_t)holder.worm * rules.words + record].moves |= cni_worm_bit(holder.hop);
        turns[channel] = (uint8_t)winner;
        all_requests[channel] = 0;
    }
}

/* ---- their moves ---- */

/* Of the buffers of 64 hops that a flit came into or left, but not both. */
typedef struct changes {
    uint64_t used, empty; /* now */
    uint64_t vacant, full;
} changes;

/* Buffers of two flits need not be counted. */
CNI_INLINE changes change_two(uint64_t in, uint64_t out, uint64_t behind, uint64_t vacant)
{
    return (changes){in, out & vacant, out, in & behind};
}

/* Buffers of any size: how many flits are in those of these hops. */
CNI_INLINE changes change_any(uint64_t in, uint64_t out, uint32_t flits[], uint32_t buffers)
{
    changes c = {0, 0, 0, 0};
    for (uint64_t rest = in | out; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & (0 - rest);
        uint32_t *here = &flits[cni_lowest_bit(rest)];
        *here += (in & bit) != 0 ? 1 : UINT32_MAX;
        c.used |= *here > 0 ? bit : 0;
        c.full |= *here >= buffers ? bit : 0;
    }
    c.empty = (in | out) & ~c.used;
    c.vacant = (in | out) & ~c.full;
    return c;
}

/* Makes the moves of a worm. *came_in: its header has made a hop; *has_left: its tail has left the source or a
 * buffer. */
CNI_INLINE void move_flits(flit_rules rules, const cni_wormhole *k, uint32_t worm, cni_worm *worms,
                           uint32_t *came_in, uint32_t *has_left)
{
    cni_worm *w = worms + (size_t)worm * rules.words;
    uint32_t last = last_record(rules, w), is_last_flit = 0;
    uint64_t header = 0, tail = 0, carry_used = 0, carry_empty = 0;
    for (uint32_t i = first_record(rules, w); i <= last; i++) {
        uint64_t moves = w[i].moves, came = moves & ~w[i].exit;
        uint64_t left = moves >> 1, behind = w[i].filled >> 1;
        if (i < last) {
            left |= w[i + 1].moves << 63;
            behind |= w[i + 1].filled << 63;
        }
        uint64_t in = came & ~left, out = left & ~came;
        header |= moves & w[i].header;
        if (i == 0) {
            w->left -= (uint32_t)(moves & 1);
            is_last_flit = (uint32_t)(moves & 1) & (w->left == 0);
        }
        changes c = rules.two_buffers
                        ? change_two(in, out, behind, w[i].vacant)
                        : change_any(in, out, k->flits_in + (size_t)worm * k->stride + (i << 6),
                                     k->buffers);
        w[i].vacant = (w[i].vacant & ~c.full) | c.vacant;
        w[i].filled = (w[i].filled | c.used << 1 | carry_used) & ~(c.empty << 1 | carry_empty);
        tail |= moves & w[i].leaving & ~w[i].filled;
        carry_used = c.used >> 63;
        carry_empty = c.empty >> 63;
    }
    *came_in = header != 0;
    *has_left = (tail != 0) | is_last_flit;
}

/* Lists the worms of which the header has moved, and those of which the tail has left something. */
CNI_INLINE void move_all(flit_rules rules, cni_wormhole *k)
{
    const uint32_t *active = k->active;
    uint32_t *headers = k->picked, *tails = k->tails;
    cni_worm *worms = k->worm;
    size_t header_count = 0, tail_count = 0;
    for (size_t i = 0, count = k->active_count; i < count; i++) {
        uint32_t came_in, has_left;
        move_flits(rules, k, active[i], worms, &came_in, &has_left);
        headers[header_count] = tails[tail_count] = active[i];
        header_count += came_in;
        tail_count += has_left;
    }
    k->header_count = header_count;
    k->tail_count = tail_count;
}

#if CNI_AVX512
/* ---- eight worms at once ---- */

enum { ROWS = CNI_WORM_LANES, LANES = 16 };

/* Eight words of each of eight worms: then word number i of all of them is column number i, in the order of cni_worm. */
TARGET static inline void read_columns(cni_worm *const rows[ROWS], __m512i column[8])
{
    __m512i even[4], odd[4];
    for (uint32_t i = 0; i < 4; i++) {
        __m512i a = _mm512_loadu_si512(rows[2 * i]), b = _mm512_loadu_si512(rows[2 * i + 1]);
        even[i] = _mm512_unpacklo_epi64(a, b);
        odd[i] = _mm512_unpackhi_epi64(a, b);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const __m512i *of = i == 0 ? even : odd;
        __m512i a = _mm512_shuffle_i64x2(of[0], of[1], 0x88);
        __m512i b = _mm512_shuffle_i64x2(of[2], of[3], 0x88);
        __m512i c = _mm512_shuffle_i64x2(of[0], of[1], 0xdd);
        __m512i d = _mm512_shuffle_i64x2(of[2], of[3], 0xdd);
        column[i] = _mm512_shuffle_i64x2(a, b, 0x88);
        column[i + 2] = _mm512_shuffle_i64x2(c, d, 0x88);
        column[i + 4] = _mm512_shuffle_i64x2(a, b, 0xdd);
        column[i + 6] = _mm512_shuffle_i64x2(c, d, 0xdd);
    }
}

/* The first four words of all. */
TARGET static inline void write_columns(cni_worm *const rows[ROWS], const __m512i column[4])
{
    const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i last = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    __m512i a[2] = {_mm512_unpacklo_epi64(column[0], column[1]),
                    _mm512_unpackhi_epi64(column[0], column[1])};
    __m512i b[2] = {_mm512_unpacklo_epi64(column[2], column[3]),
                    _mm512_unpackhi_epi64(column[2], column[3])};
    for (uint32_t i = 0; i < 2; i++) {
        __m512i low = _mm512_permutex2var_epi64(a[i], first, b[i]);
        __m512i high = _mm512_permutex2var_epi64(a[i], last, b[i]);
        _mm256_storeu_si256((__m256i *)rows[i], _mm512_castsi512_si256(low));
        _mm256_storeu_si256((__m256i *)rows[i + 2], _mm512_extracti64x4_epi64(low, 1));
        _mm256_storeu_si256((__m256i *)rows[i + 4], _mm512_castsi512_si256(high));
        _mm256_storeu_si256((__m256i *)rows[i + 6], _mm512_extracti64x4_epi64(high, 1));
    }
}

/* Of eight worms those: */
typedef struct lanes {
    __mmask8 ready;  /* of which some flit could move */
    __mmask8 rival;  /* and over a channel that is shared */
    __mmask8 header; /* of which the header has moved */
    __mmask8 tail;   /* of which the tail has left the source or a buffer */
} lanes;

/* Moves the flits of channels that are not shared, and leaves in `moves` those that are ready for the others; or makes these
 * moves, of which those that did not win were taken away. */
TARGET static inline lanes move_lanes(cni_worm *const rows[ROWS], int is_shared)
{
    const __m512i one = _mm512_set1_epi64(1);
    __m512i column[8];
    read_columns(rows, column);
    __m512i filled = column[0], vacant = column[1], left = column[3], shared = column[4];
    __m512i ready = _mm512_and_si512(filled, vacant), rest = _mm512_and_si512(ready, shared);
    __m512i go = is_shared ? column[2] : _mm512_xor_si512(ready, rest);
    __m512i came = _mm512_andnot_si512(column[7], go), gone = _mm512_srli_epi64(go, 1);
    __m512i in = _mm512_andnot_si512(gone, came), out = _mm512_andnot_si512(came, gone);
    __m512i full = _mm512_and_si512(in, _mm512_srli_epi64(filled, 1));
    __m512i empty = _mm512_and_si512(out, vacant), first = _mm512_and_si512(go, one);
    filled = _mm512_or_si512(filled, _mm512_slli_epi64(in, 1));
    filled = _mm512_andnot_si512(_mm512_slli_epi64(empty, 1), filled);
    left = _mm512_sub_epi64(left, first);
    column[0] = filled;
    column[1] = _mm512_or_si512(_mm512_andnot_si512(full, vacant), out);
    column[2] = is_shared ? _mm512_setzero_si512() : rest;
    column[3] = left;
    write_columns(rows, column);
    __mmask8 last = _mm512_test_epi64_mask(first, first);
    last = _mm512_mask_testn_epi64_mask(last, left, _mm512_set1_epi64(UINT32_MAX));
    __m512i tail = _mm512_andnot_si512(filled, _mm512_and_si512(go, column[6]));
    return (lanes){_mm512_test_epi64_mask(ready, ready), _mm512_test_epi64_mask(rest, rest),
                   _mm512_test_epi64_mask(go, column[5]),
                   (__mmask8)(last | _mm512_test_epi64_mask(tail, tail))};
}

/* Those of eight worms behind the end of a list. */
TARGET static inline void list_lanes(uint32_t list[], size_t *count, __m512i worms, __mmask8 set)
{
    __m512i chosen = _mm512_maskz_compress_epi32(set, worms);
    _mm256_storeu_si256((__m256i *)(list + *count), _mm512_castsi512_si256(chosen));
    *count += (size_t)__builtin_popcountll(set);
}

/* Eight worms of a list, or those that are left. */
TARGET static inline __mmask8 find_rows(const cni_wormhole *k, const uint32_t list[], size_t count,
                                        cni_worm *none, cni_worm *rows[ROWS])
{
    if (count >= ROWS) {
        for (uint32_t i = 0; i < ROWS; i++)
            rows[i] = k->worm + list[i];
        return 0xff;
    }
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = i < count ? k->worm + list[i] : none;
    return (__mmask8)((1u << count) - 1);
}

TARGET static size_t move_unshared(cni_wormhole *k)
{
    uint32_t *active = k->active, *rivals = k->rivals, *headers = k->picked, *tails = k->tails;
    size_t awake = 0, rival_count = 0, header_count = 0, tail_count = 0;
    cni_worm *rows[ROWS], none = {0};
    for (size_t i = 0, count = k->active_count; i < count; i += ROWS) {
        __mmask8 all = find_rows(k, active + i, count - i, &none, rows);
        __m512i worms = _mm512_maskz_loadu_epi32(all, active + i);
        lanes l = move_lanes(rows, 0);
        for (uint32_t rest = all & ~(uint32_t)l.ready; CNI_RARELY(rest != 0); rest &= rest - 1)
            k->awake[active[i + cni_lowest_bit(rest)]] = 0;
        list_lanes(active, &awake, worms, l.ready);
        list_lanes(rivals, &rival_count, worms, l.rival);
        list_lanes(headers, &header_count, worms, l.header);
        list_lanes(tails, &tail_count, worms, l.tail);
    }
    k->moved |= awake; /* of those that are ready for the same channel one moves */
    k->active_count = awake;
    k->header_count = header_count;
    k->tail_count = tail_count;
    return rival_count;
}

TARGET static void move_shared(cni_wormhole *k, size_t rival_count)
{
    cni_worm *rows[ROWS], none = {0};
    for (size_t i = 0; i < rival_count; i += ROWS) {
        __mmask8 all = find_rows(k, k->rivals + i, rival_count - i, &none, rows);
        __m512i worms = _mm512_maskz_loadu_epi32(all, k->rivals + i);
        lanes l = move_lanes(rows, 1);
        list_lanes(k->picked, &k->header_count, worms, l.header);
        list_lanes(k->tails, &k->tail_count, worms, l.tail);
    }
}

/* How many channels a worm requests cannot be foreseen, so these are listed first, and then requested in a loop whose end
 * can. */
TARGET static size_t request_lanes(cni_wormhole *k, size_t rival_count)
{
    enum { LISTED = 1024 };
    uint32_t list[LISTED + 64 + LANES];
    const uint32_t *rivals = k->rivals, *paths = k->path, stride = k->stride;
    cni_worm *worms = k->worm;
    request_list r = {k->requests, k->contested, k->shift, 0};
    for (size_t i = 0; i < rival_count;) {
        size_t count = 0;
        for (; i < rival_count && count < LISTED; i++) {
            cni_worm *w = worms + rivals[i];
            const uint32_t *path = paths + (size_t)rivals[i] * stride;
            uint64_t hops = w->moves;
            w->moves = 0;
            for (; hops != 0; hops >>= LANES, path += LANES) {
                __m512i here = _mm512_maskz_loadu_epi32((__mmask16)hops, path);
                _mm512_storeu_si512(list + count,
                                    _mm512_maskz_compress_epi32((__mmask16)hops, here));
                count += (size_t)__builtin_popcountll(hops & 0xffff);
            }
        }
        for (size_t j = 0; j < count; j++)
            request(&r, list[j]);
    }
    return r.count;
}

TARGET static void send_lanes(cni_wormhole *k)
{
    size_t rival_count = move_unshared(k);
    arbitrate((flit_rules){1, 1}, k, request_lanes(k, rival_count));
    move_shared(k, rival_count);
}
#endif

int cni_wormhole_has_lanes(void)
{
#if CNI_AVX512
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

/* ---- all ---- */

CNI_INLINE void send_by(flit_rules rules, cni_wormhole *k)
{
    arbitrate(rules, k, request_shared(rules, k, send_unshared(rules, k)));
    move_all(rules, k);
}

void cni_wormhole_send(cni_wormhole *k)
{
    int two_buffers = k->flits_in == NULL;
#if CNI_AVX512
    if (k->has_lanes && two_buffers) {
        send_lanes(k);
        return;
    }
#endif
    if (k->hop_words == 1 && two_buffers)
        send_by((flit_rules){1, 1}, k);
    else
        send_by((flit_rules){k->hop_words, two_buffers}, k);
}
