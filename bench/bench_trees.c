/*
 * How fast the trees answer: displacements, parents, children and multicast next hops a second, of
 * nodes all over networks from small to very large. With --csv prints lines name,value,unit.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cubenet.h"

typedef struct work {
    const cn_topology *topology;
    const cn_tree *tree;
    uint64_t node; /* goes through the network in strides */
    uint64_t sum;  /* of all answers, so that none can be left out */
} work;

static uint64_t next_node(work *w)
{
    w->node = w->node * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (w->node >> 2) % cn_topology_node_count(w->topology);
}

static void displacement(work *w)
{
    uint64_t out = 0;
    cn_necklace_displacement(w->topology, next_node(w), &out);
    w->sum += out;
}

static void parent(work *w)
{
    uint64_t out = 0;
    cn_tree_parent(w->tree, next_node(w), &out);
    w->sum += out;
}

static void child_count(work *w)
{
    uint64_t out = 0;
    cn_tree_child_count(w->tree, next_node(w), &out);
    w->sum += out;
}

static void next_hop(work *w)
{
    uint64_t out = 0, source = next_node(w), current = next_node(w);
    cn_route_multicast_next_hop(w->topology, source, current, next_node(w), &out);
    w->sum += out;
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Answers a second, over at least a fifth of a second. */
static double rate(void (*question)(work *w), work *w)
{
    uint64_t asked = 0;
    double begin = now(), elapsed;
    do {
        for (int i = 0; i < 1000; i++)
            question(w);
        asked += 1000;
        elapsed = now() - begin;
    } while (elapsed < 0.2);
    return (double)asked / elapsed;
}

static const struct {
    const char *name;
    void (*question)(work *w);
} QUESTIONS[] = {
    {"displacement", displacement},
    {"parent", parent},
    {"child-count", child_count},
    {"next-hop", next_hop},
};

static int measure(uint64_t k, uint32_t n, int csv, uint64_t *sum)
{
    work w = {.node = 1};
    cn_topology *topology = NULL;
    cn_tree *tree = NULL;
    if (cn_topology_generalized_hypercube(k, n, &topology) != CN_OK ||
        cn_tree_balanced(topology, 0, &tree) != CN_OK) {
        fprintf(stderr, "bench_trees: %s\n", cn_last_error());
        cn_topology_free(&topology);
        return 1;
    }
    w.topology = topology;
    w.tree = tree;
    for (size_t q = 0; q < sizeof QUESTIONS / sizeof QUESTIONS[0]; q++) {
        double value = rate(QUESTIONS[q].question, &w);
        printf(csv ? "trees/%s/n=%lu/k=%llu,%.4g,answers/s\n"
                   : "%-14s n = %2lu  k = %5llu  %10.4g answers/s\n",
               QUESTIONS[q].name, (unsigned long)n, (unsigned long long)k, value);
    }
    *sum += w.sum;
    cn_tree_free(&tree);
    cn_topology_free(&topology);
    return 0;
}

int main(int argc, char **argv)
{
    static const uint32_t SHAPES[][2] = {{2, 8},  {3, 25}, {4, 11}, {6, 3},
                                         {20, 8}, {39, 3}, {62, 2}};
    int csv = argc > 1 && strcmp(argv[1], "--csv") == 0, failed = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++)
        failed |= measure(SHAPES[i][1], SHAPES[i][0], csv, &sum);
    if (sum == 0) /* it cannot be; but the compiler does not know */
        fputs("bench_trees: no answers\n", stderr);
    return failed;
}
