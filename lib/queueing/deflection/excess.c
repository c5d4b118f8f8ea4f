/*
 * A channel that is busy is more likely than others to be busy in later cycles. So a node that has kept more messages than
 * most, because more came, will have more coming in.
 *
 * Let a be 1 in a cycle in which a channel brings a message in transit, c(t) the covariance of a and of a, t cycles later,
 * and R(t) by how much the distribution of the number kept is another one t cycles after one more message has come. To
 * first order the covariance of a and of x messages being kept is
 *
 *     excess(x) = c(1) R(1) + c(2) R(2) + ...,
 *
 * and P_t of a node that has kept x is higher by excess(x) over the probability of x. R(t) follows from the chain: R(1)
 * is that of one more message which the channel brings beside those of the others, and a cycle of the chain, with the
 * mean P_t, makes R(t + 1) of R(t).
 *
 * c. A channel is busy when it is claimed. With q claims in the mean and rho the probability that there are any, the
 * covariance of claims and of being busy is q (1 - rho), and after the cycle that of what was kept, (q - rho) (1 - rho).
 * C of it makes the channel busy in the next cycle: C is P(free twice) - P(free)^2, and a channel is free twice when of
 * those kept, none of whom has lost it, none now picks it instead of its own, (1 - (1-r)/(n-1))^kept, and nobody else
 * does. The rest goes as claims do in the mean: the regression of busy on claims, b = q (1 - rho) / (variance of claims), is
 * the share that is sent in a cycle. Of those that have lost the channel the share r claims it again. With the share p of
 * the hops that are not the last,
 *
 *     c(1) = p^2 C,  c(t) = p^2 r b ((q - rho) (1 - rho) - C) (1 - b)^(t-2).
 *
 * The covariance that queues of all nodes have in common (correlation.c) is added, with a response that fades as slowly.
 *
 * The sum over t >= 2 is the fixed point of L = R(2) + (1 - b) (a cycle of L). It is approached from that of the last call,
 * by some cycles each time.
 *
 * Check value, of this code: n = 3, M = 9, load 1, P_t = 0.6, published claims, going_on 0.7, insist 0.6, 5 pairs: a
 * covariance of 0.016193092295.
 */
#include "queueing/deflection/excess.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/deflection/correlation.h"

/* Cycles a call: a call then leaves a third of an error that a cycle lets fade by 1 in 30. */
enum { CYCLES = 32 };

/* Where fewer nodes keep so many, the quotient of the excess and of their share has no digits. */
#define SELDOM 1e-12

cn_status cni_excess_open(cni_node_chain *node, cni_excess *excess)
{
    size_t kept = node->states - node->channels;
    *excess = (cni_excess){.node = node};
    const cni_array arrays[] = {CNI_ARRAY(excess->first, kept), CNI_ARRAY(excess->later, kept),
                                CNI_ARRAY(excess->spare, node->states)};
    return cni_allocate_arrays(&excess->block, arrays);
}

void cni_excess_close(cni_excess *excess)
{
    cni_release(excess->block);
    memset(excess, 0, sizeof *excess);
}

/* By messages in the node, after so many channels have brought what they bring. */
static void receive(cni_excess *e, const double kept[], uint32_t channels, double transit)
{
    const cni_node_chain *node = e->node;
    double t[CNI_CHANNELS + 1];
    cni_binomial(channels, transit, t);
    memset(e->spare, 0, node->states * sizeof(double));
    for (size_t x = 0; x < node->states - node->channels; x++)
        for (uint32_t k = 0; k <= channels; k++)
            e->spare[x + k] += kept[x] * t[k];
}

/* New messages are admitted, and the two phases send; by messages kept. */
static void go_on(cni_excess *e, double kept[])
{
    const cni_node_chain *node = e->node;
    size_t n = node->channels, top = node->states - 1;
    double carried = 0.0;
    for (size_t i = 0; i < top; i++) {
        double here = e->spare[i] + carried;
        e->spare[i] = here * node->rest;
        carried = here * node->ratio;
    }
    e->spare[top] += carried;
    for (size_t x = 0; x <= top - n; x++) {
        kept[x] = 0.0;
        for (size_t j = 0; j <= n; j++)
            kept[x] += e->spare[x + j] * node->both[(x + j) * (n + 1) + j];
    }
}

