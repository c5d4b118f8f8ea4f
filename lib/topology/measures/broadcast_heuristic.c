/*
 * Short one-port broadcasts by beam search. Of the partial schedules of t steps the search keeps
 * the best few, and continues each by some matchings of informed nodes with neighbours that are not
 * informed. The best schedule leaves the least work: a node h hops from the nearest informed node
 * counts 2^h.
 *
 * A matching takes the most urgent receivers first, those at which the longest ways away from the
 * informed nodes begin, and gives each the informed neighbour that has the fewest others to serve.
 * A random number changes the order of receivers and decides between equal senders. Round after
 * round the beam is wider.
 */
#include "topology/measures/broadcast.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sort.h"

#define NEVER UINT32_MAX

enum {
    ONE = 1024,   /* a hop in a height, and the unit of `chance` in match() */
    CHILDREN = 4, /* matchings for a state */
    WIDEST = 256  /* states in the beam */
};
static const uint64_t SEED = 1989;

/* A partial schedule: its place in senders and steps, a measure of the work left, and the
 * informed nodes. */
typedef struct state {
    size_t place;
    uint64_t left;
    uint64_t informed; /* a hash */
} state;

typedef struct receiver {
    uint64_t key; /* how urgent it is */
    uint32_t node;
} receiver;

typedef struct beam {
    const cni_graph *graph;
    cni_budget *budget;
    size_t room;       /* places: two generations, the second with all children */
    uint32_t *senders; /* [place][node] */
    uint32_t *steps;   /* [place][node]; NEVER when not informed */
    state now[WIDEST];
    state next[CHILDREN * WIDEST];
    size_t count;
    uint32_t *hops;   /* from the nearest informed node */
    uint32_t *queue;  /* nodes by hops */
    uint32_t *height; /* of the ways away from the informed, by node */
    uint32_t *open;   /* neighbours that are not informed, by node */
    uint32_t *busy;   /* last step in which the node sent */
    receiver *edge;   /* the nodes at hops 1 */
    size_t edges;
    uint64_t random, drawn;
    void *block; /* of the arrays */
} beam;

static uint64_t draw(beam *b)
{
    return cni_random_word(b->random, b->drawn++);
}

static uint32_t *steps_of(beam *b, size_t place)
{
    return b->steps + place * b->graph->nodes;
}

static uint32_t *senders_of(beam *b, size_t place)
{
    return b->senders + place * b->graph->nodes;
}

/* Called before the work at a node; 0 when the search is to end, and the present step is void. */
static int goes_on(beam *b, uint32_t v)
{
    return cni_budget_work(b->budget, 4 + 2 * (b->graph->first[v + 1] - b->graph->first[v]));
}

/* Hops from the informed nodes; returns the measure of the work left, UINT64_MAX when a node is
 * farther than `most`. */
static uint64_t look_around(beam *b, size_t place, uint32_t most)
{
    size_t nodes = b->graph->nodes, reached = 0;
    const uint32_t *step = steps_of(b, place);
    uint64_t left = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        b->hops[v] = step[v] == NEVER ? NEVER : 0;
        if (step[v] != NEVER)
            b->queue[reached++] = v;
    }
    for (size_t at = 0; at < reached; at++) {
        uint32_t v = b->queue[at], hops = b->hops[v];
        if (hops > most || !goes_on(b, v))
            return UINT64_MAX;
        left += hops == 0 ? 0 : UINT64_C(1) << (hops < 40 ? hops : 40);
        for (size_t e = b->graph->first[v]; e < b->graph->first[v + 1]; e++) {
            uint32_t w = b->graph->neighbor[e];
            if (b->hops[w] != NEVER)
                continue;
            b->hops[w] = hops + 1;
            b->queue[reached++] = w;
        }
    }
    return left;
}

