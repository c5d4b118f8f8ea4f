/*
 * The answers of a routing at all nodes at once, target by target, as numbers of entries. A row has
 * the numbers of all nodes for one target.
 *
 * By digits: on networks that look the same from every node, the entry of a pair of nodes follows
 * from the entries of pairs that differ in a single digit. So few entries are computed.
 */
#ifndef CNI_ROUTING_RULES_ROWS_H
#define CNI_ROUTING_RULES_ROWS_H

#include "routing/rules/routing.h"
#include "topology/topology.h"

/* A cached entry of a pair of nodes: number `both`, where the lower digits alone have entry
 * number `lower` and the next digit alone has entry number `digit`. */
typedef struct cni_joined {
    uint32_t lower, digit, both;
} cni_joined;

/* The cached number of the entry with these stored ports; of_one: the stored ports in class 1,
 * or 0. */
typedef struct cni_known_ports {
    uint64_t ports, of_one;
    uint32_t number;
} cni_known_ports;

typedef struct cni_rows {
    const cn_routing *routing;
    cni_table *table; /* the open table that numbers the entries */
    /* by node: the number of the entry for the present target; 0: no entry */
    uint32_t *number;
    uint32_t class;
    cni_known_ports *known; /* by hash, for the present class; NULL: the routing stores no ports */
    int by_digits;
    /* of rows by digits: by dimension, and by digits of target and node, the number of the entry */
    uint32_t *digit[CNI_MAX_DIMENSIONS];
    cni_joined *joined; /* by hash */
    void *block;        /* of the arrays before it */
} cni_rows;

/* Prepares rows whose numbers come from an open table. Close the rows also after a failure. */
cn_status cni_rows_open(const cn_routing *routing, cni_table *table, cni_rows *rows);
void cni_rows_close(cni_rows *rows);

/* Fills `number` for a class and target. CN_ERR_MEMORY. */
cn_status cni_rows_to(cni_rows *rows, uint32_t class, uint64_t target);

/* The ports that stored messages may take, by node. CN_ERR_MEMORY. */
cn_status cni_rows_ports(cni_rows *rows, uint32_t class, uint64_t target, uint64_t ports[]);

#endif
