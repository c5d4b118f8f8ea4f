/* What comes before the first cycle, when the warm-up of a simulation ends, and whether its run
 * ends by itself. */
#include <math.h>

#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "simulation/run/workload_run.h"

/* The shortest automatic warm-up in cycles; the longest is `measure_cycles` divided by this
 * number. */
enum { SHORTEST_WARMUP = 128, WARMUP_SHARE = 4 };

uint64_t cni_most_warmup(const cn_scenario *scenario)
{
    double cycles = scenario->value[CN_PARAM_WARMUP_CYCLES];
    int is_alone = cni_workload_of(scenario) != NULL && scenario->value[CN_PARAM_LOAD] == 0.0 &&
                   !cni_traffic_is_trace(cni_traffic_of(scenario));
    if (scenario->system->kernel->ends) /* such a run is measured from its first cycle */
        return 0;
    if (is_alone && cycles == CN_WARMUP_AUTOMATIC) /* a workload alone needs no warm-up */
        return 0;
    if (cycles == CN_WARMUP_AUTOMATIC)
        cycles = floor(scenario->value[CN_PARAM_MEASURE_CYCLES] / WARMUP_SHARE);
    return (uint64_t)cycles;
}

int cni_run_ends(const cn_scenario *scenario)
{
    return scenario->system->kernel->ends || cni_workload_of(scenario) != NULL;
}

int cni_sim_is_over(const cn_sim *sim)
{
    return sim->workload == NULL ? sim->kernel->ends && cni_sim_pending(sim) == 0
                                 : cni_workload_run_is_over(sim->workload);
}

/* From empty queues the messages in flight approach their mean m as m (1 - exp(-t/T)). When the
 * second half of the time so far has at most a tenth more messages than the quarter before, t is
 * about 4 T or more. In a large network the messages vary less than a tenth by chance, and a
 * smaller transient matters: so the rise must also be at most the root of the number of
 * messages. The rest of the transient is then small beside the half-width of any run that is
 * long enough for a half-width. Where the number varies so much that chance decides, the rest is
 * smaller still. */
static int is_warm(const cni_warmup_test *test)
{
    double samples = (double)(test->look / (4 * (uint64_t)CNI_BATCH_CYCLES));
    if (test->look < SHORTEST_WARMUP)
        return 0;
    double before = (double)(test->half - test->quarter) / samples;
    double after = (double)(test->sum - test->half) / (2.0 * samples);
    return after - before <= fmin(0.1 * before, sqrt(before));
}

void cni_sim_look_at_warmup(cn_sim *sim)
{
    cni_warmup_test *test = &sim->warming;
    if (sim->cycle % CNI_BATCH_CYCLES != 0)
        return;
    uint64_t in_flight = cn_sim_in_flight(sim);
    if (test->automatic)
        test->sum += in_flight;
    if (sim->cycle != test->look)
        return;
    /* of a part alone nothing can be said: the sum over all parts tells */
    int is_swamped =
        sim->part == NULL && cni_is_swamped(sim->scenario, in_flight, CNI_WARMUP_BACKLOG);
    if (is_swamped || (test->automatic && is_warm(test)))
        sim->warmup = sim->cycle;
    test->look *= 2;
    test->quarter = test->half;
    test->half = test->sum;
}

uint64_t cni_sim_warmup_room(const cn_sim *sim)
{
    uint64_t end = sim->warming.look < sim->warmup ? sim->warming.look : sim->warmup;
    return sim->cycle < sim->warmup ? end - sim->cycle : 0;
}

/* ---- before the first cycle ---- */

cn_status cni_sim_settle(cn_sim *sim, cni_budget *budget)
{
    cni_budget own;
    cn_status status = cni_budget_begin(&own, "cn_sim_step", NULL, 0);
    if (status != CN_OK || sim->is_settled || sim->kernel->settle == NULL)
        return status;
    sim->scenario->budget = budget == NULL ? &own : budget;
    status = sim->kernel->settle(sim->state, sim->scenario);
    sim->scenario->budget = NULL;
    sim->is_settled = status == CN_OK;
    return status;
}
