/*
 * The model of cut-through with deflection against simulations at random points: on each of some
 * networks, with n to 4n buffers, loads below, just below and above what the channels carry and a
 * length of messages, all drawn.
 */
#include <math.h>

#include "reproduce.h"

static const struct {
    const char *kind;
    uint64_t radix;
    uint32_t dimensions;
} networks[] = {{"boolean", 2, 4},     {"boolean", 2, 6},     {"boolean", 2, 8},
                {"kary-2-cube", 4, 2}, {"kary-2-cube", 8, 2}, {"kary-2-cube", 16, 2},
                {"kary-n-cube", 4, 3}, {"kary-n-cube", 3, 4}};
static const double bands[] = {0.05, 0.5, 0.85, 0.97, 1.1, 3.0}; /* of what fills the channels */

static const double BOUND = 0.03; /* of the error; how many points are above it is printed */

enum { BUFFERS = 4, BANDS = COUNT(bands) - 1 }; /* n, 2n, 3n, 4n */

/* Of a simulation: as many as small networks need, or as few as large ones. */
static const double ROUNDS = 4e6, MOST_ROUNDS = 1e5; /* times nodes; in all */

typedef struct point {
    const char *kind;
    uint64_t radix, seed;
    uint32_t dimensions, buffers_a_channel;
    double share, flits, load, throughput, own_delay, own_throughput;
    rp_estimate delay;
} point;

static void place_point(void *made, size_t number)
{
    point *p = made;
    size_t band = number % BANDS, network = number / BANDS / BUFFERS;
    p->kind = networks[network].kind;
    p->radix = networks[network].radix;
    p->dimensions = networks[network].dimensions;
    p->buffers_a_channel = 1 + (uint32_t)(number / BANDS % BUFFERS);
    p->share = rp_draw_between(bands[band], bands[band + 1], 2 * number + 1);
    p->flits = floor(exp2(7.0 * rp_draw(2 * number + 2)));
    p->seed = number + 1;
    p->load = 2.0 * p->share / (double)(p->radix - 1) / (p->dimensions + p->flits - 1.0);
}

/* In a quick run: every band and number of buffers on some network, but none of the largest, whose
 * model takes seconds. */
static int is_quick(size_t number)
{
    return number % 3 == 0 && networks[number / BANDS / BUFFERS].dimensions < 8;
}

/* With 2 the model does not cover k-ary 2-cubes. */
enum { LEAST_ON_2_CUBES = 3 };

static double buffers_of(const point *p)
{
    double buffers = (double)p->buffers_a_channel * p->dimensions;
    return p->dimensions == 2 ? fmax(LEAST_ON_2_CUBES, buffers) : buffers;
}

static void compare(rp_run *run, void *made)
{
    point *p = made;
    double rounds = fmin(MOST_ROUNDS, ROUNDS / pow((double)p->radix, p->dimensions));
    cn_topology *topology = rp_one_way_cube(run, p->radix, p->dimensions);
    const rp_experiment experiment = {
        .system = "cut-through-deflection",
        .topology = topology,
        .seed = p->seed,
        .settings = {{CN_PARAM_MESSAGE_FLITS, p->flits},
                     {CN_PARAM_BUFFERS, buffers_of(p)},
                     {CN_PARAM_LOAD, p->load},
                     {CN_PARAM_RELATIVE_PRECISION, 0.003},
                     {CN_PARAM_MEASURE_CYCLES,
                      (run->quick ? 100 : floor(rounds)) * (p->dimensions + p->flits)}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    cn_result *model = rp_run_model(run, scenario);
    cn_result *result = rp_run_simulation(run, scenario);
    p->own_delay = rp_value(model, CN_METRIC_MEAN_DELAY);
    p->own_throughput = rp_value(model, CN_METRIC_THROUGHPUT);
    p->delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1);
    p->throughput = rp_value(result, CN_METRIC_THROUGHPUT);
    cn_result_free(&model);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    const char *class = rp_text("%s/buffers=%un", p->kind, (unsigned)p->buffers_a_channel);
    rp_table_numbers(table, (double)p->radix, p->dimensions, buffers_of(p), p->flits, p->share,
                     p->load);
    rp_table_estimate(table, p->delay);
    rp_table_numbers(table, p->throughput, rp_percent(p->own_delay, p->delay.value),
                     rp_percent(p->own_throughput, p->throughput));
    rp_table_compare_within(table, rp_text("%s/delay", class), "cycles", p->own_delay,
                            p->delay.value, BOUND);
    rp_table_compare_within(table, rp_text("%s/throughput", class), "messages/node/cycle",
                            p->own_throughput, p->throughput, BOUND);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "radix,dimensions,buffers,message_flits,share_of_capacity,load,mean_delay,"
                  "mean_delay_half_width,throughput,own_delay_percent,own_throughput_percent",
        .size = sizeof(point),
        .count = COUNT(networks) * BUFFERS * BANDS,
        .is_quick = is_quick,
        .place = place_point,
        .work = compare,
        .write = write_point};
    rp_make_points(run, exhibit, &set);
}

const rp_exhibit cut_through_deflection[] = {
    {"cut-through-deflection-model", "The model of cut-through with deflection at random points",
     "docs/lab/accuracy.md", 88, make, NULL},
    {0},
};
