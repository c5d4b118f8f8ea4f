/* The numbers of table entries, by what a search finds for a node and class. */
#ifndef CNI_ROUTING_RULES_KEYS_H
#define CNI_ROUTING_RULES_KEYS_H

#include "routing/rules/routing.h"

typedef struct cni_key_slot {
    cni_key key;
    uint32_t class, number; /* of the entry, and 1 more; 0: free */
} cni_key_slot;

typedef struct cni_keys {
    cni_key_slot *slots; /* by hash; a power of two of them */
    size_t slot_count, count;
} cni_keys;

/* Close it also after a failure. */
cn_status cni_keys_open(cni_keys *keys);
void cni_keys_close(cni_keys *keys);

/* The numbers of these keys of a class; entries that are not there are shaped and added. */
cn_status cni_keys_find(cni_keys *keys, cn_routing *routing, uint32_t class, const cni_key wanted[],
                        size_t count, uint32_t numbers[]);

#endif
