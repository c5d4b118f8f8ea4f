/* The metrics of a simulation: half-widths from its batches, and whether there is a steady
 * state. */
#include "simulation/run/workload_run.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* The precision is looked at when so many batches are complete, and again after so many more. A
 * run that looks often finds a half-width that is too small by chance. */
enum { ENOUGH_BATCHES = CNI_BATCHES / 2, LOOK_BATCHES = CNI_BATCHES / 4 };

/* The counters of the measured cycles, from those of all cycles. */
static void subtract_warmup(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    for (size_t i = 0; i < CNI_COUNTERS; i++)
        counters[i] -= sim->warm[i];
    if (sim->workload != NULL)
        cni_workload_run_count(sim, counters);
}

void cni_sim_measured(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    sim->kernel->count(sim->state, counters);
    subtract_warmup(sim, counters);
}

/* ---- the independent observations in the complete batches ---- */

/* Messages in flight at the end of each complete batch; [0] at the end of the warm-up. */
typedef struct batch_levels {
    double level[CNI_BATCHES];
    size_t count;
    cni_queue_growth growth;
} batch_levels;

static double messages_within(const uint64_t counters[CNI_COUNTERS])
{
    return (double)counters[CNI_COUNT_ACCEPTED] - (double)counters[CNI_COUNT_DELIVERED];
}

static void read_levels(const cn_sim *sim, batch_levels *read)
{
    read->level[0] = messages_within(sim->warm);
    read->count = sim->batches.full;
    for (size_t b = 0; b < read->count; b++)
        read->level[b + 1] = read->level[b] + messages_within(sim->batches.row[b]);
    read->growth = (cni_queue_growth){0};
    for (size_t b = 1; b <= read->count / 4; b++) {
        read->growth.first += read->level[b];
        read->growth.last += read->level[read->count + 1 - b];
    }
}

cni_queue_growth cni_sim_growth(const cn_sim *sim)
{
    batch_levels read;
    read_levels(sim, &read);
    return read.growth;
}

/* Whether the messages in flight rise from large batch to large batch by more than chance
 * explains: the mean rise is above 5 of its standard errors. The factor is large because queues
 * that take longer to fill than the run lasts rise, too. */
static int rises_steadily(const batch_levels *read)
{
    size_t joined = read->count / CNI_LEAST_BATCHES;
    cni_moments rise = {0};
    for (size_t b = joined; joined > 0 && b <= read->count; b += joined)
        cni_moments_add(&rise, read->level[b] - read->level[b - joined]);
    double n = (double)rise.count;
    return n >= 2.0 && rise.mean > 5.0 * sqrt(rise.square_sum / (n - 1.0) / n);
}

/*
 * A half-width needs so many independent observations of the state of the network. With so few
 * observations their number is itself hardly known, and the half-width allows for that. Both
 * numbers were found by measurement (docs/simulation.md).
 */
#define FEWEST_OBSERVATIONS 5.0
#define DOUBTFUL_OBSERVATIONS 7.0

static double doubt_factor(double count)
{
    double share = DOUBTFUL_OBSERVATIONS / fmax(count, FEWEST_OBSERVATIONS);
    return 1.0 + share * share * share;
}

/* ---- half-widths ---- */

/* By metric and complete batch: the value of the batch alone, if the metric were linear in the
 * counters: n times the value of all batches, less n - 1 times the value without the batch (the
 * jackknife). */
typedef struct batch_values {
    double values[CNI_METRIC_ROOM][CNI_BATCHES];
    size_t present[CNI_METRIC_ROOM];
} batch_values;

static void read_batches(const cn_sim *sim, batch_values *read)
{
    uint64_t all[CNI_COUNTERS] = {0}, others[CNI_COUNTERS];
    size_t full = sim->batches.full;
    cn_result whole = {0};
    memset(read->present, 0, sizeof read->present);
    for (size_t b = 0; b < full; b++)
        for (size_t i = 0; i < CNI_COUNTERS; i++)
            all[i] += sim->batches.row[b][i];
    if (full > 1)
        sim->kernel->evaluate(sim->scenario, all, &whole);
    for (size_t b = 0; b < full && full > 1; b++) {
        cn_result rest = {0};
        for (size_t i = 0; i < CNI_COUNTERS; i++)
            others[i] = all[i] - sim->batches.row[b][i];
        sim->kernel->evaluate(sim->scenario, others, &rest);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            if (rest.has[m])
                read->values[m][read->present[m]++] =
                    whole.value[m] + (double)(full - 1) * (whole.value[m] - rest.value[m]);
    }
}

