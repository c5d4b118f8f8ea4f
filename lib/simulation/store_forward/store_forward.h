/*
 * Store and forward with unlimited buffers, on any network (Horng 1992, 2.3, 2.4 and 5.3 to 5.5).
 *
 * Separate buffers: a node has a queue for each channel, first in first out. A message that comes
 * to a node joins the queue of one of the channels that the routing allows. Shared buffer: a node
 * has one queue. In every cycle each message picks one of its channels anew, and the oldest message
 * that picked a channel gets the channel.
 *
 * There are two clocks.
 * - Slotted: a transmission takes one cycle, and the random words are those of geometric.h. Nodes
 *   depend on each other only through the channels, so workers share the nodes
 *   (store_forward_cycle.c).
 * - Continuous, with separate buffers alone: arrivals are Poisson, and transmissions take
 *   exponential times with mean 1 (store_forward_events.c). A cycle is a unit of time there, and
 *   times are whole numbers of ticks.
 *
 * A message has one to three words. Waiting messages lie in the pools of the workers, in queues
 * that are rings (store_forward_pool.c). A message that crosses a channel in a cycle lies in
 * channel[b] at word (port * stride + sender) * width, so that senders and receivers go along the
 * nodes. The two banks take turns: one pass over the nodes receives from one bank for the cycle
 * that ends, and sends into the other bank for the next cycle.
 *
 * A part of a network (part.h) has queues and banks for its own nodes alone. Nodes keep their
 * numbers in the whole network; the first node of the part has index 0 in the arrays of the part:
 * cni_store_at(). A message from another part lies in the place of a channel over which the
 * receiver has sent to another part, because the message sent is gone by then, or in rows behind
 * those of the ports. Messages in a part are wide from the start: otherwise the parts would widen
 * their messages in different cycles.
 */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H

#include "base/inline.h"
#include "simulation/kernel/divided.h"
#include "simulation/kernel/network.h"

/* The variants of the kernel. */
enum { CNI_STORE_SHARED, CNI_STORE_SEPARATE };

enum {
    /* units of a channel in CNI_COUNT_SPARE, so that an integer has shares of a channel */
    CNI_STORE_PARTS = 1024,
    CNI_STORE_HOME = 2,   /* a queue of a channel begins with 2^CNI_STORE_HOME places */
    CNI_STORE_LANES = 8,  /* nodes whose queues for one port lie side by side */
    CNI_QUEUE_SHIFT = 27, /* cni_queue.held: the bits from here on are the size */
    /* the largest size of a queue; a length up to 2^26 fits below CNI_QUEUE_SHIFT */
    CNI_QUEUE_LARGEST = 26,
    CNI_TICK_BITS = 20,        /* continuous clock: a cycle has 2^CNI_TICK_BITS ticks */
    CNI_STORE_ARRIVALS = 1024, /* delivered messages that a worker collects and counts together */
    /* continuous clock: room for foreseen events; AHEAD_NUMBER + MORE at least */
    CNI_STORE_AHEAD = 64,
};

/* How a message stores its destination. */
typedef enum cni_store_form {
    CNI_STORE_CUBE,   /* a header; for Boolean n-cubes when all preferred channels are allowed */
    CNI_STORE_RINGS,  /* a header; for k-ary n-cubes when the preferred channels are allowed */
    CNI_STORE_ROUTED, /* the destination; for a routing with one class and one leg */
    CNI_STORE_CLASSED /* the destination, and a third word with target and class; for any routing */
} cni_store_form;

enum {
    CNI_COUNT_HOPS = CNI_COUNT_OWN, /* messages sent over channels */
    CNI_COUNT_WAITING,              /* messages in the network, summed over cycles or ticks */
    /* distances in the undamaged topology, summed over the accepted messages */
    CNI_COUNT_TRAVEL,
    CNI_COUNT_TRAVEL_INJECTED, /* the share of messages that the caller or a trace injected */
    CNI_COUNT_NODE_CYCLES,     /* participating nodes times cycles */
    CNI_COUNT_CHANNEL_CYCLES,  /* working channels times cycles */
    /* CNI_STORE_PARTS times the channels that the scenario's own load leaves free, summed over
     * cycles */
    CNI_COUNT_SPARE
};

#define CNI_NO_TIME UINT64_MAX /* `created` of a place without a message */

/* Of two messages the older message has the smaller (created, identity). In a tie the lower
 * source goes first, then messages of the scenario before injected messages, then the lower
 * number. */
