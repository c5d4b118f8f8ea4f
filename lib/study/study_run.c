/* What random faults do to a network: many patterns, and what they come to. */
#include "study/study.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "base/team.h"
#include "scenario/scenario.h"
#include "scenario/system.h"

/* So many patterns are measured before they are summed up in their order: whatever the number of
 * threads, the sums are the same. */
enum { BLOCK = 512 };

typedef struct worker {
    cni_study_bench bench;
    uint64_t failed; /* the first pattern of its own that failed; UINT64_MAX: none did */
    char error[320]; /* and the sentence of it, which belongs to the thread */
} worker;

typedef struct study_run {
    const cn_study *study;
    cni_team *team;
    uint32_t workers;
    worker *worker;
    cni_budget *budget; /* of the call */
    cni_crew crew;
    cni_fault_pattern *patterns; /* BLOCK of them */
    uint64_t begin, end;         /* the block */
    atomic_uint_fast64_t next;
    /* of all blocks so far */
    cni_moments moments[CNI_METRIC_ROOM];
    uint64_t hits[CNI_METRIC_ROOM]; /* of shares of patterns */
    uint64_t solved, saturated, unsettled;
    cn_stop stop;
} study_run;

static void measure_block(void *argument, uint32_t number)
{
    study_run *run = argument;
    worker *own = &run->worker[number];
    while (cni_budget_look(&own->bench.budget)) {
        uint64_t index = atomic_fetch_add(&run->next, 1);
        if (index >= run->end)
            return;
        cni_fault_pattern *pattern = &run->patterns[index - run->begin];
        memset(pattern, 0, sizeof *pattern);
        pattern->status = cni_study_measure(&own->bench, index, pattern);
        own->bench.budget.done += pattern->status == CN_OK;
        if (pattern->status != CN_OK && own->failed == UINT64_MAX) {
            own->failed = index;
            snprintf(own->error, sizeof own->error, "%s", cn_last_error());
        }
    }
}

static void ask_caller(void *argument)
{
    study_run *run = argument;
    cni_budget_look(&run->worker[0].bench.budget);
}

/* Not one pattern was measured. At a time limit the caller is told how far the first one is. */
static cn_status fail_first(const study_run *run)
{
    const cni_budget *inner = &run->worker[0].bench.inner;
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

static cn_status failure_of(const study_run *run, uint64_t index, cn_status status)
{
    for (uint32_t w = 0; w < run->workers; w++)
        if (run->worker[w].failed == index)
            return cni_fail(status, "%s", run->worker[w].error);
    return status;
}

static int is_share_of_patterns(int metric)
{
    return metric == CN_METRIC_CONNECTED_FRACTION || metric == CN_METRIC_EMPTY_FRACTION;
}

static void add(study_run *run, const cni_fault_pattern *pattern)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++)
        if (pattern->has[m]) {
            cni_moments_add(&run->moments[m], pattern->value[m]);
            run->hits[m] += is_share_of_patterns(m) && pattern->value[m] == 1;
        }
    run->solved += (uint64_t)pattern->solved;
    run->saturated += (uint64_t)pattern->saturated;
    run->unsettled += (uint64_t)pattern->unsettled;
    if (pattern->solved && !pattern->saturated && pattern->stop != CN_STOP_PRECISION)
        run->stop = pattern->stop;
}

static cn_status run_blocks(study_run *run)
{
    for (run->begin = 0; run->begin < run->study->patterns; run->begin = run->end) {
        uint64_t left = run->study->patterns - run->begin;
        run->end = run->begin + (left < BLOCK ? left : BLOCK);
        run->next = run->begin;
        for (uint64_t i = run->begin; i < run->end; i++)
            run->patterns[i - run->begin].status = CN_ERR_CANCELLED; /* unless it is measured */
        cni_team_run_watched(run->team, measure_block, ask_caller, run);
        cni_budget_gather(run->budget, &run->crew);
        for (uint64_t i = run->begin; i < run->end; i++) {
            const cni_fault_pattern *pattern = &run->patterns[i - run->begin];
            if (pattern->status == CN_ERR_CANCELLED)
                return i == 0 ? fail_first(run) : CN_OK;
            if (pattern->status != CN_OK)
                return failure_of(run, i, pattern->status);
            add(run, pattern);
        }
    }
    return CN_OK;
}

