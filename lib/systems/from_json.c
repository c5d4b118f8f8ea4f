/* What names a system, from JSON: a scenario, and a result with the scenario that it is of. */
#include "base/error.h"
#include "scenario/result_json.h"
#include "scenario/scenario_json.h"

cn_status cn_scenario_from_json(const char *text, const cn_control *control, cn_scenario **scenario)
{
    CNI_REQUIRE_OUT(scenario);
    CNI_JSON_READ(json, text, control);
    return cni_scenario_of_text(&json, cn_scenario_new, scenario);
}

cn_status cn_result_from_json(const char *text, const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_JSON_READ(json, text, control);
    return cni_result_of_text(&json, cn_scenario_new, result);
}
