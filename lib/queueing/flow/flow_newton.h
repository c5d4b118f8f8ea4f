/*
 * Newton's method on the flows of all origins at once. Moving the flow of one origin at a time creeps near
 * saturation: what one origin gains by leaving a full channel is lost unless others take its place there in
 * the same step.
 *
 * The unknowns are, as in Gallager 1977, the shares in which what arrives at a node for an origin
 * comes in over its channels. A share changes in proportion to itself and to what its channel's path
 * costs less than the mean of the node's, so no share turns negative but by a long step, and those do not
 * add a channel. What the paths cost is told by one weight for each channel, the same for all origins; so
 * conjugate gradients look for as many weights as there are channels, and nothing is kept by origin.
 */
#ifndef CNI_QUEUEING_FLOW_FLOW_NEWTON_H
#define CNI_QUEUEING_FLOW_FLOW_NEWTON_H

#include "queueing/flow/flow_bush.h"

/*
 * One step, no longer than the radius: INFINITY before the first, and changed for the next. The step is taken
 * as far as the sum of f / (1 - f) does not rise on the way, so it may come out as none. CN_ERR_MEMORY
 */
cn_status cni_flow_newton(cni_flow *flow, double *radius);

#endif
