/*
 * The table of a routing: each different entry once, and packed numbers of entries by place. A
 * number takes 16 bits until a greater one is set.
 */
#ifndef CNI_ROUTING_RULES_TABLE_H
#define CNI_ROUTING_RULES_TABLE_H

#include "base/memory.h"

/* ---- numbers by place, all in 16, 32 or 64 bits ---- */

/* One of the arrays exists, none in an empty object. */
typedef struct cni_packed {
    size_t count;
    uint16_t *narrow;
    uint32_t *medium;
    uint64_t *wide;
} cni_packed;

/* Places for numbers of so many bits, all 0. Close also after a failure. */
cn_status cni_packed_open(cni_packed *packed, size_t count, uint32_t bits);
void cni_packed_close(cni_packed *packed);

/* Sets `count` places from `place` on. */
void cni_packed_set(cni_packed *packed, size_t place, const uint64_t numbers[], size_t count);

static inline uint64_t cni_packed_at(const cni_packed *packed, size_t place)
{
    if (packed->narrow != NULL)
        return packed->narrow[place];
    return packed->medium != NULL ? packed->medium[place] : packed->wide[place];
}

/* ---- entries ---- */

enum { CNI_LANES = 4 };
#define CNI_ALL_CHANNELS UINT64_MAX

/* What the channels of a lane are for deadlock: escapes, or channels beside the escapes. */
enum { CNI_FREE_LANE, CNI_ESCAPE_LANE };

/* Ports, and the virtual channels that a message may take on each of these ports. */
typedef struct cni_lane {
    uint64_t ports;
    uint64_t set; /* for 64 virtual channels; the caller cuts it to the number in use */
    int is_escape;
} cni_lane;

/* The channels that a message may take: `ports` for a message stored at a node, the lanes for a
 * worm. */
typedef struct cni_entry {
    uint64_t ports;
    uint32_t lanes;
    cni_lane lane[CNI_LANES];
} cni_entry;

typedef struct cni_table {
    cni_entry *entries; /* by number; number 0 is the empty entry */
    size_t count, capacity;
    cni_packed numbers; /* by place */
    /* a hash table while entries are added: number + 1 of an entry, or 0 in a free slot; a power of
     * two of slots */
    uint32_t *slots;
    size_t slot_count;
} cni_table;

/* A table with the empty entry and no places. Close also after a failure. */
cn_status cni_table_open(cni_table *table);
/* Makes the places, all with number 0. Call it once. */
cn_status cni_table_want(cni_table *table, size_t places);
void cni_table_close(cni_table *table);

/* The number of an entry, which is added unless the table has it. */
cn_status cni_table_intern(cni_table *table, const cni_entry *entry, uint32_t *number);

/* Sets the number of a place. CN_ERR_MEMORY */
cn_status cni_table_set(cni_table *table, size_t place, uint32_t number);

/* Releases what only the addition of entries needs; no entry may be added afterwards. */
void cni_table_seal(cni_table *table);

static inline uint32_t cni_table_number(const cni_table *table, size_t place)
{
    return (uint32_t)cni_packed_at(&table->numbers, place);
}

static inline const cni_entry *cni_table_at(const cni_table *table, size_t place)
{
    return &table->entries[cni_table_number(table, place)];
}

/* Appends a lane, unless the lane has no ports; there is room for the lane. */
static inline void cni_add_lane(cni_entry *entry, uint64_t ports, uint64_t set, int is_escape)
{
    if (ports != 0)
        entry->lane[entry->lanes++] = (cni_lane){ports, set, is_escape};
}

#endif
