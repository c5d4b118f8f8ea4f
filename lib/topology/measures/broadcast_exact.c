/*
 * The least time of a one-port broadcast in a network of up to 64 nodes, by search through the
 * informed sets, which are words. In every step a maximal matching is tried (to send more never
 * hurts); a set is given up when even doubling, the degrees or the distances cannot reach all in
 * time, or when it has failed before with as many steps left.
 */
#include "topology/measures/broadcast.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/random.h"

enum { MOST_NODES = 64, MOST_STEPS = 64, SLOTS = 1 << 16 };

typedef struct failure {
    uint64_t informed; /* 0: empty */
    uint32_t left;     /* steps that did not suffice */
} failure;

typedef struct sets {
    const cni_graph *graph;
    uint64_t all;
    uint64_t adjacent[MOST_NODES];
    uint64_t grown[MOST_STEPS + 1]; /* by steps left: most nodes that a node informs, and itself */
    failure *failures;
    cni_schedule *schedule;
    cni_budget *budget;
    uint32_t last; /* the step in which all must be informed */
    int ended;     /* 1: the budget has ended */
} sets;

/* 0 when the rest cannot be informed in `left` steps, for one of three reasons: doubling,
 * degrees, distances. */
static int is_possible(const sets *s, uint64_t informed, uint32_t left)
{
    uint64_t missing = s->all & ~informed, reach = informed, most = 0;
    for (uint32_t i = 0; i < left && reach != s->all; i++) {
        uint64_t border = 0;
        for (uint64_t rest = reach; rest != 0; rest &= rest - 1)
            border |= s->adjacent[cni_lowest_bit(rest)];
        if ((border & ~reach) == 0)
            return 0;
        reach |= border;
    }
    if (reach != s->all)
        return 0;
    for (uint64_t rest = informed; rest != 0; rest &= rest - 1) {
        uint32_t open = cni_popcount(s->adjacent[cni_lowest_bit(rest)] & missing);
        for (uint32_t i = 1; i <= left && i <= open; i++)
            most += s->grown[left - i];
    }
    return most >= cni_popcount(missing);
}

static int search(sets *s, uint64_t informed, uint32_t step);

/* Lets the nodes of `senders` send, one after the other, to nodes outside both sets. */
static int match(sets *s, uint64_t informed, uint64_t receivers, uint64_t senders, uint32_t step)
{
    while (senders != 0 && (s->adjacent[cni_lowest_bit(senders)] & ~informed & ~receivers) == 0)
        senders &= senders - 1;
    if (senders == 0)
        return search(s, informed | receivers, step + 1);
    uint32_t u = cni_lowest_bit(senders);
    for (uint64_t open = s->adjacent[u] & ~informed & ~receivers; open != 0; open &= open - 1) {
        uint32_t v = cni_lowest_bit(open);
        s->schedule->sender[v] = u;
        s->schedule->step[v] = step;
        if (match(s, informed, receivers | (UINT64_C(1) << v), senders & (senders - 1), step))
            return 1;
    }
    return 0;
}

/* 1 when the rest can be informed from `step` on; the schedule then has the transfers. */
static int search(sets *s, uint64_t informed, uint32_t step)
{
    if (informed == s->all)
        return 1;
    uint32_t left = s->last + 1 - step;
    s->ended = s->ended || !cni_budget_spend(s->budget, 1);
    if (s->ended || left == 0 || !is_possible(s, informed, left))
        return 0;
    failure *slot = &s->failures[cni_random_mix(informed) % SLOTS];
    if (slot->informed == informed && slot->left >= left)
        return 0;
    int found = match(s, informed, 0, informed, step);
    if (!found && !s->ended)
        *slot = (failure){informed, left};
    return found;
}

static void prepare(sets *s)
{
    const cni_graph *graph = s->graph;
    uint32_t children = graph->topology->max_degree > 1 ? graph->topology->max_degree - 1 : 0;
    for (size_t v = 0; v < graph->nodes; v++) {
        s->all |= UINT64_C(1) << v;
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            s->adjacent[v] |= UINT64_C(1) << graph->neighbor[e];
    }
    for (uint32_t t = 0; t <= MOST_STEPS; t++) {
        s->grown[t] = 1;
        for (uint32_t i = 1; i <= t && i <= children; i++)
            s->grown[t] += s->grown[t - i];
        if (s->grown[t] > MOST_NODES) /* more says nothing more */
            s->grown[t] = MOST_NODES;
    }
}

cn_status cni_broadcast_exact(const cni_graph *graph, uint32_t source, cni_budget *budget,
                              cni_schedule *schedule, uint32_t *lower, uint32_t *length)
{
    if (graph->nodes > MOST_NODES || *lower >= *length)
        return CN_OK;
    uint32_t sender[MOST_NODES], step[MOST_NODES];
    cni_schedule now = {sender, step};
    sets s = {.graph = graph, .schedule = &now, .budget = budget};
    s.failures = cni_allocate(SLOTS, sizeof *s.failures);
    CNI_TRY_MEMORY(s.failures);
    prepare(&s);
    for (s.last = *lower; s.last < *length && !s.ended; s.last++) {
        sender[source] = source;
        step[source] = 0;
        if (search(&s, UINT64_C(1) << source, 1)) {
            memcpy(schedule->sender, sender, graph->nodes * sizeof *sender);
            memcpy(schedule->step, step, graph->nodes * sizeof *step);
            *length = s.last;
        } else if (!s.ended) {
            *lower = s.last + 1;
        }
    }
    cni_release(s.failures);
    return CN_OK;
}
