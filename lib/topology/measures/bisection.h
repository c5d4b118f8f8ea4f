/* The parts of the search for the minimum bisection width. Graphs have their links both ways. */
#ifndef CNI_TOPOLOGY_MEASURES_BISECTION_H
#define CNI_TOPOLOGY_MEASURES_BISECTION_H

#include "base/budget.h"
#include "base/names.h"
#include "topology/distances/graph.h"

/* Lists of nodes, last in, first out; a node is in at most one list. */
typedef struct cni_node_lists {
    uint32_t *head, *next, *previous; /* by list, by node, by node; CNI_NO_ENTRY: none */
} cni_node_lists;
#define CNI_NO_ENTRY UINT32_MAX

static inline void cni_list_enter(cni_node_lists *l, size_t list, uint32_t v)
{
    uint32_t first = l->head[list];
    l->next[v] = first;
    l->previous[v] = CNI_NO_ENTRY;
    if (first != CNI_NO_ENTRY)
        l->previous[first] = v;
    l->head[list] = v;
}

static inline void cni_list_leave(cni_node_lists *l, size_t list, uint32_t v)
{
    if (l->previous[v] != CNI_NO_ENTRY)
        l->next[l->previous[v]] = l->next[v];
    else
        l->head[list] = l->next[v];
    if (l->next[v] != CNI_NO_ENTRY)
        l->previous[l->next[v]] = l->previous[v];
}

/* cn_topology_bisection() with a budget; side may be NULL. */
cn_status cni_bisection(const cn_topology *topology, cni_budget *budget, uint8_t side[],
                        cni_bounds *found);

/* A good cut by local search from many starts. The search ends with a cut of `enough` links, or
 * with the budget. side and *width change only when the search finds a cut below *width,
 * UINT64_MAX at first. */
cn_status cni_bisect_heuristic(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                               uint8_t side[], uint64_t *width);

/* A lower bound of the bisection width, proved by a flow between all pairs. The search ends with a
 * bound of `enough`, or with the budget. */
cn_status cni_bisect_bound(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                           uint64_t *bound);

/* The minimum by dynamic programming; 255 for 255 or more. *solved is 0, and *width unchanged,
 * when the budget or 1 GiB of memory is not enough. The function finds that out before it begins;
 * only clock and caller stop it later. */
cn_status cni_bisect_exact(const cni_graph *graph, cni_budget *budget, uint64_t *width,
                           int *solved);

/* An order of the nodes with a narrow frontier: at every place, few of the nodes so far have
 * neighbours still to come. rows is the sum of 2^(width of the frontier + 1) over all places,
 * the work of cni_bisect_exact(). */
cn_status cni_narrow_order(const cni_graph *graph, cni_budget *budget, uint32_t order[],
                           uint32_t *widest, double *rows);

/* measure.c: the names of cn_measure and cn_known. */
extern const cni_names cni_measures, cni_kinds_known;

#endif
