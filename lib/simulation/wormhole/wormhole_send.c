/*
 * The moves of flits in a cycle of the wormhole kernel, by words. First each flit moves whose worm
 * has the channel for itself; then one of the flits that are ready for the same channel. On
 * processors with AVX-512 eight worms are moved at once, with the same bits.
 */
#include <string.h>

#include "simulation/wormhole/wormhole.h"
#include "simulation/wormhole/wormhole_lists.h"

enum { ROWS = CNI_WORM_LANES };

/* ---- eight worms ---- */

/* The worms that were moved at once, as bits. */
typedef struct moved {
    uint32_t ready;  /* worms with a flit that could move */
    uint32_t rival;  /* worms with a flit that could move over a shared channel */
    uint32_t header; /* worms whose header has moved */
    uint32_t tail;   /* worms whose tail has left the source or a buffer */
} moved;

/* How several worms are moved at once, and how the numbers of a set are put at the end of a
 * list. Without is_shared `move` makes the ready hops on channels that are not shared, and
 * leaves the other ready hops in `moves`. With is_shared it makes the hops in `moves`, which has
 * only winners then. */
typedef struct flit_rules {
    uint32_t rows; /* worms at once: 8 or 1 */
    moved (*move)(cni_worm *const rows[], int is_shared);
    void (*append)(uint32_t list[], size_t *count, const uint32_t numbers[], uint32_t set);
} flit_rules;

/* Moves one worm. */
CNI_INLINE moved move_plain(cni_worm *const rows[], int is_shared)
{
    cni_worm *w = rows[0];
    uint64_t ready = w->filled & w->vacant, rest = ready & w->shared;
    uint64_t go = is_shared ? w->moves : ready ^ rest;
    uint64_t came = go & ~w->exit, gone = go >> 1;
    uint64_t in = came & ~gone, out = gone & ~came;
    uint64_t full = in & w->filled >> 1, empty = out & w->vacant;
    w->left -= (uint32_t)(go & 1);
    w->filled = (w->filled | in << 1) & ~(empty << 1 | (w->left == 0));
    w->vacant = (w->vacant & ~full) | out;
    w->moves = is_shared ? 0 : rest;
    return (moved){ready != 0, rest != 0, (go & w->header) != 0,
                   (go & w->leaving & ~w->filled) != 0};
}

CNI_INLINE void append_plain(uint32_t list[], size_t *count, const uint32_t numbers[], uint32_t set)
{
    list[*count] = numbers[0];
    *count += set;
}

#if CNI_AVX512
CNI_FOR_LANES CNI_INLINE void append_lanes(uint32_t list[], size_t *count,
                                           const uint32_t numbers[ROWS], uint32_t set)
{
    __m512i all = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)numbers));
    __m512i chosen = _mm512_maskz_compress_epi32((__mmask16)set, all);
    _mm256_storeu_si256((__m256i *)(list + *count), _mm512_castsi512_si256(chosen));
    *count += (size_t)__builtin_popcountll(set);
}

/* Reads eight words of each of eight worms: column i has word i of all worms, in the order of
 * cni_worm. */
CNI_FOR_LANES static inline void read_columns(cni_worm *const rows[ROWS], __m512i column[8])
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

/* Writes the first four words of eight worms. */
CNI_FOR_LANES static inline void write_columns(cni_worm *const rows[ROWS], const __m512i column[4])
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

CNI_FOR_LANES CNI_INLINE moved move_lanes(cni_worm *const rows[], int is_shared)
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
    __m512i empty = _mm512_slli_epi64(_mm512_and_si512(out, vacant), 1);
    left = _mm512_sub_epi64(left, _mm512_and_si512(go, one));
    __mmask8 is_last = _mm512_testn_epi64_mask(left, _mm512_set1_epi64(UINT32_MAX));
    empty = _mm512_mask_or_epi64(empty, is_last, empty, one);
    filled = _mm512_or_si512(filled, _mm512_slli_epi64(in, 1));
    filled = _mm512_andnot_si512(empty, filled);
    column[0] = filled;
    column[1] = _mm512_or_si512(_mm512_andnot_si512(full, vacant), out);
    column[2] = is_shared ? _mm512_setzero_si512() : rest;
    column[3] = left;
    write_columns(rows, column);
    __m512i tail = _mm512_andnot_si512(filled, _mm512_and_si512(go, column[6]));
    return (moved){_mm512_test_epi64_mask(ready, ready), _mm512_test_epi64_mask(rest, rest),
                   _mm512_test_epi64_mask(go, column[5]), _mm512_test_epi64_mask(tail, tail)};
}
#endif

/* ---- all ---- */

/* The next worms of a list, as many as move at once; at its end the place of `none` for missing
 * worms. */
CNI_INLINE void find_rows(flit_rules rules, cni_worm *all, const uint32_t list[], size_t count,
                          cni_worm *none, cni_worm *rows[ROWS])
{
    if (count >= rules.rows)
        for (uint32_t i = 0; i < rules.rows; i++)
            rows[i] = all + list[i];
    else
        for (uint32_t i = 0; i < rules.rows; i++)
            rows[i] = i < count ? all + list[i] : none;
}

/* Moves the active worms, keeps the worms with a ready flit in the list, and lists the rivals
 * among them; or, with is_shared, moves the rivals. */
