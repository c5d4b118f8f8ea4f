/*
 * The wormhole kernel (docs/simulation.md): its state. The kernel also runs cut-through, where
 * messages move in another way and all else is the same.
 *
 * The kernel works by worms, not by flits. Words hold the flits in the buffers along a worm: bit i
 * stands for hop i, and a few operations on words move all flits of the worm. The kernel looks at a
 * single virtual channel only where another one of its channel is held, too, when a header is given
 * it, and when the tail leaves it. The virtual channels that a header may take and the held virtual
 * channels of a node are words, too: bit i stands for virtual channel i of the node. A message that
 * is not served yet is a short record in a pool; a worm takes a place among the worms.
 *
 * Within a node everything with a visible order is ordered: waiting headers, queues, copies.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_H

#include "scenario/traffic/source.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/network.h"
#include "simulation/kernel/wheel.h"
#include "simulation/wormhole/wormhole_crowd.h"

/* Counters besides the counters of every kernel. */
enum {
    CNI_COUNT_WORM_BROADCASTS = CNI_COUNT_OWN, /* delivered broadcasts */
    CNI_COUNT_WORM_BROADCAST_DELAY,            /* sum of the delays of broadcasts */
    CNI_COUNT_WORM_BROADCAST_WAIT, /* sum of their waits for a first copy at the source */
    CNI_COUNT_WORM_HOPS,           /* hops of the delivered unicasts */
    CNI_COUNT_WORM_UNICAST_GRANTS, /* virtual channels granted, by cni_worm_class */
    CNI_COUNT_WORM_BROADCAST_GRANTS,
    CNI_COUNT_WORM_REPLICA_GRANTS,
    CNI_COUNT_WORM_WAITING,     /* cycles that headers waited for virtual channels */
    CNI_COUNT_WORM_FLIT_HOPS,   /* flits sent over channels */
    CNI_COUNT_WORM_HELD,        /* virtual channels held, summed over channels and cycles */
    CNI_COUNT_WORM_HELD_SQUARE, /* squared number held of a channel, summed likewise */
    CNI_COUNT_WORM_BUSY,        /* channels with a held virtual channel, summed over cycles */
    CNI_COUNT_WORM_PRESENT,     /* messages under way at the start of a cycle, summed */
    CNI_COUNT_WORM_COPIES,      /* copies of broadcasts that have arrived */
    CNI_COUNT_WORM_NODES,       /* nodes that take part, summed over cycles */
    CNI_COUNT_WORM_CHANNELS     /* channels that work, summed over cycles */
};
_Static_assert((int)CNI_COUNT_WORM_CHANNELS < (int)CNI_COUNT_OF_RUN, "no more room for counters");

#define CNI_WORM_NONE UINT32_MAX /* no worm, no message, no broadcast, no number */
/* the first key of the queues at a source: CNI_WORM_SOURCE + port */
#define CNI_WORM_SOURCE UINT32_C(0x80000000)
enum {
    CNI_WORM_HOPS = 4095,   /* hops of the longest walk that the kernel covers */
    CNI_WORM_WORDS = 64,    /* words for the virtual channels of a node: 64 ports with 64 each */
    CNI_WORM_CHECK = 16384, /* cycles between checks for deadlock */
    CNI_WORM_LOOK = 128,    /* cycles between looks at how many channels are shared */
    CNI_WORM_AHEAD = 4      /* nodes ahead whose waiting headers are fetched into the cache */
};

typedef enum cni_worm_class {
    CNI_WORM_UNICAST,
    CNI_WORM_BROADCAST, /* a copy from the source of the broadcast */
    CNI_WORM_REPLICA    /* a copy that another node sends on */
} cni_worm_class;

/* Where the flits of a worm are, in words whose bit i stands for hop i. With walks of more than 63
 * hops or buffers of other than two flits the sets of the crowd hold the flits: then it only counts
 * whether `header` is 0, `exit` is 0, `leaving` is 1. Moves change the first half alone. */
