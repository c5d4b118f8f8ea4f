/*
 * Assignment 5: disabling nodes until the subnet is convex (5-convex.md).
 *
 * Nodes of the n-cube, n at most 10, are 0 .. 2^n - 1, port i inverts bit i; only nodes fail.
 */
#include "course.h"

/* The ports of a node that lead to dead nodes, as a set: bit i for port i. */
uint64_t bad_links(unsigned n, const uint8_t dead[], uint64_t node)
{
    not_written();
}

/* Whether this node, which is not dead, is safe: no other node that is not dead lies in the subcube
 * that all its bad links span at it. 1 or 0. */
int is_safe(unsigned n, const uint8_t dead[], uint64_t node)
{
    not_written();
}

/* Sets disabled[v], all 0 before, to 1 for nodes that are not faulty, so that the rest of the cube
 * is convex: every two survivors are joined by a path through survivors that is as long as their
 * Hamming distance. Few nodes: at least as many must survive as of the 1-degraded subnet. */
void make_convex(unsigned n, const uint8_t faulty[], uint8_t disabled[])
{
    not_written();
}
