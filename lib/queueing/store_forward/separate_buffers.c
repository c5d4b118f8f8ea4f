/*
 * A buffer at each outgoing channel, in slotted and in continuous time (jackson.h).
 *
 * Slotted: a channel is a queue with one server to which in every cycle come its shares of transit and of
 * new messages, all independent (Horng 1992, 2.3, eq. 2.17). From f = E[A] and x = E[A (A - 1)] follows its
 * mean length, that of Pollaczek and Khinchin (eq. 2.30), and from the sum of them, by Little, the delay:
 *
 *     Q = f + x / (2 (1 - f))
 *
 * A channel brings at most one message a cycle. With t(e) the mean that goes on from channel e into this
 * one, and s that of new messages, x = b s^2 + 2 s sum t + (sum t)^2 - sum t^2, b = 2 for a geometric source.
 *
 * Variant 0, published: each message in transit takes a channel of the node as of all that are in transit
 * there, whichever way it came. In Boolean n-cubes that is eq. 2.32.
 *
 * Variant 2, own: the real t(e), and what independence leaves out. A channel sends in runs: the variance of
 * what it sends is in the long run that of what comes to it, f (1 - f) + x, where independent cycles have
 * f (1 - f). With q = t(e) / f(e) and u = x of independent cycles, the next queue sees a part of that:
 *
 *     x = u + sum of w q^2 sqrt(u / u(e)) x(e),    w = f (1 + (1 - q)(1 - f)) / 2
 *
 * A long queue sees half of it. w was found by comparison with simulations; with the root, a queue to which
 * all comes over one channel never grows, which is right. With y = x / sqrt(u) that is linear.
 *
 * Check: n = 6, published: load 0.2 -> T = 3.2255, 0.8 -> 4.1245, 1.4 -> 6.9202, 1.8 -> 19.8287.
 */
#include <math.h>

#include "base/error.h"
#include "queueing/store_forward/jackson.h"
#include "queueing/store_forward/unlimited_model.h"
#include "routing/faults/fault.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/source.h"

/* w q^2 of variant own, into a channel with flow f. */
static double run_share(double q, double f)
{
    return 0.5 * f * (1.0 + (1.0 - q) * (1.0 - f)) * q * q;
}

/* ---- Boolean n-cubes: all channels alike ---- */

/* T = lambda (2 d + (1 - 1/n) (d - 1)^2) / (2 (n - lambda d)) + d (eq. 2.32); of the n other channels no
 * message goes back over the one by which it came. */
static double cube_delay(const cni_unlimited_model *m, int own)
{
    double d = m->distance, transit = d - 1.0, others = m->n - 1.0;
    double second_moment = 2.0 * d + (1.0 - 1.0 / m->n) * transit * transit;
    if (own && others > 0.0) {
        second_moment = 2.0 * d + (1.0 - 1.0 / others) * transit * transit;
        second_moment /= 1.0 - others * run_share(transit / d / others, m->rho);
    }
    return m->load * second_moment / (2.0 * m->n * m->idle) + d;
}

/* ---- any network ---- */

/* Runs get shorter from channel to channel, at least by half in all. */
enum { MOST_ROUNDS = 64 };

/* What a queue needs to know of what comes to it, by channel. */
typedef struct queueing {
    const cni_channel_flows *flows;
    double load, burst;
    int own;
    double *transit, *squares; /* sum of t and of t^2, at load 1 */
    double *root;              /* of u, in the place of the squares */
    double *runs, *next;       /* y */
} queueing;

static size_t head_of(const cni_channel_flows *f, size_t channel)
{
    return (size_t)cni_neighbor(f->topology, channel / f->ports, (uint32_t)(channel % f->ports));
}

static void add_turns(queueing *q)
{
    const cni_channel_flows *f = q->flows;
    for (size_t c = 0; c < f->places; c++) {
        if (f->flow[c] == 0.0)
            continue;
        size_t first = head_of(f, c) * f->ports;
        for (size_t p = 0; p < f->ports; p++) {
            double mean = f->turns[c * f->ports + p];
            q->transit[first + p] += mean;
            q->squares[first + p] += mean * mean;
        }
    }
}

/* As published: what comes by each channel is divided as all that is in transit. `runs` and `next` hold the
 * sums by node. */