/*
 * Some networks show only by their queues that they are saturated. Such a network carries the most
 * that it can when so many messages a node are in flight: no source is empty any more. With fewer
 * messages the rates still rise, and which runs count as saturated is partly chance; the
 * half-widths are then infinite. The number was found by measurement (docs/simulation.md).
 */
#define FULL_QUEUES 64.0

static int has_full_queues(const cn_sim *sim, const batch_levels *levels)
{
    return levels->level[levels->count] >= FULL_QUEUES * (double)sim->scenario->topology->hosts;
}

/*
 * The spread of counts grows with the queues, so a value with longer queues is more uncertain than
 * a value with shorter queues. If the half-width is a share h of any value that may be the true
 * value, it is h (1 + h) at the upper end of the interval. A metric that not every batch has gets
 * an infinite half-width. factor: half-widths per standard error.
 */
static double half_width_of(const batch_values *read, size_t metric, double value, size_t full,
                            double factor)
{
    if (read->present[metric] < full || isinf(factor))
        return INFINITY;
    double half_width = factor * cni_batch_error(read->values[metric], full);
    if (half_width > 0.0 && value != 0.0)
        half_width *= 1.0 + fmin(half_width / fabs(value), 1.0);
    return half_width;
}

/* Whether only the queues of the network tell that there is no steady state. */
static int takes_all(const cn_scenario *scenario)
{
    const cni_kernel *kernel = scenario->system->kernel;
    return kernel->takes_all != NULL && kernel->takes_all(scenario);
}

int cni_still_grows(const cni_kernel *kernel, const cni_queue_growth *growth)
{
    int unlimited = kernel->shorten != NULL || kernel->takes_all != NULL;
    double rise = growth->last - growth->first, sum = growth->last + growth->first;
    return unlimited && growth->last > 1.5 * growth->first && rise > 3.0 * sqrt(sum);
}

/* Whether the queues of a network that takes all messages fill up: at least a hundredth of the
 * accepted messages is not delivered, and the queues grow. A few messages that happen to be in
 * flight at the end of a short run tell nothing, so there must be at least one message a node. */
static int is_overloaded(const cn_sim *sim, const uint64_t measured[CNI_COUNTERS],
                         const batch_levels *levels)
{
    double accepted = (double)measured[CNI_COUNT_ACCEPTED];
    double backlog = messages_within(measured);
    return takes_all(sim->scenario) && sim->workload == NULL &&
           sim->batches.full >= ENOUGH_BATCHES / 2 && backlog > 0.01 * accepted &&
           backlog >= (double)sim->scenario->topology->hosts &&
           cni_still_grows(sim->kernel, &levels->growth) && rises_steadily(levels);
}

void cni_forget_steady(cn_result *result)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++)
        if (cni_metric_rest((cn_metric)m) == CNI_STEADY)
            result->has[m] = 0;
}

/* The metrics of the measured cycles, with half-widths from the complete batches. Returns
 * 0 when the run is too short to know its steady state. */
static int evaluate(const cn_sim *sim, const uint64_t measured[CNI_COUNTERS], cn_result *result)
{
    cni_evaluate_run(sim->scenario, measured, result);

    batch_levels levels;
    batch_values read;
    read_levels(sim, &levels);
    if (is_overloaded(sim, measured, &levels)) {
        result->saturated = 1;
        cni_forget_steady(result);
    }
    double seen = cni_independent_count(levels.level + 1, levels.count), doubt = doubt_factor(seen);
    size_t large = cni_large_batches(levels.count);
    if (result->saturated)
        doubt = has_full_queues(sim, &levels) || !takes_all(sim->scenario) ? 1.0 : INFINITY;
    double factor = large == 0 ? INFINITY : doubt * cni_student_t95(large - 1);
    read_batches(sim, &read);
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
        if (result->has[m])
            result->half_width[m] = half_width_of(&read, m, result->value[m], levels.count, factor);
    if (cni_run_ends(sim->scenario))
        return 1;
    return seen >= FEWEST_OBSERVATIONS && large > 0;
}

