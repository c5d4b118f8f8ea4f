/* Metrics that follow from the counters of several kernels. */
#ifndef CNI_SIMULATION_KERNEL_RATES_H
#define CNI_SIMULATION_KERNEL_RATES_H

#include "simulation/kernel/kernel.h"

/* Puts throughput, offered load and accepted share. node_cycles: participating nodes times
 * cycles. */
void cni_put_rates(const uint64_t counters[CNI_COUNTERS], double node_cycles, cn_result *result);

/* Puts the mean delay, in cycles, and the powers that follow from it. */
void cni_put_delay(const uint64_t counters[CNI_COUNTERS], double delay, cn_result *result);

#endif
