/* Whole numbers by place, all of them in 16, 32 or 64 bits. */
#ifndef CNI_ROUTING_RULES_PACKED_H
#define CNI_ROUTING_RULES_PACKED_H

#include "base/memory.h"

/* At most one of them is there. */
typedef struct cni_packed {
    size_t count;
    uint16_t *narrow;
    uint32_t *medium;
    uint64_t *wide;
} cni_packed;

/* Places for numbers of so many bits, all 0. Close it also after a failure. */
cn_status cni_packed_open(cni_packed *packed, size_t count, uint32_t bits);
void cni_packed_close(cni_packed *packed);

/* Sets places that follow each other. */
void cni_packed_set(cni_packed *packed, size_t place, const uint64_t numbers[], size_t count);

static inline uint64_t cni_packed_at(const cni_packed *packed, size_t place)
{
    if (packed->narrow != NULL)
        return packed->narrow[place];
    return packed->medium != NULL ? packed->medium[place] : packed->wide[place];
}

#endif
