/* cn_simulate(): the loop around cn_sim, and the end of a run. */

#include "base/error.h"
#include "scenario/system.h"
#include "simulation/run/replicate.h"
#include "simulation/run/sim.h"

/* With so many messages a channel an overloaded run may end. */
enum { BACKLOG = 32 };

/* Whether `measure_cycles` limits a run that ends by itself: only when the caller has set it. */
static int has_limit(const cn_scenario *scenario)
{
    return (scenario->chosen >> CN_PARAM_MEASURE_CYCLES & 1) != 0;
}

uint64_t cni_most_cycles(const cn_scenario *scenario)
{
    if (cni_run_ends(scenario) && !has_limit(scenario))
        return 0;
    return cni_most_warmup(scenario) + (uint64_t)scenario->value[CN_PARAM_MEASURE_CYCLES];
}

cn_stop cni_stop_of_budget(const cni_budget *budget, cn_stop otherwise)
{
    if (budget->stopped == CNI_GOING)
        return otherwise;
    return budget->stopped == CNI_CANCELLED ? CN_STOP_CANCELLED : CN_STOP_TIME_LIMIT;
}

/* Measures until the precision is met, the network is saturated, the run has ended by itself, or
 * the cycles are over. */
static cn_status measure(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop)
{
    int ends = cni_run_ends(scenario);
    uint64_t left = (uint64_t)scenario->value[CN_PARAM_MEASURE_CYCLES], room;
    double precision = scenario->value[CN_PARAM_RELATIVE_PRECISION];
    if (ends && !has_limit(scenario))
        left = UINT64_MAX;
    *stop = CN_STOP_CYCLES;
    while (left > 0 && *stop == CN_STOP_CYCLES && cni_budget_work(budget, 0) &&
           (room = ends ? cni_sim_pending(sim) : cni_batches_room(&sim->batches)) > 0) {
        uint64_t part = left < room ? left : room;
        CNI_TRY(cni_sim_advance(sim, part, budget));
        left -= part;
        if (ends)
            continue;
        if (cni_is_swamped(scenario, cn_sim_in_flight(sim), BACKLOG) && cni_sim_is_overloaded(sim))
            *stop = CN_STOP_SATURATED;
        else if (precision > 0.0 && cni_sim_is_precise(sim, precision))
            *stop = CN_STOP_PRECISION;
    }
    if (cni_sim_is_over(sim))
        *stop = CN_STOP_COMPLETED;
    return CN_OK;
}

/* The error of a run that ended in its warm-up. After a time limit the sentence tells the cycles
 * and the messages in flight, so that the caller sees whether the network was still filling. */
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

cn_status cni_run_to_end(cn_sim *sim, const cn_scenario *scenario, cni_budget *budget,
                         cn_stop *stop)
{
    for (uint64_t cycles; (cycles = cni_sim_warmup_room(sim)) > 0 && cni_budget_work(budget, 0);)
        CNI_TRY(cni_sim_advance(sim, cycles, budget));
    CNI_TRY(measure(sim, scenario, budget, stop));
    *stop = cni_stop_of_budget(budget, *stop);
    if (budget->stopped != CNI_GOING && cn_sim_cycle(sim) <= sim->warmup)
        return fail_in_warmup(sim, budget);
    return cni_sim_look(sim);
}

/* Whether nothing in a run is random, so that one run is enough. */
static int is_certain(const cn_scenario *scenario)
{
    const cni_kernel *kernel = scenario->system->kernel;
    return kernel->is_certain != NULL && kernel->is_certain(scenario);
}

static cn_status simulate_one(const cn_scenario *scenario, cn_result **result)
{
    cn_sim *sim = NULL;
    cn_stop stop = CN_STOP_CYCLES;
    cn_status status = cni_sim_open_with_seed(scenario, scenario->seed, &sim);
    scenario->budget->total = cni_most_cycles(scenario);
    if (status == CN_OK)
        status = cni_run_to_end(sim, scenario, scenario->budget, &stop);
    if (status == CN_OK)
        status = cn_sim_result(sim, result);
    if (status == CN_OK) {
        (*result)->stop = cni_stop_of(scenario->system->kernel, *result, stop);
        for (size_t m = 1; m < CNI_METRIC_ROOM && is_certain(scenario); m++)
            (*result)->half_width[m] = 0.0;
    }
    cn_sim_close(&sim);
    return status;
}

/* A run that ends by precision has a random number of cycles, and so a random weight in the
 * whole. Such runs have no shards. */
cn_status cni_check_shardable(const char *function, const cn_scenario *scenario)
{
    char number[CNI_NUMBER_CAPACITY];
    double precision = scenario->value[CN_PARAM_RELATIVE_PRECISION];
    if (precision == 0.0 || cni_run_ends(scenario))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: relative_precision = %s, but runs that end by precision have no shards; "
                    "with relative_precision = 0 they end after measure_cycles",
                    function, cni_number_text(precision, number));
}

/* ---- all runs, or a shard of them ---- */

static cn_status check_division(const char *function, const cn_scenario *scenario, uint64_t runs,
                                cni_division division)
{
    CNI_TRY(cni_division_check(function, division, runs,
                               is_certain(scenario) ? "runs that differ, as nothing is random"
                                                    : "replications"));
    return division.shards == 1 ? CN_OK : cni_check_shardable(function, scenario);
}

cn_status cni_run_scenario(const char *function, const cn_scenario *scenario, cni_budget *budget,
                           cni_division division, cn_result **result)
{
    cn_scenario run = *scenario; /* the copy shares all objects of the caller's scenario */
    run.budget = budget;
    CNI_TRY(cni_sim_check_simulator(function, &run));
    CNI_TRY(cni_scenario_check_load(function, &run));
    if (run.system->kernel->shorten != NULL && cni_workload_of(&run) == NULL)
        CNI_TRY(cni_fail_as(function, run.system->kernel->shorten(&run)));
    uint64_t count = is_certain(&run) ? 1 : (uint64_t)run.value[CN_PARAM_REPLICATIONS];
    CNI_TRY(check_division(function, &run, count, division));
    if (count == 1)
        return cni_fail_as(function, simulate_one(&run, result));
    *result = cni_result_new(scenario);
    return cni_fail_as(function, cni_simulate_replications(&run, count, division, result));
}

cn_status cn_simulate_shard(const cn_scenario *scenario, uint64_t shard, uint64_t shards,
                            const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(scenario);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_run_scenario(__func__, scenario, &budget, (cni_division){shard, shards}, result));
    return cni_budget_answer(&budget);
}

cn_status cn_simulate(const cn_scenario *scenario, const cn_control *control, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(scenario);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_run_scenario(__func__, scenario, &budget, CNI_UNDIVIDED, result));
    return cni_budget_answer(&budget);
}
