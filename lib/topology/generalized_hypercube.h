/* Closed forms of the generalized hypercube that are not operations of every topology. */
#ifndef CNI_TOPOLOGY_GENERALIZED_HYPERCUBE_H
#define CNI_TOPOLOGY_GENERALIZED_HYPERCUBE_H

#include "topology/topology.h"

/* Least number of links between two halves of floor(N/2) and ceil(N/2) nodes, of a generalized
 * hypercube or a Boolean cube; 0, width untouched, when it is above 2^64-1. */
int cni_generalized_hypercube_bisection(const cn_topology *cube, uint64_t *width);

#endif
