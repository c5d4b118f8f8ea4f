/* What models and simulations say along the load, curve by curve, as a table and as a drawing. */
#include "reproduce.h"

#include <math.h>
#include <stdio.h>

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

static void column_of(const rp_curves *curves, cn_metric metric, char name[80])
{
    snprintf(name, 80, "%s%s", curves->prefix == NULL ? "" : curves->prefix,
             cn_metric_name(metric));
}

static void write_header(const rp_curves *curves, char header[640])
{
    char name[80];
    int length = snprintf(header, 640, "curve,system,network,buffers,load");
    for (const cn_metric *m = curves->metrics; *m != 0; m++) {
        column_of(curves, *m, name);
        for (size_t i = 0; i < model_count(curves); i++)
            length += snprintf(header + length, 640 - (size_t)length, ",%s_%s", name,
                               curves->models[i].column);
        length += snprintf(header + length, 640 - (size_t)length, ",%s_simulation,%s_half_width",
                           name, name);
    }
    if (curves->ideal)
        snprintf(header + length, 640 - (size_t)length, ",throughput_unlimited_buffers");
}

static double unit_of(const rp_curve *curve, cn_metric metric)
{
    if (metric == CN_METRIC_THROUGHPUT)
        return 1.0 / curve->time_unit;
    return metric == CN_METRIC_MEAN_DELAY ? curve->time_unit : 1.0;
}

/* The experiment as this model is to see it. */
static rp_experiment with_model(const rp_experiment *experiment, const rp_model *model)
{
    rp_experiment made = *experiment;
    setting *end = made.settings;
    while (end->param != 0)
        end++;
    for (const setting *s = model->settings; s->param != 0; s++)
        *end++ = *s;
    return made;
}

/* "M = 4" as "M=4", other spaces as underscores. */
static void name_without_spaces(const char *title, char name[48])
{
    size_t length = 0;
    for (const char *c = title; *c != '\0' && length < 47; c++)
        if (*c != ' ')
            name[length++] = *c;
        else if (c[1] != '=' && (c == title || c[-1] != '='))
            name[length++] = '_';
    name[length] = '\0';
}

static void write_metric(rp_table *table, const rp_curves *curves, const rp_curve *curve,
                         cn_metric metric, const cn_result *const predicted[],
                         const cn_result *simulation)
{
    rp_run *run = table->run;
    char column[80], curve_name[48], name[192];
    double scale = unit_of(curve, metric);
    double simulated = scale * rp_value(run, simulation, metric);
    column_of(curves, metric, column);
    name_without_spaces(curve->title, curve_name);
    for (size_t i = 0; i < model_count(curves); i++) {
        double value = scale * rp_value(run, predicted[i], metric);
        rp_table_number(table, value);
        snprintf(name, sizeof name, "%s/%s_%s", curve_name, column, curves->models[i].column);
        rp_table_compare(table, name, cn_metric_unit(metric), value, simulated);
    }
    rp_table_number(table, simulated);
    rp_table_number(table, scale * rp_half_width(run, simulation, metric));
}

/* Every channel brings a message closer in every cycle: n/d. */
static double capacity(rp_run *run, const cn_topology *network)
{
    double distance = NAN;
    rp_check(run, cn_topology_mean_distance(network, NULL, &distance));
    return cn_topology_max_degree(network) / distance;
}

static double buffers_of(const rp_experiment *experiment)
{
    for (const setting *s = experiment->settings; s->param != 0; s++)
        if (s->param == CN_PARAM_BUFFERS)
            return s->value;
    return NAN;
}

