/*
 * The slotted kernel of deflection routing (Horng 1992, 3.2 and 4.2): its state, which the code of
 * a cycle (deflection_cycle.c) and the code around it share.
 *
 * A node sends its messages in two phases (cn_route_two_phase()). In phase 1 every message picks a
 * channel that brings it closer to its destination, and the oldest message that picks a channel
 * gets it. In phase 2 a node that would lack buffers for the messages of the next cycle sends the
 * youngest of the other messages over random free channels.
 *
 * A message is one word, with fields from the top:
 *
 *     created | source | number | hops | tagged | header
 * - created: the cycle of admission less `epoch`.
 * - number: the number among the messages of this source and cycle.
 * - hops: with statistics alone; the hops that the message will have made on arrival if it is not
 *   deflected again.
 * - tagged: 1 for a message that the caller injected.
 * - header: the digits e_i of cn_topology_header(), a field for each dimension; on networks without
 *   header arithmetic the destination.
 *
 * The smaller word is the older message (in a tie the message of the lower source), so the oldest
 * claimant is a minimum, and nothing is ever sorted. All ones mean no message.
 *
 * A message that crosses a channel in a cycle lies in channel[b], as it was in the queue of the
 * sender, until the receiver has read it and has set the place to CNI_NO_MESSAGE. On cubes the bank
 * has a row for each port, with the places of the senders, and `sent` has a bit for each place. On
 * other networks it has a row for each inlet, with the places of the receivers. The stride is a
 * cache line more than the nodes: with a power of two the places of all rows would fall into the
 * same set of the cache. The two banks take turns, so that one pass over the nodes can receive for
 * one cycle and send for the next.
 *
 * On Boolean cubes both banks are the same words. A message to another block of nodes lies in the
 * place of the sender in the first bank, but in the place of the receiver in the second. So a block
 * sends into the very words from which it has just received, and no other block needs these words
 * in that cycle. This halves the memory, and the reading and writing of it.
 *
 * A part of a network (part.h) has queues and banks for its own nodes alone; nodes and blocks keep
 * their numbers in the whole network. A message that comes over a port of a cube from another part
 * lies where the receiver has sent over the port that leads back: the message sent is in the other
 * part by then.
 *
 * Nodes are visited in blocks of 64. A word has a bit for each node of a block: nodes that hold
 * messages, nodes to which messages come over a port, nodes with new messages. So the work of a
 * pass is proportional to the messages that move.
 */
#ifndef CNI_SIMULATION_DEFLECTION_DEFLECTION_H
#define CNI_SIMULATION_DEFLECTION_DEFLECTION_H

#include "routing/decisions/selection.h"
#include "simulation/kernel/divided.h"
#include "simulation/kernel/network.h"

#define CNI_NO_MESSAGE UINT64_MAX

/* Counters beyond the counters of every kernel. */
enum {
    CNI_COUNT_FIRST_PHASE = CNI_COUNT_OWN, /* messages sent by phase 1 */
    CNI_COUNT_SECOND_PHASE,                /* messages sent by phase 2 */
    /* messages sent by phase 2 over a channel that does not bring them closer */
    CNI_COUNT_DEFLECTED,
    CNI_COUNT_QUEUE,    /* messages in the nodes at the start of the cycles */
    CNI_COUNT_DISTANCE, /* distances, summed over the accepted messages */
    CNI_COUNT_NODES,    /* participating nodes times cycles */
    /* working channels between participating nodes times cycles */
    CNI_COUNT_CHANNELS,
    /* flits that have crossed a channel, three counters by CNI_CROSSING_FIRST and so on */
    CNI_COUNT_FLITS
};

enum {
    CNI_MAX_PORTS = 64,
    CNI_BLOCK = 64,          /* nodes whose bits share a word */
    CNI_ARRIVAL_ROOM = 1024, /* delivered messages that are counted together */
    /* Room behind these messages: fewer than 256 messages come to eight nodes, or over a port to
     * a block, before the next test of the number; the eight words that a vector writes are
     * included. */
    CNI_ARRIVALS_AT_ONCE = 256
};

/* The form of a cycle. CNI_FORM_ROUTED runs any network; the header arithmetic of the other
 * forms makes cubes faster. */
typedef enum cni_deflection_form {
    CNI_FORM_BOOLEAN,
    CNI_FORM_KARY,
    CNI_FORM_ROUTED /* any network, with a routing */
} cni_deflection_form;

/* Cut-through: counters of messages on a channel. The first two counters go by the phase that
 * sent the message. CNI_CROSSING_LAST counts the messages of both phases that have reached their
 * destination. */
