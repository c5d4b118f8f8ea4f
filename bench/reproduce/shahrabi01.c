/*
 * Broadcast latency in wormhole-switched hypercubes: Figure 1 of Shahrabi, Ould-Khaoua & Mackenzie
 * 2001, and the traffic behind it.
 *
 * The caption names n = 6, 7, 8, M = 32, 64, 128, beta = 0.005, 0.01, 0.02 and V = 2, 4 for nine
 * panels and does not say which panel is which. Here the rows are n, the columns M, each panel has
 * both V, and the three beta form a Latin square, so that each meets each n and each M once.
 *
 * The paper's startup latency of one cycle stands for the cycle in which a copy crosses its
 * channel, which eq. 12 leaves out. The published and the corrected model have it; the library's
 * own and the simulation count that cycle by themselves.
 */
#include "reproduce.h"

#include <math.h>

enum { PANELS = 9, VARIANTS = 3, STEPS = 20 };

typedef struct panel {
    uint32_t n;
    double flits, beta;
} panel;

static panel panel_of(uint32_t number)
{
    static const double betas[] = {0.005, 0.01, 0.02};
    uint32_t row = number / 3, column = number % 3;
    return (panel){6 + row, 32.0 * (1 << column), betas[(row + column) % 3]};
}

static rp_experiment experiment_of(const panel *p, const cn_topology *cube, double channels,
                                   double load)
{
    return (rp_experiment){.system = "wormhole",
                           .topology = cube,
                           .settings = {{CN_PARAM_LOAD, load},
                                        {CN_PARAM_VIRTUAL_CHANNELS, channels},
                                        {CN_PARAM_MESSAGE_FLITS, p->flits},
                                        {CN_PARAM_BROADCAST_FRACTION, p->beta}}};
}

/* What a model says; NaN where it has no steady state. */
static double predicted(rp_run *run, const rp_experiment *experiment, int variant, cn_metric metric)
{
    const rp_experiment made =
        rp_with(experiment, (const setting[]){{CN_PARAM_MODEL_VARIANT, variant},
                                              {CN_PARAM_STARTUP_LATENCY, variant != CN_MODEL_OWN},
                                              {0}});
    return rp_value(rp_predict(run, &made), metric);
}

static double latency(rp_run *run, const rp_experiment *experiment, int variant)
{
    return predicted(run, experiment, variant, CN_METRIC_MEAN_DELAY_BROADCAST);
}

/* The load from which on the library's own model has no steady state. */
static double limit(rp_run *run, rp_experiment experiment)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 16 && !run->failed; i++) {
        experiment.settings[0].value = 0.5 * (low + high);
        if (isnan(latency(run, &experiment, 2)))
            high = experiment.settings[0].value;
        else
            low = experiment.settings[0].value;
    }
    return low;
}

/* Of the errors; how many panels are above it is printed for each share of the own model's
 * limit. */
static const double BOUND = 0.05;

static void write_row(rp_table *table, const panel *p, uint32_t number, double channels,
                      const rp_experiment *experiment, double share, int simulated)
{
    rp_run *run = table->run;
    const cn_result *measured = simulated ? rp_simulate(run, experiment) : NULL;
    double of_simulation = rp_value(measured, CN_METRIC_MEAN_DELAY_BROADCAST);
    rp_table_numbers(table, number + 1, p->n, p->flits, p->beta, channels,
                     experiment->settings[0].value);
    for (int variant = 0; variant < VARIANTS; variant++) {
        const char *model = cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)variant);
        double value = latency(run, experiment, variant);
        rp_table_numbers(table, value);
        rp_table_compare(table, rp_text("panel=%u/V=%g/model_%s", number + 1, channels, model),
                         "cycles", value, of_simulation);
        rp_table_compare_within(table,
                                rp_text("V=%g/%.0f_percent/%s", channels, 100.0 * share, model),
                                "cycles", value, of_simulation, BOUND);
    }
    rp_table_estimate(table, rp_read(measured, CN_METRIC_MEAN_DELAY_BROADCAST, 1));
}

static void write_curve(rp_table *table, const panel *p, uint32_t number, double channels)
{
    rp_run *run = table->run;
    cn_topology *cube = rp_network(run, "hypercube(%u)", p->n);
    rp_experiment experiment = experiment_of(p, cube, channels, 0.0);
    double most = run->failed ? 0.0 : limit(run, experiment);
    for (int i = 1; i < STEPS && !run->failed; i += run->quick ? 3 : 1) {
        experiment.settings[0].value = most * i / STEPS;
        write_row(table, p, number, channels, &experiment, (double)i / STEPS,
                  run->quick ? i == 7 && p->flits < 64 : i % 4 == 0);
    }
    cn_topology_free(&cube);
}

