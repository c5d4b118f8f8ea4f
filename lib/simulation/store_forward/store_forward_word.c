/*
 * Messages that are not wide store the time of creation as cycles since an epoch. The epoch moves
 * forward during a simulation. When a message has waited too long for the age field, or more
 * messages come in a cycle than the number field tells apart, all messages get another word, and
 * the simulation goes on with wide messages.
 */
#include "base/error.h"
#include "base/memory.h"
#include "simulation/store_forward/store_forward_node.h"

enum {
    /* bits of an age at least; with less, the epoch would move within 2^12 cycles, by a scan of
     * all messages, so messages are wide */
    LEAST_SPAN = 12,
    /* bits of an age that suffice, 2^24 cycles between moves of the epoch; further bits go to
     * the number */
    LARGE_SPAN = 24,
    /* bits of a number at most; 2^20 messages of a node in a cycle are rare, and make messages
     * wide */
    MANY_NUMBERS = 20,
    /* a number has 2 bits more than a node: a source may have four messages to every node in a
     * cycle */
    NUMBERS_OF_NODE = 2
};

static uint32_t bits_of(uint64_t greatest)
{
    uint32_t bits = 0;
    while (greatest >> bits > 0)
        bits++;
    return bits;
}

/* The bits for the hops of a message. The longest walk bounds the hops: no walk visits a node
 * twice in the same class, and preferred channels lead closer. In a Boolean cube source and
 * destination give the hops. The field is left out when it would leave too few bits for the
 * numbers of a cycle's messages. */
static uint32_t hop_bits(const cni_store *k, uint32_t node_bits)
{
    uint64_t longest = k->network.nodes;
    if (k->shape.form == CNI_STORE_CUBE)
        return 0;
    if (k->shape.form == CNI_STORE_RINGS)
        longest = k->network.topology->diameter;
    else
        longest *= k->network.routing->classes;
    uint32_t bits = bits_of(longest);
    return 3 * node_bits + bits + NUMBERS_OF_NODE + 1 > 64 ? 0 : bits;
}

/* The bits for the number of a message. `left` is the room for number and age together. */
static uint32_t number_bits(const cni_store *k, uint32_t node_bits, uint32_t left)
{
    uint32_t least = node_bits + NUMBERS_OF_NODE;
    if (k->shape.is_wide)
        return left;
    if (left < least + LARGE_SPAN)
        return least;
    return left - LARGE_SPAN < MANY_NUMBERS ? left - LARGE_SPAN : MANY_NUMBERS;
}

void cni_store_lay_out(cni_store *k, uint64_t most)
{
    cni_store_shape *s = &k->shape;
    uint32_t bits = bits_of(k->network.nodes - 1), hops = hop_bits(k, bits);
    uint32_t left = 63 - 2 * bits - hops;
    k->shape.is_wide |= !k->slotted_clock || left < bits + NUMBERS_OF_NODE + LEAST_SPAN;
    k->shape.is_wide |= most >> number_bits(k, bits, left) != 0;
    s->width = cni_store_width(k->shape.form, s->is_wide);
    s->to_mask = (UINT64_C(1) << bits) - 1;
    s->hop = hops == 0 ? 0 : UINT64_C(1) << bits;
    s->hop_shift = bits;
    s->hop_mask = (UINT64_C(1) << hops) - 1;
    s->number_shift = bits + hops;
    s->injected_shift = s->number_shift + number_bits(k, bits, left);
    s->source_shift = s->injected_shift + 1;
    s->created_shift = s->source_shift + bits;
    s->numbers = UINT64_C(1) << (s->injected_shift - s->number_shift);
    s->span = k->shape.is_wide ? UINT64_MAX : (UINT64_MAX >> s->created_shift) - 1;
}

cn_status cni_store_open_banks(const cni_store *k, uint64_t *bank[2])
{
    const cni_store_shape *s = &k->shape;
    uint64_t none = s->stride * k->rows * s->width; /* the place that never has a message */
    for (int i = 0; k->slotted_clock && i < 2; i++) {
        bank[i] = cni_allocate(none + s->width, sizeof *bank[i]);
        CNI_TRY_MEMORY(bank[i]);
        bank[i][none] = CNI_NO_TIME;
    }
    return CN_OK;
}

static uint64_t queues_of(const cni_store *k, const cni_store_worker *w)
{
    return cni_store_queues(k->queues, w->end_node - w->first_node);
}

/* ---- wide messages ---- */

cni_store_shape cni_store_wide_shape(const cni_store *k)
{
    cni_store wide = *k;
    wide.shape.is_wide = 1;
    cni_store_lay_out(&wide, 0);
    return wide.shape;
}

