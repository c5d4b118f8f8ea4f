/**
 * @file shape.h
 * Deflection on k-ary n-cubes of one size and bisection width, but of different shape.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_SHAPE_H
#define CUBENET_EXPERIMENTAL_SHAPE_H

#include "../choice.h"
#include "../control.h"
#include "../traffic.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns all k-ary n-cubes with a given number of nodes: the pairs k >= 2, n >= 1 with k^n =
 * nodes, with n rising from 1.
 *
 * @param nodes 2 .. 2^62
 * @param radix out, k; may be NULL with capacity 0
 * @param dimensions out, n; may be NULL with capacity 0
 * @param capacity room in either array, in elements
 * @param count out: number of pairs, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 */
CN_API cn_status cn_kary_shapes(uint64_t nodes, uint64_t radix[], uint32_t dimensions[],
                                size_t capacity, size_t *count);

/**
 * Returns the cycle time of a k-ary n-cube in units of the cycle time of the Boolean cube with as
 * many nodes, when both have the same bisection width and the channels of the k-ary n-cube are
 * therefore k/2 times as wide: (beta + 2/k) / (beta + 1). With rings of both ways and k above 2 the
 * halves have twice as many channels between them, which are k/4 times as wide: 4/k in place of
 * 2/k. To compare networks of different shape, divide a throughput per cycle by the cycle time, and
 * multiply a delay in cycles by the cycle time.
 *
 * @param radix k, at least 2
 * @param bidirectional nonzero for rings of both ways
 * @param processing_ratio beta, at least 0: time of a node per message over the time that the
 *        message takes on a channel of the Boolean cube
 * @param cycle_time out
 * @return CN_ERR_ARGUMENT
 * Source: Horng 1992, 4.4.2.
 */
CN_API cn_status cn_bisection_cycle_time(uint64_t radix, int bidirectional, double processing_ratio,
                                         double *cycle_time);

/**
 * Predicts deflection on a k-ary n-cube with two buffers per channel, at the bisection width of the
 * Boolean cube with as many nodes. Throughput and delay are in units of the cycle time of the
 * Boolean cube. The best shape of cn_kary_shapes() has the greatest throughput / delay.
 *
 * @param topology a k-ary n-cube with rings of one or of both ways
 * @param traffic uniform or locality, with the source of deflection; NULL: uniform
 * @param processing_ratio beta, as for cn_bisection_cycle_time()
 * @param load new messages per node in a cycle time of the Boolean cube, 0 .. 1e6
 * @param model_variant CN_MODEL_AUTOMATIC, CN_MODEL_PUBLISHED or CN_MODEL_OWN
 * @param throughput out, messages per node in a unit of time
 * @param delay out, units of time
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (another network, traffic or variant, or a ring of
 *         more than 2^22 nodes), CN_ERR_CONVERGENCE, CN_ERR_MEMORY. Cost of one cn_predict().
 * Source: Horng 1992, 4.1, 4.4.2 and 6.1.2, figures 4.8 to 4.10.
 */
CN_API cn_status cn_predict_shape(const cn_topology *topology, const cn_traffic *traffic,
                                  double processing_ratio, double load,
                                  cn_model_variant model_variant, const cn_control *control,
                                  double *throughput, double *delay);

#ifdef __cplusplus
}
#endif

#endif
