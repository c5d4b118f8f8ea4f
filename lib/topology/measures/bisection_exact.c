/*
 * The minimum bisection width by dynamic programming.
 *
 * The nodes are placed one after the other, in an order with a narrow frontier: the placed nodes
 * that have neighbours still to come. All that the rest of the network can see of the placed nodes
 * is on which side the frontier's are and how many lie on side 1. So one row is kept for each of
 * the 2^w assignments of the frontier, bit j for the node in slot j, and row[c] is the fewest links
 * cut so far with c nodes on side 1. Placing a node doubles the number of rows; a node that leaves
 * the frontier halves it. When one node leaves as another comes, the new node takes its slot, and
 * the number of rows stays.
 */
#include "topology/measures/bisection.h"

#include <string.h>

#include "base/error.h"

enum { TOO_MANY = 255, MOST_WIDE = 26, SPARE_ROWS = 2 };

/* For a table of up to so many bytes a lack of memory is an error. For a larger table it is none:
 * the search falls back on bounds. */
static const size_t WORTH_FAILING = (size_t)1 << 24;

/* A table of more bytes is not built. */
static const double MOST_BYTES = 1024.0 * 1024.0 * 1024.0;

typedef struct table {
    uint8_t *cell;
    uint8_t *spare;    /* SPARE_ROWS, after the others */
    size_t stride;     /* bytes of a row: `columns`, rounded up */
    size_t columns;    /* nodes on side 1: 0 .. (N+1)/2 */
    uint32_t slot[64]; /* the node in each slot */
    uint32_t width;    /* frontier nodes, slots in use */
} table;

static uint8_t *row_of(const table *t, size_t row)
{
    return t->cell + row * t->stride;
}

/* Fills `to` with the smaller of two sums: row `zero` plus its links, row `one` plus its links.
 * TOO_MANY stays TOO_MANY. */
static void add_and_take_better(uint8_t *restrict to, const uint8_t *restrict zero,
                                const uint8_t *restrict one, size_t count, uint8_t zero_links,
                                uint8_t one_links)
{
    for (size_t c = 0; c < count; c++) {
        uint8_t of_zero = (uint8_t)(zero[c] + zero_links), of_one = (uint8_t)(one[c] + one_links);
        of_zero = of_zero < zero_links ? TOO_MANY : of_zero;
        of_one = of_one < one_links ? TOO_MANY : of_one;
        to[c] = of_zero < of_one ? of_zero : of_one;
    }
}

/* Places a node, whose placed neighbours are in these slots, in a slot whose node leaves the
 * frontier, or in the next free slot as if it had held a node that was never on side 1. */
static void place_node(table *t, uint32_t slot, uint64_t neighbors, uint32_t v, cni_budget *budget)
{
    const int is_free = slot == t->width;
    size_t bit = (size_t)1 << slot, rows = (size_t)1 << (t->width - !is_free);
    uint32_t all = cni_popcount(neighbors), last = neighbors >> slot & 1;
    uint8_t *zero = t->spare, *one = t->spare + t->stride;
    memset(one, TOO_MANY, t->stride);
    for (size_t r = 0; r < rows && cni_budget_work(budget, 4 + t->stride / 8); r++) {
        size_t from = (r & ~(bit - 1)) << 1 | (r & (bit - 1));
        uint8_t *low = row_of(t, from), *high = row_of(t, from | bit);
        uint32_t ones = cni_popcount(from & neighbors);
        memcpy(zero, low, t->stride);
        if (!is_free)
            memcpy(one, high, t->stride);
        high[0] = TOO_MANY;
        add_and_take_better(high + 1, zero, one, t->columns - 1, (uint8_t)(all - ones),
                            (uint8_t)(all - ones - last));
        add_and_take_better(low, zero, one, t->columns, (uint8_t)ones, (uint8_t)(ones + last));
    }
    t->slot[slot] = v;
    t->width += (uint32_t)is_free;
}

