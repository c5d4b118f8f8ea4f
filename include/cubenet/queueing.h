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

#ifdef __cplusplus
}
#endif

#endif
