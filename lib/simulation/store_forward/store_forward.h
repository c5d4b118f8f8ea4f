/*
 * Store and forward with buffers without limit, on any network (Horng 1992, 2.3, 2.4 and 5.3 to
 * 5.5).
 *
 * Separate buffers: a node has a queue for each channel, first in first out; a message that comes
 * to a node joins that of one of the channels that the routing allows. Shared buffer: a node has
 * one queue; in every cycle each message picks one of its channels anew and the oldest that picked
 * a channel gets it.
 *
 * Two clocks:
 * - slotted: a transmission takes one cycle, and the random words are those of geometric.h. Nodes
 *   depend on each other only through the channels, so workers share the nodes
 *   (store_forward_cycle.c).
 * - continuous, separate buffers alone: Poisson arrivals, transmissions of exponential length and
 *   mean 1 (store_forward_events.c). A cycle is then a unit of time; times are whole numbers of
 *   ticks.
 *
 * A message is two or three words. All lie in the pools of the workers, in queues that are rings
 * (store_forward_pool.c). What crosses a channel in a cycle lies in channel[b] at word (port *
 * stride + sender) * width: senders and receivers go along the nodes. The two banks take turns, so
 * one pass over the nodes receives for the cycle that ends and sends for the next.
 *
 * A part of a network (part.h) has all this for its own nodes. Nodes are numbered as in the whole;
 * the first one of the part is number 0 in its arrays: cni_store_at(). What comes from another part
 * lies where the receiver has sent something to another part, as that is gone by then, or in rows
 * behind those of the ports. Messages in a part are wide from the start: parts would become so at
 * cycles of their own.
 */
#ifndef CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H
#define CNI_SIMULATION_STORE_FORWARD_STORE_FORWARD_H

#include "base/inline.h"
#include "simulation/kernel/divided.h"
#include "simulation/kernel/network.h"

/* The variants of the kernel. */
enum { CNI_STORE_SHARED, CNI_STORE_SEPARATE };

enum {
    CNI_STORE_PARTS = 1024,    /* of a channel, in CNI_COUNT_SPARE */
    CNI_STORE_HOME = 2,        /* a queue of a channel begins with 2^this places */
    CNI_STORE_LANES = 8,       /* nodes whose queues of a port lie side by side */
    CNI_QUEUE_SHIFT = 27,      /* of the size in cni_queue */
    CNI_QUEUE_LARGEST = 26,    /* size */
    CNI_TICK_BITS = 20,        /* ticks of a cycle, as a power of two; continuous clock */
    CNI_STORE_ARRIVALS = 1024, /* delivered messages that are counted at a time */
    CNI_STORE_AHEAD = 64,      /* events that are foreseen; continuous clock */
};

/* How a message says where it goes. */
typedef enum cni_store_form {
    CNI_STORE_CUBE,   /* a header; Boolean n-cube in which every valid channel is allowed */
    CNI_STORE_RINGS,  /* a header; k-ary n-cube whose preferred channels are allowed */
    CNI_STORE_ROUTED, /* its destination; a routing with one class */
    CNI_STORE_CLASSED /* that, and its target and class in a third word; any routing */
} cni_store_form;

enum {
    CNI_COUNT_HOPS = CNI_COUNT_OWN, /* messages sent over channels */
    CNI_COUNT_WAITING,              /* messages in the network, summed over cycles or ticks */
    CNI_COUNT_TRAVEL,          /* distances in the undamaged topology of the accepted messages */
    CNI_COUNT_TRAVEL_INJECTED, /* the part of it that the caller or a trace injected */
    CNI_COUNT_NODE_CYCLES,     /* nodes that take part times cycles */
    CNI_COUNT_CHANNEL_CYCLES,  /* channels that work times cycles */
    CNI_COUNT_SPARE /* parts of a channel that the scenario's own load leaves, summed over cycles */
};

#define CNI_NO_TIME UINT64_MAX /* `created` of no message */

