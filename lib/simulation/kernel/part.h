/*
 * The part of a network that a process simulates when it shares the network with others (part.h of
 * the public headers). A kernel divides nodes among parts in the same way as among threads: what
 * leaves over a channel to another part lies in a bank of channels until the exchange has packed
 * it, and what comes from there is put where the receiver looks for it.
 *
 * The pass over the nodes has up to two stages. In a Boolean cube all nodes have channels to other
 * parts; there each stage is a half of the blocks, whose neighbours in other parts are in the same
 * stage, and has an exchange of its own: messages of one half travel while the other is worked.
 * Elsewhere the first stage is the blocks with channels to or from other parts, and their messages
 * travel while the rest is worked.
 */
#ifndef CNI_SIMULATION_KERNEL_PART_H
#define CNI_SIMULATION_KERNEL_PART_H

#include "cubenet/experimental/part.h"

#include "base/team.h"
#include "scenario/scenario.h"
#include "simulation/kernel/mailbox.h"

enum { CNI_PART_BLOCK = 64, CNI_PART_STAGES = 2, CNI_MOST_PARTS = UINT16_MAX };

/* What a caller asks for, in a scenario that is being opened. */
typedef struct cni_part_order {
    uint32_t part, parts;
    cn_exchange_fn exchange;
    void *user;
} cni_part_order;

/* Up to 64 channels whose messages lie side by side, both here and at their receivers. */
typedef struct cni_part_run {
    uint64_t from; /* place in the bank */
    uint64_t to;   /* row << 40 | node of the receiver */
    uint32_t count;
} cni_part_run;

/* All that goes to and comes from a neighbour in a stage. */
typedef struct cni_part_link {
    uint64_t part;
    cni_part_run *run;
    size_t run_room, runs;
    uint64_t channels, arriving; /* to it, and from it */
    uint64_t *out, *in;          /* buffers */
    uint64_t room_out, room_in;  /* words */
    int asks;                    /* it takes part in the present exchange */
    uint64_t *letter;            /* of messages that go to it, and are still to be sent */
    size_t letter_room, letters, letters_sent;
    int goes_on; /* it has more of them for us */
} cni_part_link;

/* A bank of channels, by row and node of the part, and of some kernels a bit for each place that is
 * taken. The first word of a place without a message is all ones. */
typedef struct cni_part_bank {
    uint64_t *word;
    uint64_t stride; /* places of a row */
    uint64_t rows;   /* in which messages arrive */
    /* of them those that the kernel leaves empty for what arrives; the others are emptied for it */
    uint64_t kept;
    uint64_t *sent; /* NULL: none. A word before and one behind each row */
    uint64_t sent_stride;
} cni_part_bank;

/* Start from {0}: the whole network. */
typedef struct cni_part {
    uint64_t first, end;  /* nodes */
    uint64_t nodes;       /* of the network */
    uint32_t part, parts; /* parts: 0 for the whole network */
    cn_exchange_fn exchange;
    void *user;
    uint32_t stages;
    uint8_t *stage; /* by block of the part; NULL: all in one */
    uint32_t width; /* words of a message */
    /* as much comes from another part as goes to it, over channels in the same order */
    int is_mirrored;
    cni_part_link *link[CNI_PART_STAGES];
    size_t link_room[CNI_PART_STAGES], links[CNI_PART_STAGES];
    cn_part_neighbor *asked;     /* room for those of a call, */
    cn_part_neighbor **pointers; /* and for pointers to them */
    uint64_t *gone;              /* with statistics: what has left, by place of the bank */

    /* The kernel; whether a message can come to a node in a row of the bank at the end of a cycle,
     * whatever a host has made of it; and how it knows the mailbox's own of its messages. */
    void *kernel;
    cni_mailbox *mailbox;
    int (*allows)(const void *kernel, uint64_t row, uint64_t node, const uint64_t *message,
                  uint64_t cycle);
    cni_letter *(*find)(void *kernel, const uint64_t *message, uint64_t *number);
    cn_status (*make_room)(void *kernel); /* for one more that is delivered; CN_ERR_MEMORY */

    uint64_t balance; /* messages that came from other parts, less messages that went there */
    cn_status status; /* why it does not go on */
    uint64_t messages, bytes;
    double waiting, stepping;
} cni_part;

