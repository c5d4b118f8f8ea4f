/*
 * Store and forward in continuous time: one event after the other.
 *
 * All that can happen next has no memory. With b busy channels and nodes that offer `load` each, the next event
 * comes after an exponential time of rate b + load nodes, and is with equal probability the end of the transmission
 * on any of the busy channels. So there is no queue of events at all: the next one costs O(1), whatever the size of
 * the network. Random words are numbered by events.
 *
 * The clock counts with some more channels than are busy, up to a ceiling; a transmission that ends on one of
 * those is an event at which nothing happens. This changes nothing of the process (it is uniformized), but as the
 * rate stays the same for a long time, it is known of many events ahead when they come and which number of a busy
 * channel they draw: what they will touch in a large network is fetched in time. The ceiling follows the number of
 * busy channels, and depends on nothing that is still to come.
 */
#include <math.h>

#include "base/error.h"
#include "base/exponential.h"
#include "base/inline.h"
#include "routing/decisions/channels.h"
#include "scenario/traffic/traffic.h"
#include "simulation/store_forward/store_forward.h"

/* The random words of an event: when, what happens, and where to. The node by way of which a message goes has
 * one of its own. */
enum { WORD_TIME, WORD_WHAT, WORD_DESTINATION, WORD_CHANNEL, WORDS };

enum {
    FAR_QUEUES =
        1 << 13,       /* more than the near caches hold; then so many events ahead are fetched */
    AHEAD_NUMBER = 40, /* the place of the busy channel, */
    AHEAD_QUEUE = 32,  /* its queue, */
    AHEAD_FIRST = 24,  /* the first message there, */
    AHEAD_NEXT = 16,   /* the queue that it will join, */
    AHEAD_LAST = 8,    /* and the place behind the last message there */
    MORE = 16          /* events that are foreseen at a time */
};

static inline uint64_t word_of(const cni_store *k, uint64_t word)
{
    return cni_random_word(k->stream, k->events * WORDS + word);
}

