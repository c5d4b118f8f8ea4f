#include "scenario/result_json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* ---- writing ---- */

static void put_estimates(cni_json_writer *w, const cn_result *result)
{
    cni_json_open(w, "estimates", '{');
    for (size_t m = 1; m <= cn_metric_count(); m++) {
        if (!result->has[m])
            continue;
        cni_json_open(w, cn_metric_name((cn_metric)m), '{');
        cni_json_put_real(w, "value", result->value[m]);
        cni_json_put_real(w, "half_width", result->half_width[m]);
        cni_json_put_whole(w, "samples", result->samples[m]);
        cni_json_close(w, '}');
    }
    cni_json_close(w, '}');
}

static void put(cni_json_writer *w, const void *object)
{
    const cn_result *result = object;
    cni_json_put_name(w, "library", result->library);
    cni_json_put_name(w, "system", result->system);
    cni_json_put_whole(w, "seed", result->seed);
    cni_json_put_name(w, "stop", cn_stop_name(result->stop));
    cni_json_put_flag(w, "saturated", result->saturated);
    cni_json_put_flag(w, "settled", !result->unsettled);
    put_estimates(w, result);
    if (result->scenario != NULL) {
        cni_json_open(w, "scenario", '{');
        cni_scenario_put(w, result->scenario);
        cni_json_close(w, '}');
    }
    if (result->statistics != NULL)
        cni_statistics_put(w, result);
    if (result->shard != NULL)
        cni_shard_put(w, result->shard);
}

CNI_JSON_TEXT(cn_result_json, result, put);

/* ---- reading ---- */

enum {
    LIBRARY,
    SYSTEM,
    SEED,
    STOP,
    SATURATED,
    SETTLED,
    ESTIMATES,
    SCENARIO,
    STATISTICS,
    SHARD,
    KEYS
};

static cn_status read_estimate(const cni_json *json, cni_json_value value, cn_metric metric,
                               cn_result *result)
{
    static const char *const keys[] = {"value", "half_width", "samples"};
    cni_json_value is[3];
    CNI_TRY(cni_json_members(json, value, keys, 3, 3, is));
    CNI_TRY(cni_json_real(json, is[0], &result->value[metric]));
    CNI_TRY(cni_json_real(json, is[1], &result->half_width[metric]));
    CNI_TRY(cni_json_whole(json, is[2], UINT64_MAX, &result->samples[metric]));
    if (!isfinite(result->value[metric]))
        return cni_json_fail(json, is[0], "a value that a result holds is finite");
    if (!(result->half_width[metric] >= 0.0))
        return cni_json_fail(json, is[1], "a half-width is at least 0, or \"Infinity\"");
    result->has[metric] = 1;
    return CN_OK;
}

static cn_status read_estimates(const cni_json *json, cni_json_value value, cn_result *result)
{
    const char *keys[CNI_METRIC_ROOM];
    cni_json_value is[CNI_METRIC_ROOM];
    size_t count = cn_metric_count();
    for (size_t i = 0; i < count; i++)
        keys[i] = cn_metric_name((cn_metric)(i + 1));
    CNI_TRY(cni_json_members(json, value, keys, 0, count, is));
    for (size_t i = 0; i < count; i++)
        if (is[i].at != NULL)
            CNI_TRY(read_estimate(json, is[i], (cn_metric)(i + 1), result));
    return CN_OK;
}

static cn_status read_library(const cni_json *json, cni_json_value value, cn_result *result)
{
    char name[CNI_JSON_NAME];
    CNI_TRY(cni_json_name(json, value, name));
    if (strlen(name) >= sizeof result->library || strspn(name, "0123456789.") < strlen(name))
        return cni_json_fail(json, value, "\"%.40s\" is no version of cubenet, like \"%s\"", name,
                             cn_version_text());
    memcpy(result->library, name, strlen(name) + 1);
    return CN_OK;
}

/* A study has no system unless it has a scenario. */
static cn_status read_system(const cni_json *json, const cni_json_value is[KEYS],
                             cni_scenario_new_fn new, cn_result *result)
{
    char name[CNI_JSON_NAME];
    result->system = cni_study_system;
    if (is[SCENARIO].at != NULL) {
        CNI_TRY(cni_scenario_of_json(json, is[SCENARIO], new, &result->scenario));
        result->system = cn_scenario_system(result->scenario);
    }
    CNI_TRY(cni_json_name(json, is[SYSTEM], name));
    if (strcmp(name, result->system) == 0)
        return CN_OK;
    return cni_json_fail(
        json, is[SYSTEM], "\"%.40s\" stands here, but it must be \"%s\", %s", name, result->system,
        is[SCENARIO].at == NULL ? "since there is no scenario" : "as in the scenario");
}

static cn_status fill(const cni_json *json, const cni_json_value is[KEYS], cni_scenario_new_fn new,
                      cn_result *result)
{
    char stop[CNI_JSON_NAME];
    int settled;
    CNI_TRY(read_library(json, is[LIBRARY], result));
    CNI_TRY(read_system(json, is, new, result));
    CNI_TRY(cni_json_whole(json, is[SEED], UINT64_MAX, &result->seed));
    CNI_TRY(cni_json_name(json, is[STOP], stop));
    CNI_TRY(cni_json_blame(json, is[STOP], cn_stop_from_name(stop, &result->stop)));
    CNI_TRY(cni_json_flag(json, is[SATURATED], &result->saturated));
    CNI_TRY(cni_json_flag(json, is[SETTLED], &settled));
    result->unsettled = !settled;
    CNI_TRY(read_estimates(json, is[ESTIMATES], result));
    if (is[STATISTICS].at != NULL)
        CNI_TRY(cni_statistics_of_json(json, is[STATISTICS], result));
    return is[SHARD].at == NULL ? CN_OK : cni_shard_of_json(json, is[SHARD], result);
}

cn_status cni_result_of_text(cni_json *json, cni_scenario_new_fn new, cn_result **result)
{
    static const char *const keys[] = {"library",    "system",  "seed",      "stop",
                                       "saturated",  "settled", "estimates", "scenario",
                                       "statistics", "shard"};
    cni_json_value is[KEYS];
    CNI_TRY(cni_json_begin(json, "result", keys, SCENARIO, KEYS, is));
    cn_result *made = cni_result_new(NULL);
    CNI_TRY_MEMORY(made);
    cn_status status = fill(json, is, new, made);
    if (status != CN_OK)
        cn_result_free(&made);
    *result = made;
    return status;
}
