/* The counters of the kernels that store and forward, beyond those of every kernel. */
#ifndef CNI_SIMULATION_STORE_FORWARD_COUNTERS_H
#define CNI_SIMULATION_STORE_FORWARD_COUNTERS_H

#include "simulation/kernel/kernel.h"

enum {
    CNI_COUNT_HOPS = CNI_COUNT_OWN, /* messages sent over channels */
    CNI_COUNT_WAITING,              /* messages in the network, summed over the time */
    CNI_COUNT_TRAVEL,               /* sum of the distances of the accepted messages */
    CNI_COUNT_TRAVEL_INJECTED,      /* the part of it that the caller or a trace injected */
    CNI_COUNT_STORED                /* where a kernel's own begin */
};

#endif
