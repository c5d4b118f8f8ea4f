/*
 * The wormhole kernel (docs/simulation.md): its state. It runs cut-through, too, whose messages
 * move in another way; all else is the same.
 *
 * Work goes by worms, not by flits: what the buffers along a worm hold is kept in words, bit i for
 * its hop number i, and a few operations on them move all of its flits. A virtual channel is looked
 * at one by one only where another is held on the same channel, when it is given to a header, and
 * when the tail leaves it. What a header may take and what is held at its node are words, too, bit
 * number i for virtual channel number i of the node. A message that is not served yet is a short
 * record in a pool; a worm takes a place among the worms.
 *
 * Everything that has a visible order is ordered within its node: waiting headers, queues, copies.
 */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_H

#include "base/bits.h"
#include "base/histogram.h"
#include "base/inline.h"
#include "scenario/traffic/source.h"
#include "simulation/kernel/kernel_head.h"
#include "simulation/kernel/network.h"
#include "simulation/kernel/wheel.h"
#include "simulation/wormhole/wormhole_crowd.h"

/* Counters beyond those of every kernel. */
enum {
    CNI_COUNT_WORM_BROADCASTS = CNI_COUNT_OWN, /* delivered broadcasts */
    CNI_COUNT_WORM_BROADCAST_DELAY,            /* the part of the delay that is theirs */
    CNI_COUNT_WORM_BROADCAST_WAIT, /* of that the waits of their first copies at the sources */
    CNI_COUNT_WORM_HOPS,           /* of the delivered unicasts */
    CNI_COUNT_WORM_UNICAST_GRANTS, /* virtual channels given, by cni_worm_class */
    CNI_COUNT_WORM_BROADCAST_GRANTS,
    CNI_COUNT_WORM_REPLICA_GRANTS,
    CNI_COUNT_WORM_WAITING,     /* cycles that headers waited for them */
    CNI_COUNT_WORM_FLIT_HOPS,   /* flits sent over channels */
    CNI_COUNT_WORM_HELD,        /* virtual channels held, summed over channels and cycles */
    CNI_COUNT_WORM_HELD_SQUARE, /* squares of their numbers, a channel */
    CNI_COUNT_WORM_BUSY,        /* channels of which any is held */
    CNI_COUNT_WORM_PRESENT,     /* accepted and not delivered, at the start of the cycles */
    CNI_COUNT_WORM_COPIES,      /* of broadcasts that have arrived */
    CNI_COUNT_WORM_NODES,       /* that take part, summed over cycles */
    CNI_COUNT_WORM_CHANNELS     /* that work, summed over cycles */
};
_Static_assert((int)CNI_COUNT_WORM_CHANNELS < (int)CNI_COUNT_OF_RUN, "no more room for counters");

#define CNI_WORM_NONE UINT32_MAX
#define CNI_WORM_SOURCE UINT32_C(0x80000000)
enum {
    CNI_WORM_HOPS = 4095,   /* of the longest walk that the kernel covers */
    CNI_WORM_WORDS = 64,    /* of a node's virtual channels, 64 of 64 ports */
    CNI_WORM_CHECK = 16384, /* cycles between looks for deadlocks */
    CNI_WORM_LOOK = 128,    /* and at how many channels are shared */
    CNI_WORM_AHEAD = 4,     /* nodes whose waiting headers are fetched ahead */
    CNI_WORM_LANES = 8      /* worms that are moved at once: lists have so many places more */
};

typedef enum cni_worm_class {
    CNI_WORM_UNICAST,
    CNI_WORM_BROADCAST, /* a copy from the source of the broadcast */
    CNI_WORM_REPLICA    /* a copy that another node sends on */
} cni_worm_class;

/* Where the flits of a worm are, a word of hops each. Of longer walks and of buffers of other sizes
 * the sets alone say it: then of `header`, `leaving` and `exit` only counts whether they are 0 or
 * 1. The first half is what moves change. */
