/* The table of metrics. */
#include "cubenet/metric.h"

#include "base/names.h"
#include "scenario/result.h"

typedef struct metric_row {
    const char *name;
    const char *unit;
    const char *meaning;
    const char *source;
} metric_row;

static const metric_row rows[] = {
    [CN_METRIC_MEAN_DELAY] = {"mean_delay", "cycles",
                              "mean time from the admission of a delivered message to its arrival",
                              "Horng 1992, eq. 3.25"},
    [CN_METRIC_MEAN_DELAY_UNICAST] = {"mean_delay_unicast", "cycles", "mean delay of unicasts only",
                                      ""},
    [CN_METRIC_MEAN_DELAY_BROADCAST] = {"mean_delay_broadcast", "cycles",
                                        "mean time until a broadcast reaches its last node",
                                        "Shahrabi et al. 2001, eq. 1"},
    [CN_METRIC_THROUGHPUT] = {"throughput", "messages/node/cycle",
                              "accepted throughput, the messages delivered per node and cycle",
                              "Horng 1992, eq. 3.23"},
    [CN_METRIC_NETWORK_THROUGHPUT] = {"network_throughput", "messages/cycle",
                                      "messages that the whole network delivers per cycle",
                                      "Horng & Kleinrock 1991, eq. 18"},
    [CN_METRIC_OFFERED_LOAD] = {"offered_load", "messages/node/cycle",
                                "messages offered per node and cycle", ""},
    [CN_METRIC_ACCEPTANCE_PROBABILITY] = {"acceptance_probability", "1",
                                          "share of the offered messages that are admitted (P_A)",
                                          "Horng 1992, eq. 3.16"},
    [CN_METRIC_MEAN_QUEUE_LENGTH] = {"mean_queue_length", "messages",
                                     "mean number of messages in a node at the start of a cycle",
                                     "Horng 1992, eq. 3.24"},
    [CN_METRIC_CHANNEL_UTILIZATION] = {"channel_utilization", "1",
                                       "probability that a channel carries a message in a cycle "
                                       "(rho)",
                                       "Horng 1992, eq. 3.11"},
    [CN_METRIC_FIRST_PHASE_UTILIZATION] =
        {"first_phase_utilization", "1", "part of channel_utilization that phase 1 assigns (rho_1)",
         "Horng 1992, eq. 3.12"},
    [CN_METRIC_SECOND_PHASE_UTILIZATION] =
        {"second_phase_utilization", "1",
         "part of channel_utilization that phase 2 assigns (rho_2)", "Horng 1992, 3.3.4"},
    [CN_METRIC_FORWARDING_PROBABILITY] =
        {"forwarding_probability", "1",
         "probability that a channel brings a message closer to its destination in a cycle (P_f)",
         "Horng 1992, eq. 3.30"},
    [CN_METRIC_DEFLECTION_PROBABILITY] =
        {"deflection_probability", "1",
         "probability that a channel deflects a message in a cycle "
         "(P_r)",
         "Horng 1992, eq. 3.29"},
    [CN_METRIC_NET_PROGRESS] = {"net_progress", "1",
                                "forwarding probability minus deflection probability (P_f - P_r)",
                                "Horng 1992, eq. 3.31"},
    [CN_METRIC_TRANSIT_PROBABILITY] =
        {"transit_probability", "1",
         "probability that a channel delivers to a node a message that must travel further (P_t)",
         "Horng 1992, 3.3.4"},
    [CN_METRIC_MEAN_DISTANCE] = {"mean_distance", "hops",
                                 "mean distance from source to destination of a message (d)",
                                 "Horng 1992, 3.3.1"},
    [CN_METRIC_MEAN_HOPS] = {"mean_hops", "hops",
                             "mean number of channels that a message crosses (h)",
                             "Horng 1992, eq. 3.14"},
    [CN_METRIC_POWER] = {"power", "messages/cycle^2", "network throughput divided by mean delay",
                         "Horng 1992, 3.4"},
    [CN_METRIC_POWER_ACCEPTED] = {"power_accepted", "messages/cycle^2",
                                  "power times acceptance probability",
                                  "Horng & Kleinrock 1991, 5"},
    [CN_METRIC_DELAY_P50] = {"delay_p50", "cycles", "delay that half of the messages do not exceed",
                             ""},
    [CN_METRIC_DELAY_P95] = {"delay_p95", "cycles", "delay that 95 % of the messages do not exceed",
                             ""},
    [CN_METRIC_DELAY_P99] = {"delay_p99", "cycles", "delay that 99 % of the messages do not exceed",
                             ""},
    [CN_METRIC_DELAY_MAX] = {"delay_max", "cycles", "greatest delay observed", ""},
    [CN_METRIC_CHANNEL_MESSAGE_RATE] = {"channel_message_rate", "messages/cycle",
                                        "messages that start to cross a channel per cycle",
                                        "Shahrabi et al. 2001, eq. 11"},
    [CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING] =
        {"virtual_channel_multiplexing", "1",
         "mean number of virtual channels that are in use on a channel, weighted by that number: "
         "E[v^2]/E[v]",
         "Shahrabi et al. 2001, eq. 31"},
    [CN_METRIC_MESSAGES_DELIVERED] = {"messages_delivered", "messages",
                                      "messages delivered in the whole run, warm-up included", ""},
    [CN_METRIC_MESSAGES_IN_FLIGHT] =
        {"messages_in_flight", "messages",
         "messages in the network at the end: accepted minus delivered", ""},
    [CN_METRIC_CYCLES] = {"cycles", "cycles", "cycles simulated, warm-up included", ""},
    [CN_METRIC_MESSAGES_OFFERED] = {"messages_offered", "messages",
                                    "messages offered in the whole run: accepted plus refused", ""},
    [CN_METRIC_MESSAGES_REFUSED] = {"messages_refused", "messages",
                                    "offered messages that found no free buffer", ""},
    [CN_METRIC_MESSAGES_ACCEPTED] = {"messages_accepted", "messages",
                                     "messages admitted in the whole run, warm-up included", ""},
    [CN_METRIC_WAITING_PER_HOP] = {"waiting_per_hop", "cycles",
                                   "mean time that a header waits for a virtual channel at a hop",
                                   "Shahrabi et al. 2001, eq. 13"},
    [CN_METRIC_CHANNEL_RATE_UNICAST] = {"channel_rate_unicast", "messages/cycle",
                                        "part of channel_message_rate due to unicasts",
                                        "Shahrabi et al. 2001, eq. 7"},
    [CN_METRIC_CHANNEL_RATE_BROADCAST] =
        {"channel_rate_broadcast", "messages/cycle",
         "part of channel_message_rate due to copies that the source of a broadcast sends",
         "Shahrabi et al. 2001, eq. 8"},
    [CN_METRIC_CHANNEL_RATE_REPLICA] =
        {"channel_rate_replica", "messages/cycle",
         "part of channel_message_rate due to broadcast copies that other nodes forward",
         "Shahrabi et al. 2001, eq. 11"},
    [CN_METRIC_COMPLETION_CYCLES] = {"completion_cycles", "cycles",
                                     "cycles until the last message reaches its destination",
                                     "Ziavras & Krishnamurthy 1999, 6"},
    [CN_METRIC_OPERATION_CYCLES] = {"operation_cycles", "cycles",
                                    "mean time from the start of an operation to its last delivery",
                                    ""},
    [CN_METRIC_TRANSMISSIONS] = {"transmissions", "messages",
                                 "messages sent over channels in the whole run", ""},
    [CN_METRIC_CONTENTIONS] = {"contentions", "messages",
                               "number of times that a message waited one cycle for its turn",
                               "Ziavras & Krishnamurthy 1999, 6"},
    [CN_METRIC_PEAK_BUFFER_USE] =
        {"peak_buffer_use", "messages",
         "greatest number of messages that waited in a node, or to enter it, at the end of a cycle",
         ""},
    [CN_METRIC_PEAK_CHANNEL_LOAD] = {"peak_channel_load", "messages",
                                     "number of messages that the busiest directed channel carried",
                                     ""},
    [CN_METRIC_LOWER_BOUND_CYCLES] = {"lower_bound_cycles", "cycles",
                                      "lower bound of completion_cycles: for every schedule on "
                                      "these trees, or for every way to carry a workload",
                                      ""},
    [CN_METRIC_SURVIVOR_FRACTION] = {"survivor_fraction", "1",
                                     "number of survivors divided by the number of nodes",
                                     "Horng 1992, 5.3"},
    [CN_METRIC_REACHABLE_FRACTION] = {"reachable_fraction", "1",
                                      "share of the ordered pairs of survivors that a path joins",
                                      ""},
    [CN_METRIC_WORKING_FRACTION] =
        {"working_fraction", "1",
         "number of nodes that are not faulty divided by the number of nodes", ""},
    [CN_METRIC_SURVIVORS_OF_WORKING] =
        {"survivors_of_working", "1",
         "number of survivors divided by the number of nodes that are not faulty",
         "Horng 1992, 5.3"},
    [CN_METRIC_CONNECTED_FRACTION] = {"connected_fraction", "1",
                                      "share of the fault patterns, of those with survivors, in "
                                      "which all survivors can reach each other",
                                      ""},
    [CN_METRIC_CLUSTERS] = {"clusters", "1", "number of clusters of the two-level hierarchy",
                            "Horng 1992, 5.5.1"},
    [CN_METRIC_SATURATED_FRACTION] = {"saturated_fraction", "1",
                                      "share of the fault patterns that cannot carry the load, of "
                                      "those on which the scenario was run",
                                      ""},
    [CN_METRIC_EMPTY_FRACTION] = {"empty_fraction", "1",
                                  "share of the fault patterns that leave no survivor", ""},
    [CN_METRIC_WARMUP_CYCLES] = {"warmup_cycles", "cycles",
                                 "cycles simulated before measuring started", ""},
    [CN_METRIC_UNSETTLED_FRACTION] = {"unsettled_fraction", "1",
                                      "share of the fault patterns whose simulation was too short "
                                      "for a steady state, of those that carry the load",
                                      ""},
    [CN_METRIC_EXTRAPOLATED] =
        {"extrapolated", "1",
         "1 if the load is above the share of capacity up to which the accuracy of the library's "
         "own model is stated, or if no accuracy is stated for the network, the buffers or the "
         "locality (docs/models.md), else 0; in a study the share of such patterns; no other model "
         "has it",
         ""},
    [CN_METRIC_MEAN_DELAY_BROADCAST_SENT] = {"mean_delay_broadcast_sent", "cycles",
                                             "mean time from when the source of a broadcast sends "
                                             "the first copy until the last node has "
                                             "it: mean_delay_broadcast without the wait of that "
                                             "copy at the source; the startup latency "
                                             "counts at every step, as in eq. 1",
                                             "Shahrabi et al. 2001, section 3"},
    [CN_METRIC_BOUND_RATIO] = {"bound_ratio", "1",
                               "completion_cycles divided by lower_bound_cycles, of a workload",
                               ""},
    [CN_METRIC_CRITICAL_COMPUTING] =
        {"critical_computing", "cycles",
         "part of completion_cycles in which the critical path computes", ""},
    [CN_METRIC_CRITICAL_SOURCE_WAITING] =
        {"critical_source_waiting", "cycles",
         "part of completion_cycles in which a message of the critical path is ready, but its "
         "source does not admit it",
         ""},
    [CN_METRIC_CRITICAL_NETWORK_WAITING] =
        {"critical_network_waiting", "cycles",
         "part of completion_cycles in which a message of the critical path waits in the network",
         ""},
    [CN_METRIC_CRITICAL_WIRES] =
        {"critical_wires", "cycles",
         "part of completion_cycles that the hops and flits of the critical path take", ""},
};

