/* Known broadcast schedules, written down instead of searched for. */
#include "topology/measures/broadcast.h"

#include "base/error.h"
#include "base/sort.h"
#include "topology/distances/breadth_first.h"

#define NEVER UINT32_MAX

/* ---- dimension by dimension (Ginosar & Egozi 1989, A.2.4) ---- */

/* The step in which position a of one line or ring is informed from position p, and the position
 * that informs it. */
static uint64_t line_step(const cn_topology *t, uint32_t i, uint64_t p, uint64_t a, uint64_t *from)
{
    uint64_t k = t->radix[i];
    if (a == p)
        return 0;
    if (t->family == CNI_MESH) { /* the farther side first */
        int up_first = k - 1 - p >= p;
        *from = a > p ? a - 1 : a + 1;
        uint64_t hops = a > p ? a - p : p - a;
        return hops + ((a > p) == up_first ? 0 : k - 1 - p > 0 && p > 0 ? 1 : 0);
    }
    uint64_t up = (a + k - p) % k, down = k - up;
    if (t->family == CNI_KARY_UNIDIRECTIONAL || up > k / 2) {
        *from = (a + 1) % k;
        return t->family == CNI_KARY_UNIDIRECTIONAL ? down : down + 1;
    }
    *from = (a + k - 1) % k;
    return up;
}

static uint64_t line_length(const cn_topology *t, uint32_t i, uint64_t p)
{
    uint64_t k = t->radix[i];
    if (t->family == CNI_KARY_UNIDIRECTIONAL)
        return k - 1;
    if (t->family != CNI_MESH)
        return (k + 1) / 2;
    uint64_t above = k - 1 - p, longer = above > p ? above : p;
    return longer + (above == p ? 1 : 0);
}

static uint32_t by_dimension(const cn_topology *t, uint64_t source, cni_budget *budget,
                             cni_schedule *schedule)
{
    uint64_t length = 0;
    for (uint32_t i = 0; i < t->dimensions; i++)
        length += line_length(t, i, cni_digit(t, source, i));
    for (uint64_t v = 0; v < t->nodes; v++) {
        uint64_t before = 0, from = 0;
        if (!cni_budget_work(budget, 8 * (uint64_t)t->dimensions))
            return NEVER;
        schedule->sender[v] = (uint32_t)v;
        schedule->step[v] = 0;
        for (uint32_t i = 0; i < t->dimensions; i++) {
            uint64_t p = cni_digit(t, source, i), a = cni_digit(t, v, i);
            if (a != p) { /* the last such dimension is the dimension in which v is informed */
                schedule->step[v] = (uint32_t)(before + line_step(t, i, p, a, &from));
                schedule->sender[v] = (uint32_t)(v - a * t->stride[i] + from * t->stride[i]);
            }
            before += line_length(t, i, p);
        }
    }
    return (uint32_t)length;
}

/* ---- doubling in a complete network and in products of them ---- */

/*
 * The informed are the first s nodes, in the order of their numbers seen from the source, and
 * double in every step: between the first s nodes and the next s there is a perfect matching. Gives
 * the mate of one of the 2 s <= N nodes, whose numbers have digits with these strides.
 *
 * The nodes with one value of the last digit are a row of b nodes; let s = q b + r. Most nodes have
 * their mate in their column, where only that digit differs. If 2 r <= b, columns 0 .. r-1 have one
 * informed node too many and columns r .. 2r-1 one too few: the nodes of row q in these columns
 * have their mates in row q, by the matching of r nodes there. If 2 r > b, the same holds for
 * columns 2r-b .. r-1 and r .. b-1. Seen from the end of row q, these are the second and the first
 * b-r columns.
 */
static uint64_t mate(const uint64_t stride[], uint32_t digits, uint64_t s, uint64_t node)
{
    uint64_t b = stride[digits - 1], q = s / b, r = s % b, row = node / b, column = node % b;
    uint64_t away = b - 1 - column; /* from the end of the row */
    if (row == q && 2 * r <= b && column < 2 * r)
        return q * b + mate(stride, digits - 1, r, column);
    if (row == q && 2 * r > b && away < 2 * (b - r))
        return q * b + b - 1 - mate(stride, digits - 1, b - r, away);
    uint64_t rows = column < 2 * r ? q + 1 : q;
    return row < rows ? node + rows * b : node - rows * b;
}

/* The node with this number as seen from the source. */
static uint64_t seen_from(const cn_topology *t, uint64_t source, uint64_t number)
{
    return cni_is_complete(t) ? (source + number) % t->nodes : cni_translate(t, source, number);
}

