/*
 * Equations of the own model of deflection, by their numbers in docs/theory/deflection.md: claims
 * (D13), rivals (D16) to (D18), queues (D21) and (D22), wants (D23).
 *
 * Claims. Two messages of a kind claim the same channel with probability c. Polya's urn with this c
 * makes the claims of the kind one after the other: a channel with Y claims of the kind is claimed
 * with probability (D13)
 *
 *     (1 + Y b) / (n + y b),  b = (n c - 1) / (1 - c).
 *
 * y is the number of claims of the kind so far. So a claim meets one of j claimed channels with
 * probability (j + y b) / (n + y b), which depends on j alone. The claim raises the sums over the
 * channels by terms that are linear in the sums of X, X Y and Y Y. So means of these sums suffice.
 * Where all earlier claims draw a claim to their channels, their number is added to both sums of
 * the fraction, in proportion.
 *
 * Claims come in the order of age. A message that finds its channel claimed has lost it. When as
 * many losers as may stay are there already, it is forced out and is no rival in the next cycle.
 *
 * Check values: n channels, x claims with b = 0: pairs x (x - 1) / (2 n); with b = 1 two claims are
 * on one channel with probability 2 / (n + 1).
 *
 * Rivals. A message that wants any of t channels wants the same t while it is kept. Two messages
 * that want t and u channels with m in common claim the same channel with probability c = m / (t
 * u), cycle after cycle. For sets that meet by chance (D16)
 *
 *     E[c] = 1/n,  E[c c] = 1 / (n t u) + (1 - 1/t)(1 - 1/u) / (n (n - 1)).
 *
 * c is taken for 0 or E[c c] / E[c]. These two values have both means. A pair that stays with
 * probability v is met again, so in the steady state c has the weight P(c) v / (1 - v). P(c) is its
 * probability in pairs that meet for the first time. v is the probability of (D17):
 *
 * - Of two messages on one channel one wins or neither, so the probabilities w_t and w_u to leave
 *   add.
 * - Of two messages on different channels the probabilities to stay multiply.
 * - On rings kept messages are on crowded channels, and the probabilities to stay multiply in both
 *   cases.
 *
 * The means in the denominators of (D17) are taken from the last round. A message from a channel
 * wants the channels wanted here more often than with 1/n, by `common` = W (1 - 1/n) in the mean.
 * So P(c) is the probability by chance, times 1 + theta c. theta makes the mean right,
 *
 *     theta = common E[c] / (E[c c] - (1 + common) E[c] E[c])
 *
 * over all t and u, but at most 1 / E[c]: the denominator may come near to 0.
 *
 * A message that meets more rivals loses more often and is kept longer. With x older rivals that
 * each want its channel with probability c_t, it leaves with probability (1 - c_t)^x. The mean over
 * all t tells x (D18).
 *
 * Check values: where each message wants one channel, t = u = 1, `again` is 1 and `chance` 0.
 *
 * Queues. Let Z be the number of messages in a node at the start of a cycle, S the number that the
 * node sends, and Psi(r) the covariance of its Z with the S of a node r. In the steady state the
 * mean of Z(0) Z(r) does not change. Let each node send the same to all its neighbours, and let the
 * share p of it go on. With A the mean over neighbours,
 *
 *     (1 - p A) Psi = J at r = 0, else 0,
 *
 * up to terms of the variance of S. J is half of the variance of the messages that come in, plus
 * their covariance with Z. So Psi(0) is J times the mean visits Gamma of a random walk to its
 * start, which goes on with probability p (D21). Gamma is the mean of 1 / (1 - p a) over all
 * eigenvalues a of A. If nodes knew nothing of each other, Psi(0) would be J. The difference is the
 * covariance of the queue and the messages that come in:
 *
 *     n covariance = (Gamma - 1) J - Gamma p^2 var(S) / (2 n),  J = Psi(0) - n covariance - var(S)
 *     / 2.
 *
 * Psi(0) and var(S) come from the chain. The covariance is nearly 0 where nothing waits. The part z
 * of it remains after a cycle, in the kept messages; z = 1 - Psi(0) / var(Z). J has the whole
 * covariance in it, the known part and the part that is looked for. So (D22) has the divisor 1 + z
 * (Gamma - 1).
 *
 * Two judgements are in it. Deliveries follow the messages that were created, not the messages that
 * neighbours can send. So with long queues a hop that a neighbour does not make is one of a message
 * that would have gone on: p = 1. With short queues z of the rest 1 - p is added. Where all nodes
 * have the same, a = 1, p stays, since deliveries follow creations there. And messages on shortest
 * paths are taken for a random walk.
 *
 * Wants. A message changes a digit u of a dimension into v once, in one of the nu = k^(delta-1)
 * nodes with this u. These channels are a queue of their own. Let a node hold Q messages that want
 * one channel, send rho_1 messages of this kind in a cycle, and l more for a relative excess of 1.
 * With Poisson arrivals the relative variance of the sum over the nu nodes is rho_1 / (nu Q l (2 -
 * l/Q)). Chance alone makes 1 / (nu Q) of it. The common part of all channels of a node does not
 * count: a message wants t of n channels, which leaves 1 - E[t^2] / (n E[t]). So (D23)
 *
 *     W = (1 - E[t^2] / (n E[t])) (rho_1 / (l (2 - l/Q)) - 1) / (nu Q),
 *
 * at most 1 / nu, the value of nu independent queues of geometric length. l follows from the chain
 * with one more message in a node: l = sum_i pi_i i (s_{i+1} - s_i) / n. If every message goes at
 * once, l = rho_1 = Q and W = 0.
 *
 * Check values of this code: n = 4, M = 32, load 1.8, P_t = 0.5, published claims, share 0.5 of one
 * and of two channels: W 0.048478954931; the covariance, with known 0 and p = 0.53: 0.076386818399.
 */
