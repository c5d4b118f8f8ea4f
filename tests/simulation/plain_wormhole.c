#include "plain_wormhole.h"

#include "cubenet/experimental/hosts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "routing/rules/routing.h"
#include "scenario/traffic/source.h"
#include "simulation/wormhole/wormhole_source.h"
#include "support/wormhole_rules.h"

enum { NONE = -1, SOURCE = -2, EJECT = -3 };

typedef struct message {
    uint64_t source, destination;
    uint64_t created; /* of a copy: when it came into being at its node */
    uint64_t since;   /* the cycle at whose end its header began to wait */
    uint64_t due;     /* the cycle at whose end it joins its queue */
    uint64_t node, queue;
    uint64_t flits;
    uint64_t left; /* of them at the source */
    uint64_t hops;
    int64_t broadcast; /* number, or NONE */
    int64_t next;      /* in its queue or in the list of those that are not due */
    int64_t at;        /* the virtual channel whose buffer holds the header, SOURCE or NONE */
    uint64_t target;   /* of its leg */
    uint32_t state;    /* class of the routing */
    int class;
    int is_waiting;
    int is_served;
} message;

typedef struct broadcast {
    uint64_t source, created, missing;
    uint64_t sent; /* in this cycle the first copy left the source; 0: none has */
    uint32_t base;
    uint64_t *parent; /* by node; N: not in the tree, or its root */
} broadcast;

typedef struct virtual_channel {
    int64_t owner;        /* message or NONE: free */
    int64_t from;         /* the virtual channel that brings the flits, or SOURCE */
    int64_t to;           /* the one that takes them on, EJECT, or NONE so far */
    uint64_t sent, count; /* flits that have come in, and those that are there now */
} virtual_channel;

typedef struct list {
    int64_t first, last;
} list;

struct plain_wormhole {
    plain_config config;
    uint64_t nodes, ports, channels, cycle;
    uint64_t *survivors, survivor_count;
    uint64_t places;     /* in the buffer of a virtual channel, each for one message */
    uint64_t all;        /* of them in the network */
    virtual_channel *vc; /* (channel * V + number) * places + place: what is given to a header */
    uint64_t *far;       /* node at the end of a channel; N where there is no channel */
    uint64_t *into;      /* node * nodes + i: the channels that lead to a node, ascending */
    uint64_t *into_count;
    int is_cube, has_rings, is_ring[64], is_two_way[64];
    int is_adaptive, is_unsafe; /* of the rule; unsafe: neither escape channels nor classes */
    uint64_t radix[64];
    uint32_t *last; /* round robin */
    uint64_t *flits;
    char *moves; /* by virtual channel: it takes a flit in this cycle */
    list *queue; /* node * ports + port */
    list early;  /* created and not due */
    message *messages;
    uint64_t message_count, message_room;
    int64_t free_message;
    broadcast *broadcasts;
    uint64_t broadcast_count, broadcast_room;
    uint64_t *broadcasts_of; /* by node: those that it has sent */
    cni_source_process source;
    cni_arrivals *times;   /* of the next message of each node */
    uint64_t *next_number; /* and how many there were before */
    uint64_t injected;     /* by the caller in this cycle */
    plain_arrival *arrivals;
    uint64_t arrival_count, arrival_room;
    uint64_t in_flight;
    int stuck;
    plain_counts counts;
    plain_tally tally;
    uint64_t *present; /* by source: messages that are not delivered */
};

static void *grown(void *array, uint64_t *room, uint64_t needed, size_t size)
{
    if (needed <= *room)
        return array;
    *room = 2 * needed;
    array = realloc(array, *room * size);
    assert(array != NULL);
    return array;
}

/* ---- routing: which virtual channels of a port may a header take ---- */

static uint64_t channel_of(const plain_wormhole *w, uint64_t v)
{
    return v / w->places / w->config.virtual_channels;
}

static uint64_t distance(const plain_wormhole *w, uint64_t a, uint64_t b)
{
    uint64_t hops = 0;
    if (cn_topology_distance(w->config.topology, a, b, NULL, &hops) != CN_OK)
        abort();
    return hops;
}

/* The dimension in which two nodes differ, the lowest of them, with the digits there. */
static uint32_t lowest_difference(const plain_wormhole *w, uint64_t a, uint64_t b, uint64_t *from,
                                  uint64_t *to)
{
    for (uint32_t i = 0;; i++) {
        *from = a % w->radix[i];
        *to = b % w->radix[i];
        if (*from != *to)
            return i;
        a /= w->radix[i];
        b /= w->radix[i];
    }
}

