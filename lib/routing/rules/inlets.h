/* The channels that work, by the node to which they lead: what a search from a destination reads. Those of a
 * node are in the order of their ports, then of the nodes from which they come. */
#ifndef CNI_ROUTING_RULES_INLETS_H
#define CNI_ROUTING_RULES_INLETS_H

#include "routing/faults/fault.h"

enum { CNI_LEADS_UP = 64 };

typedef struct cni_inlets {
    size_t nodes;
    size_t *first;       /* nodes + 1: where the channels into a node begin in the two below */
    uint32_t *tail;      /* the node from which a channel comes */
    unsigned char *port; /* and the port there, with CNI_LEADS_UP where that was marked */
} cni_inlets;

/* Of a network with at most 64 ports a node; faults may be NULL. Close it also after a failure. */
cn_status cni_inlets_open(cni_inlets *inlets, const cn_topology *topology, const cn_faults *faults);
/* Marks the channels that lead up: bit p of up[v] for port p of node v. */
void cni_inlets_mark(cni_inlets *inlets, const uint64_t up[]);

void cni_inlets_close(cni_inlets *inlets);

#endif
