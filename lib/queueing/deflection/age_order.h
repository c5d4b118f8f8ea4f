/* The hops of messages that give way to older ones: model_variant own of deflection. */
#ifndef CNI_QUEUEING_DEFLECTION_AGE_ORDER_H
#define CNI_QUEUEING_DEFLECTION_AGE_ORDER_H

#include "queueing/deflection/hop_model.h"
#include "queueing/deflection/node_chain.h"

typedef struct cni_age_order {
    const cni_node_chain *node;
    const cni_hop_model *path;
    void *block;    /* of the arrays */
    double *beyond; /* P(a node has more than j messages), by j */
    size_t reach;   /* beyond this j it is nothing */
    double *won; /* pi_m C(m,x) (what x messages win less what g says), x > M - n, by x and m - x */
    double *forced; /* pi_m C(m,x) e_x, in the same order */
    double *now;    /* messages of a node that are of one age, by state of their header */
    double *next;
    double
        crowd; /* g: with older claims on its channel a message finds it taken as if n were n/g */

    /* what has become of a message */
    double hops, deflections;
    double wanting[CNI_CHANNELS + 1]; /* by t: how often one stays that wants any of t channels */
    double leaving[CNI_CHANNELS + 1]; /* how often one of these leaves */
    double parting[CNI_CHANNELS + 1]; /* and how often one that had stayed in the cycle before */
    double waited[CNI_CHANNELS + 1];  /* those of the present age that have */
    double onward; /* probability that one that has moved wants to go on in the same direction */
    double beside; /* that it wants a sibling of that channel */
} cni_age_order;

/* Both are kept by reference. */
cn_status cni_age_order_open(const cni_node_chain *node, const cni_hop_model *path,
                             cni_age_order *order);
void cni_age_order_close(cni_age_order *order);

/* What becomes of messages when nodes are as in the solution of the chain. CN_ERR_CONVERGENCE when some never
 * arrive. */
cn_status cni_age_order_follow(cni_age_order *order);

#endif
