/*
 * What a control costs: the time of a call that is watched by a callback, over that of the same
 * call without a control. Both are made by turns, and the least time of each counts, so that other
 * work on the machine matters little.
 */
#include "bench.h"

#include "cubenet/experimental/study.h"

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 24 };

typedef struct objects {
    cn_topology *cube, *shuffle, *low;
    cn_faults *faults;
    cn_scenario *deflection, *separate, *wormhole;
    cn_study *study;
} objects;

static cn_scenario *scenario_of(const cn_topology *topology, const char *system, double load,
                                double cycles)
{
    cn_scenario *made;
    bench_check(cn_scenario_new(topology, system, &made));
    bench_check(cn_scenario_set(made, CN_PARAM_LOAD, load));
    bench_check(cn_scenario_set(made, CN_PARAM_WARMUP_CYCLES, 50));
    bench_check(cn_scenario_set(made, CN_PARAM_MEASURE_CYCLES, cycles));
    bench_check(cn_scenario_set(made, CN_PARAM_RELATIVE_PRECISION, 0));
    return made;
}

static objects make_objects(void)
{
    objects o;
    bench_check(cn_topology_hypercube(10, &o.cube));
    bench_check(cn_topology_psnn(10, &o.shuffle));
    bench_check(cn_topology_psnn(6, &o.low));
    bench_check(cn_faults_new(o.cube, &o.faults));
    bench_check(cn_faults_add_random_nodes(o.faults, 100, 1));
    o.deflection = scenario_of(o.cube, "deflection", 0.8, 800);
    o.separate = scenario_of(o.cube, "separate-buffers", 1.0, 500);
    o.wormhole = scenario_of(o.cube, "wormhole", 0.01, 1000);
    bench_check(cn_study_new(o.cube, &o.study));
    bench_check(cn_study_set(o.study, CN_STUDY_RANDOM_NODES, 100));
    bench_check(cn_study_set(o.study, CN_STUDY_PATTERNS, 40));
    return o;
}

static void simulate(const cn_scenario *scenario, const cn_control *control)
{
    cn_result *result;
    bench_check(cn_simulate(scenario, control, &result));
    cn_result_free(&result);
}

static void deflection(const objects *o, const cn_control *control)
{
    simulate(o->deflection, control);
}

static void separate(const objects *o, const cn_control *control)
{
    simulate(o->separate, control);
}

static void wormhole(const objects *o, const cn_control *control)
{
    simulate(o->wormhole, control);
}

static void mean_distance(const objects *o, const cn_control *control)
{
    double hops;
    bench_check(cn_topology_mean_distance(o->shuffle, control, &hops));
}

static void flow_deviation(const objects *o, const cn_control *control)
{
    double delay;
    bench_check(
        cn_flow_deviation(o->low, NULL, NULL, 0, 0.5, 1e-6, control, &delay, NULL, NULL, 0));
}

static void routing_table(const objects *o, const cn_control *control)
{
    cn_routing *routing;
    bench_check(cn_routing_new(o->cube, "up-down", o->faults, control, &routing));
    cn_routing_free(&routing);
}

static void study(const objects *o, const cn_control *control)
{
    cn_result *result;
    bench_check(cn_study_run(o->study, control, &result));
    cn_result_free(&result);
}

static void convex(const objects *o, const cn_control *control)
{
    cn_subnet *subnet;
    for (int i = 0; i < 20; i++) {
        bench_check(cn_subnet_convex(o->faults, control, &subnet));
        cn_subnet_free(&subnet);
    }
}

static const struct bench_case {
    const char *what;
    void (*call)(const objects *o, const cn_control *control);
} cases[] = {
    {"n=10/simulate-deflection", deflection},
    {"n=10/simulate-separate", separate},
    {"n=10/simulate-wormhole", wormhole},
    {"n=10/mean-distance", mean_distance},
    {"n=6/flow-deviation", flow_deviation},
    {"n=10/routing-table", routing_table},
    {"n=10/study", study},
    {"n=10/convex-subnet", convex},
};

static int go_on(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)user, (void)done, (void)total, (void)lower, (void)upper;
    return 0;
}

static double cost_of(const struct bench_case *one, const objects *o, const cn_control *control,
                      int rounds)
{
    double least[2] = {0.0, 0.0};
    for (int round = 0; round < rounds; round++)
        for (int turn = 0; turn < 2; turn++) {
            int watched = (turn + round) % 2;
            clock_t start = clock(); /* of the processor: the calls have one thread */
            one->call(o, watched ? control : NULL);
            double time = (double)(clock() - start);
            if (round == 0 || time < least[watched])
                least[watched] = time;
        }
    return least[1] / least[0];
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    objects o = make_objects();
    cn_control *control;
    bench_check(cn_control_new(&control));
    bench_check(cn_control_set_progress(control, go_on, NULL));
    bench_check(cn_control_set_seconds(control, 1e6));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "control/%s", cases[i].what);
        bench_report(options.csv, name, cost_of(&cases[i], &o, control, options.quick ? 2 : ROUNDS),
                     "times the time without");
    }
    cn_control_free(&control);
    cn_study_free(&o.study);
    cn_scenario_free(&o.deflection);
    cn_scenario_free(&o.separate);
    cn_scenario_free(&o.wormhole);
    cn_faults_free(&o.faults);
    cn_topology_free(&o.cube);
    cn_topology_free(&o.shuffle);
    cn_topology_free(&o.low);
    return 0;
}