typedef struct cni_message {
    uint64_t created; /* the cycle or tick at whose end the message was admitted */
    /* Fields from the top: source | injected | number | hops | header or destination. Hops: the
     * hops made so far; there is no such field where the header tells the hops or the field
     * would be too large. A message that is not wide has (creation - epoch) above these fields,
     * so the smaller identity is the older. It has no word for `created`: this member is then 0,
     * or CNI_NO_TIME where there is no message. */
    uint64_t identity;
    uint64_t way; /* target | class (8 bits); CNI_STORE_CLASSED alone */
} cni_message;

/* A ring of places in a pool. The places are a block of 2^size, whose number is a multiple of
 * its size. */
typedef struct cni_queue {
    uint32_t tail; /* the place of the next message */
    uint32_t held; /* the length, and from bit CNI_QUEUE_SHIFT on the size */
} cni_queue;

/* A block is named by its first place. The first blocks are the homes of the queues: every queue
 * begins in its home, and returns home when it is empty. Free blocks of a larger size form a
 * chain through their first words. */
typedef struct cni_pool {
    uint64_t *words;
    size_t capacity; /* words */
    uint64_t used;   /* places */
    uint32_t width;  /* words of a message */
    uint32_t home_size;
    uint32_t free[CNI_QUEUE_LARGEST + 1]; /* by size: the first free block; 0: none */
} cni_pool;

/* Room for delivered messages: a batch, and all messages that come to CNI_STORE_LANES nodes in a
 * cycle. */
enum { CNI_STORE_ARRIVED = CNI_STORE_ARRIVALS + CNI_STORE_LANES * (CNI_MOST_PORTS + 1) };

/* The data of one thread. */
typedef struct cni_store_worker {
    cni_hand hand; /* its landings name a message by created and identity */
    uint64_t first_node, end_node;
    cni_queue *queue; /* the queues of the worker's nodes */
    cni_pool pool;
    cn_status status;
    uint64_t failed_at;       /* node */
    _Atomic(uint64_t) failed; /* the cycle in which the status became an error */
    size_t arrivals;          /* delivered messages that are not counted yet */
    uint64_t created[CNI_STORE_ARRIVED], identity[CNI_STORE_ARRIVED];
    uint64_t hops_made[CNI_STORE_ARRIVED]; /* hops made; with statistics */
    uint64_t ended[CNI_STORE_ARRIVALS];    /* ticks of arrival; continuous clock */
} cni_store_worker;

/* A pass over the nodes. `in` is the bank with messages that arrive, `out` the bank for messages
 * that leave; NULL: the pass does not receive, or does not send. */
typedef struct cni_store_moment {
    uint64_t cycle, seed;
    const uint64_t *in;
    uint64_t *out;
    int admits; /* nodes admit new messages in this pass */
} cni_store_moment;

/* The constants of a simulation. Only the epoch and the form of messages (narrow or wide)
 * change, between cycles. */
typedef struct cni_store_shape {
    uint64_t nodes; /* nodes of the network */
    uint64_t first; /* the first node of the part */
    uint64_t stride;
    uint32_t ports;
    uint32_t width; /* words of a message */
    cni_store_form form;
    int is_wide;  /* `created` has a word of its own */
    int has_pdep; /* the processor has PDEP and POPCNT */
    cn_selection selection;
    /* the layout of an identity */
    uint32_t number_shift, injected_shift, source_shift, created_shift;
    uint64_t to_mask;
    /* A message that is not wide was created in a cycle from the epoch on, at most `span` cycles
     * later. */
    uint64_t epoch, span;
    /* one hop in an identity, and the greatest number of hops; 0: no such field */
    uint64_t hop, hop_mask;
    uint32_t hop_shift;
    uint64_t numbers; /* how many numbers the field of an identity tells apart */
} cni_store_shape;

/* The continuous clock counts with `ceiling` channels as long as at least `floor` and at most
 * `ceiling` channels are busy. */
typedef struct cni_store_limits {
    uint32_t floor, ceiling;
} cni_store_limits;

/* A foreseen event of the continuous clock. */
typedef struct cni_store_event {
    double wait; /* cycles after the event before */
    /* the kind of the event: see work_out_event() in store_forward_events.c */
    double point;
    const cni_queue *next; /* the queue that the message of the event will join; NULL: not known */
} cni_store_event;

