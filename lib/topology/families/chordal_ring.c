/*
 * Chordal rings (Ginosar & Egozi 1989, 4.1.7), all ends mod N.
 *
 * Port 0 leads to v - 1, port 1 to v + 1. Single chord a: port 2 leads to v + a from an even and to
 * v - a from an odd node; both ends agree when N is even and a odd. Dual: port 2 leads to v - a and
 * port 3 to v + a; with a = N/2 the two are one port. Both are node-symmetric: the maps v -> v + 2
 * (dual: v + 1) and v -> 1 - v keep the links.
 */
#include "topology/distances/breadth_first.h"

#include <stdio.h>

#include "base/error.h"
#include "cubenet/experimental/chord.h"

/* The same limit as in graph.c, for any search of a computed network. */
static const uint64_t MOST_TRIED = UINT64_C(1) << 27;

typedef struct chordal_ring {
    cn_topology common;
    uint64_t chord;
    int dual;
} chordal_ring;

static const chordal_ring *of(const cn_topology *topology)
{
    return (const chordal_ring *)topology;
}

static uint64_t neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t length = port < 2 ? 1 : of(t)->chord;
    int up = of(t)->dual || port < 2 ? port % 2 == 1 : node % 2 == 0;
    uint64_t end = up ? node + length : node + t->nodes - length;
    return end < t->nodes ? end : end - t->nodes;
}

static uint32_t back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    (void)node;
    return port == 2 && t->max_degree == 3 ? 2 : port ^ 1;
}

static int same_chords(const cn_topology *a, const cn_topology *b)
{
    return of(a)->chord == of(b)->chord && of(a)->dual == of(b)->dual;
}

static const cni_topology_ops chordal_ops = {
    .degree = cni_regular_degree,
    .neighbor = neighbor,
    .back_port = back_port,
    .same = same_chords,
    .distance = cni_search_distance,
};

static uint64_t square_root(uint64_t nodes)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= nodes)
            root |= bit;
    return root;
}

/* The sqrt(N) of the paper. A single chord must be odd: sqrt(N) + 1, whose bisection width is the
 * e = sqrt(N) + 2 of the paper. */
static cn_status default_chord(const char *function, uint64_t nodes, int dual, uint64_t *chord)
{
    uint64_t root = square_root(nodes);
    if (root * root != nodes)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "%s: nodes = %llu is no square, so chord = 0 (sqrt(N)) is not possible: give a chord",
            function, (unsigned long long)nodes);
    *chord = root + (dual ? 0 : 1);
    return CN_OK;
}

static cn_status check_nodes(const char *function, uint64_t nodes, int dual)
{
    if (nodes < (dual ? 4 : 6) || nodes > CNI_MAX_NODES)
        return cni_fail(CN_ERR_ARGUMENT, "%s: nodes = %llu, but they must be %d to 2^62", function,
                        (unsigned long long)nodes, dual ? 4 : 6);
    if (!dual && nodes % 2 != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: nodes = %llu, but with one chord a node they must be even", function,
                        (unsigned long long)nodes);
    return CN_OK;
}

static void set_chord(chordal_ring *ring, uint64_t chord)
{
    ring->chord = chord;
    ring->common.max_degree = ring->dual && 2 * chord != ring->common.nodes ? 4 : 3;
}

cn_status cn_topology_chordal_ring(uint64_t nodes, uint64_t chord, int dual, cn_topology **topology)
{
    CNI_REQUIRE_OUT(topology);
    CNI_TRY(check_nodes(__func__, nodes, dual));
    if (chord == 0)
        CNI_TRY(default_chord(__func__, nodes, dual, &chord));
    uint64_t least = dual ? 2 : 3;
    CNI_TRY(cni_check_range(__func__, "chord", chord, least, nodes - least));
    if (!dual && chord % 2 == 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: chord = %llu, but with one chord a node it must be odd: an even one "
                        "gives every node two",
                        __func__, (unsigned long long)chord);
    chordal_ring *ring = cni_allocate(1, sizeof *ring);
    CNI_TRY_MEMORY(ring);
    cni_topology_init(&ring->common, &chordal_ops, CNI_CHORDAL_RING, nodes);
    ring->dual = dual != 0;
    set_chord(ring, chord);
    ring->common.representatives = 1;
    snprintf(ring->common.name, sizeof ring->common.name, "chordal_ring(%llu,%llu%s)",
             (unsigned long long)nodes, (unsigned long long)chord, dual ? ",dual=True" : "");
    *topology = &ring->common;
    return CN_OK;
}

/* The distances from node 0 are the distances from every node. */
static cn_status find_diameter(const cn_topology *ring, cni_budget *budget, cni_search *search,
                               uint32_t *hops)
{
    cni_graph graph;
    CNI_TRY(cni_graph_open_within(ring, budget, &graph));
    *hops = cni_search_within(&graph, 0, budget, search);
    cni_graph_close(&graph);
    return cni_budget_work(budget, 0) ? CN_OK : CN_DONE;
}

cn_status cn_chordal_ring_best_chord(uint64_t nodes, int dual, const cn_control *control,
                                     uint64_t *chord, uint64_t *diameter)
{
    CNI_REQUIRE_BOTH(chord, diameter);
    CNI_BUDGET(budget, control, nodes / 2);
    CNI_TRY(check_nodes(__func__, nodes, dual));
    if (nodes > MOST_TRIED)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s: nodes = %llu, but every chord takes a search, and at most 2^27 nodes are "
            "searched",
            __func__, (unsigned long long)nodes);
    cni_search search;
    CNI_TRY(cni_search_open(&(cni_graph){.nodes = cni_size(nodes)}, &search));
    chordal_ring ring = {.dual = dual != 0};
    cni_topology_init(&ring.common, &chordal_ops, CNI_CHORDAL_RING, nodes);
    uint32_t least = CNI_FAR, hops;
    uint64_t best = 0;
    cn_status status = CN_OK;
    for (uint64_t a = dual ? 2 : 3; a <= nodes / 2; a += dual ? 1 : 2) {
        set_chord(&ring, a);
        status = find_diameter(&ring.common, &budget, &search, &hops);
        if (status != CN_OK)
            break;
        best = hops < least ? a : best;
        least = hops < least ? hops : least;
        budget.done = a;
        budget.upper = least;
    }
    cni_search_close(&search);
    CNI_TRY(status == CN_DONE ? cni_budget_fail(&budget) : status);
    *chord = best;
    *diameter = least;
    return CN_OK;
}
