/*
 * The moves of flits in a cycle of the wormhole kernel, while most channels are shared. Then most
 * worms move one flit or none, and work by channels is faster than work by worms. Sets of virtual
 * channels hold the flits in the buffers. A few operations on words find the winners of all
 * channels and the effects of their moves. Only the virtual channels of flits that move are looked
 * at one by one.
 */
#include <string.h>

#include "base/error.h"
#include "simulation/wormhole/wormhole.h"

/* ROWS: rows of the array of sets before the digits of `flits`. BLOCK: words of one loop. */
enum { ROWS = 12, BLOCK = 8 };

cn_status cni_crowd_open(cni_wormhole *k)
{
    uint64_t **const rows[ROWS] = {&k->crowd.set.fed,    &k->crowd.set.used,   &k->crowd.set.full,
                                   &k->crowd.set.shared, &k->crowd.set.turn,   &k->crowd.set.header,
                                   &k->crowd.set.tail,   &k->crowd.set.exit,   &k->crowd.set.moves,
                                   &k->crowd.set.turned, &k->crowd.set.events, &k->crowd.set.marks};
    uint64_t count = (uint64_t)k->nodes * k->span;
    k->crowd.outside = (uint32_t)(count + 64 * BLOCK - 1) / (64 * BLOCK) * (64 * BLOCK);
    k->crowd.words = k->crowd.outside / 64;
    k->crowd.row = k->crowd.words + BLOCK;
    while (k->buffers >> k->crowd.digits != 0)
        k->crowd.digits++;
    CNI_TRY(CNI_WORM_MAKE(k, k->crowd.set.fed, (ROWS + k->crowd.digits) * k->crowd.row));
    CNI_TRY(CNI_WORM_MAKE(k, k->crowd.hop, count));
    CNI_TRY(CNI_WORM_MAKE(k, k->crowd.next, (uint64_t)k->crowd.outside + 1));
    for (size_t i = 1; i < ROWS; i++)
        *rows[i] = k->crowd.set.fed + i * k->crowd.row;
    k->crowd.set.flits = k->crowd.set.fed + ROWS * k->crowd.row;
    cni_crowd_set(k, 0);
    return CN_OK;
}

/* ---- hops ---- */

/* All virtual channels of the channel to which a virtual channel belongs, as bits of its word. */
static uint64_t channel_of(const cni_wormhole *k, uint32_t virtual_channel)
{
    return k->every << (virtual_channel >> k->shift << k->shift & 63);
}

/* The same bits if is_meant, otherwise no bits. */
static uint64_t channel_if(const cni_wormhole *k, uint32_t virtual_channel, int is_meant)
{
    return channel_of(k, virtual_channel) & (0 - (uint64_t)is_meant);
}

/* Links a hop of a worm to the hop before it, unless that hop is released. `rest` flits have not
 * crossed it yet. */
static void link_hop(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t rest)
{
    const uint32_t *path = k->worms.path + (size_t)worm * k->stride;
    uint32_t has_previous = hop > cni_worm_at(k, worm)->tail, before = path[hop - has_previous];
    uint32_t previous = has_previous ? before : k->crowd.outside;
    k->crowd.hop[path[hop]] = (cni_crowd_hop){previous, rest};
    k->crowd.next[path[hop]] = k->crowd.outside;
    k->crowd.next[previous] = path[hop];
}

void cni_crowd_give(cni_wormhole *k, uint32_t worm, uint32_t hop, uint32_t count)
{
    uint32_t virtual_channel = k->worms.path[(size_t)worm * k->stride + hop];
    link_hop(k, worm, hop, k->worms.message[worm].flits);
    cni_crowd_mark(k->crowd.set.fed, virtual_channel);
    cni_crowd_mark(k->crowd.set.header, virtual_channel);
    k->crowd.set.shared[virtual_channel >> 6] |= channel_if(k, virtual_channel, count == 2);
}

void cni_crowd_come(cni_wormhole *k, uint32_t virtual_channel, int has_arrived)
{
    cni_crowd_turn(k->crowd.set.header, virtual_channel);
    if (has_arrived)
        cni_crowd_mark(k->crowd.set.exit, virtual_channel);
}

