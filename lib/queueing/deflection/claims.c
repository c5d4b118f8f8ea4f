/*
 * The claims of phase 1 are not independent. Who lost a channel in the last cycle often wants the same
 * again (always, with one bit left), so the messages that a node has kept crowd on few channels. Those
 * that have just come in came by different channels, and since one that was forwarded through bit c has
 * no use for channel c, their claims keep out of each other's way.
 *
 * Both are told by the probability c that two messages of a kind want the same channel, and the claims
 * of a kind are made one after the other as from Polya's urn that has this c:
 *
 *     P(message x + 1 of its kind wants one of the j channels that are taken) = (j + x b) / (n + x b),
 *     b = (n c - 1) / (1 - c)
 *
 * (b = 0 is the published model, eq. 2.33). Own new messages have b = 0.
 *
 * With r for `insist`, and s the probability that two messages that were kept have lost the same
 * channel, two kept ones want the same channel again with probability
 *
 *     c = s A + (1 - s) B,  A = r^2 + (1-r)^2/(n-1),  B = 2 r (1-r)/(n-1) + (1-r)^2 (n-2)/(n-1)^2.
 *
 * For two from different channels c is B with `onward` as r. A channel that x messages claim has
 * C(x-1, 2) pairs of losers, which is C(x, 2) - x + 1 for x >= 1, so s is (pairs that claim the same
 * channel - messages + channels won) / (pairs of losers), in the mean.
 *
 * A channel that is busy is more likely than others to be busy in the next cycle, because some that lost
 * it insist. So a node that has had much coming in, and has kept more than most, will have more coming
 * in: P_t leans on the number kept. If C is the covariance of one channel's being busy in two
 * successive cycles and z the part of a deviation of the queue that is left after a cycle, both
 * of which the solution tells, that of a channel's transit messages and the messages kept is
 *
 *     (1 - 1/h)^2 C (z + z^2 y + z^3 y^2 + ...) = (1 - 1/h)^2 C z / (1 - z y),  y = min(z, r),
 *
 * y being the part of a channel's excess that is left after a cycle. P_t rises by this over the variance
 * of the number kept with each message more, within two standard deviations (beyond, the straight line
 * would promise more than a neighbour can send). C is P(free twice)
 * - P(free)^2, and a channel is free twice when of those kept, none of whom has lost it, none now picks
 * it instead of its own, (1 - (1-r)/(n-1))^kept, and nobody else does.
 *
 * The number of messages that a node has kept is not a state of the chain. The probabilities f_{i,j}
 * are therefore those of a node with i messages whatever it has kept, weighted as the flow through
 * the chain's present solution weighs it: at the fixed point that lumping is exact.
 *
 * Check value, of this code: n = 3, M = 9, load 1, P_t = 0.6, insist 0.6, onward 0.1, going_on 0.7: at
 * the fixed point two messages win 1.678252248965 channels (5/3 with even claims).
 */
#include "queueing/deflection/claims.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* The urn's b is infinite where all want the same channel, c = 1; so near 1 it is large enough that
 * the first claim decides all. */
#define NEAREST_TO_CERTAIN 1e-9

/* Steffensen's step on s divides by 1 - slope. The slope is that of a probability in [0, 1] which mostly
 * falls, down to about -1 on rings. Above the first bound a step would be longer than 50 times what it
 * corrects, below the second it would stand still. */
#define STEEPEST_RISE 0.98
#define STEEPEST_FALL (-2.0)
/* With less between two guesses at s their slope is rounding. */
#define LEAST_MOVE 1e-12

/* z: a deviation that never ended would make the sum over z infinite. */
#define LONGEST_PERSISTENCE 0.99

/* P_t leans on the number kept within so many standard deviations of its mean; the straight line would
 * promise more than a neighbour can send beyond. */
#define LEAN_REACH 2.0
/* A variance of the number kept below this is rounding: nothing is ever kept. */
#define LEAST_VARIANCE 1e-9

/* A number of messages of less probability was never seen: its row is a quotient of numbers near the
 * smallest doubles, and none of its digits count. */
