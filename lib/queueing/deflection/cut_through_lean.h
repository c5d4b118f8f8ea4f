/*
 * What comes over a channel of cut-through with deflection to nodes that hold more or fewer headers. Full nodes get more:
 * the nodes before them have sent them more than others for some cycles, and go on to do so.
 *
 * Let A be 1 in a cycle in which a header comes over the channel and stays, and c(t) the covariance of A and of A t cycles
 * later. R(t) is by how much the distribution of the number of headers in the node is another t cycles after one more has
 * come. To first order the covariance of A and of there being i headers is
 *
 *     excess = c(1) R(1) + c(2) R(2) + ...
 *
 * and a header comes to a node of i headers with the mean probability and excess_i over the probability of i.
 *
 * c has two parts. A node that sends has more headers than others and sends again: the chain of the channel gives
 * the sum of z^(t-1) c(t), z the share of the excess that is left after a cycle; a node before is taken to return to the
 * mean as this one does, c(t) ~ z^t. The other part are the headers that do not stay. Those that have no other hop left
 * wait for the channel as in a queue of their own: d of them come in a cycle, with the second factorial moment F; N are
 * there on average when the channel is used, and if any is there one of them is sent with probability s. In a stationary
 * queue the means of n^2 and of n = 0 do not change, and what leaves has in the long run the variance of what comes:
 *
 *     s = d + (F + 2 d - 2 d^2) / (2 N)    c(1) = d (s - d) (1 - P(any come) / d)    c(1) + c(2) + ... = F / 2
 *
 * with c(t) ~ r^t. Where one of these is sent none that stays is, so this is a part of c as it stands.
 */
#ifndef CNI_QUEUEING_DEFLECTION_CUT_THROUGH_LEAN_H
#define CNI_QUEUEING_DEFLECTION_CUT_THROUGH_LEAN_H

#include <stddef.h>

/* Of a channel; all zero at first. */
typedef struct cni_lean {
    size_t buffers;
    double *excess; /* by number of headers */
    double added;   /* what it added to the mean number of headers when the channel had been used */
    double lasts;   /* z */
    double last_hops;    /* d, of the cycle that has begun */
    double squares, any; /* of it: sum of the squares by channel; P(any come) */
} cni_lean;

/* A distribution of the number of headers, when each node sends one with this probability, and full ones always. */
void cni_lean_send(size_t buffers, const double sends[], double by_number[]);

/* The excess, when some channel is used: `stay` headers come and stay, to all nodes alike. And when new ones come, as in
 * cni_wants_admit(). */
void cni_lean_cross(cni_lean *lean, const double sends[], double stay);
void cni_lean_admit(cni_lean *lean, double more);

/* So many come that have only a hop over the channel left, over one channel or as new ones (`squares` 0). */
void cni_lean_last_hops(cni_lean *lean, double come, double squares);

typedef struct cni_lean_causes {
    const double *sent; /* probability of each number of headers in a node that has just sent */
    double stay;        /* headers that come and stay */
    double again;       /* sum of z^(t-1) c(t) because nodes send again */
    double waiting;     /* N */
} cni_lean_causes;

/* By number of headers in a node that has just sent: the probability that one comes over this channel and stays. To be
 * called after the excess has crossed but for what comes: cni_lean_send(). */
void cni_lean_read(const cni_lean *lean, const cni_lean_causes *causes, double stay[]);

/* The channel has been used. */
void cni_lean_renew(cni_lean *lean, const cni_lean_causes *causes);

#endif
