/* What a snapshot of the wormhole kernel is put together from: broadcasts, messages, and the ways
 * that they have gone. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H

#include "simulation/wormhole/wormhole.h"

enum { CNI_WORM_MESSAGE_BYTES = 36 };

/* What each worm has. */
struct cni_worm_record {
    cni_worm_message message;
    uint64_t since; /* the cycle in which its header came to its node, but for one on its way */
    uint32_t hops;
};

/* What a visit needs beside the kernel. */
struct cni_worm_visit {
    cni_wormhole *k;
    cni_archive *archive;
    uint32_t *number; /* writing, by broadcast: its number among those that are there */
    uint32_t *size;   /* reading, by broadcast and node: nodes that get it by way of this one */
    uint32_t broadcasts;
};

typedef enum cni_worm_progress {
    CNI_WORM_WAITING,
    CNI_WORM_TRAVELLING,
    CNI_WORM_ARRIVED
} cni_worm_progress;

/* Those that are there, before all messages. The kernel knows none when it reads. */
cn_status cni_worm_visit_broadcasts(cni_worm_visit *visit);

/* What is read can be there, and its broadcast is missing what it will bring. */
cn_status cni_worm_visit_message(const cni_worm_visit *visit, cni_worm_message *message);

/* Of one that has been read: whether its routing sends it from its source. */
cn_status cni_worm_check_unserved(const cni_wormhole *kernel, const cni_worm_message *message);

/* A new worm; *worm is its number. So many of its flits are at the source, which serves it while
 * there are any; its header is at a node, in a virtual channel or queue with this key. */
cn_status cni_worm_add(cni_wormhole *kernel, const cni_worm_record *record, uint32_t left,
                       uint32_t node, uint32_t key, uint32_t *worm);

/* Whether a virtual channel leads to a node that takes part; whether its end *node is the end of a
 * message's way, or one from which its routing sends it on. */
int cni_worm_leads_on(const cni_wormhole *kernel, uint32_t virtual_channel);
int cni_worm_comes(const cni_wormhole *kernel, const cni_worm_message *message,
                   uint32_t virtual_channel, uint32_t *node);

/* Whether a header may be on its way over a virtual channel, from *node. */
int cni_worm_is_on(const cni_wormhole *kernel, const cni_worm_message *message,
                   uint32_t virtual_channel, uint32_t *node);

#endif
