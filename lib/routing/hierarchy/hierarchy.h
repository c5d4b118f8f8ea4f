/* The inside of a cn_hierarchy: the tree of cuts, the clusters at its leaves, the routing tables. */
#ifndef CNI_ROUTING_HIERARCHY_HIERARCHY_H
#define CNI_ROUTING_HIERARCHY_HIERARCHY_H

#include "cubenet/hierarchy.h"

#include "base/budget.h"
#include "base/names.h"
#include "routing/faults/fault.h"

#define CNI_ROOT 0
#define CNI_NO_CUT UINT32_MAX
#define CNI_NO_WAY UINT16_MAX /* in a column: the cluster cannot be reached */

/* A subcube. Its halves, when it is cut, are elements child and child + 1, that with bit 0 first. */
typedef struct cni_cut {
    uint64_t value, any;
    uint32_t parent;  /* CNI_NO_CUT at the root; of an unused pair of halves the next unused pair */
    uint32_t child;   /* CNI_NO_CUT at a leaf */
    uint32_t cluster; /* of a leaf; CN_NO_CLUSTER when it has no working node */
} cni_cut;

typedef struct cni_cluster {
    uint64_t survivors;
    uint32_t leaf;
    int stale;      /* other nodes than those that the column was made for */
    uint16_t *hops; /* column of the tables: hops of every node; NULL without tables */
} cni_cluster;

struct cn_hierarchy {
    cni_object head;
    cn_faults *faults; /* its own copy, which holds the topology */
    uint64_t *bad;     /* of every node: ports whose link is faulty or leads to a faulty node */
    uint32_t *cluster_of;
    uint32_t *queue; /* room for a search, while the hierarchy is being changed */
    void *block;     /* of bad, cluster_of and queue */
    cni_cut *cuts;
    size_t cut_count, cut_capacity;
    uint32_t unused; /* first unused pair of halves, or CNI_NO_CUT */
    cni_cluster *clusters;
    size_t cluster_count, cluster_capacity;
    int has_tables;
    cni_budget *budget; /* of the call that makes or changes it */
};

/* Steps through the nodes of a subcube, in ascending order: from value on, until it is value again. */
static inline uint64_t cni_next_in(const cni_cut *cut, uint64_t node)
{
    return (((node & cut->any) - cut->any) & cut->any) | cut->value;
}

/* Cuts a subcube until all its parts are convex. It is a leaf before; when memory runs out it is
 * one again afterwards. */
cn_status cni_decompose(cn_hierarchy *hierarchy, uint32_t cut);

/* The dimension in which a subcube is to be cut; UINT32_MAX when it is convex, or the budget has ended. */
uint32_t cni_cut_dimension(const cn_hierarchy *hierarchy, const cni_cut *cut);

/* Makes the subcube, whose halves are cut no further than they are, a leaf. */
void cni_uncut(cn_hierarchy *hierarchy, uint32_t cut);

/*
 * Gives the leaves below a cut their clusters; `old` is the one that the cut had as a leaf, or
 * CN_NO_CLUSTER. Changes no cluster when it fails.
 */
cn_status cni_assign_clusters(cn_hierarchy *hierarchy, uint32_t cut, uint32_t old);

/* Takes a cluster out of the list; the last one gets its number. */
void cni_drop_cluster(cn_hierarchy *hierarchy, uint32_t cluster);

/* Makes the nodes of a leaf, and the leaf, those of a cluster. */
void cni_occupy(cn_hierarchy *hierarchy, uint32_t leaf, uint32_t cluster);

/*
 * Breadth-first search to a cluster: fills hops and leaves the nodes that reach it in queue, in the
 * order of their distance; both have room for N elements.
 */
cn_status cni_search_cluster(const cn_hierarchy *hierarchy, uint32_t cluster, uint16_t hops[],
                             uint32_t queue[], size_t *reached);

void cni_release_tables(cn_hierarchy *hierarchy);

/* As cn_hierarchy_new(), cn_hierarchy_make_tables() and cn_hierarchy_mean_hops(), within a call that has a budget. */
cn_status cni_hierarchy_new_within(const cn_faults *faults, cni_budget *budget,
                                   cn_hierarchy **hierarchy);
cn_status cni_hierarchy_make_tables_within(cn_hierarchy *hierarchy, cni_budget *budget);
cn_status cni_hierarchy_mean_hops_within(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                         cni_budget *budget, double *mean, uint64_t *pairs);

/* The channels of an entry: towards neighbours that are one hop nearer to the cluster. */
uint64_t cni_entry_channels(const cn_hierarchy *hierarchy, const uint16_t hops[], uint64_t node);

/* Which of the channels of an entry a message with this header may take. */
extern const cni_names cni_tie_rules;

uint64_t cni_break_tie(uint64_t channels, uint64_t header, cn_tie_rule tie_rule);

static inline uint64_t cni_good_links(const cn_hierarchy *hierarchy, uint64_t node)
{
    return ~hierarchy->bad[node] & (cni_bit(hierarchy->faults->topology->dimensions) - 1);
}

#endif
