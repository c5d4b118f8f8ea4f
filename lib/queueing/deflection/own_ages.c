/*
 * Who is forced out: the youngest (docs/theory/deflection.md, D9 to D12).
 *
 * Phase 1 gives a channel to the oldest claimant and phase 2 forces out the youngest losers, so
 * what happens to a message depends only on the older messages of its node, never on the younger
 * ones. The x oldest messages of a node therefore send as if they were alone: s_x by phase 1 and
 * e_x by phase 2, the same numbers that a node with x messages has. If a share F of all messages is
 * older than a given moment, and every message of a node belongs to it with probability F, then per
 * node and cycle the messages that are older send
 *
 *     G(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) s_x   (phase 1)
 *     H(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) e_x   (phase 2),
 *
 * X being the number of messages in the node. So the messages of one age, U of them per node,
 * between the shares F and F - U / E[X], win G(F) - G(F - U / E[X]) channels and are forced out
 * H(F) - H(F - U / E[X]) times. Followed from their creation, with their headers in the states of
 * the hop model, they tell how many hops a message makes: those that are still far from their
 * destination are forced out, those that are near it, and for which a wrong channel is more likely,
 * hardly ever.
 *
 * e_x is 0 for x <= M - n, so H is a sum of n^2/2 terms. For G, s_x is taken for (n/g) (1 - (1 -
 * g/n)^x), for which the sum is F sum_{j<M} P(X > j) (1 - F g/n)^j. Claims that are independent
 * have g = 1; g is set so that phase 1 sends in all what the chain says.
 *
 * Check value, of this code: n = 6, M = 9, load 2, P_t = 0.6, published claims: 3.551854368345
 * hops, and a message that stays wants the same channel again with probability 0.502273063954.
 */
#include "queueing/deflection/own_model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Differences of G and H are taken over no smaller part of F than this, or they would be noise. */
#define NARROW 1e-7

/* Messages that are so few, relative to those created, are followed no more. */
#define LAST 1e-17

/* Ages that are followed, for each place in a node and each state of a header, which are more than
 * hops to the farthest node. By Little's law a message is about as old as there are messages in a
 * node for each that arrives there, and these are no more than places times hops; all but a share
 * of e^-40 are gone in 40 times that. */
enum { AGES_EACH = 64 };

/* A probability that changes no digit of a sum. */
#define NOTHING 1e-20

/* Newton's method for g doubles its digits in each step; a few are enough. */
enum { MOST_STEPS = 20 };
#define CROWD_ACCURACY 1e-14

/* G(F); and by how much it falls as g rises, when asked for. */
static double won_by(const cni_own_model *own, double share, double *fall)
{
    double each = share / own->node->channels, factor = 1.0 - own->crowd * each;
    double sum = 0.0, slope = 0.0, power = 1.0, power_below = 0.0;
    for (size_t j = 0; j < own->reach && power > NOTHING; j++) {
        sum += own->beyond[j] * power;
        slope += own->beyond[j] * (double)j * power_below;
        power_below = power;
        power *= factor;
    }
    if (fall != NULL)
        *fall = share * slope * each;
    return share * sum;
}

/* g, so that phase 1 sends as many messages as in the chain: Newton's method. */
static void fit_crowd(cni_own_model *own)
{
    double wanted = own->node->channels * own->node->rho_1, fall;
    own->crowd = 1.0;
    for (int i = 0; i < MOST_STEPS; i++) {
        double step = won_by(own, 1.0, &fall) - wanted;
        step = fall > 0.0 ? step / fall : 0.0;
        own->crowd += step;
        if (fabs(step) < CROWD_ACCURACY)
            return;
    }
}

static void prepare(cni_own_model *own)
{
    const cni_node_chain *node = own->node;
    size_t n = node->channels, spare = node->states - 1 - n;
    own->beyond[node->states - 1] = 0.0;
    for (size_t j = node->states - 1; j-- > 0;)
        own->beyond[j] = own->beyond[j + 1] + node->pi[j + 1];
    for (own->reach = node->states; own->reach > 1; own->reach--)
        if (own->beyond[own->reach - 1] > NOTHING)
            break;
    fit_crowd(own);
    for (size_t x = spare + 1; x < node->states; x++) {
        double ways = 1.0; /* C(m, x) */
        for (size_t m = x; m < node->states; m++) {
            own->forced[(x - spare) * (n + 1) + (m - x)] =
                node->pi[m] * ways * node->second_sent[x];
            ways = ways * (double)(m + 1) / (double)(m + 1 - x);
        }
    }
}