/* ---- what they come to ---- */

static void put_share(cn_result *result, cn_metric metric, uint64_t hits, uint64_t count)
{
    if (count == 0)
        return;
    cni_result_put(result, metric, (double)hits / (double)count, count);
    result->half_width[metric] = cni_share_half_width(hits, count);
}

static void put_all(const study_run *run, cn_result *result)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++) {
        const cni_moments *moments = &run->moments[m];
        if (is_share_of_patterns(m)) {
            put_share(result, (cn_metric)m, run->hits[m], moments->count);
        } else if (moments->count > 0) {
            cni_result_put(result, (cn_metric)m, moments->mean, moments->count);
            result->half_width[m] = cni_moments_half_width(moments);
        }
    }
    if (run->study->scenario == NULL)
        return;
    put_share(result, CN_METRIC_SATURATED_FRACTION, run->saturated, run->solved);
    if (run->study->simulate)
        put_share(result, CN_METRIC_UNSETTLED_FRACTION, run->unsettled,
                  run->solved - run->saturated);
    result->unsettled = run->unsettled > 0;
    result->saturated = run->solved > 0 && run->saturated == run->solved;
    result->stop = run->stop;
    if (!run->study->simulate || run->solved == 0)
        result->stop = CN_STOP_MODEL;
    else if (result->saturated)
        result->stop = CN_STOP_SATURATED;
}

/* The first patterns alone were measured. */
static void put_end(const cni_budget *budget, cn_result *result)
{
    if (budget->stopped != CNI_GOING)
        result->stop = budget->stopped == CNI_CANCELLED ? CN_STOP_CANCELLED : CN_STOP_TIME_LIMIT;
}

static cn_status open_run(study_run *run)
{
    const cn_study *study = run->study;
    uint64_t most = study->patterns < BLOCK ? study->patterns : BLOCK;
    run->stop = CN_STOP_PRECISION;
    CNI_TRY(cni_team_open((uint32_t)(study->threads < most ? study->threads : most), &run->team));
    run->patterns = cni_allocate(most, sizeof *run->patterns);
    run->worker = cni_allocate(cni_team_workers(run->team), sizeof *run->worker);
    if (run->patterns == NULL || run->worker == NULL)
        return CN_ERR_MEMORY;
    for (; run->workers < cni_team_workers(run->team); run->workers++) {
        worker *next = &run->worker[run->workers];
        next->failed = UINT64_MAX;
        cn_status status = cni_study_bench_open(study, &next->bench);
        if (status != CN_OK) {
            cni_study_bench_close(&next->bench);
            return status;
        }
        next->bench.budget = cni_budget_of_worker(run->budget, &run->crew, run->workers);
    }
    return CN_OK;
}

static void close_run(study_run *run)
{
    for (uint32_t w = 0; w < run->workers; w++)
        cni_study_bench_close(&run->worker[w].bench);
    cni_release(run->worker);
    cni_release(run->patterns);
    cni_team_close(&run->team);
}

static cn_status make_result(const study_run *run, cn_result **result)
{
    *result = cni_result_new(run->study->scenario);
    if (*result == NULL)
        return CN_ERR_MEMORY;
    (*result)->seed = run->study->seed;
    put_all(run, *result);
    put_end(run->budget, *result);
    return CN_OK;
}

cn_status cn_study_run(const cn_study *study, const cn_control *control, cn_result **result)
{
    cni_budget budget;
    CNI_REQUIRE(result);
    *result = NULL;
    CNI_REQUIRE(study);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, study->patterns));
    study_run run = {.study = study, .budget = &budget};
    cn_status status = open_run(&run);
    if (status == CN_OK)
        status = run_blocks(&run);
    if (status == CN_OK)
        status = make_result(&run, result);
    close_run(&run);
    return status == CN_OK ? cni_budget_answer(&budget) : status;
}
