/* Necklaces by the letter of Ziavras & Krishnamurthy 1999, 4: digit strings, one rotation at a
 * time. Slow and simple, for the tests to compare with. */
#ifndef CUBENET_TESTS_LITERAL_NECKLACES_H
#define CUBENET_TESTS_LITERAL_NECKLACES_H

#include <stdint.h>

typedef struct literal_network {
    uint32_t n;
    uint64_t k;
} literal_network;

/* The networks that the tests take apart node by node. */
static const literal_network LITERAL_NETWORKS[] = {
    {2, 8}, {3, 3}, {3, 4}, {3, 5}, {4, 4}, {6, 3}, {7, 2}, {5, 5}, {1, 6}, {4, 3}, {6, 2}, {1, 2},
};
enum {
    LITERAL_LISTED = 8, /* the first so many have their known counts in the tests */
    LITERAL_COUNT = sizeof LITERAL_NETWORKS / sizeof LITERAL_NETWORKS[0]
};

static inline uint64_t literal_nodes(const literal_network *net)
{
    uint64_t nodes = 1;
    for (uint32_t i = 0; i < net->n; i++)
        nodes *= net->k;
    return nodes;
}

/* Digit at an index from the left. */
static inline uint64_t literal_digit(const literal_network *net, uint64_t v, uint32_t index)
{
    for (uint32_t i = net->n - 1; i > index; i--)
        v /= net->k;
    return v % net->k;
}

static inline uint64_t literal_weight(const literal_network *net, uint64_t v)
{
    uint64_t weight = 0;
    for (; v > 0; v /= net->k)
        weight += v % net->k != 0;
    return weight;
}

static inline uint64_t literal_rotate(const literal_network *net, uint64_t v)
{
    uint64_t first = literal_digit(net, v, 0);
    uint64_t rest = v - first * (literal_nodes(net) / net->k);
    return rest * net->k + (first == 0 ? 0 : first % (net->k - 1) + 1);
}

static inline uint64_t literal_binary_correspondent(const literal_network *net, uint64_t v)
{
    uint64_t binary = 0;
    for (uint32_t index = 0; index < net->n; index++)
        binary = 2 * binary + (literal_digit(net, v, index) != 0);
    return binary;
}

static inline uint64_t literal_period(const literal_network *net, uint64_t v)
{
    uint64_t period = 1;
    for (uint64_t u = literal_rotate(net, v); u != v; u = literal_rotate(net, u))
        period++;
    return period;
}

static inline uint64_t literal_generator(const literal_network *net, uint64_t v)
{
    uint64_t best = v;
    for (uint64_t u = literal_rotate(net, v); u != v; u = literal_rotate(net, u)) {
        uint64_t a = literal_binary_correspondent(net, u);
        uint64_t b = literal_binary_correspondent(net, best);
        if (a > b || (a == b && u > best))
            best = u;
    }
    return best;
}

static inline uint64_t literal_displacement(const literal_network *net, uint64_t v)
{
    uint64_t generator = literal_generator(net, v), displacement = 0;
    for (; v != generator; v = literal_rotate(net, v))
        displacement++;
    return displacement;
}

#endif
