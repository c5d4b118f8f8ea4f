/*
 * The networks of Ginosar & Egozi under load: what their paper could only ask statically.
 *
 * Uniform traffic, three ways to carry it, each with the routing that its system takes by itself.
 * Every network is loaded up to its own limit: the load at which the first channel of the routing
 * `minimal` is full. Delay is drawn over throughput, once for a node (networks of the same number
 * of nodes) and once for a link (networks of the same number of wires). Worms have 16 flits and, on
 * all networks, four virtual channels. A network with more than 64 ports a node has no simulation,
 * so the star and the complete network are not among those of 1024 nodes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reproduce.h"

/* ---- the networks ---- */

enum { SMALL, LARGE, SIZES };

enum { MOST_SAMPLES = 9 };

/* About 64 or 1024 nodes; the binary trees have one less. */
static const char *const names[MOST_SAMPLES] = {"NN_1",      "NN_2", "NN_3", "tree", "chordal-ring",
                                                "hypercube", "PSNN", "star", "CCN"};
static const char *const networks_of[SIZES][MOST_SAMPLES] = {
    {"ring(64)", "torus([8,8])", "torus([4,4,4])", "tree(2,5)", "chordal_ring(64,9)",
     "hypercube(6)", "psnn(6)", "star(64)", "complete(64)"},
    {"ring(1024)", "torus([32,32])", "torus([8,8,16])", "tree(2,9)", "chordal_ring(1024,33)",
     "hypercube(10)", "psnn(10)"}};

static double saturation_of(rp_run *run, const cn_topology *topology, const char *routing)
{
    cn_routing *made = NULL;
    double load = NAN;
    rp_check(run, cn_routing_new(topology, routing, NULL, NULL, &made));
    rp_check(run, cn_routing_saturation_load(made, NULL, NULL, NULL, &load));
    cn_routing_free(&made);
    return load;
}

/* ---- one point ---- */

enum { FLITS = 16, VIRTUAL_CHANNELS = 4, POINTS = 11 };

/* Parts of the saturation load. */
static const double parts[POINTS] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

typedef struct point {
    size_t network;
    double load; /* messages a node and cycle */
    rp_estimate throughput, delay;
    int saturated;
    char refusal[200];
} point;

typedef struct comparison {
    rp_run *run;
    const char *system;
    double flits;
    size_t size, count; /* of the networks; of points */
    cn_topology *networks[MOST_SAMPLES];
    point points[MOST_SAMPLES * POINTS];
} comparison;

static void simulate(void *user, size_t number)
{
    comparison *c = user;
    point *p = &c->points[number];
    rp_run run = *c->run;
    const rp_experiment experiment = {
        .system = c->system,
        .topology = c->networks[p->network],
        .settings = {{CN_PARAM_LOAD, p->load},
                     {CN_PARAM_WARMUP_CYCLES, run.quick ? 500 : 5000},
                     {CN_PARAM_MEASURE_CYCLES, run.quick ? 1000 : 20000},
                     {c->flits > 1 ? CN_PARAM_MESSAGE_FLITS : (cn_param)0, c->flits},
                     {CN_PARAM_VIRTUAL_CHANNELS, VIRTUAL_CHANNELS}}};
    cn_scenario *scenario = rp_scenario(&run, &experiment);
    cn_result *result = NULL;
    if (cn_simulate(scenario, NULL, &result) != CN_OK)
        snprintf(p->refusal, sizeof p->refusal, "%s", cn_last_error());
    p->saturated = cn_result_is_saturated(result);
    p->throughput = rp_read(result, CN_METRIC_THROUGHPUT, 1);
    p->delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* ---- a comparison ---- */

static void plan_points(comparison *c)
{
    for (size_t i = 0; i < MOST_SAMPLES && networks_of[c->size][i] != NULL; i++) {
        c->networks[i] = rp_network(c->run, "%s", networks_of[c->size][i]);
        double saturation = saturation_of(c->run, c->networks[i], "minimal");
        for (size_t p = 0; p < POINTS; p += c->run->quick ? 5 : 1)
            c->points[c->count++] = (point){.network = i, .load = parts[p] * saturation / c->flits};
    }
}

static void write_points(const comparison *c, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, c->run, exhibit,
                  "number,name,network,nodes,links,system,load,throughput,throughput_half_width,"
                  "throughput_a_link,mean_delay,mean_delay_half_width,saturated,refusal");
    for (size_t i = 0; i < c->count && !c->run->failed; i++) {
        const point *p = &c->points[i];
        const cn_topology *network = c->networks[p->network];
        double nodes = (double)cn_topology_node_count(network);
        double links = rp_measure(c->run, network, CN_MEASURE_LINKS).lower;
        rp_table_numbers(&table, (double)p->network);
        rp_table_text(&table, names[p->network]);
        rp_table_text(&table, cn_topology_name(network));
        rp_table_numbers(&table, nodes, links);
        rp_table_text(&table, c->system);
        rp_table_numbers(&table, p->load);
        rp_table_estimate(&table, p->throughput);
        rp_table_numbers(&table, p->throughput.value * nodes / links);
        rp_table_estimate(&table, p->delay);
        rp_table_numbers(&table, p->saturated);
        rp_table_text(&table, p->refusal);
    }
    rp_table_close(&table);
}

