/*
 * Deflection routing on the Boolean 6-cube with finite buffers: Horng 1992, chapter 3, and its first
 * form, Horng & Kleinrock 1991, whose figures are the same or the same seen from another side.
 *
 * The papers print no numbers beside these figures and the scans no curves, so what is shown comes
 * from captions and text. Where they do not say for which buffer sizes M or loads, we chose.
 */
#include "horng92_chapter3.h"

#include <math.h>
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

/* ---- sweeps: most figures are one ---- */

static const double shown_buffers[] = {6, 8, 10, 12, 20};
static const double ten_buffers[] = {10};
static const double shown_loads[] = {0.5, 1.0, 1.5, 2.0, 3.0};

/* One curve for each value of one parameter, along the other. */
typedef struct sweep_plan {
    rp_points (*along)(const rp_run *run);
    cn_param curve_param;
    const double *curves;
    size_t curve_count;
    cn_metric metrics[RP_MAX_METRICS]; /* 0 ends them */
    int per_buffer;                    /* divides them by M */
    /* One more column: the greatest conceivable throughput, min(load, n/d), times this; NULL: none */
    const char *ideal;
    double ideal_factor;
} sweep_plan;

rp_experiment horng92_deflection(const cn_topology *network, double load, double buffers)
{
    return (rp_experiment){.system = "deflection",
                           .topology = network,
                           .settings = {{CN_PARAM_LOAD, load}, {CN_PARAM_BUFFERS, buffers}}};
}

/* n/d: every channel brings a message closer in every cycle. */
static double capacity(rp_run *run, const cn_topology *cube)
{
    double distance = NAN;
    rp_check(run, cn_topology_mean_distance(cube, NULL, &distance));
    return DIMENSIONS / distance;
}

static void metric_column(const sweep_plan *sweep, cn_metric metric, char name[64])
{
    snprintf(name, 64, "%s%s", cn_metric_name(metric), sweep->per_buffer ? "_per_buffer" : "");
}

static void write_header(const sweep_plan *sweep, char header[512])
{
    char name[64];
    int length = snprintf(header, 512, "buffers,load");
    for (const cn_metric *m = sweep->metrics; *m != 0; m++) {
        metric_column(sweep, *m, name);
        length += snprintf(header + length, 512 - (size_t)length,
                           ",%s_model,%s_simulation,%s_half_width", name, name, name);
    }
    if (sweep->ideal != NULL)
        snprintf(header + length, 512 - (size_t)length, ",%s", sweep->ideal);
}

static void write_metric(rp_table *table, const sweep_plan *sweep, cn_metric metric,
                         const setting *curve, double buffers, const cn_result *model,
                         const cn_result *simulation)
{
    char column[64], name[160];
    double scale = sweep->per_buffer ? 1.0 / buffers : 1.0;
    double predicted = scale * rp_value(table->run, model, metric);
    double simulated = scale * rp_value(table->run, simulation, metric);
    rp_table_number(table, predicted);
    rp_table_number(table, simulated);
    rp_table_number(table, scale * rp_half_width(table->run, simulation, metric));
    metric_column(sweep, metric, column);
    snprintf(name, sizeof name, "%s=%g/%s", cn_param_name(curve->param), curve->value, column);
    rp_table_compare(table, name, sweep->per_buffer ? "1/cycle^2" : cn_metric_unit(metric),
                     predicted, simulated);
}

static void write_row(rp_table *table, const sweep_plan *sweep, const cn_topology *cube,
                      const setting *curve, double along, int simulated)
{
    int curves_of_buffers = curve->param == CN_PARAM_BUFFERS;
    double buffers = curves_of_buffers ? curve->value : along;
    double load = curves_of_buffers ? along : curve->value;
    rp_experiment experiment = horng92_deflection(cube, load, buffers);
    const cn_result *model = rp_predict(table->run, &experiment);
    const cn_result *simulation = simulated ? rp_simulate(table->run, &experiment) : NULL;
    rp_table_number(table, buffers);
    rp_table_number(table, load);
    rp_table_at(table, load);
    for (const cn_metric *m = sweep->metrics; *m != 0; m++)
        write_metric(table, sweep, *m, curve, buffers, model, simulation);
    if (sweep->ideal != NULL)
        rp_table_number(table, sweep->ideal_factor * fmin(load, capacity(table->run, cube)));
    rp_table_end_row(table);
}

