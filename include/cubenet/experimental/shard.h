/**
 * @file shard.h
 * Simulations and studies divided over many processes. Each process runs a part, a shard, and one
 * process merges all shards into the result of the whole. cn_study_run_shard() of study.h runs a
 * shard of a study; docs/scale.md has a guide.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_SHARD_H
#define CUBENET_EXPERIMENTAL_SHARD_H

#include "../control.h"
#include "../result.h"
#include "../scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Simulates a part of the `replications` of the scenario: from number replications * shard / shards
 * up to, but not including, number replications * (shard + 1) / shards, both rounded down. The
 * result is a shard (cn_result_shard()): it holds the counts of each run, and no metrics.
 * cn_result_merge() makes the result of cn_simulate() from all shards, to the last bit, for any
 * number of shards and threads and on any processes and machines. cn_result_json() writes a shard
 * as text, for transport to the merging process.
 *
 * Runs that end by precision have no shards: `relative_precision` must be 0. One shard is the
 * whole: cn_simulate().
 *
 * @param shard 0 .. shards - 1
 * @param shards 1 .. replications; 1 for a scenario in which nothing is random
 * @param control as for cn_simulate(), but a call that ends early returns CN_ERR_CANCELLED without
 *        a result, because a shard needs all its runs
 * @return errors as for cn_simulate(); CN_ERR_ARGUMENT also for numbers of shards that are not
 *         allowed and for `relative_precision`. Memory: 192 bytes for each replication of the
 *         shard, beside the runs.
 */
CN_API cn_status cn_simulate_shard(const cn_scenario *scenario, uint64_t shard, uint64_t shards,
                                   const cn_control *control, cn_result **result);

/**
 * Returns the part of a simulation or study that a result covers: shard @p shard of @p shards. A
 * whole result is shard 0 of 1. A shard holds no metrics; cn_simulate_shard() and
 * cn_study_run_shard() make them. CN_ERR_ARGUMENT for NULL.
 */
CN_API cn_status cn_result_shard(const cn_result *result, uint64_t *shard, uint64_t *shards);

/**
 * Makes the result of a whole simulation or study from all its shards. The function adds whole
 * numbers and combines real numbers in the order of the replications or patterns. So the result is,
 * to the last bit, the result of one process, for any order of the shards and any number of
 * threads. Its scenario is the scenario of shard 0.
 *
 * With a single whole result @p merged is equal to this result.
 *
 * @param results @p count results, in any order, which stay unchanged
 * @param control limits and cancellation; may be NULL
 * @param merged free it with cn_result_free()
 * @return CN_ERR_ARGUMENT, with a sentence that names the result: a shard is missing or there
 *         twice; it is one of another scenario, study, seed, number of replications or patterns, or
 *         number of shards; another version of the library made it; it is a whole result among
 *         several; its runs end by precision. CN_ERR_MEMORY, CN_ERR_CANCELLED, CN_ERR_UNSUPPORTED
 *         (a made-up text: its system has no simulator). O(shards + replications), for a study
 *         O(shards + patterns).
 */
CN_API cn_status cn_result_merge(const cn_result *const results[], size_t count,
                                 const cn_control *control, cn_result **merged);

#ifdef __cplusplus
}
#endif

#endif
