/*
 * The loads at which a network that stores and forwards has a steady state.
 *
 * The limit depends on the scenario alone, not on a clock. Up to MOST_STEPS steps the flow of every
 * channel is computed, which takes a tenth of a second or less. For larger networks only the mean
 * flow is computed, from the mean distance, when the mean distance has a closed form or a search of
 * at most MOST_SEARCHED steps. Otherwise the limit is unknown, and only the queues show an
 * overload.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/questions/loads.h"
#include "routing/questions/walks.h"
#include "scenario/system.h"
#include "scenario/traffic/routing_loads.h"
#include "scenario/traffic/traffic.h"
#include "simulation/store_forward/store_forward.h"
#include "topology/distances/breadth_first.h"

/* Steps of the flows: a step takes messages to a node over a channel, in some 10 ns. */
#define MOST_STEPS (UINT64_C(1) << 23)
/* Steps of a mean distance: nodes times channels; a search covers 64 of them at once. */
#define MOST_SEARCHED (UINT64_C(1) << 30)

/* The steps that a distance counts for when it has a closed form but is neither stored nor found by
 * digits: the rule asks for the distance of every neighbor. */
enum { DISTANCE_STEPS = 32 };

/* Whether the flows of all channels take at most MOST_STEPS steps. */
static int has_few_steps(const cn_topology *t, const cni_network *network)
{
    const cn_routing *routing = network->routing;
    uint64_t each = routing == NULL ? 1 : routing->classes;
    if (t->nodes > CNI_WALKS_NODES)
        return 0;
    if (routing != NULL && routing->leg->kind == &cni_minimal &&
        cni_routing_is_closed_form(routing->leg) && !cni_is_kary_ncube(t) && !cni_sets_digits(t))
        each *= DISTANCE_STEPS;
    return network->served * network->channels * each <= MOST_STEPS;
}

/* Whether the mean distance has a closed form or a short search. */
static int has_mean(const cn_topology *t, const cni_network *network)
{
    return t->mean_distance > 0.0 || (t->nodes <= MOST_SEARCHED / network->channels);
}

static int is_uniform(const cn_traffic *traffic)
{
    return traffic == NULL || traffic->pattern == CN_PATTERN_UNIFORM;
}

/* Whether closed forms tell the flow of the channels, and all channels have the same flow. */
static int is_even(const cn_topology *t, const cn_routing *routing, const cn_traffic *traffic)
{
    if (routing->faults != NULL || !cni_is_symmetric(t))
        return 0;
    if (routing->kind == &cni_preferred)
        return 1;
    return routing->kind == &cni_minimal &&
           (cni_is_hypercube(t) ||
            (is_uniform(traffic) && (cni_is_kary_ncube(t) || cni_sets_digits(t))));
}

/* The limit of a whole network by closed forms. All channels have the same flow (is_even()). */
static void limit_of_even_flow(const cn_scenario *scenario, cni_store_limit *limit)
{
    double capacity = cni_capacity(scenario->topology);
    cni_traffic_bound bound = {capacity, capacity, capacity};
    if (!is_uniform(cni_traffic_of(scenario)))
        bound = scenario->bound;
    limit->is_even = 1;
    limit->channels = bound.channels;
    limit->steady = fmin(bound.channels, fmin(bound.path, bound.node));
}

static cn_status find_loads(const cn_scenario *scenario, const cni_network *network, double loads[],
                            size_t count)
{
    const cn_traffic *traffic = cni_traffic_of(scenario);
    if (is_uniform(traffic))
        return cni_routing_give_loads(scenario->budget, network->routing, NULL, NULL, loads, count,
                                      NULL);
    return cni_traffic_give_loads(traffic, network->routing, scenario->budget, loads, count, NULL);
}

/* From the flows of all channels. When every message picks at random among its channels and
 * stays with the channel, the busiest channel limits the load. Otherwise the flows depend on the
 * load, and only all channels together are a limit. */
static cn_status limit_of_flows(const cn_scenario *scenario, const cni_network *network,
                                cni_store_limit *limit)
{
    size_t count = (size_t)(network->nodes * network->ports);
    double sum = 0.0, busiest = 0.0;
    double *loads = cni_allocate(count, sizeof *loads);
    cn_status status = loads == NULL ? CN_ERR_MEMORY : find_loads(scenario, network, loads, count);
    for (size_t c = 0; status == CN_OK && c < count; c++) {
        sum += loads[c];
        busiest = fmax(busiest, loads[c]);
    }
    cni_release(loads);
    if (sum > 0.0)
        limit->channels = (double)network->channels / sum;
    limit->steady = limit->channels;
    if (scenario->system->random_paths && busiest > 0.0 &&
        scenario->value[CN_PARAM_SELECTION] == CN_SELECTION_RANDOM)
        limit->channels = limit->steady = 1.0 / busiest;
    return status;
}

