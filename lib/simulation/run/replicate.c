/* The loop around cn_sim: when a run ends, and several runs on seeds of their own. */
#include "simulation/run/replicate.h"

#include <math.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "scenario/system.h"
#include "simulation/run/sim.h"

/* Messages per channel at which an overloaded run has shown what it can. */
enum { BACKLOG = 32 };

/* What a run is to its caller: cycles of those that it has at most. */
static uint64_t most_cycles(const cn_scenario *scenario)
{
    if (scenario->system->kernel->ends)
        return 0;
    return cni_most_warmup(scenario) + (uint64_t)scenario->value[CN_PARAM_MEASURE_CYCLES];
}

static cn_stop stop_of_budget(const cni_budget *budget, cn_stop otherwise)
{
    if (budget->stopped == CNI_GOING)
        return otherwise;
    return budget->stopped == CNI_CANCELLED ? CN_STOP_CANCELLED : CN_STOP_TIME_LIMIT;
}

/* Measurement until the precision is met or the cycles are over. */
static cn_status measure(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop)
{
    uint64_t left = (uint64_t)scenario->value[CN_PARAM_MEASURE_CYCLES];
    double precision = scenario->value[CN_PARAM_RELATIVE_PRECISION];
    *stop = CN_STOP_CYCLES;
    while (left > 0 && budget->stopped == CNI_GOING) {
        uint64_t room = cni_sim_batch_room(sim);
        uint64_t part = left < room ? left : room;
        CNI_TRY(cni_sim_advance(sim, part, budget));
        left -= part;
        if (cni_sim_is_swamped(sim, BACKLOG) && cni_sim_is_overloaded(sim)) {
            *stop = CN_STOP_SATURATED;
            return CN_OK;
        }
        if (precision > 0.0 && cni_sim_is_precise(sim, precision)) {
            *stop = CN_STOP_PRECISION;
            return CN_OK;
        }
    }
    return CN_OK;
}

/* At a time limit the caller is told whether the network was still filling up. */
static cn_status fail_in_warmup(const cn_sim *sim, const cni_budget *budget)
{
    cn_status status = cni_budget_fail(budget);
    if (budget->stopped != CNI_OUT_OF_TIME)
        return status;
    return cni_fail(status,
                    "%s: the time limit of %g seconds was reached before there was a result: the "
                    "warm-up goes on after %llu cycles, with %llu messages in flight",
                    budget->function, budget->control->seconds,
                    (unsigned long long)cn_sim_cycle(sim),
                    (unsigned long long)cn_sim_in_flight(sim));
}

/* Warm-up and measurement, or a run to its end where it ends by itself, unless the budget ends it. A run in
 * which a part of the network stands still for ever has no result, however it ended. */
static cn_status run_one(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop)
{
    for (uint64_t cycles; (cycles = cni_sim_warmup_room(sim)) > 0 && cni_budget_work(budget, 0);)
        CNI_TRY(cni_sim_advance(sim, cycles, budget));
    if (!scenario->system->kernel->ends) {
        CNI_TRY(measure(sim, scenario, budget, stop));
    } else {
        for (uint64_t cycles; (cycles = cni_sim_pending(sim)) > 0 && cni_budget_work(budget, 0);)
            CNI_TRY(cni_sim_advance(sim, cycles, budget));
        *stop = CN_STOP_COMPLETED;
    }
    *stop = stop_of_budget(budget, *stop);
    if (budget->stopped != CNI_GOING && cn_sim_cycle(sim) <= sim->warmup)
        return fail_in_warmup(sim, budget);
    return cni_sim_look(sim);
}

/* Nothing is random: one run tells all. */
static int is_certain(const cn_scenario *scenario)
{
    const cni_kernel *kernel = scenario->system->kernel;
    return kernel->is_certain != NULL && kernel->is_certain(scenario);
}

static cn_status simulate_one(const cn_scenario *scenario, cn_result *result)
{
    cn_sim *sim = NULL;
    cn_result *made = NULL;
    cn_stop stop = CN_STOP_CYCLES;
    cn_status status = cni_sim_open_with_seed(scenario, scenario->seed, &sim);
    scenario->budget->total = most_cycles(scenario);
    if (status == CN_OK)
        status = run_one(sim, scenario, scenario->budget, &stop);
    if (status == CN_OK)
        status = cn_sim_result(sim, &made);
    if (status == CN_OK) {
        cn_result empty = *result; /* each has what it holds to free */
        *result = *made;
        *made = empty;
        result->stop = cni_stop_of(scenario->system->kernel, result, stop);
        for (size_t m = 1; m < CNI_METRIC_ROOM && is_certain(scenario); m++)
            result->half_width[m] = 0.0;
    }
    cn_result_free(&made);
    cn_sim_close(&sim);
    return status;
}

/* ---- replications ---- */

