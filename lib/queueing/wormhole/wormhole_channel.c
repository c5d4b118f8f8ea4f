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

/* The own message holds it or, of those that hold it otherwise, one of the t transits. */
static double escaped_beside_own(const cni_wormhole_state *s, uint32_t t)
{
    return s->own_escapes + (1.0 - s->own_escapes) * s->escaped[t + 1] * t / (t + 1.0);
}

/* Of the headers that an input channel brings and that go on, the part that it does not bring while a transit of its own is
 * here: that holds a virtual channel of it, so there are fewer left, and there is no new one while its own message sends. Of a
 * full input only what leaves beside it can be replaced. */
static double missing_of_input(const cni_wormhole_state *s, const cni_wormhole_row on_by_free)
{
    uint32_t v = s->c->channels;
    double any = 0.0, beside = 0.0, held = 0.0;
    if (s->held[0] < 0.0)
        return 0.0;
    for (uint32_t k = 0; k <= v; k++) {
        double on = k < v ? birth(on_by_free, v, k, s->escaped[k]) : on_by_free[0];
        any += s->held[k] * on;
        beside += (k < v ? k : v - 1.0) * s->held[k] * on;
        held += k * s->held[k];
    }
    double thinner = any * held > 0.0 ? fmax(0.0, 1.0 - beside / (held * any)) : 0.0;
    return (1.0 - s->from_queue) * thinner + s->from_queue * s->from_queue;
}

/* A queue of the node, too, sends one at a time. */
static void find_spacing(cni_wormhole_state *s, const cni_wormhole_row on_by_free)
{
    double begun = 1.0 - s->through;
    double missing = s->through * s->through * missing_of_input(s, on_by_free) + begun * begun;
    for (uint32_t t = 0; t <= s->c->channels; t++)
        s->spacing[t] =
            s->denser * (s->c->n > 1 ? fmax(0.0, 1.0 - missing * t / (s->c->n - 1)) : 1.0);
}

static void births(cni_wormhole_state *s, cni_wormhole_row by_free)
{
    uint32_t n = s->c->n, v = s->c->channels;
    cni_wormhole_row own_by_free = {0}, on_by_free;
    choices(s);
    for (uint32_t x = 0; x < v; x++) {
        by_free[x] = on_by_free[x] = 0.0;
        own_by_free[x] = s->copies;
        for (uint32_t r = 1; r <= n; r++) {
            by_free[x] += s->demand[r] / n * s->share[r][x];
            on_by_free[x] += r > 1 ? s->demand[r] / n * s->share[r][x] : 0.0;
            own_by_free[x] += s->first * s->c->share[r] / r * s->share[r][x];
        }
    }
    s->own_forced = own_by_free[0] / s->own;
    for (uint32_t t = 0; t < v; t++) {
        s->births[0][t] = birth(by_free, v, t, s->escaped[t]);
        s->own_births[t] = birth(own_by_free, v, t, s->escaped[t]) / s->own;
    }
    for (uint32_t t = 0; t + 1 < v; t++)
        s->births[1][t] = birth(by_free, v, t + 1, escaped_beside_own(s, t));

    find_spacing(s, on_by_free);
    for (uint32_t t = 0; t <= v; t++) {
        s->births[0][t] *= t < v ? s->spacing[t] : 1.0;
        s->births[1][t] *= t + 1 < v ? s->spacing[t] : 1.0;
    }
    s->come_full = by_free[0] * s->spacing[v];
}

/* ---- how their flits flow ---- */

/* Mean time that own messages and transits stand still on a channel: over the hops k of the unicasts over i of them, each
 * with what is felt of the waits of the header further on. The tail of a transit stays a cycle in the buffer; an own message
 * has left its queue by then, and the next one begins. */
static void mean_stalls(const cni_wormhole_state *s, double *own, double *transit)
{
    const cni_wormhole_case *c = s->c;
    double owns = s->copies, transits = 0.0, transit_sum = 0.0;
    *own = 0.0;
    for (uint32_t i = 1; i <= c->n; i++)
        for (uint32_t k = i; k >= 1; k--) {
            double rate = s->first * c->share[i], stall = s->felt[i - k];
            double of_own = k == 1 ? rate / i : 0.0;
            owns += of_own;
            *own += of_own * stall;
            transits += rate - of_own;
            transit_sum += (rate - of_own) * (1.0 + stall);
        }
    *own /= owns;
    *transit = transits > 0.0 ? transit_sum / transits : 1.0;
}

/* Weights of j of t transits that flow, without and with an own message that does: those that stand still have room for all,
 * the others share the channel, two queues in product form. */
static void weigh(const cni_wormhole_state *s, uint32_t t, double stall, cni_wormhole_row weight[2])
{
    weight[0][t] = 1.0;
    weight[1][t] = 1.0;
    for (uint32_t j = t; j-- > 0;)
        for (uint32_t own = 0; own < 2; own++)
            weight[own][j] = weight[own][j + 1] * stall / (t - j) * s->of_transits[own][j + 1];
}

