/*
 * Equations of the own model of deflection: claims (D13 of docs/theory/deflection.md), rivals (D16
 * to D18), queues (D21, D22), wants (D23).
 *
 * Claims. A kind of message has a probability c that two of them want the same channel. Its claims
 * are made one after the other as from Polya's urn that has this c: a channel with Y claims of the
 * kind is wanted with probability
 *
 *     (1 + Y b) / (n + y b),  b = (n c - 1) / (1 - c),
 *
 * y being the claims of the kind so far. So j claimed channels are met with probability (j + y b) /
 * (n + y b): whether a claim is the first of its channel depends on j alone, and by how much it
 * raises the sums over the channels is linear in the sums X, X Y and Y Y. They can be carried along
 * as means.
 *
 * Where a claim is also drawn to the channels of all claims before it, their X is added to both
 * sums of the fraction, in proportion.
 *
 * Claims come in the order of age. Who finds his channel claimed has lost it; when as many losers
 * as may stay are there already he is forced out, and is no rival in the next cycle.
 *
 * Check: n channels, x claims with b = 0: pairs x (x - 1) / (2 n); with b = 1 two are on one
 * channel with 2 / (n + 1).
 *
 * Rivals. A message wants any of t channels and goes on wanting the same t while it is kept. Two of
 * them that want t and u have m in common, and want the same channel with probability c = m / (t
 * u), cycle after cycle. Of t and u among all channels that meet by chance, the means are
 *
 *     E[c] = 1/n,  E[c c] = 1 / (n t u) + (1 - 1/t)(1 - 1/u) / (n (n - 1)).
 *
 * c is taken for 0 or E[c c] / E[c], which have these means. Let a pair stay with probability v.
 * Pairs with more in common stay longer and are met more often than those that meet for the first
 * time, which have c with probability P(c). In the steady state c has the weight
 *
 *     P(c) v / (1 - v).
 *
 * Of two that want the same channel one wins or neither, so that w_t + w_u of them leave, w_t being
 * the probability that one which wants t leaves; of two that want different ones both stay with (1
 * - w_t)(1 - w_u):
 *
 *     v = c (1 - (1 - both_stay)(w_t + w_u) / (mean)) + (1 - c) apart_stay (1 - w_t)(1 - w_u) /
 *     (mean),
 *
 * over the means of the last round. On rings, where those that are kept are on crowded channels,
 * the first term is c both_stay (1 - w_t)(1 - w_u) / (mean), too.
 *
 * But a message from a channel wants what is wanted here with more than 1/n (below), `common` more
 * in the mean over pairs, and the more so the fewer others it wants: P(c) is that of chance times 1
 * + w c, with w such that the mean is right,
 *
 *     w = common E[c] / (E[c c] - (1 + common) E[c] E[c])
 *
 * over all t and u, but at most 1 / E[c].
 *
 * Who has more in common with others loses more often and is kept longer. With x older rivals each
 * of which wants his channel with probability c_t a message leaves with (1 - c_t)^x; x is told by
 * the mean over all t.
 *
 * Check: where each wants one channel of its own, t = u = 1, `again` is 1 and `chance` 0.
 *
 * Queues. Let Z be the number of messages in a node at the start of a cycle, S what it sends and
 * b(r) the covariance of its Z with the S of a node r. In the steady state the mean of Z(0) Z(r)
 * does not change. If each node sends the same to all its neighbours, and of that the share p goes
 * on, this is, with A for the mean over neighbours,
 *
 *     (1 - p A) b = H at r = 0, else 0,  H = (the variance of what comes in) / 2 + (its covariance
 *     with Z),
 *
 * up to terms of the variance of S. So b(0) is H times the mean number of visits of a random walk
 * to where it began, that goes on with probability p: G = mean of 1 / (1 - p a) over all
 * eigenvalues a of A. In a network whose nodes know nothing of each other b(0) is H. The difference
 * is what the queue has in common with what comes in:
 *
 *     n covariance = (G - 1) H - G p^2 var(S) / (2 n),  H = b(0) - n covariance - var(S) / 2,
 *
 * where b(0) and var(S) are those of the chain. It is nearly 0 where nothing waits. Of the
 * covariance, the part z remains after a cycle, in the messages that are kept; z = 1 - b(0) /
 * var(Z). H has in it all of the covariance: what is known without the queues, and what is looked
 * for, which therefore is over 1 + z (G - 1).
 *
 * Two judgements. For p: what arrives at its destination is told by what was created for it, not by
 * what neighbours can send. So with long queues, a hop that a neighbour does not make is always one
 * of a message that would have gone on, p = 1. Short of that, z of the rest 1 - p is added. Not so
 * where all nodes have the same, a = 1: what is delivered follows what is created. And messages
 * that take shortest paths do not come back as a random walk does.
 *
 * Wants. A message which has to change a digit u of a dimension into v does so once, and before it
 * does it is always in one of the g = k^(n-1) nodes with this u. These channels are a queue of
 * their own, whatever else happens. Let a node have q messages that want one channel, let it send
 * rho of them in a cycle, and L more for a relative excess of 1. Then with Poisson arrivals, of the
 * total of g nodes, the relative variance is rho / (g q L (2 - L/q)), less 1 / (g q) that chance
 * alone makes. What is common to all channels of a node is no matter of wants: a message wants t of
 * D channels, which leaves
 * 1 - E t^2 / (D E t). So
 *
 *     V = (1 - E t^2 / (D E t)) (rho / (L (2 - L/q)) - 1) / (g q).
 *
 * It is at most 1 / g: that of g queues of geometric length that know nothing of each other.
 *
 * L is what the chain sends with one message more in D, times the messages: L = sum_i pi_i i
 * (s_{i+1} - s_i) / D. If every message goes at once, L = rho = q and V = 0.
 *
 * Check values, of this code: n = 4, M = 32, load 1.8, P_t = 0.5, published claims, share 0.5 of
 * one and of two channels: V 0.048478954931; the covariance, with known 0 and p = 0.53:
 * 0.076386818399.
 */