enum { CNI_CROSSING_FIRST, CNI_CROSSING_SECOND, CNI_CROSSING_LAST, CNI_CROSSINGS };

/* The data of one thread. */
typedef struct cni_deflection_worker {
    cni_hand hand;
    uint64_t first_block, end_block; /* blocks of nodes */
    /* by port: messages whose tails have not crossed yet */
    uint64_t crossing[CNI_MAX_PORTS][CNI_CROSSINGS];
    size_t arrivals;
    uint64_t arrival[CNI_ARRIVAL_ROOM + CNI_ARRIVALS_AT_ONCE];
    /* the number of distances that are still to be added up, and the places of the distances */
    size_t distances;
    const uint16_t *distance[CNI_ARRIVAL_ROOM];
} cni_deflection_worker;

/* The constants of a simulation. A cycle works on its own copy, which the compiler can keep in
 * registers, because no write through a pointer can change it. */
typedef struct cni_deflection_shape {
    uint64_t nodes;  /* nodes of the network */
    uint64_t first;  /* the first node of the part, which is also the first node of a block */
    uint64_t blocks; /* blocks of the part */
    uint64_t stride; /* words from a row of a bank to the next row */
    /* of a node's queue: M, and slots that vectors and branch-free code read and write in vain */
    uint64_t slots;
    uint32_t ports;
    int has_pdep, has_lanes; /* of the processor: cni_has_pdep(), cni_has_lanes() */
    /* rows of a bank: a row a port; or a row an inlet, as many as the node with most inlets has */
    uint32_t rows;
    uint32_t buffers; /* M */

    /* Cut-through, where a cycle of this kernel is a mini-cycle: the mini-cycles of one of
     * Horng's cycles (0: store and forward), and the flits behind a header (m). */
    uint64_t period, tail;

    /* the layout of a message */
    uint32_t digit_bits; /* of one field of a header */
    uint32_t tag_shift, hop_shift, number_shift, source_shift, created_shift;
    uint64_t header_mask, hop_mask; /* hop_mask: the greatest number of hops that the field holds */

    /* for networks other than Boolean cubes */
    uint32_t dimensions;
    int bidirectional;
    uint64_t radix;
    uint64_t inverse; /* 2^40 / radix, rounded up, to divide by the radix */
} cni_deflection_shape;

/* Data of the form for any network. The other forms use `network` alone, which then is a whole
 * cube. */
typedef struct cni_deflection_network {
    cni_network network;
    cn_routing *closer; /* a routing that allows all channels that come closer */
    /* distances by target and node; NULL: the table would be too large, each use walks the way */
    uint16_t *hops;
    /* By node and port: the place of the channel's word in the rows, or behind the rows for a
     * channel to another part. */
    uint32_t *place;
    uint64_t leaving;             /* words of channels to other parts */
    uint64_t endpoints, channels; /* of the part, from cni_network_count() */
    uint64_t *working;            /* by node: the working ports */
    /* by node: the messages that may stay, so that one message of each inlet finds room */
    uint32_t *most_kept;
} cni_deflection_network;

typedef struct cni_deflection {
    /* in its counts, `load` and `forwarded` are not kept: see cni_deflection_read() */
    cni_divided base;
    const cn_topology *topology; /* kept alive by the scenario of the cn_sim */
    cni_deflection_form form;
    /* how phase 1 picks a channel; always random except in CNI_FORM_ROUTED */
    cn_selection selection;
    cni_deflection_shape shape;
    uint64_t *preferred; /* preferred channels by header; NULL: the table would be too large */
    uint64_t *fresh;     /* by number of the header: cni_deflection_fresh(); NULL as above */
    /* By port and block: the nodes to which the port's channel comes round the end of a ring. */
    uint64_t *wrapped;
    /* by port and block: the nodes to which the channel comes from another part; NULL: no parts */
    uint64_t *outer;
    cni_deflection_network any;

    /* state */
    uint64_t epoch;
    uint64_t greatest_created; /* the greatest value of the field `created` */
    uint64_t *queue;           /* by node and slot, in no order */
    uint32_t *length;          /* by node, up to the end of the last block */
    uint64_t *holds;           /* by block: the nodes with messages */
    uint64_t *channel[2];
    /* the allocated memory of queues, tails and banks, in this order; the arrays begin on cache
     * lines within it */
    void *memory[4];
    uint64_t words; /* words of a bank */
    /* by port and block: the senders; each row has a word before it and a word behind it */
    uint64_t *sent[2];
    uint64_t *tails; /* cut-through: by last port and node, the headers at their destination */
    /* with statistics: messages that came over a channel, by row and node of the blocks */
    uint64_t *came;
} cni_deflection;

