/*
 * The models of cut-through against simulations at random points: on each of some networks, with
 * each number of places in a buffer, a light, a middle and a heavy load and a length of messages,
 * all drawn.
 */
#include <math.h>

#include "reproduce.h"

typedef struct network {
    const char *family, *name, *routing;
    double nodes_a_side, dimensions; /* 2 a side: a cube */
} network;

static const network networks[] = {
    {"hypercube", "hypercube(6)", "dimension-order", 2, 6},
    {"hypercube", "hypercube(7)", "duato", 2, 7},
    {"torus", "torus([8,8])", "dimension-order", 8, 2},
    {"torus", "torus([8,8])", "duato", 8, 2},
    {"torus", "torus([4,4,4])", "duato", 4, 3},
    {"mesh", "mesh([6,6])", "dimension-order", 6, 2},
    {"mesh", "mesh([6,6])", "duato", 6, 2},
    {"psnn", "psnn(6)", "up-down", 2, 6},
    {"psnn", "psnn(6)", "up-down-adaptive", 2, 6},
};
static const double buffers[] = {1, 2, 4, 0};
static const double bands[] = {0.1, 0.4, 0.7, 0.9}; /* of the model's limit */

static const double BOUND = 0.05; /* of the errors; how many points are above it is printed */

enum { BUFFERS = COUNT(buffers), BANDS = COUNT(bands) - 1 };

typedef struct point {
    const network *of;
    double buffers, share, flits, load, virtual_channels, published, own;
    rp_estimate delay;
    uint64_t seed;
    int saturated;
} point;

static double predict(rp_run *run, cn_scenario *scenario, cn_model_variant variant)
{
    rp_set(run, scenario, CN_PARAM_MODEL_VARIANT, variant);
    cn_result *result = rp_run_model(run, scenario);
    double delay = rp_value(result, CN_METRIC_MEAN_DELAY);
    cn_result_free(&result);
    return delay;
}

static void compare(rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = rp_network(run, "%s", p->of->name);
    const rp_experiment experiment = {
        .system = "cut-through",
        .routing = p->of->routing,
        .topology = topology,
        .seed = p->seed,
        .settings = {{CN_PARAM_MESSAGE_FLITS, p->flits},
                     {CN_PARAM_MESSAGE_BUFFERS, p->buffers},
                     {CN_PARAM_MEASURE_CYCLES, run->quick ? 5000 : 1e6},
                     {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}, /* the limit is that of both */
                     {CN_PARAM_LOAD, 0}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    rp_check(run, cn_scenario_get(scenario, CN_PARAM_VIRTUAL_CHANNELS, &p->virtual_channels));
    rp_check(run, cn_saturation_load(scenario, NULL, &p->load));
    p->load *= p->share;
    rp_set(run, scenario, CN_PARAM_LOAD, p->load);
    p->published = predict(run, scenario, CN_MODEL_PUBLISHED);
    p->own = predict(run, scenario, CN_MODEL_OWN);
    cn_result *result = rp_run_simulation(run, scenario);
    p->saturated = cn_result_is_saturated(result);
    p->delay = rp_read(p->saturated ? NULL : result, CN_METRIC_MEAN_DELAY, 1);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void place_point(void *made, size_t number)
{
    point *p = made;
    size_t band = number % BANDS;
    p->of = &networks[number / BANDS / BUFFERS];
    p->buffers = buffers[number / BANDS % BUFFERS];
    p->share = rp_draw_between(bands[band], bands[band + 1], 2 * number + 1);
    p->flits = floor(exp2(2.0 + 5.0 * rp_draw(2 * number + 2)));
    p->seed = number + 1;
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    double delay = p->delay.value;
    rp_table_text(table, p->of->family);
    rp_table_numbers(table, p->of->nodes_a_side, p->of->dimensions);
    rp_table_text(table, p->of->routing);
    rp_table_numbers(table, p->virtual_channels, p->buffers, p->flits, p->share, p->load);
    rp_table_estimate(table, p->delay);
    rp_table_numbers(table, p->saturated, rp_percent(p->published, delay),
                     rp_percent(p->own, delay));
    rp_table_compare_within(table, rp_text("%s/published", p->of->routing), "cycles", p->published,
                            delay, BOUND);
    rp_table_compare_within(table, rp_text("%s/own", p->of->routing), "cycles", p->own, delay,
                            BOUND);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "network,radix,dimensions,routing,virtual_channels,message_buffers,message_flits,"
                  "share_of_limit,load,mean_delay,mean_delay_half_width,saturated,"
                  "published_percent,own_percent",
        .size = sizeof(point),
        .count = COUNT(networks) * BUFFERS * BANDS,
        .place = place_point,
        .work = compare,
        .write = write_point};
    rp_make_points(run, exhibit, &set);
}

const rp_exhibit cut_through[] = {
    {"cut-through-model", "The models of cut-through at random points", "docs/lab/accuracy.md", 39,
     make, NULL},
    {0},
};