typedef struct cni_store {
    /* in its counts, `offered` and `forwarded` are not kept: read_messages() derives them */
    cni_divided base;
    cni_network network;
    uint64_t endpoints, channels; /* of the part, from cni_network_count() */
    int separate;                 /* 0: a shared buffer */
    int slotted_clock;            /* 0: the continuous clock */
    int by_lanes;                 /* the processor has the vectors of eight nodes */
    uint32_t queues;              /* queues of a node: one per port, or one */
    cni_store_shape shape;
    /* preferred channels by header; NULL: the table would be too large, each use computes them */
    uint64_t *by_header;
    /* Distances by header (hops_by_header), or by the ranks of destination and source. NULL: the
     * topology is asked. */
    uint16_t *hops;
    int hops_by_header;
    uint32_t *from; /* for cni_store_from(); NULL: CNI_STORE_CUBE */
    uint64_t rows;  /* rows of a bank */
    /* by eight nodes: the entries of `from` before the entries of the eight nodes, divided by
     * eight */
    size_t *from_first;
    double load;
    uint64_t spare; /* CNI_COUNT_SPARE per cycle; the first part counts for all parts */

    /* state */
    uint64_t injections; /* messages injected since the last cycle, at all nodes */
    cni_queue *queue;    /* indexed by cni_store_queue() */
    /* By queue: its length before the messages of the cycle joined it. Slotted clock with
     * CN_SELECTION_LEAST_LOADED alone. */
    uint32_t *seen_length;
    uint64_t *channel[2];

    /* continuous clock */
    /* channels whose queue is not empty, in no order, as node * 64 + port; one place more than
     * channels */
    uint32_t *busy;
    uint32_t busy_count;
    cni_store_limits limits;
    cni_store_event ahead[CNI_STORE_AHEAD]; /* by event number modulo CNI_STORE_AHEAD */
    /* the number of the first event that is not in `ahead` */
    uint64_t foreseen;
    /* how many events ahead memory is fetched; 0: not at all */
    uint32_t reach;
    uint64_t counted; /* the tick up to which CNI_COUNT_WAITING is complete */
    /* arrival rate: new messages of all nodes in a unit of time */
    double arrivals;
    uint64_t stream; /* the start of the random words */
    uint64_t events; /* events so far, which number the random words */
    int is_drawn;    /* `next` is the time of the next event */
    /* is_drawn: cycles from the start of the present cycle to the next event; otherwise to the
     * last event */
    double next;
} cni_store;

cn_status cni_store_open(const cn_scenario *scenario, uint64_t seed, void **state);
void cni_store_close(void *state);

/* As cni_kernel.visit. */
cn_status cni_store_visit(void *state, cni_archive *archive);

/* ---- parts (store_forward_part.c) ---- */

static inline uint64_t cni_store_nodes(const cni_store *k)
{
    return k->base.part.end - k->base.part.first;
}

/* The index of a node in the arrays of the part. */
static inline uint64_t cni_store_at(const cni_store *k, uint64_t node)
{
    return node - k->base.part.first;
}

static inline cni_store_worker *cni_store_worker_at(const cni_store *k, uint32_t i)
{
    return (cni_store_worker *)k->base.hands[i];
}

/* The worker that has this node. */
cni_store_worker *cni_store_worker_of(const cni_store *k, uint64_t node);

/* Lists where each inlet of each node finds its message in a bank; cubes need no list.
 * CN_ERR_MEMORY. */
cn_status cni_store_list_inlets(cni_store *k);

/* Sets the members of cni_part that belong to the kernel. Call it when the width of messages is
 * known. CN_ERR_MEMORY. */
cn_status cni_store_open_part(cni_store *k);

/* The ports that a message may take at a node; 0 when the message cannot be at the node. */
uint64_t cni_store_ports_of(const cni_store *k, uint64_t node, const cni_message *m);

/* The letter of an injected message, or the trace message that this message is; NULL: none. */
cni_letter *cni_store_find_letter(const cni_store *k, uint64_t created, uint64_t identity);
const cni_trace_message *cni_store_find_traced(const cni_store *k, uint64_t created,
                                               uint64_t identity);

/* ---- queues (store_forward_pool.c) ---- */

/* Opens homes of 2^home_size places for this many queues, and one home more, because the array
 * must not be empty. CN_ERR_MEMORY. */
cn_status cni_pool_open(cni_pool *pool, uint64_t queues, uint32_t home_size, uint32_t width);

/* Makes room for one more message in a full queue. After CN_ERR_MEMORY nothing has changed. */
cn_status cni_pool_grow(cni_pool *pool, cni_queue *queue);

/* Returns an empty queue to its home. */
void cni_pool_go_home(cni_pool *pool, cni_queue *queue, uint32_t home);

static inline uint32_t cni_queue_length(const cni_queue *queue)
{
    return queue->held & ((UINT32_C(1) << CNI_QUEUE_SHIFT) - 1);
}