void cni_crowd_follow(cni_wormhole *k, uint32_t virtual_channel, int is_of_source)
{
    cni_crowd_mark(k->crowd.set.tail, virtual_channel);
    if (is_of_source)
        cni_crowd_turn(k->crowd.set.fed, virtual_channel);
}

void cni_crowd_release(cni_wormhole *k, uint32_t virtual_channel, uint32_t count)
{
    cni_crowd_turn(k->crowd.set.tail, virtual_channel);
    k->crowd.set.exit[virtual_channel >> 6] &= ~cni_worm_bit(virtual_channel);
    k->crowd.set.shared[virtual_channel >> 6] &= ~channel_if(k, virtual_channel, count == 2);
}

/* ---- the winners of a cycle ---- */

/* How the virtual channels of a word belong to channels. */
typedef struct lanes {
    uint64_t first, last; /* the first and the last virtual channel of each channel */
    uint32_t span;        /* their distance */
} lanes;

/* All virtual channels of the channels that have any in a set. The last bit of each channel is
 * set before the subtraction, which so borrows nothing from the next channel. */
CNI_INLINE uint64_t whole_channels(lanes l, uint64_t set)
{
    uint64_t any = (set | ((set | l.last) - l.first)) & l.last;
    return any | (any - (any >> l.span));
}

/* The winners among the ready virtual channels of a word: in each channel the first one behind
 * the last winner, else the first one of all. A virtual channel that is held alone wins, and the
 * turn stays. */
CNI_INLINE uint64_t find_winners(lanes l, uint64_t ready, uint64_t shared, uint64_t *turn)
{
    uint64_t later = ready & ~(*turn | (*turn - l.first));
    uint64_t of = later | (ready & ~whole_channels(l, later));
    uint64_t winners = of & ~((of | l.last) - l.first);
    uint64_t turned = whole_channels(l, winners) & shared;
    *turn = (*turn & ~turned) | (winners & turned);
    return winners;
}

/* Finds the moves of BLOCK words from word `at` on. */
CNI_INLINE void choose_moves(lanes l, const cni_crowd_sets *s, size_t at)
{
    const uint64_t *restrict fed = s->fed + at, *restrict full = s->full + at;
    const uint64_t *restrict shared = s->shared + at;
    uint64_t *restrict turn = s->turn + at, *restrict moves = s->moves + at;
    for (uint32_t i = 0; i < BLOCK; i++)
        moves[i] = find_winners(l, fed[i] & ~full[i], shared[i], &turn[i]);
}

/* A flit of each winner leaves the buffer before it, which is marked. Lists the winners whose
 * tail crosses. */
static void leave_buffers(cni_wormhole *k)
{
    uint32_t *gone = k->worms.tails;
    size_t gone_count = 0;
    for (size_t i = 0; i < k->crowd.words; i++)
        for (uint64_t rest = k->crowd.set.moves[i]; rest != 0; rest &= rest - 1) {
            uint32_t virtual_channel = (uint32_t)i << 6 | cni_lowest_bit(rest);
            cni_crowd_hop *hop = &k->crowd.hop[virtual_channel];
            cni_crowd_mark(k->crowd.set.marks, hop->previous);
            gone[gone_count] = virtual_channel;
            gone_count += (size_t)(--hop->rest == 0);
        }
    k->worms.tail_count = gone_count;
}

/* ---- the effects of the moves ---- */

/* Makes the moves of BLOCK words. The marks are the virtual channels whose buffers a flit
 * leaves. The numbers of flits are counted up or down in binary digits, with a carry. Returns 0
 * if nothing has moved. */
