/*
 * The model of Shahrabi, Ould-Khaoua & Mackenzie 2001, equations 12 to 31: `model_variant`
 * published has the published rate of replicated messages, corrected the right rate.
 *
 * docs/theory/wormhole.md derives W1 to W6. All follows from the mean service time S of a channel,
 * which is a fixed point S = f(S). With rho = lambda_c S the sums of eq. 29 and 30 come to 1 / (1 -
 * rho), so that (W2)
 *
 *     P_v = (1 - rho) rho^v for v < V,   P_V = rho^V,   P_a = rho^(V-1) / V + rho^V (1 - 1/V)
 *
 * and f (W4) is made of products of increasing, convex functions of S >= M. So Newton's steps from
 * S = M rise to the smallest fixed point and never pass it. Where f(S) - S stops falling before it
 * is 0, there is no fixed point.
 *
 * Check, n = 6, M = 32, V = 2, beta = 0.01, startup latency 1, published / corrected: load 0.004 ->
 * 229.49 / 232.42, 0.012 -> 288.38 / 298.06; n = 8, M = 128, V = 4, beta = 0.02: 0.001 -> 1315.45 /
 * 1455.23.
 */
#include <math.h>

#include "queueing/wormhole/wormhole_model.h"

/* A number and its derivative by S. */
typedef struct dual {
    double at, slope;
} dual;

static dual add(dual a, dual b)
{
    return (dual){a.at + b.at, a.slope + b.slope};
}

static dual times(dual a, dual b)
{
    return (dual){a.at * b.at, a.at * b.slope + a.slope * b.at};
}

static dual scale(double factor, dual a)
{
    return (dual){factor * a.at, factor * a.slope};
}

static dual power(dual a, double exponent)
{
    if (exponent == 0.0)
        return (dual){1.0, 0.0};
    double less = pow(a.at, exponent - 1.0);
    return (dual){less * a.at, exponent * less * a.slope};
}

typedef struct service {
    dual copy;    /* S_b (eq. 12) */
    dual unicast; /* S_u (eq. 20) */
    dual all;     /* S (eq. 17) */
    dual blocked; /* B_b (eq. 13) */
    double hops;  /* mean cycles that a unicast is blocked on its way */
} service;

/* W_c of W3 (eq. 19), for rho below 1. */
static dual channel_wait(const cni_wormhole_case *c, double s)
{
    double idle = 1.0 - c->channel * s, more = s - c->flits;
    double top = 0.5 * c->channel * (s * s + more * more);
    double top_slope = c->channel * (s + more);
    return (dual){top / idle, (top_slope + top * c->channel / idle) / idle};
}

/* f of W4, for rho below 1. */
static service services(const cni_wormhole_case *c, double s)
{
    double v = c->channels;
    dual rho = {c->channel * s, c->channel};
    dual all_busy = power(rho, v);
    dual adaptive_busy = add(scale(1.0 / v, power(rho, v - 1.0)), scale(1.0 - 1.0 / v, all_busy));
    dual blocked = times(all_busy, channel_wait(c, s));
    dual unicast = {0, 0}, sum = {0, 0}, term = {1, 0}, hops = {0, 0};
    for (uint32_t i = 1; i <= c->n; i++) {
        /* sum over the hops j = 1..i of P_a^(i-j) (eq. 21, 22, 25) */
        sum = add(sum, term);
        term = times(term, adaptive_busy);
        dual blocking = scale(c->share[i], times(sum, blocked));
        hops = add(hops, blocking);
        unicast = add(unicast, blocking);
        unicast.at += c->share[i] * (c->flits + i);
    }
    dual copy = add((dual){c->flits, 0}, blocked);
    double of_copies = (c->broadcast + c->replica) / c->channel;
    dual all = add(scale(of_copies, copy), scale(c->unicast / c->channel, unicast));
    return (service){copy, unicast, all, blocked, hops.at};
}

/* f is convex, so a step divides (f(S) - S) (1 - f'(S)) by 4 at least. At the limit the fixed point
 * is a double root, where a step halves the error: some 25 steps find all digits of a double. */
enum { MOST_STEPS = 200 };

/* Finds the smallest S = f(S). CN_ERR_UNSTABLE where the steps find none. */
static cn_status fixed_point(const cni_wormhole_case *c, service *found)
{
    double s = c->flits;
    for (int step = 0; step < MOST_STEPS; step++) {
        if (!(c->channel * s < 1.0))
            return CN_ERR_UNSTABLE;
        *found = services(c, s);
        double rise = found->all.at - s, fall = 1.0 - found->all.slope;
        /* the rounding of a double */
        if (rise <= 1e-14 * s)
            return CN_OK;
        if (fall <= 0.0)
            return CN_ERR_UNSTABLE;
        s += rise / fall;
    }
    return CN_ERR_UNSTABLE;
}

/* W_s of W5 (eq. 26 to 28). The weights of eq. 27 are as published, also in corrected. The one
 * queue of a node with one port has the rates of all n queues. */
static cn_status source_wait(const cni_wormhole_case *c, const service *found, double *wait)
{
    double n = c->n, of_unicasts = (1.0 - c->beta) * c->load, of_broadcasts = c->beta * c->load;
    double of_replicas = (0.5 * c->nodes - 1.0) * of_broadcasts;
    double arrivals = of_unicasts / n + of_broadcasts + c->replica;
    double s = ((of_broadcasts + of_replicas) * found->copy.at + of_unicasts * found->unicast.at) /
               (of_unicasts + of_broadcasts + of_replicas);
    arrivals *= c->one_port ? n : 1.0;
    double more = s - c->flits, idle = 1.0 - arrivals * s;
    if (!(idle > 0.0))
        return CN_ERR_UNSTABLE;
    *wait = arrivals * (s * s + more * more) / (2.0 * idle);
    return CN_OK;
}

/* V-bar of W5 (eq. 31). */
static double multiplexing(uint32_t channels, double rho)
{
    double first = 0.0, second = 0.0;
    for (uint32_t v = 1; v <= channels; v++) {
        double p = (v < channels ? 1.0 - rho : 1.0) * pow(rho, v - 1.0); /* P_v / rho */
        first += v * p;
        second += (double)v * v * p;
    }
    return second / first;
}

cn_status cni_wormhole_published(const cni_wormhole_case *c, cni_wormhole_outcome *outcome)
{
    service found;
    double wait = 0.0;
    if (c->load > 0.0) {
        if (fixed_point(c, &found) != CN_OK || source_wait(c, &found, &wait) != CN_OK)
            return CN_ERR_UNSTABLE;
    } else {
        found = (service){.copy = {c->flits, 0}, .unicast = {c->flits + c->distance, 0}};
    }
    if (outcome == NULL)
        return CN_OK;
    double stretch = multiplexing(c->channels, c->channel * found.all.at);
    outcome->broadcast_delay = c->n * ((found.copy.at + wait) * stretch + c->startup);
    outcome->first_wait = wait * stretch; /* of the copy on the way to the deepest node */
    outcome->unicast_delay = (found.unicast.at + wait) * stretch + c->startup;
    outcome->multiplexing = stretch;
    outcome->waiting_per_hop = c->load > 0.0 ? ((c->broadcast + c->replica) * found.blocked.at +
                                                (1.0 - c->beta) * c->load / c->n * found.hops) /
                                                   c->channel
                                             : 0.0;
    return CN_OK;
}
