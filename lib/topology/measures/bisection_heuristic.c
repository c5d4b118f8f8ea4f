/*
 * Fiduccia-Mattheyses passes inside an iterated local search: a kick exchanges two clusters across
 * a good cut, and passes improve the cut again. A start cuts an order of the nodes in its middle:
 * by number, by distance from a node, or by chance.
 */
#include "topology/measures/bisection.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "topology/distances/breadth_first.h"

static const uint64_t SEED = 1989;

typedef struct passes {
    const cni_graph *graph;
    cni_budget *budget;
    uint8_t *side;        /* of the present cut */
    int64_t *gain;        /* links that a move of the node would save */
    cni_node_lists lists; /* [side][gain + degree] */
    uint8_t *locked;
    uint32_t *moved;   /* nodes moved in this pass, in order; in a kick, the queue of a cluster */
    cni_search search; /* its queue: the order of a start */
    uint32_t degree;   /* greatest */
    int64_t top[2];    /* no list above this gain is occupied */
    size_t ones;       /* nodes on side 1 */
    uint64_t width;
    uint64_t random, drawn;
    void *block; /* of the arrays */
} passes;

static uint64_t draw(passes *p, uint64_t bound)
{
    return cni_random_below((uint32_t)(cni_random_word(p->random, p->drawn++) >> 32),
                            (uint32_t)bound);
}

/* Links between the sides; UINT64_MAX when the budget was stopped. */
static uint64_t cut_width(const cni_graph *graph, cni_budget *budget, const uint8_t side[])
{
    uint64_t ends = 0;
    for (size_t v = 0; v < graph->nodes; v++) {
        if (!cni_budget_work(budget, 1 + graph->first[v + 1] - graph->first[v]))
            return UINT64_MAX;
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            ends += side[v] != side[graph->neighbor[e]];
    }
    return ends / 2;
}

/* ---- lists by gain ---- */

static size_t list_of(const passes *p, int side, int64_t gain)
{
    return (size_t)side * (2 * (size_t)p->degree + 1) + (size_t)(gain + p->degree);
}

static void enter_list(passes *p, uint32_t v)
{
    cni_list_enter(&p->lists, list_of(p, p->side[v], p->gain[v]), v);
    if (p->gain[v] > p->top[p->side[v]])
        p->top[p->side[v]] = p->gain[v];
}

static void leave_list(passes *p, uint32_t v)
{
    cni_list_leave(&p->lists, list_of(p, p->side[v], p->gain[v]), v);
}

/* Called before the work at a node; 0 when the search is to end. */
static int goes_on(passes *p, uint32_t v)
{
    return cni_budget_work(p->budget, 4 + 2 * (p->graph->first[v + 1] - p->graph->first[v]));
}

/* 0 when the search is to end. */
static int fill_lists(passes *p)
{
    size_t lists = 2 * (2 * (size_t)p->degree + 1);
    for (size_t i = 0; i < lists; i++)
        p->lists.head[i] = CNI_NO_ENTRY;
    p->top[0] = p->top[1] = -(int64_t)p->degree;
    /* Lists are last in, first out: another order of entry prefers another one of equal moves. */
    uint32_t shift = (uint32_t)draw(p, p->graph->nodes);
    for (size_t i = 0; i < p->graph->nodes; i++) {
        uint32_t v = (uint32_t)((i + shift) % p->graph->nodes);
        int64_t gain = 0;
        if (!goes_on(p, v))
            return 0;
        for (size_t e = p->graph->first[v]; e < p->graph->first[v + 1]; e++)
            gain += p->side[v] != p->side[p->graph->neighbor[e]] ? 1 : -1;
        p->gain[v] = gain;
        p->locked[v] = 0;
        enter_list(p, v);
    }
    return 1;
}

/* The best node of a side that may still move; CNI_NO_ENTRY without one. */
static uint32_t best_of(passes *p, int side)
{
    while (p->top[side] >= -(int64_t)p->degree) {
        uint32_t v = p->lists.head[list_of(p, side, p->top[side])];
        if (v != CNI_NO_ENTRY)
            return v;
        p->top[side]--;
    }
    return CNI_NO_ENTRY;
}

/* ---- a pass ---- */

