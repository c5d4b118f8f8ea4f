/* Store and forward in continuous time: one event after the other. */
#include "simulation/store_forward.h"

#include <math.h>

#include "base/error.h"
#include "base/exponential.h"

/* The random words of an event. */
enum { WORD_TIME, WORD_KIND, WORD_WHICH, WORD_WHERE, WORD_PORT, WORDS = 8 };

static uint64_t word_of(const cni_store *s, uint64_t word)
{
    return cni_random_word(s->stream, s->events * WORDS + word);
}

/* Uniform on 0 .. bound-1 to within bound / 2^64: the upper part of a product. */
static uint32_t below(uint64_t word, uint32_t bound)
{
    uint64_t low = (word & UINT32_MAX) * bound, high = (word >> 32) * bound;
    return (uint32_t)((high + (low >> 32)) >> 32);
}

/* Works out when the next event comes. */
static void draw(cni_store *s)
{
    double rate = s->arrivals + s->busy_count;
    uint64_t time = cni_exponential(word_of(s, WORD_TIME));
    /* a quotient and a sum: nothing that a compiler may fuse to other bits */
    s->next += rate > 0.0 ? (double)time * 0x1p-44 / rate : (double)INFINITY;
    s->is_drawn = 1;
}

static cn_status arrive(cni_store *s, uint64_t tick)
{
    if (s->free == 0)
        CNI_TRY(cni_store_make_room(s, 1));
    uint32_t survivors = s->routes.survivors;
    uint32_t from = below(word_of(s, WORD_WHICH), survivors);
    uint32_t to = below(word_of(s, WORD_WHERE), survivors - 1);
    to += to >= from;
    cni_parcel parcel = {
        .created = tick, .source = s->routes.survivor[from], .destination = s->routes.survivor[to]};
    parcel.row = s->routes.row_of[parcel.destination];
    cni_store_admit(s, &parcel, (uint32_t)(word_of(s, WORD_PORT) >> 32));
    return CN_OK;
}

static void transmit(cni_store *s, uint64_t tick)
{
    uint32_t i = below(word_of(s, WORD_WHICH), s->busy_count), channel = s->busy[i];
    uint32_t at = cni_store_take(s, i), dimensions = s->routes.dimensions;
    uint32_t node = (channel & (s->routes.nodes - 1)) ^ UINT32_C(1) << (channel >> dimensions);
    const cni_parcel *parcel = &s->place[at];
    s->counters[CNI_COUNT_HOPS] += 1;
    if (node != parcel->destination) {
        cni_store_join(s, at, node, (uint32_t)(word_of(s, WORD_PORT) >> 32));
        return;
    }
    cni_store_deliver(s, at, tick);
    if (parcel->number != 0)
        cni_mailbox_arrive(&s->mailbox, parcel->created >> CNI_TICK_BITS, parcel->source,
                           parcel->number, s->cycle + 1);
}

/* The event that is due in the present cycle. */
static cn_status happen(cni_store *s)
{
    uint64_t tick = (s->cycle << CNI_TICK_BITS) + (uint64_t)(s->next * 0x1p20);
    double kind = (double)(word_of(s, WORD_KIND) >> 11) * 0x1p-53;
    cni_store_count_until(s, tick);
    cn_status status = CN_OK;
    if (kind * (s->arrivals + s->busy_count) < s->arrivals)
        status = arrive(s, tick);
    else
        transmit(s, tick);
    s->events += 1;
    s->is_drawn = 0;
    return status;
}

cn_status cni_store_run_events(cni_store *s, uint64_t cycles)
{
    while (cycles > 0) {
        if (!s->is_drawn)
            draw(s);
        if (s->next < 1.0) {
            CNI_TRY(happen(s));
            continue;
        }
        /* as many whole cycles as pass before the next event */
        uint64_t pass = s->next < (double)cycles ? (uint64_t)s->next : cycles;
        s->next -= (double)pass;
        s->cycle += pass;
        s->injections = 0;
        cycles -= pass;
        cni_store_count_until(s, s->cycle << CNI_TICK_BITS);
    }
    return CN_OK;
}
