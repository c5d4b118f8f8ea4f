/* A workload run as plainly as can be, by a host that drives a simulation without workload. */
#ifndef CUBENET_TESTS_PLAIN_WORKLOAD_H
#define CUBENET_TESTS_PLAIN_WORKLOAD_H

#include "support/support.h"

#include "cubenet/experimental/workload.h"

enum { PLAIN_MESSAGES = 256 };

/* What happened by message; CN_NEVER: nothing. */
typedef struct plain_times {
    uint64_t ready[PLAIN_MESSAGES], injected[PLAIN_MESSAGES], delivered[PLAIN_MESSAGES];
    uint64_t start, end;
} plain_times;

/* Runs the workload on a new simulation of the scenario, which has none, from this cycle on to its
 * end. Leaves the simulation at the end of the run. */
cn_sim *plain_workload_run(const cn_scenario *scenario, const cn_workload *workload, uint64_t start,
                           plain_times *times);

/* A workload of so many messages on this topology, without the node `dead` (CN_NO_NODE: with
 * all). */
cn_workload *random_workload(const cn_topology *topology, uint64_t seed, size_t messages,
                             uint64_t most_flits, uint64_t dead);

#endif
