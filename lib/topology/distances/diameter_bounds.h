/* The diameter between a lower and an upper bound that meet, mostly long before all pairs are seen. */
#ifndef CNI_TOPOLOGY_DISTANCES_DIAMETER_BOUNDS_H
#define CNI_TOPOLOGY_DISTANCES_DIAMETER_BOUNDS_H

#include "base/budget.h"
#include "topology/distances/graph.h"

/* The bounds differ only when the budget ends; NULL is no limit. CN_ERR_DISCONNECTED;
 * CN_DONE when it was stopped before anything is known. */
cn_status cni_bound_diameter(const cni_graph *graph, cni_budget *budget, cni_bounds *bounds);

#endif
