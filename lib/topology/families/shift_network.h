/*
 * What PSNN, shuffle-exchange and de Bruijn network have in common: N = 2^n nodes, at most four
 * neighbours that are computed from the node's bits, and a neighbour may coincide with another or
 * with the node. Loops are dropped and two nodes share one link. v and N-1-v (all bits inverted)
 * are images of each other in all three.
 */
#ifndef CNI_TOPOLOGY_FAMILIES_SHIFT_NETWORK_H
#define CNI_TOPOLOGY_FAMILIES_SHIFT_NETWORK_H

#include "topology/topology.h"

enum { CNI_SHIFT_PORTS = 4 };

/* The neighbours of the definition, with loops and repetitions; gives their number. */
typedef uint32_t (*cni_shift_fn)(const cn_topology *topology, uint64_t node,
                                 uint64_t candidates[CNI_SHIFT_PORTS]);

/* Of how many bits a node number is in such a network. */
uint32_t cni_shift_bits(const cn_topology *topology);

/* sigma: one place to the left, around; and back. */
uint64_t cni_shuffle(const cn_topology *topology, uint64_t node);
uint64_t cni_unshuffle(const cn_topology *topology, uint64_t node);

/* What the three do alike. */
uint32_t cni_shift_degree(const cn_topology *topology, uint64_t node);
uint64_t cni_shift_neighbor(const cn_topology *topology, uint64_t node, uint32_t port);
uint32_t cni_shift_back_port(const cn_topology *topology, uint64_t node, uint32_t port);
cn_status cni_shift_link_count(const cn_topology *topology, uint64_t *links);
#define CNI_SHIFT_OPS                                                                             \
    .degree = cni_shift_degree, .neighbor = cni_shift_neighbor, .back_port = cni_shift_back_port, \
    .link_count = cni_shift_link_count

/* links: their number where n >= 4; smaller networks are counted. */
cn_status cni_shift_network_new(const char *function, const char *name, cni_family family,
                                const cni_topology_ops *ops, uint32_t n, cni_shift_fn candidates,
                                uint64_t links, cn_topology **topology);

#endif
