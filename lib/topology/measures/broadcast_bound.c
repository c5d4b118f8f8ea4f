/*
 * A lower bound for the time of a one-port broadcast, by counting.
 *
 * R_h(u, v, t) bounds from above how many nodes at distance h or more from the source are informed
 * through v within t steps after u has informed v: v itself if it is one, and v's other neighbours
 * in the best order, one a step,
 *   R_h(u, v, t) = [d(v) >= h] + max over orders of sum_i R_h(v, w_i, t - i).
 * A broadcast in T steps needs R_h(source, T) to be no less than the number of nodes at distance h
 * or more, for every h. h = 0 is the bound by growth, the greatest h the bound by distance.
 */
#include "topology/measures/broadcast.h"

#include <math.h>

#include "base/error.h"
#include "topology/distances/breadth_first.h"

/* Up to this many neighbours the best order is found; above, each step takes the best of them. */
enum { MOST_ORDERED = 4 };

/* The most counts in memory, of 4 bytes each: one for each step and channel. */
static const double MOST_COUNTS = 268435456.0;

typedef struct counting {
    const cni_graph *graph;
    cni_search search;
    /* [MOST_ORDERED + t][channel]: R of the node at the end of the channel, informed over the
     * channel; rounded up; 0 for t < 0 */
    float *reach;
    uint32_t *back; /* channel that leads back, by channel */
    size_t channels;
    cni_budget *budget;
} counting;

static float *reach_of(const counting *c, uint32_t t)
{
    return c->reach + (size_t)(MOST_ORDERED + t) * c->channels;
}

/* Sums of counts are exact below 2^24, and rounding up keeps a bound a bound. A sum that a
 * compiler forms with the digits of a double is rounded here to the same float. */
static float up(float sum)
{
    return sum < 16777216.0f ? sum : nextafterf(sum, HUGE_VALF);
}

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

/* Best sums over orders of two to four channels; the first channel finds its count in row[0],
 * the next in row[1]. Written out, because a search through the orders takes twice as long on
 * the perfect shuffle of 256 nodes. */
static inline float best_of_2(const float *const row[], size_t a, size_t b)
{
    return greater(up(row[0][a] + row[1][b]), up(row[0][b] + row[1][a]));
}

static inline float best_of_3(const float *const row[], size_t a, size_t b, size_t c)
{
    float first_a = up(row[0][a] + best_of_2(row + 1, b, c));
    float first_b = up(row[0][b] + best_of_2(row + 1, a, c));
    return greater(greater(first_a, first_b), up(row[0][c] + best_of_2(row + 1, a, b)));
}

static inline float best_of_4(const float *const row[], const size_t o[])
{
    float first_0 = up(row[0][o[0]] + best_of_3(row + 1, o[1], o[2], o[3]));
    float first_1 = up(row[0][o[1]] + best_of_3(row + 1, o[0], o[2], o[3]));
    float first_2 = up(row[0][o[2]] + best_of_3(row + 1, o[0], o[1], o[3]));
    float first_3 = up(row[0][o[3]] + best_of_3(row + 1, o[0], o[1], o[2]));
    return greater(greater(first_0, first_1), greater(first_2, first_3));
}

/* The best sum over orders of the channels `open`, one channel a step. */
static float best_order(const counting *c, const size_t open[], uint32_t count, uint32_t steps)
{
    const float *row[MOST_ORDERED];
    for (uint32_t i = 0; i < MOST_ORDERED; i++)
        row[i] = c->reach + (size_t)(steps + MOST_ORDERED - 1 - i) * c->channels;
    switch (count) {
    case 0:
        return 0.0f;
    case 1:
        return row[0][open[0]];
    case 2:
        return best_of_2(row, open[0], open[1]);
    case 3:
        return best_of_3(row, open[0], open[1], open[2]);
    default:
        return best_of_4(row, open);
    }
}

