/* The common part of the models with unlimited buffers: loads of the channels and limits, on
 * Boolean n-cubes and on other networks. */
#include "queueing/store_forward/unlimited_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic_bound.h"
#include "scenario/traffic/traffic.h"
#include "topology/topology.h"

/* The rounding error of the capacity 2 - 2^(1-n) for uniform traffic. It is 0 up to n = 53. */
static double rounded_up(const cn_topology *cube, double capacity)
{
    return ldexp(1.0, 1 - (int)cube->dimensions) - (2.0 - capacity);
}

static int is_uniform(const cn_traffic *traffic)
{
    return cn_traffic_pattern(traffic) == CN_PATTERN_UNIFORM;
}

static double mean_distance(const cn_topology *cube, const cn_traffic *traffic)
{
    double ways = 1.0, sum = 0.0;
    for (uint32_t i = 1; i <= cube->dimensions; i++) {
        ways *= (double)(cube->dimensions - i + 1) / i;
        sum += i * ways * cni_traffic_lean(traffic, i);
    }
    return sum / ((double)cube->nodes - 1.0);
}

/* The load n/d at which all channels of a cube are full. */
static double capacity_of(const cn_topology *cube, const cn_traffic *traffic)
{
    return is_uniform(traffic) ? cni_capacity(cube)
                               : cube->dimensions / mean_distance(cube, traffic);
}

cn_status cni_unlimited_model_open(const char *function, const cn_topology *topology,
                                   const cn_traffic *traffic, double load,
                                   cni_unlimited_model *model)
{
    double capacity = capacity_of(topology, traffic);
    double left = capacity - load - (is_uniform(traffic) ? rounded_up(topology, capacity) : 0.0);
    if (left <= 0.0)
        return cni_fail(CN_ERR_UNSTABLE,
                        "%s: load = %.15g, but %s has a steady state only below n/d = %.15g "
                        "messages per node and cycle",
                        function, load, topology->name, capacity);
    model->distance =
        is_uniform(traffic) ? topology->mean_distance : mean_distance(topology, traffic);
    model->n = topology->dimensions;
    model->nodes = (double)topology->nodes;
    model->load = load;
    model->hops = model->distance;
    model->rate = model->rho = model->fullest = load / capacity;
    model->idle = left / capacity;
    return CN_OK;
}

cn_status cni_unlimited_model_of_cube(const char *function, uint32_t n, double load,
                                      cni_unlimited_model *model)
{
    cn_topology *cube = NULL;
    CNI_TRY(cni_check_range(function, "n", n, 1, CNI_MAX_DIMENSIONS));
    if (!(load >= 0.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: load = %g, but it must be at least 0", function,
                        load);
    CNI_TRY(cn_topology_hypercube(n, &cube));
    cn_status status = cni_unlimited_model_open(function, cube, NULL, load, model);
    cn_topology_free(&cube);
    return status;
}

cn_status cni_limit_of_cube(const cn_scenario *scenario, double *load)
{
    *load = capacity_of(scenario->topology, cni_traffic_of(scenario));
    return CN_OK;
}

/* Opens the flows, and finds the limit of the load for messages of so many flits. Each flit
 * takes a channel for a cycle. */
static cn_status open_flows(const char *function, const cn_scenario *scenario, int turns,
                            cni_channel_flows *flows, double *limit)
{
    CNI_TRY(cni_channel_flows_open(function, scenario, turns, flows));
    if (!(flows->greatest > 0.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: no node sends, so there is no delay", function);
    *limit = 1.0 / flows->greatest / cni_scenario_flits(scenario);
    return CN_OK;
}

cn_status cni_limit_of_network(const cn_scenario *scenario, double *load)
{
    cni_channel_flows flows;
    cn_status status = open_flows("cn_saturation_load", scenario, 0, &flows, load);
    cni_channel_flows_close(&flows);
    return status;
}

cn_status cni_unlimited_model_of(const char *function, const cn_scenario *scenario, int turns,
                                 cni_channel_flows *flows, cni_unlimited_model *model)
{
    char given[CNI_NUMBER_CAPACITY], messages[CNI_NUMBER_CAPACITY + 32] = "";
    double load = scenario->value[CN_PARAM_LOAD], flits = cni_scenario_flits(scenario), limit = 0.0;
    CNI_TRY(open_flows(function, scenario, turns, flows, &limit));
    if (cni_row_takes(scenario->system, CN_PARAM_MESSAGE_FLITS))
        snprintf(messages, sizeof messages, "with messages of %g flits ", flits);
    /* at the limit itself rounding may leave the flows just below it */
    if (load * flits * flows->greatest >= 1.0 - 1e-12)
        return cni_fail(CN_ERR_UNSTABLE,
                        "%s: load = %s, but %s%s has a steady state only below %.9g, where its "
                        "busiest channel is full",
                        function, cni_number_text(load, given), messages, flows->topology->name,
                        limit);
    double rate = load * flows->sum / flows->channels;
    *model = (cni_unlimited_model){.n = flows->channels / flows->hosts,
                                   .nodes = flows->hosts,
                                   .load = load * flows->rate / flows->hosts,
                                   .distance = flows->travel / flows->rate,
                                   .hops = flows->sum / flows->rate,
                                   .rate = rate,
                                   .rho = rate * flits,
                                   .fullest = load * flits * flows->greatest,
                                   .idle = 1.0 - rate * flits};
    return CN_OK;
}

int cni_is_plain_cube(const cn_scenario *scenario)
{
    static const char *const alike[] = {"minimal", "preferred", "optimal-path", "two-level"};
    const char *name = cn_scenario_routing_name(scenario);
    int is_alike = name[0] == '\0';
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        is_alike |= strcmp(name, alike[i]) == 0;
    return is_alike && cni_is_hypercube(scenario->topology) && !cni_is_damaged(scenario);
}

/* No message is refused or deflected, so every rate follows from the load. */
void cni_put_load(const cni_unlimited_model *m, double delay, cn_result *result)
{
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, m->load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, m->nodes * m->load, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, m->load, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, m->rho, 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, m->distance, 0);
}

/* The mean queue follows from Little's law. */
void cni_unlimited_model_put(const cni_unlimited_model *m, const cn_scenario *scenario,
                             double delay, cn_result *result)
{
    double power = m->nodes * m->load / delay;
    cni_put_load(m, delay, result);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, 1.0, 0);
    cni_result_put(result, CN_METRIC_POWER, power, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power, 0);
    if (m->hops == 0.0)
        return;
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, m->load * delay, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, m->hops, 0);
    /* P_t = lambda (d - 1) / n (eq. 2.8) */
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, m->load * fmax(0.0, m->hops - 1.0) / m->n,
                   0);
    if (!cni_row_takes_attachment(scenario->system, CN_ATTACHMENT_FAULTS))
        return;
    double all = (double)scenario->topology->nodes;
    cni_result_put(result, CN_METRIC_SURVIVOR_FRACTION, m->nodes / all, 0);
    cni_result_put(result, CN_METRIC_REACHABLE_FRACTION, 1.0, 0);
}
