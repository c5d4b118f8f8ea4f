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

/* A warm-up ends early when the channels hold so many messages on average (warmup.c). */
enum { SWAMPED = 256 };

typedef struct tally {
    uint64_t cycle, warmup, balance;
    uint64_t warm[CNI_COUNTERS], totals[CNI_COUNTERS];
    cni_batches batches;
    cni_histogram delays;
    cni_counts counts; /* with statistics: of the nodes of the part, in the measured cycles */
    uint8_t has_hops;
} tally;

static cn_status visit_tally(void *object, cni_archive *archive)
{
    tally *t = object;
    cni_histogram *delays = &t->delays;
    cni_archive_u64s(archive, &t->cycle, 1);
    cni_archive_u64s(archive, &t->warmup, 1);
    cni_archive_u64s(archive, &t->balance, 1);
    cni_archive_u64s(archive, t->warm, CNI_COUNTERS);
    cni_archive_u64s(archive, t->totals, CNI_COUNTERS);
    CNI_TRY(cni_visit_batches(archive, &t->batches));
    CNI_ALLOW(t->warmup < t->cycle, "its batches");
    CNI_TRY(cni_archive_histogram(archive, &delays, 1));
    cni_archive_u8s(archive, &t->has_hops, 1);
    return cni_counts_visit(archive, &t->counts, NULL, 1);
}

/* ---- of a part ---- */

static cn_status save_tally(const cn_sim *sim, tally *t, uint8_t data[], size_t capacity,
                            size_t *size)
{
    t->cycle = sim->cycle;
    t->warmup = sim->warmup;
    t->balance = sim->part->balance;
    memcpy(t->warm, sim->warm, sizeof t->warm);
    cni_sim_totals(sim, t->totals);
    t->batches = sim->batches;
    t->delays = *sim->kernel->delays(sim->state);
    CNI_TRY(cni_sim_counts(sim, &t->counts));
    t->has_hops = t->counts.hops != NULL;
    return cni_save(&saved, "cn_sim_save_counts", sim, visit_tally, t, data, capacity, size);
}

cn_status cn_sim_save_counts(const cn_sim *sim, uint8_t data[], size_t capacity, size_t *size)
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

static void count_whole(const void *state, uint64_t counters[CNI_COUNTERS])
{
    memcpy(counters, ((const tally *)state)->totals, CNI_COUNTERS * sizeof *counters);
}

/* Each part has looked for lost messages; between the parts no message is lost when the balances
 * add up to 0. */
static uint64_t in_flight_whole(const void *state)
{
    const tally *t = state;
    return t->totals[CNI_COUNT_ACCEPTED] - t->totals[CNI_COUNT_DELIVERED];
}

static const cni_histogram *delays_whole(const void *state)
{
    return &((const tally *)state)->delays;
}

static void read_whole(const void *state, cni_counts *counts)
{
    const tally *t = state;
    cni_counts_copy(counts, &t->counts);
    if (!t->has_hops)
        counts->hops = NULL;
    counts->broadcasts = NULL;
}

static void close_whole(void *state)
{
    tally *t = state;
    cni_counts_close(&t->counts);
    cni_release(t);
}

/* Makes a simulation of the whole network that has counts, but no network. */
static cn_status open_whole(const cn_scenario *scenario, cni_kernel *kernel, cn_sim **sim)
{
    cn_sim *made = CNI_NEW(made);
    *sim = made;
    CNI_TRY_MEMORY(made);
    *kernel = *scenario->system->kernel;
    kernel->close = close_whole;
    kernel->count = count_whole;
    kernel->in_flight = in_flight_whole;
    kernel->delays = delays_whole;
    kernel->read = read_whole;
    made->kernel = kernel;
    tally *t = cni_allocate(1, sizeof *t);
    made->state = t;
    made->scenario = cni_scenario_duplicate(scenario);
    if (t == NULL || made->scenario == NULL)
        return CN_ERR_MEMORY;
    if (scenario->value[CN_PARAM_STATISTICS] == 0.0)
        return CN_OK;
    CNI_TRY(cni_counts_open(scenario->topology, 0, &made->cleared));
    return cni_counts_open(scenario->topology, 0, &t->counts);
}

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
                    (unsigned long)number, (unsigned long long)part->warmup,
                    (unsigned long long)part->cycle, (unsigned long long)whole->warmup,
                    (unsigned long long)whole->cycle);
}

