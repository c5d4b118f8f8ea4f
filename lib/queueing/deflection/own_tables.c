/*
 * What the numbers of messages in nodes come to (docs/theory/deflection.md, claims D14 and D15, P_t
 * D19 and D20). The claims of phase 1 are not independent. Who lost a channel in the last cycle
 * often wants the same again (always, with one bit left), so the messages that a node has kept
 * crowd on few channels. Those that have just come in came by different channels, and since one
 * that was forwarded through bit c has no use for channel c, their claims keep out of each other's
 * way.
 *
 * Both are told by the probability c that two messages of a kind want the same channel, with which
 * claims are made as from an urn. c = 1/n is the published model, eq. 2.33; own new messages have
 * it.
 *
 * Two messages of a node that has kept x want the same channel again with probability
 *
 *     c(x) = s(x) A + (1 - s(x)) B,
 *
 * s(x) being the probability that two of them have lost the same channel, A and B that two which
 * have, and which have not, want the same. The urn tells the pairs on a channel together with the
 * channels claimed; a channel which X messages claim, of those that win or stay, has C(X, 2) - X +
 * 1 pairs of losers. Where few are kept they are mostly of one channel: s(x) falls with x.
 *
 * A message that has come in wants the channel in its own direction (in the generalized hypercube
 * the one back) with probability `onward`, and each other channel with the same probability. For
 * two from different channels that gives c.
 *
 * A message from a channel and one that was kept want the same channel with probability (1 + V) /
 * n.
 *
 * The number of messages that a node has kept is not a state of the chain. The probabilities
 * f_{i,j} are therefore those of a node with i messages whatever it has kept, weighted as the flow
 * through the chain's present solution weighs it: at the fixed point that lumping is exact.
 *
 * Check value, of this code: n = 3, M = 9, load 1, P_t = 0.6, of the kept 0.4 want one channel and
 * 0.6 any, onward 0.1, 10/3 hops: at the fixed point two messages win 1.674841689742 channels (5/3
 * with even claims).
 *
 * P_t depends on the number kept. A channel that is busy is more likely than others to be busy in
 * later cycles. So a node that has kept more messages than most, because more came, will have more
 * coming in.
 *
 * Let a be 1 in a cycle in which a channel brings a message in transit, c(t) the covariance of a
 * and of a, t cycles later, and R(t) by how much the distribution of the number kept is another one
 * t cycles after one more message has come. To first order the covariance of a and of x messages
 * being kept is
 *
 *     excess(x) = c(1) R(1) + c(2) R(2) + ...,
 *
 * and P_t of a node that has kept x is higher by excess(x) over the probability of x. R(t) follows
 * from the chain: R(1) is that of one more message which the channel brings beside those of the
 * others, and a cycle of the chain, with the mean P_t, makes R(t + 1) of R(t).
 *
 * c. A channel is busy when it is claimed. With q claims in the mean and rho the probability that
 * there are any, the covariance of claims and of being busy is q (1 - rho), and that of the claims
 * of those that are kept and of being busy is theirs times 1 - rho. Of those the share r claims the
 * channel again, and is sent as claims are in the mean: the regression of busy on claims, b = q (1
 * - rho) / (variance of claims), is the share that is sent in a cycle. With the share p of the hops
 * that are not the last,
 *
 *     c(t) = p^2 r b (claims of those kept) (1 - rho) (1 - b)^(t-1).
 *
 * The covariance that queues of all nodes have in common is added, with a response that fades as
 * slowly.
 *
 * The sum over t is the fixed point of L = R(1) + (1 - b) (a cycle of L). It is approached from
 * that of the last call, by some cycles each time.
 *
 * Check value, of this code: n = 3, M = 9, load 1, P_t = 0.6, published claims, 10/3 hops, insist
 * 0.6, 5 pairs: a covariance of 0.015784920588.
 */
#include "queueing/deflection/own_model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A number of messages of less probability was never seen: its row is a quotient of numbers near
 * the smallest doubles, and none of its digits count. */