static inline cni_deflection_worker *cni_deflection_worker_at(const cni_deflection *kernel,
                                                              uint32_t i)
{
    return (cni_deflection_worker *)kernel->base.hands[i];
}

/* As cni_part_cycles.pass. */
void cni_deflection_pass(const cni_deflection *kernel, cni_deflection_worker *worker,
                         uint64_t cycle, int in, int out);

/* The pass of cut-through, on cubes that are never divided (deflection_cut_through.c). */
void cni_deflection_pass_cut_through(const cni_deflection *kernel, cni_deflection_worker *worker,
                                     uint64_t cycle, int in, int out);

/* As in cni_kernel. */
cn_status cni_deflection_open(const cn_scenario *scenario, uint64_t seed, void **state);
void cni_deflection_close(void *state);

/* The mini-cycles of a cycle of cut-through, or 0, and the flits behind the header of a message. */
uint64_t cni_deflection_period(const cn_scenario *scenario, uint64_t *tail);

/* Opens the network, and for CNI_FORM_ROUTED its arrays; there it also sets the rows of the
 * shape. CN_ERR_UNSUPPORTED when messages cannot be deflected with this network or routing. */
cn_status cni_deflection_open_network(const cn_scenario *scenario, cni_deflection *kernel);
void cni_deflection_close_network(cni_deflection_network *any);

/* The neighbour of a node over the lowest port that comes closer to a target. */
static inline uint64_t cni_deflection_closer(const cni_deflection_network *any, uint64_t node,
                                             uint64_t target)
{
    uint64_t ports = cni_routing_ports(any->closer, node, 0, target);
    return any->network.far[node * any->network.ports + cni_lowest_bit(ports)];
}

/* Records the deflection over a port of a message that is tagged or counts its hops: its hop
 * field and its letter get the additional hops. crossed: the message with the header after the
 * channel. Returns the message, with the header before the channel. */
uint64_t cni_deflection_deflect(const cni_deflection *kernel, uint64_t node, uint64_t message,
                                uint32_t port, uint64_t crossed);

/* With statistics: counts the collected delivered messages by node and hops, and the queues of a
 * block of nodes; then cni_kernel.read. */
void cni_deflection_count_delivered(const cni_deflection *kernel, cni_deflection_worker *worker);
void cni_deflection_count_queues(const cni_deflection *kernel, uint64_t block);
void cni_deflection_read(const void *state, cni_counts *counts);

/* As cni_kernel.evaluate. */
void cni_deflection_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                             cn_result *result);

/* As cni_kernel.visit; and the statistics of the state. */
cn_status cni_deflection_visit(void *state, cni_archive *archive);
cn_status cni_deflection_visit_counts(cni_deflection *kernel, cni_archive *archive);

/* Sets the members of cni_part that belong to the kernel. In a part, also the channels to and
 * from other parts. CN_ERR_MEMORY. */
cn_status cni_deflection_open_part(cni_deflection *kernel);

/* The cycle in which a message was created, its source and its number. */
uint64_t cni_deflection_name(const cni_deflection *kernel, uint64_t message, uint64_t *source,
                             uint64_t *number);

/* Whether a message with this header may wait at a node. */
int cni_deflection_is_header(const cni_deflection *kernel, uint64_t node, uint64_t header);

/* Counts the delivered messages that the worker has collected. */
void cni_deflection_count_arrivals(const cni_deflection *kernel, cni_deflection_worker *worker,
                                   uint64_t cycle);

/* Admits the new messages of the scenario's traffic at a node at the end of a cycle, as far as
 * there is room. Returns the new length of its queue. Called for consecutive nodes, after
 * cni_divided_find_listed() for the first node. */
uint32_t cni_deflection_admit(const cni_deflection *kernel, cni_deflection_worker *worker,
                              uint64_t node, uint64_t stream, uint64_t cycle, uint32_t length);
/* Adds up the distances of new messages, at the end of a pass or when the list is full. */
void cni_deflection_add_distances(cni_deflection_worker *worker);

/* The header field of a new message, and the number of hops that the header needs. */
uint64_t cni_deflection_header(const cni_deflection *kernel, uint64_t source, uint64_t destination);
uint64_t cni_deflection_hops_of(const cni_deflection *kernel, uint64_t source, uint64_t header);

/* The preferred channels of a header field, without a table. */
uint64_t cni_deflection_preferred(const cni_deflection *kernel, uint64_t header);

#endif