/* Points with their half-widths, and a line that joins them. */
static void draw_panel(rp_plot *plot, const comparison *c, const char *column)
{
    static const char shown[] = "(column('number')==%zu && column('saturated')==0 ? column('%s') : "
                                "NaN):'mean_delay'%s";
    for (size_t i = 0; i < MOST_SAMPLES && c->networks[i] != NULL; i++) {
        rp_plot_curve(plot, CURVE_LINE, (unsigned)i, "", shown, i, column, "");
        rp_plot_curve(plot, CURVE_POINTS, (unsigned)i, names[i], shown, i, column,
                      ":'mean_delay_half_width'");
    }
}

static void draw(const comparison *c, const rp_exhibit *exhibit)
{
    rp_plot plot;
    rp_plot_open(&plot, c->run, exhibit, "throughput (messages per node and cycle)",
                 "mean delay (cycles)");
    rp_plot_panels(&plot, 2);
    rp_plot_command(&plot, "set logscale xy");
    draw_panel(&plot, c, "throughput");
    rp_plot_next_panel(&plot, "throughput (messages per link and cycle)");
    draw_panel(&plot, c, "throughput_a_link");
    rp_plot_close(&plot);
}

/* What an exhibit is of. */
typedef struct plan {
    const char *system;
    double flits;
    size_t size;
} plan;

static void compare(rp_run *run, const rp_exhibit *exhibit)
{
    const plan *of = exhibit->of;
    comparison *c = calloc(1, sizeof *c);
    if (c == NULL) {
        rp_fail(run, "out of memory");
        return;
    }
    *c = (comparison){.run = run, .system = of->system, .flits = of->flits, .size = of->size};
    plan_points(c);
    if (!run->failed)
        rp_together(run, c->count, simulate, c);
    write_points(c, exhibit);
    draw(c, exhibit);
    for (size_t i = 0; i < MOST_SAMPLES; i++)
        cn_topology_free(&c->networks[i]);
    free(c);
}

/* ---- what they are without load ---- */

static void write_measure(rp_table *table, const cn_topology *topology, cn_measure measure)
{
    rp_range r = rp_measure(table->run, topology, measure);
    rp_table_numbers(table, r.lower, r.upper);
}

static void write_network(rp_table *table, const char *name, const cn_topology *network)
{
    rp_table_text(table, name);
    rp_table_text(table, cn_topology_name(network));
    rp_table_numbers(table, (double)cn_topology_node_count(network),
                     rp_measure(table->run, network, CN_MEASURE_LINKS).lower,
                     rp_measure(table->run, network, CN_MEASURE_DIAMETER).lower,
                     rp_measure(table->run, network, CN_MEASURE_MEAN_DISTANCE).lower);
    write_measure(table, network, CN_MEASURE_BISECTION_WIDTH);
    write_measure(table, network, CN_MEASURE_COST_EFFECTIVENESS);
    rp_table_numbers(table, saturation_of(table->run, network, "minimal"),
                     saturation_of(table->run, network, "up-down"),
                     saturation_of(table->run, network, "up-down-adaptive"));
}

static void statics(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "name,network,nodes,links,diameter,mean_distance,bisection_lower,bisection_upper,"
                  "cost_effectiveness_lower,cost_effectiveness_upper,saturation_minimal,"
                  "saturation_up_down,saturation_up_down_adaptive");
    for (int size = SMALL; size < (run->quick ? LARGE : SIZES); size++)
        for (size_t i = 0; i < MOST_SAMPLES && networks_of[size][i] != NULL && !run->failed; i++) {
            cn_topology *network = rp_network(run, "%s", networks_of[size][i]);
            write_network(&table, names[i], network);
            cn_topology_free(&network);
        }
    rp_table_close(&table);
}

/* ---- the exhibits ---- */

#define NO_PAPER "the networks of Ginosar & Egozi 1989"

const rp_exhibit networks_compared[] = {
    {"networks-compared", "The networks without load, and where their first channel is full",
     NO_PAPER, 9.5, statics, NULL},
    {"networks-compared-64-deflection", "Deflection, 64 nodes", NO_PAPER, 7, compare,
     &(const plan){"deflection", 1, SMALL}},
    {"networks-compared-64-wormhole", "Worms of 16 flits, 64 nodes", NO_PAPER, 10.5, compare,
     &(const plan){"wormhole", FLITS, SMALL}},
    {"networks-compared-64-stored", "Stored messages, 64 nodes", NO_PAPER, 10.5, compare,
     &(const plan){"separate-buffers", 1, SMALL}},
    {"networks-compared-1024-deflection", "Deflection, 1024 nodes", NO_PAPER, 14, compare,
     &(const plan){"deflection", 1, LARGE}},
    {"networks-compared-1024-wormhole", "Worms of 16 flits, 1024 nodes", NO_PAPER, 31, compare,
     &(const plan){"wormhole", FLITS, LARGE}},
    {"networks-compared-1024-stored", "Stored messages, 1024 nodes", NO_PAPER, 31, compare,
     &(const plan){"separate-buffers", 1, LARGE}},
    {0},
};
