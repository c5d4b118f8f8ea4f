/*
 * A node in the model of cut-through with deflection ((C6) of docs/theory/cut-through.md). For one
 * channel of the node this is the joint distribution of the number i of headers in the node, and
 * the number q of headers that the channel brings closer. A node has a chain of this kind for each
 * channel. All chains of a node agree on the distribution of i.
 */
#ifndef CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H
#define CNI_QUEUEING_DEFLECTION_CUT_THROUGH_NODE_H

#include <stddef.h>

/*
 * The element i * (buffers + 1) + q has the probability of i and q. It is 0 where q > i. An empty
 * node has 1 in the first element and 0 in all others.
 */
typedef struct cni_wants {
    size_t buffers;
    double *probability;
} cni_wants;

/* The means that a chain needs for a mini-cycle of another channel. */
typedef struct cni_crossing_wants {
    /* b of (C6): of the headers that the chain's channel brings closer, the share that the other
     * channel brings closer, too */
    double both;
    double other; /* o of (C6): the same share of the other headers */
    /* of the headers that come and stay, the share that the chain's channel brings closer */
    double come;
} cni_crossing_wants;

/* Returns the mean number of headers. */
double cni_wants_headers(const cni_wants *wants);

/* Adds, takes or turns headers with equal probability until the means are these. Without this
 * the chains of a node would drift apart. */
void cni_wants_agree(cni_wants *wants, double headers, double wanting);

/* Reads the distributions. By i: the probability of i headers, and the probability that the
 * channel has a header to send then. By q: the probability of q. */
void cni_wants_read(const cni_wants *wants, double headers[], double sends[], double wanting[]);

/* cni_wants_cross() makes a mini-cycle of the chain's own channel, cni_wants_pass() a mini-cycle
 * of another channel (C6). `spare` has room for 2 (buffers + 1) numbers. A node that has sent
 * gets a header that is not at its destination with probability `stay`. The channel brings the
 * share `come` of these headers closer. */
void cni_wants_cross(cni_wants *wants, double stay, double come);
void cni_wants_pass(cni_wants *wants, double stay, const cni_crossing_wants *crossing,
                    double spare[]);

/* Admits a geometric number of new headers. `more` <= 1 is the probability of one more; the
 * channel brings the share `fresh` of the new headers closer. Headers without a free buffer are
 * refused. */
void cni_wants_admit(cni_wants *wants, double more, double fresh, double spare[]);

#endif
