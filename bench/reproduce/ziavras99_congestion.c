/*
 * Beyond Ziavras & Krishnamurthy 1999: how long multicasts and broadcasts take where channels and
 * buffers are scarce, how far that is from what no schedule can beat, and what other ways of
 * choosing paths give. docs/lab/collective-tables.md draws the conclusions.
 */
#include <math.h>

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
    unsigned k, n, quick_k, quick_n;
    const way *ways;
    double share; /* of the nodes, destinations; 0: all others */
    cn_destination_choice choice;
    int over_sizes;    /* x is the size of the buffers, else the number of operations */
    double operations; /* where x is the size */
    double at[10];     /* of x; 0 ends them */
} figure;

/* After the cycles to completion. */
static const cn_metric metrics[] = {CN_METRIC_LOWER_BOUND_CYCLES, CN_METRIC_OPERATION_CYCLES,
                                    CN_METRIC_TRANSMISSIONS,      CN_METRIC_CONTENTIONS,
                                    CN_METRIC_PEAK_CHANNEL_LOAD,  CN_METRIC_PEAK_BUFFER_USE};

static void write_row(rp_table *out, const figure *f, const cn_topology *topology, const way *how,
                      double x)
{
    rp_run *run = out->run;
    double nodes = (double)cn_topology_node_count(topology);
    const rp_experiment experiment = {
        .system = "collective",
        .topology = topology,
        .settings = {{CN_PARAM_MACHINE, CN_MACHINE_CHANNELS},
                     {CN_PARAM_TREE, how->tree},
                     {CN_PARAM_CLUBBING, how->clubbing},
                     {CN_PARAM_DETOURS, how->detours},
                     {CN_PARAM_DESTINATIONS, floor(nodes * f->share)},
                     {CN_PARAM_DESTINATION_CHOICE, f->choice},
                     {CN_PARAM_OPERATIONS, f->over_sizes ? f->operations : x},
                     {CN_PARAM_TRANSIT_BUFFERS, f->over_sizes ? x : 0},
                     {CN_PARAM_BUFFER_CLASSES, f->over_sizes},
                     {CN_PARAM_REPLICATIONS, run->quick ? QUICK_REPLICATIONS : REPLICATIONS},
                     {CN_PARAM_THREADS, (double)run->threads}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    cn_result *result = rp_run_simulation(run, scenario);
    rp_estimate cycles = rp_read(result, CN_METRIC_COMPLETION_CYCLES, 1);
    rp_table_text(out, how->name);
    rp_table_numbers(out, x);
    rp_table_estimate(out, cycles);
    for (size_t i = 0; i < COUNT(metrics); i++)
        rp_table_numbers(out, rp_value(result, metrics[i]));
    rp_table_compare(out, how->name, "cycles", cycles.value,
                     rp_value(result, CN_METRIC_LOWER_BOUND_CYCLES));
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* Logarithmic, from end to end of what is shown: on their own the axes would go to powers of
 * ten. */
static void set_axes(rp_plot *plot, const figure *f)
{
    const char *marks = rp_text("%g", f->at[0]);
    const double *last = f->at;
    rp_plot_command(plot, "stats ARG1 using ($3 - $4 < $5 ? $3 - $4 : $5) name 'low' nooutput\n"
                          "stats ARG1 using ($3 + $4) name 'high' nooutput\n"
                          "set logscale xy\nset yrange [low_min / 1.1 : high_max * 1.1]\n"
                          "set ytics (5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500, "
                          "700, 1000, 2000, 5000)");
    while (*++last > 0.0)
        marks = rp_text("%s, %g", marks, *last);
    rp_plot_command(
        plot, rp_text("set xtics (%s)\nset xrange [%g:%g]", marks, f->at[0] / 1.1, last[-1] * 1.1));
}

static void write_figure(rp_run *run, const rp_exhibit *exhibit)
{
    const figure *f = exhibit->of;
    rp_table out;
    rp_plot plot;
    unsigned colour = 0;
    cn_topology *topology =
        rp_network(run, "generalized_hypercube(k=%u,n=%u)", run->quick ? f->quick_k : f->k,
                   run->quick ? f->quick_n : f->n);
    rp_table_open(&out, run, exhibit,
                  rp_text("way,%s,completion_cycles,half_width,lower_bound_cycles,"
                          "operation_cycles,transmissions,contentions,peak_channel_load,"
                          "peak_buffer_use",
                          f->over_sizes ? "buffers" : "operations"));
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
    for (const way *how = f->ways; how->name != NULL; how++, colour++) {
        const char *columns = rp_text("(strcol(1) eq '%s' ? $2 : NaN)", how->name);
        rp_plot_curve(&plot, CURVE_POINTS, colour, how->name, "%s:3:4", columns);
        rp_plot_curve(&plot, CURVE_DASHED, colour, "", "%s:5", columns);
    }
    rp_plot_close(&plot);
}

/* ---- the figures ---- */

static const figure random_multicasts = {.k = 7,
                                         .n = 4,
                                         .quick_k = 4,
                                         .quick_n = 3,
                                         .ways = of_multicasts,
                                         .share = 1.0 / 8.0,
                                         .at = {12, 25, 50, 100, 200, 400}};

static const figure same_multicasts = {.k = 7,
                                       .n = 4,
                                       .quick_k = 4,
                                       .quick_n = 3,
                                       .ways = of_multicasts,
                                       .share = 1.0 / 8.0,
                                       .choice = CN_DESTINATIONS_SAME_RUN,
                                       .at = {12, 25, 50, 100, 200, 400}};

static const figure broadcasts = {.k = 3,
                                  .n = 6,
                                  .quick_k = 3,
                                  .quick_n = 3,
                                  .ways = of_broadcasts,
                                  .at = {12, 25, 50, 100, 200, 400}};

static const figure sizes = {.k = 7,
                             .n = 4,
                             .quick_k = 4,
                             .quick_n = 3,
                             .ways = of_multicasts,
                             .share = 1.0 / 8.0,
                             .choice = CN_DESTINATIONS_SAME_RUN,
                             .over_sizes = 1,
                             .operations = 100,
                             .at = {7, 10, 14, 20, 40, 80, 160}};

const rp_exhibit ziavras99_congestion[] = {
    {"ziavras99-congestion", "Random multicasts to 1/8 of the nodes: ways to choose paths",
     "beyond Ziavras & Krishnamurthy 1999", 12, write_figure, &random_multicasts},
    {"ziavras99-congestion-same", "Multicasts to one set, 1/8 of the nodes: ways to choose paths",
     "beyond Ziavras & Krishnamurthy 1999", 11, write_figure, &same_multicasts},
    {"ziavras99-congestion-broadcasts", "Broadcasts to all nodes: ways to choose trees",
     "beyond Ziavras & Krishnamurthy 1999", 4, write_figure, &broadcasts},
    {"ziavras99-congestion-buffers", "100 multicasts to one set over the size of the buffers",
     "beyond Ziavras & Krishnamurthy 1999", 9, write_figure, &sizes},
    {0},
};