/* Departures given t transits; P(j of them flow). */
static void flows_at(cni_wormhole_state *s, uint32_t t, double own_stall, double stall)
{
    double m = s->c->flits, sum[2] = {0.0, 0.0}, own_flits = 0.0, flits[2] = {0.0, 0.0};
    cni_wormhole_row weight[2];
    weigh(s, t, stall / m, weight);
    for (uint32_t j = 0; j <= t; j++) {
        sum[0] += weight[0][j];
        sum[1] += weight[1][j];
    }
    for (uint32_t j = 0; j <= t; j++) {
        double p0 = s->flows[0][t][j] = weight[0][j] / sum[0];
        double p1 = s->flows[1][t][j] = weight[1][j] / sum[1];
        flits[0] += p0 * s->of_transits[0][j];
        flits[1] += p1 * s->of_transits[1][j];
        own_flits += p1 * s->of_own[j];
    }
    double flowing = 1.0 / (1.0 + own_stall / m * own_flits);
    s->own_rate[t] = flowing * own_flits / m;
    s->rate[0][t] = flits[0] / m;
    s->rate[1][t] = (flowing * flits[1] + (1.0 - flowing) * flits[0]) / m;
}

static void flows(cni_wormhole_state *s)
{
    double own, transit;
    mean_stalls(s, &own, &transit);
    for (uint32_t t = 0; t <= s->c->channels; t++)
        flows_at(s, t, own, transit);
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
    return t + (uint32_t)own < s->c->channels
               ? fmax(0.0, s->births[own][t] - s->rate[own][t] * s->followed)
               : 0.0;
}

static double down(const cni_wormhole_state *s, int own, uint32_t t)
{
    return t + (uint32_t)own <= s->c->channels
               ? s->rate[own][t] * (1.0 - s->followed) * stays(s, own, t)
               : 0.0;
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
 * hold all others. `begin`: the rate at which own messages begin, over own_birth. */
static void own_escapes(cni_wormhole_state *s, double begin)
{
    uint32_t v = s->c->channels;
    double follows = s->busy * s->own / (s->copies + s->first);
    double others_held = s->x[0][v - 1] * (1.0 - s->escaped[v - 1]);
    if (v > 1)
        others_held += s->x[0][v - 2] * (1.0 - s->escaped[v - 2]) * follows;
    s->own_escapes = s->own_forced * others_held / begin;
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

/* Read off simulations, the one number here that is (docs/wormhole-model.md, 4): a full channel of V virtual channels is left
 * more often than its flits say, by this times V - 1, as those that fill it come late in the stay of the others. */
static const double LATE = 0.05;

static void hurry(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    double factor = 1.0 + LATE * (v - 1.0);
    s->rate[0][v] *= factor;
    s->rate[1][v - 1] *= factor;
    s->own_rate[v - 1] *= factor;
}

/* The next message of a queue begins when the tail of the one before leaves, and comes right behind it where it goes the same
 * way: no more and no fewer are there, and it waits for that tail alone. */
static void find_followers(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    double all = s->come_full;
    s->followed = s->busy * s->next;
    s->waiting_rate = fmax(0.0, all - s->rate[0][v] * s->followed);
    s->waiting_share = all > 0.0 ? s->waiting_rate / all : 1.0;
    s->queue = s->waiting_rate / (s->rate[0][v] * (1.0 - s->followed));
}

/* ---- all transits come ---- */

/* Rate at which they do, over what it is to be. */
static double arriving(const cni_wormhole_state *s)
{
    uint32_t n = s->c->n, v = s->c->channels;
    double wanted = 0.0, now = 0.0;
    for (uint32_t r = 1; r <= n; r++)
        wanted += s->demand[r] / n;
    for (uint32_t t = 0; t <= v; t++)
        for (uint32_t own = 0; own < 2 && t + own <= v; own++)
            now += s->x[own][t] * (t + own < v ? s->births[own][t]
                                               : s->waiting_rate + s->followed * s->rate[own][t]);
    return wanted > 0.0 ? now / wanted : 1.0;
}

static void bring(cni_wormhole_state *s, double factor)
{
    for (uint32_t t = 0; t <= s->c->channels; t++) {
        s->births[0][t] *= factor;
        s->births[1][t] *= factor;
        s->spacing[t] *= factor;
    }
    s->come_full *= factor;
    s->denser *= factor;
}

/* What inputs do not bring while messages of theirs hold the channel they bring at other times: so many times as much that all
 * come. Found within the round, by secants between bounds (in logarithms): a step a round overshoots with many virtual channels. */
static cn_status conserve(cni_wormhole_state *s)
{
    enum { MOST_STEPS = 100 };
    double low = -INFINITY, high = INFINITY, at = 0.0, before = 0.0;
    double missed_before = -INFINITY;
    for (int i = 0; i < MOST_STEPS; i++) {
        double missed = -INFINITY, to; /* more wait than leave */
        find_followers(s);
        if (s->queue < 1.0) {
            stationary(s);
            missed = -log(arriving(s));
        }
        if (fabs(missed) < 1e-13)
            break;
        *(missed < 0.0 ? &high : &low) = at;
        double slope = missed_before > -INFINITY ? (missed_before - missed) / (at - before) : 1.0;
        to = at + missed / fmax(0.05, slope);
        if (!(to > low && to < high))
            to = low > -INFINITY ? 0.5 * (low + fmin(high, low + 2.0)) : at - 0.2;
        before = at;
        missed_before = missed;
        at = to;
        bring(s, exp(at - before));
    }
    return s->queue < 1.0 ? CN_OK : CN_ERR_UNSTABLE;
}

cn_status cni_wormhole_channel(cni_wormhole_state *s)
{
    uint32_t v = s->c->channels;
    cni_wormhole_row by_free;
    births(s, by_free);
    flows(s);
    hurry(s);
    CNI_TRY(conserve(s));
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
    own_escapes(s, without);
    count_free(s);
    return CN_OK;
}
