/* The kernels with unlimited buffers around their cycle: opening, injecting, counting. */
#include "simulation/store_forward/unlimited.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "scenario/system.h"
#include "scenario/traffic/capacity.h"
#include "simulation/kernel/rates.h"
#include "simulation/kernel/saturation.h"
#include "simulation/store_forward/unlimited_kernel.h"
#include "topology/topology.h"

enum { SHARED, SEPARATE };

/* ---- opening ---- */

static cn_status lay_out(cni_unlimited *k)
{
    uint32_t bits = 0;
    while ((k->nodes - 1) >> bits > 0)
        bits++;
    if (bits > CNI_UNLIMITED_HEADER_BITS)
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the simulator of unlimited buffers covers up to 2^%d nodes, not the %llu "
                        "of %s",
                        CNI_UNLIMITED_HEADER_BITS, (unsigned long long)k->nodes, k->topology->name);
    k->header_mask = (UINT64_C(1) << bits) - 1;
    k->number_shift = bits;
    k->source_shift = 64 - bits;
    k->injected_shift = k->source_shift - 1;
    k->numbers = UINT64_C(1) << (k->injected_shift - k->number_shift);
    return CN_OK;
}

static cn_status open_state(cni_unlimited *k)
{
    k->used = 1;
    k->queue = cni_allocate((uint64_t)k->nodes * k->queues, sizeof *k->queue);
    k->crossing = cni_allocate((uint64_t)k->nodes * k->ports, sizeof *k->crossing);
    if (k->queue == NULL || k->crossing == NULL)
        return CN_ERR_MEMORY;
    return cni_grow((void **)&k->place, &k->places, k->nodes, sizeof *k->place);
}

static void close_kernel(void *state)
{
    cni_unlimited *k = state;
    cni_slotted_close(&k->slotted);
    cni_mailbox_close(&k->head.mailbox);
    cni_release(k->arrived);
    cni_release(k->place);
    cni_release(k->queue);
    cni_release(k->crossing);
    cni_release(k);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    cni_unlimited *k = cni_allocate(1, sizeof *k);
    if (k == NULL)
        return CN_ERR_MEMORY;
    k->topology = scenario->topology;
    k->nodes = scenario->topology->nodes;
    k->ports = scenario->topology->max_degree;
    k->separate = scenario->system->kernel->variant == SEPARATE;
    k->queues = k->separate ? k->ports : 1;
    k->seed = seed;
    cn_status status = lay_out(k);
    if (status == CN_OK)
        status = cni_slotted_open(scenario, seed, &k->slotted);
    if (status == CN_OK)
        status = open_state(k);
    if (status == CN_OK)
        *state = k;
    else
        close_kernel(k);
    return status;
}

/* ---- stepping ---- */

static cn_status step_kernel(void *state, uint64_t cycles)
{
    return cni_unlimited_run(state, cycles);
}

/* ---- messages from the caller ---- */

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t tag)
{
    cni_unlimited *k = state;
    uint64_t header, number = k->injections;
    CNI_TRY(cni_unlimited_check_number(k, source, number));
    CNI_TRY(cn_topology_header(k->topology, source, destination, &header));
    CNI_TRY(cni_unlimited_make_room(k, 1));
    CNI_TRY(cni_grow((void **)&k->arrived, &k->arrived_room, k->head.mailbox.waiting + 1,
                     sizeof *k->arrived));
    cn_delivery delivery = {
        .tag = tag, .source = source, .destination = destination, .injected = k->cycle};
    CNI_TRY(cni_mailbox_post(&k->head.mailbox, number, &delivery));
    uint64_t stream = cni_random_derive(cni_random_derive(k->seed, k->cycle), source);
    cni_unlimited_admit(k, source, header, number, 1,
                        cni_random_word(stream, CNI_WORDS_INJECTED + number));
    k->injections += 1;
    return CN_OK;
}

/* ---- counting ---- */

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_unlimited *k = state;
    memcpy(counters, k->counters, sizeof k->counters);
    counters[CNI_COUNT_CYCLES] = k->cycle;
}

static uint64_t in_flight(const void *state)
{
    const cni_unlimited *k = state;
    uint64_t messages = 0;
    for (uint64_t q = 0; q < k->nodes * k->queues; q++)
        for (uint32_t at = k->queue[q].first; at != 0; at = k->place[at].next)
            messages++;
    return messages;
}

/* ---- results ---- */

/* The loads that the scenario's traffic cannot exceed in a steady state. With uniform traffic there is
 * one below them; any other may fill some channels sooner. */
static cni_traffic_bound bound_of(const cn_scenario *scenario)
{
    if (cni_traffic_of(scenario) != NULL)
        return scenario->bound;
    double capacity = cni_capacity(scenario->topology);
    return (cni_traffic_bound){capacity, capacity, capacity};
}

/* No steady state: the scenario's load is at capacity or above, or it leaves less than what the caller
 * or a trace injected needs. */
static int is_saturated(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS])
{
    const cn_topology *topology = scenario->topology;
    cni_traffic_bound bound = bound_of(scenario);
    double load = scenario->value[CN_PARAM_LOAD];
    double left = 1.0 - load / bound.channels; /* share of the channels */
    if (load >= fmin(bound.path, bound.node))
        return 1;
    double channel_cycles =
        (double)topology->nodes * topology->max_degree * (double)counters[CNI_COUNT_CYCLES];
    return left <= 0.0 || (double)counters[CNI_COUNT_TRAVEL_INJECTED] > left * channel_cycles;
}

static void evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result)
{
    double ports = scenario->topology->max_degree;
    double node_cycles = (double)scenario->topology->nodes * (double)counters[CNI_COUNT_CYCLES];
    cni_stored stored = {
        .node_cycles = node_cycles,
        .channel_cycles = node_cycles * ports,
        .hops = (double)counters[CNI_COUNT_HOPS],
        .travel = (double)counters[CNI_COUNT_TRAVEL],
        .waiting = (double)counters[CNI_COUNT_WAITING],
        .delay = (double)counters[CNI_COUNT_DELAY],
    };
    result->saturated = is_saturated(scenario, counters);
    cni_put_stored(counters, &stored, result);
}

static cn_status shorten(cn_scenario *scenario)
{
    cni_traffic_bound bound = bound_of(scenario);
    double excess =
        scenario->value[CN_PARAM_LOAD] - fmin(bound.channels, fmin(bound.path, bound.node));
    if (excess >= 0.0)
        cni_shorten_run(scenario, excess / scenario->topology->max_degree);
    return CN_OK;
}

#define UNLIMITED_KERNEL(which)                                                                    \
    {                                                                                              \
        .variant = which, .open = open_kernel, .close = close_kernel, .step = step_kernel,         \
        .inject = inject, .next_delivery = cni_head_fetch, .count = count, .in_flight = in_flight, \
        .delays = cni_head_delays, .clear_delays = cni_head_clear_delays, .evaluate = evaluate,    \
        .shorten = shorten,                                                                        \
    }

const cni_kernel cni_separate_buffers_kernel = UNLIMITED_KERNEL(SEPARATE);
const cni_kernel cni_shared_buffer_kernel = UNLIMITED_KERNEL(SHARED);
