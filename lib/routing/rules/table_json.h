/*
 * The table of a routing in JSON: "entries", the different answers, and "table", their numbers by
 * target, class and node. An entry is an array of lanes, a lane is [ports, virtual channels] as two
 * sets of bits, or [ports, virtual channels, 1] for escapes.
 */
#ifndef CNI_ROUTING_RULES_TABLE_JSON_H
#define CNI_ROUTING_RULES_TABLE_JSON_H

#include "routing/rules/routing.h"

/* A table that was read: valid numbers of entries, whose ports the nodes have; nothing else is
 * checked. */
typedef struct cni_read_table {
    uint64_t nodes;
    uint32_t classes;
    cni_entry *entries;
    uint64_t *numbers;
} cni_read_table;

/* The two members. Writes the table of the routing of the form; or reads a table for as many
 * classes as table->classes says. Close the table also after a failure. */
void cni_io_table(cni_io *io, const cni_routing_form *of, cni_read_table *table);
void cni_read_table_close(cni_read_table *table);

static inline const cni_entry *cni_read_entry(const cni_read_table *table, uint64_t node,
                                              uint32_t class, uint64_t target)
{
    return &table->entries[table->numbers[(target * table->classes + class) * table->nodes + node]];
}

#endif
