/* Pairs that meet again on two rings: model_variant own of deflection where M = n = 2. */
#ifndef CNI_QUEUEING_DEFLECTION_RING_PAIRS_H
#define CNI_QUEUEING_DEFLECTION_RING_PAIRS_H

#include "queueing/deflection/node_chain.h"

/* In a larger network a prediction would take minutes. */
enum { CNI_RING_PAIRS_RADIX = 32 };

typedef struct cni_ring_pairs {
    double hops;     /* of a message */
    double created;  /* messages a node and cycle */
    double lost;     /* times that a message is forced out */
    double together; /* P(both channels bring a message in transit) over P_t^2 */
} cni_ring_pairs;

/* A unidirectional k-ary 2-cube, k = 3 .. CNI_RING_PAIRS_RADIX, with 2 buffers a node. budget may be NULL. CN_ERR_MEMORY,
 * CN_ERR_CANCELLED, CN_ERR_CONVERGENCE. */
cn_status cni_ring_pairs_solve(uint32_t k, double load, cni_budget *budget, cni_ring_pairs *found);

#endif
