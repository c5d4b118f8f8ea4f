/**
 * @file necklace.h
 * Necklaces of the generalized hypercube: the orbits of nodes under rotation of their addresses.
 *
 * The rotation R drops the leftmost digit x of an address and appends r(x) on the right: r(0) = 0,
 * r(x) = x mod (k-1) + 1. In GH(3,5), R(342) = 424. n (k-1) rotations lead back to the node; the
 * nodes passed on the way form its necklace. All nodes of a necklace have the same number of
 * nonzero digits, so they are equally far from node 0. This number is the distance of the necklace.
 *
 * The functions support a symmetric generalized hypercube (all radices equal) and a Boolean cube,
 * which is GH(n,2); other topologies give CN_ERR_UNSUPPORTED. On a Boolean cube R is the cyclic
 * shift of n bits, so its necklaces are also the shuffle cycles of the shuffle-exchange networks
 * (Ginosar & Egozi 1989).
 *
 * In this header digits are counted from the left: index 0 is a_{n-1}, the most significant digit.
 * The functions store and allocate nothing. A query takes O(n) steps, and O(n) more for each
 * rotation of the node that has its zeros in the same places as the generator: O(n^2) in the worst
 * case, in which n is at most 39.
 *
 * Source of all functions, unless another is named: Fragopoulou, Akl & Meijer 1996 as summarised by
 * Ziavras & Krishnamurthy 1999, 4.
 *
 * @since 1.0
 */
#ifndef CUBENET_NECKLACE_H
#define CUBENET_NECKLACE_H

#include "address.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns R(node), the rotation of @p node. */
CN_API cn_status cn_necklace_rotate(const cn_topology *topology, uint64_t node, uint64_t *rotated);

/** Returns the node whose rotation is @p node. */
CN_API cn_status cn_necklace_rotate_back(const cn_topology *topology, uint64_t node,
                                         uint64_t *rotated);

/**
 * Returns the period of @p node, the number of distinct nodes in its necklace: the least P > 0 with
 * R^P(node) = node. P divides n (k-1). The necklace is full when P = n (k-1).
 */
CN_API cn_status cn_necklace_period(const cn_topology *topology, uint64_t node, uint64_t *period);

/**
 * Returns the generator, the node that represents the necklace of @p node: among the nodes with the
 * largest binary correspondent (1 for every nonzero digit) it has the largest address. The leftmost
 * digit of a generator is k-1, except for node 0.
 */
CN_API cn_status cn_necklace_generator(const cn_topology *topology, uint64_t node,
                                       uint64_t *generator);

/**
 * Returns the displacement of @p node: the least number of rotations, 0 .. period-1, from the node
 * to its generator.
 */
CN_API cn_status cn_necklace_displacement(const cn_topology *topology, uint64_t node,
                                          uint64_t *displacement);

/**
 * Returns the displacements of many nodes: displacements[i] is the displacement of nodes[i].
 * @param count elements in each of the two arrays, which may be the same
 * @return as cn_necklace_displacement(), and CN_ERR_CANCELLED. When nodes[i] is not a node, the
 *         error sentence names i, and the displacements before it are stored.
 */
CN_API cn_status cn_necklace_displacements(const cn_topology *topology, const uint64_t nodes[],
                                           size_t count, const cn_control *control,
                                           uint64_t displacements[]);

/**
 * Returns the unfolded necklace of @p node: n (k-1) elements, of which element 0 is the generator,
 * and each element is the rotation of the next element. In a necklace of P nodes, element i has
 * displacement i mod P.
 * @param capacity room in @p nodes, in elements
 * @param count out: n (k-1), also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(n) an element.
 */
CN_API cn_status cn_necklace_unfolded(const cn_topology *topology, uint64_t node, uint64_t nodes[],
                                      size_t capacity, size_t *count);

/* ---- all necklaces at a distance ---- */

/**
 * Returns the number of necklaces at distance w. For w > 0 it is the sum of phi(e) C(n/e, w/e)
 * (k-1)^(w/e) over all e that divide n and w and have no factor in common with k-1, divided by n
 * (k-1) (Burnside's lemma).
 * @param distance 0 .. n
 */
CN_API cn_status cn_necklace_count(const cn_topology *topology, uint64_t distance,
                                   uint64_t *necklaces);

/**
 * Returns the generator of the first necklace at @p distance: (k-1) ... (k-1) 0 ... 0.
 * @param distance 0 .. n
 */
CN_API cn_status cn_necklace_first(const cn_topology *topology, uint64_t distance,
                                   uint64_t *generator);

/**
 * Returns the generator of the next necklace at the same distance. The order is the order of the
 * tables in the papers: by falling binary correspondent, then by digits from the left, with k-1
 * before 1, 2, ... , k-2. On average over all necklaces of a distance the function examines at most
 * 2n addresses per necklace, O(n) each; a single call may examine many more.
 *
 * @param generator the generator of a necklace
 * @param next out: the generator of the next necklace; unchanged when there is none
 * @return CN_DONE (there is no next necklace), CN_ERR_ARGUMENT (a node that is no generator)
 */
CN_API cn_status cn_necklace_next(const cn_topology *topology, uint64_t generator, uint64_t *next);

#ifdef __cplusplus
}
#endif

#endif
