/* The lengths of walks: the shortest and the longest walk, beside the distances among the
 * surviving nodes. */
#include "base/error.h"
#include "routing/questions/walks.h"

/* The longest walk to or from a node, the node at its other end, and the longest walk with any
 * other node there. */
typedef struct longest_two {
    uint32_t hops, end, second;
} longest_two;

typedef struct lengths {
    const char *function; /* the public function, for error texts */
    const cn_routing *routing;
    cni_budget *budget;
    cni_walks walks;
    cni_inlets inlets;
    uint32_t *shortest, *longest; /* by state, for the target at hand */
    uint32_t *hops;               /* 2 N + 1: distances to the target, and a queue */
    longest_two *in, *out;        /* with two legs, by node: walks to it, and from it */
    /* with two legs: by target and source, the length `kept` of the walks of one leg */
    uint16_t *legs;
    const uint32_t *kept; /* shortest or longest */
    void *block;          /* of the arrays before it but `legs` */
    /* the answers */
    uint32_t source, destination; /* asked for, with `distance` */
    uint64_t distance, longest_walk;
    double sum, greatest; /* of the stretch */
} lengths;

static cn_status open_lengths(lengths *l)
{
    const cn_routing *r = l->routing;
    CNI_TRY(cni_walks_open(l->function, r, CNI_WALKS_OF_WORMS, l->budget, &l->walks));
    const cni_array arrays[] = {
        CNI_ARRAY(l->shortest, l->walks.states),    CNI_ARRAY(l->longest, l->walks.states),
        CNI_ARRAY(l->hops, 2 * l->walks.nodes + 1), CNI_ARRAY(l->in, l->walks.nodes),
        CNI_ARRAY(l->out, l->walks.nodes),
    };
    CNI_TRY(cni_allocate_arrays(&l->block, arrays));
    return cni_inlets_open(&l->inlets, r->topology, r->faults, NULL);
}

/* Opens the walks for a question, lets `find` answer it, and closes them. */
static cn_status answer(const cn_routing *routing, cni_budget *budget,
                        cn_status (*find)(lengths *l), lengths *l)
{
    l->routing = routing;
    l->budget = budget;
    cn_status status = open_lengths(l);
    if (status == CN_OK)
        status = find(l);
    cni_walks_close(&l->walks);
    cni_inlets_close(&l->inlets);
    cni_release(l->legs);
    cni_release(l->block);
    return status;
}

static int has_legs(const lengths *l)
{
    return l->routing->kind->legs > 1;
}

/* Whether every walk has an intermediate router that is neither of its ends. */
static int is_indirect(const lengths *l)
{
    return has_legs(l) && !l->routing->topology->hosts_forward;
}

static int is_host(const lengths *l, uint32_t node)
{
    return cni_routing_is_host(l->routing, node);
}

/* Fills the lengths of the walks of one leg from all nodes to a target. */
static cn_status measure(lengths *l, uint32_t target)
{
    CNI_TRY(cni_walks_to(&l->walks, target, l->walks.ends, l->walks.end_count));
    CNI_TRY(cni_walks_check(l->function, &l->walks, target));
    cni_walks_lengths(&l->walks, l->shortest, l->longest);
    return CN_OK;
}

/* Visits all pairs of ends, target by target, with the lengths of the walks alone, or also with the
 * distances to targets that are hosts. */
enum { WALKS_ALONE, WITH_HOPS };
static cn_status visit_pairs(lengths *l, int with_hops,
                             cn_status (*visit)(lengths *l, uint32_t source, uint32_t target))
{
    const cni_walks *w = &l->walks;
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t target = w->ends[i];
        CNI_TRY(measure(l, target));
        if (with_hops && is_host(l, target))
            cni_search_hops(&l->inlets, target, l->hops, l->hops + w->nodes);
        for (size_t j = 0; j < w->end_count; j++)
            if (w->ends[j] != target)
                CNI_TRY(visit(l, w->ends[j], target));
    }
    return CN_OK;
}

/* ---- the distance ---- */

