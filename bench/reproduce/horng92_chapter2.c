/*
 * Unlimited buffers on the Boolean n-cube: Horng 1992, chapter 2.
 *
 * The paper prints no numbers for its curves. Captions and text name networks and models; where
 * they do not, and for the loads, we chose.
 */
#include "cubenet/experimental/intermediate.h"

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

/* ---- queue lengths (eq. 2.16, 2.54, 2.74) ---- */

enum { LONGEST = 60, BATCHES = 20, NODES = 1 << CHANNELS, APART = 5, SHOWN = 30 };

/* Share of the nodes that have i messages at the beginning of a cycle, of samples some cycles
 * apart. */
static void sample(rp_run *run, cn_sim *sim, int samples, double share[LONGEST])
{
    for (int s = 0; s < samples && !run->failed; s++) {
        rp_check(run, cn_sim_step(sim, APART, NULL));
        for (uint64_t v = 0; v < NODES; v++) {
            uint64_t messages = 0;
            rp_check(run, cn_sim_queued(sim, v, &messages));
            if (messages < LONGEST)
                share[messages] += 1.0 / samples / NODES;
        }
    }
}

/* Means of batches, and their 95 % half-widths (Student's t of 19 degrees of freedom). */
static void sampled_queue(rp_run *run, const rp_experiment *experiment, rp_estimate queue[LONGEST])
{
    double batch[BATCHES][LONGEST] = {{0}};
    cn_scenario *scenario = rp_scenario(run, experiment);
    cn_sim *sim = NULL;
    rp_check(run, cn_sim_open(scenario, NULL, &sim));
    rp_check(run, cn_sim_step(sim, 2000, NULL));
    for (int b = 0; b < BATCHES && !run->failed; b++)
        sample(run, sim, run->quick ? 20 : 500, batch[b]);
    for (int i = 0; i < LONGEST; i++) {
        double sum = 0.0, squares = 0.0;
        for (int b = 0; b < BATCHES; b++)
            sum += batch[b][i];
        for (int b = 0; b < BATCHES; b++)
            squares += (batch[b][i] - sum / BATCHES) * (batch[b][i] - sum / BATCHES);
        queue[i] = (rp_estimate){sum / BATCHES, 2.093 * sqrt(squares / (BATCHES - 1) / BATCHES)};
    }
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
}

/* The messages of a node whose channels have independent queues. */
static void add_channels(const double channel[LONGEST], double node[LONGEST])
{
    node[0] = 1.0;
    for (int c = 0; c < CHANNELS; c++)
        for (int i = LONGEST; i-- > 0;) {
            double sum = 0.0;
            for (int j = 0; j <= i; j++)
                sum += node[i - j] * channel[j];
            node[i] = sum;
        }
}

static const double far_in_the_tail = 12.0;

static void queue_lengths(rp_run *run, const rp_exhibit *exhibit)
{
    const double load = *(const double *)exhibit->of;
    cn_topology *cube = rp_network(run, "hypercube(%u)", CHANNELS);
    rp_experiment experiment = {.system = "separate-buffers",
                                .topology = cube,
                                .seed = 1,
                                .settings = {{CN_PARAM_LOAD, load}}};
    double channel[LONGEST] = {0}, separate[LONGEST] = {0}, shared[LONGEST] = {0};
    double optimistic[LONGEST] = {0};
    rp_estimate one_each[LONGEST], one_for_all[LONGEST];
    rp_table table;
    rp_plot plot;
    rp_check(run, cn_separate_buffers_queue(CHANNELS, load, channel, LONGEST));
    rp_check(run, cn_shared_buffer_queue(CHANNELS, load, shared, LONGEST));
    rp_check(run, cn_optimistic_bound_queue(CHANNELS, load, optimistic, LONGEST));
    add_channels(channel, separate);
    sampled_queue(run, &experiment, one_each);
    experiment.system = "shared-buffer";
    sampled_queue(run, &experiment, one_for_all);
    rp_table_open(&table, run, exhibit,
                  "messages,channel_model,separate_model,separate_simulation,separate_half_width,"
                  "shared_model,shared_simulation,shared_half_width,optimistic_bound");
    rp_table_ranges(&table, "messages", &far_in_the_tail, 1);
    for (int i = 0; i < SHOWN && !run->failed; i++) {
        rp_table_numbers(&table, i);
        rp_table_at(&table, i);
        rp_table_numbers(&table, channel[i], separate[i]);
        rp_table_estimate(&table, one_each[i]);
        rp_table_numbers(&table, shared[i]);
        rp_table_estimate(&table, one_for_all[i]);
        rp_table_numbers(&table, optimistic[i]);
        rp_table_compare(&table, "separate", "1", separate[i], one_each[i].value);
        rp_table_compare(&table, "shared", "1", shared[i], one_for_all[i].value);
    }
    rp_table_close(&table);
    rp_plot_open(&plot, run, exhibit, "messages in the node", "probability");
    rp_plot_curve(&plot, CURVE_LINE, 0, "separate buffers", "'messages':'separate_model'");
    rp_plot_curve(&plot, CURVE_POINTS, 0, "", "1:4:5");
    rp_plot_curve(&plot, CURVE_LINE, 1, "shared buffer", "'messages':'shared_model'");
    rp_plot_curve(&plot, CURVE_POINTS, 1, "", "1:7:8");
    rp_plot_curve(&plot, CURVE_LINE, 2, "optimistic bound", "'messages':'optimistic_bound'");
    rp_plot_close(&plot);
    cn_topology_free(&cube);
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
    {"horng92-eq-2.16-2.74", "Distribution of the messages in a node of the 6-cube, load 1.4",
     "Horng 1992, eq. 2.16, 2.54 and 2.74", 0.4, queue_lengths, &(const double){1.4}},
    {0},
};
