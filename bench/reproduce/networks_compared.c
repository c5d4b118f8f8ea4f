/*
 * The networks of Ginosar & Egozi under load: what their paper could only ask statically.
 *
 * Uniform traffic, three ways to carry it, each with the routing that its system takes by itself. Every network
 * is loaded up to its own limit: the load at which the first channel of the routing `minimal` is full. Delay is
 * drawn over throughput, once for a node (networks of the same number of nodes) and once for a link (networks of
 * the same number of wires). Worms have 16 flits and, on all networks, four virtual channels. A network with more than 64 ports a node has no simulation, so the star and the
 * complete network are not among those of 1024 nodes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce.h"

/* ---- the networks ---- */

enum { SMALL, LARGE, SIZES };

typedef struct sample {
    const char *name; /* as the paper calls it */
    cn_topology *topology;
} sample;

enum { MOST_SAMPLES = 9 };

static size_t add_sample(sample samples[], size_t count, const char *name, cn_topology *topology)
{
    samples[count] = (sample){name, topology};
    return count + 1;
}

/* About 64 or 1024 nodes; the binary trees have one less. */
static size_t make_samples(rp_run *run, int size, sample samples[MOST_SAMPLES])
{
    const uint64_t nodes = size == SMALL ? 64 : 1024, side = size == SMALL ? 8 : 32;
    const uint64_t square[] = {side, side}, low[] = {4, 4, 4}, high[] = {8, 8, 16};
    cn_topology *t[MOST_SAMPLES] = {NULL};
    size_t count = 0;
    rp_check(run, cn_topology_ring(nodes, 1, &t[0]));
    count = add_sample(samples, count, "NN_1", t[0]);
    rp_check(run, cn_topology_torus(square, 2, &t[1]));
    count = add_sample(samples, count, "NN_2", t[1]);
    rp_check(run, cn_topology_torus(size == SMALL ? low : high, 3, &t[2]));
    count = add_sample(samples, count, "NN_3", t[2]);
    rp_check(run, cn_topology_tree(2, size == SMALL ? 5 : 9, &t[3]));
    count = add_sample(samples, count, "tree", t[3]);
    rp_check(run, cn_topology_chordal_ring(nodes, 0, 0, &t[4]));
    count = add_sample(samples, count, "chordal-ring", t[4]);
    rp_check(run, cn_topology_hypercube(size == SMALL ? 6 : 10, &t[5]));
    count = add_sample(samples, count, "hypercube", t[5]);
    rp_check(run, cn_topology_psnn(size == SMALL ? 6 : 10, &t[6]));
    count = add_sample(samples, count, "PSNN", t[6]);
    if (size == LARGE)
        return count;
    rp_check(run, cn_topology_star(nodes, &t[7]));
    count = add_sample(samples, count, "star", t[7]);
    rp_check(run, cn_topology_complete(nodes, &t[8]));
    return add_sample(samples, count, "CCN", t[8]);
}

static void free_samples(sample samples[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        cn_topology_free(&samples[i].topology);
}

static double saturation_of(rp_run *run, const cn_topology *topology, const char *routing)
{
    cn_routing *made = NULL;
    double load = NAN;
    if (rp_check(run, cn_routing_new(topology, routing, NULL, NULL, &made)))
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
    double throughput, throughput_half_width, delay, delay_half_width;
    int saturated;
    char refusal[200];
} point;

typedef struct comparison {
    rp_run *run;
    const char *system;
    const sample *samples;
    size_t count; /* of points */
    point points[MOST_SAMPLES * POINTS];
} comparison;

static cn_status set_up(const comparison *c, const point *p, cn_scenario *scenario)
{
    cn_status status = cn_scenario_set(scenario, CN_PARAM_LOAD, p->load);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_MESSAGE_FLITS))
        status = cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, FLITS);
    if (status == CN_OK && cn_scenario_takes(scenario, CN_PARAM_VIRTUAL_CHANNELS))
        status = cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, VIRTUAL_CHANNELS);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, c->run->quick ? 500 : 5000);
    if (status == CN_OK)
        status = cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, c->run->quick ? 1000 : 20000);
    return status;
}

