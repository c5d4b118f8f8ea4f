/* Networks for the tests of collective operations, and what exists on them. */
#ifndef CUBENET_TESTS_COLLECTIVE_CASES_H
#define CUBENET_TESTS_COLLECTIVE_CASES_H

#include "support/support.h"

#include "cubenet/experimental/collectives.h"

enum { CASE_TORUS, CASE_ONE_WAY, CASE_GENERALIZED, CASE_MESH, CASE_COMPLETE, CASE_KINDS };

/* A cube is the torus, and one of the generalized hypercubes, whose radices are all 2. */
typedef struct network_case {
    int kind;
    uint64_t radix[10];
    uint32_t n;
    uint64_t nodes;
    cn_topology *topology;
} network_case;

cn_topology *case_topology(int kind, const uint64_t radices[], uint32_t n);

/* Calls `visit` for every network with from `least` to `most` nodes, those with falling and with
 * rising radices. */
void each_case(uint64_t least, uint64_t most, void (*visit)(const network_case *network));

int case_has(const network_case *network, cn_algorithm algorithm);

/* How many parts the algorithm divides what a node sends into. */
uint64_t case_parts(const network_case *network, cn_algorithm algorithm);

static inline int case_is_cube(const network_case *network)
{
    for (uint32_t i = 0; i < network->n; i++)
        if (network->radix[i] != 2)
            return 0;
    return network->kind != CASE_COMPLETE;
}

static inline int is_power_of_two(uint64_t x)
{
    return (x & (x - 1)) == 0;
}

#endif
