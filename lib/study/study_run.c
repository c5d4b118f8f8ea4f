/* The run of a study: patterns on several threads, and the sums over all patterns. */
#include "study/study.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "base/team.h"
#include "scenario/system.h"
#include "simulation/run/replicate.h"

/* The patterns of a window are measured in any order and added up in their order, so the sums do
 * not depend on the number of threads. */
enum { WINDOW = 512 };

/* The sums of a shard of a study: patterns with a run of the scenario, patterns that could not
 * carry the load, patterns whose simulation was too short, simulated patterns; and hits of the
 * shares of patterns. */
enum { SUM_SOLVED, SUM_SATURATED, SUM_UNSETTLED, SUM_SIMULATED, SUM_CONNECTED, SUM_EMPTY };

typedef struct study_run {
    const cn_study *study;
    cni_team *team;
    uint32_t workers;
    cni_study_bench *bench; /* one a worker */
    cni_budget *budget;     /* of the call */
    cni_crew crew;
    cni_shard *shard;
    uint64_t first, last;        /* the patterns of the shard: first .. last - 1 */
    cni_fault_pattern *patterns; /* WINDOW of them */
    uint64_t begin, end;         /* the patterns of the window: begin .. end - 1 */
    atomic_uint_fast64_t next;   /* the next pattern that a worker takes */
} study_run;

/* The work of one thread: measures patterns of the window until none is left. */
static void measure_window(void *argument, uint32_t number)
{
    study_run *run = argument;
    cni_study_bench *bench = &run->bench[number];
    while (cni_budget_look(&bench->budget)) {
        uint64_t index = atomic_fetch_add(&run->next, 1);
        if (index >= run->end)
            return;
        cni_study_measure(bench, index, &run->patterns[index - run->begin]);
    }
}

/* The calling thread waits for the others, and meanwhile asks the caller. */
static void ask_caller(void *argument)
{
    study_run *run = argument;
    cni_budget_look(&run->bench[0].budget);
}

/* The error when no pattern was measured. After a time limit the text tells how far the first
 * pattern is. */
static cn_status fail_first(const study_run *run)
{
    const cni_budget *inner = &run->bench[0].inner;
    cn_status status = cni_budget_fail(run->budget);
    if (run->budget->stopped != CNI_OUT_OF_TIME || inner->total == 0)
        return status;
    return cni_fail(
        status,
        "cn_study_run: the time limit of %g seconds was reached before the first pattern was "
        "measured; searches from %llu of its %llu survivors are done",
        run->budget->control->seconds, (unsigned long long)inner->done,
        (unsigned long long)inner->total);
}

/* The sum that counts the hits of a metric, if the metric is a share of patterns; otherwise -1. */
static int hits_of(size_t metric)
{
    return metric == CN_METRIC_CONNECTED_FRACTION ? SUM_CONNECTED
           : metric == CN_METRIC_EMPTY_FRACTION   ? SUM_EMPTY
                                                  : -1;
}

/* Adds a measured pattern to the moments and sums of the shard. */
static cn_status add(study_run *run, uint64_t index, const cni_fault_pattern *pattern)
{
    const cn_result *measured = &pattern->measured;
    cni_shard *shard = run->shard;
    uint64_t row = (index - run->first) / cni_study_block(shard->units);
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++) {
        if (!measured->has[m])
            continue;
        cni_moments *moments = cni_shard_moments(shard, m);
        CNI_TRY_MEMORY(moments);
        cni_moments_add(&moments[row], measured->value[m]);
        if (hits_of(m) >= 0)
            shard->sum[hits_of(m)] += measured->value[m] == 1;
    }
    shard->sum[SUM_SOLVED] += (uint64_t)pattern->solved;
    shard->sum[SUM_SATURATED] += (uint64_t)measured->saturated;
    shard->sum[SUM_UNSETTLED] += (uint64_t)measured->unsettled;
    shard->sum[SUM_SIMULATED] += pattern->solved && run->study->simulate;
    if (pattern->solved && !measured->saturated && measured->stop != CN_STOP_PRECISION)
        shard->stop = measured->stop;
    return CN_OK;
}

/* The study ends at a pattern that was not measured. Its result has the patterns before this one; a
 * shard that ends early has no result. */
static cn_status end_early(const study_run *run, uint64_t index)
{
    if (index == run->first)
        return fail_first(run);
    return run->shard->division.shards > 1 ? cni_budget_fail(run->budget) : CN_OK;
}

static cn_status run_patterns(study_run *run)
{
    for (run->begin = run->first; run->begin < run->last; run->begin = run->end) {
        uint64_t left = run->last - run->begin;
        run->end = run->begin + (left < WINDOW ? left : WINDOW);
        run->next = run->begin;
        for (uint64_t i = run->begin; i < run->end; i++)
            run->patterns[i - run->begin] = (cni_fault_pattern){.status = CN_ERR_CANCELLED};
        cni_team_run_watched(run->team, measure_window, ask_caller, run);
        cni_budget_gather(run->budget, &run->crew);
        for (uint64_t i = run->begin; i < run->end; i++) {
            const cni_fault_pattern *pattern = &run->patterns[i - run->begin];
            if (pattern->status == CN_ERR_CANCELLED)
                return end_early(run, i);
            if (pattern->status != CN_OK)
                return cni_fail(pattern->status, "%s", pattern->error);
            CNI_TRY(add(run, i, pattern));
        }
    }
    return CN_OK;
}

/* ---- the result ---- */

