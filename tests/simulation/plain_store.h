/* Store and forward as plainly as can be, on any network: what the kernel is held against.
 * Slotted. */
#ifndef CUBENET_TESTS_PLAIN_STORE_H
#define CUBENET_TESTS_PLAIN_STORE_H

#include "cubenet/simulation.h"

#include "routing/rules/routing.h"
#include "simulation/plain_tally.h"

enum { PLAIN_PORTS = 64 };

typedef struct plain_message {
    uint64_t created, source, injected, number;
    uint64_t destination, target, tag;
    uint64_t hops;
    uint32_t class;
} plain_message;

typedef struct plain_line {
    plain_message *message;
    size_t count, room;
} plain_line;

typedef struct plain_delivery {
    uint64_t tag, destination, cycle, hops;
} plain_delivery;

typedef struct plain_store {
    const cn_topology *topology;
    const cn_faults *faults; /* or NULL */
    const cn_routing *routing;
    int separate;
    cn_selection selection;
    double load;
    uint64_t seed, cycle, nodes;
    uint64_t *injections; /* since the last cycle, by node */
    uint32_t ports;
    plain_line *line;        /* by node and port; of a shared buffer port 0 alone */
    size_t *seen;            /* by line: its length when the last cycle had sent */
    plain_message *crossing; /* by node and port */
    char *is_crossing;
    char *is_end; /* by node: it sends and receives */
    uint64_t ends;
    uint64_t offered, delivered, delay, hops, waiting, in_network;
    plain_delivery *arrived; /* of injected messages, since the beginning */
    size_t arrived_count, arrived_room;
    plain_tally tally;
} plain_store;

/* The topology, faults and routing stay those of the caller. */
plain_store *plain_store_open(const cn_topology *topology, const cn_faults *faults,
                              const cn_routing *routing, int separate, cn_selection selection,
                              double load, uint64_t seed);
void plain_store_close(plain_store *s);

void plain_store_inject(plain_store *s, uint64_t source, uint64_t destination, uint64_t tag);
void plain_store_step(plain_store *s);

#endif
