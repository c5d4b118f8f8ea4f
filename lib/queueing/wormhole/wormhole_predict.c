/* The traffic of the wormhole models (Shahrabi et al. 2001, eq. 3 to 11), the model that a
 * scenario asks for, and the metrics. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "queueing/wormhole/wormhole_network.h"
#include "routing/faults/fault.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* lambda_r of W1: replicated messages per channel and cycle. A broadcast crosses N - 1 channels,
 * n of them from its source. The published product (eq. 3, 10, 11) multiplies the rate of the
 * copies that are sent on by their mean number over all copies, which loses about half
 * (docs/errata.md). */
static double replica_rate(const cni_wormhole_case *c)
{
    double n = c->n;
    if (c->beta == 0.0)
        return 0.0;
    if (c->variant != CN_MODEL_PUBLISHED)
        return c->beta * c->load * (c->nodes - 1.0 - n) / n;
    double replications = (c->nodes - 1.0 - n) / (c->nodes - 1.0); /* eq. 10 */
    return replications / n * (0.5 * c->nodes - 1.0) * c->beta * c->load;
}

void cni_wormhole_set_load(cni_wormhole_case *c, double load)
{
    c->load = load;
    c->unicast = (1.0 - c->beta) * load * c->distance / c->degree;
    c->broadcast = c->beta * load;
    c->replica = replica_rate(c);
    c->channel = c->unicast + c->broadcast + c->replica;
}

static cn_status fail_uncovered(const char *given, const char *covered)
{
    return cni_fail(CN_ERR_UNSUPPORTED, "cn_predict: %s, but the models of wormhole cover %s",
                    given, covered);
}

/* Whether the network is a hypercube with Duato's routing, or with dimension order and one
 * virtual channel: there the models cover broadcasts, too. */
static int is_on_cube(const cn_scenario *scenario)
{
    const char *routing = cn_scenario_routing_name(scenario);
    return cni_is_hypercube(scenario->topology) &&
           (strcmp(routing, "duato") == 0 || (strcmp(routing, "dimension-order") == 0 &&
                                              scenario->value[CN_PARAM_VIRTUAL_CHANNELS] == 1.0));
}

static cn_status check_variant(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    if (is_on_cube(scenario))
        return CN_OK;
    if (value[CN_PARAM_MODEL_VARIANT] != CN_MODEL_OWN)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "cn_predict: model_variant = %s of wormhole covers Boolean n-cubes with "
            "routing = duato, or dimension-order and one virtual channel, not %s with "
            "%s and %g; model_variant = own does",
            cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)value[CN_PARAM_MODEL_VARIANT]),
            scenario->topology->name, cn_scenario_routing_name(scenario),
            value[CN_PARAM_VIRTUAL_CHANNELS]);
    if (value[CN_PARAM_BROADCAST_FRACTION] != 0.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: broadcast_fraction = %g, but the model of wormhole covers "
                        "broadcasts on Boolean n-cubes with routing = duato, or dimension-order "
                        "and one virtual channel; it covers 0 here",
                        value[CN_PARAM_BROADCAST_FRACTION]);
    return CN_OK;
}

static cn_status check_scenario(const cn_scenario *scenario)
{
    const double *value = scenario->value;
    if (value[CN_PARAM_UNSAFE] != 0.0)
        return fail_uncovered("unsafe = yes", "no");
    if (value[CN_PARAM_SELECTION] != CN_SELECTION_RANDOM)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "cn_predict: selection = %s, but the models of wormhole cover random",
            cn_param_choice_name(CN_PARAM_SELECTION, (size_t)value[CN_PARAM_SELECTION]));
    if (!cni_faults_equal(cni_faults_of(scenario), NULL))
        return fail_uncovered("the scenario has faults", "undamaged networks");
    if (value[CN_PARAM_INJECTION_SERVERS] != 1.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: injection_servers = %g, but the models of wormhole cover 1",
                        value[CN_PARAM_INJECTION_SERVERS]);
    if (value[CN_PARAM_BROADCAST_BASE] == CN_BASE_FIXED && value[CN_PARAM_BROADCAST_FRACTION] > 0.0)
        return fail_uncovered("broadcast_base = fixed",
                              "bases that load all channels alike, random and round-robin");
    if (value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_OWN && value[CN_PARAM_FLIT_BUFFERS] < 2.0 &&
        value[CN_PARAM_MESSAGE_FLITS] > 1.0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_predict: flit_buffers = 1, but model_variant own of wormhole covers 2 "
                        "and more: with 1 a channel sends every other cycle, which published and "
                        "corrected do not know either");
    return check_variant(scenario);
}

