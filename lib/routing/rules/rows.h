/*
 * The answers of a routing at all nodes at once, target by target, as numbers of entries. A row has
 * the numbers of all nodes for one target.
 *
 * By digits: on networks that look the same from every node, the entry of a pair of nodes follows
 * from the entries of pairs that differ in a single digit. So few entries are computed. A row
 * consists of pieces, one for each value of the highest digit, and a piece serves many targets.
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
    const cni_table *table; /* the table that numbers the entries */
    cni_table *own;         /* the open table, for new entries */
    /* by node: the number of the entry for the present target; 0: no entry */
    uint32_t *number;
    void *block; /* the memory of `number` and `known` */
    uint32_t class;
    cni_known_ports *known; /* by hash, for the present class; NULL: the routing stores no ports */
    int by_digits;
    /* the rest is for rows by digits */
    uint32_t last;     /* the highest dimension */
    uint64_t size;     /* nodes with the same highest digit */
    uint32_t *lower;   /* by node of these: the number of the entry when only lower digits differ */
    uint64_t of_lower; /* the lower digits of the target for which `lower` was made */
    /* by dimension, and by digits of target and node: the number of the entry */
    uint32_t *digit[CNI_MAX_DIMENSIONS];
    uint32_t *piece_of; /* by highest digits of target and node: the piece */
    /* by piece: the numbers of its `size` nodes; the entry of its highest digit */
    uint32_t *piece, *piece_entry;
    /* by piece: of_lower + 1 when the piece was made; 0: not made */
    uint64_t *piece_made;
    uint32_t pieces;
    cni_joined *joined;      /* by hash */
    void *digits, *of_class; /* allocated memory */
} cni_rows;

/* Prepares rows whose numbers come from an open table; when the routing has a table, from the
 * routing's table. Close the rows also after a failure. */
cn_status cni_rows_open(const cn_routing *routing, cni_table *table, cni_rows *rows);
void cni_rows_close(cni_rows *rows);

/* Target number i in the best order: consecutive targets share their lower digits, so pieces are
 * made once for all of them. */
uint64_t cni_rows_target(const cni_rows *rows, uint64_t i);

/* Fills `number` for a class and target. CN_ERR_MEMORY. */
cn_status cni_rows_to(cni_rows *rows, uint32_t class, uint64_t target);

/* The ports that stored messages may take, by node. CN_ERR_MEMORY. */
cn_status cni_rows_ports(cni_rows *rows, uint32_t class, uint64_t target, uint64_t ports[]);

#endif
