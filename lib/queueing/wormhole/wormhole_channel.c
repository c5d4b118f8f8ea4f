/* A channel of the wormhole model: who comes, how fast the flits of those who hold it flow, and how
 * many there are (docs/wormhole-model.md, 2 to 4). */
#include <math.h>

#include "queueing/wormhole/wormhole_own.h"

#define PI 3.14159265358979323846

/* Gauss and Legendre's, by Newton's steps from the usual first guess. */
void cni_wormhole_quadrature(double node[], double weight[])
{
    enum { N = CNI_WORMHOLE_NODES };
    for (int i = 0; i < N; i++) {
        double x = cos(PI * (i + 0.75) / (N + 0.5)), slope = 1.0;
        for (int step = 0; step < 6; step++) {
            double p = 1.0, before = 0.0;
            for (int j = 0; j < N; j++) {
                double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
                before = p;
                p = next;
            }
            slope = N * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        node[i] = 0.5 * (1.0 + x);
        weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

/* ---- who comes ---- */

/* share[r][x]: of the headers with r dimensions left, times r over their number, those that take
 * this channel when it has x free adaptive virtual channels. They choose among x and the Y of r
 * - 1 other channels: r E[x / (x + Y)], where 1 / (x + Y) is the integral of z^(x+Y-1). With x =
 * 0 they take the escape channel, when no other channel has a free one and this is the lowest. */
static void choices(cni_wormhole_state *s)
{
    uint32_t n = s->c->n, adaptive = s->c->channels - 1;
    for (uint32_t r = 1; r <= n; r++)
        for (uint32_t x = 0; x <= adaptive; x++)
            s->share[r][x] = x == 0 ? pow(s->free[0], r - 1.0) : 0.0;
    for (int i = 0; i < CNI_WORMHOLE_NODES; i++) {
        double z = s->node[i], others = 0.0, by_r = 1.0;
        for (uint32_t x = adaptive + 1; x-- > 0;)
            others = others * z + s->free[x];
        for (uint32_t r = 1; r <= n; r++, by_r *= others) {
            double term = s->weight[i] * by_r;
            for (uint32_t x = 1; x <= adaptive; x++, term *= z)
                s->share[r][x] += r * x * term;
        }
    }
}

/* With v held and the escape channel among them with probability `escaped`. */
static double birth(const cni_wormhole_row by_free, uint32_t channels, uint32_t v, double escaped)
{
    uint32_t left = channels - 1 - v;
    return (1.0 - escaped) * by_free[left] + (escaped > 0.0 ? escaped * by_free[left + 1] : 0.0);
}

static double escaped_beside_own(const cni_wormhole_state *s, uint32_t t)
{
    return fmin(1.0, s->escaped[t + 1] + s->own_escapes);
}

static void births(cni_wormhole_state *s, cni_wormhole_row by_free)
{
    uint32_t n = s->c->n, v = s->c->channels;
    cni_wormhole_row own_by_free;
    choices(s);
    for (uint32_t x = 0; x < v; x++) {
        by_free[x] = 0.0;
        own_by_free[x] = s->copies;
        for (uint32_t r = 1; r <= n; r++) {
            by_free[x] += s->demand[r] / n * s->share[r][x];
            own_by_free[x] += s->first * s->c->share[r] / r * s->share[r][x];
        }
    }
    for (uint32_t t = 0; t < v; t++) {
        s->births[0][t] = birth(by_free, v, t, s->escaped[t]);
        s->own_births[t] = birth(own_by_free, v, t, s->escaped[t]) / s->own;
    }
    for (uint32_t t = 0; t + 1 < v; t++)
        s->births[1][t] = birth(by_free, v, t + 1, escaped_beside_own(s, t));

    /* What comes over the same input channel as a transit that is here comes after it. */
    double thinner = v > 1 ? s->births[0][1] / s->births[0][0] : 0.0;
    s->spaced = n > 1 && s->births[0][0] > 0.0 ? fmax(0.0, 1.0 - thinner) : 0.0;
    for (uint32_t t = 0; t <= v; t++) {
        s->spacing[t] = n > 1 ? fmax(0.0, 1.0 - s->spaced * t / (n - 1)) : 1.0;
        s->spacing[t] *= s->denser;
        s->births[0][t] *= t < v ? s->spacing[t] : 1.0;
        s->births[1][t] *= t + 1 < v ? s->spacing[t] : 1.0;
    }
    s->waiting_rate = by_free[0] * s->spacing[v];
}

/* ---- how their flits flow ---- */

typedef struct phases {
    double stall, flow; /* mean time that flits stand still, and flow where there is nothing else */
} phases;

/* Of own messages and of transits: the hops k of the unicasts over i of them, each with the
 * waits of the header further on. */
static void mean_phases(const cni_wormhole_state *s, phases *own, phases *transit)
{
    const cni_wormhole_case *c = s->c;
    double owns = s->copies, transits = 0.0;
    *own = (phases){s->copies, s->copies * c->flits};
    *transit = (phases){0, 0};
    for (uint32_t i = 1; i <= c->n; i++) {
        double flow = i > 1 ? s->stream[i - 1] : c->flits, rate = s->first * c->share[i];
        for (uint32_t k = i; k >= 1; k--) {
            double stall =
                1.0 + s->felt[i - k]; /* what the headers still wait, as far as it is felt */
            double of_own = k == 1 ? rate / i : 0.0;
            owns += of_own;
            own->stall += of_own * stall;
            own->flow += of_own * flow;
            transits += rate - of_own;
            transit->stall += (rate - of_own) * stall;
            transit->flow += (rate - of_own) * flow;
        }
    }
    *own = (phases){own->stall / owns, own->flow / owns};
    *transit = transits > 0.0 ? (phases){transit->stall / transits, transit->flow / transits}
                              : (phases){1.0, c->flits};
}

/* Messages that stand still and messages that share the channel are the two stations of a
 * network of queues in product form; given t transits, j of them flow with these probabilities. */
static void flows(cni_wormhole_state *s)
{
    double m = s->c->flits;
    phases own, transit;
    mean_phases(s, &own, &transit);
    double own_alone = m / own.flow, alone = m / transit.flow;
    for (uint32_t t = 0; t <= s->c->channels; t++) {
        double still = 1.0, sum[2] = {0.0, 0.0}, own_flits = 0.0, flits[2] = {0.0, 0.0};
        for (uint32_t j = t + 1; j-- > 0;) {
            if (j < t)
                still *= transit.stall / m / (t - j);
            s->flows[0][t][j] = still * (j > 0 ? 1.0 / alone : 1.0);
            s->flows[1][t][j] = still * (j + 1) * (j == 0 ? 1.0 / own_alone : 1.0);
            sum[0] += s->flows[0][t][j];
            sum[1] += s->flows[1][t][j];
        }
        for (uint32_t j = 0; j <= t; j++) {
            double p0 = s->flows[0][t][j] /= sum[0], p1 = s->flows[1][t][j] /= sum[1];
            /* a second message fills the gaps of one that is held up elsewhere */
            flits[0] += j == 0 ? 0.0 : p0 * (j == 1 && t == 1 ? alone : 1.0);
            flits[1] += p1 * j / (j + 1.0);
            own_flits += p1 * (j == 0 ? own_alone : 1.0 / (j + 1.0));
        }
        double flowing = sum[1] / (sum[1] + own.stall / m * sum[0]);
        s->own_flows[t] = flowing;
        s->own_rate[t] = flowing * own_flits / m;
        s->rate[0][t] = flits[0] / m;
        s->rate[1][t] = (flowing * flits[1] + (1.0 - flowing) * flits[0]) / m;
    }
}

/* ---- how many there are ---- */

typedef double block[2][2];

/* The states form levels by t, with own = 0, 1 in each. Full states last longer by the headers that
 * wait: the message that leaves is replaced with probability `queue`. */
static double stays(const cni_wormhole_state *s, int own, uint32_t t)
{
    return t + (uint32_t)own == s->c->channels ? 1.0 - s->queue : 1.0;
}

static double up(const cni_wormhole_state *s, int own, uint32_t t)
{
    return t + (uint32_t)own < s->c->channels ? s->births[own][t] : 0.0;
}

static double down(const cni_wormhole_state *s, int own, uint32_t t)
{
    return t + (uint32_t)own <= s->c->channels ? s->rate[own][t] * stays(s, own, t) : 0.0;
}

/* What stays within level t: diagonal and changes of own. */
static void local(const cni_wormhole_state *s, uint32_t t, block q)
{
    double begin = t < s->c->channels ? s->own_birth * s->own_births[t] : 0.0;
    q[0][1] = begin;
    q[0][0] = -(up(s, 0, t) + down(s, 0, t) * (t > 0) + begin);
    q[1][0] = t < s->c->channels ? s->own_rate[t] * stays(s, 1, t) : 0.0;
    q[1][1] = t < s->c->channels ? -(up(s, 1, t) + down(s, 1, t) * (t > 0) + s->own_rate[t]) : -1.0;
}

/* Backwards R_t = U_t (-(L_t+1 + R_t+1 D_t+2))^-1, forwards x_t+1 = x_t R_t. */
static void stationary(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    block ratio[CNI_WORMHOLE_ROWS] = {{{0}}}, q;
    for (uint32_t t = v; t-- > 0;) {
        local(s, t + 1, q);
        for (int a = 0; a < 2 && t + 1 < v; a++)
            for (int b = 0; b < 2; b++)
                q[a][b] += ratio[t + 1][a][b] * down(s, b, t + 2);
        double determinant = q[0][0] * q[1][1] - q[0][1] * q[1][0];
        const block inverse = {{-q[1][1] / determinant, q[0][1] / determinant},
                               {q[1][0] / determinant, -q[0][0] / determinant}};
        /* an own message that leaves a full channel to a waiting transit */
        double replaced = t == v - 1 ? s->own_rate[t] * s->queue : 0.0;
        const block rise = {{up(s, 0, t), 0.0}, {replaced, up(s, 1, t)}};
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                ratio[t][a][b] = rise[a][0] * inverse[0][b] + rise[a][1] * inverse[1][b];
    }
    local(s, 0, q);
    for (int a = 0; a < 2; a++)
        q[a][1] += ratio[0][a][1] * down(s, 1, 1);
    s->x[0][0] = 1.0;
    s->x[1][0] = -q[0][1] / q[1][1];
    double sum = s->x[0][0] + s->x[1][0];
    for (uint32_t t = 0; t < v; t++)
        for (int b = 0; b < 2; b++) {
            s->x[b][t + 1] = b == 1 && t + 1 == v
                                 ? 0.0
                                 : s->x[0][t] * ratio[t][0][b] + s->x[1][t] * ratio[t][1][b];
            sum += s->x[b][t + 1];
        }
    for (uint32_t t = 0; t <= v; t++)
        for (int b = 0; b < 2; b++)
            s->x[b][t] /= sum;
}

/* ---- who holds the escape channel ---- */

/* y_v = P(v are held and the escape channel is one of them): it is when all are; from there it
 * is lost with one departure in v. */
static void escapes(cni_wormhole_state *s, const cni_wormhole_row by_free)
{
    uint32_t v = s->c->channels;
    double more[CNI_WORMHOLE_ROWS] = {0}, before = 0.0;
    for (uint32_t k = 1; k < v; k++) {
        double leave = s->rate[0][k], arrive = by_free[v - k] * s->spacing[k] + s->own;
        double from_above = s->rate[0][k + 1] * stays(s, 0, k + 1) * k / (k + 1);
        more[k] = from_above / (arrive + leave - before * more[k - 1]);
        before = arrive;
    }
    double y = s->held[v];
    s->escaped[v] = 1.0;
    for (uint32_t k = v - 1; k >= 1; k--) {
        y *= more[k];
        s->escaped[k] = s->held[k] > 0.0 ? fmin(1.0, y / s->held[k]) : 0.0;
    }
}

/* An own message gets the escape channel when transits, or transits and the own message before it,
 * hold all others. */
static void own_escapes(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    double without = 0.0, follows = s->busy * s->own / (s->copies + s->first);
    for (uint32_t t = 0; t < v; t++)
        without += s->x[0][t];
    s->own_escapes = (s->x[0][v - 1] + (v > 1 ? s->x[0][v - 2] * follows : 0.0)) / without;
}

static void count_free(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    for (uint32_t k = 0; k < v; k++)
        s->free[k] = 0.0;
    s->free[0] = s->x[0][v] + s->x[1][v - 1];
    for (uint32_t t = 0; t < v; t++)
        for (uint32_t own = 0; own < 2 && t + own < v; own++) {
            double escaped = own ? escaped_beside_own(s, t) : s->escaped[t];
            s->free[v - 1 - t - own] += s->x[own][t] * (1.0 - escaped);
            if (escaped > 0.0)
                s->free[v - t - own] += s->x[own][t] * escaped;
        }
}

/* All transits come: those that others' inputs do not bring while they hold the channel come at other times. */
static void conserve(cni_wormhole_state *s)
{
    uint32_t n = s->c->n, v = s->c->channels;
    double wanted = 0.0, now = 0.0;
    for (uint32_t r = 1; r <= n; r++)
        wanted += s->demand[r] / n;
    for (uint32_t t = 0; t <= v; t++)
        for (uint32_t own = 0; own < 2 && t + own <= v; own++)
            now += s->x[own][t] * (t + own < v ? s->births[own][t] : s->waiting_rate);
    if (now > 0.0)
        s->denser *= sqrt(wanted / now);
}

cn_status cni_wormhole_channel(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    cni_wormhole_row by_free;
    births(s, by_free);
    flows(s);
    s->queue = s->waiting_rate / s->rate[0][v];
    if (!(s->queue < 1.0))
        return CN_ERR_UNSTABLE;
    stationary(s);
    conserve(s);
    double without = 0.0;
    for (uint32_t k = 0; k <= v; k++) {
        double held = s->x[0][k] + (k > 0 ? s->x[1][k - 1] : 0.0);
        /* half the step: the full one overshoots near saturation */
        s->held[k] = s->held[k] < 0.0 ? held : 0.5 * (s->held[k] + held);
        without += k < v ? s->x[0][k] * s->own_births[k] : 0.0;
    }
    double birth = s->own / without;
    s->own_birth = s->own_birth < 0.0 ? birth : 0.5 * (s->own_birth + birth);
    escapes(s, by_free);
    own_escapes(s);
    count_free(s);
    return CN_OK;
}
