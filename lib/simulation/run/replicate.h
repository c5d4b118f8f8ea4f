/* cn_simulate() for every system that has a kernel. */
#ifndef CNI_SIMULATION_RUN_REPLICATE_H
#define CNI_SIMULATION_RUN_REPLICATE_H

#include "base/budget.h"
#include "scenario/shard.h"

/* Runs the scenario's kernel: warm-up, measurement, stopping rule, replications, or a shard of those. What the budget
 * ended gives what it has, and CN_OK, but for a shard. */
cn_status cni_simulate(const char *function, const cn_scenario *scenario, cni_budget *budget,
                       cni_division division, cn_result **result);

/* Fills the result of the whole from all its shards, in their order. CN_ERR_ARGUMENT where a scenario has no shards, or
 * statistics are missing; CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_merge_replications(const cn_result *const shards[], cni_budget *budget,
                                 cn_result *result);

#endif
