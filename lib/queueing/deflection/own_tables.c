/*
 * The tables of the own model: claims by (D13) to (D15), and P_t(x) by (D19) and (D20) of
 * docs/theory/deflection.md.
 *
 * The claims of phase 1 are not independent. A message that lost a channel often wants the same
 * channel again, and always with one bit left. So kept messages crowd on few channels. Messages in
 * transit come by different channels, and a message that came over a channel has no use for this
 * channel. So their claims avoid each other. The probability c that two messages of a kind claim
 * the same channel tells both effects, and the urn of (D13) makes claims with this c. c = 1/n is
 * the published model (D1). The new messages of the node have it.
 *
 * Two of x kept messages have (D14)
 *
 *     c(x) = s(x) A + (1 - s(x)) B.
 *
 * s(x) is the probability that the two lost the same channel. Then they want the same channel again
 * with probability A, else with B. The urn has the pairs on a channel together with the claimed
 * channels. A channel with X claims of messages that win or stay has C(X, 2) - X + 1 pairs of
 * losers. Where few messages are kept, they mostly lost one channel, so s(x) falls with x.
 *
 * A message from a channel wants the channel in its own direction (in the generalized hypercube the
 * one back) with probability `onward`, and each other channel with equal probability. Two messages
 * from different channels have the c of (D15). A message from a channel and a kept message want the
 * same channel with probability (1 + W) / n, W of (D23).
 *
 * The number K of kept messages is no state of the chain. So its rows f_{i,j} are means over K,
 * weighted by the flow through the chain's present solution. At the fixed point this lumping is
 * exact.
 *
 * Check value of this code: n = 3, M = 9, load 1, P_t = 0.6, of the kept messages 0.4 want one
 * channel and 0.6 any, onward 0.1, 10/3 hops: at the fixed point two messages win 1.674841689742
 * channels (5/3 with even claims).
 *
 * A busy channel is likelier than others to be busy in later cycles. So a node that has kept more
 * messages, because more came, gets more. Let C(tau) be the covariance of a channel's bringing a
 * message now and tau cycles later. Let R_tau(x) be the change of P(K = x), tau cycles after one
 * more message has come. To first order (D19)
 *
 *     P_t(x) = P_t + (C(1) R_1(x) + C(2) R_2(x) + ...) / P(K = x).
 *
 * R_tau follows from the chain: R_1 from one more message of a channel beside the messages of the
 * other channels, and R_{tau+1} from R_tau by a cycle of the chain with the mean P_t.
 *
 * A channel is busy when it is claimed. It has kappa = E[K] / n claims of kept messages, and
 * kappa + rho_1 claims in all. The covariance of a channel's being busy with all claims is
 * (kappa + rho_1)(1 - rho_1), and with the claims of kept messages kappa (1 - rho_1). A kept
 * message claims its channel again with probability r. Claims are sent at their mean rate, the
 * regression of busy on claims,
 *
 *     beta = (kappa + rho_1)(1 - rho_1) / (variance of the claims on a channel).
 *
 * With p the share of the hops that are not the last (D20)
 *
 *     C(tau) = p^2 r beta kappa (1 - rho_1) (1 - beta)^(tau - 1) + C_Q(tau).
 *
 * C_Q comes from the queues of all nodes, (D22). Its response is taken to fade as slowly.
 *
 * The sum over tau is the fixed point of L = R_1 + (1 - beta) (a cycle of L). Each call goes on
 * from the L of the last call, for CYCLES cycles.
 *
 * Check value of this code: n = 3, M = 9, load 1, P_t = 0.6, published claims, 10/3 hops, insist
 * 0.6, 5 pairs: a covariance of 0.015784920588.
 */
#include "queueing/deflection/own_model.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A number of messages of less probability counts as never seen. Its row is a quotient of
 * numbers near the smallest doubles, and no digit of it is right. */
#define NEVER_SEEN 1e-200
/* Where a smaller share of the nodes keeps x, the quotient in (D19) has no right digits. The node
 * then gets P_t(x - 1). */
#define SELDOM 1e-12

/* Units of the budget for each channel and each message that claims. */
enum { UNITS = 8 };
/* Cycles of L in a call. An error that a cycle lets fade by 1 in 30 is then a third. */
enum { CYCLES = 32 };

cn_status cni_own_open(cni_node_chain *node, const cni_hop_model *path, cni_own_model *own)
{
    size_t n = node->channels, kept = node->states - n;
    uint64_t rows = (uint64_t)node->states * (n + 1);
    *own = (cni_own_model){.node = node, .path = path, .step = 1.0};
    cni_rivals_begin(&own->rivals, node->channels);
    const cni_array arrays[] = {
        CNI_ARRAY(own->beyond, node->states), CNI_ARRAY(own->forced, (n + 1) * (n + 1)),
        CNI_ARRAY(own->now, path->states),    CNI_ARRAY(own->next, path->states),
        CNI_ARRAY(own->kept, kept),           CNI_ARRAY(own->flow, rows),
        CNI_ARRAY(own->pairs, rows),          CNI_ARRAY(own->first_response, kept),
        CNI_ARRAY(own->all_responses, kept),  CNI_ARRAY(own->spare, node->states),
        CNI_ARRAY(own->same, kept),           CNI_ARRAY(own->found, kept),
        CNI_ARRAY(own->same_before, kept),    CNI_ARRAY(own->miss_before, kept)};
    return cni_allocate_arrays(&own->block, arrays);
}

