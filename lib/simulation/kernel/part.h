/*
 * The part of a network that a process simulates when several processes share the network
 * (cubenet/experimental/part.h). A kernel divides nodes among parts as it does among threads. A
 * message to another part lies in a bank of channels until the exchange has packed it; a message
 * from another part is put where the receiver looks for it.
 */
#ifndef CNI_SIMULATION_KERNEL_PART_H
#define CNI_SIMULATION_KERNEL_PART_H

#include "cubenet/experimental/part.h"

#include "base/team.h"
#include "scenario/scenario.h"
#include "simulation/kernel/mailbox.h"

/* A part has whole blocks of CNI_PART_BLOCK nodes. */
enum { CNI_PART_BLOCK = 64, CNI_MOST_PARTS = UINT16_MAX };

/* The part that a caller asks for, in a scenario that is being opened. */
typedef struct cni_part_order {
    uint32_t part, parts;
    cn_exchange_fn exchange;
    void *user;
} cni_part_order;

/* Up to 64 channels whose messages lie side by side, in this part and at their receivers. */
typedef struct cni_part_run {
    uint64_t from; /* place in the bank */
    uint64_t to;   /* row << 40 | node of the first receiver */
    uint32_t count;
} cni_part_run;

/* The traffic to and from another part. */
typedef struct cni_part_link {
    uint64_t part;
    cni_part_run *run;
    size_t run_room, runs;
    uint64_t channels, arriving; /* channels to the other part, and from it */
    uint64_t *out, *in;          /* buffers */
    uint64_t room_out, room_in;  /* words */
    int asks;                    /* the link takes part in the present exchange */
    cn_part_neighbor neighbor;   /* for the host, in the present exchange */
    /* letters of messages to the other part, and how many of these letters are sent */
    uint64_t *letter;
    size_t letter_room, letters, letters_sent;
} cni_part_link;

/* A bank of channels, by row and node of the part; the kernel decides what a row is, a port or an
 * inlet. For some kernels also a bit for each place with a message. The first word of a place
 * without a message is all ones. */
typedef struct cni_part_bank {
    uint64_t *word;
    uint64_t stride; /* places of a row */
    uint64_t rows;   /* rows in which messages arrive */
    /* The kernel keeps the places of this many rows empty for arrivals; the exchange empties the
     * other rows. */
    uint64_t kept;
    uint64_t *sent; /* NULL: no bits. A word before and a word behind each row */
    uint64_t sent_stride;
} cni_part_bank;

/* Start from {0}: the whole network. */
typedef struct cni_part {
    uint64_t first, end;  /* nodes */
    uint64_t nodes;       /* nodes of the network */
    uint32_t part, parts; /* parts = 0: the whole network */
    cn_exchange_fn exchange;
    void *user;
    uint32_t width; /* words of a message */
    /* as many channels lead to another part as come from it, in the same order */
    int is_mirrored;
    cni_part_link *link;
    size_t link_room, links;
    cn_part_neighbor **neighbors; /* room for the neighbours of a call of the host */
    /* with statistics: by place of the bank, the messages that have left the part */
    uint64_t *gone;

    /* The kernel and the mailbox. allows: whether a message can come to a node in a row of the
     * bank at the end of a cycle; any words may come from another process. find: the letter of a
     * message, and its number. */
    void *kernel;
    cni_mailbox *mailbox;
    int (*allows)(const void *kernel, uint64_t row, uint64_t node, const uint64_t *message,
                  uint64_t cycle);
    cni_letter *(*find)(void *kernel, const uint64_t *message, uint64_t *number);
    /* makes room for one more arrival to report; CN_ERR_MEMORY */
    cn_status (*make_room)(void *kernel);

    uint64_t balance; /* messages from other parts, less messages to other parts */
    cn_status status; /* the first error */
    /* for cn_sim_exchanged(); times in seconds */
    uint64_t messages, bytes;
    double waiting, stepping;
} cni_part;

/* Sets the nodes of the part: all nodes, or the nodes of the order in the scenario, which the
 * caller has checked. */
void cni_part_begin(const cn_scenario *scenario, cni_part *part);
void cni_part_close(cni_part *part);

static inline int cni_part_has(const cni_part *part, uint64_t node)
{
    return node >= part->first && node < part->end;
}

/* The part of a node. */
uint64_t cni_part_of(const cni_part *part, uint64_t node);

/* Opens the channels of a cube with two-way channels. The place of a channel is the place
 * of its port and sender; a message from another part gets the place of the channel that leads
 * back. CN_ERR_MEMORY. */
cn_status cni_part_link_cube(cni_part *part, const cn_topology *cube, uint64_t stride);

/* Adds a channel to another part, from its place in the bank to a row and node there; and announces
 * a channel from another part. CN_ERR_MEMORY. */
cn_status cni_part_add(cni_part *part, uint64_t from, uint64_t row, uint64_t far);
cn_status cni_part_expect(cni_part *part, uint64_t far);

/* The last step: allocates the buffers. CN_ERR_MEMORY. */
cn_status cni_part_seal(cni_part *part);

/* After the pass over the nodes: takes the messages to other parts out of the bank and begins to
 * send them. Before the next pass: puts the messages from other parts into the bank. No other
 * thread works meanwhile. CN_ERR_EXCHANGE, CN_ERR_MEMORY. */
cn_status cni_part_send(cni_part *part, const cni_part_bank *bank, uint64_t cycle);
cn_status cni_part_receive(cni_part *part, const cni_part_bank *bank, uint64_t cycle);

#define CNI_NO_BANK 2

/* The cycles of a kernel whose nodes depend on each other only through channels. Two banks take
 * turns. */
typedef struct cni_part_cycles {
    cni_part *part; /* a part, or the whole network */
    cni_team *team;
    void *kernel;
    /* One pass over the nodes of a worker: receive from bank `in` for the cycle that ends, then
     * send into bank `out` for the next cycle; CNI_NO_BANK: do not receive, or do not send.
     * `cycle` is the number of cycles that are over between the two. */
    void (*pass)(void *kernel, uint32_t worker, uint64_t cycle, int in, int out);
    /* in this cycle or before; NULL: never */
    int (*has_failed)(const void *kernel, uint64_t cycle);
    cni_part_bank bank[2];
    uint64_t first, cycles;
} cni_part_cycles;

/* Runs the cycles. The first pass only sends, the last pass only receives. */
void cni_part_run_cycles(cni_part_cycles *cycles);

/* Visits the data of a part outside the kernel, in a snapshot. */
void cni_part_visit(cni_archive *archive, cni_part *part);

/* Tells the host that this part has failed. */
void cni_part_stop(cni_part *part);

#endif
