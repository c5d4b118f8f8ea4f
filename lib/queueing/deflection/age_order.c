/*
 * Who is forced out: the youngest.
 *
 * Phase 1 gives a channel to the oldest claimant and phase 2 forces out the youngest losers, so what
 * happens to a message depends only on the older messages of its node, never on the younger ones. The
 * x oldest messages of a node therefore send as if they were alone: s_x by phase 1 and e_x by phase 2,
 * the same numbers that a node with x messages has. If a share F of all messages is older than a given
 * moment, and every message of a node belongs to it with probability F, then per node and cycle the
 * messages that are older send
 *
 *     G(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) s_x   (phase 1)
 *     H(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) e_x   (phase 2),
 *
 * X being the number of messages in the node. So the messages of one age, U of them per node, between
 * the shares F and F - U / E[X], win G(F) - G(F - U / E[X]) channels and are forced out
 * H(F) - H(F - U / E[X]) times. Followed from their creation, with their headers in the states of the hop
 * model, they tell how many hops a message makes: those that are still far from their destination are
 * forced out, those that are near it, and for which a wrong channel is more likely, hardly ever.
 *
 * e_x is 0 for x <= M - n, so H is a sum of n^2/2 terms. For G, s_x is written as (n/g) (1 - (1 - g/n)^x), for
 * which the sum is F sum_{j<M} P(X > j) (1 - F g/n)^j, and a correction for x > M - n of n^2/2 terms, where
 * both together must be exact: with M = n nobody stays. Claims that are independent have g = 1 and no
 * correction; g is set so that phase 1 sends in all what the chain says.
 *
 * Check value, of this code: n = 6, M = 9, load 2, P_t = 0.6, published claims: 3.551854368345 hops, and a
 * message that stays wants the same channel again with probability 0.502273063954.
 */
#include "queueing/deflection/age_order.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Differences of G and H are taken over no smaller part of F than this, or they would be noise. */
#define NARROW 1e-7

/* Messages that are so few, relative to those created, are followed no more. */
#define LAST 1e-17

/* States of a header times mean hops; some fifty times as many operations a prediction. */
#define GREATEST_WORK 0x1p26

/* Ages that are followed, for each place in a node and each hop to the farthest node. By Little's law a message
 * is about as old as there are messages in a node for each that arrives there, and these are no more than
 * places times hops; all but a share of e^-40 are gone in 40 times that. */
enum { AGES_EACH = 64 };

/* A probability that changes no digit of a sum. */
#define NOTHING 1e-20

/* Newton's method for g doubles its digits in each step; a few are enough. */
enum { MOST_STEPS = 20 };
#define CROWD_ACCURACY 1e-14

static size_t spare_buffers(const cni_node_chain *node)
{
    return node->states - 1 - node->channels;
}

void cni_age_order_close(cni_age_order *order)
{
    cni_release(order->block);
    memset(order, 0, sizeof *order);
}

cn_status cni_age_order_open(const cni_node_chain *node, const cni_hop_model *path,
                             cni_age_order *order)
{
    size_t n = node->channels;
    double distance = 0.0;
    for (size_t i = 0; i < path->states; i++)
        distance += path->start[i] * (double)path->distance[i];
    if ((double)path->states * distance > GREATEST_WORK)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "cn_predict: model_variant = own would follow messages through %zu states over about "
            "%.3g hops, which takes too long; model_variant = published does not follow them",
            path->states, distance);
    *order = (cni_age_order){.node = node, .path = path};
    const cni_array arrays[] = {
        CNI_ARRAY(order->beyond, node->states), CNI_ARRAY(order->won, (n + 1) * (n + 1)),
        CNI_ARRAY(order->forced, (n + 1) * (n + 1)), CNI_ARRAY(order->now, path->states),
        CNI_ARRAY(order->next, path->states)};
    return cni_allocate_arrays(&order->block, arrays);
}

