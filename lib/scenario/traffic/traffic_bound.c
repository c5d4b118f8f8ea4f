#include "scenario/traffic/traffic_bound.h"

#include <math.h>

#include "base/error.h"
#include "scenario/traffic/capacity.h"
#include "scenario/traffic/random_paths.h"
#include "scenario/traffic/pattern.h"
#include "topology/topology.h"

cn_status cni_traffic_bound_of(const cn_topology *topology, const cn_traffic *traffic,
                               int random_paths, cni_traffic_bound *bound)
{
    double ports = topology->max_degree, busiest = 1.0, mean;
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
    if (traffic->rule->busiest != NULL)
        CNI_TRY(traffic->rule->busiest(traffic, &busiest));
    bound->channels = ports / mean * ((double)topology->nodes / (double)senders);
    bound->node = ports / fmax(busiest, 1.0);
    if (random_paths && !traffic->rule->is_even && topology->nodes <= CNI_RANDOM_PATHS_NODES) {
        CNI_TRY(cni_random_paths_busiest(traffic, &busiest));
        bound->path = 1.0 / busiest;
    }
    return CN_OK;
}
