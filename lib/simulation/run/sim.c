/* A simulation driven by its caller: warm-up and batches around a kernel. */
#include "simulation/run/sim.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "simulation/run/workload_run.h"
#include "topology/topology.h"

/* After so many cycles a step looks for lost messages. A look walks through all queues, and a
 * caller that steps cycle by cycle must not pay for that each time. */
enum { CHECK_CYCLES = 1024 };

static void begin_measuring(cn_sim *sim)
{
    sim->kernel->count(sim->state, sim->warm);
    memcpy(sim->batched, sim->warm, sizeof sim->batched);
    sim->kernel->clear_delays(sim->state);
    if (sim->cleared.words > 0)
        sim->kernel->read(sim->state, &sim->cleared);
    if (sim->workload != NULL)
        cni_workload_run_begin(sim->workload, sim->cycle);
}

static cn_status open_counts(cn_sim *sim)
{
    const cn_scenario *scenario = sim->scenario;
    int all = scenario->value[CN_PARAM_STATISTICS] != 0.0;
    if (!all && !sim->kernel->counts_channels)
        return CN_OK;
    return cni_counts_open_nodes(scenario->topology, cni_sim_nodes(sim),
                                 all ? CNI_ALL_COUNTS : CNI_LOADS_ALONE, &sim->cleared);
}

static void begin_warmup(cn_sim *sim)
{
    sim->warming.look = CNI_BATCH_CYCLES;
    sim->warmup = cni_most_warmup(sim->scenario);
    if (sim->warmup == 0)
        begin_measuring(sim);
}

/* Cycles that may be simulated at once. */
static uint64_t room_of(const cn_sim *sim)
{
    uint64_t room = cni_sim_warmup_room(sim);
    uint64_t sample = CNI_BATCH_CYCLES - sim->cycle % CNI_BATCH_CYCLES;
    if (room == 0)
        return cni_workload_run_room(sim, cni_batches_room(&sim->batches));
    return sim->warming.automatic && sample < room ? sample : room;
}

/* ---- opening, closing, stepping ---- */

cn_status cni_sim_make(const cn_scenario *scenario, uint64_t seed, cn_sim **sim)
{
    cn_sim *made = CNI_NEW(made);
    CNI_TRY_MEMORY(made);
    made->kernel = scenario->system->kernel;
    made->stride = 1;
    cni_batches_start(&made->batches);
    cn_status status = CN_ERR_MEMORY;
    made->scenario = cni_scenario_duplicate(scenario);
    if (made->scenario != NULL) {
        made->scenario->budget = scenario->budget;
        made->scenario->part = scenario->part;
        status = made->kernel->open(made->scenario, seed, &made->state);
        if (status == CN_OK && made->scenario->limit.is_known)
            status = cni_sim_settle(made, scenario->budget);
        made->scenario->budget = NULL;
        made->scenario->part = NULL;
        /* a later copy of this scenario may get other parameters, for which the limit is wrong */
        made->scenario->limit = (cni_store_limit){0};
    }
    if (status == CN_OK && scenario->part != NULL)
        made->part = made->kernel->part(made->state);
    if (status == CN_OK)
        status = open_counts(made);
    if (status == CN_OK && cni_workload_of(scenario) != NULL)
        status = cni_workload_run_open(made);
    if (status != CN_OK) {
        cn_sim_close(&made);
        return status;
    }
    made->scenario->seed = seed;
    made->warming.automatic = scenario->value[CN_PARAM_WARMUP_CYCLES] == CN_WARMUP_AUTOMATIC;
    *sim = made;
    return CN_OK;
}

cn_status cni_sim_open_with_seed(const cn_scenario *scenario, uint64_t seed, cn_sim **sim)
{
    cn_sim *made = NULL;
    CNI_TRY(cni_sim_make(scenario, seed, &made));
    begin_warmup(made); /* before messages are offered, which count if there is no warm-up */
    cn_status status = made->kernel->begin == NULL ? CN_OK : made->kernel->begin(made->state);
    if (status == CN_OK)
        status = cni_workload_run_look(made);
    if (status != CN_OK)
        cn_sim_close(&made);
    *sim = made;
    return status;
}

cn_status cni_sim_check_simulator(const char *function, const cn_scenario *scenario)
{
    if (scenario->system->kernel == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no simulator", function,
                        scenario->system->name);
    return cni_scenario_check(scenario);
}

cn_status cn_sim_open(const cn_scenario *scenario, const cn_control *control, cn_sim **sim)
{
    CNI_REQUIRE_OUT(sim);
    CNI_REQUIRE(scenario);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_sim_check_simulator(__func__, scenario));
    cn_scenario own = *scenario;
    own.budget = &budget;
    return cni_sim_open_with_seed(&own, scenario->seed, sim);
}