typedef struct cni_worm {
    uint64_t filled;     /* bit 0: there are flits at the source, i + 1: in the buffer of hop i */
    uint64_t vacant;     /* bit i: the buffer of hop i has a free slot; no hop not granted yet */
    uint64_t moves;      /* a flit makes this hop in the present cycle */
    uint32_t left;       /* flits at the source */
    uint16_t tail, head; /* it holds the hops tail .. head-1 */
    uint64_t shared;     /* another virtual channel of that channel is held, too */
    uint64_t header;     /* the hop that the header has been granted and not made */
    uint64_t leaving;    /* the hop from where the tail is; 1: from the source */
    uint64_t exit;       /* the bit after the last hop once the header has arrived, else 0 */
} cni_worm;

/* A message, on its way or at its source. */
typedef struct cni_worm_message {
    uint64_t created;     /* cycle at whose end it came into being; a copy at its own node */
    uint32_t source;      /* node whose queue it joins */
    uint32_t destination; /* node */
    uint32_t flits;       /* 0: an unused place for a message that is not served yet */
    uint32_t broadcast;   /* its number, or CNI_WORM_NONE */
    uint32_t number;      /* of a message that was injected, or in the trace; else CNI_WORM_NONE */
    uint32_t target; /* of the leg that its header is in: the destination, or a node on the way */
    uint8_t port;    /* of the queue */
    uint8_t class;   /* cni_worm_class */
    uint8_t state;   /* class of the routing in which the header is */
    uint8_t traced;  /* it is of a trace */
    uint32_t next;   /* while it is not served: behind it in its list, by place */
} cni_worm_message;

/* The header of a worm, and its place among those that wait at its node: a ring, in which the node
 * has a place, too, before the first and behind the last. Node v has place number v, worm w number
 * nodes + w. */
typedef struct cni_worm_header {
    uint64_t since; /* the cycle at whose end it began to wait */
    uint32_t previous, next;
    uint32_t choice; /* number of what it waits for */
    uint32_t key;    /* order among those of the same cycle: the virtual channel of the buffer in
                      * which the header is, or from CNI_WORM_SOURCE on */
    uint32_t node;   /* where it is */
    uint32_t class, target; /* of the message */
} cni_worm_header;

/* A message that crosses a channel as a whole, or the end of one: is passed to its node. */
typedef struct cni_crossing {
    uint64_t end;  /* the cycle at whose end the tail is through */
    uint32_t worm; /* CNI_WORM_NONE: none */
    uint32_t left; /* key of what the tail leaves */
} cni_crossing;

typedef struct cni_worm_arrival {
    uint64_t order;
    uint32_t worm;
} cni_worm_arrival;

typedef struct cni_worm_list {
    uint32_t first, last;
} cni_worm_list;

typedef struct cni_worm_queue {
    cni_worm_list list; /* queued */
    uint32_t served;    /* worms that still have flits at the source */
} cni_worm_queue;

typedef struct cni_worm_broadcast {
    uint64_t created;
    uint64_t sent; /* the cycle in which a copy of the source is given a channel first, or 0 */
    uint32_t source, base;
    uint32_t missing; /* nodes that do not have it yet; the next free number when unused */
    uint32_t number;  /* as in a message */
} cni_worm_broadcast;

typedef struct cni_worm_holder {
    uint32_t worm;
    uint32_t hop;
} cni_worm_holder;

typedef struct cni_worm_visit cni_worm_visit;
typedef struct cni_worm_record cni_worm_record;

