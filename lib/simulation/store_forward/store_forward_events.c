/*
 * Store and forward in continuous time: one event after the other.
 *
 * All waiting times are memoryless. With b busy channels and nodes that offer `load` each, the next
 * event comes after an exponential time of rate b + load * nodes, and is with equal probability the
 * end of the transmission on any busy channel. So there is no queue of events: an event costs O(1)
 * in a network of any size. Random words are numbered by events.
 *
 * The clock counts with some more channels than are busy, up to a ceiling. An event on a surplus
 * channel changes nothing. The process remains the same (this is uniformization), but its rate
 * stays constant for a long time. So the times of many events, and the numbers of the busy channels
 * that they draw, are known ahead, and the memory that they will touch in a large network is
 * fetched in time. The ceiling follows from the number of busy channels, and depends on no later
 * event.
 */
#include <math.h>

#include "base/error.h"
#include "base/exponential.h"
#include "base/inline.h"
#include "scenario/traffic/traffic.h"
#include "simulation/store_forward/store_forward_node.h"

/* The random words of an event: its time, its kind, the destination and the channel of its
 * message. The intermediate node of a routing of two legs has a sequence of its own. */
enum { WORD_TIME, WORD_WHAT, WORD_DESTINATION, WORD_CHANNEL, WORDS };