/* After look_around(): the rim, the heights, and how many nodes each informed node could serve. */
static void prepare(beam *b)
{
    b->edges = 0;
    for (size_t i = b->graph->nodes; i-- > 0;) {
        uint32_t v = b->queue[i], height = 0, open = 0;
        if (!goes_on(b, v))
            return;
        for (size_t e = b->graph->first[v]; e < b->graph->first[v + 1]; e++) {
            uint32_t w = b->graph->neighbor[e];
            open += b->hops[w] != 0;
            if (b->hops[w] == b->hops[v] + 1 && b->height[w] + ONE > height)
                height = b->height[w] + ONE;
        }
        b->height[v] = height;
        b->open[v] = open;
        b->busy[v] = 0;
        if (b->hops[v] == 1)
            b->edge[b->edges++].node = v;
    }
}

static int urgent_first(const void *a, const void *b)
{
    const uint64_t x = ((const receiver *)a)->key, y = ((const receiver *)b)->key;
    return (x < y) - (x > y);
}

/* The free informed neighbour with the fewest others to serve; of equals a random one. */
static uint32_t sender_for(beam *b, uint32_t v)
{
    uint32_t best = NEVER;
    uint64_t fewest = UINT64_MAX;
    for (size_t e = b->graph->first[v]; e < b->graph->first[v + 1]; e++) {
        uint32_t u = b->graph->neighbor[e];
        if (b->hops[u] != 0 || b->busy[u])
            continue;
        uint64_t others = ((uint64_t)b->open[u] << 32) + (draw(b) >> 32);
        if (others < fewest) {
            fewest = others;
            best = u;
        }
    }
    return best;
}

/* One matching, from the prepared state, which stays unchanged. The order of receivers is random
 * within heights that differ by less than `chance`. */
static void match(beam *b, const state *from, state *to, uint32_t step, uint32_t chance)
{
    size_t bytes = b->graph->nodes * sizeof *b->steps;
    uint32_t *steps = steps_of(b, to->place), *senders = senders_of(b, to->place);
    memcpy(steps, steps_of(b, from->place), bytes);
    memcpy(senders, senders_of(b, from->place), bytes);
    to->informed = from->informed;
    for (size_t i = 0; i < b->edges; i++) {
        receiver *r = &b->edge[i];
        r->key = ((uint64_t)b->height[r->node] << 32) + (draw(b) >> 32) * chance;
    }
    cni_budget_work(b->budget, 16 * b->edges);
    cni_sort_within(b->edge, b->edges, sizeof *b->edge, urgent_first, b->budget);
    for (size_t i = 0; i < b->edges; i++) {
        if (!goes_on(b, b->edge[i].node))
            return;
        uint32_t v = b->edge[i].node, u = sender_for(b, v);
        if (u == NEVER)
            continue;
        b->busy[u] = 1;
        senders[v] = u;
        steps[v] = step;
        to->informed += cni_random_mix(v + 1);
    }
    for (size_t i = 0; i < b->edges; i++)
        if (steps[b->edge[i].node] == step)
            b->busy[senders[b->edge[i].node]] = 0;
}

/* Keeps the best of the new states, each informed set once. */
static void select_best(beam *b, size_t children, size_t width)
{
    b->count = 0;
    for (size_t i = 0; i < children; i++) {
        const state *s = &b->next[i];
        size_t at = b->count;
        int known = s->left == UINT64_MAX;
        for (size_t j = 0; j < b->count && !known; j++)
            known = b->now[j].informed == s->informed;
        if (known || (at == width && s->left >= b->now[at - 1].left))
            continue;
        if (at == width)
            at--;
        else
            b->count++;
        for (; at > 0 && b->now[at - 1].left > s->left; at--)
            b->now[at] = b->now[at - 1];
        b->now[at] = *s;
    }
}

/* Steps of a run that must be stoppable. */
static const double LONG_RUN = 4e9;

/* A beam of this width; returns the length of the schedule in b->now[0], NEVER when no schedule
 * is as short as `most`. */
