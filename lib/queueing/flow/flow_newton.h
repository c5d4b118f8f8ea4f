/*
 * Newton's step on the flows of all origins at once ((F2) of docs/theory/flow-deviation.md). Near
 * saturation a step of one origin gains little: the gain of an origin that leaves a full channel is
 * lost unless another origin takes the free place in the same step.
 *
 * The unknowns are the parts of all origins on the channels that they use. Each part changes in
 * proportion to itself and to the advantage of its path over the mean path to the same node (scaled
 * as in Gallager 1977). So a step uses no new channel. The costs of the paths follow from one
 * weight for each channel, common to all origins. So conjugate gradients look for one weight a
 * channel, and only the list of used channels is kept by origin. The change of the flows is linear
 * in the weights as long as no part turns negative. Origins may exchange much flow with each other
 * while the sum of f / (1 - f) hardly moves.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_NEWTON_H
#define CNI_QUEUEING_FLOW_FLOW_NEWTON_H

#include "queueing/flow/flow_bush.h"

/*
 * Makes one step. The step is halved until the sum of f / (1 - f) falls, so there may be no step at
 * all. A whole step may raise the sum by up to `loss`. CN_ERR_MEMORY.
 */
cn_status cni_flow_newton(cni_flow *flow, double loss);

#endif
