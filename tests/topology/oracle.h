/* What a network must satisfy, found the slow way: from its ports alone. */
#ifndef CUBENET_TESTS_TOPOLOGY_ORACLE_H
#define CUBENET_TESTS_TOPOLOGY_ORACLE_H

#include "support/support.h"

/* Ports lead to nodes, no loops, no double links, back ports lead back, links, degrees; then all
 * distances, counts, diameter and mean against a search of its own. Frees the topology. */
void oracle_check_network(cn_topology *topology);

/* The links of a cut, the fewest over all halves of a network of at most 24 nodes. */
uint64_t oracle_bisection(const cn_topology *topology);

/* Steps of the fastest one-port broadcast from a node of a network of at most 16 nodes. */
uint64_t oracle_broadcast(const cn_topology *topology, uint64_t source);

/* Links between two sides, which must be halves. */
uint64_t oracle_cut(const cn_topology *topology, const uint8_t side[]);

/* A connected graph drawn from a seed: a random tree and so many edges more, as far as they are
 * new. */
cn_topology *oracle_random(uint64_t nodes, uint64_t more, uint64_t seed);

/* A small network of every family and then one that is no family, in turn; NULL after the last. */
cn_topology *oracle_network(size_t index);

#endif