#define NEVER_SEEN 1e-200

cn_status cni_claims_open(cni_node_chain *node, uint32_t siblings, cni_claims *claims)
{
    size_t kept = node->states - node->channels, row = (size_t)node->channels + 1;
    *claims = (cni_claims){.node = node, .siblings = siblings};
    claims->kept = cni_allocate(kept, sizeof *claims->kept);
    claims->free = cni_allocate(kept, sizeof *claims->free);
    claims->flow = cni_allocate((uint64_t)node->states * row, sizeof *claims->flow);
    if (claims->kept && claims->free && claims->flow)
        return CN_OK;
    cni_claims_close(claims);
    return CN_ERR_MEMORY;
}

void cni_claims_close(cni_claims *claims)
{
    cni_release(claims->kept);
    cni_release(claims->free);
    cni_release(claims->flow);
    memset(claims, 0, sizeof *claims);
}

/* One more claim, the x-th (from 0) of a kind with this b. */
static void claim(uint32_t n, double x, double b, double row[])
{
    double all = n + x * b;
    for (uint32_t j = n; j > 0; j--) {
        double taken = fmin(1.0, (j + x * b) / all), taken_below = (j - 1.0 + x * b) / all;
        taken_below = j == 1 && x <= 0.0 ? 0.0 : fmax(0.0, taken_below);
        row[j] = row[j - 1] * (1.0 - taken_below) + row[j] * taken;
    }
    row[0] = 0.0;
}

/* What a message wants that has to do with one channel: that one, one of its siblings, or any other. */
typedef struct wants {
    double channel, sibling, other; /* each single one of them, with this probability */
} wants;

static wants wants_of(double n, double siblings, double channel, double beside)
{
    double others = n - 1.0 - siblings;
    return (wants){channel, siblings > 0.0 ? beside / siblings : 0.0,
                   others > 0.0 ? (1.0 - channel - beside) / others : 0.0};
}

/* A: two messages that have to do with the same channel want the same. */
static double same_again(double n, double siblings, wants w)
{
    return w.channel * w.channel + siblings * w.sibling * w.sibling +
           (n - 1.0 - siblings) * w.other * w.other;
}

/* B: two that have to do with different ones, siblings or not. */
static double same_by_chance(double n, double siblings, wants w)
{
    double near = 2.0 * w.channel * w.sibling + (siblings - 1.0) * w.sibling * w.sibling +
                  (n - 1.0 - siblings) * w.other * w.other;
    double far = 2.0 * (w.channel + siblings * w.sibling) * w.other +
                 (n - 2.0 - 2.0 * siblings) * w.other * w.other;
    double share = siblings / (n - 1.0);
    return share * near + (1.0 - share) * far;
}

static double urn(double n, double c)
{
    return (n * c - 1.0) / fmax(NEAREST_TO_CERTAIN, 1.0 - c);
}

static void count_kept(cni_claims *claims)
{
    const cni_node_chain *node = claims->node;
    size_t n = node->channels, spare = node->states - 1 - n;
    for (size_t kept = 0; kept <= spare; kept++) {
        claims->kept[kept] = 0.0;
        for (size_t j = 0; j <= n && kept + j < node->states; j++)
            claims->kept[kept] += node->pi[kept + j] * node->both[(kept + j) * (n + 1) + j];
    }
}

/* Of two messages of a kind: the probability c that they want the same channel, or the urn's b. */
typedef struct pair_of_kind {
    double kept;    /* both were kept */
    double transit; /* they have come in by different channels */
} pair_of_kind;

