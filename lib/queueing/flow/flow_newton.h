/*
 * Newton's method on the flows of all origins at once (F2 of docs/theory/flow-deviation.md). Moving
 * the flow of one origin at a time creeps near saturation: what one origin gains by leaving a full
 * channel is lost unless others take its place there in the same step.
 *
 * The unknowns are the parts of all origins on the channels that they use. Each changes in
 * proportion to itself and to what its channel's path costs less than the mean of those to the same
 * node (scaled as in Gallager 1977), so a step adds no channel. What the paths cost is told by one
 * weight for each channel, the same for all origins; so conjugate gradients look for as many
 * weights as there are channels, and nothing but the list of channels in use is kept by origin. The
 * change of the flows is linear in the weights as long as no part turns negative: origins may
 * exchange much flow with each other, and the sum hardly moves.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_NEWTON_H
#define CNI_QUEUEING_FLOW_FLOW_NEWTON_H

#include "queueing/flow/flow_bush.h"

/*
 * One step, halved until the sum of f / (1 - f) falls, so it may come out as none; but a whole step
 * may raise the sum by up to `loss`. CN_ERR_MEMORY
 */
cn_status cni_flow_newton(cni_flow *flow, double loss);

#endif
