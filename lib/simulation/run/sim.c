/* A simulation driven by its caller: warm-up, batches and results around a kernel. */
#include "simulation/run/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "topology/topology.h"

/* Cycles after which a step looks whether messages were lost. To look takes a walk through all queues, which
 * a caller who steps cycle by cycle must not pay for each time. */
enum { CHECK_CYCLES = 1024 };

static void begin_measuring(cn_sim *sim)
{
    sim->kernel->count(sim->state, sim->warm);
    memcpy(sim->batched, sim->warm, sizeof sim->batched);
    sim->kernel->clear_delays(sim->state);
}

/* ---- the warm-up ---- */

/* Messages per channel, on average, at which a warm-up is long enough: more would only fill the memory. */
enum { WARMUP_BACKLOG = 256 };

/* The shortest warm-up that finds its own end, and the part of `measure_cycles` that is the longest. */
enum { SHORTEST_WARMUP = 128, WARMUP_SHARE = 4 };

static void open_warmup(cn_sim *sim)
{
    const double *value = sim->scenario->value;
    double cycles = value[CN_PARAM_WARMUP_CYCLES];
    sim->warming.look = CNI_BATCH_CYCLES;
    sim->warming.automatic = cycles == CN_WARMUP_AUTOMATIC;
    if (sim->kernel->pending != NULL) /* it ends by itself: all of it is measured */
        cycles = 0.0;
    else if (sim->warming.automatic)
        cycles = floor(value[CN_PARAM_MEASURE_CYCLES] / WARMUP_SHARE);
    sim->warmup = (uint64_t)cycles;
    if (sim->warmup == 0)
        begin_measuring(sim);
}

/* From empty queues the messages in flight approach their mean m as m (1 - exp(-t/T)). When the second half of
 * the time so far has no tenth more of them than the quarter before, t is about 4 T or more. In a large network they
 * vary less than that by chance, and a smaller transient matters: the rise must not exceed the root of their number,
 * either. What is left of the transient is then small beside the half-width of any run that is long enough to have
 * one. Where their number varies so much that chance decides, it is still smaller. */
static int is_warm(const cni_warmup_test *test)
{
    double samples = (double)(test->look / (4 * (uint64_t)CNI_BATCH_CYCLES));
    if (test->look < SHORTEST_WARMUP)
        return 0;
    double before = (double)(test->half - test->quarter) / samples;
    double after = (double)(test->sum - test->half) / (2.0 * samples);
    return after - before <= fmin(0.1 * before, sqrt(before));
}

static void look_at_warmup(cn_sim *sim)
{
    cni_warmup_test *test = &sim->warming;
    uint64_t counters[CNI_COUNTERS];
    if (sim->cycle % CNI_BATCH_CYCLES != 0)
        return;
    if (test->automatic) {
        sim->kernel->count(sim->state, counters);
        test->sum += counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED];
    }
    if (sim->cycle != test->look)
        return;
    if (cni_sim_is_swamped(sim, WARMUP_BACKLOG) || (test->automatic && is_warm(test)))
        sim->warmup = sim->cycle;
    test->look *= 2;
    test->quarter = test->half;
    test->half = test->sum;
}

uint64_t cni_sim_warmup_room(const cn_sim *sim)
{
    uint64_t end = sim->warming.look < sim->warmup ? sim->warming.look : sim->warmup;
    return sim->cycle < sim->warmup ? end - sim->cycle : 0;
}

/* Cycles that may be simulated at once. */
static uint64_t room_of(const cn_sim *sim)
{
    uint64_t room = cni_sim_warmup_room(sim);
    uint64_t sample = CNI_BATCH_CYCLES - sim->cycle % CNI_BATCH_CYCLES;
    if (room == 0)
        return cni_batches_room(&sim->batches);
    return sim->warming.automatic && sample < room ? sample : room;
}

/* ---- opening, closing, stepping ---- */