void cni_own_close(cni_own_model *own)
{
    cni_release(own->block);
    memset(own, 0, sizeof *own);
}

/* ---- counting ---- */

/* Makes the two phases of nodes with the distribution `here`. Fills the distribution of K. */
static void send_messages(const cni_node_chain *node, const double here[], double kept[])
{
    size_t n = node->channels;
    for (size_t x = 0; x < node->states - n; x++) {
        kept[x] = 0.0;
        for (size_t j = 0; j <= n; j++)
            kept[x] += here[x + j] * node->both[(x + j) * (n + 1) + j];
    }
}

void cni_own_count_kept(cni_own_model *own)
{
    send_messages(own->node, own->node->pi, own->kept);
}

static double pairs_of(size_t messages)
{
    return (double)messages * ((double)messages - 1.0) / 2.0;
}

cni_pair_count cni_own_count_pairs(cni_own_model *own)
{
    const cni_node_chain *node = own->node;
    size_t n = node->channels, spare = node->states - 1 - n;
    cni_pair_count count = {0.0, 0.0, 0.0, 0.0};
    for (size_t kept = 0; kept <= spare; kept++) {
        double pairs = pairs_of(kept), of_one = 0.0, seen = 0.0;
        for (size_t j = 1; j <= n; j++)
            for (size_t i = kept + j; i < node->states && (i == kept + j || kept == spare); i++) {
                size_t at = i * (n + 1) + j;
                double here = node->pi[i] * node->first[at];
                if (own->flow[at] < NEVER_SEEN)
                    continue;
                double same = fmax(0.0, own->pairs[at] / own->flow[at]);
                count.all += here * pairs_of(kept + j);
                count.same += here * same;
                of_one += here * fmin(pairs, fmax(0.0, same - (double)kept));
                seen += here;
            }
        count.losers += seen * pairs;
        count.of_one += of_one;
        if (seen > NEVER_SEEN)
            own->found[kept] = kept > 1 ? of_one / seen / pairs : 0.0;
        else
            own->found[kept] = own->same[kept];
    }
    return count;
}

/* ---- claims ---- */

/* Returns c of (D15), of two messages from different channels. */
static double arrivals_meet(const cni_own_model *own)
{
    double others = own->node->channels - 1.0, other = (1.0 - own->onward) / others;
    return 2.0 * own->onward * other + (others - 1.0) * other * other;
}

/* Adds the claims of nodes with so many messages, with this weight. */
static void add_flow(cni_own_model *own, size_t messages, double weight, const cni_urn_tally *tally)
{
    size_t row = (size_t)own->node->channels + 1;
    for (size_t j = 0; j < row; j++) {
        own->flow[messages * row + j] += weight * tally->claimed[j];
        own->pairs[messages * row + j] += weight * tally->pairs[j];
    }
}

/* Makes the claims of the kept messages. Returns the weight with which each kept message draws a
 * message from a channel to its channel. With it the two want the same channel with probability
 * (1 + W) / n. */
static double claim_again(const cni_own_model *own, size_t kept, cni_urn_tally *tally)
{
    double n = own->node->channels, s = own->same[kept], with = (1.0 + own->common) / n;
    double c = s * own->rivals.again + (1.0 - s) * own->rivals.chance;
    double b = fmax(0.0, cni_urn_bias(n, c));
    cni_urn_begin(tally, own->node->channels, own->node->states - 1 - own->node->channels);
    for (size_t x = 0; x < kept; x++)
        cni_urn_claim(tally, (double)x, (double)x, b, 0.0);
    return own->common / fmax(CNI_LEAST_WIN, 1.0 - c + (double)kept * fmax(0.0, c - with));
}

/* Makes the claims of the kept messages, then the claims of the messages from the channels. */
static void claim_transit(cni_own_model *own)
{
    const cni_node_chain *node = own->node;
    uint32_t n = node->channels;
    double t[CNI_CHANNELS + 1], b = cni_urn_bias(n, arrivals_meet(own));
    for (size_t kept = 0; kept < node->states - n; kept++) {
        cni_urn_tally tally;
        if (own->kept[kept] < NEVER_SEEN || !cni_budget_work(node->budget, UNITS * n * (kept + n)))
            continue;
        double draw = claim_again(own, kept, &tally);
        cni_binomial(n, cni_transit(node, own->transit, kept), t);
        cni_urn_next_kind(&tally);
        for (uint32_t came = 0; came <= n; came++) {
            add_flow(own, kept + came, own->kept[kept] * t[came], &tally);
            cni_urn_claim(&tally, (double)(kept + came), came, b, draw);
        }
    }
}

