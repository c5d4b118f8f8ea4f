/* A result in JSON: its metrics, the statistics that it holds, and its scenario. */
#ifndef CNI_SCENARIO_RESULT_JSON_H
#define CNI_SCENARIO_RESULT_JSON_H

#include "scenario/result.h"
#include "scenario/scenario_json.h"
#include "scenario/shard.h"

/* The members "statistics" and "shard" of a result that has them; reading needs all members
 * before. */
void cni_io_statistics(cni_io *io, cn_result *result);
void cni_io_shard(cni_io *io, cn_result *result);

/* The histogram that is read is empty so far. */
void cni_io_histogram(cni_io *io, const char *key, cni_histogram *histogram);

#endif
