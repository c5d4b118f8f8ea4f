/*
 * The library's own models of wormhole switching against simulations at random points: on tori without broadcasts, up
 * to 70 % of the load that the simulation carries, and on hypercubes with and without, up to 80 %. The seed of the
 * points is 1.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce.h"

enum { QUICK_STEP = 10, SEED = 1 };

typedef struct torus {
    uint64_t sides[3];
    uint32_t dimensions;
    size_t points;
} torus;

/* On so many of the points; the others are on hypercubes. */
static const torus tori[] = {{{8, 8}, 2, 12}, {{16, 16}, 2, 6}, {{8, 8, 8}, 3, 4}};
enum { CUBES = 28 };
static const char *const routings[] = {"dimension-order", "duato"};

typedef struct point {
    const torus *of; /* NULL: a hypercube */
    uint32_t dimensions;
    const char *routing;
    double channels, flits, beta, share;
    double lower, upper; /* load that the simulation carries, and one that it does not */
    double limit;        /* of the model */
    double load, unicast, unicast_half_width, broadcast, broadcast_half_width;
    double unicast_model, broadcast_model;
    uint64_t seed;
} point;

/* The torus of a point; NULL where it is on a hypercube. */
static const torus *torus_of(size_t number)
{
    for (size_t i = 0; i < COUNT(tori); number -= tori[i++].points)
        if (number < tori[i].points)
            return &tori[i];
    return NULL;
}

static void place_point(void *made, size_t number)
{
    point *p = made;
    uint64_t word = 8 * (uint64_t)number + SEED;
    p->seed = number + 1;
    p->of = torus_of(number);
    if (p->of != NULL) {
        p->dimensions = p->of->dimensions;
        p->routing = routings[number % COUNT(routings)];
        p->channels = rp_draw_whole(number % COUNT(routings) == 0 ? 2 : 3, 6, word);
        p->flits = rp_draw_whole(16, 64, word + 1);
        p->share = 0.1 + 0.6 * rp_draw(word + 2);
        return;
    }
    p->dimensions = (uint32_t)rp_draw_whole(3, 10, word + 3);
    p->routing = "duato";
    p->channels = rp_draw_whole(2, 8, word);
    p->flits = floor(8.0 * pow(16.0, rp_draw(word + 1)));
    p->share = 0.1 + 0.7 * rp_draw(word + 2);
    p->beta = number % 2 == 0 ? 0.0 : 0.005 * pow(40.0, rp_draw(word + 4));
}

/* As many messages in a network of any size: large ones run for fewer cycles, but for at least so many times the time of a
 * message. */
static double cycles_for(const point *p, const cn_topology *topology, double node_cycles,
                         double message_times)
{
    double nodes = (double)cn_topology_node_count(topology);
    return floor(fmin(1e6, fmax(node_cycles / nodes, message_times * (p->flits + 30.0))));
}

static cn_status set_up(const point *p, cn_scenario *scenario)
{
    const setting settings[] = {{CN_PARAM_VIRTUAL_CHANNELS, p->channels},
                                {CN_PARAM_MESSAGE_FLITS, p->flits},
                                {CN_PARAM_BROADCAST_FRACTION, p->beta},
                                {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}};
    cn_status status = cn_scenario_set_routing_name(scenario, p->routing);
    for (size_t i = 0; i < COUNT(settings) && status == CN_OK; i++)
        status = cn_scenario_set(scenario, settings[i].param, settings[i].value);
    return status == CN_OK ? cn_scenario_set_seed(scenario, p->seed) : status;
}

/* NaN where there is none. */
static double value_of(const cn_result *result, cn_metric metric)
{
    double value = NAN;
    return cn_result_value(result, metric, &value) == CN_OK ? value : NAN;
}

static double half_width_of(const cn_result *result, cn_metric metric)
{
    double value = NAN;
    return cn_result_half_width(result, metric, &value) == CN_OK ? value : NAN;
}

