/*
 * All ways of stored messages to one target, as a graph of states: a node and the class of a message there.
 * All legs of a routing go the same ways, so these are the ways of one leg.
 */
#ifndef CNI_QUEUEING_STORE_FORWARD_HOP_GRAPH_H
#define CNI_QUEUEING_STORE_FORWARD_HOP_GRAPH_H

#include "routing/rules/routing.h"

typedef struct cni_stored_hop {
    uint32_t state;   /* to which it leads */
    uint32_t channel; /* node max_degree + port */
} cni_stored_hop;

typedef struct cni_hop_graph {
    const cn_routing *routing;
    size_t nodes, states; /* state: class N + node */
    uint32_t *served;     /* nodes, ascending */
    size_t served_count;
    uint32_t *heads; /* by channel */
    /* of the target at hand */
    uint32_t *order; /* states that are reached, each behind all that lead to it */
    size_t ordered;
    size_t *first; /* by state: its hops */
    uint32_t *count;
    uint32_t *found, *waiting;
    cni_stored_hop *hops;
    size_t hop_count, hop_capacity;
} cni_hop_graph;

/* Close it also after a failure. CN_ERR_UNSUPPORTED above CNI_WALKS_NODES, CN_ERR_MEMORY. */
cn_status cni_hop_graph_open(const char *function, const cn_routing *routing, cni_hop_graph *graph);
void cni_hop_graph_close(cni_hop_graph *graph);

/* The ways from these nodes. CN_ERR_MEMORY; CN_ERR_INTERNAL unless all come to the target: constructors of
 * routings see to it. */
cn_status cni_hop_graph_to(const char *function, cni_hop_graph *graph, uint32_t target,
                           const uint32_t sources[], size_t count);

#endif
