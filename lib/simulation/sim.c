/* A simulation driven by its caller: warm-up, batches and results around a kernel. */
#include "simulation/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* Batches that must be complete before the precision is looked at. */
enum { ENOUGH_BATCHES = CNI_BATCHES / 2 };

/* Cycles after which a step looks whether messages were lost. To look takes a walk through all queues, which
 * a caller who steps cycle by cycle must not pay for each time. */
enum { CHECK_CYCLES = 1024 };

/* Messages per channel, on average, at which an overloaded run has shown what it can. */
enum { BACKLOG = 32 };

struct cn_sim {
    cn_scenario *scenario;
    const cni_kernel *kernel;
    void *state;
    uint64_t cycle;
    uint64_t warmup;
    uint64_t checked;               /* cycle of the last look at conservation */
    cn_status broken;               /* CN_OK, or why it takes no more steps */
    uint64_t warm[CNI_COUNTERS];    /* counters at the end of the warm-up */
    uint64_t batched[CNI_COUNTERS]; /* counters at the last look */
    cni_batches batches;
};

static void begin_measuring(cn_sim *sim)
{
    sim->kernel->count(sim->state, sim->warm);
    memcpy(sim->batched, sim->warm, sizeof sim->batched);
    sim->kernel->clear_delays(sim->state);
}

cn_status cni_sim_open(const cn_scenario *scenario, uint64_t seed, cn_sim **sim)
{
    cn_sim *made = cni_allocate(1, sizeof *made);
    if (made == NULL)
        return CN_ERR_MEMORY;
    made->kernel = scenario->system->kernel;
    made->warmup = (uint64_t)scenario->value[CN_PARAM_WARMUP_CYCLES];
    cni_batches_start(&made->batches);
    cn_status status = CN_ERR_MEMORY;
    made->scenario = cni_scenario_copy(scenario);
    if (made->scenario != NULL)
        status = made->kernel->open(made->scenario, seed, &made->state);
    if (status != CN_OK) {
        cn_sim_close(&made);
        return status;
    }
    made->scenario->seed = seed;
    if (made->warmup == 0)
        begin_measuring(made);
    *sim = made;
    return CN_OK;
}

cn_status cn_sim_open(const cn_scenario *scenario, cn_sim **sim)
{
    CNI_REQUIRE(sim);
    *sim = NULL;
    CNI_REQUIRE(scenario);
    if (scenario->system->kernel == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no simulator", __func__,
                        scenario->system->name);
    if (scenario->system->check != NULL)
        CNI_TRY(scenario->system->check(scenario));
    return cni_sim_open(scenario, scenario->seed, sim);
}

void cn_sim_close(cn_sim **sim)
{
    if (sim == NULL || *sim == NULL)
        return;
    if ((*sim)->state != NULL)
        (*sim)->kernel->close((*sim)->state);
    cn_scenario_free(&(*sim)->scenario);
    cni_release(*sim);
    *sim = NULL;
}

uint64_t cn_sim_cycle(const cn_sim *sim)
{
    return sim == NULL ? 0 : sim->cycle;
}

uint64_t cni_sim_batch_room(const cn_sim *sim)
{
    return sim->cycle < sim->warmup ? 0 : cni_batches_room(&sim->batches);
}

uint64_t cni_sim_pending(const cn_sim *sim)
{
    return sim->kernel->pending == NULL ? 0 : sim->kernel->pending(sim->state);
}

static void add_to_batch(cn_sim *sim, uint64_t cycles)
{
    uint64_t now[CNI_COUNTERS], counted[CNI_COUNTERS];
    sim->kernel->count(sim->state, now);
    for (size_t i = 0; i < CNI_COUNTERS; i++)
        counted[i] = now[i] - sim->batched[i];
    memcpy(sim->batched, now, sizeof sim->batched);
    cni_batches_add(&sim->batches, cycles, counted);
}

/* Up to the end of the warm-up or of the present batch. */
static cn_status step_part(cn_sim *sim, uint64_t cycles)
{
    cn_status status = sim->kernel->step(sim->state, cycles);
    if (status == CN_ERR_DEADLOCK) { /* what was counted until then is still right */
        uint64_t counters[CNI_COUNTERS];
        sim->kernel->count(sim->state, counters);
        sim->cycle = counters[CNI_COUNT_CYCLES];
    }
    CNI_TRY(status);
    sim->cycle += cycles;
    if (sim->cycle == sim->warmup)
        begin_measuring(sim);
    else if (sim->cycle > sim->warmup)
        add_to_batch(sim, cycles);
    return CN_OK;
}