static cn_status put_share(cn_result *result, cn_metric metric, uint64_t hits, uint64_t count)
{
    if (count == 0)
        return CN_OK;
    CNI_TRY(cni_shard_check_sum(cn_metric_name(metric), hits, count));
    cni_result_put(result, metric, (double)hits / (double)count, count);
    result->half_width[metric] = cni_share_half_width(hits, count);
    return CN_OK;
}

cn_status cni_study_conclude(const cni_shard *patterns, cn_result *result)
{
    const uint64_t *sum = patterns->sum;
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++) {
        cni_moments all = {0};
        for (uint64_t r = 0; patterns->moments[m] != NULL && r < patterns->rows; r++)
            cni_moments_merge(&all, &patterns->moments[m][r]);
        if (hits_of(m) >= 0) {
            CNI_TRY(put_share(result, (cn_metric)m, sum[hits_of(m)], all.count));
        } else if (all.count > 0) {
            cni_result_put(result, (cn_metric)m, all.mean, all.count);
            result->half_width[m] = cni_moments_half_width(&all);
        }
    }
    CNI_TRY(put_share(result, CN_METRIC_SATURATED_FRACTION, sum[SUM_SATURATED], sum[SUM_SOLVED]));
    if (sum[SUM_SIMULATED] > 0)
        CNI_TRY(put_share(result, CN_METRIC_UNSETTLED_FRACTION, sum[SUM_UNSETTLED],
                          sum[SUM_SOLVED] - sum[SUM_SATURATED]));
    result->unsettled = sum[SUM_UNSETTLED] > 0;
    result->saturated = sum[SUM_SOLVED] > 0 && sum[SUM_SATURATED] == sum[SUM_SOLVED];
    result->stop = patterns->stop;
    if (sum[SUM_SIMULATED] == 0)
        result->stop = CN_STOP_MODEL;
    else if (result->saturated)
        result->stop = CN_STOP_SATURATED;
    return CN_OK;
}

static cn_status open_run(study_run *run)
{
    const cn_study *study = run->study;
    uint64_t most = run->last - run->first < WINDOW ? run->last - run->first : WINDOW;
    uint64_t threads = cni_study_whole(study, CN_STUDY_THREADS);
    CNI_TRY(cni_team_open((uint32_t)(threads < most ? threads : most), &run->team));
    run->patterns = cni_allocate(most, sizeof *run->patterns);
    run->bench = cni_allocate(cni_team_workers(run->team), sizeof *run->bench);
    if (run->patterns == NULL || run->bench == NULL)
        return CN_ERR_MEMORY;
    while (run->workers < cni_team_workers(run->team)) {
        cni_study_bench *next = &run->bench[run->workers++];
        CNI_TRY(cni_study_bench_open(study, next));
        next->budget = cni_budget_of_worker(run->budget, &run->crew, run->workers - 1);
    }
    return CN_OK;
}

static void close_run(study_run *run)
{
    for (uint32_t w = 0; w < run->workers; w++)
        cni_study_bench_close(&run->bench[w]);
    cni_release(run->bench);
    cni_release(run->patterns);
    cni_shard_free(run->shard);
    cni_team_close(&run->team);
}

static cn_status make_result(study_run *run, cn_result **result)
{
    *result = cni_result_new(run->study->scenario);
    CNI_TRY_MEMORY(*result);
    (*result)->seed = run->study->seed;
    if (run->study->scenario != NULL && !run->study->simulate)
        cni_result_put_model(*result, run->study->scenario);
    if (run->shard->division.shards > 1) {
        (*result)->stop = run->shard->stop;
        (*result)->shard = run->shard;
        run->shard = NULL;
        return CN_OK;
    }
    CNI_TRY(cni_study_conclude(run->shard, *result));
    (*result)->stop = cni_stop_of_budget(run->budget, (*result)->stop);
    return CN_OK;
}

/* A shard of a study has whole blocks of patterns. */
static cn_status choose_patterns(const char *function, study_run *run, cni_division division)
{
    const cn_study *study = run->study;
    uint64_t patterns = cni_study_whole(study, CN_STUDY_PATTERNS);
    uint64_t block = cni_study_block(patterns), all = (patterns - 1) / block + 1;
    CNI_TRY(cni_division_check(function, division, all,
                               block == 1 ? "patterns" : "blocks of patterns"));
    CNI_TRY(cni_shard_new(division, cni_study_identity(study, run->budget), patterns, &run->shard));
    run->first = cni_shard_begin(all, division.shard, division.shards) * block;
    run->last = cni_shard_begin(all, division.shard + 1, division.shards) * block;
    if (run->last > patterns)
        run->last = patterns;
    return CN_OK;
}

static cn_status run_study(const char *function, const cn_study *study, cni_division division,
                           const cn_control *control, cn_result **result)
{
    cni_budget budget;
    study_run run = {.study = study, .budget = &budget};
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(choose_patterns(function, &run, division));
    budget.total = run.last - run.first;
    cn_status status = open_run(&run);
    if (status == CN_OK)
        status = run_patterns(&run);
    if (status == CN_OK)
        status = make_result(&run, result);
    close_run(&run);
    return status == CN_OK ? cni_budget_answer(&budget) : cni_fail_as(function, status);
}

cn_status cn_study_run_shard(const cn_study *study, uint64_t shard, uint64_t shards,
                             const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(study);
    return run_study(__func__, study, (cni_division){shard, shards}, control, result);
}

cn_status cn_study_run(const cn_study *study, const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(study);
    return run_study(__func__, study, CNI_UNDIVIDED, control, result);
}