typedef struct cni_worm {
    uint64_t filled;     /* bit 0: flits are at the source; bit i + 1: in the buffer of hop i */
    uint64_t vacant;     /* bit i: hop i is granted, and its buffer has a free slot */
    uint64_t moves;      /* bit i: a flit makes hop i in the present cycle */
    uint32_t left;       /* flits at the source */
    uint16_t tail, head; /* the worm holds the hops tail .. head-1 */
    uint64_t shared;     /* bit i: another virtual channel of the channel of hop i is held, too */
    uint64_t header;     /* the bit of the hop that is granted to the header and not made yet */
    uint64_t leaving;    /* the bit of the hop that the tail makes next; 1: it is at the source */
    uint64_t exit;       /* the bit after the last hop once the header has arrived, else 0 */
} cni_worm;

/* A message on its way or at its source. */
typedef struct cni_worm_message {
    uint64_t created;     /* cycle at whose end the message, or the copy at its node, was created */
    uint32_t source;      /* node whose queue the message joins */
    uint32_t destination; /* node where the message ends */
    uint32_t flits;       /* 0: an unused place of the pool */
    uint32_t broadcast;   /* number of the broadcast, or CNI_WORM_NONE */
    uint32_t number;      /* number of the injection or in the trace, else CNI_WORM_NONE */
    uint32_t target;      /* end of the present leg: the destination or a node on the way */
    uint8_t port;         /* port of its queue */
    uint8_t class;        /* cni_worm_class */
    uint8_t state;        /* class of the routing in which the header is */
    uint8_t traced;       /* whether the message is of a trace */
    uint32_t next;        /* while it is not served: place of the message behind it in its list */
} cni_worm_message;

/* The header of a worm, and its place in the ring of the headers that wait at its node. The node
 * has a place in the ring, too: before the first header and behind the last. Node v has place v,
 * worm w has place nodes + w. */
typedef struct cni_worm_header {
    uint64_t since; /* the cycle at whose end the header began to wait */
    uint32_t previous, next;
    uint32_t choice; /* number of the set that the header waits for */
    /* order in a cycle: the virtual channel that the header is in, or CNI_WORM_SOURCE + port */
    uint32_t key;
    uint32_t node;          /* node at which the header is */
    uint32_t class, target; /* as in the message */
} cni_worm_header;

/* A message that crosses a channel as a whole, or passes from the end of a channel to its node. */
typedef struct cni_crossing {
    uint64_t end;  /* the cycle at whose end the tail is through */
    uint32_t worm; /* CNI_WORM_NONE: no message */
    uint32_t left; /* key of the buffer or source that the tail leaves */
} cni_crossing;

typedef struct cni_worm_arrival {
    uint64_t order;
    uint32_t worm;
} cni_worm_arrival;

typedef struct cni_worm_list {
    uint32_t first, last;
} cni_worm_list;

typedef struct cni_worm_queue {
    cni_worm_list list; /* messages that wait for service */
    uint32_t served;    /* worms that still have flits at the source */
} cni_worm_queue;

typedef struct cni_worm_broadcast {
    uint64_t created;
    uint64_t sent; /* first cycle in which a copy of the source is granted a channel, or 0 */
    uint32_t source, base;
    uint32_t missing; /* nodes that do not have it yet; of an unused place: the next unused place */
    uint32_t number;  /* as `number` of a message */
} cni_worm_broadcast;

typedef struct cni_worm_holder {
    uint32_t worm;
    uint32_t hop;
} cni_worm_holder;

typedef struct cni_worm_visit cni_worm_visit;
typedef struct cni_worm_record cni_worm_record;

/* What differs between messages that go flit by flit and messages that go as a whole. */
typedef struct cni_worm_way {
    cn_status (*open)(cni_wormhole *kernel); /* makes its arrays; CN_ERR_MEMORY */
    void (*grant)(cni_wormhole *kernel);     /* serves the waiting headers of all nodes */
    /* Grants a worm virtual channel `at` of the node where its header is. */
    void (*give)(cni_wormhole *kernel, uint32_t worm, uint32_t node, uint32_t at);
    uint32_t (*load)(const cni_wormhole *kernel, uint32_t node, uint32_t at); /* for least-loaded */
    cn_status (*move)(cni_wormhole *kernel); /* after the grants of a cycle; CN_ERR_MEMORY */
    /* Adds to loads (may be NULL), by channel, the flits that messages under way have sent.
     * Returns their sum. */
    uint64_t (*sent)(const cni_wormhole *kernel, uint64_t loads[]);
    /* Finds the virtual channels that a worm holds; returns their number. */
    size_t (*held)(const cni_wormhole *kernel, uint32_t worm, const uint32_t **virtual_channels);
    /* In a snapshot: the part of a worm with hops beside its record. Reading makes a new worm. */
    cn_status (*visit)(const cni_worm_visit *visit, const cni_worm_record *record, uint32_t worm);
    /* The worm whose tail is on this virtual channel, unless its header waits; or CNI_WORM_NONE. */
    uint32_t (*moving)(const cni_wormhole *kernel, uint32_t virtual_channel);
} cni_worm_way;