#include "queueing/deflection/own_equations.h"

#include <math.h>
#include <string.h>

/* ---- claims ---- */

/* b is infinite where all want the same channel, c = 1; so near 1 it is large enough that the first
 * claim decides all. */
#define NEAREST_TO_CERTAIN 1e-9

double cni_urn_bias(double n, double c)
{
    return (n * c - 1.0) / fmax(NEAREST_TO_CERTAIN, 1.0 - c);
}

void cni_urn_begin(cni_urn_tally *tally, uint32_t channels, size_t may_stay)
{
    memset(tally, 0, sizeof *tally);
    tally->channels = channels;
    tally->may_stay = (double)may_stay;
    tally->claimed[0] = 1.0;
}

void cni_urn_next_kind(cni_urn_tally *tally)
{
    memset(tally->mixed, 0, sizeof tally->mixed);
    memset(tally->squares, 0, sizeof tally->squares);
}

/* Whether a claim meets j claimed channels. */
static double meets(uint32_t j, double n, double all, double kin, double b, double draw)
{
    if (j == 0 || all <= 0.0)
        return 0.0;
    double drawn = kin * b + all * draw;
    return fmin(1.0, fmax(0.0, (j + drawn) / (n + drawn)));
}

/* What j claimed channels come to when the claim goes to one of them. */
static void join_claim(cni_urn_tally *t, uint32_t j, double met, double all, double kin, double b,
                       double draw)
{
    double urn = t->channels + kin * b + all * draw, here = t->claimed[j] * met;
    int stays = all - j < t->may_stay;
    double counted = j + fmin(all - j, t->may_stay);
    double claims = counted * t->claimed[j], squares = claims + 2.0 * t->pairs[j]; /* of X */
    double x = fmax(0.0, (claims + b * t->mixed[j] + draw * squares) / urn); /* X where it goes */
    double y = fmax(0.0, (kin * t->claimed[j] + b * t->squares[j] + draw * t->mixed[j]) / urn);
    t->pairs[j] = t->pairs[j] * met + (stays ? x : 0.0);
    t->mixed[j] = t->mixed[j] * met + x + (stays ? y + here : 0.0);
    t->squares[j] = t->squares[j] * met + 2.0 * y + here;
    t->claimed[j] = here;
}

void cni_urn_claim(cni_urn_tally *t, double all, double kin, double b, double draw)
{
    double met = meets(t->channels, t->channels, all, kin, b, draw);
    for (uint32_t j = t->channels + 1; j-- > 0;) {
        join_claim(t, j, met, all, kin, b, draw);
        if (j == 0)
            break;
        met = meets(j - 1, t->channels, all, kin, b, draw);
        double first = 1.0 - met;
        double here = t->claimed[j - 1] * first;
        t->claimed[j] += here;
        t->pairs[j] += t->pairs[j - 1] * first;
        t->mixed[j] += t->mixed[j - 1] * first + here;
        t->squares[j] += t->squares[j - 1] * first + here;
    }
}

/* ---- rivals ---- */

/* Pairs of kinds that are so rare count no more. */
#define RARE 1e-15
/* 1 - v, where pairs are kept for ever. */
#define LEAST_LEAVING 1e-9
/* A message that meets somebody for certain. */
#define MOST_CERTAIN 0.999

void cni_rivals_begin(cni_rivals *rivals, uint32_t channels)
{
    memset(rivals, 0, sizeof *rivals);
    rivals->channels = channels;
    rivals->insist = rivals->again = rivals->chance = 1.0 / channels;
    rivals->same = rivals->apart = 1.0;
    for (uint32_t t = 1; t <= channels; t++)
        rivals->patience[t] = 1.0;
}

/* The mean of c c, t and u being sets of the channels. */
static double mean_square(double n, double one_of_t, double one_of_u)
{
    return one_of_t * one_of_u / n + (1.0 - one_of_t) * (1.0 - one_of_u) / (n * (n - 1.0));
}

