/* Runs of networks with unlimited queues that have no steady state. */
#ifndef CNI_SIMULATION_KERNEL_SATURATION_H
#define CNI_SIMULATION_KERNEL_SATURATION_H

#include "scenario/scenario.h"

/*
 * Cuts down a run in which the queue of the busiest channels grows by `growth` (at least 0) messages a
 * cycle, until about 32 wait there; the first quarter of what is left is warm-up. That bounds the memory,
 * too.
 */
void cni_shorten_run(cn_scenario *scenario, double growth);

#endif
