/* Topologies that are stored as arrays of neighbours: from edges, from a function of the caller,
 * or from a base whose links get relays. */
#ifndef CNI_TOPOLOGY_FAMILIES_STORED_GRAPH_H
#define CNI_TOPOLOGY_FAMILIES_STORED_GRAPH_H

#include "topology/topology.h"

typedef struct cni_stored_graph {
    cn_topology common;
    size_t *first;                 /* nodes + 1: the first place of a node in the next two arrays */
    uint32_t *neighbor;            /* by node and port */
    uint32_t *back_port;           /* by node and port; CN_NO_PORT where no channel leads back */
    uint32_t *host_at, *host_rank; /* the hosts; NULL: all nodes are hosts */
    /* where the graph is that of a base and the relays on its links: the lengths by link, or the
     * one length of all */
    uint32_t *lengths;
    size_t links; /* elements of lengths */
} cni_stored_graph;

/* A graph with the array `first`, of zeros, and without `neighbor` and `back_port`; NULL without
 * memory. */
cni_stored_graph *cni_stored_graph_new(uint64_t nodes);

/* chosen_hosts.c: makes these nodes, in any order, the only hosts. CN_ERR_ARGUMENT for fewer than
 * two, and for a number that is no node or comes twice; CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_stored_graph_choose(cni_stored_graph *graph, const uint64_t hosts[], size_t count,
                                  cni_budget *budget);

/* function.c: for a graph that has `first` and `neighbor`, finds the ports back, whether all
 * channels have one, the number of links, and the name "made_of(nodes,links)". CN_ERR_ARGUMENT for
 * loops and for two links between the same nodes; CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_stored_graph_finish(cni_stored_graph *graph, const char *made_of, cni_budget *budget);

#endif
