/*
 * How fast the model of deflection routing is solved: solutions per second over 100 loads and 20
 * buffer sizes on the 6-cube, and over 100 loads with two buffers a channel on larger cubes.
 */
#include "bench.h"

#include <stdio.h>

enum { LOADS = 100, SIZES = 20, REPETITIONS = 7 };

static void solve(cn_scenario *scenario, double load, double buffers)
{
    cn_result *result;
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, load));
    bench_check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, buffers));
    bench_check(cn_predict(scenario, &result));
    cn_result_free(&result);
}

/* Loads 0.03 to 3, from below the capacity (about 2) to well above it. */
static void sweep(cn_scenario *scenario, double least, uint32_t sizes, int loads)
{
    for (uint32_t size = 0; size < sizes; size++)
        for (int i = 1; i <= loads; i++)
            solve(scenario, 3.0 * i / loads, least + size);
}

static void run(const bench_options *options, uint32_t n, double least, uint32_t sizes,
                const char *what)
{
    cn_topology *cube;
    cn_scenario *scenario;
    double rates[REPETITIONS];
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    int loads = options->quick ? 5 : LOADS;
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_scenario_new(cube, "deflection", &scenario));
    for (size_t r = 0; r < repetitions; r++) {
        double start = bench_now();
        sweep(scenario, least, sizes, loads);
        rates[r] = (double)sizes * loads / (bench_now() - start);
    }
    cn_scenario_free(&scenario);
    cn_topology_free(&cube);

    char name[80];
    bench_spread spread = bench_rates(rates, repetitions);
    snprintf(name, sizeof name, "predict/n=%u/%s", (unsigned)n, what);
    bench_report(options->csv, name, spread.best, "solves/s");
    snprintf(name, sizeof name, "predict/n=%u/%s/median", (unsigned)n, what);
    bench_report(options->csv, name, spread.median, "solves/s");
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    run(&options, 6, 6.0, SIZES, "buffers=6..25");
    run(&options, 10, 20.0, 1, "buffers=20");
    run(&options, 14, 28.0, 1, "buffers=28");
    return 0;
}
