/*
 * Horng 1992, 6.1.1: "when traffic loads are high and messages are short, the virtual cut-through
 * scheme can perform worse than store-and-forward". For each load and length of messages: the mean
 * delay of cut-through with deflection, of deflection as it was, and of worms, all in the time that
 * a flit takes, and which of them is the shortest.
 *
 * The cycle of store and forward is as long as a message. A message waits for its end, (flits - 1)
 * / 2 on average; the other two systems take it at once.
 */
#include <math.h>

#include "reproduce.h"

static const struct {
    uint64_t radix;
    uint32_t dimensions;
} networks[] = {{2, 6}, {2, 8}, {2, 10}, {8, 2}};
static const char *const systems[] = {"deflection", "cut-through-deflection", "wormhole"};
static const double shares[] = {0.1, 0.3, 0.5, 0.7, 0.8, 0.9};

enum {
    NETWORKS = COUNT(networks),
    SYSTEMS = COUNT(systems),
    SHARES = COUNT(shares),
    LENGTHS = 7, /* 1 to 64 flits */
    POINTS = NETWORKS * LENGTHS * SHARES,
    VIRTUAL_CHANNELS = 4,
    REPLICATIONS = 4
};

static const double LEAST_ACCEPTED =
    0.99; /* of what is offered; below, a system does not carry the load */

typedef struct point {
    size_t panel;
    uint64_t radix;
    uint32_t dimensions;
    double flits, share, load;
    rp_estimate delay[SYSTEMS]; /* NaN: it does not carry the load */
    int winner;                 /* -1: two are too close, or none does */
} point;

/* A hop takes as many flits as a message has, and a node sends over n channels. */
static void place_point(void *made, size_t number)
{
    point *p = made;
    p->panel = number / SHARES / LENGTHS;
    p->radix = networks[p->panel].radix;
    p->dimensions = networks[p->panel].dimensions;
    p->flits = exp2((double)(number / SHARES % LENGTHS));
    p->share = shares[number % SHARES];
    p->load = 2.0 * p->share / (double)(p->radix - 1) / p->flits;
}

/* A system in its own cycles: as long a run as so many messages take. */
static rp_estimate simulate(rp_run *run, const point *p, size_t system, const cn_topology *topology)
{
    double unit = system == 0 ? p->flits : 1.0, load = p->load * unit;
    double lengths = p->flits / unit; /* of time that a message takes at a hop */
    double warmup = (run->quick ? 5 : 10) * (lengths + p->dimensions);
    double least = (run->quick ? 5 : 12) * (lengths + p->dimensions);
    double cycles = (run->quick ? 100 : 1500) / load / (double)cn_topology_node_count(topology);
    const rp_experiment experiment = {
        .system = systems[system],
        .topology = topology,
        .seed = (uint64_t)(p->flits * 100 + p->share * 10),
        .settings = {{CN_PARAM_LOAD, load},
                     {CN_PARAM_REPLICATIONS, REPLICATIONS},
                     {CN_PARAM_RELATIVE_PRECISION, 0},
                     {CN_PARAM_WARMUP_CYCLES, ceil(warmup)},
                     {CN_PARAM_MEASURE_CYCLES, ceil(fmax(cycles, least))},
                     {system == 2 ? CN_PARAM_VIRTUAL_CHANNELS : CN_PARAM_BUFFERS,
                      system == 2 ? VIRTUAL_CHANNELS : 2.0 * p->dimensions},
                     {system == 0 ? (cn_param)0 : CN_PARAM_MESSAGE_FLITS, p->flits}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    cn_result *result = rp_run_simulation(run, scenario);
    int carried = system == 2
                      ? !cn_result_is_saturated(result)
                      : rp_value(result, CN_METRIC_ACCEPTANCE_PROBABILITY) >= LEAST_ACCEPTED;
    rp_estimate delay = rp_read(carried ? result : NULL, CN_METRIC_MEAN_DELAY, unit);
    delay.value += (unit - 1.0) / 2.0;
    cn_result_free(&result);
    cn_scenario_free(&scenario);
    return delay;
}

/* The shortest delay, when it is shorter than all others by more than the half-widths of both. */
static int find_winner(const point *p)
{
    int best = -1;
    const rp_estimate *of = p->delay;
    for (int s = 0; s < SYSTEMS; s++)
        if (!isnan(of[s].value) && (best < 0 || of[s].value < of[best].value))
            best = s;
    for (int s = 0; s < SYSTEMS && best >= 0; s++)
        if (s != best && of[s].value - of[best].value <= of[s].half_width + of[best].half_width)
            return -1;
    return best;
}

/* In a quick run: some points of each network, but none of the largest. */
static int is_quick(size_t number)
{
    return number % SHARES % 3 == 0 && number / SHARES % LENGTHS % 3 == 0 &&
           networks[number / SHARES / LENGTHS].dimensions != 10;
}

static void compare(rp_run *run, void *made)
{
    point *p = made;
    cn_topology *topology = rp_one_way_cube(run, p->radix, p->dimensions);
    for (size_t s = 0; s < SYSTEMS; s++)
        p->delay[s] = simulate(run, p, s, topology);
    p->winner = find_winner(p);
    cn_topology_free(&topology);
}

static void write_point(rp_table *table, const void *made)
{
    const point *p = made;
    rp_table_numbers(table, (double)p->panel, (double)p->radix, p->dimensions, p->flits, p->share,
                     p->load);
    for (size_t s = 0; s < SYSTEMS; s++)
        rp_table_estimate(table, p->delay[s]);
    rp_table_numbers(table, p->winner);
    rp_table_text(table, p->winner < 0 ? "" : systems[p->winner]);
}

static void draw(rp_run *run, const rp_exhibit *exhibit)
{
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, "share of the load that fills the channels: 6-cube",
                 "flits of a message");
    rp_plot_panels(&plot, NETWORKS);
    rp_plot_command(&plot, "set logscale y 2\nset xrange [0:1]\nset yrange [0.7:90]");
    for (int n = 0; n < NETWORKS; n++) {
        if (n > 0)
            rp_plot_next_panel(&plot, rp_text("%u-ary %u-cube", (unsigned)networks[n].radix,
                                              (unsigned)networks[n].dimensions));
        for (int s = 0; s < SYSTEMS; s++)
            rp_plot_curve(&plot, CURVE_POINTS, (unsigned)s, systems[s],
                          "(column('panel')==%d && column('winner')==%d ? "
                          "column('share_of_capacity') : NaN):'message_flits':(0)",
                          n, s);
    }
    rp_plot_close(&plot);
}

static void make(rp_run *run, const rp_exhibit *exhibit)
{
    static const rp_point_set set = {
        .header = "panel,radix,dimensions,message_flits,share_of_capacity,load,deflection,"
                  "deflection_half_width,cut_through_deflection,cut_through_deflection_half_width,"
                  "wormhole,wormhole_half_width,winner,shortest_delay",
        .size = sizeof(point),
        .count = POINTS,
        .is_quick = is_quick,
        .place = place_point,
        .work = compare,
        .write = write_point};
    rp_make_points(run, exhibit, &set);
    draw(run, exhibit);
}

const rp_exhibit cut_through_regions[] = {
    {"cut-through-regions", "Where cut-through with deflection beats store and forward, and worms",
     "Horng 1992, section 6.1.1", 27, make, NULL},
    {0},
};
