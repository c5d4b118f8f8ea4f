/*
 * Deflection routing on k-ary n-cubes with unidirectional rings: Horng 1992, chapter 4.
 *
 * The paper prints no numbers for its curves. The text names the networks, of the buffer sizes only
 * 4 and 8 (of the shapes, 2n); the other sizes and the loads are ours. The column `model` is the
 * dissertation's model with its reduced diagram of 4.3.2, `model_own` the library's own.
 */
#include <math.h>
#include <stdio.h>

#include "cubenet/experimental/intermediate.h"
#include "cubenet/experimental/shape.h"

#include "horng92_chapter3.h"

static const rp_model both_models[] = {
    {"model", "model", {{CN_PARAM_STATE_SPACE, CN_STATES_REDUCED}}},
    {"model_own", "model, own", {{CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}}},
    {0},
};

static const char throughput_label[] = "throughput (messages per node and cycle)";

/* ---- Table 4.1 ---- */

static void state_counts(rp_run *run, const rp_exhibit *exhibit)
{
    static const struct {
        uint64_t k;
        uint32_t n;
        double states;
    } paper[] = {{16, 2, 45}, {4, 4, 25}, {2, 8, 9}};
    rp_table table;
    rp_table_open(&table, run, exhibit, "k,n,nodes,states,states_paper,agrees,states_exact");
    for (size_t i = 0; i < COUNT(paper) && !run->failed; i++) {
        uint64_t reduced = 0, exact = 0;
        double hops;
        cn_topology *network = rp_one_way_cube(run, paper[i].k, paper[i].n);
        rp_check(run, cn_deflection_mean_hops(network, 2, 0.1, NULL, &hops, &reduced));
        rp_check(run, cn_deflection_mean_hops(network, 1, 0.1, NULL, &hops, &exact));
        rp_table_numbers(&table, (double)paper[i].k, paper[i].n,
                         (double)cn_topology_node_count(network), (double)reduced, paper[i].states,
                         (double)reduced == paper[i].states, (double)exact);
        rp_table_compare(&table, "states", "states", (double)reduced, paper[i].states);
        cn_topology_free(&network);
    }
    rp_table_close(&table);
}

/* ---- throughput and delay of the 8-ary 2-cube (4.4, 4.5) ---- */

/* From 0 to 0.6 by eightieths; the network can carry 0.28. */
static rp_points loads_to_twice_capacity(const rp_run *run)
{
    rp_points loads = {.count = 0};
    for (int i = 0; i <= 48; i += run->quick ? 4 : 1)
        rp_points_add(&loads, i / 80.0, i > 0 && i % (run->quick ? 16 : 4) == 0);
    return loads;
}

static rp_points loads_without_end(const rp_run *run)
{
    static const double large[] = {0.7, 0.8, 1, 1.5, 2, 5, 10, 50};
    rp_points loads = loads_to_twice_capacity(run);
    for (size_t i = 0; i < COUNT(large); i++)
        rp_points_add(&loads, large[i], large[i] == 1 || large[i] == 50);
    return loads;
}

static void draw_sizes(rp_run *run, const rp_exhibit *exhibit, rp_curves *curves, rp_points loads)
{
    static const double buffers[] = {2, 4, 6, 8};
    rp_curve drawn[COUNT(buffers)];
    cn_topology *network = rp_one_way_cube(run, 8, 2);
    int over_throughput = curves->metrics[1] == CN_METRIC_MEAN_DELAY;
    rp_plot plot;
    for (size_t c = 0; c < COUNT(buffers); c++) {
        drawn[c] = (rp_curve){.experiment = horng92_deflection(network, 0.0, buffers[c]),
                              .along = loads,
                              .time_unit = 1.0};
        snprintf(drawn[c].title, sizeof drawn[c].title, "M = %g", buffers[c]);
    }
    curves->curves = drawn;
    curves->count = COUNT(buffers);
    rp_curves_write(run, exhibit, curves);
    rp_plot_open(&plot, run, exhibit, over_throughput ? throughput_label : horng92_load_label,
                 over_throughput ? "mean delay (cycles)" : throughput_label);
    rp_plot_command(&plot,
                    over_throughput ? "set yrange [0:*]\nset xrange [0:*]" : "set yrange [0:0.3]");
    rp_curves_draw(&plot, curves, over_throughput ? CN_METRIC_THROUGHPUT : 0,
                   curves->metrics[over_throughput]);
    rp_plot_close(&plot);
    cn_topology_free(&network);
}