/* What differs between messages that go flit by flit and those that go as a whole. */
typedef struct cni_worm_way {
    cn_status (*open)(cni_wormhole *kernel); /* CN_ERR_MEMORY */
    void (*grant)(cni_wormhole *kernel);     /* serves the waiting headers of all nodes */
    /* Virtual channel number `at` of the node where its header is is given to a worm. */
    void (*give)(cni_wormhole *kernel, uint32_t worm, uint32_t node, uint32_t at);
    uint32_t (*load)(const cni_wormhole *kernel, uint32_t node, uint32_t at); /* against this one */
    cn_status (*move)(cni_wormhole *kernel); /* after the grants of a cycle; CN_ERR_MEMORY */
    /* Adds to loads (or NULL), by channel, the flits of messages under way; returns their sum. */
    uint64_t (*sent)(const cni_wormhole *kernel, uint64_t loads[]);
    /* The virtual channels that a worm holds, the number of them. */
    size_t (*held)(const cni_wormhole *kernel, uint32_t worm, const uint32_t **virtual_channels);
    /* In a snapshot: what a worm of that many hops has beside its record; anew when it is read. */
    cn_status (*visit)(const cni_worm_visit *visit, const cni_worm_record *record, uint32_t worm);
    /* The worm under way that has this as its first virtual channel; CNI_WORM_NONE. */
    uint32_t (*moving)(const cni_wormhole *kernel, uint32_t virtual_channel);
} cni_worm_way;

extern const cni_worm_way cni_worms, cni_short_messages, cni_whole_messages;

struct cni_wormhole {
    cni_kernel_head head;
    const cni_worm_way *way;
    cni_network network;
    const cn_traffic *traffic; /* kept alive by the scenario of the cn_sim; NULL: uniform */
    int draws_evenly;          /* destinations, of the nodes that take part */
    int is_unclassed;          /* any virtual channel of the ports, none of them an escape */
    int is_binomial;           /* broadcasts go by binomial trees, else by breadth-first ones */
    uint32_t nodes, ports, virtual_channels, flits, buffers, servers;
    int one_port;
    uint64_t startup, seed;
    uint64_t times_seed, messages_seed; /* of the sequences of wormhole_source.h */
    double broadcast_fraction;
    cn_selection selection;
    uint32_t stride;          /* hops of the longest way */
    int strays;               /* a snapshot had a worm that would go further */
    int has_words;            /* the hops of a worm are a word, and buffers are of two flits */
    int has_lanes;            /* flits are moved, and sets listed, by vectors; the same bits */
    int has_bmi2;             /* headers are served with POPCNT; the same bits */
    uint32_t shift;           /* a virtual channel is channel << shift | its number */
    uint32_t span;            /* virtual channels of a node: ports << shift */
    uint32_t node_words;      /* of their sets */
    uint64_t every;           /* of a channel */
    uint64_t lowest, highest; /* the first and the last ones of the channels of a word */

    uint64_t cycle;
    uint64_t cycle_seed;

    void *made[24]; /* arrays that do not grow */
    size_t made_count;
    cni_crowd crowd;

    struct {                        /* by channel */
        uint64_t *requests;         /* set of virtual channels whose worms want to send */
        uint8_t *turn, *held_count; /* the one that won last; those that are held */
        uint64_t *crossed;          /* flits of tails that are through */
        uint32_t *contested;        /* channels with requests */
        size_t contested_count;     /* of short messages: from cycle to cycle */
        uint32_t *winners, *flits;  /* of these: where flits go in a cycle, and are in buffers */
        uint32_t *from;             /* the node that sends over it */
        cni_worm_holder *holder;    /* by virtual channel, while it is held */
        uint64_t held_sum, held_square, busy;
    } channels;

    struct { /* of cut-through alone; room for messages in the buffer of a virtual channel: */
        uint32_t room;
        uint32_t *stored;       /* by virtual channel: places that are taken */
        uint64_t *full;         /* by node: set of virtual channels without a free one */
        cni_crossing *crossing; /* by channel, then by channel those that are passed to its end */
        cni_wheel ends;         /* of these numbers */
        size_t crossings;       /* that go on */
    } whole;

