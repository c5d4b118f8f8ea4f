/*
 * Snapshots of simulations: written, read, copied.
 *
 * A snapshot is a head, the state, and a hash of both. Numbers are little endian:
 *
 *     "cubenet" 0 (8 bytes) | version (4) | number of parts (2) | part (2) | bytes of all (8)
 *     | identity of the scenario (8) | seed (8) | name of the system (24) | state | hash (8)
 *
 * The version goes up with every change of the data that a visit writes, and with every change of
 * what a simulation makes of these data.
 */

#include "base/archive.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "simulation/kernel/mailbox.h"
#include "simulation/kernel/part.h"
#include "simulation/run/saved.h"
#include "simulation/run/sim.h"
#include "simulation/run/workload_run.h"

static cni_saved snapshot_for(const char *function)
{
    return (cni_saved){"cubenet", function, "snapshot", "cn_sim_save()"};
}

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
    CNI_ALLOW(!is_ahead || sim->workload == NULL, "a delivery that its workload has not taken");
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

static cn_status visit_sim(void *object, cni_archive *archive)
{
    cn_sim *sim = object;
    /* other counters may fall in a part of a network, and in a run that goes on after its end */
    size_t count = sim->kernel->ends || sim->part != NULL ? CNI_COUNT_OWN : CNI_COUNTERS;
    uint64_t counters[CNI_COUNTERS];
    CNI_TRY(visit_clock(sim, archive));
    cni_archive_u64s(archive, sim->warm, CNI_COUNTERS);
    cni_archive_u64s(archive, sim->batched, CNI_COUNTERS);
    CNI_TRY(cni_visit_batches(archive, &sim->batches));
    CNI_TRY(cni_counts_visit(archive, &sim->cleared, NULL, 1));
    CNI_TRY(sim->kernel->visit(sim->state, archive));
    if (sim->workload != NULL)
        CNI_TRY(cni_workload_run_visit(sim, archive));
    sim->kernel->count(sim->state, counters);
    CNI_ALLOW(counters[CNI_COUNT_CYCLES] == sim->cycle &&
                  cni_never_fall(sim->warm, sim->batched, count) &&
                  cni_never_fall(sim->batched, counters, count) &&
                  cni_sim_check_conservation(sim) == CN_OK,
              "the number of messages");
    return CN_OK;
}

/* ---- writing ---- */

cn_status cn_sim_save(const cn_sim *sim, uint8_t data[], size_t capacity, size_t *size)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE_ARRAY(data, capacity);
    CNI_TRY(cni_sim_check_state(__func__, sim));
    cni_saved kind = snapshot_for(NULL);
    return cni_save(&kind, __func__, sim, visit_sim, cni_mutable(sim), /* the visit only reads */
                    data, capacity, size);
}

/* ---- reading ---- */

static cn_status read_state(const cn_scenario *scenario, cni_archive *archive, cn_sim **sim)
{
    cn_sim *made = NULL;
    CNI_TRY(cni_sim_make(scenario, scenario->seed, &made));
    cn_status status = cni_sim_settle(made, scenario->budget);
    if (status == CN_OK)
        status = visit_sim(made, archive);
    if (status == CN_OK && archive->at != archive->room)
        status = cni_fail_damaged("its length");
    if (status != CN_OK)
        cn_sim_close(&made);
    *sim = made;
    return status;
}

cn_status cni_sim_read_snapshot(const char *function, const cn_scenario *scenario,
                                const uint8_t data[], size_t size, cni_part_order *order,
                                const cn_control *control, cn_sim **sim)
{
    cni_budget budget;
    CNI_TRY(cni_budget_begin(&budget, function, control, 0));
    CNI_TRY(cni_sim_check_simulator(function, scenario));
    cn_scenario own = *scenario;
    cni_archive archive = {.from = data, .room = size};
    cni_part_order found;
    own.budget = &budget;
    cni_saved kind = snapshot_for(function);
    CNI_TRY(cni_saved_check(&kind, &archive, scenario, &found));
    if ((found.parts > 0) != (order != NULL))
        return cni_fail(CN_ERR_ARGUMENT, "%s: the snapshot is one of %s", function,
                        order != NULL ? "a whole network: cn_sim_restore() takes it"
                                      : "a part of a network: cn_sim_restore_part() takes it");
    if (order != NULL) {
        order->part = found.part;
        order->parts = found.parts;
        CNI_TRY(cni_sim_check_part(function, scenario, order));
        own.part = order;
    }
    return read_state(&own, &archive, sim);
}

cn_status cn_sim_restore(const cn_scenario *scenario, const uint8_t data[], size_t size,
                         const cn_control *control, cn_sim **sim)
{
    CNI_REQUIRE_OUT(sim);
    CNI_REQUIRE_BOTH(scenario, data);
    return cni_sim_read_snapshot(__func__, scenario, data, size, NULL, control, sim);
}

cn_status cn_sim_copy(const cn_sim *sim, const cn_control *control, cn_sim **copy)
{
    CNI_REQUIRE_OUT(copy);
    CNI_REQUIRE(sim);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_sim_check_state(__func__, sim));
    CNI_TRY(cni_sim_check_whole(__func__, sim, "save and restore it with an exchange of its own"));
    cni_archive archive = {0};
    CNI_TRY(visit_sim(cni_mutable(sim), &archive)); /* the visit only reads */
    unsigned char *data = cni_allocate(archive.at + 1, 1);
    CNI_TRY_MEMORY(data);
    cni_archive write = {.to = data, .room = archive.at};
    cni_archive read = {.from = data, .room = archive.at};
    cn_scenario own = *sim->scenario;
    own.budget = &budget;
    cn_status status = visit_sim(cni_mutable(sim), &write);
    if (status == CN_OK)
        status = read_state(&own, &read, copy);
    cni_release(data);
    return status;
}
