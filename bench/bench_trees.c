/*
 * How fast the trees answer: displacements, parents, numbers of children and multicast next hops a
 * second, of nodes all over networks from small to very large.
 */
#include "bench.h"

#include "cubenet/experimental/multicast.h"

#include <stdio.h>

enum { REPETITIONS = 7 };

typedef struct work {
    cn_topology *topology;
    cn_tree *tree;
    uint64_t node; /* goes through the network in strides */
} work;

static uint64_t next_node(work *w)
{
    w->node = w->node * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (w->node >> 2) % cn_topology_node_count(w->topology);
}

static void displacement(work *w)
{
    uint64_t answer;
    bench_check(cn_necklace_displacement(w->topology, next_node(w), &answer));
}

static void parent(work *w)
{
    uint64_t answer;
    bench_check(cn_tree_parent(w->tree, next_node(w), &answer));
}

static void child_count(work *w)
{
    uint64_t answer;
    bench_check(cn_tree_child_count(w->tree, next_node(w), &answer));
}

static void next_hop(work *w)
{
    uint64_t answer, source = next_node(w), current = next_node(w);
    bench_check(cn_route_multicast_next_hop(w->topology, source, current, next_node(w), &answer));
}

static const struct {
    const char *name;
    void (*ask)(work *w);
} questions[] = {
    {"displacement", displacement},
    {"parent", parent},
    {"child_count", child_count},
    {"next_hop", next_hop},
};

/* Answers a second, over at least so many seconds. */
static double rate(void (*ask)(work *w), work *w, double least)
{
    double asked = 0.0, start = bench_now(), seconds;
    do {
        for (int i = 0; i < 1000; i++)
            ask(w);
        asked += 1000.0;
        seconds = bench_now() - start;
    } while (seconds < least);
    return asked / seconds;
}

static void run(const bench_options *options, uint64_t k, uint32_t n)
{
    work w = {.node = 1};
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    bench_check(cn_topology_generalized_hypercube(k, n, &w.topology));
    bench_check(cn_tree_balanced(w.topology, 0, &w.tree));
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        double rates[REPETITIONS];
        for (size_t r = 0; r < repetitions; r++)
            rates[r] = rate(questions[q].ask, &w, options->quick ? 0.0 : 0.05);
        char name[80];
        bench_spread spread = bench_rates(rates, repetitions);
        snprintf(name, sizeof name, "trees/n=%u/k=%llu/%s", (unsigned)n, (unsigned long long)k,
                 questions[q].name);
        bench_report(options->csv, name, spread.best, "answers/s");
        snprintf(name, sizeof name, "trees/n=%u/k=%llu/%s/median", (unsigned)n,
                 (unsigned long long)k, questions[q].name);
        bench_report(options->csv, name, spread.median, "answers/s");
    }
    cn_tree_free(&w.tree);
    cn_topology_free(&w.topology);
}

int main(int argc, char **argv)
{
    static const uint32_t shapes[][2] = {{2, 8},  {3, 25}, {4, 11}, {6, 3}, {10, 4},
                                         {14, 2}, {20, 8}, {39, 3}, {62, 2}};
    bench_options options = bench_parse(argc, argv);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        run(&options, shapes[i][1], shapes[i][0]);
    return 0;
}