/* Up to the first the model is good even with few buffers; from the second on little changes. */
static const double of_interest[] = {1, 4};

static void write_sweep(rp_run *run, const rp_exhibit *exhibit, const sweep_plan *sweep,
                        const cn_topology *cube)
{
    char header[512];
    rp_table table;
    rp_points along = sweep->along(run);
    write_header(sweep, header);
    rp_table_open(&table, run, exhibit, header);
    rp_table_ranges(&table, "load", of_interest,
                    sweep->curve_param == CN_PARAM_LOAD ? 0 : COUNT(of_interest));
    for (size_t c = 0; c < sweep->curve_count; c++) {
        setting curve = {sweep->curve_param, sweep->curves[c]};
        for (size_t i = 0; i < along.count && !run->failed; i++)
            write_row(&table, sweep, cube, &curve, along.at[i], along.simulated[i]);
    }
    rp_table_close(&table);
}

/* One metric on one curve over the other parameter: the model's line, or the simulated points. */
static void draw_curve(rp_plot *plot, const sweep_plan *sweep, cn_metric metric, size_t curve,
                       curve_kind kind, unsigned colour, const char *title)
{
    char y[64];
    const char *of = cn_param_name(sweep->curve_param);
    const char *x =
        cn_param_name(sweep->curve_param == CN_PARAM_LOAD ? CN_PARAM_BUFFERS : CN_PARAM_LOAD);
    double value = sweep->curves[curve];
    metric_column(sweep, metric, y);
    if (kind == CURVE_LINE)
        rp_plot_curve(plot, kind, colour, title,
                      "(column('%s') == %g ? column('%s') : NaN):(column('%s_model'))", of, value,
                      x, y);
    else
        rp_plot_curve(plot, kind, colour, title,
                      "(column('%s') == %g ? column('%s') : NaN):(column('%s_simulation')):"
                      "(column('%s_half_width'))",
                      of, value, x, y, y);
}

/* It is the same on all curves, so the rows of the first will do. */
static void draw_ideal(rp_plot *plot, const sweep_plan *sweep)
{
    if (sweep->ideal != NULL)
        rp_plot_curve(plot, CURVE_DASHED, 6, "unlimited buffers",
                      "(column('buffers') == %g ? column('load') : NaN):(column('%s'))",
                      sweep->curves[0], sweep->ideal);
}

/* What lines and points stand for, below the names of the curves. */
static void explain_marks(rp_plot *plot)
{
    rp_plot_curve(plot, CURVE_LINE, 6, "model", "(NaN):(NaN)");
    rp_plot_curve(plot, CURVE_POINTS, 6, "simulation, 95 %", "(NaN):(NaN):(NaN)");
}

static void name_curve(const sweep_plan *sweep, size_t curve, char title[40])
{
    snprintf(title, 40, "%s = %g", sweep->curve_param == CN_PARAM_LOAD ? "λ" : "M",
             sweep->curves[curve]);
}

/* The points last: no line crosses them. */
static void draw_curves(rp_plot *plot, const sweep_plan *sweep)
{
    char title[40];
    for (unsigned c = 0; c < sweep->curve_count; c++) {
        name_curve(sweep, c, title);
        draw_curve(plot, sweep, sweep->metrics[0], c, CURVE_LINE, c, title);
    }
    for (unsigned c = 0; c < sweep->curve_count; c++)
        draw_curve(plot, sweep, sweep->metrics[0], c, CURVE_POINTS, c, "");
    explain_marks(plot);
}

const char horng92_load_label[] = "load λ (new messages per node and cycle)";
const char horng92_buffers_label[] = "buffers per node M (messages)";