static void throughput(rp_run *run, const rp_exhibit *exhibit)
{
    rp_curves curves = {.metrics = {CN_METRIC_THROUGHPUT, CN_METRIC_ACCEPTANCE_PROBABILITY},
                        .models = both_models,
                        .ideal = CN_METRIC_THROUGHPUT};
    draw_sizes(run, exhibit, &curves, loads_to_twice_capacity(run));
}

static void delay_over_throughput(rp_run *run, const rp_exhibit *exhibit)
{
    rp_curves curves = {.metrics = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY},
                        .models = both_models};
    draw_sizes(run, exhibit, &curves, loads_without_end(run));
}

/* ---- buffer sizes for 95 % of the greatest power (4.6, 4.7) ---- */

static void write_model_range(rp_table *table, const cn_topology *network, double load,
                              const setting *model, double *best)
{
    rp_run *run = table->run;
    rp_experiment experiment = {.system = "deflection",
                                .topology = network,
                                .settings = {{CN_PARAM_LOAD, load}, {model->param, model->value}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    uint64_t least = 0, greatest = 0;
    *best = NAN;
    cn_status status = cn_buffer_range(scenario, 0.95, NULL, &least, &greatest, best);
    if (status != CN_ERR_UNSUPPORTED) /* fewer than those in the region of the model may do */
        rp_check(run, status);
    cn_scenario_free(&scenario);
    rp_table_numbers(table, least == 0 ? NAN : (double)least,
                     greatest == 0 ? NAN : (double)greatest, *best);
}

static void write_region(rp_table *table, const cn_topology *network, double load, int simulated)
{
    power_list powers = {.count = 0};
    size_region region = {NAN, NAN};
    double best = NAN, half_width = NAN;
    rp_table_numbers(table, load);
    if (simulated) {
        powers = horng92_powers_at(table->run, network, load, 1);
        region = horng92_region_of(&powers, 0.95);
        best = powers.power[powers.best];
        half_width = powers.half_width;
    }
    for (const rp_model *model = both_models; model->column != NULL; model++) {
        double predicted;
        write_model_range(table, network, load, model->settings, &predicted);
        rp_table_compare(table, rp_text("best_power_%s", model->column),
                         cn_metric_unit(CN_METRIC_POWER), predicted, best);
    }
    rp_table_numbers(table, region.least, region.greatest, best, half_width);
}

static void draw_regions(rp_run *run, const rp_exhibit *exhibit, uint32_t n, double most)
{
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, horng92_load_label, horng92_buffers_label);
    rp_plot_command(&plot, rp_text("bounded(x) = x == x && x < %u ? x : %u\nset xrange [0:%.3g]\n"
                                   "set yrange [0:%u]",
                                   8 * n, 8 * n, most, 8 * n));
    rp_plot_curve(&plot, CURVE_AREA, 5, "at least 95 %",
                  "'load':'least_buffers_95_model':(bounded(column('greatest_buffers_95_model')))");
    rp_plot_curve(&plot, CURVE_DOTTED, 0, "95 %, own model", "'load':'least_buffers_95_model_own'");
    rp_plot_curve(&plot, CURVE_DOTTED, 0, "", "'load':'greatest_buffers_95_model_own'");
    rp_plot_curve(&plot, CURVE_DASHED, 6, "M = 2n", "'load':(%u)", 2 * n);
    rp_plot_curve(&plot, CURVE_POINTS, 1, "95 %, simulation",
                  "(column('load')):(column('least_buffers_95_simulation')):(0)");
    rp_plot_curve(&plot, CURVE_POINTS, 1, "",
                  "(column('load')):(column('greatest_buffers_95_simulation')):(0)");
    rp_plot_close(&plot);
}

/* Loads up to the ideal throughput of a large network, 2 / (k - 1), as in the dissertation. */
static void regions(rp_run *run, const rp_exhibit *exhibit)
{
    const uint32_t *shape = exhibit->of, k = shape[0], n = shape[1];
    cn_topology *network = rp_one_way_cube(run, k, n);
    double most = 2.0 / (k - 1);
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "load,least_buffers_95_model,greatest_buffers_95_model,best_power_model,"
                  "least_buffers_95_model_own,greatest_buffers_95_model_own,"
                  "best_power_model_own,least_buffers_95_simulation,"
                  "greatest_buffers_95_simulation,best_power_simulation,best_power_half_width");
    for (int i = 1; i < 40 && !run->failed; i += run->quick ? 6 : 1)
        write_region(&table, network, most * i / 40, run->quick ? i == 31 : i % 12 == 0);
    rp_table_close(&table);
    cn_topology_free(&network);
    draw_regions(run, exhibit, n, most);
}

/* ---- the shapes of 64 nodes at constant bisection width (4.8 to 4.10) ---- */

