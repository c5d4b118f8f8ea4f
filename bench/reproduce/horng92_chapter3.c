/*
 * Deflection routing on the Boolean 6-cube with finite buffers: Horng 1992, chapter 3, and its
 * first form, Horng & Kleinrock 1991, whose figures are the same or the same seen from another
 * side.
 *
 * The papers print no numbers beside these figures and the scans no curves, so what is shown comes
 * from captions and text. Where they do not say for which buffer sizes M or loads, we chose.
 */
#include "horng92_chapter3.h"

#include <stdio.h>
#include <string.h>

/* ---- what is on the axes ---- */

/* Loads 0 .. 4 by twentieths. */
static rp_points loads_up_to_four(const rp_run *run)
{
    rp_points loads = {.count = 0};
    for (int i = 0; i <= 80; i += run->quick ? 5 : 1) {
        int simulated = run->quick ? i % 20 == 0 : i % 5 == 0 && (i <= 50 || i % 10 == 0);
        rp_points_add(&loads, i / 20.0, i > 0 && simulated);
    }
    return loads;
}

/* And on to where a node is offered fifty times what it can send. */
static rp_points loads_without_end(const rp_run *run)
{
    static const double large[] = {5, 6, 8, 10, 15, 20, 30, 50, 100};
    rp_points loads = loads_up_to_four(run);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        rp_points_add(&loads, large[i], large[i] == 10 || large[i] == 100);
    return loads;
}

static rp_points buffer_sizes(const rp_run *run)
{
    rp_points buffers = {.count = 0};
    for (int m = DIMENSIONS; m <= 30; m++)
        rp_points_add(&buffers, m, run->quick ? m % 6 == 0 : m <= 12 || m % 3 == 0);
    return buffers;
}

/* ---- figures ---- */

const char horng92_load_label[] = "load λ (new messages per node and cycle)";
const char horng92_buffers_label[] = "buffers per node M (messages)";

rp_experiment horng92_deflection(const cn_topology *network, double load, double buffers)
{
    return (rp_experiment){.system = "deflection",
                           .topology = network,
                           .settings = {{CN_PARAM_LOAD, load}, {CN_PARAM_BUFFERS, buffers}}};
}

/* One curve for each value of one parameter, along the other. */
typedef struct figure {
    rp_points (*along)(const rp_run *run);
    cn_param by;
    double values[RP_MAX_CURVES]; /* 0 ends them */
    cn_metric metrics[RP_MAX_METRICS];
    cn_metric ideal;
    int per_buffer;
    const char *y_label, *command;
    const char *const *
        titles; /* of the metrics, where all are drawn; NULL: the first, or the second over the first */
} figure;

static size_t fill_curves(rp_run *run, const figure *f, const cn_topology *cube,
                          rp_curve drawn[RP_MAX_CURVES])
{
    size_t count = 0;
    for (const double *value = f->values; *value != 0.0; value++, count++) {
        drawn[count] = (rp_curve){.experiment = horng92_deflection(cube, *value, *value),
                                  .along = f->along(run),
                                  .time_unit = 1.0};
        snprintf(drawn[count].title, sizeof drawn[count].title, "%s = %g",
                 f->by == CN_PARAM_LOAD ? "λ" : "M", *value);
    }
    return count;
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_model one_model[] = {{"model", "model", {{0}}}, {0}};
    const figure *f = exhibit->of;
    int over_throughput = f->titles == NULL && f->metrics[1] != 0;
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    rp_curve drawn[RP_MAX_CURVES];
    rp_plot plot;
    rp_curves curves = {.curves = drawn,
                        .count = fill_curves(run, f, cube, drawn),
                        .by = f->by,
                        .per_buffer = f->per_buffer,
                        .models = one_model,
                        .ideal = f->ideal};
    memcpy(curves.metrics, f->metrics, sizeof curves.metrics);
    if (f->by ==
        CN_PARAM_BUFFERS) { /* up to the first even few buffers do; from the second on little changes */
        curves.ranges[0] = 1;
        curves.ranges[1] = 4;
    }
    rp_curves_write(run, exhibit, &curves);
    rp_plot_open(&plot, run, exhibit,
                 over_throughput             ? "throughput (messages per node and cycle)"
                 : f->by == CN_PARAM_BUFFERS ? horng92_load_label
                                             : horng92_buffers_label,
                 f->y_label);
    rp_plot_command(&plot, f->command);
    if (f->titles != NULL)
        rp_curves_draw_metrics(&plot, &curves, f->titles);
    else
        rp_curves_draw(&plot, &curves, over_throughput ? f->metrics[0] : 0,
                       f->metrics[over_throughput]);
    rp_plot_close(&plot);
    cn_topology_free(&cube);
}

#define OVER_LOAD .by = CN_PARAM_BUFFERS, .values = {6, 8, 10, 12, 20}, .along = loads_up_to_four
#define OVER_BUFFERS .by = CN_PARAM_LOAD, .values = {0.5, 1.0, 1.5, 2.0, 3.0}, .along = buffer_sizes
#define POWER_ACCEPTED "power γP_A / T (messages per cycle²)"