void cni_sim_show(const cn_sim *sim, cni_budget *budget)
{
    const cn_metric m = CN_METRIC_MEAN_DELAY;
    uint64_t measured[CNI_COUNTERS];
    cn_result result = {0};
    if (budget->control->progress == NULL || sim->batches.full < 2)
        return;
    cni_sim_measured(sim, measured);
    evaluate(sim, measured, &result);
    if (!result.has[m] || !isfinite(result.half_width[m]))
        return;
    budget->lower = fmax(result.value[m] - result.half_width[m], 0.0);
    budget->upper = result.value[m] + result.half_width[m];
}

int cni_sim_is_overloaded(const cn_sim *sim)
{
    uint64_t measured[CNI_COUNTERS];
    batch_levels levels;
    cni_sim_measured(sim, measured);
    read_levels(sim, &levels);
    return is_overloaded(sim, measured, &levels);
}

int cni_is_swamped(const cn_scenario *scenario, uint64_t in_flight, uint64_t backlog)
{
    const cn_topology *topology = scenario->topology;
    return takes_all(scenario) && in_flight / backlog >= topology->nodes * topology->max_degree;
}

int cni_sim_is_precise(const cn_sim *sim, double relative_precision)
{
    if (sim->batches.full % LOOK_BATCHES != 0 || sim->batches.full < ENOUGH_BATCHES ||
        sim->batches.filled > 0)
        return 0;
    static const cn_metric watched[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY,
                                        CN_METRIC_MEAN_DELAY_BROADCAST};
    int broadcasts = sim->kernel->inject_broadcast != NULL &&
                     sim->scenario->value[CN_PARAM_BROADCAST_FRACTION] > 0.0;
    uint64_t measured[CNI_COUNTERS];
    cn_result result = {0};
    cni_sim_measured(sim, measured);
    if (!evaluate(sim, measured, &result))
        return 0;
    for (int i = 0; i < 2 + broadcasts; i++) {
        cn_metric m = watched[i];
        if (!result.has[m] || result.half_width[m] > relative_precision * result.value[m])
            return 0;
    }
    return 1;
}

/* The cycles in a unit of delay of the kernel of a scenario. */
static double delay_unit(const cn_scenario *scenario)
{
    const cni_kernel *kernel = scenario->system->kernel;
    return kernel->delay_bits == NULL ? 1.0 : ldexp(1.0, -(int)kernel->delay_bits(scenario));
}

/* The variance of the mean delay, which follows from its half-width, divided by the variance that
 * as many independent messages would give; at least 1. */
static double delay_inflation(const cn_result *result, double unit, const cni_histogram *delays)
{
    double half_width = result->half_width[CN_METRIC_MEAN_DELAY];
    double alone = unit * unit * cni_histogram_variance(delays) / (double)delays->total;
    if (!result->has[CN_METRIC_MEAN_DELAY] || !isfinite(half_width) || !(alone > 0.0))
        return 1.0;
    double deviation = half_width / 1.96;
    return fmax(1.0, deviation * deviation / alone);
}

/* Puts quantiles and the greatest value of the delays. The variance of a quantile grows by the same
 * factor as the variance of the mean delay (delay_inflation()), because messages depend on each
 * other. */
static void put_quantiles(cn_result *result, double unit, const cni_histogram *delays)
{
    static const struct {
        cn_metric metric;
        double p;
    } quantiles[] = {
        {CN_METRIC_DELAY_P50, 0.50}, {CN_METRIC_DELAY_P95, 0.95}, {CN_METRIC_DELAY_P99, 0.99}};
    if (delays->total == 0 || !result->has[CN_METRIC_MEAN_DELAY])
        return; /* without a mean delay a result has no quantiles either */
    double total = (double)delays->total, inflation = delay_inflation(result, unit, delays);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        cn_metric m = quantiles[i].metric;
        double p = quantiles[i].p;
        double value = unit * (double)cni_histogram_quantile(delays, p);
        cni_result_put(result, m, value, delays->total);
        /* the rank has a binomial distribution: its 95 % limits, read off the histogram */
        double spread = 1.96 * sqrt(p * (1.0 - p) / total * inflation);
        double low = unit * (double)cni_histogram_quantile(delays, fmax(p - spread, 0.0));
        double high = unit * (double)cni_histogram_quantile(delays, fmin(p + spread, 1.0));
        result->half_width[m] = fmax(value - low, high - value);
    }
    cni_result_put(result, CN_METRIC_DELAY_MAX, unit * (double)delays->greatest, delays->total);
}

