/*
 * Whether 95 % intervals are intervals of 95 %, how wide they are, what the transient leaves in the
 * mean after the automatic warm-up, and which runs are called saturated or not settled.
 */
#include <math.h>
#include <stdlib.h>

#include "reproduce.h"

/* A network and the load at which it is saturated: all channels are full, or, for wormhole, what
 * runs of a million cycles deliver when more is offered. */
typedef struct loaded {
    const char *system;
    uint32_t dimensions;
    double broadcasts, saturation;
} loaded;

static const loaded networks[] = {
    {"separate-buffers", 1, 0, 1},  {"separate-buffers", 4, 0, 1.875},
    {"shared-buffer", 4, 0, 1.875}, {"deflection", 4, 0, 1.875},
    {"wormhole", 4, 0, 0.0426},     {"wormhole", 4, 0.1, 0.0301},
};

static const double lengths[] = {1000, 5000, 20000, 100000};

enum { RUNS = 400, QUICK_RUNS = 8, TRUE_RUNS = 40, LENGTHS = 4 };

/* What one run says. */
typedef struct said {
    rp_estimate delay;
    double warmup;
    int saturated, settled;
} said;

typedef struct cell {
    rp_run *run;
    const loaded *network;
    double load, cycles, warmup;
    size_t runs;
    uint64_t seed;
    said *of;
    int failed;
} cell;

static void simulate(void *user, size_t number)
{
    cell *c = user;
    rp_run run = *c->run;
    cn_topology *cube = rp_network(&run, "hypercube(%u)", c->network->dimensions);
    double broadcasts = c->network->broadcasts;
    const rp_experiment experiment = {
        .system = c->network->system,
        .topology = cube,
        .seed = c->seed + number,
        .settings = {{CN_PARAM_LOAD, c->load},
                     {CN_PARAM_RELATIVE_PRECISION, 0},
                     {CN_PARAM_MEASURE_CYCLES, c->cycles},
                     {CN_PARAM_WARMUP_CYCLES, c->warmup},
                     {broadcasts == 0 ? (cn_param)0 : CN_PARAM_BROADCAST_FRACTION, broadcasts}}};
    cn_scenario *scenario = rp_scenario(&run, &experiment);
    cn_result *result = rp_run_simulation(&run, scenario);
    c->of[number] = (said){.delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1),
                           .warmup = rp_value(result, CN_METRIC_WARMUP_CYCLES),
                           .saturated = cn_result_is_saturated(result),
                           .settled = cn_result_is_settled(result)};
    if (run.failed)
        c->failed = 1;
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
}

/* All runs of a cell; they belong to the caller. 0 after a failure. */
static int simulate_all(cell *c)
{
    c->of = calloc(c->runs, sizeof *c->of);
    if (c->of == NULL)
        rp_fail(c->run, "out of memory");
    else
        rp_together(c->run, c->runs, simulate, c);
    if (c->failed)
        rp_fail(c->run, "a run of %s failed", c->network->system);
    return !c->run->failed;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NaN of none. */
static double median(double values[], size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return count == 0 ? NAN : values[count / 2];
}

/* The mean over a few long runs after a long warm-up. */
static double true_delay(rp_run *run, const loaded *network, double load)
{
    cell c = {.run = run, .network = network, .load = load, .runs = TRUE_RUNS, .seed = 1000000};
    double sum = 0.0;
    c.cycles = run->quick ? 2000 : 250000;
    c.warmup = run->quick ? 1000 : 50000;
    if (simulate_all(&c))
        for (size_t i = 0; i < c.runs; i++)
            sum += c.of[i].delay.value;
    free(c.of);
    return sum / (double)c.runs;
}

/* ---- rows ---- */

static double percent(size_t part, size_t whole)
{
    return whole == 0 ? NAN : 100.0 * (double)part / (double)whole;
}

/* The first columns. */
static void put_name(rp_table *table, const cell *c, double load_percent)
{
    rp_table_text(table, c->network->system);
    rp_table_numbers(table, c->network->dimensions, c->network->broadcasts, load_percent, c->load,
                     c->cycles, (double)c->runs);
}

/* ---- coverage ---- */

/* The columns from coverage_percent on. A run that says no delay at all has no half-width
 * either. */
static void put_cell(rp_table *table, const cell *c, double truth, double values[])
{
    size_t finite = 0, inside = 0, known = 0;
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < c->runs; i++) {
        const rp_estimate delay = c->of[i].delay;
        if (isnan(delay.value))
            continue;
        known += 1;
        sum += delay.value;
        squares += delay.value * delay.value;
        if (isfinite(delay.half_width)) {
            values[finite++] = delay.half_width;
            inside += fabs(delay.value - truth) <= delay.half_width;
        }
    }
    double mean = sum / (double)known;
    double deviation = sqrt((squares - sum * mean) / (double)(known - 1));
    double true_width = 1.96 * deviation;
    rp_table_compare(table, "coverage", "percent", percent(inside, finite), 95.0);
    rp_table_numbers(table, percent(inside, finite), percent(c->runs - finite, c->runs),
                     percent(finite - inside, c->runs), median(values, finite) / true_width,
                     (mean - truth) / true_width);
    for (size_t i = 0; i < c->runs; i++)
        values[i] = c->of[i].warmup;
    rp_table_numbers(table, median(values, c->runs));
}

