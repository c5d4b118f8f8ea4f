/*
 * The least mean delay over all routings of given traffic (docs/theory/flow-deviation.md; Fratta,
 * Gerla & Kleinrock 1973, used in Horng 1992, 5.2 and 5.4.3). Every channel is an M/M/1 queue of
 * capacity 1. Then (F1)
 *
 *     T = (1 / total) sum over the channels of f / (1 - f)
 *
 * is convex in the flows f. The length of a channel is the derivative l = 1 / (1 - f)^2. Let L be
 * the sum over all pairs of traffic times length of the shortest path. Each flow gives two bounds:
 *
 * - No flow for the same traffic has a sum of f / (1 - f) below the present sum less (sum of l f) -
 *   L (F3). This difference is the gap.
 * - No load above load (sum of l) / L can be carried (F4). Near saturation this bound and the lower
 *   bound load / max f come close to each other.
 *
 * The first flow may not carry the load. Then the load rises in steps, each from the flow of the
 * last. A step leaves half of the room that the fullest channel had. The saturation load is the end
 * of the same steps without a last load.
 */
#include "queueing/flow/flow_deviation.h"

#include "cubenet/queueing.h"
#include "cubenet/experimental/intermediate.h"

#include <math.h>

#include "base/error.h"
#include "queueing/flow/flow_bush.h"
#include "scenario/scenario.h"
#include "topology/topology.h"

/* The fullest channel of the first flow carries at most FIRST_UTILIZATION. A step on the way to
 * a higher load ends at the gap LOOSE_GAP: the next step would change a better flow anyhow. Two
 * loads within SAME_LOAD are the same: at this distance from saturation both bounds of (F4) are
 * one number. */
#define FIRST_UTILIZATION 0.9
#define LOOSE_GAP 1e-2
#define SAME_LOAD 1e-7

/* Rounds at a load without Newton's step: most loads are done before the step pays. All rounds:
 * the result is CN_ERR_CONVERGENCE then. */
enum { PLAIN_ROUNDS = 3, MOST_ROUNDS = 2000 };

typedef struct routing {
    cni_flow_network network;
    cni_flow flow;
    int rounds;            /* rounds at the present load */
    double load;           /* the load of the present flow */
    double queues, least;  /* the sum of f / (1 - f), and its best lower bound at this load, (F3) */
    double sum, greatest;  /* the sum and the greatest of the channels' flows */
    double carried, limit; /* the lower and the upper bound of the saturation load, (F4) */
} routing;

static cn_status open_routing(routing *made, const char *function, const cn_topology *topology,
                              const cn_faults *faults, const double traffic[], size_t count,
                              cni_budget *budget)
{
    *made = (routing){.load = 1.0, .limit = INFINITY};
    CNI_TRY(
        cni_flow_network_open(&made->network, function, topology, faults, traffic, count, budget));
    cn_status status = cni_flow_open(&made->flow, function, &made->network);
    if (status != CN_OK)
        cni_flow_network_close(&made->network);
    return status;
}

static void close_routing(routing *given)
{
    cni_flow_close(&given->flow);
    cni_flow_network_close(&given->network);
}

static void add_up(routing *given)
{
    given->sum = given->greatest = 0.0;
    for (uint32_t c = 0; c < given->network.channels; c++) {
        given->sum += given->flow.flow[c];
        given->greatest = fmax(given->greatest, given->flow.flow[c]);
    }
}

static void change_load(routing *given, double load)
{
    cni_flow_scale(&given->flow, load / given->load);
    given->load = load;
    given->rounds = 0;
    given->least = 0.0;
}

/* Finds the gap of the present flow, and improves the bounds of the saturation load. */
static void evaluate_flow(routing *given)
{
    cni_flow *flow = &given->flow;
    cni_flow_sum(flow);
    add_up(given);
    double lengths = 0.0, product = 0.0, shortest = cni_flow_shortest(flow);
    given->queues = 0.0;
    for (uint32_t c = 0; c < given->network.channels; c++) {
        given->queues += flow->flow[c] / (1.0 - flow->flow[c]);
        lengths += flow->length[c];
        product += flow->length[c] * flow->flow[c];
    }
    double bound = given->queues - (product - given->load * shortest);
    given->least = fmin(fmax(given->least, bound), given->queues);
    given->limit = fmin(given->limit, lengths / shortest);
    given->carried = fmin(fmax(given->carried, given->load / given->greatest), given->limit);
}

/* 1 when the gap is at most this share of the sum. */
static int gap_is(const routing *given, double gap)
{
    return given->queues - given->least <= gap * given->queues;
}

