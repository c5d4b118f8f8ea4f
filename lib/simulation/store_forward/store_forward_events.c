/* Store and forward in continuous time: one event after the other. */
#include "simulation/store_forward/store_forward.h"

#include <math.h>

#include "base/error.h"
#include "base/exponential.h"

/* The random words of an event: when, what happens, and where to. */
enum { WORD_TIME, WORD_WHAT, WORD_DESTINATION, WORD_CHANNEL, WORDS };

static uint64_t word_of(const cni_store *s, uint64_t word)
{
    return cni_random_word(s->stream, s->events * WORDS + word);
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

static void join(cni_store *s, uint32_t at, uint32_t node)
{
    uint32_t allowed = cni_store_allowed(s, at, node);
    if (cni_store_is_choice(allowed))
        allowed = cni_store_pick(allowed, word_of(s, WORD_CHANNEL));
    cni_store_join(s, at, node, allowed);
}

/* A new message at survivor number `from`. */
static cn_status arrive(cni_store *s, uint32_t from, uint64_t tick)
{
    const cni_routes *routes = &s->routes;
    if (s->free == 0)
        CNI_TRY(cni_store_make_room(s, 1));
    uint32_t to = (uint32_t)((word_of(s, WORD_DESTINATION) >> 32) * (routes->survivors - 1) >> 32);
    to += to >= from;
    cni_store_message message = {.created = tick,
                                 .source = routes->survivor[from],
                                 .destination = routes->survivor[to],
                                 .row = routes->row_of[routes->survivor[to]]};
    uint32_t at = cni_store_admit(s, &message);
    join(s, at, message.source);
    return CN_OK;
}

/* A transmission ends on busy channel number i. */
static void transmit(cni_store *s, uint32_t i, uint64_t tick)
{
    uint32_t channel = s->busy[i], at = cni_store_take(s, i);
    uint32_t port = channel >> s->routes.dimensions;
    uint32_t node = (channel & (s->routes.nodes - 1)) ^ UINT32_C(1) << port;
    const cni_store_message *message = &s->place[at];
    s->counters[CNI_COUNT_HOPS] += 1;
    if (node != message->destination) {
        join(s, at, node);
        return;
    }
    cni_store_deliver(s, at, tick);
    if (message->number != 0)
        cni_mailbox_arrive(&s->head.mailbox, message->created >> CNI_TICK_BITS, message->source,
                           message->number, s->cycle + 1);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * The event that is due in the present cycle. A point is picked on a line of as many units as there are
 * busy channels, behind a piece for the arrivals in which every survivor has a part of length `load`. Its
 * product and the difference are apart, so that no compiler fuses them to other bits.
 */
static cn_status happen(cni_store *s)
{
    uint64_t tick = (s->cycle << CNI_TICK_BITS) + (uint64_t)(s->next * 0x1p20);
    double rate = s->arrivals + s->busy_count;
    double point = (double)(word_of(s, WORD_WHAT) >> 11) * 0x1p-53 * rate;
    cn_status status = CN_OK;
    cni_store_count_until(s, tick);
    if (point < s->arrivals)
        status = arrive(s, least((uint32_t)(point / s->load), s->routes.survivors - 1), tick);
    else
        transmit(s, least((uint32_t)(point - s->arrivals), s->busy_count - 1), tick);
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
