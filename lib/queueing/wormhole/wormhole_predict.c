/* The traffic of the wormhole models (Shahrabi et al. 2001, eq. 3 to 11), and their results. */
#include <math.h>
#include <string.h>

#include "cubenet/wormhole.h"

#include "base/error.h"
#include "queueing/wormhole/wormhole_model.h"
#include "routing/faults/fault.h"
#include "topology/topology.h"

/* Replicated messages per channel and cycle. A broadcast crosses N - 1 channels, n of them from
 * its source. The published product (eq. 3, 10, 11) multiplies the rate of the copies that are
 * sent on by their mean number over all copies, which loses about half. */
static double replica_rate(const cni_wormhole_case *c)
{
    double n = c->n;
    if (c->variant != CN_MODEL_PUBLISHED)
        return c->beta * c->load * (c->nodes - 1.0 - n) / n;
    double replications = (c->nodes - 1.0 - n) / (c->nodes - 1.0); /* eq. 10 */
    return replications / n * (0.5 * c->nodes - 1.0) * c->beta * c->load;
}

void cni_wormhole_set_load(cni_wormhole_case *c, double load)
{
    c->load = load;
    c->unicast = (1.0 - c->beta) * load * c->distance / c->n;
    c->broadcast = c->beta * load;
    c->replica = replica_rate(c);
    c->channel = c->unicast + c->broadcast + c->replica;
}

static cn_status check(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    const char *routing = cn_scenario_routing_name(scenario);
    if (value[CN_PARAM_UNSAFE] != 0.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: unsafe = yes, but the models of wormhole cover no");
    if (!cni_faults_equal(cni_faults_of(scenario), NULL))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: the scenario has faults, but the models of wormhole cover "
                        "undamaged hypercubes");
    if (strcmp(routing, "duato") != 0 &&
        (strcmp(routing, "dimension-order") != 0 || value[CN_PARAM_VIRTUAL_CHANNELS] > 1.0))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: routing = %s with virtual_channels = %g, but the models of "
                        "wormhole cover routing = duato, and dimension-order with one virtual "
                        "channel",
                        routing, value[CN_PARAM_VIRTUAL_CHANNELS]);
    if (value[CN_PARAM_INJECTION_SERVERS] != 1.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: injection_servers = %g, but the models of wormhole cover 1",
                        value[CN_PARAM_INJECTION_SERVERS]);
    if (value[CN_PARAM_ONE_PORT] != 0.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: one_port = yes, but the models of wormhole cover no");
    if (value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN && value[CN_PARAM_FLIT_BUFFERS] < 2.0 &&
        value[CN_PARAM_MESSAGE_FLITS] > 1.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: flit_buffers = 1, but model_variant own of wormhole covers 2 "
                        "and more: with 1 a channel sends every other cycle");
    return CN_OK;
}

static void open_case(const cn_scenario *scenario, cni_wormhole_case *c)
{
    const double *value = scenario->value;
    *c = (cni_wormhole_case){.n = scenario->topology->dimensions,
                             .channels = (uint32_t)value[CN_PARAM_VIRTUAL_CHANNELS],
                             .nodes = (double)scenario->topology->nodes,
                             .flits = value[CN_PARAM_MESSAGE_FLITS],
                             .buffers = value[CN_PARAM_FLIT_BUFFERS],
                             .beta = value[CN_PARAM_BROADCAST_FRACTION],
                             .startup = value[CN_PARAM_STARTUP_LATENCY],
                             .variant = (cn_model_variant)value[CN_PARAM_MODEL_VARIANT]};
    double ways = 1.0;
    for (uint32_t i = 1; i <= c->n; i++) {
        ways *= (double)(c->n - i + 1) / i;
        c->share[i] = ways / (c->nodes - 1.0);
        c->distance += i * c->share[i];
    }
    cni_wormhole_set_load(c, value[CN_PARAM_LOAD]);
}

static cn_status solve(const cni_wormhole_case *c, cni_wormhole_outcome *outcome)
{
    return c->variant == CN_MODEL_OWN ? cni_wormhole_own(c, outcome)
                                      : cni_wormhole_published(c, outcome);
}

/* The load up to which the model has a steady state, to this share of it. */
static cn_status find_limit(const cni_wormhole_case *asked, double accuracy, double *limit)
{
    cni_wormhole_case c = *asked;
    cni_wormhole_outcome ignored;
    /* no channel carries more than a flit a cycle: near enough to the limit to halve from there */
    cni_wormhole_set_load(&c, 1.0);
    double low = 0.0, high = 1.0 / (c.channel * c.flits);
    while (high - low > accuracy * high) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        cni_wormhole_set_load(&c, middle);
        cn_status status = solve(&c, &ignored);
        if (status == CN_ERR_MEMORY)
            return status;
        if (status == CN_OK)
            low = middle;
        else
            high = middle;
    }
    *limit = high;
    return CN_OK;
}

/* With the limit to three digits where it takes long to find. */
static cn_status fail_unstable(const cni_wormhole_case *c)
{
    int is_own = c->variant == CN_MODEL_OWN;
    double limit;
    CNI_TRY(find_limit(c, is_own ? 1e-3 : 0.0, &limit));
    return cni_fail(
        CN_ERR_UNSTABLE,
        "cn_predict: load = %g, but model_variant %s of wormhole has a steady state only "
        "below %.*g messages per node and cycle here",
        c->load, cn_model_variant_name(c->variant), is_own ? 3 : 10, limit);
}

cn_status cni_limit_wormhole(const cn_scenario *scenario, double *load)
{
    cni_wormhole_case c;
    CNI_TRY(check(scenario));
    open_case(scenario, &c);
    return find_limit(&c, 1e-10, load);
}

static void put(const cni_wormhole_case *c, const cni_wormhole_outcome *outcome, cn_result *result)
{
    double delay = (1.0 - c->beta) * outcome->unicast_delay + c->beta * outcome->broadcast_delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_UNICAST, outcome->unicast_delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_BROADCAST, outcome->broadcast_delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, c->load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, c->nodes * c->load, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, c->load, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, c->load * delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, c->distance, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, c->distance, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_MESSAGE_RATE, c->channel, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_RATE_UNICAST, c->unicast, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_RATE_BROADCAST, c->broadcast, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_RATE_REPLICA, c->replica, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, c->channel * c->flits, 0);
    cni_result_put(result, CN_METRIC_WAITING_PER_HOP, outcome->waiting_per_hop, 0);
    cni_result_put(result, CN_METRIC_VIRTUAL_CHANNEL_MULTIPLEXING, outcome->multiplexing, 0);
}

cn_status cni_predict_wormhole(const cn_scenario *scenario, cn_result *result)
{
    cni_wormhole_case c;
    cni_wormhole_outcome outcome;
    CNI_TRY(check(scenario));
    open_case(scenario, &c);
    cn_status status = solve(&c, &outcome);
    if (status == CN_ERR_UNSTABLE)
        return fail_unstable(&c);
    if (status == CN_OK)
        put(&c, &outcome, result);
    return status;
}
