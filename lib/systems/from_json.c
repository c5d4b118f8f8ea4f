/* What names a system, from JSON: a scenario, and a result with the scenario that it is of. */
#include "base/error.h"
#include "scenario/result_json.h"
#include "scenario/scenario_json.h"

cn_status cn_scenario_from_json(const char *text, const cn_control *control, cn_scenario **scenario)
{
    cni_budget budget;
    cni_json json = {__func__, text, &budget};
    CNI_REQUIRE_OUT(scenario);
    CNI_REQUIRE(text);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    return cni_scenario_of_text(&json, cn_scenario_new, scenario);
}

cn_status cn_result_from_json(const char *text, const cn_control *control, cn_result **result)
{
    cni_budget budget;
    cni_json json = {__func__, text, &budget};
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(text);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    return cni_result_of_text(&json, cn_scenario_new, result);
}
