/*
 * The claims of phase 1 are not independent. Who lost a channel in the last cycle often wants the same
 * again (always, with one bit left), so the messages that a node has kept crowd on few channels. Those
 * that have just come in came by different channels, and since one that was forwarded through bit c has
 * no use for channel c, their claims keep out of each other's way.
 *
 * Both are told by the probability c that two messages of a kind want the same channel, with which claims are made as
 * from an urn (urn.c). c = 1/n is the published model, eq. 2.33; own new messages have it.
 *
 * Two messages of a node that has kept x want the same channel again with probability
 *
 *     c(x) = s(x) A + (1 - s(x)) B,
 *
 * s(x) being the probability that two of them have lost the same channel, A and B that two which have, and which have
 * not, want the same (rivals.c). The urn tells the pairs on a channel together with the channels claimed; a channel
 * which X messages claim, of those that win or stay, has C(X, 2) - X + 1 pairs of losers. Where few are kept they are
 * mostly of one channel: s(x) falls with x.
 *
 * A message that has come in wants the channel in its own direction (in the generalized hypercube the one back) with
 * probability `onward`, one of its siblings with probability `beside`, and each other channel with the same probability.
 * For two from different channels that gives c.
 *
 * A message from a channel and one that was kept want the same channel with probability (1 + V) / n (correlation.c).
 *
 * P_t depends on the number kept: excess.c.
 *
 * The number of messages that a node has kept is not a state of the chain. The probabilities f_{i,j}
 * are therefore those of a node with i messages whatever it has kept, weighted as the flow through
 * the chain's present solution weighs it: at the fixed point that lumping is exact.
 *
 * Check value, of this code: n = 3, M = 9, load 1, P_t = 0.6, of the kept 0.4 want one channel and 0.6 any, onward 0.1,
 * going_on 0.7: at the fixed point two messages win 1.675040749998 channels (5/3 with even claims).
 */
#include "queueing/deflection/claims.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "queueing/deflection/correlation.h"
#include "queueing/deflection/urn.h"

/* A step of s is at most so many times what it corrects. */
#define LONGEST_STEP 50.0
/* Where s has missed by as much as in the last round, by the mean square, the difference is rounding. */
#define LEAST_MOVE 1e-28

/* The longest step of V. It is halved when the last one left more than SLOW of what it was to correct, on the other side;
 * it grows again by LONGER. */
#define LONGEST_COMMON 0.5
#define SLOW 0.25
#define LONGER 1.1

/* A number of messages of less probability was never seen: its row is a quotient of numbers near the
 * smallest doubles, and none of its digits count. */
#define NEVER_SEEN 1e-200

/* Of the budget, for each channel and message that claims. */
enum { UNITS = 8 };

/* 1 - the probability that a kept message loses. */
#define LEAST_WIN 1e-9

cn_status cni_claims_open(cni_node_chain *node, uint32_t siblings, uint32_t digits,
                          cni_claims *claims)
{
    size_t kept = node->states - node->channels;
    uint64_t rows = (uint64_t)node->states * ((size_t)node->channels + 1);
    *claims = (cni_claims){.node = node, .digits = digits, .common_step = LONGEST_COMMON};
    cni_rivals_begin(&claims->rivals, node->channels, siblings);
    const cni_array arrays[] = {
        CNI_ARRAY(claims->kept, kept),        CNI_ARRAY(claims->free, kept),
        CNI_ARRAY(claims->same, kept),        CNI_ARRAY(claims->found, kept),
        CNI_ARRAY(claims->same_before, kept), CNI_ARRAY(claims->miss_before, kept),
        CNI_ARRAY(claims->flow, rows),        CNI_ARRAY(claims->pairs, rows)};
    CNI_TRY(cni_allocate_arrays(&claims->block, arrays));
    cn_status status = cni_excess_open(node, &claims->excess);
    if (status != CN_OK)
        cni_claims_close(claims);
    return status;
}

void cni_claims_close(cni_claims *claims)
{
    cni_release(claims->block);
    cni_excess_close(&claims->excess);
    memset(claims, 0, sizeof *claims);
}

