/*
 * Store and forward on a damaged hypercube (Horng 1992, 5.3 to 5.5): every directed channel has a
 * queue without limit, first in first out, and a message that joins a node picks one of the channels
 * that its routing rule allows, whatever their queues.
 *
 * Two timings share the state and all that is not time:
 * - continuous (not slotted): Poisson arrivals, transmissions of exponential length and mean 1, drawn
 *   anew at each hop. All that can happen next has then no memory: with b busy channels and
 *   survivors that offer `load` each, the next event comes after an exponential time of rate
 *   b + load survivors, and is with equal probability the end of the transmission on any of the busy
 *   channels. So there is no queue of events at all: the next one costs O(1), whatever the size of the
 *   network. Its random words are numbered by events.
 * - slotted: a transmission takes one cycle, arrivals are geometric. Its random words are
 *   those of the other slotted kernels (geometric.h), by cycle and node: on an undamaged cube it is the
 *   system separate-buffers, message by message.
 *
 * Times are whole numbers of ticks. A cycle is a unit of time; steps end between two of them.
 */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H

#include "routing/tables/routes.h"
#include "simulation/kernel/geometric.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/store_forward/counters.h"

enum { CNI_TICK_BITS = 20 }; /* ticks of a cycle, as a power of two */

/* Counters beyond those of both kernels. Delays are in ticks, CNI_COUNT_WAITING is summed over them. */
enum {
    CNI_COUNT_NODE_CYCLES = CNI_COUNT_STORED, /* survivors times cycles */
    CNI_COUNT_CHANNEL_CYCLES,                 /* good channels times cycles */
    CNI_COUNT_SPARE /* 1024ths of a channel that the scenario's own load leaves, summed over cycles */
};

typedef struct cni_store_message {
    uint64_t created; /* tick */
    uint64_t number;  /* 0: the scenario's own; else of those injected in its cycle, from 1 on */
    uint32_t destination; /* node */
    uint32_t row;         /* of the destination in the table of routes */
    uint32_t source;      /* node */
    uint32_t next;        /* place */
} cni_store_message;

typedef struct cni_store_queue {
    uint32_t first, last; /* places; 0: empty */
} cni_store_queue;

/* A message on a channel, in the slotted timing, and the node to which that leads. */
typedef struct cni_crossing {
    uint32_t at, node;
} cni_crossing;

/* A delivered message that the caller injected, in the slotted timing. */
typedef struct cni_landing {
    uint64_t order; /* destination, then port */
    uint64_t created, number;
    uint32_t source;
} cni_landing;

typedef struct cni_store {
    cni_kernel_head head;
    cni_routes routes;
    int slotted;
    double load;
    uint64_t spare; /* per cycle */
    cni_geometric traffic;
    uint64_t seed;

    uint64_t cycle;
    uint64_t counted; /* tick up to which CNI_COUNT_WAITING is complete */
    cni_store_message *place;
    size_t places;
    size_t used;            /* places that were ever used, 0 included */
    size_t messages;        /* in the network */
    uint32_t free;          /* first free place among those once used */
    cni_store_queue *queue; /* by channel: port N + node */
    uint32_t *busy;         /* channels whose queue is not empty, in no order */
    uint32_t busy_count;
    uint64_t injections; /* in the present cycle */
    uint64_t counters[CNI_COUNTERS];

    /* continuous */
    double arrivals; /* of all survivors in a unit of time */
    uint64_t stream; /* where the random words begin */
    uint64_t events; /* numbers used up */
    int is_drawn;    /* the time of the next one is known */
    double next; /* cycles from the beginning of the present cycle to it; else to the last one */

    /* slotted */
    cni_crossing *crossing; /* by port */
    uint64_t crossings[CNI_ROUTES_DIMENSIONS];
    cni_landing *landed; /* in the present cycle */
    size_t landed_room, landed_count;
} cni_store;

/* Runs `cycles` cycles. CN_ERR_MEMORY, CN_ERR_OVERFLOW. */
cn_status cni_store_run_events(cni_store *store, uint64_t cycles);
cn_status cni_store_run_cycles(cni_store *store, uint64_t cycles);

/* Makes room for so many more messages. CN_ERR_MEMORY. */
cn_status cni_store_make_room(cni_store *store, uint64_t count);

/* ---- what both timings do with a message ---- */

/* The channels that a message may take from a survivor, not its destination. */
static inline uint32_t cni_store_allowed(const cni_store *store, uint32_t at, uint32_t node)
{
    const cni_store_message *message = &store->place[at];
    return cni_routes_allowed(&store->routes, message->row, node, message->destination);
}

/* Whether there is something to pick; else no random word is needed. */
static inline int cni_store_is_choice(uint32_t allowed)
{
    return (allowed & (allowed - 1)) != 0;
}

static inline uint32_t cni_store_pick(uint32_t allowed, uint64_t word)
{
    uint32_t choices = 0;
    for (uint32_t left = allowed; left != 0; left &= left - 1)
        choices++;
    for (uint32_t rank = cni_random_below((uint32_t)(word >> 32), choices); rank > 0; rank--)
        allowed &= allowed - 1;
    return allowed & (0 - allowed);
}

/* Puts a message into the queue of a node's channel. */
static inline void cni_store_join(cni_store *store, uint32_t at, uint32_t node, uint32_t picked)
{
    uint32_t channel = cni_lowest_bit(picked) << store->routes.dimensions | node;
    cni_store_queue *queue = &store->queue[channel];
    if (queue->first == 0) {
        queue->first = at;
        store->busy[store->busy_count++] = channel;
    } else {
        store->place[queue->last].next = at;
    }
    queue->last = at;
    store->place[at].next = 0;
}

/* Takes the first message out of the queue of busy channel number i. When that was the last one, the
 * last of the busy channels gets the number. */
static inline uint32_t cni_store_take(cni_store *store, uint32_t i)
{
    cni_store_queue *queue = &store->queue[store->busy[i]];
    uint32_t at = queue->first;
    queue->first = store->place[at].next;
    if (queue->first == 0)
        store->busy[i] = store->busy[--store->busy_count];
    return at;
}

/* Gives a new message a place; there is room. It is still to join a queue. */
static inline uint32_t cni_store_admit(cni_store *store, const cni_store_message *message)
{
    uint32_t at = store->free;
    if (at != 0)
        store->free = store->place[at].next;
    else
        at = (uint32_t)store->used++;
    uint64_t distance = cni_popcount(message->source ^ message->destination);
    store->place[at] = *message;
    store->messages += 1;
    store->counters[CNI_COUNT_TRAVEL] += distance;
    store->counters[CNI_COUNT_OFFERED] += 1;
    store->counters[CNI_COUNT_ACCEPTED] += 1;
    if (message->number != 0)
        store->counters[CNI_COUNT_TRAVEL_INJECTED] += distance;
    return at;
}

/* Counts a message as delivered and gives its place free; its contents stay for the moment. */
static inline void cni_store_deliver(cni_store *store, uint32_t at, uint64_t tick)
{
    uint64_t delay = tick - store->place[at].created;
    store->counters[CNI_COUNT_DELIVERED] += 1;
    store->counters[CNI_COUNT_DELAY] += delay;
    cni_histogram_add(&store->head.delays, delay);
    store->place[at].next = store->free;
    store->free = at;
    store->messages -= 1;
}

/* Counts the messages that were there since the last time this was called. */
static inline void cni_store_count_until(cni_store *store, uint64_t tick)
{
    store->counters[CNI_COUNT_WAITING] += store->messages * (tick - store->counted);
    store->counted = tick;
}

#endif
