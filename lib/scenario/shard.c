/* Shards: which rows of a divided experiment a process computes, and what the rows add up to. */
#include "scenario/shard.h"

#include "base/error.h"
#include "base/memory.h"

uint64_t cni_study_block(uint64_t patterns)
{
    uint64_t block = 1;
    while ((patterns - 1) / block >= CNI_STUDY_BLOCKS)
        block *= 2;
    return block;
}

uint64_t cni_shard_all_rows(const cni_shard *shard)
{
    return shard->study == 0 ? shard->units
                             : (shard->units - 1) / cni_study_block(shard->units) + 1;
}

/* No argument is above 2^20, so the product has at most 40 bits. */
uint64_t cni_shard_begin(uint64_t all_rows, uint64_t shard, uint64_t shards)
{
    return all_rows * shard / shards;
}

uint64_t cni_shard_rows(const cni_shard *shard)
{
    uint64_t all = cni_shard_all_rows(shard);
    return cni_shard_begin(all, shard->division.shard + 1, shard->division.shards) -
           cni_shard_begin(all, shard->division.shard, shard->division.shards);
}

cn_status cni_division_check(const char *function, cni_division division, uint64_t all_rows,
                             const char *what)
{
    if (division.shards < 1 || division.shards > all_rows)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: shards = %llu, but it must be 1 to %llu, the number of %s", function,
                        (unsigned long long)division.shards, (unsigned long long)all_rows, what);
    if (division.shard >= division.shards)
        return cni_fail(CN_ERR_ARGUMENT, "%s: shard = %llu, but the %llu shards are 0 to %llu",
                        function, (unsigned long long)division.shard,
                        (unsigned long long)division.shards,
                        (unsigned long long)division.shards - 1);
    return CN_OK;
}

cn_status cni_shard_new(cni_division division, uint64_t study, uint64_t units, cni_shard **shard)
{
    cni_shard *made = cni_allocate(1, sizeof *made);
    *shard = made;
    CNI_TRY_MEMORY(made);
    *made = (cni_shard){
        .division = division, .study = study, .units = units, .stop = CN_STOP_PRECISION};
    made->rows = cni_shard_rows(made);
    if (study == 0) {
        made->row = cni_allocate(made->rows, CNI_COUNTERS * sizeof *made->row);
        made->delays = cni_allocate(1, sizeof *made->delays);
    }
    if (study != 0 || (made->row != NULL && made->delays != NULL))
        return CN_OK;
    cni_shard_free(made);
    *shard = NULL;
    return CN_ERR_MEMORY;
}

void cni_shard_free(cni_shard *shard)
{
    if (shard == NULL)
        return;
    for (size_t m = 0; m < CNI_METRIC_ROOM; m++)
        cni_release(shard->moments[m]);
    cni_release(shard->row);
    cni_release(shard->delays);
    cni_release(shard);
}

void cni_shard_add_sums(cni_shard *into, const cni_shard *next)
{
    for (size_t i = 0; i < CNI_SHARD_SUMS; i++)
        into->sum[i] += next->sum[i];
    if (next->stop != CN_STOP_PRECISION)
        into->stop = next->stop;
}

cn_status cni_shard_check_sum(const char *what, uint64_t part, uint64_t whole)
{
    if (part <= whole)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_result_merge: the sums of the shards are damaged: %s is %llu of %llu", what,
                    (unsigned long long)part, (unsigned long long)whole);
}

cni_moments *cni_shard_moments(cni_shard *shard, size_t metric)
{
    if (shard->moments[metric] == NULL)
        shard->moments[metric] = cni_allocate(shard->rows, sizeof(cni_moments));
    return shard->moments[metric];
}

cn_status cn_result_shard(const cn_result *result, uint64_t *shard, uint64_t *shards)
{
    CNI_REQUIRE_BOTH(result, shard);
    CNI_REQUIRE(shards);
    cni_division division = result->shard == NULL ? CNI_UNDIVIDED : result->shard->division;
    *shard = division.shard;
    *shards = division.shards;
    return CN_OK;
}
