/*
 * Arrivals that the caller wants to know of, as the threads of a kernel find
 * them: each by cycle and node, and the nodes of a thread are below those of the next.
 */
#ifndef CNI_SIMULATION_KERNEL_LANDINGS_H
#define CNI_SIMULATION_KERNEL_LANDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "cubenet/base.h"

typedef struct cni_landing {
    uint64_t cycle, node;
    uint64_t message[2]; /* what the kernel knows it by */
} cni_landing;

/* Start from {0}. */
typedef struct cni_landings {
    cni_landing *list;
    size_t room, count;
} cni_landings;

/* CN_ERR_MEMORY. */
cn_status cni_landings_make_room(cni_landings *landings, size_t needed);

/* Adds an arrival behind the arrivals of its cycle at nodes up to its own. There is room for
 * every announced arrival; further arrivals that another part sent are left out. */
void cni_landings_add(cni_landings *landings, const cni_landing *landing);

/* The next arrival of all threads, by cycle and node; NULL: none. next: by thread, 0 at first. */
const cni_landing *cni_landings_next(const cni_landings *const of[], uint32_t threads,
                                     size_t next[]);

#endif
