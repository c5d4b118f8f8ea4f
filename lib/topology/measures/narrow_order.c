/*
 * An order of the nodes with a narrow frontier (the nodes so far that have neighbours still to
 * come). Greedy from many starts: the next node is always the node that leaves the fewest nodes in
 * the frontier. Of equal nodes every other start takes the node that was listed last, which runs
 * through a tree branch by branch; the other starts take a random one.
 */
#include "topology/measures/bisection.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

enum { MOST_STARTS = 3000, WIDEST = 60, SEED = 0 };

typedef struct greedy {
    const cni_graph *graph;
    uint32_t *left; /* neighbours still to come, by node */
    uint8_t *placed;
    uint8_t *listed;
    uint32_t *came;      /* when the node was listed, by `clock` */
    int last_first;      /* 1: of equal nodes, the last listed is next; 0: a random one */
    uint32_t *candidate; /* nodes to come that have a placed neighbour */
    size_t candidates;
    uint32_t clock;
    uint32_t *order;     /* of this start */
    uint32_t frontier;   /* nodes in it */
    int ended;           /* the budget is used up */
    uint32_t first_left; /* no node before it is left to place */
    uint64_t drawn;      /* random words so far */
} greedy;

/* The growth of the frontier by this node. */
static int growth(const greedy *g, uint32_t v)
{
    int change = g->left[v] > 0;
    for (size_t e = g->graph->first[v]; e < g->graph->first[v + 1]; e++) {
        uint32_t w = g->graph->neighbor[e];
        change -= g->placed[w] && g->left[w] == 1;
    }
    return change;
}

static void place_vertex(greedy *g, uint32_t v)
{
    g->frontier = (uint32_t)((int)g->frontier + growth(g, v));
    g->placed[v] = 1;
    for (size_t e = g->graph->first[v]; e < g->graph->first[v + 1]; e++) {
        uint32_t w = g->graph->neighbor[e];
        g->left[w]--;
        if (!g->placed[w] && !g->listed[w]) {
            g->listed[w] = 1;
            g->came[w] = g->clock++;
            g->candidate[g->candidates++] = w;
        }
    }
}

/* Takes the best candidate off the list; where there is none, any node that is left. */
static uint32_t next_node(greedy *g)
{
    if (g->candidates == 0) {
        while (g->placed[g->first_left])
            g->first_left++;
        g->listed[g->first_left] = 1;
        return g->first_left;
    }
    size_t best = 0;
    int least = INT32_MAX;
    uint64_t best_ticket = 0;
    for (size_t i = 0; i < g->candidates; i++) {
        int change = growth(g, g->candidate[i]);
        uint64_t ticket =
            g->last_first ? g->came[g->candidate[i]] : cni_random_word(SEED, g->drawn++);
        if (change < least || (change == least && ticket >= best_ticket)) {
            least = change;
            best = i;
            best_ticket = ticket;
        }
    }
    uint32_t v = g->candidate[best];
    g->candidate[best] = g->candidate[--g->candidates];
    return v;
}

/* One order; returns its rows, or `enough` as soon as it needs more. */
static double run(greedy *g, uint32_t source, double enough, cni_budget *budget, uint32_t *widest)
{
    size_t nodes = g->graph->nodes;
    double rows = 0.0;
    for (size_t v = 0; v < nodes && cni_budget_work(budget, 1); v++)
        g->left[v] = (uint32_t)(g->graph->first[v + 1] - g->graph->first[v]);
    memset(g->placed, 0, nodes);
    memset(g->listed, 0, nodes);
    g->candidates = 0;
    g->clock = 0;
    g->frontier = 0;
    g->first_left = 0;
    *widest = 0;
    for (size_t i = 0; i < nodes; i++) {
        cni_budget_work(budget, 8 * g->candidates);
        g->ended = !cni_budget_spend(budget, 1 + g->candidates / 16);
        if (g->ended)
            return enough;
        uint32_t v = i == 0 ? source : next_node(g);
        g->listed[v] = 1;
        g->order[i] = v;
        uint32_t wide = g->frontier + 1;
        *widest = wide > *widest ? wide : *widest;
        rows += ldexp(1.0, (int)wide);
        if (wide > WIDEST || rows >= enough)
            return enough;
        place_vertex(g, v);
    }
    return rows;
}

cn_status cni_narrow_order(const cni_graph *graph, cni_budget *budget, uint32_t order[],
                           uint32_t *widest, double *rows)
{
    size_t nodes = graph->nodes;
    greedy g = {.graph = graph};
    const cni_array arrays[] = {
        CNI_ARRAY(g.left, nodes), CNI_ARRAY(g.placed, nodes), CNI_ARRAY(g.listed, nodes),
        CNI_ARRAY(g.came, nodes), CNI_ARRAY(g.order, nodes),  CNI_ARRAY(g.candidate, nodes),
    };
    void *block;
    cn_status status = cni_allocate_arrays(&block, arrays);
    *rows = HUGE_VAL;
    *widest = WIDEST;
    /* As many starts as a few million looks at a node allow; wide networks end a start early. */
    size_t starts = 1 + 400000 / nodes;
    starts = starts > MOST_STARTS ? MOST_STARTS : starts;
    for (size_t s = 0; status == CN_OK && s < starts && !g.ended; s++) {
        uint32_t wide;
        g.last_first = s % 2 == 0;
        double now = run(&g, (uint32_t)(s / 2 * 7919 % nodes), *rows, budget, &wide);
        if (now >= *rows)
            continue;
        *rows = now;
        *widest = wide;
        memcpy(order, g.order, nodes * sizeof *order);
    }
    cni_release(block);
    return status;
}
