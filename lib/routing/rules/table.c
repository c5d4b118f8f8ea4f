/* The table of a routing: each different entry once, and packed numbers of entries by place. */
#include "routing/rules/table.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"

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

/* ---- entries ---- */

enum { FIRST_SLOTS = 256 };

static uint64_t hash_of(const cni_entry *entry)
{
    uint64_t hash = entry->ports;
    for (uint32_t i = 0; i < entry->lanes; i++) {
        hash = hash * CNI_RANDOM_STEP ^ entry->lane[i].ports;
        hash = hash * CNI_RANDOM_STEP ^ entry->lane[i].set ^ (uint64_t)entry->lane[i].is_escape;
    }
    return cni_random_mix(hash);
}

static int same_entries(const cni_entry *a, const cni_entry *b)
{
    int equal = a->ports == b->ports && a->lanes == b->lanes;
    for (uint32_t i = 0; equal && i < a->lanes; i++)
        equal = a->lane[i].ports == b->lane[i].ports && a->lane[i].set == b->lane[i].set &&
                a->lane[i].is_escape == b->lane[i].is_escape;
    return equal;
}

/* The slot of an entry, or the free one where it belongs: there is always one. */
static size_t slot_of(const cni_table *table, const cni_entry *entry)
{
    size_t at = (size_t)hash_of(entry) & (table->slot_count - 1);
    while (table->slots[at] != 0 && !same_entries(&table->entries[table->slots[at] - 1], entry))
        at = (at + 1) & (table->slot_count - 1);
    return at;
}

static cn_status grow_slots(cni_table *table)
{
    size_t count = table->slot_count == 0 ? FIRST_SLOTS : 2 * table->slot_count;
    uint32_t *slots = cni_allocate(count, sizeof *slots);
    CNI_TRY_MEMORY(slots);
    cni_release(table->slots);
    table->slots = slots;
    table->slot_count = count;
    for (size_t i = 0; i < table->count; i++)
        slots[slot_of(table, &table->entries[i])] = (uint32_t)i + 1;
    return CN_OK;
}

cn_status cni_table_intern(cni_table *table, const cni_entry *entry, uint32_t *number)
{
    if (table->slot_count < 2 * (table->count + 1))
        CNI_TRY(grow_slots(table));
    size_t slot = slot_of(table, entry);
    *number = table->slots[slot] - 1;
    if (table->slots[slot] != 0)
        return CN_OK;
    CNI_TRY(cni_grow(&table->entries, &table->capacity, table->count + 1, sizeof *table->entries));
    table->entries[table->count] = *entry;
    *number = (uint32_t)table->count++;
    table->slots[slot] = *number + 1;
    return CN_OK;
}

cn_status cni_table_open(cni_table *table)
{
    uint32_t empty;
    *table = (cni_table){0};
    return cni_table_intern(table, &(cni_entry){0}, &empty);
}

cn_status cni_table_want(cni_table *table, size_t places)
{
    return cni_packed_open(&table->numbers, places, 16);
}

void cni_table_close(cni_table *table)
{
    cni_release(table->entries);
    cni_packed_close(&table->numbers);
    cni_release(table->slots);
    memset(table, 0, sizeof *table);
}

static cn_status widen(cni_packed *numbers)
{
    cni_packed wider;
    CNI_TRY(cni_packed_open(&wider, numbers->count, 32));
    for (size_t i = 0; i < numbers->count; i++)
        wider.medium[i] = numbers->narrow[i];
    cni_packed_close(numbers);
    *numbers = wider;
    return CN_OK;
}

cn_status cni_table_set(cni_table *table, size_t place, uint32_t number)
{
    uint64_t word = number;
    if (number > UINT16_MAX && table->numbers.narrow != NULL)
        CNI_TRY(widen(&table->numbers));
    cni_packed_set(&table->numbers, place, &word, 1);
    return CN_OK;
}

void cni_table_seal(cni_table *table)
{
    cni_release(table->slots);
    table->slots = NULL;
    table->slot_count = 0;
}
