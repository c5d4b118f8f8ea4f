/* A plain simulation of separate buffers on any routing, against which the models are held. */
#ifndef CUBENET_TESTS_PLAIN_QUEUES_H
#define CUBENET_TESTS_PLAIN_QUEUES_H

#include "support/support.h"

#include "queueing/store_forward/channel_flows.h"
#include "routing/rules/routing.h"
#include "scenario/system.h"

typedef struct plain_run {
    double load;
    uint64_t seed, warmup, cycles;
    int continuous; /* exponential transmission times and Poisson sources, not cycles */
} plain_run;

typedef struct plain_means {
    double delay, half_width; /* 95 %, by 32 batches */
    double hops;
} plain_means;

/* Uniform traffic between the nodes that the routing serves, random selection. */
plain_means simulate_plainly(const cn_routing *routing, const plain_run *run);

/* A system with the models of stored messages that takes every network, traffic, routing and fault,
 * and a scenario of it */
const cni_system *stored_system(void);
cn_scenario *stored_scenario(const cn_topology *topology, double load, int slotted);

#endif