/* Makes all claims of a node, by its number of messages: kept messages, messages from the
 * channels, then new messages, one more with probability a. */
static void set_flows(cni_own_model *own)
{
    const cni_node_chain *node = own->node;
    uint32_t n = node->channels;
    size_t row = (size_t)n + 1;
    memset(own->flow, 0, node->states * row * sizeof(double));
    memset(own->pairs, 0, node->states * row * sizeof(double));
    claim_transit(own);
    for (size_t i = 1; i < node->states && cni_budget_work(node->budget, UNITS * n); i++) {
        cni_urn_tally tally;
        cni_urn_begin(&tally, n, node->states - 1 - n);
        memcpy(tally.claimed, own->flow + (i - 1) * row, sizeof(double) * row);
        memcpy(tally.pairs, own->pairs + (i - 1) * row, sizeof(double) * row);
        cni_urn_claim(&tally, (double)(i - 1), 0.0, 0.0, 0.0);
        add_flow(own, i, node->ratio, &tally);
    }
}

double cni_own_claim(cni_own_model *own)
{
    cni_node_chain *node = own->node;
    uint32_t n = node->channels;
    double row[CNI_CHANNELS + 1], change = 0.0;
    set_flows(own);
    for (size_t i = 1; i < node->states && cni_budget_work(node->budget, UNITS * n); i++) {
        const double *flow = own->flow + i * (n + 1);
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
    return change / (n * node->rho_1);
}

/* ---- P_t(x) ---- */

/* Finds the distribution of the messages in the node after this many channels have brought their
 * messages. */
static void receive_messages(cni_own_model *own, const double kept[], uint32_t channels)
{
    double t[CNI_CHANNELS + 1];
    cni_binomial(channels, own->transit, t);
    memset(own->spare, 0, own->node->states * sizeof(double));
    for (size_t x = 0; x < own->node->states - own->node->channels; x++)
        for (uint32_t k = 0; k <= channels; k++)
            own->spare[x + k] += kept[x] * t[k];
}

/* Makes the rest of a cycle: new messages are admitted, and the two phases send. */
static void finish_cycle(cni_own_model *own, double kept[])
{
    const cni_node_chain *node = own->node;
    size_t top = node->states - 1;
    double carried = 0.0;
    for (size_t i = 0; i < top; i++) {
        double here = own->spare[i] + carried;
        own->spare[i] = here * node->rest;
        carried = here * node->ratio;
    }
    own->spare[top] += carried;
    send_messages(node, own->spare, kept);
}

/* Finds R_1, then goes on to L for CYCLES cycles. */
static void find_responses(cni_own_model *own, double fades)
{
    size_t states = own->node->states, kinds = states - own->node->channels;
    uint64_t work = (uint64_t)states * own->node->channels;
    receive_messages(own, own->kept, own->node->channels - 1);
    for (size_t i = states; i-- > 0;)
        own->spare[i] = (i > 0 ? own->spare[i - 1] : 0.0) - own->spare[i];
    finish_cycle(own, own->first_response);
    for (int cycle = 0; cycle < CYCLES && cni_budget_work(own->node->budget, work); cycle++) {
        receive_messages(own, own->all_responses, own->node->channels);
        finish_cycle(own, own->all_responses);
        for (size_t x = 0; x < kinds; x++)
            own->all_responses[x] = own->first_response[x] + fades * own->all_responses[x];
    }
}

double cni_own_lean(cni_own_model *own)
{
    cni_node_chain *node = own->node;
    size_t kinds = node->states - node->channels;
    double n = node->channels, idle = fmax(0.0, 1.0 - node->rho_1), waiting = 0.0, response = 0.0;
    double going_on = 1.0 - 1.0 / own->hops, change = 0.0;
    for (size_t x = 1; x < kinds; x++)
        waiting += own->kept[x] * (double)x / n;
    double claims = waiting + node->rho_1, together = claims * idle;
    double variance = 2.0 * own->meetings / n + claims - claims * claims;
    double sent = together > 0.0 ? together / fmax(variance, together) : 1.0; /* beta */
    double next = going_on * going_on * own->rivals.insist * sent * waiting * idle;
    find_responses(own, 1.0 - sent);
    for (size_t x = 1; x < kinds; x++)
        response += (double)x * own->all_responses[x];
    if (response > 0.0)
        next +=
            cni_correlated_queues(node, own->path->digits, next * response, going_on) / response;
    for (size_t x = 0; x < kinds; x++) {
        double before = node->lean[x];
        if (own->kept[x] > SELDOM)
            node->lean[x] = fmin(1.0, fmax(-1.0, next * own->all_responses[x] / own->kept[x]));
        else
            node->lean[x] = x > 0 ? node->lean[x - 1] : 0.0;
        change += own->kept[x] * fabs(node->lean[x] - before);
    }
    return change;
}
