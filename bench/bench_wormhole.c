/*
 * How fast wormhole switching is simulated: flit-hops per second on cubes of 6, 8 and 10 dimensions with four
 * virtual channels and messages of 32 flits at 0.3 flits per node and cycle, on one thread; and of
 * several replications on one and on more threads.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 7, FLITS = 32, VIRTUAL_CHANNELS = 4, WARMUP = 500 };
#define FLIT_LOAD 0.3

static cn_scenario *make_scenario(uint32_t n)
{
    cn_topology *cube;
    cn_scenario *scenario;
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_scenario_new(cube, "wormhole", &scenario));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, FLIT_LOAD / FLITS));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MESSAGE_FLITS, FLITS));
    bench_check(cn_scenario_set(scenario, CN_PARAM_VIRTUAL_CHANNELS, VIRTUAL_CHANNELS));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, WARMUP));
    cn_topology_free(&cube);
    return scenario;
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

static void run_cube(const bench_options *options, uint32_t n)
{
    double rates[REPETITIONS];
    size_t channels = (size_t)n << n, repetitions = options->quick ? 2 : REPETITIONS;
    /* about 15 million flit-hops a repetition: half of n hops on average */
    uint64_t cycles = options->quick ? 50 : (UINT64_C(100000000) / n) >> n;
    uint64_t *loads = malloc(channels * sizeof *loads);
    cn_scenario *scenario = make_scenario(n);
    cn_sim *sim;
    char name[80];
    bench_check(loads == NULL ? CN_ERR_MEMORY : CN_OK);
    bench_check(cn_sim_open(scenario, &sim));
    bench_check(cn_sim_step(sim, WARMUP));
    double before = flit_hops(sim, loads, channels);
    for (size_t r = 0; r < repetitions; r++) {
        double start = bench_now();
        bench_check(cn_sim_step(sim, cycles));
        double seconds = bench_now() - start, after = flit_hops(sim, loads, channels);
        rates[r] = (after - before) / seconds;
        before = after;
    }
    bench_spread spread = bench_rates(rates, repetitions);
    snprintf(name, sizeof name, "wormhole/n=%u/threads=1", (unsigned)n);
    bench_report(options->csv, name, spread.best, "flit-hops/s");
    snprintf(name, sizeof name, "wormhole/n=%u/threads=1/median", (unsigned)n);
    bench_report(options->csv, name, spread.median, "flit-hops/s");
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    free(loads);
}

/* Eight runs on seeds of their own. */
static void run_replications(const bench_options *options, uint32_t n, uint32_t threads)
{
    uint64_t cycles = options->quick ? 50 : (UINT64_C(30000000) / n) >> n;
    cn_scenario *scenario = make_scenario(n);
    cn_result *result;
    double utilization;
    char name[80];
    bench_check(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 8));
    bench_check(cn_scenario_set(scenario, CN_PARAM_THREADS, threads));
    bench_check(cn_scenario_set(scenario, CN_PARAM_RELATIVE_PRECISION, 0));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MEASURE_CYCLES, (double)cycles));
    double start = bench_now();
    bench_check(cn_simulate(scenario, &result));
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

int main(int argc, char **argv)
{
    static const uint32_t dimensions[] = {6, 8, 10};
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++)
        run_cube(&options, dimensions[i]);
    run_replications(&options, 8, 1);
    run_replications(&options, 8, options.threads > 1 ? options.threads : 2);
    return 0;
}
