/* One-port broadcast (Ginosar & Egozi 1989, 5.2): a schedule from one node, and the worst of
 * all. */
#include "topology/measures/broadcast.h"

#include "base/error.h"
#include "base/sort.h"
#include "topology/distances/breadth_first.h"

#define NEVER UINT32_MAX

/* One block, which begins with the senders. */
static cn_status schedule_open(uint64_t nodes, cni_schedule *schedule)
{
    *schedule = (cni_schedule){NULL, NULL};
    if (nodes > UINT32_MAX)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "the network has %llu nodes, but a broadcast schedule is made for at most 2^32 - 1",
            (unsigned long long)nodes);
    schedule->sender = cni_allocate(2 * nodes, sizeof *schedule->sender);
    CNI_TRY_MEMORY(schedule->sender);
    schedule->step = schedule->sender + nodes;
    return CN_OK;
}

/* A share of the steps that are left. Local searches have no end of their own: without a limit
 * they get some minutes, and the exact search gets the rest. */
static uint64_t share_of(const cni_budget *budget, uint64_t divisor)
{
    const uint64_t most = UINT64_C(8000000000);
    uint64_t left = cni_budget_left(budget);
    return (left < most ? left : most) / divisor + 1;
}

/* ---- from one node ---- */

static int is_tree(const cni_graph *graph)
{
    return graph->first[graph->nodes] == 2 * (graph->nodes - 1);
}

/* Bounds of the time from the worst source, or from any one source, without a search. The number of
 * informed nodes at most doubles in a step, and grows by one at least. The time is at least the
 * diameter from the worst source, and from every source of a node-symmetric network. */
static cni_bounds without_search(const cn_topology *topology, int worst)
{
    uint64_t hops = worst || topology->representatives == 1 ? topology->diameter : 0;
    uint64_t doubling = cni_doubling_time(topology), most = topology->nodes - 1;
    uint64_t everywhere = cni_broadcast_everywhere(topology);
    return (cni_bounds){hops > doubling ? hops : doubling, everywhere < most ? everywhere : most,
                        0};
}

/* A schedule without a search: a known schedule, or the schedule of a breadth-first tree.
 * CN_DONE when the budget was stopped before there is one. */
static cn_status begin(const cni_graph *graph, uint32_t source, cni_budget *budget,
                       cni_schedule *schedule, uint32_t *length)
{
    *length = cni_broadcast_known(graph->topology, source, budget, schedule);
    return *length != NEVER ? CN_OK
                            : cni_broadcast_over_tree(graph, source, budget, schedule, length);
}

/* Raises the lower bound and finds the upper bound. `first` is the budget of the first schedule,
 * NULL when there must be a schedule. */
static cn_status search_from(const cni_graph *graph, uint32_t source, cni_budget *first,
                             cni_budget *budget, cni_schedule *schedule, cni_bounds *found)
{
    uint32_t length = 0, bound = 0, lower = (uint32_t)found->lower;
    CNI_TRY(begin(graph, source, first, schedule, &length));
    lower = is_tree(graph) ? length : lower;
    if (lower < length) {
        cni_budget part = cni_budget_part(budget, share_of(budget, 2), 0.5);
        CNI_TRY(cni_broadcast_bound(graph, source, length, &part, &bound));
        cni_budget_join(budget, &part);
        lower = bound > lower ? bound : lower;
        budget->lower = lower;
        budget->upper = length;
        part = cni_budget_part(budget, share_of(budget, 2), 0.5);
        if (lower < length && !budget->stopped)
            CNI_TRY(cni_broadcast_heuristic(graph, source, lower, &part, schedule, &length));
        cni_budget_join(budget, &part);
        if (!budget->stopped)
            CNI_TRY(cni_broadcast_exact(graph, source, budget, schedule, &lower, &length));
    }
    *found = (cni_bounds){lower, length, 0};
    return CN_OK;
}

/* Transfers by step: a counting sort, which keeps the order of the nodes within a step. */
static cn_status list_transfers(const cni_schedule *schedule, size_t nodes, uint32_t length,
                                uint64_t sender[], uint64_t receiver[], uint32_t step[])
{
    size_t *at = cni_allocate((uint64_t)length + 2, sizeof *at);
    CNI_TRY_MEMORY(at);
    for (size_t v = 0; v < nodes; v++)
        at[schedule->step[v] + 1]++;
    at[1] = 0; /* the source */
    for (size_t s = 1; s <= length; s++)
        at[s + 1] += at[s];
    for (size_t v = 0; v < nodes; v++) {
        uint32_t s = schedule->step[v];
        if (s == 0)
            continue;
        size_t place = at[s]++;
        sender[place] = schedule->sender[v];
        receiver[place] = v;
        step[place] = s;
    }
    cni_release(at);
    return CN_OK;
}

