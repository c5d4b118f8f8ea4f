/* What the channels of a network carry when every hop takes an allowed channel at random. */
#ifndef CNI_QUEUEING_STORE_FORWARD_CHANNEL_FLOWS_H
#define CNI_QUEUEING_STORE_FORWARD_CHANNEL_FLOWS_H

#include "scenario/scenario.h"

/* Means a cycle at load 1. Channels are numbered node ports + port; those that do not work carry
 * 0. */
typedef struct cni_channel_flows {
    const cn_topology *topology;
    size_t ports, places; /* of the node with the most; nodes times that */
    double hosts;         /* that take part */
    double channels;      /* that work between them */
    double rate;          /* messages that all nodes send */
    double travel;        /* and the sum of their distances, without faults */
    double sum, greatest; /* of flow */
    void *block;          /* of the arrays */
    double *flow;
    double *fresh; /* of that: messages that begin at this node */
    /* only with turns, else NULL */
    double *turns; /* by channel, then port of its head: what goes on there */
    double *ways;  /* by channel, then the number allowed less 1: share of what had so many */
    double *spare; /* by channel: of its fresh ones the part that would take another */
} cni_channel_flows;

/*
 * Those of a scenario that cni_scenario_check() accepts. CN_ERR_UNSUPPORTED for a trace or more
 * nodes than CNI_WALKS_NODES; CN_ERR_DISCONNECTED when fewer than two nodes take part or one of
 * them sends to a node that does not; errors of cni_scenario_open_routing(). Close it also after a
 * failure. O(N^2 ports), with turns O(N^2 ports^2).
 */
cn_status cni_channel_flows_open(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows);
void cni_channel_flows_close(cni_channel_flows *flows);

#endif
