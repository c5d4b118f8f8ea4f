/* The working nodes and channels of a network, and its traffic, for flow deviation. */
#ifndef CNI_QUEUEING_FLOW_FLOW_NETWORK_H
#define CNI_QUEUEING_FLOW_FLOW_NETWORK_H

#include "cubenet/fault.h"

#include "base/budget.h"
#include "topology/topology.h"

typedef struct cni_flow_network {
    const cn_topology *topology;
    cni_budget *budget;    /* the budget of the call: every loop over all origins looks at it */
    const double *traffic; /* the caller's array, by nodes of the topology; NULL: uniform traffic */
    double total;          /* messages per unit time at load 1 */
    uint32_t nodes;        /* working nodes; their numbers follow the order of their names */
    uint32_t channels;     /* working channels between them, in the order of their tails */
    uint32_t *name;        /* by node: the number of the node in the topology */
    uint32_t *first;       /* nodes + 1 elements: the first channel of each node */
    uint32_t *tail, *head; /* by channel: the node where it begins, and the node where it ends */
    size_t *place;         /* by channel: node * max_degree + port in the topology */
    void *block;           /* holds the arrays */
} cni_flow_network;

/* CN_ERR_UNSUPPORTED for a topology that is too large. A flow takes one number for each origin
 * and channel. */
cn_status cni_flow_check_size(const char *function, const cn_topology *topology);

/* `faults` may be NULL. `traffic` is NULL or has an element for each pair of nodes. Both must
 * outlive the network. CN_ERR_ARGUMENT (faults of another topology, impossible traffic, no
 * traffic), CN_ERR_UNSUPPORTED, CN_ERR_MEMORY. */
cn_status cni_flow_network_open(cni_flow_network *network, const char *function,
                                const cn_topology *topology, const cn_faults *faults,
                                const double traffic[], size_t count, cni_budget *budget);
void cni_flow_network_close(cni_flow_network *network);

/* The messages per unit time from a node to another node at load 1. */
static inline double cni_flow_demand(const cni_flow_network *network, uint32_t from, uint32_t to)
{
    if (network->traffic == NULL)
        return from == to ? 0.0 : 1.0 / (network->nodes - 1.0);
    return network
        ->traffic[network->name[from] * (size_t)network->topology->nodes + network->name[to]];
}

#endif
