/*
 * Destinations by distance: first the distance, then one of the nodes that far away.
 *
 * In networks whose nodes are translations of each other and whose distance is a sum over the digits
 * of the header, the headers of one distance are counted dimension by dimension and one is picked by
 * its rank; a table of (dimensions + 1)(diameter + 1) counts serves all nodes. Elsewhere every node
 * has all others in a list in the order of their distances.
 */
#ifndef CNI_SCENARIO_TRAFFIC_LOCALITY_H
#define CNI_SCENARIO_TRAFFIC_LOCALITY_H

#include "cubenet/topology.h"

typedef struct cni_locality {
    uint64_t diameter;
    double *up_to;   /* [d]: weights of the distances 1 .. d, their sum */
    uint64_t *ways;  /* [i (D+1) + d]: digits of the dimensions i.. that make d hops; or NULL */
    uint32_t *order; /* by source: the nodes by distance, itself first; or NULL */
    uint32_t *shell; /* by source, D+2 words: [d] begins distance d in its order */
} cni_locality;

/* CN_ERR_UNSUPPORTED for a network whose diameter would take too long to find. */
cn_status cni_locality_check(const char *function, const cn_topology *topology);

/* CN_ERR_UNSUPPORTED for a network that is too large, CN_ERR_DISCONNECTED, CN_ERR_ARGUMENT for weights
 * that leave no node anything to send, CN_ERR_MEMORY. sums[d-1] is that of the weights of distances 1 to d; they are
 * valid numbers and do not decrease. */
cn_status cni_locality_open(const char *function, const cn_topology *topology, uint64_t diameter,
                            const double sums[], cni_locality **locality);
void cni_locality_close(cni_locality *locality);

/* 0 when the weights of all distances that the source has are 0. */
int cni_locality_sends(const cni_locality *locality, const cn_topology *topology, uint64_t source);

uint64_t cni_locality_destination(const cni_locality *locality, const cn_topology *topology,
                                  uint64_t source, uint64_t word);

/* Probability that a message of a source that sends goes to distance d, 1 .. D. */
double cni_locality_share(const cni_locality *locality, const cn_topology *topology,
                          uint64_t source, uint64_t distance);

/* How many nodes are at distance d, 1 .. D, from the source. */
uint64_t cni_locality_shell(const cni_locality *locality, const cn_topology *topology,
                            uint64_t source, uint64_t distance);

#endif