static void flip(passes *p, uint32_t v)
{
    p->width -= (uint64_t)p->gain[v];
    p->ones += p->side[v] ? (size_t)-1 : 1;
    p->side[v] ^= 1;
}

static void move(passes *p, uint32_t v)
{
    leave_list(p, v);
    p->locked[v] = 1;
    flip(p, v);
    for (size_t e = p->graph->first[v]; e < p->graph->first[v + 1]; e++) {
        uint32_t w = p->graph->neighbor[e];
        if (p->locked[w])
            continue;
        leave_list(p, w);
        p->gain[w] += p->side[w] == p->side[v] ? -2 : 2;
        enter_list(p, w);
    }
}

static int balanced(const passes *p)
{
    return p->ones == p->graph->nodes / 2 || p->ones == (p->graph->nodes + 1) / 2;
}

/* The next node to move, from the larger side, or from the side with the better node. */
static uint32_t choose(passes *p)
{
    size_t ones = p->ones, zeros = p->graph->nodes - ones;
    if (ones > zeros)
        return best_of(p, 1);
    if (zeros > ones)
        return best_of(p, 0);
    uint32_t a = best_of(p, 0), b = best_of(p, 1);
    if (a == CNI_NO_ENTRY || b == CNI_NO_ENTRY)
        return a == CNI_NO_ENTRY ? b : a;
    return p->gain[a] > p->gain[b] || (p->gain[a] == p->gain[b] && draw(p, 2)) ? a : b;
}

/* Moves every node at most once, then takes back the moves after the best cut. A pass without
 * success for long ends early. 1 when the cut is better than before. */
static int run_pass(passes *p, uint64_t *steps)
{
    uint64_t before = p->width, best = p->width;
    size_t count = 0, keep = 0, patience = 50 + p->graph->nodes / 4;
    if (!fill_lists(p))
        return 0;
    for (uint32_t v = choose(p); v != CNI_NO_ENTRY && count < keep + patience && goes_on(p, v);
         v = choose(p)) {
        move(p, v);
        p->moved[count++] = v;
        if (balanced(p) && p->width < best) {
            best = p->width;
            keep = count;
        }
    }
    *steps += p->graph->nodes / 4 + count;
    while (count > keep)
        flip(p, p->moved[--count]);
    p->width = best;
    return best < before;
}

/* ---- starts and kicks ---- */

/* Puts the first half of the order on side 0, the rest on side 1. */
static void take_side(passes *p, const uint32_t order[])
{
    for (size_t i = 0; i < p->graph->nodes; i++)
        p->side[order[i]] = i >= (p->graph->nodes + 1) / 2;
    p->ones = p->graph->nodes / 2;
    p->width = cut_width(p->graph, p->budget, p->side);
}

/* 0 when the budget was stopped before there is a cut. */
static int start(passes *p, uint64_t number)
{
    size_t nodes = p->graph->nodes;
    uint32_t *order = p->search.queue;
    if (number % 3 != 0) { /* by distance; unreached nodes come last */
        cni_search_within(p->graph, (uint32_t)draw(p, nodes), p->budget, &p->search);
        for (uint32_t v = 0; v < nodes; v++)
            if (p->search.hops[v] == CNI_FAR)
                order[p->search.reached++] = v;
    } else {
        for (size_t v = 0; v < nodes; v++)
            order[v] = (uint32_t)v;
        for (size_t v = nodes; number > 0 && v > 1 && cni_budget_work(p->budget, 4); v--) {
            size_t other = (size_t)draw(p, v);
            uint32_t swap = order[v - 1];
            order[v - 1] = order[other];
            order[other] = swap;
        }
    }
    if (!cni_budget_work(p->budget, 0))
        return 0;
    take_side(p, order);
    return p->width != UINT64_MAX;
}

/* Turns up to `size` nodes of one side around `seed` to the other side. */
static void turn_cluster(passes *p, uint32_t seed, size_t size)
{
    int side = p->side[seed];
    size_t count = 1;
    uint32_t *queue = p->moved;
    queue[0] = seed;
    p->side[seed] ^= 1;
    for (size_t at = 0; at < count && count < size; at++)
        for (size_t e = p->graph->first[queue[at]];
             e < p->graph->first[queue[at] + 1] && count < size; e++) {
            uint32_t w = p->graph->neighbor[e];
            if (p->side[w] == side) {
                p->side[w] ^= 1;
                queue[count++] = w;
            }
        }
    p->ones = side ? p->ones - count : p->ones + count;
}

