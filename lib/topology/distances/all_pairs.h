/* The distances of all pairs, as counts: many breadth-first searches at once in machine words. */
#ifndef CNI_TOPOLOGY_DISTANCES_ALL_PAIRS_H
#define CNI_TOPOLOGY_DISTANCES_ALL_PAIRS_H

#include "base/budget.h"
#include "topology/distances/graph.h"

typedef struct cni_all_pairs {
    uint64_t diameter; /* of the sources searched from */
    /* Bounds of the sum of the distances over all ordered pairs; equal when the budget sufficed. */
    double lower, upper;
} cni_all_pairs;

/* The distances between hosts. Searches from the representatives of the topology and weighs each by
 * the number of nodes that it represents; or from each host, where not all nodes are hosts. A NULL
 * budget has no limit. CN_ERR_DISCONNECTED, CN_ERR_MEMORY; CN_DONE when the budget was stopped
 * before any bound was known. */
cn_status cni_all_pairs_run(const cni_graph *graph, cni_budget *budget, cni_all_pairs *result);

/* The same for a topology: without a graph where the family counts the distances from a node. */
cn_status cni_all_pairs_find(const cn_topology *topology, cni_budget *budget,
                             cni_all_pairs *result);

/* Finite distances, without the distance of a node to itself. */
typedef struct cni_distance_sums {
    double distances; /* of whole numbers, so exact */
    uint64_t pairs;   /* ordered ones */
} cni_distance_sums;

enum { CNI_BATCH = 256 }; /* so many sources are searched from at once */

/* For each source the distance of the farthest node that it reaches. Adds the distances to sums,
 * which may be NULL. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_eccentricities(const cni_graph *graph, const uint32_t sources[], size_t count,
                             cni_budget *budget, uint32_t eccentricity[], cni_distance_sums *sums);

/* The least possible sum of the distances from a host in a network of this size and greatest
 * degree, and the distance of the farthest node then. */
double cni_least_sum(const cn_topology *topology, uint64_t *farthest);

/* Bounds of the diameter, by search. The bounds meet unless the budget ends, mostly long before all
 * pairs are searched. A NULL budget has no limit. CN_ERR_DISCONNECTED; CN_DONE when the budget
 * was stopped before any bound was known. */
cn_status cni_bound_diameter(const cni_graph *graph, cni_budget *budget, cni_bounds *bounds);

/* The same for a topology, which may have a closed form. */
cn_status cni_find_diameter(const cn_topology *topology, cni_budget *budget, cni_bounds *bounds);

#endif
