/* Damaged hypercubes for tests, and checks of them that share nothing with the library. */
#ifndef CUBENET_TESTS_ROUTING_DAMAGE_H
#define CUBENET_TESTS_ROUTING_DAMAGE_H

#include "support/support.h"

enum { DAMAGE_MOST_NODES = 256 };

/* Hypercube of n dimensions without faults; both handles are to be freed. */
void damage_open(uint32_t n, cn_topology **cube, cn_faults **faults);

/* The faults of Horng 1992, figure 5.1, which follow from table 5.1: 0010 0011 0100 0111 1001. */
void damage_figure_5_1(cn_topology **cube, cn_faults **faults);

/* Faults of a hypercube: the nodes whose bit is 1 in the word. */
void damage_set_nodes(cn_faults *faults, uint64_t nodes);

/* Whether a node survives in the subnet. */
int damage_survives(const cn_subnet *subnet, uint64_t node);

/* Of every pair, whether a path of good links through survivors joins it that is as long as the
 * Hamming distance: dynamic programming over the pairs. */
int damage_is_convex(const cn_faults *faults, const unsigned char alive[], uint32_t n);

/* Fills alive[v] from the subnet, and checks that no faulty node survives and that the counts and
 * the states of the neighbours are right. */
void damage_read(const cn_faults *faults, const cn_subnet *subnet, uint32_t n,
                 unsigned char alive[]);

/* Follows every choice of the optimal-path rule from every survivor to every other: each message
 * arrives after as many hops as the Hamming distance. */
void damage_route_all(const cn_subnet *subnet, uint32_t n);

/* The optimal-path rule at a node of a subnet, convex or not. */
cn_status damage_next_hops(const cn_subnet *subnet, uint64_t node, uint64_t destination,
                           uint64_t *channels);

/* Random words for tests: the sequence of a seed. */
uint64_t damage_random(uint64_t *state);

#endif
