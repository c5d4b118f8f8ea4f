/* Results: values of metrics with half widths, and the questions that a caller asks about them. */
#include "scenario/result.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/names.h"
#include "scenario/result_messages.h"
#include "scenario/scenario.h"
#include "scenario/shard.h"

const char cni_study_system[] = "study";

cn_result *cni_result_new(const cn_scenario *scenario)
{
    cn_result *result = CNI_NEW(result);
    if (result == NULL)
        return NULL;
    memcpy(result->library, cn_version_text(), strlen(cn_version_text()) + 1);
    result->system = scenario == NULL ? cni_study_system : cn_scenario_system(scenario);
    result->seed = cn_scenario_seed(scenario);
    atomic_init(&result->references, 1);
    if (scenario != NULL && cn_scenario_copy(scenario, &result->scenario) != CN_OK)
        cn_result_free(&result);
    return result;
}

void cn_result_free(cn_result **result)
{
    if (result == NULL || !CNI_IS_VALID(*result))
        return;
    cn_result *last = cni_drop(&(*result)->references) ? *result : NULL;
    *result = NULL;
    if (last == NULL)
        return;
    if (last->statistics != NULL)
        cni_counts_close(&last->statistics->counts);
    cni_release(last->statistics);
    cni_message_times_close(&last->messages);
    cni_shard_free(last->shard);
    cn_scenario_free(&last->scenario);
    cni_object_release(last);
}

cn_result *cni_result_retain(const cn_result *result)
{
    cn_result *shared = cni_mutable(result); /* only the count of references changes */
    cni_retain(&shared->references);
    return shared;
}

void cni_result_put(cn_result *result, cn_metric metric, double value, uint64_t samples)
{
    if (!isfinite(value))
        return;
    result->has[metric] = 1;
    result->value[metric] = value;
    result->half_width[metric] = 0.0;
    result->samples[metric] = samples;
}

int cn_result_has(const cn_result *result, cn_metric metric)
{
    unsigned id = (unsigned)metric;
    return CNI_IS_VALID(result) && id < CNI_METRIC_ROOM && result->has[id];
}

/* The error for a metric that a result does not hold, with the reason: the metric needs delays,
 * and the network is saturated or delivered no message. */
static cn_status fail_absent(const char *function, const cn_result *result, cn_metric metric)
{
    if (result->shard != NULL)
        return cni_fail(CN_ERR_NOT_FOUND,
                        "%s: this result is shard %llu of %llu and holds no metrics; those of the "
                        "whole come from cn_result_merge()",
                        function, (unsigned long long)result->shard->division.shard,
                        (unsigned long long)result->shard->division.shards);
    int needs_delay = cni_metric_rest(metric) != CNI_COUNTED || metric == CN_METRIC_DELAY_MAX ||
                      metric == CN_METRIC_MEAN_HOPS;
    double offered = result->value[CN_METRIC_OFFERED_LOAD];
    double delivered = result->value[CN_METRIC_THROUGHPUT];
    int has_rates = result->has[CN_METRIC_OFFERED_LOAD] && result->has[CN_METRIC_THROUGHPUT];
    if (needs_delay && has_rates && result->saturated)
        return cni_fail(CN_ERR_NOT_FOUND,
                        "%s: this result of %s holds no %s, because the network is saturated: "
                        "offered %.3g, delivered %.3g messages per node and cycle",
                        function, result->system, cn_metric_name(metric), offered, delivered);
    if (needs_delay && has_rates && delivered == 0.0)
        return cni_fail(
            CN_ERR_NOT_FOUND,
            "%s: this result of %s holds no %s, because no message was delivered in the "
            "measured cycles",
            function, result->system, cn_metric_name(metric));
    return cni_fail(CN_ERR_NOT_FOUND, "%s: this result of %s holds no %s", function, result->system,
                    cn_metric_name(metric));
}

cn_status cni_result_check_has(const char *function, const cn_result *result, cn_metric metric)
{
    if (cn_metric_name(metric) == NULL)
        return cni_fail(CN_ERR_ARGUMENT, "%s: metric = %d, but the metrics are 1 to %d", function,
                        (int)metric, (int)cn_metric_count());
    return result->has[metric] ? CN_OK : fail_absent(function, result, metric);
}

#define ESTIMATE(function, type, fact)                                        \
    cn_status function(const cn_result *result, cn_metric metric, type *fact) \
    {                                                                         \
        CNI_REQUIRE_BOTH(result, fact);                                       \
        CNI_TRY(cni_result_check_has(__func__, result, metric));              \
        *fact = result->fact[metric];                                         \
        return CN_OK;                                                         \
    }                                                                         \
    enum { function##_is_there } /* takes the semicolon */

ESTIMATE(cn_result_value, double, value);
ESTIMATE(cn_result_half_width, double, half_width);
ESTIMATE(cn_result_samples, uint64_t, samples);

CNI_GETTER(cn_stop, cn_result_stop, result, result->stop, CN_STOP_MODEL);

static const cni_named stops[] = {
    [CN_STOP_MODEL] = {"model", "analytic model"},
    [CN_STOP_PRECISION] = {"precision", "the precision was met"},
    [CN_STOP_CYCLES] = {"cycles", "the cycles were over"},
    [CN_STOP_SATURATED] = {"saturated", "the network is saturated"},
    [CN_STOP_DEADLOCK] = {"deadlock", "the network is deadlocked"},
    [CN_STOP_COMPLETED] = {"completed", "all is complete"},
    [CN_STOP_TIME_LIMIT] = {"time-limit", "the time limit was reached"},
    [CN_STOP_CANCELLED] = {"cancelled", "the run was cancelled"},
};
const cni_names cni_stops = CNI_NAMES("reason to stop", stops, 0);

const char *cn_stop_text(cn_stop stop)
{
    return cni_text_of(&cni_stops, (int)stop, "unknown reason");
}

CNI_GETTER(int, cn_result_is_saturated, result, result->saturated, 0);
CNI_GETTER(int, cn_result_is_settled, result, !result->unsettled, 0);
CNI_GETTER(uint64_t, cn_result_seed, result, result->seed, 0);
CNI_GETTER(const char *, cn_result_model, result, result->model, "");
CNI_GETTER(const char *, cn_result_library, result, result->library, "");

cn_status cn_result_scenario(const cn_result *result, cn_scenario **scenario)
{
    CNI_REQUIRE_OUT(scenario);
    CNI_REQUIRE(result);
    if (result->scenario == NULL)
        return cni_fail(CN_ERR_NOT_FOUND, "%s: this result is that of a study without a scenario",
                        __func__);
    return cn_scenario_copy(result->scenario, scenario);
}

CNI_GETTER(const char *, cn_result_system, result, result->system, "");
