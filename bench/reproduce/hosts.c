/*
 * HyperX networks: generalized hypercubes of routers that have several hosts each (docs/hosts.md).
 * What three routings make of uniform traffic and of the traffic that is worst for shortest paths,
 * and what is left when links are faulty.
 */
#define CN_EXPERIMENTAL
#include "reproduce.h"

#include <cubenet/experimental/damage.h>
#include <cubenet/experimental/hosts.h>
#include <math.h>
#include <stdlib.h>

enum { RADIX = 8, FLITS = 4 };

static cn_topology *hyperx(rp_run *run, uint32_t dimensions, uint32_t hosts)
{
    cn_topology *base = rp_network(run, "generalized_hypercube(k=%u,n=%u)", RADIX, dimensions),
                *made;
    int is_made = base != NULL && rp_check(run, cn_topology_with_hosts(base, hosts, &made));
    cn_topology_free(&base);
    return is_made ? made : NULL;
}

/* ---- routings ---- */

static const char *const routings[] = {"dimension-order", "minimal", "valiant"};

/* All hosts of a router send to those of the next one in the first dimension: over one link, where
 * paths are shortest. */
static cn_traffic *worst_traffic(rp_run *run, const cn_topology *network, uint32_t hosts)
{
    uint64_t to[RADIX * RADIX * RADIX], count = RADIX * RADIX;
    cn_traffic *traffic = NULL;
    for (uint64_t router = 0; router < count; router++)
        for (uint64_t h = 0; h < hosts; h++)
            to[router * hosts + h] =
                count + (router - router % RADIX + (router + 1) % RADIX) * hosts + h;
    rp_check(run, cn_traffic_destinations(network, to, (size_t)(count * hosts), &traffic));
    return traffic;
}

typedef struct point {
    const cn_topology *network;
    const cn_traffic *traffic; /* NULL: uniform */
    const char *routing;
    double load;
    rp_estimate throughput, delay;
    int saturated;
} point;