extern const cni_worm_way cni_worms, cni_short_messages, cni_whole_messages;

struct cni_wormhole {
    cni_kernel_head head;
    const cni_worm_way *way;
    cni_network network;
    const cn_traffic *traffic; /* NULL: uniform; the scenario of the cn_sim keeps it alive */
    int draws_evenly;          /* destinations are uniform over the nodes that take part */
    int is_unclassed;          /* headers take any virtual channel of a port; none is an escape */
    int is_binomial;           /* broadcasts go along binomial, else along breadth-first trees */
    uint32_t nodes, ports, virtual_channels, flits, buffers, servers;
    int one_port;
    uint64_t startup, seed;
    uint64_t times_seed, messages_seed; /* seeds of the sequences of wormhole_source.h */
    double broadcast_fraction;
    cn_selection selection;
    uint32_t stride;          /* hops of the longest way */
    int strays;               /* a worm of a snapshot would make more hops than `stride` */
    int has_words;            /* the hops of a worm fit into a word, and buffers have two flits */
    int has_pdep;             /* the processor has PDEP and POPCNT: cni_has_pdep() */
    uint32_t shift;           /* a virtual channel is channel << shift | its number there */
    uint32_t span;            /* numbers of virtual channels of a node: ports << shift */
    uint32_t node_words;      /* words of a set of virtual channels of a node */
    uint64_t every;           /* the virtual channels of a channel, as bits */
    uint64_t lowest, highest; /* the first, the last virtual channels of the channels of a word */

    uint64_t cycle;
    uint64_t cycle_seed;

    void *made[24]; /* arrays that do not grow */
    size_t made_count;
    cni_crowd crowd;

    struct {                        /* by channel */
        uint64_t *requests;         /* set of virtual channels whose worms want to send */
        uint8_t *turn, *held_count; /* the virtual channel that won last; number held */
        uint64_t *crossed;          /* flits of the messages whose tails are through */
        uint32_t *contested;        /* channels with requests */
        size_t contested_count;     /* short messages keep the list from cycle to cycle */
        uint32_t *winners, *flits;  /* of short messages: winners of a cycle; flits in buffers */
        uint32_t *from;             /* the node that sends over the channel */
        cni_worm_holder *holder;    /* by virtual channel, while it is held: worm and hop */
        uint64_t held_sum, held_square, busy;
    } channels;

    struct {                    /* of cut-through alone */
        uint32_t room;          /* places of the buffer of a virtual channel */
        uint32_t *stored;       /* by virtual channel: places that are taken */
        uint64_t *full;         /* by node: set of virtual channels without a free place */
        cni_crossing *crossing; /* by channel, then by channel for messages that pass to its end */
        cni_wheel ends;         /* numbers of `crossing` by their ends */
        size_t crossings;       /* messages that cross or pass */
    } whole;

    struct { /* by worm */
        cni_worm *all;
        cni_worm_message *message;
        uint32_t *path;    /* the virtual channels of its hops, `stride` for each worm */
        uint8_t *awake;    /* whether the worm is in `active` */
        uint32_t *active;  /* worms with a flit that may move, or gone since */
        uint32_t *rivals;  /* in a cycle: active worms that are ready for a shared channel */
        uint32_t *picked;  /* in a cycle: worms whose header has moved */
        uint32_t *tails;   /* in a cycle: worms whose tail has left the source or a buffer */
        size_t places[11]; /* worms with room; places of each array that grows */
        size_t used;       /* worms that were ever in use */
        size_t active_count, rival_count, header_count, tail_count;
        size_t holders; /* worms that hold a virtual channel */
        uint32_t free;  /* the first unused worm; header.next is the next one */
    } worms;

