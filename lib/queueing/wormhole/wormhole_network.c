/*
 * The library's own wormhole model, `model_variant` own (docs/theory/wormhole.md). Rounds follow
 * the worms (wormhole_follow.c) and fill the channels (wormhole_occupancy.c). The queues at the
 * sources and broadcasts come after the last round.
 */
#include "queueing/wormhole/wormhole_network.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define PI 3.14159265358979323846

/* ---- before the first round: nothing waits and nothing is shared ---- */

static cn_status make_room(cni_wormhole_net *n)
{
    const cni_worm_routes *y = &n->routes;
    uint64_t channels = y->channels, groups = channels * y->groups, inputs = channels * n->inputs;
    const cni_array arrays[] = {CNI_ARRAY(n->split, y->count),
                                CNI_ARRAY(n->adaptive, y->count),
                                CNI_ARRAY(n->width, n->channels),
                                CNI_ARRAY(n->nothing, n->channels),
                                CNI_ARRAY(n->group, groups),
                                CNI_ARRAY(n->input, groups * n->inputs),
                                CNI_ARRAY(n->bunching, channels),
                                CNI_ARRAY(n->state, 2 * n->states),
                                CNI_ARRAY(n->law, 2 * channels * n->states),
                                CNI_ARRAY(n->eager, channels),
                                CNI_ARRAY(n->view, 2 * groups),
                                CNI_ARRAY(n->sum, 2 * channels << y->groups),
                                CNI_ARRAY(n->beside, inputs * y->kinds * n->channels),
                                CNI_ARRAY(n->choice, (uint64_t)y->kinds * (n->channels + 1)),
                                CNI_ARRAY(n->seen, y->kinds),
                                CNI_ARRAY(n->finds, (uint64_t)n->channels * y->kinds),
                                CNI_ARRAY(n->demand, 2 * channels * y->kinds),
                                CNI_ARRAY(n->stall, channels),
                                CNI_ARRAY(n->limit, channels * (n->channels + 1)),
                                CNI_ARRAY(n->brought, inputs),
                                CNI_ARRAY(n->queue, channels)};
    return cni_allocate_arrays(&n->block, arrays);
}

/* Finds for each set of groups its virtual channels, and the share of each group in them. */
static void find_parts(cni_wormhole_net *n)
{
    for (uint32_t set = 1; set < 1 << CNI_WORMHOLE_GROUPS; set++) {
        for (uint32_t g = 0; g < n->routes.groups; g++)
            n->size_of[set] += cni_has_group(set, g) ? n->routes.size[g] : 0.0;
        for (uint32_t g = 0; g < n->routes.groups; g++)
            n->part[set][g] = cni_has_group(set, g) ? n->routes.size[g] / n->size_of[set] : 0.0;
    }
}

static cn_status start_net(cni_wormhole_net *n)
{
    n->inputs = n->routes.inputs + 2;
    n->states = 1;
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        n->stride[g] = n->states;
        n->states *= n->routes.size[g] + 1;
    }
    CNI_TRY(make_room(n));
    cni_wormhole_states(n);
    for (uint32_t k = 0; k < n->channels; k++) {
        n->width[k] = 1.0 / ((k + 1.0) * (k + 2.0));
        n->nothing[k] = 1.0;
    }
    n->lowest = 1.0 / (n->channels + 1.0);
    find_parts(n);
    size_t one = (size_t)n->routes.kinds * n->inputs * n->channels;
    for (size_t c = 0; c < n->routes.channels; c++) {
        for (uint32_t i = 0; i < 2 * n->states; i++) /* any law that is nowhere 0 */
            if (n->state[i].all >= n->state[i].own)
                n->law[2 * c * n->states + i] = pow(0.1, n->state[i].all);
        for (size_t i = c * one; i < (c + 1) * one; i++)
            n->beside[i] = 1.0;
        n->eager[c] = 1.0;
        for (uint32_t g = 0; g < n->routes.groups; g++)
            n->group[cni_group_at(n, c, g)].birth = 0.1;
        CNI_TRY(cni_budget_go_on(n->budget, 32 * (uint64_t)n->states + 2 * one));
    }
    return CN_OK;
}

/* ---- rounds ---- */

