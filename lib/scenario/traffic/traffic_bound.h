/* Bounds of the load of a traffic on a network, kept with a scenario because results use them
 * often. */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_BOUND_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_BOUND_H

#include "cubenet/traffic.h"

/* Loads of a sending node from which on a network has no steady state. */
typedef struct cni_traffic_bound {
    double channels; /* all channels are full of hops; cni_capacity() for uniform traffic */
    /* some channel is full when every hop takes a random preferred channel; for systems that
     * choose like that, known up to 4096 nodes */
    double path;
    double node; /* some node receives, or sends, as much as all its channels carry */
} cni_traffic_bound;

/* Infinite for a trace, and on networks other than the Boolean and k-ary n-cubes. Errors as for
 * cn_traffic_mean_distance(). */
cn_status cni_traffic_bound_of(const cn_topology *topology, const cn_traffic *traffic,
                               int random_paths, cni_traffic_bound *bound);

/*
 * The load (messages per node and cycle) at which uniform traffic on shortest paths keeps every
 * channel of a symmetric network busy: channels a node over mean distance, n/d. With unlimited
 * buffers there is a steady state below this load and none from this load on (Horng 1992, 2.3.2).
 * Boolean n-cube: 2 - 2^(1-n). For Boolean and k-ary n-cubes only.
 */
double cni_capacity(const cn_topology *topology);

#endif
