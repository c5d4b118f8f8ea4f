/*
 * How fast routings are made and asked, on hypercubes of 8, 10 and 12 dimensions with n faulty
 * nodes: tables a second, answers a second for messages at their source in a loop over nodes, and
 * expected channel loads of uniform traffic a second.
 */
#include "bench.h"

#include <stdio.h>

enum { REPETITIONS = 3 };

/* A damaged cube whose survivors are connected. */
static cn_faults *damaged(const cn_topology *cube, uint32_t n)
{
    cn_faults *faults;
    bench_check(cn_faults_new(cube, &faults));
    bench_check(cn_faults_add_random_nodes(faults, n, 3));
    return faults;
}

static void report(const bench_options *options, uint32_t n, const char *name, const char *what,
                   double rates[], size_t repetitions, const char *unit)
{
    char line[80];
    snprintf(line, sizeof line, "routing/n=%u/%s/%s", (unsigned)n, name, what);
    bench_report(options->csv, line, bench_rates(rates, repetitions).best, unit);
}

/* Answers of all nodes for a few destinations; adds them up, so that they are wanted. */
static double ask(const cn_routing *routing, const cn_faults *faults, uint64_t nodes)
{
    uint64_t asked = 0, sum = 0, ports;
    double start = bench_now();
    for (uint64_t d = 0; d < 64; d++) {
        if (cn_faults_has_node(faults, d))
            continue;
        for (uint64_t v = 0; v < nodes; v++)
            if (cn_routing_channels(routing, v, d, &ports) == CN_OK) {
                sum += ports;
                asked++;
            }
    }
    double seconds = bench_now() - start;
    bench_check(sum > 0 ? CN_OK : CN_ERR_INTERNAL);
    return (double)asked / seconds;
}

static double add_up(const cn_routing *routing)
{
    double start = bench_now(), load;
    bench_check(cn_routing_saturation_load(routing, NULL, NULL, NULL, &load));
    return 1.0 / (bench_now() - start);
}

static void run(const bench_options *options, uint32_t n, const char *name)
{
    double tables[REPETITIONS], answers[REPETITIONS], loads[REPETITIONS];
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    cn_topology *cube;
    bench_check(cn_topology_hypercube(n, &cube));
    cn_faults *faults = damaged(cube, n);
    for (size_t i = 0; i < repetitions; i++) {
        cn_routing *routing;
        double start = bench_now();
        bench_check(cn_routing_new(cube, name, faults, NULL, &routing));
        tables[i] = 1.0 / (bench_now() - start);
        answers[i] = ask(routing, faults, UINT64_C(1) << n);
        loads[i] = add_up(routing);
        cn_routing_free(&routing);
    }
    report(options, n, name, "table", tables, repetitions, "tables/s");
    report(options, n, name, "next", answers, repetitions, "answers/s");
    report(options, n, name, "loads", loads, repetitions, "networks/s");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"minimal", "up-down", "up-down-adaptive", "valiant"};
    bench_options options = bench_parse(argc, argv);
    for (uint32_t n = 8; n <= 12; n += 2)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            run(&options, n, names[i]);
    return 0;
}