/* A dimension is a ring when one hop down from digit 0 leads to the greatest. */
static void find_rings(plain_wormhole *w)
{
    uint64_t stride = 1;
    for (uint32_t i = 0; i < cn_topology_dimensions(w->config.topology); i++) {
        cn_topology_radix(w->config.topology, i, &w->radix[i]);
        w->is_ring[i] = w->radix[i] > 2 && distance(w, 0, (w->radix[i] - 1) * stride) == 1;
        w->is_two_way[i] = distance(w, 0, stride) == 1;
        w->has_rings |= w->is_ring[i];
        stride *= w->radix[i];
    }
}

/* Set of virtual channels; escape is the part of them that is the last resort. */
static uint64_t candidates_of_rule(const plain_wormhole *w, uint64_t node, uint64_t port,
                                   uint64_t to, uint64_t *escape)
{
    uint32_t count = w->config.virtual_channels;
    uint64_t every = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    uint64_t next = w->far[node * w->ports + port];
    *escape = 0;
    if (w->is_cube && !w->is_unsafe) {
        uint64_t left = node ^ to, bit = UINT64_C(1) << port;
        if ((left & bit) == 0)
            return 0;
        if ((left & (bit - 1)) == 0)
            *escape = w->is_adaptive ? 1 : every;
        return w->is_adaptive ? *escape | (every & ~UINT64_C(1)) : *escape;
    }
    if (next == w->nodes || distance(w, next, to) + 1 != distance(w, node, to))
        return 0;
    if (w->is_unsafe && w->is_adaptive)
        return every;
    uint64_t a, b, here, there;
    uint32_t lowest = lowest_difference(w, node, to, &a, &b), wraps = 0;
    int is_lowest = lowest_difference(w, node, next, &here, &there) == lowest;
    uint64_t k = w->radix[lowest];
    if (is_lowest && w->is_ring[lowest]) {
        int is_up = there == (here + 1) % k;
        if (w->is_two_way[lowest] && 2 * ((a + k - b) % k) == k && is_up != (int)(a % 2))
            is_lowest = 0; /* both ways are as long: down from an even digit, up from an odd one */
        wraps = is_up ? a > b : a < b;
    }
    if (w->is_unsafe)
        return is_lowest ? every : 0;
    if (!w->is_adaptive) {
        uint64_t class = w->is_ring[lowest] ? UINT64_C(0x5555555555555555) << wraps : UINT64_MAX;
        *escape = is_lowest ? every & class : 0;
        return *escape;
    }
    *escape = is_lowest ? UINT64_C(1) << wraps : 0;
    return *escape | (every & ~UINT64_C(1) & ~(uint64_t)(w->has_rings ? 2 : 0));
}

uint64_t plain_candidates(const plain_wormhole *w, uint64_t node, uint64_t port, uint64_t to,
                          uint64_t *escape)
{
    return candidates_of_rule(w, node, port, to, escape);
}

/* What a message may take that is at a node. */
static uint64_t candidates(const plain_wormhole *w, const message *m, uint64_t node, uint64_t port,
                           uint64_t *escape)
{
    const cn_routing *r = w->config.routing;
    uint64_t sets[64] = {0}, escapes[64] = {0};
    cni_entry room;
    if (r == NULL)
        return candidates_of_rule(w, node, port, m->destination, escape);
    const cni_entry *entry = cni_routing_next(r, node, m->state, m->target, &room);
    cni_lanes_to_sets(entry, w->config.virtual_channels, CNI_ALL_LANES, sets);
    cni_lanes_to_sets(entry, w->config.virtual_channels, CNI_ESCAPES_ONLY, escapes);
    *escape = escapes[port];
    return sets[port];
}

/* The first leg of a message, or that of a copy, which is the last one. */
static void begin(const plain_wormhole *w, message *m, int is_copy, uint64_t word)
{
    const cn_routing *r = w->config.routing;
    m->target = m->destination;
    if (r == NULL)
        return;
    if (!is_copy)
        m->target = cni_routing_begin(r, m->destination, cni_random_word(word, 0));
    if (r->kind->legs == 2 && (is_copy || m->target == m->source)) {
        m->target = m->destination;
        m->state = cni_leg_class(r, 1);
    }
}

/* It has come to a node over a virtual channel of another one. */
static void change_state(const plain_wormhole *w, message *m, uint64_t v, uint64_t node)
{
    const cn_routing *r = w->config.routing;
    uint64_t channel = channel_of(w, v);
    if (r == NULL)
        return;
    m->state = cni_routing_after(r, m->state, m->target, channel / w->ports,
                                 (uint32_t)(channel % w->ports),
                                 (uint32_t)(v / w->places % w->config.virtual_channels));
    if (node == m->target && node != m->destination) {
        m->target = m->destination;
        m->state = cni_leg_class(r, 1);
    }
}