cn_stop cni_stop_of(const cni_kernel *kernel, const cn_result *result, cn_stop otherwise)
{
    if (otherwise == CN_STOP_TIME_LIMIT || otherwise == CN_STOP_CANCELLED)
        return otherwise;
    return (kernel->shorten != NULL || kernel->takes_all != NULL) && result->saturated
               ? CN_STOP_SATURATED
               : otherwise;
}

/* The exact counts of a whole run, or of several. */
static void put_totals(cn_result *result, const uint64_t totals[CNI_COUNT_OWN], uint64_t warmup)
{
    double offered = (double)totals[CNI_COUNT_OFFERED],
           accepted = (double)totals[CNI_COUNT_ACCEPTED];
    double delivered = (double)totals[CNI_COUNT_DELIVERED];
    uint64_t cycles = totals[CNI_COUNT_CYCLES];
    cni_result_put(result, CN_METRIC_MESSAGES_OFFERED, offered, cycles);
    cni_result_put(result, CN_METRIC_MESSAGES_REFUSED, offered - accepted, cycles);
    cni_result_put(result, CN_METRIC_MESSAGES_ACCEPTED, accepted, cycles);
    cni_result_put(result, CN_METRIC_MESSAGES_DELIVERED, delivered, cycles);
    cni_result_put(result, CN_METRIC_MESSAGES_IN_FLIGHT, accepted - delivered, cycles);
    cni_result_put(result, CN_METRIC_CYCLES, (double)cycles, cycles);
    cni_result_put(result, CN_METRIC_WARMUP_CYCLES, (double)warmup, warmup);
}

/* Makes the half-widths of all metrics that rest on the length of the queues infinite, and marks
 * a result with steady metrics as unsettled. */
static void disclaim(cn_result *result)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++) {
        cni_rest rest = cni_metric_rest((cn_metric)m);
        if (rest != CNI_COUNTED)
            result->half_width[m] = INFINITY;
        if (rest == CNI_STEADY && result->has[m])
            result->unsettled = 1;
    }
}

/* ---- statistics ---- */

cn_status cni_sim_counts(const cn_sim *sim, cni_counts *counts)
{
    if (!cni_counts_all(&sim->cleared))
        return CN_OK;
    CNI_TRY(
        cni_counts_open_nodes(sim->scenario->topology, cni_sim_nodes(sim), CNI_ALL_COUNTS, counts));
    sim->kernel->read(sim->state, counts);
    cni_counts_subtract(counts, &sim->cleared);
    return CN_OK;
}

cn_status cni_put_statistics(cn_result *result, const cn_scenario *scenario, cni_counts *counts,
                             const cni_histogram *delays, uint64_t cycles)
{
    if (counts->words == 0)
        return CN_OK;
    result->statistics = cni_allocate(1, sizeof *result->statistics);
    CNI_TRY_MEMORY(result->statistics);
    cni_counts_settle(counts);
    result->statistics->counts = *counts;
    result->statistics->delays = *delays;
    result->statistics->unit = delay_unit(scenario);
    result->statistics->cycles = cycles;
    *counts = (cni_counts){0};
    return CN_OK;
}

cn_status cni_conclude(const cn_scenario *scenario, const cni_account *account, cn_result *result)
{
    result->stop = cni_stop_of(scenario->system->kernel, result, account->stop);
    put_quantiles(result, delay_unit(scenario), account->delays);
    if (!account->settled)
        disclaim(result);
    put_totals(result, account->totals, account->warmup);
    CNI_TRY(cni_put_workload_bound(scenario, result));
    return cni_put_statistics(result, scenario, account->counts, account->delays, account->cycles);
}

