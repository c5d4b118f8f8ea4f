#include "routing/rules/keys.h"

#include "base/error.h"
#include "base/random.h"

enum { FIRST_SLOTS = 4096, AHEAD = 8 };

static inline size_t slot_of(const cni_keys *keys, uint32_t class, const cni_key *key)
{
    uint64_t hash = (key->first * CNI_RANDOM_STEP ^ key->second) + class;
    hash *= CNI_RANDOM_STEP;
    return (size_t)(hash ^ hash >> 32) & (keys->slot_count - 1);
}

/* The slots are more than the caches hold. */
static inline void fetch(const cni_keys *keys, uint32_t class, const cni_key *key)
{
#if defined(__GNUC__)
    __builtin_prefetch(&keys->slots[slot_of(keys, class, key)]);
#else
    (void)keys, (void)class, (void)key;
#endif
}

/* The slot of a key, or the free one where it belongs: there is always one. */
static cni_key_slot *find(const cni_keys *keys, uint32_t class, const cni_key *key)
{
    size_t at = slot_of(keys, class, key);
    for (;; at = (at + 1) & (keys->slot_count - 1)) {
        cni_key_slot *slot = &keys->slots[at];
        if (slot->number == 0 || (slot->key.first == key->first &&
                                  slot->key.second == key->second && slot->class == class))
            return slot;
    }
}

static cn_status grow(cni_keys *keys)
{
    cni_keys larger = {.slot_count = 4 * keys->slot_count, .count = keys->count};
    larger.slots = cni_allocate(larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL)
        return CN_ERR_MEMORY;
    for (size_t i = 0; i < keys->slot_count; i++)
        if (keys->slots[i].number != 0)
            *find(&larger, keys->slots[i].class, &keys->slots[i].key) = keys->slots[i];
    cni_release(keys->slots);
    *keys = larger;
    return CN_OK;
}

static cn_status add(cni_keys *keys, cn_routing *routing, uint32_t class, const cni_key *key,
                     uint32_t *number)
{
    cni_entry entry = {0};
    routing->kind->shape(class, key, &entry);
    CNI_TRY(cni_table_intern(&routing->table, &entry, number));
    if (keys->slot_count < 2 * (keys->count + 1))
        CNI_TRY(grow(keys));
    *find(keys, class, key) = (cni_key_slot){*key, class, *number + 1};
    keys->count++;
    return CN_OK;
}

cn_status cni_keys_find(cni_keys *keys, cn_routing *routing, uint32_t class, const cni_key wanted[],
                        size_t count, uint32_t numbers[])
{
    for (size_t i = 0; i < AHEAD && i < count; i++)
        fetch(keys, class, &wanted[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            fetch(keys, class, &wanted[i + AHEAD]);
        const cni_key_slot *slot = find(keys, class, &wanted[i]);
        if (slot->number == 0)
            CNI_TRY(add(keys, routing, class, &wanted[i], &numbers[i]));
        else
            numbers[i] = slot->number - 1;
    }
    return CN_OK;
}

cn_status cni_keys_open(cni_keys *keys)
{
    *keys = (cni_keys){.slot_count = FIRST_SLOTS};
    keys->slots = cni_allocate(keys->slot_count, sizeof *keys->slots);
    return keys->slots == NULL ? CN_ERR_MEMORY : CN_OK;
}

void cni_keys_close(cni_keys *keys)
{
    cni_release(keys->slots);
    *keys = (cni_keys){0};
}
