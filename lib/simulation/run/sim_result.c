/* The metrics of a driven simulation: half-widths from its batches, and whether it has a steady state. */
#include "simulation/run/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* Batches that must be complete before the precision is looked at. */
enum { ENOUGH_BATCHES = CNI_BATCHES / 2 };

void cni_sim_totals(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    sim->kernel->count(sim->state, counters);
}

void cni_sim_measured(const cn_sim *sim, uint64_t counters[CNI_COUNTERS])
{
    sim->kernel->count(sim->state, counters);
    for (size_t i = 0; i < CNI_COUNTERS; i++)
        counters[i] -= sim->warm[i];
}

const cni_histogram *cni_sim_delays(const cn_sim *sim)
{
    return sim->kernel->delays(sim->state);
}

/*
 * 95 % half-width of a metric by batch means. Neighbouring batches of a short run are still
 * correlated, which makes their spread look too small; where their lag-1 correlation r is positive
 * the half-width is widened as for a first-order autoregression, by sqrt((1+r)/(1-r)).
 */
static double batch_half_width(const double values[], size_t count)
{
    cni_moments moments = {0};
    for (size_t b = 0; b < count; b++)
        cni_moments_add(&moments, values[b]);
    double half_width = cni_moments_half_width(&moments);
    if (count < 4 || moments.square_sum <= 0.0)
        return half_width;
    double lagged = 0.0;
    for (size_t b = 1; b < count; b++)
        lagged += (values[b - 1] - moments.mean) * (values[b] - moments.mean);
    double r = lagged / moments.square_sum;
    return r > 0.0 ? half_width * sqrt((1.0 + r) / (1.0 - r)) : half_width;
}

/* The metrics of every complete batch. */
typedef struct batch_values {
    double values[CNI_METRIC_ROOM][CNI_BATCHES];
    size_t present[CNI_METRIC_ROOM];
} batch_values;

static void read_batches(const cn_sim *sim, batch_values *read)
{
    memset(read->present, 0, sizeof read->present);
    for (size_t b = 0; b < sim->batches.full; b++) {
        cn_result batch = {0};
        sim->kernel->evaluate(sim->scenario, sim->batches.row[b], &batch);
        for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
            if (batch.has[m])
                read->values[m][read->present[m]++] = batch.value[m];
    }
}

static void add_queues(const batch_values *read, cni_queue_growth *growth)
{
    const double *queue = read->values[CN_METRIC_MEAN_QUEUE_LENGTH];
    size_t count = read->present[CN_METRIC_MEAN_QUEUE_LENGTH];
    for (size_t b = 0; b < count / 4; b++) {
        growth->first += queue[b];
        growth->last += queue[count - 1 - b];
    }
}

void cni_sim_add_queues(const cn_sim *sim, cni_queue_growth *growth)
{
    batch_values read;
    read_batches(sim, &read);
    add_queues(&read, growth);
}

/* Whether only its queues tell that there is no steady state. */
static int takes_all(const cn_sim *sim)
{
    return sim->kernel->takes_all != NULL && sim->kernel->takes_all(sim->scenario);
}

int cni_still_grows(const cni_kernel *kernel, const cni_queue_growth *growth)
{
    int unlimited = kernel->shorten != NULL || kernel->takes_all != NULL;
    return unlimited && growth->last > 1.5 * growth->first;
}

/* The queues of a network that takes everything fill: what comes in is delivered too slowly by a
 * hundredth, and the queues tell the same. A few messages that happen to be under way at the end of a short
 * run tell nothing: there must be one a node. */
static int is_overloaded(const cn_sim *sim, const uint64_t measured[CNI_COUNTERS],
                         const cni_queue_growth *growth)
{
    double accepted = (double)measured[CNI_COUNT_ACCEPTED];
    double backlog = accepted - (double)measured[CNI_COUNT_DELIVERED];
    return takes_all(sim) && sim->batches.full >= ENOUGH_BATCHES / 2 && backlog > 0.01 * accepted &&
           backlog >= (double)sim->scenario->topology->nodes &&
           cni_still_grows(sim->kernel, growth);
}

void cni_forget_steady(cn_result *result)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++)
        if (cni_metric_rest((cn_metric)m) == CNI_STEADY)
            result->has[m] = 0;
}

/* The metrics of the measured cycles, with half-widths from the complete batches. Returns 0 when queues
 * without limit are still filling. */
static int evaluate(const cn_sim *sim, cn_result *result)
{
    uint64_t measured[CNI_COUNTERS];
    cni_sim_measured(sim, measured);
    sim->kernel->evaluate(sim->scenario, measured, result);

    batch_values read;
    cni_queue_growth growth = {0};
    read_batches(sim, &read);
    for (size_t m = 1; m < CNI_METRIC_ROOM; m++)
        if (result->has[m])
            result->half_width[m] = batch_half_width(read.values[m], read.present[m]);
    add_queues(&read, &growth);
    if (!is_overloaded(sim, measured, &growth))
        return !cni_still_grows(sim->kernel, &growth);
    result->saturated = 1;
    cni_forget_steady(result);
    return 1;
}

int cni_sim_is_overloaded(const cn_sim *sim)
{
    cn_result result = {0};
    if (!takes_all(sim))
        return 0;
    evaluate(sim, &result);
    return result.saturated;
}

