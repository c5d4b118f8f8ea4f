/* One-port broadcast: in a step a node sends to at most one neighbour. */
#ifndef CNI_TOPOLOGY_MEASURES_BROADCAST_H
#define CNI_TOPOLOGY_MEASURES_BROADCAST_H

#include "cubenet/measure.h"

#include "base/budget.h"
#include "topology/distances/graph.h"

/* By node: the node that informs it, and the step; the source has itself and step 0. */
typedef struct cni_schedule {
    uint32_t *sender;
    uint32_t *step;
} cni_schedule;

/* F, from the worst source. */
cn_status cni_broadcast_time(const cn_topology *topology, cni_budget *budget, cni_bounds *found);

/* A number of steps below which no broadcast from source is over; at most `enough`. */
cn_status cni_broadcast_bound(const cni_graph *graph, uint32_t source, uint32_t enough,
                              cni_budget *budget, uint32_t *bound);

/* A short schedule from source by randomised matchings; ends at `enough` steps or with the budget.
 * *length is UINT32_MAX, or the length of the schedule that is given, which is kept if it is not
 * beaten. CN_ERR_DISCONNECTED. */
cn_status cni_broadcast_heuristic(const cni_graph *graph, uint32_t source, uint32_t enough,
                                  cni_budget *budget, cni_schedule *schedule, uint32_t *length);

/* Raises *lower, the time that is known not to be beaten, and shortens the schedule of *length
 * steps until they meet, or the budget ends. Does nothing in a network of more than 64 nodes. */
cn_status cni_broadcast_exact(const cni_graph *graph, uint32_t source, cni_budget *budget,
                              cni_schedule *schedule, uint32_t *lower, uint32_t *length);

/* A schedule that is written down for the family, from any node; gives its length, UINT32_MAX where
 * there is none or the budget was stopped. */
uint32_t cni_broadcast_known(const cn_topology *topology, uint64_t source, cni_budget *budget,
                             cni_schedule *schedule);

/* The length that no such schedule exceeds, whatever the source; UINT32_MAX where there is none. */
uint32_t cni_broadcast_everywhere(const cn_topology *topology);

/* The fastest schedule over a breadth-first tree. CN_ERR_DISCONNECTED; CN_DONE when the budget was
 * stopped. */
cn_status cni_broadcast_over_tree(const cni_graph *graph, uint32_t source, cni_budget *budget,
                                  cni_schedule *schedule, uint32_t *length);

#endif
