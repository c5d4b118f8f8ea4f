/*
 * Snapshots of simulations: written, read, copied.
 *
 * A snapshot is a head, the state, and a hash of both. Numbers are little endian:
 *
 *     "cubenet" 0 | version (4 bytes) | threads never matter: 0 (4) | bytes of all (8) | identity of the scenario (8) | seed (8)
 *     | name of the system (24) | state | hash (8)
 *
 * The version goes up whenever what any kernel, the counters or the batches visit changes, or what a simulation
 * makes of it.
 */
#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "scenario/scenario_json.h"
#include "scenario/system.h"
#include "simulation/kernel/mailbox.h"
#include "simulation/run/sim.h"

enum { VERSION = 2, NAME_BYTES = 24, HASH_BYTES = 8 };

static const char magic[8] = "cubenet";

/* ---- the state around the kernel ---- */

/* The cycle of the next look at a warm-up follows from the present one. */
static uint64_t look_after(uint64_t cycle)
{
    uint64_t look = CNI_BATCH_CYCLES;
    while (look <= cycle)
        look *= 2;
    return look;
}

static cn_status visit_clock(cn_sim *sim, cni_archive *archive)
{
    cni_warmup_test *warming = &sim->warming;
    uint64_t *const numbers[] = {&sim->cycle, &sim->warmup, &warming->sum, &warming->half,
                                 &warming->quarter};
    uint8_t deadlocked = sim->broken == CN_ERR_DEADLOCK, is_ahead = sim->is_ahead != 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        cni_archive_u64s(archive, numbers[i], 1);
    cni_archive_u8s(archive, &deadlocked, 1);
    cni_archive_u8s(archive, &is_ahead, 1);
    if (is_ahead)
        cni_archive_delivery(archive, &sim->ahead);
    CNI_ALLOW(sim->cycle <= UINT64_MAX / 2 &&
                  (sim->warmup <= sim->cycle || sim->warmup == cni_most_warmup(sim->scenario)),
              "its clock");
    if (!cni_archive_reads(archive))
        return CN_OK;
    warming->look = look_after(sim->cycle);
    sim->checked = sim->cycle;
    sim->broken = deadlocked ? CN_ERR_DEADLOCK : CN_OK;
    sim->is_ahead = is_ahead;
    return CN_OK;
}

/* The measured cycles, of which a deadlock may have ended the last ones. */
static int are_batches(const cn_sim *sim, const cni_batches *b)
{
    uint64_t measured = sim->cycle < sim->warmup ? 0 : sim->cycle - sim->warmup;
    if (b->length < CNI_BATCH_CYCLES || (b->length & (b->length - 1)) != 0 ||
        b->length > UINT64_MAX / 2 / CNI_BATCHES || b->full >= CNI_BATCHES ||
        b->filled >= b->length)
        return 0;
    uint64_t counted = b->full * b->length + b->filled;
    return counted == measured || (sim->broken != CN_OK && counted < measured);
}

static cn_status visit_batches(cn_sim *sim, cni_archive *archive)
{
    cni_batches *b = &sim->batches;
    uint64_t full = b->full;
    cni_archive_u64s(archive, sim->warm, CNI_COUNTERS);
    cni_archive_u64s(archive, sim->batched, CNI_COUNTERS);
    cni_archive_u64s(archive, &b->length, 1);
    cni_archive_u64s(archive, &b->filled, 1);
    cni_archive_u64s(archive, &full, 1);
    CNI_ALLOW(full < CNI_BATCHES, "its batches");
    for (size_t i = 0; i <= full; i++)
        cni_archive_u64s(archive, b->row[i], CNI_COUNTERS);
    if (cni_archive_reads(archive))
        b->full = (size_t)full;
    CNI_ALLOW(are_batches(sim, b), "its batches");
    return CN_OK;
}

