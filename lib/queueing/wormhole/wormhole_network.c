/*
 * The library's own wormhole model on any network, from the ways of a routing (docs/wormhole-model.md): rounds of
 * following the worms (wormhole_follow.c) and filling the channels (wormhole_occupancy.c), and the queues at
 * the sources.
 */
#include "queueing/wormhole/wormhole_network.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- before the first round: nothing waits and nothing is shared ---- */

typedef struct array {
    double **at;
    uint64_t count;
    double value;
} array;

static cn_status make_room(cni_wormhole_net *n)
{
    const cni_worm_routes *y = &n->ways;
    uint64_t groups = (uint64_t)n->places * y->groups, all = 0;
    const array arrays[] = {
        {&n->split, y->count, 0.0},
        {&n->adaptive, y->count, 0.0},
        {&n->rate, groups, 0.0},
        {&n->held, groups, 0.0},
        {&n->before, groups, 0.0},
        {&n->square, groups, 0.0},
        {&n->turn, groups * n->inputs, 0.0},
        {&n->kept, groups * n->inputs, 0.0},
        {&n->behind, groups * n->inputs, 0.0},
        {&n->pairs, (uint64_t)n->places * n->inputs, 1.0},
        {&n->demand, (uint64_t)n->places * y->kinds, 0.0},
        {&n->queue, 3 * (uint64_t)n->places, 0.0},
        {&n->law, (uint64_t)n->places * n->states, 0.0},
        {&n->birth, groups, 0.1},
        {&n->flowing, n->places, 1.0},
        {&n->full, groups, 0.0},
        {&n->escaped, groups, 0.0},
        {&n->relief, groups, 0.0},
        {&n->variation, groups, 0.0},
        {&n->found, groups * n->inputs, 0.0},
        {&n->blocked, groups * n->inputs, 0.0},
        {&n->beside, (uint64_t)n->places * y->kinds * n->inputs * n->channels, 1.0}};
    enum { ARRAYS = sizeof arrays / sizeof arrays[0] };
    for (size_t i = 0; i < ARRAYS; i++)
        all += arrays[i].count;
    double *next = n->block = cni_allocate(all, sizeof *n->block);
    if (next == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < ARRAYS; next += arrays[i++].count) {
        *arrays[i].at = next;
        for (uint64_t k = 0; k < arrays[i].count; k++) {
            if (!cni_budget_pass(n->budget, k, 4))
                return cni_budget_fail(n->budget);
            next[k] = arrays[i].value;
        }
    }
    return CN_OK;
}

static cn_status start(cni_wormhole_net *n)
{
    n->places = (size_t)n->ways.nodes * n->ways.ports;
    n->inputs = n->ways.ports + 2;
    n->states = 1;
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        n->stride[g] = n->states;
        n->states *= n->ways.size[g] + 1;
    }
    CNI_TRY(make_room(n));
    for (size_t c = 0; c < n->places; c++) {
        for (uint32_t i = 0; i < n->states; i++)
            n->law[c * n->states + i] =
                pow(0.1, cni_wormhole_held_in(n, i)); /* any that is nowhere 0 */
        CNI_TRY(cni_budget_go_on(n->budget, 16 * (uint64_t)n->states));
    }
    return CN_OK;
}

/* ---- rounds ---- */

enum { LEAST_ROUNDS = 8, MOST_ROUNDS = 300 };

static cn_status check_queues(cni_wormhole_net *n)
{
    for (size_t c = 0; c < n->places; c++)
        if (!(n->queue[3 * c + 1] < 1.0))
            return CN_ERR_UNSTABLE;
    return CN_OK;
}

static cn_status iterate(cni_wormhole_net *n)
{
    double before = 0.0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        CNI_TRY(cni_wormhole_follow(n));
        CNI_TRY(check_queues(n));
        CNI_TRY(cni_wormhole_occupy(n, round == 0));
        double now = n->flow + n->wait;
        if (round >= LEAST_ROUNDS && fabs(now - before) <= 1e-7 * now)
            return CN_OK;
        before = now;
    }
    return CN_ERR_UNSTABLE;
}

/* ---- results ---- */

/* Pollaczek and Khinchine's, mean over all messages. */
static double source_wait(const cni_wormhole_net *n)
{
    double sum = 0.0;
    for (size_t c = 0; c < n->places; c++) {
        const double *q = &n->queue[3 * c];
        sum += q[0] * q[2] / (2.0 * (1.0 - q[1]));
    }
    return sum / (n->load * n->ways.nodes);
}

static double multiplexing(const cni_wormhole_net *n)
{
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < n->places * n->states; i++) {
        double held = cni_wormhole_held_in(n, (uint32_t)(i % n->states));
        first += n->law[i] * held;
        second += n->law[i] * held * held;
    }
    return first > 0.0 ? second / first : 1.0;
}

static cn_status solve(cni_wormhole_net *n, cni_wormhole_outcome *outcome)
{
    CNI_TRY(start(n));
    CNI_TRY(iterate(n));
    outcome->unicast_delay += source_wait(n) + n->flow + n->wait + n->ways.hops;
    outcome->waiting_per_hop = n->wait / n->ways.hops;
    outcome->multiplexing = multiplexing(n);
    return CN_OK;
}

cn_status cni_wormhole_network(const cn_scenario *scenario, double load,
                               const cni_worm_routes *ways, cni_wormhole_outcome *outcome)
{
    const double *value = scenario->value;
    cni_wormhole_net n = {.ways = *ways,
                          .budget = scenario->budget,
                          .channels = (uint32_t)value[CN_PARAM_VIRTUAL_CHANNELS],
                          .flits = value[CN_PARAM_MESSAGE_FLITS],
                          .buffers = value[CN_PARAM_FLIT_BUFFERS],
                          .load = load};
    *outcome = (cni_wormhole_outcome){.unicast_delay = value[CN_PARAM_STARTUP_LATENCY],
                                      .multiplexing = 1.0};
    if (load <= 0.0) {
        outcome->unicast_delay += n.flits + ways->hops;
        return CN_OK;
    }
    cn_status status = solve(&n, outcome);
    cni_release(n.block);
    return status;
}
