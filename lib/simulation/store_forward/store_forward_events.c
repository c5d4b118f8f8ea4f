/*
 * Store and forward in continuous time: one event after the other.
 *
 * All that can happen next has no memory: with b busy channels and nodes that offer `load` each, the next event
 * comes after an exponential time of rate b + load nodes, and is with equal probability the end of the
 * transmission on any of the busy channels. So there is no queue of events at all: the next one costs O(1),
 * whatever the size of the network. Random words are numbered by events.
 */
#include <math.h>

#include "base/error.h"
#include "base/exponential.h"
#include "base/inline.h"
#include "routing/decisions/channels.h"
#include "scenario/traffic/traffic.h"
#include "simulation/store_forward/store_forward.h"

#define COUNT(word) cni_popcount(word)
#define SELECT(word, rank) cni_select_bit(word, rank)
#define TARGET
#define LOCAL(part) cni_store_event_##part
#include "simulation/store_forward/store_forward_node.inc.h"

/* The random words of an event: when, what happens, and where to. The node by way of which a message goes has
 * one of its own. */
enum { WORD_TIME, WORD_WHAT, WORD_DESTINATION, WORD_CHANNEL, WORDS };

enum { FAR_QUEUES = 1 << 14 }; /* more than the near caches hold */

static inline uint64_t word_of(const cni_store *k, uint64_t word)
{
    return cni_random_word(k->stream, k->events * WORDS + word);
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* When the next event comes, cycles from the beginning of the present one. */
static inline double time_of_next(const cni_store *k)
{
    double rate = k->arrivals + k->busy_count;
    uint64_t time = cni_exponential(word_of(k, WORD_TIME));
    /* a quotient and a sum: nothing that a compiler may fuse to other bits */
    return k->next + (rate > 0.0 ? (double)time * 0x1p-44 / rate : (double)INFINITY);
}

static inline void draw(cni_store *k)
{
    k->next = time_of_next(k);
    k->is_drawn = 1;
}

uint64_t cni_store_next_unit(const cni_store *k)
{
    double next = k->is_drawn ? k->next : time_of_next(k);
    return next < 0x1p62 ? k->cycle + (uint64_t)next + 1 : CN_NEVER;
}

/* Counts the messages that were there since the last time this was called. */
static inline void count_until(cni_store *k, uint64_t tick)
{
    uint64_t *counters = k->workers[0]->counters;
    counters[CNI_COUNT_WAITING] +=
        (counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED]) * (tick - k->counted);
    k->counted = tick;
}

/* Into the queue of one of the channels. */
CNI_INLINE cn_status join(cni_store *k, uint64_t node, const cni_message *m, uint64_t word,
                          cni_store_form form)
{
    uint64_t channels = LOCAL(ports)(k, &k->shape, node, m, form);
    uint32_t port = LOCAL(pick)(k, &k->shape, node, channels, (uint32_t)(word >> 32));
    cni_queue *queue = &k->queue[cni_store_queue(k->shape.ports, node, port)];
    k->busy[k->busy_count] = (uint32_t)node << 6 | port;
    k->busy_count += cni_queue_length(queue) == 0;
    return LOCAL(push)(&k->workers[0]->pool, queue, m, 1, form);
}

/* A new message at the node of this rank, if it sends. */
CNI_APART cn_status arrive(cni_store *k, uint32_t from, uint64_t tick)
{
    const cni_network *network = &k->network;
    uint64_t begin = cni_random_word(k->stream, (UINT64_C(1) << 63) + k->events);
    uint32_t to = (uint32_t)((word_of(k, WORD_DESTINATION) >> 32) * (network->served - 1) >> 32);
    to += to >= from;
    uint32_t source = network->node_of == NULL ? from : network->node_of[from];
    uint64_t destination = network->node_of == NULL ? to : network->node_of[to];
    const cn_traffic *traffic = k->slotted.traffic;
    if (traffic != NULL && !cni_traffic_sends(traffic, source))
        return CN_OK;
    if (traffic != NULL && traffic->pattern != CN_PATTERN_UNIFORM)
        destination = cni_traffic_destination(traffic, source, word_of(k, WORD_DESTINATION));
    cni_message m = cni_store_create(k, source, destination, 0, 0, tick, begin);
    cni_store_count_new(k->workers[0], 1,
                        cni_store_distance(k, source, m.identity & k->shape.to_mask), 0);
    return join(k, source, &m, word_of(k, WORD_CHANNEL), k->form);
}

/* A transmission ends on busy channel number i. When the queue has become empty, the last of the busy channels
 * gets the number. */
