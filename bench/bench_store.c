/*
 * How fast store and forward on damaged hypercubes is simulated: message-hops per second on cubes of 6,
 * 10 and 14 dimensions with as many faulty nodes as dimensions, at load 0.8, by either rule and either
 * clock, and how long the simulation takes to open. A hop is one transmission; with every message
 * there comes one arrival more.
 */
#include "bench.h"

#include <stdio.h>

enum { REPETITIONS = 7 };

typedef struct bench_case {
    const char *what;
    const char *system;
    double slotted;
} bench_case;

static const bench_case cases[] = {{"optimal-path", "optimal-path", 0},
                                   {"two-level", "two-level", 0},
                                   {"optimal-path/slotted", "optimal-path", 1},
                                   {"two-level/slotted", "two-level", 1}};

static cn_scenario *make_scenario(uint32_t n, const bench_case *one)
{
    cn_topology *cube;
    cn_faults *faults;
    cn_scenario *scenario;
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_faults_new(cube, &faults));
    bench_check(cn_faults_add_random_nodes(faults, n, 1));
    bench_check(cn_scenario_new(cube, one->system, &scenario));
    bench_check(cn_scenario_set_faults(scenario, faults));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, 0.8));
    bench_check(cn_scenario_set(scenario, CN_PARAM_SLOTTED, one->slotted));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return scenario;
}

/* Transmissions since the beginning: nothing of the run is warm-up. */
static double hops_so_far(cn_sim *sim)
{
    cn_result *result;
    double hops, delivered;
    bench_check(cn_sim_result(sim, &result));
    bench_check(cn_result_value(result, CN_METRIC_MEAN_HOPS, &hops));
    bench_check(cn_result_value(result, CN_METRIC_MESSAGES_DELIVERED, &delivered));
    cn_result_free(&result);
    return hops * delivered;
}

static void report(const bench_options *options, uint32_t n, const bench_case *one,
                   const char *what, double value, const char *unit)
{
    char name[80];
    snprintf(name, sizeof name, "store/n=%u/%s%s", (unsigned)n, one->what, what);
    bench_report(options->csv, name, value, unit);
}

static void run(const bench_options *options, uint32_t n, const bench_case *one)
{
    double rates[REPETITIONS];
    size_t repetitions = options->quick ? 2 : REPETITIONS;
    /* about the same number of hops, some 2 million, in each repetition */
    uint64_t cycles = options->quick ? 4 : UINT64_C(5000000) / n / (UINT64_C(1) << n);
    cn_scenario *scenario = make_scenario(n, one);
    cn_sim *sim;
    double start = bench_now();
    bench_check(cn_sim_open(scenario, &sim));
    double opening = bench_now() - start;
    bench_check(cn_sim_step(sim, options->quick ? 4 : 100));
    double before = hops_so_far(sim);
    for (size_t r = 0; r < repetitions; r++) {
        start = bench_now();
        bench_check(cn_sim_step(sim, cycles));
        double seconds = bench_now() - start, after = hops_so_far(sim);
        rates[r] = (after - before) / seconds;
        before = after;
    }
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    bench_spread spread = bench_rates(rates, repetitions);
    report(options, n, one, "", spread.best, "hops/s");
    report(options, n, one, "/median", spread.median, "hops/s");
    report(options, n, one, "/opening", 1e3 * opening, "ms");
}

int main(int argc, char **argv)
{
    static const uint32_t dimensions[] = {6, 10, 14};
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            run(&options, dimensions[i], &cases[c]);
    return 0;
}
