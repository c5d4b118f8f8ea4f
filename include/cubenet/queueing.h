/**
 * @file queueing.h
 * The building blocks of the analytic models, for those who build their own. The models themselves
 * are reached through cn_predict() of scenario.h.
 */
#ifndef CUBENET_QUEUEING_H
#define CUBENET_QUEUEING_H

#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase 1 of the random assignment: the probability f_{i,j} that i messages, each picking one of n
 * channels at random, win j of them.
 *
 *     f_{0,0} = 1,  f_{i,j} = f_{i-1,j-1} (1 - (j-1)/n) + f_{i-1,j} j/n
 *
 * @param channels n, 1..4096
 * @param messages i, at most 2^20
 * @param probabilities out, n + 1 elements: f_{i,j} for j = 0..n
 * @param capacity room in @p probabilities, in elements
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(n i).
 * Source: Horng 1992, eq. 2.33 (with its misprint corrected) and 3.2.
 */
CN_API cn_status cn_assignment_phase_one(uint32_t channels, uint64_t messages,
                                         double probabilities[], size_t capacity);

/**
 * Both phases: the probability f'_{i,j} that a node with i messages and M buffers sends j of them.
 *
 *     f'_{i,j} = f_{i,j} where i - j < M - n,  sum_{k<=j} f_{i,k} where i - j = M - n,  else 0
 *
 * @param channels n, 1..4096
 * @param buffers M, n .. 2^20
 * @param messages i, 0..M
 * @param probabilities out, n + 1 elements
 * @param capacity room in @p probabilities, in elements
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(n i).
 * Source: Horng 1992, eq. 3.3.
 */
CN_API cn_status cn_assignment_both_phases(uint32_t channels, uint64_t buffers, uint64_t messages,
                                           double probabilities[], size_t capacity);

/**
 * The mean number of hops h_i that a message with i one-bits in its header still makes in the
 * Boolean n-cube when each of its hops is an assignment of phase 2 with probability q.
 *
 *     g_n = 1,  g_i = (1 + b_i g_{i+1}) / (1 - b_i),  b_i = q (n-i)/(n-1),  h_i = g_1 + ... + g_i
 *
 * @param n dimensions, 1..62
 * @param q in [0, 1); for n = 1 there is no deflection and q is ignored
 * @param hop_counts out, n + 1 elements: h_0 = 0, h_1, ..., h_n
 * @param capacity room in @p hop_counts, in elements
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 * Source: Horng 1992, eq. 3.13 (a stable recursion in place of its products).
 */
CN_API cn_status cn_deflection_hops(uint32_t n, double q, double hop_counts[], size_t capacity);

/**
 * The number of messages in a node of the Boolean n-cube with a shared, unlimited buffer at the
 * beginning of a cycle: Poisson in the approximation of the system "shared-buffer".
 *
 *     pi_i = x^i / i! e^-x,  x = -n log(1 - load d/n)
 *
 * @param n dimensions, 1..62
 * @param load new messages per node and cycle, at least 0 and below the capacity n/d = 2 - 2^(1-n)
 * @param probabilities out, @p capacity elements, all of them filled: pi_i for i = 0 .. capacity - 1
 * @param capacity room in @p probabilities, in elements
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSTABLE (load at or above capacity), CN_ERR_MEMORY.
 *         O(capacity + x), x being at most about 2400.
 * Source: Horng 1992, eq. 2.54.
 */
CN_API cn_status cn_shared_buffer_queue(uint32_t n, double load, double probabilities[],
                                        size_t capacity);

/* ---- flow deviation ---- */

/*
 * The least mean delay that any way of routing can give a network: every channel an M/M/1 queue of
 * capacity 1 (one message per unit time), messages may be split over paths at will.
 *
 *     T = (1/total) sum of f/(1-f) over all channels
 *
 * Common to the functions below:
 *
 * topology: at most 4096 nodes, and at most 2^24 for nodes times directed channels; else
 * CN_ERR_UNSUPPORTED. 8 bytes for each of these products, 24 where it converges slowly.
 *
 * faults: of this topology; NULL for none. Faulty nodes neither send nor receive nor carry messages.
 *
 * traffic: N x N numbers, the messages per unit time from i to j at load 1 in element i N + j; count is
 * N^2. Finite, at least 0, and 0 from a node to itself and to and from faulty nodes. NULL (count 0):
 * every working node sends one message per unit time, to each other one alike. CN_ERR_ARGUMENT when it
 * is something else, or all zero; CN_ERR_DISCONNECTED when no working path leads from i to j, but
 * traffic does.
 */

/**
 * The least mean delay at a load, and the flows that reach it. The delay found, lower <= least <= delay
 * with delay - lower <= gap delay: `lower` is a bound that holds for every routing.
 *
 * @param load the traffic is this many times the matrix; at least 0. With 0 the delay is its limit, the
 *        mean distance, and all flows are 0.
 * @param gap 1e-9..1
 * @param delay out, mean time from source to destination
 * @param lower out; may be NULL
 * @param channel_flows out: messages per unit time on the channel of port p of node v in element
 *        v max_degree + p, 0 where no channel works; may be NULL
 * @param capacity room in @p channel_flows, in elements: at least N max_degree, if it is not NULL
 * @return CN_ERR_UNSTABLE (the load is at or above saturation, or nearer to it than a share of 1e-7; the
 *         sentence has the limit found), CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED, CN_ERR_UNSUPPORTED,
 *         CN_ERR_CAPACITY, CN_ERR_CONVERGENCE, CN_ERR_MEMORY. Outputs are untouched unless CN_OK.
 *         A number of rounds of O(N channels), which grows towards saturation.
 * Source: Fratta, Gerla & Kleinrock 1973; Horng 1992, 5.2 and 5.4.3.
 */
CN_API cn_status cn_flow_deviation(const cn_topology *topology, const cn_faults *faults,
                                   const double traffic[], size_t count, double load, double gap,
                                   double *delay, double *lower, double channel_flows[],
                                   size_t capacity);

/**
 * The saturation load: below it the traffic can be carried with finite delay, from there on it cannot,
 * whatever the routing. It lies between @p lower and @p upper.
 *
 * @param accuracy 1e-7..1: upper - lower is at most this share of upper
 * @return errors as for cn_flow_deviation()
 */
CN_API cn_status cn_flow_saturation(const cn_topology *topology, const cn_faults *faults,
                                    const double traffic[], size_t count, double accuracy,
                                    double *lower, double *upper);

#ifdef __cplusplus
}
#endif

#endif