/* R(1) */
static void respond(cni_excess *e, const double kept[], double transit)
{
    receive(e, kept, e->node->channels - 1, transit);
    for (size_t i = e->node->states; i-- > 0;)
        e->spare[i] = (i > 0 ? e->spare[i - 1] : 0.0) - e->spare[i];
    go_on(e, e->first);
}

/* L = R(2) + fades (a cycle of L), that is a cycle of R(1) + fades L */
static void approach(cni_excess *e, double transit, double fades)
{
    uint64_t work = (uint64_t)e->node->states * e->node->channels;
    for (int cycle = 0; cycle < CYCLES && cni_budget_work(e->node->budget, work); cycle++) {
        for (size_t x = 0; x < e->node->states - e->node->channels; x++)
            e->later[x] = e->first[x] + fades * e->later[x];
        receive(e, e->later, e->node->channels, transit);
        go_on(e, e->later);
    }
}

/* C */
static double free_twice(const cni_node_chain *node, const cni_excess_causes *causes)
{
    size_t n = node->channels, spare = node->states - 1 - n;
    double twice = 0.0, free = 0.0, avoid = 1.0, next = fmax(0.0, 1.0 - node->rho_1);
    for (size_t kept = 0; kept <= spare; kept++) {
        double unused = 0.0; /* probability that a node keeps so many and a channel is free */
        for (size_t j = 0; j < n && kept + j < node->states; j++)
            unused += node->pi[kept + j] * node->both[(kept + j) * (n + 1) + j] * (double)(n - j) /
                      (double)n;
        twice += unused * avoid;
        free += causes->kept[kept] * causes->free[kept];
        avoid *= 1.0 - (1.0 - causes->insist) / ((double)n - 1.0);
    }
    if (free <= 0.0)
        return 0.0;
    double idle =
        fmax(0.0, 1.0 - node->rho_1 - node->rho_2); /* no covariance is above idle (1 - idle) */
    return fmin(idle * (1.0 - idle), fmax(0.0, next * (twice / free - idle)));
}

/* c(1), c(2) and 1 - b. */
typedef struct busy_again {
    double next, then, fades;
} busy_again;

static busy_again covariances(const cni_node_chain *node, const cni_excess_causes *causes)
{
    double n = node->channels, idle = fmax(0.0, 1.0 - node->rho_1), waiting = 0.0;
    for (size_t x = 1; x < node->states - node->channels; x++)
        waiting += causes->kept[x] * (double)x / n;
    double claims = waiting + node->rho_1, together = claims * idle;
    double variance = 2.0 * causes->pairs / n + claims - claims * claims;
    double sent = together > 0.0 ? together / fmax(variance, together) : 1.0;
    double next = free_twice(node, causes), left = fmax(0.0, waiting * idle - next);
    double transit = causes->going_on * causes->going_on;
    return (busy_again){transit * next, transit * causes->insist * sent * left, 1.0 - sent};
}

double cni_excess_update(cni_excess *excess, const cni_excess_causes *causes)
{
    cni_node_chain *node = excess->node;
    size_t kinds = node->states - node->channels;
    busy_again c = covariances(node, causes);
    double slow = 0.0, covariance = 0.0, change = 0.0;
    respond(excess, causes->kept, causes->transit);
    approach(excess, causes->transit, c.fades);
    for (size_t x = 1; x < kinds; x++) {
        slow += (double)x * (excess->first[x] + c.fades * excess->later[x]);
        covariance += (double)x * (c.next * excess->first[x] + c.then * excess->later[x]);
    }
    double queues =
        cni_correlated_queues(node, causes->digits, covariance, causes->going_on, causes->insist);
    double more = slow > 0.0 ? queues / slow : 0.0;
    for (size_t x = 0; x < kinds; x++) {
        double before = node->lean[x];
        double here =
            (c.next + more) * excess->first[x] + (c.then + more * c.fades) * excess->later[x];
        if (causes->kept[x] > SELDOM)
            node->lean[x] = fmin(1.0, fmax(-1.0, here / causes->kept[x]));
        else
            node->lean[x] = x > 0 ? node->lean[x - 1] : 0.0;
        change += causes->kept[x] * fabs(node->lean[x] - before);
    }
    return change;
}
