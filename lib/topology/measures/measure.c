/* The measures of Ginosar & Egozi (1989), section 5, by name, each with bounds and the way they
 * were found. */
#include "topology/distances/all_pairs.h"
#include "topology/measures/bisection.h"
#include "topology/measures/broadcast.h"

#include <math.h>

#include "base/names.h"

static const char *const names[] = {
    [CN_MEASURE_DIAMETER] = "diameter",
    [CN_MEASURE_MEAN_DISTANCE] = "mean_distance",
    [CN_MEASURE_BROADCAST_TIME] = "broadcast_time",
    [CN_MEASURE_BISECTION_WIDTH] = "bisection_width",
    [CN_MEASURE_DISCONNECTIVITY] = "disconnectivity",
    [CN_MEASURE_LOOSENESS] = "looseness",
    [CN_MEASURE_MEAN_DEGREE] = "mean_degree",
    [CN_MEASURE_COST_EFFECTIVENESS] = "cost_effectiveness",
    [CN_MEASURE_LINKS] = "links",
    [CN_MEASURE_NODE_CUT] = "node_cut",
    [CN_MEASURE_LOOSENESS_EUCLIDEAN] = "looseness_euclidean",
    [CN_MEASURE_LOOSENESS_PRODUCT] = "looseness_product",
    [CN_MEASURE_LAYOUT_AREA_BOUND] = "layout_area_bound",
    [CN_MEASURE_BROADCAST_TIME_JOINED_PORTS] = "broadcast_time_joined_ports",
    [CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS] = "broadcast_time_divided_ports",
    [CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS] = "broadcast_time_limited_links",
};
const cni_names cni_measures = CNI_NAMES("measure", names, 0);

static const char *const kinds[] = {
    [CN_KNOWN_CLOSED_FORM] = "closed-form",
    [CN_KNOWN_EXACT] = "exact",
    [CN_KNOWN_BOUNDS] = "bounds",
};
const cni_names cni_kinds_known = CNI_NAMES("kind of knowledge", kinds, 0);

/* ---- values ---- */

typedef struct value {
    double lower, upper;
    cn_known kind;
} value;

static value closed_form(double number)
{
    return (value){number, number, CN_KNOWN_CLOSED_FORM};
}

static value of_bounds(const cni_bounds *found)
{
    return (value){(double)found->lower, (double)found->upper, cni_known_of(found)};
}

static cn_status diameter(const cn_topology *topology, cni_budget *budget, value *result)
{
    cni_bounds found;
    cn_status status = cni_find_diameter(topology, budget, &found);
    if (status == CN_DONE) { /* for any connected network of this size and degree */
        cni_least_sum(topology, &found.lower);
        found.upper = topology->nodes - 1;
        status = CN_OK;
    }
    *result = of_bounds(&found);
    return status;
}

static cn_status mean_distance(const cn_topology *topology, cni_budget *budget, value *result)
{
    *result = closed_form(topology->mean_distance);
    if (result->lower > 0.0)
        return CN_OK;
    cni_all_pairs all;
    double own = (double)topology->nodes, hosts = (double)topology->hosts;
    double pairs = hosts > 1.0 ? hosts * (hosts - 1.0) : 1.0;
    cn_status status = cni_all_pairs_find(topology, budget, &all);
    if (status == CN_DONE) { /* for any connected network; a one-way ring reaches the upper bound */
        uint64_t farthest;
        all.lower = hosts * cni_least_sum(topology, &farthest);
        all.upper = pairs * (cni_all_are_hosts(topology) ? own / 2.0 : own - 1.0);
        status = CN_OK;
    }
    CNI_TRY(status);
    *result = (value){all.lower / pairs, all.upper / pairs,
                      all.lower == all.upper ? CN_KNOWN_EXACT : CN_KNOWN_BOUNDS};
    return CN_OK;
}

static cn_status node_cut(const cn_topology *topology, value *result)
{
    if (topology->family != CNI_STAR && topology->family != CNI_TREE)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_topology_measure: node_cut is defined for stars and trees, not for %s",
                        topology->name);
    *result = closed_form(1.0); /* the middle or root; of a path its middle node */
    return CN_OK;
}

/* Takes at most this share of the time; the rest is for another search. */
static cn_status bisection(const cn_topology *topology, cni_budget *budget, double share,
                           value *result)
{
    cni_bounds found;
    cni_budget part = cni_budget_part(budget, UINT64_MAX, share);
    CNI_TRY(cni_bisection(topology, &part, NULL, &found));
    cni_budget_join(budget, &part);
    *result = of_bounds(&found);
    return CN_OK;
}

static cn_status disconnectivity(const cn_topology *topology, cni_budget *budget, double share,
                                 value *result)
{
    value width;
    CNI_TRY(bisection(topology, budget, share, &width));
    double nodes = (double)topology->hosts;
    *result = (value){nodes / width.upper, nodes / width.lower, width.kind};
    return CN_OK;
}

static cn_status broadcast_time(const cn_topology *topology, cni_budget *budget, value *result)
{
    cni_bounds found;
    CNI_TRY(cni_check_all_hosts("broadcast_time", topology));
    CNI_TRY(cni_broadcast_time(topology, budget, &found));
    *result = of_bounds(&found);
    return CN_OK;
}

static double join(cn_measure measure, double alpha, double f, double d)
{
    if (measure == CN_MEASURE_LOOSENESS_EUCLIDEAN)
        return hypot(f, d);
    return measure == CN_MEASURE_LOOSENESS_PRODUCT ? f * d : alpha * f + (1.0 - alpha) * d;
}

/* L = alpha F + (1 - alpha) D, sqrt(F^2 + D^2) or F D, from broadcast time and disconnectivity. A
 * part without weight needs no search. */