/* c of two messages that have come in by different channels. */
static double arrivals_meet(const cni_claims *claims, const cni_claim_habits *habits)
{
    double n = claims->node->channels, siblings = claims->rivals.siblings;
    double elsewhere = n - 1.0 - siblings, own = habits->onward;
    double beside = siblings > 0.0 ? habits->beside / siblings : 0.0;
    double other = elsewhere > 0.0 ? (1.0 - own - habits->beside) / elsewhere : 0.0;
    double of_siblings =
        2.0 * own * beside + (siblings - 1.0) * beside * beside + elsewhere * other * other;
    double of_others =
        2.0 * (own + habits->beside) * other + (elsewhere - 1.0 - siblings) * other * other;
    return (siblings * of_siblings + elsewhere * of_others) / (n - 1.0);
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

static double pairs_of(double messages)
{
    return messages * (messages - 1.0) / 2.0;
}

/* Pairs of messages that win or stay, in the mean of a node, as claimed in the present rows. */
typedef struct pair_count {
    double all, same;      /* of claims; on the same channel */
    double losers, of_one; /* of those that stay; that have lost the same channel */
} pair_count;

/* The pairs; and s by the number kept, where that was seen. */
static pair_count count_pairs(cni_claims *claims)
{
    const cni_node_chain *node = claims->node;
    size_t n = node->channels, spare = node->states - 1 - n;
    pair_count count = {0.0, 0.0, 0.0, 0.0};
    for (size_t kept = 0; kept <= spare; kept++) {
        double of_one = 0.0, seen = 0.0;
        for (size_t j = 1; j <= n; j++)
            for (size_t i = kept + j; i < node->states && (i == kept + j || kept == spare); i++) {
                size_t at = i * (n + 1) + j;
                double here = node->pi[i] * node->first[at], pairs = pairs_of((double)kept);
                if (claims->flow[at] < NEVER_SEEN)
                    continue;
                double same = fmax(0.0, claims->pairs[at] / claims->flow[at]);
                double lost = fmin(pairs, fmax(0.0, same - (double)kept));
                count.all += here * pairs_of((double)(kept + j));
                count.same += here * same;
                count.losers += here * pairs;
                count.of_one += here * lost;
                of_one += kept > 1 ? here * lost / pairs : 0.0;
                seen += here;
            }
        claims->found[kept] = seen > NEVER_SEEN ? of_one / seen : claims->same[kept];
    }
    return count;
}

/* Probability that a message that was kept does not win now: it is older than what comes in. */
static double kept_lose(const cni_claims *claims)
{
    const cni_node_chain *node = claims->node;
    double messages = 0.0, won = 0.0;
    for (size_t kept = 1; kept < node->states - node->channels; kept++) {
        messages += claims->kept[kept] * (double)kept;
        won += claims->kept[kept] * node->channels * (1.0 - claims->free[kept]);
    }
    return messages > 0.0 ? fmin(1.0 - LEAST_WIN, fmax(0.0, 1.0 - won / messages)) : 0.0;
}

/* c(x) */
static double kept_meet(const cni_claims *claims, size_t kept)
{
    double s = claims->same[kept];
    return s * claims->rivals.again + (1.0 - s) * claims->rivals.chance;
}

/* The claims of the messages that a node keeps. */
static void claim_again(const cni_claims *claims, size_t kept, cni_urn_tally *tally)
{
    uint32_t n = claims->node->channels;
    double b = fmax(0.0, cni_urn_bias(n, kept_meet(claims, kept)));
    cni_urn_begin(tally, n, claims->node->states - 1 - n);
    for (size_t x = 0; x < kept; x++)
        cni_urn_claim(tally, (double)x, (double)x, b, 0.0);
}

static void add_flow(cni_claims *claims, size_t messages, double weight, const cni_urn_tally *tally)
{
    size_t row = (size_t)claims->node->channels + 1;
    for (size_t j = 0; j < row; j++) {
        claims->flow[messages * row + j] += weight * tally->claimed[j];
        claims->pairs[messages * row + j] += weight * tally->pairs[j];
    }
}

/* How much a message from a channel is drawn to the channel of each that is kept, so that it wants the same as a given one
 * of them with probability (1 + V) / n. */
static double drawn(const cni_claims *claims, size_t kept, double common)
{
    double c = kept_meet(claims, kept), with = (1.0 + common) / claims->node->channels;
    return common / fmax(LEAST_WIN, 1.0 - c + (double)kept * fmax(0.0, c - with));
}

/* Those kept claim, then those from the channels; b of the latter, and V. */
static void claim_transit(cni_claims *claims, double transit, double b, double common)
{
    const cni_node_chain *node = claims->node;
    uint32_t n = node->channels;
    double t[CNI_CHANNELS + 1];
    cni_urn_tally base, tally;
    for (size_t kept = 0; kept <= node->states - 1 - n; kept++) {
        claims->free[kept] = 0.0;
        if (claims->kept[kept] < NEVER_SEEN ||
            !cni_budget_work(node->budget, UNITS * n * (kept + n)))
            continue;
        claim_again(claims, kept, &base);
        cni_binomial(n, cni_transit(node, transit, kept), t);
        for (uint32_t j = 0; j < n; j++)
            claims->free[kept] += base.claimed[j] * (n - j) / n;
        double draw = drawn(claims, kept, common);
        tally = base;
        cni_urn_next_kind(&tally);
        for (uint32_t came = 0; came <= n; came++) {
            add_flow(claims, kept + came, claims->kept[kept] * t[came], &tally);
            if (came < n)
                cni_urn_claim(&tally, (double)(kept + came), came, b, draw);
        }
    }
}

/* The claims of a node by its number of messages: kept, then from the channels, then its own. */
static void let_flow(cni_claims *claims, double transit, double b_transit, double common)
{
    const cni_node_chain *node = claims->node;
    uint32_t n = node->channels;
    size_t row = (size_t)n + 1;
    memset(claims->flow, 0, node->states * row * sizeof(double));
    memset(claims->pairs, 0, node->states * row * sizeof(double));
    claim_transit(claims, transit, b_transit, common);
    for (size_t i = 1; i < node->states && cni_budget_work(node->budget, UNITS * n); i++) {
        cni_urn_tally one_more; /* with probability a one more of its own */
        cni_urn_begin(&one_more, n, node->states - 1 - n);
        memcpy(one_more.claimed, claims->flow + (i - 1) * row, sizeof(double) * row);
        memcpy(one_more.pairs, claims->pairs + (i - 1) * row, sizeof(double) * row);
        cni_urn_claim(&one_more, (double)(i - 1), 0.0, 0.0, 0.0);
        add_flow(claims, i, node->ratio, &one_more);
    }
}

/* The next guess at s(x), which has given `found`: Anderson's step, the secant step of many numbers, because what is
 * found swings to and fro on rings and is slow to follow where messages insist. */
static void next_same(cni_claims *claims)
{
    size_t kinds = claims->node->states - claims->node->channels;
    double along = 0.0, moved = 0.0;
    for (size_t x = 2; x < kinds; x++) {
        double miss = claims->found[x] - claims->same[x], turned = miss - claims->miss_before[x];
        along += claims->kept[x] * miss * turned;
        moved += claims->kept[x] * turned * turned;
    }
    double back = claims->rounds >= 3 && moved > LEAST_MOVE ? along / moved : 0.0;
    back = fmin(LONGEST_STEP, fmax(-LONGEST_STEP, back));
    for (size_t x = 2; x < kinds; x++) {
        double miss = claims->found[x] - claims->same[x];
        double next = claims->found[x] - back * (claims->same[x] - claims->same_before[x] + miss -
                                                 claims->miss_before[x]);
        claims->same_before[x] = claims->same[x];
        claims->miss_before[x] = miss;
        claims->same[x] = fmin(1.0, fmax(0.0, next));
    }
    claims->rounds++;
}

/* s, A and B from the claims of the last round; the first round has the published ones, c = 1/n. */
static void meet_again(cni_claims *claims, const cni_claim_habits *habits)
{
    if (claims->rounds == 0) {
        claims->rounds = 1;
        return;
    }
    double lose = kept_lose(claims);
    pair_count count = count_pairs(claims);
    next_same(claims);
    claims->meetings = count.same;
    if (count.of_one > 0.0 && count.all > count.same) {
        cni_rivalry rivalry = {.rings = claims->digits == 0,
                               .lose = lose,
                               .both_stay = count.of_one / count.same,
                               .apart_stay =
                                   (count.losers - count.of_one) / (count.all - count.same),
                               .wanting = habits->wanting,
                               .leaving = habits->leaving,
                               .parting = habits->parting,
                               .common = habits->going_on * claims->common};
        cni_rivals_update(&claims->rivals, &rivalry);
    }
}

/* What messages want in common makes some stay longer, these claim fewer channels, and that leaves less in common: V swings
 * to and fro unless its steps are short. */
static void take_common(cni_claims *claims, double common)
{
    double miss = common - claims->common;
    int overshoots = miss * claims->common_missed < 0.0;
    if (overshoots && fabs(miss) > SLOW * fabs(claims->common_missed))
        claims->common_step *= 0.5;
    else if (!overshoots)
        claims->common_step = fmin(LONGEST_COMMON, LONGER * claims->common_step);
    claims->common_missed = miss;
    claims->common += claims->common_step * miss;
}

double cni_claims_update(cni_claims *claims, const cni_claim_habits *habits)
{
    cni_node_chain *node = claims->node;
    uint32_t n = node->channels;
    double row[CNI_CHANNELS + 1], change = 0.0;
    if (n == 1)
        return 0.0;
    count_kept(claims);
    meet_again(claims, habits);
    double common = cni_correlated_wants(node, claims->digits, claims->rivals.share);
    take_common(claims, common);
    let_flow(claims, habits->transit, cni_urn_bias(n, arrivals_meet(claims, habits)), common);
    cni_excess_causes causes = {.kept = claims->kept,
                                .free = claims->free,
                                .transit = habits->transit,
                                .going_on = habits->going_on,
                                .insist = claims->rivals.insist,
                                .pairs = claims->meetings,
                                .digits = claims->digits};
    double leaned = cni_excess_update(&claims->excess, &causes);
    for (size_t i = 1; i < node->states && cni_budget_work(node->budget, UNITS * n); i++) {
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
    return claims->rounds == 1 ? 1.0 : fmax(leaned, change / (n * node->rho_1));
}
