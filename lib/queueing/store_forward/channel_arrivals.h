/*
 * How irregularly messages come to a channel (docs/theory/store-and-forward.md, S7, S8): x = E[A (A
 * - 1)], A the number that comes to it in the time in which it sends one.
 *
 * A channel brings at most one message a cycle. With t(e) the mean that goes on from channel e into
 * this one, and s that of new messages, x = b s^2 + 2 s sum t + (sum t)^2 - sum t^2, b = 2 for a
 * geometric source.
 *
 * Variant 0, published: each message in transit takes a channel of the node as of all that are in
 * transit there, whichever way it came. In Boolean n-cubes that is eq. 2.32.
 *
 * Variant 2, own: the real t(e), and what independence leaves out. A channel sends in runs: the
 * variance of what it sends is in the long run that of what comes to it, f (1 - f) + x, where
 * independent cycles have f (1 - f). With q = t(e) / f(e) and u = x of independent cycles, the next
 * queue sees a part of that:
 *
 *     x = u + sum of w q^2 sqrt(u / u(e)) x(e),    w = f (1 + (1 - q)(1 - f)) / 2
 *
 * A long queue sees half of it. w was found by comparison with simulations; with the root, a queue
 * to which all comes over one channel never grows, which is right. With y = x / sqrt(u) that is
 * linear.
 */
#ifndef CNI_QUEUEING_STORE_FORWARD_CHANNEL_ARRIVALS_H
#define CNI_QUEUEING_STORE_FORWARD_CHANNEL_ARRIVALS_H

#include "queueing/store_forward/channel_flows.h"

/* By channel: x = root runs. */
typedef struct cni_channel_arrivals {
    const cni_channel_flows *flows;
    double load;
    double *transit, *squares; /* sum of t and of t^2, at load 1 */
    double *root;              /* of u, in the place of the squares */
    double *runs, *next;       /* y */
    void *block;               /* of the arrays */
} cni_channel_arrivals;

/* Of flows with turns, at so many messages of a node in the time of one; burst: E[A (A - 1)] of
 * what a node sends, over the square of its mean. own: variant own. CN_ERR_MEMORY; else close
 * it. */
cn_status cni_channel_arrivals_open(const cni_channel_flows *flows, double load, double burst,
                                    int own, cni_channel_arrivals *arrivals);
void cni_channel_arrivals_close(cni_channel_arrivals *arrivals);

/* w q^2 of variant own, into a channel with flow f. */
double cni_run_share(double q, double f);

#endif