static void read_point(point *p, const cn_result *result)
{
    p->saturated = cn_result_is_saturated(result);
    cn_result_value(result, CN_METRIC_THROUGHPUT, &p->throughput);
    cn_result_half_width(result, CN_METRIC_THROUGHPUT, &p->throughput_half_width);
    if (cn_result_value(result, CN_METRIC_MEAN_DELAY, &p->delay) == CN_OK)
        cn_result_half_width(result, CN_METRIC_MEAN_DELAY, &p->delay_half_width);
}

static void simulate(void *user, size_t number)
{
    comparison *c = user;
    point *p = &c->points[number];
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = cn_scenario_new(c->samples[p->network].topology, c->system, &scenario);
    if (status == CN_OK)
        status = set_up(c, p, scenario);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    if (status == CN_OK)
        read_point(p, result);
    else
        snprintf(p->refusal, sizeof p->refusal, "%s", cn_last_error());
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* ---- a comparison ---- */

static void plan_points(comparison *c, size_t networks)
{
    double flits = strcmp(c->system, "wormhole") == 0 ? FLITS : 1;
    for (size_t i = 0; i < networks; i++) {
        double saturation = saturation_of(c->run, c->samples[i].topology, "minimal");
        for (size_t p = 0; p < POINTS; p += c->run->quick ? 5 : 1)
            c->points[c->count++] = (point){.network = i,
                                            .load = parts[p] * saturation / flits,
                                            .throughput = NAN,
                                            .throughput_half_width = NAN,
                                            .delay = NAN,
                                            .delay_half_width = NAN};
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
        const sample *s = &c->samples[p->network];
        double nodes = (double)cn_topology_node_count(s->topology);
        double links = rp_measure(c->run, s->topology, CN_MEASURE_LINKS).lower;
        rp_table_number(&table, (double)p->network);
        rp_table_text(&table, s->name);
        rp_table_text(&table, cn_topology_name(s->topology));
        rp_table_number(&table, nodes);
        rp_table_number(&table, links);
        rp_table_text(&table, c->system);
        rp_table_number(&table, p->load);
        rp_table_number(&table, p->throughput);
        rp_table_number(&table, p->throughput_half_width);
        rp_table_number(&table, p->throughput * nodes / links);
        rp_table_number(&table, p->delay);
        rp_table_number(&table, p->delay_half_width);
        rp_table_number(&table, p->saturated);
        rp_table_text(&table, p->refusal);
        rp_table_end_row(&table);
    }
    rp_table_close(&table);
}

/* Points with their half-widths, and a line that joins them. */
static void draw_panel(rp_plot *plot, const comparison *c, size_t networks, const char *column)
{
    static const char shown[] = "(column('number')==%zu && column('saturated')==0 ? column('%s') : "
                                "NaN):'mean_delay'%s";
    for (size_t i = 0; i < networks; i++) {
        rp_plot_curve(plot, CURVE_LINE, (unsigned)i, "", shown, i, column, "");
        rp_plot_curve(plot, CURVE_POINTS, (unsigned)i, c->samples[i].name, shown, i, column,
                      ":'mean_delay_half_width'");
    }
}

static void draw(const comparison *c, const rp_exhibit *exhibit, size_t networks)
{
    rp_plot plot;
    rp_plot_open(&plot, c->run, exhibit, "throughput (messages per node and cycle)",
                 "mean delay (cycles)");
    rp_plot_panels(&plot, 2);
    rp_plot_command(&plot, "set logscale xy");
    draw_panel(&plot, c, networks, "throughput");
    rp_plot_next_panel(&plot, "throughput (messages per link and cycle)");
    draw_panel(&plot, c, networks, "throughput_a_link");
    rp_plot_close(&plot);
}

static void compare(rp_run *run, const rp_exhibit *exhibit, const char *system, int size)
{
    sample samples[MOST_SAMPLES];
    size_t networks = make_samples(run, size, samples);
    comparison *c = calloc(1, sizeof *c);
    if (c == NULL) {
        rp_fail(run, "out of memory");
    } else if (!run->failed) {
        c->run = run;
        c->system = system;
        c->samples = samples;
        plan_points(c, networks);
        rp_together(run, c->count, simulate, c);
        write_points(c, exhibit);
        draw(c, exhibit, networks);
    }
    free(c);
    free_samples(samples, networks);
}

/* ---- what they are without load ---- */

static void write_measure(rp_table *table, const cn_topology *topology, cn_measure measure)
{
    rp_range r = rp_measure(table->run, topology, measure);
    rp_table_number(table, r.lower);
    rp_table_number(table, r.upper);
}

static void write_network(rp_table *table, const sample *s)
{
    rp_table_text(table, s->name);
    rp_table_text(table, cn_topology_name(s->topology));
    rp_table_number(table, (double)cn_topology_node_count(s->topology));
    rp_table_number(table, rp_measure(table->run, s->topology, CN_MEASURE_LINKS).lower);
    rp_table_number(table, rp_measure(table->run, s->topology, CN_MEASURE_DIAMETER).lower);
    rp_table_number(table, rp_measure(table->run, s->topology, CN_MEASURE_MEAN_DISTANCE).lower);
    write_measure(table, s->topology, CN_MEASURE_BISECTION_WIDTH);
    write_measure(table, s->topology, CN_MEASURE_COST_EFFECTIVENESS);
    rp_table_number(table, saturation_of(table->run, s->topology, "minimal"));
    rp_table_number(table, saturation_of(table->run, s->topology, "up-down"));
    rp_table_number(table, saturation_of(table->run, s->topology, "up-down-adaptive"));
    rp_table_end_row(table);
}

static void statics(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "name,network,nodes,links,diameter,mean_distance,bisection_lower,bisection_upper,"
                  "cost_effectiveness_lower,cost_effectiveness_upper,saturation_minimal,"
                  "saturation_up_down,saturation_up_down_adaptive");
    for (int size = SMALL; size < (run->quick ? LARGE : SIZES); size++) {
        sample samples[MOST_SAMPLES];
        size_t networks = make_samples(run, size, samples);
        for (size_t i = 0; i < networks && !run->failed; i++)
            write_network(&table, &samples[i]);
        free_samples(samples, networks);
    }
    rp_table_close(&table);
}

