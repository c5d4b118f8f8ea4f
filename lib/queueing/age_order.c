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
 *     G(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) s_x = F sum_{j<M} P(X > j) (1 - F/n)^j   (phase 1)
 *     H(F) = sum_m pi_m sum_x C(m,x) F^x (1-F)^(m-x) e_x                                      (phase 2)
 *
 * X being the number of messages in the node. So the messages of one age, U of them per node, between
 * the shares F and F - U / E[X], win G(F) - G(F - U / E[X]) channels and are forced out
 * H(F) - H(F - U / E[X]) times. Followed from their creation, with their headers in the states of the hop
 * model, they tell how many hops a message makes: those that are still far from their destination are
 * forced out, those that are near it, and for which a wrong channel is more likely, hardly ever.
 */
#include "queueing/age_order.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* While P_t is not yet in balance, the messages may be more than the chain holds, and those in excess
 * always win; or they may be fewer, and then the last of them see no more change in F: below this part
 * of it what happened to the last happens to all. */
#define NARROW 1e-7

static size_t spare_buffers(const cni_node_chain *node)
{
    return node->states - 1 - node->channels;
}

void cni_age_order_close(cni_age_order *order)
{
    cni_release(order->beyond);
    cni_release(order->forced);
    cni_release(order->now);
    cni_release(order->next);
}

cn_status cni_age_order_open(const cni_node_chain *node, const cni_hop_model *path,
                             cni_age_order *order)
{
    size_t n = node->channels;
    *order = (cni_age_order){.node = node, .path = path};
    order->beyond = cni_allocate(node->states, sizeof *order->beyond);
    order->forced = cni_allocate((n + 1) * (n + 1), sizeof *order->forced);
    order->now = cni_allocate(path->states, sizeof *order->now);
    order->next = cni_allocate(path->states, sizeof *order->next);
    if (order->beyond && order->forced && order->now && order->next)
        return CN_OK;
    cni_age_order_close(order);
    return CN_ERR_MEMORY;
}

static void prepare(cni_age_order *order)
{
    const cni_node_chain *node = order->node;
    size_t n = node->channels, spare = spare_buffers(node);
    order->beyond[node->states - 1] = 0.0;
    for (size_t j = node->states - 1; j-- > 0;)
        order->beyond[j] = order->beyond[j + 1] + node->pi[j + 1];
    for (size_t m = spare; m < node->states; m++) {
        double weight = node->pi[m];
        for (size_t left = 0; left <= m - spare; left++) { /* x = m - left */
            order->forced[(m - spare) * (n + 1) + left] = weight * node->second_sent[m - left];
            weight = weight * (double)(m - left) / (double)(left + 1);
        }
    }
}

/* G(F) */
static double won_by(const cni_age_order *order, double share)
{
    double sum = 0.0, factor = 1.0 - order->crowd * share / order->node->channels;
    for (size_t j = order->node->states; j-- > 0;)
        sum = sum * factor + order->beyond[j];
    return share * sum;
}

/* H(F) */
static double forced_of(const cni_age_order *order, double share)
{
    const cni_node_chain *node = order->node;
    size_t n = node->channels, spare = spare_buffers(node);
    double sum = 0.0, younger = 1.0 - share;
    for (size_t x = n; x > 0; x--) { /* spare + x of the older messages */
        double by_left = 0.0;
        for (size_t left = n - x + 1; left-- > 0;)
            by_left = by_left * younger + order->forced[(x + left) * (n + 1) + left];
        sum = sum * share + by_left;
    }
    return sum * pow(share, (double)(spare + 1));
}

/* g, so that G(1) is what phase 1 sends in all. */
static void fit_crowd(cni_age_order *order)
{
    const cni_node_chain *node = order->node;
    double wanted = node->channels * node->rho_1;
    order->crowd = 1.0;
    for (int i = 0; i < 50; i++) {
        double sum = 0.0, slope = 0.0, factor = 1.0 - order->crowd / node->channels;
        for (size_t j = node->states; j-- > 0;) {
            slope = slope * factor + sum;
            sum = sum * factor + order->beyond[j];
        }
        double step = slope > 0.0 ? (sum - wanted) / slope * node->channels : 0.0;
        order->crowd += step;
        if (fabs(step) < 1e-15)
            return;
    }
}

/* One cycle of the messages of one age: shares of them win, are forced out, stay. */
static double move_on(cni_age_order *order, double win, double forced)
{
    const cni_hop_model *path = order->path;
    double stay = fmax(0.0, 1.0 - win - forced), left = 0.0;
    for (size_t i = 1; i < path->states; i++) {
        order->next[i] = stay * order->now[i];
        order->insist += order->next[i] * path->insist[i];
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

void cni_age_order_follow(cni_age_order *order)
{
    const cni_hop_model *path = order->path;
    double older = 1.0, created = order->node->load * order->node->accepted;
    double present = created, per_message = 1.0 / order->node->queue, stays = 0.0;
    prepare(order);
    fit_crowd(order);
    for (size_t i = 0; i < path->states; i++)
        order->now[i] = created * path->start[i];
    order->hops = order->deflections = order->insist = order->onward = 0.0;
    double won = won_by(order, older), forced = forced_of(order, older), win = 1.0, force = 0.0;
    while (present > 1e-17 * created) {
        double band = present * per_message;
        if (band > NARROW * older) {
            double oldest = fmax(0.0, older - band),
                   excess = fmax(0.0, present - older / per_message);
            double won_then = won_by(order, oldest), forced_then = forced_of(order, oldest);
            win = fmin(1.0, (won - won_then + excess) / present);
            force = fmin(1.0 - win, fmax(0.0, (forced - forced_then) / present));
            older = oldest;
            won = won_then;
            forced = forced_then;
        }
        order->hops += present * (win + force);
        stays += present * (1.0 - win - force);
        present = move_on(order, win, force);
    }
    /* with M = n every message moves, up to the rounding */
    order->insist = stays > 1e-12 * order->hops ? order->insist / stays : 1.0;
    order->onward = order->hops > created ? order->onward / (order->hops - created) : 0.0;
    order->hops /= created;
    order->deflections /= created;
}