/* Rounds before delays are compared, since the first rounds still come from a network without
 * waits; rounds after which there is no steady state. */
enum { LEAST_ROUNDS = 8, MOST_ROUNDS = 300 };

static cn_status check_queues(const cni_wormhole_net *n)
{
    for (size_t c = 0; c < n->routes.channels; c++)
        if (!(n->queue[c].first < 1.0))
            return CN_ERR_UNSTABLE;
    return CN_OK;
}

/* Makes rounds until the mean delay changes by less than this share of it. */
static cn_status iterate_rounds(cni_wormhole_net *n, const cni_wormhole_case *c, double accuracy)
{
    double before = 0.0;
    if (!(c->channel * c->flits < 1.0))
        return CN_ERR_UNSTABLE;
    n->load = (1.0 - c->beta) * c->load;
    n->copies = c->broadcast + c->replica;
    for (uint32_t end = n->rounds + MOST_ROUNDS; n->rounds < end; n->rounds++) {
        CNI_TRY(cni_wormhole_follow(n));
        CNI_TRY(check_queues(n));
        CNI_TRY(cni_wormhole_occupy(n));
        double now = n->flow + n->wait;
        if (n->rounds >= LEAST_ROUNDS && fabs(now - before) <= accuracy * now)
            return CN_OK;
        before = now;
    }
    return CN_ERR_UNSTABLE;
}

/* ---- copies that share an input or a broadcast ---- */

/* The probability that a copy that arrives over dimension d - k of the order of its broadcast is
 * sent on over d. It is also the share of the copies in the queue of d that came over d - k. */
static double forwarded_share(const cni_wormhole_case *c, uint32_t k)
{
    return (ldexp(c->nodes, -(int)k) - 1.0) / (c->nodes - 1.0);
}

/* s of W19: the share of the copies in a queue that came over the same channel as another copy. */
static double same_input(const cni_wormhole_case *c)
{
    double squares = 0.0;
    for (uint32_t k = 1; k < c->n; k++)
        squares += forwarded_share(c, k) * forwarded_share(c, k);
    return squares;
}

/* The number of nodes that send m copies, over the number of nodes that send n - 1. */
static double senders_of(uint32_t n, uint32_t m)
{
    return ldexp(1.0, m == n ? 0 : (int)(n - 1 - m));
}

/* c(n) of W21. Take a broadcast, and the other broadcasts that a node sends on over one of its
 * dimensions: the share of these that the node also sends on over another of its dimensions. Every
 * broadcast takes the dimensions in their order, around. */
static double crossed_together(uint32_t n)
{
    double both = 0.0, pairs = 0.0;
    for (uint32_t apart = 1; apart < n; apart++) {
        double ours = 0.0, covered = 0.0, all = 0.0;
        for (uint32_t m = 1; m <= n; m++) {
            double sides = (m > apart ? m - apart : 0.0) + (m + apart > n ? m + apart - n : 0.0);
            ours += m > apart ? senders_of(n, m) * (m - apart) : 0.0;
            covered += senders_of(n, m) * fmin(m, sides);
            all += senders_of(n, m) * m;
        }
        both += ours * covered / all;
        pairs += ours;
    }
    return pairs > 0.0 ? both / pairs : 0.0;
}

/* ---- source queues ---- */

typedef struct queueing {
    double unicast, copy, copy_variance; /* mean waits; variance of the wait of a copy */
} queueing;

/* The variance of the service of a copy: of its flits and of its wait. */
static double copy_variance(const cni_wormhole_net *n)
{
    return cni_sharing_variance(n, n->copy.flow - n->flits) +
           cni_wait_variance(n->copy.wait, n->copy.once_blocked);
}

/* The fraction and the bracket of W19: the share of the work of a queue that a copy cannot find,
 * if all copies came over one channel. These copies come one after the other. So a copy finds of
 * the copy before only the cycles that the copy before takes longer here than on that channel:
 * for two times of one deviation this is deviation / sqrt(pi) on the average, where M/2 is left
 * of a message at any time. */
static double unseen_share(const cni_wormhole_net *n, const cni_wormhole_service *q)
{
    double time = n->copy.wait + n->copy.flow;
    double variance = cni_sharing_variance(n, n->copy.flow - n->flits);
    double found = sqrt(variance / PI) / (0.5 * n->flits);
    return n->copies * (time * time + copy_variance(n)) / q->second * fmax(0.0, 1.0 - found);
}

