/* Shortest paths around the faults. */
#include "routing/faults/inlets.h"

#include "base/error.h"
#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

/* Prepares a search in which no node was reached. */
static void forget_search(uint64_t nodes, cni_search *search)
{
    for (uint64_t v = 0; v < nodes; v++)
        search->hops[v] = CNI_FAR;
    search->reached = 0;
}

/* A search in the damaged network that skips nodes reached before. The search asks for the
 * neighbours: one search takes a tenth of the time of storing the working channels (inlets.h). */
static void spread_search(const cn_faults *faults, uint64_t source, cni_budget *budget,
                          cni_search *s)
{
    const cn_topology *topology = faults->topology;
    size_t begin = 0, end = 0;
    s->queue[end++] = (uint32_t)source;
    s->hops[source] = 0;
    for (; begin < end && cni_budget_pass(budget, begin, 2 * topology->max_degree); begin++) {
        uint64_t v = s->queue[begin];
        uint64_t faulty = cni_faulty_links(faults, v);
        uint32_t degree = cni_degree(topology, v);
        for (uint32_t p = 0; p < degree; p++) {
            uint64_t far = cni_neighbor(topology, v, p);
            /* no link fails where there are more than 64 ports */
            if ((faulty != 0 && (faulty >> p & 1) != 0) || s->hops[far] != CNI_FAR ||
                cni_node_faulty(faults, far))
                continue;
            s->hops[far] = s->hops[v] + 1;
            s->queue[end++] = (uint32_t)far;
        }
    }
    s->reached = end;
}

/* A search from a faulty source reaches nothing; a search whose budget was stopped reaches only
 * a part. */
static void search_from(const cn_faults *faults, uint64_t source, cni_budget *budget, cni_search *s)
{
    forget_search(faults->topology->nodes, s);
    if (!cni_node_faulty(faults, source))
        spread_search(faults, source, budget, s);
}

static cn_status open_search(const cn_topology *topology, cni_search *search)
{
    return cni_search_open(&(cni_graph){.nodes = cni_size(topology->nodes)}, search);
}

cn_status cn_faults_distance(const cn_faults *faults, uint64_t source, uint64_t destination,
                             const cn_control *control, uint64_t *distance)
{
    CNI_REQUIRE_BOTH(faults, distance);
    CNI_TRY(cni_check_node(__func__, "source", faults->topology, source));
    CNI_TRY(cni_check_node(__func__, "destination", faults->topology, destination));
    cni_search s;
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(open_search(faults->topology, &s));
    search_from(faults, source, &budget, &s);
    cn_status status = cni_budget_go_on(&budget, 0);
    uint32_t hops = s.hops[destination];
    if (status == CN_OK)
        *distance = hops == CNI_FAR ? CN_UNREACHABLE : hops;
    cni_search_close(&s);
    return status;
}

