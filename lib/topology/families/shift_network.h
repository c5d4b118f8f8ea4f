/*
 * The common part of PSNN, shuffle-exchange and de Bruijn networks: N = 2^n nodes with at most four
 * neighbours, computed from the bits of the node. A neighbour of the definition may be the node
 * itself or another neighbour: loops are dropped, and two nodes share one link. In all three
 * networks v and N-1-v (all bits inverted) are images of each other.
 */
#ifndef CNI_TOPOLOGY_FAMILIES_SHIFT_NETWORK_H
#define CNI_TOPOLOGY_FAMILIES_SHIFT_NETWORK_H

#include "topology/topology.h"

enum { CNI_SHIFT_PORTS = 4 };

/* The neighbours of the definition, with loops and repetitions; returns their number. */
typedef uint32_t (*cni_shift_fn)(const cn_topology *topology, uint64_t node,
                                 uint64_t candidates[CNI_SHIFT_PORTS]);

/* The number of bits of a node number in such a network. */
uint32_t cni_shift_bits(const cn_topology *topology);

/* sigma, the rotation of the bits by one place to the left; and the rotation back. */
uint64_t cni_shuffle(const cn_topology *topology, uint64_t node);
uint64_t cni_unshuffle(const cn_topology *topology, uint64_t node);

/* The operations that are the same in all three networks. */
uint32_t cni_shift_degree(const cn_topology *topology, uint64_t node);
uint64_t cni_shift_neighbor(const cn_topology *topology, uint64_t node, uint32_t port);
uint32_t cni_shift_back_port(const cn_topology *topology, uint64_t node, uint32_t port);
#define CNI_SHIFT_OPS \
    .degree = cni_shift_degree, .neighbor = cni_shift_neighbor, .back_port = cni_shift_back_port

/* links: the number of links for n >= 4; links of smaller networks are counted. */
cn_status cni_shift_network_new(const char *function, const char *name, cni_family family,
                                const cni_topology_ops *ops, uint32_t n, cni_shift_fn candidates,
                                uint64_t links, cn_topology **topology);

#endif
