/* The parts of the search for the minimum bisection width. Graphs have their links both ways. */
#ifndef CNI_TOPOLOGY_MEASURES_BISECTION_H
#define CNI_TOPOLOGY_MEASURES_BISECTION_H

#include "cubenet/measure.h"

#include "base/budget.h"
#include "base/names.h"
#include "topology/distances/graph.h"

/* Nodes in lists, each in one at most; last in, first out. */
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

/* A good cut by local search from many starts. It ends when it has a cut of `enough` links, or with
 * the budget. side and *width change only when a cut below *width is found, UINT64_MAX at first. */
cn_status cni_bisect_heuristic(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                               uint8_t side[], uint64_t *width);

/* A width that no bisection can be below, proved by a flow that fits between all pairs. */
cn_status cni_bisect_bound(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                           uint64_t *bound);

/* The minimum by dynamic programming; 255 when it is that or more. *solved is 0, and *width as it
 * was, when the budget or 1 GiB of memory do not suffice, which is known before it starts unless
 * clock or caller stop it. */
cn_status cni_bisect_exact(const cni_graph *graph, cni_budget *budget, uint64_t *width,
                           int *solved);

/* An order of the nodes in which few of those before are joined to those after, at every place;
 * rows is the sum of 2^(those few + 1) over all places, the work of cni_bisect_exact(). */
cn_status cni_narrow_order(const cni_graph *graph, cni_budget *budget, uint32_t order[],
                           uint32_t *widest, double *rows);

extern const cni_names cni_measures, cni_kinds_known;

#endif