/* The shares of the limit of own up to which its accuracy is stated (docs/lab/accuracy.md). */
static const double CLAIMED_ON_CUBES = 0.75, CLAIMED_ON_RINGS = 0.7;

/* The question of a scenario. */
typedef struct question {
    cni_wormhole_case c;
    double greatest; /* load at which the channels are full */
    int on_cube;
    cni_worm_routes routes; /* for the own model alone */
} question;

static cn_status open_routes(const cn_scenario *scenario, question *q)
{
    cn_routing *routing = NULL;
    if (q->on_cube)
        return cni_worm_routes_open_cube(q->c.n, q->c.channels, q->c.share, &q->routes);
    CNI_TRY(cni_scenario_open_routing("cn_predict", scenario, &routing));
    cn_status status = cni_worm_routes_open(routing, cni_traffic_of(scenario), q->c.channels,
                                            scenario->budget, &q->routes);
    cn_routing_free(&routing);
    return status;
}

/* Makes the question of a scenario. Close its routes also after a failure. */
static cn_status make_question(const cn_scenario *scenario, question *q)
{
    const double *value = scenario->value;
    const cn_topology *t = scenario->topology;
    cni_wormhole_case *c = &q->c;
    double ways = 1.0, channels = 0.0;
    *q = (question){.on_cube = is_on_cube(scenario)};
    CNI_TRY(check_scenario(scenario));
    *c = (cni_wormhole_case){.n = q->on_cube ? t->dimensions : 0,
                             .channels = (uint32_t)value[CN_PARAM_VIRTUAL_CHANNELS],
                             .nodes = (double)t->nodes,
                             .flits = value[CN_PARAM_MESSAGE_FLITS],
                             .one_port = value[CN_PARAM_ONE_PORT] != 0.0,
                             .buffers = value[CN_PARAM_FLIT_BUFFERS],
                             .beta = value[CN_PARAM_BROADCAST_FRACTION],
                             .startup = value[CN_PARAM_STARTUP_LATENCY],
                             .variant = (cn_model_variant)value[CN_PARAM_MODEL_VARIANT],
                             .degree = t->dimensions,
                             .claimed = q->on_cube ? CLAIMED_ON_CUBES : CLAIMED_ON_RINGS,
                             .budget = scenario->budget};
    for (uint32_t i = 1; i <= c->n; i++) {
        ways *= (double)(c->n - i + 1) / i;
        c->share[i] = ways / (c->nodes - 1.0) * cni_traffic_lean(cni_traffic_of(scenario), i);
        c->distance += i * c->share[i];
    }
    if (c->variant == CN_MODEL_OWN)
        CNI_TRY(open_routes(scenario, q));
    if (!q->on_cube) {
        c->distance = q->routes.hops;
        for (uint64_t node = 0; node < t->nodes; node++)
            channels += cni_degree(t, node);
        c->degree = channels / c->nodes;
    }
    cni_wormhole_set_load(c, 1.0);
    q->greatest = 1.0 / (c->channel * c->flits);
    cni_wormhole_set_load(c, value[CN_PARAM_LOAD]);
    return CN_OK;
}

/* Below this load messages meet each other so rarely that no digit of a delay shows it, and powers
 * of rates would fall out of the range of numbers. */
static const double RARE_LOAD = 1e-24;

/* The share to which the limit is found where a solution takes long. */
static const double LIMIT_BY_PAIRS = 1e-3;

