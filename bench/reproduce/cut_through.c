/*
 * The models of cut-through against simulations at random points: on each of some networks, with each number of
 * places in a buffer, a light, a middle and a heavy load and a length of messages, all drawn.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce.h"

typedef struct network {
    const char *name, *routing;
    uint64_t nodes_a_side; /* 2: a cube */
    uint32_t dimensions;
} network;

static const network networks[] = {
    {"hypercube", "dimension-order", 2, 6},
    {"hypercube", "duato", 2, 7},
    {"torus", "dimension-order", 8, 2},
    {"torus", "duato", 8, 2},
    {"torus", "duato", 4, 3},
    {"mesh", "dimension-order", 6, 2},
    {"mesh", "duato", 6, 2},
    {"psnn", "up-down", 2, 6},
    {"psnn", "up-down-adaptive", 2, 6},
};
static const double buffers[] = {1, 2, 4, 0};
static const double bands[] = {0.1, 0.4, 0.7, 0.9}; /* of the model's limit */

static const double BOUND = 0.05; /* of the errors; how many points are above it is printed */

enum { BUFFERS = COUNT(buffers), BANDS = COUNT(bands) - 1 };

typedef struct point {
    const network *of;
    double buffers, share, flits, load, virtual_channels, delay, half_width, published, own;
    uint64_t seed;
    int saturated;
} point;

static cn_status make_network(const network *n, cn_topology **topology)
{
    uint64_t sides[8];
    for (uint32_t i = 0; i < n->dimensions; i++)
        sides[i] = n->nodes_a_side;
    if (n->name[0] == 'h')
        return cn_topology_hypercube(n->dimensions, topology);
    if (n->name[0] == 'p')
        return cn_topology_psnn(n->dimensions, topology);
    return n->name[0] == 't' ? cn_topology_torus(sides, n->dimensions, topology)
                             : cn_topology_mesh(sides, n->dimensions, topology);
}

/* NaN outside of the region of the model. */
static cn_status predict(cn_scenario *scenario, cn_model_variant variant, double *delay)
{
    *delay = NAN;
    cn_result *result = NULL;
    cn_status status = cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, variant);
    if (status == CN_OK)
        status = cn_predict(scenario, NULL, &result);
    if (status == CN_ERR_UNSUPPORTED)
        return CN_OK;
    if (status == CN_OK)
        status = cn_result_value(result, CN_METRIC_MEAN_DELAY, delay);
    cn_result_free(&result);
    return status;
}

static cn_status set_up(const rp_run *run, point *p, cn_scenario *scenario)
{
    const setting settings[] = {
        {CN_PARAM_MESSAGE_FLITS, p->flits},
        {CN_PARAM_MESSAGE_BUFFERS, p->buffers},
        {CN_PARAM_MEASURE_CYCLES, run->quick ? 5000 : 1e6},
        {CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED}, /* the limit is that of both */
        {CN_PARAM_LOAD, 0}};
    cn_status status = cn_scenario_set_routing_name(scenario, p->of->routing);
    for (size_t i = 0; i < COUNT(settings) && status == CN_OK; i++)
        status = cn_scenario_set(scenario, settings[i].param, settings[i].value);
    if (status == CN_OK)
        status = cn_scenario_set_seed(scenario, p->seed);
    if (status == CN_OK)
        status = cn_scenario_get(scenario, CN_PARAM_VIRTUAL_CHANNELS, &p->virtual_channels);
    if (status == CN_OK)
        status = cn_saturation_load(scenario, NULL, &p->load);
    p->load *= p->share;
    return status == CN_OK ? cn_scenario_set(scenario, CN_PARAM_LOAD, p->load) : status;
}

static cn_status compare(const rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = NULL;
    cn_scenario *scenario = NULL;
    cn_result *result = NULL;
    cn_status status = make_network(p->of, &topology);
    if (status == CN_OK)
        status = cn_scenario_new(topology, "cut-through", &scenario);
    if (status == CN_OK)
        status = set_up(run, p, scenario);
    if (status == CN_OK)
        status = predict(scenario, CN_MODEL_PUBLISHED, &p->published);
    if (status == CN_OK)
        status = predict(scenario, CN_MODEL_OWN, &p->own);
    if (status == CN_OK)
        status = cn_simulate(scenario, NULL, &result);
    p->saturated = cn_result_is_saturated(result);
    p->delay = p->half_width = NAN;
    if (status == CN_OK && !p->saturated &&
        cn_result_value(result, CN_METRIC_MEAN_DELAY, &p->delay) == CN_OK)
        cn_result_half_width(result, CN_METRIC_MEAN_DELAY, &p->half_width);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return status;
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
    char name[64];
    rp_table_text(table, p->of->name);
    rp_table_number(table, (double)p->of->nodes_a_side);
    rp_table_number(table, (double)p->of->dimensions);
    rp_table_text(table, p->of->routing);
    rp_table_number(table, p->virtual_channels);
    rp_table_number(table, p->buffers);
    rp_table_number(table, p->flits);
    rp_table_number(table, p->share);
    rp_table_number(table, p->load);
    rp_table_number(table, p->delay);
    rp_table_number(table, p->half_width);
    rp_table_number(table, p->saturated);
    rp_table_number(table, 100.0 * (p->published / p->delay - 1.0));
    rp_table_number(table, 100.0 * (p->own / p->delay - 1.0));
    rp_table_end_row(table);
    snprintf(name, sizeof name, "%s/published", p->of->routing);
    rp_table_compare_within(table, name, "cycles", p->published, p->delay, BOUND);
    snprintf(name, sizeof name, "%s/own", p->of->routing);
    rp_table_compare_within(table, name, "cycles", p->own, p->delay, BOUND);
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
    {"cut-through-model", "The models of cut-through at random points", "docs/cut-through.md", 39,
     make},
    {0},
};