CNI_INLINE cn_status transmit(cni_store *k, uint32_t i, uint64_t tick, cni_store_form form)
{
    cni_store_worker *w = k->workers[0];
    uint64_t node = k->busy[i] >> 6;
    uint32_t port = k->busy[i] & 63;
    uint32_t home = (uint32_t)cni_store_queue(k->shape.ports, node, port);
    cni_queue *queue = &k->queue[home];
    cni_message m = LOCAL(pop)(&w->pool, queue, 1, home, form);
    k->busy_count -= cni_queue_length(queue) == 0;
    k->busy[i] = cni_queue_length(queue) == 0 ? k->busy[k->busy_count] : k->busy[i];
    LOCAL(cross)(k, &k->shape, node, port, &m, form);
    node = form == CNI_STORE_CUBE ? node ^ UINT64_C(1) << port
                                  : k->network.far[node * k->shape.ports + port];
    w->counters[CNI_COUNT_HOPS] += 1;
    if (!LOCAL(arrive)(k, &k->shape, node, &m, form))
        return join(k, node, &m, word_of(k, WORD_CHANNEL), form);
    w->created[0] = m.created;
    w->identity[0] = m.identity;
    w->arrivals = 1;
    cni_store_count_arrivals(k, w, tick, k->cycle + 1);
    return CN_OK;
}

/* Fetches the queues of the channels on which the next transmission may end; whether one falls idle or busy until
 * then is not known. */
CNI_INLINE void prefetch(const cni_store *k, double rate)
{
    uint64_t word = cni_random_word(k->stream, (k->events + 1) * WORDS + WORD_WHAT);
    double point = (double)(word >> 11) * 0x1p-53 * rate - k->arrivals;
    uint32_t first = point > 1.0 ? (uint32_t)(point - 1.0) : 0;
    for (uint32_t i = first; i < first + 3 && i < k->busy_count; i++) {
        uint64_t queue = cni_store_queue(k->shape.ports, k->busy[i] >> 6, k->busy[i] & 63);
        CNI_PREFETCH(&k->queue[queue]);
        CNI_PREFETCH(k->workers[0]->pool.words + (queue << CNI_STORE_HOME) * k->shape.width);
    }
}

/*
 * The event that is due in the present cycle. A point is picked on a line of as many units as there are
 * busy channels, behind a piece for the arrivals in which every node has a part of length `load`. Its
 * product and the difference are apart, so that no compiler fuses them to other bits.
 */
CNI_INLINE cn_status happen(cni_store *k, cni_store_form form)
{
    uint64_t tick = (k->cycle << CNI_TICK_BITS) + (uint64_t)(k->next * 0x1p20);
    double rate = k->arrivals + k->busy_count;
    double point = (double)(word_of(k, WORD_WHAT) >> 11) * 0x1p-53 * rate;
    cn_status status = CN_OK;
    if (k->shape.nodes * k->shape.ports > FAR_QUEUES)
        prefetch(k, rate);
    count_until(k, tick);
    if (point < k->arrivals)
        status = arrive(k, least((uint32_t)(point / k->load), k->network.served - 1), tick);
    else
        status = transmit(k, least((uint32_t)(point - k->arrivals), k->busy_count - 1), tick, form);
    k->events += 1;
    k->is_drawn = 0;
    return status;
}

CNI_INLINE cn_status run(cni_store *k, uint64_t cycles, cni_store_form form)
{
    while (cycles > 0) {
        if (!k->is_drawn)
            draw(k);
        if (k->next < 1.0) {
            CNI_TRY(happen(k, form));
            continue;
        }
        /* as many whole cycles as pass before the next event */
        uint64_t pass = k->next < (double)cycles ? (uint64_t)k->next : cycles;
        k->next -= (double)pass;
        k->cycle += pass;
        k->injections = 0;
        cycles -= pass;
        count_until(k, k->cycle << CNI_TICK_BITS);
    }
    return CN_OK;
}

cn_status cni_store_run_events(cni_store *k, uint64_t cycles)
{
    switch (k->form) {
    case CNI_STORE_CUBE:
        return run(k, cycles, CNI_STORE_CUBE);
    case CNI_STORE_RINGS:
        return run(k, cycles, CNI_STORE_RINGS);
    case CNI_STORE_ROUTED:
        return run(k, cycles, CNI_STORE_ROUTED);
    case CNI_STORE_CLASSED:
    default:
        return run(k, cycles, CNI_STORE_CLASSED);
    }
}

cn_status cni_store_disturb(cni_store *k, uint64_t source, const cni_message *message,
                            uint64_t word)
{
    k->events += 1;
    k->is_drawn = 0;
    k->next = 0.0;
    return join(k, source, message, word, k->form);
}