static void mix_turns(queueing *q)
{
    const cni_channel_flows *f = q->flows;
    double *all = q->runs, *squares = q->next;
    for (size_t c = 0; c < f->places; c++) {
        double sum = 0.0;
        if (f->flow[c] == 0.0)
            continue;
        for (size_t p = 0; p < f->ports; p++)
            sum += f->turns[c * f->ports + p];
        all[head_of(f, c)] += sum;
        squares[head_of(f, c)] += sum * sum;
    }
    for (size_t c = 0; c < f->places; c++) {
        size_t node = c / f->ports;
        double share = all[node] > 0.0 ? q->transit[c] / all[node] : 0.0;
        q->squares[c] = share * share * squares[node];
    }
}

static void find_roots(queueing *q)
{
    q->root = q->squares;
    for (size_t c = 0; c < q->flows->places; c++) {
        double new = q->flows->fresh[c], transit = q->transit[c];
        double moment = q->burst * new *new + 2.0 * new *transit + transit *transit - q->squares[c];
        q->root[c] = q->load * sqrt(fmax(moment, 0.0));
        q->runs[c] = q->root[c];
    }
}

/* One round. Returns how much has changed, relative to the sum. */
static double add_runs(queueing *q)
{
    const cni_channel_flows *f = q->flows;
    double change = 0.0, sum = 0.0, *old = q->runs;
    for (size_t c = 0; c < f->places; c++)
        q->next[c] = q->root[c];
    for (size_t c = 0; c < f->places; c++) {
        if (f->flow[c] == 0.0)
            continue;
        size_t first = head_of(f, c) * f->ports;
        for (size_t p = 0; p < f->ports; p++)
            q->next[first + p] += old[c] * run_share(f->turns[c * f->ports + p] / f->flow[c],
                                                     q->load * f->flow[first + p]);
    }
    for (size_t c = 0; c < f->places; c++) {
        change += fabs(q->next[c] - old[c]);
        sum += q->next[c];
    }
    q->runs = q->next;
    q->next = old;
    return sum > 0.0 ? change / sum : 0.0;
}

static void find_runs(queueing *q)
{
    add_turns(q);
    if (!q->own)
        mix_turns(q);
    find_roots(q);
    for (int i = 0; q->own && i < MOST_ROUNDS && add_runs(q) > 1e-15; i++)
        ;
}

/* Messages that wait at a channel, over the load. */
static double waiting_at(const queueing *q, size_t c)
{
    return q->root[c] / q->load * q->runs[c] / (2.0 * (1.0 - q->load * q->flows->flow[c]));
}

/* At load 0 the delay is its limit, the mean number of hops. */
static double sum_queues(const queueing *q)
{
    const cni_channel_flows *f = q->flows;
    double sum = 0.0;
    for (size_t c = 0; c < f->places && q->load > 0.0; c++)
        sum += waiting_at(q, c);
    return (f->sum + sum) / f->rate;
}

/* By Little. */
static void divide_queues(const queueing *q, double delays[])
{
    const cni_channel_flows *f = q->flows;
    for (size_t c = 0; c < f->places; c++)
        delays[c] = q->load > 0.0 && f->flow[c] > 0.0 ? 1.0 + waiting_at(q, c) / f->flow[c] : 1.0;
}

static cn_status slotted_delay(queueing *q, double *delay, double delays[])
{
    size_t places = q->flows->places;
    double *room = cni_allocate(4 * places, sizeof *room);
    if (room == NULL)
        return CN_ERR_MEMORY;
    q->transit = room;
    q->squares = room + places;
    q->runs = room + 2 * places;
    q->next = room + 3 * places;
    find_runs(q);
    *delay = sum_queues(q);
    if (delays != NULL)
        divide_queues(q, delays);
    cni_release(room);
    return CN_OK;
}

/* ---- both ---- */

static int is_own(const cn_scenario *scenario)
{
    return scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN;
}

/* E[A (A - 1)] of the messages that a node offers in a cycle, over the square of their mean. */
static cn_status burst_of(const cn_scenario *scenario, double *burst)
{
    static const double bursts[] = {[CN_SOURCE_OF_SYSTEM] = 2.0,
                                    [CN_SOURCE_GEOMETRIC] = 2.0,
                                    [CN_SOURCE_BERNOULLI] = 0.0,
                                    [CN_SOURCE_POISSON] = 1.0};
    const cn_traffic *traffic = cni_traffic_of(scenario);
    cn_source source = traffic == NULL ? CN_SOURCE_OF_SYSTEM : traffic->source;
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    if (source == CN_SOURCE_ON_OFF ||
        (!slotted && source != CN_SOURCE_OF_SYSTEM && source != CN_SOURCE_POISSON))
        return cni_fail(CN_ERR_UNSUPPORTED, "cn_predict: the source is %s, but the model covers %s",
                        cn_source_name(source),
                        slotted ? "geometric, bernoulli and poisson" : "poisson");
    *burst = bursts[source];
    cni_source_process offered; /* at most one message a cycle */
    return source != CN_SOURCE_BERNOULLI
               ? CN_OK
               : cni_source_start("cn_predict", traffic, source, scenario->value[CN_PARAM_LOAD],
                                  &offered);
}

