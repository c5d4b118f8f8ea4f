/*
 * What the files of Ziavras & Krishnamurthy 1999, sections 6 and 7, share: the printed cells, and
 * the workloads on which the system `collective` is run beside them.
 */
#ifndef CUBENET_REPRODUCE_ZIAVRAS99_H
#define CUBENET_REPRODUCE_ZIAVRAS99_H

#include "reproduce.h"

enum {
    Z99_FIRST_TABLE = 3,
    Z99_LAST_TABLE = 14,
    Z99_TABLES = Z99_LAST_TABLE - Z99_FIRST_TABLE + 1,
    Z99_NETWORKS = 10,
    Z99_SIZES = 7 /* of buffers: 3, 4, ... 8, unlimited */
};

typedef struct z99_network {
    uint32_t n, k;
} z99_network;

typedef struct z99_printed {
    double cycles[Z99_SIZES], messages;
} z99_printed;

/* ---- ziavras99_printed.c ---- */

extern const z99_network z99_networks[Z99_NETWORKS];
extern const z99_printed z99_tables[Z99_TABLES][Z99_NETWORKS];

/* ---- ziavras99_workload.c: operations as in section 6 ---- */

typedef enum z99_destinations { Z99_ALL, Z99_STRIDE, Z99_SAME_RUN } z99_destinations;

typedef struct z99_workload {
    const cn_topology *topology;
    z99_destinations destinations;
    uint64_t count;      /* of destinations, before what falls together is left out */
    uint32_t operations; /* that start in the first 20 cycles */
    uint32_t busiest;    /* operations of the source that has most of them; 0: as it comes */
} z99_workload;

/* What stands behind a table; `table` is 3 .. 14. With `free` the busiest source is as it comes. */
z99_workload z99_workload_of(int table, int network, const cn_topology *topology, int free);

/* A list of operations: the replication decides about all that is random. *draws: how often all
 * sources were drawn; after one draw the list is that of the workload with the busiest source as it
 * comes. NULL after a failure that cn_last_error() tells. */
cn_operations *z99_draw(const z99_workload *workload, uint64_t replication, uint32_t *draws);

#endif
