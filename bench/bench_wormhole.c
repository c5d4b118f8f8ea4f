/*
 * How fast wormhole switching is simulated: flit-hops per second on cubes of 6, 8 and 10 dimensions
 * with four virtual channels and messages of 32 flits at 0.3 flits per node and cycle, on cubes of
 * which most channels are shared, with messages of 32 and 16 flits, and on tori, a PSNN and a
 * generalized hypercube without and with hosts, with messages of 16 flits, on one thread; and of
 * several replications on one and on more threads. And the same cubes with cut-through, and with
 * cut-through and deflection.
 */
#include "bench.h"

#include "cubenet/experimental/hosts.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLITS = 32, VIRTUAL_CHANNELS = 4, WARMUP = 500 };
#define FLIT_LOAD 0.3

/* Frees the topology. */
static cn_scenario *make_scenario(const char *system, cn_topology *topology, const char *routing,
                                  double flit_load, uint32_t flits, uint32_t virtual_channels)
{
    cn_scenario *scenario;
    bench_check(cn_scenario_new(topology, system, &scenario));
    bench_check(cn_scenario_set_routing_name(scenario, routing));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, flit_load / flits));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, flits));
    bench_check(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, virtual_channels));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, WARMUP));
    cn_topology_free(&topology);
    return scenario;
}

static cn_scenario *on_cube(const char *system, uint32_t n)
{
    cn_topology *cube;
    bench_check(cn_topology_hypercube(n, &cube));
    return make_scenario(system, cube, NULL, FLIT_LOAD, FLITS, VIRTUAL_CHANNELS);
}

static double flit_hops(const cn_sim *sim, uint64_t loads[], size_t capacity)
{
    size_t count;
    uint64_t sum = 0;
    bench_check(cn_sim_channel_loads(sim, loads, capacity, &count));
    for (size_t c = 0; c < count; c++)
        sum += loads[c];
    return (double)sum;
}

/* Reports under a name the best and the median of some spans of so many cycles. */
static void run(const bench_options *options, const char *name, cn_scenario *scenario,
                uint64_t cycles)
{
    bench_meter meter = {.spans = 0};
    size_t channels, repetitions = options->quick ? 2 : BENCH_SPANS;
    cn_sim *sim;
    bench_check(cn_sim_open(scenario, NULL, &sim));
    bench_check(cn_sim_step(sim, WARMUP, NULL));
    cn_sim_channel_loads(sim, NULL, 0, &channels);
    uint64_t *loads = malloc(channels * sizeof *loads);
    bench_check(loads == NULL ? CN_ERR_MEMORY : CN_OK);
    double before = flit_hops(sim, loads, channels);
    for (size_t r = 0; r < repetitions; r++) {
        bench_start(&meter);
        bench_check(cn_sim_step(sim, options->quick ? 50 : cycles, NULL));
        bench_stop(&meter);
        double after = flit_hops(sim, loads, channels);
        bench_did(&meter, after - before);
        before = after;
    }
    bench_report_meter(options->csv, name, "flit-hop", &meter);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    free(loads);
}

/* About 15 million flit-hops a repetition: half of n hops on average. */
static void run_cube(const bench_options *options, const char *system, uint32_t n)
{
    char name[80];
    snprintf(name, sizeof name, "%s/n=%u/threads=1", system, (unsigned)n);
    run(options, name, on_cube(system, n), (UINT64_C(100000000) / n) >> n);
}

/* With most channels shared: with broadcasts, and in deep overload. */
static void run_crowded(const bench_options *options, uint32_t n, double flit_load,
                        double broadcast_fraction, uint32_t flits)
{
    cn_topology *cube;
    char name[80];
    snprintf(name, sizeof name, "wormhole/n=%u/load=%g/broadcasts=%g/flits=%u", (unsigned)n,
             flit_load, broadcast_fraction, (unsigned)flits);
    bench_check(cn_topology_hypercube(n, &cube));
    cn_scenario *scenario =
        make_scenario("wormhole", cube, NULL, flit_load, flits, VIRTUAL_CHANNELS);
    bench_check(cn_scenario_set(scenario, CN_PARAM_BROADCAST_FRACTION, broadcast_fraction));
    run(options, name, scenario, (UINT64_C(20000000) / n) >> n);
}

