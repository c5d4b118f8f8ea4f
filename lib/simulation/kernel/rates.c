/* Metrics that follow from the counters of several kernels. */
#include "simulation/kernel/rates.h"

void cni_put_rates(const uint64_t counters[CNI_COUNTERS], double node_cycles, cn_result *result)
{
    double offered = (double)counters[CNI_COUNT_OFFERED];
    double delivered = (double)counters[CNI_COUNT_DELIVERED];
    uint64_t cycles = counters[CNI_COUNT_CYCLES];
    cni_result_put(result, CN_METRIC_THROUGHPUT, delivered / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, delivered / (double)cycles, cycles);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, offered / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY,
                   (double)counters[CNI_COUNT_ACCEPTED] / offered, counters[CNI_COUNT_OFFERED]);
}

void cni_put_delay(const uint64_t counters[CNI_COUNTERS], double delay, cn_result *result)
{
    uint64_t cycles = counters[CNI_COUNT_CYCLES], messages = counters[CNI_COUNT_DELIVERED];
    double power = (double)messages / (double)cycles / delay;
    double share = (double)counters[CNI_COUNT_ACCEPTED] / (double)counters[CNI_COUNT_OFFERED];
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, messages);
    cni_result_put(result, CN_METRIC_POWER, power, cycles);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power * share, cycles);
}
