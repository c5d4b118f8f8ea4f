/*
 * What a routing answers at all nodes at once, target by target, as numbers of entries.
 *
 * By digits: on networks that are the same everywhere the entry of a pair of nodes follows from
 * those of pairs that differ in one digit. So few entries are worked out. A row is put together
 * of pieces, one for each value of the highest digit, and a piece is the same for many targets.
 */
#ifndef CNI_ROUTING_RULES_ROWS_H
#define CNI_ROUTING_RULES_ROWS_H

#include "routing/rules/routing.h"
#include "topology/topology.h"

/* The number of the entry that holds what two of them hold. */
typedef struct cni_joined {
    uint32_t lower, digit, both;
} cni_joined;

/* The number of the entry of these ports. */
typedef struct cni_known_ports {
    uint64_t ports, of_one;
    uint32_t number;
} cni_known_ports;

typedef struct cni_rows {
    const cn_routing *routing;
    const cni_table *table; /* where the entries are numbered */
    cni_table *own;         /* that one, where new entries may be added */
    uint32_t *number;       /* by node: of the entry for the target at hand; 0: none */
    void *block;            /* of number and known */
    uint32_t class;
    cni_known_ports *known; /* by hash, of the class; NULL: no ports are stored */
    int by_digits;
    /* by digits */
    uint32_t last;     /* the highest dimension */
    uint64_t size;     /* nodes that have the highest digit in common */
    uint32_t *lower;   /* of those: the numbers where nothing but lower digits differ */
    uint64_t of_lower; /* the lower digits of the target, of which this is */
    uint32_t *digit[CNI_MAX_DIMENSIONS]; /* by digit of the target and of the node: its number */
    uint32_t *piece_of;                  /* likewise in the highest dimension: the piece */
    uint32_t *piece, *piece_entry;       /* by piece: numbers of `size` nodes; of its digit */
    uint64_t *piece_made;                /* by piece: of_lower when it was made, and one */
    uint32_t pieces;
    cni_joined *joined;      /* by hash */
    void *digits, *of_class; /* blocks */
} cni_rows;

/* Numbers entries in an open table; where the routing has a table, as this table does. Close also
 * after a failure. */
cn_status cni_rows_open(const cn_routing *routing, cni_table *table, cni_rows *rows);
void cni_rows_close(cni_rows *rows);

/* The target to take as number i of all nodes, so that pieces serve as many as they can. */
uint64_t cni_rows_target(const cni_rows *rows, uint64_t i);

/* Fills the numbers. CN_ERR_MEMORY */
cn_status cni_rows_to(cni_rows *rows, uint32_t class, uint64_t target);

/* What stored messages may take, by node. CN_ERR_MEMORY */
cn_status cni_rows_ports(cni_rows *rows, uint32_t class, uint64_t target, uint64_t ports[]);

#endif