CNI_INLINE void move_listed_worms(flit_rules rules, cni_wormhole *k, int is_shared)
{
    uint32_t *headers = k->worms.picked, *tails = k->worms.tails, *rivals = k->worms.rivals;
    uint32_t *list = is_shared ? rivals : k->worms.active;
    size_t header_count = k->worms.header_count, tail_count = k->worms.tail_count;
    size_t count = is_shared ? k->worms.rival_count : k->worms.active_count;
    size_t awake = 0, rival_count = 0;
    cni_worm *rows[ROWS], none = {.filled = 0};
    for (size_t i = 0; i < count; i += rules.rows) {
        find_rows(rules, k->worms.all, list + i, count - i, &none, rows);
        uint32_t worms[ROWS];
        memcpy(worms, list + i, rules.rows * sizeof *worms);
        moved m = rules.move(rows, is_shared);
        if (!is_shared) {
            uint32_t shown = count - i < rules.rows ? (uint32_t)(count - i) : rules.rows;
            uint32_t rest = ((1u << shown) - 1) & ~m.ready;
            for (; CNI_RARELY(rest != 0); rest &= rest - 1)
                k->worms.awake[worms[cni_lowest_bit(rest)]] = 0;
            rules.append(list, &awake, worms, m.ready);
            rules.append(rivals, &rival_count, worms, m.rival);
        }
        rules.append(headers, &header_count, worms, m.header);
        rules.append(tails, &tail_count, worms, m.tail);
    }
    k->worms.header_count = header_count;
    k->worms.tail_count = tail_count;
    if (is_shared)
        return;
    k->moved |= awake; /* of the flits that are ready for the same channel one moves */
    k->worms.active_count = awake;
    k->worms.rival_count = rival_count;
}

/* ---- rivals ---- */

typedef struct request_list {
    uint64_t *requests; /* by channel: set of requests */
    uint32_t *contested, shift;
    size_t count;
} request_list;

/* Requests a channel. Writes without a branch behind the end of the list of contested channels,
 * which has one place more than there are channels. */
CNI_INLINE void request_channel(request_list *r, uint32_t virtual_channel)
{
    uint32_t channel = virtual_channel >> r->shift;
    uint64_t others = r->requests[channel];
    r->contested[r->count] = channel;
    r->count += others == 0;
    r->requests[channel] = others | UINT64_C(1)
                                        << (virtual_channel & ((UINT32_C(1) << r->shift) - 1));
}

/* Puts the virtual channels of some hops at the end of a list. */
CNI_INLINE void list_hops(flit_rules rules, const uint32_t path[], uint64_t hops, uint32_t list[],
                          size_t *count)
{
    while (hops != 0) {
        uint32_t first = cni_lowest_bit(hops), all = (1u << rules.rows) - 1;
        rules.append(list, count, path + first, (uint32_t)(hops >> first) & all);
        hops &= ~((uint64_t)all << first);
    }
}

/* The rivals request the channels that they share. The number of requests of a worm cannot be
 * foreseen, so the virtual channels are listed first. */
CNI_INLINE size_t request_shared(flit_rules rules, cni_wormhole *k)
{
    enum { LISTED = 1024 };
    uint32_t list[LISTED + 64 + ROWS];
    request_list r = {k->channels.requests, k->channels.contested, k->shift, 0};
    const uint32_t *rivals = k->worms.rivals, *all = k->worms.path, stride = k->stride;
    cni_worm *worms = k->worms.all;
    for (size_t i = 0, rival_count = k->worms.rival_count; i < rival_count;) {
        size_t count = 0;
        for (; i < rival_count && count < LISTED; i++) {
            cni_worm *w = &worms[rivals[i]];
            list_hops(rules, all + (size_t)rivals[i] * stride, w->moves, list, &count);
            w->moves = 0;
        }
        for (size_t j = 0; j < count; j++)
            request_channel(&r, list[j]);
    }
    return r.count;
}

/* Round robin: the first request behind the last winner wins, else the first one of all. */
CNI_INLINE void arbitrate_channels(cni_wormhole *k, size_t contested_count)
{
    const uint32_t *contested = k->channels.contested;
    const cni_worm_holder *holders = k->channels.holder;
    cni_worm *worms = k->worms.all;
    uint64_t *all_requests = k->channels.requests;
    uint8_t *turns = k->channels.turn;
    uint32_t shift = k->shift;
    for (size_t i = 0; i < contested_count; i++) {
        uint32_t channel = contested[i];
        uint64_t requests = all_requests[channel];
        uint64_t later = requests & ~UINT64_C(1) << turns[channel];
        uint32_t winner = cni_lowest_bit(later != 0 ? later : requests);
        cni_worm_holder holder = holders[(size_t)channel << shift | winner];
        worms[holder.worm].moves |= UINT64_C(1) << holder.hop;
        turns[channel] = (uint8_t)winner;
        all_requests[channel] = 0;
    }
}

CNI_INLINE void send_words(flit_rules rules, cni_wormhole *k)
{
    k->worms.header_count = k->worms.tail_count = 0;
    move_listed_worms(rules, k, 0);
    arbitrate_channels(k, request_shared(rules, k));
    move_listed_worms(rules, k, 1);
}

#if CNI_AVX512
CNI_FOR_LANES static void send_lanes(cni_wormhole *k)
{
    send_words((flit_rules){ROWS, move_lanes, append_lanes}, k);
}
#endif

void cni_wormhole_send(cni_wormhole *k)
{
#if CNI_AVX512
    if (k->has_lanes) {
        send_lanes(k);
        return;
    }
#endif
    send_words((flit_rules){1, move_plain, append_plain}, k);
}