/* ---- creation ---- */

static void append(plain_wormhole *w, list *l, int64_t m)
{
    w->messages[m].next = NONE;
    if (l->first == NONE)
        l->first = m;
    else
        w->messages[l->last].next = m;
    l->last = m;
}

/* The first `injection_servers` of a queue are being sent. */
static void serve(plain_wormhole *w, list *queue)
{
    int64_t m = queue->first;
    for (uint32_t s = 0; s < w->config.injection_servers && m != NONE; s++) {
        if (!w->messages[m].is_served) {
            w->messages[m].is_served = 1;
            w->messages[m].is_waiting = 1;
            w->messages[m].since = w->cycle;
        }
        m = w->messages[m].next;
    }
}

static void join_due(plain_wormhole *w)
{
    while (w->early.first != NONE && w->messages[w->early.first].due <= w->cycle) {
        int64_t m = w->early.first;
        w->early.first = w->messages[m].next;
        list *queue = &w->queue[w->messages[m].node * w->ports + w->messages[m].queue];
        append(w, queue, m);
        serve(w, queue);
    }
}

static void create(plain_wormhole *w, message made)
{
    int64_t m = w->free_message;
    if (m != NONE) {
        w->free_message = w->messages[m].next;
    } else {
        w->messages = grown(w->messages, &w->message_room, w->message_count + 1, sizeof made);
        m = (int64_t)w->message_count++;
    }
    made.created = w->cycle;
    made.due = w->cycle + w->config.startup;
    made.left = made.flits;
    made.at = SOURCE;
    if (w->config.one_port)
        made.queue = 0;
    w->messages[m] = made;
    append(w, &w->early, m);
}

static void count_accepted(plain_wormhole *w, uint64_t source)
{
    w->tally.offered[source]++;
    w->tally.accepted[source]++;
    w->present[source]++;
}

static void accept_unicast(plain_wormhole *w, uint64_t source, uint64_t destination, uint64_t flits,
                           uint64_t word)
{
    message made = {.source = source, .destination = destination, .node = source, .flits = flits};
    made.broadcast = NONE;
    made.class = PLAIN_UNICAST;
    begin(w, &made, 0, word);
    uint64_t useful = 0;
    for (uint64_t p = 0; p < w->ports; p++) {
        uint64_t escape;
        useful += candidates(w, &made, source, p, &escape) != 0;
    }
    uint64_t pick = cni_random_below((uint32_t)(word >> 32), (uint32_t)useful);
    for (uint64_t p = 0; p < w->ports; p++) {
        uint64_t escape;
        if (candidates(w, &made, source, p, &escape) != 0 && pick-- == 0)
            made.queue = p;
    }
    w->counts.accepted[0]++;
    count_accepted(w, source);
    w->in_flight++;
    create(w, made);
}

static void send_copy(plain_wormhole *w, int64_t number, uint64_t node, uint64_t port, int class)
{
    message made = {.source = w->broadcasts[number].source, .node = node, .queue = port};
    made.flits = w->config.message_flits;
    made.destination = w->far[node * w->ports + port];
    made.broadcast = number;
    made.class = class;
    begin(w, &made, 1, 0);
    create(w, made);
}

/* A node that has the message sends it on, by rank in the Boolean cube and else to its children. */
static void send_copies(plain_wormhole *w, int64_t number, uint64_t node, uint32_t rank, int class)
{
    const uint64_t *parent = w->broadcasts[number].parent;
    for (uint32_t r = rank; parent == NULL && r < w->ports; r++)
        send_copy(w, number, node, (w->broadcasts[number].base + r) % w->ports, class);
    for (uint64_t p = 0; parent != NULL && p < w->ports; p++) {
        uint64_t child = w->far[node * w->ports + p];
        if (child < w->nodes && parent[child] == node)
            send_copy(w, number, node, p, class);
    }
}

/* Level by level, the nodes of a level in the order in which they were found. */
static uint64_t *breadth_first(const plain_wormhole *w, uint64_t source)
{
    uint64_t *parent = calloc(w->nodes + 1, sizeof *parent), *order = calloc(w->nodes, 8), n = 1;
    assert(parent != NULL && order != NULL);
    for (uint64_t v = 0; v < w->nodes; v++)
        parent[v] = w->nodes;
    order[0] = source;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t p = 0; p < w->ports; p++) {
            uint64_t next = w->far[order[i] * w->ports + p];
            if (next < w->nodes && next != source && parent[next] == w->nodes) {
                parent[next] = order[i];
                order[n++] = next;
            }
        }
    free(order);
    return parent;
}