CNI_INLINE uint64_t make_moves(cni_crowd *crowd, uint32_t digits, uint32_t most, size_t at)
{
    const cni_crowd_sets *s = &crowd->set;
    const uint64_t *restrict moves = s->moves + at, *restrict exit = s->exit + at;
    const uint64_t *restrict header = s->header + at, *restrict tail = s->tail + at;
    uint64_t *restrict used = s->used + at, *restrict full = s->full + at;
    uint64_t *restrict turned = s->turned + at, *restrict events = s->events + at;
    uint64_t *restrict marks = s->marks + at;
    uint64_t down[BLOCK], carry[BLOCK], any[BLOCK], other[BLOCK], moved = 0;
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint64_t in = moves[i], out = marks[i] | (used[i] & exit[i]);
        marks[i] = 0;
        down[i] = out & ~in;
        carry[i] = in ^ out;
        any[i] = other[i] = 0;
        moved |= in | out;
    }
    for (uint32_t digit = 0; digit < digits; digit++) {
        uint64_t *restrict row = s->flits + digit * crowd->row + at;
        uint64_t all = 0 - (uint64_t)(most >> digit & 1);
        for (uint32_t i = 0; i < BLOCK; i++) {
            uint64_t before = row[i], now = before ^ carry[i];
            carry[i] &= before ^ down[i];
            any[i] |= now;
            other[i] |= now ^ all;
            row[i] = now;
        }
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        turned[i] = used[i] ^ any[i];
        events[i] = (moves[i] & header[i]) | (used[i] & ~any[i] & tail[i] & exit[i]);
        used[i] = any[i];
        full[i] = ~other[i];
    }
    return moved;
}

/* Marks the virtual channels behind buffers that became used or empty: flits are before them
 * now, or no longer. Lists headers that have crossed, and tails that have gone to the node. */
static void follow_moves(cni_wormhole *k, size_t word)
{
    const cni_crowd_sets *s = &k->crowd.set;
    for (uint64_t rest = s->turned[word]; rest != 0; rest &= rest - 1)
        cni_crowd_mark(s->marks, k->crowd.next[word << 6 | cni_lowest_bit(rest)]);
    for (uint64_t rest = s->events[word]; rest != 0; rest &= rest - 1) {
        uint32_t virtual_channel = (uint32_t)word << 6 | cni_lowest_bit(rest);
        if (cni_crowd_has(s->header, virtual_channel))
            k->worms.picked[k->worms.header_count++] = k->channels.holder[virtual_channel].worm;
        else
            k->worms.tails[k->worms.tail_count++] = virtual_channel;
    }
}

/* The moves of a cycle. most: the flits of a full buffer, a number with so many binary digits. */
CNI_INLINE void send_by(uint32_t digits, uint32_t most, cni_wormhole *k)
{
    cni_crowd *crowd = &k->crowd;
    cni_crowd_sets s = crowd->set;
    size_t all = crowd->words;
    uint32_t span = (UINT32_C(1) << k->shift) - 1;
    lanes l = {k->lowest, k->lowest << span, span};
    k->worms.header_count = 0;
    for (size_t i = 0; i < all; i += BLOCK)
        choose_moves(l, &s, i);
    leave_buffers(k);
    for (size_t i = 0; i < all; i += BLOCK)
        k->moved |= make_moves(crowd, digits, most, i);
    for (size_t i = 0; i < all; i++)
        follow_moves(k, i);
    for (size_t i = 0; i < all; i++) {
        s.fed[i] ^= s.marks[i];
        s.marks[i] = 0;
    }
    for (size_t i = 0; i < k->worms.tail_count; i++)
        k->worms.tails[i] = k->channels.holder[k->worms.tails[i]].worm;
}

/* Buffers of two flits have a case of their own: constants let the compiler leave much out. */
void cni_crowd_send(cni_wormhole *k)
{
    if (k->buffers == 2)
        send_by(2, 2, k);
    else
        send_by(k->crowd.digits, k->buffers, k);
}

/* ---- from one form to the other ---- */

void cni_crowd_lay(cni_wormhole *k, uint32_t worm, uint32_t left, const uint32_t flits[])
{
    const cni_worm *w = cni_worm_at(k, worm);
    cni_crowd *crowd = &k->crowd;
    uint32_t rest = left, before = left, last = 0;
    for (uint32_t hop = w->tail; hop < w->head; hop++) {
        uint32_t here = flits[hop - w->tail];
        last = k->worms.path[(size_t)worm * k->stride + hop];
        link_hop(k, worm, hop, rest);
        rest += here;
        for (uint32_t digit = 0; digit < crowd->digits; digit++)
            if ((here >> digit & 1) != 0)
                cni_crowd_mark(crowd->set.flits + digit * crowd->row, last);
        if (before > 0)
            cni_crowd_mark(crowd->set.fed, last);
        if (here > 0)
            cni_crowd_mark(crowd->set.used, last);
        if (here == k->buffers)
            cni_crowd_mark(crowd->set.full, last);
        if (hop == w->tail && w->leaving != 1)
            cni_crowd_mark(crowd->set.tail, last);
        if (k->channels.held_count[last >> k->shift] > 1)
            crowd->set.shared[last >> 6] |= channel_of(k, last);
        before = here;
    }
    if (w->header != 0)
        cni_crowd_mark(crowd->set.header, last);
    if (w->exit != 0)
        cni_crowd_mark(crowd->set.exit, last);
}

