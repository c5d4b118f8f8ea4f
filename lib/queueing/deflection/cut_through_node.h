/*
 * A node of cut-through with deflection, as its model sees it (docs/theory/cut-through.md, C6): for
 * one channel of the node, the joint distribution of the number i of headers in the node and the
 * number q of those that the channel brings closer. There is one such chain for each channel; what
 * they say of i alone is the same in all.
 */
#ifndef CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H
#define CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * probability[i * (buffers + 1) + q], 0 where q > i. Start from {0} but for the first of them,
 * which is 1.
 */
typedef struct cni_wants {
    size_t buffers;
    double *probability;
} cni_wants;

/* What a chain has to know of a mini-cycle of another channel. */
typedef struct cni_crossing_wants {
    double both;  /* of the headers that its channel brings closer, share that this one does, too */
    double other; /* and of the rest */
    double come;  /* of those that stay, share that its channel brings closer */
} cni_crossing_wants;

/* Mean numbers of headers, and of those that the channel brings closer. */
double cni_wants_headers(const cni_wants *wants);
double cni_wants_wanting(const cni_wants *wants);

/* Adds or takes headers, and turns some into such that the channel brings closer or back, until the
 * means are these: the chains of a node would else drift apart. */
void cni_wants_agree(cni_wants *wants, double headers, double wanting);

/* By i: the probability that there are i headers, and that with them the channel has one to send;
 * by q: that of q. */
void cni_wants_read(const cni_wants *wants, double headers[], double sends[], double wanting[]);

/* A mini-cycle of its own channel; of another one, `spare` holding 2 (buffers + 1) numbers. To a
 * node that has sent, a header comes that is not at its destination with probability `stay`; `come`
 * of these the channel brings closer. */
void cni_wants_cross(cni_wants *wants, double stay, double come);
void cni_wants_pass(cni_wants *wants, double stay, const cni_crossing_wants *crossing,
                    double spare[]);

/* A geometric number of new headers, more <= 1 that there is one more; fresh: the share of those
 * that the channel brings closer. What does not fit in is refused. */
void cni_wants_admit(cni_wants *wants, double more, double fresh, double spare[]);

#endif
