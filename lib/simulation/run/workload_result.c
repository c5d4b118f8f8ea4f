/* The result of a run of a workload: times by message, the critical path, and what follows from them. */
#include "scenario/system.h"
#include "simulation/run/workload_run.h"

/* ---- the critical path ---- */

/* The event for which it waited last, the first one of several in one cycle; 0: it waited for none. */
static int find_last_wait(const cni_workload_run *run, uint32_t message, cni_workload_wait *last)
{
    const cn_workload *workload = run->workload;
    uint64_t latest = 0;
    int found = 0;
    for (size_t w = workload->message[message].waits; w < cni_workload_waits_end(workload, message);
         w++) {
        cni_workload_wait wait = workload->wait[w];
        const uint64_t *time = cni_waits_for_sent(wait) ? run->injected : run->delivered;
        uint64_t cycle = time[cni_waited_number(wait)];
        if (found && cycle <= latest)
            continue;
        found = 1;
        latest = cycle;
        *last = wait;
    }
    return found;
}

/* Of the time in the network what hops and flits take; in continuous time a hop may take less than a cycle. */
static uint64_t wires_of(const cn_sim *sim, uint32_t message)
{
    const cni_workload_run *run = sim->workload;
    uint64_t flits = run->workload->message[message].flits;
    uint64_t network = run->delivered[message] - run->injected[message];
    if (!sim->kernel->has_flits || flits == 0)
        flits = (uint64_t)cni_scenario_flits(sim->scenario);
    uint64_t wires = run->word[message] + flits - !sim->kernel->has_flits;
    if (cni_is_computing(&run->workload->message[message]))
        return 0;
    return wires < network ? wires : network;
}

static uint32_t find_last(const cni_workload_run *run)
{
    uint32_t last = 0;
    for (uint32_t m = 1; m < run->workload->messages; m++)
        if (run->delivered[m] > run->delivered[last])
            last = m;
    return last;
}

/* From the message that is delivered last back to one that waited for none. Adds up what the cycles were, and puts the
 * messages before the end of an array; both may be NULL. Returns the number of messages. */
static size_t walk_back(const cn_sim *sim, uint64_t counters[CNI_COUNTERS], uint32_t *end)
{
    const cni_workload_run *run = sim->workload;
    cni_workload_wait next = find_last(run) << 1;
    size_t length = 0;
    do {
        uint32_t m = cni_waited_number(next);
        if (end != NULL)
            *--end = m;
        length++;
        if (counters == NULL)
            continue;
        counters[CNI_COUNT_CRITICAL_COMPUTING] += run->workload->message[m].computing;
        counters[CNI_COUNT_CRITICAL_SOURCE] += run->injected[m] - run->ready[m];
        if (!cni_waits_for_sent(next))
            counters[CNI_COUNT_CRITICAL_NETWORK] +=
                run->delivered[m] - run->injected[m] - wires_of(sim, m);
    } while (find_last_wait(run, cni_waited_number(next), &next));
    return length;
}

void cni_workload_run_count(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    const cni_workload_run *run = sim->workload;
    if (!cni_workload_run_is_over(run))
        return;
    walk_back(sim, counters, NULL);
    counters[CNI_COUNT_COMPLETED] = run->delivered[find_last(run)] - run->start + 1;
}

cn_status cni_workload_run_times(const cn_sim *sim, cni_message_times **times)
{
    const cni_workload_run *run = sim->workload;
    size_t messages = run->workload->messages;
    size_t length = cni_workload_run_is_over(run) ? walk_back(sim, NULL, NULL) : 0;
    const cni_message_times own = {.messages = messages,
                                   .length = length,
                                   .ready = run->ready,
                                   .injected = run->injected,
                                   .delivered = run->delivered};
    CNI_TRY(cni_message_times_copy(&own, times));
    if (length > 0)
        walk_back(sim, NULL, (*times)->path + length);
    return CN_OK;
}

/* ---- metrics ---- */

/* The critical path, whose cycles are those of the completion. */
static void put_completion(const uint64_t counters[CNI_COUNTERS], cn_result *result)
{
    double computing = (double)counters[CNI_COUNT_CRITICAL_COMPUTING];
    double source = (double)counters[CNI_COUNT_CRITICAL_SOURCE];
    double network = (double)counters[CNI_COUNT_CRITICAL_NETWORK];
    double all = (double)counters[CNI_COUNT_COMPLETED] - 1.0;
    cni_result_put(result, CN_METRIC_COMPLETION_CYCLES, all, 1);
    cni_result_put(result, CN_METRIC_CRITICAL_COMPUTING, computing, 1);
    cni_result_put(result, CN_METRIC_CRITICAL_SOURCE_WAITING, source, 1);
    cni_result_put(result, CN_METRIC_CRITICAL_NETWORK_WAITING, network, 1);
    cni_result_put(result, CN_METRIC_CRITICAL_WIRES, all - computing - source - network, 1);
}

void cni_evaluate_run(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                      cn_result *result)
{
    scenario->system->kernel->evaluate(scenario, counters, result);
    if (cni_workload_of(scenario) == NULL)
        return;
    result->saturated = 0; /* it ends, however long its queues were */
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
    static const cn_metric metrics[] = {CN_METRIC_COMPLETION_CYCLES, CN_METRIC_CRITICAL_COMPUTING,
                                        CN_METRIC_CRITICAL_SOURCE_WAITING,
                                        CN_METRIC_CRITICAL_NETWORK_WAITING,
                                        CN_METRIC_CRITICAL_WIRES};
    result->saturated = 0;
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (moments[metrics[i]].count > 0)
            cni_result_put(result, metrics[i], moments[metrics[i]].mean, moments[metrics[i]].count);
}
