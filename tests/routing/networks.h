/* Small networks of every family, and random graphs. */
#ifndef CUBENET_TESTS_ROUTING_NETWORKS_H
#define CUBENET_TESTS_ROUTING_NETWORKS_H

#include "support/support.h"

/* Network number index, of at most 64 nodes; NULL from the last one on. To be freed. */
cn_topology *network_of_family(unsigned index);

/* A connected graph of so many nodes: a random tree and random links, `extra` at most. */
cn_topology *network_random(uint32_t nodes, uint32_t extra, uint64_t *state);

/* A one-way network that is strongly connected: a ring and random channels. */
cn_topology *network_one_way(uint32_t nodes, uint32_t extra, uint64_t *state);

/* Networks in which some nodes are hosts, NULL from the last one on: a fat tree, leaves and spines,
 * a random graph and a one-way one. To be freed. */
cn_topology *network_with_hosts(unsigned index);

/* Composed networks of at most 40 nodes, NULL from the last one on: hosts, lengths or both on
 * networks of all kinds and on random graphs; and their base, to be freed. */
cn_topology *network_composed(unsigned index, cn_topology **base);

/* 1 for a host, whatever it is asked of. */
int network_is_host(const cn_topology *t, uint64_t node);

/* Hops from every node to the destination over what works, UINT32_MAX where there is no way:
 * relaxation until nothing changes. faults may be NULL. */
void network_hops(const cn_topology *t, const cn_faults *faults, uint64_t destination,
                  uint32_t hops[]);

/* Whether the channel and its ends work. faults may be NULL. */
int network_works(const cn_topology *t, const cn_faults *faults, uint64_t node, uint32_t port);

#endif
