/*
 * Virtual cut-through (docs/theory/cut-through.md, C1 to C4): a message that never waits takes M +
 * hops cycles, and what it waits at the channels is added. A channel serves a message in M cycles.
 * All times below are in services, with f the flow of a channel and rho = f M the share of the time
 * in which it is busy.
 *
 * Variant 0, published (Kermani & Kleinrock 1979): every channel is a queue of its own with Poisson
 * arrivals, a message goes on at once with probability 1 - rho, and waits rho / (2 (1 - rho)) on
 * average.
 *
 * Variant 2, own. Two things are added.
 *
 * 1. A message that may go over k channels takes the one that is free first: it joins the shortest
 *    of k queues of work. With H(x) the probability that the work at a channel is above x, all
 *    channels independent and alike, and G(h) = sum p_k h^k, p_k the share of what comes to the
 *    channel with k to choose from,
 *
 *        H(x) = rho integral from x - 1 to x of G(H(y)) dy,    G = 1 below 0,
 *
 *    as much work rises above x as falls below it; the mean wait is the integral of G(H(x)) from 0
 *    on. With k = 1 that is rho / (2 (1 - rho)).
 *
 * 2. Messages that came over one channel do not come at the same time: the wait is multiplied by x
 *    / rho^2 of channel_arrivals.h, in slots of a service. With k = 1 that is the model of stored
 *    messages.
 *
 * A source sends one message of each queue at a time. One that has k channels to choose from may
 * wait in a queue while it could go over others: 1 - 1/k of the fresh messages wait r S^2 / (2 (1 -
 * r)) more, r the load of the queue, S one service and the wait at the channel.
 */
#include "cubenet/enum.h"

#include <math.h>
#include <string.h>

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

/* By the trapezoidal rule. `ring` holds G at the last STEPS + 1 points, `area` the integral over
 * them but for the last half step. */
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

/* Of a message at a channel, alone in its queue. */
static double wait_alone(double rho)
{
    return rho / (2.0 * (1.0 - rho));
}

/* Of variant own. */
static double wait_at(const cni_channel_flows *f, const cni_channel_arrivals *arrivals, double rho,
                      size_t channel)
{
    const double *ways = f->ways + channel * f->ports;
    double wait =
        ways[0] > 1.0 - 1e-12 ? wait_alone(rho) : cni_cut_through_wait(rho, ways, f->ports);
    return wait * arrivals->root[channel] * arrivals->runs[channel] / (rho * rho);
}

static double wait_in_source(double rate, double wait)
{
    double service = 1.0 + wait;
    return rate * service * service / (2.0 * (1.0 - rate));
}

/* What a message waits on its way, at so many messages of a node in a service. */
static cn_status find_waits(const cn_scenario *scenario, const cni_channel_flows *f, double load,
                            double *wait)
{
    int own = scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN;
    cni_channel_arrivals arrivals;
    double sum = 0.0;
    CNI_TRY(cni_channel_arrivals_open(f, load, 1.0, own, &arrivals));
    cn_status status = CN_OK;
    for (size_t c = 0; c < f->places && status == CN_OK && load > 0.0; c++) {
        double rho = load * f->flow[c];
        if (f->flow[c] == 0.0)
            continue;
        double here = own ? wait_at(f, &arrivals, rho, c) : wait_alone(rho);
        sum += f->flow[c] * here;
        if (own)
            sum += f->spare[c] * wait_in_source(load * f->fresh[c], here);
        status = cni_budget_go_on(scenario->budget, 64 * f->ports);
    }
    cni_channel_arrivals_close(&arrivals);
    *wait = sum / f->rate;
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

/* The model takes buffers for unlimited. With one place it holds only where a message that finds a
 * buffer full has others to go to. */
cn_model_variant cni_nearest_of_cut_through(const cn_scenario *scenario)
{
    int is_covered = scenario->value[CN_PARAM_MESSAGE_BUFFERS] != 1.0 ||
                     strcmp(cn_scenario_routing_name(scenario), "duato") == 0;
    return is_covered ? CN_MODEL_OWN : CN_MODEL_PUBLISHED;
}

cn_status cni_check_own_cut_through(const char *function, const cn_scenario *scenario)
{
    if (cni_nearest_of_cut_through(scenario) == CN_MODEL_OWN)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: model_variant = own of cut-through covers message_buffers = 1 with "
                    "routing = duato only, not with %s; "
                    "with 0, 2 and more it covers every routing",
                    function, cn_scenario_routing_name(scenario));
}