/* Table and drawing of a sweep whose curves all show its first metric. */
static void make_sweep(rp_run *run, const rp_exhibit *exhibit, const sweep_plan *sweep,
                       const char *y_label, const char *command)
{
    cn_topology *cube = NULL;
    rp_plot plot;
    rp_check(run, cn_topology_hypercube(DIMENSIONS, &cube));
    write_sweep(run, exhibit, sweep, cube);
    rp_plot_open(&plot, run, exhibit,
                 sweep->curve_param == CN_PARAM_LOAD ? horng92_buffers_label : horng92_load_label,
                 y_label);
    rp_plot_command(&plot, command);
    draw_ideal(&plot, sweep);
    draw_curves(&plot, sweep);
    rp_plot_close(&plot);
    cn_topology_free(&cube);
}

/* ---- the figures ---- */

/* Horng 1992, 3.6; 1991, 6. With unlimited buffers nothing is deflected: net progress = load d / n. */
static void utilization(rp_run *run, const rp_exhibit *exhibit)
{
    static const char *const names[] = {"utilization", "forwarding", "net progress"};
    cn_topology *cube = NULL;
    rp_check(run, cn_topology_hypercube(DIMENSIONS, &cube));
    sweep_plan sweep = {.along = loads_up_to_four,
                        .curve_param = CN_PARAM_BUFFERS,
                        .curves = ten_buffers,
                        .curve_count = COUNT(ten_buffers),
                        .metrics = {CN_METRIC_CHANNEL_UTILIZATION, CN_METRIC_FORWARDING_PROBABILITY,
                                    CN_METRIC_NET_PROGRESS},
                        .ideal = "net_progress_unlimited_buffers",
                        .ideal_factor = 1.0 / capacity(run, cube)};
    write_sweep(run, exhibit, &sweep, cube);
    cn_topology_free(&cube);

    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, horng92_load_label, "probability per channel and cycle");
    rp_plot_command(&plot, "set yrange [0:1.05]");
    draw_ideal(&plot, &sweep);
    for (unsigned m = 0; m < COUNT(names); m++)
        draw_curve(&plot, &sweep, sweep.metrics[m], 0, CURVE_LINE, m, names[m]);
    for (unsigned m = 0; m < COUNT(names); m++)
        draw_curve(&plot, &sweep, sweep.metrics[m], 0, CURVE_POINTS, m, "");
    explain_marks(&plot);
    rp_plot_close(&plot);
}

static sweep_plan over_load(cn_metric metric)
{
    return (sweep_plan){.along = loads_up_to_four,
                        .curve_param = CN_PARAM_BUFFERS,
                        .curves = shown_buffers,
                        .curve_count = COUNT(shown_buffers),
                        .metrics = {metric}};
}

static sweep_plan over_buffers(cn_metric metric)
{
    return (sweep_plan){.along = buffer_sizes,
                        .curve_param = CN_PARAM_LOAD,
                        .curves = shown_loads,
                        .curve_count = COUNT(shown_loads),
                        .metrics = {metric}};
}

static void acceptance(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_load(CN_METRIC_ACCEPTANCE_PROBABILITY);
    make_sweep(run, exhibit, &sweep, "probability of acceptance P_A", "set yrange [0:1.05]");
}

static void throughput(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_load(CN_METRIC_THROUGHPUT);
    sweep.ideal = "throughput_unlimited_buffers";
    sweep.ideal_factor = 1.0;
    make_sweep(run, exhibit, &sweep, "throughput (messages per node and cycle)",
               "set yrange [0:2.1]");
}

/* Horng 1992, 3.9: the load runs along each curve; its last point is for a very large one. */
static void delay_over_throughput(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = NULL;
    sweep_plan sweep = over_load(CN_METRIC_THROUGHPUT);
    sweep.along = loads_without_end;
    sweep.metrics[1] = CN_METRIC_MEAN_DELAY;
    rp_check(run, cn_topology_hypercube(DIMENSIONS, &cube));
    write_sweep(run, exhibit, &sweep, cube);
    cn_topology_free(&cube);

    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, "throughput (messages per node and cycle)",
                 "mean delay (cycles)");
    rp_plot_command(&plot, "set yrange [0:12]\nset xrange [0:2]");
    char title[40];
    for (unsigned c = 0; c < sweep.curve_count; c++) {
        name_curve(&sweep, c, title);
        rp_plot_curve(&plot, CURVE_LINE, c, title,
                      "(column('buffers') == %g ? column('throughput_model') : NaN):"
                      "(column('mean_delay_model'))",
                      sweep.curves[c]);
    }
    for (unsigned c = 0; c < sweep.curve_count; c++)
        rp_plot_curve(&plot, CURVE_POINTS2, c, "",
                      "(column('buffers') == %g ? column('throughput_simulation') : NaN):"
                      "(column('mean_delay_simulation')):(column('throughput_half_width')):"
                      "(column('mean_delay_half_width'))",
                      sweep.curves[c]);
    explain_marks(&plot);
    rp_plot_close(&plot);
}

