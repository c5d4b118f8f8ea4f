/**
 * @file statistics.h
 * What a simulation counted by channel, by node, by message and by batch, as arrays of the caller.
 *
 * A simulation counts these when the parameter `statistics` of its scenario is "yes", which makes
 * it slower by up to a tenth and changes none of its metrics. The result of cn_simulate() or
 * cn_sim_result() then holds the counts of the measured cycles: of those after the warm-up. Of
 * several `replications` it holds their sums. All counts are whole numbers and do not depend on the
 * number of threads.
 *
 * Every function here returns CN_ERR_NOT_FOUND for a result without statistics: that of a model, of
 * a study, or of a simulation that was not asked for them.
 *
 * @since 0.1
 */
#ifndef CUBENET_STATISTICS_H
#define CUBENET_STATISTICS_H

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is counted of every node. The numbers never change. */
typedef enum cn_node_count {
    CN_NODE_COUNT_OFFERED = 0,  /**< "offered": messages that the node offered to the network */
    CN_NODE_COUNT_ACCEPTED = 1, /**< "accepted": of those, messages that the network accepted */
    CN_NODE_COUNT_REFUSED = 2,  /**< "refused": of those, messages that it refused */
    /** "delivered": messages that arrived at the node as their destination; a broadcast of
     *  "wormhole" or "cut-through" counts at the node that gets it last */
    CN_NODE_COUNT_DELIVERED = 3,
    /** "forwarded": how often a message came to the node over a channel and had to go on from
     *  there; in "wormhole" and "cut-through" not the copies of broadcasts */
    CN_NODE_COUNT_FORWARDED = 4
} cn_node_count;

/** What is counted of every delivered message. The numbers never change. */
typedef enum cn_distribution {
    CN_DISTRIBUTION_DELAY = 0,           /**< "delay": of all messages */
    CN_DISTRIBUTION_DELAY_UNICAST = 1,   /**< "delay_unicast": of messages with one destination */
    CN_DISTRIBUTION_DELAY_BROADCAST = 2, /**< "delay_broadcast": of broadcasts */
    /** "hops": channels crossed; by messages with one destination */
    CN_DISTRIBUTION_HOPS = 3
} cn_distribution;

/** Returns 1 when the result holds statistics, otherwise 0. */
CN_API int cn_result_has_statistics(const cn_result *result);

/**
 * Returns what each directed channel carried: messages; flits in "wormhole" and "cut-through". In
 * the stored-message systems and "deflection" the sum is the number of hops.
 *
 * @param loads out: loads[node * P + port], P = cn_topology_max_degree(); 0 where there is no such
 *        channel
 * @param capacity room in @p loads, in elements
 * @param count out: number of elements, nodes times P, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_NOT_FOUND, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(channels)
 */
CN_API cn_status cn_result_channel_loads(const cn_result *result, uint64_t loads[], size_t capacity,
                                         size_t *count);

/**
 * Returns one count of every node. Over all nodes each sum is that of the network, in the measured
 * cycles.
 *
 * @param counts out: by node
 * @param capacity room in @p counts, in elements
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(N)
 */
CN_API cn_status cn_result_node_counts(const cn_result *result, cn_node_count which,
                                       uint64_t counts[], size_t capacity, size_t *count);

/**
 * Returns the mean over time of the number of messages in the queues of every node. In "wormhole",
 * "cut-through" and "collective", where a message is at several nodes or none, they are the
 * messages that the node sent and that are not delivered. The mean over all nodes that take part is
 * `mean_queue_length`.
 *
 * @param queues out: messages, by node
 * @param capacity room in @p queues, in elements
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(N)
 */
CN_API cn_status cn_result_node_queues(const cn_result *result, double queues[], size_t capacity,
                                       size_t *count);

/**
 * Returns the bins of a histogram that are not empty, in ascending order. A bin holds the messages
 * whose value x is lower <= x < upper. Delays are in cycles, hops in channels. Bins are one cycle
 * (in continuous time 2^-20 cycles) or hop wide up to 512 of these units, and above at most 1/256
 * of their lower end.
 *
 * @param lower out: least value of a bin
 * @param upper out: end of the bin, not part of it
 * @param counts out: messages in the bin
 * @param capacity room in each array, in elements
 * @param count out: number of bins, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND (also: the simulation does not count these), CN_ERR_CAPACITY,
 *         CN_ERR_ARGUMENT. O(bins), at most 8448
 */
CN_API cn_status cn_result_histogram(const cn_result *result, cn_distribution which, double lower[],
                                     double upper[], uint64_t counts[], size_t capacity,
                                     size_t *count);

/**
 * Returns a quantile: the least value that at least the share @p share of the messages do not
 * exceed. It is exact where the bins are one unit wide, and else the lower end of a bin.
 *
 * @param share 0 to 1; 0.5: the median, 1: the greatest value
 * @param value out: in cycles or hops
 * @return CN_ERR_NOT_FOUND (also: no message was counted), CN_ERR_ARGUMENT. O(bins)
 */
CN_API cn_status cn_result_quantile(const cn_result *result, cn_distribution which, double share,
                                    double *value);

/**
 * Returns a metric over time: its value in each complete batch of measured cycles, in order. Every
 * metric of the result exists, and CN_METRIC_MESSAGES_IN_FLIGHT is the number of messages in the
 * network at the end of the batch. A run has at most 64 batches, all of the same length.
 *
 * @param values out: by batch, in the unit of the metric; NaN where the batch has no such value
 * @param capacity room in @p values, in elements
 * @param count out: number of complete batches, also when the capacity is too small; may be NULL
 * @param cycles out: length of a batch; the first one begins with the measurement; may be NULL
 * @return CN_ERR_NOT_FOUND (also: the result does not hold the metric, or is that of several
 *         replications), CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(batches)
 */
CN_API cn_status cn_result_batches(const cn_result *result, cn_metric metric, double values[],
                                   size_t capacity, size_t *count, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
