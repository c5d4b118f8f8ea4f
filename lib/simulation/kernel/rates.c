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

void cni_put_stored(const uint64_t counters[CNI_COUNTERS], const cni_stored *stored,
                    cn_result *result)
{
    uint64_t cycles = counters[CNI_COUNT_CYCLES], messages = counters[CNI_COUNT_DELIVERED];
    uint64_t accepted = counters[CNI_COUNT_ACCEPTED];
    double delivered = (double)messages, channel_cycles = stored->channel_cycles;
    cni_put_rates(counters, stored->node_cycles, result);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, stored->hops / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY,
                   (stored->hops - delivered) / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, stored->travel / (double)accepted, accepted);
    if (result->saturated)
        return;
    cni_put_delay(counters, stored->delay / delivered, result);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, stored->waiting / stored->node_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, stored->hops / delivered, messages);
}