/* With two legs: the least sum over all intermediate routers. */
static cn_status find_distance(lengths *l)
{
    const cni_walks *w = &l->walks;
    if (l->source == l->destination)
        return CN_OK;
    CNI_TRY(measure(l, l->destination));
    l->distance = is_indirect(l) ? UINT64_MAX : l->shortest[l->source];
    uint32_t *left = l->hops; /* by node: the hops of a last leg from there */
    for (size_t i = 0; i < w->end_count; i++)
        left[w->ends[i]] = l->shortest[w->ends[i]];
    for (size_t i = 0; has_legs(l) && i < w->end_count; i++) {
        uint32_t middle = w->ends[i];
        if (!cni_routing_is_middle(l->routing, middle))
            continue;
        CNI_TRY(cni_walks_to(&l->walks, middle, &l->source, 1));
        cni_walks_lengths(w, l->shortest, l->longest);
        uint64_t sum = (uint64_t)l->shortest[l->source] + left[middle];
        l->distance = sum < l->distance ? sum : l->distance;
    }
    return CN_OK;
}

cn_status cn_routing_distance(const cn_routing *routing, uint64_t source, uint64_t destination,
                              const cn_control *control, uint64_t *hops)
{
    CNI_REQUIRE_BOTH(routing, hops);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_end(__func__, "source", routing, source));
    CNI_TRY(cni_check_end(__func__, "destination", routing, destination));
    lengths l = {
        .function = __func__, .source = (uint32_t)source, .destination = (uint32_t)destination};
    CNI_TRY(answer(routing, &budget, find_distance, &l));
    *hops = l.distance;
    return CN_OK;
}

/* ---- the stretch ---- */

static cn_status keep_leg(lengths *l, uint32_t source, uint32_t target)
{
    l->legs[(size_t)target * l->walks.nodes + source] = (uint16_t)l->kept[source];
    return CN_OK;
}

static cn_status keep_legs(lengths *l, const uint32_t *kept)
{
    l->kept = kept;
    l->legs = cni_allocate(l->walks.nodes * l->walks.nodes, sizeof *l->legs);
    CNI_TRY_MEMORY(l->legs);
    return visit_pairs(l, WALKS_ALONE, keep_leg);
}

/* The kept lengths of both legs over a router. */
static uint32_t by_way(const lengths *l, uint32_t source, size_t middle, uint32_t target)
{
    size_t nodes = l->walks.nodes;
    return (uint32_t)l->legs[middle * nodes + source] + l->legs[target * nodes + middle];
}

/* The shortest walk of two legs. */
static uint32_t shortest_by_way(const lengths *l, uint32_t source, uint32_t target)
{
    const cni_walks *w = &l->walks;
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t sum = by_way(l, source, w->ends[i], target);
        if (cni_routing_is_middle(l->routing, w->ends[i]) && sum < least)
            least = sum;
    }
    return least;
}

static cn_status add_stretch(lengths *l, uint32_t source, uint32_t target)
{
    uint32_t shortest = l->shortest[source];
    if (!is_host(l, source) || !is_host(l, target))
        return CN_OK;
    if (is_indirect(l) || (has_legs(l) && shortest > l->hops[source])) {
        shortest = shortest_by_way(l, source, target);
        CNI_TRY(cni_budget_go_on(l->budget, 2 * l->walks.end_count));
    }
    double ratio = (double)shortest / l->hops[source];
    l->sum += ratio;
    l->greatest = ratio > l->greatest ? ratio : l->greatest;
    return CN_OK;
}

static cn_status find_stretch(lengths *l)
{
    if (has_legs(l))
        CNI_TRY(keep_legs(l, l->shortest));
    return visit_pairs(l, WITH_HOPS, add_stretch);
}

cn_status cn_routing_stretch(const cn_routing *routing, const cn_control *control, double *mean,
                             double *greatest)
{
    CNI_REQUIRE(routing);
    CNI_BUDGET(budget, control, 0);
    lengths l = {.function = __func__, .greatest = 1.0};
    CNI_TRY(answer(routing, &budget, find_stretch, &l));
    double nodes = (double)routing->hosts;
    CNI_GIVE(mean, nodes > 1.0 ? l.sum / (nodes * (nodes - 1.0)) : 1.0);
    CNI_GIVE(greatest, l.greatest);
    return CN_OK;
}

/* ---- the longest walk ---- */

