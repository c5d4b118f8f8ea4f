/* Metrics that follow from the counters of more than one kernel. */
#ifndef CNI_SIMULATION_KERNEL_RATES_H
#define CNI_SIMULATION_KERNEL_RATES_H

#include "simulation/kernel/kernel.h"

/* Throughput, offered load and share accepted; node_cycles are nodes that take part times cycles. */
void cni_put_rates(const uint64_t counters[CNI_COUNTERS], double node_cycles, cn_result *result);

/* The mean delay, in cycles, and the powers that follow from it. */
void cni_put_delay(const uint64_t counters[CNI_COUNTERS], double delay, cn_result *result);

/* What a network whose messages wait in queues without limit counts, beside the common counters. */
typedef struct cni_stored {
    double node_cycles, channel_cycles;
    double hops;
    double travel;         /* hops that the accepted messages have to make */
    double waiting, delay; /* sums over messages, in cycles */
} cni_stored;

/* All that such a network has; what needs a steady state unless result->saturated. */
void cni_put_stored(const uint64_t counters[CNI_COUNTERS], const cni_stored *stored,
                    cn_result *result);

#endif
