/* The inside of a cn_hierarchy: the clusters and the routing tables. */
#ifndef CNI_ROUTING_HIERARCHY_HIERARCHY_H
#define CNI_ROUTING_HIERARCHY_HIERARCHY_H

#include "cubenet/hierarchy.h"

#include "base/budget.h"
#include "base/names.h"
#include "routing/faults/fault.h"

#define CNI_NO_WAY UINT16_MAX /* in place of hops: the node does not reach the cluster */

/* A subcube: where a bit of `any` is 1, that bit of an address is free; elsewhere the addresses
 * have the bit of `value`. `value` is 0 in the free bits. */
typedef struct cni_subcube {
    uint64_t value, any;
} cni_subcube;

typedef struct cni_cluster {
    cni_subcube subcube;
    uint64_t survivors;
    /* a column of the tables: by node, the hops to the cluster; NULL without tables */
    uint16_t *hops;
} cni_cluster;

struct cn_hierarchy {
    cni_object head;
    cn_faults *faults;    /* its own copy, which holds the topology */
    uint64_t *bad;        /* by node: ports whose link is faulty or leads to a faulty node */
    uint32_t *cluster_of; /* by node; CN_NO_CLUSTER for a faulty node */
    uint32_t *queue;      /* room for a search, while tables are made */
    void *block;          /* of bad, cluster_of and queue */
    cni_cluster *clusters;
    size_t cluster_count, cluster_capacity;
    int has_tables;
};

/* The next node of a subcube in ascending order; after the last node, the first one, `value`. */
static inline uint64_t cni_next_in(cni_subcube cube, uint64_t node)
{
    return (((node & cube.any) - cube.any) & cube.any) | cube.value;
}

/*
 * Breadth-first search to a cluster: fills hops, by node, and leaves the nodes that reach the
 * cluster in queue, in the order of their distance; both have room for N elements. CN_ERR_OVERFLOW:
 * a shortest path has CNI_NO_WAY hops or more.
 */
cn_status cni_search_cluster(const cn_hierarchy *hierarchy, uint32_t cluster, uint16_t hops[],
                             uint32_t queue[], size_t *reached);

/* As cn_hierarchy_new(), cn_hierarchy_make_tables() and cn_hierarchy_mean_hops(), within a call
 * that has a budget. */
cn_status cni_hierarchy_new_within(const cn_faults *faults, cni_budget *budget,
                                   cn_hierarchy **hierarchy);
cn_status cni_hierarchy_make_tables_within(cn_hierarchy *hierarchy, cni_budget *budget);
cn_status cni_hierarchy_mean_hops_within(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                         cni_budget *budget, double *mean, uint64_t *pairs);

/* The best channels of a node to a cluster: those to neighbours one hop nearer. `hops` is the
 * column of the cluster. */
uint64_t cni_entry_channels(const cn_hierarchy *hierarchy, const uint16_t hops[], uint64_t node);

extern const cni_names cni_tie_rules;

/* Of the best channels, the channels that a message with this header may take. */
uint64_t cni_break_tie(uint64_t channels, uint64_t header, cn_tie_rule tie_rule);

/* The ports whose link works and leads to a working node. */
static inline uint64_t cni_good_links(const cn_hierarchy *hierarchy, uint64_t node)
{
    return ~hierarchy->bad[node] & (cni_bit(hierarchy->faults->topology->dimensions) - 1);
}

#endif
