/* Cluster routing tables by weights of channels (Horng 1992, 5.5.2). */
#ifndef CNI_ROUTING_HIERARCHY_WEIGHTED_TABLES_H
#define CNI_ROUTING_HIERARCHY_WEIGHTED_TABLES_H

#include "routing/hierarchy/hierarchy.h"

/* Bounds of weights. Between them the sum of two weights is always greater than either weight. */
#define CNI_LEAST_WEIGHT 1e-3
#define CNI_GREATEST_WEIGHT 1e6

typedef struct cni_weighted_tables {
    const cn_hierarchy *hierarchy;
    const double *weights; /* of the caller, by node and port; NULL: all 1 */
    double slack; /* by which the weight of a way that is used may exceed the least weight */
    /* by node and cluster: the least weight of a way to the cluster; infinite without a way */
    double *least;
    uint64_t rounds, messages; /* in which the nodes made the tables */
} cni_weighted_tables;

/* Checks weights and slack, and makes the tables. Close also after a failure. */
cn_status cni_weighted_tables_open(const char *function, const cn_hierarchy *hierarchy,
                                   const double weights[], size_t count, double slack,
                                   cni_budget *budget, cni_weighted_tables *tables);
void cni_weighted_tables_close(cni_weighted_tables *tables);

/* The channels of a node to neighbours nearer to the cluster, on ways whose weight exceeds the
 * least weight by at most the slack. */
uint64_t cni_weighted_channels(const cni_weighted_tables *tables, uint32_t cluster, uint64_t node);

#endif
