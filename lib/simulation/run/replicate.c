/* Several runs, each on a seed of its own; shards of these runs; and the merge of shards. */
#include "simulation/run/replicate.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "scenario/system.h"
#include "simulation/run/workload_run.h"

/* The sums of a shard of runs. */
enum {
    SUM_OVERLOADED, /* runs whose queues were growing at the end */
    SUM_WARMUP,     /* cycles */
    SUM_EARLY,      /* messages in flight at the ends of early batches */
    SUM_LATE,       /* and at the ends of late batches */
    SUM_TOTALS,     /* the counters that all kernels have */
    SUMS = SUM_TOTALS + CNI_COUNT_OWN
};

_Static_assert((int)SUMS <= (int)CNI_SHARD_SUMS, "a shard has no room for so many sums");

/* Runs that came to their end, and runs that the budget ended. */
enum { FINISHED, UNFINISHED, ENDS };

/* Units of work for the metrics of one run. */
enum { ROW_UNITS = 128 };

typedef struct replica {
    /* CN_ERR_CANCELLED: the run did not begin, or ended before its first measured cycle */
    cn_status status;
    cn_stop stop;
} replica;

typedef struct runner {
    cni_budget budget;
    uint64_t sum[ENDS][CNI_SHARD_SUMS];
    cni_histogram delays[ENDS];
    cni_counts counts[ENDS]; /* empty without statistics */
    uint64_t failed;         /* the first of its runs that failed; UINT64_MAX: no run failed */
    char error[320];         /* and the error text of that run, which belongs to the thread */
} runner;

typedef struct replication {
    const cn_scenario *scenario; /* of every run, with one thread */
    cni_shard *shard;
    uint64_t begin, end; /* numbers of the runs, counted through all shards */
    uint32_t workers;
    atomic_uint_fast64_t next;
    cni_message_times messages; /* of the first run of all shards, when it has a workload */
    replica *replicas;          /* from `begin` on, as the rows of the shard */
    runner *runners;            /* one a worker */
    cni_crew crew;
} replication;

static int end_of(const replica *one)
{
    return one->stop == CN_STOP_CANCELLED || one->stop == CN_STOP_TIME_LIMIT ? UNFINISHED
                                                                             : FINISHED;
}

static void add_sums(const cn_sim *sim, uint64_t sum[CNI_SHARD_SUMS])
{
    uint64_t totals[CNI_COUNTERS];
    cni_queue_growth growth = cni_sim_growth(sim);
    sim->kernel->count(sim->state, totals);
    sum[SUM_OVERLOADED] += (uint64_t)cni_sim_is_overloaded(sim);
    sum[SUM_WARMUP] += sim->warmup;
    sum[SUM_EARLY] += (uint64_t)growth.first; /* whole numbers */
    sum[SUM_LATE] += (uint64_t)growth.last;
    for (size_t i = 0; i < CNI_COUNT_OWN; i++)
        sum[SUM_TOTALS + i] += totals[i];
}

/* Adds a run that has a measured cycle to the sums of its thread. */
static cn_status add_run(replication *work, uint64_t index, const cn_sim *sim, runner *by)
{
    int end = end_of(&work->replicas[index - work->begin]);
    cni_counts counts = {0};
    cn_status status = cni_sim_counts(sim, &counts);
    if (status == CN_OK)
        cni_counts_add(&by->counts[end], &counts);
    cni_counts_close(&counts);
    if (status == CN_OK && index == 0 && sim->workload != NULL)
        status = cni_message_times_copy(&sim->workload->times, &work->messages);
    CNI_TRY(status);
    add_sums(sim, by->sum[end]);
    cni_sim_measured(sim, work->shard->row + (index - work->begin) * CNI_COUNTERS);
    cni_histogram_merge(&by->delays[end], sim->kernel->delays(sim->state));
    return CN_OK;
}