/* Accepted = delivered + in flight: nothing lost, nothing twice. */
static cn_status check_conservation(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    sim->kernel->count(sim->state, counters);
    uint64_t in_flight = sim->kernel->in_flight(sim->state);
    if (counters[CNI_COUNT_ACCEPTED] == counters[CNI_COUNT_DELIVERED] + in_flight)
        return CN_OK;
    return cni_fail(CN_ERR_INTERNAL,
                    "%llu messages were accepted, but %llu delivered and %llu are in "
                    "flight at cycle %llu",
                    (unsigned long long)counters[CNI_COUNT_ACCEPTED],
                    (unsigned long long)counters[CNI_COUNT_DELIVERED],
                    (unsigned long long)in_flight, (unsigned long long)sim->cycle);
}

static cn_status fail_ended(const char *function, const cn_sim *sim)
{
    return cni_fail(CN_ERR_STATE, "%s: the simulation ended after cycle %llu: %s", function,
                    (unsigned long long)sim->cycle, cn_status_text(sim->broken));
}

cn_status cn_sim_step(cn_sim *sim, uint64_t cycles)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return fail_ended(__func__, sim);
    if (cycles > UINT64_MAX / 2 - sim->cycle)
        return cni_fail(CN_ERR_ARGUMENT, "%s: cycles = %llu, but a run has at most 2^63 cycles",
                        __func__, (unsigned long long)cycles);
    while (cycles > 0 && sim->broken == CN_OK) {
        uint64_t room =
            sim->cycle < sim->warmup ? sim->warmup - sim->cycle : cni_batches_room(&sim->batches);
        uint64_t part = cycles < room ? cycles : room;
        sim->broken = step_part(sim, part);
        cycles -= part;
    }
    if (sim->broken == CN_OK && sim->cycle - sim->checked >= CHECK_CYCLES) {
        sim->checked = sim->cycle;
        sim->broken = check_conservation(sim);
    }
    return sim->broken;
}

cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t tag)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return fail_ended(__func__, sim);
    uint64_t nodes = cn_topology_node_count(sim->scenario->topology);
    if (source >= nodes || destination >= nodes)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source = %llu, destination = %llu, but the nodes are 0 to %llu",
                        __func__, (unsigned long long)source, (unsigned long long)destination,
                        (unsigned long long)(nodes - 1));
    if (source == destination)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source and destination are both %llu, but a message must travel",
                        __func__, (unsigned long long)source);
    return sim->kernel->inject(sim->state, source, destination, tag);
}

cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint64_t tag)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return fail_ended(__func__, sim);
    if (!sim->kernel->takes_broadcasts)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no broadcasts", __func__,
                        sim->scenario->system->name);
    CNI_TRY(cni_check_node(__func__, "source", sim->scenario->topology, source));
    return sim->kernel->inject(sim->state, source, CN_ALL_NODES, tag);
}

cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE(count);
    const cn_topology *topology = sim->scenario->topology;
    if (sim->kernel->channel_loads == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the simulator of %s does not count by channel",
                        __func__, sim->scenario->system->name);
    *count = (size_t)topology->nodes * topology->max_degree;
    if (capacity < *count)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but %s has %zu channels", __func__,
                        capacity, topology->name, *count);
    CNI_REQUIRE(loads);
    sim->kernel->channel_loads(sim->state, loads);
    return CN_OK;
}

cn_status cni_sim_look(const cn_sim *sim)
{
    if (sim->broken != CN_OK)
        return sim->broken;
    CNI_TRY(check_conservation(sim));
    return sim->kernel->look == NULL ? CN_OK : sim->kernel->look(sim->state);
}

cn_status cn_sim_deadlock(const cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE(count);
    size_t length = 0;
    const uint32_t *knot = NULL;
    cn_status looked = cni_sim_look(sim);
    *count = 0;
    if (sim->broken == CN_OK && looked != CN_OK && looked != CN_ERR_DEADLOCK)
        return looked;
    if (looked == CN_ERR_DEADLOCK && sim->kernel->knot != NULL)
        knot = sim->kernel->knot(sim->state, &length);
    *count = knot == NULL ? 0 : length;
    if (knot == NULL)
        return cni_fail(CN_ERR_STATE, "%s: no circle of channels is known: the simulation is %s",
                        __func__,
                        sim->broken == CN_ERR_DEADLOCK ? "deadlocked, but its system names none"
                                                       : "not deadlocked");
    if (capacity < length)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but the circle has %zu channels",
                        __func__, capacity, length);
    CNI_REQUIRE(channels);
    for (size_t i = 0; i < length; i++)
        channels[i] = knot[i];
    return CN_OK;
}

cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE(delivery);
    if (size < sizeof delivery->tag)
        return cni_fail(CN_ERR_ARGUMENT, "%s: size = %zu, but it must be sizeof(cn_delivery)",
                        __func__, size);
    cn_delivery next = {0};
    CNI_TRY(sim->kernel->next_delivery(sim->state, &next));
    memset(delivery, 0, size); /* members that only a newer header has */
    memcpy(delivery, &next, size < sizeof next ? size : sizeof next);
    return CN_OK;
}