static cn_status visit_sim(cn_sim *sim, cni_archive *archive)
{
    uint64_t counters[CNI_COUNTERS];
    CNI_TRY(visit_clock(sim, archive));
    CNI_TRY(visit_batches(sim, archive));
    CNI_TRY(cni_counts_visit(archive, &sim->cleared, NULL, 1));
    CNI_TRY(sim->kernel->visit(sim->state, archive));
    sim->kernel->count(sim->state, counters);
    CNI_ALLOW(counters[CNI_COUNT_CYCLES] == sim->cycle &&
                  counters[CNI_COUNT_ACCEPTED] ==
                      counters[CNI_COUNT_DELIVERED] + sim->kernel->in_flight(sim->state),
              "the number of messages");
    return CN_OK;
}

/* ---- the head ---- */

typedef struct head {
    uint8_t magic[sizeof magic];
    uint32_t version, unused;
    uint64_t bytes, identity, seed;
    uint8_t system[NAME_BYTES];
} head;

static void visit_head(cni_archive *archive, head *h)
{
    cni_archive_u8s(archive, h->magic, sizeof h->magic);
    cni_archive_u32s(archive, &h->version, 1);
    cni_archive_u32s(archive, &h->unused, 1);
    cni_archive_u64s(archive, &h->bytes, 1);
    cni_archive_u64s(archive, &h->identity, 1);
    cni_archive_u64s(archive, &h->seed, 1);
    cni_archive_u8s(archive, h->system, sizeof h->system);
}

static head head_of(const cn_scenario *scenario, uint64_t identity)
{
    head h = {.version = VERSION, .identity = identity, .seed = scenario->seed};
    const char *name = scenario->system->name;
    memcpy(h.magic, magic, sizeof magic);
    for (size_t i = 0; i + 1 < NAME_BYTES && name[i] != '\0'; i++)
        h.system[i] = (uint8_t)name[i];
    return h;
}

/* ---- writing ---- */

static cn_status write_all(const cn_sim *sim, cni_archive *archive, uint64_t bytes)
{
    head h = head_of(sim->scenario, sim->identity);
    h.bytes = bytes;
    visit_head(archive, &h);
    CNI_TRY(visit_sim((cn_sim *)sim, archive)); /* which reads it only */
    uint64_t hash = archive->to == NULL ? 0 : cni_hash_bytes(archive->to, archive->at);
    cni_archive_u64s(archive, &hash, 1);
    return CN_OK;
}

/* What an error other than a deadlock has left is no state. */
static cn_status check_whole(const char *function, const cn_sim *sim)
{
    if (sim->broken != CN_OK && sim->broken != CN_ERR_DEADLOCK)
        return cni_sim_fail_ended(function, sim);
    return CN_OK;
}

cn_status cn_sim_save(const cn_sim *sim, uint8_t data[], size_t capacity, size_t *size)
{
    CNI_REQUIRE(sim);
    if (capacity > 0)
        CNI_REQUIRE(data);
    CNI_TRY(check_whole(__func__, sim));
    cni_archive measure = {0};
    if (sim->identity == 0)
        ((cn_sim *)sim)->identity = cni_scenario_identity(sim->scenario); /* it never changes */
    CNI_TRY(write_all(sim, &measure, 0));
    cni_archive write = {.to = data, .room = capacity};
    if (capacity >= measure.at)
        CNI_TRY(write_all(sim, &write, measure.at));
    if (size != NULL)
        *size = cni_size(measure.at);
    if (capacity >= measure.at)
        return CN_OK;
    return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but the snapshot takes %llu bytes",
                    __func__, capacity, (unsigned long long)measure.at);
}

/* ---- reading ---- */