typedef struct replica {
    cn_status status; /* CN_DONE: not begun; CN_ERR_CANCELLED: ended before it measured anything */
    char error[320];  /* the sentence of its failure, which belongs to the thread that ran it */
    cn_stop stop;
    int overloaded; /* its queues were growing at the end */
    uint64_t warmup;
    uint64_t measured[CNI_COUNTERS];
    uint64_t totals[CNI_COUNTERS];
    cni_queue_growth growth;
} replica;

typedef struct replication {
    const cn_scenario *scenario; /* with one thread each */
    uint64_t count;
    uint32_t workers;
    atomic_uint_fast64_t next;
    replica *replicas;
    cni_histogram *delays; /* one a worker, then one of each for the run that it did not finish */
    cni_counts *counts;    /* the same; empty without statistics */
    cni_crew crew;
    cni_budget *budgets; /* one a worker */
} replication;

static int is_unfinished(const replica *one)
{
    return one->stop == CN_STOP_CANCELLED || one->stop == CN_STOP_TIME_LIMIT;
}

/* Adds what a run has counted. */
static cn_status add_counts(const cn_sim *sim, cni_counts *into)
{
    cni_counts own = {0};
    cn_status status = cni_sim_counts(sim, &own);
    if (status == CN_OK)
        cni_counts_add(into, &own);
    cni_counts_close(&own);
    return status;
}

static void run_replica(const replication *work, uint64_t index, uint32_t worker)
{
    replica *own = &work->replicas[index];
    cn_scenario scenario = *work->scenario;
    cn_sim *sim = NULL;
    uint64_t seed = index == 0 ? scenario.seed : cni_random_derive(scenario.seed, index);
    scenario.budget = &work->budgets[worker];
    own->status = cni_sim_open_with_seed(&scenario, seed, &sim);
    if (own->status == CN_OK)
        own->status = run_one(sim, &scenario, scenario.budget, &own->stop);
    size_t at = is_unfinished(own) ? worker + work->workers : worker;
    if (own->status == CN_OK)
        own->status = add_counts(sim, &work->counts[at]);
    if (own->status == CN_OK) {
        own->overloaded = cni_sim_is_overloaded(sim);
        own->warmup = sim->warmup;
        cni_sim_measured(sim, own->measured);
        cni_sim_totals(sim, own->totals);
        cni_sim_add_queues(sim, &own->growth);
        cni_histogram_merge(&work->delays[at], cni_sim_delays(sim));
    } else {
        const char *text = cn_last_error();
        for (size_t i = 0; i + 1 < sizeof own->error && text[i] != '\0'; i++)
            own->error[i] = text[i];
    }
    cn_sim_close(&sim);
}

static void replicate(void *argument, uint32_t worker)
{
    replication *work = argument;
    while (cni_budget_work(&work->budgets[worker], 0)) {
        uint64_t index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count)
            return;
        run_replica(work, index, worker);
    }
}

static void ask_caller(void *argument)
{
    replication *work = argument;
    cni_budget_look(&work->budgets[0]);
}

/* Runs that have measured something, to their end or until the budget ended them. */
static uint64_t count_replicas(const replication *work, int of_unfinished)
{
    uint64_t count = 0;
    for (uint64_t r = 0; r < work->count; r++)
        count +=
            work->replicas[r].status == CN_OK && is_unfinished(&work->replicas[r]) == of_unfinished;
    return count;
}

/* Values from all messages together, half-widths from the differences between the runs. */
static cn_status put_replicas(const cni_kernel *kernel, replication *work, cn_result *result)
{
    int of_unfinished = count_replicas(work, 0) == 0; /* only where no run came to its end */
    cni_histogram *delays = &work->delays[of_unfinished ? work->workers : 0];
    cni_counts *counts = &work->counts[of_unfinished ? work->workers : 0];
    cni_moments moments[CNI_METRIC_ROOM] = {{0}};
    uint64_t measured[CNI_COUNTERS] = {0}, totals[CNI_COUNTERS] = {0};
    uint64_t overloaded = 0, warmup = 0;
    cni_queue_growth growth = {0};
    result->stop = CN_STOP_PRECISION;
    for (uint64_t r = 0; r < work->count; r++) {
        const replica *one = &work->replicas[r];
        cn_result single = {0};
        if (one->status != CN_OK || is_unfinished(one) != of_unfinished)
            continue;
        kernel->evaluate(work->scenario, one->measured, &single);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            if (single.has[m])
                cni_moments_add(&moments[m], single.value[m]);
        for (size_t i = 0; i < CNI_COUNTERS; i++) {
            measured[i] += one->measured[i];
            totals[i] += one->totals[i];
        }
        overloaded += (uint64_t)one->overloaded;
        warmup += one->warmup;
        growth.first += one->growth.first;
        growth.last += one->growth.last;
        if (one->stop == CN_STOP_CYCLES || one->stop == CN_STOP_COMPLETED)
            result->stop = one->stop;
    }
    kernel->evaluate(work->scenario, measured, result);
    if (2 * overloaded > work->count) {
        result->saturated = 1;
        cni_forget_steady(result);
    }
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
        if (result->has[m])
            result->half_width[m] = cni_moments_half_width(&moments[m]);
    result->stop =
        cni_stop_of(kernel, result, stop_of_budget(work->scenario->budget, result->stop));
    for (uint32_t w = 1; w < work->workers; w++)
        cni_histogram_merge(delays, &delays[w]);
    double unit = cni_delay_unit(work->scenario);
    cni_put_quantiles(result, unit, delays, cni_delay_inflation(result, unit, delays));
    if (cni_still_grows(kernel, &growth))
        cni_disclaim(result);
    cni_put_totals(result, totals, warmup);
    for (uint32_t w = 1; w < work->workers; w++)
        cni_counts_add(counts, &counts[w]);
    return cni_put_statistics(result, work->scenario, counts, delays, measured[CNI_COUNT_CYCLES]);
}

