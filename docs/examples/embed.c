/*
 * A simulator of somebody else's, with cubenet's routing inside: the nodes, their queues and the
 * traffic are its own; what a node decides comes from cn_route_two_phase().
 *
 * Each of the 64 nodes of a 6-cube starts with eight messages to random other nodes, and the
 * program says in how many cycles all are delivered.
 */
#include <cubenet.h>

#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 6, NODES = 1 << DIMENSIONS, BUFFERS = 12, MESSAGES = 8 };

/* A queue is in age order: here all are of one age, and those who came first stay first. */
typedef struct node {
    uint64_t headers[2 * BUFFERS];
    size_t count;
} node;

static uint32_t random_word(void)
{
    return (uint32_t)(rand() & 0xffff) << 16 | (uint32_t)(rand() & 0xffff);
}

/* Everybody's messages of one cycle; returns how many have arrived. -1 on an error. */
static int run_cycle(const cn_topology *cube, const node before[], node after[])
{
    int arrived = 0;
    for (uint64_t v = 0; v < NODES; v++)
        after[v].count = 0;
    for (uint64_t v = 0; v < NODES; v++) {
        uint32_t random[2 * BUFFERS], ports[2 * BUFFERS];
        for (size_t i = 0; i < before[v].count + DIMENSIONS; i++)
            random[i] = random_word();
        if (cn_route_two_phase(cube, before[v].headers, before[v].count, BUFFERS,
                               CN_SELECTION_RANDOM, random, sizeof random / sizeof random[0],
                               ports))
            return -1;
        for (size_t m = 0; m < before[v].count; m++) {
            uint64_t header = before[v].headers[m], next = v;
            if (ports[m] != CN_NO_PORT && (cn_topology_neighbor(cube, v, ports[m], &next) ||
                                           cn_route_move(cube, header, ports[m], &header)))
                return -1;
            if (header == 0)
                arrived++;
            else
                after[next].headers[after[next].count++] = header;
        }
    }
    return arrived;
}

int main(void)
{
    static node nodes[2][NODES];
    cn_topology *cube;
    if (cn_topology_hypercube(DIMENSIONS, &cube) != CN_OK)
        return fprintf(stderr, "%s\n", cn_last_error()), 1;
    srand(1);
    for (uint64_t v = 0; v < NODES; v++)
        for (int m = 0; m < MESSAGES; m++)
            nodes[0][v].headers[nodes[0][v].count++] = 1 + random_word() % (NODES - 1);
    int left = NODES * MESSAGES, cycles = 0;
    for (; left > 0; cycles++) {
        int arrived = run_cycle(cube, nodes[cycles % 2], nodes[1 - cycles % 2]);
        if (arrived < 0)
            return fprintf(stderr, "%s\n", cn_last_error()), 1;
        left -= arrived;
    }
    printf("%d messages delivered in %d cycles\n", NODES * MESSAGES, cycles);
    cn_topology_free(&cube);
    return 0;
}