/* W20: Pollaczek and Khinchine's formula where copies find less than the mean work, which is the
 * sum of rate times E[S^2]/2 + (work found) E[S]. Copies that are sent on join before the new
 * unicasts of a cycle, so unicasts find all of these copies and not half. In the one queue of a
 * node the copies of a broadcast come together; the first copy and unicasts wait for the work that
 * they find. Copies that are sent on find nothing there that their own input has brought, one of
 * n. */
static queueing cube_queue(const cni_wormhole_net *n, const cni_wormhole_case *c)
{
    const cni_wormhole_service *q = &n->queue[0];
    double idle = 1.0 - q->first, time = n->copy.wait + n->copy.flow, variance = copy_variance(n);
    double second = q->second, third = q->third, sent_on = 0.0;
    for (uint32_t m = 1; m <= c->n && n->one_port; m++) {
        double rate = c->broadcast * senders_of(c->n, m), pairs = m * (m - 1.0);
        second += rate * pairs * time * time;
        third += rate * pairs * time * ((m + 1.0) * time * time + 3.0 * variance);
        sent_on += m < c->n ? rate * m * (m * time * time + variance) : 0.0;
    }
    double missed =
        n->one_port ? sent_on / second / c->n : same_input(c) * unseen_share(n, q) * idle;
    double of_replicas = (n->one_port ? c->n : 1.0) * c->replica * time;
    double of_copies = n->one_port ? of_replicas : n->copies * time;
    double wait = second / (2.0 * (idle + of_copies * missed));
    return (queueing){wait + 0.5 * of_replicas, wait * (1.0 - missed),
                      (wait * wait + third / (3.0 * idle)) * (1.0 - missed)};
}

/* W18: Pollaczek and Khinchine's formula, as a mean over all messages. */
static double source_wait(const cni_wormhole_net *n)
{
    double sum = 0.0;
    if (n->one_port)
        return n->queue[0].second / (2.0 * (1.0 - n->queue[0].first));
    for (size_t c = 0; c < n->routes.channels; c++) {
        const cni_wormhole_service *q = &n->queue[c];
        sum += n->routes.members[c] * q->rate * q->second / (2.0 * (1.0 - q->first));
    }
    return sum / n->load;
}

/* ---- results ---- */

enum { UNITS_OF_A_STEP = 1 << 17 }; /* work in the budget for the law of the last node */

/* A step with an excess of this mean and variance. Without the least variance of 0.01 of the
 * squared mean the excess would fall between two cells of the grid of wormhole_tree.c. */
static cni_wormhole_step step_of(double base, double at_once, double excess, double variance)
{
    double later = 1.0 - at_once;
    cni_wormhole_step step = {.base = base, .at_once = at_once};
    if (later > 0.0) {
        step.mean = excess / later;
        step.variance = (variance + excess * excess) / later - step.mean * step.mean;
        step.variance = fmax(step.variance, 0.01 * step.mean * step.mean);
    }
    return step;
}

/* W21 and W22. The excess is 0 when the queue is idle, not all is held and no message comes
 * meanwhile. Sharing adds D cycles, M / 2 for each message that comes: so 2 D / M messages come,
 * and none with probability exp(-2 D / M). */
static cn_status broadcast_delay(const cni_wormhole_net *n, const cni_wormhole_case *c,
                                 const queueing *wait, double *delay)
{
    double idle = 1.0 - n->queue[0].first, unblocked = 1.0 - n->copy.blocked;
    double added = n->copy.flow - n->flits, alone = exp(-2.0 * added / n->flits);
    double variance = copy_variance(n), copies = n->copies * (n->one_port ? c->n : 1.0);
    double of_copies = copies * (n->copy.wait + n->copy.flow) / n->queue[0].first;
    double together = of_copies * crossed_together(c->n);
    cni_wormhole_step service =
        step_of(n->flits, unblocked * alone, n->copy.wait + added, variance);
    cni_wormhole_step queued =
        n->one_port ? step_of(1.0 + c->startup, idle, wait->copy, wait->copy_variance)
                    : step_of(n->flits + 1.0 + c->startup, idle * unblocked * alone,
                              wait->copy + n->copy.wait + added, wait->copy_variance + variance);
    CNI_TRY(cni_budget_go_on(n->budget, (uint64_t)c->n * (n->one_port ? 8 : 1) * UNITS_OF_A_STEP));
    return cni_wormhole_last(c->n, n->one_port ? &service : NULL, &queued, together, delay);
}

