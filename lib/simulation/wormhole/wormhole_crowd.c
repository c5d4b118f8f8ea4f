/*
 * Which flits move in a cycle of the wormhole kernel, and their moves, while most channels are shared. Then most worms move
 * a flit or none, and it pays to go by channels instead of by worms: what the buffers hold is kept in sets of virtual
 * channels, and a few operations on words find the winners of all channels and what their moves change. Only the virtual
 * channels of flits that move are looked at one by one.
 */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/wormhole/wormhole.h"

#if CNI_AVX512
#include <immintrin.h>
#define TARGET __attribute__((target("bmi,bmi2,popcnt,avx512f,avx512bw,avx512vbmi2")))
#endif

enum { BLOCK = 8, GROUP = 64 }; /* words that are looked at together, and that make a list */

cn_status cni_crowd_open(cni_wormhole *k)
{
    uint64_t **const rows[] = {&k->crowd.set.fed,    &k->crowd.set.used,  &k->crowd.set.full,
                               &k->crowd.set.shared, &k->crowd.set.turn,  &k->crowd.set.header,
                               &k->crowd.set.tail,   &k->crowd.set.exit,  &k->crowd.set.moves,
                               &k->crowd.set.turned, &k->crowd.set.events};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    uint64_t count = (uint64_t)k->nodes * k->span;
    k->crowd.has_lanes = cni_crowd_has_lanes();
    k->crowd.outside = (uint32_t)(count + 64 * BLOCK - 1) / (64 * BLOCK) * (64 * BLOCK);
    k->crowd.words = k->crowd.outside / 64;
    k->crowd.set.fed = cni_allocate(ROWS * (k->crowd.words + BLOCK), sizeof *k->crowd.set.fed);
    k->crowd.marks = cni_allocate(k->crowd.outside / 8 + 1, sizeof *k->crowd.marks);
    k->crowd.hop = cni_allocate(count, sizeof *k->crowd.hop);
    k->crowd.next = cni_allocate((uint64_t)k->crowd.outside + 1, sizeof *k->crowd.next);
    k->crowd.came = cni_allocate(count + 1, sizeof *k->crowd.came);
    k->crowd.gone = cni_allocate(count + 1, sizeof *k->crowd.gone);
    if (k->crowd.set.fed == NULL || k->crowd.marks == NULL || k->crowd.hop == NULL ||
        k->crowd.next == NULL || k->crowd.came == NULL || k->crowd.gone == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 1; i < ROWS; i++)
        *rows[i] = k->crowd.set.fed + i * (k->crowd.words + BLOCK);
    return CN_OK;
}

/* ---- hops ---- */

/* All virtual channels of the channel of one, as bits of its word. */
static uint64_t channel_of(const cni_wormhole *k, uint32_t virtual_channel)
{
    return k->every << (virtual_channel >> k->shift << k->shift & 63);
}

/* The same, or nothing. */
static uint64_t channel_if(const cni_wormhole *k, uint32_t virtual_channel, int is_meant)
{
    return channel_of(k, virtual_channel) & (0 - (uint64_t)is_meant);
}

/* The worm of a virtual channel has a hop before it unless that is released. */
static void link_hop(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t rest)
{
    const uint32_t *path = k->path + (size_t)worm * k->stride;
    uint32_t has_previous = hop > cni_worm_at(k, worm)->tail, before = path[hop - has_previous];
    uint32_t previous = has_previous ? before : k->crowd.outside;
    k->crowd.hop[path[hop]] = (cni_crowd_hop){previous, rest};
    k->crowd.next[path[hop]] = k->crowd.outside;
    k->crowd.next[previous] = path[hop];
}

void cni_crowd_give(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t count)
{
    uint32_t virtual_channel = k->path[(size_t)worm * k->stride + hop];
    link_hop(k, worm, hop, k->message[worm].flits);
    cni_crowd_mark(k->crowd.set.fed, virtual_channel);
    cni_crowd_mark(k->crowd.set.header, virtual_channel);
    k->crowd.set.shared[virtual_channel >> 6] |= channel_if(k, virtual_channel, count == 2);
}

void cni_crowd_release(cni_wormhole *k, uint32_t virtual_channel, uint32_t count)
{
    cni_crowd_turn(k->crowd.set.tail, virtual_channel);
    k->crowd.set.exit[virtual_channel >> 6] &= ~cni_worm_bit(virtual_channel);
    k->crowd.set.shared[virtual_channel >> 6] &= ~channel_if(k, virtual_channel, count == 2);
}

/* ---- lists ---- */

/* Virtual channels of a group. */
typedef struct bit_list {
    uint16_t at[64 * GROUP + 64];
    size_t count;
} bit_list;

