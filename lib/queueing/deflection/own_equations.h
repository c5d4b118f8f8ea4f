/* The equations of the own model, each of which stands for itself: claims that meet, pairs of
 * messages that meet again, what nodes have in common. For model_variant own. */
#ifndef CNI_QUEUEING_DEFLECTION_OWN_EQUATIONS_H
#define CNI_QUEUEING_DEFLECTION_OWN_EQUATIONS_H

#include "queueing/deflection/node_chain.h"

/* 1 - the probability of what is certain. */
#define CNI_LEAST_WIN 1e-9

/* ---- claims made one after the other: Polya's urn ---- */

/* The claims of a node so far: by j, the probability that j of its channels are claimed, and,
 * weighted by it, the means of three sums over the channels. X counts the claims on a channel of
 * messages that will win it or stay, Y all those of the present kind. */
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

/* One more claim, after `all` claims of which `kin` are of its kind, which has this b. Each of
 * `all` draws it to its channel with weight `draw` to 1. */
void cni_urn_claim(cni_urn_tally *tally, double all, double kin, double b, double draw);

/* ---- messages that a node has kept meet again ---- */

/* What two messages of a node meet, in the mean over all of them; and, by t, the messages that want
 * any of t channels. */
typedef struct cni_rivalry {
    double both_stay;  /* probability that two which want the same channel are both kept */
    double apart_stay; /* that two which want different ones are */
    int rings;         /* messages need more than one hop in a dimension */
    double common;     /* two that meet want the same channel with 1 + common over their number */
    /* those that are kept, when none of them meets more rivals than another */
    const double *wanting;
    const double *leaving; /* how many leave in a cycle; as many come */
} cni_rivalry;

typedef struct cni_rivals {
    uint32_t channels;
    /* by t, of those that want any of t channels */
    double share[CNI_CHANNELS + 1];    /* of the kept messages */
    double patience[CNI_CHANNELS + 1]; /* how long they are kept, relative to others */
    double stay[CNI_CHANNELS + 1];     /* probability that one stays */
    double same, apart; /* means over two that claim the same channel and over two that do not */
    double drawn; /* two that want the same with probability c meet in proportion to 1 + drawn c */

    /* what two kept messages want */
    double insist; /* a message wants the channel that it has lost */
    double again;  /* two that have lost the same channel want the same */
    double chance; /* two that have lost different ones do */
} cni_rivals;

void cni_rivals_begin(cni_rivals *rivals, uint32_t channels);
void cni_rivals_update(cni_rivals *rivals, const cni_rivalry *rivalry);

/* ---- what nodes have in common ---- */

/* Both are 0 where a message may need more than one hop in a dimension (digits = 0), else digits is
 * k of n dimensions with k - 1 channels each. */

/* V: the variance, between the k^(n-1) channels that change the same digit into the same other one,
 * and the rest, of what messages want them, relative to the mean and beyond chance. share[t]: of
 * the messages, those that want any of t channels. 0 in one dimension. */
double cni_correlated_wants(const cni_node_chain *node, uint32_t digits, const double share[]);

/* The covariance of a channel's bringing a message and the number of messages kept that comes from
 * the queues of all nodes, where there is `known` of it without them. going_on: that a message on a
 * channel has not arrived with that hop. */
double cni_correlated_queues(const cni_node_chain *node, uint32_t digits, double known,
                             double going_on);

#endif
