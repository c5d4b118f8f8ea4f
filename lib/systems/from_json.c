/* What names a system, from JSON: a scenario, and a result with the scenario that it is of. */
#include "base/error.h"
#include "scenario/result_json.h"
#include "scenario/scenario_json.h"

cn_status cn_scenario_from_json(const char *text, const cn_control *control, cn_scenario **scenario)
{
    CNI_REQUIRE_OUT(scenario);
    CNI_JSON_READ(json, text, control);
    cni_scenario_form form = {NULL, cn_scenario_new};
    cn_status status = cni_json_take(&json, "scenario", cni_scenario_visit, &form);
    *scenario = form.scenario;
    return status;
}

cn_status cn_result_from_json(const char *text, const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_JSON_READ(json, text, control);
    cni_result_form form = {cni_result_new(NULL), cn_scenario_new};
    CNI_TRY_MEMORY(form.result);
    cn_status status = cni_json_take(&json, "result", cni_result_visit, &form);
    if (status != CN_OK)
        cn_result_free(&form.result);
    *result = form.result;
    return status;
}
