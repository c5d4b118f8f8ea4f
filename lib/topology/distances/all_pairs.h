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

/* Searches from the topology's representatives and weighs them by what they stand for.
 * NULL is no limit. CN_ERR_DISCONNECTED, CN_ERR_MEMORY; CN_DONE when it was stopped before anything is
 * known. */
cn_status cni_all_pairs_run(const cni_graph *graph, cni_budget *budget, cni_all_pairs *result);

/* Eccentricities of up to CNI_BATCH sources, which must all reach every node, at once. scratch holds
 * cni_batch_words(graph) words. sum gets the distances added, and pairs, which may be NULL, the ordered
 * pairs that are joined. 0 when some node is not reached, or the budget was stopped. */
enum { CNI_BATCH = 256, CNI_BATCH_LEVELS = 100 }; /* with more levels one goes source by source */
uint64_t cni_batch_words(const cni_graph *graph);
int cni_batch_run(const cni_graph *graph, const uint32_t sources[], size_t count,
                  cni_budget *budget, uint32_t eccentricity[], double *sum, uint64_t *pairs,
                  uint64_t scratch[]);

/* The distance of the farthest node that each of these sources reaches. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_eccentricities(const cni_graph *graph, const uint32_t sources[], size_t count,
                             cni_budget *budget, uint32_t eccentricity[]);

/* The least that the distances from a node can add up to in a network of this size and greatest degree,
 * and how far the farthest node then is. */
double cni_least_sum(const cn_topology *topology, uint64_t *farthest);

#endif