/* G(F) without the correction above M - n; and by how much it falls as g rises, when asked for. */
static double won_evenly(const cni_age_order *order, double share, double *fall)
{
    double each = share / order->node->channels, factor = 1.0 - order->crowd * each;
    double sum = 0.0, slope = 0.0, power = 1.0, power_below = 0.0;
    for (size_t j = 0; j < order->reach && power > NOTHING; j++) {
        sum += order->beyond[j] * power;
        slope += order->beyond[j] * (double)j * power_below;
        power_below = power;
        power *= factor;
    }
    if (fall != NULL)
        *fall = share * slope * each;
    return share * sum;
}

/* g, so that phase 1 sends as many messages as in the chain: Newton's method. */
static void fit_crowd(cni_age_order *order)
{
    double wanted = order->node->channels * order->node->rho_1, fall;
    order->crowd = 1.0;
    for (int i = 0; i < MOST_STEPS; i++) {
        double step = won_evenly(order, 1.0, &fall) - wanted;
        step = fall > 0.0 ? step / fall : 0.0;
        order->crowd += step;
        if (fabs(step) < CROWD_ACCURACY)
            return;
    }
}

/* What x messages win when each finds a channel taken with g/n for every one that is: (n/g) (1 - (1 -
 * g/n)^x). */
static double won_alone(const cni_age_order *order, size_t x)
{
    double part = order->crowd / order->node->channels;
    return part < 1.0 ? -expm1((double)x * log1p(-part)) / part : x > 0;
}

static void prepare(cni_age_order *order)
{
    const cni_node_chain *node = order->node;
    order->beyond[node->states - 1] = 0.0;
    for (size_t j = node->states - 1; j-- > 0;)
        order->beyond[j] = order->beyond[j + 1] + node->pi[j + 1];
    for (order->reach = node->states; order->reach > 1; order->reach--)
        if (order->beyond[order->reach - 1] > NOTHING)
            break;
    fit_crowd(order);
    size_t n = node->channels, spare = spare_buffers(node);
    for (size_t x = spare + 1; x < node->states; x++) {
        double correction = node->first_sent[x] - won_alone(order, x), ways = 1.0; /* C(m, x) */
        for (size_t m = x; m < node->states; m++) {
            size_t at = (x - spare) * (n + 1) + (m - x);
            order->won[at] = node->pi[m] * ways * correction;
            order->forced[at] = node->pi[m] * ways * node->second_sent[x];
            ways = ways * (double)(m + 1) / (double)(m + 1 - x);
        }
    }
}

/* The sum over x > M - n of F^x (1-F)^(m-x) times a table by x and m - x. */
static double beyond_spare(const cni_age_order *order, const double table[], double share)
{
    size_t n = order->node->channels;
    double sum = 0.0, younger = 1.0 - share;
    for (size_t x = n; x > 0; x--) {
        double inner = 0.0;
        for (size_t left = n - x + 1; left-- > 0;)
            inner = inner * younger + table[x * (n + 1) + left];
        sum = sum * share + inner;
    }
    return sum * pow(share, (double)(spare_buffers(order->node) + 1));
}

/* G(F) */
static double won_by(const cni_age_order *order, double share)
{
    return won_evenly(order, share, NULL) + beyond_spare(order, order->won, share);
}

/* H(F) */
static double forced_of(const cni_age_order *order, double share)
{
    return beyond_spare(order, order->forced, share);
}

/* One cycle of the messages of one age: shares of them win, are forced out, stay. */
static double move_on(cni_age_order *order, double win, double forced)
{
    const cni_hop_model *path = order->path;
    double stay = fmax(0.0, 1.0 - win - forced), left = 0.0;
    for (uint32_t t = 1; t <= order->node->channels; t++) {
        order->parting[t] += (1.0 - stay) * order->waited[t];
        order->waited[t] = 0.0;
    }
    for (size_t i = 1; i < path->states; i++) {
        order->next[i] = stay * order->now[i];
        order->wanting[path->wants[i]] += order->next[i];
        order->waited[path->wants[i]] += order->next[i];
        order->leaving[path->wants[i]] += order->now[i] - order->next[i];
    }
    order->next[0] = 0.0;
    for (size_t i = 1; i < path->states; i++) {
        if (order->now[i] <= 0.0)
            continue;
        for (size_t e = path->first_hop[i]; e < path->first_hop[i + 1]; e++) {
            const cni_hop *hop = &path->hop[e];
            double moved = order->now[i] * (win * hop->first + forced * hop->second);
            order->next[hop->target] += moved;
            order->onward += moved * hop->onward;
            order->beside += moved * hop->beside;
            order->deflections += hop->deflects ? moved : 0.0;
        }
    }
    for (size_t i = 1; i < path->states; i++)
        left += order->next[i];
    double *swap = order->now;
    order->now = order->next;
    order->next = swap;
    return left;
}

