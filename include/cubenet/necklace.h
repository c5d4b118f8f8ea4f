/**
 * @file necklace.h
 * Necklaces of the generalized hypercube: what the rotation of addresses makes of a node.
 *
 * The rotation R drops the leftmost digit x of an address and appends r(x) on the right: r(0) = 0,
 * r(x) = x mod (k-1) + 1. In GH(3,5), R(342) = 424. Rotating n (k-1) times gives the node back; the
 * nodes that a node meets on the way are its necklace. All of them have equally many digits other
 * than 0: they are equally far from node 0. This number is called the distance of the necklace.
 *
 * The functions take a symmetric generalized hypercube (all radices equal) or a Boolean cube, which
 * is GH(n,2); others get CN_ERR_UNSUPPORTED. On a Boolean cube R is the cyclic shift of n bits, so its
 * necklaces are also the shuffle cycles of the shuffle-exchange networks (Ginosar & Egozi 1989).
 *
 * Digits are counted from the left here: index 0 is a_{n-1}, the most significant one. Nothing is
 * stored, and nothing allocated. A query takes O(n) steps, and O(n) more for each rotation of the node
 * whose zeros stand where those of its generator stand: O(n^2) at worst, with n at most 39 then.
 *
 * Source of all of them, unless another is named: Fragopoulou, Akl & Meijer 1996 as summarised by
 * Ziavras & Krishnamurthy 1999, 4.
 *
 * @since 0.1
 */
#ifndef CUBENET_NECKLACE_H
#define CUBENET_NECKLACE_H

#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** R(node). */
CN_API cn_status cn_necklace_rotate(const cn_topology *topology, uint64_t node, uint64_t *rotated);

/** The node whose rotation is @p node. */
CN_API cn_status cn_necklace_rotate_back(const cn_topology *topology, uint64_t node,
                                         uint64_t *rotated);

/**
 * Number of different nodes in the necklace of @p node: the least P > 0 with R^P(node) = node. Divides
 * n (k-1).
 */
CN_API cn_status cn_necklace_period(const cn_topology *topology, uint64_t node, uint64_t *period);

/** 1 when the necklace of @p node is full, that is has n (k-1) different nodes, else 0. */
CN_API cn_status cn_necklace_is_full(const cn_topology *topology, uint64_t node, int *full);

/**
 * The node that stands for the necklace: of those with the largest binary correspondent (1 for every
 * digit but 0) the one with the largest address. Its leftmost digit is k-1, unless it is node 0.
 */
CN_API cn_status cn_necklace_generator(const cn_topology *topology, uint64_t node,
                                       uint64_t *generator);

/** The least number of rotations, 0 .. period-1, that turn @p node into its generator. */
CN_API cn_status cn_necklace_displacement(const cn_topology *topology, uint64_t node,
                                          uint64_t *displacement);

/**
 * An element of the unfolded necklace of @p node: n (k-1) nodes, element 0 the generator and each the
 * rotation of the next. Of a necklace of P nodes, element i has displacement i mod P.
 * @param index 0 .. n (k-1) - 1
 */
CN_API cn_status cn_necklace_element(const cn_topology *topology, uint64_t node, uint64_t index,
                                     uint64_t *element);

/**
 * The whole unfolded necklace of @p node.
 * @param capacity room in @p nodes, in elements
 * @param count out: n (k-1), also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(n) an element.
 */
CN_API cn_status cn_necklace_unfolded(const cn_topology *topology, uint64_t node, uint64_t nodes[],
                                      size_t capacity, size_t *count);

/* ---- all necklaces at a distance ---- */

/**
 * Number of necklaces at @p distance, in closed form: the sum of phi(e) C(n/e, w/e) (k-1)^(w/e) over all
 * e that divide n and w and have no factor in common with k-1, divided by n (k-1); w the distance,
 * above 0. Orbits counted by Burnside's lemma.
 * @param distance 0 .. n
 */
CN_API cn_status cn_necklace_count(const cn_topology *topology, uint64_t distance,
                                   uint64_t *necklaces);

/**
 * The first of the necklaces at @p distance, as its generator: (k-1) ... (k-1) 0 ... 0.
 * @param distance 0 .. n
 */
CN_API cn_status cn_necklace_first(const cn_topology *topology, uint64_t distance,
                                   uint64_t *generator);

/**
 * The necklace after that of @p generator, at the same distance. The order is that of the papers'
 * tables: falling binary correspondents, and then by digits, the leftmost first, k-1 before 1, 2, ... ,
 * k-2. Looks at not more than 2n addresses per necklace in the mean over all necklaces of a distance,
 * O(n) each; a single step may take many more.
 *
 * @param generator the generator of a necklace
 * @param next out: untouched when there is none
 * @return CN_DONE after the last one; CN_ERR_ARGUMENT for a node that is no generator
 */
CN_API cn_status cn_necklace_next(const cn_topology *topology, uint64_t generator, uint64_t *next);

#ifdef __cplusplus
}
#endif

#endif
