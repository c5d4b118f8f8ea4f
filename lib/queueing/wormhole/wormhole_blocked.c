/*
 * What inputs bring to channels of which all virtual channels are held (docs/wormhole-model.md): headers that come at any
 * time, and those that come right behind another one of the same input, for which that one makes room.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_network.h"
#include "topology/topology.h"

/* ---- what inputs bring ---- */

/* Of the messages over a channel those that come right behind another, since they waited for what that left, or its queue had
 * them. */
static double share_behind(const cni_wormhole_net *n, size_t channel)
{
    double rate = 0.0, behind = 0.0;
    for (size_t from = cni_input_at(n, channel, 0, 0); from < cni_input_at(n, channel + 1, 0, 0);
         from++) {
        rate += n->turn[from];
        behind += n->turn[from] * (1.0 - (1.0 - n->behind[from]) * (1.0 - n->found[from]));
    }
    return rate > 0.0 ? behind / (rate * rate) : 0.0;
}

/* Pairs of messages that hold virtual channels of a channel, over those of a channel that any number may hold. */
static double pairs_on(const cni_wormhole_net *n, size_t channel)
{
    double mean = 0.0, pairs = 0.0;
    for (uint32_t i = 0; i < n->states; i++) {
        double p = n->law[channel * n->states + i], held = cni_wormhole_held_in(n, i);
        mean += p * held;
        pairs += p * held * (held - 1.0);
    }
    return mean > 0.0 ? fmin(1.0, pairs / (mean * mean)) : 1.0;
}

cn_status cni_wormhole_bring(cni_wormhole_net *n)
{
    const cni_worm_routes *y = &n->ways;
    uint64_t work = 8 * (uint64_t)n->states + 4 * (uint64_t)y->groups * (n->inputs + y->ports);
    for (size_t c = 0; c < n->places; c++) {
        uint32_t node = (uint32_t)(c / y->ports), port = (uint32_t)(c % y->ports);
        if (port >= cni_degree(y->topology, node))
            continue;
        size_t head = (size_t)cni_neighbor(y->topology, node, port) * y->ports;
        double behind = share_behind(n, c), pairs = pairs_on(n, c), *queue = n->queue + 3 * c;
        for (size_t on = head; on < head + y->ports; on++) {
            n->pairs[on * n->inputs + y->input[c]] = pairs;
            for (uint32_t g = 0; g < y->groups; g++) {
                size_t from = cni_input_at(n, on, g, y->input[c]);
                n->behind[from] = behind * n->turn[from];
            }
        }
        for (uint32_t g = 0; g < y->groups && queue[0] > 0.0; g++) {
            size_t from = cni_input_at(n, c, g, cni_own_queue(n));
            n->behind[from] = queue[1] * n->turn[from] / queue[0];
        }
        CNI_TRY(cni_budget_go_on(n->budget, work));
    }
    return CN_OK;
}

/* ---- a group of which all are held ---- */

enum { MOST_INPUTS = CNI_MOST_PORTS + 2 };

typedef struct full_group {
    size_t at;
    uint32_t size;
    double full;               /* P(all held) */
    double left;               /* rate of departures from there */
    double kept;               /* sum over the inputs */
    double own;                /* P(the queue of the channel holds one) */
    double alone;              /* share of the headers that may take no other channel */
    double part[MOST_INPUTS];  /* share of those held that came over an input */
    double all[MOST_INPUTS];   /* P(that holds all | all are held) */
    double waits[MOST_INPUTS]; /* rate of its headers that wait, here alone */
} full_group;

static double held_by_queue(const cni_wormhole_net *n, size_t channel)
{
    double held = 0.0;
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        double all = 0.0, own = n->kept[cni_input_at(n, channel, g, cni_own_queue(n))];
        for (uint32_t input = 0; input < n->inputs; input++)
            all += n->kept[cni_input_at(n, channel, g, input)];
        held += all > 0.0 ? own / all * n->held[cni_group_at(n, channel, g)] : 0.0;
    }
    return held;
}

static void look_at_inputs(const cni_wormhole_net *n, full_group *f)
{
    const double *kept = n->kept + f->at * n->inputs;
    f->kept = 0.0;
    for (uint32_t input = 0; input < n->inputs; input++)
        f->kept += kept[input];
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        f->part[input] = kept[input] / f->kept;
        f->all[input] = pow(f->part[input], f->size);
        f->waits[input] = n->turn[from] * n->found[from] * f->alone;
    }
}

