/*
 * The library's own models of wormhole switching against simulations at random points: on tori
 * without broadcasts, up to 70 % of the load that the simulation carries, and on hypercubes with
 * and without, up to 80 %. The seed of the points is 1.
 */
#include <math.h>

#include "reproduce.h"

enum { QUICK_STEP = 10, SEED = 1 };

typedef struct torus {
    const char *name, *class;
    double side;
    uint32_t dimensions;
    size_t points;
} torus;

/* On so many of the points; the others are on hypercubes. */
static const torus tori[] = {{"torus([8,8])", "8x8", 8, 2, 12},
                             {"torus([16,16])", "16x16", 16, 2, 6},
                             {"torus([8,8,8])", "8x8x8", 8, 3, 4}};
enum { CUBES = 28 };
static const char *const routings[] = {"dimension-order", "duato"};

typedef struct point {
    const torus *of; /* NULL: a hypercube */
    uint32_t dimensions;
    const char *routing;
    double channels, flits, beta, share;
    double lower, upper; /* load that the simulation carries, and one that it does not */
    double limit;        /* of the model */
    double load, unicast_model, broadcast_model;
    rp_estimate unicast, broadcast;
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

/* As many messages in a network of any size: large ones run for fewer cycles, but for at least so
 * many times the time of a message. */
static double cycles_for(const point *p, const cn_topology *topology, double node_cycles,
                         double message_times)
{
    double nodes = (double)cn_topology_node_count(topology);
    return floor(fmin(1e6, fmax(node_cycles / nodes, message_times * (p->flits + 30.0))));
}

static cn_result *simulate(rp_run *run, cn_scenario *scenario, double load, double cycles,
                           double precision)
{
    rp_set(run, scenario, CN_PARAM_LOAD, load);
    rp_set(run, scenario, CN_PARAM_MEASURE_CYCLES, cycles);
    rp_set(run, scenario, CN_PARAM_RELATIVE_PRECISION, precision);
    return rp_run_simulation(run, scenario);
}

/* Up or down from near the limit, in growing steps, then between the two: four or five runs, where
 * cn_simulated_saturation_load(), which knows of no model, takes a dozen. Just above the limit
 * queues grow so slowly that only a long run shows it: on an 8 x 8 torus runs of 31 000 cycles give
 * a limit 6 % above that of runs of a million. */
static void bracket(rp_run *run, point *p, const cn_topology *topology, cn_scenario *scenario,
                    double near)
{
    double accuracy = run->quick ? 0.1 : 0.03, step = run->quick ? 0.2 : 0.06, load = near;
    double cycles =
        run->quick ? cycles_for(p, topology, 1e5, 100.0) : cycles_for(p, topology, 4e7, 1000.0);
    p->lower = p->upper = 0.0;
    while (!run->failed &&
           (p->lower == 0.0 || p->upper == 0.0 || p->upper - p->lower > accuracy * p->upper)) {
        cn_result *result = simulate(run, scenario, load, cycles, 0.05);
        int saturated = result == NULL || cn_result_is_saturated(result);
        cn_result_free(&result);
        *(saturated ? &p->upper : &p->lower) = load;
        if (p->lower > 0.0 && p->upper > 0.0)
            load = 0.5 * (p->lower + p->upper);
        else
            load *= saturated ? 1.0 - step : 1.0 + step;
        step = fmin(0.5, 1.5 * step);
    }
}

/* The limit of the model; on tori beyond 8 x 8, where it takes a minute, half the load at which the
 * channels are full, as a place to begin. */
static double find_limit(rp_run *run, point *p, const cn_topology *topology, cn_scenario *scenario)
{
    p->limit = NAN;
    if (p->of != NULL && cn_topology_node_count(topology) > 64)
        return 0.5 * 8.0 / (p->of->side * p->flits);
    rp_check(run, cn_saturation_load(scenario, NULL, &p->limit));
    return p->limit;
}

static void compare(rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = p->of == NULL ? rp_network(run, "hypercube(%u)", p->dimensions)
                                          : rp_network(run, "%s", p->of->name);
    const rp_experiment experiment = {.system = "wormhole",
                                      .routing = p->routing,
                                      .topology = topology,
                                      .seed = p->seed,
                                      .settings = {{CN_PARAM_VIRTUAL_CHANNELS, p->channels},
                                                   {CN_PARAM_MESSAGE_FLITS, p->flits},
                                                   {CN_PARAM_BROADCAST_FRACTION, p->beta},
                                                   {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    bracket(run, p, topology, scenario, find_limit(run, p, topology, scenario));
    p->load = p->share * 0.5 * (p->lower + p->upper);
    cn_result *result = simulate(run, scenario, p->load,
                                 cycles_for(p, topology, run->quick ? 1e5 : 4e7, 100.0), 0.004);
    cn_result *model = rp_run_model(run, scenario);
    p->unicast = rp_read(result, CN_METRIC_MEAN_DELAY_UNICAST, 1);
    p->broadcast = rp_read(p->beta > 0.0 ? result : NULL, CN_METRIC_MEAN_DELAY_BROADCAST, 1);
    p->unicast_model = rp_value(model, CN_METRIC_MEAN_DELAY_UNICAST);
    p->broadcast_model = rp_value(model, CN_METRIC_MEAN_DELAY_BROADCAST);
    cn_result_free(&model);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

/* Of the errors; how many points are above it is printed. */
static const double BOUND = 0.05;

/* By class: hypercube/V=2-3, hypercube/V=4-8, 8x8/duato and so on. */
static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    double limit = 0.5 * (p->lower + p->upper);
    const char *class = p->of == NULL
                            ? rp_text("hypercube/V=%s", p->channels <= 3.0 ? "2-3" : "4-8")
                            : rp_text("%s/%s", p->of->class, p->routing);
    rp_table_text(table, p->of == NULL ? "hypercube" : "torus");
    rp_table_numbers(table, p->of == NULL ? 2.0 : p->of->side, (double)p->dimensions);
    rp_table_text(table, p->routing);
    rp_table_numbers(table, p->channels, p->flits, p->beta, p->share, p->load);
    rp_table_estimate(table, p->unicast);
    rp_table_numbers(table, rp_percent(p->unicast_model, p->unicast.value));
    rp_table_estimate(table, p->broadcast);
    rp_table_numbers(table, rp_percent(p->broadcast_model, p->broadcast.value), p->lower, p->upper,
                     rp_percent(p->limit, limit));
    rp_table_compare_within(table, rp_text("%s/unicasts", class), "cycles", p->unicast_model,
                            p->unicast.value, BOUND);
    rp_table_compare_within(table, rp_text("%s/broadcasts", class), "cycles", p->broadcast_model,
                            p->broadcast.value, BOUND);
    rp_table_compare_within(table, rp_text("%s/limit", class), "messages/node/cycle", p->limit,
                            limit, BOUND);
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
    {"wormhole-model", "The models of wormhole switching at random points", "docs/lab/accuracy.md",
     400, make, NULL},
    {0},
};
