/*
 * The ages of messages ((D9) to (D12) of docs/theory/deflection.md): phase 2 forces the youngest
 * out.
 *
 * Phase 1 gives a channel to its oldest claimant, and phase 2 forces out the youngest losers. So
 * the older messages of its node affect a message, and younger messages never do. The x oldest
 * messages of a node send as if they were alone: s_x in phase 1 and e_x in phase 2, like a node
 * with x messages. Let a share F of all messages be older than a given moment, and each message of
 * a node belong to it with probability F. Then the older messages send per node and cycle
 *
 *     G(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) s_x   in phase 1 (D9),
 *     H(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) e_x   in phase 2 (D10).
 *
 * Let a node have u messages of one age, between the shares F and F' = F - u / E[Z]. These messages
 * win G(F) - G(F') channels and are forced out H(F) - H(F') times (D11). The program follows these
 * messages from their creation on, with their headers in the states of the hop model, and counts
 * their hops. Messages far from their destination are forced out. Messages near it, for which a
 * wrong channel is more likely, hardly ever are.
 *
 * e_x is 0 for x <= M - n, so H has n^2/2 terms. For G, s_x is taken for (n/g) (1 - (1 - g/n)^x).
 * Then the sum is F sum_{j<M} P(Z > j) (1 - F g/n)^j (D12). Independent claims have g = 1.
 * Otherwise g makes phase 1 send as much as in the chain, G(1) = n rho_1.
 *
 * Check values of this code: n = 6, M = 9, load 2, P_t = 0.6, published claims: 3.551854368345
 * hops, and a kept message wants the same channel again with probability 0.502273063954.
 */
#include "queueing/deflection/own_model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* The least part of F over which G and H are differenced. Differences over smaller parts are
 * noise. */
#define NARROW 1e-7

/* The share of the created messages at which the ages end: it changes no digit of the hops. */
#define LAST 1e-17

/* The bound on the ages is AGES_EACH times the places of a node times the states of a header. By
 * Little's law the mean age is the messages in a node over its arrivals, at most places times
 * hops, and there are more header states than hops to the farthest node. After 40 mean ages a
 * share of some e^-40 is left. */
enum { AGES_EACH = 64 };

/* A probability that changes no digit of a sum. */
#define NOTHING 1e-20

/* Newton's method for g doubles its digits in each step, so a few steps are enough. */
enum { MOST_STEPS = 20 };
#define CROWD_ACCURACY 1e-14

/* Returns G(F) (D12). When `fall` is not NULL, it gets the slope at which G falls as g rises. */
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

/* Finds g by Newton's method: phase 1 sends as many messages as in the chain. */
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

/* Finds the parts of (D10) and (D12) that do not depend on F. */
static void prepare_sums(cni_own_model *own)
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

/* Returns H(F) (D10). */
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

/* Makes one cycle of the messages of one age. The share `win` wins a channel, the share `forced`
 * is forced out, the rest stays. Returns the messages that have not arrived. */
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

/* Finds the shares of the messages of one age that win and that are forced out (D11). The share
 * `older` of all messages is at least as old; the differences go over `window` of it. */
static void find_chances(const cni_own_model *own, double older, double window, double *win,
                         double *force)
{
    double messages = window * own->node->queue, oldest = fmax(0.0, older - window);
    /* While P_t is not yet in balance there may be more messages than the chain holds. Messages
     * beyond the oldest always win. */
    double excess = fmax(0.0, window - older) * own->node->queue;
    double wins = won_by(own, older, NULL) - won_by(own, oldest, NULL) + excess;
    double forces = forced_of(own, older) - forced_of(own, oldest);
    *win = fmin(1.0, fmax(0.0, wins / messages));
    *force = fmin(1.0 - *win, fmax(0.0, forces / messages));
}

/* Follows the ages one after the other. */
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
        find_chances(own, older, fmax(band, NARROW * older), &win, &force);
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
    prepare_sums(own);
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