static cn_scenario *scenario_of(rp_run *run, const point *p)
{
    const rp_experiment experiment = {
        .system = "separate-buffers",
        .routing = p->routing,
        .topology = p->network,
        .settings = {{CN_PARAM_LOAD, p->load},
                     {CN_PARAM_MEASURE_CYCLES, run->quick ? 2e3 : 4e4},
                     {CN_PARAM_RELATIVE_PRECISION, 0.02}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    if (scenario != NULL && p->traffic != NULL)
        rp_check(run, cn_scenario_set_traffic(scenario, p->traffic));
    return scenario;
}

static void measure(rp_run *run, point *p)
{
    cn_scenario *scenario = scenario_of(run, p);
    cn_result *result = rp_run_simulation(run, scenario);
    p->saturated = result != NULL && cn_result_stop(result) == CN_STOP_SATURATED;
    p->throughput = rp_read(result, CN_METRIC_THROUGHPUT, 1);
    p->delay = rp_read(result, CN_METRIC_MEAN_DELAY, 1);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* The load at which the first channel is full. */
static double saturation_load(rp_run *run, const point *p)
{
    size_t count = 0,
           channels = cn_topology_node_count(p->network) * cn_topology_max_degree(p->network);
    double *loads = calloc(channels, sizeof *loads), busiest = 0.0;
    cn_traffic *uniform = NULL;
    cn_routing *routing = NULL;
    const cn_traffic *traffic = p->traffic;
    if (traffic == NULL && rp_check(run, cn_traffic_new(p->network, CN_PATTERN_UNIFORM, &uniform)))
        traffic = uniform;
    if (loads != NULL &&
        rp_check(run, cn_routing_new(p->network, p->routing, NULL, NULL, &routing)))
        rp_check(run, cn_traffic_loads(traffic, routing, NULL, loads, channels, &count));
    for (size_t i = 0; i < count; i++)
        busiest = fmax(busiest, loads[i]);
    cn_routing_free(&routing);
    cn_traffic_free(&uniform);
    free(loads);
    return 1.0 / busiest;
}

static void write_curve(rp_table *table, point *p, const char *traffic)
{
    static const double shares[] = {0.2, 0.4, 0.6, 0.8, 0.9, 1.1};
    rp_run *run = table->run;
    double most = saturation_load(run, p);
    for (size_t i = 0; i < COUNT(shares) && !run->failed; i += run->quick ? 3 : 1) {
        p->load = shares[i] * most;
        measure(run, p);
        rp_table_text(table, traffic);
        rp_table_text(table, p->routing);
        rp_table_numbers(table, most, p->load);
        rp_table_estimate(table, p->throughput);
        rp_table_estimate(table, p->delay);
        rp_table_numbers(table, p->saturated);
    }
}

static void draw_routings(rp_run *run, const rp_exhibit *exhibit)
{
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, "throughput (messages per host and cycle)",
                 "mean delay (cycles)");
    rp_plot_command(&plot, "set yrange [0:40]");
    rp_plot_command(&plot, "set key outside");
    for (unsigned worst = 0; worst < 2; worst++)
        for (unsigned i = 0; i < COUNT(routings); i++)
            for (int points = 0; points < 2; points++)
                rp_plot_curve(
                    &plot,
                    points  ? CURVE_POINTS
                    : worst ? CURVE_DASHED
                            : CURVE_LINE,
                    i, points ? "" : rp_text("%s, %s", routings[i], worst ? "worst" : "uniform"),
                    "(strcol('traffic') eq '%s' && strcol('routing') eq '%s' && "
                    "column('saturated')==0 ? column('throughput') : NaN):'mean_delay'%s",
                    worst ? "worst" : "uniform", routings[i],
                    points ? ":'mean_delay_half_width'" : "");
    rp_plot_close(&plot);
}

static void compare_routings(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(
        &table, run, exhibit,
        "traffic,routing,saturation_load,load,throughput,throughput_half_width,mean_delay,"
        "mean_delay_half_width,saturated");
    cn_topology *network = hyperx(run, 2, RADIX);
    cn_traffic *worst = network == NULL ? NULL : worst_traffic(run, network, RADIX);
    for (int is_worst = 0; is_worst < 2; is_worst++)
        for (size_t i = 0; i < COUNT(routings) && !run->failed; i++) {
            point p = {
                .network = network, .routing = routings[i], .traffic = is_worst ? worst : NULL};
            write_curve(&table, &p, is_worst ? "worst" : "uniform");
        }
    cn_traffic_free(&worst);
    cn_topology_free(&network);
    rp_table_close(&table);
    draw_routings(run, exhibit);
}

/* ---- faulty links ---- */

enum { STEPS = 7, PATTERNS = 4 };

typedef struct damaged {
    const cn_topology *base, *network;
    rp_run run;
    double share, saturation, accepted;
    uint64_t seed;
    int is_connected;
} damaged;

/* What the hosts accept when they offer more than the network carries. */
static void damage(void *user, size_t part)
{
    damaged *d = (damaged *)user + part;
    rp_run *run = &d->run;
    cn_faults *base = NULL, *faults = NULL;
    cn_routing *routing = NULL;
    rp_check(run, cn_faults_new(d->base, &base));
    rp_check(run, cn_faults_add_random_links(base, (uint64_t)(d->share * 5376.0 + 0.5), d->seed));
    rp_check(run, cn_faults_carry(base, d->network, &faults));
    if (run->failed ||
        cn_routing_new(d->network, "up-down-adaptive", faults, NULL, &routing) != CN_OK)
        goto end; /* routers without a link */
    d->is_connected = 1;
    rp_check(run, cn_routing_saturation_load(routing, NULL, NULL, NULL, &d->saturation));
    const rp_experiment experiment = {.system = "wormhole",
                                      .topology = d->network,
                                      .seed = d->seed,
                                      .settings = {{CN_PARAM_LOAD, 1.0 / FLITS},
                                                   {CN_PARAM_MESSAGE_FLITS, FLITS},
                                                   {CN_PARAM_VIRTUAL_CHANNELS, 4},
                                                   {CN_PARAM_WARMUP_CYCLES, 300},
                                                   {CN_PARAM_MEASURE_CYCLES, 600},
                                                   {CN_PARAM_RELATIVE_PRECISION, 0}}};
    cn_scenario *scenario = rp_scenario(run, &experiment);
    if (scenario != NULL)
        rp_check(run, cn_scenario_set_routing(scenario, routing));
    if (scenario != NULL)
        rp_check(run, cn_scenario_set_faults(scenario, faults));
    cn_result *result = rp_run_simulation(run, scenario);
    d->accepted = FLITS * rp_value(result, CN_METRIC_THROUGHPUT);
    cn_result_free(&result);
    cn_scenario_free(&scenario);
end:
    cn_routing_free(&routing);
    cn_faults_free(&faults);
    cn_faults_free(&base);
}

/* Mean and half-width by Student's t of the patterns that leave the network connected. */
static void write_damage(rp_table *table, const damaged d[], size_t patterns)
{
    static const double t95[] = {0, 0, 12.71, 4.30, 3.18};
    double sum = 0, squares = 0, saturation = 0, count = 0;
    for (size_t i = 0; i < patterns; i++)
        if (d[i].is_connected) {
            count += 1;
            sum += d[i].accepted;
            squares += d[i].accepted * d[i].accepted;
            saturation += d[i].saturation;
        }
    double mean = sum / count;
    double spread = count > 1 ? sqrt(fmax(0, squares / count - mean * mean) / (count - 1)) : NAN;
    rp_table_numbers(table, d->share, count, saturation / count, mean, t95[(size_t)count] * spread);
}

static void damage_links(rp_run *run, const rp_exhibit *exhibit)
{
    rp_table table;
    rp_table_open(&table, run, exhibit,
                  "faulty_links,patterns,saturation_load,accepted_flits,accepted_flits_half_width");
    cn_topology *base = rp_network(run, "generalized_hypercube(k=%u,n=3)", RADIX);
    cn_topology *network = hyperx(run, 3, 4);
    damaged *all = calloc(STEPS * PATTERNS, sizeof *all);
    size_t steps = run->quick ? 2 : STEPS, patterns = run->quick ? 1 : PATTERNS;
    if (all == NULL)
        rp_fail(run, "out of memory");
    for (size_t i = 0; i < steps * patterns && !run->failed; i++)
        all[i] = (damaged){.base = base,
                           .network = network,
                           .run = *run,
                           .seed = i + 1,
                           .share = 0.05 * (double)(i / patterns)};
    if (!run->failed)
        rp_together(run, steps * patterns, damage, all);
    for (size_t i = 0; i < steps * patterns && !run->failed; i++)
        run->failed = all[i].run.failed;
    for (size_t step = 0; step < steps && !run->failed; step++)
        write_damage(&table, all + step * patterns, patterns);
    free(all);
    cn_topology_free(&network);
    cn_topology_free(&base);
    rp_table_close(&table);
    rp_plot plot;
    rp_plot_open(&plot, run, exhibit, "share of the links that are faulty",
                 "accepted (flits per host and cycle)");
    rp_plot_command(&plot, "set yrange [0:*]");
    rp_plot_curve(&plot, CURVE_LINE, 0, "", "'faulty_links':'accepted_flits'");
    rp_plot_curve(&plot, CURVE_POINTS, 0, "",
                  "'faulty_links':'accepted_flits':'accepted_flits_half_width'");
    rp_plot_close(&plot);
}

#define NO_PAPER "Ahn et al., SC 2009"

const rp_exhibit hosted_networks[] = {
    {"hosts-hyperx",
     "HyperX 8x8 with 8 hosts at a router: three routings, uniform and worst traffic", NO_PAPER, 20,
     compare_routings, NULL},
    {"hosts-faults", "HyperX 8x8x8 with 4 hosts at a router: what is accepted with faulty links",
     NO_PAPER, 60, damage_links, NULL},
    {0},
};
