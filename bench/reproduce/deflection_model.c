/*
 * The library's own model of deflection against simulations at random points: Boolean n-cubes (half
 * of the points), 8- to 16-ary 2-cubes and generalized hypercubes of two and three dimensions (a
 * quarter each), with one to ten buffers a channel. The load of two points in three is 0.025 to 5
 * times that which fills the channels, each factor as likely as any other; of the third it is 0.8
 * to 1.2 times.
 */
#include <math.h>

#include "reproduce.h"

enum { POINTS = 300, KINDS = 4, DRAWS = 8 }; /* draws of a point */

static const double BOUND = 0.02; /* of the error; how many points are above it is printed */

/* In a cube of so many dimensions near capacity, queues take too long to settle with more than so
 * many buffers a channel. */
enum { LARGE = 11, BUFFERS_IN_LARGE = 4 };

/* With fewer buffers own does not cover k-ary 2-cubes. */
enum { LEAST_ON_TWO_RINGS = 4 };

/* A simulation: as many as small networks need; in a quick run; and times the network takes to
 * settle. */
static const double NODE_CYCLES = 2e6, QUICK_NODE_CYCLES = 2e4, SETTLE = 2.5;

typedef struct point {
    const char *kind, *buffers_class, *near;
    uint64_t radix, seed;
    uint32_t dimensions, channels, buffers;
    double share, full, load, own_delay, own_throughput;
    rp_estimate delay, throughput;
} point;

static double draw(size_t number, size_t which)
{
    return rp_draw(DRAWS * number + which + 1);
}

static uint32_t draw_whole(double lowest, double highest, size_t number, size_t which)
{
    return (uint32_t)rp_draw_whole(lowest, highest, DRAWS * number + which + 1);
}

static void place_network(point *p, size_t number)
{
    switch (number % KINDS) {
    case 2:
        p->kind = "2-cube";
        p->radix = draw_whole(8, 16, number, 0);
        p->dimensions = p->channels = 2;
        break;
    case 3:
        p->kind = "generalized";
        p->radix = draw_whole(3, 8, number, 0);
        p->dimensions = draw_whole(2, 3, number, 1);
        p->channels = p->dimensions * (uint32_t)(p->radix - 1);
        break;
    default:
        p->kind = "boolean";
        p->radix = 2;
        p->dimensions = p->channels = draw_whole(3, 14, number, 0);
    }
}

static double nodes_of(const point *p)
{
    return pow((double)p->radix, p->dimensions);
}

static double distance_of(const point *p)
{
    double k = (double)p->radix,
           a_dimension = p->channels == 2 && k > 2 ? (k - 1) / 2 : (k - 1) / k;
    return p->dimensions * a_dimension * nodes_of(p) / (nodes_of(p) - 1.0);
}

static void place_point(void *made, size_t number)
{
    point *p = made;
    place_network(p, number);
    int third = draw(number, 2) < 1.0 / 3.0;
    double most = third && p->dimensions >= LARGE ? BUFFERS_IN_LARGE : 10;
    p->share = third ? 0.8 + 0.4 * draw(number, 3) : 0.025 * pow(200.0, draw(number, 3));
    p->buffers = draw_whole(p->channels, most * p->channels, number, 4);
    if (p->kind[0] == '2' && p->buffers < LEAST_ON_TWO_RINGS)
        p->buffers = LEAST_ON_TWO_RINGS;
    p->full = p->channels / distance_of(p);
    p->load = p->share * p->full;
    p->near = p->share >= 0.8 && p->share <= 1.2 ? "near" : "apart";
    p->buffers_class = p->buffers < 2 * p->channels   ? "buffers=1..2"
                       : p->buffers < 4 * p->channels ? "buffers=2..4"
                                                      : "buffers=4..10";
    p->seed = number + 1;
}

static int is_quick(size_t number)
{
    point p;
    place_point(&p, number);
    return number % 3 == 0 && nodes_of(&p) <= 256;
}

/* The own model at the point, and a simulation that is as long as its queue needs to settle. */
static void compare(rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = p->kind[0] == 'g' ? rp_network(run, "generalized_hypercube(k=%u,n=%u)",
                                                           (unsigned)p->radix, p->dimensions)
                                              : rp_one_way_cube(run, p->radix, p->dimensions);
    const rp_experiment experiment = {.system = "deflection",
                                      .topology = topology,
                                      .seed = p->seed,
                                      .settings = {{CN_PARAM_LOAD, p->load},
                                                   {CN_PARAM_BUFFERS, p->buffers},
                                                   {CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    cn_result *model = rp_run_model(run, scenario);
    double queue = rp_value(model, CN_METRIC_MEAN_QUEUE_LENGTH);
    double spread = distance_of(p) * queue * queue / p->channels;
    double settles = 20.0 + fmin(spread, 2.0 * queue / fabs(p->load - p->full));
    double cycles = fmax(100.0, (run->quick ? QUICK_NODE_CYCLES : NODE_CYCLES) / nodes_of(p));
    rp_set(run, scenario, CN_PARAM_WARMUP_CYCLES, floor(run->quick ? 20 : SETTLE * settles));
    rp_set(run, scenario, CN_PARAM_MEASURE_CYCLES, floor(cycles));
    rp_set(run, scenario, CN_PARAM_RELATIVE_PRECISION, run->quick ? 0.0 : 0.005);
    cn_result *result = rp_run_simulation(run, scenario);
    p->own_delay = rp_value(model, CN_METRIC_MEAN_DELAY);
    p->own_throughput = rp_value(model, CN_METRIC_THROUGHPUT);
    p->delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1);
    p->throughput = rp_read(result, CN_METRIC_THROUGHPUT, 1);
    cn_result_free(&model);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    const char *class = rp_text("%s/%s/%s", p->kind, p->buffers_class, p->near);
    rp_table_text(table, p->kind);
    rp_table_numbers(table, (double)p->radix, p->dimensions, p->buffers);
    rp_table_text(table, p->buffers_class);
    rp_table_text(table, p->near);
    rp_table_numbers(table, p->share, p->load);
    rp_table_estimate(table, p->delay);
    rp_table_estimate(table, p->throughput);
    rp_table_numbers(table, rp_percent(p->own_delay, p->delay.value),
                     rp_percent(p->own_throughput, p->throughput.value));
    rp_table_compare_within(table, rp_text("%s/delay", class), "cycles", p->own_delay,
                            p->delay.value, BOUND);
    rp_table_compare_within(table, rp_text("%s/throughput", class), "messages/node/cycle",
                            p->own_throughput, p->throughput.value, BOUND);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set_of_points = {
        .header = "kind,radix,dimensions,buffers,buffers_a_channel,capacity,share_of_capacity,load,"
                  "mean_delay,mean_delay_half_width,throughput,throughput_half_width,"
                  "own_delay_percent,own_throughput_percent",
        .size = sizeof(point),
        .count = POINTS,
        .is_quick = is_quick,
        .place = place_point,
        .work = compare,
        .write = write_point};
    rp_make_points(run, exhibit, &set_of_points);
}

const rp_exhibit deflection_model[] = {
    {"deflection-model", "The library's own model of deflection at random points",
     "docs/lab/accuracy.md", 61, make, NULL},
    {0},
};
