/* Shortest paths around the faults. */
#include "routing/faults/fault.h"

#include "base/error.h"

static void forget(uint64_t nodes, uint32_t hops[])
{
    for (uint64_t v = 0; v < nodes; v++)
        hops[v] = UINT32_MAX;
}

/* The search proper, past nodes whose hops are not forgotten. */
static uint64_t spread(const cn_faults *faults, uint64_t source, cni_budget *budget,
                       uint32_t hops[], uint32_t queue[])
{
    const cn_topology *topology = faults->topology;
    size_t begin = 0, end = 0;
    queue[end++] = (uint32_t)source;
    hops[source] = 0;
    for (; begin < end && cni_budget_pass(budget, begin, 2 * topology->max_degree); begin++) {
        uint64_t v = queue[begin];
        uint64_t faulty = cni_faulty_links(faults, v);
        uint32_t degree = cni_degree(topology, v);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t far = cni_neighbor(topology, v, p);
            /* no link fails where there are more than 64 ports */
            if ((faulty != 0 && (faulty >> p & 1) != 0) || hops[far] != UINT32_MAX ||
                cni_node_faulty(faults, far))
                continue;
            hops[far] = hops[v] + 1;
            queue[end++] = (uint32_t)far;
        }
    }
    return end;
}

/* Breadth first: fills hops, UINT32_MAX where there is no way, and leaves the nodes reached in queue, in the order
 * of their distance. Returns how many were reached; none from a faulty source; not all when the budget was stopped. */
static uint64_t search_from(const cn_faults *faults, uint64_t source, cni_budget *budget,
                            uint32_t hops[], uint32_t queue[])
{
    forget(faults->topology->nodes, hops);
    return cni_node_faulty(faults, source) ? 0 : spread(faults, source, budget, hops, queue);
}

typedef struct search {
    uint32_t *hops, *queue;
} search;

static cn_status open_search(const cn_topology *topology, search *s)
{
    s->hops = cni_allocate(topology->nodes, sizeof *s->hops);
    s->queue = cni_allocate(topology->nodes, sizeof *s->queue);
    return s->hops == NULL || s->queue == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void close_search(search *s)
{
    cni_release(s->hops);
    cni_release(s->queue);
}

cn_status cn_faults_distance(const cn_faults *faults, uint64_t source, uint64_t destination,
                             const cn_control *control, uint64_t *distance)
{
    CNI_REQUIRE_BOTH(faults, distance);
    CNI_TRY(cni_check_node(__func__, "source", faults->topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", faults->topology, destination));
    search s;
    CNI_BUDGET(budget, control, 0);
    cn_status status = open_search(faults->topology, &s);
    if (status == CN_OK) {
        search_from(faults, source, &budget, s.hops, s.queue);
        status = cni_budget_go_on(&budget, 0);
    }
    if (status == CN_OK) {
        uint32_t hops = s.hops[destination];
        *distance = hops == UINT32_MAX ? CN_UNREACHABLE : hops;
    }
    close_search(&s);
    return status;
}

/* One search is done of one from every node. */
static cn_status searched(const cn_faults *faults, cni_budget *budget)
{
    budget->done++;
    return cni_budget_go_on(budget, faults->topology->nodes / 4); /* what was cleared */
}

cn_status cni_faults_reachable_pairs_within(const cn_faults *faults, cni_budget *budget,
                                            uint64_t *pairs)
{
    const cn_topology *topology = faults->topology;
    search s;
    uint64_t count = 0;
    cn_status status = open_search(topology, &s);
    if (status == CN_OK)
        forget(topology->nodes, s.hops);
    for (uint64_t v = 0; status == CN_OK && v < topology->nodes; v++) {
        if (cni_node_faulty(faults, v) || s.hops[v] != UINT32_MAX)
            continue;
        uint64_t reached = spread(faults, v, budget, s.hops, s.queue);
        /* with two-way links all of them reach each other, else each has to tell */
        count += topology->bidirectional ? reached * (reached - 1) : reached - 1;
        if (!topology->bidirectional)
            forget(topology->nodes, s.hops);
        status = cni_budget_go_on(budget, 4);
    }
    close_search(&s);
    if (status == CN_OK)
        *pairs = count;
    return status;
}

cn_status cn_faults_reachable_pairs(const cn_faults *faults, const cn_control *control,
                                    uint64_t *pairs)
{
    CNI_REQUIRE_BOTH(faults, pairs);
    CNI_BUDGET(budget, control, 0);
    return cni_faults_reachable_pairs_within(faults, &budget, pairs);
}

/* ---- what the faults cost ---- */

/* The damaged and the undamaged network side by side. */
typedef struct comparison {
    cn_faults *none;
    search damaged, whole;
    uint64_t *counts; /* of N possible differences */
    uint64_t unreachable;
    size_t length;
} comparison;

static cn_status open_comparison(const cn_topology *topology, comparison *c)
{
    CNI_TRY(cn_faults_new(topology, &c->none));
    CNI_TRY(open_search(topology, &c->damaged));
    CNI_TRY(open_search(topology, &c->whole));
    c->counts = cni_allocate(topology->nodes, sizeof *c->counts);
    return c->counts == NULL ? CN_ERR_MEMORY : CN_OK;
}

static void close_comparison(comparison *c)
{
    cn_faults_free(&c->none);
    close_search(&c->damaged);
    close_search(&c->whole);
    cni_release(c->counts);
}

static void compare_from(const cn_faults *faults, uint64_t source, cni_budget *budget,
                         comparison *c)
{
    uint64_t working = faults->topology->nodes - faults->node_count;
    uint64_t reached = search_from(faults, source, budget, c->damaged.hops, c->damaged.queue);
    if (reached == 0)
        return; /* a faulty source */
    search_from(c->none, source, budget, c->whole.hops, c->whole.queue);
    if (!cni_budget_work(budget, 0))
        return;
    c->unreachable += working - reached;
    for (uint64_t i = 1; i < reached; i++) {
        uint32_t v = c->damaged.queue[i];
        size_t more = c->damaged.hops[v] - c->whole.hops[v];
        c->counts[more]++;
        c->length = more >= c->length ? more + 1 : c->length;
    }
}

cn_status cn_faults_stretch_counts(const cn_faults *faults, const cn_control *control,
                                   uint64_t counts[], size_t capacity, size_t *count,
                                   uint64_t *unreachable)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_BUDGET(budget, control, faults->topology->nodes);
    comparison c = {.length = 0};
    cn_status status = open_comparison(faults->topology, &c);
    for (uint64_t v = 0; status == CN_OK && v < faults->topology->nodes; v++) {
        compare_from(faults, v, &budget, &c);
        status = searched(faults, &budget);
    }
    if (status == CN_OK && count != NULL)
        *count = c.length;
    if (status == CN_OK && capacity < c.length)
        status = cni_fail_capacity(__func__, capacity, "there are %zu counts", c.length);
    if (status == CN_OK) {
        for (size_t x = 0; x < c.length; x++)
            counts[x] = c.counts[x];
        CNI_GIVE(unreachable, c.unreachable);
    }
    close_comparison(&c);
    return status;
}
