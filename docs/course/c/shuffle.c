/*
 * Assignment 7: is the perfect shuffle really more cost-effective? (7-shuffle.md)
 *
 * The measures are 'F' (broadcast time), 'D' (disconnectivity) and 'L' (looseness, their mean), the
 * networks have 2^n nodes. A cost is a measure times the mean degree: lower is better.
 */
#include "course.h"

#include <math.h>

/* Fills list with the neighbours of a node of PSNN(n) in ascending order: node - 1 and node + 1
 * (mod 2^n), and the n bits rotated to the left and to the right; each once, without the node
 * itself. Returns how many there are. n is at most 10. */
unsigned neighbors(unsigned n, uint64_t node, uint64_t list[4])
{
    not_written();
}

/* The greatest distance between two nodes of PSNN(n), found by searches. */
unsigned diameter(unsigned n)
{
    not_written();
}

/* The cost by the formulas of the paper, with F, D and the degree that it prints. */
double paper_cost(char measure, family which, unsigned n)
{
    not_written();
}

/* The cost by exact values, n = 3 .. 5, in which cubenet measures both networks:
 * cn_topology_measure(), whose CN_MEASURE_COST_EFFECTIVENESS is the looseness times the mean
 * degree, with alpha as the weight of F. NAN when cubenet refuses. */
double exact_cost(char measure, family which, unsigned n)
{
    not_written();
}

/* Fills n: the least of 3 .. 9 by the paper's formulas, of 3 .. 7 by the exact values of course.h,
 * from which on PSNN has the lower cost, up to the last one; 0 where there is no such n. */
void crossing(char measure, unsigned n[2])
{
    not_written();
}
