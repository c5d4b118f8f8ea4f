/* The parts of a snapshot of the wormhole kernel: broadcasts, messages, and the ways that
 * messages have gone. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H

#include "simulation/wormhole/wormhole.h"

enum { CNI_WORM_MESSAGE_BYTES = 36 };

/* The record of each worm. */
struct cni_worm_record {
    cni_worm_message message;
    /* the cycle in which its header came to the last node where it waited or arrived */
    uint64_t since;
    uint32_t hops;
};

/* The state of a visit beside the kernel. */
struct cni_worm_visit {
    cni_wormhole *k;
    cni_archive *archive;
    uint32_t *number; /* writing, by broadcast: its number in the snapshot */
    uint32_t *size;   /* reading, by broadcast and node: nodes of the subtree there */
    uint32_t broadcasts;
};

typedef enum cni_worm_progress {
    CNI_WORM_WAITING,
    CNI_WORM_TRAVELLING,
    CNI_WORM_ARRIVED
} cni_worm_progress;

/* Visits the broadcasts under way, before all messages. When it reads, the kernel has no
 * broadcast yet. */
cn_status cni_worm_visit_broadcasts(cni_worm_visit *visit);

/* Visits a message. Reading checks that the message is possible, and counts the nodes that a
 * copy will reach as missing in its broadcast. */
cn_status cni_worm_visit_message(const cni_worm_visit *visit, cni_worm_message *message);

/* Checks that the routing sends a message that was read from its source. */
cn_status cni_worm_check_unserved(const cni_wormhole *kernel, const cni_worm_message *message);

/* Makes a new worm with number *worm. `left` of its flits are at the source, which serves the
 * worm while there are any; the header is at `node`, in the virtual channel or queue with this
 * key. */
cn_status cni_worm_add(cni_wormhole *kernel, const cni_worm_record *record, uint32_t left,
                       uint32_t node, uint32_t key, uint32_t *worm);

/* Whether a virtual channel leads to a node that takes part; whether its end *node is the
 * destination of a message, or a node from which the routing sends the message on. */
int cni_worm_leads_on(const cni_wormhole *kernel, uint32_t virtual_channel);
int cni_worm_comes(const cni_wormhole *kernel, const cni_worm_message *message,
                   uint32_t virtual_channel, uint32_t *node);

/* Whether the header of a message may be on its way over a virtual channel, from *node. */
int cni_worm_is_on(const cni_wormhole *kernel, const cni_worm_message *message,
                   uint32_t virtual_channel, uint32_t *node);

#endif