void cn_sim_close(cn_sim **sim)
{
    if (sim == NULL || !CNI_IS_VALID(*sim))
        return;
    if ((*sim)->state != NULL)
        (*sim)->kernel->close((*sim)->state);
    cni_workload_run_close((*sim)->workload);
    cni_counts_close(&(*sim)->cleared);
    cn_scenario_free(&(*sim)->scenario);
    cni_object_release(*sim);
    *sim = NULL;
}

CNI_GETTER(uint64_t, cn_sim_cycle, sim, sim->cycle, 0);

uint64_t cn_sim_next_event(const cn_sim *sim)
{
    if (!CNI_IS_VALID(sim))
        return 0;
    if (sim->broken != CN_OK)
        return CN_NEVER;
    uint64_t event = sim->kernel->next_event(sim->state);
    uint64_t ready = sim->workload == NULL ? CN_NEVER : cni_workload_run_next(sim);
    return event < ready ? event : ready;
}

uint64_t cni_sim_pending(const cn_sim *sim)
{
    int is_over = sim->workload != NULL && cni_workload_run_is_over(sim->workload);
    uint64_t next = is_over ? CN_NEVER : cn_sim_next_event(sim);
    if (next != CN_NEVER)
        return next - sim->cycle;
    /* 1 while no cycle is measured */
    return sim->cycle == (sim->workload == NULL ? 0 : sim->warmup);
}

uint64_t cn_sim_in_flight(const cn_sim *sim)
{
    uint64_t counters[CNI_COUNTERS];
    if (!CNI_IS_VALID(sim))
        return 0;
    sim->kernel->count(sim->state, counters);
    return counters[CNI_COUNT_ACCEPTED] + cni_sim_balance(sim) - counters[CNI_COUNT_DELIVERED];
}