static cn_status solve_at_load(const question *q, double load, cni_wormhole_outcome *outcome)
{
    cni_wormhole_case c = q->c;
    load = load < RARE_LOAD ? 0.0 : load;
    cni_wormhole_set_load(&c, load);
    return c.variant == CN_MODEL_OWN ? cni_wormhole_own(&c, &q->routes, outcome)
                                     : cni_wormhole_published(&c, outcome);
}

/* The load up to which the model has a steady state, to this share of it. No channel carries
 * more than a flit a cycle, so the halving begins there. Below 1e-9 of a flit a cycle on each
 * channel the search ends, and the limit is as good as 0. */
static cn_status find_limit(const question *q, double accuracy, double *limit)
{
    double low = 0.0;
    *limit = q->greatest;
    while (*limit - low > accuracy * *limit && *limit > 1e-9 * q->greatest) {
        double middle = 0.5 * (low + *limit);
        if (middle <= low || middle >= *limit)
            break;
        cn_status status = solve_at_load(q, middle, NULL);
        if (status != CN_OK && status != CN_ERR_UNSTABLE)
            return status;
        *(status == CN_OK ? &low : limit) = middle;
    }
    return CN_OK;
}

/* Fails with the limit in the text, to three digits where the limit takes long to find. */
static cn_status fail_unstable(const question *q)
{
    int is_own = q->c.variant == CN_MODEL_OWN;
    double limit;
    CNI_TRY(find_limit(q, is_own ? LIMIT_BY_PAIRS : 0.0, &limit));
    return cni_fail(
        CN_ERR_UNSTABLE,
        "cn_predict: load = %g, but model_variant %s of wormhole has a steady state only "
        "below %.*g messages per node and cycle here",
        q->c.load, cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)q->c.variant),
        is_own ? 3 : 10, limit);
}

cn_status cni_limit_wormhole(const cn_scenario *scenario, double *load)
{
    question q;
    cn_status status = make_question(scenario, &q);
    if (status == CN_OK)
        status = find_limit(&q, q.on_cube ? 1e-10 : LIMIT_BY_PAIRS, load);
    cni_worm_routes_close(&q.routes);
    return status;
}

static void put_metrics(const cni_wormhole_case *c, const cni_wormhole_outcome *outcome,
                        cn_result *result)
{
    double delay = (1.0 - c->beta) * outcome->unicast_delay + c->beta * outcome->broadcast_delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_DELAY_UNICAST, outcome->unicast_delay, 0);
    if (outcome->broadcast_delay > 0.0) {
        cni_result_put(result, CN_METRIC_MEAN_DELAY_BROADCAST, outcome->broadcast_delay, 0);
        cni_result_put(result, CN_METRIC_MEAN_DELAY_BROADCAST_SENT,
                       outcome->broadcast_delay - outcome->first_wait, 0);
    }
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

/* With fewer nodes no accuracy is claimed, except on cubes: delays are up to 22 % too long. The
 * reason is not known. */
enum { LEAST_NODES_OF_CLAIM = 32 };

static int is_too_small(const cn_topology *topology)
{
    return !cni_is_hypercube(topology) && topology->nodes < LEAST_NODES_OF_CLAIM;
}

cn_status cni_predict_wormhole(const cn_scenario *scenario, cn_result *result)
{
    question q;
    cni_wormhole_outcome outcome;
    cn_status status = make_question(scenario, &q);
    if (status == CN_OK)
        status = solve_at_load(&q, q.c.load, &outcome);
    if (status == CN_ERR_UNSTABLE)
        status = fail_unstable(&q);
    if (status == CN_OK)
        put_metrics(&q.c, &outcome, result);
    if (status == CN_OK && q.c.variant == CN_MODEL_OWN)
        cni_result_put(result, CN_METRIC_EXTRAPOLATED,
                       outcome.extrapolated || is_too_small(scenario->topology), 0);
    cni_worm_routes_close(&q.routes);
    return status;
}