/* A node-symmetric family with a closed form needs no graph: every source is the worst. */
static int is_settled(const cn_topology *topology)
{
    return topology->broadcast_time > 0 && topology->representatives == 1;
}

/* `first` as in search_from(). */
static cn_status from_one(const cn_topology *topology, uint64_t source, cni_budget *first,
                          cni_budget *budget, cni_schedule *schedule, cni_bounds *found)
{
    cni_graph graph;
    if (is_settled(topology)) {
        cni_broadcast_known(topology, source, NULL, schedule);
        return CN_OK;
    }
    CNI_TRY(cni_check_two_way("broadcast_time", topology));
    *found = without_search(topology, 0);
    cn_status status = cni_graph_open_within(topology, first, &graph);
    if (status == CN_OK) {
        status = search_from(&graph, (uint32_t)source, first, budget, schedule, found);
        cni_graph_close(&graph);
    }
    return status == CN_DONE ? CN_OK : status;
}

cn_status cn_topology_broadcast_schedule(const cn_topology *topology, uint64_t source,
                                         const cn_control *control, uint64_t sender[],
                                         uint64_t receiver[], uint32_t sent_at[], size_t capacity,
                                         uint64_t *lower, uint64_t *upper, cn_known *kind)
{
    CNI_REQUIRE_BOTH(topology, lower);
    CNI_REQUIRE_BOTH(upper, kind);
    cni_budget budget;
    CNI_TRY(cni_budget_start(&budget, __func__, control, CN_SEARCH_DEFAULT));
    CNI_TRY(cni_check_all_hosts(__func__, topology));
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_REQUIRE_ARRAY(sender, capacity);
    CNI_REQUIRE_ARRAY(receiver, capacity);
    CNI_REQUIRE_ARRAY(sent_at, capacity);
    if (capacity > 0 && capacity < topology->nodes - 1)
        return cni_fail_capacity(__func__, capacity, "%s needs %llu transfers", topology->name,
                                 (unsigned long long)(topology->nodes - 1));
    cni_schedule schedule = {NULL, NULL};
    cni_bounds found = {topology->broadcast_time, topology->broadcast_time, 1};
    if (capacity > 0 || !is_settled(topology)) {
        CNI_TRY(schedule_open(topology->nodes, &schedule));
        cn_status status =
            from_one(topology, source, capacity > 0 ? NULL : &budget, &budget, &schedule, &found);
        if (status == CN_OK && capacity > 0)
            status = list_transfers(&schedule, cni_size(topology->nodes), (uint32_t)found.upper,
                                    sender, receiver, sent_at);
        cni_release(schedule.sender);
        CNI_TRY(status);
    }
    *lower = found.lower;
    *upper = found.upper;
    *kind = cni_known_of(&found);
    return cni_budget_answer(&budget);
}

/* ---- the worst source ---- */

typedef struct suspect {
    uint64_t key; /* greatest where a source is likely to be the worst */
    uint32_t source;
    uint32_t length; /* of the best schedule so far; NEVER without one */
} suspect;

typedef struct worst {
    const cni_graph *graph;
    size_t sources;
    suspect *order;
    cni_schedule schedule;
    uint32_t lower;
    uint32_t any; /* no source takes more than this */
} worst;

static int worst_first(const void *a, const void *b)
{
    const suspect *x = a, *y = b;
    int by_source = (x->source > y->source) - (x->source < y->source);
    return x->key == y->key ? by_source : x->key < y->key ? 1 : -1;
}

/* A source that is far from some node and has few links is likely to be bad. *farthest is the
 * distance of the farthest node from node 0; 0 when the search was stopped. */