static void put_length(longest_two *l, uint32_t hops, uint32_t end)
{
    if (hops >= l->hops) {
        l->second = l->hops;
        l->hops = hops;
        l->end = end;
    } else if (hops > l->second) {
        l->second = hops;
    }
}

/* The longest walk of two legs through a node, from one end to another. */
static uint64_t longest_through(const longest_two *in, const longest_two *out)
{
    if (in->end != out->end)
        return (uint64_t)in->hops + out->hops;
    uint64_t a = (uint64_t)in->second + out->hops, b = (uint64_t)in->hops + out->second;
    return a > b ? a : b;
}

static void put_walk(lengths *l, uint64_t hops)
{
    l->longest_walk = hops > l->longest_walk ? hops : l->longest_walk;
}

static cn_status compare_walk(lengths *l, uint32_t source, uint32_t target)
{
    uint32_t hops = l->longest[source];
    if (!is_indirect(l) && is_host(l, source) && is_host(l, target))
        put_walk(l, hops);
    if (is_host(l, source))
        put_length(&l->in[target], hops, source);
    if (is_host(l, target))
        put_length(&l->out[source], hops, target);
    return CN_OK;
}

static cn_status find_longest(lengths *l)
{
    const cni_walks *w = &l->walks;
    CNI_TRY(visit_pairs(l, WALKS_ALONE, compare_walk));
    for (size_t i = 0; has_legs(l) && w->end_count > 1 && i < w->end_count; i++)
        if (cni_routing_is_middle(l->routing, w->ends[i]))
            put_walk(l, longest_through(&l->in[w->ends[i]], &l->out[w->ends[i]]));
    return CN_OK;
}

cn_status cni_routing_longest_walk_within(const cn_routing *routing, cni_budget *budget,
                                          uint64_t *hops)
{
    /* the kept length is no part of the value of the routing */
    cn_routing *r = cni_mutable(routing);
    lengths l = {.function = "cn_routing_longest_walk", .longest_walk = atomic_load(&r->longest)};
    if (l.longest_walk == 0)
        CNI_TRY(answer(routing, budget, find_longest, &l));
    atomic_store(&r->longest, l.longest_walk);
    *hops = l.longest_walk;
    return CN_OK;
}

cn_status cn_routing_longest_walk(const cn_routing *routing, const cn_control *control,
                                  uint64_t *hops)
{
    CNI_REQUIRE_BOTH(routing, hops);
    CNI_BUDGET(budget, control, 0);
    return cni_routing_longest_walk_within(routing, &budget, hops);
}

/* ---- is it minimal ---- */

/* CN_DONE where a walk is longer than the distance. */
static cn_status compare_hops(lengths *l, uint32_t source, uint32_t target)
{
    return is_host(l, target) && l->longest[source] != l->hops[source] ? CN_DONE : CN_OK;
}

/* The same over all intermediate routers. */
static cn_status compare_ways(lengths *l, uint32_t source, uint32_t target)
{
    const cni_walks *w = &l->walks;
    if (!is_host(l, source) || !is_host(l, target))
        return CN_OK;
    for (size_t i = 0; i < w->end_count; i++)
        if (cni_routing_is_middle(l->routing, w->ends[i]) &&
            by_way(l, source, w->ends[i], target) != l->hops[source])
            return CN_DONE;
    return cni_budget_go_on(l->budget, 2 * w->end_count);
}

static cn_status look_for_detour(lengths *l)
{
    if (is_indirect(l)) {
        CNI_TRY(keep_legs(l, l->longest));
        return visit_pairs(l, WITH_HOPS, compare_ways);
    }
    /* with a third host as the end of the first leg there is always a longer walk */
    if (has_legs(l) && l->routing->middles >= 3)
        return CN_DONE;
    return visit_pairs(l, WITH_HOPS, compare_hops);
}

cn_status cn_routing_is_minimal(const cn_routing *routing, const cn_control *control,
                                int *is_minimal)
{
    CNI_REQUIRE_BOTH(routing, is_minimal);
    CNI_BUDGET(budget, control, 0);
    lengths l = {.function = __func__};
    cn_status status = answer(routing, &budget, look_for_detour, &l);
    if (status != CN_OK && status != CN_DONE)
        return status;
    *is_minimal = status == CN_OK;
    return CN_OK;
}
