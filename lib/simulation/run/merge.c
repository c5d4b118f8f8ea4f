/*
 * The result of a simulation from the counts of its parts. The counts are whole numbers, which add
 * up; a simulation that has only these numbers then gives the result.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "simulation/run/saved.h"
#include "simulation/run/sim.h"
#include "topology/topology.h"

static const cni_saved saved = {"cubesum", "cn_result_merge_parts", "set of counts",
                                "cn_sim_save_counts()"};

/* What a part has counted, or all parts together. */
typedef struct tally {
    cn_sim sim; /* cycle, warm-up, counters at its end, and batches */
    uint64_t balance, totals[CNI_COUNTERS];
    cni_histogram delays;
    cni_counts counts; /* with statistics: of the nodes of the part, in the measured cycles */
    uint8_t has_hops;
} tally;

static cn_status visit_tally(void *object, cni_archive *archive)
{
    tally *t = object;
    cni_histogram *delays = &t->delays;
    cni_archive_u64s(archive, &t->sim.cycle, 1);
    cni_archive_u64s(archive, &t->sim.warmup, 1);
    cni_archive_u64s(archive, &t->balance, 1);
    cni_archive_u64s(archive, t->sim.warm, CNI_COUNTERS);
    cni_archive_u64s(archive, t->totals, CNI_COUNTERS);
    CNI_TRY(cni_visit_batches(archive, &t->sim.batches));
    CNI_ALLOW(t->sim.warmup < t->sim.cycle, "its batches");
    CNI_TRY(cni_archive_histogram(archive, &delays, 1));
    cni_archive_u8s(archive, &t->has_hops, 1);
    return cni_counts_visit(archive, &t->counts, NULL, 1);
}

/* ---- of a part ---- */

static cn_status save_tally(const cn_sim *sim, tally *t, uint8_t data[], size_t capacity,
                            size_t *size)
{
    t->sim = *sim;
    t->balance = sim->part->balance;
    sim->kernel->count(sim->state, t->totals);
    t->delays = *sim->kernel->delays(sim->state);
    CNI_TRY(cni_sim_counts(sim, &t->counts));
    t->has_hops = t->counts.hops != NULL;
    return cni_save(&saved, "cn_sim_save_counts", sim, visit_tally, t, data, capacity, size);
}

cn_status cn_sim_save_counts(cn_sim *sim, uint8_t data[], size_t capacity, size_t *size)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE_ARRAY(data, capacity);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    if (sim->part == NULL)
        return cni_fail(CN_ERR_STATE, "%s: the simulation is no part of one: cn_sim_result()",
                        __func__);
    CNI_TRY(cni_sim_check_measured(__func__, sim));
    CNI_TRY(cni_sim_check_conservation(sim));
    tally *t = cni_allocate(1, sizeof *t);
    CNI_TRY_MEMORY(t);
    cn_status status = save_tally(sim, t, data, capacity, size);
    cni_counts_close(&t->counts);
    cni_release(t);
    return status;
}

/* ---- of all parts ---- */

static void add_counters(uint64_t into[CNI_COUNTERS], const uint64_t from[CNI_COUNTERS])
{
    for (size_t i = CNI_COUNT_CYCLES + 1; i < CNI_COUNTERS; i++)
        into[i] += from[i];
}

/* Adds the counts of the nodes of a part, from its first node on. */
static void add_nodes(cni_counts *into, const cni_counts *part, uint64_t first)
{
    uint64_t *const to[] = {into->offered, into->accepted, into->delivered, into->queue};
    const uint64_t *const from[] = {part->offered, part->accepted, part->delivered, part->queue};
    if (into->words == 0)
        return;
    memcpy(into->load + first * into->ports, part->load,
           (size_t)(part->nodes * part->ports) * sizeof *into->load);
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        memcpy(to[i] + first, from[i], (size_t)part->nodes * sizeof *into->load);
    cni_histogram_merge(into->hops, part->hops);
}

static cn_status fail_cycles(const tally *whole, const tally *part, uint32_t number)
{
    return cni_fail(CN_ERR_ARGUMENT,
                    "cn_result_merge_parts: part %lu has measured from cycle %llu to %llu, but "
                    "another from %llu to %llu",
                    (unsigned long)number, (unsigned long long)part->sim.warmup,
                    (unsigned long long)part->sim.cycle, (unsigned long long)whole->sim.warmup,
                    (unsigned long long)whole->sim.cycle);
}

/* Adds the counts of a part. The first part brings the cycles, and the other parts must have the
 * same cycles. */
static cn_status add_tally(tally *whole, const tally *part, const cni_part_order *order,
                           uint64_t first)
{
    cn_sim *sim = &whole->sim;
    cni_counts counts = whole->counts;
    add_nodes(&counts, &part->counts, first);
    if (sim->cycle == 0) {
        *whole = *part;
        whole->counts = counts;
        return CN_OK;
    }
    if (sim->cycle != part->sim.cycle || sim->warmup != part->sim.warmup ||
        sim->batches.length != part->sim.batches.length ||
        sim->batches.full != part->sim.batches.full || whole->has_hops != part->has_hops)
        return fail_cycles(whole, part, order->part);
    whole->balance += part->balance;
    add_counters(whole->totals, part->totals);
    add_counters(sim->warm, part->sim.warm);
    for (size_t b = 0; b <= sim->batches.full; b++)
        add_counters(sim->batches.row[b], part->sim.batches.row[b]);
    cni_histogram_merge(&whole->delays, &part->delays);
    return CN_OK;
}