static cn_status looseness(const cn_topology *topology, cn_measure measure, double alpha,
                           cni_budget *budget, value *result)
{
    value f = closed_form(0.0), d = f;
    int is_sum = measure == CN_MEASURE_LOOSENESS || measure == CN_MEASURE_COST_EFFECTIVENESS;
    int has_f = !is_sum || alpha > 0.0, has_d = !is_sum || alpha < 1.0;
    if (has_d)
        CNI_TRY(disconnectivity(topology, budget, has_f ? 0.5 : 1.0, &d));
    if (has_f)
        CNI_TRY(broadcast_time(topology, budget, &f));
    if (measure == CN_MEASURE_LOOSENESS_PRODUCT && !(f.upper > 0.0)) /* 0 times infinity */
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_topology_measure: %s has one node, so looseness_product is not defined",
                        topology->name);
    result->lower = join(measure, alpha, f.lower, d.lower);
    result->upper = join(measure, alpha, f.upper, d.upper);
    result->kind = f.kind > d.kind ? f.kind : d.kind; /* the less certain */
    return CN_OK;
}

static cn_status check_degree(const cn_topology *topology)
{
    if (cni_links(topology) > 0)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSUPPORTED,
        "cn_topology_measure: %s has no links, so its cost-effectiveness is not defined",
        topology->name);
}

/* Sets the result. For a measure that is a multiple of another one, the result is that of the other
 * one, and the caller multiplies it by *factor. */
static cn_status evaluate(const cn_topology *topology, cn_measure measure, double alpha,
                          cni_budget *budget, value *result, double *factor)
{
    uint64_t links = 0;
    if (measure == CN_MEASURE_LINKS || measure == CN_MEASURE_MEAN_DEGREE ||
        measure == CN_MEASURE_COST_EFFECTIVENESS)
        CNI_TRY(cni_link_count(topology, &links));
    double degree = 2.0 * (double)links / (double)topology->nodes;
    switch (measure) {
    case CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS:
        CNI_TRY(cni_check_two_way("broadcast_time_divided_ports", topology));
        CNI_TRY(cni_check_all_hosts("broadcast_time_divided_ports", topology));
        *factor = topology->max_degree;
        return diameter(topology, budget, result);
    case CN_MEASURE_DIAMETER:
    case CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS:
        return diameter(topology, budget, result);
    case CN_MEASURE_MEAN_DISTANCE:
        return mean_distance(topology, budget, result);
    case CN_MEASURE_BROADCAST_TIME_JOINED_PORTS:
        *factor = 0.5;
        return broadcast_time(topology, budget, result);
    case CN_MEASURE_BROADCAST_TIME:
        return broadcast_time(topology, budget, result);
    case CN_MEASURE_BISECTION_WIDTH:
        return bisection(topology, budget, 1.0, result);
    case CN_MEASURE_LAYOUT_AREA_BOUND:
        CNI_TRY(bisection(topology, budget, 1.0, result));
        result->lower *= result->lower;
        result->upper *= result->upper;
        return CN_OK;
    case CN_MEASURE_DISCONNECTIVITY:
        return disconnectivity(topology, budget, 1.0, result);
    case CN_MEASURE_COST_EFFECTIVENESS:
        CNI_TRY(check_degree(topology));
        *factor = degree;
        return looseness(topology, measure, alpha, budget, result);
    case CN_MEASURE_LOOSENESS:
    case CN_MEASURE_LOOSENESS_EUCLIDEAN:
    case CN_MEASURE_LOOSENESS_PRODUCT:
        return looseness(topology, measure, alpha, budget, result);
    case CN_MEASURE_MEAN_DEGREE:
        *result = closed_form(degree);
        return CN_OK;
    case CN_MEASURE_LINKS:
        *result = closed_form((double)links);
        return CN_OK;
    case CN_MEASURE_NODE_CUT:
        return node_cut(topology, result);
    }
    return cni_check_named("cn_topology_measure", &cni_measures, "measure", (int)measure);
}

cn_status cn_topology_measure(const cn_topology *topology, cn_measure measure, double alpha,
                              const cn_control *control, double *lower, double *upper,
                              cn_known *kind)
{
    CNI_REQUIRE_BOTH(topology, lower);
    CNI_REQUIRE_BOTH(upper, kind);
    CNI_TRY(cni_check_share(__func__, "alpha", alpha));
    cni_budget budget;
    CNI_TRY(cni_budget_start(&budget, __func__, control, CN_SEARCH_DEFAULT));
    value result;
    double factor = 1.0;
    CNI_TRY(evaluate(topology, measure, alpha, &budget, &result, &factor));
    *lower = factor * result.lower;
    *upper = factor * result.upper;
    *kind = result.kind;
    return cni_budget_answer(&budget);
}

static cn_status check_cost(const char *argument, double cost)
{
    if (cost >= 0.0 && cost <= 1e300)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "cn_topology_cost: %s = %g, but it must be 0 to 1e300",
                    argument, cost);
}

cn_status cn_topology_cost(const cn_topology *topology, double processor_cost, double link_cost,
                           double *cost)
{
    CNI_REQUIRE_BOTH(topology, cost);
    CNI_TRY(check_cost("processor_cost", processor_cost));
    CNI_TRY(check_cost("link_cost", link_cost));
    uint64_t links;
    CNI_TRY(cni_link_count(topology, &links));
    double sum = (double)topology->nodes * processor_cost + (double)links * link_cost;
    if (!(sum < HUGE_VAL))
        return cni_fail(CN_ERR_OVERFLOW, "%s: the cost of %s is above the greatest double",
                        __func__, topology->name);
    *cost = sum;
    return CN_OK;
}
