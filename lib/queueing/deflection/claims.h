/* Who wants which channel: what makes the claims of phase 1 uneven. For model_variant own. */
#ifndef CNI_QUEUEING_DEFLECTION_CLAIMS_H
#define CNI_QUEUEING_DEFLECTION_CLAIMS_H

#include "queueing/deflection/node_chain.h"

typedef struct cni_claims {
    cni_node_chain *node;
    double *kept; /* probability that a node keeps so many messages in a cycle; M - n + 1 of them */
    double *free; /* probability that none of so many kept messages wants a channel */
    double *flow; /* f_{i,j} weighted by how often a node has i messages */

    /* s: that two kept messages have lost the same channel; as used, and as it then turned out */
    double same, same_before, found_before;
    int rounds;
    uint32_t siblings; /* of a channel: a message that was kept and has lost one wants none of the others */
} cni_claims;

/* The chain is kept by reference. */
cn_status cni_claims_open(cni_node_chain *node, uint32_t siblings, cni_claims *claims);
void cni_claims_close(cni_claims *claims);

/* What the messages do, as the rest of the model has found it. All are probabilities. */
typedef struct cni_claim_habits {
    double transit; /* P_t: that a channel brings a message */
    double insist;  /* that a message that has lost a channel wants the same again */
    double onward; /* that one that has come in by a channel wants to go on in the same direction */
    double beside; /* and that it wants one of the siblings of that channel */
    double going_on; /* that one on a channel has not arrived with that hop, 1 - 1/h */
} cni_claim_habits;

/* Puts new probabilities f_{i,j} into the chain, from its present solution for habits->transit. Returns by
 * how much the numbers of channels won have changed, in the mean over the states of the node. */
double cni_claims_update(cni_claims *claims, const cni_claim_habits *habits);

#endif