/* Nothing moves for some cycles. */
static void wait(cni_age_order *order, double cycles)
{
    memset(order->waited, 0, sizeof order->waited);
    for (size_t i = 1; i < order->path->states; i++) {
        order->wanting[order->path->wants[i]] += cycles * order->now[i];
        order->waited[order->path->wants[i]] += order->now[i];
    }
}

/* What happens in a cycle to a message with share F older than it, `window` of F being looked at. */
static void look(const cni_age_order *order, double older, double window, double *win,
                 double *force)
{
    double messages = window * order->node->queue, oldest = fmax(0.0, older - window);
    /* While P_t is not yet in balance there may be more messages than the chain holds: those beyond the
     * oldest always win. */
    double excess = fmax(0.0, window - older) * order->node->queue;
    double wins = won_by(order, older) - won_by(order, oldest) + excess;
    double forces = forced_of(order, older) - forced_of(order, oldest);
    *win = fmin(1.0, fmax(0.0, wins / messages));
    *force = fmin(1.0 - *win, fmax(0.0, forces / messages));
}

static double most_ages(const cni_age_order *order)
{
    uint64_t farthest = 0;
    for (size_t i = 0; i < order->path->states; i++)
        if (order->path->distance[i] > farthest)
            farthest = order->path->distance[i];
    return (double)AGES_EACH * (double)order->node->states * (1.0 + (double)farthest);
}

/* The ages one after the other. `cycles` is more than 1 only where messages deep in a long queue wait
 * with nothing happening to them. */
static cn_status follow_ages(cni_age_order *order, double created)
{
    double older = 1.0, present = created, cycles = 1.0, left = most_ages(order);
    uint64_t n = order->node->channels, work = order->path->hops + 2 * (n * n + order->reach);
    for (; present > LAST * created; left -= 1.0) {
        if (!(left > 0.0))
            return cni_fail(CN_ERR_CONVERGENCE,
                            "cn_predict: at load = %g, after %.3g cycles, a share of %g of the "
                            "messages in model_variant own is still in the network",
                            order->node->load, most_ages(order), present / created);
        CNI_TRY(cni_budget_go_on(order->node->budget, work));
        double win, force, band = cycles * present / order->node->queue;
        look(order, older, fmax(band, NARROW * older), &win, &force);
        int moves = win + force > NOTHING;
        if (moves && cycles > 1.0) {
            cycles = 1.0;
            continue;
        }
        older = fmax(0.0, older - band);
        if (!moves) {
            wait(order, cycles);
            cycles *= 2.0;
            continue;
        }
        order->hops += present * (win + force);
        present = move_on(order, win, force);
    }
    return CN_OK;
}

cn_status cni_age_order_follow(cni_age_order *order)
{
    const cni_hop_model *path = order->path;
    double created = order->node->load * order->node->accepted;
    prepare(order);
    for (size_t i = 0; i < path->states; i++)
        order->now[i] = created * path->start[i];
    order->hops = order->deflections = order->onward = order->beside = 0.0;
    memset(order->wanting, 0, sizeof order->wanting);
    memset(order->leaving, 0, sizeof order->leaving);
    memset(order->parting, 0, sizeof order->parting);
    memset(order->waited, 0, sizeof order->waited);
    CNI_TRY(follow_ages(order, created));
    double transit = order->hops > created ? order->hops - created : HUGE_VAL;
    order->onward /= transit;
    order->beside /= transit;
    order->hops /= created;
    order->deflections /= created;
    return CN_OK;
}
