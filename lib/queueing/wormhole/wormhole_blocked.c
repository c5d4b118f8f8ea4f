/*
 * What inputs bring to channels of which all virtual channels are held (docs/theory/wormhole.md,
 * W16): headers that come at any time, and those that come right behind another one of the same
 * input, for which that one makes room.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_network.h"

/* ---- what inputs bring ---- */

/* Of the messages over a channel those that come right behind another, since they waited for what
 * that left, or its queue had them. */
static double find_trains(const cni_wormhole_net *n, size_t channel)
{
    double rate = 0.0, behind = 0.0;
    for (uint32_t g = 0; g < n->routes.groups; g++)
        for (uint32_t input = 0; input < n->inputs; input++) {
            size_t from = cni_input_at(n, channel, g, input);
            double turn = n->input[from].turn * cni_alike(n, input);
            rate += turn;
            behind += turn * (1.0 - (1.0 - n->input[from].behind) * (1.0 - n->input[from].found));
        }
    return rate > 0.0 ? behind / (rate * rate) : 0.0;
}

/* ---- a group of which all are held ---- */

enum { MOST_INPUTS = CNI_MOST_PORTS + 2 };

typedef struct full_group {
    size_t at;
    uint32_t size;
    double full;               /* P(all held) */
    double left;               /* rate of departures from there */
    double kept;               /* sum over the inputs */
    double alone;              /* share of the headers that may take no other channel */
    double part[MOST_INPUTS];  /* share of those held that came over an input */
    double all[MOST_INPUTS];   /* P(that holds all | all are held) */
    double waits[MOST_INPUTS]; /* rate of its headers that wait, here alone */
    double others
        [MOST_INPUTS]; /* the same while it does not hold all itself; 0 where no other brings any */
} full_group;

static void look_at_inputs(const cni_wormhole_net *n, full_group *f)
{
    const cni_wormhole_input *in = n->input + f->at * n->inputs;
    f->kept = 0.0;
    for (uint32_t input = 0; input < n->inputs; input++)
        f->kept += cni_alike(n, input) * in[input].kept;
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        f->part[input] = in[input].kept / f->kept;
        f->all[input] = cni_power(f->part[input], f->size);
        f->waits[input] = n->input[from].turn * n->input[from].found * f->alone;
        f->others[input] = f->all[input] < 0.999 ? f->waits[input] / (1.0 - f->all[input]) : 0.0;
    }
}

/* e of W16, P(an input has no other header to bring | all are held): it holds those itself, or its
 * own wait for the rest. It holds each with probability `part`; so many wait in the proportions 1,
 * ratio, ratio^2 .. for as many as it has left. */
static double none_to_bring(double part, double ratio, uint32_t size)
{
    double sum = 0.0, weights = 1.0, last = 1.0, held = cni_power(part, size);
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

/* p' of W16, P(a header that comes at any time finds all held). A queue brings none while it
 * sends. */
static double found_by_chance(const cni_wormhole_net *n, const full_group *f, uint32_t input)
{
    size_t from = f->at * n->inputs + input;
    double size = f->size, relief = n->group[f->at].relief;
    if (input == cni_other_queue(n))
        return f->full;
    if (input == cni_own_queue(n))
        return n->view[2 * f->at + 1].full;
    double wait = relief > 0.0 ? (size + n->group[f->at].variation) / (size + 1.0) / relief : 0.0;
    double come = n->input[from].turn * (1.0 - n->input[from].behind) * f->alone;
    double ratio = come * (1.0 - n->input[from].found) / (1.0 - f->full) * wait;
    double none = f->full * none_to_bring(f->part[input], ratio, f->size);
    return (f->full - none) / (1.0 - none);
}

/* Headers that come right behind another get what that leaves, unless others wait for it: then they
 * wait for the next, a whole time between departures and not what is left of it. */
static void find_blocked(const cni_wormhole_net *n, const full_group *f)
{
    double rate = n->group[f->at].rate, size = f->size, waiting = 0.0;
    double whole = (size + 1.0) / (size + n->group[f->at].variation);
    for (uint32_t input = 0; input < n->inputs; input++)
        waiting += cni_alike(n, input) * f->others[input];
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        double taken = fmin(1.0, (waiting - f->others[input]) / f->left);
        double chance = (1.0 - n->input[from].behind) * found_by_chance(n, f, input);
        double later = n->input[from].behind * fmin(1.0, f->left / rate) * taken;
        n->input[from].found = 0.5 * (n->input[from].found + fmin(1.0, chance + later));
        n->input[from].blocked = 0.5 * (n->input[from].blocked + fmin(1.0, chance + later * whole));
    }
}

/* Of the departures from a full group those by which a header that came before is served: of
 * another input, as its own hold none while it may bring one. */
static double served_before(const cni_wormhole_net *n, const full_group *f)
{
    double pairs = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < n->inputs; i++) {
        sum += cni_alike(n, i) * f->waits[i];
        for (uint32_t k = 0; k < n->inputs; k++)
            pairs += cni_alike(n, i) * (cni_alike(n, k) - (k == i)) * f->others[i] * f->others[k] *
                     fmax(0.0, 1.0 - f->all[i] - f->all[k]);
    }
    return sum > 0.0 ? fmin(0.95, pairs / sum / f->left) : 0.0;
}

/* Transits choose between what they find as these rates say and what is there at any time. */
static void put_found(cni_wormhole_net *n, const full_group *f)
{
    double rate = 0.0, found = 0.0;
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        double turn = input != cni_own_queue(n) ? cni_alike(n, input) * n->input[from].turn : 0.0;
        rate += turn;
        found += turn * n->input[from].found;
    }
    if (rate > 0.0)
        n->view[2 * f->at].full = 0.5 * (f->full + found / rate);
}

void cni_wormhole_block(cni_wormhole_net *n, size_t channel, double alone, const double left[],
                        const double relief[])
{
    full_group f = {.alone = alone};
    for (uint32_t g = 0; g < n->routes.groups; g++) {
        f.at = cni_group_at(n, channel, g);
        f.size = n->routes.size[g];
        f.full = n->view[2 * f.at].full;
        f.left = left[g];
        if (!(f.left > 0.0) || !(f.full < 1.0))
            continue;
        look_at_inputs(n, &f);
        find_blocked(n, &f);
        put_found(n, &f);
        n->group[f.at].relief = relief[g] * (1.0 - served_before(n, &f));
    }
    n->bunching[channel].trains = find_trains(n, channel);
}