#define NEVER_SEEN 1e-200
/* Where fewer nodes keep so many, the quotient of the excess and of their share has no digits. */
#define SELDOM 1e-12

/* Of the budget, for each channel and message that claims. */
enum { UNITS = 8 };
/* Cycles a call: a call then leaves a third of an error that a cycle lets fade by 1 in 30. */
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
        CNI_ARRAY(own->pairs, rows),          CNI_ARRAY(own->first, kept),
        CNI_ARRAY(own->later, kept),          CNI_ARRAY(own->spare, node->states),
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

/* The two phases send, of so many in a node; by messages kept. */
static void send(const cni_node_chain *node, const double here[], double kept[])
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
    send(own->node, own->node->pi, own->kept);
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

/* c of two messages that have come in by different channels. */
static double arrivals_meet(const cni_own_model *own)
{
    double others = own->node->channels - 1.0, other = (1.0 - own->onward) / others;
    return 2.0 * own->onward * other + (others - 1.0) * other * other;
}

static void add_flow(cni_own_model *own, size_t messages, double weight, const cni_urn_tally *tally)
{
    size_t row = (size_t)own->node->channels + 1;
    for (size_t j = 0; j < row; j++) {
        own->flow[messages * row + j] += weight * tally->claimed[j];
        own->pairs[messages * row + j] += weight * tally->pairs[j];
    }
}

/* The claims of those that a node has kept. Returns how much a message from a channel is drawn to
 * the channel of each of them, so that it wants the same as a given one with probability (1 + V) /
 * n. */
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

/* Those kept claim, then those from the channels. */
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

/* The claims of a node by its number of messages: kept, then from the channels, then its own, with
 * probability a one more. */
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

/* ---- the lean of P_t ---- */

/* By messages in the node, after so many channels have brought what they bring. */
static void receive(cni_own_model *own, const double kept[], uint32_t channels)
{
    double t[CNI_CHANNELS + 1];
    cni_binomial(channels, own->transit, t);
    memset(own->spare, 0, own->node->states * sizeof(double));
    for (size_t x = 0; x < own->node->states - own->node->channels; x++)
        for (uint32_t k = 0; k <= channels; k++)
            own->spare[x + k] += kept[x] * t[k];
}

/* New messages are admitted, and the two phases send. */
static void step_tables(cni_own_model *own, double kept[])
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
    send(node, own->spare, kept);
}

/* R(1), and L */
static void respond(cni_own_model *own, double fades)
{
    size_t states = own->node->states, kinds = states - own->node->channels;
    uint64_t work = (uint64_t)states * own->node->channels;
    receive(own, own->kept, own->node->channels - 1);
    for (size_t i = states; i-- > 0;)
        own->spare[i] = (i > 0 ? own->spare[i - 1] : 0.0) - own->spare[i];
    step_tables(own, own->first);
    for (int cycle = 0; cycle < CYCLES && cni_budget_work(own->node->budget, work); cycle++) {
        receive(own, own->later, own->node->channels);
        step_tables(own, own->later);
        for (size_t x = 0; x < kinds; x++)
            own->later[x] = own->first[x] + fades * own->later[x];
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
    double sent = together > 0.0 ? together / fmax(variance, together) : 1.0; /* b */
    double next = going_on * going_on * own->rivals.insist * sent * waiting * idle;
    respond(own, 1.0 - sent);
    for (size_t x = 1; x < kinds; x++)
        response += (double)x * own->later[x];
    if (response > 0.0)
        next +=
            cni_correlated_queues(node, own->path->digits, next * response, going_on) / response;
    for (size_t x = 0; x < kinds; x++) {
        double before = node->lean[x];
        if (own->kept[x] > SELDOM)
            node->lean[x] = fmin(1.0, fmax(-1.0, next * own->later[x] / own->kept[x]));
        else
            node->lean[x] = x > 0 ? node->lean[x - 1] : 0.0;
        change += own->kept[x] * fabs(node->lean[x] - before);
    }
    return change;
}
