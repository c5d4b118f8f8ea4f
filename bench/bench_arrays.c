/* How many answers a second the array calls give: a question about each of a million nodes. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 7, MOST = 1 << 20, WIDEST = 14 };

typedef struct work {
    cn_topology *topology;
    cn_tree *tree;
    cn_routing *minimal, *table; /* a closed form; a table, which is made up to n = 10 */
    size_t count;
    uint64_t *node, *other, *answer;
} work;

static double adjacency(work *w)
{
    size_t count;
    bench_check(cn_topology_adjacency(w->topology, NULL, w->other, MOST, w->answer,
                                      (size_t)MOST * WIDEST, &count));
    return (double)count;
}

static double distances(work *w)
{
    bench_check(cn_topology_distances(w->topology, 1, NULL, w->answer, MOST));
    return (double)cn_topology_node_count(w->topology);
}

static double digits(work *w)
{
    bench_check(cn_topology_digits_of(w->topology, w->node, w->count, NULL, w->answer,
                                      (size_t)MOST * WIDEST));
    return (double)w->count;
}

static double headers(work *w)
{
    bench_check(cn_topology_headers(w->topology, w->node, w->other, w->count, NULL, w->answer));
    return (double)w->count;
}

static double displacements(work *w)
{
    bench_check(cn_necklace_displacements(w->topology, w->node, w->count, NULL, w->answer));
    return (double)w->count;
}

static double parents(work *w)
{
    bench_check(cn_tree_parents(w->tree, w->node, w->count, NULL, w->answer));
    return (double)w->count;
}

static double hops_of(work *w, const cn_routing *routing)
{
    bench_check(cn_routing_next_hops(routing, w->node, w->other, w->count, NULL, w->answer));
    return (double)w->count;
}

static double next_hops(work *w)
{
    return hops_of(w, w->minimal);
}

static double next_hops_by_table(work *w)
{
    return hops_of(w, w->table);
}

static const struct {
    const char *name;
    double (*ask)(work *w);
} questions[] = {
    {"digits", digits},       {"headers", headers},     {"displacements", displacements},
    {"parents", parents},     {"next_hops", next_hops}, {"next_hops/table", next_hops_by_table},
    {"distances", distances}, {"adjacency", adjacency},
};

static uint64_t *room(size_t count)
{
    uint64_t *array = malloc(count * sizeof *array);
    if (array == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return array;
}

static void draw(work *w)
{
    uint64_t word = 1;
    for (size_t i = 0; i < MOST; i++) {
        word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        w->node[i] = (word >> 2) % cn_topology_node_count(w->topology);
        w->other[i] = (word >> 22) % cn_topology_node_count(w->topology);
    }
}

static void measure(const bench_options *options, const char *network, uint32_t n, work *w)
{
    size_t repetitions = options->quick ? 1 : REPETITIONS;
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        double rates[REPETITIONS];
        if ((questions[q].ask == next_hops_by_table && w->table == NULL) ||
            (w->tree == NULL && (questions[q].ask == parents || questions[q].ask == displacements)))
            continue;
        draw(w);
        for (size_t r = 0; r < repetitions; r++) {
            double start = bench_now(), answers = 0.0;
            do
                answers += questions[q].ask(w);
            while (!options->quick && bench_now() - start < 0.05);
            rates[r] = answers / (bench_now() - start);
        }
        char name[80];
        bench_spread spread = bench_rates(rates, repetitions);
        snprintf(name, sizeof name, "arrays/n=%u/%s/%s", (unsigned)n, network, questions[q].name);
        bench_report(options->csv, name, spread.best, "answers/s");
    }
}

static void run(const bench_options *options, const char *network, uint64_t k, uint32_t n)
{
    work w = {.count = options->quick ? 1000 : MOST};
    if (k == 2)
        bench_check(cn_topology_hypercube(n, &w.topology));
    else
        bench_check(cn_topology_kary_ncube(k, n, 1, &w.topology));
    if (k == 2)
        bench_check(cn_tree_balanced(w.topology, 0, &w.tree));
    bench_check(cn_routing_new(w.topology, "minimal", NULL, NULL, &w.minimal));
    if (cn_topology_node_count(w.topology) <= 1024)
        bench_check(cn_routing_new(w.topology, "up-down", NULL, NULL, &w.table));
    w.node = room(MOST);
    w.other = room(MOST);
    w.answer = room((size_t)MOST * WIDEST);
    measure(options, network, n, &w);
    free(w.node);
    free(w.other);
    free(w.answer);
    cn_routing_free(&w.table);
    cn_routing_free(&w.minimal);
    cn_tree_free(&w.tree);
    cn_topology_free(&w.topology);
}

int main(int argc, char **argv)
{
    bench_options options = bench_parse(argc, argv);
    for (uint32_t n = 6; n <= WIDEST; n += 4)
        run(&options, "cube", 2, n);
    run(&options, "8-ary", 8, 3);
    run(&options, "100-ary", 100, 2);
    return 0;
}
