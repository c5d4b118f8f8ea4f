/* What a plain simulator counts by channel, by node and by message, one by one as it happens, and
 * what the statistics of a simulation are held against. */
#ifndef CUBENET_TESTS_PLAIN_TALLY_H
#define CUBENET_TESTS_PLAIN_TALLY_H

#include "cubenet.h"

enum { TALLY_HOPS = 500, TALLY_DELAYS = 500 };

typedef struct plain_tally {
    uint64_t nodes, ports;
    uint64_t *load; /* by node * ports + port */
    uint64_t *offered, *accepted, *delivered, *forwarded, *queue;
    uint64_t hops[TALLY_HOPS], broadcasts[TALLY_DELAYS]; /* messages */
} plain_tally;

void plain_tally_open(plain_tally *tally, const cn_topology *topology);
void plain_tally_close(plain_tally *tally);

/* The statistics of a simulation without warm-up equal these. has_broadcasts: their delays are
 * counted. */
void assert_same_statistics(cn_sim *sim, const plain_tally *tally, int has_broadcasts);

#endif
