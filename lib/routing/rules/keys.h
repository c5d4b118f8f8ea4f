/* The numbers of table entries, by what a search finds for a node. */
#ifndef CNI_ROUTING_RULES_KEYS_H
#define CNI_ROUTING_RULES_KEYS_H

#include "routing/rules/routing.h"

typedef struct cni_key_slot {
    uint64_t word; /* of the key; 0: free */
    uint32_t number;
} cni_key_slot;

/* Numbers by word, none of them for word 0, which has number 0. */
typedef struct cni_key_map {
    cni_key_slot *slots; /* by hash; a power of two of them */
    size_t slot_count, count;
} cni_key_map;

typedef struct cni_keys {
    cni_key_map entries;  /* by two words of at most 32 bits, one for each set of ports of a key */
    cni_key_map sets;     /* words of sets where nodes have more than 32 ports; else no slots */
    cni_key_slot *recent; /* by hash: slots of the entries looked at last, in the caches */
} cni_keys;

/* Close it also after a failure. */
cn_status cni_keys_open(cni_keys *keys, size_t ports);
void cni_keys_close(cni_keys *keys);

/* The numbers of at most CNI_TARGETS keys; entries that are not there are shaped and added. Keys that
 * differ have entries that differ, and the key without ports has entry 0. */
cn_status cni_keys_find(cni_keys *keys, cn_routing *routing, const cni_key wanted[], size_t count,
                        uint32_t numbers[]);

#endif
