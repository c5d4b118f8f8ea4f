/*
 * A message wants any of t channels and goes on wanting the same t while it is kept. Two of them that want t and u have m
 * in common, and want the same channel with probability c = m / (t u), cycle after cycle. Let a pair stay with probability v. Pairs
 * with more in common stay longer and are met more often than those that meet for the first time, which have m with
 * probability P(m) and stay with v'. In the steady state m has the weight
 *
 *     P(m) v' / (1 - v).
 *
 * Of two that want the same channel one wins or neither, so that w_t + w_u of them leave, w_t being the probability that one which
 * wants t leaves; of two that want different ones both stay with (1 - w_t)(1 - w_u):
 *
 *     v = c (1 - (1 - both_stay)(w_t + w_u) / (mean)) + (1 - c) apart_stay (1 - w_t)(1 - w_u) / (mean),
 *
 * over the means of the last round. v' is the same with other w, as one of the two at least has just come: what is near its destination
 * and old goes at once, what was created waits. A pair on one channel has lost less by that than a pair on two.
 * On rings, where w of those kept and of those that come would have to know how crowded their channels are, both have one w, and
 * the first term is c both_stay (1 - w_t)(1 - w_u) / (mean), too.
 *
 * By chance, messages agree on a dimension as sets of t and
 * u among all dimensions do, and there on one of its channels. But a message from a channel wants what is wanted here with
 * more than 1/n (correlation.c), `common` more in the mean over pairs, and the more so the fewer others it wants: P(m) is
 * that of chance times 1 + w c, with w such that the mean is right,
 *
 *     w = common E[c] / (E[c c] - (1 + common) E[c] E[c]),
 *
 * but at most 1 / E[c].
 *
 * Who has more in common with others loses more often and is kept longer. With x older rivals each of which wants his
 * channel with probability c_t a message wins with (1 - c_t)^x; x is told by the mean over all t, for which that is
 * 1 - lose.
 *
 * Check: where each wants one channel of its own, t = u = 1, `again` is 1 and `chance` 0.
 */
#include "queueing/deflection/rivals.h"

#include <math.h>
#include <string.h>

/* Pairs of kinds that are so rare count no more. */
#define RARE 1e-15
/* 1 - v, where pairs are kept for ever. */
#define LEAST_LEAVING 1e-9
/* A message that meets somebody for certain. */
#define MOST_CERTAIN 0.999
/* 1 - the probability that a kept message loses. */
#define LEAST_WIN 1e-9

void cni_rivals_begin(cni_rivals *rivals, uint32_t channels, uint32_t siblings)
{
    memset(rivals, 0, sizeof *rivals);
    rivals->channels = channels;
    rivals->siblings = siblings;
    rivals->insist = rivals->again = rivals->chance = 1.0 / channels;
    rivals->same = rivals->apart = 1.0;
    for (uint32_t t = 1; t <= channels; t++)
        rivals->patience[t] = 1.0;
}

/* p[m]: t and u of the dimensions have m in common; hypergeometric, one of the t after the other. */
static void common_dimensions(double dimensions, uint32_t t, uint32_t u, double p[])
{
    for (uint32_t m = 0; m <= u; m++)
        p[m] = m == 0;
    for (uint32_t x = 0; x < t; x++)
        for (uint32_t m = u + 1; m-- > 0;) {
            double left = fmax(1.0, dimensions - x);
            p[m] *= fmax(0.0, 1.0 - (u - m) / left);
            if (m > 0)
                p[m] += p[m - 1] * fmin(1.0, (u - m + 1.0) / left);
        }
}

/* p[m]: they have m channels in common. */
static void common_channels(const cni_rivals *r, uint32_t t, uint32_t u, double p[])
{
    double thinned[CNI_CHANNELS + 1] = {0.0}, part[CNI_CHANNELS + 1];
    common_dimensions((double)r->channels / (r->siblings + 1.0), t, u, p);
    if (r->siblings == 0)
        return;
    for (uint32_t m = 0; m <= u; m++) {
        cni_binomial(m, 1.0 / (r->siblings + 1.0), part);
        for (uint32_t x = 0; x <= m; x++)
            thinned[x] += p[m] * part[x];
    }
    memcpy(p, thinned, (u + 1) * sizeof p[0]);
}

/* The mean of c over some pairs, and their probability. */
typedef struct mean {
    double weight, sum;
} mean;

static void add(mean *to, double weight, double c)
{
    to->weight += weight;
    to->sum += weight * c;
}

static double mean_of(const mean *of, double if_none)
{
    return of->weight > 0.0 ? of->sum / of->weight : if_none;
}

/* c, of the pairs kept that have lost the same channel and of the others; what judge() divides by, of all that claim the same
 * and of the others. */
typedef struct meetings {
    mean same, apart, all_same, all_apart;
} meetings;

/* Two messages that were kept, or one or both of which have just come: the sum of win, the product of its complements, and the
 * probabilities that both stay when they claim the same channel and when they do not. */
typedef struct couple {
    double weight, win, stay, same_stays, apart_stays;
} couple;

static void add_couple(const cni_rivals *r, uint32_t t, int t_came, uint32_t u, int u_came,
                       couple *to)
{
    double weight = (t_came ? r->come[t] : r->share[t]) * (u_came ? r->come[u] : r->share[u]);
    to->weight += weight;
    to->win += weight * (r->win[t_came][t] + r->win[u_came][u]);
    to->stay += weight * (1.0 - r->win[t_came][t]) * (1.0 - r->win[u_came][u]);
}

