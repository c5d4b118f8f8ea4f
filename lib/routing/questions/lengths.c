/* The lengths of walks: the shortest and the longest walk, beside the distances among the
 * surviving nodes. */
#include "base/error.h"
#include "routing/questions/walks.h"

typedef struct lengths {
    const char *function;
    const cn_routing *routing;
    cni_walks walks;
    cni_inlets inlets;
    uint32_t *shortest, *longest; /* by state, for the target at hand */
    uint32_t *hops;               /* 2 N + 1: distances to it, and a queue */
    void *block;
} lengths;

static void close_lengths(lengths *l)
{
    cni_walks_close(&l->walks);
    cni_inlets_close(&l->inlets);
    cni_release(l->block);
}

/* Close it also after a failure. */
static cn_status open_lengths(const char *function, const cn_routing *routing, cni_budget *budget,
                              lengths *l)
{
    *l = (lengths){.function = function, .routing = routing};
    CNI_TRY(cni_walks_open(function, routing, 0, budget, &l->walks));
    const cni_array arrays[] = {
        CNI_ARRAY(l->shortest, l->walks.states),
        CNI_ARRAY(l->longest, l->walks.states),
        CNI_ARRAY(l->hops, 2 * l->walks.nodes + 1),
    };
    CNI_TRY(cni_allocate_arrays(&l->block, arrays));
    return cni_inlets_open(&l->inlets, routing->topology, routing->faults, NULL);
}

/* Fills the lengths of the walks of one leg from all nodes to a target. */
static cn_status measure(lengths *l, uint32_t target)
{
    CNI_TRY(cni_walks_to(&l->walks, target, l->walks.ends, l->walks.end_count));
    CNI_TRY(cni_walks_check(l->function, &l->walks, target));
    cni_walks_lengths(&l->walks, l->shortest, l->longest);
    return CN_OK;
}

/* ---- the distance ---- */

/* With two legs: the least sum over all intermediate routers. */
static cn_status find_distance(lengths *l, uint32_t source, uint32_t destination, uint64_t *hops)
{
    const cni_walks *w = &l->walks;
    uint64_t least;
    CNI_TRY(measure(l, destination));
    least = l->shortest[source];
    uint32_t *left = l->hops; /* from the nodes on the way */
    for (size_t i = 0; i < w->end_count; i++)
        left[w->ends[i]] = l->shortest[w->ends[i]];
    for (size_t i = 0; l->routing->kind->legs > 1 && i < w->end_count; i++) {
        uint32_t middle = w->ends[i];
        if (!cni_routing_is_middle(l->routing, middle))
            continue;
        CNI_TRY(cni_walks_to(&l->walks, middle, &source, 1));
        cni_walks_lengths(w, l->shortest, l->longest);
        uint64_t sum = (uint64_t)l->shortest[source] + left[middle];
        least = sum < least ? sum : least;
    }
    *hops = least;
    return CN_OK;
}

cn_status cn_routing_distance(const cn_routing *routing, uint64_t source, uint64_t destination,
                              const cn_control *control, uint64_t *hops)
{
    CNI_REQUIRE_BOTH(routing, hops);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_check_end(__func__, "source", routing, source));
    CNI_TRY(cni_check_end(__func__, "destination", routing, destination));
    lengths l;
    uint64_t found = 0;
    cn_status status = open_lengths(__func__, routing, &budget, &l);
    if (status == CN_OK && source != destination)
        status = find_distance(&l, (uint32_t)source, (uint32_t)destination, &found);
    close_lengths(&l);
    if (status == CN_OK)
        *hops = found;
    return status;
}

/* ---- the stretch ---- */

typedef struct stretch {
    const cn_routing *routing;
    double sum, greatest;
    /* with two legs: by target and source, the shortest walk of one leg; else NULL */
    uint16_t *legs;
} stretch;

static uint32_t shortest_by_way(const stretch *s, const cni_walks *w, uint32_t source,
                                uint32_t target)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < w->end_count; i++) {
        size_t middle = w->ends[i];
        if (!cni_routing_is_middle(s->routing, (uint64_t)middle))
            continue;
        uint32_t sum =
            (uint32_t)s->legs[middle * w->nodes + source] + s->legs[target * w->nodes + middle];
        least = sum < least ? sum : least;
    }
    return least;
}

/* Adds the walks from all nodes to a target. */
static cn_status add_stretch(lengths *l, uint32_t target, stretch *s)
{
    const cni_walks *w = &l->walks;
    cni_search_hops(&l->inlets, target, l->hops, l->hops + w->nodes);
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t source = w->ends[i], shortest = l->shortest[source];
        if (source == target || !cni_routing_is_host(l->routing, source))
            continue;
        if (s->legs != NULL) {
            shortest = s->legs[(size_t)target * w->nodes + source];
            if (shortest > l->hops[source]) {
                shortest = shortest_by_way(s, w, source, target);
                CNI_TRY(cni_budget_go_on(w->budget, 2 * w->end_count));
            }
        }
        double ratio = (double)shortest / l->hops[source];
        s->sum += ratio;
        s->greatest = ratio > s->greatest ? ratio : s->greatest;
    }
    return CN_OK;
}

static cn_status keep_legs(lengths *l, stretch *s)
{
    const cni_walks *w = &l->walks;
    s->legs = cni_allocate(w->nodes * w->nodes, sizeof *s->legs);
    CNI_TRY_MEMORY(s->legs);
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t target = w->ends[i];
        CNI_TRY(measure(l, target));
        for (size_t j = 0; j < w->end_count; j++)
            s->legs[(size_t)target * w->nodes + w->ends[j]] = (uint16_t)l->shortest[w->ends[j]];
    }
    return CN_OK;
}