/* s, for the claims as they are now, made with these c. */
static double lost_the_same(const cni_claims *claims, double transit, pair_of_kind c)
{
    const cni_node_chain *node = claims->node;
    double n = node->channels, all = 0.0, kept = 0.0, losers = 0.0;
    double from_channels = n * (n - 1.0) / 2.0 * transit * transit;
    for (size_t i = 2; i < node->states; i++) {
        const double *row = node->first + i * (node->channels + 1);
        double pairs = 0.0;
        for (uint32_t j = 1; j <= node->channels && j < i; j++)
            pairs += row[j] * (double)(i - j) * (double)(i - j - 1) / 2.0;
        losers += node->pi[i] * pairs;
        all += node->pi[i] * (double)i * (double)(i - 1) / 2.0;
    }
    for (size_t i = 2; i < node->states - node->channels; i++)
        kept += claims->kept[i] * (double)i * (double)(i - 1) / 2.0;
    double same = kept * c.kept + from_channels * c.transit + (all - kept - from_channels) / n;
    double of_losers = same - node->queue + n * node->rho_1;
    return losers > 0.0 ? fmin(1.0, fmax(0.0, of_losers / losers)) : 0.0;
}

/* The claims of a node by its number of messages: kept, then from the channels, then its own. */
static void let_flow(cni_claims *claims, double transit, pair_of_kind b)
{
    const cni_node_chain *node = claims->node;
    uint32_t n = node->channels;
    size_t spare = node->states - 1 - n;
    double t[CNI_CHANNELS + 1], base[CNI_CHANNELS + 1] = {1.0}, row[CNI_CHANNELS + 1];
    memset(claims->flow, 0, node->states * (n + 1) * sizeof(double));
    for (size_t kept = 0; kept <= spare; kept++) {
        memcpy(row, base, sizeof row);
        cni_binomial(n, cni_transit(node, transit, kept), t);
        claims->free[kept] = 0.0;
        for (uint32_t j = 0; j < n; j++)
            claims->free[kept] += base[j] * (n - j) / n;
        for (uint32_t came = 0; came <= n; came++) {
            double *flow = claims->flow + (kept + came) * (n + 1);
            for (uint32_t j = 0; j <= n; j++)
                flow[j] += claims->kept[kept] * t[came] * row[j];
            if (came < n)
                claim(n, came, b.transit, row);
        }
        claim(n, (double)kept, b.kept, base);
    }
    for (size_t i = 1; i < node->states; i++) { /* with probability a one more of its own */
        memcpy(row, claims->flow + (i - 1) * (n + 1), sizeof(double) * (n + 1));
        claim(n, 0.0, 0.0, row);
        for (uint32_t j = 0; j <= n; j++)
            claims->flow[i * (n + 1) + j] += node->ratio * row[j];
    }
}

/* The next guess at s: the present claims were made with claims->same and give `found`. Steffensen's
 * step where it goes on from a good one, because found swings to and fro on rings. */
static double next_same(cni_claims *claims, double found)
{
    double moved = claims->same - claims->same_before, slope = 0.0;
    if (claims->rounds >= 2 && fabs(moved) > LEAST_MOVE)
        slope = fmin(STEEPEST_RISE, fmax(STEEPEST_FALL, (found - claims->found_before) / moved));
    double next = (found - slope * claims->same) / (1.0 - slope);
    claims->same_before = claims->same;
    claims->found_before = found;
    claims->rounds++;
    return fmin(1.0, fmax(0.0, next));
}

/* P(free now and in the next cycle) - P(free) P(free): who is free now has nobody left who lost it. */
static double free_twice(const cni_claims *claims, double insist)
{
    const cni_node_chain *node = claims->node;
    size_t n = node->channels, spare = node->states - 1 - n;
    double twice = 0.0, free = 0.0, avoid = 1.0, next = fmax(0.0, 1.0 - node->rho_1);
    for (size_t kept = 0; kept <= spare; kept++) {
        double unused = 0.0; /* probability that a node keeps so many and a channel is free */
        for (size_t j = 0; j < n && kept + j < node->states; j++)
            unused += node->pi[kept + j] * node->both[(kept + j) * (n + 1) + j] * (double)(n - j) /
                      (double)n;
        twice += unused * avoid;
        free += claims->kept[kept] * claims->free[kept];
        avoid *= 1.0 - (1.0 - insist) / ((double)n - 1.0);
    }
    if (free <= 0.0)
        return 0.0;
    double idle =
        fmax(0.0, 1.0 - node->rho_1 - node->rho_2); /* no covariance is above idle (1 - idle) */
    return fmin(idle * (1.0 - idle), fmax(0.0, next * (twice / free - idle)));
}