/* By the number of broadcasts that the node has sent with a base that it chose. */
static uint32_t base_of(plain_wormhole *w, uint64_t source, uint64_t word)
{
    uint32_t ports = (uint32_t)w->ports;
    if (w->config.base == CN_BASE_RANDOM)
        return cni_random_below((uint32_t)(word >> 32), ports);
    return w->config.base == CN_BASE_FIXED ? 0 : (uint32_t)(w->broadcasts_of[source]++ % ports);
}

static void accept_broadcast(plain_wormhole *w, uint64_t source, uint32_t base)
{
    w->broadcasts =
        grown(w->broadcasts, &w->broadcast_room, w->broadcast_count + 1, sizeof *w->broadcasts);
    int64_t number = (int64_t)w->broadcast_count++;
    uint64_t *parent = w->is_cube && w->survivor_count == w->nodes && w->config.faults == NULL
                           ? NULL
                           : breadth_first(w, source);
    w->broadcasts[number] = (broadcast){source, w->cycle, w->survivor_count - 1, 0, base, parent};
    w->counts.accepted[1]++;
    count_accepted(w, source);
    w->in_flight++;
    send_copies(w, number, source, 0, PLAIN_BROADCAST);
}

static uint64_t stream_of(const plain_wormhole *w, uint64_t which, uint64_t node)
{
    return cni_random_derive(cni_random_derive(w->config.seed, which), node);
}

static uint64_t source_word(plain_wormhole *w, uint64_t node, uint64_t which)
{
    return cni_random_word(stream_of(w, CNI_WORMHOLE_MESSAGES, node),
                           w->next_number[node] * CNI_WORMHOLE_WORDS + which);
}

static uint64_t other(const plain_wormhole *w, uint64_t node, uint64_t word)
{
    uint64_t rank = 0;
    while (w->survivors[rank] != node)
        rank++;
    return w->survivors[cni_wormhole_other(rank, w->survivor_count, word)];
}

static void admit(plain_wormhole *w, uint64_t node)
{
    for (; w->times[node].cycle == w->cycle;
         cni_source_next(&w->source, stream_of(w, CNI_WORMHOLE_TIMES, node), &w->times[node])) {
        if (w->times[node].silent)
            continue;
        uint64_t word = source_word(w, node, CNI_WORMHOLE_DESTINATION);
        double class = cni_wormhole_uniform(source_word(w, node, CNI_WORMHOLE_CLASS));
        if (class < w->config.broadcast_fraction)
            accept_broadcast(w, node, base_of(w, node, word));
        else
            accept_unicast(w, node,
                           w->config.traffic == NULL
                               ? other(w, node, word)
                               : cni_traffic_destination(w->config.traffic, node, word),
                           w->config.message_flits, source_word(w, node, CNI_WORMHOLE_QUEUE));
        w->next_number[node]++;
    }
}

static void admit_listed(plain_wormhole *w)
{
    const cni_traffic_table *table = w->config.traffic->table;
    for (uint64_t i = 0; i < table->trace_count; i++) {
        const cni_trace_message *m = &table->trace[i];
        if (m->cycle != w->cycle)
            continue;
        accept_unicast(w, m->source, m->destination,
                       m->flits == 0 ? w->config.message_flits : m->flits,
                       source_word(w, m->source, CNI_WORMHOLE_QUEUE));
        w->next_number[m->source]++;
    }
}

static int is_listed(const plain_wormhole *w)
{
    return w->config.traffic != NULL && cn_traffic_pattern(w->config.traffic) == CN_PATTERN_TRACE;
}

void plain_inject_broadcast(plain_wormhole *w, uint64_t source, uint32_t base)
{
    uint64_t stream = cni_random_derive(cni_random_derive(w->config.seed, w->cycle), source);
    uint64_t word = cni_random_word(stream, CNI_WORMHOLE_INJECTED + w->injected++);
    accept_broadcast(w, source, base == CN_BASE_OF_SCENARIO ? base_of(w, source, word) : base);
    join_due(w);
}

void plain_inject(plain_wormhole *w, uint64_t source, uint64_t destination)
{
    uint64_t stream = cni_random_derive(cni_random_derive(w->config.seed, w->cycle), source);
    uint64_t word = cni_random_word(stream, CNI_WORMHOLE_INJECTED + w->injected++);
    accept_unicast(w, source, destination, w->config.message_flits, word);
    join_due(w);
}

/* ---- a cycle: grant ---- */

static int is_before(const plain_wormhole *w, int64_t a, int64_t b)
{
    return w->messages[a].since < w->messages[b].since;
}

