/*
 * What is left of cubes with random node faults: Horng 1992, Figures 5.5, 5.8, 5.9 (survivors),
 * 5.13 (clusters) and 5.14 (path lengths).
 *
 * The captions of 5.5 and 5.8 do not name the networks ("of different sizes"); we take the 4-, 6-,
 * 8- and 10-cube. The numbers of patterns are ours too.
 */
#include "horng92_chapter5.h"

cn_study *horng92_study(rp_run *run, uint32_t n, int patterns)
{
    cn_topology *cube = rp_network(run, "hypercube(%u)", n);
    cn_study *study = NULL;
    rp_check(run, cn_study_new(cube, &study));
    rp_check(run, cn_study_set(study, CN_STUDY_PATTERNS, patterns));
    cn_topology_free(&cube);
    return study;
}

cn_result *horng92_run(rp_run *run, const cn_study *study)
{
    cn_result *result = NULL;
    rp_check(run, cn_study_run(study, NULL, &result));
    return result;
}

/* ---- survivors ---- */

typedef enum scheme { DEGRADED, CONVEX } scheme;

static void survivors_at(rp_table *table, uint32_t n, double p, const scheme schemes[],
                         size_t count)
{
    rp_run *run = table->run;
    cn_study *study = horng92_study(run, n, run->quick ? 100 : n > 8 ? 1000 : 4000);
    rp_check(run, cn_study_set(study, CN_STUDY_NODE_PROBABILITY, p));
    rp_check(run, cn_study_set(study, CN_STUDY_PATHS, 0));
    rp_table_numbers(table, n, p);
    for (size_t s = 0; s < count && !run->failed; s++) {
        rp_check(run, cn_study_set(study, CN_STUDY_KEEP,
                                   schemes[s] == CONVEX ? CN_KEEP_CONVEX : CN_KEEP_DEGRADED));
        cn_result *result = horng92_run(run, study);
        rp_table_estimate(table, rp_read(result, CN_METRIC_SURVIVOR_FRACTION, 100));
        rp_table_estimate(table, rp_read(result, CN_METRIC_SURVIVORS_OF_WORKING, 100));
        cn_result_free(&result);
    }
    cn_study_free(&study);
}

enum { STEPS = 20 };

static double failure_probability(int step)
{
    return 0.1 * step / STEPS;
}

void horng92_survivors(rp_run *run, const rp_exhibit *exhibit)
{
    const int *convex = exhibit->of;
    const scheme kept = *convex ? CONVEX : DEGRADED;
    static const uint32_t sizes[] = {4, 6, 8, 10};
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "n,node_failure_probability,survivors_percent,survivors_half_width,"
                  "survivors_of_working_percent,survivors_of_working_half_width");
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int step = 0; step <= STEPS && !run->failed; step += run->quick ? 4 : 1)
            survivors_at(&table, sizes[i], failure_probability(step), &kept, 1);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "probability p that a node fails",
                 "surviving nodes, per cent of all");
    rp_plot_command(&plot, "set yrange [0:100]");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        rp_plot_curve(&plot, CURVE_LINE, (unsigned)i, rp_text("n = %u", sizes[i]),
                      "2:($1==%d?$3:NaN)", (int)sizes[i]);
        rp_plot_curve(&plot, CURVE_POINTS, (unsigned)i, "", "2:($1==%d?$3:NaN):4", (int)sizes[i]);
    }
    rp_plot_close(&plot);
}

void horng92_survivors_both(rp_run *run, const rp_exhibit *exhibit)
{
    static const scheme schemes[] = {DEGRADED, CONVEX};
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "n,node_failure_probability,degraded_percent,degraded_half_width,"
                  "degraded_of_working_percent,degraded_of_working_half_width,convex_percent,"
                  "convex_half_width,convex_of_working_percent,convex_of_working_half_width");
    for (int step = 0; step <= STEPS && !run->failed; step += run->quick ? 4 : 1)
        survivors_at(&table, 8, failure_probability(step), schemes, COUNT(schemes));
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "probability p that a node fails",
                 "surviving nodes, per cent of all");
    rp_plot_command(&plot, "set yrange [0:100]");
    rp_plot_curve(&plot, CURVE_LINE, 0, "1-degraded", "2:3");
    rp_plot_curve(&plot, CURVE_POINTS, 0, "", "2:3:4");
    rp_plot_curve(&plot, CURVE_LINE, 1, "convex", "2:7");
    rp_plot_curve(&plot, CURVE_POINTS, 1, "", "2:7:8");
    rp_plot_curve(&plot, CURVE_DASHED, 6, "not faulty", "2:(100*(1-$2))");
    rp_plot_close(&plot);
}