/* Rate of headers of an input that wait, while it does not hold all itself. Where no other brings any there are none. */
static double waits_for_others(const full_group *f, uint32_t input)
{
    return f->all[input] < 0.999 ? f->waits[input] / (1.0 - f->all[input]) : 0.0;
}

/* P(an input has no other header to bring | all are held): it holds those itself, or its own wait for the rest. It holds each
 * with probability `part`; so many wait in the proportions 1, ratio, ratio^2 .. for as many as it has left. */
static double none_to_bring(double part, double ratio, uint32_t size)
{
    double sum = 0.0, weights = 1.0, last = 1.0, held = pow(part, size);
    for (uint32_t left = 0; part > 0.0; left++) {
        sum += held * last / weights;
        if (left == size)
            return sum;
        held *= (1.0 - part) / part * (size - left) / (left + 1.0);
        last *= ratio;
        weights += last;
    }
    return 0.0;
}

/* P(a header that comes at any time finds all held). A queue brings none while it sends. */
static double found_by_chance(const cni_wormhole_net *n, const full_group *f, uint32_t input)
{
    size_t from = f->at * n->inputs + input;
    double size = f->size, relief = n->relief[f->at];
    if (input == cni_other_queue(n))
        return f->full;
    if (input == cni_own_queue(n))
        return f->full * pow(1.0 - f->part[input], size) / (1.0 - fmin(0.99, f->own));
    double wait = relief > 0.0 ? (size + n->variation[f->at]) / (size + 1.0) / relief : 0.0;
    double come = n->turn[from] * (1.0 - n->behind[from]) * f->alone;
    double ratio = come * (1.0 - n->found[from]) / (1.0 - f->full) * wait;
    double none = f->full * none_to_bring(f->part[input], ratio, f->size);
    return (f->full - none) / (1.0 - none);
}

/* Headers that come right behind another get what that leaves, unless others wait for it: then they wait for the next, a whole
 * time between departures and not what is left of it. */
static void find_blocked(const cni_wormhole_net *n, const full_group *f)
{
    double rate = n->rate[f->at], size = f->size, waiting = 0.0;
    double whole = (size + 1.0) / (size + n->variation[f->at]);
    for (uint32_t input = 0; input < n->inputs; input++)
        waiting += waits_for_others(f, input);
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        double taken = fmin(1.0, (waiting - waits_for_others(f, input)) / f->left);
        double chance = (1.0 - n->behind[from]) * found_by_chance(n, f, input);
        double later = n->behind[from] * fmin(1.0, f->left / rate) * taken;
        n->found[from] = 0.5 * (n->found[from] + fmin(1.0, chance + later));
        n->blocked[from] = 0.5 * (n->blocked[from] + fmin(1.0, chance + later * whole));
    }
}

/* Of the departures from a full group those by which a header that came before is served: of another input, as its own hold
 * none while it may bring one. */
static double served_before(const cni_wormhole_net *n, const full_group *f)
{
    double pairs = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < n->inputs; i++) {
        sum += f->waits[i];
        for (uint32_t k = 0; k < n->inputs; k++)
            if (k != i)
                pairs += waits_for_others(f, i) * waits_for_others(f, k) *
                         fmax(0.0, 1.0 - f->all[i] - f->all[k]);
    }
    return sum > 0.0 ? fmin(0.95, pairs / sum / f->left) : 0.0;
}

void cni_wormhole_block(cni_wormhole_net *n, size_t channel, double alone, const double faster[])
{
    full_group f = {.alone = alone, .own = held_by_queue(n, channel)};
    for (uint32_t g = 0; g < n->ways.groups; g++) {
        f.at = cni_group_at(n, channel, g);
        f.size = n->ways.size[g];
        f.full = n->full[f.at];
        f.left = n->rate[f.at] * faster[g] * f.full;
        if (!(f.left > 0.0) || !(f.full < 1.0))
            continue;
        look_at_inputs(n, &f);
        find_blocked(n, &f);
        n->relief[f.at] = f.left / f.full * (1.0 - served_before(n, &f));
    }
}
