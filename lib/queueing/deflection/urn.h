/* Claims made one after the other, and how they meet: Polya's urn. */
#ifndef CNI_QUEUEING_DEFLECTION_URN_H
#define CNI_QUEUEING_DEFLECTION_URN_H

#include "queueing/deflection/node_chain.h"

/* The claims of a node so far: by j, the probability that j of its channels are claimed, and, weighted by it, the
 * means of three sums over the channels. X counts the claims on a channel of messages that will win it or stay, Y
 * all those of the present kind. */
typedef struct cni_urn_tally {
    uint32_t channels;
    double may_stay; /* so many losers stay; the younger ones are forced out */
    double claimed[CNI_CHANNELS + 1];
    double pairs[CNI_CHANNELS + 1];   /* X (X - 1) / 2 */
    double mixed[CNI_CHANNELS + 1];   /* X Y */
    double squares[CNI_CHANNELS + 1]; /* Y Y */
} cni_urn_tally;

/* No claims yet. */
void cni_urn_begin(cni_urn_tally *tally, uint32_t channels, size_t may_stay);

/* What follows are claims of another kind. */
void cni_urn_next_kind(cni_urn_tally *tally);

/* b of a kind of which two messages want the same of n channels with probability c. */
double cni_urn_bias(double n, double c);

/* One more claim, after `all` claims of which `kin` are of its kind, which has this b. Each of `all` draws it to its channel
 * with weight `draw` to 1. */
void cni_urn_claim(cni_urn_tally *tally, double all, double kin, double b, double draw);

#endif
