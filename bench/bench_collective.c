/*
 * How fast collective operations are simulated: copies that cross a channel a second, in one run of
 * a table of Ziavras & Krishnamurthy 1999 on either machine, and of broadcasts in Boolean cubes.
 */
#include "bench.h"

#include <stdio.h>

enum { REPETITIONS = 5 };

typedef struct job {
    const char *name;
    uint64_t k;
    uint32_t n;
    double operations, share; /* destinations are the nodes over share; 0: broadcasts */
    cn_machine machine;
    double buffers;
    int clubbing;
} job;

static const job jobs[] = {
    {"paper-multicast", 25, 3, 267, 4, CN_MACHINE_PAPER, 3, 0},
    {"paper-broadcast", 25, 3, 267, 0, CN_MACHINE_PAPER, 3, 0},
    {"channel-multicast", 25, 3, 267, 4, CN_MACHINE_CHANNELS, 0, 0},
    {"channel-buffers", 25, 3, 267, 4, CN_MACHINE_CHANNELS, 16, 0},
    {"channel-clubbed", 25, 3, 267, 4, CN_MACHINE_CHANNELS, 0, 1},
    {"channel-broadcast", 25, 3, 267, 0, CN_MACHINE_CHANNELS, 0, 0},
    {"paper-multicast", 11, 4, 261, 4, CN_MACHINE_PAPER, 3, 0},
    {"paper-broadcast", 11, 4, 261, 0, CN_MACHINE_PAPER, 3, 0},
    {"channel-multicast", 11, 4, 261, 4, CN_MACHINE_CHANNELS, 0, 0},
    {"channel-broadcast", 11, 4, 261, 0, CN_MACHINE_CHANNELS, 0, 0},
    {"channel-broadcast", 2, 6, 200, 0, CN_MACHINE_CHANNELS, 0, 0},
    {"channel-broadcast", 2, 10, 200, 0, CN_MACHINE_CHANNELS, 0, 0},
    {"channel-broadcast", 2, 14, 100, 0, CN_MACHINE_CHANNELS, 0, 0},
};

static cn_scenario *scenario_of(const job *j, int quick)
{
    cn_topology *topology;
    cn_scenario *scenario;
    bench_check(cn_topology_generalized_hypercube(j->k, j->n, &topology));
    bench_check(cn_scenario_new(topology, "collective", &scenario));
    double nodes = (double)cn_topology_node_count(topology);
    bench_check(cn_scenario_set(scenario, CN_PARAM_OPERATIONS, quick ? 5 : j->operations));
    bench_check(cn_scenario_set(scenario, CN_PARAM_MACHINE, j->machine));
    bench_check(cn_scenario_set(scenario, CN_PARAM_TRANSIT_BUFFERS, j->buffers));
    bench_check(cn_scenario_set(scenario, CN_PARAM_CLUBBING, j->clubbing));
    bench_check(cn_scenario_set(scenario, CN_PARAM_REPLICATIONS, 1));
    if (j->share > 0)
        bench_check(
            cn_scenario_set(scenario, CN_PARAM_DESTINATIONS, (double)(uint64_t)(nodes / j->share)));
    cn_topology_free(&topology);
    return scenario;
}

static void run(const bench_options *options, const job *j)
{
    cn_scenario *scenario = scenario_of(j, options->quick);
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    bench_meter meter = {.spans = 0};
    double transmissions = 0.0;
    for (size_t r = 0; r < repetitions; r++) {
        cn_result *result;
        bench_start(&meter);
        bench_check(cn_simulate(scenario, NULL, &result));
        bench_stop(&meter);
        bench_check(cn_result_value(result, CN_METRIC_TRANSMISSIONS, &transmissions));
        bench_did(&meter, transmissions);
        cn_result_free(&result);
    }
    char name[80];
    snprintf(name, sizeof name, "collective/n=%u/k=%llu/%s", (unsigned)j->n,
             (unsigned long long)j->k, j->name);
    double best = bench_report_meter(options->csv, name, "transmission", &meter);
    snprintf(name, sizeof name, "collective/n=%u/k=%llu/%s/run", (unsigned)j->n,
             (unsigned long long)j->k, j->name);
    bench_report(options->csv, name, 1e3 * transmissions / best, "ms");
    cn_scenario_free(&scenario);
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        run(&options, &jobs[i]);
    return 0;
}
