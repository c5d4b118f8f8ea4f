/* Breadth-first search, and distances of families without a closed form. */
#ifndef CNI_TOPOLOGY_DISTANCES_BREADTH_FIRST_H
#define CNI_TOPOLOGY_DISTANCES_BREADTH_FIRST_H

#include "topology/distances/graph.h"

#define CNI_FAR UINT32_MAX

typedef struct cni_search {
    uint32_t *hops;  /* by node; CNI_FAR when not reached */
    uint32_t *queue; /* nodes in the order in which they were reached */
    size_t reached;
} cni_search;

cn_status cni_search_open(const cni_graph *graph, cni_search *search);
void cni_search_close(cni_search *search);

/* Fills the search from one node; returns the distance of the farthest reached node. The search
 * is incomplete when the budget was stopped. */
uint32_t cni_search_within(const cni_graph *graph, uint32_t source, cni_budget *budget,
                           cni_search *search);

/* The operation `distance` of a family without a closed form; CN_UNREACHABLE without a path. */
cn_status cni_search_distance(const cn_topology *topology, uint64_t source, uint64_t destination,
                              uint64_t *distance);

/* The diameter and the mean distance, by the closed form of the family, by its counts, or by
 * search. CN_ERR_CANCELLED when the budget was stopped. */
cn_status cni_diameter(const cn_topology *topology, cni_budget *budget, uint64_t *diameter);
cn_status cni_mean_distance(const cn_topology *topology, cni_budget *budget, double *mean);

#endif