static void write_cells(rp_table *table, const loaded *network, double load_percent,
                        double values[])
{
    rp_run *run = table->run;
    double load = load_percent / 100.0 * network->saturation;
    double truth = true_delay(run, network, load);
    for (size_t l = 0; l < LENGTHS && !run->failed; l += run->quick ? 3 : 1) {
        cell c = {.run = run,
                  .network = network,
                  .load = load,
                  .cycles = run->quick ? 1000.0 * (double)(l + 1) : lengths[l],
                  .warmup = CN_WARMUP_AUTOMATIC,
                  .runs = run->quick ? QUICK_RUNS : RUNS,
                  .seed = 1};
        if (simulate_all(&c)) {
            put_name(table, &c, load_percent);
            rp_table_numbers(table, truth);
            put_cell(table, &c, truth, values);
        }
        free(c.of);
    }
}

static void cover(rp_run *run, const rp_exhibit *exhibit)
{
    static const double percents[] = {20, 60, 80, 90, 95};
    double values[RUNS];
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "system,dimensions,broadcast_fraction,load_percent,load,measure_cycles,runs,"
                  "true_delay,coverage_percent,infinite_percent,wrong_percent,width,bias,"
                  "warmup_cycles");
    for (size_t n = 0; n < COUNT(networks); n += run->quick ? 4 : 1)
        for (size_t p = 0; p < COUNT(percents) && !run->failed; p += run->quick ? 3 : 1)
            write_cells(&table, &networks[n], percents[p], values);
    rp_table_close(&table);
}

/* ---- verdicts ---- */

/* Of the networks before it the limit of the load is known, and so is the verdict. */
enum { FIRST_UNKNOWN = 4 };

static void write_verdicts(rp_table *table, const loaded *network, double load_percent)
{
    const rp_run *run = table->run;
    cell c = {.run = table->run,
              .network = network,
              .load = load_percent / 100.0 * network->saturation,
              .cycles = run->quick ? 2000 : 20000,
              .warmup = CN_WARMUP_AUTOMATIC,
              .runs = run->quick ? QUICK_RUNS : RUNS,
              .seed = 1};
    size_t saturated = 0, settled = 0;
    simulate_all(&c);
    for (size_t i = 0; i < c.runs && !run->failed; i++) {
        saturated += c.of[i].saturated != 0;
        settled += c.of[i].settled && !c.of[i].saturated;
    }
    free(c.of);
    put_name(table, &c, load_percent);
    rp_table_numbers(table, percent(saturated, c.runs),
                     percent(c.runs - saturated - settled, c.runs), percent(settled, c.runs));
    if (load_percent < 100)
        rp_table_compare(table, "not_called_saturated_below", "percent",
                         100.0 - percent(saturated, c.runs), 100.0);
    else
        rp_table_compare(table, "not_called_settled_above", "percent",
                         100.0 - percent(settled, c.runs), 100.0);
}

static void judge(rp_run *run, const rp_exhibit *exhibit)
{
    static const double percents[] = {90, 94, 96, 98, 102, 104, 108, 115};
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "system,dimensions,broadcast_fraction,load_percent,load,measure_cycles,runs,"
                  "saturated_percent,unsettled_percent,settled_percent");
    for (size_t n = FIRST_UNKNOWN; n < COUNT(networks); n += run->quick ? 2 : 1)
        for (size_t p = 0; p < COUNT(percents) && !run->failed; p += run->quick ? 7 : 1)
            write_verdicts(&table, &networks[n], percents[p]);
    rp_table_close(&table);
}

const rp_exhibit coverage[] = {
    {"coverage", "95 % intervals of the mean delay against the truth", "docs/lab/confidence.md",
     2400, cover, NULL},
    {"verdicts", "Runs that are called saturated or not settled", "docs/lab/confidence.md", 300,
     judge, NULL},
    {0},
};