static cn_status find_limit(const cn_scenario *scenario, const cni_network *network,
                            cni_store_limit *limit)
{
    const cn_topology *t = scenario->topology;
    const cn_traffic *traffic = cni_traffic_of(scenario);
    const cn_routing *routing = network->routing;
    double mean;
    *limit = (cni_store_limit){INFINITY, INFINITY, .is_known = 1};
    if (cni_traffic_is_trace(traffic))
        return CN_OK;
    if (network->served == t->nodes && (routing == NULL || is_even(t, routing, traffic))) {
        limit_of_even_flow(scenario, limit);
        return CN_OK;
    }
    if (has_few_steps(t, network))
        return limit_of_flows(scenario, network, limit);
    if (is_uniform(traffic) && has_mean(t, network) &&
        cni_mean_distance(t, scenario->budget, &mean) == CN_OK)
        limit->channels = limit->steady = (double)network->channels / (network->endpoints * mean);
    return cni_budget_go_on(scenario->budget, 0);
}

cn_status cni_store_find_limit(const cn_scenario *scenario, const cni_network *network,
                               cni_store_limit *limit)
{
    *limit = scenario->limit;
    return limit->is_known ? CN_OK : find_limit(scenario, network, limit);
}

/* Whether some channel is full at this load. The tolerance of 1e-12 covers rounding: at the
 * limit itself the sums of flows may come out just below the limit. */
static int is_full(double load, const cni_store_limit *limit)
{
    return load >= limit->steady * (1.0 - 1e-12);
}

cn_status cni_store_settle(void *state, const cn_scenario *scenario)
{
    cni_store *k = state;
    cni_store_limit limit;
    if (k->base.part.part > 0)
        return CN_OK;
    CNI_TRY(cni_store_find_limit(scenario, &k->network, &limit));
    double left = 1.0 - k->load / limit.channels;
    if (!is_full(k->load, &limit))
        k->spare = 1 + (uint64_t)(fmax(left, 0.0) * (double)k->network.channels * CNI_STORE_PARTS);
    return CN_OK;
}

/* ---- runs without a steady state ---- */

/* The mean number of messages per channel at which a run without a steady state ends. Its rates
 * are known by then, and a longer run would only fill memory. */
#define BACKLOG 32.0

/* Shortens a run in which the queues of the busiest channels grow by `growth` (at least 0)
 * messages a cycle. The run ends when about BACKLOG messages wait there, which also bounds the
 * memory. After c cycles the queue has growth * c messages of excess, and less than sqrt(c)
 * messages that a queue at the limit gathers by chance: growth * c + sqrt(c) = BACKLOG. A
 * warm-up of fixed length gets at most a quarter of the run; an automatic warm-up is at most a
 * quarter of the measured cycles, hence 1.25. */
static void shorten_run(cn_scenario *scenario, double growth)
{
    double *warmup = &scenario->value[CN_PARAM_WARMUP_CYCLES];
    int automatic = *warmup == CN_WARMUP_AUTOMATIC;
    double *measured = &scenario->value[CN_PARAM_MEASURE_CYCLES];
    double root = 2.0 * BACKLOG / (1.0 + sqrt(1.0 + 4.0 * growth * BACKLOG));
    double longest = ceil(root * root);
    if (automatic) { /* the automatic warm-up adds up to a quarter */
        *measured = fmin(*measured, ceil(longest / 1.25));
        return;
    }
    if (*warmup + *measured <= longest)
        return;
    *warmup = fmin(*warmup, floor(longest / 4.0));
    *measured = fmin(*measured, longest - *warmup);
}

/* Whether only the queues show an overload. The limit of the load is exact where messages pick
 * at random and stay with their channel, and in cubes, whose channels all have the same flow. */
int cni_store_takes_all(const cn_scenario *scenario)
{
    cn_selection selection = (cn_selection)scenario->value[CN_PARAM_SELECTION];
    if (selection != CN_SELECTION_RANDOM)
        return 1;
    return !scenario->system->random_paths && !cni_store_has_headers(scenario);
}

/* The queues of a node share the excess when all channels have the same flow; otherwise the
 * busiest channel has the whole excess. */
cn_status cni_store_shorten(cn_scenario *scenario)
{
    cni_network network = {0};
    cni_store_form form;
    cni_store_limit limit;
    double load = scenario->value[CN_PARAM_LOAD];
    cn_status status = cni_store_open_network(scenario, &network, &form);
    if (status == CN_OK)
        status = cni_store_find_limit(scenario, &network, &limit);
    if (status == CN_OK)
        scenario->limit = limit;
    if (status == CN_OK && is_full(load, &limit)) {
        double growth =
            limit.is_even ? (load - limit.steady) / network.ports : load / limit.steady - 1.0;
        shorten_run(scenario, fmax(growth, 0.0));
    }
    cni_network_close(&network);
    return status;
}
