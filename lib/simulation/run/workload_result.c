/* The result of a run of a workload: times by message, the critical path, and metrics from both. */
#include "scenario/system.h"
#include "simulation/run/workload_run.h"

/* The metrics of which a run has one value. */
static const cn_metric of_a_run[] = {CN_METRIC_COMPLETION_CYCLES, CN_METRIC_CRITICAL_COMPUTING,
                                     CN_METRIC_CRITICAL_SOURCE_WAITING,
                                     CN_METRIC_CRITICAL_NETWORK_WAITING, CN_METRIC_CRITICAL_WIRES};
enum { OF_A_RUN = sizeof of_a_run / sizeof of_a_run[0] };

/* The cycles that hops and flits of a message take in the network; 0 for computing. */
static uint64_t wires_of(const cn_sim *sim, uint32_t message)
{
    const cni_workload_run *run = sim->workload;
    const cni_workload_row *m = &run->workload->message[message];
    uint64_t flits = (uint64_t)cni_scenario_flits(sim->scenario);
    if (sim->kernel->has_flits)
        flits = 1 + (m->flits > 0 ? m->flits : flits);
    return cni_is_computing(m) ? 0 : run->word[message] + flits - 1;
}

/* Follows the critical path back from the last delivered message. In continuous time a hop may
 * take less than a cycle. */
void cni_workload_run_count(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    const cni_workload_run *run = sim->workload;
    const cni_message_times *times = &run->times;
    uint32_t m = cni_find_last_message(times);
    if (m == CNI_NOTHING_BEFORE)
        return;
    uint64_t end = times->delivered[m];
    counters[CNI_COUNT_COMPLETED] = end - run->start + 1;
    for (; m != CNI_NOTHING_BEFORE; m = cni_find_last_event(run->workload, times, m).message) {
        uint64_t computing = run->workload->message[m].computing;
        uint64_t network = end - times->injected[m], wires = wires_of(sim, m);
        counters[CNI_COUNT_CRITICAL_COMPUTING] += computing;
        counters[CNI_COUNT_CRITICAL_SOURCE] += times->injected[m] - times->ready[m];
        counters[CNI_COUNT_CRITICAL_NETWORK] += wires < network ? network - wires : 0;
        end = times->ready[m] - computing;
    }
}

/* The cycles of the critical path add up to the completion time: what the three counters leave are
 * the cycles on wires. */
static void put_completion(const uint64_t counters[CNI_COUNTERS], cn_result *result)
{
    uint64_t all = counters[CNI_COUNT_COMPLETED] - 1, left = all;
    cni_result_put(result, of_a_run[0], (double)all, 1);
    for (size_t i = 0; i < 3; i++) {
        uint64_t cycles = counters[CNI_COUNT_CRITICAL_COMPUTING + i];
        cni_result_put(result, of_a_run[1 + i], (double)cycles, 1);
        left -= cycles;
    }
    cni_result_put(result, of_a_run[OF_A_RUN - 1], (double)left, 1);
}

void cni_evaluate_run(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                      cn_result *result)
{
    scenario->system->kernel->evaluate(scenario, counters, result);
    if (cni_workload_of(scenario) == NULL)
        return;
    result->saturated = 0; /* a workload ends, however long the queues were */
    if (counters[CNI_COUNT_COMPLETED] > 0)
        put_completion(counters, result);
}

cn_status cni_put_workload_bound(const cn_scenario *scenario, cn_result *result)
{
    const cn_metric completion = CN_METRIC_COMPLETION_CYCLES, ratio = CN_METRIC_BOUND_RATIO;
    uint64_t bound;
    if (cni_workload_of(scenario) == NULL || scenario->value[CN_PARAM_SLOTTED] == 0.0)
        return CN_OK;
    CNI_TRY(cni_workload_bound(scenario, &bound));
    cni_result_put(result, CN_METRIC_LOWER_BOUND_CYCLES, (double)bound, 0);
    if (!result->has[completion])
        return CN_OK;
    cni_result_put(result, ratio, result->value[completion] / (double)bound,
                   result->samples[completion]);
    if (result->has[ratio])
        result->half_width[ratio] = result->half_width[completion] / (double)bound;
    return CN_OK;
}

void cni_put_workload_means(const cni_moments moments[], cn_result *result)
{
    result->saturated = 0;
    for (size_t i = 0; i < OF_A_RUN; i++) {
        const cni_moments *m = &moments[of_a_run[i]];
        if (m->count > 0)
            cni_result_put(result, of_a_run[i], m->mean, m->count);
    }
}
