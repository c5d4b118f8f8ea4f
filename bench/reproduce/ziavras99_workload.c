/*
 * The operations behind Tables 3 to 14. What the paper does not say is read from its own numbers
 * (docs/lab/collective-tables.md): how many operations there are, and how many of them start at the
 * busiest source.
 */
#include <stdlib.h>

#include "ziavras99.h"

enum { START_CYCLES = 20 };

/* The number of operations of Table 3, of Tables 4 to 7 and 11, and of Tables 8 to 10 with 12 to
 * 14; and of those at the busiest source in Tables 4 to 7 and in Tables 8 to 10. */
static const struct {
    uint32_t broadcasts, multicasts, same[3];
    uint32_t busiest, busiest_same;
} counts[Z99_NETWORKS] = {
    {195, 187, {170, 183, 195}, 0, 0}, /* GH(2,8) */
    {153, 157, {157, 157, 153}, 0, 0}, /* GH(2,16) */
    {168, 168, {168, 168, 168}, 0, 0}, /* GH(3,8) */
    {182, 182, {201, 211, 219}, 0, 0}, /* GH(6,3) */
    {211, 211, {211, 211, 211}, 2, 3}, /* GH(4,7) */
    {194, 194, {194, 194, 194}, 2, 2}, /* GH(5,5) */
    {182, 182, {182, 182, 182}, 2, 3}, /* GH(4,8) */
    {207, 207, {207, 207, 207}, 2, 1}, /* GH(4,10) */
    {261, 261, {261, 261, 261}, 2, 1}, /* GH(4,11) */
    {267, 267, {267, 267, 267}, 1, 2}, /* GH(3,25) */
};

z99_workload z99_workload_of(int table, int network, const cn_topology *topology, int free)
{
    uint64_t nodes = cn_topology_node_count(topology);
    z99_workload made = {.topology = topology};
    int plain = table >= 11 ? table - (table == 11 ? 7 : 4) : table; /* without adaptive routing */
    if (plain == 3) {
        made.destinations = Z99_ALL;
        made.operations = counts[network].broadcasts;
        return made;
    }
    if (plain <= 7) {
        made.destinations = Z99_STRIDE;
        made.operations = counts[network].multicasts;
        made.busiest = counts[network].busiest;
        made.count = nodes >> (plain - 2);
    } else {
        made.destinations = Z99_SAME_RUN;
        made.operations = counts[network].same[plain - 8];
        made.busiest = counts[network].busiest_same;
        made.count = nodes >> (plain - 5);
    }
    if (free)
        made.busiest = 0;
    return made;
}

/* ---- random numbers: SplitMix64, so that the files are the same everywhere ---- */

static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform to within bound / 2^53. */
static uint64_t below(uint64_t *state, uint64_t bound)
{
    return (uint64_t)((double)(next_word(state) >> 11) * 0x1p-53 * (double)bound);
}

/* ---- one list ---- */

typedef struct drawing {
    const z99_workload *workload;
    uint64_t state, nodes;
    uint64_t *source;       /* [operations] */
    uint32_t *started;      /* [node]: operations there */
    uint64_t *destinations; /* room for the count */
    uint64_t shared;        /* first of the run that is the same for all */
} drawing;

/* Sources until the busiest has as many operations as it must have. The number of draws. */
static uint32_t draw_sources(drawing *d)
{
    const z99_workload *w = d->workload;
    for (uint32_t draws = 1;; draws++) {
        uint32_t most = 0;
        for (uint32_t i = 0; i < w->operations; i++) {
            d->source[i] = below(&d->state, d->nodes);
            d->started[d->source[i]]++;
        }
        for (uint32_t i = 0; i < w->operations; i++) {
            if (d->started[d->source[i]] > most)
                most = d->started[d->source[i]];
            d->started[d->source[i]] = 0;
        }
        if (w->busiest == 0 || most == w->busiest)
            return draws;
    }
}

/* Random start and stride. The list ends where it meets the source or begins again; the paper's
 * numbers of messages say so. */
static size_t draw_stride(drawing *d, uint64_t source)
{
    uint64_t first = below(&d->state, d->nodes), stride = below(&d->state, d->nodes);
    uint64_t node = first;
    size_t count = 0;
    while (count < d->workload->count && node != source && (count == 0 || node != first)) {
        d->destinations[count++] = node;
        node += stride;
        node -= node < d->nodes ? 0 : d->nodes;
    }
    return count;
}

/* Nodes that follow each other, the same for all operations; the source is not sent to. */
static size_t fill_run(drawing *d, uint64_t source)
{
    size_t count = 0;
    for (uint64_t i = 0; i < d->workload->count; i++) {
        uint64_t node = (d->shared + i) % d->nodes;
        if (node != source)
            d->destinations[count++] = node;
    }
    return count;
}

static cn_status add(drawing *d, cn_operations *list, uint64_t source)
{
    uint64_t start = 1 + below(&d->state, START_CYCLES);
    if (d->workload->destinations == Z99_ALL)
        return cn_operations_add_broadcast(list, source, start);
    size_t count =
        d->workload->destinations == Z99_STRIDE ? draw_stride(d, source) : fill_run(d, source);
    if (count == 0)
        return CN_OK; /* met the source at once */
    return cn_operations_add(list, source, d->destinations, count, start);
}

cn_operations *z99_draw(const z99_workload *workload, uint64_t replication, uint32_t *draws)
{
    drawing d = {.workload = workload,
                 .state = replication * UINT64_C(0xd1342543de82ef95) + 1,
                 .nodes = cn_topology_node_count(workload->topology)};
    d.source = calloc(workload->operations, sizeof *d.source);
    d.started = calloc(d.nodes, sizeof *d.started);
    d.destinations = calloc(workload->count + 1, sizeof *d.destinations);
    cn_operations *list = NULL;
    cn_status status = cn_operations_new(workload->topology, &list);
    if (d.source != NULL && d.started != NULL && d.destinations != NULL && status == CN_OK) {
        d.shared = below(&d.state, d.nodes);
        *draws = draw_sources(&d);
        for (uint32_t i = 0; i < workload->operations && status == CN_OK; i++)
            status = add(&d, list, d.source[i]);
    } else {
        status = CN_ERR_MEMORY;
    }
    if (status != CN_OK)
        cn_operations_free(&list);
    free(d.source);
    free(d.started);
    free(d.destinations);
    return list;
}
