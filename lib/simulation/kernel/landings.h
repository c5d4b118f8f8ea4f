/*
 * Arrivals that a kernel reports to the caller, as the threads find them. Each list is in the order
 * of cycle and node, and all nodes of a thread are below the nodes of the next thread.
 */
#ifndef CNI_SIMULATION_KERNEL_LANDINGS_H
#define CNI_SIMULATION_KERNEL_LANDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "cubenet/base.h"

typedef struct cni_landing {
    uint64_t cycle, node;
    uint64_t message[2]; /* the name of the message in the kernel */
} cni_landing;

/* Start from {0}. */
typedef struct cni_landings {
    cni_landing *list;
    size_t room, count;
} cni_landings;

/* Makes room for `needed` arrivals. CN_ERR_MEMORY. */
cn_status cni_landings_make_room(cni_landings *landings, size_t needed);

/* Inserts an arrival behind the arrivals of its cycle at nodes up to its own node. There is room
 * for every announced arrival; arrivals beyond the room, which only a wrong exchange between
 * parts can cause, are dropped. */
void cni_landings_add(cni_landings *landings, const cni_landing *landing);

/* The next arrival of all threads, by cycle and node; NULL: none. next: by thread, initially 0. */
const cni_landing *cni_landings_next(const cni_landings *const of[], uint32_t threads,
                                     size_t next[]);

#endif
