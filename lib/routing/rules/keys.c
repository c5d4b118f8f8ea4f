#include "routing/rules/keys.h"

#include "base/error.h"
#include "base/random.h"

enum { FIRST_SLOTS = 4096, SHORT_SET = 32, RECENT_BITS = 14 };

static inline uint64_t hash_of(uint64_t word)
{
    uint64_t hash = word * CNI_RANDOM_STEP;
    return (hash ^ hash >> 32) * CNI_RANDOM_STEP;
}

static inline size_t slot_of(const cni_key_map *map, uint64_t word)
{
    return (size_t)(hash_of(word) >> 16) & (map->slot_count - 1);
}

static inline cni_key_slot *recent_of(const cni_keys *keys, uint64_t word)
{
    return &keys->recent[hash_of(word) >> (64 - RECENT_BITS)];
}

/* The slots are more than the caches hold. */
static inline void fetch(const cni_key_slot *slot)
{
#if defined(__GNUC__)
    __builtin_prefetch(slot);
#else
    (void)slot;
#endif
}

/* The slot of a word, or the free one where it belongs, from where it is looked for: there is always
 * one. */
static inline cni_key_slot *find(const cni_key_map *map, uint64_t word, size_t at)
{
    while (map->slots[at].word != word && map->slots[at].word != 0)
        at = (at + 1) & (map->slot_count - 1);
    return &map->slots[at];
}

static cn_status open_map(cni_key_map *map, size_t slot_count)
{
    *map = (cni_key_map){.slot_count = slot_count};
    map->slots = cni_allocate(slot_count, sizeof *map->slots);
    return map->slots == NULL ? CN_ERR_MEMORY : CN_OK;
}

/* Room for so many more. */
static cn_status want(cni_key_map *map, size_t more)
{
    while (map->slot_count < 2 * (map->count + more)) {
        cni_key_map larger;
        CNI_TRY(open_map(&larger, 2 * map->slot_count));
        larger.count = map->count;
        for (size_t i = 0; i < map->slot_count; i++) {
            uint64_t word = map->slots[i].word;
            if (word != 0)
                *find(&larger, word, slot_of(&larger, word)) = map->slots[i];
        }
        cni_release(map->slots);
        *map = larger;
    }
    return CN_OK;
}

/* A word for a set of ports: itself if it is short, else its number. There is room for it. */
static uint64_t word_of(cni_key_map *sets, uint64_t ports)
{
    if (sets->slots == NULL)
        return ports;
    cni_key_slot *slot = find(sets, ports, slot_of(sets, ports));
    if (slot->word != ports)
        *slot = (cni_key_slot){ports, (uint32_t)++sets->count};
    return slot->number;
}

static cn_status add(cn_routing *routing, const cni_key *key, uint32_t *number)
{
    cni_entry entry = {0};
    routing->kind->shape(key, &entry);
    return cni_table_append(&routing->table, &entry, number);
}

cn_status cni_keys_find(cni_keys *keys, cn_routing *routing, const cni_key wanted[], size_t count,
                        uint32_t numbers[])
{
    cni_key_map *map = &keys->entries;
    uint64_t words[CNI_TARGETS];
    CNI_TRY(want(map, count));
    if (keys->sets.slots != NULL)
        CNI_TRY(want(&keys->sets, 2 * count));
    for (size_t i = 0; i < count; i++) {
        words[i] = word_of(&keys->sets, wanted[i].first) | word_of(&keys->sets, wanted[i].second)
                                                               << SHORT_SET;
        cni_key_slot *recent = recent_of(keys, words[i]);
        if (recent->word != words[i])
            fetch(&map->slots[slot_of(map, words[i])]);
    }
    for (size_t i = 0; i < count; i++) {
        cni_key_slot *recent = recent_of(keys, words[i]);
        numbers[i] = recent->number;
        if (recent->word == words[i])
            continue;
        cni_key_slot *slot = find(map, words[i], slot_of(map, words[i]));
        if (slot->word != words[i]) {
            CNI_TRY(add(routing, &wanted[i], &slot->number));
            slot->word = words[i];
            map->count++;
        }
        numbers[i] = slot->number;
        *recent = *slot;
    }
    return CN_OK;
}

cn_status cni_keys_open(cni_keys *keys, size_t ports)
{
    *keys = (cni_keys){0};
    if (ports > SHORT_SET)
        CNI_TRY(open_map(&keys->sets, FIRST_SLOTS));
    keys->recent = cni_allocate((size_t)1 << RECENT_BITS, sizeof *keys->recent);
    return keys->recent == NULL ? CN_ERR_MEMORY : open_map(&keys->entries, FIRST_SLOTS);
}

void cni_keys_close(cni_keys *keys)
{
    cni_release(keys->recent);
    cni_release(keys->entries.slots);
    cni_release(keys->sets.slots);
    *keys = (cni_keys){0};
}