    struct { /* by worm */
        cni_worm *all;
        cni_worm_message *message;
        uint32_t *path;   /* stride virtual channels a worm */
        uint8_t *awake;   /* it is listed in: */
        uint32_t *active; /* worms of which some flit may move, and those that are gone since */
        uint32_t *rivals; /* of these, in a cycle: those that are ready for shared channels */
        uint32_t *picked; /* those whose header has moved */
        uint32_t *tails;  /* and those whose tail has left something */
        size_t
            places[11]; /* worms that there is room for; elements of the arrays that grow with it */
        size_t used;    /* worms that were ever used */
        size_t active_count, rival_count, header_count, tail_count;
        size_t holders; /* those that hold something */
        uint32_t free;  /* chained by header.next */
    } worms;

    /* What headers may take, node_words for the virtual channels that are no escapes, then as many
     * for the escapes; by number in a table, and by worm where there is none. */
    struct {
        uint64_t *set;
        int is_by_difference; /* the number is that of the bits in which node and target differ */
    } choices;

    struct {                     /* by node */
        uint64_t *held;          /* set of virtual channels, in words as above */
        uint64_t *wanted;        /* at least those that waiting headers may take */
        cni_worm_header *header; /* by place */
        uint8_t *is_listed;
        uint32_t *listed; /* nodes at which a header may get something now */
        size_t listed_count;
    } waiting;

    struct {
        cni_source_process process;
        cni_wheel wheel;          /* nodes by the cycle of their next message */
        cni_arrivals *arrivals;   /* by node */
        uint64_t *made;           /* messages */
        size_t traced;            /* messages of the trace that were admitted */
        cni_worm_queue *queue;    /* by channel */
        cni_worm_message *queued; /* by place: those that are not served yet */
        size_t places, used;
        uint32_t free;
        cni_worm_list early; /* not due yet */
    } sources;

    struct {
        cn_broadcast_base base_rule;
        uint8_t *next_base; /* by node, of round-robin */
        cni_worm_broadcast *all;
        size_t places, used;
        uint32_t free;
        uint32_t *parent; /* by broadcast and node, in a tree of the search; NULL: binomial */
        size_t parent_places;
        uint32_t *search; /* nodes of a breadth-first search */
    } broadcasts;

    struct {
        cni_worm_arrival *all; /* in this cycle, but for plain unicasts */
        size_t places, count;
    } arrived;

    uint64_t in_flight;
    uint32_t injections; /* since the last cycle */
    uint64_t moved;      /* not 0: a flit moved in this cycle, or a header got something */
    uint32_t *knot; /* after a deadlock: channels, each waited for by what holds the one before */
    size_t knot_count;
    uint64_t counters[CNI_COUNTERS];
    /* With statistics, but for the loads, which are known anyway; by source in `offered`: messages
     * in the network. */
    cni_counts counts;
};

/* `count` zeroed elements into an array of the kernel, which keeps them. CN_ERR_MEMORY. */
cn_status cni_worm_make(cni_wormhole *kernel, void *array, uint64_t count, size_t size);
#define CNI_WORM_MAKE(kernel, array, count) cni_worm_make(kernel, &(array), count, sizeof *(array))

/* Runs `cycles` cycles. CN_ERR_MEMORY, CN_ERR_DEADLOCK, CN_ERR_INTERNAL. */
cn_status cni_wormhole_run(void *kernel, uint64_t cycles);

/* A message has arrived. CN_ERR_MEMORY. */
cn_status cni_wormhole_arrive(cni_wormhole *kernel, uint32_t worm);

/* As next_event and skip of a kernel. */
uint64_t cni_wormhole_next_event(const void *kernel);
void cni_wormhole_skip(void *kernel, uint64_t cycles);

/* ---- messages that go as a whole: cut_through.c ---- */

/* The tail of a message leaves the virtual channel or source with this key until `end`: from the
 * end of a channel to its node, with a number beyond the channels; or over a channel. A message
 * takes a place in the buffer of a virtual channel. */
void cni_cut_through_pass(cni_wormhole *kernel, uint32_t number, uint32_t worm, uint32_t left,
                          uint64_t end);