static void judge(const cni_rivals *r, const cni_rivalry *v, couple *of)
{
    if (!(of->weight > 0.0))
        return;
    of->win /= of->weight;
    of->stay /= of->weight;
    of->apart_stays = fmin(1.0, v->apart_stay * of->stay / r->apart);
    if (v->rings) {
        of->win = of->stay;
        of->same_stays = fmin(1.0, v->both_stay * of->stay / r->same);
    } else {
        of->same_stays = fmax(0.0, 1.0 - (1.0 - v->both_stay) * of->win / r->same);
    }
}

/* Pairs of kinds t and u, of the given probability: those that have lost the same channel and the others. */
static void meet(const cni_rivals *r, uint32_t t, uint32_t u, double probability,
                 const cni_rivalry *v, meetings *all)
{
    double p[CNI_CHANNELS + 1], kept = 0.0;
    couple old = {0.0, 0.0, 0.0, 0.0, 0.0}, new = {0.0, 0.0, 0.0, 0.0, 0.0};
    add_couple(r, t, 0, u, 0, &old);
    add_couple(r, t, 0, u, 1, &new);
    add_couple(r, t, 1, u, 0, &new);
    add_couple(r, t, 1, u, 1, &new);
    judge(r, v, &old);
    judge(r, v, &new);
    common_channels(r, t, u, p);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t m = 0; m <= u; m++) {
            double c = m / ((double)t * u);
            double leave = 1.0 - c * old.same_stays - (1.0 - c) * old.apart_stays;
            double meets = p[m] * (1.0 + r->drawn * c);
            double stay = meets * (c * new.same_stays + (1.0 - c) * new.apart_stays) /
                          fmax(LEAST_LEAVING, leave);
            if (pass == 0) {
                kept += stay;
            } else if (kept > 0.0) {
                double waited = probability * stay / kept, came = probability * meets / kept;
                add(&all->same, c * (waited * old.same_stays + came * new.same_stays), c);
                add(&all->apart, (1.0 - c) * (waited * old.apart_stays + came * new.apart_stays),
                    c);
                add(&all->all_same, c * waited, old.win);
                add(&all->all_same, c * came, new.win);
                add(&all->all_apart, (1.0 - c) * waited, old.stay);
                add(&all->all_apart, (1.0 - c) * came, new.stay);
            }
        }
}

/* The probability that a kept message does not win. */
static double take_shares(cni_rivals *r, const cni_rivalry *v)
{
    double sum = 0.0, kept = 0.0, part = 0.0;
    for (uint32_t t = 1; t <= r->channels; t++) {
        sum += r->share[t] = v->wanting[t] * r->patience[t];
        kept += v->wanting[t];
        part += v->parting[t];
    }
    r->insist = 0.0;
    for (uint32_t t = 1; t <= r->channels && sum > 0.0; t++) {
        r->share[t] /= sum;
        r->insist += r->share[t] / t;
        r->come[t] = v->leaving[t] / kept;
        double here = r->share[t] * kept;
        r->win[0][t] = here > v->parting[t] ? v->parting[t] / here : 1.0;
        r->win[1][t] = v->leaving[t] > v->parting[t] ? 1.0 - v->parting[t] / v->leaving[t] : 0.0;
        if (v->rings)
            r->win[0][t] = r->win[1][t] = 1.0 - (here > 0.0 ? here / (here + v->leaving[t]) : 0.0);
    }
    if (v->rings)
        return v->lose;
    return kept > part ? 1.0 - part / kept : 0.0;
}

/* w */
static void draw_together(cni_rivals *r, double common)
{
    double p[CNI_CHANNELS + 1], expected = 0.0, squares = 0.0;
    r->drawn = 0.0;
    if (!(common > 0.0))
        return;
    for (uint32_t t = 1; t <= r->channels; t++)
        for (uint32_t u = 1; u <= t; u++) {
            double probability = r->share[t] * r->share[u] * (u < t ? 2.0 : 1.0);
            if (probability < RARE)
                continue;
            common_channels(r, t, u, p);
            for (uint32_t m = 0; m <= u; m++) {
                double c = m / ((double)t * u);
                expected += probability * p[m] * c;
                squares += probability * p[m] * c * c;
            }
        }
    double spread = squares - (1.0 + common) * expected * expected;
    r->drawn = common * expected / fmax(spread, common * expected * expected);
}

void cni_rivals_update(cni_rivals *r, const cni_rivalry *rivalry)
{
    meetings all = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    double with[CNI_CHANNELS + 1] = {0.0}; /* c_t */
    double lose = take_shares(r, rivalry);
    draw_together(r, rivalry->common);
    for (uint32_t t = 1; t <= r->channels; t++)
        for (uint32_t u = 1; u <= t; u++) { /* both ways round */
            double probability = r->share[t] * r->share[u] * (u < t ? 2.0 : 1.0);
            double before = all.same.sum + all.apart.sum;
            if (probability < RARE)
                continue;
            meet(r, t, u, probability, rivalry, &all);
            double met = (all.same.sum + all.apart.sum - before) / (u < t ? 2.0 : 1.0);
            with[t] += met / r->share[t];
            with[u] += u < t ? met / r->share[u] : 0.0;
        }
    double c = fmin(MOST_CERTAIN, all.same.sum + all.apart.sum);
    for (uint32_t t = 1; t <= r->channels && c > 0.0; t++)
        r->patience[t] =
            pow(fmax(LEAST_WIN, 1.0 - lose), -log1p(-fmin(MOST_CERTAIN, with[t])) / log1p(-c));
    r->again = mean_of(&all.same, 1.0);
    r->chance = mean_of(&all.apart, 0.0);
    r->same = mean_of(&all.all_same, 1.0);
    r->apart = mean_of(&all.all_apart, 1.0);
}