static void run_torus(const bench_options *options, uint64_t k, uint32_t n, const char *routing,
                      double flit_load, uint32_t virtual_channels)
{
    cn_topology *torus;
    char name[80];
    bench_check(cn_topology_kary_ncube(k, n, 1, &torus));
    double nodes = (double)cn_topology_node_count(torus), hops = (double)(n * k) / 4.0;
    snprintf(name, sizeof name, "wormhole/n=%u/%u-ary/%s", (unsigned)n, (unsigned)k, routing);
    run(options, name, make_scenario("wormhole", torus, routing, flit_load, 16, virtual_channels),
        (uint64_t)(15e6 / (nodes * flit_load * hops)));
}

/* What most papers on networks on chip run: short packets and deep buffers. */
static void run_packets(const bench_options *options, const char *name, cn_topology *topology,
                        const char *routing, double flit_load, uint32_t flits,
                        uint32_t virtual_channels)
{
    double hops;
    bench_check(cn_topology_mean_distance(topology, NULL, &hops));
    uint64_t cycles =
        (uint64_t)(3e6 / ((double)cn_topology_node_count(topology) * flit_load * hops));
    cn_scenario *scenario =
        make_scenario("wormhole", topology, routing, flit_load, flits, virtual_channels);
    bench_check(cn_scenario_set(scenario, CN_PARAM_FLIT_BUFFERS, 8));
    run(options, name, scenario, cycles);
}

static void run_all_packets(const bench_options *options)
{
    static const uint64_t sides[] = {8, 8, 4, 4, 4};
    cn_topology *mesh, *torus, *cube;
    bench_check(cn_topology_mesh(sides, 2, &mesh));
    run_packets(options, "wormhole/n=2/mesh-8x8/flits=1", mesh, "dimension-order", 0.25, 1, 8);
    bench_check(cn_topology_mesh(sides, 2, &mesh));
    run_packets(options, "wormhole/n=2/mesh-8x8/flits=8", mesh, "dimension-order", 0.25, 8, 8);
    bench_check(cn_topology_torus(sides + 2, 3, &torus));
    run_packets(options, "wormhole/n=3/torus-4x4x4/flits=4", torus, "dimension-order", 0.3, 4, 8);
    bench_check(cn_topology_hypercube(10, &cube));
    run_packets(options, "wormhole/n=10/duato/flits=1", cube, "duato", 0.5, 1, 4);
}

/* Eight runs on seeds of their own. */
static void run_replications(const bench_options *options, uint32_t n, uint32_t threads)
{
    uint64_t cycles = options->quick ? 50 : (UINT64_C(30000000) / n) >> n;
    cn_scenario *scenario = on_cube("wormhole", n);
    cn_result *result;
    double utilization;
    char name[80];
    bench_check(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 8));
    bench_check(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    bench_check(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, (double)cycles));
    double start = bench_now();
    bench_check(cn_simulate(scenario, NULL, &result));
    double seconds = bench_now() - start;
    bench_check(cn_result_value(result, CN_METRIC_CHANNEL_UTILIZATION, &utilization));
    double channels = (double)((uint64_t)n << n);
    double hops = 8.0 * utilization * channels * (double)(cycles + WARMUP);
    snprintf(name, sizeof name, "wormhole/n=%u/replications=8/threads=%u", (unsigned)n,
             (unsigned)threads);
    bench_report(options->csv, name, hops / seconds, "flit-hops/s");
    cn_result_free(&result);
    cn_scenario_free(&scenario);
}

