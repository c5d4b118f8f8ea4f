/**
 * @file queueing.h
 * Building blocks of the analytic models, for programs with models of their own. cn_predict() of
 * scenario.h runs complete models.
 *
 * @since 1.0
 */
#ifndef CUBENET_QUEUEING_H
#define CUBENET_QUEUEING_H

#include "control.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the distribution of winners in phase 1 of the random assignment: the probability f_{i,j}
 * that i messages, each of which picks one of n channels at random, win j channels.
 *
 *     f_{0,0} = 1,  f_{i,j} = f_{i-1,j-1} (1 - (j-1)/n) + f_{i-1,j} j/n
 *
 * @param channels n, 1..4096
 * @param messages i, at most 2^20
 * @param probabilities out, n + 1 elements: f_{i,j} for j = 0..n
 * @param capacity room in @p probabilities, in elements
 * @param count out: n + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(n i).
 * Source: Horng 1992, eq. 2.33 (with j in its factors, as in 2.39) and 3.2.
 */
CN_API cn_status cn_assignment_phase_one(uint32_t channels, uint64_t messages,
                                         double probabilities[], size_t capacity, size_t *count);

/**
 * Returns the distribution of the number of messages sent after both phases: the probability
 * f'_{i,j} that a node with i messages and M buffers sends j messages.
 *
 *     f'_{i,j} = f_{i,j} where i - j < M - n,  sum_{k<=j} f_{i,k} where i - j = M - n,  else 0
 *
 * @param channels n, 1..4096
 * @param buffers M, n .. 2^20
 * @param messages i, 0..M
 * @param probabilities out, n + 1 elements
 * @param capacity room in @p probabilities, in elements
 * @param count out: n + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(n i).
 * Source: Horng 1992, eq. 3.3.
 */
CN_API cn_status cn_assignment_both_phases(uint32_t channels, uint64_t buffers, uint64_t messages,
                                           double probabilities[], size_t capacity, size_t *count);

/**
 * Returns the Markov chain of a header: the probabilities with which one hop leads from state to
 * state, when the hop is a phase 2 assignment with probability q.
 *
 * Numbers of the states; state 0 is "arrived", and no hop leaves it:
 * - Boolean n-cubes, generalized hypercubes and complete networks: the number of dimensions in
 *   which the message still has hops to make;
 * - CN_STATES_EXACT: headers with their digits sorted in descending order, numbered in ascending
 *   order of the digits: "0 0", "1 0", "1 1", "2 0", ...; on bidirectional rings a digit is the
 *   distance, 0 .. k/2;
 * - CN_STATES_REDUCED: pairs (valid dimensions, distance), in ascending order: (0, 0), (1, 1), ...,
 *   (1, k-1), (2, 2), ...
 *
 * @param topology a hypercube, a k-ary n-cube, a generalized hypercube whose radices are equal, or
 *        a complete network
 * @param state_space the state diagram of headers, as the parameter of that name: CN_STATES_EXACT
 *        (sorted headers, C(n + k - 1, n) states), CN_STATES_REDUCED (valid dimensions and
 *        distance, (k - 2) n (n + 1) / 2 + n + 1 states; unidirectional rings only), or
 *        CN_STATES_AUTOMATIC, which is exact where that takes less than about 2^24 operations (all
 *        networks of up to 4096 nodes, and many larger ones), otherwise reduced. On Boolean cubes
 *        and on networks that are not k-ary n-cubes the three values have the same effect: n + 1
 *        states, the numbers of dimensions with hops to make
 * @param q in [0, 1)
 * @param start out, S elements: probability that a new message to a uniformly random other node
 *        begins in state i
 * @param matrix out, S x S elements: probability of a hop from i to j in element i S + j; each row
 *        sums to 1
 * @param capacity greatest number of states S for which both arrays have room
 * @param count out: S, the number of states, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (no such network, or too many
 *         states), CN_ERR_MEMORY. O(S^2).
 * Source: Horng 1992, figure 3.4, 4.3.2, eq. 4.6 and figure 4.3.
 */