/* Removes the node of a slot from the frontier: the better of its two sides stays. */
static void forget_node(table *t, uint32_t slot, cni_budget *budget)
{
    size_t low_bits = ((size_t)1 << slot) - 1, rows = (size_t)1 << (t->width - 1);
    for (size_t r = 0; r < rows && cni_budget_work(budget, 4 + t->stride / 8);
         r++) { /* to lower rows than those still to be read */
        size_t from = (r & ~low_bits) << 1 | (r & low_bits);
        const uint8_t *zero = row_of(t, from), *one = row_of(t, from | (low_bits + 1));
        uint8_t *to = row_of(t, r);
        for (size_t c = 0; c < t->columns; c++)
            to[c] = zero[c] < one[c] ? zero[c] : one[c];
    }
    t->width--;
    for (uint32_t s = slot; s < t->width; s++)
        t->slot[s] = t->slot[s + 1];
}

static int has_later_neighbor(const cni_graph *graph, uint32_t v, const uint8_t placed[])
{
    for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
        if (!placed[graph->neighbor[e]])
            return 1;
    return 0;
}

static uint64_t slots_of_neighbors(const cni_graph *graph, const table *t, uint32_t v)
{
    uint64_t slots = 0;
    for (uint32_t s = 0; s < t->width; s++)
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            if (graph->neighbor[e] == t->slot[s])
                slots |= UINT64_C(1) << s;
    return slots;
}

/* The steps that a row costs: long rows take longer. */
static uint64_t row_steps(size_t stride)
{
    return 1 + stride / 128;
}

/* 0 when the caller has stopped it. */
static int run(table *t, const cni_graph *graph, const uint32_t order[], uint8_t placed[],
               cni_budget *budget)
{
    memset(row_of(t, 0), TOO_MANY, t->stride);
    row_of(t, 0)[0] = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        uint32_t v = order[i], s = 0, wide = t->width + 1;
        uint64_t neighbors = slots_of_neighbors(graph, t, v);
        placed[v] = 1;
        while (s < t->width && has_later_neighbor(graph, t->slot[s], placed))
            s++;
        place_node(t, s, neighbors, v, budget);
        if (!cni_budget_spend(budget, row_steps(t->stride) << wide))
            return 0;
        for (s = t->width; s-- > 0;)
            if (!has_later_neighbor(graph, t->slot[s], placed))
                forget_node(t, s, budget);
    }
    return cni_budget_work(budget, 0);
}

static cn_status solve(const cni_graph *graph, const uint32_t order[], uint32_t widest, double rows,
                       cni_budget *budget, uint64_t *width, int *solved)
{
    table t = {.columns = (graph->nodes + 1) / 2 + 1};
    t.stride = (t.columns + 15) / 16 * 16;
    if (rows * (double)row_steps(t.stride) > (double)cni_budget_left(budget))
        return CN_OK;
    if (widest > MOST_WIDE || (double)t.stride * (double)((size_t)1 << widest) > MOST_BYTES)
        return CN_OK;
    uint8_t *placed = cni_allocate(graph->nodes, 1);
    t.cell = cni_allocate(((uint64_t)1 << widest) + SPARE_ROWS, t.stride);
    if (placed != NULL && t.cell == NULL && t.stride > WORTH_FAILING >> widest) {
        /* bounds need no table */
        cni_release(placed);
        return CN_OK;
    }
    cn_status status = placed == NULL || t.cell == NULL ? CN_ERR_MEMORY : CN_OK;
    if (status == CN_OK)
        t.spare = row_of(&t, (size_t)1 << widest);
    if (status == CN_OK && run(&t, graph, order, placed, budget)) {
        /* Without a frontier one row is left. Either half may be the larger. */
        uint8_t a = t.cell[graph->nodes / 2], b = t.cell[(graph->nodes + 1) / 2];
        *width = a < b ? a : b;
        *solved = 1;
    }
    cni_release(t.cell);
    cni_release(placed);
    return status;
}

cn_status cni_bisect_exact(const cni_graph *graph, cni_budget *budget, uint64_t *width, int *solved)
{
    *solved = 0;
    uint32_t *order = cni_allocate(graph->nodes, sizeof *order);
    CNI_TRY_MEMORY(order);
    uint32_t widest;
    double rows;
    cn_status status = cni_narrow_order(graph, budget, order, &widest, &rows);
    if (status == CN_OK)
        status = solve(graph, order, widest, rows, budget, width, solved);
    cni_release(order);
    return status;
}