/* The older of two messages has the smaller (created, identity): ties by lower source, then the
 * scenario's own before those injected, then by number. */
typedef struct cni_message {
    uint64_t created; /* cycle or tick at whose end it was admitted */
    uint64_t
        identity; /* source | injected | number | hops | header or destination, from the top; hops
                        * made, where they do not follow from the header and are not too many;
                        * unless it is wide, above all this what `created` is after the epoch, and
                        * `created` is
                        * 0 or CNI_NO_TIME: such a message is one word, the older one the smaller */
    uint64_t way; /* target | class (8 bits); CNI_STORE_CLASSED alone */
} cni_message;

/* A ring of places in a pool: a block of 2^size places, that begins at a multiple of its size. */
typedef struct cni_queue {
    uint32_t tail; /* the place of the next message */
    uint32_t held; /* length, and above it the size */
} cni_queue;

/* A block is named by its first place. The first ones are the homes of the queues, with which they
 * begin and to which they return when they are empty. Freed larger blocks are chained by their
 * first word. */
typedef struct cni_pool {
    uint64_t *words;
    size_t capacity; /* words */
    uint64_t used;   /* places */
    uint32_t width;  /* words of a message */
    uint32_t home_size;
    uint32_t free[CNI_QUEUE_LARGEST + 1]; /* by size: a block; 0: none */
} cni_pool;

/* Room for delivered messages, and for those that come to CNI_STORE_LANES nodes in a cycle. */
enum { CNI_STORE_ARRIVED = CNI_STORE_ARRIVALS + CNI_STORE_LANES * (CNI_MOST_PORTS + 1) };

/* What one thread has to itself. */
typedef struct cni_store_worker {
    cni_hand hand; /* what has landed is known by created and identity */
    uint64_t first_node, end_node;
    cni_queue *queue; /* of its nodes */
    cni_pool pool;
    cn_status status;
    uint64_t failed_at;       /* node */
    _Atomic(uint64_t) failed; /* cycle in which status became one of failure */
    size_t arrivals;          /* delivered messages that are still to be counted */
    uint64_t created[CNI_STORE_ARRIVED], identity[CNI_STORE_ARRIVED];
    uint64_t made[CNI_STORE_ARRIVED];   /* hops, with statistics */
    uint64_t ended[CNI_STORE_ARRIVALS]; /* when they came; continuous clock */
} cni_store_worker;

/* A pass over the nodes: where messages come from and go to; either may be missing. */
typedef struct cni_store_moment {
    uint64_t cycle, seed;
    const uint64_t *in;
    uint64_t *out;
    int admits; /* new messages */
} cni_store_moment;

/* What does not change while a simulation runs. */
typedef struct cni_store_shape {
    uint64_t nodes; /* of the network */
    uint64_t first; /* node of the part */
    uint64_t stride;
    uint32_t ports;
    uint32_t width; /* words of a message */
    cni_store_form form;
    int is_wide;  /* `created` has a word of its own */
    int has_pdep; /* and POPCNT: the processor */
    cn_selection selection;
    uint32_t number_shift, injected_shift, source_shift, created_shift; /* layout of an identity */
    uint64_t to_mask;
    uint64_t epoch, span; /* of messages of one word: they are younger, by no more than the span */
    uint64_t hop, hop_mask; /* one, in an identity, and the greatest number; 0: no such field */
    uint32_t hop_shift;
    uint64_t numbers; /* that the field holds */
} cni_store_shape;

/* The continuous clock counts with `ceiling` channels while no more, and no fewer than `floor`, are
 * busy. */
typedef struct cni_store_limits {
    uint32_t floor, ceiling;
} cni_store_limits;

/* An event of the continuous clock that is still to come. */
typedef struct cni_store_event {
    double wait;           /* cycles after the one before */
    double point;          /* what happens, see store_forward_events.c */
    const cni_queue *next; /* in which its message will be; NULL: not known */
} cni_store_event;

