/* Sums over the messages of a traffic: distances, and loads of channels. */
#ifndef CNI_SCENARIO_TRAFFIC_TRAFFIC_MEASURE_H
#define CNI_SCENARIO_TRAFFIC_TRAFFIC_MEASURE_H

#include "cubenet/traffic.h"

#include "topology/distances/breadth_first.h"

/* Distances from one source after another. Close also after a failure. */
typedef struct cni_distances {
    const cn_topology *topology;
    cni_budget *budget;
    int is_open; /* the network has no closed form, and its search is open */
    cni_graph graph;
    cni_search search;
    uint64_t source; /* of the last search */
} cni_distances;

/* As cn_traffic_mean_distance(), within a call that has a budget, or NULL. */
cn_status cni_traffic_mean_distance_within(const cn_traffic *traffic, cni_budget *budget,
                                           double *mean);

/* The number of nodes that send. Asks every node. */
uint64_t cni_senders_of(const cn_traffic *traffic);

/* The messages for the busiest destination when each sender offers one, at least 1.
 * CN_ERR_MEMORY. */
cn_status cni_traffic_busiest(const cn_traffic *traffic, double *busiest);

/* The distance between two nodes; CN_UNREACHABLE without a path. CN_ERR_CANCELLED. */
cn_status cni_find_distance(cni_distances *from, uint64_t source, uint64_t destination,
                            uint64_t *hops);
void cni_close_distances(cni_distances *from);

/* Adds the distance of a pair of hosts, by their ranks, times the weight. CN_ERR_DISCONNECTED,
 * CN_ERR_CANCELLED. */
cn_status cni_add_distance(cni_distances *from, uint64_t source, uint64_t destination,
                           double weight, double *sum);

#endif