/* Makes the sets from the words of all worms. */
static void make_sets(cni_wormhole *k)
{
    uint32_t flits[64];
    memset(k->crowd.set.fed, 0, (ROWS + k->crowd.digits) * k->crowd.row * sizeof *k->crowd.set.fed);
    for (size_t i = 0; i < k->crowd.words; i++)
        k->crowd.set.turn[i] = k->lowest;
    for (uint32_t channel = 0; channel < k->nodes * k->ports; channel++) {
        uint32_t first = channel << k->shift;
        k->crowd.set.turn[first >> 6] ^=
            cni_worm_bit(first) ^ cni_worm_bit(first + k->channels.turn[channel]);
    }
    for (uint32_t worm = 0; worm < k->worms.used; worm++) {
        const cni_worm *w = cni_worm_at(k, worm);
        for (uint32_t hop = w->tail; hop < w->head; hop++)
            flits[hop - w->tail] = cni_worm_flits(k, worm, hop);
        if (cni_worm_holds(w))
            cni_crowd_lay(k, worm, cni_worm_left(k, worm), flits);
        k->worms.awake[worm] = 0;
    }
    k->worms.active_count = 0;
    k->crowd.is_on = 1;
}

uint32_t cni_worm_left(const cni_wormhole *k, uint32_t worm)
{
    const cni_worm *w = cni_worm_at(k, worm);
    if (w->leaving != 1 || w->head == 0)
        return w->leaving != 1 ? 0 : k->worms.message[worm].flits;
    int has_rest = k->crowd.is_on || (k->way == &cni_short_messages && k->flits > 1);
    return has_rest ? k->crowd.hop[k->worms.path[(size_t)worm * k->stride]].rest : w->left;
}

uint8_t cni_crowd_last(const cni_wormhole *k, uint32_t channel)
{
    uint32_t first = channel << k->shift;
    uint64_t turn = k->crowd.set.turn[first >> 6] & channel_of(k, first);
    return (uint8_t)(cni_lowest_bit(turn) - (first & 63));
}

/* Makes the words of a worm from the sets. */
static void make_words(cni_wormhole *k, uint32_t worm)
{
    cni_worm *w = cni_worm_at(k, worm);
    const uint32_t *path = k->worms.path + (size_t)worm * k->stride;
    w->left = cni_worm_left(k, worm);
    w->filled = w->leaving == 1;
    w->vacant = w->exit;
    w->shared = w->moves = 0;
    for (uint32_t hop = w->tail; hop < w->head; hop++) {
        uint64_t bit = cni_worm_bit(hop);
        w->vacant |= cni_crowd_has(k->crowd.set.full, path[hop]) ? 0 : bit;
        w->shared |= k->channels.held_count[path[hop] >> k->shift] > 1 ? bit : 0;
        w->filled |= cni_crowd_has(k->crowd.set.used, path[hop]) ? bit << 1 : 0;
    }
    k->worms.active[k->worms.active_count++] = worm;
    k->worms.awake[worm] = 1;
}

/* Makes the words of all worms from the sets. */
static void drop_sets(cni_wormhole *k)
{
    for (uint32_t channel = 0; channel < k->nodes * k->ports; channel++)
        k->channels.turn[channel] = cni_crowd_last(k, channel);
    for (uint32_t worm = 0; worm < k->worms.used; worm++)
        if (cni_worm_holds(cni_worm_at(k, worm)))
            make_words(k, worm);
    k->crowd.is_on = 0;
}

void cni_crowd_set(cni_wormhole *k, int is_crowded)
{
    int is_to_be = is_crowded || !k->has_words;
    if (k->crowd.is_on == is_to_be)
        return;
    if (is_to_be)
        make_sets(k);
    else
        drop_sets(k);
}
