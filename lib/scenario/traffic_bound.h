/* What a traffic asks of a network, kept with a scenario because results need it again and again. */
#ifndef CNI_SCENARIO_TRAFFIC_BOUND_H
#define CNI_SCENARIO_TRAFFIC_BOUND_H

#include "cubenet/traffic.h"

/* Loads of a sending node from which on no network with so many channels has a steady state. */
typedef struct cni_traffic_bound {
    double
        channels; /* the hops of all messages fill all channels; that of cni_capacity() when uniform */
    double node; /* and some node takes in, or sends out, as much as all its channels carry */
} cni_traffic_bound;

/* Of the scenario's traffic, on a network with headers; infinite for a trace. Errors as for
 * cn_traffic_mean_distance(). */
cn_status cni_traffic_bound_of(const cn_topology *topology, const cn_traffic *traffic,
                               cni_traffic_bound *bound);

#endif
