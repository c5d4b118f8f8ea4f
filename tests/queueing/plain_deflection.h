/* Deflection on any network, as plainly as the manual tells it: what the models are held
 * against. */
#ifndef CUBENET_TESTS_PLAIN_DEFLECTION_H
#define CUBENET_TESTS_PLAIN_DEFLECTION_H

#include <stdint.h>

#include "cubenet.h"

typedef struct plain_run {
    double load;
    uint32_t buffers; /* of a node, at least its ports */
    uint64_t warmup, cycles;
    uint64_t seed;
} plain_run;

typedef struct plain_result {
    double throughput, delay, queue;      /* per node and cycle; cycles; messages in a node */
    double hops;                          /* of a delivered message */
    double deflected;                     /* share of the hops that came no closer */
    double second_phase;                  /* share of the hops */
    double throughput_doubt, delay_doubt; /* two standard errors, relative, from batches */
} plain_result;

/* Every channel of the topology must have one back. At most 64 ports and 4096 nodes. The test fails
 * when a message finds no room or is lost. */
void plain_deflection(const cn_topology *topology, const plain_run *run, plain_result *result);

#endif
