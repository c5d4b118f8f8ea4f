/**
 * @file statistics.h
 * Statistics of a simulation by channel, by node, by message and by batch, in arrays of the caller.
 *
 * A simulation collects statistics when the parameter `statistics` of its scenario is "yes". The
 * simulation is then slower (docs/lab/speed.md); its metrics do not change. The result of
 * cn_simulate() or cn_sim_result() holds the counts of the measured cycles, which are the cycles
 * after the warm-up; with several `replications` it holds the sums over them. All counts are whole
 * numbers and do not depend on the number of threads.
 *
 * Every function of this header returns CN_ERR_NOT_FOUND for a result without statistics: the
 * result of a model, of a study, or of a simulation whose `statistics` is "no".
 *
 * @since 1.0
 */
#ifndef CUBENET_STATISTICS_H
#define CUBENET_STATISTICS_H

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The counts of a node. The numbers never change. */
typedef enum cn_node_count {
    CN_NODE_COUNT_OFFERED = 0,  /**< "offered": messages that the node offered to the network */
    CN_NODE_COUNT_ACCEPTED = 1, /**< "accepted": offered messages that the network accepted */
    CN_NODE_COUNT_REFUSED = 2,  /**< "refused": offered messages that the network refused */
    /**
     * "delivered": messages that arrived at the node as their destination; a broadcast of
     * "wormhole" or "cut-through" counts at the node that receives it last
     */
    CN_NODE_COUNT_DELIVERED = 3,
    /**
     * "forwarded": messages that came to the node over a channel on their way to another node; a
     * message counts each time; in "wormhole" and "cut-through" copies of broadcasts do not count
     */
    CN_NODE_COUNT_FORWARDED = 4
} cn_node_count;

/** The distributions over delivered messages. The numbers never change. */
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
 * Returns the number of messages that each directed channel carried; in "wormhole" and
 * "cut-through" the number of flits. In "separate-buffers", "shared-buffer" and "deflection" the
 * sum over all channels is the number of hops.
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
 * Returns one count of every node. The sum over all nodes is the count of the network in the
 * measured cycles.
 *
 * @param which the count to return
 * @param counts out: counts[v] is the count of node v
 * @param capacity room in @p counts, in elements
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(N)
 */
CN_API cn_status cn_result_node_counts(const cn_result *result, cn_node_count which,
                                       uint64_t counts[], size_t capacity, size_t *count);

/**
 * Returns the mean over time of the number of messages in the queues of every node. In "wormhole",
 * "cut-through" and "collective", where a message may be at several nodes or at none, the messages
 * that the node sent and that are not delivered yet count. The mean over all nodes that take part
 * is the metric `mean_queue_length`.
 *
 * @param queues out: queues[v] is the mean number of messages of node v
 * @param capacity room in @p queues, in elements
 * @param count out: number of nodes, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND, CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(N)
 */
CN_API cn_status cn_result_node_queues(const cn_result *result, double queues[], size_t capacity,
                                       size_t *count);

/**
 * Returns the bins of a histogram that are not empty, in ascending order. A bin counts the messages
 * whose value x is lower <= x < upper. Delays are in cycles. The unit is one cycle (in continuous
 * time 2^-20 cycles) or one hop. Bins are one unit wide up to 512 units; above, a bin is at most
 * 1/256 of its lower end wide.
 *
 * @param lower out: least value of each bin
 * @param upper out: end of each bin, which is not part of the bin
 * @param counts out: number of messages in each bin
 * @param capacity room in each array, in elements
 * @param count out: number of bins, also when the capacity is too small; may be NULL
 * @return CN_ERR_NOT_FOUND (also: the simulation does not count this distribution),
 *         CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(bins); there are at most 8448 bins.
 */
CN_API cn_status cn_result_histogram(const cn_result *result, cn_distribution which, double lower[],
                                     double upper[], uint64_t counts[], size_t capacity,
                                     size_t *count);

/**
 * Returns a quantile: the least value that at least the share @p share of the messages does not
 * exceed. The value is exact where bins are one unit wide; otherwise it is the lower end of a bin.
 *
 * @param share 0 to 1; 0.5: the median, 1: the greatest value
 * @param value out: in cycles or hops
 * @return CN_ERR_NOT_FOUND (also: no message was counted), CN_ERR_ARGUMENT. O(bins)
 */
CN_API cn_status cn_result_quantile(const cn_result *result, cn_distribution which, double share,
                                    double *value);

/**
 * Returns a metric over time: its value in each complete batch of measured cycles, in order. The
 * batches have every metric of the result; CN_METRIC_MESSAGES_IN_FLIGHT is the number of messages
 * in the network at the end of a batch. A run has at most 64 batches, all of the same length.
 *
 * @param values out: one value for each batch, in the unit of the metric; NaN where the batch has
 *        no value
 * @param capacity room in @p values, in elements
 * @param count out: number of complete batches, also when the capacity is too small; may be NULL
 * @param cycles out: length of a batch in cycles; the first batch begins with the measurement; may
 *        be NULL
 * @return CN_ERR_NOT_FOUND (also: the result does not hold the metric, or covers several
 *         replications), CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(batches).
 */
CN_API cn_status cn_result_batches(const cn_result *result, cn_metric metric, double values[],
                                   size_t capacity, size_t *count, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