static cn_status order_sources(worst *w, cni_budget *budget, uint32_t *farthest)
{
    cni_search search;
    CNI_TRY(cni_search_open(w->graph, &search));
    cni_budget part = cni_budget_part(budget, share_of(budget, 8), 0.1);
    int going = 1;
    for (uint32_t s = 0; s < w->sources; s++) {
        uint64_t hops = going ? cni_search_within(w->graph, s, &part, &search) : 0;
        if (!cni_budget_work(&part, 1))
            hops = 0; /* the search is not complete */
        going = going && cni_budget_spend(&part, w->graph->nodes);
        *farthest = s == 0 ? (uint32_t)hops : *farthest;
        uint64_t degree = w->graph->first[s + 1] - w->graph->first[s];
        w->order[s] = (suspect){((hops + 1) << 32) - degree, s, NEVER}; /* hops 0: not searched */
    }
    cni_search_close(&search);
    cni_budget_join(budget, &part);
    cni_sort_within(w->order, w->sources, sizeof *w->order, worst_first, budget);
    return CN_OK;
}

static cn_status raise_lower(worst *w, cni_budget *budget)
{
    cni_budget part = cni_budget_part(budget, share_of(budget, 4), 0.25);
    for (size_t i = 0; i < w->sources && w->lower < w->any; i++) {
        uint32_t bound = 0;
        CNI_TRY(cni_broadcast_bound(w->graph, w->order[i].source, w->any, &part, &bound));
        w->lower = bound > w->lower ? bound : w->lower;
        part.lower = w->lower;
        if (!cni_budget_spend(&part, 1))
            break;
    }
    cni_budget_join(budget, &part);
    return CN_OK;
}

/* One schedule for every source without a schedule of `lower` steps, each with its share of the
 * budget. */
static cn_status improve_all(worst *w, cni_budget *budget, uint64_t divisor)
{
    for (suspect *s = w->order; s < w->order + w->sources && !budget->stopped; s++) {
        if (s->length <= w->lower)
            continue;
        if (!cni_budget_spend(budget, w->graph->nodes))
            break;
        cni_budget part = cni_budget_part(budget, share_of(budget, divisor), 1.0 / (double)divisor);
        cn_status status = CN_OK;
        if (s->length == NEVER)
            status = begin(w->graph, s->source, budget, &w->schedule, &s->length);
        if (status == CN_DONE) {
            s->length = NEVER;
            break;
        }
        CNI_TRY(status);
        CNI_TRY(cni_broadcast_heuristic(w->graph, s->source, w->lower, &part, &w->schedule,
                                        &s->length));
        cni_budget_join(budget, &part);
    }
    return CN_OK;
}

/* The exact search for the sources that still resist: each gets a schedule of `lower` steps, or
 * the broadcast time is more. */
static cn_status settle_all(worst *w, cni_budget *budget)
{
    for (suspect *s = w->order; s < w->order + w->sources && !budget->stopped; s++) {
        uint32_t lower = w->lower;
        if (s->length <= w->lower || cni_budget_left(budget) == 0)
            continue;
        CNI_TRY(cni_broadcast_exact(w->graph, s->source, budget, &w->schedule, &lower, &s->length));
        w->lower = lower > w->lower ? lower : w->lower;
    }
    return CN_OK;
}

static cn_status run(worst *w, cni_budget *budget)
{
    uint64_t everywhere = cni_broadcast_everywhere(w->graph->topology);
    uint32_t length = 0, farthest = 0;
    CNI_TRY(begin(w->graph, 0, budget, &w->schedule, &length));
    CNI_TRY(order_sources(w, budget, &farthest));
    /* From any other node: first to node 0, then from there. */
    w->any = w->sources == 1 ? length : length + (farthest > 0 ? farthest : length);
    w->any = everywhere < w->any ? (uint32_t)everywhere : w->any;
    CNI_TRY(raise_lower(w, budget));
    budget->upper = w->any;
    /* A quick look at every source, then the rest of the budget for the sources that resist. */
    CNI_TRY(improve_all(w, budget, 2 * (uint64_t)w->sources));
    size_t resisting = 0;
    for (size_t i = 0; i < w->sources; i++)
        resisting += w->order[i].length > w->lower;
    if (resisting > 0)
        CNI_TRY(improve_all(w, budget, 3 * (uint64_t)resisting));
    return settle_all(w, budget);
}

