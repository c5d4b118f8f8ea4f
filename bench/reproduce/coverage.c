/*
 * Whether 95 % intervals are intervals of 95 %, how wide they are, what the transient leaves in the mean after the
 * automatic warm-up, and which runs are called saturated or not settled.
 */
#include <math.h>
#include <stdlib.h>

#include "reproduce.h"

/* A network and the load at which it is saturated: all channels are full, or, for wormhole, what runs of a million
 * cycles deliver when more is offered. */
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
    double delay, half_width, warmup;
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

static cn_status set_up(const cell *c, size_t number, cn_scenario *scenario)
{
    const setting settings[] = {
        {CN_PARAM_LOAD, c->load},
        {CN_PARAM_RELATIVE_PRECISION, 0},
        {CN_PARAM_MEASURE_CYCLES, c->cycles},
        {CN_PARAM_WARMUP_CYCLES, c->warmup},
        {CN_PARAM_BROADCAST_FRACTION, c->network->broadcasts},
    };
    for (size_t i = 0; i < COUNT(settings) - (c->network->broadcasts == 0); i++)
        if (cn_scenario_set(scenario, settings[i].param, settings[i].value) != CN_OK)
            return CN_ERR_ARGUMENT;
    return cn_scenario_set_seed(scenario, c->seed + number);
}

static void simulate(void *user, size_t number)
{
    cell *c = user;
    cn_topology *cube = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    said *s = &c->of[number];
    *s = (said){.delay = NAN, .half_width = INFINITY};
    if (cn_topology_hypercube(c->network->dimensions, &cube) != CN_OK ||
        cn_scenario_new(cube, c->network->system, &scenario) != CN_OK ||
        set_up(c, number, scenario) != CN_OK || cn_simulate(scenario, NULL, &result) != CN_OK)
        c->failed = 1;
    else if (cn_result_value(result, CN_METRIC_MEAN_DELAY, &s->delay) == CN_OK)
        cn_result_half_width(result, CN_METRIC_MEAN_DELAY, &s->half_width);
    if (result != NULL)
        cn_result_value(result, CN_METRIC_WARMUP_CYCLES, &s->warmup);
    s->saturated = cn_result_is_saturated(result);
    s->settled = cn_result_is_settled(result);
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
            sum += c.of[i].delay;
    free(c.of);
    return sum / (double)c.runs;
}

/* ---- coverage ---- */

static void put_percent(rp_table *table, size_t part, size_t whole)
{
    rp_table_number(table, whole == 0 ? NAN : 100.0 * (double)part / (double)whole);
}

/* The columns from coverage_percent on. A run that says no delay at all has no half-width either. */
static void put_cell(rp_table *table, const cell *c, double truth, double values[])
{
    size_t finite = 0, inside = 0, known = 0;
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < c->runs; i++) {
        const said *s = &c->of[i];
        if (isnan(s->delay))
            continue;
        known += 1;
        sum += s->delay;
        squares += s->delay * s->delay;
        if (isfinite(s->half_width)) {
            values[finite++] = s->half_width;
            inside += fabs(s->delay - truth) <= s->half_width;
        }
    }
    double mean = sum / (double)known;
    double deviation = sqrt((squares - sum * mean) / (double)(known - 1));
    double true_width = 1.96 * deviation;
    put_percent(table, inside, finite);
    if (finite > 0)
        rp_table_compare(table, "coverage", "percent", 100.0 * (double)inside / (double)finite,
                         95.0);
    put_percent(table, c->runs - finite, c->runs);
    put_percent(table, finite - inside, c->runs);
    rp_table_number(table, median(values, finite) / true_width);
    rp_table_number(table, (mean - truth) / true_width);
    for (size_t i = 0; i < c->runs; i++)
        values[i] = c->of[i].warmup;
    rp_table_number(table, median(values, c->runs));
}

static void write_cells(rp_table *table, const loaded *network, double percent, double values[])
{
    rp_run *run = table->run;
    double load = percent / 100.0 * network->saturation;
    double truth = true_delay(run, network, load);
    for (size_t l = 0; l < LENGTHS && !run->failed; l += run->quick ? 3 : 1) {
        cell c = {.run = run, .network = network, .load = load, .warmup = CN_WARMUP_AUTOMATIC};
        c.cycles = run->quick ? 1000.0 * (double)(l + 1) : lengths[l];
        c.runs = run->quick ? QUICK_RUNS : RUNS;
        c.seed = 1;
        if (simulate_all(&c)) {
            rp_table_text(table, network->system);
            rp_table_number(table, network->dimensions);
            rp_table_number(table, network->broadcasts);
            rp_table_number(table, percent);
            rp_table_number(table, load);
            rp_table_number(table, c.cycles);
            rp_table_number(table, (double)c.runs);
            rp_table_number(table, truth);
            put_cell(table, &c, truth, values);
            rp_table_end_row(table);
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

static void judge(rp_run *run, const rp_exhibit *exhibit)
{
    static const double percents[] = {90, 94, 96, 98, 102, 104, 108, 115};
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "system,dimensions,broadcast_fraction,load_percent,load,measure_cycles,runs,"
                  "saturated_percent,unsettled_percent,settled_percent");
    for (size_t n = FIRST_UNKNOWN; n < COUNT(networks); n += run->quick ? 2 : 1)
        for (size_t p = 0; p < COUNT(percents) && !run->failed; p += run->quick ? 7 : 1) {
            cell c = {.run = run, .network = &networks[n], .warmup = CN_WARMUP_AUTOMATIC};
            size_t saturated = 0, settled = 0;
            c.load = percents[p] / 100.0 * networks[n].saturation;
            c.cycles = run->quick ? 2000 : 20000;
            c.runs = run->quick ? QUICK_RUNS : RUNS;
            c.seed = 1;
            simulate_all(&c);
            for (size_t i = 0; i < c.runs && !run->failed; i++) {
                saturated += c.of[i].saturated != 0;
                settled += c.of[i].settled && !c.of[i].saturated;
            }
            free(c.of);
            rp_table_text(&table, networks[n].system);
            rp_table_number(&table, networks[n].dimensions);
            rp_table_number(&table, networks[n].broadcasts);
            rp_table_number(&table, percents[p]);
            rp_table_number(&table, c.load);
            rp_table_number(&table, c.cycles);
            rp_table_number(&table, (double)c.runs);
            put_percent(&table, saturated, c.runs);
            put_percent(&table, c.runs - saturated - settled, c.runs);
            put_percent(&table, settled, c.runs);
            if (percents[p] < 100)
                rp_table_compare(&table, "not_called_saturated_below", "percent",
                                 100.0 - 100.0 * (double)saturated / (double)c.runs, 100.0);
            else
                rp_table_compare(&table, "not_called_settled_above", "percent",
                                 100.0 - 100.0 * (double)settled / (double)c.runs, 100.0);
            rp_table_end_row(&table);
        }
    rp_table_close(&table);
}

const rp_exhibit coverage[] = {
    {"coverage", "95 % intervals of the mean delay against the truth", "docs/statistics.md", 2400,
     cover},
    {"verdicts", "Runs that are called saturated or not settled", "docs/statistics.md", 300, judge},
    {0},
};
