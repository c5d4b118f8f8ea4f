/* A result in JSON: its metrics, the statistics that it holds, and its scenario. */
#ifndef CNI_SCENARIO_RESULT_JSON_H
#define CNI_SCENARIO_RESULT_JSON_H

#include "scenario/result.h"
#include "scenario/scenario_json.h"
#include "scenario/shard.h"

/* Visit the members "statistics" and "shard" of a result that has them. Reading needs the other
 * members first. */
void cni_io_statistics(cni_io *io, cn_result *result);
void cni_shard_visit(cni_io *io, void *result);

/* Visits a histogram. A histogram must be empty before it is read. */
void cni_io_histogram(cni_io *io, const char *key, cni_histogram *histogram);

#endif
