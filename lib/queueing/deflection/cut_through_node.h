/*
 * A node of cut-through with deflection, as its model sees it: for one channel of the node, the joint distribution of
 * the number i of headers in the node and the number q of those that the channel brings closer. There is one such
 * chain for each channel; what they say of i alone is the same in all.
 */
#ifndef CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H
#define CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * probability[i * (buffers + 1) + q], 0 where q > i. Start from {0} but for the first of them, which is 1.
 *
 * since, in the same order, starts from {0}: by how much a node that has sent over the channel t cycles ago is more often
 * in a state, times z^(t-1) and the probability of sending, summed over t. It goes through all that the probabilities go
 * through.
 */
typedef struct cni_wants {
    size_t buffers;
    double *probability, *since;
} cni_wants;

/* What happens in a mini-cycle at the channel of which it is, by mean values over all nodes. */
typedef struct cni_crossing_rates {
    const double *sends; /* by i: probability that a node with i headers has one for this channel */
    const double
        *stay; /* by i, after it has sent: that one comes to it and is not at its destination */
} cni_crossing_rates;

/* And what a chain of another channel has to know of it. */
typedef struct cni_crossing_wants {
    double both;  /* of the headers that its channel brings closer, share that this one does, too */
    double other; /* and of the rest */
    double leave; /* of the first, share that leaves over this channel */
    double come;  /* of those that stay, share that its channel brings closer */
} cni_crossing_wants;

/* Mean numbers of headers, and of those that the channel brings closer. */
double cni_wants_headers(const cni_wants *wants);
double cni_wants_wanting(const cni_wants *wants);

/* Adds or takes headers, and turns some into such that the channel brings closer or back, until the means are these:
 * the chains of a node would else drift apart. */
void cni_wants_agree(cni_wants *wants, double headers, double wanting);

/* By i: the probability that there are i headers, and that with them the channel has one to send; by q: that of q. */
void cni_wants_read(const cni_wants *wants, double headers[], double sends[], double wanting[]);

/* Covariance of sending over its own channel in this cycle and t cycles ago, times z^(t-1), summed over t. */
double cni_wants_again(const cni_wants *wants);

/* A mini-cycle of its own channel, with z; of another one. `spare` holds 4 (buffers + 1) numbers. */
void cni_wants_cross(cni_wants *wants, const cni_crossing_rates *rates, double come, double z);
void cni_wants_pass(cni_wants *wants, const cni_crossing_rates *rates,
                    const cni_crossing_wants *crossing, double spare[]);

/* A geometric number of new headers, more <= 1 that there is one more; fresh: the share of those that the channel
 * brings closer. What does not fit in is refused. */
void cni_wants_admit(cni_wants *wants, double more, double fresh, double spare[]);

#endif
