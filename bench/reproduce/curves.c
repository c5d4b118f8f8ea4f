/* What models and simulations say along the load, curve by curve, as a table and as a drawing. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

void rp_points_add(rp_points *points, double at, int simulated)
{
    points->at[points->count] = at;
    points->simulated[points->count++] = (char)simulated;
}

/* ---- the table ---- */

static size_t model_count(const rp_curves *curves)
{
    size_t count = 0;
    while (curves->models[count].column != NULL)
        count++;
    return count;
}

/* Of a metric in the file. */
static const char *column_of(const rp_curves *curves, cn_metric metric)
{
    return rp_text("%s%s%s", curves->prefix == NULL ? "" : curves->prefix, cn_metric_name(metric),
                   curves->per_buffer ? "_per_buffer" : "");
}

static const char *header_of(const rp_curves *curves)
{
    const char *header = curves->by == 0 ? "curve,system,network,buffers,load" : "buffers,load";
    for (const cn_metric *m = curves->metrics; *m != 0; m++) {
        const char *name = column_of(curves, *m);
        for (size_t i = 0; i < model_count(curves); i++)
            header = rp_text("%s,%s_%s", header, name, curves->models[i].column);
        header = rp_text("%s,%s_simulation,%s_half_width", header, name, name);
    }
    return curves->ideal == 0
               ? header
               : rp_text("%s,%s_unlimited_buffers", header, cn_metric_name(curves->ideal));
}

static double setting_of(const rp_experiment *experiment, cn_param param)
{
    const setting *s = experiment->settings;
    while (s->param != 0 && s->param != param)
        s++;
    return s->param == 0 ? NAN : s->value;
}

static double unit_of(const rp_curves *curves, const rp_curve *curve,
                      const rp_experiment *experiment, cn_metric metric)
{
    if (curves->per_buffer)
        return 1.0 / setting_of(experiment, CN_PARAM_BUFFERS);
    if (metric == CN_METRIC_THROUGHPUT)
        return 1.0 / curve->time_unit;
    return metric == CN_METRIC_MEAN_DELAY ? curve->time_unit : 1.0;
}

/* In the summary: "M = 4" as "M=4", other spaces as underscores. */
static const char *name_of(const rp_curves *curves, const rp_curve *curve)
{
    char name[48];
    size_t length = 0;
    if (curves->by != 0)
        return rp_text("%s=%g", cn_param_name(curves->by),
                       setting_of(&curve->experiment, curves->by));
    for (const char *c = curve->title; *c != '\0' && length < 47; c++)
        if (*c != ' ')
            name[length++] = *c;
        else if (c[1] != '=' && (c == curve->title || c[-1] != '='))
            name[length++] = '_';
    name[length] = '\0';
    return rp_text("%s", name);
}

static void write_metric(rp_table *table, const rp_curves *curves, const rp_curve *curve,
                         const rp_experiment *experiment, cn_metric metric,
                         const cn_result *const predicted[], const cn_result *simulation)
{
    const char *name = rp_text("%s/%s", name_of(curves, curve), column_of(curves, metric));
    double unit = unit_of(curves, curve, experiment, metric);
    rp_estimate simulated = rp_read(simulation, metric, unit);
    for (size_t i = 0; i < model_count(curves); i++) {
        double value = unit * rp_value(predicted[i], metric);
        rp_table_numbers(table, value);
        rp_table_compare(
            table, curves->by != 0 ? name : rp_text("%s_%s", name, curves->models[i].column),
            curves->per_buffer ? "1/cycle^2" : cn_metric_unit(metric), value, simulated.value);
    }
    rp_table_estimate(table, simulated);
}

/* What a network with unlimited buffers carries: every channel brings a message closer in every
 * cycle, n/d. */
static double ideal(rp_run *run, const rp_curves *curves, const cn_topology *network, double load)
{
    double distance = NAN;
    rp_check(run, cn_topology_mean_distance(network, NULL, &distance));
    double capacity = cn_topology_max_degree(network) / distance;
    double unit = curves->ideal == CN_METRIC_NET_PROGRESS ? 1.0 / capacity : 1.0;
    return unit * fmin(load, capacity);
}

static void write_row(rp_table *table, const rp_curves *curves, size_t c, size_t point)
{
    const rp_curve *curve = &curves->curves[c];
    const cn_result *predicted[RP_MAX_MODELS] = {NULL};
    rp_experiment experiment = curve->experiment;
    experiment.settings[curves->by == CN_PARAM_LOAD].value = curve->along.at[point];
    double load = experiment.settings[0].value;
    for (size_t i = 0; i < model_count(curves); i++) {
        rp_experiment modelled = rp_with(&experiment, curves->models[i].settings);
        predicted[i] = rp_predict(table->run, &modelled);
    }
    const cn_result *simulation =
        curve->along.simulated[point] ? rp_simulate(table->run, &experiment) : NULL;
    if (curves->by == 0) {
        rp_table_numbers(table, (double)c + 1.0);
        rp_table_text(table, experiment.system);
        rp_table_text(table, cn_topology_name(experiment.topology));
    }
    rp_table_numbers(table, setting_of(&experiment, CN_PARAM_BUFFERS), load);
    rp_table_at(table, load);
    for (const cn_metric *m = curves->metrics; *m != 0; m++)
        write_metric(table, curves, curve, &experiment, *m, predicted, simulation);
    if (curves->ideal != 0)
        rp_table_numbers(table, ideal(table->run, curves, experiment.topology, load));
}