#include "queueing/deflection/own_equations.h"

#include <math.h>
#include <string.h>

/* ---- claims ---- */

/* With c = 1 all messages want the same channel and b is infinite. This bound of 1 - c makes b
 * so large that the first claim decides all. */
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

/* Returns the probability that a claim meets one of j claimed channels. */
static double chance_to_meet(uint32_t j, double n, double all, double kin, double b, double draw)
{
    if (j == 0 || all <= 0.0)
        return 0.0;
    double drawn = kin * b + all * draw;
    return fmin(1.0, fmax(0.0, (j + drawn) / (n + drawn)));
}

/* Turns the means for j claimed channels into the means after a claim on one of these channels. */
static void join_claim(cni_urn_tally *t, uint32_t j, double met, double all, double kin, double b,
                       double draw)
{
    double urn = t->channels + kin * b + all * draw, here = t->claimed[j] * met;
    int stays = all - j < t->may_stay;
    double counted = j + fmin(all - j, t->may_stay);
    /* the sum of X^2 */
    double claims = counted * t->claimed[j], squares = claims + 2.0 * t->pairs[j];
    /* X of the channel that the claim goes to */
    double x = fmax(0.0, (claims + b * t->mixed[j] + draw * squares) / urn);
    double y = fmax(0.0, (kin * t->claimed[j] + b * t->squares[j] + draw * t->mixed[j]) / urn);
    t->pairs[j] = t->pairs[j] * met + (stays ? x : 0.0);
    t->mixed[j] = t->mixed[j] * met + x + (stays ? y + here : 0.0);
    t->squares[j] = t->squares[j] * met + 2.0 * y + here;
    t->claimed[j] = here;
}

void cni_urn_claim(cni_urn_tally *t, double all, double kin, double b, double draw)
{
    double met = chance_to_meet(t->channels, t->channels, all, kin, b, draw);
    for (uint32_t j = t->channels + 1; j-- > 0;) {
        join_claim(t, j, met, all, kin, b, draw);
        if (j == 0)
            break;
        met = chance_to_meet(j - 1, t->channels, all, kin, b, draw);
        double first = 1.0 - met;
        double here = t->claimed[j - 1] * first;
        t->claimed[j] += here;
        t->pairs[j] += t->pairs[j - 1] * first;
        t->mixed[j] += t->mixed[j - 1] * first + here;
        t->squares[j] += t->squares[j - 1] * first + here;
    }
}

/* ---- rivals ---- */

/* Pairs of kinds with a smaller probability change no digit. */
#define RARE 1e-15
/* The least value of 1 - v: a pair that is kept for ever would have an infinite weight. */
#define LEAST_LEAVING 1e-9
/* The greatest c in (D18): a message that meets a rival for certain would have log(0). */
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

/* Returns E[c c] (D16), for 1/t and 1/u. */
static double mean_square(double n, double one_of_t, double one_of_u)
{
    return one_of_t * one_of_u / n + (1.0 - one_of_t) * (1.0 - one_of_u) / (n * (n - 1.0));
}

/* Sums over pairs on the same channel [0] and on different channels [1]: their probability; the
 * sum of the numerators in (D17); the probability that both are kept; the last one times c. */
typedef struct meetings {
    double claim[2], leave[2], kept[2], again[2];
} meetings;

/* Adds the pairs of kinds t and u, with the given probability. Returns the sum of c over the
 * pairs that are kept. */
static double add_meetings(const cni_rivals *r, uint32_t t, uint32_t u, double probability,
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

/* Finds the shares of the kinds. Returns the probability that a message leaves. */
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

/* Returns theta. */
static double find_theta(const cni_rivals *r, double common)
{
    double n = r->channels, a = r->insist, expected = 1.0 / n;
    double spread = mean_square(n, a, a) - (1.0 + common) * expected * expected;
    return common > 0.0 ? common * expected / fmax(spread, common * expected * expected) : 0.0;
}

void cni_rivals_update(cni_rivals *r, const cni_rivalry *rivalry)
{
    meetings all = {{0.0}, {0.0}, {0.0}, {0.0}};
    double with[CNI_CHANNELS + 1] = {0.0}; /* c_t of (D18) */
    double leave = take_shares(r, rivalry);
    r->drawn = find_theta(r, rivalry->common);
    for (uint32_t t = 1; t <= r->channels; t++)
        for (uint32_t u = 1; u <= r->channels; u++) {
            double probability = r->share[t] * r->share[u];
            if (probability > RARE)
                with[t] += add_meetings(r, t, u, probability, rivalry, &all) / r->share[t];
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

/* Moments of a node, from its chain. */
typedef struct moments {
    double queue, sent; /* variances of Z and S */
    double together;    /* Psi(0) */
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

/* Returns Gamma (D21), with p_0 = `all` for the eigenvalue 1 and p_j = `others` for all others.
 * The eigenvectors of eigenvalue j depend on j of the dimensions. */
static double visits_of_walk(uint32_t channels, uint32_t digits, double all, double others)
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
    double g = visits_of_walk(node->channels, digits, going_on, p);
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
            /* for a full node: the gain by its last message */
            i + 1 < node->states ? i : i - 1;
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
