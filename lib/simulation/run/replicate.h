/* cn_simulate() for every system that has a kernel: one run to its end, several runs, shards of
 * them. */
#ifndef CNI_SIMULATION_RUN_REPLICATE_H
#define CNI_SIMULATION_RUN_REPLICATE_H

#include "cubenet/simulation.h"

#include "base/budget.h"
#include "scenario/shard.h"

/* Runs the scenario's kernel: warm-up, measurement, stopping rule, replications, or a shard of
 * those. What the budget ended gives what it has, and CN_OK, but for a shard. */
cn_status cni_run_scenario(const char *function, const cn_scenario *scenario, cni_budget *budget,
                           cni_division division, cn_result **result);

/* The most cycles that a run can have, of which the caller's progress function hears. */
uint64_t cni_most_cycles(const cn_scenario *scenario);

/* Warm-up and measurement, or a run to its end where it ends by itself, unless the budget ends it.
 * A run in which a part of the network stands still for ever has no result, however it ended. */
cn_status cni_run_to_end(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop);

/* Why a run ended: by the budget, or else otherwise. */
cn_stop cni_stop_of_budget(const cni_budget *budget, cn_stop otherwise);

/* CN_ERR_ARGUMENT for runs that end by precision, which have no shards. */
cn_status cni_check_shardable(const char *function, const cn_scenario *scenario);

/* Of so many runs those of a shard, into a result of the scenario. It may attach a routing to
 * `run`, a plain copy of the scenario, which they then share; the result is freed where there is
 * none. */
cn_status cni_simulate_replications(cn_scenario *run, uint64_t count, cni_division division,
                                    cn_result **result);

/* Fills the result of the whole from all its shards, in their order. CN_ERR_ARGUMENT where a
 * scenario has no shards, or statistics are missing; CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_merge_replications(const cn_result *const shards[], cni_budget *budget,
                                 cn_result *result);

#endif