cni_message cni_store_widen_message(const cni_store_shape *old, const cni_message *m,
                                    const cni_store_shape *s)
{
    uint64_t low = m->identity & ((UINT64_C(1) << old->injected_shift) - 1);
    return (cni_message){cni_store_created(old, m),
                         low | (m->identity >> old->injected_shift & 1) << s->injected_shift |
                             cni_store_source(old, m->identity) << s->source_shift,
                         m->way};
}

/* Writes the messages and the chains of free blocks of a worker into wide words. All places stay
 * the same. */
static void widen_pool(const cni_store *k, const cni_store_shape *old, cni_store_worker *w,
                       uint64_t *to)
{
    const cni_store_shape *s = &k->shape;
    const uint64_t *from = w->pool.words;
    for (uint32_t size = 0; size <= CNI_QUEUE_LARGEST; size++)
        for (size_t block = w->pool.free[size]; block != 0;
             block = (size_t)from[block * old->width])
            to[block * s->width] = from[block * old->width];
    for (uint64_t q = 0; q < queues_of(k, w); q++)
        for (uint32_t i = 0; i < cni_queue_length(&w->queue[q]); i++) {
            size_t place = cni_queue_place(&w->queue[q], i);
            cni_message m = cni_store_load(old, from + place * old->width);
            m = cni_store_widen_message(old, &m, s);
            cni_store_save(s, to + place * s->width, &m);
        }
    cni_release(w->pool.words);
    w->pool.words = to;
    w->pool.capacity = (size_t)w->pool.used * s->width;
    w->pool.width = s->width;
}

cn_status cni_store_widen(cni_store *k)
{
    const cni_store_shape old = k->shape;
    uint64_t *bank[2] = {NULL}, *words[CNI_MAX_WORKERS] = {NULL};
    uint32_t workers = cni_team_workers(k->base.team);
    k->shape.is_wide = 1;
    cni_store_lay_out(k, 0);
    cn_status status = cni_store_open_banks(k, bank);
    for (uint32_t i = 0; i < workers && status == CN_OK; i++) {
        words[i] =
            cni_allocate(cni_store_worker_at(k, i)->pool.used * k->shape.width, sizeof *words[i]);
        status = words[i] == NULL ? CN_ERR_MEMORY : CN_OK;
    }
    for (uint32_t i = 0; i < workers && status == CN_OK; i++)
        widen_pool(k, &old, cni_store_worker_at(k, i), words[i]);
    for (int i = 0; i < 2; i++) {
        cni_release(status == CN_OK ? k->channel[i] : bank[i]);
        k->channel[i] = status == CN_OK ? bank[i] : k->channel[i];
    }
    if (status == CN_OK)
        return CN_OK;
    for (uint32_t i = 0; i < workers; i++)
        cni_release(words[i]);
    k->shape = old;
    return status;
}

int cni_store_narrow_message(const cni_store_shape *wide, const cni_message *m,
                             const cni_store_shape *s, cni_message *narrow)
{
    uint64_t low = m->identity & ((UINT64_C(1) << wide->injected_shift) - 1);
    if (m->created < s->epoch || m->created - s->epoch > s->span || low >> s->injected_shift != 0)
        return 0;
    *narrow = cni_store_stamp(s, m->created,
                              low | (m->identity >> wide->injected_shift & 1) << s->injected_shift |
                                  cni_store_source(wide, m->identity) << s->source_shift);
    narrow->way = m->way;
    return 1;
}

/* ---- the epoch ---- */

/* Subtracts `less` cycles from the age field of every message. Returns the least of these fields:
 * the cycles from the epoch to the creation of the oldest message. */
static uint64_t find_oldest_age(cni_store *k, uint64_t less)
{
    uint32_t shift = k->shape.created_shift;
    uint64_t least = k->base.cycle - k->shape.epoch;
    for (uint32_t i = 0; i < cni_team_workers(k->base.team); i++) {
        const cni_store_worker *w = cni_store_worker_at(k, i);
        for (uint64_t q = 0; q < queues_of(k, w); q++)
            for (uint32_t j = 0; j < cni_queue_length(&w->queue[q]); j++) {
                size_t place = cni_queue_place(&w->queue[q], j);
                uint64_t *word = w->pool.words + place * k->shape.width;
                *word -= less << shift;
                least = *word >> shift < least ? *word >> shift : least;
            }
    }
    return least;
}

cn_status cni_store_move_epoch(cni_store *k)
{
    if (k->base.cycle - k->shape.epoch < k->shape.span)
        return CN_OK;
    uint64_t shift = find_oldest_age(k, 0);
    if (shift <= k->shape.span / 2)
        return cni_store_widen(k);
    find_oldest_age(k, shift);
    k->shape.epoch += shift;
    return CN_OK;
}
