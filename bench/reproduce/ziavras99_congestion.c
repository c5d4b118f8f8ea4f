/*
 * Beyond Ziavras & Krishnamurthy 1999: how long multicasts and broadcasts take where channels and buffers are
 * scarce, how far that is from what no schedule can beat, and what other ways of choosing paths give.
 * docs/collective-tables.md draws the conclusions.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce.h"

enum { REPLICATIONS = 20, QUICK_REPLICATIONS = 4 };

/* ---- ways to carry an operation out ---- */

typedef struct way {
    const char *name;
    cn_message_tree tree;
    int clubbing, detours;
} way;

static const way of_multicasts[] = {
    {"separate messages", CN_TREE_BALANCED, 0, 0},
    {"separate with detours", CN_TREE_BALANCED, 0, 1},
    {"separate and random tree", CN_TREE_TURNED, 0, 0},
    {"separate and least used", CN_TREE_LEAST_USED, 0, 0},
    {"clubbed", CN_TREE_BALANCED, 1, 0},
    {"clubbed and random tree", CN_TREE_TURNED, 1, 0},
    {0},
};

static const way of_broadcasts[] = {
    {"balanced tree", CN_TREE_BALANCED, 0, 0},
    {"split in spanning graph", CN_TREE_SPLIT, 0, 0},
    {"random tree", CN_TREE_TURNED, 0, 0},
    {"adaptive detours", CN_TREE_BALANCED, 0, 1},
    {0},
};

/* ---- one figure ---- */

typedef struct figure {
    uint64_t k, quick_k;
    uint32_t n, quick_n;
    const way *ways;
    double share; /* of the nodes, destinations; 0: all others */
    cn_destination_choice choice;
    int over_sizes;    /* x is the size of the buffers, else the number of operations */
    double operations; /* where x is the size */
    double at[10];     /* of x; 0 ends them */
} figure;

static const cn_metric metrics[] = {
    CN_METRIC_COMPLETION_CYCLES, CN_METRIC_LOWER_BOUND_CYCLES, CN_METRIC_OPERATION_CYCLES,
    CN_METRIC_TRANSMISSIONS,     CN_METRIC_CONTENTIONS,        CN_METRIC_PEAK_CHANNEL_LOAD,
    CN_METRIC_PEAK_BUFFER_USE,
};

enum { METRICS = sizeof metrics / sizeof *metrics };