/* What is left after a cycle of a deviation of the number of messages from its mean: 1 less the regression
 * of what is sent on what is there. Counted from the end of the states that is nearer to the mean, where
 * a node that is nearly always empty or full keeps its digits. */
static double persistence(const cni_node_chain *node)
{
    size_t end = node->queue > (double)(node->states - 1) / 2.0 ? node->states - 1 : 0;
    double sent_there = node->first_sent[end] + node->second_sent[end];
    double away = 0.0, sent = 0.0, squares = 0.0, products = 0.0;
    for (size_t i = 0; i < node->states; i++) {
        double x = (double)i - (double)end;
        double y = node->first_sent[i] + node->second_sent[i] - sent_there;
        away += node->pi[i] * x;
        sent += node->pi[i] * y;
        squares += node->pi[i] * x * x;
        products += node->pi[i] * x * y;
    }
    double variance = squares - away * away, covariance = products - away * sent;
    return variance > 0.0 ? fmin(LONGEST_PERSISTENCE, fmax(0.0, 1.0 - covariance / variance)) : 0.0;
}

/* Sets the lean of P_t; returns by how much it has changed. */
static double lean(cni_claims *claims, const cni_claim_habits *habits)
{
    cni_node_chain *node = claims->node;
    double mean = 0.0, variance = 0.0, before = node->tilt, stay = persistence(node);
    for (size_t kept = 0; kept <= node->states - 1 - node->channels; kept++)
        mean += claims->kept[kept] * (double)kept;
    for (size_t kept = 0; kept <= node->states - 1 - node->channels; kept++)
        variance += claims->kept[kept] * ((double)kept - mean) * ((double)kept - mean);
    /* the excess on a channel is gone when the deviation is, or when nobody insists any longer */
    double lasts = stay * fmin(stay, habits->insist), going_on = habits->going_on;
    double covariance =
        free_twice(claims, habits->insist) * going_on * going_on * stay / (1.0 - lasts);
    node->kept_mean = mean;
    node->kept_reach = LEAN_REACH * sqrt(variance);
    node->tilt = variance > LEAST_VARIANCE ? covariance / variance : 0.0;
    return fabs(node->tilt - before);
}

double cni_claims_update(cni_claims *claims, const cni_claim_habits *habits)
{
    cni_node_chain *node = claims->node;
    uint32_t n = node->channels;
    double row[CNI_CHANNELS + 1], change = 0.0;
    if (n == 1)
        return 0.0;
    count_kept(claims);
    double siblings = claims->siblings;
    wants kept = wants_of(n, siblings, habits->insist, 0.0);
    wants transit = wants_of(n, siblings, habits->onward, habits->beside);
    double again = same_again(n, siblings, kept), chance = same_by_chance(n, siblings, kept);
    /* the published claims, with which the first round was solved, are those of c = 1/n throughout */
    pair_of_kind c = {1.0 / n, 1.0 / n};
    double c_transit = same_by_chance(n, siblings, transit);
    if (claims->rounds > 0)
        c = (pair_of_kind){claims->same * again + (1.0 - claims->same) * chance, c_transit};
    claims->same = next_same(claims, lost_the_same(claims, habits->transit, c));
    double c_kept = claims->same * again + (1.0 - claims->same) * chance;
    let_flow(claims, habits->transit, (pair_of_kind){fmax(0.0, urn(n, c_kept)), urn(n, c_transit)});
    double leaned = lean(claims, habits);
    for (size_t i = 1; i < node->states; i++) {
        const double *flow = claims->flow + i * (n + 1);
        double sum = 0.0, before = node->first_sent[i];
        for (uint32_t j = 0; j <= n; j++)
            sum += flow[j];
        if (sum < NEVER_SEEN)
            continue;
        for (uint32_t j = 0; j <= n; j++)
            row[j] = flow[j] / sum;
        cni_node_chain_set_row(node, i, row);
        change += node->pi[i] * fabs(node->first_sent[i] - before);
    }
    return fmax(leaned, change / (n * node->rho_1));
}