static uint32_t run(beam *b, uint32_t source, size_t width, uint32_t most, cni_budget *budget)
{
    size_t nodes = b->graph->nodes;
    /* The narrowest beam may run past its steps for a first good schedule, where that is not
     * long. */
    int may_stop = width > 1 || (most != NEVER && 4.0 * (double)nodes * most > LONG_RUN);
    for (size_t v = 0; v < nodes; v++)
        steps_of(b, 0)[v] = senders_of(b, 0)[v] = NEVER;
    steps_of(b, 0)[source] = 0;
    senders_of(b, 0)[source] = source;
    b->now[0] = (state){0, look_around(b, 0, most), cni_random_mix(source + 1)};
    b->count = 1;
    size_t half = 0; /* the places of now */
    uint32_t step = 1;
    for (; b->count > 0 && b->now[0].left > 0; step++) {
        if (step > most)
            return NEVER;
        size_t children = 0;
        half = half == 0 ? b->room / 2 : 0;
        for (size_t i = 0; i < b->count; i++) {
            look_around(b, b->now[i].place, NEVER);
            prepare(b);
            for (uint32_t c = 0; c < CHILDREN && (width > 1 || c < 1) && !budget->stopped; c++) {
                state *child = &b->next[children];
                child->place = half + children++;
                match(b, &b->now[i], child, step, (c + (width == 1 ? 1 : 0)) * (ONE / 2));
            }
        }
        for (size_t i = 0; i < children; i++)
            b->next[i].left = look_around(b, b->next[i].place, most - step);
        if (budget->stopped)
            return NEVER;
        select_best(b, children, width);
        if (!cni_budget_spend(budget, 4 * nodes * children) && (may_stop || budget->stopped))
            return NEVER;
    }
    return b->count == 0 ? NEVER : step - 1;
}

static cn_status beam_open(const cni_graph *graph, beam *b)
{
    size_t nodes = graph->nodes, widest = WIDEST;
    while (widest > 1 && widest * nodes > (size_t)1 << 20)
        widest /= 2;
    b->graph = graph;
    b->room = 2 * CHILDREN * widest;
    const cni_array arrays[] = {
        CNI_ARRAY(b->senders, (uint64_t)b->room * nodes),
        CNI_ARRAY(b->steps, (uint64_t)b->room * nodes),
        CNI_ARRAY(b->hops, nodes),
        CNI_ARRAY(b->queue, nodes),
        CNI_ARRAY(b->height, nodes),
        CNI_ARRAY(b->open, nodes),
        CNI_ARRAY(b->busy, nodes),
        CNI_ARRAY(b->edge, nodes),
    };
    return cni_allocate_arrays(&b->block, arrays);
}

static void search(beam *b, uint32_t source, uint32_t enough, cni_budget *budget,
                   cni_schedule *schedule, uint32_t *length)
{
    size_t bytes = b->graph->nodes * sizeof *schedule->step, widest = b->room / 2 / CHILDREN;
    size_t width = 1;
    for (uint32_t round = 0; *length > enough; round++) {
        uint32_t now = run(b, source, width, *length == NEVER ? NEVER : *length - 1, budget);
        if (now != NEVER) {
            memcpy(schedule->sender, senders_of(b, b->now[0].place), bytes);
            memcpy(schedule->step, steps_of(b, b->now[0].place), bytes);
            *length = now;
        } else if (width < widest) {
            width *= 2;
        }
        if (!cni_budget_spend(budget, 1))
            return;
    }
}

cn_status cni_broadcast_heuristic(const cni_graph *graph, uint32_t source, uint32_t enough,
                                  cni_budget *budget, cni_schedule *schedule, uint32_t *length)
{
    beam *b = cni_allocate(1, sizeof *b); /* too large for the stack of some */
    CNI_TRY_MEMORY(b);
    cn_status status = beam_open(graph, b);
    b->budget = budget;
    b->random = cni_random_derive(SEED, budget->done);
    if (status == CN_OK)
        search(b, source, enough, budget, schedule, length);
    cni_release(b->block);
    cni_release(b);
    return status;
}