/* Horng 1992, 3.6; 1991, 6. With unlimited buffers nothing is deflected: net progress = load d /
 * n. */
static const figure utilization = {
    .by = CN_PARAM_BUFFERS,
    .values = {10},
    .along = loads_up_to_four,
    .metrics = {CN_METRIC_CHANNEL_UTILIZATION, CN_METRIC_FORWARDING_PROBABILITY,
                CN_METRIC_NET_PROGRESS},
    .ideal = CN_METRIC_NET_PROGRESS,
    .y_label = "probability per channel and cycle",
    .command = "set yrange [0:1.05]",
    .titles = (const char *const[]){"utilization", "forwarding", "net progress"}};

static const figure acceptance = {OVER_LOAD, .metrics = {CN_METRIC_ACCEPTANCE_PROBABILITY},
                                  .y_label = "probability of acceptance P_A",
                                  .command = "set yrange [0:1.05]"};

static const figure throughput = {
    OVER_LOAD, .metrics = {CN_METRIC_THROUGHPUT}, .ideal = CN_METRIC_THROUGHPUT,
    .y_label = "throughput (messages per node and cycle)", .command = "set yrange [0:2.1]"};

/* Horng 1992, 3.9: the load runs along each curve; its last point is for a very large one. */
static const figure delay_over_throughput = {
    .by = CN_PARAM_BUFFERS,
    .values = {6, 8, 10, 12, 20},
    .along = loads_without_end,
    .metrics = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY},
    .y_label = "mean delay (cycles)",
    .command = "set yrange [0:12]\nset xrange [0:2]"};

static const figure power = {OVER_LOAD, .metrics = {CN_METRIC_POWER},
                             .y_label = "power γN / T (messages per cycle²)",
                             .command = "set yrange [0:*]"};

static const figure power_accepted = {OVER_LOAD, .metrics = {CN_METRIC_POWER_ACCEPTED},
                                      .y_label = POWER_ACCEPTED, .command = "set yrange [0:*]"};

static const figure delay_over_buffers = {OVER_BUFFERS, .metrics = {CN_METRIC_MEAN_DELAY},
                                          .y_label = "mean delay (cycles)",
                                          .command = "set yrange [0:*]"};

static const figure power_over_buffers = {OVER_BUFFERS, .metrics = {CN_METRIC_POWER_ACCEPTED},
                                          .y_label = POWER_ACCEPTED, .command = "set yrange [0:*]"};

static const figure power_per_buffer = {OVER_BUFFERS, .metrics = {CN_METRIC_POWER_ACCEPTED},
                                        .per_buffer = 1, .y_label = "power / M (1 per cycle²)",
                                        .command = "set yrange [0:*]"};

/* ---- the list ---- */

/* Weights as in `all`: what a figure shares with one before it costs nothing. */
const rp_exhibit horng92_chapter3[] = {
    {"horng92-fig-3.6", "Channel utilization and probability of forwarding, 6-cube, M = 10",
     "Horng 1992, Figure 3.6", 2.5, make, &utilization},
    {"horng92-fig-3.7", "Probability of acceptance of an input message, 6-cube",
     "Horng 1992, Figure 3.7", 10, make, &acceptance},
    {"horng92-fig-3.8", "Throughput per node against load, 6-cube", "Horng 1992, Figure 3.8", 0.1,
     make, &throughput},
    {"horng92-fig-3.9", "Mean delay against throughput per node, 6-cube", "Horng 1992, Figure 3.9",
     1, make, &delay_over_throughput},
    {"horng92-fig-3.10", "Power against load, 6-cube", "Horng 1992, Figure 3.10", 0.1, make,
     &power},
    {"horng92-fig-3.11", "Buffer sizes that deliver 95 % and 99 % of the greatest power, 6-cube",
     "Horng 1992, Figure 3.11", 19, horng92_best_buffers, NULL},
    {"horng91-fig-6", "Channel utilization and probability of forwarding, 6-cube, M = 10",
     "Horng & Kleinrock 1991, Figure 6", 0.1, make, &utilization},
    {"horng91-fig-7", "Probability of acceptance of an input message, 6-cube",
     "Horng & Kleinrock 1991, Figure 7", 0.1, make, &acceptance},
    {"horng91-fig-8", "Mean delay against buffer size, 6-cube", "Horng & Kleinrock 1991, Figure 8",
     4.5, make, &delay_over_buffers},
    {"horng91-fig-9", "Throughput per node against load, 6-cube",
     "Horng & Kleinrock 1991, Figure 9", 0.1, make, &throughput},
    {"horng91-fig-10", "Power with acceptance against load, 6-cube",
     "Horng & Kleinrock 1991, Figure 10", 0.1, make, &power_accepted},
    {"horng91-fig-11", "Power with acceptance against buffer size, 6-cube",
     "Horng & Kleinrock 1991, Figure 11", 0.1, make, &power_over_buffers},
    {"horng91-fig-12", "Power with acceptance per buffer against buffer size, 6-cube",
     "Horng & Kleinrock 1991, Figure 12", 0.1, make, &power_per_buffer},
    {0},
};