/* Whether fewer than four messages fit in the buffers that a message of a routing other than duato
 * may take at a channel. */
static int has_few_places(const cn_scenario *scenario)
{
    double least = 1.0, places = scenario->value[CN_PARAM_MESSAGE_BUFFERS];
    if (places == 0.0 || strcmp(cn_scenario_routing_name(scenario), "duato") == 0)
        return 0;
    (void)cn_scenario_range(scenario, CN_PARAM_VIRTUAL_CHANNELS, &least, NULL, NULL);
    return places * scenario->value[CN_PARAM_VIRTUAL_CHANNELS] < 4.0 * least;
}

/* The share of the load at which the first channel is full up to which the accuracy of own is
 * stated (docs/lab/accuracy.md). */
static double claimed_by_cut_through(const cn_scenario *scenario)
{
    const char *routing = cn_scenario_routing_name(scenario);
    return strcmp(routing, "up-down-adaptive") == 0 || has_few_places(scenario) ? 0.4 : 0.7;
}

static cn_status check(const cn_scenario *scenario)
{
    const cn_traffic *traffic = cni_traffic_of(scenario);
    CNI_TRY(check_value(scenario, CN_PARAM_SELECTION, CN_SELECTION_RANDOM));
    CNI_TRY(check_value(scenario, CN_PARAM_BROADCAST_FRACTION, 0.0));
    CNI_TRY(check_value(scenario, CN_PARAM_ONE_PORT, 0.0));
    CNI_TRY(check_value(scenario, CN_PARAM_INJECTION_SERVERS, 1.0));
    if (traffic == NULL || traffic->source != CN_SOURCE_ON_OFF)
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "cn_predict: the source is %s, but the model covers poisson, geometric and "
                    "bernoulli, of which few messages come in the time of one",
                    cn_enum_name(CN_ENUM_SOURCE, (int)traffic->source));
}

cn_status cni_limit_cut_through(const cn_scenario *scenario, double *load)
{
    CNI_TRY(check(scenario));
    return cni_limit_of_network(scenario, load);
}

static void put_metrics(const cn_scenario *scenario, const cni_unlimited_model *m, double wait,
                        cn_result *result)
{
    double flits = scenario->value[CN_PARAM_MESSAGE_FLITS];
    double delay = scenario->value[CN_PARAM_STARTUP_LATENCY] + m->hops + flits * (1.0 + wait);
    cni_put_load(m, delay, result);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_UNICAST, delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, m->load * delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, m->hops, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_MESSAGE_RATE, m->rate, 0);
    if (scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN)
        cni_result_put(result, CN_METRIC_EXTRAPOLATED,
                       m->fullest > claimed_by_cut_through(scenario), 0);
}

cn_status cni_predict_cut_through(const cn_scenario *scenario, cn_result *result)
{
    double load = scenario->value[CN_PARAM_LOAD] * scenario->value[CN_PARAM_MESSAGE_FLITS];
    cni_channel_flows flows;
    cni_unlimited_model m;
    double wait = 0.0;
    CNI_TRY(check(scenario));
    cn_status status = cni_unlimited_model_of("cn_predict", scenario, 1, &flows, &m);
    if (status == CN_OK)
        status = find_waits(scenario, &flows, load, &wait);
    if (status == CN_OK)
        put_metrics(scenario, &m, wait, result);
    cni_channel_flows_close(&flows);
    return status;
}