/* How sets are read and written: the lists of groups; a mark at a virtual channel; the marks in a word, which are taken
 * away. */
typedef struct set_rules {
    void (*list)(const uint64_t set[], size_t words, bit_list *list);
    void (*mark)(uint64_t marks[], uint32_t virtual_channel);
    uint64_t (*take_marks)(uint64_t marks[], size_t word);
} set_rules;

static inline uint64_t take_marks_plain(uint64_t marks[], size_t word)
{
    uint64_t set = marks[word];
    marks[word] = 0;
    return set;
}

static void list_plain(const uint64_t set[], size_t words, bit_list *list)
{
    list->count = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t rest = set[i]; rest != 0; rest &= rest - 1)
            list->at[list->count++] = (uint16_t)(i << 6 | cni_lowest_bit(rest));
}

#if CNI_AVX512
/* How many a word has cannot be foreseen: this needs no branch for it, but for those with more than half. */
TARGET static void list_lanes(const uint64_t set[], size_t words, bit_list *list)
{
    unsigned char numbers[64];
    size_t count = 0;
    for (uint32_t i = 0; i < 64; i++)
        numbers[i] = (unsigned char)i;
    const __m512i all = _mm512_loadu_si512(numbers), step = _mm512_set1_epi16(64);
    __m512i first = _mm512_setzero_si512();
    for (size_t i = 0; i < words; i++) {
        __m512i found = _mm512_maskz_compress_epi8(set[i], all);
        __m512i half = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
        size_t here = (size_t)__builtin_popcountll(set[i]);
        _mm512_storeu_si512(list->at + count, _mm512_add_epi16(first, half));
        if (CNI_RARELY(here > 32)) {
            half = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(found, 1));
            _mm512_storeu_si512(list->at + count + 32, _mm512_add_epi16(first, half));
        }
        count += here;
        first = _mm512_add_epi16(first, step);
    }
    list->count = count;
}

/* A byte is written without being read, so that marks need not wait for each other. */
TARGET static inline void mark_lanes(uint64_t marks[], uint32_t virtual_channel)
{
    ((unsigned char *)marks)[virtual_channel] = 1;
}

TARGET static inline uint64_t take_marks_lanes(uint64_t marks[], size_t word)
{
    __m512i bytes = _mm512_loadu_si512(marks + 8 * word);
    _mm512_storeu_si512(marks + 8 * word, _mm512_setzero_si512());
    return _mm512_test_epi8_mask(bytes, bytes);
}
#endif

/* ---- what moves ---- */

/* How the virtual channels of a word belong to channels. */
typedef struct lanes {
    uint64_t first, last; /* those of each channel */
    uint32_t span;        /* between them */
} lanes;

/* The channels of which any is in a set, each as a whole. A channel is taken from with its last one set, so that it borrows
 * nothing of the next. */
CNI_INLINE uint64_t whole_channels(lanes l, uint64_t set)
{
    uint64_t any = (set | ((set | l.last) - l.first)) & l.last;
    return any | (any - (any >> l.span));
}

/* Of the virtual channels in a word that are ready those that win: the first one of each channel after that which won last.
 * Where one is held alone it wins without a turn. */
CNI_INLINE uint64_t find_winners(lanes l, uint64_t ready, uint64_t shared, uint64_t *turn)
{
    uint64_t later = ready & ~(*turn | (*turn - l.first));
    uint64_t of = later | (ready & ~whole_channels(l, later));
    uint64_t winners = of & ~((of | l.last) - l.first);
    uint64_t turned = whole_channels(l, winners) & shared;
    *turn = (*turn & ~turned) | (winners & turned);
    return winners;
}

CNI_INLINE void choose_moves(lanes l, const cni_crowd_sets *s, size_t at)
{
    const uint64_t *restrict fed = s->fed + at, *restrict full = s->full + at;
    const uint64_t *restrict shared = s->shared + at;
    uint64_t *restrict turn = s->turn + at, *restrict moves = s->moves + at;
    for (uint32_t i = 0; i < BLOCK; i++)
        moves[i] = find_winners(l, fed[i] & ~full[i], shared[i], &turn[i]);
}

/* The buffers before these virtual channels are left by a flit, and some of them by the tail. */
CNI_INLINE void leave_buffers(set_rules rules, cni_crowd *crowd, uint32_t first,
                              const bit_list *winners)
{
    cni_crowd_hop *hop = crowd->hop + first;
    uint32_t *gone = crowd->gone;
    uint64_t *marks = crowd->marks;
    size_t gone_count = crowd->gone_count;
    for (size_t i = 0, count = winners->count; i < count; i++) {
        uint32_t at = winners->at[i];
        rules.mark(marks, hop[at].previous);
        gone[gone_count] = first + at;
        gone_count += (size_t)(--hop[at].rest == 0);
    }
    crowd->gone_count = gone_count;
}

