/*
 * The flows of a network, origin by origin, and how one of them is made better.
 *
 * The flow of an origin has no cycle: there is an order of the nodes in which every channel that it
 * uses leads forwards. The channels that lead forwards, used or not, are the origin's bush (Dial
 * 2006). Inside it shortest and longest paths take one pass, and flow is moved from the longest
 * path in use to the shortest one until they are equally long. Putting the nodes in the order of
 * the longest path in use then keeps every channel in use and lets in every channel that shortens a
 * path.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_BUSH_H
#define CNI_QUEUEING_FLOW_FLOW_BUSH_H

#include "queueing/flow/flow_network.h"

typedef struct cni_flow {
    const cni_flow_network *network;
    double *part;      /* by origin and channel: messages per unit time that come from the origin */
    uint32_t *order;   /* by origin: the nodes it reaches, itself first; room for all nodes */
    uint32_t *reached; /* by origin: how many those are; 0 when it sends nothing */
    double *flow;      /* by channel: the sum over all origins, below 1 */
    double *length;    /* by channel: what a little more flow costs, 1 / (1 - flow)^2 */
    /* by node, for the origin at hand */
    uint32_t *rank; /* place in the order */
    double *nearest, *farthest;
    uint32_t *near_channel, *far_channel; /* the last one of that path */
    void *block;                          /* of the arrays */
} cni_flow;

#define CNI_NO_CHANNEL UINT32_MAX

static inline double *cni_flow_part(const cni_flow *flow, uint32_t origin)
{
    return flow->part + (size_t)origin * flow->network->channels;
}

static inline uint32_t *cni_flow_order(const cni_flow *flow, uint32_t origin)
{
    return flow->order + (size_t)origin * flow->network->nodes;
}

/* Fills the ranks of the origin's nodes. */
void cni_flow_rank(const cni_flow *flow, uint32_t origin);

/* Shortest paths of an empty network at load 1: what arrives at a node comes in equal shares from
 * all its neighbours that are one hop nearer. So no symmetry of the network is broken. `flow` may
 * be above
 * 1 then; scale it. CN_ERR_DISCONNECTED, CN_ERR_MEMORY. */
cn_status cni_flow_open(cni_flow *flow, const char *function, const cni_flow_network *network);
void cni_flow_close(cni_flow *flow);

/* Multiplies all flows; every sum must come out below 1. */
void cni_flow_scale(cni_flow *flow, double factor);

/* The functions below end early, with flows that mean nothing, when the network's budget is
 * stopped. */

/* Adds the flows and lengths of the channels up anew from the parts. */
void cni_flow_sum(cni_flow *flow);

/* Improves the flows of all origins in turn. */
void cni_flow_improve(cni_flow *flow);

/* The sum over all pairs of the traffic at load 1 times the length of the shortest path. */
double cni_flow_shortest(cni_flow *flow);

#endif
