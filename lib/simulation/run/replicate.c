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

/* Messages per channel at which an overloaded run has shown what it can, and at which its warm-up is
 * long enough. */
enum { BACKLOG = 32, WARMUP_BACKLOG = 256 };

/* The warm-up; it ends early in a network that is swamped before it is over, whose queues would only fill the
 * memory. The parts grow so that there are few of them, and between two looks no more comes in than before. */
static cn_status warm_up(cn_sim *sim, uint64_t left)
{
    for (uint64_t part = 1; left > 0; part *= 2) {
        part = left < part ? left : part;
        CNI_TRY(cn_sim_step(sim, part));
        left -= part;
        if (cni_sim_is_swamped(sim, WARMUP_BACKLOG)) {
            cni_sim_end_warmup(sim);
            return CN_OK;
        }
    }
    return CN_OK;
}

/* Warm-up and measurement until the precision is met or the cycles are over; or to the end of a run that
 * ends by itself. */
static cn_status run_cycles(cn_sim *sim, const cn_scenario *scenario, cn_stop *stop)
{
    uint64_t left = (uint64_t)scenario->value[CN_PARAM_MEASURE_CYCLES];
    double precision = scenario->value[CN_PARAM_RELATIVE_PRECISION];
    CNI_TRY(warm_up(sim, (uint64_t)scenario->value[CN_PARAM_WARMUP_CYCLES]));
    *stop = CN_STOP_CYCLES;
    if (scenario->system->kernel->ends) {
        for (uint64_t cycles; (cycles = cni_sim_pending(sim)) > 0;)
            CNI_TRY(cn_sim_step(sim, cycles));
        *stop = CN_STOP_COMPLETED;
        return CN_OK;
    }
    while (left > 0) {
        uint64_t room = cni_sim_batch_room(sim);
        uint64_t part = left < room ? left : room;
        CNI_TRY(cn_sim_step(sim, part));
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

/* A run in which a part of the network stands still for ever has no result, however it ended. */
static cn_status run_one(cn_sim *sim, const cn_scenario *scenario, cn_stop *stop)
{
    CNI_TRY(run_cycles(sim, scenario, stop));
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
    if (status == CN_OK)
        status = run_one(sim, scenario, &stop);
    if (status == CN_OK)
        status = cn_sim_result(sim, &made);
    if (status == CN_OK) {
        *result = *made;
        result->stop = cni_stop_of(scenario->system->kernel, made, stop);
        for (size_t m = 1; m < CNI_METRIC_ROOM && is_certain(scenario); m++)
            result->half_width[m] = 0.0;
    }
    cn_result_free(&made);
    cn_sim_close(&sim);
    return status;
}

/* ---- replications ---- */

typedef struct replica {
    cn_status status;
    char error[320]; /* the sentence of its failure, which belongs to the thread that ran it */
    cn_stop stop;
    int overloaded; /* its queues were growing at the end */
    uint64_t measured[CNI_COUNTERS];
    uint64_t totals[CNI_COUNTERS];
    cni_queue_growth growth;
} replica;

typedef struct replication {
    const cn_scenario *scenario; /* with one thread each */
    uint64_t count;
    atomic_uint_fast64_t next;
    replica *replicas;
    cni_histogram *delays; /* one a worker */
} replication;

static void run_replica(const replication *work, uint64_t index, cni_histogram *delays)
{
    replica *own = &work->replicas[index];
    const cn_scenario *scenario = work->scenario;
    cn_sim *sim = NULL;
    uint64_t seed = index == 0 ? scenario->seed : cni_random_derive(scenario->seed, index);
    own->status = cni_sim_open_with_seed(scenario, seed, &sim);
    if (own->status == CN_OK)
        own->status = run_one(sim, scenario, &own->stop);
    if (own->status == CN_OK) {
        own->overloaded = cni_sim_is_overloaded(sim);
        cni_sim_measured(sim, own->measured);
        cni_sim_totals(sim, own->totals);
        cni_sim_add_queues(sim, &own->growth);
        cni_histogram_merge(delays, cni_sim_delays(sim));
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
    for (;;) {
        uint64_t index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count)
            return;
        run_replica(work, index, &work->delays[worker]);
    }
}

/* Values from all messages together, half-widths from the differences between the runs. */
static void put_replicas(const cni_kernel *kernel, replication *work, uint32_t workers,
                         cn_result *result)
{
    cni_moments moments[CNI_METRIC_ROOM] = {{0}};
    uint64_t measured[CNI_COUNTERS] = {0}, totals[CNI_COUNTERS] = {0};
    int overloaded = 0;
    cni_queue_growth growth = {0};
    result->stop = CN_STOP_PRECISION;
    for (uint64_t r = 0; r < work->count; r++) {
        const replica *one = &work->replicas[r];
        cn_result single = {0};
        kernel->evaluate(work->scenario, one->measured, &single);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            if (single.has[m])
                cni_moments_add(&moments[m], single.value[m]);
        for (size_t i = 0; i < CNI_COUNTERS; i++) {
            measured[i] += one->measured[i];
            totals[i] += one->totals[i];
        }
        overloaded |= one->overloaded;
        growth.first += one->growth.first;
        growth.last += one->growth.last;
        if (one->stop == CN_STOP_CYCLES || one->stop == CN_STOP_COMPLETED)
            result->stop = one->stop;
    }
    kernel->evaluate(work->scenario, measured, result);
    if (overloaded) {
        result->saturated = 1;
        cni_forget_steady(result);
    }
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
        if (result->has[m])
            result->half_width[m] = cni_moments_half_width(&moments[m]);
    result->stop = cni_stop_of(kernel, result, result->stop);
    for (uint32_t w = 1; w < workers; w++)
        cni_histogram_merge(&work->delays[0], &work->delays[w]);
    double unit = cni_delay_unit(work->scenario);
    cni_put_quantiles(result, unit, &work->delays[0],
                      cni_delay_inflation(result, unit, &work->delays[0]));
    if (cni_still_grows(kernel, &growth))
        cni_disclaim(result);
    cni_put_totals(result, totals);
}

static cn_status simulate_many(const cn_scenario *scenario, uint64_t count, cn_result *result)
{
    uint64_t threads = (uint64_t)scenario->value[CN_PARAM_THREADS];
    cni_team *team = NULL;
    CNI_TRY(cni_team_open((uint32_t)(threads < count ? threads : count), &team));
    uint32_t workers = cni_team_workers(team);
    cn_scenario single = *scenario;
    single.value[CN_PARAM_THREADS] = 1;
    replication work = {.scenario = &single, .count = count};
    work.replicas = cni_allocate(count, sizeof *work.replicas);
    work.delays = cni_allocate(workers, sizeof *work.delays);
    cn_status status = CN_ERR_MEMORY;
    if (work.replicas != NULL && work.delays != NULL) {
        status = CN_OK;
        cni_team_run(team, replicate, &work);
        for (uint64_t r = 0; r < count && status == CN_OK; r++)
            if (work.replicas[r].status != CN_OK)
                status = cni_fail(work.replicas[r].status, "%s", work.replicas[r].error);
    }
    if (status == CN_OK)
        put_replicas(scenario->system->kernel, &work, workers, result);
    cni_release(work.replicas);
    cni_release(work.delays);
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