static void draw_panel(rp_plot *plot, uint32_t number)
{
    static const char *const names[VARIANTS] = {"published", "traffic corrected", "own model"};
    static const curve_kind kinds[VARIANTS] = {CURVE_DASHED, CURVE_DOTTED, CURVE_LINE};
    panel p = panel_of(number);
    plot->curves = 0; /* one more "plot" */
    rp_plot_command(
        plot, rp_text("\nset title \"n = %lu, M = %g, β = %g\"\nset key %s\nset yrange [0:%g]",
                      (unsigned long)p.n, p.flits, p.beta, number == 0 ? "on" : "off",
                      6.0 * p.n * p.flits));
    for (unsigned i = 0; i < 2; i++) {
        double channels = i == 0 ? 2 : 4;
        const char *x = rp_text("(column('panel') == %u && column('virtual_channels') == %g ? "
                                "1000 * column('load') : NaN)",
                                number + 1, channels);
        for (int variant = 0; variant < VARIANTS; variant++)
            rp_plot_curve(plot, kinds[variant], i, rp_text("V = %g, %s", channels, names[variant]),
                          "%s:(column('mean_delay_broadcast_%s'))", x,
                          cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)variant));
        rp_plot_curve(plot, CURVE_POINTS, i, rp_text("V = %g, simulation", channels),
                      "%s:(column('mean_delay_broadcast_simulation')):"
                      "(column('mean_delay_broadcast_half_width'))",
                      x);
    }
}

static void figure_1(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit,
                  "panel,n,message_flits,broadcast_fraction,virtual_channels,load,"
                  "mean_delay_broadcast_published,mean_delay_broadcast_corrected,"
                  "mean_delay_broadcast_own,mean_delay_broadcast_simulation,"
                  "mean_delay_broadcast_half_width");
    for (uint32_t number = 0; number < PANELS; number++)
        for (int channels = 2; channels <= 4; channels += 2) {
            panel p = panel_of(number);
            write_curve(&table, &p, number, channels);
        }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "load (messages per node in 1000 cycles)",
                 "broadcast latency (cycles)");
    rp_plot_command(&plot, "set terminal svg size 1500,1300 font 'Helvetica,13' background 'white' "
                           "rounded\nset output ARG2\nset key inside left top Left reverse "
                           "spacing 0.9 font ',10'");
    rp_plot_command(&plot,
                    rp_text("set multiplot layout 3,3 title \"%s\\n%s\" font ',16' noenhanced",
                            exhibit->title, exhibit->paper));
    for (uint32_t number = 0; number < PANELS; number++)
        draw_panel(&plot, number);
    rp_plot_close(&plot);
}

/* ---- traffic ---- */

static void traffic(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "n,load,channel_message_rate_published,channel_message_rate_corrected,"
                  "channel_message_rate_simulation,channel_message_rate_half_width,"
                  "replica_ratio_published,replica_ratio_corrected,replica_ratio_simulation");
    for (uint32_t n = 6; n <= 8; n++) {
        const cn_metric rate = CN_METRIC_CHANNEL_MESSAGE_RATE;
        const cn_metric first = CN_METRIC_CHANNEL_RATE_BROADCAST;
        const cn_metric replica = CN_METRIC_CHANNEL_RATE_REPLICA;
        cn_topology *cube = rp_network(run, "hypercube(%u)", n);
        panel p = {n, 32, 0.02};
        rp_experiment experiment = experiment_of(&p, cube, 4, 0.008);
        const cn_result *measured = rp_simulate(run, &experiment);
        rp_estimate simulated = rp_read(measured, rate, 1);
        double ratio[VARIANTS];
        rp_table_numbers(&table, n, 0.008);
        for (int variant = CN_MODEL_PUBLISHED; variant <= CN_MODEL_CORRECTED; variant++) {
            double value = predicted(run, &experiment, variant, rate);
            ratio[variant] = predicted(run, &experiment, variant, replica) /
                             predicted(run, &experiment, variant, first);
            rp_table_numbers(&table, value);
            rp_table_compare(&table, cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)variant),
                             "messages/cycle", value, simulated.value);
        }
        rp_table_estimate(&table, simulated);
        rp_table_numbers(&table, ratio[0], ratio[1],
                         rp_value(measured, replica) / rp_value(measured, first));
        cn_topology_free(&cube);
    }
    rp_table_close(&table);
}

/* ---- bases of the trees (section 2) ---- */

/* The load up to which a simulation has a steady state. With one base for all trees a broadcast
 * crosses 2^d channels of dimension d, half of all in the last one. */