/* Sums over pairs of those that claim the same channel and of those that do not: their probability;
 * what v is over the means of; the probability that they are kept; and that times c. */
typedef struct meetings {
    double claim[2], leave[2], kept[2], again[2];
} meetings;

/* Pairs of kinds t and u, of the given probability. Returns the sum of c over those that are
 * kept. */
static double meet(const cni_rivals *r, uint32_t t, uint32_t u, double probability,
                   const cni_rivalry *v, meetings *all)
{
    double weight[2], kept = 0.0, before = all->again[0] + all->again[1], n = r->channels;
    double some = n * mean_square(n, 1.0 / t, 1.0 / u), met = 1.0 / (n * some);
    double both = r->stay[t] * r->stay[u], leave = 2.0 - r->stay[t] - r->stay[u];
    double apart_stays = fmin(1.0, v->apart_stay * both / r->apart);
    double same_stays = v->rings ? fmin(1.0, v->both_stay * both / r->same)
                                 : fmax(0.0, 1.0 - (1.0 - v->both_stay) * leave / r->same);
    for (int in_common = 0; in_common < 2; in_common++) {
        double c = in_common * some, stay = c * same_stays + (1.0 - c) * apart_stays;
        weight[in_common] = (in_common ? met * (1.0 + r->drawn * c) : fmax(0.0, 1.0 - met)) /
                            fmax(LEAST_LEAVING, 1.0 - stay);
        kept += weight[in_common] * stay;
    }
    for (int in_common = 0; in_common < 2 && kept > 0.0; in_common++) {
        double c = in_common * some, here = probability * weight[in_common] / kept;
        for (int apart = 0; apart < 2; apart++) {
            double claim = here * (apart ? 1.0 - c : c), stay = apart ? apart_stays : same_stays;
            all->claim[apart] += claim;
            all->leave[apart] += claim * (apart || v->rings ? both : leave);
            all->kept[apart] += claim * stay;
            all->again[apart] += claim * stay * c;
        }
    }
    return all->again[0] + all->again[1] - before;
}

/* Returns the probability that a message leaves. */
static double take_shares(cni_rivals *r, const cni_rivalry *v)
{
    double sum = 0.0, kept = 0.0, gone = 0.0;
    for (uint32_t t = 1; t <= r->channels; t++) {
        sum += r->share[t] = v->wanting[t] * r->patience[t];
        kept += v->wanting[t];
        gone += v->leaving[t];
    }
    r->insist = 0.0;
    for (uint32_t t = 1; t <= r->channels && sum > 0.0; t++) {
        r->share[t] /= sum;
        r->insist += r->share[t] / t;
        double here = r->share[t] * kept;
        r->stay[t] = here > 0.0 ? here / (here + v->leaving[t]) : 0.0;
    }
    return gone / (kept + gone);
}

/* w */
static double draw_together(const cni_rivals *r, double common)
{
    double n = r->channels, a = r->insist, expected = 1.0 / n;
    double spread = mean_square(n, a, a) - (1.0 + common) * expected * expected;
    return common > 0.0 ? common * expected / fmax(spread, common * expected * expected) : 0.0;
}

void cni_rivals_update(cni_rivals *r, const cni_rivalry *rivalry)
{
    meetings all = {{0.0}, {0.0}, {0.0}, {0.0}};
    double with[CNI_CHANNELS + 1] = {0.0}; /* c_t */
    double leave = take_shares(r, rivalry);
    r->drawn = draw_together(r, rivalry->common);
    for (uint32_t t = 1; t <= r->channels; t++)
        for (uint32_t u = 1; u <= r->channels; u++) {
            double probability = r->share[t] * r->share[u];
            if (probability > RARE)
                with[t] += meet(r, t, u, probability, rivalry, &all) / r->share[t];
        }
    double c = fmin(MOST_CERTAIN, all.again[0] + all.again[1]);
    for (uint32_t t = 1; t <= r->channels && c > 0.0; t++)
        r->patience[t] =
            pow(fmax(CNI_LEAST_WIN, leave), -log1p(-fmin(MOST_CERTAIN, with[t])) / log1p(-c));
    r->again = all.kept[0] > 0.0 ? all.again[0] / all.kept[0] : 1.0;
    r->chance = all.kept[1] > 0.0 ? all.again[1] / all.kept[1] : 0.0;
    r->same = all.claim[0] > 0.0 ? all.leave[0] / all.claim[0] : 1.0;
    r->apart = all.claim[1] > 0.0 ? all.leave[1] / all.claim[1] : 1.0;
}

/* ---- queues and wants ---- */

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

/* G: `all` for the eigenvalue 1, `others` for p. An eigenvector tells w of the dimensions from each
 * other. */
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
                             double going_on)
{
    moments m = take_moments(node);
    double n = node->channels;
    if (digits == 0 || !(m.queue > 0.0))
        return 0.0;
    double z = fmin(1.0, fmax(0.0, 1.0 - m.together / m.queue));
    double p = going_on + (1.0 - going_on) * z;
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