/* The nodes: all, or those of the order in the scenario. The caller has checked it. */
void cni_part_begin(const cn_scenario *scenario, cni_part *part);
void cni_part_close(cni_part *part);

static inline int cni_part_has(const cni_part *part, uint64_t node)
{
    return node >= part->first && node < part->end;
}

/* That of a node. */
uint64_t cni_part_of(const cni_part *part, uint64_t node);

/* Before any channel: stages for any network. CN_ERR_MEMORY. */
cn_status cni_part_find_edge(cni_part *part);

/* A node has a channel to or from another part; after cni_part_find_edge(). */
static inline void cni_part_mark_edge(cni_part *part, uint64_t node)
{
    part->stage[(node - part->first) / CNI_PART_BLOCK] = 0;
}

/* Stages and channels of a cube whose channels all lead both ways. The place of a channel is that
 * of its port and sender; what comes from another part gets that of the channel that leads back.
 * CN_ERR_MEMORY. */
cn_status cni_part_link_cube(cni_part *part, const cn_topology *cube, uint64_t stride);

/* A channel to another part, from its place in the bank to a row and node there; from a node in
 * this stage. And one from another part. CN_ERR_MEMORY. */
cn_status cni_part_add(cni_part *part, uint32_t stage, uint64_t from, uint64_t row, uint64_t far);
cn_status cni_part_expect(cni_part *part, uint32_t stage, uint64_t far);

/* After the last one: the buffers. CN_ERR_MEMORY. */
cn_status cni_part_seal(cni_part *part);

static inline uint32_t cni_part_stage_of(const cni_part *part, uint64_t node)
{
    return part->stage == NULL ? 0 : part->stage[(node - part->first) / CNI_PART_BLOCK];
}

/* The next nodes in a row that are in a stage: from *node on, up to the one that is returned. Both
 * are the end when there are none. */
uint64_t cni_part_stretch(const cni_part *part, uint32_t stage, uint64_t *node, uint64_t end);

/* After the pass of a stage in a cycle: takes the messages for other parts out of the bank and
 * begins to send them. And before the next pass: puts into it what they have sent. Both while no
 * other thread works; the status of the part says whether all is well. CN_ERR_EXCHANGE,
 * CN_ERR_MEMORY. */
void cni_part_send(cni_part *part, const cni_part_bank *bank, uint32_t stage, uint64_t cycle);
void cni_part_receive(cni_part *part, const cni_part_bank *bank, uint32_t stage, uint64_t cycle);

#define CNI_NO_BANK 2

/* Cycles of a kernel whose nodes depend on each other only through the channels. Two banks take
 * turns. */
typedef struct cni_part_cycles {
    cni_part *part; /* or the whole network */
    cni_team *team;
    void *kernel;
    /* One pass over those of a worker's nodes that are in a stage: receive from a bank for the
     * cycle that ends, then send into one for the next; CNI_NO_BANK: not that. `cycle` is the
     * number of cycles that are over in between. */
    void (*pass)(void *kernel, uint32_t worker, uint64_t cycle, int in, int out, uint32_t stage);
    int (*has_failed)(const void *kernel, uint64_t cycle); /* up to this one; NULL: never */
    cni_part_bank bank[2];
    uint64_t first, cycles;
} cni_part_cycles;

/* The first pass only sends, the last one only receives. */
void cni_part_run_cycles(cni_part_cycles *cycles);

/* What of it is not in the kernel, in a snapshot. */
void cni_part_visit(cni_archive *archive, cni_part *part);

/* Tells the host that this part has failed. */
void cni_part_stop(cni_part *part);

#endif
