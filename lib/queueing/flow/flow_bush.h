/*
 * The flows of a network by origin, and a step that improves the flow of one origin after the
 * other.
 *
 * The flow of an origin has no cycle: in some order of the nodes all channels with flow from this
 * origin lead forwards. All channels that lead forwards in this order, used or not, are the bush of
 * the origin (Dial 2006). One pass over a bush finds its shortest and longest paths. Flow moves
 * from the longest path in use to the shortest path until both are equally long. Then the nodes are
 * sorted by the longest path in use. The new order keeps every channel in use in the bush, and adds
 * every channel that shortens a path.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_BUSH_H
#define CNI_QUEUEING_FLOW_FLOW_BUSH_H

#include "queueing/flow/flow_network.h"

typedef struct cni_flow {
    const cni_flow_network *network;
    double *part; /* by origin and channel: messages per unit time from this origin */
    /* By origin: the nodes that channels lead to, the origin first. Each origin has room for all
     * nodes. */
    uint32_t *order;
    /* by origin: the number of nodes in its order; 0 for an origin without traffic */
    uint32_t *reached;
    double *flow;   /* by channel: the sum over all origins, below 1 */
    double *length; /* by channel: the price of a little more flow, 1 / (1 - flow)^2 */
    /* by node, for the present origin */
    uint32_t *rank; /* the place of the node in the order */
    /* lengths of the shortest path, and of the longest path in use */
    double *nearest, *farthest;
    uint32_t *near_channel, *far_channel; /* the last channels of these two paths */
    void *block;                          /* holds the arrays */
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

/* Fills `rank` for the nodes in the order of the origin. */
void cni_flow_rank(const cni_flow *flow, uint32_t origin);

/* Opens the first flow: the paths of the fewest hops in an empty network, at load 1. The flow to
 * a node comes in equal parts from all neighbours one hop nearer to the origin, so the flow
 * keeps every symmetry of the network. At load 1 channels may carry more than 1; the caller then
 * scales the flow. CN_ERR_DISCONNECTED, CN_ERR_MEMORY. */
cn_status cni_flow_open(cni_flow *flow, const char *function, const cni_flow_network *network);
void cni_flow_close(cni_flow *flow);

/* Multiplies all flows by the factor. Afterwards the flow of every channel must be below 1. */
void cni_flow_scale(cni_flow *flow, double factor);

/* The functions below end early when the budget of the network is stopped. The flows mean
 * nothing then. */

/* Sums the parts of all origins into the flows, and finds the lengths of the channels. */
void cni_flow_sum(cni_flow *flow);

/* Improves the flow of each origin in turn, by the step above. */
void cni_flow_improve(cni_flow *flow);

/* Returns L of (F3): the sum over all pairs of the traffic at load 1 times the length of the
 * shortest path. */
double cni_flow_shortest(cni_flow *flow);

/* ---- flow_newton.c ---- */

/* Makes one step on the flows of all origins at once. The step is halved until the sum of
 * f / (1 - f) falls, so there may be no step at all. A whole step may raise the sum by up to
 * `loss`. CN_ERR_MEMORY. */
cn_status cni_flow_newton(cni_flow *flow, double loss);

#endif
