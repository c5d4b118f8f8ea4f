/* The load at which a simulated network saturates, between two loads of which each had a run. */
#include <math.h>

#include "base/error.h"
#include "cubenet/simulation.h"
#include "scenario/result.h"
#include "scenario/system.h"
#include "scenario/traffic/source.h"
#include "simulation/run/replicate.h"
#include "topology/topology.h"

#define LEAST_ACCURACY 1e-4

enum { MOST_HALVINGS = 60 };

/* Simulates to the end. A run that the budget ends gives no result. */
static cn_status simulate(const cn_scenario *scenario, cn_result **result)
{
    cni_budget inner = cni_budget_within(scenario->budget);
    CNI_TRY(cni_run_scenario("cn_simulate", scenario, &inner, CNI_UNDIVIDED, result));
    if (inner.stopped == CNI_GOING)
        return CN_OK;
    cn_result_free(result);
    return cni_budget_fail(&inner);
}

/* Simulates at a load, and tells whether the run had no steady state. */
static cn_status run_at(cn_scenario *scenario, double load, int *saturated)
{
    cn_result *result = NULL;
    CNI_TRY(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    cn_status status = simulate(scenario, &result);
    *saturated = status == CN_ERR_UNSTABLE || (status == CN_OK && cn_result_is_saturated(result));
    cn_result_free(&result);
    return status == CN_ERR_UNSTABLE ? CN_OK : status;
}

/* Halves the load until the network carries it, then halves the interval between the two loads. */
static cn_status search_load(cn_scenario *scenario, double accuracy, double most, double *lower,
                             double *upper)
{
    int saturated = 1;
    double low = most, high = INFINITY;
    CNI_TRY(run_at(scenario, low, &saturated)); /* the source may allow no greater load */
    for (int halvings = 0; saturated; halvings++) {
        if (halvings == MOST_HALVINGS)
            return cni_fail(CN_ERR_UNSTABLE,
                            "cn_simulated_saturation_load: %s on %s is saturated at every load",
                            scenario->system->name, scenario->topology->name);
        high = low;
        low /= 2.0;
        CNI_TRY(run_at(scenario, low, &saturated));
    }
    while (isfinite(high) && high - low > accuracy * high) {
        double middle = low + 0.5 * (high - low);
        CNI_TRY(run_at(scenario, middle, &saturated));
        *(saturated ? &high : &low) = middle;
    }
    *lower = low;
    *upper = high;
    return CN_OK;
}

/* The throughput at the greatest load, for a network that refuses messages. */
static cn_status measure_limit(cn_scenario *scenario, double most, double *lower, double *upper)
{
    cn_result *result = NULL;
    CNI_TRY(cn_scenario_set(scenario, CN_PARAM_LOAD, most));
    CNI_TRY(simulate(scenario, &result));
    double throughput = result->value[CN_METRIC_THROUGHPUT];
    double half_width = result->half_width[CN_METRIC_THROUGHPUT];
    *lower = fmax(throughput - half_width, 0.0);
    *upper = throughput + half_width;
    cn_result_free(&result);
    return CN_OK;
}

cn_status cn_simulated_saturation_load(const cn_scenario *scenario, double accuracy,
                                       const cn_control *control, double *lower, double *upper)
{
    char given[CNI_NUMBER_CAPACITY];
    double most = 0.0;
    CNI_REQUIRE_BOTH(scenario, lower);
    CNI_REQUIRE(upper);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_simulator(__func__, scenario->system));
    CNI_TRY(cni_scenario_check_takes(__func__, scenario, CN_PARAM_LOAD));
    if (!(accuracy >= LEAST_ACCURACY && accuracy <= 1.0))
        return cni_fail(CN_ERR_ARGUMENT, "%s: accuracy = %s, but it must be %g to 1", __func__,
                        cni_number_text(accuracy, given), LEAST_ACCURACY);
    if (cni_traffic_is_trace(cni_traffic_of(scenario)))
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: a trace has no load", __func__);
    if (cni_workload_of(scenario) != NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: a run of a workload ends by itself and has no steady state", __func__);
    CNI_TRY(cn_param_range(CN_PARAM_LOAD, NULL, &most, NULL, NULL));
    most = fmin(most, cni_source_most(cni_traffic_of(scenario)));
    cn_scenario *copy = cni_scenario_duplicate(scenario);
    CNI_TRY_MEMORY(copy);
    copy->budget = &budget;
    cn_status status =
        scenario->system->refuses
            ? measure_limit(copy, most, lower, upper)
            : search_load(copy, accuracy, fmin(most, cni_scenario_most_load(scenario)), lower,
                          upper);
    cn_scenario_free(&copy);
    return cni_fail_as(__func__, status);
}