static void run_replica(replication *work, uint64_t index, runner *by)
{
    replica *own = &work->replicas[index - work->begin];
    cn_scenario scenario = *work->scenario;
    cn_sim *sim = NULL;
    uint64_t seed = index == 0 ? scenario.seed : cni_random_derive(scenario.seed, index);
    scenario.budget = &by->budget;
    own->status = cni_sim_open_with_seed(&scenario, seed, &sim);
    if (own->status == CN_OK)
        own->status = cni_run_to_end(sim, &scenario, scenario.budget, &own->stop);
    if (own->status == CN_OK)
        own->status = add_run(work, index, sim, by);
    if (own->status < CN_OK && own->status != CN_ERR_CANCELLED && by->failed == UINT64_MAX) {
        by->failed = index;
        snprintf(by->error, sizeof by->error, "%s", cn_last_error());
    }
    cn_sim_close(&sim);
}

static void replicate(void *argument, uint32_t worker)
{
    replication *work = argument;
    runner *by = &work->runners[worker];
    while (cni_budget_work(&by->budget, 0)) {
        uint64_t index = atomic_fetch_add(&work->next, 1);
        if (index >= work->end)
            return;
        run_replica(work, index, by);
    }
}

static void ask_caller(void *argument)
{
    replication *work = argument;
    cni_budget_look(&work->runners[0].budget);
}

/* Keeps the rows of the runs that came to their end or, without such a run, of the runs that
 * measured at least a cycle. Returns FINISHED or UNFINISHED for the kept runs. */
static int keep_rows(const replication *work)
{
    cni_shard *shard = work->shard;
    uint64_t rows[ENDS] = {0};
    for (uint64_t r = 0; r < shard->rows; r++)
        if (work->replicas[r].status == CN_OK)
            rows[end_of(&work->replicas[r])]++;
    int end = rows[FINISHED] > 0 ? FINISHED : UNFINISHED;
    uint64_t kept = 0;
    for (uint64_t r = 0; r < shard->rows; r++) {
        const replica *one = &work->replicas[r];
        if (one->status != CN_OK || end_of(one) != end)
            continue;
        memmove(shard->row + kept++ * CNI_COUNTERS, shard->row + r * CNI_COUNTERS,
                CNI_COUNTERS * sizeof *shard->row);
        if (one->stop == CN_STOP_CYCLES || one->stop == CN_STOP_COMPLETED)
            shard->stop = one->stop;
    }
    shard->rows = kept;
    return end;
}

/* Adds the sums of all workers to the shard. Returns the counts of all workers. */
static cni_counts *gather(replication *work, int end)
{
    cni_counts *counts = &work->runners[0].counts[end];
    for (uint32_t w = 0; w < work->workers; w++) {
        runner *by = &work->runners[w];
        for (size_t i = 0; i < CNI_SHARD_SUMS; i++)
            work->shard->sum[i] += by->sum[end][i];
        cni_histogram_merge(work->shard->delays, &by->delays[end]);
        if (w > 0)
            cni_counts_add(counts, &by->counts[end]);
    }
    return counts;
}

/* Computes values from all messages together, and half-widths from the differences between the
 * runs. The result takes the counts over. budget: of the call, when it only merges shards;
 * otherwise NULL, because runs that the budget has ended get a result, too. */
static cn_status conclude(const cn_scenario *scenario, const cni_shard *runs, cni_counts *counts,
                          cni_budget *budget, cn_result *result)
{
    const cni_kernel *kernel = scenario->system->kernel;
    cni_moments moments[CNI_METRIC_ROOM] = {{0}};
    uint64_t measured[CNI_COUNTERS] = {0};
    for (uint64_t r = 0; r < runs->rows; r++) {
        const uint64_t *row = runs->row + r * CNI_COUNTERS;
        cn_result single = {0};
        CNI_TRY(cni_budget_go_on(budget, ROW_UNITS));
        cni_evaluate_run(scenario, row, &single);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            if (single.has[m])
                cni_moments_add(&moments[m], single.value[m]);
        for (size_t i = 0; i < CNI_COUNTERS; i++)
            measured[i] += row[i];
    }
    const uint64_t *totals = runs->sum + SUM_TOTALS;
    CNI_TRY(cni_shard_check_sum("the number of saturated replications", runs->sum[SUM_OVERLOADED],
                                runs->units));
    CNI_TRY(cni_shard_check_sum("the warm-up", runs->sum[SUM_WARMUP], totals[CNI_COUNT_CYCLES]));
    kernel->evaluate(scenario, measured, result);
    if (cni_workload_of(scenario) != NULL)
        cni_put_workload_means(moments, result);
    if (2 * runs->sum[SUM_OVERLOADED] > runs->units) {
        result->saturated = 1;
        cni_forget_steady(result);
    }
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
        if (result->has[m])
            result->half_width[m] = cni_moments_half_width(&moments[m]);
    cni_queue_growth growth = {(double)runs->sum[SUM_EARLY], (double)runs->sum[SUM_LATE]};
    cni_account account = {.stop = runs->stop,
                           .settled = cni_run_ends(scenario) || !cni_still_grows(kernel, &growth),
                           .totals = totals,
                           .warmup = runs->sum[SUM_WARMUP],
                           .cycles = measured[CNI_COUNT_CYCLES],
                           .delays = runs->delays,
                           .counts = counts};
    return cni_conclude(scenario, &account, result);
}

