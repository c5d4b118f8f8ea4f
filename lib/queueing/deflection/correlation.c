/*
 * Two things that the nodes of a network have in common.
 *
 * Queues. Let Z be the number of messages in a node at the start of a cycle, S what it sends and b(r) the covariance of
 * its Z with the S of a node r. In the steady state the mean of Z(0) Z(r) does not change. If each node sends the same
 * to all its neighbours, and of that the share p goes on, this is, with A for the mean over neighbours,
 *
 *     (1 - p A) b = H at r = 0, else 0,  H = (the variance of what comes in) / 2 + (its covariance with Z),
 *
 * up to terms of the variance of S. So b(0) is H times the mean number of visits of a random walk to where it began,
 * that goes on with probability p: G = mean of 1 / (1 - p a) over all eigenvalues a of A. In a network whose nodes know
 * nothing of each other b(0) is H. The difference is what the queue has in common with what comes in:
 *
 *     n covariance = (G - 1) H - G p^2 var(S) / (2 n),  H = b(0) - n covariance - var(S) / 2,
 *
 * where b(0) and var(S) are those of the chain. It is nearly 0 where nothing waits. Of the covariance, the part z
 * remains after a cycle, in the messages that are kept; z = 1 - b(0) / var(Z). H has in it all of the covariance: what is
 * known without the queues, and what is looked for, which therefore is over 1 + z (G - 1).
 *
 * Two judgements. For p: what arrives at its destination is told by what was created for it, not by what neighbours can
 * send. So with long queues, a hop that a neighbour does not make is always one of a message that would have gone on,
 * p = 1. Short of that, z (1 - y) / (1 - z y) of the rest 1 - p is added, y = min(z, insist): that share of what a channel
 * has in excess counts before the queue has forgotten it. Not so where all nodes have the same, a = 1: what is
 * delivered follows what is created. And messages that take shortest paths do not come back as a random walk does.
 *
 * Wants. A message which has to change a digit u of a dimension into v does so once, and before it does it is always in
 * one of the g = k^(n-1) nodes with this u. These channels are a queue of their own, whatever else happens. Let a node have q
 * messages that want one channel, let it send rho of them in a cycle, and L more for a relative excess of 1. Then with Poisson
 * arrivals, of the total of g nodes, the relative variance is rho / (g q L (2 - L/q)), less 1 / (g q) that chance alone
 * makes. What is common to all channels of a node is no matter of wants: a message wants t of D channels, which leaves
 * 1 - E t^2 / (D E t). So
 *
 *     V = (1 - E t^2 / (D E t)) (rho / (L (2 - L/q)) - 1) / (g q).
 *
 * It is at most 1 / g: that of g queues of geometric length that know nothing of each other.
 *
 * L is what the chain sends with one message more in D, times the messages: L = sum_i pi_i i (s_{i+1} - s_i) / D. If
 * every message goes at once, L = rho = q and V = 0.
 *
 * Check values, of this code: n = 4, M = 32, load 1.8, P_t = 0.5, published claims, share 0.5 of one and of two channels:
 * V 0.048478954931; the covariance, with known 0, p = 0.53 and insist 0.6: 0.073379146593.
 */
#include "queueing/deflection/correlation.h"

#include <math.h>

/* What a node does, of its chain. */
typedef struct moments {
    double queue, sent; /* variances */
    double together;    /* b(0) */
} moments;

static moments take_moments(const cni_node_chain *node)
{
    moments m = {0.0, 0.0, 0.0};
    size_t n = node->channels;
    double mean = (double)n * (node->rho_1 + node->rho_2), squares = 0.0;
    for (size_t i = 0; i < node->states; i++) {
        const double *row = node->both + i * (n + 1);
        double away = (double)i - node->queue;
        double sent = node->first_sent[i] + node->second_sent[i] - mean;
        m.queue += node->pi[i] * away * away;
        m.together += node->pi[i] * away * sent;
        for (size_t j = 0; j <= n; j++)
            squares += node->pi[i] * row[j] * ((double)j - mean) * ((double)j - mean);
    }
    m.sent = squares;
    return m;
}

/* G: `all` for the eigenvalue 1, `others` for p. An eigenvector tells w of the dimensions from each other. */
static double returns(uint32_t channels, uint32_t digits, double all, double others)
{
    uint32_t dimensions = channels / (digits - 1);
    double share = pow(digits, -(double)dimensions), sum = share / (1.0 - all);
    for (uint32_t w = 1; w <= dimensions; w++) {
        share *= (dimensions - w + 1.0) / w * (digits - 1.0);
        sum += share / (1.0 - others * (1.0 - w * (double)digits / channels));
    }
    return sum;
}

double cni_correlated_queues(const cni_node_chain *node, uint32_t digits, double known,
                             double going_on, double insist)
{
    moments m = take_moments(node);
    double n = node->channels;
    if (digits == 0 || !(m.queue > 0.0))
        return 0.0;
    double z = fmin(1.0, fmax(0.0, 1.0 - m.together / m.queue)), y = fmin(z, insist);
    double counts = z > 0.0 ? z * (1.0 - y) / (1.0 - z * y) : 0.0;
    double p = going_on + (1.0 - going_on) * counts;
    double g = returns(node->channels, digits, going_on, p);
    double half = m.together - n * known - m.sent / 2.0;
    double rest = (g - 1.0) * half - g * p * p * m.sent / (2.0 * n);
    return fmax(0.0, z * rest / (n * (1.0 + z * (g - 1.0))));
}

double cni_correlated_wants(const cni_node_chain *node, uint32_t digits, const double share[])
{
    double n = node->channels, more = 0.0, mean = 0.0, squares = 0.0;
    if (digits == 0 || node->channels < digits)
        return 0.0;
    for (size_t i = 1; i < node->states; i++) {
        size_t below =
            i + 1 < node->states ? i : i - 1; /* of a full node, what the last one adds */
        more +=
            node->pi[i] * (double)i * (node->first_sent[below + 1] - node->first_sent[below]) / n;
    }
    for (uint32_t t = 1; t <= node->channels; t++) {
        mean += share[t] * t;
        squares += share[t] * t * t;
    }
    double wanted = node->queue * mean / n;
    if (!(more > 0.0 && wanted > 0.0))
        return 0.0;
    double nodes = pow(digits, n / (digits - 1.0) - 1.0);
    double apart = 1.0 - squares / (n * mean);
    double excess = node->rho_1 / (more * (2.0 - fmin(1.0, more / wanted))) - 1.0;
    return fmin(1.0, fmax(0.0, apart * excess / wanted)) / nodes;
}