/* 1 when the flow carries the load with this gap, or the load is at or above saturation. Load
 * INFINITY: 1 when the bounds of the saturation load are as close as `accuracy`. */
static int is_done(const routing *given, double load, double gap, double accuracy)
{
    if (given->load == load)
        return gap_is(given, gap);
    if (isfinite(load))
        return load >= (1.0 - SAME_LOAD) * given->limit;
    return given->limit - given->carried <= accuracy * given->limit;
}

/* Makes one round. Newton's step may raise the sum of f / (1 - f) by the gain still to come,
 * in round r times 2^-r. Without this factor losses could follow each other for ever. */
static cn_status improve_flow(routing *given)
{
    cni_flow_improve(&given->flow);
    if (++given->rounds <= PLAIN_ROUNDS)
        return CN_OK;
    return cni_flow_newton(&given->flow, ldexp(given->queues - given->least, -given->rounds));
}

/* Shows the rounds and the bounds of the saturation load to the caller. Both exist at every load
 * and gap. */
static cn_status show_bounds(const routing *given)
{
    cni_budget *budget = given->network.budget;
    CNI_TRY(cni_budget_go_on(budget, 0));
    budget->done++;
    budget->lower = given->carried;
    budget->upper = given->limit;
    return CN_OK;
}

/*
 * Brings the flow to a load, with this gap. Load INFINITY: raises the load until the saturation
 * load is known to `accuracy`. Ends below the load when the load turns out to be at or above
 * saturation.
 */
static cn_status climb_to_load(routing *given, const char *function, double load, double gap,
                               double accuracy)
{
    add_up(given);
    change_load(given, fmin(load, FIRST_UTILIZATION / given->greatest));
    for (int round = 0; round < MOST_ROUNDS; round++) {
        evaluate_flow(given);
        CNI_TRY(show_bounds(given));
        if (is_done(given, load, gap, accuracy))
            return CN_OK;
        /* at the next load the fullest channel keeps half of its room */
        double next = given->load * (0.5 + 0.5 * given->greatest) / given->greatest;
        if (given->load < load && gap_is(given, LOOSE_GAP))
            change_load(given, fmin(load, next));
        CNI_TRY(improve_flow(given));
        CNI_TRY(cni_budget_go_on(given->network.budget, 0));
    }
    return cni_fail(
        CN_ERR_CONVERGENCE, "%s: after %d rounds the relative gap to the optimum on %s is still %g",
        function, MOST_ROUNDS, given->network.topology->name, 1.0 - given->least / given->queues);
}

/* Finds the bounds of the saturation load. */
static cn_status saturate(const char *function, const cn_topology *topology,
                          const cn_faults *faults, const double traffic[], size_t count,
                          double accuracy, cni_budget *budget, double *lower, double *upper)
{
    routing found;
    CNI_TRY(open_routing(&found, function, topology, faults, traffic, count, budget));
    cn_status status = climb_to_load(&found, function, INFINITY, 1.0, accuracy);
    if (status == CN_OK) {
        CNI_GIVE(lower, found.carried);
        *upper = found.limit;
    }
    close_routing(&found);
    return status;
}

