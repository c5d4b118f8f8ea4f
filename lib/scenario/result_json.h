/* A result in JSON: what it says, the statistics that it holds, and the scenario that it is of. */
#ifndef CNI_SCENARIO_RESULT_JSON_H
#define CNI_SCENARIO_RESULT_JSON_H

#include "scenario/result.h"
#include "scenario/scenario_json.h"

cn_status cni_result_of_text(cni_json *json, cni_scenario_new_fn new, cn_result **result);

/* The member "statistics" of a result that has them; the object from it, of a result that has its scenario. */
void cni_statistics_put(cni_json_writer *w, const cn_result *result);
cn_status cni_statistics_of_json(const cni_json *json, cni_json_value value, cn_result *result);

#endif
