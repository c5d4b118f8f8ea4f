/* The flows of the channels of a network when every hop takes a random allowed channel. */
#ifndef CNI_QUEUEING_STORE_FORWARD_CHANNEL_FLOWS_H
#define CNI_QUEUEING_STORE_FORWARD_CHANNEL_FLOWS_H

#include "scenario/scenario.h"

/* All values are means a cycle at load 1. The number of a channel is node ports + port. A
 * channel that does not work has flow 0. */
typedef struct cni_channel_flows {
    const cn_topology *topology;
    size_t ports, places; /* the most ports of a node; nodes times ports */
    double hosts;         /* nodes that take part */
    double channels;      /* working channels between these nodes */
    double rate;          /* messages that all nodes send */
    double travel;        /* the sum of the distances of these messages, without faults */
    double sum, greatest; /* the sum and the greatest of `flow` */
    void *block;          /* holds the arrays */
    double *flow;
    double *fresh; /* messages of `flow` that begin at the node of the channel */
    /* the following arrays exist with turns only, else they are NULL */
    double *turns; /* by channel, then by port of its head: the flow that goes on over this port */
    /* by channel, then by the number of allowed channels less 1: the share of the flow with this
     * number */
    double *ways;
    /* by channel: the new messages that another channel would also have served, 1 - 1/k of the
     * messages with k channels to choose from */
    double *spare;
} cni_channel_flows;

/*
 * Finds the flows of a scenario that cni_scenario_check() accepts. CN_ERR_UNSUPPORTED for a trace
 * or more nodes than CNI_WALKS_NODES; CN_ERR_DISCONNECTED when fewer than two nodes take part, or
 * one of these nodes sends to another node; errors of cni_scenario_open_routing(). The caller
 * closes the flows also after a failure. O(N^2 ports), with turns O(N^2 ports^2).
 */
cn_status cni_channel_flows_open(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows);
void cni_channel_flows_close(cni_channel_flows *flows);

#endif
