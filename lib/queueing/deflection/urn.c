/*
 * A kind of message has a probability c that two of them want the same channel. Its claims are made one after the
 * other as from Polya's urn that has this c: a channel with Y claims of the kind is wanted with probability
 *
 *     (1 + Y b) / (n + y b),  b = (n c - 1) / (1 - c),
 *
 * y being the claims of the kind so far. So j claimed channels are met with probability (j + y b) / (n + y b): whether
 * a claim is the first of its channel depends on j alone, and by how much it raises the sums over the channels is
 * linear in the sums X, X Y and Y Y. They can be carried along as means.
 *
 * Where a claim is also drawn to the channels of all claims before it, their X is added to both sums of the fraction, in
 * proportion.
 *
 * Claims come in the order of age. Who finds his channel claimed has lost it; when as many losers as may stay are there
 * already he is forced out, and is no rival in the next cycle.
 *
 * Check: n channels, x claims with b = 0: pairs x (x - 1) / (2 n); with b = 1 two are on one channel with 2 / (n + 1).
 */
#include "queueing/deflection/urn.h"

#include <math.h>
#include <string.h>

/* b is infinite where all want the same channel, c = 1; so near 1 it is large enough that the first claim decides
 * all. */
#define NEAREST_TO_CERTAIN 1e-9

double cni_urn_bias(double n, double c)
{
    return (n * c - 1.0) / fmax(NEAREST_TO_CERTAIN, 1.0 - c);
}

void cni_urn_begin(cni_urn_tally *tally, uint32_t channels, size_t may_stay)
{
    memset(tally, 0, sizeof *tally);
    tally->channels = channels;
    tally->may_stay = (double)may_stay;
    tally->claimed[0] = 1.0;
}

void cni_urn_next_kind(cni_urn_tally *tally)
{
    memset(tally->mixed, 0, sizeof tally->mixed);
    memset(tally->squares, 0, sizeof tally->squares);
}

/* Whether a claim meets j claimed channels. */
static double meets(uint32_t j, double n, double all, double kin, double b, double draw)
{
    if (j == 0 || all <= 0.0)
        return 0.0;
    double drawn = kin * b + all * draw;
    return fmin(1.0, fmax(0.0, (j + drawn) / (n + drawn)));
}

/* What j claimed channels come to when the claim goes to one of them. */
static void join(cni_urn_tally *t, uint32_t j, double met, double all, double kin, double b,
                 double draw)
{
    double urn = t->channels + kin * b + all * draw, here = t->claimed[j] * met;
    int stays = all - j < t->may_stay;
    double counted = j + fmin(all - j, t->may_stay);
    double claims = counted * t->claimed[j], squares = claims + 2.0 * t->pairs[j]; /* of X */
    double x = fmax(0.0, (claims + b * t->mixed[j] + draw * squares) / urn); /* X where it goes */
    double y = fmax(0.0, (kin * t->claimed[j] + b * t->squares[j] + draw * t->mixed[j]) / urn);
    t->pairs[j] = t->pairs[j] * met + (stays ? x : 0.0);
    t->mixed[j] = t->mixed[j] * met + x + (stays ? y + here : 0.0);
    t->squares[j] = t->squares[j] * met + 2.0 * y + here;
    t->claimed[j] = here;
}

void cni_urn_claim(cni_urn_tally *t, double all, double kin, double b, double draw)
{
    for (uint32_t j = t->channels + 1; j-- > 0;) {
        join(t, j, meets(j, t->channels, all, kin, b, draw), all, kin, b, draw);
        if (j == 0)
            break;
        double first = 1.0 - meets(j - 1, t->channels, all, kin, b, draw);
        double here = t->claimed[j - 1] * first;
        t->claimed[j] += here;
        t->pairs[j] += t->pairs[j - 1] * first;
        t->mixed[j] += t->mixed[j - 1] * first + here;
        t->squares[j] += t->squares[j - 1] * first + here;
    }
}
