/*
 * The slotted kernel of deflection routing (Horng 1992, 3.2 and 4.2): its state, shared between the
 * code that runs cycles (deflection_cycle.c) and the code around it.
 *
 * A message is one word, from the top:
 *
 *     created | source | number | hops | tagged | header
 *
 * created: cycle of admission less `epoch`; number: among those of this source and cycle; hops,
 * with statistics alone: those that it will have made on arrival, if it is not deflected again;
 * tagged: injected by the caller; header: the digits e_i of cn_topology_header(), one field a
 * dimension. The smaller word is the older message (ties by lower source address), so "the oldest
 * claimant" is a minimum and nothing is ever sorted. All ones means no message.
 *
 * On networks without header arithmetic the header is the destination.
 *
 * What crosses a channel in a cycle lies in channel[b], as it was in the sender's queue, until the
 * receiver has taken it and left the place empty (CNI_NO_MESSAGE). On the cubes there is a row for
 * each port, with the places of the senders, and `sent` has a bit for each; on other networks there
 * is one for each inlet, with the places of the receivers. The stride is a cache line more than the
 * nodes, or a power of two would put the places of all rows into one set of the cache. The two
 * banks take turns, so that one pass over the nodes can receive for one cycle and send for the
 * next.
 *
 * On the Boolean cubes both banks lie in the same words. What goes to another block of nodes has
 * the place of the sender in the first bank, but that of the receiver in the second. So each block
 * finds what comes to it where it then puts what it sends, and no other block needs these words in
 * that cycle: half the memory, and half as much of it to be read and written.
 *
 * A part of a network (part.h) has all this for its own nodes; nodes and blocks are numbered as in
 * the whole. What comes over a port of a cube from another part lies where the receiver has sent
 * over the port that leads back: that message is in the other part by then.
 *
 * Nodes are visited in blocks of 64, a word of bits for each: nodes that hold messages, messages
 * that come over a port, nodes that have new ones. So the work of a pass is that of what moves.
 */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_H

#include "base/inline.h"
#include "base/random.h"
#include "routing/decisions/selection.h"
#include "simulation/kernel/divided.h"
#include "simulation/kernel/network.h"

#define CNI_NO_MESSAGE UINT64_MAX

/* Counters beyond those of every kernel. */
enum {
    CNI_COUNT_FIRST_PHASE = CNI_COUNT_OWN, /* messages sent by phase 1 */
    CNI_COUNT_SECOND_PHASE,                /* messages sent by phase 2 */
    CNI_COUNT_DEFLECTED,                   /* of those, over a channel that is not valid */
    CNI_COUNT_QUEUE,                       /* messages in the nodes at the start of the cycles */
    CNI_COUNT_DISTANCE,                    /* sum over the accepted messages */
    CNI_COUNT_NODES,                       /* nodes that take part times cycles */
    CNI_COUNT_CHANNELS,                    /* channels that work between them times cycles */
    CNI_COUNT_FLITS /* that have crossed a channel, by CNI_CROSSING_FIRST and so on */
};

enum {
    CNI_MAX_PORTS = 64,
    CNI_BLOCK = 64,          /* nodes whose bits share a word */
    CNI_ARRIVAL_ROOM = 1024, /* delivered messages that are counted at a time */
    CNI_ARRIVALS_AT_ONCE =
        256 /* more than come to eight nodes, or over a port to a block, and eight */
};

/* Of the cycle; the header arithmetic of the cubes is an optimisation of the last one. */
typedef enum cni_deflection_form {
    CNI_FORM_BOOLEAN,
    CNI_FORM_KARY,
    CNI_FORM_ROUTED, /* any network, by a routing */
    CNI_FORMS
} cni_deflection_form;

/* Cut-through: messages on a channel, by the phase that sent them; and of both, those at their
 * destination. */
enum { CNI_CROSSING_FIRST, CNI_CROSSING_SECOND, CNI_CROSSING_LAST, CNI_CROSSINGS };