static const char power_label[] = "power γN / T (messages per cycle²)";
static const char power_accepted_label[] = "power γP_A / T (messages per cycle²)";

static void power(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_load(CN_METRIC_POWER);
    make_sweep(run, exhibit, &sweep, power_label, "set yrange [0:*]");
}

static void power_accepted(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_load(CN_METRIC_POWER_ACCEPTED);
    make_sweep(run, exhibit, &sweep, power_accepted_label, "set yrange [0:*]");
}

static void delay_over_buffers(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_buffers(CN_METRIC_MEAN_DELAY);
    make_sweep(run, exhibit, &sweep, "mean delay (cycles)", "set yrange [0:*]");
}

static void power_over_buffers(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_buffers(CN_METRIC_POWER_ACCEPTED);
    make_sweep(run, exhibit, &sweep, power_accepted_label, "set yrange [0:*]");
}

static void power_per_buffer(rp_run *run, const rp_exhibit *exhibit)
{
    sweep_plan sweep = over_buffers(CN_METRIC_POWER_ACCEPTED);
    sweep.per_buffer = 1;
    make_sweep(run, exhibit, &sweep, "power / M (1 per cycle²)", "set yrange [0:*]");
}

/* ---- the list ---- */

/* Weights as in `all`: what a figure shares with one before it costs nothing. */
const rp_exhibit horng92_chapter3[] = {
    {"horng92-fig-3.6", "Channel utilization and probability of forwarding, 6-cube, M = 10",
     "Horng 1992, Figure 3.6", 2.5, utilization},
    {"horng92-fig-3.7", "Probability of acceptance of an input message, 6-cube",
     "Horng 1992, Figure 3.7", 10, acceptance},
    {"horng92-fig-3.8", "Throughput per node against load, 6-cube", "Horng 1992, Figure 3.8", 0.1,
     throughput},
    {"horng92-fig-3.9", "Mean delay against throughput per node, 6-cube", "Horng 1992, Figure 3.9",
     1, delay_over_throughput},
    {"horng92-fig-3.10", "Power against load, 6-cube", "Horng 1992, Figure 3.10", 0.1, power},
    {"horng92-fig-3.11", "Buffer sizes that deliver 95 % and 99 % of the greatest power, 6-cube",
     "Horng 1992, Figure 3.11", 19, horng92_best_buffers},
    {"horng91-fig-6", "Channel utilization and probability of forwarding, 6-cube, M = 10",
     "Horng & Kleinrock 1991, Figure 6", 0.1, utilization},
    {"horng91-fig-7", "Probability of acceptance of an input message, 6-cube",
     "Horng & Kleinrock 1991, Figure 7", 0.1, acceptance},
    {"horng91-fig-8", "Mean delay against buffer size, 6-cube", "Horng & Kleinrock 1991, Figure 8",
     4.5, delay_over_buffers},
    {"horng91-fig-9", "Throughput per node against load, 6-cube",
     "Horng & Kleinrock 1991, Figure 9", 0.1, throughput},
    {"horng91-fig-10", "Power with acceptance against load, 6-cube",
     "Horng & Kleinrock 1991, Figure 10", 0.1, power_accepted},
    {"horng91-fig-11", "Power with acceptance against buffer size, 6-cube",
     "Horng & Kleinrock 1991, Figure 11", 0.1, power_over_buffers},
    {"horng91-fig-12", "Power with acceptance per buffer against buffer size, 6-cube",
     "Horng & Kleinrock 1991, Figure 12", 0.1, power_per_buffer},
    {0},
};