/* The wait of the first of n copies in as many queues. Each copy waits with the same
 * probability, for an exponential time then. */
static double first_wait(const cni_wormhole_net *n, const cni_wormhole_case *c,
                         const queueing *wait)
{
    double waits = 1.0 - (1.0 - n->queue[0].first) * (1.0 - n->copy.blocked);
    double mean = wait->unicast + n->copy.wait;
    return n->one_port ? mean : cni_power(waits, c->n - 1) * mean / c->n;
}

/* E[v^2] / E[v], v being the virtual channels held on a channel. */
static double multiplexing(const cni_wormhole_net *n)
{
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < 2 * n->routes.channels * n->states; i++) {
        double held = n->state[i % (2 * n->states)].all;
        double p = n->law[i] * n->routes.members[i / n->states / 2];
        first += p * held;
        second += p * held * held;
    }
    return first > 0.0 ? second / first : 1.0;
}

static cn_status put_outcome(const cni_wormhole_net *n, const cni_wormhole_case *c,
                             cni_wormhole_outcome *outcome)
{
    *outcome =
        (cni_wormhole_outcome){.unicast_delay = c->startup + n->flow + n->wait + n->routes.hops,
                               .waiting_per_hop = n->wait / n->routes.hops,
                               .multiplexing = multiplexing(n)};
    if (!n->routes.by_distance) {
        outcome->unicast_delay += source_wait(n);
        return CN_OK;
    }
    queueing wait = cube_queue(n, c);
    outcome->unicast_delay += wait.unicast;
    outcome->waiting_per_hop =
        (c->unicast * outcome->waiting_per_hop + n->copies * n->copy.wait) / c->channel;
    outcome->first_wait = first_wait(n, c, &wait);
    return broadcast_delay(n, c, &wait, &outcome->broadcast_delay);
}

/* Of the solution at the greater load, which says whether a prediction is extrapolated. Near the
 * limit rounds change delays by less than this only if the limit is as near. */
static const double ACCURACY_OF_CLAIM = 1e-3;

/* Goes on from the steady state to the steady state of a greater load: the load over the claimed
 * share. Without one the prediction is extrapolated. */
static cn_status find_claim(cni_wormhole_net *n, const cni_wormhole_case *c, int *extrapolated)
{
    cni_wormhole_case greater = *c;
    cni_wormhole_set_load(&greater, c->load / c->claimed);
    cn_status status = iterate_rounds(n, &greater, ACCURACY_OF_CLAIM);
    *extrapolated = status == CN_ERR_UNSTABLE;
    return *extrapolated ? CN_OK : status;
}

static cn_status solve_own(cni_wormhole_net *n, const cni_wormhole_case *c,
                           cni_wormhole_outcome *outcome)
{
    CNI_TRY(start_net(n));
    CNI_TRY(iterate_rounds(n, c, 1e-6));
    if (outcome == NULL)
        return CN_OK;
    CNI_TRY(put_outcome(n, c, outcome));
    return find_claim(n, c, &outcome->extrapolated);
}

cn_status cni_wormhole_own(const cni_wormhole_case *c, const cni_worm_routes *routes,
                           cni_wormhole_outcome *outcome)
{
    cni_wormhole_net n = {.routes = *routes,
                          .budget = c->budget,
                          .channels = c->channels,
                          .one_port = c->one_port,
                          .degree = c->degree,
                          .flits = c->flits,
                          .buffers = c->buffers};
    cn_status status = CN_OK;
    if (c->load > 0.0)
        status = solve_own(&n, c, outcome);
    else if (outcome != NULL)
        *outcome = (cni_wormhole_outcome){.unicast_delay = c->flits + c->distance + c->startup,
                                          .broadcast_delay = c->n * (c->flits + 1.0 + c->startup),
                                          .multiplexing = 1.0};
    cni_release(n.block);
    return status;
}
