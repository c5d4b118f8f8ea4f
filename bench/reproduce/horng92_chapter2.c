/*
 * Unlimited buffers on the Boolean n-cube: Horng 1992, chapter 2.
 *
 * The paper prints no numbers for its curves. Captions and text name networks and models; where they do
 * not, and for the loads, we chose.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce.h"

static const rp_model one_model[] = {{"model", "model", {{0}}}, {0}};

static const char load_label[] = "load λ (new messages per node and cycle)";

/* From 0 to 1.9 by twentieths; the capacity of all cubes shown is above 1.96. */
static rp_points loads_below_capacity(const rp_run *run, int simulate)
{
    rp_points loads = {.count = 0};
    for (int i = 0; i <= 38; i += run->quick ? 2 : 1)
        rp_points_add(&loads, i / 20.0,
                      simulate && i > 0 && (run->quick ? i % 10 == 0 && i < 30 : i % 6 == 0));
    return loads;
}

typedef struct curve_plan {
    const char *system, *title;
    uint32_t n;
    int simulate;
} curve_plan;

enum { MOST_CURVES = 3 };

typedef struct figure {
    curve_plan plans[MOST_CURVES];
    const char *command;
} figure;

/* Mean delay over load, a curve for each plan. */
static void delays(rp_run *run, const rp_exhibit *exhibit)
{
    const figure *f = exhibit->of;
    cn_topology *cubes[MOST_CURVES] = {NULL};
    rp_curve drawn[MOST_CURVES];
    rp_plot plot;
    rp_curves curves = {.curves = drawn,
                        .metrics = {CN_METRIC_MEAN_DELAY},
                        .models = one_model,
                        .ranges = {0.6, 0.9, 1.2}};
    for (size_t c = 0; c < MOST_CURVES && f->plans[c].system != NULL; c++) {
        cubes[c] = rp_network(run, "hypercube(%u)", f->plans[c].n);
        drawn[c] = (rp_curve){.experiment = {.system = f->plans[c].system,
                                             .topology = cubes[c],
                                             .settings = {{CN_PARAM_LOAD, 0.0}}},
                              .along = loads_below_capacity(run, f->plans[c].simulate),
                              .time_unit = 1.0};
        snprintf(drawn[c].title, sizeof drawn[c].title, "%s", f->plans[c].title);
        curves.count++;
    }
    rp_curves_write(run, exhibit, &curves);
    rp_plot_open(&plot, run, exhibit, load_label, "mean delay T (cycles)");
    rp_plot_command(&plot, f->command);
    rp_curves_draw(&plot, &curves, 0, CN_METRIC_MEAN_DELAY);
    rp_plot_close(&plot);
    for (size_t c = 0; c < MOST_CURVES; c++)
        cn_topology_free(&cubes[c]);
}

static const figure separate_buffers = {{{"separate-buffers", "separate buffers", 6, 1}},
                                        "set yrange [0:30]"};

static const figure shared_buffer = {{{"shared-buffer", "n = 6", 6, 1},
                                      {"shared-buffer", "n = 8", 8, 1},
                                      {"shared-buffer", "n = 10", 10, 1}},
                                     "set yrange [0:18]"};

static const figure both_models = {
    {{"separate-buffers", "separate buffers", 10, 1}, {"shared-buffer", "shared buffer", 10, 1}},
    "set yrange [0:30]"};

/* The bound is of no machine, so there is nothing to simulate it with. */
static const figure bound = {
    {{"shared-buffer", "random assignment", 6, 1}, {"optimistic-bound", "optimistic bound", 6, 0}},
    "set yrange [0:16]"};

/* ---- how many messages a node sends (2.7) ---- */

enum { CHANNELS = 6, MOST_MESSAGES = 30 };

static double mean_assigned(rp_run *run, uint64_t messages)
{
    double probabilities[CHANNELS + 1] = {0}, mean = 0.0;
    rp_check(run, cn_assignment_phase_one(CHANNELS, messages, probabilities, CHANNELS + 1, NULL));
    for (int j = 1; j <= CHANNELS; j++)
        mean += j * probabilities[j];
    return mean;
}

static void messages_sent(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_plot plot;
    rp_table_open(&table, run, exhibit, "messages,random_assignment,optimistic_bound,closed_form");
    for (int i = 0; i <= MOST_MESSAGES && !run->failed; i++) {
        /* a channel is left out when all messages pick another */
        double closed_form = CHANNELS * (1.0 - pow(1.0 - 1.0 / CHANNELS, i));
        double random = mean_assigned(run, (uint64_t)i);
        rp_table_numbers(&table, i, random, fmin(i, CHANNELS), closed_form);
        rp_table_compare(&table, "random_assignment", "messages", random, closed_form);
    }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "messages in the node", "mean number sent in a cycle");
    rp_plot_command(&plot, "set yrange [0:6.5]");
    rp_plot_curve(&plot, CURVE_LINE, 0, "random assignment", "'messages':'random_assignment'");
    rp_plot_curve(&plot, CURVE_LINE, 1, "optimistic bound", "'messages':'optimistic_bound'");
    rp_plot_close(&plot);
}

/* ---- the list ---- */

const rp_exhibit horng92_chapter2[] = {
    {"horng92-fig-2.2", "Mean delay, a separate buffer at each channel, 6-cube",
     "Horng 1992, Figure 2.2", 2.5, delays, &separate_buffers},
    {"horng92-fig-2.5", "Mean delay, shared buffer, 6-, 8- and 10-cube", "Horng 1992, Figure 2.5",
     12.5, delays, &shared_buffer},
    {"horng92-fig-2.6", "Mean delays with separate buffers and a shared one, 10-cube",
     "Horng 1992, Figure 2.6", 4.5, delays, &both_models},
    {"horng92-fig-2.7", "Mean number of messages sent by a node of the 6-cube",
     "Horng 1992, Figure 2.7", 0.1, messages_sent, NULL},
    {"horng92-fig-2.8", "Mean delay, random assignment and optimistic bound, 6-cube",
     "Horng 1992, Figure 2.8", 0.1, delays, &bound},
    {0},
};