CN_API cn_status cn_deflection_headers(const cn_topology *topology, cn_state_space state_space,
                                       double q, const cn_control *control, double start[],
                                       double matrix[], size_t capacity, size_t *count);

/**
 * Returns the stationary distribution of the number of messages in a node with M buffers and n
 * channels, at the start of a cycle: the solution pi of pi = pi D R A. D sends j of i messages with
 * probability f'_{i,j}. R receives a message in transit from each channel with probability P_t. A
 * admits a geometric number of new messages, as far as buffers are free.
 *
 * The model of the system "deflection", variant CN_MODEL_PUBLISHED, is this chain with the P_t for
 * which as many messages come in as go out: CN_METRIC_TRANSIT_PROBABILITY of the prediction.
 *
 * @param channels n, 1..64
 * @param buffers M, n .. 2^20
 * @param load mean number of new messages per cycle, 0..1e6
 * @param transit P_t, at least 0 and below 1
 * @param probabilities out, M + 1 elements: pi_i for i = 0..M
 * @param capacity room in @p probabilities, in elements
 * @param count out: M + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY, CN_ERR_MEMORY. O(M n^2).
 * Source: Horng 1992, eq. 3.7 to 3.10.
 */
CN_API cn_status cn_deflection_queue(uint32_t channels, uint64_t buffers, double load,
                                     double transit, const cn_control *control,
                                     double probabilities[], size_t capacity, size_t *count);

/* ---- optimal load, saturation load and number of buffers ---- */

/**
 * Finds, by the model, the load at which a scenario has its greatest power (network throughput over
 * mean delay); all other parameters are those of the scenario. The function takes every system that
 * has a model and the parameter `load`. A load without a steady state has no power.
 *
 * Where the power never falls as the load rises, as with very few buffers, the result is the
 * greatest value of the parameter, 1e6, or the greatest load that the source of the traffic can
 * offer.
 *
 * @param load out, messages per node and cycle, to about six digits
 * @param power out, the metric `power` at this load; may be NULL
 * @return what cn_predict() returns at one of the loads tried; CN_ERR_UNSTABLE when no load has a
 *         steady state. Cost of 50 to 80 predictions.
 * Source: Horng 1992, 3.4 and figure 3.10.
 */
CN_API cn_status cn_optimal_load(const cn_scenario *scenario, const cn_control *control,
                                 double *load, double *power);

/**
 * Returns the saturation load of a scenario by its model: the model has a steady state below this
 * load, and no steady state at this or any greater load. The load of the scenario does not matter
 * and need not be set. The function takes every system that has a model and the parameter `load`.
 *
 * The systems "deflection" and "cut-through-deflection" refuse messages, so every load has a steady
 * state. For these systems the function returns the throughput of the model at the greatest load.
 *
 * @param control progress, limits and cancellation; may be NULL
 * @param load out, messages per node and cycle: exact for "separate-buffers", "shared-buffer",
 *        "cut-through", "optimistic-bound" and "degraded-bound"; within a share of 1e-7 above the
 *        exact limit for "flow-deviation"; to ten digits for "wormhole" on Boolean n-cubes, within
 *        a share of 1e-3 above the exact limit on other networks. The source of the traffic may be
 *        unable to offer this load.
 * @return CN_ERR_UNSUPPORTED (no model of this system or scenario), CN_ERR_ARGUMENT, and other
 *         errors of cn_predict() except CN_ERR_UNSTABLE. Cost of one cn_predict(), for "wormhole"
 *         of 40.
 */
CN_API cn_status cn_saturation_load(const cn_scenario *scenario, const cn_control *control,
                                    double *load);