/* The status of the first run that failed, in the order of the runs; CN_OK when no run failed. */
static cn_status check_replicas(const replication *work)
{
    const runner *first = &work->runners[0];
    for (uint32_t w = 1; w < work->workers; w++)
        if (work->runners[w].failed < first->failed)
            first = &work->runners[w];
    if (first->failed != UINT64_MAX)
        return cni_fail(work->replicas[first->failed - work->begin].status, "%s", first->error);
    return CN_OK;
}

/* Fills the result of all runs, or of a shard; a shard with a missing run has no result. */
static cn_status put_replicas(replication *work, cn_result *result)
{
    cni_budget *budget = work->scenario->budget;
    cni_shard *shard = work->shard;
    uint64_t all = shard->rows;
    result->messages = work->messages;
    work->messages = (cni_message_times){0};
    CNI_TRY(check_replicas(work));
    int end = keep_rows(work);
    if (shard->rows == 0 ||
        (shard->division.shards > 1 &&
         (shard->rows < all || end == UNFINISHED || budget->stopped == CNI_CANCELLED)))
        return cni_budget_fail(budget);
    cni_counts *counts = gather(work, end);
    if (shard->division.shards == 1) {
        shard->stop = cni_stop_of_budget(budget, shard->stop);
        return conclude(work->scenario, shard, counts, NULL, result);
    }
    CNI_TRY(cni_put_statistics(result, work->scenario, counts, shard->delays,
                               shard->sum[SUM_TOTALS + CNI_COUNT_CYCLES] - shard->sum[SUM_WARMUP]));
    result->stop = shard->stop;
    result->shard = shard;
    work->shard = NULL;
    return CN_OK;
}

static cn_status open_replicas(replication *work, cni_budget *budget, cni_team *team)
{
    work->workers = cni_team_workers(team);
    work->replicas = cni_allocate(work->shard->rows, sizeof *work->replicas);
    work->runners = cni_allocate(work->workers, sizeof *work->runners);
    if (work->replicas == NULL || work->runners == NULL)
        return CN_ERR_MEMORY;
    for (uint64_t r = 0; r < work->shard->rows; r++)
        work->replicas[r].status = CN_ERR_CANCELLED;
    for (uint32_t w = 0; w < work->workers; w++) {
        runner *by = &work->runners[w];
        by->budget = cni_budget_of_worker(budget, &work->crew, w);
        by->failed = UINT64_MAX;
        for (int end = 0; end < ENDS && work->scenario->value[CN_PARAM_STATISTICS] != 0.0; end++)
            CNI_TRY(cni_counts_open(work->scenario->topology, &by->counts[end]));
    }
    return CN_OK;
}

static void close_replication(replication *work)
{
    for (uint32_t w = 0; work->runners != NULL && w < work->workers; w++)
        for (int end = 0; end < ENDS; end++)
            cni_counts_close(&work->runners[w].counts[end]);
    cni_message_times_close(&work->messages);
    cni_release(work->runners);
    cni_release(work->replicas);
    cni_shard_free(work->shard);
}