/* H(F) */
static double forced_of(const cni_own_model *own, double share)
{
    size_t n = own->node->channels;
    double sum = 0.0, younger = 1.0 - share;
    for (size_t x = n; x > 0; x--) {
        double inner = 0.0;
        for (size_t left = n - x + 1; left-- > 0;)
            inner = inner * younger + own->forced[x * (n + 1) + left];
        sum = sum * share + inner;
    }
    return sum * pow(share, (double)(own->node->states - n));
}

/* One cycle of the messages of one age: shares of them win, are forced out, stay. */
static double age_claims(cni_own_model *own, double win, double forced)
{
    const cni_hop_model *path = own->path;
    double stay = fmax(0.0, 1.0 - win - forced), left = 0.0;
    own->next[0] = 0.0;
    for (size_t i = 1; i < path->states; i++) {
        own->next[i] = stay * own->now[i];
        own->wanting[path->wants[i]] += own->next[i];
        own->leaving[path->wants[i]] += own->now[i] - own->next[i];
    }
    for (size_t i = 1; i < path->states; i++) {
        if (own->now[i] <= 0.0)
            continue;
        for (size_t e = path->first_hop[i]; e < path->first_hop[i + 1]; e++) {
            const cni_hop *hop = &path->hop[e];
            double moved = own->now[i] * (win * hop->first + forced * hop->second);
            own->next[hop->target] += moved;
            own->onward += moved * hop->onward;
            own->deflections += hop->deflects ? moved : 0.0;
        }
    }
    for (size_t i = 1; i < path->states; i++)
        left += own->next[i];
    double *swap = own->now;
    own->now = own->next;
    own->next = swap;
    return left;
}

/* What happens in a cycle to a message with share F older than it, `window` of F being looked
 * at. */
static void look_at_older(const cni_own_model *own, double older, double window, double *win,
                          double *force)
{
    double messages = window * own->node->queue, oldest = fmax(0.0, older - window);
    /* While P_t is not yet in balance there may be more messages than the chain holds: those beyond
     * the oldest always win. */
    double excess = fmax(0.0, window - older) * own->node->queue;
    double wins = won_by(own, older, NULL) - won_by(own, oldest, NULL) + excess;
    double forces = forced_of(own, older) - forced_of(own, oldest);
    *win = fmin(1.0, fmax(0.0, wins / messages));
    *force = fmin(1.0 - *win, fmax(0.0, forces / messages));
}

/* The ages one after the other. */
static cn_status follow_ages(cni_own_model *own, double created)
{
    double older = 1.0, present = created;
    double most = (double)AGES_EACH * (double)own->node->states * (double)own->path->states;
    uint64_t n = own->node->channels, work = own->path->hops + 2 * (n * n + own->reach);
    for (double age = 0.0; present > LAST * created; age += 1.0) {
        if (age >= most)
            return cni_fail(CN_ERR_CONVERGENCE,
                            "cn_predict: at load = %g, after %.3g cycles, a share of %g of the "
                            "messages in model_variant own is still in the network",
                            own->node->load, most, present / created);
        CNI_TRY(cni_budget_go_on(own->node->budget, work));
        double win, force, band = present / own->node->queue;
        look_at_older(own, older, fmax(band, NARROW * older), &win, &force);
        older = fmax(0.0, older - band);
        own->hops += present * (win + force);
        present = age_claims(own, win, force);
    }
    return CN_OK;
}

cn_status cni_own_follow(cni_own_model *own)
{
    const cni_hop_model *path = own->path;
    double created = own->node->load * own->node->accepted;
    prepare(own);
    for (size_t i = 0; i < path->states; i++)
        own->now[i] = created * path->start[i];
    own->hops = own->deflections = own->onward = 0.0;
    memset(own->wanting, 0, sizeof own->wanting);
    memset(own->leaving, 0, sizeof own->leaving);
    CNI_TRY(follow_ages(own, created));
    own->onward /= own->hops > created ? own->hops - created : HUGE_VAL;
    own->hops /= created;
    own->deflections /= created;
    return CN_OK;
}
