/* One-port broadcast: in a step a node sends to at most one neighbour. */
#ifndef CNI_TOPOLOGY_MEASURES_BROADCAST_H
#define CNI_TOPOLOGY_MEASURES_BROADCAST_H

#include "base/budget.h"
#include "topology/distances/graph.h"

/* By node: the node that informs it, and the step; the source has itself and step 0. */
typedef struct cni_schedule {
    uint32_t *sender;
    uint32_t *step;
} cni_schedule;

/* The broadcast time F: the least time from the worst source. */
cn_status cni_broadcast_time(const cn_topology *topology, cni_budget *budget, cni_bounds *found);

/* A lower bound of the time of a broadcast from source; at most `enough`. */
cn_status cni_broadcast_bound(const cni_graph *graph, uint32_t source, uint32_t enough,
                              cni_budget *budget, uint32_t *bound);

/* A short schedule from source by randomised matchings; the search ends at `enough` steps or
 * with the budget. *length is UINT32_MAX, or the length of the given schedule, which stays
 * unless the search beats it. CN_ERR_DISCONNECTED. */
cn_status cni_broadcast_heuristic(const cni_graph *graph, uint32_t source, uint32_t enough,
                                  cni_budget *budget, cni_schedule *schedule, uint32_t *length);

/* Raises *lower, a time that no schedule beats, and shortens the schedule of *length steps until
 * they meet, or the budget ends. Does nothing in a network of more than 64 nodes. */
cn_status cni_broadcast_exact(const cni_graph *graph, uint32_t source, cni_budget *budget,
                              cni_schedule *schedule, uint32_t *lower, uint32_t *length);

/* The known schedule of the family from any node; returns its length, UINT32_MAX without a known
 * schedule, or when the budget was stopped. */
uint32_t cni_broadcast_known(const cn_topology *topology, uint64_t source, cni_budget *budget,
                             cni_schedule *schedule);

/* A number of steps within which a known schedule broadcasts from any source; UINT64_MAX without a
 * known schedule. */
uint64_t cni_broadcast_everywhere(const cn_topology *topology);

/* The fastest schedule over a breadth-first tree. CN_ERR_DISCONNECTED; CN_DONE when the budget was
 * stopped. */
cn_status cni_broadcast_over_tree(const cni_graph *graph, uint32_t source, cni_budget *budget,
                                  cni_schedule *schedule, uint32_t *length);

#endif
