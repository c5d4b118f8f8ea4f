/* Messages that a node has kept meet again: they go on wanting the same channels. */
#ifndef CNI_QUEUEING_DEFLECTION_RIVALS_H
#define CNI_QUEUEING_DEFLECTION_RIVALS_H

#include "queueing/deflection/node_chain.h"

/* What two messages of a node meet, in the mean over all of them; and, by t, the messages that want any of t channels. */
typedef struct cni_rivalry {
    double both_stay;  /* probability that two which want the same channel are both kept */
    double apart_stay; /* that two which want different ones are */
    int rings;         /* those that come are taken for such as were kept, see rivals.c */
    double lose;       /* then, probability that a kept message does not win */
    double common;     /* two that meet want the same channel with 1 + common over their number */
    const double
        *wanting; /* those that were kept, when none of them meets more rivals than another */
    const double *leaving; /* how many leave in a cycle; as many come */
    const double *parting; /* and how many of those that were kept */
} cni_rivalry;

typedef struct cni_rivals {
    uint32_t channels, siblings;
    double
        share[CNI_CHANNELS + 1]; /* of the kept messages: those that want any of t channels, by t */
    double patience[CNI_CHANNELS +
                    1]; /* how long these are kept, relative to others; from the last round */
    double come[CNI_CHANNELS + 1]; /* how many come in a cycle for each that is kept, of any t */
    double win[2][CNI_CHANNELS +
                  1]; /* probability that one leaves: of those kept, of those that come */
    double same,
        apart; /* means over two that claim the same channel and over two that do not, see rivals.c */
    double drawn; /* two that want the same with probability c meet in proportion to 1 + drawn c */

    /* what two kept messages want */
    double insist; /* a message wants the channel that it has lost */
    double again;  /* two that have lost the same channel want the same */
    double chance; /* two that have lost different ones do */
} cni_rivals;

/* siblings: other channels of a dimension, of which a message never wants more than one. */
void cni_rivals_begin(cni_rivals *rivals, uint32_t channels, uint32_t siblings);

void cni_rivals_update(cni_rivals *rivals, const cni_rivalry *rivalry);

#endif