/* What one thread has to itself. */
typedef struct cni_deflection_worker {
    cni_hand hand;
    uint64_t first_block, end_block;                 /* of nodes */
    uint64_t crossing[CNI_MAX_PORTS][CNI_CROSSINGS]; /* by port, until their tails are through */
    size_t arrivals;
    uint64_t arrival[CNI_ARRIVAL_ROOM + CNI_ARRIVALS_AT_ONCE];
    size_t asked; /* distances that are still to be added up: where they are */
    const uint16_t *ask[CNI_ARRIVAL_ROOM];
} cni_deflection_worker;

/* What does not change while a simulation runs. The cycle works on a copy of its own, which the
 * compiler can keep in registers: nothing that is written through a pointer can change it. */
typedef struct cni_deflection_shape {
    uint64_t nodes;  /* of the network */
    uint64_t first;  /* node that is worked here; the first of a block */
    uint64_t blocks; /* of nodes that are worked here */
    uint64_t stride; /* from a row to the next in the arrays of channels */
    uint64_t slots;  /* of a node's queue: M, and some that are read and written and do not count */
    uint32_t ports;
    int has_pdep;     /* the processor: cni_has_pdep() */
    uint32_t rows;    /* of channels: a port each; or an inlet, of the node with the most */
    uint32_t buffers; /* M */

    /* cut-through, whose cycles here are mini-cycles: as many as Horng's cycle has (0: store and
     * forward), and the flits behind a header (m) */
    uint64_t period, tail;

    /* layout of a message */
    uint32_t digit_bits; /* of one header field */
    uint32_t tag_shift, hop_shift, number_shift, source_shift, created_shift;
    uint64_t header_mask, hop_mask; /* hop_mask: the greatest number that the field holds */

    /* the networks that are not Boolean cubes */
    uint32_t dimensions;
    int bidirectional;
    uint64_t radix;
    uint64_t inverse; /* of the radix, in 2^-40 */
} cni_deflection_shape;

/* What only the form for any network has, but for the network, which is a whole one elsewhere. */
typedef struct cni_deflection_network {
    cni_network network;
    cn_routing *closer; /* gives all channels that come closer */
    uint16_t *hops;     /* distances, by target and node; NULL: too many, and walked at every use */
    /* by node and port: of the word in the rows of channels, or behind them if it leaves the
     * part */
    uint32_t *place;
    uint64_t leaving;             /* such words */
    uint64_t endpoints, channels; /* of the part, see cni_network_count() */
    uint64_t *good;               /* by node: ports that work */
    uint32_t *keeps; /* by node: messages that may stay, as the rest takes what comes in */
} cni_deflection_network;

struct cni_deflection;

/* As in cni_part_cycles. */
typedef void (*cni_deflection_pass_fn)(const struct cni_deflection *kernel,
                                       cni_deflection_worker *worker, uint64_t cycle, int in,
                                       int out, uint32_t stage);

typedef struct cni_deflection {
    cni_divided base;            /* of the counts loads and what follows from them are elsewhere */
    const cn_topology *topology; /* kept alive by the scenario of the cn_sim */
    cni_deflection_form form;
    cn_selection selection; /* of the channels of phase 1; random but in CNI_FORM_ROUTED */
    cni_deflection_shape shape;
    uint64_t *preferred; /* by header, when the table is small enough; else NULL */
    uint64_t *fresh;     /* so by number: cni_deflection_fresh() */
    uint64_t *wrapped; /* by port and block: to which nodes the channel of that port comes round */
    /* by port and block: to which nodes it comes from another part; NULL: to none */
    uint64_t *outer;
    cni_deflection_network any;

    /* state */
    uint64_t epoch;
    uint64_t greatest_created; /* of the field */
    uint64_t *queue;           /* by node and slot, in no order */
    uint32_t *length;          /* by node, to the end of the last block */
    uint64_t *holds;           /* by block: nodes with messages */
    uint64_t *channel[2];
    void *memory[4];   /* what the queues, the tails and the banks lie in */
    uint64_t words;    /* of a bank */
    uint64_t *sent[2]; /* by port and block: senders; a word before and one behind each row */
    uint64_t *tails;   /* cut-through: headers at their destination, by the last port and node */
    uint64_t *came;    /* with statistics: over channels, by row and node of the blocks */

    cni_deflection_pass_fn pass; /* of the present step */
} cni_deflection;

static inline cni_deflection_worker *cni_deflection_worker_at(const cni_deflection *kernel,
                                                              uint32_t i)
{
    return (cni_deflection_worker *)kernel->base.hands[i];
}