static void give(plain_wormhole *w, int64_t m, uint64_t v)
{
    message *head = &w->messages[m];
    w->vc[v] = (virtual_channel){.owner = m, .from = head->at, .to = NONE};
    if (head->at >= 0)
        w->vc[head->at].to = (int64_t)v;
    w->counts.waiting += w->cycle - head->since - 1;
    w->counts.grants[head->class]++;
    head->is_waiting = 0;
    head->hops++;
    if (head->class == PLAIN_BROADCAST && w->broadcasts[head->broadcast].sent == 0)
        w->broadcasts[head->broadcast].sent = w->cycle;
}

/* The message that crosses a channel, where one does as a whole. */
static int64_t crossing(const plain_wormhole *w, uint64_t channel)
{
    uint64_t count = w->config.virtual_channels * w->places;
    for (uint64_t v = channel * count; v < (channel + 1) * count; v++)
        if (w->vc[v].owner != NONE && w->vc[v].sent < w->messages[w->vc[v].owner].flits)
            return (int64_t)v;
    return NONE;
}

/* Messages in the buffer of a virtual channel; of worms, those that hold one of its channel. */
static uint64_t taken(const plain_wormhole *w, uint64_t v)
{
    uint64_t span = w->config.message_buffers > 0 ? w->places : w->config.virtual_channels;
    uint64_t count = 0;
    for (uint64_t i = v - v % span; i < v - v % span + span; i++)
        count += w->vc[i].owner != NONE;
    return count;
}

/* The first free place of a virtual channel that may be taken, or NONE. */
static int64_t free_place(const plain_wormhole *w, uint64_t channel, uint64_t number)
{
    uint64_t first = (channel * w->config.virtual_channels + number) * w->places;
    if (w->config.message_buffers > 0 && crossing(w, channel) != NONE)
        return NONE;
    for (uint64_t v = first; v < first + w->places; v++)
        if (w->vc[v].owner == NONE)
            return (int64_t)v;
    return NONE;
}

/* Of those that are free. */
static uint64_t preferred(const plain_wormhole *w, uint64_t free[], uint64_t count)
{
    uint64_t least = UINT64_MAX, kept = 0;
    if (w->config.selection == CN_SELECTION_RANDOM)
        return count;
    if (w->config.selection == CN_SELECTION_LOWEST)
        return count > 0;
    for (uint64_t i = 0; i < count; i++)
        if (taken(w, free[i]) < least)
            least = taken(w, free[i]);
    for (uint64_t i = 0; i < count; i++)
        if (taken(w, free[i]) == least)
            free[kept++] = free[i];
    return kept;
}

/* What a header may take: the free candidates that are no escapes; if there are none, of the free
 * escapes the lowest one of each port. */
static uint64_t list_free(plain_wormhole *w, uint64_t node, int64_t m, int escapes, uint64_t free[])
{
    uint64_t count = 0;
    for (uint64_t p = 0; p < w->ports; p++) {
        uint64_t escape, set = candidates(w, &w->messages[m], node, p, &escape);
        set = escapes ? escape : set & ~escape;
        for (uint64_t i = 0; i < w->config.virtual_channels; i++) {
            int64_t v = free_place(w, node * w->ports + p, i);
            if ((set >> i & 1) == 0 || v == NONE)
                continue;
            free[count++] = (uint64_t)v;
            if (escapes)
                break;
        }
    }
    return count;
}

/* A header that has a choice takes a word of the sequence. It has none where a single port is left
 * of the escapes. */
static void try_to_give(plain_wormhole *w, uint64_t node, int64_t m, uint32_t *draws)
{
    uint64_t free[64 * 64], count = list_free(w, node, m, 0, free), number = *draws;
    if (count > 0) {
        *draws += 1;
    } else {
        count = list_free(w, node, m, 1, free);
        *draws += count > 1;
    }
    count = preferred(w, free, count);
    if (count == 0)
        return;
    uint64_t stream = cni_random_derive(cni_random_derive(w->config.seed, w->cycle), node);
    uint64_t word = cni_random_word(stream, number);
    give(w, m, free[cni_random_below((uint32_t)(word >> 32), (uint32_t)count)]);
}

/* The waiting headers of a node: those in buffers by the number of the virtual channel, then those
 * in queues; sorted, without disturbing that order, by the time since when they have waited. */