cn_status cni_sim_open_with_seed(const cn_scenario *scenario, uint64_t seed, cn_sim **sim)
{
    cn_sim *made = CNI_NEW(made);
    if (made == NULL)
        return CN_ERR_MEMORY;
    made->kernel = scenario->system->kernel;
    cni_batches_start(&made->batches);
    cn_status status = CN_ERR_MEMORY;
    made->scenario = cni_scenario_copy(scenario);
    if (made->scenario != NULL)
        status = made->kernel->open(made->scenario, seed, &made->state);
    if (status != CN_OK) {
        cn_sim_close(&made);
        return status;
    }
    made->scenario->seed = seed;
    open_warmup(made);
    *sim = made;
    return CN_OK;
}

cn_status cn_sim_open(const cn_scenario *scenario, cn_sim **sim)
{
    CNI_REQUIRE(sim);
    *sim = NULL;
    CNI_REQUIRE(scenario);
    if (scenario->system->kernel == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no simulator", __func__,
                        scenario->system->name);
    CNI_TRY(cni_scenario_check(scenario));
    return cni_sim_open_with_seed(scenario, scenario->seed, sim);
}

void cn_sim_close(cn_sim **sim)
{
    if (sim == NULL || !CNI_IS_VALID(*sim))
        return;
    if ((*sim)->state != NULL)
        (*sim)->kernel->close((*sim)->state);
    cn_scenario_free(&(*sim)->scenario);
    cni_object_release(*sim);
    *sim = NULL;
}

uint64_t cn_sim_cycle(const cn_sim *sim)
{
    return !CNI_IS_VALID(sim) ? 0 : sim->cycle;
}

uint64_t cni_sim_batch_room(const cn_sim *sim)
{
    return sim->cycle < sim->warmup ? 0 : cni_batches_room(&sim->batches);
}

uint64_t cni_sim_pending(const cn_sim *sim)
{
    return sim->kernel->pending == NULL ? 0 : sim->kernel->pending(sim->state);
}

static void add_to_batch(cn_sim *sim, uint64_t cycles)
{
    uint64_t now[CNI_COUNTERS], counted[CNI_COUNTERS];
    sim->kernel->count(sim->state, now);
    for (size_t i = 0; i < CNI_COUNTERS; i++)
        counted[i] = now[i] - sim->batched[i];
    memcpy(sim->batched, now, sizeof sim->batched);
    cni_batches_add(&sim->batches, cycles, counted);
}

/* No more than room_of() at once. */
static cn_status step_part(cn_sim *sim, uint64_t cycles)
{
    cn_status status = sim->kernel->step(sim->state, cycles);
    if (status == CN_ERR_DEADLOCK) { /* what was counted until then is still right */
        uint64_t counters[CNI_COUNTERS];
        sim->kernel->count(sim->state, counters);
        sim->cycle = counters[CNI_COUNT_CYCLES];
    }
    CNI_TRY(status);
    sim->cycle += cycles;
    if (sim->cycle < sim->warmup)
        look_at_warmup(sim);
    if (sim->cycle == sim->warmup)
        begin_measuring(sim);
    else if (sim->cycle > sim->warmup)
        add_to_batch(sim, cycles);
    return CN_OK;
}

/* Accepted = delivered + in flight: nothing lost, nothing twice. */
static cn_status check_conservation(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    sim->kernel->count(sim->state, counters);
    uint64_t in_flight = sim->kernel->in_flight(sim->state);
    if (counters[CNI_COUNT_ACCEPTED] == counters[CNI_COUNT_DELIVERED] + in_flight)
        return CN_OK;
    return cni_fail(CN_ERR_INTERNAL,
                    "%llu messages were accepted, but %llu delivered and %llu are in "
                    "flight at cycle %llu",
                    (unsigned long long)counters[CNI_COUNT_ACCEPTED],
                    (unsigned long long)counters[CNI_COUNT_DELIVERED],
                    (unsigned long long)in_flight, (unsigned long long)sim->cycle);
}

cn_status cni_sim_fail_ended(const char *function, const cn_sim *sim)
{
    return cni_fail(CN_ERR_STATE, "%s: the simulation ended after cycle %llu: %s", function,
                    (unsigned long long)sim->cycle, cn_status_text(sim->broken));
}