extern const cni_deflection_pass_fn cni_deflection_passes[CNI_FORMS];

/* Cut-through (deflection_cut_through.c); none by a routing. */
extern const cni_deflection_pass_fn cni_deflection_passes_cut_through[CNI_FORMS];

/* For processors with AVX-512: cni_has_lanes(). */
#if CNI_AVX512
extern const cni_deflection_pass_fn cni_deflection_passes_wide[CNI_FORMS];
#endif

/* As in cni_kernel. */
cn_status cni_deflection_open(const cn_scenario *scenario, uint64_t seed, void **state);
void cni_deflection_close(void *state);

/* The mini-cycles of a cycle of cut-through, or 0, and the flits behind the header of a message. */
uint64_t cni_deflection_period(const cn_scenario *scenario, uint64_t *tail);

/* The network, and what only the form for any has; there it sets the ports and rows of the shape.
 * CN_ERR_UNSUPPORTED for a network or a routing on which messages cannot be deflected. */
cn_status cni_deflection_open_network(const cn_scenario *scenario, cni_deflection *kernel);
void cni_deflection_close_network(cni_deflection_network *any);

/* The neighbour of a node over the first of the channels that come closer to a target. */
static inline uint64_t cni_deflection_closer(const cni_deflection_network *any, uint64_t node,
                                             uint64_t target)
{
    uint64_t ports = cni_routing_ports(any->closer, node, 0, target);
    return any->network.far[node * any->network.ports + cni_lowest_bit(ports)];
}

/* A message that is tagged or counts its hops, after a deflection over a port: it has more of them,
 * and tells it on arrival. crossed: the message with the header that it then has. */
uint64_t cni_deflection_deflect(const cni_deflection *kernel, uint64_t node, uint64_t message,
                                uint32_t port, uint64_t crossed);

/* With statistics: the delivered messages that have been put aside, and the queues of a block of
 * nodes; then what cni_kernel.read gives. */
void cni_deflection_count_delivered(const cni_deflection *kernel, cni_deflection_worker *worker);
void cni_deflection_count_queues(const cni_deflection *kernel, uint64_t block);
void cni_deflection_read(const void *state, cni_counts *counts);

/* As cni_kernel.evaluate. */
void cni_deflection_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                             cn_result *result);

/* As cni_kernel.visit; and of it what statistics count. */
cn_status cni_deflection_visit(void *state, cni_archive *archive);
cn_status cni_deflection_visit_counts(cni_deflection *kernel, cni_archive *archive);

/* The channels between the part and others, unless it is the whole. CN_ERR_MEMORY. */
cn_status cni_deflection_open_part(cni_deflection *kernel);

/* The cycle in which a message was created, its source and its number. */
uint64_t cni_deflection_name(const cni_deflection *kernel, uint64_t message, uint64_t *source,
                             uint64_t *number);

/* Whether a message with this header may wait at a node. */
int cni_deflection_is_header(const cni_deflection *kernel, uint64_t node, uint64_t header);

/* Counts the delivered messages that have been put aside. */
void cni_deflection_count_arrivals(const cni_deflection *kernel, cni_deflection_worker *worker,
                                   uint64_t cycle);

/* What the scenario's own traffic offers a node at the end of a cycle, as far as there is room;
 * gives the new length of its queue. For all nodes in order from that of cni_divided_find_listed()
 * on. */
uint32_t cni_deflection_admit(const cni_deflection *kernel, cni_deflection_worker *worker,
                              uint64_t node, uint64_t stream, uint64_t cycle, uint32_t length);
/* The distances of new messages, which are counted at the end of a pass. */
void cni_deflection_add_distances(cni_deflection_worker *worker);

/* The header of a fresh message as it stands in it, and the hops that it asks for. */
uint64_t cni_deflection_header(const cni_deflection *kernel, uint64_t source, uint64_t destination);
uint64_t cni_deflection_hops_of(const cni_deflection *kernel, uint64_t source, uint64_t header);

/* The preferred channels of a header as it stands in a message, not by table. */
uint64_t cni_deflection_preferred(const cni_deflection *kernel, uint64_t header);

#endif