static size_t range_count(const rp_curves *curves)
{
    size_t count = 0;
    while (count < RP_MAX_RANGES && curves->ranges[count] > 0.0)
        count++;
    return count;
}

void rp_curves_write(rp_run *run, const rp_exhibit *exhibit, const rp_curves *curves)
{
    rp_table table;
    rp_table_open(&table, run, exhibit, header_of(curves));
    rp_table_ranges(&table, "load", curves->ranges, range_count(curves));
    for (size_t c = 0; c < curves->count; c++)
        for (size_t i = 0; i < curves->curves[c].along.count && !run->failed; i++)
            write_row(&table, curves, c, i);
    rp_table_close(&table);
}

/* ---- the drawing ---- */

/* One curve in one metric: the line of a model, or the points of the simulation. */
typedef struct shown {
    const rp_curves *curves;
    size_t curve;
    cn_metric x, y; /* x 0: what the points are along */
    unsigned colour;
    const char *title;
} shown;

/* The column, in the rows of the curve. */
static const char *only(const rp_curves *curves, size_t curve, const char *column)
{
    if (curves->by == 0)
        return rp_text("(column('curve') == %zu ? column('%s') : NaN)", curve + 1, column);
    return rp_text("(column('%s') == %g ? column('%s') : NaN)", cn_param_name(curves->by),
                   setting_of(&curves->curves[curve].experiment, curves->by), column);
}

static const char *along(const rp_curves *curves)
{
    return curves->by == CN_PARAM_LOAD ? "buffers" : "load";
}

static void draw_model(rp_plot *plot, const shown *s, size_t model)
{
    const char *column = s->curves->models[model].column;
    const char *x =
        s->x == 0 ? along(s->curves) : rp_text("%s_%s", column_of(s->curves, s->x), column);
    rp_plot_curve(plot, model == 0 ? CURVE_LINE : CURVE_DOTTED, s->colour,
                  model == 0 ? s->title : "", "%s:(column('%s_%s'))", only(s->curves, s->curve, x),
                  column_of(s->curves, s->y), column);
}

static void draw_simulation(rp_plot *plot, const shown *s)
{
    const char *x = along(s->curves), *y = column_of(s->curves, s->y), *width = "";
    const char *simulated = memchr(s->curves->curves[s->curve].along.simulated, 1, RP_MAX_POINTS);
    if (simulated == NULL)
        return;
    if (s->x != 0) {
        x = rp_text("%s_simulation", column_of(s->curves, s->x));
        width = rp_text(":(column('%s_half_width'))", column_of(s->curves, s->x));
    }
    rp_plot_curve(plot, s->x == 0 ? CURVE_POINTS : CURVE_POINTS2, s->colour, "",
                  "%s:(column('%s_simulation'))%s:(column('%s_half_width'))",
                  only(s->curves, s->curve, x), y, width, y);
}

/* The points last: no line crosses them. */
static void draw(rp_plot *plot, const rp_curves *curves, const shown all[], size_t count)
{
    if (curves->ideal != 0 && all[0].x == 0)
        rp_plot_curve(plot, CURVE_DASHED, 6, "unlimited buffers",
                      "%s:(column('%s_unlimited_buffers'))", only(curves, 0, "load"),
                      cn_metric_name(curves->ideal));
    for (size_t i = 0; i < model_count(curves); i++)
        for (size_t s = 0; s < count; s++)
            draw_model(plot, &all[s], i);
    for (size_t s = 0; s < count; s++)
        draw_simulation(plot, &all[s]);
    for (size_t i = 0; i < model_count(curves); i++)
        rp_plot_curve(plot, i == 0 ? CURVE_LINE : CURVE_DOTTED, 6, curves->models[i].title,
                      "(NaN):(NaN)");
    rp_plot_curve(plot, CURVE_POINTS, 6, "simulation, 95 %", "(NaN):(NaN):(NaN)");
}

void rp_curves_draw(rp_plot *plot, const rp_curves *curves, cn_metric x, cn_metric y)
{
    shown all[RP_MAX_CURVES];
    for (size_t c = 0; c < curves->count; c++)
        all[c] = (shown){curves, c, x, y, (unsigned)c, curves->curves[c].title};
    draw(plot, curves, all, curves->count);
}

void rp_curves_draw_metrics(rp_plot *plot, const rp_curves *curves, const char *const titles[])
{
    shown all[RP_MAX_METRICS];
    size_t count = 0;
    for (; curves->metrics[count] != 0; count++)
        all[count] = (shown){curves, 0, 0, curves->metrics[count], (unsigned)count, titles[count]};
    draw(plot, curves, all, count);
}