cn_status cn_sim_reset_statistics(cn_sim *sim)
{
    CNI_REQUIRE(sim);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    sim->warmup = sim->cycle;
    cni_batches_start(&sim->batches);
    begin_measuring(sim);
    sim->broken = cni_workload_run_look(sim);
    return sim->broken;
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

/* Skips the cycles in which nothing happens. After each stride the kernel tells the next event.
 * The stride doubles while there are no idle cycles, and shrinks to a quarter when there are
 * some. So the cycles that are stepped in vain are at most a few times the other cycles, and a
 * network that is never idle is seldom asked. */
static cn_status run_kernel(cn_sim *sim, uint64_t cycles)
{
    uint64_t now = sim->cycle, end = now + cycles;
    CNI_TRY(cni_sim_settle(sim, NULL));
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

/* Steps so many cycles, at most room_of(). */
static cn_status step_part(cn_sim *sim, uint64_t cycles)
{
    cn_status status = run_kernel(sim, cycles);
    if (status == CN_ERR_DEADLOCK) { /* the counts up to the deadlock are right */
        uint64_t counters[CNI_COUNTERS];
        sim->kernel->count(sim->state, counters);
        sim->cycle = counters[CNI_COUNT_CYCLES];
    }
    CNI_TRY(status);
    sim->cycle += cycles;
    if (sim->cycle < sim->warmup)
        cni_sim_look_at_warmup(sim);
    if (sim->cycle == sim->warmup)
        begin_measuring(sim);
    else if (sim->cycle > sim->warmup)
        add_to_batch(sim, cycles);
    return CN_OK;
}

cn_status cni_sim_check_running(const char *function, const cn_sim *sim)
{
    if (sim->broken == CN_OK)
        return CN_OK;
    return cni_fail(CN_ERR_STATE, "%s: the simulation ended after cycle %llu: %s", function,
                    (unsigned long long)sim->cycle, cn_status_text(sim->broken));
}

/* The cycles to step before the clock is read, which take some milliseconds; idle cycles do not
 * count. */
static uint64_t pace_of(const cn_sim *sim)
{
    enum { NODE_CYCLES = 1 << 16 };
    uint64_t pace = 1 + NODE_CYCLES / cni_sim_nodes(sim);
    uint64_t idle = sim->kernel->next_event(sim->state) - sim->cycle;
    return idle > pace ? idle : pace;
}

/* Looks at the budget, unless that was a moment ago. */
static void look_in_time(cn_sim *sim, cni_budget *budget)
{
    static const double LOOK_SECONDS = 0.005;
    double now = cni_clock();
    if (now < sim->looked + LOOK_SECONDS)
        return;
    sim->looked = now;
    cni_sim_show(sim, budget);
    cni_budget_look(budget);
}

cn_status cni_sim_advance(cn_sim *sim, uint64_t cycles, cni_budget *budget)
{
    int is_watched = cni_budget_is_watched(budget);
    while (cycles > 0 && sim->broken == CN_OK && cni_budget_work(budget, 0)) {
        uint64_t room = room_of(sim), pace = is_watched ? pace_of(sim) : room;
        uint64_t most = pace < room ? pace : room, part = cycles < most ? cycles : most;
        sim->broken = step_part(sim, part);
        if (sim->broken == CN_OK)
            sim->broken = cni_workload_run_look(sim);
        cycles -= part;
        if (!is_watched)
            continue;
        budget->done += part;
        look_in_time(sim, budget);
    }
    if (sim->broken == CN_OK && sim->cycle - sim->checked >= CHECK_CYCLES) {
        sim->checked = sim->cycle;
        sim->broken = cni_sim_check_conservation(sim);
    }
    return sim->broken;
}

cn_status cn_sim_step(cn_sim *sim, uint64_t cycles, const cn_control *control)
{
    CNI_REQUIRE(sim);
    CNI_BUDGET(budget, control, cycles);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    if (cycles > UINT64_MAX / 2 - sim->cycle)
        return cni_fail(CN_ERR_ARGUMENT, "%s: cycles = %llu, but a run has at most 2^63 cycles",
                        __func__, (unsigned long long)cycles);
    if (sim->part != NULL)
        return cni_sim_advance_part(sim, cycles, &budget);
    CNI_TRY(cni_sim_advance(sim, cycles, &budget));
    return cni_budget_answer(&budget);
}

/* CN_ERR_STATE once the simulation has ended, and for a simulation of a workload, which takes
 * all deliveries. */
static cn_status check_free(const char *function, const cn_sim *sim)
{
    CNI_TRY(cni_sim_check_running(function, sim));
    if (sim->workload == NULL)
        return CN_OK;
    return cni_fail(CN_ERR_STATE,
                    "%s: the simulation has a workload, which injects its messages itself",
                    function);
}

/* CN_OK for a length that messages of the system can have; 0 stands for the length in the
 * scenario. */
static cn_status check_flits(const char *function, const cn_sim *sim, uint64_t flits)
{
    if (flits > 1 && !sim->kernel->has_flits)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: flits = %llu, but the messages of %s have no flits: it must be 0 or 1",
                        function, (unsigned long long)flits, sim->scenario->system->name);
    if (flits > UINT32_MAX)
        return cni_fail(CN_ERR_ARGUMENT, "%s: flits = %llu, but it must be at most 2^32-1",
                        function, (unsigned long long)flits);
    return CN_OK;
}

cn_status cn_sim_inject(cn_sim *sim, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag)
{
    CNI_REQUIRE(sim);
    CNI_TRY(check_flits(__func__, sim, flits));
    CNI_TRY(check_free(__func__, sim));
    CNI_TRY(cni_sim_check_node(__func__, "source", sim, source));
    CNI_TRY(cni_check_node(__func__, "destination", sim->scenario->topology, destination));
    if (source == destination)
        return cni_fail(CN_ERR_ARGUMENT,
                        "%s: source and destination are both %llu, but they must differ", __func__,
                        (unsigned long long)source);
    return sim->kernel->inject(sim->state, source, destination, flits, tag);
}

cn_status cn_sim_can_accept(const cn_sim *sim, uint64_t source)
{
    CNI_REQUIRE(sim);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    CNI_TRY(cni_sim_check_node(__func__, "source", sim, source));
    return sim->kernel->can_accept == NULL ? CN_OK
                                           : sim->kernel->can_accept(sim->state, __func__, source);
}

cn_status cn_sim_queued(const cn_sim *sim, uint64_t node, uint64_t *messages)
{
    CNI_REQUIRE_BOTH(sim, messages);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    if (sim->kernel->queued == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the operations of %s do not wait at one node for themselves", __func__,
                        sim->scenario->system->name);
    CNI_TRY(cni_sim_check_node(__func__, "node", sim, node));
    *messages = sim->kernel->queued(sim->state, node);
    return CN_OK;
}

cn_status cn_sim_inject_broadcast(cn_sim *sim, uint64_t source, uint32_t base, uint64_t tag)
{
    CNI_REQUIRE(sim);
    CNI_TRY(check_free(__func__, sim));
    if (sim->kernel->inject_broadcast == NULL)
        return cni_fail(CN_ERR_UNSUPPORTED, "%s: the system %s has no broadcasts", __func__,
                        sim->scenario->system->name);
    CNI_TRY(cni_check_node(__func__, "source", sim->scenario->topology, source));
    return sim->kernel->inject_broadcast(sim->state, source, base, tag);
}

cn_status cn_sim_channel_loads(const cn_sim *sim, uint64_t loads[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE_ARRAY(loads, capacity);
    const cni_counts *cleared = &sim->cleared;
    if (cleared->words == 0)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "%s: the simulator of %s counts by channel only with statistics = yes",
                        __func__, sim->scenario->system->name);
    size_t needed = cni_size(cleared->nodes * cleared->ports);
    CNI_REQUIRE_FIT(needed, capacity, count, "%s has %zu channels", sim->scenario->topology->name,
                    needed);
    cni_counts now = {.nodes = cleared->nodes, .ports = cleared->ports, .load = loads};
    sim->kernel->read(sim->state, &now);
    for (size_t channel = 0; channel < needed; channel++)
        loads[channel] -= cleared->load[channel];
    return CN_OK;
}

cn_status cni_sim_look(cn_sim *sim)
{
    if (sim->broken != CN_OK)
        return sim->broken;
    CNI_TRY(cni_sim_check_conservation(sim));
    return sim->kernel->look == NULL ? CN_OK : sim->kernel->look(sim->state);
}

cn_status cn_sim_deadlock(cn_sim *sim, uint64_t channels[], size_t capacity, size_t *count)
{
    CNI_REQUIRE(sim);
    CNI_REQUIRE_ARRAY(channels, capacity);
    size_t length = 0;
    const uint32_t *knot = NULL;
    const cni_kernel *kernel = sim->kernel;
    int has_ended = sim->broken == CN_ERR_DEADLOCK && kernel->look != NULL;
    cn_status looked = has_ended ? kernel->look(sim->state) : cni_sim_look(sim);
    if (looked != CN_OK && looked != CN_ERR_DEADLOCK && looked != sim->broken)
        return looked;
    if (looked == CN_ERR_DEADLOCK && kernel->knot != NULL)
        knot = kernel->knot(sim->state, &length);
    if (knot == NULL)
        return cni_fail(CN_ERR_STATE, "%s: no dependency cycle is known: the simulation is %s",
                        __func__,
                        sim->broken == CN_ERR_DEADLOCK ? "deadlocked, but its system names none"
                                                       : "not deadlocked");
    CNI_REQUIRE_FIT(length, capacity, count, "the dependency cycle has %zu channels", length);
    for (size_t i = 0; i < length; i++)
        channels[i] = knot[i];
    return CN_OK;
}

cn_status cn_sim_report_trace(cn_sim *sim)
{
    CNI_REQUIRE(sim);
    CNI_TRY(check_free(__func__, sim));
    if (!cni_traffic_is_trace(cni_traffic_of(sim->scenario)))
        return cni_fail(CN_ERR_ARGUMENT, "%s: the traffic of the scenario is no trace", __func__);
    sim->kernel->report_trace(sim->state);
    return CN_OK;
}

/* Takes the next delivery out of the kernel, unless a delivery is at hand. CN_DONE without a
 * delivery. */
static cn_status look_ahead(cn_sim *sim)
{
    if (!sim->is_ahead) {
        sim->ahead = (cn_delivery){0};
        CNI_TRY(sim->kernel->next_delivery(sim->state, &sim->ahead));
        sim->is_ahead = 1;
    }
    return CN_OK;
}

cn_status cn_sim_step_until(cn_sim *sim, uint64_t limit, const cn_control *control)
{
    cn_status found;
    CNI_REQUIRE(sim);
    CNI_BUDGET(budget, control, 0);
    CNI_TRY(cni_sim_check_running(__func__, sim));
    CNI_TRY(cni_sim_check_whole(__func__, sim, "step it with cn_sim_step(), as far as the others"));
    while ((found = look_ahead(sim)) == CN_DONE && sim->cycle < limit &&
           cni_budget_work(&budget, 0)) {
        uint64_t next = cn_sim_next_event(sim);
        if (next == CN_NEVER)
            return CN_DONE;
        CNI_TRY(cni_sim_advance(sim, (next < limit ? next : limit) - sim->cycle, &budget));
    }
    return found == CN_DONE && budget.stopped == CNI_CANCELLED ? cni_budget_answer(&budget) : found;
}

cn_status cn_sim_next_delivery(cn_sim *sim, cn_delivery *delivery, size_t size)
{
    CNI_REQUIRE_BOTH(sim, delivery);
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
