/*
 * What statistics cost: the time of a simulation that counts by channel, node and message, over
 * that of one that does not. Both step by turns, and the least time of each counts, so that other
 * work on the machine matters little.
 */
#include "bench.h"

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 12 };

typedef struct bench_case {
    const char *what;
    uint64_t k; /* 0: hypercube */
    uint32_t n;
    const char *system, *routing; /* NULL: its default */
    double load, slotted;
    uint64_t cycles;
} bench_case;

static const bench_case cases[] = {
    {"n=10/deflection", 0, 10, "deflection", NULL, 1.5, 1, 400},
    {"n=10/deflection-light", 0, 10, "deflection", NULL, 0.2, 1, 800},
    {"n=3/deflection-8-ary", 8, 3, "deflection", NULL, 0.8, 1, 800},
    {"n=10/separate", 0, 10, "separate-buffers", NULL, 1.5, 1, 300},
    {"n=3/separate-8-ary", 8, 3, "separate-buffers", NULL, 0.8, 1, 600},
    {"n=3/separate-valiant", 8, 3, "separate-buffers", "valiant", 0.3, 1, 500},
    {"n=10/shared", 0, 10, "shared-buffer", NULL, 1.2, 1, 250},
    {"n=10/continuous", 0, 10, "separate-buffers", NULL, 1.5, 0, 60},
    {"n=8/wormhole", 0, 8, "wormhole", NULL, 0.02, 1, 1500},
};

static cn_sim *open_case(const bench_case *one, int statistics)
{
    cn_topology *topology;
    cn_scenario *scenario;
    cn_sim *sim;
    bench_check(one->k == 0 ? cn_topology_hypercube(one->n, &topology)
                            : cn_topology_kary_ncube(one->k, one->n, 1, &topology));
    bench_check(cn_scenario_new(topology, one->system, &scenario));
    bench_check(cn_scenario_set_routing_name(scenario, one->routing));
    bench_check(cn_scenario_set(scenario, CN_PARAM_LOAD, one->load));
    if (one->slotted == 0.0)
        bench_check(cn_scenario_set(scenario, CN_PARAM_SLOTTED, 0));
    bench_check(cn_scenario_set(scenario, CN_PARAM_STATISTICS, statistics));
    bench_check(cn_sim_open(scenario, NULL, &sim));
    cn_scenario_free(&scenario);
    cn_topology_free(&topology);
    return sim;
}

static double time_of(cn_sim *sim, uint64_t cycles)
{
    clock_t start = clock(); /* of the processor: the run has one thread */
    bench_check(cn_sim_step(sim, cycles, NULL));
    return (double)(clock() - start);
}

static double cost_of(const bench_case *one, int quick)
{
    double least[2] = {0.0, 0.0};
    cn_sim *sims[2] = {open_case(one, 0), open_case(one, 1)};
    uint64_t cycles = quick ? 10 : one->cycles;
    for (int round = 0; round < (quick ? 2 : ROUNDS); round++)
        for (int turn = 0; turn < 2; turn++) {
            int which = (turn + round) % 2;
            double time = time_of(sims[which], cycles);
            if (round <= 1 || time < least[which]) /* the first round fills the network */
                least[which] = time;
        }
    cn_sim_close(&sims[0]);
    cn_sim_close(&sims[1]);
    return least[1] / least[0];
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "statistics/%s", cases[i].what);
        bench_report(options.csv, name, cost_of(&cases[i], options.quick),
                     "times the time without");
    }
    return 0;
}
