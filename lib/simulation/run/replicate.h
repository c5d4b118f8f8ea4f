/* cn_simulate() for every system with a kernel: one run to its end, several runs, or shards of
 * these runs. */
#ifndef CNI_SIMULATION_RUN_REPLICATE_H
#define CNI_SIMULATION_RUN_REPLICATE_H

#include "cubenet/simulation.h"

#include "base/budget.h"
#include "scenario/shard.h"

/* Runs the kernel of the scenario: warm-up, measurement, stopping rule, replications, or a shard
 * of the replications. When the budget ends the runs, the result covers the cycles so far, with
 * CN_OK; a shard then has no result. */
cn_status cni_run_scenario(const char *function, const cn_scenario *scenario, cni_budget *budget,
                           cni_division division, cn_result **result);

/* The most cycles of a run, for the total of a budget; 0: unknown, for a run that ends by itself
 * and has no limit. */
uint64_t cni_most_cycles(const cn_scenario *scenario);

/* Runs warm-up and measurement, or up to the end of a run that ends by itself, unless the budget
 * ends first. A run has no result when messages stand for ever in a part of the network, however
 * the run ended. */
cn_status cni_run_to_end(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop);

/* Why a run ended: by the budget, or by the reason `otherwise`. */
cn_stop cni_stop_of_budget(const cni_budget *budget, cn_stop otherwise);

/* CN_ERR_ARGUMENT for runs that end by precision, which have no shards. */
cn_status cni_check_shardable(const char *function, const cn_scenario *scenario);

/* Simulates the runs of a shard, out of so many runs, into a result of the scenario. `run` is a
 * plain copy of the scenario; the function may attach a routing to it, which all runs share.
 * After a failure the function frees the result. */
cn_status cni_simulate_replications(cn_scenario *run, uint64_t count, cni_division division,
                                    cn_result **result);

/* Fills the result of all runs from all shards, in their order. CN_ERR_ARGUMENT when a scenario
 * may have no shards, or when statistics are missing; CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_merge_replications(const cn_result *const shards[], cni_budget *budget,
                                 cn_result *result);

#endif
