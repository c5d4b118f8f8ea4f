/*
 * Virtual cut-through: a message that never waits takes M + hops cycles, and what it waits at the channels is added.
 * A channel serves a message in M cycles. All times below are in services, with f the flow of a channel and
 * rho = f M the share of the time in which it is busy.
 *
 * Variant 0, published (Kermani & Kleinrock 1979): every channel is a queue of its own with Poisson arrivals, a
 * message goes on at once with probability 1 - rho, and waits rho / (2 (1 - rho)) on average.
 *
 * Variant 2, own. Two things are added.
 *
 * 1. A message that may go over k channels takes the one that is free first: it joins the shortest of k queues of
 *    work. With H(x) the probability that the work at a channel is above x, all channels independent and
 *    alike, and G(h) = sum p_k h^k, p_k the share of what comes to the channel with k to choose from,
 *
 *        H(x) = rho integral from x - 1 to x of G(H(y)) dy,    G = 1 below 0,
 *
 *    as much work rises above x as falls below it; the mean wait is the integral of G(H(x)) from 0 on. With
 *    k = 1 that is rho / (2 (1 - rho)).
 *
 * 2. Messages that came over one channel do not come at the same time: the wait is multiplied by x / rho^2 of
 *    channel_arrivals.h, in slots of a service. With k = 1 that is the model of stored messages.
 *
 * A source sends one message of each queue at a time. One that has k channels to choose from may wait in a queue
 * while it could go over others: 1 - 1/k of the fresh messages wait r S^2 / (2 (1 - r)) more, r the load of
 * the queue, S one service and the wait at the channel.
 */
#include "queueing/store_forward/cut_through_model.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/error.h"
#include "queueing/store_forward/channel_arrivals.h"
#include "queueing/store_forward/unlimited_model.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* ---- the shortest of several queues ---- */

/* Steps of the work, and the share at which it is as good as gone. */
enum { STEPS = 32, MOST_STEPS = 1 << 16 };
#define GONE 1e-9

static double all_above(double h, const double ways[], size_t count)
{
    double sum = 0.0;
    for (size_t k = count; k > 0; k--)
        sum = (sum + ways[k - 1]) * h;
    return sum;
}

/* By the trapezoidal rule. `ring` holds G at the last STEPS + 1 points, `area` the integral over them but for the
 * last half step. */
double cni_cut_through_wait(double rho, const double ways[], size_t count)
{
    const double step = 1.0 / STEPS;
    double ring[STEPS + 1], h = rho, g = all_above(rho, ways, count), area = 0.0, wait = 0.0;
    double gone = GONE * g;
    ring[0] = g;
    for (size_t i = 1; i < MOST_STEPS && g > gone; i++) {
        double before = g, first = i > STEPS ? ring[(i - STEPS) % (STEPS + 1)] : 0.0;
        double rest = i < STEPS ? 1.0 - (double)i * step : 0.0;
        area += 0.5 * step * before;
        if (i > STEPS)
            area -= 0.5 * step * (ring[(i - STEPS - 1) % (STEPS + 1)] + first);
        for (int again = 0; again < 4; again++) {
            h = rho * (rest + area + 0.5 * step * g);
            g = all_above(h, ways, count);
        }
        area += 0.5 * step * g;
        wait += 0.5 * step * (before + g);
        ring[i % (STEPS + 1)] = g;
        if (i == MOST_STEPS - 1 && g < before)
            wait += step * g * g / (before - g); /* the rest falls like a power */
    }
    return wait;
}

/* ---- the sums over the channels ---- */

typedef struct waiting {
    const cni_channel_flows *flows;
    const cni_channel_arrivals *arrivals; /* of variant own, else NULL */
    double load;                          /* messages of a node in a service */
} waiting;

/* Of a message at a channel, in services. */
static double wait_at(const waiting *w, size_t channel, double ways[])
{
    const cni_channel_flows *f = w->flows;
    double rho = w->load * f->flow[channel];
    double alone = rho / (2.0 * (1.0 - rho));
    if (w->arrivals == NULL)
        return alone;
    double bound = 0.0;
    for (size_t k = 0; k < f->ports; k++) {
        ways[k] = f->ways[channel * f->ports + k] / f->flow[channel];
        bound += k == 0 ? ways[k] : 0.0;
    }
    double wait = bound > 1.0 - 1e-12 ? alone : cni_cut_through_wait(rho, ways, f->ports);
    return wait * w->arrivals->root[channel] * w->arrivals->runs[channel] / (rho * rho);
}

static double wait_in_source(const waiting *w, size_t channel, double wait)
{
    double rate = w->load * w->flows->fresh[channel], service = 1.0 + wait;
    return rate * service * service / (2.0 * (1.0 - rate));
}

/* What a message waits on its way. */
static cn_status sum_waits(const waiting *w, cni_budget *budget, double *wait)
{
    const cni_channel_flows *f = w->flows;
    double sum = 0.0;
    double *ways = cni_allocate(f->ports, sizeof *ways);
    cn_status status = ways == NULL ? CN_ERR_MEMORY : CN_OK;
    for (size_t c = 0; c < f->places && status == CN_OK && w->load > 0.0; c++) {
        if (f->flow[c] == 0.0)
            continue;
        double here = wait_at(w, c, ways);
        sum += f->flow[c] * here;
        if (w->arrivals != NULL)
            sum += f->spare[c] * wait_in_source(w, c, here);
        status = cni_budget_go_on(budget, 64 * f->ports);
    }
    cni_release(ways);
    *wait = sum / f->rate;
    return status;
}

