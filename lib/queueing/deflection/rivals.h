/* Messages that a node has kept meet again: they go on wanting the same channels. */
#ifndef CNI_QUEUEING_DEFLECTION_RIVALS_H
#define CNI_QUEUEING_DEFLECTION_RIVALS_H

#include "queueing/deflection/node_chain.h"

/* What two messages of a node meet, in the mean over all of them. */
typedef struct cni_rivalry {
    double both_stay;  /* probability that two which want the same channel are both kept */
    double apart_stay; /* that two which want different ones are */
    double kept;       /* of the pairs that are kept, how many had been kept before */
    double lose;       /* probability that a kept message does not win */
    double common;     /* two that meet want the same channel with 1 + common over their number */
} cni_rivalry;

typedef struct cni_rivals {
    uint32_t channels, siblings;
    double
        share[CNI_CHANNELS + 1]; /* of the kept messages: those that want any of t channels, by t */
    double patience[CNI_CHANNELS +
                    1]; /* how long these are kept, relative to others; from the last round */
    double stay[CNI_CHANNELS + 1]; /* probability that one that wants t stays, over that of any */
    double stay_same, stay_apart;  /* of two, their product: means, see rivals.c */
    double drawn; /* two that want the same with probability c meet in proportion to 1 + drawn c */

    /* what two kept messages want */
    double insist; /* a message wants the channel that it has lost */
    double again;  /* two that have lost the same channel want the same */
    double chance; /* two that have lost different ones do */
} cni_rivals;

/* siblings: other channels of a dimension, of which a message never wants more than one. */
void cni_rivals_begin(cni_rivals *rivals, uint32_t channels, uint32_t siblings);

/* wanting[t]: the share of those messages that want any of t channels when none of them meets more rivals than
 * another; leaving[t]: how many of them leave in a cycle, in the same unit. */
void cni_rivals_update(cni_rivals *rivals, const double wanting[], const double leaving[],
                       const cni_rivalry *rivalry);

#endif
