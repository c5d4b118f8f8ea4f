/*
 * Assignment 1: addresses and necklaces (1-necklaces.md).
 *
 * A node of GH(n, k) is a whole number below k^n; its digits to the base k are its address. Divide
 * and take remainders: cubenet is not needed here.
 */
#include "course.h"

/* k^(n-1): what the leftmost digit counts. */
static uint64_t top(unsigned k, unsigned n)
{
    uint64_t power = 1;
    while (--n > 0)
        power *= k;
    return power;
}

/* The number of digits in which the addresses of nodes a and b differ. */
uint64_t distance(unsigned k, unsigned n, uint64_t a, uint64_t b)
{
    uint64_t differ = 0;
    for (unsigned i = 0; i < n; i++, a /= k, b /= k)
        differ += a % k != b % k;
    return differ;
}

/* R(node): drop the leftmost digit x, move the others one place to the left, append r(x). */
uint64_t rotate(unsigned k, unsigned n, uint64_t node)
{
    uint64_t x = node / top(k, n), r = x > 0 ? x % (k - 1) + 1 : 0;
    return node % top(k, n) * k + r;
}

/* 1 for every digit that is not 0. */
static uint64_t correspondent(unsigned k, unsigned n, uint64_t node)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++, node /= k)
        bits |= (uint64_t)(node % k > 0) << i;
    return bits;
}

/* The node that stands for the necklace of this node: of those with the greatest binary
 * correspondent the one with the greatest address. */
uint64_t generator(unsigned k, unsigned n, uint64_t node)
{
    uint64_t best = node;
    for (uint64_t other = rotate(k, n, node); other != node; other = rotate(k, n, other)) {
        uint64_t have = correspondent(k, n, best), bits = correspondent(k, n, other);
        if (bits > have || (bits == have && other > best))
            best = other;
    }
    return best;
}

/* How many rotations, 0 or more, it takes at least from this node to its generator. */
unsigned displacement(unsigned k, unsigned n, uint64_t node)
{
    uint64_t wanted = generator(k, n, node);
    unsigned rotations = 0;
    for (; node != wanted; rotations++)
        node = rotate(k, n, node);
    return rotations;
}