    /* What headers may take: node_words words for the virtual channels that are no escapes, then
     * as many for the escapes. Sets are by number where choices have numbers, else by worm. */
    struct {
        uint64_t *set;
        int is_by_difference; /* the number is node ^ target, the bits in which they differ */
    } choices;

    struct {                     /* by node */
        uint64_t *held;          /* set of virtual channels that are held */
        uint64_t *wanted;        /* contains all that waiting headers may take */
        cni_worm_header *header; /* by place */
        uint8_t *is_listed;
        uint32_t *listed; /* nodes at which a header may be served */
        size_t listed_count;
    } waiting;

    struct {
        cni_source_process process;
        cni_wheel wheel;          /* nodes by the cycle of their next message */
        cni_arrivals *arrivals;   /* by node */
        uint64_t *made;           /* by node: messages so far */
        size_t traced;            /* messages of the trace that were admitted */
        cni_worm_queue *queue;    /* by channel */
        cni_worm_message *queued; /* by place: messages that are not served yet */
        size_t places, used;
        uint32_t free;
        cni_worm_list early; /* messages whose startup latency is not over */
    } sources;

    struct {
        cn_broadcast_base base_rule;
        uint8_t *next_base; /* by node, for round-robin */
        cni_worm_broadcast *all;
        size_t places, used;
        uint32_t free;
        uint32_t *parent; /* by broadcast and node, in a breadth-first tree; NULL: binomial */
        size_t parent_places;
        uint32_t *search; /* nodes of a breadth-first search */
    } broadcasts;

    struct {
        cni_worm_arrival *all; /* arrivals of this cycle, except plain unicasts */
        size_t places, count;
    } arrived;

    uint32_t injections; /* messages that the caller injected since the last cycle */
    uint64_t moved;      /* not 0: in this cycle a flit moved or a header was granted a channel */
    uint32_t *knot;      /* after a deadlock: channels; the holder of each waits for the next */
    size_t knot_count;
    uint64_t counters[CNI_COUNTERS];
    /* The counts of statistics but the loads, which `crossed` has. `offered` has the messages in
     * the network, by source. */
    cni_counts counts;
};

/* Makes an array of `count` zeroed elements, which the kernel releases. CN_ERR_MEMORY. */
cn_status cni_worm_make(cni_wormhole *kernel, void *array, uint64_t count, size_t size);
#define CNI_WORM_MAKE(kernel, array, count) cni_worm_make(kernel, &(array), count, sizeof *(array))

/* Runs `cycles` cycles. CN_ERR_MEMORY, CN_ERR_DEADLOCK, CN_ERR_INTERNAL. */
cn_status cni_wormhole_run(void *kernel, uint64_t cycles);

/* A message has arrived at its destination. CN_ERR_MEMORY. */
cn_status cni_wormhole_arrive(cni_wormhole *kernel, uint32_t worm);

/* As next_event and skip of cni_kernel. */
uint64_t cni_wormhole_next_event(const void *kernel);
void cni_wormhole_skip(void *kernel, uint64_t cycles);

/* ---- messages that go as a whole: cut_through.c ---- */

/* pass: a message passes from the end of a channel to its node; `number` is the number of channels
 * plus this channel. cross: a message crosses a channel, which is held from now on. At the end of
 * cycle `end` the tail has left the virtual channel or source with key `left`. store: takes a place
 * in the buffer of a virtual channel. */
void cni_cut_through_pass(cni_wormhole *kernel, uint32_t number, uint32_t worm, uint32_t left,
                          uint64_t end);
void cni_cut_through_cross(cni_wormhole *kernel, uint32_t channel, uint32_t worm, uint32_t left,
                           uint64_t end);
void cni_cut_through_store(cni_wormhole *kernel, uint32_t virtual_channel);

/* The first cycle at whose end a crossing ends. */
uint64_t cni_cut_through_next_end(const cni_wormhole *kernel);

/* ---- the scenarios that the kernel runs: wormhole_check.c ---- */

/* Binary digits of the number of a virtual channel in its channel. */
uint32_t cni_wormhole_shift(uint32_t virtual_channels);

/* Whether `unsafe` removes the classes and escapes of this routing. */
int cni_wormhole_is_by_class(const cni_routing_kind *kind);

/* Checks parameters and size. CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED. */
cn_status cni_wormhole_check_simulation(const cn_scenario *scenario);

