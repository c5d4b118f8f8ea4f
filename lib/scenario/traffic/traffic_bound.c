/* Bounds of the load of a traffic: full channels, paths and nodes; and the capacity. */
#include "scenario/traffic/traffic_bound.h"

#include <math.h>

#include "base/budget.h"
#include "base/error.h"
#include "routing/questions/loads.h"
#include "scenario/traffic/pattern.h"
#include "scenario/traffic/routing_loads.h"
#include "topology/topology.h"

double cni_capacity(const cn_topology *topology)
{
    if (cni_is_hypercube(topology))
        return 2.0 - ldexp(1.0, 1 - (int)topology->dimensions); /* exact up to n = 53 */
    return topology->max_degree / topology->mean_distance;
}

/* Larger networks are not examined node by node. */
enum { MOST_NODES = 4096 };

/* The load at which the first channel is full when every hop takes a random preferred channel. */
static cn_status find_path(const cn_traffic *traffic, double *load)
{
    cn_routing *routing;
    CNI_BUDGET(budget, NULL, 0);
    CNI_TRY(cn_routing_new(traffic->topology, "preferred", NULL, NULL, &routing));
    cni_rates rates;
    cn_status status = cni_rates_open(__func__, traffic, routing, &budget, &rates);
    if (status == CN_OK)
        status = cni_routing_give_saturation(&budget, routing, cni_give_rate, &rates, load);
    cni_rates_close(&rates);
    cn_routing_free(&routing);
    return status;
}

cn_status cni_traffic_bound_of(const cn_topology *topology, const cn_traffic *traffic,
                               int random_paths, cni_traffic_bound *bound)
{
    double ports = topology->max_degree, busiest, mean;
    *bound = (cni_traffic_bound){INFINITY, INFINITY, INFINITY};
    if (cni_traffic_is_trace(traffic) || !cni_is_kary_ncube(topology))
        return CN_OK;
    bound->channels = cni_capacity(topology);
    bound->node = ports;
    if (traffic == NULL || traffic->pattern == CN_PATTERN_UNIFORM)
        return CN_OK;
    uint64_t senders;
    CNI_TRY(cn_traffic_senders(traffic, &senders));
    CNI_TRY(cni_traffic_mean_distance_within(traffic, NULL, &mean));
    CNI_TRY(cni_traffic_busiest(traffic, &busiest));
    bound->channels = ports / mean * ((double)topology->hosts / (double)senders);
    bound->node = ports / busiest;
    return random_paths && !traffic->rule->is_even && topology->nodes <= MOST_NODES
               ? find_path(traffic, &bound->path)
               : CN_OK;
}
