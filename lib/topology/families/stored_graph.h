/* The topologies that are stored, as arrays of neighbours: made from edges or from a function. */
#ifndef CNI_TOPOLOGY_FAMILIES_STORED_GRAPH_H
#define CNI_TOPOLOGY_FAMILIES_STORED_GRAPH_H

#include "topology/topology.h"

typedef struct cni_stored_graph {
    cn_topology common;
    size_t *first;       /* nodes + 1: where the ports of a node begin in the two below */
    uint32_t *neighbor;  /* by node and port */
    uint32_t *back_port; /* by node and port; CN_NO_PORT where no channel leads back */
    size_t links;
    uint32_t *host_at, *host_rank; /* what the topology has; NULL: all nodes are hosts */
} cni_stored_graph;

/* With the array `first`, of zeros, but without the two others; NULL when there is no memory. */
cni_stored_graph *cni_stored_graph_new(uint64_t nodes);

/* Makes these nodes, in any order, the only hosts. CN_ERR_ARGUMENT for fewer than two, and for a
 * node that is none or comes twice; CN_ERR_MEMORY, CN_ERR_CANCELLED */
cn_status cni_stored_graph_choose(cni_stored_graph *graph, const uint64_t hosts[], size_t count,
                                  cni_budget *budget);

/* Of one that has `first` and `neighbor`: finds the ways back, whether all channels have one, and
 * with that the links, and the name "made_of(nodes,links)". CN_ERR_ARGUMENT for loops and second
 * links, CN_ERR_MEMORY, CN_ERR_CANCELLED */
cn_status cni_stored_graph_finish(cni_stored_graph *graph, const char *made_of, cni_budget *budget);

#endif
