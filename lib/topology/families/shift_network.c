/* PSNN, shuffle-exchange and de Bruijn networks: neighbours computed from the bits of a node. */
#include "topology/families/shift_network.h"

#include <stdio.h>

#include "base/error.h"

typedef struct shift_network {
    cn_topology common;
    uint32_t bits; /* n */
    cni_shift_fn candidates;
} shift_network;

static const shift_network *of(const cn_topology *topology)
{
    return (const shift_network *)topology;
}

uint32_t cni_shift_bits(const cn_topology *topology)
{
    return of(topology)->bits;
}

uint64_t cni_shuffle(const cn_topology *t, uint64_t node)
{
    return (node << 1 & (t->nodes - 1)) | node >> (of(t)->bits - 1);
}

uint64_t cni_unshuffle(const cn_topology *t, uint64_t node)
{
    return node >> 1 | (node & 1) << (of(t)->bits - 1);
}

/* The ports: the candidates in order, without repetitions. */
static uint32_t list(const cn_topology *t, uint64_t node, uint64_t neighbors[CNI_SHIFT_PORTS])
{
    uint64_t candidates[CNI_SHIFT_PORTS];
    uint32_t all = of(t)->candidates(t, node, candidates), count = 0;
    for (uint32_t i = 0; i < all; i++) {
        int fresh = candidates[i] != node;
        for (uint32_t p = 0; p < count; p++)
            fresh = fresh && neighbors[p] != candidates[i];
        if (fresh)
            neighbors[count++] = candidates[i];
    }
    return count;
}

uint32_t cni_shift_degree(const cn_topology *t, uint64_t node)
{
    uint64_t neighbors[CNI_SHIFT_PORTS];
    return list(t, node, neighbors);
}

uint64_t cni_shift_neighbor(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t neighbors[CNI_SHIFT_PORTS];
    list(t, node, neighbors);
    return neighbors[port];
}

uint32_t cni_shift_back_port(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t neighbors[CNI_SHIFT_PORTS];
    list(t, cni_shift_neighbor(t, node, port), neighbors);
    uint32_t back = 0;
    while (neighbors[back] != node)
        back++;
    return back;
}

cn_status cni_shift_network_new(const char *function, const char *name, cni_family family,
                                const cni_topology_ops *ops, uint32_t n, cni_shift_fn candidates,
                                uint64_t links, cn_topology **topology)
{
    CNI_TRY(cni_check_range(function, "n", n, 1, CNI_MAX_DIMENSIONS));
    shift_network *network = cni_allocate(1, sizeof *network);
    CNI_TRY_MEMORY(network);
    cn_topology *t = &network->common;
    cni_topology_init(t, ops, family, UINT64_C(1) << n);
    network->bits = n;
    network->candidates = candidates;
    t->links = links;
    t->representatives = t->nodes / 2;
    /* The first 16 nodes have a node of the greatest degree; for n < 4 they are all nodes. */
    uint64_t ends = 0;
    for (uint64_t v = 0; v < t->nodes && v < 16; v++) {
        uint32_t ports = cni_shift_degree(t, v);
        ends += ports;
        t->max_degree = ports > t->max_degree ? ports : t->max_degree;
    }
    if (n < 4)
        t->links = ends / 2;
    snprintf(t->name, sizeof t->name, "%s(%lu)", name, (unsigned long)n);
    *topology = t;
    return CN_OK;
}