static cn_status check_arguments(const char *function, double load, double gap)
{
    char given[CNI_NUMBER_CAPACITY];
    /* in a form that NaN fails */
    if (!(load >= 0.0 && isfinite(load)))
        return cni_fail(CN_ERR_ARGUMENT, "%s: load = %s, but it must be finite and at least 0",
                        function, cni_number_text(load, given));
    if (!(gap >= CNI_FLOW_LEAST_GAP && gap <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: gap = %s, but it must be %g to 1", function,
                        cni_number_text(gap, given), CNI_FLOW_LEAST_GAP);
    return CN_OK;
}

/* With less traffic than this the delay is that of load 0 to all digits of a double. */
static const double NO_LOAD = 1e-290;

/* Finds the delay of an optimal routing, and the lower bound. At load 0 the first flow is
 * optimal: all its paths have the fewest hops. */
static cn_status optimize(routing *given, const char *function, double load, double gap,
                          double *delay, double *lower)
{
    if (load * given->network.total < NO_LOAD) {
        add_up(given);
        *delay = *lower = given->sum / given->network.total;
        change_load(given, 0.0);
        return CN_OK;
    }
    CNI_TRY(climb_to_load(given, function, load, gap, SAME_LOAD));
    if (given->load < load) {
        char asked[CNI_NUMBER_CAPACITY];
        return cni_fail(
            CN_ERR_UNSTABLE, "%s: load = %s, but %s carries less than %.9g, whatever the routing",
            function, cni_number_text(load, asked), given->network.topology->name, given->limit);
    }
    *delay = given->queues / (load * given->network.total);
    *lower = given->least / (load * given->network.total);
    return CN_OK;
}

static void give_flows(const routing *given, double channel_flows[])
{
    const cn_topology *topology = given->network.topology;
    size_t places = cni_size(topology->nodes) * topology->max_degree;
    for (size_t i = 0; i < places; i++)
        channel_flows[i] = 0.0;
    for (uint32_t c = 0; c < given->network.channels; c++)
        channel_flows[given->network.place[c]] = given->flow.flow[c];
}

cn_status cn_flow_deviation(const cn_topology *topology, const cn_faults *faults,
                            const double traffic[], size_t count, double load, double gap,
                            const cn_control *control, double *delay, double *lower,
                            double channel_flows[], size_t capacity)
{
    CNI_REQUIRE(topology);
    CNI_REQUIRE_OR_NULL(faults);
    CNI_REQUIRE(delay);
    CNI_BUDGET(budget, control, 0);
    CNI_REQUIRE_ARRAY(channel_flows, capacity);
    CNI_TRY(check_arguments(__func__, load, gap));
    CNI_TRY(cni_flow_check_size(__func__, topology));
    size_t places = cni_size(topology->nodes) * topology->max_degree;
    if (channel_flows != NULL)
        CNI_REQUIRE_FIT(places, capacity, (size_t *)NULL, "%s has %zu places for flows",
                        topology->name, places);
    routing found;
    double least, bound;
    CNI_TRY(open_routing(&found, __func__, topology, faults, traffic, count, &budget));
    cn_status status = optimize(&found, __func__, load, gap, &least, &bound);
    if (status == CN_OK) {
        *delay = least;
        CNI_GIVE(lower, bound);
        if (channel_flows != NULL)
            give_flows(&found, channel_flows);
    }
    close_routing(&found);
    return status;
}

cn_status cn_flow_saturation(const cn_topology *topology, const cn_faults *faults,
                             const double traffic[], size_t count, double accuracy,
                             const cn_control *control, double *lower, double *upper)
{
    char given[CNI_NUMBER_CAPACITY];
    CNI_REQUIRE(topology);
    CNI_REQUIRE_OR_NULL(faults);
    CNI_REQUIRE_BOTH(lower, upper);
    CNI_BUDGET(budget, control, 0);
    if (!(accuracy >= SAME_LOAD && accuracy <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: accuracy = %s, but it must be %g to 1", __func__,
                        cni_number_text(accuracy, given), SAME_LOAD);
    return saturate(__func__, topology, faults, traffic, count, accuracy, &budget, lower, upper);
}

/* Fills the metrics. The traffic is uniform, so all nodes offer the same load. The queue follows
 * from Little's law. */
static void fill_result(cn_result *result, const routing *found, double load, double hops,
                        double delay)
{
    double nodes = found->network.nodes;
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, 0);
    cni_result_put(result, CN_METRIC_THROUGHPUT, load, 0);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, nodes * load, 0);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, load, 0);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, 1.0, 0);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH, load * delay, 0);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION,
                   load * nodes * hops / found->network.channels, 0);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, hops, 0);
    cni_result_put(result, CN_METRIC_POWER, nodes * load / delay, 0);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, nodes * load / delay, 0);
}

cn_status cni_predict_flow_deviation(const cn_scenario *scenario, cn_result *result)
{
    static const char function[] = "cn_predict";
    double load = scenario->value[CN_PARAM_LOAD], delay, lower;
    routing found;
    CNI_TRY(open_routing(&found, function, scenario->topology, cni_faults_of(scenario), NULL, 0,
                         scenario->budget));
    cn_status status = optimize(&found, function, load,
                                scenario->value[CN_PARAM_RELATIVE_PRECISION], &delay, &lower);
    if (status == CN_OK) {
        double total = load * found.network.total;
        double hops = total < NO_LOAD ? delay : found.sum / total;
        fill_result(result, &found, load, hops, delay);
    }
    close_routing(&found);
    return status;
}

cn_status cni_limit_flow_deviation(const cn_scenario *scenario, double *load)
{
    return saturate("cn_saturation_load", scenario->topology, cni_faults_of(scenario), NULL, 0,
                    SAME_LOAD, scenario->budget, NULL, load);
}
