/*
 * Assignment 1: addresses and necklaces (1-necklaces.md).
 *
 * A node of GH(n, k) is a whole number below k^n; its digits to the base k are its address. Divide
 * and take remainders: cubenet is not needed here.
 */
#include "course.h"

/* The number of digits in which the addresses of nodes a and b differ. */
uint64_t distance(unsigned k, unsigned n, uint64_t a, uint64_t b)
{
    not_written();
}

/* R(node): drop the leftmost digit x, move the others one place to the left, append r(x). */
uint64_t rotate(unsigned k, unsigned n, uint64_t node)
{
    not_written();
}

/* The node that stands for the necklace of this node: of those with the greatest binary
 * correspondent the one with the greatest address. */
uint64_t generator(unsigned k, unsigned n, uint64_t node)
{
    not_written();
}

/* How many rotations, 0 or more, it takes at least from this node to its generator. */
unsigned displacement(unsigned k, unsigned n, uint64_t node)
{
    not_written();
}
