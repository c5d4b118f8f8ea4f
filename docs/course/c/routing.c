/*
 * Assignment 2: rules of routing, and why they cannot deadlock (2-routing.md).
 *
 * Nodes of the n-cube are numbered as usual; port i of a node inverts bit i. Node x + columns y of
 * a mesh is at column x and row y; a hop goes EAST (to column x + 1), WEST (x - 1), NORTH (row y +
 * 1) or SOUTH (y - 1).
 */
#include "course.h"

/* The one port, as a set, by which the e-cube rule sends a message on; node is not destination. */
uint64_t ecube(uint64_t node, uint64_t destination)
{
    not_written();
}

/* A number for the channel of this port of this node of the n-cube: greater with every hop of an
 * e-cube path. */
int ecube_number(unsigned n, uint64_t node, unsigned port)
{
    not_written();
}

/* All ports of the cube that bring a message closer. */
uint64_t random_minimal(uint64_t node, uint64_t destination)
{
    not_written();
}

/* Messages of the 2-cube or a greater one that wait for each other in a circle. Element i: a
 * message for destination[i], routed by random_minimal(), holds the channel of port[i] of node[i],
 * has reached the far end, and waits there for the channel of the next element; the last one waits
 * for that of the first. Returns their number, at most room. */
unsigned waiting_circle(uint64_t node[], unsigned port[], uint64_t destination[], unsigned room)
{
    not_written();
}

/* All directions that the turn model west-first allows on the mesh, as a set: WEST alone as long as
 * the destination is to the west, else every direction that brings the message closer. */
uint64_t west_first(unsigned columns, uint64_t node, uint64_t destination)
{
    not_written();
}

/* A number for the channel in this direction out of this node of a mesh: greater with every hop of
 * any path that west-first allows. */
int west_first_number(unsigned columns, unsigned rows, uint64_t node, unsigned direction)
{
    not_written();
}

/* The mean delay of worms in the simulator of cubenet, by a rule of one's own for cn_routing_own()
 * with one virtual channel. System "wormhole": virtual_channels 1, message_flits 8, measure_cycles
 * 20000, relative_precision 0, seed 1; all else as it is by default. */
double mean_delay(const cn_topology *network, cn_vc_rule rule, void *user, double load)
{
    not_written();
}
