#include "routing/rules/packed.h"

cn_status cni_packed_open(cni_packed *packed, size_t count, uint32_t bits)
{
    size_t size = bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    void *places = cni_allocate(count, size);
    *packed = (cni_packed){.count = count};
    if (size == 2)
        packed->narrow = places;
    else if (size == 4)
        packed->medium = places;
    else
        packed->wide = places;
    return places == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_packed_close(cni_packed *packed)
{
    cni_release(packed->narrow);
    cni_release(packed->medium);
    cni_release(packed->wide);
    *packed = (cni_packed){0};
}

void cni_packed_set(cni_packed *packed, size_t place, const uint64_t numbers[], size_t count)
{
    for (size_t i = 0; packed->narrow != NULL && i < count; i++)
        packed->narrow[place + i] = (uint16_t)numbers[i];
    for (size_t i = 0; packed->medium != NULL && i < count; i++)
        packed->medium[place + i] = (uint32_t)numbers[i];
    for (size_t i = 0; packed->wide != NULL && i < count; i++)
        packed->wide[place + i] = numbers[i];
}