static inline uint32_t cni_queue_size(const cni_queue *queue)
{
    return queue->held >> CNI_QUEUE_SHIFT;
}

/* The places of the queue, less one. */
static inline uint32_t cni_queue_mask(const cni_queue *queue)
{
    return (UINT32_C(1) << cni_queue_size(queue)) - 1;
}

/* A queue whose first message is in the first place of its block. */
static inline cni_queue cni_queue_packed(uint32_t block, uint32_t size, uint32_t length)
{
    return (cni_queue){.tail = block | (length & ((UINT32_C(1) << size) - 1)),
                       .held = size << CNI_QUEUE_SHIFT | length};
}

static inline cni_queue cni_queue_at_home(const cni_pool *pool, uint32_t home)
{
    return cni_queue_packed(home << pool->home_size, pool->home_size, 0);
}

/* The place of message number i. */
static inline uint32_t cni_queue_place(const cni_queue *queue, uint32_t i)
{
    uint32_t mask = cni_queue_mask(queue), tail = queue->tail;
    return (tail & ~mask) | ((tail - cni_queue_length(queue) + i) & mask);
}

/* The index in `queue` of the queue for a port of a node; with one queue a node the port is 0.
 * The queues of eight nodes for one port lie side by side, then the queues of the same nodes for
 * the next port. */
static inline uint64_t cni_store_queue(uint32_t queues, uint64_t node, uint32_t port)
{
    return (node / CNI_STORE_LANES * queues + port) * CNI_STORE_LANES + node % CNI_STORE_LANES;
}

/* The queues of this many nodes, rounded up to whole groups of eight nodes. */
static inline uint64_t cni_store_queues(uint32_t queues, uint64_t nodes)
{
    return (nodes + CNI_STORE_LANES - 1) / CNI_STORE_LANES * CNI_STORE_LANES * queues;
}

/* ---- words of messages (store_forward_word.c) ---- */

/* Lays out the identity and decides whether messages are wide; wide messages stay wide. most:
 * the greatest number of messages that a trace has for one node and cycle. */
void cni_store_lay_out(cni_store *k, uint64_t most);

/* Allocates the two banks of channels. CN_ERR_MEMORY. */
cn_status cni_store_open_banks(const cni_store *k, uint64_t *bank[2]);

/* Moves the epoch, between cycles, when the age field is nearly full. CN_ERR_MEMORY: nothing has
 * changed. */
cn_status cni_store_move_epoch(cni_store *k);

/* Widens all messages by a word, between cycles. CN_ERR_MEMORY: nothing has changed. */
cn_status cni_store_widen(cni_store *k);

/* The shape of wide messages, and the wide form of a message. */
cni_store_shape cni_store_wide_shape(const cni_store *k);
cni_message cni_store_widen_message(const cni_store_shape *old, const cni_message *m,
                                    const cni_store_shape *s);

/* The narrow form of a wide message; returns 0 when the message does not fit. */
int cni_store_narrow_message(const cni_store_shape *wide, const cni_message *m,
                             const cni_store_shape *s, cni_message *narrow);

/* ---- all clocks ---- */

static inline uint64_t cni_store_source(const cni_store_shape *s, uint64_t identity)
{
    return identity >> s->source_shift & s->to_mask;
}

/* Words of a message. */
static inline uint32_t cni_store_width(cni_store_form form, int is_wide)
{
    return (form == CNI_STORE_CLASSED ? 2u : 1u) + (is_wide ? 1 : 0);
}

/* The cycle or tick of creation. */
static inline uint64_t cni_store_created(const cni_store_shape *s, const cni_message *m)
{
    return s->is_wide ? m->created : s->epoch + (m->identity >> s->created_shift);
}

/* A message with its time of creation. */
static inline cni_message cni_store_stamp(const cni_store_shape *s, uint64_t created,
                                          uint64_t identity)
{
    uint64_t age = s->is_wide ? 0 : (created - s->epoch) << s->created_shift;
    return (cni_message){s->is_wide ? created : 0, identity | age, 0};
}

/* A new message, before it has picked a channel. The destination is not the source. */
cni_message cni_store_create(const cni_store *k, uint64_t source, uint64_t destination,
                             uint64_t number, int injected, uint64_t created, uint64_t begin_word);

/* Counts messages as offered and accepted, with the sum of their distances. is_extra: the
 * messages come from the caller or a trace, so the scenario's load does not include them. */