cn_status cni_faults_reachable_pairs_within(const cn_faults *faults, cni_budget *budget,
                                            uint64_t *pairs)
{
    const cn_topology *topology = faults->topology;
    cni_search s;
    uint64_t count = 0;
    cn_status status = CN_OK;
    CNI_TRY(open_search(topology, &s));
    forget_search(topology->nodes, &s);
    for (uint64_t v = 0; status == CN_OK && v < topology->nodes; v++) {
        if (cni_node_faulty(faults, v) || s.hops[v] != CNI_FAR)
            continue;
        spread_search(faults, v, budget, &s);
        /* with two-way links all reached nodes reach each other; otherwise every node needs a
         * search */
        count += topology->bidirectional ? s.reached * (s.reached - 1) : s.reached - 1;
        if (!topology->bidirectional)
            forget_search(topology->nodes, &s);
        status = cni_budget_go_on(budget, 4);
    }
    cni_search_close(&s);
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

/* ---- the mean distance, by searches in the stored graph of the working channels ---- */

/* Adds the distances of all working nodes. Progress counts groups of them, so a group must not be
 * large. */
static cn_status add_distances(const cn_faults *faults, const cni_graph *graph, cni_budget *budget,
                               cni_distance_sums *sums)
{
    enum { MOST = 16 * CNI_BATCH };
    uint32_t *targets = cni_allocate(2 * MOST, sizeof *targets), v = 0;
    cn_status status = targets == NULL ? CN_ERR_MEMORY : CN_OK;
    while (status == CN_OK && v < graph->nodes) {
        size_t count = 0;
        for (; v < graph->nodes && count < MOST; v++)
            if (!cni_node_faulty(faults, v))
                targets[count++] = v;
        status = cni_eccentricities(graph, targets, count, budget, targets + MOST, sums);
        budget->done += count;
    }
    cni_release(targets);
    return status;
}

cn_status cni_faults_mean_distance_within(const cn_faults *faults, cni_budget *budget, double *mean,
                                          uint64_t *pairs)
{
    cni_distance_sums sums = {0.0, 0};
    cni_inlets inlets;
    budget->total = faults->topology->nodes - faults->node_count;
    cn_status status = cni_inlets_open(&inlets, faults->topology, faults, budget);
    const cni_graph graph = cni_inlets_graph(&inlets);
    if (status == CN_OK)
        status = add_distances(faults, &graph, budget, &sums);
    cni_inlets_close(&inlets);
    CNI_TRY(status);
    *mean = sums.pairs == 0 ? 0 : sums.distances / (double)sums.pairs;
    CNI_GIVE(pairs, sums.pairs);
    return CN_OK;
}

cn_status cn_faults_mean_distance(const cn_faults *faults, const cn_control *control, double *mean,
                                  uint64_t *pairs)
{
    CNI_REQUIRE_BOTH(faults, mean);
    CNI_BUDGET(budget, control, faults->topology->nodes);
    return cni_faults_mean_distance_within(faults, &budget, mean, pairs);
}

/* ---- what the faults cost ---- */

/* The damaged and the undamaged network side by side. */
typedef struct comparison {
    cn_faults *none;
    cni_search damaged, whole;
    uint64_t *counts; /* of pairs, by the hops that the faults cost them: 0 to N-1 */
    uint64_t unreachable;
    size_t length;
} comparison;

static void compare_from(const cn_faults *faults, uint64_t source, cni_budget *budget,
                         comparison *c)
{
    const cni_search *damaged = &c->damaged;
    search_from(faults, source, budget, &c->damaged);
    if (damaged->reached == 0)
        return; /* a faulty source */
    search_from(c->none, source, budget, &c->whole);
    if (!cni_budget_work(budget, 0))
        return;
    c->unreachable += faults->topology->nodes - faults->node_count - damaged->reached;
    for (size_t i = 1; i < damaged->reached; i++) {
        uint32_t v = damaged->queue[i];
        size_t more = damaged->hops[v] - c->whole.hops[v];
        c->counts[more]++;
        c->length = more >= c->length ? more + 1 : c->length;
    }
}

static cn_status compare_all(const cn_faults *faults, cni_budget *budget, comparison *c)
{
    const cn_topology *topology = faults->topology;
    CNI_TRY(cn_faults_new(topology, &c->none));
    CNI_TRY(open_search(topology, &c->damaged));
    CNI_TRY(open_search(topology, &c->whole));
    c->counts = cni_allocate(topology->nodes, sizeof *c->counts);
    CNI_TRY_MEMORY(c->counts);
    for (uint64_t v = 0; v < topology->nodes; v++) {
        compare_from(faults, v, budget, c);
        budget->done++;
        CNI_TRY(cni_budget_go_on(budget, topology->nodes / 4)); /* for clearing the searches */
    }
    return CN_OK;
}

cn_status cn_faults_stretch_counts(const cn_faults *faults, const cn_control *control,
                                   uint64_t counts[], size_t capacity, size_t *count,
                                   uint64_t *unreachable)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(counts, capacity);
    CNI_BUDGET(budget, control, faults->topology->nodes);
    comparison c = {.length = 0};
    cn_status status = compare_all(faults, &budget, &c);
    if (status == CN_OK && count != NULL)
        *count = c.length;
    if (status == CN_OK && capacity < c.length)
        status = cni_fail_capacity(__func__, capacity, "there are %zu counts", c.length);
    if (status == CN_OK) {
        for (size_t x = 0; x < c.length; x++)
            counts[x] = c.counts[x];
        CNI_GIVE(unreachable, c.unreachable);
    }
    cn_faults_free(&c.none);
    cni_search_close(&c.damaged);
    cni_search_close(&c.whole);
    cni_release(c.counts);
    return status;
}