/* ---- results ---- */

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
    double values[CNI_METRICS + 1][CNI_BATCHES];
    size_t present[CNI_METRICS + 1];
} batch_values;

static void read_batches(const cn_sim *sim, batch_values *read)
{
    memset(read->present, 0, sizeof read->present);
    for (size_t b = 0; b < sim->batches.full; b++) {
        cn_result batch = {0};
        sim->kernel->evaluate(sim->scenario, sim->batches.row[b], &batch);
        for (size_t m = 1; m <= CNI_METRICS; m++)
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

int cni_still_grows(const cni_kernel *kernel, const cni_queue_growth *growth)
{
    int unlimited = kernel->shorten != NULL || kernel->takes_all;
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
    return sim->kernel->takes_all && sim->batches.full >= ENOUGH_BATCHES / 2 &&
           backlog > 0.01 * accepted && backlog >= (double)sim->scenario->topology->nodes &&
           cni_still_grows(sim->kernel, growth);
}

void cni_forget_steady(cn_result *result)
{
    static const cn_metric metrics[] = {CN_METRIC_MEAN_DELAY, CN_METRIC_MEAN_DELAY_UNICAST,
                                        CN_METRIC_MEAN_DELAY_BROADCAST,
                                        CN_METRIC_MEAN_QUEUE_LENGTH};
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        result->has[metrics[i]] = 0;
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
    for (size_t m = 1; m <= CNI_METRICS; m++)
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
    if (!sim->kernel->takes_all)
        return 0;
    evaluate(sim, &result);
    return result.saturated;
}

int cni_sim_is_swamped(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    const cn_topology *topology = sim->scenario->topology;
    if (!sim->kernel->takes_all)
        return 0;
    sim->kernel->count(sim->state, counters);
    return (counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED]) / BACKLOG >=
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

/* Cycles that a unit of the kernel's delays counts. */
static double delay_unit(const cni_kernel *kernel)
{
    return ldexp(1.0, -(int)kernel->delay_bits);
}

void cni_put_quantiles(cn_result *result, const cni_kernel *kernel, const cni_histogram *delays,
                       double inflation)
{
    static const struct {
        cn_metric metric;
        double p;
    } quantiles[] = {
        {CN_METRIC_DELAY_P50, 0.50}, {CN_METRIC_DELAY_P95, 0.95}, {CN_METRIC_DELAY_P99, 0.99}};
    if (delays->total == 0 || !result->has[CN_METRIC_MEAN_DELAY])
        return; /* without a mean to speak of there are no quantiles either */
    double total = (double)delays->total, unit = delay_unit(kernel);
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
    return (kernel->shorten != NULL || kernel->takes_all) && result->saturated ? CN_STOP_SATURATED
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

double cni_delay_inflation(const cn_result *result, const cni_kernel *kernel,
                           const cni_histogram *delays)
{
    double half_width = result->half_width[CN_METRIC_MEAN_DELAY], unit = delay_unit(kernel);
    double alone = unit * unit * cni_histogram_variance(delays) / (double)delays->total;
    if (!result->has[CN_METRIC_MEAN_DELAY] || !isfinite(half_width) || !(alone > 0.0))
        return 1.0;
    double deviation = half_width / 1.96;
    return fmax(1.0, deviation * deviation / alone);
}

/* A run that ends by itself is at its end. */
static int is_complete(const cn_sim *sim)
{
    return sim->kernel->pending != NULL && sim->kernel->pending(sim->state) == 0;
}

void cni_disclaim(cn_result *result)
{
    static const cn_metric metrics[] = {
        CN_METRIC_MEAN_DELAY,     CN_METRIC_MEAN_QUEUE_LENGTH,  CN_METRIC_POWER,
        CN_METRIC_POWER_ACCEPTED, CN_METRIC_MEAN_DELAY_UNICAST, CN_METRIC_MEAN_DELAY_BROADCAST,
        CN_METRIC_DELAY_P50,      CN_METRIC_DELAY_P95,          CN_METRIC_DELAY_P99};
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        result->half_width[metrics[i]] = INFINITY;
}

cn_status cn_sim_result(const cn_sim *sim, cn_result **result)
{
    CNI_REQUIRE(result);
    *result = NULL;
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK && sim->broken != CN_ERR_DEADLOCK)
        return fail_ended(__func__, sim);
    if (sim->cycle <= sim->warmup)
        return cni_fail(CN_ERR_STATE,
                        "%s: no cycle was measured: the present one is %llu, and %llu are warm-up",
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
    cni_put_quantiles(made, sim->kernel, delays, cni_delay_inflation(made, sim->kernel, delays));
    if (!settled)
        cni_disclaim(made);
    uint64_t totals[CNI_COUNTERS];
    cni_sim_totals(sim, totals);
    cni_put_totals(made, totals);
    *result = made;
    return CN_OK;
}