/* The nodes that v informs within t >= 1 steps over all channels but `except`. */
static float sent_by(const counting *c, uint32_t v, size_t except, uint32_t t)
{
    size_t first = c->graph->first[v], end = c->graph->first[v + 1], open[MOST_ORDERED + 1];
    uint32_t count = (uint32_t)(end - first) - (except >= first && except < end ? 1 : 0);
    if (count <= MOST_ORDERED) {
        uint32_t i = 0;
        for (size_t e = first; e < end; e++) {
            open[i] = e;
            i += e != except;
        }
        return best_order(c, open, count, t);
    }
    float sum = 0.0f;
    for (uint32_t step = 1; step <= t && step <= count; step++) {
        float best = 0.0f;
        for (size_t e = first; e < end; e++)
            if (e != except && reach_of(c, t - step)[e] > best)
                best = reach_of(c, t - step)[e];
        sum = up(sum + best);
    }
    return sum;
}

/* The units of work of a sent_by(). */
static uint64_t sending_work(const counting *c, uint32_t v, uint32_t t)
{
    uint64_t degree = c->graph->first[v + 1] - c->graph->first[v];
    return degree <= MOST_ORDERED ? 32 : degree * (t < degree ? t : degree);
}

/* The least T at which all nodes at distance h or more can be informed in time, or `enough`; 0
 * when the budget was stopped. */
static uint32_t least_time(counting *c, uint32_t source, uint32_t h, uint32_t enough)
{
    float needed = 0.0f;
    for (size_t v = 0; v < c->graph->nodes; v++)
        needed += c->search.hops[v] >= h ? 1.0f : 0.0f;
    for (uint32_t t = 0; t < enough; t++) {
        float own = c->search.hops[source] >= h ? 1.0f : 0.0f;
        float got = t == 0 ? own : up(own + sent_by(c, source, SIZE_MAX, t));
        if (got >= needed)
            return t;
        for (size_t e = 0; e < c->channels; e++) {
            uint32_t v = c->graph->neighbor[e];
            if (!cni_budget_work(c->budget, sending_work(c, v, t)))
                return 0;
            float here = c->search.hops[v] >= h ? 1.0f : 0.0f;
            reach_of(c, t)[e] = t == 0 ? here : up(here + sent_by(c, v, c->back[e], t));
        }
    }
    return enough;
}

/* CN_DONE when the budget was stopped. */
static cn_status counting_open(const cni_graph *graph, uint32_t steps, counting *c)
{
    c->back = cni_allocate(c->channels, sizeof *c->back);
    c->reach = cni_allocate((MOST_ORDERED + (uint64_t)steps) * c->channels, sizeof *c->reach);
    if (c->back == NULL || c->reach == NULL)
        return CN_ERR_MEMORY;
    for (uint32_t v = 0; v < graph->nodes; v++)
        for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t port = (uint32_t)(e - graph->first[v]);
            if (!cni_budget_work(c->budget, 8))
                return CN_DONE;
            uint32_t back = graph->topology->ops->back_port(graph->topology, v, port);
            c->back[e] = (uint32_t)(graph->first[graph->neighbor[e]] + back);
        }
    return CN_OK;
}

cn_status cni_broadcast_bound(const cni_graph *graph, uint32_t source, uint32_t enough,
                              cni_budget *budget, uint32_t *bound)
{
    counting c = {.graph = graph, .budget = budget, .channels = graph->first[graph->nodes]};
    *bound = 0;
    CNI_TRY(cni_search_open(graph, &c.search));
    uint32_t farthest = cni_search_within(graph, source, budget, &c.search);
    if (!cni_budget_work(budget, 0))
        farthest = 0;
    /* A step takes the message one hop at most. That is the bound without memory for the counts. */
    *bound = farthest < enough ? farthest : enough;
    cn_status status = CN_DONE;
    if ((double)enough * (double)c.channels <= MOST_COUNTS)
        status = counting_open(graph, enough, &c);
    for (uint32_t h = 0; status == CN_OK && h < farthest && *bound < enough; h++) {
        uint32_t time = least_time(&c, source, h, enough);
        *bound = time > *bound ? time : *bound;
        if (!cni_budget_spend(budget, (uint64_t)c.channels * enough))
            break;
    }
    cni_release(c.reach);
    cni_release(c.back);
    cni_search_close(&c.search);
    return status == CN_DONE ? CN_OK : status;
}