static uint32_t by_doubling(const cn_topology *t, uint64_t source, cni_budget *budget,
                            cni_schedule *schedule)
{
    const uint64_t one = 1, *stride = cni_is_complete(t) ? &one : t->stride;
    uint32_t step = 0, digits = cni_is_complete(t) ? 1 : t->dimensions;
    schedule->sender[source] = (uint32_t)source;
    schedule->step[source] = 0;
    for (uint64_t informed = 1; informed < t->nodes; informed *= 2) {
        step++;
        for (uint64_t i = informed; i < 2 * informed && i < t->nodes; i++) {
            if (!cni_budget_work(budget, 4 * (uint64_t)digits))
                return NEVER;
            /* in the last step, the nodes that are left come first, seen from the end */
            uint64_t last = t->nodes - 1, rest = t->nodes - informed;
            uint64_t from = 2 * informed <= t->nodes ? mate(stride, digits, informed, i)
                                                     : last - mate(stride, digits, rest, last - i);
            uint64_t v = seen_from(t, source, i);
            schedule->sender[v] = (uint32_t)seen_from(t, source, from);
            schedule->step[v] = step;
        }
    }
    return step;
}

/* ---- over a breadth-first tree: exact where the network is a tree ---- */

/* A node, and the steps that its subtree takes. */
typedef struct timed {
    uint32_t time, node;
} timed;

typedef struct tree_work {
    cni_search search;
    uint32_t *time; /* by node: the steps that the subtree of the node takes */
    timed *child;   /* children of the node at hand */
} tree_work;

static int longest_first(const void *a, const void *b)
{
    const uint32_t x = ((const timed *)a)->time, y = ((const timed *)b)->time;
    return (x < y) - (x > y);
}

/* For a node whose children have their times: its parent (the last node that finds it), and the
 * order in which it serves its children, which for now is their step. */
static void place_in_tree(const cni_graph *graph, uint32_t v, cni_budget *budget, tree_work *w,
                          cni_schedule *schedule)
{
    const uint32_t *hops = w->search.hops;
    size_t count = 0;
    for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
        uint32_t far = graph->neighbor[e];
        if (hops[far] + 1 == hops[v])
            schedule->sender[v] = far;
        else if (hops[far] == hops[v] + 1 && schedule->sender[far] == v)
            w->child[count++] = (timed){w->time[far], far};
    }
    cni_budget_work(budget, 8 * count);
    cni_sort(w->child, count, sizeof *w->child, longest_first, NULL);
    w->time[v] = 0;
    for (size_t c = 0; c < count; c++) {
        uint32_t step = (uint32_t)c + 1, all = step + w->child[c].time;
        schedule->step[w->child[c].node] = step;
        w->time[v] = all > w->time[v] ? all : w->time[v];
    }
}

static uint32_t over_tree(const cni_graph *graph, uint32_t source, cni_budget *budget, tree_work *w,
                          cni_schedule *schedule)
{
    const uint32_t *queue = w->search.queue;
    cni_search_within(graph, source, budget, &w->search);
    schedule->sender[source] = source;
    schedule->step[source] = 0;
    for (size_t i = w->search.reached; i-- > 0;) {
        uint32_t v = queue[i];
        if (!cni_budget_work(budget, 8 + 8 * (graph->first[v + 1] - graph->first[v])))
            return NEVER;
        place_in_tree(graph, v, budget, w, schedule);
    }
    for (size_t i = 1; i < w->search.reached && cni_budget_work(budget, 1); i++)
        schedule->step[queue[i]] += schedule->step[schedule->sender[queue[i]]];
    return w->time[source];
}

cn_status cni_broadcast_over_tree(const cni_graph *graph, uint32_t source, cni_budget *budget,
                                  cni_schedule *schedule, uint32_t *length)
{
    tree_work w = {.search = {NULL, NULL, 0}};
    const cni_array arrays[] = {CNI_ARRAY(w.time, graph->nodes),
                                CNI_ARRAY(w.child, graph->topology->max_degree)};
    void *block;
    CNI_TRY(cni_allocate_arrays(&block, arrays));
    cn_status status = cni_search_open(graph, &w.search);
    if (status == CN_OK) {
        *length = over_tree(graph, source, budget, &w, schedule);
        if (!cni_budget_work(budget, 0))
            status = CN_DONE;
        else if (w.search.reached < graph->nodes)
            status = cni_fail_disconnected(graph, source, w.search.reached);
    }
    cni_search_close(&w.search);
    cni_release(block);
    return status;
}

uint32_t cni_broadcast_known(const cn_topology *topology, uint64_t source, cni_budget *budget,
                             cni_schedule *schedule)
{
    if (cni_is_complete(topology) || cni_sets_digits(topology))
        return by_doubling(topology, source, budget, schedule);
    if (cni_is_hypercube(topology) || cni_has_rings(topology) || cni_is_mesh(topology))
        return by_dimension(topology, source, budget, schedule);
    return NEVER;
}

uint64_t cni_broadcast_everywhere(const cn_topology *topology)
{
    uint64_t sum = 0;
    /* exchange and shuffle in turn (Ginosar & Egozi 1989, A.2.9): 2n - 1 steps at most */
    if (topology->family == CNI_PSNN || topology->family == CNI_SHUFFLE_EXCHANGE) {
        for (uint64_t nodes = topology->nodes; nodes > 1; nodes /= 2)
            sum += 2;
        return sum - 1;
    }
    if (!cni_has_rings(topology) || !topology->bidirectional)
        return UINT64_MAX;
    for (uint32_t i = 0; i < topology->dimensions; i++)
        sum += line_length(topology, i, 0);
    return sum;
}
