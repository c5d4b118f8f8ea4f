/*
 * How fast damaged hypercubes are dealt with: subnets of random patterns a second, and steps a
 * second of networks whose nodes fail and are repaired in turn, updated against made anew.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 5 };

static uint64_t random_node(uint64_t *state, uint64_t nodes)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 20) % nodes;
}

static void report(const bench_options *options, uint32_t n, double p, const char *what,
                   double rates[], size_t count, const char *unit)
{
    char name[96];
    bench_spread spread = bench_rates(rates, count);
    snprintf(name, sizeof name, "faults/n=%u/p=%g/%s", (unsigned)n, p, what);
    bench_report(options->csv, name, spread.best, unit);
    snprintf(name, sizeof name, "faults/n=%u/p=%g/%s/median", (unsigned)n, p, what);
    bench_report(options->csv, name, spread.median, unit);
}

/* ---- patterns ---- */

static double patterns_a_second(cn_faults *faults, cn_subnet *subnet, double p, uint64_t patterns)
{
    double start = bench_now();
    for (uint64_t seed = 1; seed <= patterns; seed++) {
        bench_check(cn_faults_clear(faults));
        bench_check(cn_faults_add_failing_nodes(faults, p, seed));
        bench_check(cn_subnet_rebuild(subnet, faults, NULL));
    }
    return (double)patterns / (bench_now() - start);
}

static void run_patterns(const bench_options *options, uint32_t n, double p, uint64_t patterns)
{
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnets[2];
    static const char *const names[] = {"convex", "1-degraded"};
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    bench_check(cn_topology_hypercube(n, &cube));
    bench_check(cn_faults_new(cube, &faults));
    bench_check(cn_subnet_convex(faults, NULL, &subnets[0]));
    bench_check(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &subnets[1]));
    for (size_t rule = 0; rule < 2; rule++) {
        double rates[REPETITIONS];
        for (size_t r = 0; r < repetitions; r++)
            rates[r] = patterns_a_second(faults, subnets[rule], p, options->quick ? 1 : patterns);
        report(options, n, p, names[rule], rates, repetitions, "patterns/s");
        cn_subnet_free(&subnets[rule]);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* ---- faults and repairs ---- */

/* One history for all: steps[i] fails when i is even, and is repaired when it is odd. */
typedef struct history {
    cn_topology *cube;
    cn_faults *start;
    uint64_t *steps;
    size_t count;
} history;

static history open_history(uint32_t n, double p, size_t count)
{
    history h = {.count = count};
    cn_faults *now;
    uint64_t state = 1, node;
    bench_check(cn_topology_hypercube(n, &h.cube));
    bench_check(cn_faults_new(h.cube, &h.start));
    bench_check(cn_faults_add_failing_nodes(h.start, p, 1));
    bench_check(cn_faults_copy(h.start, &now));
    h.steps = malloc(count * sizeof *h.steps);
    if (h.steps == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        int repair = (int)(i % 2);
        do
            node = random_node(&state, cn_topology_node_count(h.cube));
        while (cn_faults_has_node(now, node) != repair);
        h.steps[i] = node;
        bench_check(repair ? cn_faults_remove_node(now, node) : cn_faults_add_node(now, node));
    }
    cn_faults_free(&now);
    return h;
}

static void close_history(history *h)
{
    free(h->steps);
    cn_faults_free(&h->start);
    cn_topology_free(&h->cube);
}

static cn_subnet *make_subnet(const history *h, int convex)
{
    cn_subnet *subnet;
    bench_check(convex ? cn_subnet_convex(h->start, NULL, &subnet)
                       : cn_subnet_degraded(h->start, 1, CN_LINK_DISABLES_END, NULL, &subnet));
    return subnet;
}

static cn_change change_of(size_t i)
{
    return i % 2 == 0 ? CN_CHANGE_FAIL_NODE : CN_CHANGE_REPAIR_NODE;
}

static double update_subnet(const history *h, int convex)
{
    cn_subnet *subnet = make_subnet(h, convex);
    double start = bench_now();
    for (size_t i = 0; i < h->count; i++)
        bench_check(cn_subnet_update(subnet, change_of(i), h->steps[i], 0, NULL));
    double seconds = bench_now() - start;
    cn_subnet_free(&subnet);
    return (double)h->count / seconds;
}

static void change(cn_faults *faults, const history *h, size_t i)
{
    bench_check(i % 2 == 0 ? cn_faults_add_node(faults, h->steps[i])
                           : cn_faults_remove_node(faults, h->steps[i]));
}

static double rebuild_subnet(const history *h, int convex)
{
    cn_faults *faults;
    cn_subnet *subnet = make_subnet(h, convex);
    bench_check(cn_faults_copy(h->start, &faults));
    double start = bench_now();
    for (size_t i = 0; i < h->count; i++) {
        change(faults, h, i);
        bench_check(cn_subnet_rebuild(subnet, faults, NULL));
    }
    double seconds = bench_now() - start;
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    return (double)h->count / seconds;
}

static double update_hierarchy(const history *h)
{
    cn_hierarchy *hierarchy;
    bench_check(cn_hierarchy_new(h->start, NULL, &hierarchy));
    double start = bench_now();
    for (size_t i = 0; i < h->count; i++)
        bench_check(cn_hierarchy_update(hierarchy, change_of(i), h->steps[i], 0, NULL));
    double seconds = bench_now() - start;
    cn_hierarchy_free(&hierarchy);
    return (double)h->count / seconds;
}

static double renew_hierarchy(const history *h)
{
    cn_faults *faults;
    bench_check(cn_faults_copy(h->start, &faults));
    double start = bench_now();
    for (size_t i = 0; i < h->count; i++) {
        cn_hierarchy *hierarchy;
        change(faults, h, i);
        bench_check(cn_hierarchy_new(faults, NULL, &hierarchy));
        cn_hierarchy_free(&hierarchy);
    }
    double seconds = bench_now() - start;
    cn_faults_free(&faults);
    return (double)h->count / seconds;
}

static void run_steps(const bench_options *options, uint32_t n, double p, size_t count)
{
    enum { WAYS = 6 };
    static const char *const names[WAYS] = {"convex/update",     "convex/new",
                                            "1-degraded/update", "1-degraded/new",
                                            "hierarchy/update",  "hierarchy/new"};
    double rates[WAYS][REPETITIONS];
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    history h = open_history(n, p, options->quick ? 2 : count);
    for (size_t r = 0; r < repetitions; r++) { /* in turn, so that all see the same machine */
        rates[0][r] = update_subnet(&h, 1);
        rates[1][r] = rebuild_subnet(&h, 1);
        rates[2][r] = update_subnet(&h, 0);
        rates[3][r] = rebuild_subnet(&h, 0);
        rates[4][r] = update_hierarchy(&h);
        rates[5][r] = renew_hierarchy(&h);
    }
    for (size_t way = 0; way < WAYS; way++)
        report(options, n, p, names[way], rates[way], repetitions, "steps/s");
    close_history(&h);
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    run_patterns(&options, 8, 0.05, 20000);
    run_steps(&options, 8, 0.05, 4000);
    run_steps(&options, 12, 0.01, 400);
    run_steps(&options, 16, 0.0001, 100);
    if (!options.quick) /* a second each */
        run_patterns(&options, 20, 0.01, 1);
    return 0;
}
