/* A simulation driven by its caller: warm-up, batches and results around a kernel. */
#include "simulation/run/sim.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
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

void cni_sim_end_warmup(cn_sim *sim)
{
    if (sim->cycle >= sim->warmup)
        return;
    sim->warmup = sim->cycle;
    begin_measuring(sim);
}

cn_status cni_sim_open_with_seed(const cn_scenario *scenario, uint64_t seed, cn_sim **sim)
{
    cn_sim *made = CNI_NEW(made);
    if (made == NULL)
        return CN_ERR_MEMORY;
    made->kernel = scenario->system->kernel;
    made->warmup = (uint64_t)scenario->value[CN_PARAM_WARMUP_CYCLES];
    made->stride = 1;
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
    if (made->warmup == 0)
        begin_measuring(made);
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

uint64_t cn_sim_next_event(const cn_sim *sim)
{
    if (!CNI_IS_VALID(sim))
        return 0;
    return sim->broken == CN_OK ? sim->kernel->next_event(sim->state) : CN_NEVER;
}

uint64_t cni_sim_pending(const cn_sim *sim)
{
    uint64_t next = cn_sim_next_event(sim);
    return next == CN_NEVER ? sim->cycle == 0 : next - sim->cycle;
}

uint64_t cn_sim_in_flight(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    if (!CNI_IS_VALID(sim))
        return 0;
    sim->kernel->count(sim->state, counters);
    return counters[CNI_COUNT_ACCEPTED] - counters[CNI_COUNT_DELIVERED];
}

cn_status cn_sim_reset_statistics(cn_sim *sim)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    sim->warmup = sim->cycle;
    cni_batches_start(&sim->batches);
    begin_measuring(sim);
    return CN_OK;
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

/* Cycles in which nothing happens are skipped. The kernel is asked for them after a stride that doubles while
 * there are none and shrinks to a quarter when there are: so no more is stepped in vain than a few times what is not, and a
 * network that is never idle is seldom asked. */
static cn_status run_kernel(cn_sim *sim, uint64_t cycles)
{
    uint64_t now = sim->cycle, end = now + cycles;
    while (now < end) {
        uint64_t next = sim->kernel->next_event(sim->state);
        uint64_t idle = (next <= end ? next - 1 : end) - now;
        uint64_t part = end - now < sim->stride ? end - now : sim->stride;
        if (idle > 0)
            sim->kernel->skip(sim->state, idle);
        else
            CNI_TRY(sim->kernel->step(sim->state, part));
        if (idle > 0)
            sim->stride = sim->stride < 4 ? 1 : sim->stride / 4;
        else if (part == sim->stride)
            sim->stride *= 2;
        now += idle > 0 ? idle : part;
    }
    return CN_OK;
}

/* Up to the end of the warm-up or of the present batch. */
static cn_status step_part(cn_sim *sim, uint64_t cycles)
{
    cn_status status = run_kernel(sim, cycles);
    if (status == CN_ERR_DEADLOCK) { /* what was counted until then is still right */
        uint64_t counters[CNI_COUNTERS];
        sim->kernel->count(sim->state, counters);
        sim->cycle = counters[CNI_COUNT_CYCLES];
    }
    CNI_TRY(status);
    sim->cycle += cycles;
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
        uint64_t room =
            sim->cycle < sim->warmup ? sim->warmup - sim->cycle : cni_batches_room(&sim->batches);
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

static cn_status inject(const char *function, cn_sim *sim, uint64_t source, uint64_t destination,
                        uint64_t flits, uint64_t tag)
{
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(function, sim);
    uint64_t nodes = cn_topology_node_count(sim->scenario->topology);
    if (source >= nodes || destination >= nodes)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source = %llu, destination = %llu, but the nodes are 0 to %llu",
                        function, (unsigned long long)source, (unsigned long long)destination,
                        (unsigned long long)(nodes - 1));
    if (source == destination)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source and destination are both %llu, but they must differ", function,
                        (unsigned long long)source);
    return sim->kernel->inject(sim->state, source, destination, flits, tag);
}

cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t tag)
{
    CNI_REQUIRE(sim);
    return inject(__func__, sim, source, destination, 0, tag);
}

cn_status cn_sim_inject_flits(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t flits,
                              uint64_t tag)
{
    CNI_REQUIRE(sim);
    if (flits > 1 && !sim->kernel->has_flits)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: flits = %llu, but the messages of %s have no flits: it must be 0 or 1",
                        __func__, (unsigned long long)flits, sim->scenario->system->name);
    if (flits > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: flits = %llu, but it must be at most 2^32-1",
                        __func__, (unsigned long long)flits);
    return inject(__func__, sim, source, destination, flits, tag);
}

cn_status cn_sim_can_accept(const cn_sim *sim, uint64_t source)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    CNI_TRY(cni_check_node(__func__, "source", sim->scenario->topology, source));
    return sim->kernel->can_accept == NULL ? CN_OK
                                           : sim->kernel->can_accept(sim->state, __func__, source);
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
    return sim->kernel->inject(sim->state, source, CN_ALL_NODES, 0, tag);
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

cn_status cn_sim_report_trace(cn_sim *sim)
{
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    if (!cni_traffic_is_trace(cni_traffic_of(sim->scenario)))
        return cni_fail(CN_ERR_ARGUMENT, "%s: the traffic of the scenario is no trace", __func__);
    sim->kernel->report_trace(sim->state);
    return CN_OK;
}

/* Takes the next delivery out of the kernel, unless one is at hand. CN_DONE when there is none. */
static cn_status look_ahead(cn_sim *sim)
{
    if (!sim->is_ahead) {
        sim->ahead = (cn_delivery){0};
        CNI_TRY(sim->kernel->next_delivery(sim->state, &sim->ahead));
        sim->is_ahead = 1;
    }
    return CN_OK;
}

cn_status cn_sim_step_until(cn_sim *sim, uint64_t limit)
{
    cn_status found;
    CNI_REQUIRE(sim);
    if (sim->broken != CN_OK)
        return cni_sim_fail_ended(__func__, sim);
    while ((found = look_ahead(sim)) == CN_DONE && sim->cycle < limit) {
        uint64_t next = sim->kernel->next_event(sim->state);
        if (next == CN_NEVER)
            return CN_DONE;
        CNI_TRY(cn_sim_step(sim, (next < limit ? next : limit) - sim->cycle));
    }
    return found;
}

cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE(delivery);
    if (size < sizeof delivery->tag)
        return cni_fail(CN_ERR_ARGUMENT, "%s: size = %zu, but it must be sizeof(cn_delivery)",
                        __func__, size);
    cn_delivery next;
    CNI_TRY(look_ahead(sim));
    next = sim->ahead;
    sim->is_ahead = 0;
    memset(delivery, 0, size); /* members that only a newer header has */
    memcpy(delivery, &next, size < sizeof next ? size : sizeof next);
    return CN_OK;
}
