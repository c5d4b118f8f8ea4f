/**
 * @file intermediate.h
 * Intermediate results of the analytic models.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_INTERMEDIATE_H
#define CUBENET_EXPERIMENTAL_INTERMEDIATE_H

#include "../choice.h"
#include "../control.h"
#include "../scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the mean number of hops h_i that a message with i one-bits in its header still makes in
 * the Boolean n-cube when each of its hops is a phase 2 assignment with probability q.
 *
 *     g_n = 1,  g_i = (1 + b_i g_{i+1}) / (1 - b_i),  b_i = q (n-i)/(n-1),  h_i = g_1 + ... + g_i
 *
 * @param n dimensions, 1..62
 * @param q in [0, 1); for n = 1 there is no deflection and q is ignored
 * @param hop_counts out, n + 1 elements: h_0 = 0, h_1, ..., h_n
 * @param capacity room in @p hop_counts, in elements
 * @param count out: n + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(n).
 * Source: Horng 1992, eq. 3.13 (computed by a stable recursion in place of the products).
 */
CN_API cn_status cn_deflection_hops(uint32_t n, double q, double hop_counts[], size_t capacity,
                                    size_t *count);

/**
 * Returns the distribution of the number of messages in a node of the Boolean n-cube with a shared,
 * unlimited buffer at the beginning of a cycle. In the approximation of the system "shared-buffer"
 * it is a Poisson distribution.
 *
 *     pi_i = x^i / i! e^-x,  x = -n log(1 - load d/n)
 *
 * @param n dimensions, 1..62
 * @param load new messages per node and cycle, at least 0 and below the capacity n/d = 2 - 2^(1-n)
 * @param probabilities out, @p count elements: pi_i for i = 0 .. count - 1
 * @param count number of probabilities to return
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSTABLE (load at or above capacity), CN_ERR_MEMORY. O(count +
 *         x), where x is at most about 2400.
 * Source: Horng 1992, eq. 2.54.
 */
CN_API cn_status cn_shared_buffer_queue(uint32_t n, double load, double probabilities[],
                                        size_t count);

/**
 * Returns the distribution of the number of messages that a channel of the Boolean n-cube with a
 * buffer at each channel is given in a cycle. Its mean is the utilization of the channels.
 *
 *     b_j = sum_{i>=j} a_i C(i, j) (1/n)^j (1 - 1/n)^(i-j)
 *
 * with a_i the messages that a node receives in a cycle: a binomial number in transit, of n
 * channels and P_t = load (d - 1)/n, and a geometric number of new ones.
 *
 * @param n as for cn_shared_buffer_queue(), with all other arguments and errors
 * @param probabilities out, @p count elements: b_j for j = 0 .. count - 1
 * @return as cn_shared_buffer_queue(). O(n^2 + count).
 * Source: Horng 1992, eq. 2.16.
 */
CN_API cn_status cn_separate_buffers_arrivals(uint32_t n, double load, double probabilities[],
                                              size_t count);

/**
 * Returns the distribution of the queue of a channel of the Boolean n-cube with a buffer at each
 * channel at the beginning of a cycle, the message that is sent in that cycle included: the
 * distribution that the arrivals b_j have when one message leaves in a cycle. n times its mean is
 * the metric `mean_queue_length` of the model "separate-buffers", variant CN_MODEL_PUBLISHED.
 *
 * @param n as for cn_shared_buffer_queue(), with all other arguments and errors
 * @param probabilities out, @p count elements, by the number of messages
 * @return as cn_shared_buffer_queue(). O(n^2 + n count).
 * Source: Horng 1992, eq. 2.16, 2.20; the mean is eq. 2.30.
 */
CN_API cn_status cn_separate_buffers_queue(uint32_t n, double load, double probabilities[],
                                           size_t count);

/**
 * Returns the distribution of the number of messages in a node of the Boolean n-cube at the
 * beginning of a cycle, when a node with i messages sends min(i, n) messages, each closer to its
 * destination: the model of the system "optimistic-bound".
 *
 *     X(z) = (1 - z_n) (P_t z + 1 - P_t)^n / (z - z_n),  P_t = load (d - 1)/n
 *
 * @param n as for cn_shared_buffer_queue(), with all other arguments and errors
 * @param probabilities out, @p count elements, by the number of messages
 * @return as cn_shared_buffer_queue(). O(n^2 + count).
 * Source: Horng 1992, eq. 2.74; the mean is eq. 2.75.
 */
CN_API cn_status cn_optimistic_bound_queue(uint32_t n, double load, double probabilities[],
                                           size_t count);

/**
 * Returns the mean number of hops of a message to a uniformly random other node when each of its
 * hops is a phase 2 assignment with probability q.
 *
 * @param topology as for cn_deflection_headers()
 * @param state_space as for cn_deflection_headers()
 * @param q in [0, 1)
 * @param mean_hops out, mean number of hops
 * @param states out, number of states of the diagram; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (no such network, or too many states), CN_ERR_MEMORY.
 *         With S states, s = S / k: O(S s n + s^3).
 * Source: Horng 1992, 4.3.2, eq. 4.6 and figure 4.3.
 */
CN_API cn_status cn_deflection_mean_hops(const cn_topology *topology, cn_state_space state_space,
                                         double q, const cn_control *control, double *mean_hops,
                                         uint64_t *states);

/**
 * Returns the mean time that a message waits for and crosses each channel, by the model of the
 * scenario's system. The predicted delay of one path is the sum over its channels, so a program
 * without a simulated network can give its links these delays (cn_routing_path() returns the nodes
 * of a path). The sum over all channels of load times delay, divided by the messages sent, is the
 * metric `mean_delay`.
 *
 * Only the model of "separate-buffers" computes these delays, for at most 2^14 nodes; in continuous
 * time (`slotted` is "no") the delays are exact.
 *
 * @param control progress, limits and cancellation; may be NULL
 * @param delays out, cycles: delays[node * P + port], P = cn_topology_max_degree(); 1 for a channel
 *        that no message takes, 0 where a node has no such port
 * @param capacity room in @p delays, in elements
 * @param count out: number of elements, nodes times P, also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_CAPACITY and the errors of cn_predict(). Cost of cn_predict()
 */
CN_API cn_status cn_predict_channel_delays(const cn_scenario *scenario, const cn_control *control,
                                           double delays[], size_t capacity, size_t *count);

/**
 * Finds the saturation load: below it some routing carries the traffic with finite delay, at or
 * above it no routing does. It lies between @p lower and @p upper.
 *
 * @param accuracy 1e-7..1: upper - lower is at most this share of upper
 * @param lower out
 * @param upper out
 * @return errors as for cn_flow_deviation() (queueing.h), whose heading describes the other
 *         arguments
 */
CN_API cn_status cn_flow_saturation(const cn_topology *topology, const cn_faults *faults,
                                    const double traffic[], size_t count, double accuracy,
                                    const cn_control *control, double *lower, double *upper);

#ifdef __cplusplus
}
#endif

#endif