static uint32_t draw_of_side(passes *p, int side)
{
    uint32_t v = (uint32_t)draw(p, p->graph->nodes);
    while (p->side[v] != side)
        v = (uint32_t)((v + 1) % p->graph->nodes);
    return v;
}

/* Exchanges clusters of random size across the cut, and restores the balance. */
static void kick_nodes(passes *p)
{
    size_t most = p->graph->nodes / 8 + 2;
    size_t size = 1 + (size_t)draw(p, 1 + draw(p, most));
    int side = (int)draw(p, 2);
    turn_cluster(p, draw_of_side(p, side), size);
    while (!balanced(p)) {
        size_t ones = p->ones, zeros = p->graph->nodes - ones;
        int greater = ones > zeros;
        size_t excess = (greater ? ones - zeros : zeros - ones) / 2;
        turn_cluster(p, draw_of_side(p, greater), excess);
    }
    p->width = cut_width(p->graph, p->budget, p->side);
}

/* ---- the search ---- */

typedef struct best_cut {
    uint8_t *side;
    uint64_t width;
} best_cut;

static uint64_t improve(passes *p)
{
    uint64_t steps = 0;
    while (run_pass(p, &steps))
        ;
    return steps;
}

static void keep_if_better(const passes *p, best_cut *cut)
{
    if (p->width >= cut->width)
        return;
    cut->width = p->width;
    memcpy(cut->side, p->side, p->graph->nodes);
}

/* One start, and kicks until so many in a row have not helped. 0 when the budget has ended. */
static int climb(passes *p, uint64_t number, uint64_t enough, cni_budget *budget, best_cut *local,
                 best_cut *best)
{
    size_t nodes = p->graph->nodes, idle = 0;
    int going = 1;
    if (!start(p, number))
        return 0;
    keep_if_better(p, best);
    going = cni_budget_spend(budget, improve(p));
    local->width = UINT64_MAX;
    keep_if_better(p, local);
    keep_if_better(p, best);
    while (going && idle < 400 && best->width > enough && nodes > 2) {
        memcpy(p->side, local->side, nodes);
        p->ones = 0;
        for (size_t v = 0; v < nodes; v++)
            p->ones += p->side[v];
        kick_nodes(p);
        going = cni_budget_spend(budget, improve(p));
        idle = p->width < local->width ? 0 : idle + 1;
        if (p->width <= local->width) {
            local->width = p->width;
            memcpy(local->side, p->side, nodes);
        }
        keep_if_better(p, best);
        budget->upper = (double)best->width;
    }
    return going && best->width > enough;
}

static cn_status passes_open(const cni_graph *graph, passes *p)
{
    size_t nodes = graph->nodes;
    memset(p, 0, sizeof *p);
    p->graph = graph;
    p->degree = graph->topology->max_degree;
    const cni_array arrays[] = {
        CNI_ARRAY(p->side, nodes),
        CNI_ARRAY(p->gain, nodes),
        CNI_ARRAY(p->lists.next, nodes),
        CNI_ARRAY(p->lists.previous, nodes),
        CNI_ARRAY(p->lists.head, 2 * (2 * (size_t)p->degree + 1)),
        CNI_ARRAY(p->locked, nodes),
        CNI_ARRAY(p->moved, nodes),
    };
    CNI_TRY(cni_search_open(graph, &p->search));
    return cni_allocate_arrays(&p->block, arrays);
}

cn_status cni_bisect_heuristic(const cni_graph *graph, uint64_t enough, cni_budget *budget,
                               uint8_t side[], uint64_t *width)
{
    passes p;
    cn_status status = passes_open(graph, &p);
    best_cut best = {side, *width}, local = {NULL, 0};
    p.budget = budget;
    p.random = cni_random_derive(SEED, budget->done);
    local.side = cni_allocate(graph->nodes, 1);
    if (local.side == NULL)
        status = CN_ERR_MEMORY;
    for (uint64_t number = 0; status == CN_OK; number++)
        if (!climb(&p, number, enough, budget, &local, &best))
            break;
    *width = best.width;
    cni_release(local.side);
    cni_search_close(&p.search);
    cni_release(p.block);
    return status;
}
