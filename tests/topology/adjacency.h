/* A graph written down from the definition of a network, to hold a topology against. */
#ifndef CUBENET_TESTS_TOPOLOGY_ADJACENCY_H
#define CUBENET_TESTS_TOPOLOGY_ADJACENCY_H

#include "support/support.h"

typedef struct graph {
    uint32_t nodes;
    uint32_t ports;   /* room for so many a node */
    uint32_t *degree; /* [node] */
    uint32_t *to;     /* [node * ports + port] */
} graph;

void graph_open(graph *g, uint32_t nodes, uint32_t ports);
void graph_close(graph *g);

/* Gives `from` its next port, which leads to `to`. */
void graph_join(graph *g, uint32_t from, uint32_t to);

/* Breadth-first search: distance[v] hops from the source, UINT32_MAX where v cannot be reached. */
void graph_distances(const graph *g, uint32_t source, uint32_t distance[]);

/* Holds everything that a topology says of its nodes, ports and distances against the graph. Every
 * stride-th node is a source of distances; a stride above 1 is for networks in which all nodes have
 * the same distances to the others. */
void graph_check(const graph *g, const cn_topology *topology, uint32_t stride);

#endif
