/* Merges shards into one result: of a simulation with several replications, or of a study. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/scenario_json.h"
#include "simulation/run/replicate.h"
#include "study/study.h"

/* The work of checking one shard, in the units of a budget. */
enum { SHARD_UNITS = 512 };

static cn_status fail_foreign(size_t at, const char *what, uint64_t own, uint64_t first)
{
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_result_merge: results[%zu] is a shard of another whole than results[0]: "
                    "its %s %llu, not %llu",
                    at, what, (unsigned long long)own, (unsigned long long)first);
}

static uint64_t identity_of(const cn_result *result)
{
    return result->shard->study != 0 ? result->shard->study
                                     : cni_scenario_identity(result->scenario);
}

/* Checks that a result is a shard of the same whole as the first, made by this library. */
static cn_status check_one(const cn_result *const results[], size_t at, uint64_t identity)
{
    const cn_result *one = results[at], *first = results[0];
    if (one->shard == NULL)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_result_merge: results[%zu] is no shard but a whole result", at);
    if (strcmp(one->library, cn_version_text()) != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_result_merge: results[%zu] was made by version %s of cubenet, but this "
                        "is %s, which may count otherwise",
                        at, one->library, cn_version_text());
    if (strcmp(one->model, first->model) != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_result_merge: results[%zu] is of another model than results[0]: its "
                        "model is \"%s\", not \"%s\"",
                        at, one->model, first->model);
    const cni_shard *a = first->shard, *b = one->shard;
    if ((a->study == 0) != (b->study == 0))
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_result_merge: results[%zu] is one of a %s, but results[0] is not", at,
                        b->study == 0 ? "simulation" : "study");
    if (b->division.shards != a->division.shards)
        return fail_foreign(at, "number of shards is", b->division.shards, a->division.shards);
    if (b->units != a->units)
        return fail_foreign(at, b->study == 0 ? "replications are" : "patterns are", b->units,
                            a->units);
    if (one->seed != first->seed)
        return fail_foreign(at, "seed is", one->seed, first->seed);
    if (identity_of(one) == identity)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_result_merge: results[%zu] is a shard of another %s than results[0]: the "
                    "network, a parameter, the faults or what else belongs to it differs",
                    at, b->study == 0 ? "scenario" : "study");
}

/* All shards, each once, in their order. */
static cn_status sort_shards(const cn_result *const results[], size_t count, cni_budget *budget,
                             const cn_result *sorted[])
{
    uint64_t shards = results[0]->shard->division.shards, identity = identity_of(results[0]);
    for (size_t i = 0; i < count; i++) {
        CNI_TRY(cni_budget_go_on(budget, SHARD_UNITS));
        CNI_TRY(check_one(results, i, identity));
        const cn_result **place = &sorted[results[i]->shard->division.shard];
        if (*place != NULL)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_result_merge: results[%zu] is shard %llu of %llu, which is there "
                            "already",
                            i, (unsigned long long)results[i]->shard->division.shard,
                            (unsigned long long)shards);
        *place = results[i];
    }
    for (uint64_t s = 0; s < shards; s++)
        if (sorted[s] == NULL)
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_result_merge: shard %llu of %llu is missing among the %zu results",
                            (unsigned long long)s, (unsigned long long)shards, count);
    return CN_OK;
}

static cn_status merge_study(const cn_result *const shards[], cn_result *result)
{
    cni_shard *all;
    uint64_t begin = 0;
    CNI_TRY(cni_shard_new(CNI_UNDIVIDED, shards[0]->shard->study, shards[0]->shard->units, &all));
    for (uint64_t s = 0; s < shards[0]->shard->division.shards; s++) {
        const cni_shard *one = shards[s]->shard;
        cni_shard_add_sums(all, one);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++) {
            cni_moments *moments = one->moments[m] == NULL ? NULL : cni_shard_moments(all, m);
            if (one->moments[m] != NULL && moments == NULL) {
                cni_shard_free(all);
                return CN_ERR_MEMORY;
            }
            if (moments != NULL)
                memcpy(moments + begin, one->moments[m], (size_t)one->rows * sizeof *moments);
        }
        begin += one->rows;
    }
    cn_status status = cni_study_conclude(all, result);
    cni_shard_free(all);
    return status;
}

static cn_status merge(const cn_result *const results[], size_t count, cni_budget *budget,
                       const cn_result *sorted[], cn_result **merged)
{
    CNI_TRY(sort_shards(results, count, budget, sorted));
    *merged = cni_result_new(sorted[0]->scenario);
    CNI_TRY_MEMORY(*merged);
    (*merged)->seed = sorted[0]->seed;
    memcpy((*merged)->model, sorted[0]->model, sizeof sorted[0]->model);
    cn_status status = sorted[0]->shard->study == 0
                           ? cni_merge_replications(sorted, budget, *merged)
                           : merge_study(sorted, *merged);
    if (status != CN_OK)
        cn_result_free(merged);
    return status;
}

cn_status cn_result_merge(const cn_result *const results[], size_t count, const cn_control *control,
                          cn_result **merged)
{
    CNI_REQUIRE_OUT(merged);
    CNI_REQUIRE(results);
    CNI_BUDGET(budget, control, 0);
    if (count < 1)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = 0, but a whole has at least one result",
                        __func__);
    CNI_REQUIRE_EACH(results, count);
    if (count == 1 && results[0]->shard == NULL) {
        *merged = cni_result_retain(results[0]);
        return CN_OK;
    }
    CNI_TRY(check_one(results, 0, results[0]->shard == NULL ? 0 : identity_of(results[0])));
    const cn_result **sorted =
        cni_allocate(results[0]->shard->division.shards, sizeof(const cn_result *));
    cn_status status =
        sorted == NULL ? CN_ERR_MEMORY : merge(results, count, &budget, sorted, merged);
    cni_release(sorted);
    return status;
}
