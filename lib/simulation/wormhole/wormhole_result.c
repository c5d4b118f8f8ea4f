/* The metrics of a wormhole run, from its counters. */
#include "simulation/wormhole/wormhole_kernel.h"

#include "scenario/system.h"
#include "simulation/wormhole/wormhole.h"

static void put_delays(const uint64_t counters[CNI_COUNTERS], cn_result *result)
{
    uint64_t all = counters[CNI_COUNT_DELIVERED], broadcasts = counters[CNI_COUNT_WORM_BROADCASTS];
    double delay = (double)counters[CNI_COUNT_DELAY];
    double of_broadcasts = (double)counters[CNI_COUNT_WORM_BROADCAST_DELAY];
    double waits = (double)counters[CNI_COUNT_WORM_BROADCAST_WAIT];
    uint64_t unicasts = all - broadcasts;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay / (double)all, all);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_UNICAST, (delay - of_broadcasts) / (double)unicasts,
                   unicasts);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_BROADCAST, of_broadcasts / (double)broadcasts,
                   broadcasts);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_BROADCAST_SENT,
                   (of_broadcasts - waits) / (double)broadcasts, broadcasts);
    cni_result_put(result, CN_METRIC_MEAN_HOPS,
                   (double)counters[CNI_COUNT_WORM_HOPS] / (double)unicasts, unicasts);
}

static void put_channels(int variant, const uint64_t counters[CNI_COUNTERS], cn_result *result)
{
    static const cn_metric rates[] = {CN_METRIC_CHANNEL_RATE_UNICAST,
                                      CN_METRIC_CHANNEL_RATE_BROADCAST,
                                      CN_METRIC_CHANNEL_RATE_REPLICA};
    uint64_t cycles = counters[CNI_COUNT_CYCLES], all = 0;
    double channel_cycles = (double)counters[CNI_COUNT_WORM_CHANNELS];
    for (int class = 0; class < 3; class ++) {
        uint64_t grants = counters[CNI_COUNT_WORM_UNICAST_GRANTS + class];
        cni_result_put(result, rates[class], (double)grants / channel_cycles, cycles);
        all += grants;
    }
    cni_result_put(result, CN_METRIC_CHANNEL_MESSAGE_RATE, (double)all / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION,
                   (double)counters[CNI_COUNT_WORM_FLIT_HOPS] / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_WAITING_PER_HOP,
                   (double)counters[CNI_COUNT_WORM_WAITING] / (double)all, all);
    if (variant == CNI_WORMS)
        cni_result_put(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING,
                       (double)counters[CNI_COUNT_WORM_HELD_SQUARE] /
                           (double)counters[CNI_COUNT_WORM_HELD],
                       counters[CNI_COUNT_WORM_BUSY]);
}

void cni_wormhole_evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                           cn_result *result)
{
    uint64_t cycles = counters[CNI_COUNT_CYCLES];
    double node_cycles = (double)counters[CNI_COUNT_WORM_NODES];
    double nodes = node_cycles / (double)cycles;
    double throughput = (double)counters[CNI_COUNT_DELIVERED] / node_cycles;
    cni_result_put(result, CN_METRIC_THROUGHPUT, throughput, cycles);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, nodes * throughput, cycles);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD,
                   (double)counters[CNI_COUNT_OFFERED] / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH,
                   (double)counters[CNI_COUNT_WORM_PRESENT] / node_cycles, cycles);
    put_channels(scenario->system->kernel->variant, counters, result);
    put_delays(counters, result);
}