static cn_status simulate(cn_scenario *scenario, double load, double cycles, double precision,
                          cn_result **result)
{
    const setting settings[] = {{CN_PARAM_LOAD, load},
                                {CN_PARAM_MEASURE_CYCLES, cycles},
                                {CN_PARAM_RELATIVE_PRECISION, precision}};
    cn_status status = CN_OK;
    for (size_t i = 0; i < COUNT(settings) && status == CN_OK; i++)
        status = cn_scenario_set(scenario, settings[i].param, settings[i].value);
    return status == CN_OK ? cn_simulate(scenario, NULL, result) : status;
}

/* Up or down from near the limit, in growing steps, then between the two: four or five runs, where
 * cn_simulated_saturation_load(), which knows of no model, takes a dozen. Just above the limit queues grow so slowly that
 * only a long run shows it: on an 8 x 8 torus runs of 31 000 cycles give a limit 6 % above that of runs of a million. */
static cn_status bracket(const rp_run *run, point *p, const cn_topology *topology,
                         cn_scenario *scenario, double near)
{
    double accuracy = run->quick ? 0.1 : 0.03, step = run->quick ? 0.2 : 0.06, load = near;
    double cycles =
        run->quick ? cycles_for(p, topology, 1e5, 100.0) : cycles_for(p, topology, 4e7, 1000.0);
    p->lower = p->upper = 0.0;
    while (p->lower == 0.0 || p->upper == 0.0 || p->upper - p->lower > accuracy * p->upper) {
        cn_result *result = NULL;
        cn_status status = simulate(scenario, load, cycles, 0.05, &result);
        int saturated = status == CN_ERR_UNSTABLE || cn_result_is_saturated(result);
        cn_result_free(&result);
        if (status != CN_OK && !saturated)
            return status;
        *(saturated ? &p->upper : &p->lower) = load;
        if (p->lower > 0.0 && p->upper > 0.0)
            load = 0.5 * (p->lower + p->upper);
        else
            load *= saturated ? 1.0 - step : 1.0 + step;
        step = fmin(0.5, 1.5 * step);
    }
    return CN_OK;
}

static cn_status measure(const rp_run *run, point *p, const cn_topology *topology,
                         cn_scenario *scenario)
{
    cn_result *result = NULL;
    p->load = p->share * 0.5 * (p->lower + p->upper);
    cn_status status = simulate(
        scenario, p->load, cycles_for(p, topology, run->quick ? 1e5 : 4e7, 100.0), 0.004, &result);
    p->unicast = value_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
    p->unicast_half_width = half_width_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
    p->broadcast = p->beta > 0.0 ? value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST) : NAN;
    p->broadcast_half_width =
        p->beta > 0.0 ? half_width_of(result, CN_METRIC_MEAN_DELAY_BROADCAST) : NAN;
    cn_result_free(&result);
    return status;
}

static cn_status predict(point *p, cn_scenario *scenario)
{
    cn_result *result = NULL;
    cn_status status = cn_predict(scenario, NULL, &result);
    p->unicast_model = p->broadcast_model = NAN;
    if (status == CN_OK) {
        p->unicast_model = value_of(result, CN_METRIC_MEAN_DELAY_UNICAST);
        p->broadcast_model = value_of(result, CN_METRIC_MEAN_DELAY_BROADCAST);
    }
    cn_result_free(&result);
    return status == CN_ERR_UNSTABLE ? CN_OK : status;
}

/* The limit of the model; on tori beyond 8 x 8, where it takes a minute, half the load at which the channels are full,
 * as a place to begin. */
static cn_status find_limit(point *p, const cn_topology *topology, cn_scenario *scenario,
                            double *near)
{
    if (p->of == NULL || cn_topology_node_count(topology) <= 64) {
        cn_status status = cn_saturation_load(scenario, NULL, &p->limit);
        *near = p->limit;
        return status;
    }
    p->limit = NAN;
    *near = 0.5 * 8.0 / ((double)p->of->sides[0] * p->flits);
    return CN_OK;
}

