/* Addresses in the form that necklaces use: digits from the left, digits other than 0 modulo
 * k-1. */
#ifndef CNI_TOPOLOGY_ADDRESSES_NECKLACE_H
#define CNI_TOPOLOGY_ADDRESSES_NECKLACE_H

#include "cubenet/necklace.h"

#include "topology/topology.h"

/*
 * An address with the digits x_0 ... x_{n-1}, x_0 the most significant. A rotation R (see
 * cubenet/necklace.h) changes a digit other than 0 only by adding one, modulo k-1. So a word keeps
 * the residue of such a digit; residue 0 stands for digit k-1.
 */
typedef struct cni_word {
    uint32_t n;
    uint64_t turn;                        /* k - 1; n (k - 1) rotations change nothing */
    uint64_t mask;                        /* the binary correspondent: bit n-1-q for x_q */
    uint64_t residue[CNI_MAX_DIMENSIONS]; /* x_q mod (k-1); 0 where x_q is 0 */
} cni_word;

/* Where a word stands in its necklace. */
typedef struct cni_orbit {
    uint64_t displacement;
    uint64_t period;
} cni_orbit;

/* Whether the network is a symmetric generalized hypercube or a Boolean cube; the second function
 * returns CN_ERR_UNSUPPORTED for any other. */
int cni_has_necklaces(const cn_topology *topology);
cn_status cni_check_symmetric(const char *function, const cn_topology *topology);

/* The word of a node, the node of a word, and the place of a word in its necklace. */
cni_word cni_word_of(const cn_topology *topology, uint64_t node);
uint64_t cni_word_node(const cn_topology *topology, const cni_word *word);
cni_orbit cni_word_orbit(const cni_word *word);

/* R^steps(word) and R^steps(node), for steps below n (k-1). */
cni_word cni_word_rotate(const cni_word *word, uint64_t steps);
uint64_t cni_rotated_by(const cn_topology *topology, uint64_t node, uint64_t steps);

/* Whether no rotation of these n bits is a larger number than the mask itself. */
int cni_mask_is_largest(uint64_t mask, uint32_t n);

/* The least q > 0 for which the rotation of these n bits by q changes nothing. Divides n. */
uint32_t cni_mask_period(uint64_t mask, uint32_t n);

/* The number of elements of an unfolded necklace, n (k-1). */
static inline uint64_t cni_unfolded_length(const cn_topology *topology)
{
    return topology->dimensions * (topology->radix[0] - 1);
}

/* The number of necklaces, without the necklace of node 0, that have more than this many nodes:
 * so many nodes have this displacement. */
uint64_t cni_necklaces_longer_than(const cn_topology *topology, uint64_t displacement);

#endif
