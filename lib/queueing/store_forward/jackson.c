/*
 * Store and forward with Poisson arrivals and exponential transmission times, drawn anew at each hop
 * (Kleinrock's independence assumption, Horng 1992, 5.2). A message picks its next channel at random
 * among those that its rule allows, without a look at the queues, so that this is a network of M/M/1
 * queues in the sense of Jackson (1957), with one class of messages for each destination (Baskett et
 * al. 1975), and its stationary distribution is a product. With f the flow of a channel
 *
 *     T = (1 / total) sum over the directed channels of f / (1 - f)
 *
 * exactly. In an undamaged n-cube all f are load d / n, so T = d / (1 - load d / n).
 */
#include "queueing/store_forward/jackson.h"

#include "base/error.h"
#include "base/memory.h"
#include "routing/tables/routes.h"
#include "scenario/scenario.h"
#include "topology/topology.h"

typedef struct queues {
    double hops;     /* mean number, whatever the load */
    double greatest; /* flow at load 1 */
    double delay;
} queues;

static cn_status check_scenario(const cn_scenario *scenario)
{
    CNI_TRY(cni_check_routes("cn_predict", scenario->topology));
    if (scenario->value[CN_PARAM_SLOTTED] == 0.0)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cn_predict: slotted = yes, but the model covers exponential transmission times "
        "(slotted = no) only; cn_simulate() covers both");
}

static cn_status check_load(const cn_scenario *scenario, double load, double greatest)
{
    char given[CNI_NUMBER_CAPACITY];
    if (!cni_routes_are_full(load, 1.0 / greatest))
        return CN_OK;
    return cni_fail(CN_ERR_UNSTABLE,
                    "cn_predict: load = %s, but %s on %s has a steady state only below %.9g, where "
                    "its busiest channel is full",
                    cni_number_text(load, given), cn_scenario_system(scenario),
                    scenario->topology->name, 1.0 / greatest);
}

/* At load 0 the delay is its limit, the mean number of hops. */
static cn_status sum_up(const cn_scenario *scenario, const cni_routes *routes, const double flow[],
                        queues *found)
{
    double load = scenario->value[CN_PARAM_LOAD], sum = 0.0, waiting = 0.0;
    size_t places = (size_t)routes->dimensions * routes->nodes;
    found->greatest = 0.0;
    for (size_t c = 0; c < places; c++) {
        sum += flow[c];
        found->greatest = flow[c] > found->greatest ? flow[c] : found->greatest;
    }
    CNI_TRY(check_load(scenario, load, found->greatest));
    for (size_t c = 0; c < places; c++)
        waiting += flow[c] / (1.0 - load * flow[c]);
    found->hops = sum / routes->survivors;
    found->delay = waiting / routes->survivors;
    return CN_OK;
}

static void fill(const cn_scenario *scenario, const cni_routes *routes, const queues *found,
                 cn_result *result)
{
    double load = scenario->value[CN_PARAM_LOAD], survivors = routes->survivors;
    double used = load * survivors * found->hops / (double)routes->channels;
    double power = survivors * load / found->delay;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, found->delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, survivors * load, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, load, 0);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, 1.0, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, load * found->delay, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, used, 0);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, used * (1.0 - 1.0 / found->hops), 0);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, cni_routes_mean_distance(routes), 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, found->hops, 0);
    cni_result_put(result, CN_METRIC_POWER, power, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power, 0);
    cni_result_put(result, CN_METRIC_SURVIVOR_FRACTION, survivors / routes->nodes, 0);
    cni_result_put(result, CN_METRIC_REACHABLE_FRACTION, 1.0, 0);
}

static cn_status predict(const cn_scenario *scenario, cni_route_rule rule, cn_result *result)
{
    cni_routes routes;
    queues found;
    CNI_TRY(check_scenario(scenario));
    CNI_TRY(cni_routes_open(&routes, rule, scenario->topology, cni_faults_of(scenario),
                            cni_subnet_of(scenario)));
    double *flow = cni_allocate((uint64_t)routes.dimensions * routes.nodes, sizeof *flow);
    cn_status status = flow == NULL ? CN_ERR_MEMORY : cni_routes_flows(&routes, flow);
    if (status == CN_OK)
        status = sum_up(scenario, &routes, flow, &found);
    if (status == CN_OK)
        fill(scenario, &routes, &found, result);
    cni_release(flow);
    cni_routes_close(&routes);
    return status;
}

cn_status cni_predict_optimal_path(const cn_scenario *scenario, cn_result *result)
{
    return predict(scenario, CNI_OPTIMAL_PATH, result);
}

cn_status cni_predict_two_level(const cn_scenario *scenario, cn_result *result)
{
    return predict(scenario, CNI_TWO_LEVEL, result);
}
