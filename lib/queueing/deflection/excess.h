/* P_t by the number of messages kept: nodes that have kept more than others get more. For model_variant own. */
#ifndef CNI_QUEUEING_DEFLECTION_EXCESS_H
#define CNI_QUEUEING_DEFLECTION_EXCESS_H

#include "queueing/deflection/node_chain.h"

typedef struct cni_excess {
    cni_node_chain *node;
    void *block;           /* of the arrays */
    double *first, *later; /* by messages kept: responses to a message that came, see excess.c */
    double *spare;         /* two cycles of work, by messages kept and in the node */
} cni_excess;

/* The chain is kept by reference. */
cn_status cni_excess_open(cni_node_chain *node, cni_excess *excess);
void cni_excess_close(cni_excess *excess);

typedef struct cni_excess_causes {
    const double *kept; /* probability that a node keeps so many messages */
    const double *free; /* share of the channels that none of so many kept messages wants */
    double transit;     /* P_t */
    double going_on;    /* that a message on a channel has not arrived with that hop */
    double insist;      /* that one which has lost a channel claims it again */
    double pairs;       /* mean pairs of claims on one channel, in all of a node */
    uint32_t digits;    /* see correlation.h */
} cni_excess_causes;

/* Sets the lean of P_t in the chain from its present solution. Returns by how much it has changed, in the mean over
 * nodes. */
double cni_excess_update(cni_excess *excess, const cni_excess_causes *causes);

#endif