static cn_status compare(const rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_status status = p->of == NULL ? cn_topology_hypercube(p->dimensions, &topology)
                                     : cn_topology_torus(p->of->sides, p->dimensions, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "wormhole", &scenario);
    double near = 0.0;
    if (status == CN_OK)
        status = set_up(p, scenario);
    if (status == CN_OK)
        status = find_limit(p, topology, scenario, &near);
    if (status == CN_OK)
        status = bracket(run, p, topology, scenario, near);
    if (status == CN_OK)
        status = measure(run, p, topology, scenario);
    if (status == CN_OK)
        status = predict(p, scenario);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
}

/* Of the errors; how many points are above it is printed. */
static const double BOUND = 0.05;

/* hypercube/V=2, hypercube/V=4-8, 8x8/duato and so on */
static void name_class(const point *p, char name[], size_t capacity)
{
    if (p->of == NULL)
        snprintf(name, capacity, "hypercube/V=%s", p->channels <= 3.0 ? "2-3" : "4-8");
    else
        snprintf(name, capacity, "%ux%u%s/%s", (unsigned)p->of->sides[0], (unsigned)p->of->sides[0],
                 p->dimensions == 3 ? "x8" : "", p->routing);
}

static void compare_class(rp_table *table, const point *p, const char *what, const char *unit,
                          double model, double simulated)
{
    char class[40], name[64];
    name_class(p, class, sizeof class);
    snprintf(name, sizeof name, "%s/%s", class, what);
    rp_table_compare_within(table, name, unit, model, simulated, BOUND);
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    rp_table_text(table, p->of == NULL ? "hypercube" : "torus");
    rp_table_number(table, p->of == NULL ? 2.0 : (double)p->of->sides[0]);
    rp_table_number(table, (double)p->dimensions);
    rp_table_text(table, p->routing);
    rp_table_number(table, p->channels);
    rp_table_number(table, p->flits);
    rp_table_number(table, p->beta);
    rp_table_number(table, p->share);
    rp_table_number(table, p->load);
    rp_table_number(table, p->unicast);
    rp_table_number(table, p->unicast_half_width);
    rp_table_number(table, 100.0 * (p->unicast_model / p->unicast - 1.0));
    rp_table_number(table, p->broadcast);
    rp_table_number(table, p->broadcast_half_width);
    rp_table_number(table, 100.0 * (p->broadcast_model / p->broadcast - 1.0));
    rp_table_number(table, p->lower);
    rp_table_number(table, p->upper);
    rp_table_number(table, 100.0 * (2.0 * p->limit / (p->lower + p->upper) - 1.0));
    rp_table_end_row(table);
    compare_class(table, p, "unicasts", "cycles", p->unicast_model, p->unicast);
    compare_class(table, p, "broadcasts", "cycles", p->broadcast_model, p->broadcast);
    compare_class(table, p, "limit", "messages/node/cycle", p->limit, 0.5 * (p->lower + p->upper));
}

/* Of the tori only on 8 x 8: on larger ones a prediction takes seconds. */
static int is_quick(size_t number)
{
    return number % QUICK_STEP == 5 && (torus_of(number) == NULL || torus_of(number) == &tori[0]);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "network,radix,dimensions,routing,virtual_channels,message_flits,"
                  "broadcast_fraction,share_of_saturation,load,unicast,unicast_half_width,"
                  "unicast_percent,broadcast,broadcast_half_width,broadcast_percent,"
                  "saturation_lower,saturation_upper,limit_percent",
        .size = sizeof(point),
        .count = 12 + 6 + 4 + CUBES,
        .is_quick = is_quick,
        .place = place_point,
        .work = compare,
        .write = write_point};
    rp_make_points(run, exhibit, &set);
}

const rp_exhibit wormhole_model[] = {
    {"wormhole-model", "The models of wormhole switching at random points",
     "docs/wormhole-model.md", 400, make},
    {0},
};