static void write_row(rp_table *table, const rp_curves *curves, size_t c, size_t point)
{
    const rp_curve *curve = &curves->curves[c];
    const cn_result *predicted[RP_MAX_MODELS] = {NULL};
    rp_experiment experiment = curve->experiment;
    double load = experiment.settings[0].value = curve->loads.at[point];
    for (size_t i = 0; i < model_count(curves); i++) {
        rp_experiment modelled = with_model(&experiment, &curves->models[i]);
        predicted[i] = rp_predict(table->run, &modelled);
    }
    const cn_result *simulation =
        curve->loads.simulated[point] ? rp_simulate(table->run, &experiment) : NULL;
    rp_table_number(table, (double)c + 1.0);
    rp_table_text(table, experiment.system);
    rp_table_text(table, cn_topology_name(experiment.topology));
    rp_table_number(table, buffers_of(&experiment));
    rp_table_number(table, load);
    rp_table_at(table, load);
    for (const cn_metric *m = curves->metrics; *m != 0; m++)
        write_metric(table, curves, curve, *m, predicted, simulation);
    if (curves->ideal)
        rp_table_number(table, fmin(load, capacity(table->run, experiment.topology)));
    rp_table_end_row(table);
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
    char header[640];
    rp_table table;
    write_header(curves, header);
    rp_table_open(&table, run, exhibit, header);
    rp_table_ranges(&table, "load", curves->ranges, range_count(curves));
    for (size_t c = 0; c < curves->count; c++)
        for (size_t i = 0; i < curves->curves[c].loads.count && !run->failed; i++)
            write_row(&table, curves, c, i);
    rp_table_close(&table);
}

/* ---- the drawing ---- */

static void draw_model(rp_plot *plot, const rp_curves *curves, size_t c, size_t model, cn_metric x,
                       cn_metric y)
{
    char x_column[96] = "load", x_name[80], y_name[80];
    const char *column = curves->models[model].column;
    column_of(curves, y, y_name);
    if (x != 0) {
        column_of(curves, x, x_name);
        snprintf(x_column, sizeof x_column, "%s_%s", x_name, column);
    }
    rp_plot_curve(plot, model == 0 ? CURVE_LINE : CURVE_DOTTED, (unsigned)c,
                  model == 0 ? curves->curves[c].title : "",
                  "(column('curve') == %zu ? column('%s') : NaN):(column('%s_%s'))", c + 1,
                  x_column, y_name, column);
}

static void draw_simulation(rp_plot *plot, const rp_curves *curves, size_t c, cn_metric x,
                            cn_metric y)
{
    char x_name[80], y_name[80];
    column_of(curves, y, y_name);
    if (x == 0) {
        rp_plot_curve(plot, CURVE_POINTS, (unsigned)c, "",
                      "(column('curve') == %zu ? column('load') : NaN):(column('%s_simulation')):"
                      "(column('%s_half_width'))",
                      c + 1, y_name, y_name);
        return;
    }
    column_of(curves, x, x_name);
    rp_plot_curve(plot, CURVE_POINTS2, (unsigned)c, "",
                  "(column('curve') == %zu ? column('%s_simulation') : NaN):"
                  "(column('%s_simulation')):(column('%s_half_width')):(column('%s_half_width'))",
                  c + 1, x_name, y_name, x_name, y_name);
}

static int is_simulated(const rp_curve *curve)
{
    for (size_t i = 0; i < curve->loads.count; i++)
        if (curve->loads.simulated[i])
            return 1;
    return 0;
}

/* The points last: no line crosses them. */
void rp_curves_draw(rp_plot *plot, const rp_curves *curves, cn_metric x, cn_metric y)
{
    if (curves->ideal && x == 0)
        rp_plot_curve(plot, CURVE_DASHED, 6, "unlimited buffers",
                      "(column('curve') == 1 ? column('load') : NaN):"
                      "(column('throughput_unlimited_buffers'))");
    for (size_t i = 0; i < model_count(curves); i++)
        for (size_t c = 0; c < curves->count; c++)
            draw_model(plot, curves, c, i, x, y);
    for (size_t c = 0; c < curves->count; c++)
        if (is_simulated(&curves->curves[c]))
            draw_simulation(plot, curves, c, x, y);
    for (size_t i = 0; i < model_count(curves); i++)
        rp_plot_curve(plot, i == 0 ? CURVE_LINE : CURVE_DOTTED, 6, curves->models[i].title,
                      "(NaN):(NaN)");
    rp_plot_curve(plot, CURVE_POINTS, 6, "simulation, 95 %", "(NaN):(NaN):(NaN)");
}