/* ---- the exhibits ---- */

#define COMPARISON(function, system, size)                       \
    static void function(rp_run *run, const rp_exhibit *exhibit) \
    {                                                            \
        compare(run, exhibit, system, size);                     \
    }

COMPARISON(deflection_small, "deflection", SMALL)
COMPARISON(deflection_large, "deflection", LARGE)
COMPARISON(wormhole_small, "wormhole", SMALL)
COMPARISON(wormhole_large, "wormhole", LARGE)
COMPARISON(stored_small, "separate-buffers", SMALL)
COMPARISON(stored_large, "separate-buffers", LARGE)

#define NO_PAPER "the networks of Ginosar & Egozi 1989"

const rp_exhibit networks_compared[] = {
    {"networks-compared", "The networks without load, and where their first channel is full",
     NO_PAPER, 9.5, statics},
    {"networks-compared-64-deflection", "Deflection, 64 nodes", NO_PAPER, 7, deflection_small},
    {"networks-compared-64-wormhole", "Worms of 16 flits, 64 nodes", NO_PAPER, 10.5,
     wormhole_small},
    {"networks-compared-64-stored", "Stored messages, 64 nodes", NO_PAPER, 10.5, stored_small},
    {"networks-compared-1024-deflection", "Deflection, 1024 nodes", NO_PAPER, 14, deflection_large},
    {"networks-compared-1024-wormhole", "Worms of 16 flits, 1024 nodes", NO_PAPER, 31,
     wormhole_large},
    {"networks-compared-1024-stored", "Stored messages, 1024 nodes", NO_PAPER, 31, stored_large},
    {0},
};
