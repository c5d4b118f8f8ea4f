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

#define COUNT(word) cni_popcount(word)
#define SELECT(word, rank) cni_select_bit(word, rank)
#define TARGET
#define LOCAL(part) cni_store_event_##part
#include "simulation/store_forward/store_forward_node.inc.h"

/* The random words of an event: when, what happens, and where to. The node by way of which a message goes has
 * one of its own. */
enum { WORD_TIME, WORD_WHAT, WORD_DESTINATION, WORD_CHANNEL, WORDS };

enum {
    FAR_QUEUES = 1 << 13, /* more than the near caches hold */
    AHEAD_NUMBER = 24,    /* so many events ahead the place of the busy channel is fetched, */
    AHEAD_QUEUE = 16,     /* its queue, */
    AHEAD_NEXT = 8        /* and the queue that its first message will join */
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

/* Another ceiling, now that the busy channels are more or far fewer; all that was foreseen is void. */
CNI_APART void follow(cni_store *k)
{
    uint32_t room = k->busy_count / 32 + 6;
    int is_over = k->busy_count == 0 && k->arrivals <= 0.0;
    k->ceiling = is_over ? 0 : k->busy_count + room;
    k->floor = k->busy_count < room ? 0 : k->busy_count - room;
    k->foreseen = k->events;
}

/* Works out when the events come that are to be foreseen, and a point for each on a line of as many units as the
 * ceiling, behind a piece for the arrivals in which every node has a part of length `load`. Products, quotients
 * and sums are apart, so that no compiler fuses them to other bits. */
CNI_APART void foresee(cni_store *k)
{
    double rate = k->arrivals + k->ceiling;
    for (; k->foreseen < k->events + CNI_STORE_AHEAD; k->foreseen++) {
        uint64_t first = k->foreseen * WORDS;
        uint64_t time = cni_exponential(cni_random_word(k->stream, first + WORD_TIME));
        uint64_t what = cni_random_word(k->stream, first + WORD_WHAT);
        cni_store_event *event = event_of(k, k->foreseen);
        event->wait = rate > 0.0 ? (double)time * 0x1p-44 / rate : (double)INFINITY;
        event->point = (double)(what >> 11) * 0x1p-53 * rate;
    }
}

/* Works out when the next event comes. */
static inline void draw(cni_store *k)
{
    if (CNI_RARELY(k->busy_count - k->floor > k->ceiling - k->floor))
        follow(k);
    if (CNI_RARELY(k->events + AHEAD_NUMBER >= k->foreseen))
        foresee(k);
    k->next += event_of(k, k->events)->wait;
    k->is_drawn = 1;
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
    cni_queue *queue = k->queue + node * k->shape.ports;
    uint64_t channels = LOCAL(ports)(k, &k->shape, node, m, form);
    uint32_t port = LOCAL(pick)(k, &k->shape, node, channels, (uint32_t)(word >> 32));
    k->busy[k->busy_count] = (uint32_t)node << 6 | port;
    k->busy_count += queue[port].length == 0;
    return LOCAL(push)(&k->workers[0]->pool, &queue[port], m, 1, form);
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
    uint32_t port = k->busy[i] & 63, home = (uint32_t)node * k->shape.ports + port;
    cni_queue *queue = &k->queue[home];
    cni_message m = LOCAL(pop)(&w->pool, queue, 1, home, form);
    k->busy_count -= queue->length == 0;
    k->busy[i] = queue->length == 0 ? k->busy[k->busy_count] : k->busy[i];
    LOCAL(cross)(k, &k->shape, node, port, &m, form);
    node = form == CNI_STORE_CUBE ? node ^ UINT64_C(1) << port : k->network.far[home];
    w->counters[CNI_COUNT_HOPS] += 1;
    if (!LOCAL(arrive)(k, &k->shape, node, &m, form))
        return join(k, node, &m, word_of(k, WORD_CHANNEL), form);
    w->arrival[0] = m.created;
    w->arrival[1] = m.identity;
    w->arrivals = 1;
    cni_store_count_arrivals(k, w, tick, k->cycle + 1);
    return CN_OK;
}

/* The busy channel on which event `ahead` from now ends a transmission, as far as one can tell; or none. */
CNI_INLINE const uint32_t *channel_of(cni_store *k, uint32_t ahead)
{
    double point = event_of(k, k->events + ahead)->point - k->arrivals;
    return point >= 0.0 && point < k->busy_count ? &k->busy[(uint32_t)point] : NULL;
}

CNI_INLINE void fetch_queue(const cni_store *k, uint64_t node, uint32_t port)
{
    uint64_t queue = node * k->shape.ports + port;
    CNI_PREFETCH(&k->queue[queue]);
    CNI_PREFETCH(k->workers[0]->pool.words + queue * CNI_STORE_HOME * k->shape.width);
}

/* Fetches what later events will touch. Until then a channel may fall idle or busy, or be found to have another
 * number: what is fetched is right nearly always. */
CNI_INLINE void fetch_ahead(cni_store *k, cni_store_form form)
{
    const uint32_t *number = channel_of(k, AHEAD_NUMBER), *due = channel_of(k, AHEAD_QUEUE);
    if (number != NULL)
        CNI_PREFETCH(number);
    if (due != NULL)
        fetch_queue(k, *due >> 6, *due & 63);
    if ((due = channel_of(k, AHEAD_NEXT)) == NULL)
        return;
    uint64_t node = *due >> 6;
    uint32_t port = *due & 63, home = (uint32_t)node * k->shape.ports + port;
    cni_message m = LOCAL(load)(LOCAL(place)(&k->workers[0]->pool, &k->queue[home], 0, form), form);
    LOCAL(cross)(k, &k->shape, node, port, &m, form);
    node = form == CNI_STORE_CUBE ? node ^ UINT64_C(1) << port : k->network.far[home];
    if (LOCAL(arrive)(k, &k->shape, node, &m, form))
        return;
    uint64_t word = cni_random_word(k->stream, (k->events + AHEAD_NEXT) * WORDS + WORD_CHANNEL);
    uint64_t channels = LOCAL(ports)(k, &k->shape, node, &m, form);
    fetch_queue(k, node, LOCAL(pick)(k, &k->shape, node, channels, (uint32_t)(word >> 32)));
}

/* The event that is due in the present cycle. */
CNI_INLINE cn_status happen(cni_store *k, cni_store_form form)
{
    double point = event_of(k, k->events)->point, channel = point - k->arrivals;
    cn_status status = CN_OK;
    if (k->shape.nodes * k->shape.ports > FAR_QUEUES)
        fetch_ahead(k, form);
    if (channel < k->busy_count) {
        uint64_t tick = (k->cycle << CNI_TICK_BITS) + (uint64_t)(k->next * 0x1p20);
        count_until(k, tick);
        if (channel >= 0.0)
            status = transmit(k, (uint32_t)channel, tick, form);
        else
            status = arrive(k, least((uint32_t)(point / k->load), k->network.served - 1), tick);
    }
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
