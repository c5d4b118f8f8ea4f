/*
 * The machines of docs/wormhole.md and docs/cut-through.md written down as plainly as can be:
 * arrays of structures, every virtual channel looked at in every cycle, no list that is kept from
 * one cycle to the next but the injection queues. What the library's kernel must equal, delivery by
 * delivery and counter by counter.
 */
#ifndef CUBENET_TESTS_PLAIN_WORMHOLE_H
#define CUBENET_TESTS_PLAIN_WORMHOLE_H

#include <stdint.h>

#include "cubenet.h"
#include "simulation/plain_tally.h"
#include "support/wormhole_rules.h"

typedef struct plain_config {
    const cn_topology *topology; /* without a routing: Boolean cube, k-ary n-cube, torus or mesh */
    const cn_routing *routing;   /* NULL: the rule `adaptive`, worked out here */
    const cn_faults *faults;     /* those of the routing */
    int by_name;                 /* the scenario names the routing and makes its own */
    uint32_t virtual_channels, message_flits, flit_buffers, injection_servers, startup;
    int adaptive; /* a wormhole_rule */
    int one_port;
    uint32_t message_buffers; /* places for messages, which go as a whole; 0: worms */
    cn_selection selection;
    cn_broadcast_base base;
    double load, broadcast_fraction;
    const cn_traffic *traffic; /* NULL: uniform Poisson */
    uint64_t seed;
} plain_config;

typedef enum plain_class {
    PLAIN_UNICAST,
    PLAIN_BROADCAST, /* a copy from the source of the broadcast */
    PLAIN_REPLICA    /* a copy that another node sends on */
} plain_class;

/* All sums over the cycles since the start, or since plain_clear(). */
typedef struct plain_counts {
    uint64_t cycles;
    uint64_t accepted[2];  /* messages: 0 unicasts, 1 broadcasts */
    uint64_t delivered[2]; /* a broadcast: when the last node has it */
    uint64_t delay[2];
    uint64_t unsent;      /* of the delay of broadcasts: until a copy has left the source */
    uint64_t step_delay;  /* of the copies of broadcasts, each from its queue to its node */
    uint64_t copies;      /* of broadcasts that have arrived */
    uint64_t grants[3];   /* virtual channels given, by plain_class */
    uint64_t waiting;     /* cycles that headers waited for them, beyond the first possible one */
    uint64_t flit_hops;   /* flits sent over channels */
    uint64_t held;        /* virtual channels held, summed over channels and cycles */
    uint64_t held_square; /* the squares of their numbers, a channel */
    uint64_t busy;        /* channels of which any is held */
    uint64_t present;     /* accepted messages that are not delivered, at the start of the cycles */
    uint64_t hops;        /* of the delivered unicasts */
} plain_counts;

/* A message that has arrived: a unicast, or a copy of a broadcast. */
typedef struct plain_arrival {
    uint64_t cycle, created, source, node;
    uint64_t hops;
    int is_copy;
    int is_last; /* the unicast, or the last copy: the message is delivered */
} plain_arrival;

typedef struct plain_wormhole plain_wormhole;

plain_wormhole *plain_open(const plain_config *config);
void plain_close(plain_wormhole *plain);
void plain_step(plain_wormhole *plain);

/* A message of the caller's, or a broadcast, at the end of the present cycle. */
void plain_inject(plain_wormhole *plain, uint64_t source, uint64_t destination);
void plain_inject_broadcast(plain_wormhole *plain, uint64_t source, uint32_t base);

const plain_counts *plain_read(const plain_wormhole *plain);
void plain_clear(plain_wormhole *plain);
uint64_t plain_in_flight(const plain_wormhole *plain);

/* The arrivals of the last cycle, by the number of the virtual channel that they came over. */
const plain_arrival *plain_arrivals(const plain_wormhole *plain, uint64_t *count);

/* Flits that have crossed channel node * max_degree + port since the start. */
uint64_t plain_channel_flits(const plain_wormhole *plain, uint64_t channel);

/* The virtual channels of a port that the header of a message may take at a node which is not its
 * destination, as a set; *escape is the part of it that is the last resort. */
uint64_t plain_candidates(const plain_wormhole *plain, uint64_t node, uint64_t port,
                          uint64_t destination, uint64_t *escape);

/* Everything since the start. */
const plain_tally *plain_tally_of(const plain_wormhole *plain);

/* 1 when flits are in the network and none has moved in the last cycle. */
int plain_is_stuck(const plain_wormhole *plain);

#endif