static void grant(plain_wormhole *w, uint64_t node)
{
    int64_t waiting[64 * 64 * 2];
    uint64_t count = 0, places = w->config.virtual_channels * w->places;
    uint32_t draws = 0;
    for (uint64_t i = 0; i < w->into_count[node]; i++)
        for (uint64_t j = 0; j < places; j++) {
            uint64_t v = w->into[node * w->nodes + i] * places + j;
            int64_t m = w->vc[v].owner;
            if (m != NONE && w->messages[m].is_waiting && w->messages[m].at == (int64_t)v)
                waiting[count++] = m;
        }
    for (uint64_t q = 0; q < w->ports; q++)
        for (int64_t m = w->queue[node * w->ports + q].first; m != NONE && w->messages[m].is_served;
             m = w->messages[m].next)
            if (w->messages[m].is_waiting && w->messages[m].at == SOURCE)
                waiting[count++] = m;
    for (uint64_t i = 1; i < count; i++)
        for (uint64_t j = i; j > 0 && is_before(w, waiting[j], waiting[j - 1]); j--) {
            int64_t swap = waiting[j];
            waiting[j] = waiting[j - 1];
            waiting[j - 1] = swap;
        }
    for (uint64_t i = 0; i < count; i++)
        try_to_give(w, node, waiting[i], &draws);
}

/* ---- a cycle: send ---- */

static int is_ready(const plain_wormhole *w, const virtual_channel *vc)
{
    if (vc->owner == NONE || vc->sent == w->messages[vc->owner].flits ||
        (vc->count == w->config.flit_buffers && w->config.message_buffers == 0))
        return 0;
    return vc->from == SOURCE || w->vc[vc->from].count > 0;
}

/* The virtual channel that sends over a channel, or NONE. The round robin moves on only where there
 * is more than one to choose from. */
static int64_t arbitrate(plain_wormhole *w, uint64_t channel)
{
    uint64_t count = w->config.virtual_channels, held = 0;
    if (w->config.message_buffers > 0) {
        int64_t v = crossing(w, channel);
        assert(v == NONE || is_ready(w, &w->vc[v])); /* it never stops */
        return v;
    }
    const virtual_channel *vc = &w->vc[channel * count];
    for (uint64_t i = 0; i < count; i++)
        held += vc[i].owner != NONE;
    w->counts.held += held;
    w->counts.held_square += held * held;
    w->counts.busy += held > 0;
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t turn = (w->last[channel] + i) % count;
        if (!is_ready(w, &vc[turn]))
            continue;
        if (held > 1)
            w->last[channel] = (uint32_t)turn;
        return (int64_t)(channel * count + turn);
    }
    return NONE;
}

/* All decisions see the state that the cycle began with (but for the grants). */
static void send(plain_wormhole *w)
{
    uint64_t all = w->all;
    memset(w->moves, 0, all);
    for (uint64_t c = 0; c < w->channels; c++) {
        int64_t v = arbitrate(w, c);
        if (v != NONE)
            w->moves[v] = 1;
    }
    for (uint64_t v = 0; v < all; v++)
        if (w->vc[v].owner != NONE && w->vc[v].to == EJECT && w->vc[v].count > 0)
            w->moves[v] |= 2; /* one goes to the node */
    int moved = 0, held = 0;
    for (uint64_t v = 0; v < all; v++) {
        virtual_channel *vc = &w->vc[v];
        held |= vc->owner != NONE;
        if ((w->moves[v] & 1) != 0) {
            vc->sent++;
            vc->count++;
            if (vc->from == SOURCE)
                w->messages[vc->owner].left--;
            else
                w->vc[vc->from].count--;
            w->counts.flit_hops++;
            w->flits[channel_of(w, v)]++;
            w->tally.load[channel_of(w, v)]++;
        }
        if ((w->moves[v] & 2) != 0)
            vc->count--;
        moved |= w->moves[v] != 0;
    }
    w->stuck = held && !moved;
}

/* ---- a cycle: what follows from it ---- */

static void arrive(plain_wormhole *w, int64_t m)
{
    message gone = w->messages[m];
    w->arrivals = grown(w->arrivals, &w->arrival_room, w->arrival_count + 1, sizeof *w->arrivals);
    plain_arrival *arrival = &w->arrivals[w->arrival_count++];
    *arrival =
        (plain_arrival){w->cycle, gone.created, gone.source, gone.destination, gone.hops, 0, 1};
    w->messages[m].next = w->free_message;
    w->free_message = m;
    if (gone.broadcast == NONE) {
        w->counts.hops += gone.hops;
        w->tally.hops[gone.hops]++;
    } else {
        broadcast *whole = &w->broadcasts[gone.broadcast];
        arrival->created = whole->created;
        arrival->is_copy = 1;
        arrival->is_last = --whole->missing == 0;
        w->counts.copies++;
        w->counts.step_delay += w->cycle - gone.created;
        uint32_t port = 0, ports = (uint32_t)w->ports;
        while (w->is_cube && w->far[gone.node * w->ports + port] != gone.destination)
            port++;
        uint32_t rank = (port + ports - whole->base) % ports;
        send_copies(w, gone.broadcast, gone.destination, rank + 1, PLAIN_REPLICA);
    }
    if (!arrival->is_last)
        return;
    w->tally.delivered[arrival->node]++;
    w->present[arrival->source]--;
    if (arrival->is_copy)
        w->tally.broadcasts[w->cycle - arrival->created]++;
    w->counts.delivered[arrival->is_copy]++;
    w->counts.delay[arrival->is_copy] += w->cycle - arrival->created;
    if (arrival->is_copy) /* a copy that does not wait leaves in the cycle after it has joined */
        w->counts.unsent +=
            w->broadcasts[gone.broadcast].sent - (arrival->created + w->config.startup + 1);
    w->in_flight--;
}