/* ---- clusters ---- */

enum { DIMENSIONS = 6, MOST_FAULTS = 32 };

/* Clusters of the 6-cube with so many faulty nodes, and with `paths` the path lengths too. */
static cn_result *split(rp_run *run, int faults, cn_tie_rule tie_rule, int paths)
{
    int patterns = paths ? (run->quick ? 50 : 1000) : (run->quick ? 200 : 10000);
    cn_study *study = horng92_study(run, DIMENSIONS, patterns);
    rp_check(run, cn_study_set(study, CN_STUDY_RANDOM_NODES, faults));
    rp_check(run, cn_study_set(study, CN_STUDY_PATHS, paths));
    rp_check(run, cn_study_set(study, CN_STUDY_TIE_RULE, tie_rule));
    rp_check(run, cn_study_set(study, CN_STUDY_KEEP, CN_KEEP_CLUSTERS));
    cn_result *result = horng92_run(run, study);
    cn_study_free(&study);
    return result;
}

static int faults_step(const rp_run *run)
{
    return run->quick ? 4 : 1;
}

void horng92_clusters(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit, "faulty_nodes,clusters,half_width,entries_full_table");
    for (int f = 0; f <= MOST_FAULTS && !run->failed; f += faults_step(run)) {
        cn_result *result = split(run, f, CN_TIE_HEADER, 0);
        rp_table_numbers(&table, f);
        rp_table_estimate(&table, rp_read(result, CN_METRIC_CLUSTERS, 1));
        rp_table_numbers(&table, (1 << DIMENSIONS) - f - 1);
        cn_result_free(&result);
    }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "faulty nodes", "mean number of clusters");
    rp_plot_command(&plot, "set yrange [0:*]");
    rp_plot_curve(&plot, CURVE_LINE, 0, "", "1:2");
    rp_plot_curve(&plot, CURVE_POINTS, 0, "clusters", "1:2:3");
    rp_plot_close(&plot);
}

void horng92_path_lengths(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "faulty_nodes,original,original_half_width,two_level,two_level_half_width,"
                  "two_level_any_tie,two_level_any_tie_half_width,connected_percent,"
                  "connected_half_width");
    for (int f = 0; f <= MOST_FAULTS && !run->failed; f += faults_step(run)) {
        cn_result *header = split(run, f, CN_TIE_HEADER, 1);
        cn_result *any = split(run, f, CN_TIE_ANY, 1);
        rp_table_numbers(&table, f);
        rp_table_estimate(&table, rp_read(header, CN_METRIC_MEAN_DISTANCE, 1));
        rp_table_estimate(&table, rp_read(header, CN_METRIC_MEAN_HOPS, 1));
        rp_table_estimate(&table, rp_read(any, CN_METRIC_MEAN_HOPS, 1));
        rp_table_estimate(&table, rp_read(header, CN_METRIC_CONNECTED_FRACTION, 100));
        rp_table_compare(&table, "two_level", "hops", rp_value(header, CN_METRIC_MEAN_HOPS),
                         rp_value(header, CN_METRIC_MEAN_DISTANCE));
        rp_table_compare(&table, "two_level_any_tie", "hops", rp_value(any, CN_METRIC_MEAN_HOPS),
                         rp_value(any, CN_METRIC_MEAN_DISTANCE));
        cn_result_free(&header);
        cn_result_free(&any);
    }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "faulty nodes", "mean path length, hops");
    rp_plot_curve(&plot, CURVE_LINE, 0, "original network", "1:2");
    rp_plot_curve(&plot, CURVE_LINE, 1, "two levels, ties by header", "1:4");
    rp_plot_curve(&plot, CURVE_POINTS, 1, "", "1:4:5");
    rp_plot_curve(&plot, CURVE_DOTTED, 2, "two levels, any tie", "1:6");
    rp_plot_close(&plot);
}