static cn_status simulate_many(const cn_scenario *scenario, uint64_t count, cni_division division,
                               cn_result *result)
{
    uint64_t threads = (uint64_t)scenario->value[CN_PARAM_THREADS];
    cni_team *team = NULL;
    cn_scenario single = *scenario;
    single.value[CN_PARAM_THREADS] = 1;
    replication work = {.scenario = &single};
    CNI_TRY(cni_shard_new(division, 0, count, &work.shard));
    uint64_t rows = work.shard->rows;
    work.begin = cni_shard_begin(count, division.shard, division.shards);
    work.end = work.begin + rows;
    work.next = work.begin;
    scenario->budget->total = rows * cni_most_cycles(scenario);
    cn_status status = cni_team_open((uint32_t)(threads < rows ? threads : rows), &team);
    if (status == CN_OK)
        status = open_replicas(&work, scenario->budget, team);
    if (status == CN_OK) {
        cni_team_run_watched(team, replicate, ask_caller, &work);
        cni_budget_gather(scenario->budget, &work.crew);
        status = put_replicas(&work, result);
    }
    close_replication(&work);
    cni_team_close(&team);
    return status;
}

/* ---- the merge of shards ---- */

/* Checks shards that may come from a text: their scenarios may have shards, and a shard has
 * statistics exactly when its scenario asks for them. */
static cn_status check_shards(const cn_result *const shards[])
{
    const cn_scenario *scenario = shards[0]->scenario;
    double statistics = scenario->value[CN_PARAM_STATISTICS];
    CNI_TRY(cni_check_simulator("cn_result_merge", scenario->system));
    for (uint64_t s = 0; s < shards[0]->shard->division.shards; s++) {
        CNI_TRY(cni_check_shardable("cn_result_merge", shards[s]->scenario));
        if ((shards[s]->statistics != NULL) != (statistics != 0.0))
            return cni_fail(CN_ERR_ARGUMENT,
                            "cn_result_merge: shard %llu has %s statistics, but its scenario asks "
                            "for %s",
                            (unsigned long long)s, statistics == 0.0 ? "some" : "no",
                            statistics == 0.0 ? "none" : "some");
    }
    return CN_OK;
}

static cn_status gather_shards(const cn_result *const shards[], cni_shard *runs, cni_counts *counts)
{
    const cn_scenario *scenario = shards[0]->scenario;
    uint64_t *row = runs->row;
    if (scenario->value[CN_PARAM_STATISTICS] != 0.0)
        CNI_TRY(cni_counts_open(scenario->topology, counts));
    for (uint64_t s = 0; s < shards[0]->shard->division.shards; s++) {
        const cni_shard *one = shards[s]->shard;
        memcpy(row, one->row, (size_t)one->rows * CNI_COUNTERS * sizeof *row);
        row += one->rows * CNI_COUNTERS;
        cni_shard_add_sums(runs, one);
        cni_histogram_merge(runs->delays, one->delays);
        if (counts->words > 0)
            cni_counts_add(counts, &shards[s]->statistics->counts);
    }
    return CN_OK;
}

cn_status cni_merge_replications(const cn_result *const shards[], cni_budget *budget,
                                 cn_result *result)
{
    cni_shard *runs;
    cni_counts counts = {0};
    CNI_TRY(check_shards(shards));
    CNI_TRY(cni_shard_new(CNI_UNDIVIDED, 0, shards[0]->shard->units, &runs));
    cn_status status = gather_shards(shards, runs, &counts);
    if (status == CN_OK)
        status = conclude(shards[0]->scenario, runs, &counts, budget, result);
    if (status == CN_OK && shards[0]->messages.messages > 0)
        status = cni_message_times_copy(&shards[0]->messages, &result->messages);
    cni_counts_close(&counts);
    cni_shard_free(runs);
    return status;
}

/* The replications share one routing where the kernel allows that. */
cn_status cni_simulate_replications(cn_scenario *run, uint64_t count, cni_division division,
                                    cn_result **result)
{
    cni_attached shared = {.references = 1};
    cn_routing *routing = NULL;
    cn_status status = *result == NULL ? CN_ERR_MEMORY : CN_OK;
    if (status == CN_OK && run->system->kernel->shares_routing && cni_routing_of(run) == NULL) {
        status = cni_scenario_open_routing("cn_simulate", run, &routing);
        shared.object = routing;
        run->attached[CN_ATTACHMENT_ROUTING] = &shared;
    }
    if (status == CN_OK)
        status = simulate_many(run, count, division, *result);
    cn_routing_free(&routing);
    if (status != CN_OK)
        cn_result_free(result);
    return status;
}
