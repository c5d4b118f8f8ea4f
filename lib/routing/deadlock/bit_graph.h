/* A directed graph as a matrix of bits, and its shortest cycle. */
#ifndef CNI_ROUTING_DEADLOCK_BIT_GRAPH_H
#define CNI_ROUTING_DEADLOCK_BIT_GRAPH_H

#include "base/budget.h"

typedef struct cni_bit_graph {
    size_t vertices;
    size_t words;   /* of a row */
    uint64_t *rows; /* bit b of row a: an edge from a to b */
} cni_bit_graph;

/* A graph without edges; earlier contents are lost. Close also after a failure. */
cn_status cni_bit_graph_open(cni_bit_graph *graph, size_t vertices);
void cni_bit_graph_close(cni_bit_graph *graph);

static inline uint64_t *cni_bit_row(const cni_bit_graph *graph, size_t vertex)
{
    return &graph->rows[vertex * graph->words];
}

static inline void cni_set_bit(uint64_t row[], size_t bit)
{
    row[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static inline int cni_has_bit(const uint64_t row[], size_t bit)
{
    return (int)(row[bit >> 6] >> (bit & 63) & 1);
}

uint64_t cni_bit_graph_edges(const cni_bit_graph *graph);

/* A shortest cycle, which begins with the lowest vertex on any shortest cycle; *length is 0 when
 * there is no cycle. cycle has room for all vertices. O(V^3 / 64) at most, O(V^2 / 64 + E)
 * without a cycle. */
cn_status cni_shortest_cycle(const cni_bit_graph *graph, cni_budget *budget, uint32_t cycle[],
                             size_t *length);

#endif
