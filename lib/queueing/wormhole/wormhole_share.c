/*
 * How fast a worm flows that shares its channels (docs/wormhole-model.md, 5). On a channel where k
 * others flow it gets one cycle in k + 1; over several channels it flows as on the worst of them,
 * so that the distribution functions of k multiply.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_own.h"

/* P(an own message and j transits flow beside a message), own = 0, 1 */
typedef struct beside {
    cni_wormhole_row transits[2];
} beside;

/* By the number of virtual channels held, escape and adaptive. */
static double choice_at(const cni_wormhole_state *s, uint32_t r, uint32_t held)
{
    uint32_t left = s->c->channels - 1 - held;
    double escaped = s->escaped[held];
    double choice = (1.0 - escaped) * s->share[r][left];
    return escaped > 0.0 ? choice + escaped * s->share[r][left + 1] : choice;
}

static void add(beside *b, const beside *other, uint32_t channels, double factor)
{
    for (int own = 0; own < 2; own++)
        for (uint32_t j = 0; j <= channels; j++)
            b->transits[own][j] += factor * other->transits[own][j];
}

static void scale(beside *b, uint32_t channels, double factor)
{
    for (int own = 0; own < 2; own++)
        for (uint32_t j = 0; j <= channels; j++)
            b->transits[own][j] *= factor;
}

/* What a channel in state (own, t) adds, of which `mass` is the weight; each transit that flows
 * counts `each` times its number when the message is one of them. */
static void put(const cni_wormhole_state *s, uint32_t own, uint32_t t, double mass, int is_one,
                beside *b, double *sum)
{
    double both = own ? mass * s->own_flows[t] : 0.0;
    for (uint32_t j = (uint32_t)is_one; j <= t; j++) {
        double times = is_one ? j : 1.0;
        double alone = (mass - both) * s->flows[0][t][j] * times;
        double beside_own = both * s->flows[1][t][j] * times;
        b->transits[0][j - (uint32_t)is_one] += alone;
        b->transits[1][j - (uint32_t)is_one] += beside_own;
        *sum += alone + beside_own;
    }
}

/* Beside a transit, at any time while it flows. */
static void at_any_time(const cni_wormhole_state *s, beside *b)
{
    double sum = 0.0;
    *b = (beside){{{0}, {0}}};
    for (uint32_t t = 1; t <= s->c->channels; t++)
        for (uint32_t own = 0; own < 2 && t + own <= s->c->channels; own++)
            put(s, own, t, s->x[own][t], 1, b, &sum);
    scale(b, s->c->channels, sum > 0.0 ? 1.0 / sum : 0.0);
    if (sum <= 0.0)
        b->transits[0][0] = 1.0;
}

/* What a transit with r dimensions left finds on the channel that it gets. */
static void on_arrival(const cni_wormhole_state *s, uint32_t r, beside *b)
{
    uint32_t v = s->c->channels;
    double sum = 0.0;
    *b = (beside){{{0}, {0}}};
    for (uint32_t t = 0; t <= v; t++)
        for (uint32_t own = 0; own < 2 && t + own <= v; own++) {
            if (t + own == v) { /* it waited: one of the transits is gone, or the own message */
                double mass = s->x[own][t] * s->share[r][0] * s->spacing[t];
                b->transits[own][t - 1 + (t == 0)] += mass;
                sum += mass;
                continue;
            }
            double mass = s->x[own][t] * choice_at(s, r, t + own) * s->spacing[t];
            put(s, own, t, mass, 0, b, &sum);
        }
    scale(b, v, sum > 0.0 ? 1.0 / sum : 0.0);
}

/* The law of all that flow beside it, when each transit counts with probability `counts`, as a
 * distribution function. */
static void law(const beside *b, uint32_t channels, double counts, cni_wormhole_row function)
{
    double sum = 0.0;
    for (uint32_t k = 0; k <= channels; k++)
        function[k] = 0.0;
    for (uint32_t own = 0; own < 2; own++)
        for (uint32_t j = 0; j + own < channels; j++) {
            if (b->transits[own][j] <= 0.0)
                continue;
            double p = b->transits[own][j] * pow(1.0 - counts, j);
            for (uint32_t k = 0; k <= j; k++) {
                function[own + k] += counts < 1.0 ? p : k == j ? b->transits[own][j] : 0.0;
                p *= (double)(j - k) / (k + 1) * counts / (1.0 - counts);
            }
        }
    for (uint32_t k = 0; k < channels; k++) {
        sum += function[k];
        function[k] = sum;
    }
    for (uint32_t k = 0; k < channels; k++)
        function[k] /= sum;
}

/* Mean share of the cycles that a message gets. */
static double pace(const cni_wormhole_row function, uint32_t channels)
{
    double mean = 0.0;
    for (uint32_t k = 0; k < channels; k++)
        mean += (function[k] - (k > 0 ? function[k - 1] : 0.0)) / (k + 1);
    return mean;
}

/* any + lasts (seen - usual) */
static void change(beside *seen, const beside *any, const beside *usual, uint32_t channels,
                   double lasts)
{
    for (int own = 0; own < 2; own++)
        for (uint32_t j = 0; j <= channels; j++)
            seen->transits[own][j] =
                fmax(0.0, any->transits[own][j] +
                              lasts * (seen->transits[own][j] - usual->transits[own][j]));
}

/* ---- the paths ---- */

typedef struct laws {
    cni_wormhole_row own[CNI_WORMHOLE_HOPS];   /* beside an own message */
    cni_wormhole_row first[CNI_WORMHOLE_HOPS]; /* beside a unicast of another queue of the node */
    cni_wormhole_row later[CNI_WORMHOLE_HOPS]; /* beside one that came over a channel */
} laws;

