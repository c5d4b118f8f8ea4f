/* Who wants which channel: what makes the claims of phase 1 uneven. For model_variant own. */
#ifndef CNI_QUEUEING_DEFLECTION_CLAIMS_H
#define CNI_QUEUEING_DEFLECTION_CLAIMS_H

#include "queueing/deflection/excess.h"
#include "queueing/deflection/node_chain.h"
#include "queueing/deflection/rivals.h"

typedef struct cni_claims {
    cni_node_chain *node;
    cni_rivals rivals;
    uint32_t digits;
    void *block;  /* of the arrays */
    double *kept; /* probability that a node keeps so many messages in a cycle; M - n + 1 of them */
    double *free; /* share of the channels that none of so many kept messages wants */
    double *flow; /* f_{i,j} weighted by how often a node has i messages */
    double *
        pairs; /* mean pairs of claims on one channel, of those that win or stay, weighted likewise */

    /* s(x), that two of x kept messages have lost the same channel: as used, as it then turned out, as used before, and
     * how far that was off */
    double *same, *found, *same_before, *miss_before;
    double common; /* V, see correlation.h: as used in rivals.c, which follows it in steps */
    double common_step,
        common_missed; /* of what it misses, the part that is added; by how much it did */
    double meetings;   /* mean pairs of claims on one channel, in all of a node */
    cni_excess excess;
    int rounds;
} cni_claims;

/* The chain is kept by reference. siblings: of a channel, see rivals.h; digits: see correlation.h. */
cn_status cni_claims_open(cni_node_chain *node, uint32_t siblings, uint32_t digits,
                          cni_claims *claims);
void cni_claims_close(cni_claims *claims);

/* What the messages do, as the rest of the model has found it. But for `wanting`, probabilities. */
typedef struct cni_claim_habits {
    double transit;        /* P_t: that a channel brings a message */
    const double *wanting; /* by t: how many of those that are kept want any of t channels */
    const double *leaving; /* how many of all that want t leave in a cycle */
    const double *parting; /* and how many of those that are kept */
    double onward; /* that one that has come in by a channel wants to go on in the same direction */
    double beside; /* and that it wants one of the siblings of that channel */
    double going_on; /* that one on a channel has not arrived with that hop, 1 - 1/h */
} cni_claim_habits;

/* Puts new probabilities f_{i,j} into the chain, from its present solution for habits->transit. Returns by
 * how much the numbers of channels won have changed, in the mean over the states of the node. */
double cni_claims_update(cni_claims *claims, const cni_claim_habits *habits);

#endif