static cn_status check_scenario(const head *h, const cn_scenario *scenario)
{
    head own = head_of(scenario, cni_scenario_identity(scenario));
    if (memcmp(h->system, own.system, NAME_BYTES) != 0)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "cn_sim_restore: the snapshot is one of the system %.*s, but the scenario is "
            "one of %s",
            NAME_BYTES - 1, (const char *)h->system, scenario->system->name);
    if (h->seed != own.seed)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_sim_restore: the snapshot has the seed %llu, but the scenario has %llu",
                        (unsigned long long)h->seed, (unsigned long long)own.seed);
    if (h->identity == own.identity)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_sim_restore: the snapshot is one of another scenario of %s: its network, a "
                    "parameter, its traffic, routing, faults or operations differ",
                    scenario->system->name);
}

/* That it is one, of this version, undamaged, and of this scenario; leaves the archive at the state. */
static cn_status check_head(cni_archive *archive, const cn_scenario *scenario)
{
    head h;
    visit_head(archive, &h);
    if (archive->at + HASH_BYTES > archive->room || memcmp(h.magic, magic, sizeof magic) != 0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_sim_restore: the %llu bytes of data are no snapshot of cn_sim_save()",
                        (unsigned long long)archive->room);
    if (h.version != VERSION)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_sim_restore: the snapshot has version %lu, but this library reads "
                        "version %d alone",
                        (unsigned long)h.version, VERSION);
    if (h.bytes != archive->room)
        return cni_fail(CN_ERR_ARGUMENT,
                        "cn_sim_restore: the snapshot has %llu bytes, but size = %llu",
                        (unsigned long long)h.bytes, (unsigned long long)archive->room);
    uint64_t hash;
    cni_archive end = *archive;
    end.at = archive->room - HASH_BYTES;
    cni_archive_u64s(&end, &hash, 1);
    CNI_ALLOW(hash == cni_hash_bytes(archive->from, archive->room - HASH_BYTES) && h.unused == 0,
              "its hash is another");
    return check_scenario(&h, scenario);
}

static cn_status read_state(const cn_scenario *scenario, cni_archive *archive, cn_sim **sim)
{
    cn_sim *made = NULL;
    CNI_TRY(cni_sim_make(scenario, scenario->seed, &made));
    archive->room -= HASH_BYTES;
    cn_status status = visit_sim(made, archive);
    if (status == CN_OK && archive->at != archive->room)
        status = cni_fail_damaged("its length");
    if (status != CN_OK)
        cn_sim_close(&made);
    *sim = made;
    return status;
}

cn_status cn_sim_restore(const cn_scenario *scenario, const uint8_t data[], size_t size,
                         const cn_control *control, cn_sim **sim)
{
    cni_budget budget;
    CNI_REQUIRE(sim);
    *sim = NULL;
    CNI_REQUIRE(scenario);
    CNI_REQUIRE(data);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    CNI_TRY(cni_sim_check_simulator(__func__, scenario));
    cn_scenario own = *scenario;
    cni_archive archive = {.from = data, .room = size};
    own.budget = &budget;
    CNI_TRY(check_head(&archive, scenario));
    return read_state(&own, &archive, sim);
}

cn_status cn_sim_copy(const cn_sim *sim, const cn_control *control, cn_sim **copy)
{
    cni_budget budget;
    CNI_REQUIRE(copy);
    *copy = NULL;
    CNI_REQUIRE(sim);
    CNI_TRY(cni_budget_begin(&budget, __func__, control, 0));
    CNI_TRY(check_whole(__func__, sim));
    cni_archive archive = {0};
    CNI_TRY(visit_sim((cn_sim *)sim, &archive)); /* which reads it only */
    unsigned char *data = cni_allocate(archive.at + HASH_BYTES, 1);
    if (data == NULL)
        return CN_ERR_MEMORY;
    cni_archive write = {.to = data, .room = archive.at};
    cni_archive read = {.from = data, .room = archive.at + HASH_BYTES};
    cn_scenario own = *sim->scenario;
    own.budget = &budget;
    cn_status status = visit_sim((cn_sim *)sim, &write);
    if (status == CN_OK)
        status = read_state(&own, &read, copy);
    cni_release(data);
    return status;
}