static cn_status add_tally(tally *whole, const tally *part, const cni_part_order *order,
                           uint64_t first)
{
    add_nodes(&whole->counts, &part->counts, first);
    if (whole->cycle == 0) {
        cni_counts counts = whole->counts;
        *whole = *part;
        whole->counts = counts;
        return CN_OK;
    }
    if (whole->cycle != part->cycle || whole->warmup != part->warmup ||
        whole->batches.length != part->batches.length ||
        whole->batches.full != part->batches.full || whole->has_hops != part->has_hops)
        return fail_cycles(whole, part, order->part);
    whole->balance += part->balance;
    add_counters(whole->totals, part->totals);
    add_counters(whole->warm, part->warm);
    for (size_t b = 0; b <= part->batches.full; b++)
        add_counters(whole->batches.row[b], part->batches.row[b]);
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
        CNI_TRY(cni_counts_open_nodes(scenario->topology, nodes, 0, &part->counts));
    CNI_TRY(visit_tally(part, archive));
    CNI_ALLOW(archive->at == archive->room, "its length");
    return add_tally(whole, part, &order, first);
}

static cn_status take_parts(const cn_scenario *scenario, const uint8_t *const data[],
                            const size_t sizes[], size_t count, tally *whole)
{
    uint8_t *seen = cni_allocate(count, sizeof *seen);
    tally *part = cni_allocate(1, sizeof *part);
    cn_status status = seen == NULL || part == NULL ? CN_ERR_MEMORY : CN_OK;
    for (size_t i = 0; i < count && status == CN_OK; i++) {
        cni_archive archive = {.from = data[i], .room = sizes[i]};
        memset(part, 0, sizeof *part);
        status = data[i] == NULL
                     ? cni_fail(CN_ERR_ARGUMENT, "cn_result_merge_parts: data[%zu] is NULL", i)
                     : take_part(scenario, &archive, count, seen, whole, part);
        cni_counts_close(&part->counts);
    }
    cni_release(seen);
    cni_release(part);
    return status;
}

/* Checks the sums for errors that one process would have found during the run. */
static cn_status check_whole(const cn_sim *sim, const tally *t)
{
    const cn_topology *topology = sim->scenario->topology;
    uint64_t waiting = t->warm[CNI_COUNT_ACCEPTED] - t->warm[CNI_COUNT_DELIVERED];
    CNI_ALLOW(cni_never_fall(t->warm, t->totals, CNI_COUNTERS), "the number of messages");
    if (t->balance != 0)
        return cni_fail(CN_ERR_INTERNAL,
                        "cn_result_merge_parts: messages were lost between the parts, or doubled");
    if (sim->kernel->takes_all == NULL || !sim->kernel->takes_all(sim->scenario) ||
        waiting / SWAMPED < topology->nodes * topology->max_degree)
        return CN_OK;
    return cni_fail(
        CN_ERR_UNSTABLE,
        "cn_result_merge_parts: %llu messages were in flight at the end of the warm-up, "
        "which one process would have ended early: lower the load or warmup_cycles",
        (unsigned long long)waiting);
}

static cn_status merge(cn_sim *sim, const uint8_t *const data[], const size_t sizes[], size_t count,
                       cn_result **result)
{
    tally *t = sim->state;
    CNI_TRY(take_parts(sim->scenario, data, sizes, count, t));
    CNI_TRY(check_whole(sim, t));
    if (t->counts.words > 0)
        cni_counts_find_forwarded(sim->scenario->topology, &t->counts);
    sim->cycle = t->cycle;
    sim->warmup = t->warmup;
    sim->batches = t->batches;
    memcpy(sim->warm, t->warm, sizeof sim->warm);
    return cn_sim_result(sim, result);
}

cn_status cn_result_merge_parts(const cn_scenario *scenario, const uint8_t *const data[],
                                const size_t sizes[], size_t count, cn_result **result)
{
    cni_kernel kernel;
    cn_sim *sim = NULL;
    CNI_REQUIRE_OUT(result);
    CNI_REQUIRE_BOTH(scenario, data);
    CNI_REQUIRE(sizes);
    CNI_TRY(cni_sim_check_simulator(__func__, scenario));
    if (count == 0)
        return cni_fail(CN_ERR_ARGUMENT, "%s: count = 0, but there is at least one part", __func__);
    cn_status status = open_whole(scenario, &kernel, &sim);
    if (status == CN_OK)
        status = merge(sim, data, sizes, count, result);
    cn_sim_close(&sim);
    return status;
}