/* Checks walks, deadlock (unless `unsafe`) and traffic. *longest: hops of the longest walk, or a
 * few more. CN_ERR_UNSUPPORTED, CN_ERR_MEMORY, CN_ERR_CANCELLED, CN_ERR_DISCONNECTED for traffic to
 * nodes that take no part. */
cn_status cni_wormhole_check_network(const cn_scenario *scenario, const cni_network *network,
                                     uint32_t *longest);

/* ---- messages: wormhole_queue.c ---- */

/* Draws the first message of every source, or admits the first messages of a trace. */
cn_status cni_wormhole_begin(void *kernel);

/* The next cycle at whose end a message comes into being or joins its queue; CN_NEVER. */
uint64_t cni_wormhole_next_message(const cni_wormhole *kernel);

/* Makes room for `messages` more messages; for one more broadcast. CN_ERR_MEMORY. */
cn_status cni_wormhole_make_room(cni_wormhole *kernel, uint32_t messages);
cn_status cni_wormhole_make_broadcast_room(cni_wormhole *kernel);

/* Creates a message at the end of the cycle; `word` picks queue and first target. CN_ERR_MEMORY. */
cn_status cni_wormhole_accept(cni_wormhole *kernel, uint32_t source, uint32_t destination,
                              uint32_t flits, uint32_t number, int traced, uint64_t word);
cn_status cni_wormhole_accept_broadcast(cni_wormhole *kernel, uint32_t source, uint32_t number,
                                        uint32_t base);

/* The base dimension of the next broadcast of a node; `word` picks a random base. */
uint32_t cni_wormhole_next_base(cni_wormhole *kernel, uint32_t source, uint64_t word);

/* Sends copies from a node, whose own copy came from `from`; the source: itself. CN_ERR_MEMORY. */
cn_status cni_wormhole_send_on(cni_wormhole *kernel, uint32_t broadcast, uint32_t node,
                               uint32_t from);

/* Finds the parents of all nodes in the breadth-first tree of a source. Leaves the nodes in the
 * order of the search in kernel->broadcasts.search, and returns their number. */
uint32_t cni_wormhole_grow_tree(cni_wormhole *kernel, uint32_t source, uint32_t parent[]);

/* Puts a message that is not served yet at the end of a list; there is room for it. */
void cni_wormhole_keep(cni_wormhole *kernel, cni_worm_list *list, const cni_worm_message *message);

/* Messages in a list. */
uint32_t cni_wormhole_length(const cni_wormhole *kernel, const cni_worm_list *list);

/* Hops from the source of a broadcast to a node along the tree. */
uint32_t cni_wormhole_depth(const cni_wormhole *kernel, uint32_t broadcast, uint32_t node);

/* Begins a worm with so many flits at the source. */
void cni_worm_begin(cni_wormhole *kernel, uint32_t worm, uint32_t flits);

/* The last flit of a worm has left the source, which serves the next message. CN_ERR_MEMORY. */
cn_status cni_wormhole_leave_source(cni_wormhole *kernel, uint32_t worm);

/* The end of a cycle: admits new messages, and lets due messages join their queues. */
cn_status cni_wormhole_admit(cni_wormhole *kernel);

/* ---- moves of flits in a cycle: wormhole_send.c ---- */

/* Moves flits of the active worms, and removes worms without a flit that could move from the
 * list. Lists the worms whose header has moved, and the worms whose tail has left the source or
 * a buffer. */
void cni_wormhole_send(cni_wormhole *kernel);

/* ---- snapshots: wormhole_visit.c ---- */

/* As in cni_worm_way; the last two: visit of cni_kernel, and its part for the sources. */
cn_status cni_worms_visit(const cni_worm_visit *visit, const cni_worm_record *record,
                          uint32_t worm);
uint32_t cni_worms_moving(const cni_wormhole *kernel, uint32_t virtual_channel);
cn_status cni_cut_through_visit(const cni_worm_visit *visit, const cni_worm_record *record,
                                uint32_t worm);
uint32_t cni_cut_through_moving(const cni_wormhole *kernel, uint32_t virtual_channel);
cn_status cni_wormhole_visit(void *kernel, cni_archive *archive);
cn_status cni_wormhole_visit_sources(cni_wormhole *kernel, cni_archive *archive);

