/*
 * A message wants any of t channels and goes on wanting the same t while it is kept. Two of them that want t and u have m
 * in common, and want the same channel with probability c = m / (t u), cycle after cycle. A pair is kept with
 * probability v = c both_stay + (1 - c) apart_stay, so pairs with more in common are met more often than chance, which
 * gives m with probability P(m), would have it: in the steady state with weight
 *
 *     P(m) v / (1 - r v),
 *
 * r being how many pairs have been kept before, of those kept. By chance, messages agree on a dimension as sets of t and
 * u among all dimensions do, and there on one of its channels.
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
/* 1 - r v, where pairs are kept for ever. */
#define LEAST_LEAVING 1e-9
/* A message that meets somebody for certain. */
#define MOST_CERTAIN 0.999

void cni_rivals_begin(cni_rivals *rivals, uint32_t channels, uint32_t siblings)
{
    memset(rivals, 0, sizeof *rivals);
    rivals->channels = channels;
    rivals->siblings = siblings;
    rivals->insist = rivals->again = rivals->chance = 1.0 / channels;
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

/* Pairs of kinds t and u, of the given probability: those that have lost the same channel and the others. */
static void meet(const cni_rivals *r, uint32_t t, uint32_t u, double probability,
                 const cni_rivalry *v, mean *same, mean *apart)
{
    double p[CNI_CHANNELS + 1], kept = 0.0;
    common_channels(r, t, u, p);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t m = 0; m <= u; m++) {
            double c = m / ((double)t * u), with = c * v->both_stay;
            double stay = with + (1.0 - c) * v->apart_stay;
            double weight = p[m] * stay / fmax(LEAST_LEAVING, 1.0 - fmin(1.0, v->kept) * stay);
            if (pass == 0) {
                kept += weight;
            } else if (weight > 0.0) {
                add(same, probability * weight / kept * with / stay, c);
                add(apart, probability * weight / kept * (1.0 - with / stay), c);
            }
        }
}

static void take_shares(cni_rivals *r, const double wanting[])
{
    double sum = 0.0;
    for (uint32_t t = 1; t <= r->channels; t++)
        sum += r->share[t] = wanting[t] * r->patience[t];
    r->insist = 0.0;
    for (uint32_t t = 1; t <= r->channels && sum > 0.0; t++) {
        r->share[t] /= sum;
        r->insist += r->share[t] / t;
    }
}

void cni_rivals_update(cni_rivals *r, const double wanting[], const cni_rivalry *rivalry)
{
    mean same = {0.0, 0.0}, apart = {0.0, 0.0};
    double with[CNI_CHANNELS + 1] = {0.0}; /* c_t */
    take_shares(r, wanting);
    for (uint32_t t = 1; t <= r->channels; t++)
        for (uint32_t u = 1; u <= t; u++) { /* both ways round */
            double probability = r->share[t] * r->share[u] * (u < t ? 2.0 : 1.0);
            double before = same.sum + apart.sum;
            if (probability < RARE)
                continue;
            meet(r, t, u, probability, rivalry, &same, &apart);
            double met = (same.sum + apart.sum - before) / (u < t ? 2.0 : 1.0);
            with[t] += met / r->share[t];
            with[u] += u < t ? met / r->share[u] : 0.0;
        }
    double all = fmin(MOST_CERTAIN, same.sum + apart.sum);
    for (uint32_t t = 1; t <= r->channels && all > 0.0; t++)
        r->patience[t] =
            pow(1.0 - rivalry->lose, -log1p(-fmin(MOST_CERTAIN, with[t])) / log1p(-all));
    r->again = same.weight > 0.0 ? same.sum / same.weight : 1.0;
    r->chance = apart.weight > 0.0 ? apart.sum / apart.weight : 0.0;
}
