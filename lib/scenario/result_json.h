/* A result in JSON: what it says, the statistics that it holds, and the scenario that it is of. */
#ifndef CNI_SCENARIO_RESULT_JSON_H
#define CNI_SCENARIO_RESULT_JSON_H

#include "scenario/result.h"
#include "scenario/scenario_json.h"
#include "scenario/shard.h"

cn_status cni_result_of_text(cni_json *json, cni_scenario_new_fn new, cn_result **result);

/* The member "statistics" of a result that has them; the object from it, of a result that has its scenario. */
void cni_statistics_put(cni_json_writer *w, const cn_result *result);
cn_status cni_statistics_of_json(const cni_json *json, cni_json_value value, cn_result *result);

/* The member "shard" of a shard; the object from it, of a result of which all else is read. */
void cni_shard_put(cni_json_writer *w, const cni_shard *shard);
cn_status cni_shard_of_json(const cni_json *json, cni_json_value value, cn_result *result);

/* A histogram: its greatest value and the bins that are not empty; the histogram from it, that is empty so far. */
void cni_histogram_put(cni_json_writer *w, const char *key, uint64_t greatest, const uint64_t bin[],
                       size_t bins);
cn_status cni_histogram_of_json(const cni_json *json, cni_json_value value,
                                cni_histogram *histogram);

#endif
