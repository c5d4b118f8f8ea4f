/*
 * Deflection routing as plainly as can be: messages are structs, networks are asked through the
 * public functions, distances come from a search, and nothing is packed, indexed or skipped. The
 * kernel is held against it node by node and cycle by cycle.
 */
#ifndef CUBENET_TESTS_PLAIN_DEFLECTION_H
#define CUBENET_TESTS_PLAIN_DEFLECTION_H

#include <stddef.h>

#include "cubenet.h"
#include "simulation/plain_tally.h"
#include "simulation/kernel/geometric.h"

enum { PLAIN_NODES = 256, PLAIN_BUFFERS = 96 };

typedef struct plain_message {
    uint64_t created, source, number, destination, hops;
} plain_message;

typedef struct plain_node {
    size_t count;
    plain_message messages[PLAIN_BUFFERS];
} plain_node;

typedef struct plain_deflection_counts {
    uint64_t offered, accepted, delivered, delay, first, second, deflected, queue, distance;
} plain_deflection_counts;

typedef struct plain_deflection {
    const cn_topology *topology;
    const cn_routing *routing;
    const cn_faults *faults;   /* NULL: none */
    const cn_traffic *traffic; /* NULL: uniform from geometric sources */
    double load;
    uint64_t buffers, seed;
    cn_selection selection;
    /* found by plain_deflection_open() */
    cni_geometric geometric;
    uint64_t nodes, ports, cycle;
    uint64_t served[PLAIN_NODES], served_count;
    uint64_t far[PLAIN_NODES][64];           /* PLAIN_NODES: no channel that works */
    uint64_t hops[PLAIN_NODES][PLAIN_NODES]; /* from, to, in what survives */
    uint64_t inlets[PLAIN_NODES], outlets[PLAIN_NODES];
    plain_node node[PLAIN_NODES];
    plain_deflection_counts counts;
    plain_tally tally;
} plain_deflection;

/* From a struct whose first eight members are set; all others are zero. */
void plain_deflection_open(plain_deflection *p);
void plain_deflection_close(plain_deflection *p);

/* What the simulator of cut-through takes from here: how many messages a node offers at the end of
 * the cycle, which are counted, the destination of one of them, and which of two messages is the
 * older. */
uint64_t plain_deflection_offer(plain_deflection *p, uint64_t node);
uint64_t plain_deflection_destination(const plain_deflection *p, uint64_t node, uint64_t index);
int plain_deflection_is_older(const plain_message *a, const plain_message *b);

/* One cycle. Aborts when a message has no channel, when more come to a node than it has room for,
 * and when the oldest message of all does not come closer. */
void plain_deflection_step(plain_deflection *p);

#endif
