/*
 * How fast the models are solved, in solutions per second over 100 loads: of deflection routing
 * with 20 buffer sizes on the 6-cube and two buffers a channel on larger cubes, with each variant
 * of the model and each diagram of headers on k-ary n-cubes, of the models with unlimited buffers,
 * and of two of the models of wormhole switching.
 */
#include "bench.h"

#include <stdio.h>

enum { LOADS = 100, SIZES = 20, REPETITIONS = 7 };

typedef struct bench_case {
    const char *what;
    const char *system;
    uint64_t k; /* 2: the Boolean cube */
    uint32_t n;
    double most; /* the greatest load, some above the capacity (about 2 / (k - 1)), others below */
    double least_buffers;
    uint32_t sizes; /* 0: the system takes no buffers */
    uint32_t passes;
    cn_param param; /* besides those; 0: none */
    double value;
} bench_case;

/* A closed form is solved in no time, so it is solved more often. */
static const bench_case cases[] = {
    {"buffers=6..25", "deflection", 2, 6, 3.0, 6, SIZES, 1, 0, 0},
    {"buffers=20", "deflection", 2, 10, 3.0, 20, 1, 1, 0, 0},
    {"buffers=28", "deflection", 2, 14, 3.0, 28, 1, 1, 0, 0},
    {"deflection-published", "deflection", 2, 6, 3.0, 12, 1, 1, CN_PARAM_MODEL_VARIANT,
     CN_MODEL_PUBLISHED},
    {"deflection-own", "deflection", 2, 6, 3.0, 12, 1, 1, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN},
    {"8-ary/exact", "deflection", 8, 2, 3.0 / 7, 4, 1, 1, CN_PARAM_STATE_SPACE, CN_STATES_EXACT},
    {"8-ary/reduced", "deflection", 8, 2, 3.0 / 7, 4, 1, 1, CN_PARAM_STATE_SPACE,
     CN_STATES_REDUCED},
    {"16-ary/exact", "deflection", 16, 3, 3.0 / 15, 6, 1, 1, CN_PARAM_STATE_SPACE, CN_STATES_EXACT},
    {"16-ary/reduced", "deflection", 16, 3, 3.0 / 15, 6, 1, 1, CN_PARAM_STATE_SPACE,
     CN_STATES_REDUCED},
    {"4-ary/exact", "deflection", 4, 10, 1.0, 20, 1, 1, CN_PARAM_STATE_SPACE, CN_STATES_EXACT},
    {"4-ary/reduced", "deflection", 4, 10, 1.0, 20, 1, 1, CN_PARAM_STATE_SPACE, CN_STATES_REDUCED},
    {"separate-buffers", "separate-buffers", 2, 6, 1.9, 0, 0, 200, 0, 0},
    {"shared-buffer", "shared-buffer", 2, 6, 1.9, 0, 0, 200, 0, 0},
    {"optimistic-bound", "optimistic-bound", 2, 6, 1.9, 0, 0, 20, 0, 0},
    {"degraded-bound", "degraded-bound", 2, 6, 1.5, 0, 0, 20, CN_PARAM_NODE_FAILURE_PROBABILITY,
     0.01},
    {"wormhole-published", "wormhole", 2, 6, 0.018, 0, 0, 20, CN_PARAM_MODEL_VARIANT,
     CN_MODEL_PUBLISHED},
    {"wormhole-own", "wormhole", 2, 6, 0.03, 0, 0, 1, CN_PARAM_MODEL_VARIANT, CN_MODEL_OWN},
};

static void solve(cn_scenario *scenario)
{
    cn_result *result;
    bench_check(cn_predict(scenario, NULL, &result));
    cn_result_free(&result);
}

static void sweep_loads(cn_scenario *scenario, double most, int loads)
{
    for (int i = 1; i <= loads; i++) {
        bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, most * i / loads));
        solve(scenario);
    }
}

/* Returns the number of solutions. */
static double sweep(cn_scenario *scenario, const bench_case *c, int loads, uint32_t passes)
{
    uint32_t sizes = c->sizes == 0 ? 1 : c->sizes;
    for (uint32_t pass = 0; pass < passes; pass++) {
        for (uint32_t size = 0; size < sizes; size++) {
            if (c->sizes != 0)
                bench_check(cn_scenario_set(scenario, CN_PARAM_BUFFERS, c->least_buffers + size));
            sweep_loads(scenario, c->most, loads);
        }
    }
    return (double)passes * sizes * loads;
}

static cn_scenario *open_case(const bench_case *c)
{
    cn_topology *network;
    cn_scenario *scenario;
    bench_check(c->k == 2 ? cn_topology_hypercube(c->n, &network)
                          : cn_topology_kary_ncube(c->k, c->n, 0, &network));
    bench_check(cn_scenario_new(network, c->system, &scenario));
    cn_topology_free(&network); /* the scenario keeps it */
    if (cn_scenario_takes(scenario, CN_PARAM_MODEL_VARIANT))
        bench_check(cn_scenario_set(scenario, CN_PARAM_MODEL_VARIANT, CN_MODEL_PUBLISHED));
    if (c->param != 0)
        bench_check(cn_scenario_set(scenario, c->param, c->value));
    return scenario;
}

static void run(const bench_options *options, const bench_case *c)
{
    double rates[REPETITIONS];
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    cn_scenario *scenario = open_case(c);
    for (size_t r = 0; r < repetitions; r++) {
        double start = bench_now();
        double solutions =
            sweep(scenario, c, options->quick ? 5 : LOADS, options->quick ? 1 : c->passes);
        rates[r] = solutions / (bench_now() - start);
    }
    cn_scenario_free(&scenario);

    char name[80];
    bench_spread spread = bench_rates(rates, repetitions);
    snprintf(name, sizeof name, "predict/n=%u/%s", (unsigned)c->n, c->what);
    bench_report(options->csv, name, spread.best, "solves/s");
    snprintf(name, sizeof name, "predict/n=%u/%s/median", (unsigned)c->n, c->what);
    bench_report(options->csv, name, spread.median, "solves/s");
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&options, &cases[i]);
    return 0;
}