typedef struct cni_store {
    cni_divided base; /* of the counts offered and forwarded follow from the others */
    cni_network network;
    uint64_t endpoints, channels; /* of the part, see cni_network_count() */
    int separate, slotted_clock;
    int by_lanes;    /* the processor can run eight nodes at a time */
    uint32_t queues; /* of a node */
    cni_store_shape shape;
    uint64_t *by_header; /* preferred channels; NULL: too many, and worked out at every use */
    uint16_t *hops; /* distances, by header, or by destination and source; NULL: ask the topology */
    int hops_by_header;
    const cni_packed *allowed; /* ports by cni_routing_place(); NULL: ask the routing */
    cni_packed listed;         /* that, when the routing has none */
    uint32_t *from;            /* see cni_store_from(); NULL: a whole CNI_STORE_CUBE */
    uint64_t rows;             /* of a bank */
    size_t *from_first;        /* by eight nodes: how many of eight places lie before theirs */
    double load;
    uint64_t spare; /* per cycle; counted by the first part */

    /* state */
    uint64_t injections; /* since the last cycle; of all nodes */
    cni_queue *queue;    /* see cni_store_queue() */
    uint32_t
        *seen; /* by queue: its length before messages of the cycle joined it; slotted clock and
                       CN_SELECTION_LEAST_LOADED alone */
    uint64_t *channel[2];

    /* continuous clock */
    /* channels whose queue is not empty, in no order: node * 64 + port; and one place more */
    uint32_t *busy;
    uint32_t busy_count;
    cni_store_limits limits;
    cni_store_event ahead[CNI_STORE_AHEAD]; /* by number */
    uint64_t foreseen;                      /* the number from which on events are not in `ahead` */
    uint32_t reach;                         /* so many events ahead memory is fetched */
    uint64_t counted;                       /* tick up to which CNI_COUNT_WAITING is complete */
    double arrivals;                        /* of all nodes in a unit of time */
    uint64_t stream;                        /* where the random words begin */
    uint64_t events;                        /* numbers used up */
    int is_drawn;                           /* the time of the next one is known */
    double next; /* cycles from the beginning of the present cycle to it; else to the last one */
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

/* The number of a node in the arrays of the part. */
static inline uint64_t cni_store_at(const cni_store *k, uint64_t node)
{
    return node - k->base.part.first;
}

static inline cni_store_worker *cni_store_worker_at(const cni_store *k, uint32_t i)
{
    return (cni_store_worker *)k->base.hands[i];
}

/* That which works on a node. */
cni_store_worker *cni_store_worker_of(const cni_store *k, uint64_t node);

/* Where the messages of a node's inlets come from, and the channels between the part and others.
 * CN_ERR_MEMORY. */
cn_status cni_store_list_inlets(cni_store *k);

/* What a kernel gives its part; once messages have their width. CN_ERR_MEMORY. */
cn_status cni_store_open_part(cni_store *k);

/* The ports that a message may take at a node; 0 for one that cannot be there. */
uint64_t cni_store_ports_of(const cni_store *k, uint64_t node, const cni_message *m);

/* That of the mailbox which is told of a message, and that of the trace which it is; NULL: none. */
cni_letter *cni_store_find_letter(const cni_store *k, uint64_t created, uint64_t identity);
const cni_trace_message *cni_store_find_traced(const cni_store *k, uint64_t created,
                                               uint64_t identity);

/* ---- queues (store_forward_pool.c) ---- */

/* Homes of 2^home_size places for so many queues, and one more, so that there is some memory.
 * CN_ERR_MEMORY. */
cn_status cni_pool_open(cni_pool *pool, uint64_t queues, uint32_t home_size, uint32_t width);

/* Room for one more message in a queue that is full. CN_ERR_MEMORY: nothing has changed. */
cn_status cni_pool_grow(cni_pool *pool, cni_queue *queue);

/* Back to its home, when it is empty. */
void cni_pool_go_home(cni_pool *pool, cni_queue *queue, uint32_t home);

static inline uint32_t cni_queue_length(const cni_queue *queue)
{
    return queue->held & ((UINT32_C(1) << CNI_QUEUE_SHIFT) - 1);
}

static inline uint32_t cni_queue_size(const cni_queue *queue)
{
    return queue->held >> CNI_QUEUE_SHIFT;
}

/* Its places less one. */
static inline uint32_t cni_queue_mask(const cni_queue *queue)
{
    return (UINT32_C(1) << cni_queue_size(queue)) - 1;
}

/* One whose first message is in the first place of its block. */
static inline cni_queue cni_queue_packed(uint32_t block, uint32_t size, uint32_t length)
{
    return (cni_queue){.tail = block | (length & ((UINT32_C(1) << size) - 1)),
                       .held = size << CNI_QUEUE_SHIFT | length};
}

static inline cni_queue cni_queue_at_home(const cni_pool *pool, uint32_t home)
{
    return cni_queue_packed(home << pool->home_size, pool->home_size, 0);
}

/* The place of message i. */
static inline uint32_t cni_queue_place(const cni_queue *queue, uint32_t i)
{
    uint32_t mask = cni_queue_mask(queue), tail = queue->tail;
    return (tail & ~mask) | ((tail - cni_queue_length(queue) + i) & mask);
}

/* Where in `queue` that of a port of a node is; port 0 when the node has but one. The queues of a
 * port of eight nodes lie side by side, then those of their next port. */
static inline uint64_t cni_store_queue(uint32_t queues, uint64_t node, uint32_t port)
{
    return (node / CNI_STORE_LANES * queues + port) * CNI_STORE_LANES + node % CNI_STORE_LANES;
}

/* Queues of so many nodes, with those that fill the last eight. */
static inline uint64_t cni_store_queues(uint32_t queues, uint64_t nodes)
{
    return (nodes + CNI_STORE_LANES - 1) / CNI_STORE_LANES * CNI_STORE_LANES * queues;
}

/* ---- words of messages (store_forward_word.c) ---- */

/* Lays out the identity and decides whether messages are wide, unless it is so already. most: so
 * many messages of a trace come in at a node in a cycle. */
void cni_store_lay_out(cni_store *k, uint64_t most);

/* CN_ERR_MEMORY. */
cn_status cni_store_open_banks(const cni_store *k, uint64_t *bank[2]);

/* Between cycles: makes room for the age of messages. CN_ERR_MEMORY: nothing has changed. */
cn_status cni_store_move_epoch(cni_store *k);

/* Between cycles: gives all messages a word more. CN_ERR_MEMORY: nothing has changed. */
cn_status cni_store_widen(cni_store *k);

/* A network without messages: leaves room for older ones and for younger ones. */
void cni_store_set_epoch(cni_store *k);

/* How messages look when they are wide, and one of them. */
cni_store_shape cni_store_wide_shape(const cni_store *k);
cni_message cni_store_widen_message(const cni_store_shape *old, const cni_message *m,
                                    const cni_store_shape *s);

/* The other way; 0: it does not fit. */
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

/* When a message was created. */
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

/* The message as it is when it comes into the network, before it picks anything; destination !=
 * source. */
cni_message cni_store_create(const cni_store *k, uint64_t source, uint64_t destination,
                             uint64_t number, int injected, uint64_t created, uint64_t begin_word);

/* Counts messages as offered and accepted, with the sum of their distances. is_extra: they are in
 * nobody's load. */
static inline void cni_store_count_new(cni_store_worker *w, uint64_t count, uint64_t travel,
                                       int is_extra)
{
    w->hand.counters[CNI_COUNT_TRAVEL] += travel;
    w->hand.counters[CNI_COUNT_OFFERED] += count;
    w->hand.counters[CNI_COUNT_ACCEPTED] += count;
    w->hand.counters[CNI_COUNT_TRAVEL_INJECTED] += is_extra ? travel : 0;
}

/* Puts a message into a queue of its node; slotted clock. CN_ERR_MEMORY. */
cn_status cni_store_join(cni_store *k, uint64_t node, const cni_message *message, uint64_t word);

/* Counts the delivered messages that have been put aside; now: when they came, by the slotted
 * clock. */
void cni_store_count_arrivals(const cni_store *k, cni_store_worker *w, uint64_t now,
                              uint64_t cycle);

/* The hops that a message has made to this node, which the header forms find from its source. */
uint64_t cni_store_hops(const cni_store *k, uint64_t identity, uint64_t node);

/* One more hop of a message whose identity has no room for their number. */
void cni_store_note_hop(const cni_store *k, const cni_message *message);

/* Remembers a failure; the worker does nothing more. */
void cni_store_fail(cni_store_worker *w, cn_status status, uint64_t cycle);

/* Hops from a node to what a message of it has as header or destination. */
uint64_t cni_store_distance(const cni_store *k, uint64_t source, uint64_t to);

/* ---- the clocks ---- */

/* So many cycles from the present one on. */
cn_status cni_store_run_cycles(cni_store *k, uint64_t cycles);

/* Where in a bank the messages of a node's inlets come from, by inlet * CNI_STORE_LANES, as an
 * index of messages. Where one of eight nodes has fewer inlets than another, a message that is
 * never there. */
static inline const uint32_t *cni_store_from(const cni_store *k, uint64_t at)
{
    return k->from + k->from_first[at / CNI_STORE_LANES] * CNI_STORE_LANES + at % CNI_STORE_LANES;
}

/* Nodes of a worker in a row, at a moment: one after the other, or eight at a time; the same
 * bits. */
typedef cn_status cni_store_walk(const cni_store *k, cni_store_worker *w,
                                 const cni_store_moment *now, uint64_t node, uint64_t end);
cni_store_walk cni_store_walk_each, cni_store_walk_lanes;

/* New messages of the scenario's traffic at a node. CN_ERR_MEMORY, CN_ERR_OVERFLOW. */
cn_status cni_store_admit(const cni_store *k, cni_store_worker *w, uint64_t node, uint64_t stream,
                          uint64_t cycle);

/* Of the channels of a node those with the shortest queue: as it is, or as it was before the
 * messages of the cycle. */
uint64_t cni_store_least_loaded(const cni_store *k, uint64_t node, uint64_t channels);

/* Whether this scenario's cycles can be run eight nodes at a time. Messages then arrive in another
 * order of nodes, which only a part puts right. */
int cni_store_fits_lanes(const cni_store *k);

/* CN_ERR_MEMORY. The second puts a message of the caller into a queue; what is to come has no
 * memory: with one more message it is drawn anew from here on. */
cn_status cni_store_run_events(cni_store *k, uint64_t cycles);
cn_status cni_store_disturb(cni_store *k, uint64_t source, const cni_message *message,
                            uint64_t word);

/* What tells when the next event comes, in a snapshot. */
cn_status cni_store_visit_clock(cni_store *k, cni_archive *archive);

/* The end of the unit of time in which the next event is; CN_NEVER. */
uint64_t cni_store_next_unit(const cni_store *k);

/* ---- the loads that have a steady state (store_forward_limit.c) ---- */

cn_status cni_store_find_limit(const cn_scenario *scenario, const cni_network *network,
                               cni_store_limit *limit);

/* Whether some channel is full at this load. At the limit itself the sums of the flows may come out
 * just below it. */
int cni_store_is_full(double load, const cni_store_limit *limit);

/* As in cni_kernel. */
cn_status cni_store_shorten(cn_scenario *scenario);
int cni_store_takes_all(const cn_scenario *scenario);

/* Whether its messages have headers: Boolean and k-ary n-cubes by their default routings. */
int cni_store_has_headers(const cn_scenario *scenario);

/* Opens the network of a scenario as the kernel sees it. Close it also after a failure. */
cn_status cni_store_open_network(const cn_scenario *scenario, cni_network *network,
                                 cni_store_form *form);

#endif
