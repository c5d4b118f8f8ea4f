/*
 * How fast store and forward is simulated: message-hops per second on Boolean cubes of 6, 10 and 14
 * dimensions at load 1.5 by either system and clock, on networks of 1024 nodes by a table, and on
 * damaged cubes, and how long the simulation takes to open. A hop is one transmission; with every
 * message there comes one arrival more.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_case {
    const char *what;
    uint32_t n;
    const char *system, *routing; /* NULL: its default */
    double load, slotted;
    uint64_t faulty; /* nodes */
} bench_case;

/* On n-cubes. */
static const bench_case cubes[] = {
    {"separate", 6, "separate-buffers", NULL, 1.5, 1, 0},
    {"separate", 10, "separate-buffers", NULL, 1.5, 1, 0},
    {"separate", 14, "separate-buffers", NULL, 1.5, 1, 0},
    {"shared", 6, "shared-buffer", NULL, 1.5, 1, 0},
    {"shared", 10, "shared-buffer", NULL, 1.5, 1, 0},
    {"shared", 14, "shared-buffer", NULL, 1.5, 1, 0},
    {"continuous", 6, "separate-buffers", NULL, 1.5, 0, 0},
    {"continuous", 14, "separate-buffers", NULL, 1.5, 0, 0},
    {"optimal-path", 6, "separate-buffers", "optimal-path", 0.8, 1, 6},
    {"optimal-path", 10, "separate-buffers", "optimal-path", 0.8, 1, 10},
    {"optimal-path/continuous", 10, "separate-buffers", "optimal-path", 0.8, 0, 10},
    {"two-level", 10, "separate-buffers", "two-level", 0.8, 1, 10},
    {"shared/minimal", 10, "shared-buffer", "minimal", 0.8, 1, 10},
};

/* On networks of 2^10 nodes. */
static const bench_case others[] = {
    {"torus", 0, "separate-buffers", "minimal", 0.15, 1, 0},
    {"torus/shared", 0, "shared-buffer", "minimal", 0.15, 1, 0},
    {"debruijn", 1, "separate-buffers", "minimal", 0.08, 1, 0},
    {"generalized", 2, "separate-buffers", "minimal", 3, 1, 0},
    {"valiant", 0, "separate-buffers", "valiant", 0.05, 1, 0},
};

static cn_topology *make_other(uint32_t which)
{
    cn_topology *t;
    if (which == 0)
        bench_check(cn_topology_kary_ncube(32, 2, 1, &t));
    else if (which == 1)
        bench_check(cn_topology_de_bruijn(10, &t));
    else
        bench_check(cn_topology_generalized_hypercube(4, 5, &t));
    return t;
}

static cn_scenario *make_scenario(cn_topology *topology, const bench_case *one)
{
    cn_faults *faults;
    cn_scenario *scenario;
    bench_check(cn_scenario_new(topology, one->system, &scenario));
    if (one->faulty > 0) {
        bench_check(cn_faults_new(topology, &faults));
        bench_check(cn_faults_add_random_nodes(faults, one->faulty, 1));
        bench_check(cn_scenario_set_faults(scenario, faults));
        cn_faults_free(&faults);
    }
    bench_check(cn_scenario_set_routing_name(scenario, one->routing));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, one->load));
    bench_check(cn_scenario_set(scenario, CN_PARAM_SLOTTED, one->slotted));
    bench_check(cn_scenario_set(scenario, CN_PARAM_WARMUP_CYCLES, 0));
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

static void run(const bench_options *options, cn_topology *topology, const char *network,
                const bench_case *one)
{
    bench_meter meter = {.spans = 0};
    char name[120];
    size_t repetitions = options->quick ? 2 : BENCH_SPANS;
    /* about as many hops, some 4 million, in each repetition */
    uint64_t cycles = options->quick ? 4
                                     : 1 + UINT64_C(8000000) / (cn_topology_node_count(topology) *
                                                                cn_topology_max_degree(topology));
    cn_scenario *scenario = make_scenario(topology, one);
    cn_sim *sim;
    double start = bench_now();
    bench_check(cn_sim_open(scenario, NULL, &sim));
    double opening = bench_now() - start;
    bench_check(cn_sim_step(sim, options->quick ? 20 : 200, NULL));
    double before = hops_so_far(sim);
    for (size_t r = 0; r < repetitions; r++) {
        bench_start(&meter);
        bench_check(cn_sim_step(sim, cycles, NULL));
        bench_stop(&meter);
        double after = hops_so_far(sim);
        bench_did(&meter, after - before);
        before = after;
    }
    cn_sim_close(&sim);
    cn_scenario_free(&scenario);
    snprintf(name, sizeof name, "store/%s/%s", network, one->what);
    bench_report_meter(options->csv, name, "hop", &meter);
    strcat(name, "/opening");
    bench_report(options->csv, name, 1e3 * opening, "ms");
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    cn_topology *topology;
    char network[20];
    for (size_t c = 0; c < sizeof cubes / sizeof *cubes; c++) {
        snprintf(network, sizeof network, "n=%u", (unsigned)cubes[c].n);
        bench_check(cn_topology_hypercube(cubes[c].n, &topology));
        run(&options, topology, network, &cubes[c]);
        cn_topology_free(&topology);
    }
    for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
        topology = make_other(others[c].n);
        run(&options, topology, "n=10", &others[c]);
        cn_topology_free(&topology);
    }
    return 0;
}
