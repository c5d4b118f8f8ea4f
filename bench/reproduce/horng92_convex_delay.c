/*
 * Delay in the convex subnet of a damaged 6-cube: Horng 1992, Figure 5.10. 100 random patterns of 6
 * faulty nodes, as in the text; on each the optimal-path rule, simulated and as a Jackson network,
 * and the least delay by flow deviation in the same subnet. The optimistic bound of 5.2 is that of
 * p = 6/64.
 *
 * Loads end where the first patterns can no longer carry them.
 */
#include "horng92_chapter5.h"

enum { DIMENSIONS = 6, FAULTS = 6, PATTERNS = 100, QUICK_PATTERNS = 10, LOADS = 13 };

static const double far_from_saturation = 1.0;

static cn_result *solve(rp_run *run, cn_study *study, const rp_experiment *how, int simulate)
{
    cn_scenario *scenario = rp_scenario(run, how);
    rp_check(run, cn_study_set_scenario(study, scenario, simulate));
    cn_scenario_free(&scenario);
    return horng92_run(run, study);
}

static void write_load(rp_table *table, cn_study *study, const cn_topology *cube, double load)
{
    rp_run *run = table->run;
    const double rate = (double)FAULTS / (1 << DIMENSIONS);
    const rp_experiment model = {.system = "separate-buffers",
                                 .routing = "optimal-path",
                                 .topology = cube,
                                 .settings = {{CN_PARAM_LOAD, load}, {CN_PARAM_SLOTTED, 0}}};
    const rp_experiment simulation =
        rp_with(&model, (const setting[]){{CN_PARAM_WARMUP_CYCLES, 300},
                                          {CN_PARAM_MEASURE_CYCLES, run->quick ? 300 : 3000},
                                          {0}});
    const rp_experiment least = {
        .system = "flow-deviation",
        .topology = cube,
        .settings = {{CN_PARAM_LOAD, load}, {CN_PARAM_RELATIVE_PRECISION, 1e-4}}};
    cn_result *simulated = load > 0 ? solve(run, study, &simulation, 1) : NULL;
    cn_result *predicted = solve(run, study, &model, 0);
    cn_result *minimal = solve(run, study, &least, 0);
    double delay = rp_value(predicted, CN_METRIC_MEAN_DELAY);
    double minimum = rp_value(minimal, CN_METRIC_MEAN_DELAY);
    double bound = horng92_bound(run, cube, rate, load, CN_MODEL_PUBLISHED);
    rp_table_numbers(table, load);
    rp_table_at(table, load);
    rp_table_estimate(table, rp_read(predicted, CN_METRIC_MEAN_DELAY, 1));
    rp_table_estimate(table, rp_read(simulated, CN_METRIC_MEAN_DELAY, 1));
    rp_table_estimate(table, rp_read(minimal, CN_METRIC_MEAN_DELAY, 1));
    rp_table_numbers(table, bound, horng92_bound(run, cube, rate, load, CN_MODEL_CORRECTED));
    rp_table_estimate(table, rp_read(predicted, CN_METRIC_SATURATED_FRACTION, 1));
    rp_table_compare(table, "model_from_simulation", "time units", delay,
                     rp_value(simulated, CN_METRIC_MEAN_DELAY));
    rp_table_compare(table, "model_from_minimum", "time units", delay, minimum);
    rp_table_compare(table, "bound_from_minimum", "time units", bound, minimum);
    cn_result_free(&simulated);
    cn_result_free(&predicted);
    cn_result_free(&minimal);
}

void horng92_convex_delay(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    cn_study *study = horng92_study(run, DIMENSIONS, run->quick ? QUICK_PATTERNS : PATTERNS);
    rp_check(run, cn_study_set(study, CN_STUDY_RANDOM_NODES, FAULTS));
    rp_check(run, cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CONVEX));
    rp_table_open(&table, run, exhibit,
                  "load,mean_delay_model,mean_delay_model_half_width,mean_delay_simulation,"
                  "mean_delay_simulation_half_width,mean_delay_flow_deviation,"
                  "mean_delay_flow_deviation_half_width,"
                  "mean_delay_bound,mean_delay_bound_corrected,saturated_fraction,"
                  "saturated_fraction_half_width");
    rp_table_ranges(&table, "load", &far_from_saturation, 1);
    for (int i = 0; i <= LOADS && !run->failed; i += run->quick ? 3 : 1)
        write_load(&table, study, cube, i / 10.0);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "load λ (new messages per survivor and time unit)",
                 "mean delay T (time units)");
    rp_plot_command(&plot, "set yrange [0:14]");
    rp_plot_curve(&plot, CURVE_LINE, 0, "optimal-path, model", "1:2");
    rp_plot_curve(&plot, CURVE_POINTS, 0, "optimal-path, simulation", "1:4:5");
    rp_plot_curve(&plot, CURVE_DASHED, 1, "least delay (flow deviation)", "1:6");
    rp_plot_curve(&plot, CURVE_DOTTED, 2, "optimistic bound", "1:8");
    rp_plot_close(&plot);
    cn_study_free(&study);
    cn_topology_free(&cube);
}