/**
 * Finds, by the model, the numbers of buffers per node with which a scenario reaches a share of the
 * greatest power of any number of buffers at the scenario's load. The number of buffers in the
 * scenario does not matter.
 *
 * The search assumes that the power rises to one peak and falls after the peak. The search covers
 * the numbers of buffers in the region of the model. If the least of these numbers reaches the
 * share, a smaller number might reach it, too, and the function refuses the call.
 *
 * @param share of the greatest power, above 0 and at most 1
 * @param least out, the fewest buffers that reach @p share
 * @param greatest out, the most buffers that reach @p share; 0 when every larger number reaches it,
 *        too (below the capacity of the network the power no longer falls once the network refuses
 *        no message)
 * @param power out, the greatest power; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the system does not take the parameter buffers, or
 *         has no model, or the fewest buffers are not in its region), and what cn_predict()
 *         returns. Cost of about 60 predictions.
 * Source: Horng 1992, 3.4, 4.4.1, figures 3.11, 4.6, 4.7.
 */
CN_API cn_status cn_buffer_range(const cn_scenario *scenario, double share,
                                 const cn_control *control, uint64_t *least, uint64_t *greatest,
                                 double *power);

/* ---- flow deviation ---- */

/*
 * The least mean delay that any routing can give a network in which every channel is an M/M/1 queue
 * of capacity 1 (one message per unit time) and traffic may be split over paths in any proportion.
 *
 *     T = (1/total) sum of f/(1-f) over all channels
 *
 * Arguments of cn_flow_deviation(), and of cn_flow_saturation() (experimental/intermediate.h):
 *
 * topology: at most 4096 nodes, and at most 2^24 for nodes times directed channels; else
 * CN_ERR_UNSUPPORTED. Memory: 8 bytes for each of these products.
 *
 * faults: faults of this topology; NULL: no faults. Faulty nodes neither send nor receive nor carry
 * messages.
 *
 * traffic: N x N numbers, the messages per unit time from i to j at load 1 in element i N + j;
 * count is N^2. Each number is finite, at least 0, and 0 from a node to itself and to and from
 * faulty nodes. NULL (count 0): every working node sends one message per unit time, divided equally
 * among the other working nodes. CN_ERR_ARGUMENT when the matrix breaks these rules, or its sum is
 * not 1e-290..1e290; CN_ERR_DISCONNECTED when there is traffic from i to j but no working path.
 */

/**
 * Finds the least mean delay at a load, up to @p gap, and channel flows with this delay. The least
 * mean delay lies between @p lower, a bound that holds for every routing, and @p delay, with delay
 * - lower <= gap delay.
 *
 * @param load factor of the traffic matrix, at least 0. With load 0 the delay is its limit, the
 *        mean distance, and all flows are 0.
 * @param gap 1e-9..1
 * @param delay out, mean time from source to destination
 * @param lower out, lower bound of the mean delay; may be NULL
 * @param channel_flows out: messages per unit time on the channel of port p of node v in element
 *        v max_degree + p, 0 where no channel works; may be NULL
 * @param capacity room in @p channel_flows, in elements: at least N max_degree, or 0 with NULL
 * @return CN_ERR_UNSTABLE (the load is at or above saturation, or below it by less than a share of
 *         1e-7; the error sentence names an upper bound of the load that the network carries),
 *         CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED, CN_ERR_UNSUPPORTED, CN_ERR_CAPACITY,
 *         CN_ERR_CONVERGENCE, CN_ERR_MEMORY. Outputs are untouched unless CN_OK. O(N channels) for
 *         each round; the number of rounds grows towards saturation.
 * Source: Fratta, Gerla & Kleinrock 1973; Horng 1992, 5.2 and 5.4.3.
 */
CN_API cn_status cn_flow_deviation(const cn_topology *topology, const cn_faults *faults,
                                   const double traffic[], size_t count, double load, double gap,
                                   const cn_control *control, double *delay, double *lower,
                                   double channel_flows[], size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
