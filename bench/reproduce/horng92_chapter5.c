/*
 * The exhibits of Horng 1992, chapter 5; and Figure 5.3, a damaged Boolean 4-cube.
 *
 * The paper names neither the two failure rates nor the patterns. We take p = 0.05 and 0.1; for the
 * minimal achievable delay, the mean by flow deviation over patterns in which each node fails with
 * probability p, those left out in which the survivors do not all reach each other or cannot carry
 * the load.
 */
#include <math.h>

#include "horng92_chapter5.h"

enum { PATTERNS = 100, QUICK_PATTERNS = 10, RATES = 2 };

static const double rates[RATES] = {0.05, 0.1};
static const double far_from_saturation = 1.0;

typedef struct mean {
    double sum, square_sum;
    int count;
} mean;

static double half_width(const mean *m)
{
    double average = m->sum / m->count;
    double variance = (m->square_sum - m->sum * average) / (m->count - 1);
    return m->count < 2 ? NAN : 1.96 * sqrt(fmax(variance, 0.0) / m->count);
}

/* The least delay of one pattern; NaN when it cannot carry the load. */
static double least_delay(rp_run *run, const cn_topology *cube, double rate, uint64_t seed,
                          double load)
{
    cn_faults *faults = NULL;
    double delay = NAN;
    rp_check(run, cn_faults_new(cube, &faults));
    rp_check(run, cn_faults_add_failing_nodes(faults, rate, seed));
    cn_status status =
        cn_flow_deviation(cube, faults, NULL, 0, load, 1e-4, NULL, &delay, NULL, NULL, 0);
    if (status != CN_ERR_DISCONNECTED && status != CN_ERR_UNSTABLE)
        rp_check(run, status);
    cn_faults_free(&faults);
    return delay;
}

static mean least_delays(rp_run *run, const cn_topology *cube, double rate, double load)
{
    mean m = {0};
    for (uint64_t seed = 1; seed <= (run->quick ? QUICK_PATTERNS : PATTERNS); seed++) {
        double delay = least_delay(run, cube, rate, seed, load);
        if (!(delay > 0.0)) /* NaN, too */
            continue;
        m.sum += delay;
        m.square_sum += delay * delay;
        m.count++;
    }
    return m;
}

double horng92_bound(rp_run *run, const cn_topology *cube, double rate, double load,
                     cn_model_variant variant)
{
    const rp_experiment experiment = {.system = "degraded-bound",
                                      .topology = cube,
                                      .settings = {{CN_PARAM_LOAD, load},
                                                   {CN_PARAM_NODE_FAILURE_PROBABILITY, rate},
                                                   {CN_PARAM_MODEL_VARIANT, variant}}};
    return rp_value(rp_predict(run, &experiment), CN_METRIC_MEAN_DELAY);
}

static void write_rows(rp_run *run, const cn_topology *cube, rp_table *table, double rate)
{
    for (int i = 0; i <= 28 && !run->failed; i++) {
        double load = i / 20.0,
               published = horng92_bound(run, cube, rate, load, CN_MODEL_PUBLISHED);
        rp_table_numbers(table, rate, load);
        rp_table_at(table, load);
        rp_table_numbers(table, published,
                         horng92_bound(run, cube, rate, load, CN_MODEL_CORRECTED));
        mean m = i % 4 == 0 ? least_delays(run, cube, rate, load) : (mean){0};
        double least = m.count > 0 ? m.sum / m.count : NAN;
        rp_table_numbers(table, least, m.count > 0 ? half_width(&m) : NAN,
                         m.count > 0 ? (double)m.count : NAN);
        rp_table_compare(table, rp_text("p=%g/mean_delay", rate), "time units", published, least);
    }
}

static void minimal_delay(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = rp_network(run, "hypercube(4)");
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "node_failure_probability,load,mean_delay_bound,mean_delay_bound_corrected,"
                  "mean_delay_flow_deviation,half_width,patterns");
    rp_table_ranges(&table, "load", &far_from_saturation, 1);
    for (int r = 0; r < RATES; r++)
        write_rows(run, cube, &table, rates[r]);
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "load λ (new messages per node and time unit)",
                 "mean delay T (time units)");
    rp_plot_command(&plot, "set yrange [0:14]");
    for (int r = 0; r < RATES; r++) {
        rp_plot_curve(&plot, CURVE_LINE, (unsigned)r, rp_text("p = %g", rates[r]),
                      "2:($1==%g?$3:NaN)", rates[r]);
        rp_plot_curve(&plot, CURVE_DOTTED, (unsigned)r, "", "2:($1==%g?$4:NaN)", rates[r]);
        rp_plot_curve(&plot, CURVE_POINTS, (unsigned)r, "", "2:($1==%g?$5:NaN):6", rates[r]);
    }
    rp_plot_curve(&plot, CURVE_LINE, 6, "bound", "(NaN):(NaN)");
    rp_plot_curve(&plot, CURVE_DOTTED, 6, "bound, corrected", "(NaN):(NaN)");
    rp_plot_curve(&plot, CURVE_POINTS, 6, "least delay, 95 %", "(NaN):(NaN):(NaN)");
    rp_plot_close(&plot);
    cn_topology_free(&cube);
}

const rp_exhibit horng92_chapter5[] = {
    {"horng92-fig-5.1", "A Boolean 4-cube with faulty nodes", "Horng 1992, Figure 5.1", 0.1,
     horng92_damaged_drawing, NULL},
    {"horng92-fig-5.3", "Bound and minimal achievable delay of a damaged 4-cube",
     "Horng 1992, Figure 5.3", 0.2, minimal_delay, NULL},
    {"horng92-table-5.1", "Bad dimensions of the unsafe nodes of a damaged 4-cube",
     "Horng 1992, Table 5.1", 0.1, horng92_bad_dimensions, NULL},
    {"horng92-fig-5.5", "Surviving nodes in the 1-degraded subnets", "Horng 1992, Figure 5.5", 3.5,
     horng92_survivors, &(const int){0}},
    {"horng92-fig-5.6", "A convex subnet of a damaged 4-cube", "Horng 1992, Figure 5.6", 0.1,
     horng92_convex_drawing, NULL},
    {"horng92-fig-5.7", "A convex subnet of a 4-cube with a faulty link", "Horng 1992, Figure 5.7",
     0.1, horng92_link_drawing, NULL},
    {"horng92-fig-5.8", "Nodes remaining in the convex subnets", "Horng 1992, Figure 5.8", 1.5,
     horng92_survivors, &(const int){1}},
    {"horng92-fig-5.9", "Surviving nodes in a damaged 8-cube", "Horng 1992, Figure 5.9", 2,
     horng92_survivors_both, NULL},
    {"horng92-fig-5.10", "Delay in the convex subnets of 6-cubes with 6 faulty nodes",
     "Horng 1992, Figure 5.10", 27, horng92_convex_delay, NULL},
    {"horng92-fig-5.12", "The two-level hierarchy of a damaged 4-cube", "Horng 1992, Figure 5.12",
     0.1, horng92_cluster_drawing, NULL},
    {"horng92-fig-5.13", "Mean number of clusters of a damaged 6-cube", "Horng 1992, Figure 5.13",
     1.5, horng92_clusters, NULL},
    {"horng92-fig-5.14", "Path lengths of the two-level and the original network",
     "Horng 1992, Figure 5.14", 2.5, horng92_path_lengths, NULL},
    {0},
};
