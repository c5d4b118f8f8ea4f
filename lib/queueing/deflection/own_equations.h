/* The equations of the own model that need no model around them: claims that meet, pairs of
 * messages that meet again, and dependence between nodes (docs/theory/deflection.md, (D13) and
 * (D16) to (D23)). */
#ifndef CNI_QUEUEING_DEFLECTION_OWN_EQUATIONS_H
#define CNI_QUEUEING_DEFLECTION_OWN_EQUATIONS_H

#include "queueing/deflection/node_chain.h"

/* The least value of a probability in a quotient or under a power, where 0 would give infinity. */
#define CNI_LEAST_WIN 1e-9

/* ---- claims one after the other: Polya's urn ---- */

/* The claims of a node so far. claimed[j] is the probability that j of its channels are claimed.
 * The other arrays are means of sums over the channels, weighted by this probability. On a
 * channel X counts the claims of messages that will win it or stay, and Y all claims of the
 * present kind. */
typedef struct cni_urn_tally {
    uint32_t channels;
    double may_stay; /* M - n: the number of losers that stay; younger losers are forced out */
    double claimed[CNI_CHANNELS + 1];
    double pairs[CNI_CHANNELS + 1];   /* sum of X (X - 1) / 2 */
    double mixed[CNI_CHANNELS + 1];   /* sum of X Y */
    double squares[CNI_CHANNELS + 1]; /* sum of Y^2 */
} cni_urn_tally;

/* Begins a tally without claims. */
void cni_urn_begin(cni_urn_tally *tally, uint32_t channels, size_t may_stay);

/* The following claims are of another kind. */
void cni_urn_next_kind(cni_urn_tally *tally);

/* Returns b of (D13) for a kind of messages. Two messages of the kind claim the same of n
 * channels with probability c. */
double cni_urn_bias(double n, double c);

/* Adds one claim, after `all` claims. `kin` of these are of its kind, whose urn has this b. Each
 * of the `all` claims draws it to its channel with weight `draw`, when an unclaimed channel has
 * weight 1. */
void cni_urn_claim(cni_urn_tally *tally, double all, double kin, double b, double draw);

/* ---- kept messages that meet again ---- */

/* The pairs of messages in a node, in the mean, and the messages that want any of t channels, by
 * t. */
typedef struct cni_rivalry {
    /* v_=: probability that two messages which want the same channel are both kept */
    double both_stay;
    /* v_/=: probability that two messages which want different channels are both kept */
    double apart_stay;
    int rings; /* 1: messages need more than one hop in a dimension */
    /* two messages that meet want the same channel with probability (1 + common) / n */
    double common;
    /* kept messages, if no message met more rivals than others */
    const double *wanting;
    const double *leaving; /* messages that leave in a cycle; as many come */
} cni_rivalry;

typedef struct cni_rivals {
    uint32_t channels;
    /* by t, for the messages that want any of t channels */
    double share[CNI_CHANNELS + 1]; /* share of the kept messages */
    /* the time for which such a message is kept, relative to others (D18) */
    double patience[CNI_CHANNELS + 1];
    double stay[CNI_CHANNELS + 1]; /* 1 - w_t: probability that such a message stays */
    /* the means in the denominators of (D17): over two messages on one channel, and on two
     * channels */
    double same, apart;
    /* theta: two messages with probability c for the same channel meet in proportion to 1 +
     * theta c */
    double drawn;

    /* r: probability that a kept message wants its lost channel again */
    double insist;
    /* A of (D14): probability that two messages which lost the same channel want the same again */
    double again;
    /* B of (D14): probability that two messages which lost different channels want the same */
    double chance;
} cni_rivals;

void cni_rivals_begin(cni_rivals *rivals, uint32_t channels);
void cni_rivals_update(cni_rivals *rivals, const cni_rivalry *rivalry);

/* ---- dependence between nodes ---- */

/* Both functions return 0 where a message may need more than one hop in a dimension (digits =
 * 0). Else `digits` is k, and each of the delta dimensions has k - 1 channels. */

/* Returns W of (D23): the relative variance, beyond chance, of the messages that want a channel,
 * between the k^(delta-1) channels that change the same digit into the same other digit.
 * share[t] is the share of the messages that want any of t channels. W is 0 in one dimension. */
double cni_correlated_wants(const cni_node_chain *node, uint32_t digits, const double share[]);

/* Returns the covariance (D22) of a message from a channel with the number of kept messages, as
 * far as the queues of all nodes make it. `known` is cov', the covariance without the queues.
 * `going_on` is p, the probability that a message on a channel does not arrive with this hop. */
double cni_correlated_queues(const cni_node_chain *node, uint32_t digits, double known,
                             double going_on);

#endif