enum { METRICS = sizeof rows / sizeof rows[0] - 1 };

_Static_assert(sizeof rows / sizeof rows[0] <= CNI_METRIC_ROOM,
               "a result has no room for so many values");

static const cni_names metrics = CNI_NAMES("metric", rows, 0);
CNI_NAMED_ENUM(cn_metric, metric, metrics);

size_t cn_metric_count(void)
{
    return METRICS;
}

CNI_ROW_FACT(cn_metric_unit, cn_metric, metric, metrics, metric_row, unit);
CNI_ROW_FACT(cn_metric_meaning, cn_metric, metric, metrics, metric_row, meaning);
CNI_ROW_FACT(cn_metric_source, cn_metric, metric, metrics, metric_row, source);

static int is_listed(cn_metric metric, const cn_metric list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == metric)
            return 1;
    return 0;
}

cni_rest cni_metric_rest(cn_metric metric)
{
    static const cn_metric queued[] = {CN_METRIC_DELAY_P50, CN_METRIC_DELAY_P95,
                                       CN_METRIC_DELAY_P99};
    static const cn_metric steady[] = {CN_METRIC_MEAN_DELAY,
                                       CN_METRIC_MEAN_DELAY_UNICAST,
                                       CN_METRIC_MEAN_DELAY_BROADCAST,
                                       CN_METRIC_MEAN_QUEUE_LENGTH,
                                       CN_METRIC_MEAN_DELAY_BROADCAST_SENT,
                                       CN_METRIC_POWER,
                                       CN_METRIC_POWER_ACCEPTED};
    if (is_listed(metric, queued, sizeof queued / sizeof queued[0]))
        return CNI_QUEUED;
    return is_listed(metric, steady, sizeof steady / sizeof steady[0]) ? CNI_STEADY : CNI_COUNTED;
}