/* ---- what that changes ---- */

/* The second flit fills a buffer, and the last one empties it. Marked are those that flits leave. Returns what has
 * moved. */
CNI_INLINE uint64_t make_moves(set_rules rules, cni_crowd *crowd, size_t at)
{
    const cni_crowd_sets *s = &crowd->set;
    const uint64_t *restrict moves = s->moves + at, *restrict exit = s->exit + at;
    const uint64_t *restrict header = s->header + at, *restrict tail = s->tail + at;
    uint64_t *restrict used = s->used + at, *restrict full = s->full + at;
    uint64_t *restrict turned = s->turned + at, *restrict events = s->events + at;
    uint64_t left[BLOCK], moved = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        left[i] = rules.take_marks(crowd->marks, at + i);
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint64_t in = moves[i], before = used[i], out = left[i] | (before & exit[i]);
        uint64_t up = in & ~out, down = out & ~in;
        uint64_t now = (before & ~(down & ~full[i])) | up;
        full[i] = (full[i] & ~down) | (up & before);
        used[i] = now;
        turned[i] = now ^ before;
        events[i] = (in & header[i]) | (before & ~now & tail[i] & exit[i]);
        moved |= in | out;
    }
    return moved;
}

/* Marks the next virtual channels. */
CNI_INLINE void feed(set_rules rules, cni_crowd *crowd, uint32_t first, const bit_list *turned)
{
    const uint32_t *next = crowd->next + first;
    uint64_t *marks = crowd->marks;
    for (size_t i = 0, count = turned->count; i < count; i++)
        rules.mark(marks, next[turned->at[i]]);
}

CNI_INLINE void list_events(cni_wormhole *k, uint32_t first, const bit_list *events)
{
    for (size_t i = 0; i < events->count; i++) {
        uint32_t virtual_channel = first + events->at[i];
        int is_header = cni_crowd_has(k->crowd.set.header, virtual_channel);
        k->crowd.came[k->crowd.came_count] = k->crowd.gone[k->crowd.gone_count] = virtual_channel;
        k->crowd.came_count += (size_t)is_header;
        k->crowd.gone_count += (size_t)!is_header;
    }
}

CNI_INLINE void send_sets_by(set_rules rules, cni_wormhole *k)
{
    cni_crowd *crowd = &k->crowd;
    cni_crowd_sets s = crowd->set;
    size_t all = crowd->words;
    uint32_t span = (UINT32_C(1) << k->shift) - 1;
    lanes l = {k->lowest, k->lowest << span, span};
    uint64_t moved = 0;
    bit_list list;
    crowd->came_count = crowd->gone_count = 0;
    for (size_t i = 0; i < all; i += GROUP) {
        size_t words = all - i < GROUP ? all - i : GROUP;
        for (size_t j = 0; j < words; j += BLOCK)
            choose_moves(l, &s, i + j);
        rules.list(s.moves + i, words, &list);
        leave_buffers(rules, crowd, (uint32_t)i << 6, &list);
    }
    for (size_t i = 0; i < all; i += BLOCK)
        moved |= make_moves(rules, crowd, i);
    for (size_t i = 0; i < all; i += GROUP) {
        size_t words = all - i < GROUP ? all - i : GROUP;
        rules.list(s.turned + i, words, &list);
        feed(rules, crowd, (uint32_t)i << 6, &list);
        rules.list(s.events + i, words, &list);
        list_events(k, (uint32_t)i << 6, &list);
    }
    for (size_t i = 0; i < all; i++)
        s.fed[i] ^= rules.take_marks(crowd->marks, i);
    k->moved |= moved;
}

#if CNI_AVX512
TARGET static void send_lanes(cni_wormhole *k)
{
    send_sets_by((set_rules){list_lanes, mark_lanes, take_marks_lanes}, k);
}
#endif

