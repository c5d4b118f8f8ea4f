/* The working channels, by the node to which they lead, for searches from a destination. The
 * channels of a node are in the order of their ports, then of the nodes from which they come. */
#ifndef CNI_ROUTING_FAULTS_INLETS_H
#define CNI_ROUTING_FAULTS_INLETS_H

#include "routing/faults/fault.h"
#include "topology/distances/graph.h"

enum { CNI_LEADS_UP = 64 }; /* the mark of a channel */

typedef struct cni_inlets {
    const cn_topology *topology;
    size_t nodes;
    /* nodes + 1: the place of the first channel into a node in the two arrays below */
    size_t *first;
    uint32_t *tail; /* the node from which a channel comes */
    /* the port of a channel at its tail, plus CNI_LEADS_UP where the channel is marked; above 256
     * ports modulo 256 */
    unsigned char *port;
} cni_inlets;

/* faults may be NULL, and so may the budget. Close also after a failure. CN_ERR_MEMORY,
 * CN_ERR_CANCELLED. */
cn_status cni_inlets_open(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults,
                          cni_budget *budget);

/* Marks the channels that lead up: those over port p of node v where bit p of up[v] is 1. At most
 * 64 ports. */
void cni_inlets_mark(cni_inlets *inlets, const uint64_t up[]);

void cni_inlets_close(cni_inlets *inlets);

/* The graph of the channels backward, valid as long as the inlets: a search from a node finds
 * the hops to it. */
static inline cni_graph cni_inlets_graph(const cni_inlets *inlets)
{
    return (cni_graph){.topology = inlets->topology,
                       .nodes = inlets->nodes,
                       .first = inlets->first,
                       .neighbor = inlets->tail};
}

/* The hops from every node to the target, CNI_FAR without a way. queue has room for N nodes. */
void cni_search_hops(const cni_inlets *inlets, uint32_t target, uint32_t hops[], uint32_t queue[]);

#endif