enum {
    /* with more queues than the near caches hold, the memory of events is fetched ahead */
    FAR_QUEUES = 1 << 14,
    /* How many events ahead each datum of an event is fetched. The numbers are 8 apart, to give
     * the memory time to answer. */
    AHEAD_NUMBER = 40, /* the entry of the busy channel in `busy` */
    AHEAD_QUEUE = 32,  /* the queue of this channel */
    AHEAD_FIRST = 24,  /* the first message of this queue */
    AHEAD_NEXT = 16,   /* the queue that the message will join */
    AHEAD_LAST = 8,    /* the place behind the last message of that queue */
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

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How many channels the clock counts with, and the fewest busy channels with which it keeps this
 * number. The margin of 6 and a 32nd of the busy channels keeps the ceiling constant for many
 * events, while at most some 6 percent of the events are empty when many channels are busy.
 * Without a message and without arrivals the clock stands still. */
static inline cni_store_limits limits_of(const cni_store *k)
{
    uint32_t busy = k->busy_count, room = busy / 32 + 6, fewest = k->arrivals > 0.0 ? 0 : 1;
    if (!CNI_RARELY(busy - k->limits.floor > k->limits.ceiling - k->limits.floor))
        return k->limits;
    if (busy < fewest)
        return (cni_store_limits){0, 0};
    return (cni_store_limits){busy < room + fewest ? fewest : busy - room, busy + room};
}

/* An event under a rate, which is the arrival rate plus the ceiling. The point of the event is
 * uniform on a line of this length. The line begins with a piece for the arrivals, in which
 * every node has a part of length `load`, and goes on with a unit for each channel. Products,
 * quotients and sums are separate, so that no compiler fuses them into other bits. */
static inline cni_store_event work_out_event(uint64_t stream, uint64_t number, double rate)
{
    uint64_t time = cni_exponential(cni_random_word(stream, number * WORDS + WORD_TIME));
    uint64_t what = cni_random_word(stream, number * WORDS + WORD_WHAT);
    return (cni_store_event){.wait = rate > 0.0 ? (double)(int64_t)time * 0x1p-44 / rate
                                                : (double)INFINITY,
                             .point = (double)(int64_t)(what >> 11) * 0x1p-53 * rate};
}

/* Works out events, up to `reach` + MORE events after the present one. */
static void foresee_events(cni_store *k)
{
    const uint64_t stream = k->stream;
    const double rate = k->arrivals + k->limits.ceiling;
    uint64_t number = k->foreseen;
    k->reach = k->shape.nodes * k->shape.ports > FAR_QUEUES ? AHEAD_NUMBER : 0;
    k->foreseen = k->events + k->reach + MORE;
    for (; number < k->foreseen; number++)
        *event_of(k, number) = work_out_event(stream, number, rate);
}

/* Finds the time of the next event. A new ceiling makes all foreseen events void. */
static inline void draw_event(cni_store *k)
{
    cni_store_limits limits = limits_of(k);
    if (CNI_RARELY(limits.ceiling != k->limits.ceiling))
        k->foreseen = k->events;
    k->limits = limits;
    if (CNI_RARELY(k->events + k->reach >= k->foreseen))
        foresee_events(k);
    k->next += event_of(k, k->events)->wait;
    k->is_drawn = 1;
}

/* The foreseen events are not written, because they follow from their numbers. A ceiling above
 * every possible ceiling would make a cycle endless, so it is refused. */
cn_status cni_store_visit_clock(cni_store *k, cni_archive *archive)
{
    uint64_t channels = cni_store_queues(k->shape.ports, k->shape.nodes);
    uint8_t is_drawn = k->is_drawn != 0;
    cni_archive_u64s(archive, &k->events, 1);
    cni_archive_u64s(archive, &k->counted, 1);
    cni_archive_u32s(archive, &k->limits.floor, 1);
    cni_archive_u32s(archive, &k->limits.ceiling, 1);
    cni_archive_u8s(archive, &is_drawn, 1);
    cni_archive_double(archive, &k->next);
    CNI_ALLOW(k->next >= 0.0 && k->limits.floor <= k->limits.ceiling &&
                  k->limits.ceiling <= channels + channels / 32 + 6,
              "the time of the next event");
    if (cni_archive_reads(archive)) {
        k->is_drawn = is_drawn;
        k->foreseen = k->events;
        foresee_events(k);
    }
    return CN_OK;
}

/* Passes over the events at which nothing happens. After 2^16 such events the function returns
 * the cycle reached, so that the call is bounded. */
uint64_t cni_store_next_unit(const cni_store *k)
{
    enum { MOST_LOOKED_AT = 1 << 16 };
    uint32_t ceiling = limits_of(k).ceiling;
    uint64_t cycle = k->base.cycle;
    double next = k->next;
    for (uint64_t number = k->events; number < k->events + MOST_LOOKED_AT; number++) {
        cni_store_event event = work_out_event(k->stream, number, k->arrivals + ceiling);
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

/* Adds the messages present since the last call to CNI_COUNT_WAITING. */
static inline void count_until(cni_store *k, uint64_t tick)
{
    cni_store_worker *w = cni_store_worker_at(k, 0);
    uint64_t gone = w->hand.counters[CNI_COUNT_DELIVERED] + w->arrivals;
    w->hand.counters[CNI_COUNT_WAITING] +=
        (w->hand.counters[CNI_COUNT_ACCEPTED] - gone) * (tick - k->counted);
    k->counted = tick;
}

/* Counts a message that has crossed a channel from one node to another. */
static void count_hop(const cni_store *k, uint64_t channel, uint64_t from, uint64_t node,
                      uint64_t tick, int arrived, const cni_message *m)
{
    k->base.counts.load[channel] += 1;
    cni_counts_leave(&k->base.counts, from, tick);
    if (!arrived) {
        cni_counts_join(&k->base.counts, node, tick);
        return;
    }
    k->base.counts.delivered[node] += 1;
    cni_store_worker_at(k, 0)->hops_made[cni_store_worker_at(k, 0)->arrivals] =
        cni_store_hops(k, m->identity, node);
}

/* The queue of a channel, given as node * 64 + port. */
static inline cni_queue *queue_of(const cni_store *k, uint32_t channel)
{
    return &k->queue[cni_store_queue(k->shape.ports, channel >> 6, channel & 63)];
}

/* The words of message i of a queue. */
CNI_INLINE const uint64_t *message_at(const cni_store *k, const cni_store_shape *s,
                                      const cni_queue *queue, uint32_t i)
{
    return cni_store_worker_at(k, 0)->pool.words + (size_t)cni_queue_place(queue, i) * s->width;
}

/* The node to which a channel leads. */
CNI_INLINE uint64_t far_of(const cni_store *k, const cni_store_shape *s, uint64_t node,
                           uint32_t port)
{
    return s->form == CNI_STORE_CUBE ? node ^ UINT64_C(1) << port
                                     : k->network.far[node * s->ports + port];
}

/* Puts a message into the queue of one of its channels. real = 0: there is no message, and no
 * queue gets longer. */
CNI_INLINE cn_status join_event(cni_store *k, const cni_store_shape *s, uint64_t node,
                                const cni_message *m, uint64_t word, uint32_t real)
{
    uint64_t channels = cni_store_channels(k, s, node, m) | !real;
    uint32_t port = cni_store_pick(k, s, node, channels, (uint32_t)(word >> 32));
    uint32_t channel = (uint32_t)node << 6 | port;
    cni_queue *queue = queue_of(k, channel);
    k->busy[k->busy_count] = channel;
    k->busy_count += real & (cni_queue_length(queue) == 0);
    return cni_store_push(s, &cni_store_worker_at(k, 0)->pool, queue, m, real);
}

/* Admits a new message at the endpoint of this rank, if the endpoint sends. */
CNI_INLINE cn_status admit_arrival(cni_store *k, const cni_store_shape *s, uint32_t from,
                                   uint64_t tick)
{
    const cni_network *network = &k->network;
    uint32_t to = (uint32_t)((word_of(k, WORD_DESTINATION) >> 32) * (network->endpoints - 1) >> 32);
    to += to >= from;
    uint64_t source = cni_network_endpoint(network, from);
    uint64_t destination = cni_network_endpoint(network, to);
    const cn_traffic *traffic = k->base.slotted.traffic;
    if (traffic != NULL && !cni_traffic_sends(traffic, source))
        return CN_OK;
    if (traffic != NULL && traffic->pattern != CN_PATTERN_UNIFORM)
        destination = cni_traffic_destination(traffic, source, word_of(k, WORD_DESTINATION));
    cni_message m;
    if (s->form == CNI_STORE_CUBE)
        m = cni_store_stamp(s, tick, source << s->source_shift | (source ^ destination));
    else
        m = cni_store_create(k, source, destination, 0, 0, tick,
                             cni_random_word(k->stream, (UINT64_C(1) << 63) + k->events));
    cni_store_count_new(cni_store_worker_at(k, 0), 1,
                        cni_store_distance(k, source, m.identity & k->shape.to_mask), 0);
    if (k->base.counts.words > 0) {
        k->base.counts.accepted[source] += 1;
        cni_counts_join(&k->base.counts, source, tick);
    }
    return join_event(k, s, source, &m, word_of(k, WORD_CHANNEL), 1);
}

/* Ends a transmission on busy channel number i. When its queue is empty afterwards, the last busy
 * channel gets the number i. */
CNI_INLINE cn_status end_transmission(cni_store *k, const cni_store_shape *s, uint32_t i,
                                      uint64_t tick)
{
    cni_store_worker *w = cni_store_worker_at(k, 0);
    uint64_t from = k->busy[i] >> 6;
    uint32_t port = k->busy[i] & 63;
    uint32_t home = (uint32_t)cni_store_queue(s->ports, from, port);
    cni_queue *queue = &k->queue[home];
    cni_message m = cni_store_pop(s, &w->pool, queue, 1, home);
    uint32_t is_empty = cni_queue_length(queue) == 0;
    k->busy_count -= is_empty;
    k->busy[i] ^= (k->busy[i] ^ k->busy[k->busy_count]) & (0 - is_empty);
    cni_store_cross(k, s, from, port, &m, 1);
    uint64_t node = far_of(k, s, from, port);
    w->hand.counters[CNI_COUNT_HOPS] += 1;
    int arrived = cni_store_arrives(k, s, node, &m);
    if (k->base.counts.words > 0)
        count_hop(k, from * s->ports + port, from, node, tick, arrived, &m);
    w->created[w->arrivals] = m.created;
    w->identity[w->arrivals] = m.identity;
    w->ended[w->arrivals] = tick;
    w->arrivals += arrived != 0;
    if (CNI_RARELY(w->arrivals == CNI_STORE_ARRIVALS))
        cni_store_count_arrivals(k, w, 0, k->base.cycle + 1);
    /* in a large network the queue of a delivered message is not worth a cache miss */
    if (CNI_RARELY(k->reach > 0) && arrived)
        return CN_OK;
    return join_event(k, s, node, &m, word_of(k, WORD_CHANNEL), !arrived);
}

/* The message that event AHEAD_NEXT will create on a Boolean cube with uniform traffic. With other
 * traffic the message is another, and the fetch is useless. */
CNI_INLINE cni_message expect_message(const cni_store *k, double point, uint64_t *node)
{
    uint64_t word = cni_random_word(k->stream, (k->events + AHEAD_NEXT) * WORDS + WORD_DESTINATION);
    uint32_t from = lesser((uint32_t)(point / k->load), k->network.endpoints - 1);
    uint32_t to = (uint32_t)((word >> 32) * (k->network.endpoints - 1) >> 32);
    *node = from;
    return (cni_message){.identity = from ^ (to + (to >= from))};
}

/* Fetches the queue that the message of event AHEAD_NEXT will join. The message is the first
 * message of a channel, or a new one. */
CNI_INLINE void fetch_next(cni_store *k, const cni_store_shape *s, uint32_t channel, double point)
{
    uint64_t node = channel >> 6;
    uint32_t port = channel & 63;
    cni_message m;
    if (point < k->arrivals && s->form == CNI_STORE_CUBE) {
        m = expect_message(k, point, &node);
    } else {
        m = cni_store_load(s, message_at(k, s, queue_of(k, channel), 0));
        cni_store_cross(k, s, node, port, &m, 1);
        node = far_of(k, s, node, port);
        if (cni_store_arrives(k, s, node, &m))
            return;
    }
    if (k->base.counts.words > 0)
        CNI_PREFETCH(&k->base.counts.queue[node]);
    uint64_t word = cni_random_word(k->stream, (k->events + AHEAD_NEXT) * WORDS + WORD_CHANNEL);
    uint64_t channels = cni_store_channels(k, s, node, &m);
    port = cni_store_pick(k, s, node, channels, (uint32_t)(word >> 32));
    const cni_queue *next = queue_of(k, (uint32_t)node << 6 | port);
    event_of(k, k->events + AHEAD_NEXT)->next = next;
    CNI_PREFETCH(next);
}

/* The busy channel on which event `ahead` from now is to end a transmission. When the event is
 * another one, the first busy channel, without a branch: its entry is near. Some channel is
 * busy. */
CNI_INLINE const uint32_t *due_on(const cni_store *k, uint32_t ahead)
{
    const cni_store_event *event = &k->ahead[(k->events + ahead) % CNI_STORE_AHEAD];
    double place = event->point - k->arrivals;
    uint64_t is_due = (place >= 0.0) & (place < k->busy_count);
    return &k->busy[(uint64_t)(int64_t)place & (0 - is_due)];
}

/* Fetches the memory of later events, step by step. Until then a channel may become idle or
 * busy, or get another number, so a fetch may be useless. It rarely is, and never changes a
 * result. */
CNI_INLINE void fetch_ahead(cni_store *k, const cni_store_shape *s)
{
    CNI_PREFETCH(due_on(k, AHEAD_NUMBER));
    CNI_PREFETCH(queue_of(k, *due_on(k, AHEAD_QUEUE)));
    const uint32_t due = *due_on(k, AHEAD_FIRST);
    CNI_PREFETCH(message_at(k, s, queue_of(k, due), 0));
    if (k->base.counts.words > 0) {
        CNI_PREFETCH(&k->base.counts.load[(due >> 6) * s->ports + (due & 63)]);
        CNI_PREFETCH(&k->base.counts.queue[due >> 6]);
    }
    fetch_next(k, s, *due_on(k, AHEAD_NEXT), event_of(k, k->events + AHEAD_NEXT)->point);
    const cni_queue *next = event_of(k, k->events + AHEAD_LAST)->next;
    if (next != NULL)
        CNI_PREFETCH(message_at(k, s, next, cni_queue_length(next)));
}

/* Runs the event that is due in the present cycle. */
CNI_INLINE cn_status run_event(cni_store *k, const cni_store_shape *s)
{
    double point = event_of(k, k->events)->point, channel = point - k->arrivals;
    cn_status status = CN_OK;
    if (k->reach > 0 && k->busy_count > 0)
        fetch_ahead(k, s);
    if (channel < k->busy_count) {
        uint64_t tick = (k->base.cycle << CNI_TICK_BITS) + (uint64_t)(int64_t)(k->next * 0x1p20);
        count_until(k, tick);
        if (channel >= 0.0)
            status = end_transmission(k, s, (uint32_t)channel, tick);
        else
            status = admit_arrival(
                k, s, lesser((uint32_t)(point / k->load), k->network.endpoints - 1), tick);
    }
    k->events += 1;
    k->is_drawn = 0;
    return status;
}

CNI_INLINE cn_status run_form(cni_store *k, uint64_t cycles, cni_store_form form)
{
    cni_store_shape s = k->shape;
    s.form = form;
    s.is_wide = 1; /* constants in this function, as in the walks of the slotted clock */
    s.width = cni_store_width(form, 1);
    while (cycles > 0) {
        if (!k->is_drawn)
            draw_event(k);
        if (k->next < 1.0) {
            CNI_TRY(run_event(k, &s));
            continue;
        }
        /* the whole cycles that pass before the next event */
        uint64_t pass = k->next < (double)cycles ? (uint64_t)k->next : cycles;
        cni_store_count_arrivals(k, cni_store_worker_at(k, 0), 0, k->base.cycle + 1);
        k->next -= (double)pass;
        k->base.cycle += pass;
        k->injections = 0;
        cycles -= pass;
        count_until(k, k->base.cycle << CNI_TICK_BITS);
    }
    return CN_OK;
}

cn_status cni_store_run_events(cni_store *k, uint64_t cycles)
{
    if (k->shape.form == CNI_STORE_CUBE)
        return run_form(k, cycles, CNI_STORE_CUBE);
    if (k->shape.form == CNI_STORE_ROUTED)
        return run_form(k, cycles, CNI_STORE_ROUTED);
    return run_form(k, cycles, k->shape.form);
}

cn_status cni_store_disturb(cni_store *k, uint64_t source, const cni_message *message,
                            uint64_t word)
{
    k->events += 1;
    k->is_drawn = 0;
    k->next = 0.0;
    return join_event(k, &k->shape, source, message, word, 1);
}
