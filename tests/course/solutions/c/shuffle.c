/*
 * Assignment 7: is the perfect shuffle really more cost-effective? (7-shuffle.md)
 *
 * The measures are 'F' (broadcast time), 'D' (disconnectivity) and 'L' (looseness, their mean), the
 * networks have 2^n nodes. A cost is a measure times the mean degree: lower is better.
 */
#include "course.h"

#include <math.h>
#include <string.h>

/* Fills list with the neighbours of a node of PSNN(n) in ascending order: node - 1 and node + 1
 * (mod 2^n), and the n bits rotated to the left and to the right; each once, without the node
 * itself. Returns how many there are. n is at most 10. */
unsigned neighbors(unsigned n, uint64_t node, uint64_t list[4])
{
    uint64_t nodes = UINT64_C(1) << n, top = nodes / 2;
    uint64_t all[] = {(node + nodes - 1) % nodes, (node + 1) % nodes, node % top * 2 + node / top,
                      node / 2 + node % 2 * top};
    unsigned count = 0;
    for (uint64_t other = 0; other < nodes; other++)
        for (int i = 0; i < 4 && other != node; i++)
            if (all[i] == other) {
                list[count++] = other;
                break;
            }
    return count;
}

static unsigned height(unsigned n, uint64_t root)
{
    static uint64_t queue[1 << 10];
    static unsigned far[1 << 10];
    uint64_t nodes = UINT64_C(1) << n, list[4];
    unsigned last = 1;
    memset(far, 0xff, sizeof far);
    queue[0] = root;
    far[root] = 0;
    for (unsigned at = 0; at < last && at < nodes; at++) {
        unsigned count = neighbors(n, queue[at], list);
        for (unsigned i = 0; i < count; i++)
            if (far[list[i]] > far[queue[at]] + 1) {
                far[list[i]] = far[queue[at]] + 1;
                queue[last++] = list[i];
            }
    }
    return far[queue[nodes - 1]];
}

/* The greatest distance between two nodes of PSNN(n), found by searches. */
unsigned diameter(unsigned n)
{
    unsigned greatest = 0;
    for (uint64_t root = 0; root < UINT64_C(1) << n; root++)
        if (height(n, root) > greatest)
            greatest = height(n, root);
    return greatest;
}

static double of(char measure, double fanout, double disconnectivity)
{
    return measure == 'F'   ? fanout
           : measure == 'D' ? disconnectivity
                            : (fanout + disconnectivity) / 2;
}

/* The cost by the formulas of the paper, with F, D and the degree that it prints. */
double paper_cost(char measure, family which, unsigned n)
{
    return which == HYPERCUBE ? n * of(measure, n, 2) : 4 * of(measure, 2.0 * n - 1, n / 2.0);
}

/* The cost by exact values, n = 3 .. 5, in which cubenet measures both networks:
 * cn_topology_measure(), whose CN_MEASURE_COST_EFFECTIVENESS is the looseness times the mean
 * degree, with alpha as the weight of F. NAN when cubenet refuses. */
double exact_cost(char measure, family which, unsigned n)
{
    cn_topology *topology;
    cn_known kind;
    double lower, upper;
    if (which == PSNN ? cn_topology_psnn(n, &topology) : cn_topology_hypercube(n, &topology))
        return NAN;
    cn_status status = cn_topology_measure(topology, CN_MEASURE_COST_EFFECTIVENESS,
                                           of(measure, 1, 0), NULL, &lower, &upper, &kind);
    cn_topology_free(&topology);
    return status == CN_OK && kind != CN_KNOWN_BOUNDS ? upper : NAN;
}

/* Fills n: the least of 3 .. 9 by the paper's formulas, of 3 .. 7 by the exact values of course.h,
 * from which on PSNN has the lower cost, up to the last one; 0 where there is no such n. */
void crossing(char measure, unsigned n[2])
{
    n[0] = n[1] = 0;
    for (unsigned i = 9; i >= 3 && paper_cost(measure, PSNN, i) < paper_cost(measure, HYPERCUBE, i);
         i--)
        n[0] = i;
    for (unsigned i = 7; i >= 3; i--) {
        double nodes = ldexp(1, (int)i);
        double cost = 2 * links[i] / nodes * of(measure, broadcast_time[i], nodes / bisection[i]);
        if (cost >= paper_cost(measure, HYPERCUBE, i))
            break;
        n[1] = i;
    }
}