/* Metrics of every complete batch, and the messages in flight at its end. */
static void list_batches(const cn_sim *sim, cni_result_statistics *statistics)
{
    uint64_t in_flight = sim->warm[CNI_COUNT_ACCEPTED] - sim->warm[CNI_COUNT_DELIVERED];
    statistics->batches = sim->batches.full;
    statistics->batch_cycles = sim->batches.length;
    for (size_t b = 0; b < sim->batches.full; b++) {
        const uint64_t *row = sim->batches.row[b];
        cn_result batch = {0};
        sim->kernel->evaluate(sim->scenario, row, &batch);
        in_flight += row[CNI_COUNT_ACCEPTED] - row[CNI_COUNT_DELIVERED];
        cni_result_put(&batch, CN_METRIC_MESSAGES_IN_FLIGHT, (double)in_flight, 1);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            statistics->batch[m][b] = batch.has[m] ? batch.value[m] : (double)NAN;
    }
}

cn_status cni_sim_conclude(const cn_sim *sim, cni_account account, cn_result *result)
{
    uint64_t measured[CNI_COUNTERS];
    memcpy(measured, account.totals, sizeof measured);
    subtract_warmup(sim, measured);
    account.stop = cni_sim_is_over(sim) ? CN_STOP_COMPLETED : CN_STOP_CYCLES;
    account.settled = evaluate(sim, measured, result);
    account.warmup = sim->warmup;
    account.cycles = sim->cycle - sim->warmup;
    CNI_TRY(cni_conclude(sim->scenario, &account, result));
    if (result->statistics != NULL)
        list_batches(sim, result->statistics);
    return CN_OK;
}

static cn_status make_result(const cn_sim *sim, cn_result *result)
{
    uint64_t totals[CNI_COUNTERS];
    cni_counts counts = {0};
    sim->kernel->count(sim->state, totals);
    const cni_account account = {
        .totals = totals, .delays = sim->kernel->delays(sim->state), .counts = &counts};
    cn_status status = cni_sim_counts(sim, &counts);
    if (status == CN_OK)
        status = cni_sim_conclude(sim, account, result);
    cni_counts_close(&counts);
    if (status == CN_OK && sim->workload != NULL)
        status = cni_message_times_copy(&sim->workload->times, &result->messages);
    return status;
}

cn_status cni_sim_check_conservation(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    sim->kernel->count(sim->state, counters);
    uint64_t in_flight = sim->kernel->in_flight(sim->state);
    if (counters[CNI_COUNT_ACCEPTED] + cni_sim_balance(sim) ==
        counters[CNI_COUNT_DELIVERED] + in_flight)
        return CN_OK;
    return cni_fail(CN_ERR_INTERNAL,
                    "%llu messages were accepted, but %llu delivered and %llu are in "
                    "flight at cycle %llu",
                    (unsigned long long)counters[CNI_COUNT_ACCEPTED],
                    (unsigned long long)counters[CNI_COUNT_DELIVERED],
                    (unsigned long long)in_flight, (unsigned long long)sim->cycle);
}

cn_status cni_sim_check_measured(const char *function, const cn_sim *sim)
{
    if (sim->cycle > sim->warmup)
        return CN_OK;
    return cni_fail(CN_ERR_STATE,
                    "%s: no cycle has been measured: the simulation is at cycle %llu, and the "
                    "warm-up takes %s%llu cycles",
                    function, (unsigned long long)sim->cycle,
                    sim->warming.automatic && sim->cycle < sim->warmup ? "up to " : "",
                    (unsigned long long)sim->warmup);
}

cn_status cn_sim_result(cn_sim *sim, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE(sim);
    CNI_TRY(cni_sim_check_state(__func__, sim));
    CNI_TRY(cni_sim_check_whole(__func__, sim,
                                "what all parts have counted makes a result: cn_sim_save_counts(), "
                                "cn_result_merge_parts()"));
    CNI_TRY(cni_sim_check_measured(__func__, sim));
    cn_status looked = cni_sim_look(sim);
    if (looked != CN_OK && looked != CN_ERR_DEADLOCK)
        return looked;
    cn_result *made = cni_result_new(sim->scenario);
    CNI_TRY_MEMORY(made);
    cn_status status = make_result(sim, made);
    if (looked == CN_ERR_DEADLOCK)
        made->stop = CN_STOP_DEADLOCK;
    if (status != CN_OK)
        cn_result_free(&made);
    *result = made;
    return status;
}