/* Narrows the given bounds of the time from the worst source. */
static cn_status worst_of(const cni_graph *graph, cni_budget *budget, cni_bounds *found)
{
    worst w = {.graph = graph,
               .lower = (uint32_t)found->lower,
               .sources = cni_size(cni_representatives(graph->topology))};
    w.order = cni_allocate(w.sources, sizeof *w.order);
    cn_status status = w.order == NULL ? CN_ERR_MEMORY : schedule_open(graph->nodes, &w.schedule);
    if (status == CN_OK)
        status = run(&w, budget);
    if (status == CN_OK) {
        uint32_t longest = 0;
        for (size_t i = 0; i < w.sources; i++)
            longest = w.order[i].length > longest ? w.order[i].length : longest;
        found->upper = longest < w.any ? longest : w.any;
        found->lower = w.lower < found->upper ? w.lower : found->upper;
    }
    cni_release(w.schedule.sender);
    cni_release(w.order);
    return status;
}

cn_status cni_broadcast_time(const cn_topology *topology, cni_budget *budget, cni_bounds *found)
{
    cni_graph graph;
    *found = (cni_bounds){topology->broadcast_time, topology->broadcast_time, 1};
    if (found->lower > 0)
        return CN_OK;
    CNI_TRY(cni_check_two_way("broadcast_time", topology));
    *found = without_search(topology, 1);
    /* the bounds of two and three nodes meet by their number alone; the search finds out whether
     * these nodes are connected */
    if (found->lower >= found->upper && (topology->nodes == 1 || topology->nodes > 3))
        return CN_OK;
    cn_status status = cni_graph_open_within(topology, budget, &graph);
    if (status == CN_OK) {
        status = worst_of(&graph, budget, found);
        cni_graph_close(&graph);
    }
    return status == CN_DONE ? CN_OK : status;
}

/* ---- the checker ---- */

static cn_status offence(size_t i, const uint64_t sender[], const uint64_t receiver[],
                         const uint32_t sent_at[], const char *what)
{
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_schedule_check: transfer %zu, from %llu to %llu in step %lu: %s", i,
                    (unsigned long long)sender[i], (unsigned long long)receiver[i],
                    (unsigned long)sent_at[i], what);
}

static cn_status replay(const cn_topology *topology, const uint64_t sender[],
                        const uint64_t receiver[], const uint32_t sent_at[], size_t count,
                        uint32_t informed[], uint32_t busy[])
{
    for (size_t i = 0; i < count; i++) {
        uint64_t u = sender[i], v = receiver[i];
        CNI_TRY(cni_check_node("cn_schedule_check", "sender", topology, u));
        CNI_TRY(cni_check_node("cn_schedule_check", "receiver", topology, v));
        uint32_t port;
        CNI_TRY(cn_topology_port_to(topology, u, v, &port));
        if (sent_at[i] < 1 || sent_at[i] == NEVER || (i > 0 && sent_at[i] < sent_at[i - 1]))
            return offence(i, sender, receiver, sent_at, "steps must begin at 1 and not go back");
        if (port == CN_NO_PORT)
            return offence(i, sender, receiver, sent_at, "no channel joins the two");
        if (informed[u] >= sent_at[i])
            return offence(i, sender, receiver, sent_at,
                           "the sender does not have the message yet");
        if (busy[u] == sent_at[i])
            return offence(i, sender, receiver, sent_at, "the sender sends twice in this step");
        if (informed[v] != NEVER)
            return offence(i, sender, receiver, sent_at, "the receiver has the message already");
        busy[u] = sent_at[i];
        informed[v] = sent_at[i];
    }
    return CN_OK;
}

cn_status cn_schedule_check(const cn_topology *topology, uint64_t source, const uint64_t sender[],
                            const uint64_t receiver[], const uint32_t sent_at[], size_t count,
                            uint64_t *length)
{
    CNI_REQUIRE_BOTH(topology, length);
    CNI_TRY(cni_check_node(__func__, "source", topology, source));
    CNI_REQUIRE_ARRAY(sender, count);
    CNI_REQUIRE_ARRAY(receiver, count);
    CNI_REQUIRE_ARRAY(sent_at, count);
    if (count != topology->nodes - 1)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = %zu, but %s needs %llu transfers", __func__,
                        count, topology->name, (unsigned long long)(topology->nodes - 1));
    uint32_t *informed = cni_allocate(2 * topology->nodes, sizeof *informed);
    CNI_TRY_MEMORY(informed);
    for (uint64_t v = 0; v < topology->nodes; v++)
        informed[v] = NEVER;
    informed[source] = 0;
    cn_status status =
        replay(topology, sender, receiver, sent_at, count, informed, informed + topology->nodes);
    if (status == CN_OK)
        *length = count > 0 ? sent_at[count - 1] : 0;
    cni_release(informed);
    return status;
}