static void bases(rp_run *run, const rp_exhibit *exhibit)
{
    static const double shares[] = {0.02, 0.1, 0.3};
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "broadcast_fraction,broadcast_base,saturation_load_lower,saturation_load_upper");
    cn_topology *cube = rp_network(run, "hypercube(%u)", 6);
    for (size_t i = 0; i < COUNT(shares); i++)
        for (int base = CN_BASE_RANDOM; base <= CN_BASE_ROUND_ROBIN; base++) {
            panel p = {6, 32, shares[i]};
            rp_experiment usual = experiment_of(&p, cube, 2, 0.0);
            rp_experiment experiment =
                rp_with(&usual, (const setting[]){{CN_PARAM_BROADCAST_BASE, base}, {0, 0}});
            cn_scenario *scenario = rp_scenario(run, &experiment);
            double lower = 0.0, upper = 0.0;
            rp_check(run, cn_simulated_saturation_load(scenario, run->quick ? 0.2 : 0.02, NULL,
                                                       &lower, &upper));
            rp_table_numbers(&table, shares[i]);
            rp_table_text(&table, cn_param_choice_name(CN_PARAM_BROADCAST_BASE, (size_t)base));
            rp_table_numbers(&table, lower, upper);
            cn_scenario_free(&scenario);
        }
    cn_topology_free(&cube);
    rp_table_close(&table);
}

/* ---- ports (section 2) and the first copy (section 3) ---- */

static void write_ports(rp_table *table, const rp_experiment *experiment, int one_port)
{
    static const cn_metric latencies[] = {CN_METRIC_MEAN_DELAY_BROADCAST,
                                          CN_METRIC_MEAN_DELAY_BROADCAST_SENT};
    rp_run *run = table->run;
    const cn_result *measured = rp_simulate(run, experiment);
    rp_table_text(table, cn_param_choice_name(CN_PARAM_ONE_PORT, (size_t)one_port));
    rp_table_numbers(table, experiment->settings[0].value);
    for (size_t i = 0; i < COUNT(latencies); i++) {
        double of_simulation = rp_value(measured, latencies[i]);
        for (int variant = 0; variant < VARIANTS; variant++) {
            double value = predicted(run, experiment, variant, latencies[i]);
            rp_table_numbers(table, value);
            rp_table_compare(table,
                             rp_text("%s/%s/%s", one_port ? "one_port" : "all_ports",
                                     cn_metric_name(latencies[i]),
                                     cn_param_choice_name(CN_PARAM_MODEL_VARIANT, (size_t)variant)),
                             "cycles", value, of_simulation);
        }
        rp_table_estimate(table, rp_read(measured, latencies[i], 1));
    }
}

static void ports(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "one_port,load,mean_delay_broadcast_published,mean_delay_broadcast_corrected,"
                  "mean_delay_broadcast_own,mean_delay_broadcast_simulation,"
                  "mean_delay_broadcast_half_width,sent_published,sent_corrected,sent_own,"
                  "sent_simulation,sent_half_width");
    cn_topology *cube = rp_network(run, "hypercube(%u)", 6);
    panel p = {6, 32, 0.01};
    for (int one_port = 0; one_port < 2 && !run->failed; one_port++) {
        rp_experiment usual = experiment_of(&p, cube, 2, 0.0);
        rp_experiment experiment =
            rp_with(&usual, (const setting[]){{CN_PARAM_ONE_PORT, one_port}, {0, 0}});
        double most = limit(run, experiment);
        for (int i = 1; i <= 4 && !run->failed; i += run->quick ? 2 : 1) {
            experiment.settings[0].value = 0.2 * i * most;
            write_ports(&table, &experiment, one_port);
        }
    }
    cn_topology_free(&cube);
    rp_table_close(&table);
}

const rp_exhibit shahrabi01[] = {
    {"shahrabi01-fig-1", "Broadcast latency against load, 6-, 7- and 8-cube, nine panels",
     "Shahrabi et al. 2001, Figure 1", 46, figure_1, NULL},
    {"shahrabi01-traffic", "Message rate of a channel: published, corrected, simulated",
     "Shahrabi et al. 2001, eq. 4 to 11", 3, traffic, NULL},
    {"shahrabi01-bases", "Saturation load with a fixed, random and round-robin base of broadcasts",
     "Shahrabi et al. 2001, section 2", 30, bases, NULL},
    {"shahrabi01-one-port",
     "Broadcast latency with all ports and with one, and from the first copy",
     "Shahrabi et al. 2001, sections 2 and 3", 10, ports, NULL},
    {0},
};