enum { NODES = 64, MAX_SHAPES = 8 };

/* Parts of what the channels can carry, and on to a network that is always full. */
static rp_points loads_of_shape(const rp_run *run, uint64_t k)
{
    static const double large[] = {1.25, 1.5, 2, 3, 5, 10, 50, 200};
    double full = 2.0 / (double)(k - 1);
    rp_points loads = {.count = 0};
    for (int i = 0; i <= 20; i += run->quick ? 2 : 1)
        rp_points_add(&loads, full * i / 20,
                      i > 0 && (run->quick ? i == 10 : i % 4 == 0 || i == 18));
    for (size_t i = 0; i < COUNT(large); i++)
        rp_points_add(&loads, full * large[i],
                      large[i] == 1.5 || (!run->quick && (large[i] == 3 || large[i] == 200)));
    return loads;
}

/* Without the ring of 64 nodes: to the text the 8-ary 2-cube is an extreme case. */
static size_t fill_shapes(rp_run *run, double beta, cn_topology *networks[MAX_SHAPES],
                          rp_curve drawn[MAX_SHAPES])
{
    uint64_t k[MAX_SHAPES];
    uint32_t n[MAX_SHAPES];
    size_t shapes = 0, count = 0;
    rp_check(run, cn_kary_shapes(NODES, k, n, MAX_SHAPES, &shapes));
    for (size_t i = 0; i < shapes && !run->failed; i++) {
        if (n[i] < 2)
            continue;
        networks[count] = rp_one_way_cube(run, k[i], n[i]);
        drawn[count] =
            (rp_curve){.experiment = horng92_deflection(networks[count], 0.0, 2.0 * n[i]),
                       .along = loads_of_shape(run, k[i])};
        rp_check(run, cn_bisection_cycle_time(k[i], 0, beta, &drawn[count].time_unit));
        snprintf(drawn[count].title, sizeof drawn[count].title, "%u-ary %u-cube", (unsigned)k[i],
                 (unsigned)n[i]);
        count++;
    }
    return count;
}

static void shapes(rp_run *run, const rp_exhibit *exhibit)
{
    const double *beta = exhibit->of;
    cn_topology *networks[MAX_SHAPES] = {NULL};
    rp_curve drawn[MAX_SHAPES];
    rp_plot plot;
    rp_curves curves = {.curves = drawn,
                        .count = fill_shapes(run, *beta, networks, drawn),
                        .metrics = {CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY},
                        .prefix = "normalized_",
                        .models = both_models};
    rp_curves_write(run, exhibit, &curves);
    rp_plot_open(&plot, run, exhibit, "normalized throughput γ_N", "normalized delay T_N");
    rp_plot_command(&plot, "set yrange [0:*]\nset xrange [0:*]");
    rp_curves_draw(&plot, &curves, CN_METRIC_THROUGHPUT, CN_METRIC_MEAN_DELAY);
    rp_plot_close(&plot);
    for (size_t i = 0; i < MAX_SHAPES; i++)
        cn_topology_free(&networks[i]);
}

/* ---- the list ---- */

const rp_exhibit horng92_chapter4[] = {
    {"horng92-table-4.1", "States of the diagram of headers, networks of 256 nodes",
     "Horng 1992, Table 4.1", 0.1, state_counts, NULL},
    {"horng92-fig-4.4", "Throughput per node against load, 8-ary 2-cube", "Horng 1992, Figure 4.4",
     10, throughput, NULL},
    {"horng92-fig-4.5", "Mean delay against throughput per node, 8-ary 2-cube",
     "Horng 1992, Figure 4.5", 2, delay_over_throughput, NULL},
    {"horng92-fig-4.6", "Buffer sizes that deliver 95 % of the greatest power, 8-ary 2-cube",
     "Horng 1992, Figure 4.6", 4, regions, (const uint32_t[]){8, 2}},
    {"horng92-fig-4.7", "Buffer sizes that deliver 95 % of the greatest power, 4-ary 3-cube",
     "Horng 1992, Figure 4.7", 8, regions, (const uint32_t[]){4, 3}},
    {"horng92-fig-4.8", "Normalized delay against throughput, 64 nodes, β = 0",
     "Horng 1992, Figure 4.8", 4.5, shapes, &(const double){0.0}},
    {"horng92-fig-4.9", "Normalized delay against throughput, 64 nodes, β = 0.25",
     "Horng 1992, Figure 4.9", 0.1, shapes, &(const double){0.25}},
    {"horng92-fig-4.10", "Normalized delay against throughput, 64 nodes, β = 1",
     "Horng 1992, Figure 4.10", 0.1, shapes, &(const double){1.0}},
    {0},
};
