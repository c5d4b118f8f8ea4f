#include "scenario/traffic/traffic_bound.h"

#include <math.h>

#include "base/error.h"
#include "scenario/traffic/capacity.h"
#include "scenario/traffic/random_paths.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* Messages for the busiest destination when each sending node offers one. */
static cn_status find_busiest(const cn_traffic *traffic, double *most)
{
    uint64_t nodes = traffic->topology->nodes;
    const cni_traffic_table *table = traffic->table;
    if (traffic->pattern == CN_PATTERN_HOTSPOT) {
        double share = ldexp((double)traffic->share, -53);
        *most = share * (double)(nodes - 1) + (1.0 - share);
        return CN_OK;
    }
    if (traffic->pattern != CN_PATTERN_MATRIX && traffic->pattern != CN_PATTERN_DESTINATIONS)
        return CN_OK; /* in the other patterns every node gets what one sends, or less */
    double *received = cni_allocate(nodes, sizeof *received);
    if (received == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t s = 0; s < nodes; s++) {
        if (!cni_traffic_sends(traffic, s))
            continue;
        const uint64_t *row = table->row == NULL ? NULL : table->row + s * nodes;
        for (uint64_t d = 0; row != NULL && d < nodes; d++)
            received[d] += ldexp((double)(row[d] - (d == 0 ? 0 : row[d - 1])), -53);
        if (row == NULL)
            received[table->destination[s]] += 1.0;
    }
    for (uint64_t d = 0; d < nodes; d++)
        *most = fmax(*most, received[d]);
    cni_release(received);
    return CN_OK;
}

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
    CNI_TRY(cn_traffic_mean_distance(traffic, &mean));
    CNI_TRY(find_busiest(traffic, &busiest));
    bound->channels = ports / mean * ((double)topology->nodes / (double)senders);
    bound->node = ports / fmax(busiest, 1.0);
    /* locality is the same from every node and along every dimension: all channels are as busy */
    if (random_paths && traffic->pattern != CN_PATTERN_LOCALITY &&
        topology->nodes <= CNI_RANDOM_PATHS_NODES) {
        CNI_TRY(cni_random_paths_busiest(traffic, &busiest));
        bound->path = 1.0 / busiest;
    }
    return CN_OK;
}