/* By the table of a routing, in a network of 1024 nodes. */
static void run_psnn(const bench_options *options)
{
    cn_topology *psnn;
    bench_check(cn_topology_psnn(10, &psnn));
    run(options, "wormhole/n=10/psnn/up-down-adaptive",
        make_scenario("wormhole", psnn, "up-down-adaptive", 0.01, 16, 2), 20000);
}

/* A generalized hypercube, and the same traffic between four hosts at each of its nodes. */
static void run_hyperx(const bench_options *options, uint32_t hosts)
{
    static const uint64_t radices[] = {8, 8};
    cn_topology *base, *hyperx;
    char name[80];
    bench_check(cn_topology_generalized_hypercube_mixed(radices, 2, &base));
    if (hosts == 0) {
        run(options, "wormhole/n=2/8x8/up-down-adaptive",
            make_scenario("wormhole", base, "up-down-adaptive", 0.6, 16, 2), 60000);
        return;
    }
    bench_check(cn_topology_with_hosts(base, hosts, &hyperx));
    cn_topology_free(&base);
    snprintf(name, sizeof name, "wormhole/n=2/8x8/hosts=%u/up-down-adaptive", (unsigned)hosts);
    run(options, name, make_scenario("wormhole", hyperx, "up-down-adaptive", 0.6 / hosts, 16, 2),
        60000);
}

/* At half of what the channels carry. Its loads of channels are in messages. */
static void run_deflection(const bench_options *options, uint32_t n)
{
    cn_topology *cube;
    cn_scenario *scenario;
    cn_sim *sim;
    bench_meter meter = {.spans = 0};
    char name[80];
    uint64_t cycles = options->quick ? 50 : (UINT64_C(150000000) / n) >> n;
    uint64_t *loads = malloc(((size_t)n << n) * sizeof *loads);
    bench_check(loads == NULL ? CN_ERR_MEMORY : CN_OK);
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_scenario_new(cube, "cut-through-deflection", &scenario));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, 1.0 / (n + FLITS - 1)));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, FLITS));
    bench_check(cn_scenario_set(scenario, CN_PARAM_STATISTICS, 1));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, WARMUP));
    bench_check(cn_sim_open(scenario, NULL, &sim));
    bench_check(cn_sim_step(sim, WARMUP, NULL));
    double before = flit_hops(sim, loads, (size_t)n << n);
    for (size_t r = 0; r < (options->quick ? 2 : BENCH_SPANS); r++) {
        bench_start(&meter);
        bench_check(cn_sim_step(sim, cycles, NULL));
        bench_stop(&meter);
        double after = flit_hops(sim, loads, (size_t)n << n);
        bench_did(&meter, FLITS * (after - before));
        before = after;
    }
    snprintf(name, sizeof name, "cut-through-deflection/n=%u/threads=1", (unsigned)n);
    bench_report_meter(options->csv, name, "flit-hop", &meter);
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);
    free(loads);
}

int main(int argc, char **argv)
{
    static const uint32_t dimensions[] = {6, 8, 10};
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++)
        run_cube(&options, "wormhole", dimensions[i]);
    for (uint32_t n = 6; n <= 8; n += 2) {
        for (uint32_t flits = FLITS; flits >= FLITS / 2; flits /= 2) {
            run_crowded(&options, n, 0.8, 0.01, flits);
            run_crowded(&options, n, 2.0, 0.0, flits);
        }
        run_crowded(&options, n, 0.8, 0.1, FLITS);
    }
    run_torus(&options, 16, 2, "dimension-order", 0.15, 2);
    run_torus(&options, 8, 3, "dimension-order", 0.21, 2);
    run_torus(&options, 16, 2, "duato", 0.3, 3);
    run_psnn(&options);
    run_hyperx(&options, 0);
    run_hyperx(&options, 4);
    run_all_packets(&options);
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++)
        run_cube(&options, "cut-through", dimensions[i]);
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++)
        run_deflection(&options, dimensions[i]);
    run_replications(&options, 8, 1);
    run_replications(&options, 8, options.threads > 1 ? options.threads : 2);
    return 0;
}
