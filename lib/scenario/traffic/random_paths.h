/* The channels of a network in which every hop takes a random preferred channel. */
#ifndef CNI_SCENARIO_TRAFFIC_RANDOM_PATHS_H
#define CNI_SCENARIO_TRAFFIC_RANDOM_PATHS_H

#include "cubenet/traffic.h"

/* More nodes than this are not looked at one by one. */
enum { CNI_RANDOM_PATHS_NODES = 4096 };

/*
 * Mean number of messages a cycle over the busiest channel of a Boolean or k-ary n-cube when every
 * sending node offers one and each hop takes one of the preferred channels with equal probability,
 * whatever waits there. Exact: the flow to each destination is divided node by node, the farthest
 * first. CN_ERR_MEMORY; O(N^2 ports).
 */
cn_status cni_random_paths_busiest(const cn_traffic *traffic, double *busiest);

#endif
