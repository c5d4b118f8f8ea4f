/*
 * Assignment 5: disabling nodes until the subnet is convex (5-convex.md).
 *
 * Nodes of the n-cube, n at most 10, are 0 .. 2^n - 1, port i inverts bit i; only nodes fail.
 */
#include "course.h"

/* The ports of a node that lead to dead nodes, as a set: bit i for port i. */
uint64_t bad_links(unsigned n, const uint8_t dead[], uint64_t node)
{
    uint64_t bad = 0;
    for (unsigned port = 0; port < n; port++)
        bad |= (uint64_t)dead[node ^ 1u << port] << port;
    return bad;
}

/* How many other survivors lie in the subcube of its bad links, and one of them. */
static unsigned companions(unsigned n, const uint8_t dead[], uint64_t node, uint64_t *companion)
{
    uint64_t span = bad_links(n, dead, node);
    unsigned found = 0;
    for (uint64_t other = 0; other < 1u << n; other++)
        if (other != node && !dead[other] && ((other ^ node) & ~span) == 0) {
            *companion = other;
            found++;
        }
    return found;
}

/* Whether this node, which is not dead, is safe: no other node that is not dead lies in the subcube
 * that all its bad links span at it. 1 or 0. */
int is_safe(unsigned n, const uint8_t dead[], uint64_t node)
{
    uint64_t companion = 0;
    return companions(n, dead, node, &companion) == 0;
}

static unsigned ones(uint64_t word)
{
    unsigned count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

static unsigned dead_around(unsigned n, const uint8_t dead[], uint64_t node)
{
    unsigned count = 0;
    for (uint64_t other = 0; other < 1u << n; other++)
        count += dead[other] && ones(other ^ node) <= 2;
    return count;
}

/* Sets disabled[v], all 0 before, to 1 for nodes that are not faulty, so that the rest of the cube
 * is convex: every two survivors are joined by a path through survivors that is as long as their
 * Hamming distance. Few nodes: at least as many must survive as of the 1-degraded subnet. */
void make_convex(unsigned n, const uint8_t faulty[], uint8_t disabled[])
{
    enum { NODES = 1 << 10 };
    uint8_t dead[NODES];
    for (uint64_t v = 0; v < 1u << n; v++)
        dead[v] = faulty[v];
    for (;;) {
        uint64_t worst = 0, companion = 0, other = 0;
        unsigned bad = 0, others = 0;
        for (uint64_t v = 0; v < 1u << n; v++)
            if (!dead[v] && !is_safe(n, dead, v) && ones(bad_links(n, dead, v)) > bad) {
                worst = v;
                bad = ones(bad_links(n, dead, v));
                others = companions(n, dead, v, &other);
                companion = other;
            }
        if (bad == 0)
            return;
        if (others == 1 && dead_around(n, dead, companion) < dead_around(n, dead, worst))
            worst = companion;
        dead[worst] = disabled[worst] = 1;
    }
}