void cni_cut_through_cross(cni_wormhole *kernel, uint32_t channel, uint32_t worm, uint32_t left,
                           uint64_t end);
void cni_cut_through_store(cni_wormhole *kernel, uint32_t virtual_channel);

/* The first cycle at whose end a message that is under way ends. */
uint64_t cni_cut_through_next_end(const cni_wormhole *kernel);

/* ---- what it takes: wormhole_check.c ---- */

/* The power of two that virtual channels take of the numbers. */
uint32_t cni_wormhole_shift(uint32_t virtual_channels);

/* Whether `unsafe` takes the classes and escapes of this routing away. */
int cni_wormhole_is_by_class(const cni_routing_kind *kind);

/* CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED. */
cn_status cni_wormhole_check_simulation(const cn_scenario *scenario);

/* Besides CN_ERR_DISCONNECTED for traffic to nodes that take no part. *longest: hops of a walk. */
cn_status cni_wormhole_check_network(const cn_scenario *scenario, const cni_network *network,
                                     uint32_t *longest);

/* ---- messages: wormhole_queue.c ---- */

/* Offers the first messages of all nodes. */
cn_status cni_wormhole_begin(void *kernel);

/* The next cycle at whose end a message comes into being or joins its queue; CN_NEVER. */
uint64_t cni_wormhole_next_message(const cni_wormhole *kernel);

/* Makes room for so many more messages; for one more broadcast. CN_ERR_MEMORY. */
cn_status cni_wormhole_make_room(cni_wormhole *kernel, uint32_t messages);
cn_status cni_wormhole_make_broadcast_room(cni_wormhole *kernel);

/* A new message at the end of the cycle. The word picks queue and first target. CN_ERR_MEMORY. */
cn_status cni_wormhole_accept(cni_wormhole *kernel, uint32_t source, uint32_t destination,
                              uint32_t flits, uint32_t number, int traced, uint64_t word);
cn_status cni_wormhole_accept_broadcast(cni_wormhole *kernel, uint32_t source, uint32_t number,
                                        uint32_t base);

/* The base dimension of a node's next broadcast; the word picks a random one. */
uint32_t cni_wormhole_next_base(cni_wormhole *kernel, uint32_t source, uint64_t word);

/* The copies that a node sends on, whose own came from node `from`, if any. CN_ERR_MEMORY. */
cn_status cni_wormhole_send_on(cni_wormhole *kernel, uint32_t broadcast, uint32_t node,
                               uint32_t from);

/* The parents of all nodes in the breadth-first tree of a source. Leaves the nodes in that order in
 * kernel->broadcasts.search, and returns their number. */
uint32_t cni_wormhole_grow_tree(cni_wormhole *kernel, uint32_t source, uint32_t parent[]);

/* Puts a message that is not served yet behind those of a list; there is room for it. */
void cni_wormhole_keep(cni_wormhole *kernel, cni_worm_list *list, const cni_worm_message *message);

/* Messages in a list. */
uint32_t cni_wormhole_length(const cni_wormhole *kernel, const cni_worm_list *list);

/* Hops on the tree of a broadcast from its source to a node. */
uint32_t cni_wormhole_depth(const cni_wormhole *kernel, uint32_t broadcast, uint32_t node);

/* A worm of which all flits are at the source. */
void cni_worm_begin(cni_wormhole *kernel, uint32_t worm, uint32_t flits);

/* The source of a worm is rid of its last flit. */
cn_status cni_wormhole_leave_source(cni_wormhole *kernel, uint32_t worm);

/* The end of a cycle: new messages, and those that are due join their queues. */
cn_status cni_wormhole_admit(cni_wormhole *kernel);

/* ---- the flits that move in a cycle: wormhole_send.c ---- */

/* Moves flits of the active worms, and leaves those out of the list of which none could move. Lists
 * the worms of which the header has moved, and those of which the tail has left something. */
