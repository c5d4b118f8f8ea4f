/**
 * @file metric.h
 * The metrics of results, and the table of their names, units, meanings and sources.
 *
 * cn_result_value() returns the value of a metric (result.h).
 *
 * @since 1.0
 */
#ifndef CUBENET_METRIC_H
#define CUBENET_METRIC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The metrics that a result may hold. The functions below, such as cn_metric_name(), return the
 * properties of each metric. A result holds the metrics of its system. The numbers never change.
 */
typedef enum cn_metric {
    /**
     * "mean_delay", in cycles: mean time from the admission of a delivered message to its arrival.
     * Source: Horng 1992, eq. 3.25.
     */
    CN_METRIC_MEAN_DELAY = 1,
    /** "mean_delay_unicast", in cycles: mean delay of unicasts only. */
    CN_METRIC_MEAN_DELAY_UNICAST = 2,
    /**
     * "mean_delay_broadcast", in cycles: mean time until a broadcast reaches its last node.
     * Source: Shahrabi et al. 2001, eq. 1.
     */
    CN_METRIC_MEAN_DELAY_BROADCAST = 3,
    /**
     * "throughput", in messages/node/cycle: accepted throughput, the messages delivered per node
     * and cycle.
     * Source: Horng 1992, eq. 3.23.
     */
    CN_METRIC_THROUGHPUT = 4,
    /**
     * "network_throughput", in messages/cycle: messages that the whole network delivers per cycle.
     * Source: Horng & Kleinrock 1991, eq. 18.
     */
    CN_METRIC_NETWORK_THROUGHPUT = 5,
    /** "offered_load", in messages/node/cycle: messages offered per node and cycle. */
    CN_METRIC_OFFERED_LOAD = 6,
    /**
     * "acceptance_probability": share of the offered messages that are admitted (P_A).
     * Source: Horng 1992, eq. 3.16.
     */
    CN_METRIC_ACCEPTANCE_PROBABILITY = 7,
    /**
     * "mean_queue_length", in messages: mean number of messages in a node at the start of a cycle.
     * Source: Horng 1992, eq. 3.24.
     */
    CN_METRIC_MEAN_QUEUE_LENGTH = 8,
    /**
     * "channel_utilization": probability that a channel carries a message in a cycle (rho).
     * Source: Horng 1992, eq. 3.11.
     */
    CN_METRIC_CHANNEL_UTILIZATION = 9,
    /**
     * "first_phase_utilization": part of channel_utilization that phase 1 assigns (rho_1).
     * Source: Horng 1992, eq. 3.12.
     */
    CN_METRIC_FIRST_PHASE_UTILIZATION = 10,
    /**
     * "second_phase_utilization": part of channel_utilization that phase 2 assigns (rho_2).
     * Source: Horng 1992, 3.3.4.
     */
    CN_METRIC_SECOND_PHASE_UTILIZATION = 11,
    /**
     * "forwarding_probability": probability that a channel brings a message closer to its
     * destination in a cycle (P_f).
     * Source: Horng 1992, eq. 3.30.
     */
    CN_METRIC_FORWARDING_PROBABILITY = 12,
    /**
     * "deflection_probability": probability that a channel deflects a message in a cycle (P_r).
     * Source: Horng 1992, eq. 3.29.
     */
    CN_METRIC_DEFLECTION_PROBABILITY = 13,
    /**
     * "net_progress": forwarding probability minus deflection probability (P_f - P_r).
     * Source: Horng 1992, eq. 3.31.
     */
    CN_METRIC_NET_PROGRESS = 14,
    /**
     * "transit_probability": probability that a channel delivers to a node a message that must
     * travel further (P_t).
     * Source: Horng 1992, 3.3.4.
     */
    CN_METRIC_TRANSIT_PROBABILITY = 15,
    /**
     * "mean_distance", in hops: mean distance from source to destination of a message (d).
     * Source: Horng 1992, 3.3.1.
     */
    CN_METRIC_MEAN_DISTANCE = 16,
    /**
     * "mean_hops", in hops: mean number of channels that a message crosses (h).
     * Source: Horng 1992, eq. 3.14.
     */
    CN_METRIC_MEAN_HOPS = 17,
    /**
     * "power", in messages/cycle^2: network throughput divided by mean delay.
     * Source: Horng 1992, 3.4.
     */
    CN_METRIC_POWER = 18,
    /**
     * "power_accepted", in messages/cycle^2: power times acceptance probability.
     * Source: Horng & Kleinrock 1991, 5.
     */
    CN_METRIC_POWER_ACCEPTED = 19,
    /** "delay_p50", in cycles: delay that half of the messages do not exceed. */
    CN_METRIC_DELAY_P50 = 20,
    /** "delay_p95", in cycles: delay that 95 % of the messages do not exceed. */
    CN_METRIC_DELAY_P95 = 21,
    /** "delay_p99", in cycles: delay that 99 % of the messages do not exceed. */
    CN_METRIC_DELAY_P99 = 22,
    /** "delay_max", in cycles: greatest delay observed. */
    CN_METRIC_DELAY_MAX = 23,
    /**
     * "channel_message_rate", in messages/cycle: messages that start to cross a channel per cycle.
     * Source: Shahrabi et al. 2001, eq. 11.
     */
    CN_METRIC_CHANNEL_MESSAGE_RATE = 24,
    /**
     * "virtual_channel_multiplexing": mean number of virtual channels that are in use on a channel,
     * weighted by that number: E[v^2]/E[v].
     * Source: Shahrabi et al. 2001, eq. 31.
     */
    CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING = 25,
    /**
     * "messages_delivered", in messages: messages delivered in the whole run, warm-up included.
     */
    CN_METRIC_MESSAGES_DELIVERED = 26,
    /**
     * "messages_in_flight", in messages: messages in the network at the end: accepted minus
     * delivered.
     */
    CN_METRIC_MESSAGES_IN_FLIGHT = 27,
    /** "cycles", in cycles: cycles simulated, warm-up included. */
    CN_METRIC_CYCLES = 28,
    /**
     * "messages_offered", in messages: messages offered in the whole run: accepted plus refused.
     */
    CN_METRIC_MESSAGES_OFFERED = 29,
    /** "messages_refused", in messages: offered messages that found no free buffer. */
    CN_METRIC_MESSAGES_REFUSED = 30,
    /**
     * "messages_accepted", in messages: messages admitted in the whole run, warm-up included.
     */
    CN_METRIC_MESSAGES_ACCEPTED = 31,
    /**
     * "waiting_per_hop", in cycles: mean time that a header waits for a virtual channel at a hop.
     * Source: Shahrabi et al. 2001, eq. 13.
     */
    CN_METRIC_WAITING_PER_HOP = 32,
    /**
     * "channel_rate_unicast", in messages/cycle: part of channel_message_rate due to unicasts.
     * Source: Shahrabi et al. 2001, eq. 7.
     */
    CN_METRIC_CHANNEL_RATE_UNICAST = 33,
    /**
     * "channel_rate_broadcast", in messages/cycle: part of channel_message_rate due to copies that
     * the source of a broadcast sends.
     * Source: Shahrabi et al. 2001, eq. 8.
     */
    CN_METRIC_CHANNEL_RATE_BROADCAST = 34,
    /**
     * "channel_rate_replica", in messages/cycle: part of channel_message_rate due to broadcast
     * copies that other nodes forward.
     * Source: Shahrabi et al. 2001, eq. 11.
     */
    CN_METRIC_CHANNEL_RATE_REPLICA = 35,
    /**
     * "completion_cycles", in cycles: cycles until the last message reaches its destination.
     * Source: Ziavras & Krishnamurthy 1999, 6.
     */
    CN_METRIC_COMPLETION_CYCLES = 36,
    /**
     * "operation_cycles", in cycles: mean time from the start of an operation to its last delivery.
     */
    CN_METRIC_OPERATION_CYCLES = 37,
    /** "transmissions", in messages: messages sent over channels in the whole run. */
    CN_METRIC_TRANSMISSIONS = 38,
    /**
     * "contentions", in messages: number of times that a message waited one cycle for its turn.
     * Source: Ziavras & Krishnamurthy 1999, 6.
     */
    CN_METRIC_CONTENTIONS = 39,
    /**
     * "peak_buffer_use", in messages: greatest number of messages that waited in a node, or to
     * enter it, at the end of a cycle.
     */
    CN_METRIC_PEAK_BUFFER_USE = 40,
    /**
     * "peak_channel_load", in messages: number of messages that the busiest directed channel
     * carried.
     */
    CN_METRIC_PEAK_CHANNEL_LOAD = 41,
    /**
     * "lower_bound_cycles", in cycles: lower bound of completion_cycles: for every schedule on
     * these trees, or for every way to carry a workload.
     */
    CN_METRIC_LOWER_BOUND_CYCLES = 42,
    /**
     * "survivor_fraction": number of survivors divided by the number of nodes.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVOR_FRACTION = 43,
    /** "reachable_fraction": share of the ordered pairs of survivors that a path joins. */
    CN_METRIC_REACHABLE_FRACTION = 44,
    /**
     * "working_fraction": number of nodes that are not faulty divided by the number of nodes.
     */
    CN_METRIC_WORKING_FRACTION = 45,
    /**
     * "survivors_of_working": number of survivors divided by the number of nodes that are not
     * faulty.
     * Source: Horng 1992, 5.3.
     */
    CN_METRIC_SURVIVORS_OF_WORKING = 46,
    /**
     * "connected_fraction": share of the fault patterns, of those with survivors, in which all
     * survivors can reach each other.
     */
    CN_METRIC_CONNECTED_FRACTION = 47,
    /**
     * "clusters": number of clusters of the two-level hierarchy.
     * Source: Horng 1992, 5.5.1.
     */
    CN_METRIC_CLUSTERS = 48,
    /**
     * "saturated_fraction": share of the fault patterns that cannot carry the load, of those on
     * which the scenario was run.
     */
    CN_METRIC_SATURATED_FRACTION = 49,
    /** "empty_fraction": share of the fault patterns that leave no survivor. */
    CN_METRIC_EMPTY_FRACTION = 50,
    /** "warmup_cycles", in cycles: cycles simulated before measuring started. */
    CN_METRIC_WARMUP_CYCLES = 51,
    /**
     * "unsettled_fraction": share of the fault patterns whose simulation was too short for a steady
     * state, of those that carry the load.
     */
    CN_METRIC_UNSETTLED_FRACTION = 52,
    /**
     * "extrapolated": 1 if the load is above the share of capacity up to which the accuracy of the
     * library's own model is stated, or if no accuracy is stated for the network, the buffers or
     * the locality (docs/models.md), else 0; in a study the share of such patterns; no other model
     * has it.
     */
    CN_METRIC_EXTRAPOLATED = 53,
    /**
     * "mean_delay_broadcast_sent", in cycles: mean time from when the source of a broadcast sends
     * the first copy until the last node has it: mean_delay_broadcast without the wait of that copy
     * at the source; the startup latency counts at every step, as in eq. 1.
     * Source: Shahrabi et al. 2001, section 3.
     */
    CN_METRIC_MEAN_DELAY_BROADCAST_SENT = 54,
    /** "bound_ratio": completion_cycles divided by lower_bound_cycles, of a workload. */
    CN_METRIC_BOUND_RATIO = 55,
    /**
     * "critical_computing", in cycles: part of completion_cycles in which the critical path
     * computes.
     */
    CN_METRIC_CRITICAL_COMPUTING = 56,
    /**
     * "critical_source_waiting", in cycles: part of completion_cycles in which a message of the
     * critical path is ready, but its source does not admit it.
     */
    CN_METRIC_CRITICAL_SOURCE_WAITING = 57,
    /**
     * "critical_network_waiting", in cycles: part of completion_cycles in which a message of the
     * critical path waits in the network.
     */
    CN_METRIC_CRITICAL_NETWORK_WAITING = 58,
    /**
     * "critical_wires", in cycles: part of completion_cycles that the hops and flits of the
     * critical path take.
     */
    CN_METRIC_CRITICAL_WIRES = 59
} cn_metric;

/** Returns the number of metrics. The metrics have the numbers from 1 to this number. */
CN_API size_t cn_metric_count(void);

/** Returns the canonical name of a metric; NULL for a number that is no metric. */
CN_API const char *cn_metric_name(cn_metric metric);

/** Returns the unit of a metric, "1" for pure numbers; NULL for a number that is no metric. */
CN_API const char *cn_metric_unit(cn_metric metric);

/** Returns the meaning of a metric in one line; NULL for a number that is no metric. */
CN_API const char *cn_metric_meaning(cn_metric metric);

/**
 * Returns the paper and equation that define a metric, "" for a metric without a paper; NULL for a
 * number that is no metric.
 */
CN_API const char *cn_metric_source(cn_metric metric);

/** Finds the metric with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_metric_from_name(const char *name, cn_metric *metric);

#ifdef __cplusplus
}
#endif

#endif