/* Into delays (may be NULL) those of the channels. */
static cn_status solve_flows(const char *function, const cn_scenario *scenario, double burst,
                             cni_unlimited_model *m, double *delay, double delays[])
{
    double load = scenario->value[CN_PARAM_LOAD];
    int slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    cni_channel_flows flows;
    cn_status status = cni_channel_flows_open(function, scenario, slotted, &flows);
    if (status == CN_OK)
        status = cni_unlimited_model_of(function, &flows, load, m);
    queueing q = {.flows = &flows, .load = load, .burst = burst, .own = is_own(scenario)};
    if (status == CN_OK && slotted)
        status = slotted_delay(&q, delay, delays);
    else if (status == CN_OK)
        *delay = cni_jackson_delay(&flows, load, delays);
    cni_channel_flows_close(&flows);
    return status;
}

static cn_status check_selection(const cn_scenario *scenario)
{
    cn_selection selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    if (selection == CN_SELECTION_RANDOM)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: selection = %s, but the model needs random, where what waits at a "
                    "channel does not keep messages from it; cn_simulate() covers all",
                    cn_selection_name(selection));
}

cn_status cni_check_separate_buffers(const char *function, const cn_topology *topology)
{
    if (topology->nodes <= CNI_WALKS_NODES || cni_is_hypercube(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: the model covers networks of at most %llu nodes and undamaged Boolean "
                    "n-cubes, but %s has %llu",
                    function, (unsigned long long)CNI_WALKS_NODES, topology->name,
                    (unsigned long long)topology->nodes);
}

/* What the model covers, and the bursts of the source. */
static cn_status check(const cn_scenario *scenario, double *burst)
{
    CNI_TRY(check_selection(scenario));
    CNI_TRY(cni_param_check_choice("cn_predict", scenario->system->name, CN_PARAM_MODEL_VARIANT,
                                   scenario->value[CN_PARAM_MODEL_VARIANT],
                                   1u << CN_MODEL_PUBLISHED | 1u << CN_MODEL_OWN));
    return burst_of(scenario, burst);
}

cn_status cni_limit_separate_buffers(const cn_scenario *scenario, double *load)
{
    double burst = 0.0;
    cni_channel_flows flows;
    CNI_TRY(check(scenario, &burst));
    if (cni_is_plain_cube(scenario))
        return cni_limit_of_cube(scenario, load);
    cn_status status = cni_channel_flows_open("cn_saturation_load", scenario, 0, &flows);
    if (status == CN_OK)
        status = cni_limit_of_flows("cn_saturation_load", &flows, load);
    cni_channel_flows_close(&flows);
    return status;
}

static cn_status solve(const char *function, const cn_scenario *scenario, cni_unlimited_model *m,
                       double *delay, double delays[])
{
    double burst = 0.0;
    CNI_TRY(check(scenario, &burst));
    if (!cni_is_plain_cube(scenario))
        return solve_flows(function, scenario, burst, m, delay, delays);
    const cn_topology *cube = scenario->topology;
    CNI_TRY(cni_unlimited_model_open(function, cube, scenario->value[CN_PARAM_LOAD], m));
    *delay = m->distance / m->idle;
    if (scenario->value[CN_PARAM_SLOTTED] != 0.0)
        *delay = cube_delay(m, is_own(scenario));
    for (size_t c = 0; delays != NULL && c < cube->nodes * cube->max_degree; c++)
        delays[c] = *delay / m->distance;
    return CN_OK;
}

cn_status cni_predict_separate_buffers(const cn_scenario *scenario, cn_result *result)
{
    cni_unlimited_model m;
    double delay = 0.0;
    CNI_TRY(solve("cn_predict", scenario, &m, &delay, NULL));
    cni_unlimited_model_put(&m, scenario, delay, result);
    return CN_OK;
}

cn_status cni_channel_delays_separate_buffers(const cn_scenario *scenario, double delays[])
{
    cni_unlimited_model m;
    double delay = 0.0;
    return solve("cn_predict_channel_delays", scenario, &m, &delay, delays);
}