void cni_wormhole_send(cni_wormhole *kernel);

/* ---- snapshots: wormhole_visit.c ---- */

/* As in cni_worm_way; as cni_kernel.visit, and the part of the sources, in wormhole_queue.c. */
cn_status cni_worms_visit(const cni_worm_visit *visit, const cni_worm_record *record,
                          uint32_t worm);
uint32_t cni_worms_moving(const cni_wormhole *kernel, uint32_t virtual_channel);
cn_status cni_cut_through_visit(const cni_worm_visit *visit, const cni_worm_record *record,
                                uint32_t worm);
uint32_t cni_cut_through_moving(const cni_wormhole *kernel, uint32_t virtual_channel);
cn_status cni_wormhole_visit(void *kernel, cni_archive *archive);
cn_status cni_wormhole_visit_sources(cni_wormhole *kernel, cni_archive *archive);

/* ---- the first part of a cycle: wormhole_grant.c ---- */

/* Puts a worm among the waiting headers of its node, where it has been since this cycle. */
void cni_wormhole_wait(cni_wormhole *kernel, uint32_t worm, uint64_t since);

/* A header has come over a virtual channel: 1 at its destination; elsewhere it waits. */
int cni_wormhole_come(cni_wormhole *kernel, uint32_t worm, uint32_t virtual_channel);

/* Serves the waiting headers of all nodes; whether there is anything to give. */
void cni_wormhole_grant(cni_wormhole *kernel);
int cni_wormhole_can_grant(const cni_wormhole *kernel);

/* Whether this processor counts bits at once. */
int cni_wormhole_has_bmi2(void);

/* A header at this node may get something in the next cycle, if it says so. The list has one place
 * more than there are nodes. */
static inline void cni_wormhole_list(cni_wormhole *k, uint32_t node, int is_to_be)
{
    k->waiting.listed[k->waiting.listed_count] = node;
    k->waiting.listed_count += (size_t)is_to_be & !k->waiting.is_listed[node];
    k->waiting.is_listed[node] |= (uint8_t)is_to_be;
}

/* ---- deadlock: wormhole_deadlock.c ---- */

/* CN_ERR_DEADLOCK, with a dependency cycle in the error text and in the kernel, when some worms can
 * never move again. Between cycles, any number of times. CN_ERR_MEMORY. */
cn_status cni_wormhole_check(void *kernel);

/* ---- what headers may take: wormhole_choice.c ---- */

/* Choices have numbers, be it in the table of the routing. */
static inline int cni_worm_has_numbers(const cni_wormhole *k)
{
    return k->choices.is_by_difference || k->network.table != NULL;
}

/* Makes the choices of all entries of the table, or of all differences. CN_ERR_MEMORY. */
cn_status cni_worm_open_choices(cni_wormhole *kernel, cni_budget *budget);

/* Where they have none: finds what the header of a worm may take at its node. */
void cni_worm_write_choice(cni_wormhole *kernel, uint32_t worm);

/* The same sets for a message at a node, in kernel->choices.set or `room` of 2 CNI_WORM_WORDS. */
const uint64_t *cni_worm_find_choice(const cni_wormhole *kernel, uint32_t node,
                                     const cni_worm_message *message, uint64_t room[]);

/* One of the ports with virtual channels that the header of a message may take at its source. */
uint32_t cni_worm_pick_port(const cni_wormhole *kernel, const cni_worm_message *message,
                            uint32_t bits);

/* The header of a worm. */
static inline cni_worm_header *cni_worm_header_of(const cni_wormhole *k, uint32_t worm)
{
    return &k->waiting.header[(size_t)k->nodes + worm];
}

/* The sets that a worm waits for, as in kernel->choices.set. */
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

/* With statistics: a message of this source has been delivered. */
static inline void cni_wormhole_count_leave(cni_wormhole *k, uint32_t source)
{
    k->counts.offered[source] -= 1;
    cni_counts_leave(&k->counts, source, k->cycle);
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