/* The source is rid of its last flit: the next of the queue is served. */
static void leave_queue(plain_wormhole *w, int64_t m)
{
    list *queue = &w->queue[w->messages[m].node * w->ports + w->messages[m].queue];
    int64_t *link = &queue->first, before = NONE;
    while (*link != m) {
        before = *link;
        link = &w->messages[*link].next;
    }
    *link = w->messages[m].next;
    if (queue->last == m)
        queue->last = before;
    w->messages[m].is_served = 0;
    serve(w, queue);
}

static void settle(plain_wormhole *w)
{
    uint64_t all = w->all;
    for (uint64_t v = 0; v < all; v++) {
        virtual_channel *vc = &w->vc[v];
        if (vc->owner == NONE)
            continue;
        message *m = &w->messages[vc->owner];
        uint64_t node = w->far[channel_of(w, v)];
        if (vc->from == SOURCE && m->is_served && m->left == 0)
            leave_queue(w, vc->owner);
        if (vc->sent == 1 && (w->moves[v] & 1) != 0) { /* the header */
            m->at = (int64_t)v;
            m->since = w->cycle;
            m->is_waiting = node != m->destination || node != m->target;
            w->tally.forwarded[node] += m->is_waiting && m->broadcast == NONE;
            change_state(w, m, v, node);
            if (!m->is_waiting)
                vc->to = EJECT;
        }
    }
    for (uint64_t v = 0; v < all; v++) {
        virtual_channel *vc = &w->vc[v];
        if (vc->owner == NONE || vc->sent != w->messages[vc->owner].flits || vc->count != 0)
            continue;
        if (vc->to == EJECT)
            arrive(w, vc->owner);
        else
            w->vc[vc->to].from = NONE;
        vc->owner = NONE;
    }
}

void plain_step(plain_wormhole *w)
{
    w->cycle++;
    w->counts.cycles++;
    w->counts.present += w->in_flight;
    for (uint64_t node = 0; node < w->nodes; node++)
        w->tally.queue[node] += w->present[node];
    w->arrival_count = 0;
    w->injected = 0;
    for (uint64_t node = 0; node < w->nodes; node++)
        grant(w, node);
    send(w);
    settle(w);
    for (uint64_t node = 0; node < w->nodes && !is_listed(w); node++)
        admit(w, node);
    if (is_listed(w))
        admit_listed(w);
    join_due(w);
}

/* ---- opening and reading ---- */

static void *zeroed(uint64_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert(memory != NULL);
    return memory;
}

/* Whether a channel and its ends do. */
static int works(const plain_config *config, uint64_t node, uint32_t port)
{
    const cn_faults *faults = config->faults;
    uint64_t next = 0;
    cn_topology_neighbor(config->topology, node, port, &next);
    return faults == NULL || (!cni_node_faulty(faults, node) && !cni_node_faulty(faults, next) &&
                              (cni_faulty_links(faults, node) >> port & 1) == 0);
}

/* Whether a node sends and receives. */
static int is_end(const plain_config *config, uint64_t node)
{
    uint64_t *hosts = zeroed(cn_topology_host_count(config->topology), sizeof *hosts);
    size_t count = 0, i = 0;
    cn_status status = cn_topology_hosts(config->topology, hosts,
                                         (size_t)cn_topology_host_count(config->topology), &count);
    assert(status == CN_OK);
    (void)status;
    while (i < count && hosts[i] != node)
        i++;
    free(hosts);
    return i < count && (config->routing == NULL || cni_routing_serves(config->routing, node));
}