/* ---- the first step of a cycle: wormhole_grant.c ---- */

/* Puts a worm among the waiting headers of its node. The header waits since the end of a cycle. */
void cni_wormhole_wait(cni_wormhole *kernel, uint32_t worm, uint64_t since);

/* A header has crossed a virtual channel: 1 at its destination; elsewhere the header waits. */
int cni_wormhole_come(cni_wormhole *kernel, uint32_t worm, uint32_t virtual_channel);

/* The first function serves the waiting headers of all nodes. The second returns whether any
 * waiting header can be served. */
void cni_wormhole_grant(cni_wormhole *kernel);
int cni_wormhole_can_grant(const cni_wormhole *kernel);

/* Lists a node where a header may be served in the next cycle, if is_to_be. Writes without a
 * branch, so the list has one place more than there are nodes. */
static inline void cni_wormhole_list(cni_wormhole *k, uint32_t node, int is_to_be)
{
    k->waiting.listed[k->waiting.listed_count] = node;
    k->waiting.listed_count += (size_t)is_to_be & !k->waiting.is_listed[node];
    k->waiting.is_listed[node] |= (uint8_t)is_to_be;
}

/* ---- deadlock: wormhole_deadlock.c ---- */

/* CN_ERR_DEADLOCK when some worms can never move again, with a dependency cycle in the error
 * text and in `knot`. Call it between cycles, any number of times. CN_ERR_MEMORY. */
cn_status cni_wormhole_check(void *kernel);

/* ---- what headers may take: wormhole_choice.c ---- */

/* Whether choices have numbers: differences, or entries of the table of the routing. */
static inline int cni_worm_has_numbers(const cni_wormhole *k)
{
    return k->choices.is_by_difference || k->network.table != NULL;
}

/* Makes the sets of all entries of the table, or of all differences. CN_ERR_MEMORY. */
cn_status cni_worm_open_choices(cni_wormhole *kernel, cni_budget *budget);

/* Where choices have no numbers: writes what the header of a worm may take at its node. */
void cni_worm_write_choice(cni_wormhole *kernel, uint32_t worm);

/* The set of a message at a node, in kernel->choices.set or in `room` of 2 CNI_WORM_WORDS words. */
const uint64_t *cni_worm_find_choice(const cni_wormhole *kernel, uint32_t node,
                                     const cni_worm_message *message, uint64_t room[]);

/* A port with virtual channels that the header of a message may take at its source, by `bits`. */
uint32_t cni_worm_pick_port(const cni_wormhole *kernel, const cni_worm_message *message,
                            uint32_t bits);

/* The header of a worm. */
static inline cni_worm_header *cni_worm_header_of(const cni_wormhole *k, uint32_t worm)
{
    return &k->waiting.header[(size_t)k->nodes + worm];
}

/* The set that a worm waits for, in kernel->choices.set. */
static inline const uint64_t *cni_worm_choice(const cni_wormhole *k, uint32_t worm)
{
    return &k->choices.set[(size_t)cni_worm_header_of(k, worm)->choice * 2 * k->node_words];
}

static inline cni_worm *cni_worm_at(const cni_wormhole *k, uint32_t worm)
{
    return &k->worms.all[worm];
}

/* Whether a worm holds a virtual channel; whether its header waits for one. */
static inline int cni_worm_holds(const cni_worm *w)
{
    return w->head > w->tail;
}

static inline int cni_worm_waits(const cni_worm *w)
{
    return w->header == 0 && w->exit == 0;
}

/* Flits in the buffer of a hop. */
static inline uint32_t cni_worm_flits(const cni_wormhole *k, uint32_t worm, uint32_t hop)
{
    const cni_worm *w = cni_worm_at(k, worm);
    if (k->crowd.is_on)
        return cni_crowd_flits(&k->crowd, k->worms.path[(size_t)worm * k->stride + hop]);
    if (k->way == &cni_short_messages)
        return k->flits > 1 ? k->channels.flits[k->worms.path[(size_t)worm * k->stride + hop]]
                            : hop + 1 + (w->header != 0) == w->head;
    if ((w->filled >> (hop + 1) & 1) == 0)
        return 0;
    return (w->vacant >> hop & 1) != 0 ? 1 : 2;
}

#endif
