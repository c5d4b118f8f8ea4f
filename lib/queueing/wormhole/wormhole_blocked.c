/*
 * What the inputs of a channel find where all virtual channels of a group are held
 * (docs/theory/wormhole.md, W16): headers that come at any time, and headers that come right behind
 * another message of the same input, which leaves its virtual channel to them.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_network.h"

/* ---- messages right behind each other ---- */

/* The share of the messages over a channel that come right behind another message, over the rate
 * of all. The message waited for the virtual channel that the other message left, or was behind
 * the other message in the queue. */
static double find_trains(const cni_wormhole_net *n, size_t channel)
{
    double rate = 0.0, behind = 0.0;
    for (uint32_t g = 0; g < n->routes.groups; g++)
        for (uint32_t input = 0; input < n->inputs; input++) {
            size_t from = cni_input_at(n, channel, g, input);
            double turn = n->input[from].rate * cni_alike(n, input);
            rate += turn;
            behind += turn * (1.0 - (1.0 - n->input[from].behind) * (1.0 - n->input[from].found));
        }
    return rate > 0.0 ? behind / (rate * rate) : 0.0;
}

/* ---- a full group ---- */

enum { MOST_INPUTS = CNI_MOST_PORTS + 2 };

typedef struct full_group {
    size_t at;
    uint32_t size;
    double full;  /* P(all are held) */
    double left;  /* rate of departures from the full group */
    double held;  /* sum of the mean numbers held over the inputs */
    double alone; /* share of the headers that may take no other channel */
    /* share of the held virtual channels whose messages came over an input */
    double part[MOST_INPUTS];
    double all[MOST_INPUTS];   /* P(the input holds all, given that all are held) */
    double waits[MOST_INPUTS]; /* rate of its headers that wait and may take no other channel */
    /* `waits` while the input does not hold all itself; 0 where no other input holds any */
    double others[MOST_INPUTS];
} full_group;

static void look_at_inputs(const cni_wormhole_net *n, full_group *f)
{
    const cni_wormhole_input *in = n->input + f->at * n->inputs;
    f->held = 0.0;
    for (uint32_t input = 0; input < n->inputs; input++)
        f->held += cni_alike(n, input) * in[input].held;
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        f->part[input] = in[input].held / f->held;
        f->all[input] = cni_power(f->part[input], f->size);
        f->waits[input] = n->input[from].rate * n->input[from].found * f->alone;
        /* From 0.999 on hardly any time is left in which the input does not hold all: the
         * quotient of two numbers near 0 would say nothing. */
        f->others[input] = f->all[input] < 0.999 ? f->waits[input] / (1.0 - f->all[input]) : 0.0;
    }
}

/* e of W16: P(an input has no other header to bring, given that all are held). It holds some
 * itself, each with probability `part`, and its own headers wait for the rest: the numbers 0, 1,
 * 2 .. of waiting headers have the proportions 1, ratio, ratio^2 .., up to as many as the input
 * does not hold. */
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

/* p' of W16: P(a header that comes at any time finds all held). A queue brings no header while
 * it sends. */
static double found_by_chance(const cni_wormhole_net *n, const full_group *f, uint32_t input)
{
    size_t from = f->at * n->inputs + input;
    double size = f->size, relief = n->group[f->at].relief;
    if (input == cni_other_queue(n))
        return f->full;
    if (input == cni_own_queue(n))
        return n->view[2 * f->at + 1].full; /* while no own message is there */
    double wait = relief > 0.0 ? (size + n->group[f->at].variation) / (size + 1.0) / relief : 0.0;
    double come = n->input[from].rate * (1.0 - n->input[from].behind) * f->alone;
    double ratio = come * (1.0 - n->input[from].found) / (1.0 - f->full) * wait;
    double none = f->full * none_to_bring(f->part[input], ratio, f->size);
    return (f->full - none) / (1.0 - none);
}

/* A header right behind another message gets the virtual channel that this message leaves,
 * unless other headers wait for it. Then the header waits for the next departure: a whole time
 * between departures, not the rest of one. Probabilities take half of each step, as the numbers
 * held do. */
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

/* The share of the departures from a full group that serve a header of another input that came
 * before, counted by pairs of inputs. At most 0.95 of the departures are taken off, which keeps
 * the rate of departures for later headers above 0. */
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

/* Transits choose by the mean of two probabilities that all are held: on arrival, and at any
 * time. */
static void put_found_by_transits(cni_wormhole_net *n, const full_group *f)
{
    double rate = 0.0, found = 0.0;
    for (uint32_t input = 0; input < n->inputs; input++) {
        size_t from = f->at * n->inputs + input;
        double turn = input != cni_own_queue(n) ? cni_alike(n, input) * n->input[from].rate : 0.0;
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
        put_found_by_transits(n, &f);
        n->group[f.at].relief = relief[g] * (1.0 - served_before(n, &f));
    }
    n->bunching[channel].trains = find_trains(n, channel);
}
