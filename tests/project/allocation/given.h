/* What the calls of the table are given: each function makes objects and puts them into `given`. */
#ifndef CUBENET_TESTS_ALLOCATION_GIVEN_H
#define CUBENET_TESTS_ALLOCATION_GIVEN_H

#include "table.h"

void nothing(void);

/* Networks. */
void cube(void);       /* hypercube(4) */
void small_cube(void); /* hypercube(3) */
void two_way(void);    /* kary_ncube(4,2), both ways */
void one_way(void);    /* kary_ncube(3,2), one way */
void general(void);    /* generalized_hypercube(3,2) */
void mesh(void);       /* mesh of 4 x 3 */
void psnn(void);       /* psnn(4): distances by search */
void edges(void);      /* six nodes, an edge list */

/* A damaged 4-cube: nodes 5 and 6 and the link from 8 over port 0 are faulty. */
void node_faults(void); /* without the link */
void faults(void);
void one_way_faults(void); /* kary_ncube(3,2), node 4 faulty */
void two_way_faults(void); /* kary_ncube(4,2) */
void degraded(void);       /* subnets of the damaged cube */
void degraded_nodes(void);
void convex(void);
void hierarchy(void);
void hierarchy_tables(void);

/* A scenario of a system on the 4-cube, short runs. */
void scenario_of(const char *system, double load);
/* Separate buffers by a routing. */
void routed_scenario(const char *routing, double load);

#endif
