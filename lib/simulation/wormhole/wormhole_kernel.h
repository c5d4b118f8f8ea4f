/* The kernels of the systems "wormhole" and "cut-through". */
#ifndef CNI_SIMULATION_WORMHOLE_WORMHOLE_KERNEL_H
#define CNI_SIMULATION_WORMHOLE_WORMHOLE_KERNEL_H

#include "simulation/kernel/kernel.h"

/* The variants of the kernel. */
enum { CNI_WORMS, CNI_WHOLE_MESSAGES };

extern const cni_kernel cni_wormhole_kernel, cni_cut_through_kernel;

/* The fewest virtual channels with which the routing of the scenario works: free of deadlock, or
 * without that protection. The routing itself is not made. */
enum { CNI_SAFE, CNI_UNSAFE };
uint32_t cni_wormhole_least_channels(const cn_scenario *scenario, int is_unsafe);

/* Turns the counters of a run into metrics. */
void cni_wormhole_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                           cn_result *result);

#endif
