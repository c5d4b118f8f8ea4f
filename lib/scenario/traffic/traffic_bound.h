/* What a traffic asks of a network, kept with a scenario because results need it again and
 * again. */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_BOUND_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_BOUND_H

#include "cubenet/traffic.h"

/* Loads of a sending node from which on no network with so many channels has a steady state. */
typedef struct cni_traffic_bound {
    double channels; /* all channels are full of hops; that of cni_capacity() when uniform */
    double path;     /* some channel is full when every hop takes a random preferred one; asked for
                        where hops are taken like that, known up to 4096 nodes */
    double node;     /* some node takes in, or sends out, as much as all its channels carry */
} cni_traffic_bound;

/* Infinite for a trace, and on networks other than the Boolean and k-ary n-cubes. Errors as for
 * cn_traffic_mean_distance(). */
cn_status cni_traffic_bound_of(const cn_topology *topology, const cn_traffic *traffic,
                               int random_paths, cni_traffic_bound *bound);

/*
 * The load (messages per node and cycle) at which uniform traffic on shortest paths keeps every
 * channel of a symmetric network busy: channels a node over mean distance, n/d. Without a limit on
 * what a node holds there is a steady state below it and none from there on (Horng 1992, 2.3.2: rho
 * < 1). Boolean n-cube: 2 - 2^(1-n). For the families with headers.
 */
double cni_capacity(const cn_topology *topology);

#endif
