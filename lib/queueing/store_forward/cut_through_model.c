/*
 * Virtual cut-through ((C1) to (C4) of docs/theory/cut-through.md). A message that never waits
 * takes M + hops cycles. Its waits at the channels and in the source are added. A channel serves a
 * message in M cycles. All times below are in units of a service. f is the flow of a channel, and
 * rho = f M the share of the time in which the channel is busy.
 *
 * Variant published (Kermani & Kleinrock 1979): every channel is a separate queue with Poisson
 * arrivals. A message goes on at once with probability 1 - rho. The mean wait is rho / (2 (1 -
 * rho)) (C2).
 *
 * Variant own adds three things. No number is fitted to this machine.
 *
 * 1. Choice. A message that may go over k channels takes the first free one, so it joins the
 * shortest of k queues of work. Let H(y) be the probability that the work at a channel is above y.
 * Let G(h) = sum p_k h^k, with p_k the share of the messages at the channel with k channels to
 * choose from. With independent and equal channels as much work rises above y as falls below it
 * (C3):
 *
 *        H(y) = rho integral from y - 1 to y of G(H(v)),    G = 1 below 0.
 *
 * The mean wait is the integral of G(H(v)) from 0 to infinity. With k = 1 it is (C2).
 *
 * 2. Order. Messages from one channel cannot come at the same time. So the wait is multiplied by
 * x / rho^2, x of channel_arrivals.h in slots of a service. With k = 1 this is the model of stored
 * messages.
 *
 * 3. Source. A source sends one message of each queue at a time. The messages behind it wait
 * although other channels may be free. With k channels to choose from, 1 - 1/k of the new messages
 * wait r S^2 / (2 (1 - r)) more (C4). r is the load of the queue, and S one service plus the wait
 * at the channel.
 */
#include "cubenet/enum.h"

#include <string.h>

#include "base/error.h"
#include "queueing/store_forward/channel_arrivals.h"
#include "queueing/store_forward/unlimited_model.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* ---- the shortest of several queues ---- */

/* The work goes in steps of 1/32 of a service. The integral ends when G is below GONE of its
 * first value, or after 2^16 steps = 2048 services; the remainder then falls like a power. */
enum { STEPS = 32, MOST_STEPS = 1 << 16 };
#define GONE 1e-9

/* Returns G(h): the probability that all channels to choose from have more work. */
static double all_above(double h, const double ways[], size_t count)
{
    double sum = 0.0;
    for (size_t k = count; k > 0; k--)
        sum = (sum + ways[k - 1]) * h;
    return sum;
}

/* Solves (C3) by the trapezoidal rule. `ring` holds G at the last STEPS + 1 points, and `area`
 * the integral over these points except the last half step. */
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
        /* G of this step is on both sides of (C3); four substitutions settle it */
        for (int again = 0; again < 4; again++) {
            h = rho * (rest + area + 0.5 * step * g);
            g = all_above(h, ways, count);
        }
        area += 0.5 * step * g;
        wait += 0.5 * step * (before + g);
        ring[i % (STEPS + 1)] = g;
        if (i == MOST_STEPS - 1 && g < before)
            wait += step * g * g / (before - g); /* the remainder falls like a power */
    }
    return wait;
}

/* ---- the sums over the channels ---- */

/* The wait (C2) of a message that has one channel to choose from. */
static double wait_alone(double rho)
{
    return rho / (2.0 * (1.0 - rho));
}

/* The wait of variant own at a channel: (C3), times x / rho^2 for the order. */
static double wait_at(const cni_channel_flows *f, const cni_channel_arrivals *arrivals, double rho,
                      size_t channel)
{
    const double *ways = f->ways + channel * f->ports;
    /* with one channel to choose from, except for rounding, (C3) is (C2) */
    double wait =
        ways[0] > 1.0 - 1e-12 ? wait_alone(rho) : cni_cut_through_wait(rho, ways, f->ports);
    return wait * arrivals->root[channel] * arrivals->runs[channel] / (rho * rho);
}

static double wait_in_source(double rate, double wait)
{
    double service = 1.0 + wait;
    return rate * service * service / (2.0 * (1.0 - rate));
}

/* Finds the mean sum of the waits of a message. `load` is in messages of a node in a service. */
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

/* ---- the region ---- */

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

/* The model takes buffers as unlimited. With one place a buffer this holds only where a message
 * at a full buffer has other buffers to go to. */
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

/* Whether places times virtual channels are below four times the least number of virtual channels.
 * Buffers then fill before channels do, but with duato a full buffer leaves other buffers. */
static int has_few_places(const cn_scenario *scenario)
{
    double least = 1.0, places = scenario->value[CN_PARAM_MESSAGE_BUFFERS];
    if (places == 0.0 || strcmp(cn_scenario_routing_name(scenario), "duato") == 0)
        return 0;
    (void)cn_scenario_range(scenario, CN_PARAM_VIRTUAL_CHANNELS, &least, NULL, NULL);
    return places * scenario->value[CN_PARAM_VIRTUAL_CHANNELS] < 4.0 * least;
}

/* The greatest claimed share of the load at which the first channel is full, for variant own.
 * The shares come from the points of docs/lab/accuracy.md: errors grow beyond. With
 * `up-down-adaptive` messages without a free channel go up to the root, more than an even choice
 * does. */
static double claimed_by_cut_through(const cn_scenario *scenario)
{
    const char *routing = cn_scenario_routing_name(scenario);
    return strcmp(routing, "up-down-adaptive") == 0 || has_few_places(scenario) ? 0.4 : 0.7;
}

static cn_status check_scenario(const cn_scenario *scenario)
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
    CNI_TRY(check_scenario(scenario));
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
    CNI_TRY(check_scenario(scenario));
    /* with turns, for find_waits() */
    cn_status status = cni_unlimited_model_of("cn_predict", scenario, 1, &flows, &m);
    if (status == CN_OK)
        status = find_waits(scenario, &flows, load, &wait);
    if (status == CN_OK)
        put_metrics(scenario, &m, wait, result);
    cni_channel_flows_close(&flows);
    return status;
}
