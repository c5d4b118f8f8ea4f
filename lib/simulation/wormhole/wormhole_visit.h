/* What a snapshot of the wormhole kernel is put together from: broadcasts, messages, and the ways that they have gone. */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_VISIT_H

#include "simulation/wormhole/wormhole.h"

enum { CNI_WORM_MESSAGE_BYTES = 36 };

/* What a visit needs beside the kernel. */
typedef struct cni_worm_visit {
    cni_wormhole *k;
    cni_archive *archive;
    uint32_t *number; /* writing, by broadcast: its number among those that are there */
    uint32_t *size;   /* reading, by broadcast and node: nodes that get it by way of this one */
    uint32_t broadcasts;
} cni_worm_visit;

typedef enum cni_worm_header {
    CNI_WORM_WAITING,
    CNI_WORM_TRAVELLING,
    CNI_WORM_ARRIVED
} cni_worm_header;

/* The virtual channels of a worm, and what its header does. */
typedef struct cni_worm_way {
    const uint32_t *path;
    uint32_t hops;
    cni_worm_header header;
} cni_worm_way;

/* Those that are there, before all messages. The kernel knows none when it reads. */
cn_status cni_worm_visit_broadcasts(cni_worm_visit *visit);

/* A message; and one that is at its source. What is read can be there, and its broadcast is missing what it will bring. */
cn_status cni_worm_visit_message(const cni_worm_visit *visit, cni_worm_message *message);
cn_status cni_worm_visit_unserved(const cni_worm_visit *visit, cni_worm_message *message);

/* Whether the routing sends a message on this way; then *node is where its header is. */
int cni_worm_goes(const cni_wormhole *kernel, const cni_worm_message *message,
                  const cni_worm_way *way, uint32_t *node);

#endif