/* What the runs came to: the first failure in their order, or nothing to give. */
static cn_status check_replicas(const replication *work)
{
    for (uint64_t r = 0; r < work->count; r++) {
        const replica *one = &work->replicas[r];
        if (one->status < CN_OK && one->status != CN_ERR_CANCELLED)
            return cni_fail(one->status, "%s", one->error);
    }
    if (count_replicas(work, 0) + count_replicas(work, 1) == 0)
        return cni_budget_fail(work->scenario->budget);
    return CN_OK;
}

static cn_status allocate_replicas(replication *work, cni_budget *budget)
{
    work->replicas = cni_allocate(work->count, sizeof *work->replicas);
    work->delays = cni_allocate(2 * (size_t)work->workers, sizeof *work->delays);
    work->budgets = cni_allocate(work->workers, sizeof *work->budgets);
    work->counts = cni_allocate(2 * (size_t)work->workers, sizeof *work->counts);
    if (work->replicas == NULL || work->delays == NULL || work->budgets == NULL ||
        work->counts == NULL)
        return CN_ERR_MEMORY;
    for (uint32_t w = 0; w < 2 * work->workers && work->scenario->value[CN_PARAM_STATISTICS] != 0.0;
         w++)
        CNI_TRY(cni_counts_open(work->scenario->topology, 0, &work->counts[w]));
    for (uint64_t r = 0; r < work->count; r++)
        work->replicas[r].status = CN_DONE;
    for (uint32_t w = 0; w < work->workers; w++)
        work->budgets[w] = cni_budget_of_worker(budget, &work->crew, w);
    return CN_OK;
}

static cn_status simulate_many(const cn_scenario *scenario, uint64_t count, cn_result *result)
{
    uint64_t threads = (uint64_t)scenario->value[CN_PARAM_THREADS];
    cni_team *team = NULL;
    CNI_TRY(cni_team_open((uint32_t)(threads < count ? threads : count), &team));
    cn_scenario single = *scenario;
    single.value[CN_PARAM_THREADS] = 1;
    scenario->budget->total = count * most_cycles(scenario);
    replication work = {.scenario = &single, .count = count, .workers = cni_team_workers(team)};
    cn_status status = allocate_replicas(&work, scenario->budget);
    if (status == CN_OK) {
        cni_team_run_watched(team, replicate, ask_caller, &work);
        cni_budget_gather(scenario->budget, &work.crew);
        status = check_replicas(&work);
    }
    if (status == CN_OK)
        status = put_replicas(scenario->system->kernel, &work, result);
    cni_release(work.replicas);
    cni_release(work.delays);
    cni_release(work.budgets);
    for (uint32_t w = 0; work.counts != NULL && w < 2 * work.workers; w++)
        cni_counts_close(&work.counts[w]);
    cni_release(work.counts);
    cni_team_close(&team);
    return status;
}

cn_status cni_replicate(const cn_scenario *scenario, cn_result *result)
{
    uint64_t count = (uint64_t)scenario->value[CN_PARAM_REPLICATIONS];
    cn_scenario run = *scenario; /* shares what the caller's refers to */
    cni_attached shared = {.references = 1};
    cn_routing *routing = NULL;
    if (scenario->system->kernel->shorten != NULL)
        CNI_TRY(scenario->system->kernel->shorten(&run));
    if (count == 1 || is_certain(&run))
        return simulate_one(&run, result);
    if (scenario->system->kernel->shares_routing && cni_routing_of(&run) == NULL) {
        CNI_TRY(cni_scenario_open_routing("cn_simulate", &run, &routing));
        shared.object = routing;
        run.attached[CN_ATTACHMENT_ROUTING] = &shared;
    }
    cn_status status = simulate_many(&run, count, result);
    cn_routing_free(&routing);
    return status;
}