static inline void cni_store_count_new(cni_store_worker *w, uint64_t count, uint64_t travel,
                                       int is_extra)
{
    w->hand.counters[CNI_COUNT_TRAVEL] += travel;
    w->hand.counters[CNI_COUNT_OFFERED] += count;
    w->hand.counters[CNI_COUNT_ACCEPTED] += count;
    w->hand.counters[CNI_COUNT_TRAVEL_INJECTED] += is_extra ? travel : 0;
}

/* Puts a message into a queue of its node, by the slotted clock. CN_ERR_MEMORY. */
cn_status cni_store_join(cni_store *k, uint64_t node, const cni_message *message, uint64_t word);

/* Counts the delivered messages that the worker has collected. now: the cycle of their arrival
 * by the slotted clock; cycle: the cycle that a delivery reports. */
void cni_store_count_arrivals(const cni_store *k, cni_store_worker *w, uint64_t now,
                              uint64_t cycle);

/* The hops that a message has made when it is at this node; 0 when the identity does not tell
 * them. The header forms compute the hops from the source. */
uint64_t cni_store_hops(const cni_store *k, uint64_t identity, uint64_t node);

/* Adds a hop to the letter of a message whose identity has no field for hops. */
void cni_store_note_hop(const cni_store *k, const cni_message *message);

/* Hops from a node to the destination of a message. `to` is the message's header or destination. */
uint64_t cni_store_distance(const cni_store *k, uint64_t source, uint64_t to);

/* ---- the clocks ---- */

/* Runs this many cycles from the present cycle on. */
cn_status cni_store_run_cycles(cni_store *k, uint64_t cycles);

/* The places in a bank, in messages, of the inlets of a node: inlet i is at i * CNI_STORE_LANES.
 * The nodes of a group of eight all have as many entries as the node with most inlets; surplus
 * entries name a place that never has a message. */
static inline const uint32_t *cni_store_from(const cni_store *k, uint64_t at)
{
    return k->from + k->from_first[at / CNI_STORE_LANES] * CNI_STORE_LANES + at % CNI_STORE_LANES;
}

/* Works on the consecutive nodes of a worker from `node` up to `end` in a pass: one node after
 * the other, or eight nodes at a time. Both give the same bits. */
typedef cn_status cni_store_walk(const cni_store *k, cni_store_worker *w,
                                 const cni_store_moment *now, uint64_t node, uint64_t end);
cni_store_walk cni_store_walk_each, cni_store_walk_lanes;

/* Admits the new messages of the scenario's traffic at a node. CN_ERR_MEMORY, CN_ERR_OVERFLOW. */
cn_status cni_store_admit(const cni_store *k, cni_store_worker *w, uint64_t node, uint64_t stream,
                          uint64_t cycle);

/* The channels with the shortest queue, among the given channels of a node. Slotted clock: by
 * the lengths before the messages of the cycle joined, which are in `seen_length`; continuous
 * clock: by the present lengths. */
uint64_t cni_store_least_loaded(const cni_store *k, uint64_t node, uint64_t channels);

/* Whether the present cycles can run eight nodes at a time: those of a whole network with messages
 * of one word and no arrivals to report, because messages then arrive in another order of the
 * nodes. */
int cni_store_fits_lanes(const cni_store *k);

/* Runs cycles of the continuous clock, and puts a message of the caller into a queue. The
 * remaining times are memoryless: an injection discards the next event and draws a new one.
 * CN_ERR_MEMORY. */
cn_status cni_store_run_events(cni_store *k, uint64_t cycles);
cn_status cni_store_disturb(cni_store *k, uint64_t source, const cni_message *message,
                            uint64_t word);

/* Visits the members that tell when the next event comes, in a snapshot. */
cn_status cni_store_visit_clock(cni_store *k, cni_archive *archive);

/* The end of the unit of time in which the next event lies; CN_NEVER. */
uint64_t cni_store_next_unit(const cni_store *k);

/* ---- the loads that have a steady state (store_forward_limit.c) ---- */

cn_status cni_store_find_limit(const cn_scenario *scenario, const cni_network *network,
                               cni_store_limit *limit);

/* As cni_kernel.settle: computes the spare capacity of the channels. It is 0 only when there is
 * no steady state. */
cn_status cni_store_settle(void *state, const cn_scenario *scenario);

/* As in cni_kernel. */
cn_status cni_store_shorten(cn_scenario *scenario);
int cni_store_takes_all(const cn_scenario *scenario);

/* Whether messages have headers: on Boolean and k-ary n-cubes with their default routings. */
int cni_store_has_headers(const cn_scenario *scenario);

/* Opens the network of a scenario as the kernel sees it. Close the network also after a failure. */
cn_status cni_store_open_network(const cn_scenario *scenario, cni_network *network,
                                 cni_store_form *form);

#endif
