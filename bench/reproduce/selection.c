/*
 * Horng 1992, 1.2.2: which of the allowed channels a message takes. The dissertation warns that
 * messages which choose at the same time all join the shortest queue and so make it the longest. In
 * slotted time all that come to a node in one cycle choose by the queues as they were before; in
 * continuous time no two choose at once.
 */
#include "reproduce.h"

static const cn_selection selections[] = {CN_SELECTION_RANDOM, CN_SELECTION_LOWEST,
                                          CN_SELECTION_LEAST_LOADED};

static void write_point(rp_table *table, const cn_topology *cube, int slotted, cn_selection by,
                        double load)
{
    rp_run *run = table->run;
    rp_experiment experiment = {
        .system = "separate-buffers",
        .topology = cube,
        .settings = {{CN_PARAM_LOAD, load},
                     {CN_PARAM_SELECTION, by},
                     {CN_PARAM_SLOTTED, slotted},
                     {CN_PARAM_RELATIVE_PRECISION, run->quick ? 0.02 : 0.005}}};
    const cn_result *result = rp_simulate(run, &experiment);
    int steady = result != NULL && !cn_result_is_saturated(result);
    rp_table_text(table, slotted ? "slotted" : "continuous");
    rp_table_text(table, cn_param_choice_name(CN_PARAM_SELECTION, (size_t)by));
    rp_table_numbers(table, 2.0 * (int)by + !slotted, load);
    rp_table_estimate(table, rp_read(steady ? result : NULL, CN_METRIC_MEAN_DELAY, 1));
}

static void write_curve(rp_table *table, const cn_topology *cube, int slotted, cn_selection by)
{
    static const double loads[] = {0.3, 0.6, 0.9, 1.2, 1.4, 1.6, 1.7, 1.8};
    for (size_t i = 0; i < COUNT(loads) && !table->run->failed; i += table->run->quick ? 3 : 1)
        write_point(table, cube, slotted, by, loads[i]);
}

static void draw_panel(rp_plot *plot, int continuous)
{
    static const char shown[] = "(column('curve')==%d ? column('load') : NaN):'mean_delay'%s";
    for (size_t s = 0; s < COUNT(selections); s++) {
        int curve = 2 * (int)selections[s] + continuous;
        rp_plot_curve(plot, CURVE_LINE, (unsigned)s, "", shown, curve, "");
        rp_plot_curve(plot, CURVE_POINTS, (unsigned)s,
                      cn_param_choice_name(CN_PARAM_SELECTION, (size_t)selections[s]), shown, curve,
                      ":'mean_delay_half_width'");
    }
}

static void compare(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    cn_topology *cube = rp_network(run, "hypercube(6)");
    rp_table_open(&table, run, exhibit,
                  "clock,selection,curve,load,mean_delay,mean_delay_half_width");
    for (int slotted = 1; slotted >= 0; slotted--)
        for (size_t s = 0; s < COUNT(selections); s++)
            write_curve(&table, cube, slotted, selections[s]);
    rp_table_close(&table);
    cn_topology_free(&cube);
    rp_plot_open(&plot, run, exhibit, "load (new messages per node and cycle), slotted",
                 "mean delay (cycles)");
    rp_plot_panels(&plot, 2);
    rp_plot_command(&plot, "set yrange [0:30]");
    draw_panel(&plot, 0);
    rp_plot_next_panel(&plot, "load (new messages per node and mean transmission), continuous");
    draw_panel(&plot, 1);
    rp_plot_close(&plot);
}

const rp_exhibit selection[] = {
    {"horng92-selection", "Random, lowest and least loaded channels on the 6-cube",
     "Horng 1992, section 1.2.2", 31, compare, NULL},
    {0},
};
