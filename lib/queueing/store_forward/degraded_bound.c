/*
 * An optimistic bound on the mean delay of Boolean n-cubes with node faults ((S11) of
 * docs/theory/store-and-forward.md; Horng 1992, 5.2).
 *
 * Each node fails with probability p, independently. N = 2^n (1 - p) nodes survive. All traffic
 * between the halves of a cut goes over its 2^(n-1) (1 - p)^2 surviving links, evenly. Every
 * channel is an M/M/1 queue with mean transmission time 1. So rho = load / c with c = 2 (1 - p) -
 * 2^(1-n).
 *
 * Variant published (eq. 5.8) has T = n (1 - p) / (c - load). As the load goes to 0, it lies above
 * the mean distance, and it bounds no single pattern of faults. Variant corrected (S11) keeps rho
 * and takes the mean distance d = n 2^(n-1) / (2^n - 1) of the whole cube. No shortest path in a
 * damaged cube is shorter on the average. Then T = d / (1 - rho). At p = 0 both are the same.
 *
 * Check values: n = 4, p = 0.1, load 0.5: rho = 0.5 / 1.675; T = 3.6 / 1.175 (published), 32/15 /
 * (1 - rho) (corrected).
 */
#include <math.h>

#include "base/error.h"
#include "queueing/store_forward/unlimited_model.h"
#include "topology/topology.h"

static double survivors_of(const cn_scenario *scenario)
{
    return ldexp(1.0 - scenario->value[CN_PARAM_NODE_FAILURE_PROBABILITY],
                 (int)scenario->topology->dimensions);
}

/* The limit c = 2 (1 - p) - 2^(1-n). */
cn_status cni_limit_degraded_bound(const cn_scenario *scenario, double *load)
{
    char given[CNI_NUMBER_CAPACITY];
    double others = survivors_of(scenario) - 1.0;
    *load = ldexp(others, 1 - (int)scenario->topology->dimensions);
    if (others > 0.0)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "node_failure_probability = %s leaves fewer than two working nodes on average",
                    cni_number_text(scenario->value[CN_PARAM_NODE_FAILURE_PROBABILITY], given));
}

static cn_status check_load(double load, double capacity)
{
    char given[CNI_NUMBER_CAPACITY], limit[CNI_NUMBER_CAPACITY];
    if (load < capacity)
        return CN_OK;
    return cni_fail(CN_ERR_UNSTABLE,
                    "load = %s, but the surviving links carry less than %s messages a node "
                    "(Horng 1992, eq. 5.4)",
                    cni_number_text(load, given), cni_number_text(capacity, limit));
}

cn_status cni_predict_degraded_bound(const cn_scenario *scenario, cn_result *result)
{
    int n = (int)scenario->topology->dimensions;
    double load = scenario->value[CN_PARAM_LOAD];
    double failing = scenario->value[CN_PARAM_NODE_FAILURE_PROBABILITY];
    double capacity;
    CNI_TRY(cni_limit_degraded_bound(scenario, &capacity));
    CNI_TRY(check_load(load, capacity));
    double distance = n / 2.0 / (1.0 - ldexp(1.0, -n));
    if (scenario->value[CN_PARAM_MODEL_VARIANT] == CN_MODEL_PUBLISHED)
        distance = n * (1.0 - failing) / capacity;
    double delay = distance / (1.0 - load / capacity);
    cni_unlimited_model m = {.nodes = survivors_of(scenario),
                             .load = load,
                             .distance = distance,
                             .rho = load / capacity};
    cni_unlimited_model_put(&m, scenario, delay, result);
    return CN_OK;
}
