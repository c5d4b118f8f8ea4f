/* Saved data of a simulation: the head and the hash, and checks of counters. */
#include "simulation/run/saved.h"

#include <string.h>

#include "base/memory.h"
#include "scenario/scenario_json.h"
#include "scenario/system.h"

enum { VERSION = 6, MAGIC_BYTES = 8, NAME_BYTES = 24, HASH_BYTES = 8 };

typedef struct head {
    uint8_t magic[MAGIC_BYTES];
    /* part: number of the part << 16 | number of parts */
    uint32_t version, part;
    uint64_t bytes, identity, seed;
    uint8_t system[NAME_BYTES];
} head;

static void visit_head(cni_archive *archive, head *h)
{
    cni_archive_u8s(archive, h->magic, sizeof h->magic);
    cni_archive_u32s(archive, &h->version, 1);
    cni_archive_u32s(archive, &h->part, 1);
    cni_archive_u64s(archive, &h->bytes, 1);
    cni_archive_u64s(archive, &h->identity, 1);
    cni_archive_u64s(archive, &h->seed, 1);
    cni_archive_u8s(archive, h->system, sizeof h->system);
}

static void copy_name(uint8_t to[], const char *name, size_t room)
{
    for (size_t i = 0; i + 1 < room && name[i] != '\0'; i++)
        to[i] = (uint8_t)name[i];
}

static head head_of(const cni_saved *kind, const cn_scenario *scenario)
{
    head h = {
        .version = VERSION, .identity = cni_scenario_identity(scenario), .seed = scenario->seed};
    copy_name(h.magic, kind->magic, MAGIC_BYTES);
    copy_name(h.system, scenario->system->name, NAME_BYTES);
    return h;
}

/* ---- writing ---- */

static cn_status write_all(head *h, cn_status (*visit)(void *object, cni_archive *archive),
                           void *object, cni_archive *archive)
{
    visit_head(archive, h);
    CNI_TRY(visit(object, archive));
    uint64_t hash = archive->to == NULL ? 0 : cni_hash_bytes(archive->to, archive->at);
    cni_archive_u64s(archive, &hash, 1);
    return CN_OK;
}

cn_status cni_save(const cni_saved *kind, const char *function, const cn_sim *sim,
                   cn_status (*visit)(void *object, cni_archive *archive), void *object,
                   uint8_t data[], size_t capacity, size_t *size)
{
    head h = head_of(kind, sim->scenario);
    if (sim->part != NULL)
        h.part = sim->part->part << 16 | sim->part->parts;
    cni_archive measure = {0};
    CNI_TRY(write_all(&h, visit, object, &measure));
    h.bytes = measure.at;
    cni_archive write = {.to = data, .room = capacity};
    if (capacity >= measure.at)
        CNI_TRY(write_all(&h, visit, object, &write));
    CNI_GIVE(size, cni_size(measure.at));
    if (capacity >= measure.at)
        return CN_OK;
    return cni_fail_capacity(function, capacity, "the %s takes %llu bytes", kind->noun,
                             (unsigned long long)measure.at);
}

/* ---- reading ---- */

static cn_status check_scenario(const cni_saved *kind, const head *h, const cn_scenario *scenario)
{
    head own = head_of(kind, scenario);
    if (memcmp(h->system, own.system, NAME_BYTES) != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: the %s is one of the system %.*s, but the scenario is one of %s",
                        kind->reader, kind->noun, NAME_BYTES - 1, (const char *)h->system,
                        scenario->system->name);
    if (h->seed != own.seed)
        return cni_fail(CN_ERR_ARGUMENT, "%s: the %s has the seed %llu, but the scenario has %llu",
                        kind->reader, kind->noun, (unsigned long long)h->seed,
                        (unsigned long long)own.seed);
    if (h->identity == own.identity)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "%s: the %s is one of another scenario of %s: its network, a "
                    "parameter, its traffic, routing, faults, operations or workload differ",
                    kind->reader, kind->noun, scenario->system->name);
}

cn_status cni_saved_check(const cni_saved *kind, cni_archive *archive, const cn_scenario *scenario,
                          cni_part_order *order)
{
    head h;
    visit_head(archive, &h);
    if (archive->at + HASH_BYTES > archive->room || memcmp(h.magic, kind->magic, MAGIC_BYTES) != 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: the %llu bytes of data are no %s of %s", kind->reader,
                        (unsigned long long)archive->room, kind->noun, kind->maker);
    if (h.version != VERSION)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the %s has version %lu, but this library reads version %d alone",
                        kind->reader, kind->noun, (unsigned long)h.version, VERSION);
    if (h.bytes != archive->room)
        return cni_fail(CN_ERR_ARGUMENT, "%s: the %s has %llu bytes, but size = %llu", kind->reader,
                        kind->noun, (unsigned long long)h.bytes, (unsigned long long)archive->room);
    uint64_t hash;
    cni_archive end = *archive;
    end.at = archive->room -= HASH_BYTES;
    end.room += HASH_BYTES;
    cni_archive_u64s(&end, &hash, 1);
    CNI_ALLOW(hash == cni_hash_bytes(archive->from, archive->room), "its hash is another");
    *order = (cni_part_order){.part = h.part >> 16, .parts = h.part & UINT16_MAX};
    return check_scenario(kind, &h, scenario);
}

/* ---- counters ---- */

cn_status cni_visit_batches(cni_archive *archive, cni_batches *batches)
{
    uint64_t full = batches->full;
    cni_archive_u64s(archive, &batches->length, 1);
    cni_archive_u64s(archive, &batches->filled, 1);
    cni_archive_u64s(archive, &full, 1);
    CNI_ALLOW(full < CNI_BATCHES && batches->filled < batches->length &&
                  batches->length <= UINT64_MAX / 2 / CNI_BATCHES,
              "its batches");
    if (cni_archive_reads(archive))
        batches->full = (size_t)full;
    for (size_t row = 0; row <= full; row++)
        cni_archive_u64s(archive, batches->row[row], CNI_COUNTERS);
    return CN_OK;
}

int cni_never_fall(const uint64_t before[], const uint64_t after[], size_t count)
{
    uint64_t refused = before[CNI_COUNT_OFFERED] - before[CNI_COUNT_ACCEPTED];
    for (size_t i = 0; i < count; i++)
        if (before[i] > after[i])
            return 0;
    return before[CNI_COUNT_ACCEPTED] <= before[CNI_COUNT_OFFERED] &&
           after[CNI_COUNT_ACCEPTED] <= after[CNI_COUNT_OFFERED] &&
           refused <= after[CNI_COUNT_OFFERED] - after[CNI_COUNT_ACCEPTED];
}
