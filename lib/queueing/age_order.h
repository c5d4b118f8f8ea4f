/* The hops of messages that give way to older ones: model_variant 1 of deflection. */
#ifndef CNI_QUEUEING_AGE_ORDER_H
#define CNI_QUEUEING_AGE_ORDER_H

#include "queueing/hop_model.h"
#include "queueing/node_chain.h"

typedef struct cni_age_order {
    const cni_node_chain *node;
    const cni_hop_model *path;
    double *beyond; /* P(a node has more than j messages), by j */
    double *forced; /* pi_m C(m,x) e_x at [(m - spare) * (n + 1) + m - x] */
    double *now;    /* messages of a node that are of one age, by state of their header */
    double *next;
} cni_age_order;

/* Both are kept by reference. */
cn_status cni_age_order_open(const cni_node_chain *node, const cni_hop_model *path,
                             cni_age_order *order);
void cni_age_order_close(cni_age_order *order);

/* The mean number of hops, and of deflections, of a message when nodes are as in the solution of the
 * chain. */
void cni_age_order_means(cni_age_order *order, double *hops, double *deflections);

#endif
