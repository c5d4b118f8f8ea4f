/* The neighbours of all nodes in two flat arrays, which every search reads. */
#ifndef CNI_TOPOLOGY_DISTANCES_GRAPH_H
#define CNI_TOPOLOGY_DISTANCES_GRAPH_H

#include "cubenet/measure.h"

#include "base/budget.h"
#include "topology/topology.h"

typedef struct cni_graph {
    const cn_topology *topology;
    size_t nodes;
    size_t *first;      /* nodes + 1: the place in neighbor of the first port of a node */
    uint32_t *neighbor; /* by node and port */
    int owned;          /* 0 when the arrays belong to a topology that stores its graph */
} cni_graph;

/* Bounds of a whole number that a search measures. */
typedef struct cni_bounds {
    uint64_t lower, upper;
    int is_closed_form;
} cni_bounds;

static inline cn_known cni_known_of(const cni_bounds *found)
{
    if (found->is_closed_form)
        return CN_KNOWN_CLOSED_FORM;
    return found->lower == found->upper ? CN_KNOWN_EXACT : CN_KNOWN_BOUNDS;
}

/* CN_ERR_UNSUPPORTED when the network is too large to be stored, CN_ERR_MEMORY,
 * CN_ERR_CANCELLED. */
cn_status cni_graph_open(const cn_topology *topology, cni_budget *budget, cni_graph *graph);
/* The same, but CN_DONE when the budget was stopped on the way. After a failure there is nothing
 * to close. */
cn_status cni_graph_open_within(const cn_topology *topology, cni_budget *budget, cni_graph *graph);
/* CN_ERR_UNSUPPORTED for a network that is too large for any search; CN_DONE when the budget was
 * stopped. */
cn_status cni_check_size(const cn_topology *topology, cni_budget *budget);
void cni_graph_close(cni_graph *graph);

/* CN_ERR_DISCONNECTED with a sentence: the source reaches only so many nodes. */
cn_status cni_fail_disconnected(const cni_graph *graph, size_t source, size_t reached);

/* CN_ERR_UNSUPPORTED unless links go both ways, as the search for a measure assumes. */
cn_status cni_check_two_way(const char *measure, const cn_topology *topology);

#endif