int cni_crowd_has_lanes(void)
{
#if CNI_AVX512
    return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

void cni_crowd_send(cni_wormhole *k)
{
#if CNI_AVX512
    if (k->crowd.has_lanes) {
        send_lanes(k);
        return;
    }
#endif
    send_sets_by((set_rules){list_plain, cni_crowd_mark, take_marks_plain}, k);
}

/* ---- from one way to the other ---- */

/* Puts the flits of a worm into the sets. */
static void enter(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    uint32_t rest = w->left;
    for (uint32_t hop = w->tail; hop < w->head; hop++) {
        uint32_t vc = k->path[(size_t)worm * k->stride + hop];
        uint32_t flits = cni_worm_flits(k, worm, hop);
        link_hop(k, worm, hop, rest);
        rest += flits;
        if ((cni_worm_hop(w, hop)->filled & cni_worm_bit(hop)) != 0)
            cni_crowd_mark(k->crowd.set.fed, vc);
        if (flits > 0)
            cni_crowd_mark(k->crowd.set.used, vc);
        if (flits > 1)
            cni_crowd_mark(k->crowd.set.full, vc);
        if (k->held_count[vc >> k->shift] > 1)
            k->crowd.set.shared[vc >> 6] |= channel_of(k, vc);
        if ((cni_worm_hop(w, hop)->header & cni_worm_bit(hop)) != 0)
            cni_crowd_mark(k->crowd.set.header, vc);
        if (hop == w->tail && w->left == 0)
            cni_crowd_mark(k->crowd.set.tail, vc);
        if (hop + 1 == w->head && cni_worm_hop(w, hop + 1)->exit != 0)
            cni_crowd_mark(k->crowd.set.exit, vc);
    }
    k->awake[worm] = 0;
}

static void begin(cni_wormhole *k)
{
    for (size_t i = 0; i < k->crowd.words; i++) {
        k->crowd.set.fed[i] = k->crowd.set.used[i] = k->crowd.set.full[i] = k->crowd.set.shared[i] =
            0;
        k->crowd.set.header[i] = k->crowd.set.tail[i] = k->crowd.set.exit[i] = 0;
        k->crowd.set.turn[i] = cni_worm_lowest(k->shift);
    }
    for (uint32_t channel = 0; channel < k->nodes * k->ports; channel++) {
        uint32_t first = channel << k->shift;
        k->crowd.set.turn[first >> 6] ^=
            cni_worm_bit(first) ^ cni_worm_bit(first + k->turn[channel]);
    }
    for (uint32_t worm = 0; worm < k->used; worm++)
        enter(k, worm);
    k->active_count = 0;
    k->crowd.is_on = 1;
}

uint32_t cni_crowd_left(const cni_wormhole *k, uint32_t worm)
{
    const cni_worm *w = cni_worm_at(k, worm);
    if (!k->crowd.is_on || w->head == 0)
        return w->left;
    return w->tail == 0 ? k->crowd.hop[k->path[(size_t)worm * k->stride]].rest : 0;
}

uint8_t cni_crowd_last(const cni_wormhole *k, uint32_t channel)
{
    uint32_t first = channel << k->shift;
    uint64_t turn = k->crowd.set.turn[first >> 6] & channel_of(k, first);
    return (uint8_t)(cni_lowest_bit(turn) - (first & 63));
}

/* The words of a worm, from the sets. */
static void leave(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    const uint32_t *path = k->path + (size_t)worm * k->stride;
    w->left = cni_crowd_left(k, worm);
    for (uint32_t i = 0; i < k->hop_words; i++) {
        w[i].vacant = w[i].exit;
        w[i].filled = w[i].shared = w[i].moves = w[i].leaving = 0;
    }
    w->filled = w->left > 0;
    for (uint32_t hop = w->tail; hop < w->head; hop++) {
        cni_worm *here = cni_worm_hop(w, hop);
        if (!cni_crowd_has(k->crowd.set.full, path[hop]))
            here->vacant |= cni_worm_bit(hop);
        if (k->held_count[path[hop] >> k->shift] > 1)
            here->shared |= cni_worm_bit(hop);
        if (cni_crowd_has(k->crowd.set.used, path[hop]))
            cni_worm_hop(w, hop + 1)->filled |= cni_worm_bit(hop + 1);
    }
    if (w->left == 0)
        cni_worm_hop(w, w->tail + 1u)->leaving = cni_worm_bit(w->tail + 1u);
    k->active[k->active_count++] = worm;
    k->awake[worm] = 1;
}

static void end(cni_wormhole *k)
{
    for (uint32_t channel = 0; channel < k->nodes * k->ports; channel++)
        k->turn[channel] = cni_crowd_last(k, channel);
    for (uint32_t worm = 0; worm < k->used; worm++)
        if (cni_worm_holds(cni_worm_at(k, worm)))
            leave(k, worm);
    k->crowd.is_on = 0;
}

/* The sets do not count flits. */
void cni_crowd_set(cni_wormhole *k, int is_crowded)
{
    if (k->room > 0 || k->buffers != 2)
        return;
    if (is_crowded && !k->crowd.is_on)
        begin(k);
    if (!is_crowded && k->crowd.is_on)
        end(k);
}