/* Reads the counts of a part and adds them. `seen` has a byte for each part. */
static cn_status take_part(const cn_scenario *scenario, cni_archive *archive, size_t count,
                           uint8_t seen[], tally *whole, tally *part)
{
    cni_part_order order;
    uint64_t first, nodes;
    CNI_TRY(cni_saved_check(&saved, archive, scenario, &order));
    if (order.parts != count)
        return cni_fail(
            CN_ERR_ARGUMENT,
            "cn_result_merge_parts: count = %zu, but the counts are those of one of %lu "
            "parts",
            count, (unsigned long)order.parts);
    CNI_TRY(cn_part_nodes(scenario->topology, order.part, order.parts, &first, &nodes));
    if (seen[order.part])
        return cni_fail(CN_ERR_ARGUMENT, "cn_result_merge_parts: part %lu of %lu is there twice",
                        (unsigned long)order.part, (unsigned long)order.parts);
    seen[order.part] = 1;
    if (whole->counts.words > 0)
        CNI_TRY(cni_counts_open_nodes(scenario->topology, nodes, CNI_ALL_COUNTS, &part->counts));
    CNI_TRY(visit_tally(part, archive));
    CNI_ALLOW(archive->at == archive->room, "its length");
    return add_tally(whole, part, &order, first);
}

/* Checks the sums for errors that one process would have found during the run. */
static cn_status check_whole(const cn_scenario *scenario, const tally *t)
{
    const uint64_t *warm = t->sim.warm;
    uint64_t waiting = warm[CNI_COUNT_ACCEPTED] - warm[CNI_COUNT_DELIVERED];
    CNI_ALLOW(cni_never_fall(warm, t->totals, CNI_COUNTERS), "the number of messages");
    if (t->balance != 0)
        return cni_fail(CN_ERR_INTERNAL,
                        "cn_result_merge_parts: messages were lost between the parts, or doubled");
    if (!cni_is_swamped(scenario, waiting, CNI_WARMUP_BACKLOG))
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSTABLE,
        "cn_result_merge_parts: %llu messages were in flight at the end of the warm-up, "
        "which one process would have ended early: lower the load or warmup_cycles",
        (unsigned long long)waiting);
}

/* A simulation that has the sums, but no network, gives the result. */
static cn_status put_result(cn_scenario *scenario, tally *t, cn_result *result)
{
    CNI_TRY(check_whole(scenario, t));
    t->sim.scenario = scenario;
    t->sim.kernel = scenario->system->kernel;
    if (t->counts.words > 0)
        cni_counts_find_forwarded(scenario->topology, &t->counts);
    t->counts.hops = t->has_hops ? t->counts.hops : NULL;
    t->counts.broadcasts = NULL;
    const cni_account account = {.totals = t->totals, .delays = &t->delays, .counts = &t->counts};
    return cni_sim_conclude(&t->sim, account, result);
}

static cn_status merge(const cn_scenario *scenario, const uint8_t *const data[],
                       const size_t sizes[], size_t count, tally t[2], cn_result **result)
{
    uint8_t *seen = cni_allocate(count, sizeof *seen);
    cn_status status = seen == NULL ? CN_ERR_MEMORY : CN_OK;
    if (status == CN_OK && scenario->value[CN_PARAM_STATISTICS] != 0.0)
        status = cni_counts_open(scenario->topology, &t[0].counts);
    for (size_t i = 0; i < count && status == CN_OK; i++) {
        cni_archive archive = {.from = data[i], .room = sizes[i]};
        memset(&t[1], 0, sizeof t[1]);
        status = data[i] == NULL
                     ? cni_fail(CN_ERR_ARGUMENT, "cn_result_merge_parts: data[%zu] is NULL", i)
                     : take_part(scenario, &archive, count, seen, &t[0], &t[1]);
        cni_counts_close(&t[1].counts);
    }
    cni_release(seen);
    CNI_TRY(status);
    *result = cni_result_new(scenario);
    CNI_TRY_MEMORY(*result);
    return put_result(cni_mutable(scenario), &t[0], *result);
}

cn_status cn_result_merge_parts(const cn_scenario *scenario, const uint8_t *const data[],
                                const size_t sizes[], size_t count, cn_result **result)
{
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE_BOTH(scenario, data);
    CNI_REQUIRE(sizes);
    CNI_TRY(cni_sim_check_simulator(__func__, scenario));
    CNI_TRY(cni_sim_check_divides(__func__, scenario));
    if (count == 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = 0, but there is at least one part", __func__);
    tally *t = cni_allocate(2, sizeof *t); /* of all parts, and of the next part */
    CNI_TRY_MEMORY(t);
    cn_status status = merge(scenario, data, sizes, count, t, result);
    cni_counts_close(&t[0].counts);
    cni_release(t);
    if (status != CN_OK)
        cn_result_free(result);
    return status;
}