cn_status cn_sim_step(cn_sim *sim, uint64_t cycles)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    if (cycles > UINT64_MAX / 2 - sim->cycle)
        return cni_fail(CN_ERR_ARGUMENT, "%s: cycles = %llu, but a run has at most 2^63 cycles",
                        __func__, (unsigned long long)cycles);
    while (cycles > 0 && sim->broken == CN_OK) {
        uint64_t room = room_of(sim);
        uint64_t part = cycles < room ? cycles : room;
        sim->broken = step_part(sim, part);
        cycles -= part;
    }
    if (sim->broken == CN_OK && sim->cycle - sim->checked >= CHECK_CYCLES) {
        sim->checked = sim->cycle;
        sim->broken = check_conservation(sim);
    }
    return sim->broken;
}

cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t tag)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    uint64_t nodes = cn_topology_node_count(sim->scenario->topology);
    if (source >= nodes || destination >= nodes)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source = %llu, destination = %llu, but the nodes are 0 to %llu",
                        __func__, (unsigned long long)source, (unsigned long long)destination,
                        (unsigned long long)(nodes - 1));
    if (source == destination)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source and destination are both %llu, but they must differ", __func__,
                        (unsigned long long)source);
    return sim->kernel->inject(sim->state, source, destination, tag);
}

cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint64_t tag)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    if (!sim->kernel->takes_broadcasts)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no broadcasts", __func__,
                        sim->scenario->system->name);
    CNI_TRY(cni_check_node(__func__, "source", sim->scenario->topology, source));
    return sim->kernel->inject(sim->state, source, CN_ALL_NODES, tag);
}

cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    if (capacity > 0)
        CNI_REQUIRE(loads);
    const cn_topology *topology = sim->scenario->topology;
    if (sim->kernel->channel_loads == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the simulator of %s does not count by channel",
                        __func__, sim->scenario->system->name);
    size_t needed = cni_size(topology->nodes * topology->max_degree);
    if (count != NULL)
        *count = needed;
    if (capacity < needed)
        return cni_fail(CN_ERR_CAPACITY, "%s: capacity = %zu, but %s has %zu channels", __func__,
                        capacity, topology->name, needed);
    sim->kernel->channel_loads(sim->state, loads);
    return CN_OK;
}

cn_status cni_sim_look(cn_sim *sim)
{
    if (sim->broken != CN_OK)
        return sim->broken;
    CNI_TRY(check_conservation(sim));
    return sim->kernel->look == NULL ? CN_OK : sim->kernel->look(sim->state);
}

cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    if (capacity > 0)
        CNI_REQUIRE(channels);
    size_t length = 0;
    const uint32_t *knot = NULL;
    cn_status looked = cni_sim_look(sim);
    if (sim->broken == CN_OK && looked != CN_OK && looked != CN_ERR_DEADLOCK)
        return looked;
    if (looked == CN_ERR_DEADLOCK && sim->kernel->knot != NULL)
        knot = sim->kernel->knot(sim->state, &length);
    if (knot == NULL)
        return cni_fail(CN_ERR_STATE, "%s: no dependency cycle is known: the simulation is %s",
                        __func__,
                        sim->broken == CN_ERR_DEADLOCK ? "deadlocked, but its system names none"
                                                       : "not deadlocked");
    if (count != NULL)
        *count = length;
    if (capacity < length)
        return cni_fail(CN_ERR_CAPACITY,
                        "%s: capacity = %zu, but the dependency cycle has %zu channels", __func__,
                        capacity, length);
    for (size_t i = 0; i < length; i++)
        channels[i] = knot[i];
    return CN_OK;
}

cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE(delivery);
    if (size < sizeof delivery->tag)
        return cni_fail(CN_ERR_ARGUMENT, "%s: size = %zu, but it must be sizeof(cn_delivery)",
                        __func__, size);
    cn_delivery next = {0};
    CNI_TRY(sim->kernel->next_delivery(sim->state, &next));
    memset(delivery, 0, size); /* members that only a newer header has */
    memcpy(delivery, &next, size < sizeof next ? size : sizeof next);
    return CN_OK;
}
