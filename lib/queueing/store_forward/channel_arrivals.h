/*
 * The second moment of the arrivals at a channel, x = E[A (A - 1)] ((S7) and (S8) of
 * docs/theory/store-and-forward.md). A is the number of messages that come to the channel in the
 * time in which it sends one.
 *
 * A channel brings at most one message a cycle. Let t(e) be the mean flow from channel e into this
 * channel, s the mean number of new messages, and b the burst of the source, 2 for a geometric
 * source. If cycles and channels are independent (S7), x is
 *
 *     u = b s^2 + 2 s sum t + (sum t)^2 - sum t^2.
 *
 * Variant published takes x = u. Its t(e) divides the flow of each channel like all transit of the
 * node, whatever the channel. On Boolean n-cubes this is eq. 2.32.
 *
 * Variant own takes the real t(e). It adds the runs in which a channel sends: in the long run the
 * variance of the messages that a channel sends is the variance of its arrivals, f (1 - f) + x.
 * Independent cycles have f (1 - f). With q = t(e) / f(e), the next queue sees a part of the
 * difference (S8):
 *
 *     x = u + sum over e of w q^2 sqrt(u / u(e)) x(e),    w = f (1 + (1 - q)(1 - f)) / 2.
 *
 * - The factor 1/2: a long queue sees half of a run, since it shrinks as slowly as the queue
 *   before.
 * - The factor f (1 + (1 - q)(1 - f)) is fitted to simulations with routing `minimal`: a short
 *   queue sees less.
 * - The root: a queue does not grow when all its messages come over one channel. Then u = 0, and
 *   the root makes x = 0.
 *
 * The equations are linear in y = x / sqrt(u).
 */
#ifndef CNI_QUEUEING_STORE_FORWARD_CHANNEL_ARRIVALS_H
#define CNI_QUEUEING_STORE_FORWARD_CHANNEL_ARRIVALS_H

#include "queueing/store_forward/channel_flows.h"

/* x = root times runs, by channel. */
typedef struct cni_channel_arrivals {
    const cni_channel_flows *flows;
    double load;
    double *transit, *squares; /* the sums of t and of t^2 at load 1 */
    double *root;              /* sqrt(u), in the array of the squares */
    double *runs, *next;       /* y, and y of the next round */
    void *block;               /* holds the arrays */
} cni_channel_arrivals;

/* Finds x from flows with turns. `load` is in messages of a node in the time in which a channel
 * sends one. `burst` is b: E[Y (Y - 1)] of the new messages Y of a node, over the square of
 * their mean. `own` chooses the variant. CN_ERR_MEMORY; else the caller closes it. */
cn_status cni_channel_arrivals_open(const cni_channel_flows *flows, double load, double burst,
                                    int own, cni_channel_arrivals *arrivals);
void cni_channel_arrivals_close(cni_channel_arrivals *arrivals);

/* w q^2 of (S8), into a channel with flow f. */
double cni_run_share(double q, double f);

#endif