/* What an own message with r dimensions left finds, when it gets the channel: transits alone. */
static void own_on_arrival(const cni_wormhole_state *s, uint32_t r, beside *b)
{
    uint32_t v = s->c->channels;
    double sum = 0.0;
    *b = (beside){{{0}, {0}}};
    for (uint32_t t = 0; t <= v; t++) {
        uint32_t found = t < v ? t : v - 1; /* one has gone when it waited */
        double choice = t < v ? choice_at(s, r, t) : s->share[r][0];
        put(s, 0, found, s->x[0][t] * choice, 0, b, &sum);
    }
    scale(b, v, sum > 0.0 ? 1.0 / sum : 0.0);
}

/* At any time, changed as in find_laws(): copies have no choice, so they meet more than unicasts do. */
static void find_own_laws(cni_wormhole_state *s, laws *l)
{
    uint32_t n = s->c->n, v = s->c->channels;
    double sum = 0.0;
    beside any = {{{0}, {0}}}, usual = {{{0}, {0}}}, seen[CNI_WORMHOLE_HOPS];
    for (uint32_t t = 0; t < v; t++)
        for (uint32_t j = 0; j <= t; j++) {
            double p = s->x[1][t] * s->own_flows[t] * s->flows[1][t][j];
            any.transits[0][j] += p;
            sum += p;
        }
    scale(&any, v, sum > 0.0 ? 1.0 / sum : 0.0);
    for (uint32_t r = 1; r <= n; r++) {
        double rate = (r == 1 ? s->copies : 0.0) + s->first * s->c->share[r] / r;
        own_on_arrival(s, r, &seen[r]);
        add(&usual, &seen[r], v, rate / s->own);
    }
    cni_wormhole_row function;
    law(&any, v, 1.0, function);
    double lasts = pace(function, v);
    for (uint32_t r = 1; r <= n; r++) {
        change(&seen[r], &any, &usual, v, lasts);
        law(&seen[r], v, 1.0, l->own[r]);
    }
    s->copy_stream = s->c->flits / pace(l->own[1], v);
}

/* Those at any time, changed by what its own choice of the channel has done; that lasts for a
 * part of the time that is the less the longer it flows. A transit from the same input channel
 * is either absent (what `spacing` is for) or shares that channel already, and costs nothing
 * more. */
static void find_laws(cni_wormhole_state *s, laws *l)
{
    uint32_t n = s->c->n, v = s->c->channels;
    beside any, usual = {{{0}, {0}}}, seen[CNI_WORMHOLE_HOPS];
    double all = 0.0, inputs = n - 1.0;
    double counts = n > 2 ? fmin(1.0, (1.0 - 1.0 / inputs) / (1.0 - s->spaced / inputs)) : 1.0;
    at_any_time(s, &any);
    for (uint32_t r = 1; r <= n; r++) {
        on_arrival(s, r, &seen[r]);
        all += s->demand[r];
        add(&usual, &seen[r], v, s->demand[r]);
    }
    scale(&usual, v, all > 0.0 ? 1.0 / all : 0.0);
    cni_wormhole_row function;
    law(&any, v, 1.0, function);
    double lasts = pace(function, v);
    for (uint32_t r = 1; r <= n; r++) {
        change(&seen[r], &any, &usual, v, lasts);
        law(&seen[r], v, 1.0, l->first[r]);
        law(&seen[r], v, counts, l->later[r]);
    }
}

/* The tail leaves the source before the flits have passed the slowest channel: the buffers
 * before it fill up. */
static double early(const cni_wormhole_state *s, const laws *l, uint32_t i, double first_pace,
                    double stream, double alone)
{
    double slower = 1.0 / first_pace - 1.0, further = 0.0, sum = slower;
    for (uint32_t r = i - 1; r >= 1; r--) {
        slower = 1.0 / pace(l->later[r], s->c->channels) - 1.0;
        sum += slower;
        further += slower * (i - r);
    }
    if (sum <= 0.0)
        return 0.0;
    double flits = (s->c->buffers - 1.0) * further / sum;
    return fmin(stream - s->c->flits, flits * stream / s->c->flits * (1.0 - alone));
}

/* Slow channels add up as far as no flits are stored between them: on a path of i hops two of them are (i + 1)/3
 * apart on the average, and B - 1 flits more than flow fit into a buffer. */
static double rigid(const cni_wormhole_state *s, uint32_t hops)
{
    return fmax(0.0, 1.0 - (s->c->buffers - 1.0) * (hops + 1.0) / (3.0 * s->c->flits));
}

void cni_wormhole_share(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    laws l;
    cni_wormhole_row path, first, whole;
    find_own_laws(s, &l);
    find_laws(s, &l);
    for (uint32_t k = 0; k < v; k++)
        path[k] = 1.0;
    for (uint32_t i = 1; i <= s->c->n; i++) {
        for (uint32_t k = 0; k < v; k++) {
            /* a unicast with i dimensions to go gets the channel of its queue in one case of i */
            first[k] = l.own[i][k] / i + (1.0 - 1.0 / i) * l.first[i][k];
            whole[k] = path[k] * first[k];
        }
        double at_first = s->c->flits / pace(first, v);
        double added = s->c->flits / pace(whole, v) - at_first;
        s->stream[i] = at_first + added * rigid(s, i);
        s->early[i] = early(s, &l, i, pace(first, v), s->stream[i], whole[0]);
        for (uint32_t k = 0; k < v; k++)
            path[k] *= l.later[i][k];
    }
}
