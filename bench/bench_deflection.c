/*
 * How fast deflection routing is simulated: message-hops per second on cubes of 6, 10 and 14
 * dimensions with two buffers a channel at load 1.5, and the memory of a node; on k-ary cubes at
 * half of their capacity and at load 0.1; and by the table of a routing on networks of 1024 nodes.
 *
 * Only stepping is timed, after the warm-up. The hops follow from the channel utilization, which is
 * measured from the end of the warm-up on: the difference between two looks covers what was timed.
 */
#define _POSIX_C_SOURCE 200809L /* getrusage */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- one network ---- */

typedef struct network {
    const char *name; /* of the rows; NULL: that of the Boolean cube of n dimensions */
    cn_topology *topology;
    uint32_t n;
    double load;
    uint32_t threads;
    uint64_t warmup, cycles; /* cycles of one repetition */
    size_t repetitions;
} network;

static double hops_so_far(cn_sim *sim, const network *net)
{
    cn_result *result;
    double hops, throughput;
    bench_check(cn_sim_result(sim, &result));
    bench_check(cn_result_value(result, CN_METRIC_MEAN_HOPS, &hops));
    bench_check(cn_result_value(result, CN_METRIC_NETWORK_THROUGHPUT, &throughput));
    cn_result_free(&result);
    double cycles = (double)(cn_sim_cycle(sim) - net->warmup);
    return throughput * hops * cycles;
}

/* Writes the name of a row. */
static void name_row(const network *net, const char *what, char name[80])
{
    if (net->name == NULL)
        snprintf(name, 80, "deflection/n=%u/threads=%u%s", (unsigned)net->n, (unsigned)net->threads,
                 what);
    else
        snprintf(name, 80, "deflection/n=%u/%s/load=%g/threads=%u%s", (unsigned)net->n, net->name,
                 net->load, (unsigned)net->threads, what);
}

static void report(const bench_options *options, const network *net, const char *what, double value,
                   const char *unit)
{
    char name[80];
    name_row(net, what, name);
    bench_report(options->csv, name, value, unit);
}

static cn_sim *open_sim(const network *net)
{
    cn_scenario *scenario;
    cn_sim *sim;
    bench_check(cn_scenario_new(net->topology, "deflection", &scenario)); /* two buffers a port */
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, net->load));
    bench_check(cn_scenario_set(scenario, CN_PARAM_THREADS, net->threads));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, (double)net->warmup));
    bench_check(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    return sim;
}

static void run(const bench_options *options, const network *net)
{
    bench_meter meter = {.spans = 0};
    char name[80];
    cn_sim *sim = open_sim(net);
    bench_check(cn_sim_step(sim, net->warmup, NULL));
    double before = 0.0;
    for (size_t r = 0; r < net->repetitions; r++) {
        bench_start(&meter);
        bench_check(cn_sim_step(sim, net->cycles, NULL));
        bench_stop(&meter);
        double after = hops_so_far(sim, net);
        bench_did(&meter, after - before);
        before = after;
    }
    double nodes = (double)cn_topology_node_count(net->topology);
    double bytes = (double)bench_memory();
    cn_sim_close(&sim);
    name_row(net, "", name);
    double best = bench_report_meter(options->csv, name, "hop", &meter);
    report(options, net, "/hop", 1e9 / best, "ns");
    report(options, net, "/memory", bytes / nodes, "bytes/node");
}

static void run_cube(const bench_options *options, uint32_t n, uint32_t threads)
{
    /* about the same number of hops, some 20 million, in each repetition */
    uint64_t cycles = options->quick ? 20 : (UINT64_C(20000000) / n / (UINT64_C(1) << n));
    network net = {.n = n,
                   .load = 1.5,
                   .threads = threads,
                   .warmup = options->quick ? 20 : 200,
                   .cycles = cycles,
                   .repetitions = options->quick ? 2 : BENCH_SPANS};
    bench_check(cn_topology_hypercube(n, &net.topology));
    run(options, &net);
    cn_topology_free(&net.topology);
}

/* Gives the topology up. */
static void run_other(const bench_options *options, const char *name, uint32_t n,
                      cn_topology *topology, double load)
{
    uint64_t nodes = cn_topology_node_count(topology);
    network net = {.name = name,
                   .n = n,
                   .topology = topology,
                   .load = load,
                   .threads = 1,
                   .warmup = options->quick ? 20 : 200,
                   .cycles = options->quick ? 20 : 5000000 / nodes,
                   .repetitions = options->quick ? 2 : BENCH_SPANS};
    run(options, &net);
    cn_topology_free(&topology);
}

/* Half of the capacity is where the channels are busy half of the time. */
static void run_kary(const bench_options *options)
{
    static const struct {
        const char *name;
        uint64_t k;
        uint32_t n;
        int bidirectional;
        double half;
    } cubes[] = {{"8-ary-one-way", 8, 2, 0, 0.14},
                 {"8-ary-one-way", 8, 3, 0, 0.14},
                 {"8-ary", 8, 3, 1, 0.5},
                 {"16-ary", 16, 2, 1, 0.25},
                 {"4-ary", 4, 5, 1, 1.0}};
    for (size_t i = 0; i < sizeof cubes / sizeof cubes[0]; i++)
        for (int half = 0; half < 2; half++) {
            cn_topology *topology;
            bench_check(
                cn_topology_kary_ncube(cubes[i].k, cubes[i].n, cubes[i].bidirectional, &topology));
            run_other(options, cubes[i].name, cubes[i].n, topology, half ? cubes[i].half : 0.1);
        }
}

/* By table: a network that has headers, and one that has none. */
static void run_any(const bench_options *options)
{
    static const uint64_t sides[] = {4, 16, 16};
    cn_topology *topology;
    bench_check(cn_topology_torus(sides, 3, &topology));
    run_other(options, "torus-1024", 3, topology, 0.5);
    bench_check(cn_topology_de_bruijn(10, &topology));
    run_other(options, "de-bruijn-1024", 10, topology, 0.25);
}

/* Up to a million nodes: does it fit, and what does a hop cost out of the cache? The first cycle of
 * a step and the last do half of the work, so a step has some more. */
static void run_big(const bench_options *options, uint32_t threads)
{
    network net = {.load = 1.0,
                   .threads = threads,
                   .warmup = options->quick ? 1 : 20,
                   .cycles = options->quick ? 1 : 20,
                   .repetitions = options->quick ? 1 : 3};
    struct rusage usage;
    for (net.n = 16; net.n <= 20; net.n += 2) {
        bench_check(cn_topology_hypercube(net.n, &net.topology));
        run(options, &net);
        cn_topology_free(&net.topology);
    }
    net.n = 20;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    double peak = (double)usage.ru_maxrss;
#else
    double peak = 1024.0 * (double)usage.ru_maxrss;
#endif
    report(options, &net, "/peak_memory", peak / 1e6, "MB");
}

int main(int argc, char **argv)
{
    static const uint32_t dimensions[] = {6, 10, 14};
    bench_options options = bench_parse(argc, argv);
    bench_count_memory();
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        run_cube(&options, dimensions[i], 1);
        if (options.threads > 1)
            run_cube(&options, dimensions[i], options.threads);
    }
    run_kary(&options);
    run_any(&options);
    if (options.big)
        run_big(&options, options.threads);
    return 0;
}
