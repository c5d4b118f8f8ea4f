/* What the channels of a network carry. */
#ifndef CNI_SCENARIO_TRAFFIC_CAPACITY_H
#define CNI_SCENARIO_TRAFFIC_CAPACITY_H

#include "cubenet/topology.h"

/*
 * The load (messages per node and cycle) at which uniform traffic on shortest paths keeps every channel
 * of a symmetric network busy: channels a node over mean distance, n/d. Without a limit on what a node
 * holds there is a steady state below it and none from there on (Horng 1992, 2.3.2: rho < 1).
 * Boolean n-cube: 2 - 2^(1-n). For the families with headers.
 */
double cni_capacity(const cn_topology *topology);

#endif