int cni_sim_is_swamped(const cn_sim *sim, uint64_t backlog)
{
    uint64_t counters[CNI_COUNTERS];
    const cn_topology *topology = sim->scenario->topology;
    if (!takes_all(sim))
        return 0;
    sim->kernel->count(sim->state, counters);
    return (counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED]) / backlog >=
           topology->nodes * topology->max_degree;
}

int cni_sim_is_precise(const cn_sim *sim, double relative_precision)
{
    if (sim->batches.full < ENOUGH_BATCHES || sim->batches.filled > 0)
        return 0;
    static const cn_metric watched[] = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY,
                                        CN_METRIC_MEAN_DELAY_BROADCAST};
    int broadcasts =
        sim->kernel->takes_broadcasts && sim->scenario->value[CN_PARAM_BROADCAST_FRACTION] > 0.0;
    cn_result result = {0};
    if (!evaluate(sim, &result))
        return 0;
    for (int i = 0; i < 2 + broadcasts; i++) {
        cn_metric m = watched[i];
        if (!result.has[m] || result.half_width[m] > relative_precision * result.value[m])
            return 0;
    }
    return 1;
}

double cni_delay_unit(const cn_scenario *scenario)
{
    const cni_kernel *kernel = scenario->system->kernel;
    return kernel->delay_bits == NULL ? 1.0 : ldexp(1.0, -(int)kernel->delay_bits(scenario));
}

void cni_put_quantiles(cn_result *result, double unit, const cni_histogram *delays,
                       double inflation)
{
    static const struct {
        cn_metric metric;
        double p;
    } quantiles[] = {
        {CN_METRIC_DELAY_P50, 0.50}, {CN_METRIC_DELAY_P95, 0.95}, {CN_METRIC_DELAY_P99, 0.99}};
    if (delays->total == 0 || !result->has[CN_METRIC_MEAN_DELAY])
        return; /* without a mean to speak of there are no quantiles either */
    double total = (double)delays->total;
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        cn_metric m = quantiles[i].metric;
        double p = quantiles[i].p;
        double value = unit * (double)cni_histogram_quantile(delays, p);
        cni_result_put(result, m, value, delays->total);
        /* the rank is binomial: its 95 % limits, read off the histogram again */
        double spread = 1.96 * sqrt(p * (1.0 - p) / total * inflation);
        double low = unit * (double)cni_histogram_quantile(delays, fmax(p - spread, 0.0));
        double high = unit * (double)cni_histogram_quantile(delays, fmin(p + spread, 1.0));
        result->half_width[m] = fmax(value - low, high - value);
    }
    cni_result_put(result, CN_METRIC_DELAY_MAX, unit * (double)delays->greatest, delays->total);
}

cn_stop cni_stop_of(const cni_kernel *kernel, const cn_result *result, cn_stop otherwise)
{
    return (kernel->shorten != NULL || kernel->takes_all != NULL) && result->saturated
               ? CN_STOP_SATURATED
               : otherwise;
}

void cni_put_totals(cn_result *result, const uint64_t totals[CNI_COUNTERS])
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
}

double cni_delay_inflation(const cn_result *result, double unit, const cni_histogram *delays)
{
    double half_width = result->half_width[CN_METRIC_MEAN_DELAY];
    double alone = unit * unit * cni_histogram_variance(delays) / (double)delays->total;
    if (!result->has[CN_METRIC_MEAN_DELAY] || !isfinite(half_width) || !(alone > 0.0))
        return 1.0;
    double deviation = half_width / 1.96;
    return fmax(1.0, deviation * deviation / alone);
}

/* A run that ends by itself is at its end. */
static int is_complete(const cn_sim *sim)
{
    return sim->kernel->ends && cni_sim_pending(sim) == 0;
}

void cni_disclaim(cn_result *result)
{
    for (int m = 1; m < CNI_METRIC_ROOM; m++)
        if (cni_metric_rest((cn_metric)m) != CNI_COUNTED)
            result->half_width[m] = INFINITY;
}

cn_status cn_sim_result(cn_sim *sim, cn_result **result)
{
    CNI_REQUIRE(result);
    *result = NULL;
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK && sim->broken != CN_ERR_DEADLOCK)
        return cni_sim_fail_ended(__func__, sim);
    if (sim->cycle <= sim->warmup)
        return cni_fail(CN_ERR_STATE,
                        "%s: no cycle has been measured: the simulation is at cycle %llu, and the "
                        "first %llu cycles are warm-up",
                        __func__, (unsigned long long)sim->cycle, (unsigned long long)sim->warmup);
    cn_status looked = cni_sim_look(sim);
    if (looked != CN_OK && looked != CN_ERR_DEADLOCK)
        return looked;
    cn_result *made = cni_result_new(sim->scenario);
    if (made == NULL)
        return CN_ERR_MEMORY;
    int settled = evaluate(sim, made);
    made->stop =
        cni_stop_of(sim->kernel, made, is_complete(sim) ? CN_STOP_COMPLETED : CN_STOP_CYCLES);
    if (looked == CN_ERR_DEADLOCK)
        made->stop = CN_STOP_DEADLOCK;
    const cni_histogram *delays = cni_sim_delays(sim);
    double unit = cni_delay_unit(sim->scenario);
    cni_put_quantiles(made, unit, delays, cni_delay_inflation(made, unit, delays));
    if (!settled)
        cni_disclaim(made);
    uint64_t totals[CNI_COUNTERS];
    cni_sim_totals(sim, totals);
    cni_put_totals(made, totals);
    *result = made;
    return CN_OK;
}