static cn_status find_stretch(lengths *l, stretch *s)
{
    if (l->routing->kind->legs > 1)
        CNI_TRY(keep_legs(l, s));
    for (size_t i = 0; i < l->walks.end_count; i++) {
        if (!cni_routing_is_host(l->routing, l->walks.ends[i]))
            continue;
        if (s->legs == NULL)
            CNI_TRY(measure(l, l->walks.ends[i]));
        CNI_TRY(add_stretch(l, l->walks.ends[i], s));
    }
    return CN_OK;
}

cn_status cn_routing_stretch(const cn_routing *routing, const cn_control *control, double *mean,
                             double *greatest)
{
    CNI_REQUIRE(routing);
    CNI_BUDGET(budget, control, 0);
    lengths l;
    stretch s = {.routing = routing, .greatest = 1.0};
    cn_status status = open_lengths(__func__, routing, &budget, &l);
    if (status == CN_OK)
        status = find_stretch(&l, &s);
    cni_release(s.legs);
    close_lengths(&l);
    if (status != CN_OK)
        return status;
    double nodes = (double)routing->hosts;
    CNI_GIVE(mean, nodes > 1.0 ? s.sum / (nodes * (nodes - 1.0)) : 1.0);
    CNI_GIVE(greatest, s.greatest);
    return CN_OK;
}

/* ---- the longest walk ---- */

/* The longest walk to or from a node, and the longest with another node at its other end. */
typedef struct longest_two {
    uint32_t hops, end, second;
} longest_two;

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

/* Through a node, from one end to another. */
static uint64_t longest_through(const longest_two *in, const longest_two *out)
{
    if (in->end != out->end)
        return (uint64_t)in->hops + out->hops;
    uint64_t a = (uint64_t)in->second + out->hops, b = (uint64_t)in->hops + out->second;
    return a > b ? a : b;
}

static cn_status find_longest(lengths *l, longest_two in[], longest_two out[], uint64_t *hops)
{
    const cni_walks *w = &l->walks;
    const cn_routing *r = l->routing;
    for (size_t i = 0; i < w->end_count; i++) {
        uint32_t target = w->ends[i];
        CNI_TRY(measure(l, target));
        for (size_t j = 0; j < w->end_count; j++) {
            uint32_t source = w->ends[j], length = l->longest[source];
            int from_host = cni_routing_is_host(r, source),
                to_host = cni_routing_is_host(r, target);
            if (from_host && to_host)
                *hops = length > *hops ? length : *hops;
            if (from_host)
                put_length(&in[target], length, source);
            if (to_host)
                put_length(&out[source], length, target);
        }
    }
    if (l->routing->kind->legs == 1 || w->end_count < 2)
        return CN_OK;
    for (size_t i = 0; i < w->end_count; i++) {
        if (!cni_routing_is_middle(r, w->ends[i]))
            continue;
        uint64_t length = longest_through(&in[w->ends[i]], &out[w->ends[i]]);
        *hops = length > *hops ? length : *hops;
    }
    return CN_OK;
}

cn_status cni_routing_longest_walk_within(const cn_routing *routing, cni_budget *budget,
                                          uint64_t *hops)
{
    /* the kept length is no part of the value of the routing */
    cn_routing *r = cni_mutable(routing);
    uint64_t found = atomic_load(&r->longest);
    if (found != 0) {
        *hops = found;
        return CN_OK;
    }
    lengths l;
    cn_status status = open_lengths("cn_routing_longest_walk", routing, budget, &l);
    longest_two *ends = status == CN_OK ? cni_allocate(2 * l.walks.nodes, sizeof *ends) : NULL;
    if (status == CN_OK)
        status =
            ends == NULL ? CN_ERR_MEMORY : find_longest(&l, ends, ends + l.walks.nodes, &found);
    cni_release(ends);
    close_lengths(&l);
    if (status != CN_OK)
        return status;
    atomic_store(&r->longest, found);
    *hops = found;
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

static cn_status look_for_detour(lengths *l, int *is_minimal)
{
    const cni_walks *w = &l->walks;
    for (size_t i = 0; i < w->end_count && *is_minimal; i++) {
        uint32_t target = w->ends[i];
        if (!cni_routing_is_host(l->routing, target))
            continue;
        CNI_TRY(measure(l, target));
        cni_search_hops(&l->inlets, target, l->hops, l->hops + w->nodes);
        for (size_t j = 0; j < w->end_count; j++)
            *is_minimal &= l->longest[w->ends[j]] == l->hops[w->ends[j]];
    }
    return CN_OK;
}

cn_status cn_routing_is_minimal(const cn_routing *routing, const cn_control *control,
                                int *is_minimal)
{
    CNI_REQUIRE_BOTH(routing, is_minimal);
    lengths l;
    CNI_BUDGET(budget, control, 0);
    /* by way of a third node there is always a longer walk */
    int found =
        routing->kind->legs == 1 || routing->middles <= (routing->topology->hosts_forward ? 2 : 1);
    cn_status status = open_lengths(__func__, routing, &budget, &l);
    if (status == CN_OK)
        status = look_for_detour(&l, &found);
    close_lengths(&l);
    if (status == CN_OK)
        *is_minimal = found;
    return status;
}