static cn_status find_waits(const cn_scenario *scenario, const cni_channel_flows *flows,
                            double *wait)
{
    double load = scenario->value[CN_PARAM_LOAD] * scenario->value[CN_PARAM_MESSAGE_FLITS];
    cni_channel_arrivals arrivals;
    waiting w = {flows, NULL, load};
    if (scenario->value[CN_PARAM_MODEL_VARIANT] != CN_MODEL_OWN)
        return sum_waits(&w, scenario->budget, wait);
    CNI_TRY(cni_channel_arrivals_open(flows, load, 1.0, 1, &arrivals));
    w.arrivals = &arrivals;
    cn_status status = sum_waits(&w, scenario->budget, wait);
    cni_channel_arrivals_close(&arrivals);
    return status;
}

/* ---- what is covered ---- */

static cn_status check_value(const cn_scenario *scenario, cn_param param, double needed)
{
    char given[CNI_NUMBER_CAPACITY], choice[CNI_NUMBER_CAPACITY];
    if (scenario->value[param] == needed)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: %s = %s, but the model of cut-through needs %s; cn_simulate() "
                    "covers all",
                    cn_param_name(param), cni_param_text(param, scenario->value[param], given),
                    cni_param_text(param, needed, choice));
}

/* The model takes buffers for unlimited. With one place it holds only where a message that finds a buffer full has others to
 * go to. */
cn_status cni_check_own_cut_through(const char *function, const cn_scenario *scenario)
{
    const char *routing = cn_scenario_routing_name(scenario);
    if (scenario->value[CN_PARAM_MESSAGE_BUFFERS] != 1.0 || strcmp(routing, "duato") == 0)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: model_variant = own of cut-through covers message_buffers = 1 with "
                    "routing = duato only, not with %s; "
                    "with 0, 2 and more it covers every routing",
                    function, routing);
}

/* The share of the load at which the first channel is full up to which the accuracy of own is stated (docs/cut-through.md). */
static double claimed_by_cut_through(const cn_scenario *scenario)
{
    const char *routing = cn_scenario_routing_name(scenario);
    return strcmp(routing, "up-down-adaptive") == 0 ? 0.4 : 0.7;
}

static cn_status check(const cn_scenario *scenario)
{
    const cn_traffic *traffic = cni_traffic_of(scenario);
    CNI_TRY(check_value(scenario, CN_PARAM_SELECTION, CN_SELECTION_RANDOM));
    CNI_TRY(check_value(scenario, CN_PARAM_BROADCAST_FRACTION, 0.0));
    CNI_TRY(check_value(scenario, CN_PARAM_ONE_PORT, 0.0));
    CNI_TRY(check_value(scenario, CN_PARAM_INJECTION_SERVERS, 1.0));
    CNI_TRY(cni_param_check_choice("cn_predict", scenario->system->name, CN_PARAM_MODEL_VARIANT,
                                   scenario->value[CN_PARAM_MODEL_VARIANT],
                                   1u << CN_MODEL_PUBLISHED | 1u << CN_MODEL_OWN));
    if (traffic == NULL || traffic->source != CN_SOURCE_ON_OFF)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: the source is %s, but the model covers poisson, geometric and "
                    "bernoulli, of which few messages come in the time of one",
                    cn_source_name(traffic->source));
}

cn_status cni_limit_cut_through(const cn_scenario *scenario, double *load)
{
    CNI_TRY(check(scenario));
    CNI_TRY(cni_limit_of_network(scenario, load));
    *load /= scenario->value[CN_PARAM_MESSAGE_FLITS];
    return CN_OK;
}

static cn_status check_load(const cn_scenario *scenario, const cni_channel_flows *flows)
{
    double flits = scenario->value[CN_PARAM_MESSAGE_FLITS], load = scenario->value[CN_PARAM_LOAD];
    double limit = 0.0;
    char given[CNI_NUMBER_CAPACITY];
    CNI_TRY(cni_limit_of_flows("cn_predict", flows, &limit));
    if (load * flits < limit * (1.0 - 1e-12))
        return CN_OK;
    return cni_fail(CN_ERR_UNSTABLE,
                    "cn_predict: load = %s, but with messages of %g flits %s has a steady state "
                    "only below %.9g, where its busiest channel is full",
                    cni_number_text(load, given), flits, flows->topology->name, limit / flits);
}

static void put(const cn_scenario *scenario, const cni_channel_flows *f, double wait,
                cn_result *result)
{
    double flits = scenario->value[CN_PARAM_MESSAGE_FLITS];
    double load = scenario->value[CN_PARAM_LOAD] * f->rate / f->served;
    double hops = f->sum / f->rate, rate = scenario->value[CN_PARAM_LOAD] * f->sum / f->channels;
    double delay = scenario->value[CN_PARAM_STARTUP_LATENCY] + hops + flits * (1.0 + wait);
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_UNICAST, delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, load * f->served, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, load, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, load * delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, f->travel / f->rate, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, hops, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_MESSAGE_RATE, rate, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, rate * flits, 0);
    if (scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN)
        cni_result_put(result, CN_METRIC_EXTRAPOLATED,
                       scenario->value[CN_PARAM_LOAD] * flits * f->greatest >
                           claimed_by_cut_through(scenario),
                       0);
}

cn_status cni_predict_cut_through(const cn_scenario *scenario, cn_result *result)
{
    cni_channel_flows flows;
    double wait = 0.0;
    CNI_TRY(check(scenario));
    cn_status status = cni_channel_flows_open("cn_predict", scenario, CNI_FLOWS_WAYS, &flows);
    if (status == CN_OK)
        status = check_load(scenario, &flows);
    if (status == CN_OK)
        status = find_waits(scenario, &flows, &wait);
    if (status == CN_OK)
        put(scenario, &flows, wait, result);
    cni_channel_flows_close(&flows);
    return status;
}