static inline cni_store_event *event_of(cni_store *k, uint64_t number)
{
    return &k->ahead[number % CNI_STORE_AHEAD];
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How many channels the clock counts with, and the fewest busy ones with which it keeps that. With nothing there and
 * nothing to come it stands still. */
static inline cni_store_limits limits_of(const cni_store *k)
{
    uint32_t busy = k->busy_count, room = busy / 32 + 6, fewest = k->arrivals > 0.0 ? 0 : 1;
    if (!CNI_RARELY(busy - k->limits.floor > k->limits.ceiling - k->limits.floor))
        return k->limits;
    if (busy < fewest)
        return (cni_store_limits){0, 0};
    return (cni_store_limits){busy < room + fewest ? fewest : busy - room, busy + room};
}

/* An event, as it is with such a ceiling: its point is on a line of as many units, behind a piece for the arrivals
 * in which every node has a part of length `load`. Products, quotients and sums are apart, so that no compiler
 * fuses them to other bits. */
static inline cni_store_event work_out(const cni_store *k, uint64_t number, uint32_t ceiling)
{
    double rate = k->arrivals + ceiling;
    uint64_t time = cni_exponential(cni_random_word(k->stream, number * WORDS + WORD_TIME));
    uint64_t what = cni_random_word(k->stream, number * WORDS + WORD_WHAT);
    return (cni_store_event){.wait = rate > 0.0 ? (double)time * 0x1p-44 / rate : (double)INFINITY,
                             .point = (double)(what >> 11) * 0x1p-53 * rate};
}

CNI_APART void foresee(cni_store *k)
{
    k->reach = k->shape.nodes * k->shape.ports > FAR_QUEUES ? AHEAD_NUMBER : 0;
    for (; k->foreseen < k->events + k->reach + MORE; k->foreseen++)
        *event_of(k, k->foreseen) = work_out(k, k->foreseen, k->limits.ceiling);
}

/* Works out when the next event comes. With another ceiling all that was foreseen is void. */
static inline void draw(cni_store *k)
{
    cni_store_limits limits = limits_of(k);
    if (CNI_RARELY(limits.ceiling != k->limits.ceiling))
        k->foreseen = k->events;
    k->limits = limits;
    if (CNI_RARELY(k->events + k->reach >= k->foreseen))
        foresee(k);
    k->next += event_of(k, k->events)->wait;
    k->is_drawn = 1;
}

/* With these limits: as they may be, or with nothing to do. */
static int are_limits(const cni_store *k)
{
    uint32_t floor = k->limits.floor, ceiling = k->limits.ceiling;
    uint64_t channels = cni_store_queues(k->shape.ports, k->shape.nodes);
    if (floor == 0 && ceiling == 0)
        return 1;
    return (floor > 0 || k->arrivals > 0.0) && floor <= ceiling &&
           ceiling - floor <= ceiling / 16 + 12 && ceiling <= channels + channels / 32 + 6;
}

/* The events that were foreseen follow from their numbers. */
cn_status cni_store_visit_clock(cni_store *k, cni_archive *archive)
{
    uint8_t is_drawn = k->is_drawn != 0;
    cni_archive_u64s(archive, &k->events, 1);
    cni_archive_u64s(archive, &k->counted, 1);
    cni_archive_u32s(archive, &k->limits.floor, 1);
    cni_archive_u32s(archive, &k->limits.ceiling, 1);
    cni_archive_u8s(archive, &is_drawn, 1);
    cni_archive_double(archive, &k->next);
    CNI_ALLOW(k->next >= 0.0 && are_limits(k), "the time of the next event");
    if (cni_archive_reads(archive)) {
        k->is_drawn = is_drawn;
        k->foreseen = k->events;
        foresee(k);
    }
    return CN_OK;
}

/* Past the events at which nothing happens, or as far as so many of them reach. */
uint64_t cni_store_next_unit(const cni_store *k)
{
    enum { MOST_LOOKED_AT = 1 << 16 };
    uint32_t ceiling = limits_of(k).ceiling;
    uint64_t cycle = k->cycle;
    double next = k->next;
    for (uint64_t number = k->events; number < k->events + MOST_LOOKED_AT; number++) {
        cni_store_event event = work_out(k, number, ceiling);
        next += number == k->events && k->is_drawn ? 0.0 : event.wait;
        if (next >= 0x1p62)
            return CN_NEVER;
        cycle += (uint64_t)next;
        next -= (double)(uint64_t)next;
        if (event.point - k->arrivals < k->busy_count)
            break;
    }
    return cycle + 1;
}

/* Counts the messages that were there since the last time this was called. */
static inline void count_until(cni_store *k, uint64_t tick)
{
    cni_store_worker *w = k->workers[0];
    uint64_t gone = w->counters[CNI_COUNT_DELIVERED] + w->arrivals;
    w->counters[CNI_COUNT_WAITING] +=
        (w->counters[CNI_COUNT_ACCEPTED] - gone) * (tick - k->counted);
    k->counted = tick;
}

#define COUNT(word) cni_popcount(word)
#define SELECT(word, rank) cni_select_bit(word, rank)
#define TARGET
#define LOCAL(part) cni_store_event_##part
#include "simulation/store_forward/store_forward_node.inc.h"

/* A message has crossed a channel from one node to another. */
static void count_hop(const cni_store *k, uint64_t channel, uint64_t from, uint64_t node,
                      uint64_t tick, int arrived, const cni_message *m)
{
    k->counts.load[channel] += 1;
    cni_counts_leave(&k->counts, from, tick);
    if (!arrived) {
        cni_counts_join(&k->counts, node, tick);
        return;
    }
    k->counts.delivered[node] += 1;
    k->workers[0]->made[k->workers[0]->arrivals] = cni_store_hops(k, m->identity, node);
}

#include "simulation/store_forward/store_forward_events.inc.h"

#if CNI_BMI2
#undef COUNT
#undef SELECT
#undef TARGET
#undef LOCAL
#include <immintrin.h>

/* The same for x86-64 processors with POPCNT and PDEP. */
#define COUNT(word) ((uint32_t)__builtin_popcountll(word))
#define SELECT(word, rank) ((uint32_t)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), (word))))
#define TARGET __attribute__((target("bmi,bmi2,popcnt")))
#define LOCAL(part) cni_store_event_bmi2_##part
#include "simulation/store_forward/store_forward_node.inc.h"

#include "simulation/store_forward/store_forward_events.inc.h"
#endif

cn_status cni_store_run_events(cni_store *k, uint64_t cycles)
{
#if CNI_BMI2
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return cni_store_event_bmi2_run_events(k, cycles);
#endif
    return cni_store_event_run_events(k, cycles);
}

cn_status cni_store_disturb(cni_store *k, uint64_t source, const cni_message *message,
                            uint64_t word)
{
    k->events += 1;
    k->is_drawn = 0;
    k->next = 0.0;
    return cni_store_event_event_join(k, source, message, word, 1, cni_store_form_of(k));
}