plain_wormhole *plain_open(const plain_config *config)
{
    plain_wormhole *w = zeroed(1, sizeof *w);
    w->config = *config;
    w->is_adaptive =
        config->adaptive == WORMHOLE_DUATO || config->adaptive == WORMHOLE_DUATO_UNSAFE;
    w->is_unsafe = config->adaptive >= WORMHOLE_ORDER_UNSAFE;
    w->nodes = cn_topology_node_count(config->topology);
    w->ports = cn_topology_max_degree(config->topology);
    w->channels = w->nodes * w->ports;
    w->present = zeroed(w->nodes, sizeof *w->present);
    w->broadcasts_of = zeroed(w->nodes, sizeof *w->broadcasts_of);
    plain_tally_open(&w->tally, config->topology);
    w->places = config->message_buffers > 0 ? config->message_buffers : 1;
    uint64_t all = w->channels * config->virtual_channels * w->places;
    w->all = all;
    w->vc = zeroed(all, sizeof *w->vc);
    w->moves = zeroed(all, 1);
    w->far = zeroed(w->channels, sizeof *w->far);
    w->last = zeroed(w->channels, sizeof *w->last);
    w->flits = zeroed(w->channels, sizeof *w->flits);
    w->queue = zeroed(w->channels, sizeof *w->queue);
    w->times = zeroed(w->nodes, sizeof *w->times);
    w->next_number = zeroed(w->nodes, sizeof *w->next_number);
    w->early = (list){NONE, NONE};
    w->free_message = NONE;
    for (uint64_t v = 0; v < all; v++)
        w->vc[v] = (virtual_channel){.owner = NONE, .from = NONE, .to = NONE};
    for (uint64_t c = 0; c < w->channels; c++) {
        w->queue[c] = (list){NONE, NONE};
        w->far[c] = w->nodes;
        uint32_t degree = 0;
        cn_topology_degree(config->topology, c / w->ports, &degree);
        if (c % w->ports < degree && works(config, c / w->ports, (uint32_t)(c % w->ports)))
            cn_topology_neighbor(config->topology, c / w->ports, (uint32_t)(c % w->ports),
                                 &w->far[c]);
    }
    w->survivors = zeroed(w->nodes, sizeof *w->survivors);
    for (uint64_t node = 0; node < w->nodes; node++)
        if (is_end(config, node))
            w->survivors[w->survivor_count++] = node;
    w->into =
        zeroed(w->nodes * w->nodes, sizeof *w->into); /* of one-way channels any may come in */
    w->into_count = zeroed(w->nodes, sizeof *w->into_count);
    for (uint64_t c = 0; c < w->channels; c++)
        if (w->far[c] < w->nodes)
            w->into[w->far[c] * w->nodes + w->into_count[w->far[c]]++] = c;
    if (config->routing == NULL)
        find_rings(w);
    w->is_cube =
        w->ports == cn_topology_dimensions(config->topology) && w->nodes == UINT64_C(1) << w->ports;
    if (is_listed(w)) {
        admit_listed(w);
        join_due(w);
        return w;
    }
    cni_source_start("plain_open", config->traffic, CN_SOURCE_POISSON, config->load, &w->source);
    for (uint64_t node = 0; node < w->nodes; node++) {
        w->times[node].cycle = UINT64_MAX;
        if (!is_end(config, node))
            continue;
        if (config->traffic == NULL || cni_traffic_sends(config->traffic, node))
            cni_source_begin(&w->source, stream_of(w, CNI_WORMHOLE_TIMES, node), &w->times[node]);
    }
    return w;
}

void plain_close(plain_wormhole *w)
{
    for (uint64_t b = 0; b < w->broadcast_count; b++)
        free(w->broadcasts[b].parent);
    void *arrays[] = {w->survivors,  w->vc,         w->moves,       w->far,
                      w->last,       w->flits,      w->queue,       w->messages,
                      w->broadcasts, w->times,      w->next_number, w->arrivals,
                      w->into,       w->into_count, w->present,     w->broadcasts_of};
    plain_tally_close(&w->tally);
    for (uint64_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    free(w);
}

const plain_counts *plain_read(const plain_wormhole *w)
{
    return &w->counts;
}

void plain_clear(plain_wormhole *w)
{
    w->counts = (plain_counts){0};
}

uint64_t plain_in_flight(const plain_wormhole *w)
{
    return w->in_flight;
}

const plain_arrival *plain_arrivals(const plain_wormhole *w, uint64_t *count)
{
    *count = w->arrival_count;
    return w->arrivals;
}

uint64_t plain_channel_flits(const plain_wormhole *w, uint64_t channel)
{
    return w->flits[channel];
}

const plain_tally *plain_tally_of(const plain_wormhole *w)
{
    return &w->tally;
}

int plain_is_stuck(const plain_wormhole *w)
{
    return w->stuck;
}