static cn_result *simulate(rp_run *run, const figure *f, const cn_topology *topology,
                           const way *how, double x)
{
    double nodes = (double)cn_topology_node_count(topology);
    const setting settings[] = {
        {CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
        {CN_PARAM_TREE, how->tree},
        {CN_PARAM_CLUBBING, how->clubbing},
        {CN_PARAM_DETOURS, how->detours},
        {CN_PARAM_DESTINATIONS, floor(nodes * f->share)},
        {CN_PARAM_DESTINATION_CHOICE, f->choice},
        {CN_PARAM_OPERATIONS, f->over_sizes ? f->operations : x},
        {CN_PARAM_TRANSIT_BUFFERS, f->over_sizes ? x : 0},
        {CN_PARAM_BUFFER_CLASSES, f->over_sizes},
        {CN_PARAM_REPLICATIONS, run->quick ? QUICK_REPLICATIONS : REPLICATIONS},
        {CN_PARAM_THREADS, (double)run->threads},
    };
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    rp_check(run, cn_scenario_new(topology, "collective", &scenario));
    for (size_t i = 0; i < sizeof settings / sizeof *settings && !run->failed; i++)
        rp_check(run, cn_scenario_set(scenario, settings[i].param, settings[i].value));
    if (!run->failed)
        rp_check(run, cn_simulate(scenario, NULL, &result));
    cn_scenario_free(&scenario);
    return result;
}

static void write_row(rp_table *out, const figure *f, const cn_topology *topology, const way *how,
                      double x)
{
    cn_result *result = simulate(out->run, f, topology, how, x);
    rp_table_text(out, how->name);
    rp_table_number(out, x);
    for (size_t i = 0; i < METRICS; i++) {
        rp_table_number(out, rp_value(out->run, result, metrics[i]));
        if (i == 0)
            rp_table_number(out, rp_half_width(out->run, result, metrics[i]));
    }
    rp_table_end_row(out);
    rp_table_compare(out, how->name, "cycles",
                     rp_value(out->run, result, CN_METRIC_COMPLETION_CYCLES),
                     rp_value(out->run, result, CN_METRIC_LOWER_BOUND_CYCLES));
    cn_result_free(&result);
}

/* Logarithmic, from end to end of what is shown: on their own the axes would go to powers of ten. */
static void set_axes(rp_plot *plot, const figure *f)
{
    char command[256], *end = command + sizeof command, *to = command;
    const double *last = f->at;
    rp_plot_command(plot, "stats ARG1 using ($3 - $4 < $5 ? $3 - $4 : $5) name 'low' nooutput\n"
                          "stats ARG1 using ($3 + $4) name 'high' nooutput\n"
                          "set logscale xy\nset yrange [low_min / 1.1 : high_max * 1.1]\n"
                          "set ytics (5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500, "
                          "700, 1000, 2000, 5000)");
    to += snprintf(to, (size_t)(end - to), "set xtics (%g", f->at[0]);
    while (*++last > 0.0)
        to += snprintf(to, (size_t)(end - to), ", %g", *last);
    snprintf(to, (size_t)(end - to), ")\nset xrange [%g:%g]", f->at[0] / 1.1, last[-1] * 1.1);
    rp_plot_command(plot, command);
}

static void write_figure(rp_run *run, const rp_exhibit *exhibit, const figure *f)
{
    rp_table out;
    rp_plot plot;
    cn_topology *topology = NULL;
    char header[256];
    const char *x = f->over_sizes ? "buffers" : "operations";
    snprintf(header, sizeof header,
             "way,%s,completion_cycles,half_width,lower_bound_cycles,operation_cycles,"
             "transmissions,contentions,peak_channel_load,peak_buffer_use",
             x);
    rp_check(run, cn_topology_generalized_hypercube(run->quick ? f->quick_k : f->k,
                                                    run->quick ? f->quick_n : f->n, &topology));
    rp_table_open(&out, run, exhibit, header);
    for (const way *how = f->ways; how->name != NULL; how++)
        for (const double *at = f->at; *at > 0.0 && !run->failed; at++)
            write_row(&out, f, topology, how, *at);
    cn_topology_free(&topology);
    rp_table_close(&out);
    rp_plot_open(&plot, run, exhibit,
                 f->over_sizes ? "buffers of a node, messages"
                               : "operations that start in the first 20 cycles",
                 "cycles to completion; dashed: lower bound");
    set_axes(&plot, f);
    unsigned colour = 0;
    for (const way *how = f->ways; how->name != NULL; how++, colour++) {
        const char *only = "(strcol(1) eq '%s' ? $2 : NaN)";
        char columns[128];
        snprintf(columns, sizeof columns, only, how->name);
        rp_plot_curve(&plot, CURVE_POINTS, colour, how->name, "%s:3:4", columns);
        rp_plot_curve(&plot, CURVE_DASHED, colour, "", "%s:5", columns);
    }
    rp_plot_close(&plot);
}

/* ---- the figures ---- */

static void random_multicasts(rp_run *run, const rp_exhibit *exhibit)
{
    static const figure f = {.k = 7,
                             .n = 4,
                             .quick_k = 4,
                             .quick_n = 3,
                             .ways = of_multicasts,
                             .share = 1.0 / 8.0,
                             .at = {12, 25, 50, 100, 200, 400}};
    write_figure(run, exhibit, &f);
}

static void same_multicasts(rp_run *run, const rp_exhibit *exhibit)
{
    static const figure f = {.k = 7,
                             .n = 4,
                             .quick_k = 4,
                             .quick_n = 3,
                             .ways = of_multicasts,
                             .share = 1.0 / 8.0,
                             .choice = CN_DESTINATIONS_SAME_RUN,
                             .at = {12, 25, 50, 100, 200, 400}};
    write_figure(run, exhibit, &f);
}

static void broadcasts(rp_run *run, const rp_exhibit *exhibit)
{
    static const figure f = {.k = 3,
                             .n = 6,
                             .quick_k = 3,
                             .quick_n = 3,
                             .ways = of_broadcasts,
                             .at = {12, 25, 50, 100, 200, 400}};
    write_figure(run, exhibit, &f);
}

static void sizes(rp_run *run, const rp_exhibit *exhibit)
{
    static const figure f = {.k = 7,
                             .n = 4,
                             .quick_k = 4,
                             .quick_n = 3,
                             .ways = of_multicasts,
                             .share = 1.0 / 8.0,
                             .choice = CN_DESTINATIONS_SAME_RUN,
                             .over_sizes = 1,
                             .operations = 100,
                             .at = {7, 10, 14, 20, 40, 80, 160}};
    write_figure(run, exhibit, &f);
}

const rp_exhibit ziavras99_congestion[] = {
    {"ziavras99-congestion", "Random multicasts to 1/8 of the nodes: ways to choose paths",
     "beyond Ziavras & Krishnamurthy 1999", 12, random_multicasts},
    {"ziavras99-congestion-same", "Multicasts to one set, 1/8 of the nodes: ways to choose paths",
     "beyond Ziavras & Krishnamurthy 1999", 11, same_multicasts},
    {"ziavras99-congestion-broadcasts", "Broadcasts to all nodes: ways to choose trees",
     "beyond Ziavras & Krishnamurthy 1999", 4, broadcasts},
    {"ziavras99-congestion-buffers", "100 multicasts to one set over the size of the buffers",
     "beyond Ziavras & Krishnamurthy 1999", 9, sizes},
    {0},
};
