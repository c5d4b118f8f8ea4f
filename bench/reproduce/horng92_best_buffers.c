/* Horng 1992, Figure 3.11: which buffer sizes come close to the greatest power. */
#include "horng92_chapter3.h"

#include <math.h>

/* The simulated sizes; above four buffers a channel the power hardly changes from one to the
 * next. */
static int is_simulated_size(const rp_run *run, int m, int dimensions)
{
    return m % dimensions == 0 || (!run->quick && m < 4 * dimensions);
}

power_list horng92_powers_at(rp_run *run, const cn_topology *network, double load, int simulate)
{
    int n = (int)cn_topology_dimensions(network);
    power_list found = {.count = 0};
    for (int m = n; m <= 8 * n; m++) {
        if (simulate && !is_simulated_size(run, m, n))
            continue;
        rp_experiment experiment = horng92_deflection(network, load, m);
        const cn_result *result =
            simulate ? rp_simulate(run, &experiment) : rp_predict(run, &experiment);
        size_t i = found.count++;
        found.buffers[i] = m;
        found.power[i] = rp_value(result, CN_METRIC_POWER);
        if (i == 0 || found.power[i] > found.power[found.best]) {
            found.best = i;
            found.half_width = rp_read(result, CN_METRIC_POWER, 1).half_width;
        }
        if (i > found.best && found.power[i] < 0.9 * found.power[found.best])
            break;
    }
    return found;
}

size_region horng92_region_of(const power_list *powers, double share)
{
    double enough = share * powers->power[powers->best];
    size_t least = powers->best, greatest = powers->best;
    while (least > 0 && powers->power[least - 1] >= enough)
        least--;
    while (greatest + 1 < powers->count && powers->power[greatest + 1] >= enough)
        greatest++;
    return (size_region){powers->buffers[least],
                         greatest + 1 < powers->count ? powers->buffers[greatest] : NAN};
}

static void write_regions(rp_table *table, const power_list *powers)
{
    const double shares[] = {0.95, 0.99};
    for (size_t i = 0; i < COUNT(shares); i++) {
        size_region region =
            powers == NULL ? (size_region){NAN, NAN} : horng92_region_of(powers, shares[i]);
        rp_table_numbers(table, region.least, region.greatest);
    }
}

static void write_load(rp_table *table, const cn_topology *cube, double load, int simulated)
{
    power_list model = horng92_powers_at(table->run, cube, load, 0), simulation = {.count = 0};
    double model_best = model.power[model.best];
    rp_table_numbers(table, load, model.buffers[model.best], model_best);
    write_regions(table, &model);
    if (simulated)
        simulation = horng92_powers_at(table->run, cube, load, 1);
    double simulated_best = simulated ? simulation.power[simulation.best] : NAN;
    rp_table_numbers(table, simulated ? simulation.buffers[simulation.best] : NAN, simulated_best,
                     simulated ? simulation.half_width : NAN);
    write_regions(table, simulated ? &simulation : NULL);
    if (!simulated)
        return;
    rp_table_compare(table, "best_power", cn_metric_unit(CN_METRIC_POWER), model_best,
                     simulated_best);
    rp_table_compare(table, "least_buffers_95", "messages", horng92_region_of(&model, 0.95).least,
                     horng92_region_of(&simulation, 0.95).least);
    rp_table_compare(table, "least_buffers_99", "messages", horng92_region_of(&model, 0.99).least,
                     horng92_region_of(&simulation, 0.99).least);
}

/* The area between the least and the greatest size; open to the top where there is no greatest. */
static void draw_region(rp_plot *plot, int share, unsigned colour)
{
    rp_plot_curve(plot, CURVE_AREA, colour, rp_text("at least %d %%", share),
                  "'load':'least_buffers_%d_model':(bounded(column('greatest_buffers_%d_model')))",
                  share, share);
}

static void draw_bounds(rp_plot *plot, int share, unsigned colour)
{
    rp_plot_curve(plot, CURVE_POINTS, colour, rp_text("%d %%, simulation", share),
                  "(column('load')):(column('least_buffers_%d_simulation')):(0)", share);
    rp_plot_curve(plot, CURVE_POINTS, colour, "",
                  "(column('load')):(column('greatest_buffers_%d_simulation')):(0)", share);
}

static void draw_regions(rp_run *run, const rp_exhibit *exhibit)
{
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, horng92_load_label, horng92_buffers_label);
    rp_plot_command(&plot, rp_text("bounded(x) = x == x ? x : %d\nset xrange [0:3]\n"
                                   "set yrange [0:%d]",
                                   GREATEST_BUFFERS, GREATEST_BUFFERS));
    draw_region(&plot, 95, 5);
    draw_region(&plot, 99, 0);
    rp_plot_curve(&plot, CURVE_LINE, 0, "greatest power", "'load':'best_buffers_model'");
    rp_plot_curve(&plot, CURVE_DASHED, 6, "M = 2n", "'load':(%d)", 2 * DIMENSIONS);
    draw_bounds(&plot, 95, 1);
    draw_bounds(&plot, 99, 2);
    rp_plot_close(&plot);
}

void horng92_best_buffers(rp_run *run, const rp_exhibit *exhibit)
{
    cn_topology *cube = rp_network(run, "hypercube(%d)", DIMENSIONS);
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "load,best_buffers_model,best_power_model,"
                  "least_buffers_95_model,greatest_buffers_95_model,"
                  "least_buffers_99_model,greatest_buffers_99_model,"
                  "best_buffers_simulation,best_power_simulation,best_power_half_width,"
                  "least_buffers_95_simulation,greatest_buffers_95_simulation,"
                  "least_buffers_99_simulation,greatest_buffers_99_simulation");
    for (int i = 1; i <= 60 && !run->failed; i += run->quick ? 5 : 1)
        write_load(&table, cube, i / 20.0, run->quick ? i == 31 : i % 10 == 0);
    rp_table_close(&table);
    cn_topology_free(&cube);
    draw_regions(run, exhibit);
}
