/* The kernels that store and forward around their clocks: opening, injecting, counting. */
#include "simulation/store_forward/store_forward.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "scenario/system.h"
#include "simulation/kernel/rates.h"
#include "simulation/kernel/saturation.h"
#include "simulation/store_forward/store_forward_kernel.h"
#include "topology/topology.h"

#define TICKS ((double)(UINT64_C(1) << CNI_TICK_BITS))

enum { SPARE_PARTS = 1024 };

/* ---- opening ---- */

static cn_status open_routes(const cn_scenario *scenario, cni_routes *routes, double *limit)
{
    cni_route_rule rule = (cni_route_rule)scenario->system->kernel->variant;
    CNI_TRY(cni_routes_open(routes, rule, scenario->topology, cni_faults_of(scenario),
                            cni_subnet_of(scenario)));
    cn_status status = cni_routes_load_limit(routes, limit);
    if (status != CN_OK)
        cni_routes_close(routes);
    return status;
}

/* What the load leaves of the channels; 0 only when that is nothing. */
static uint64_t spare_parts(const cni_store *s, double limit)
{
    double left = 1.0 - s->load / limit;
    if (cni_routes_are_full(s->load, limit))
        return 0;
    return 1 + (uint64_t)(left * (double)s->routes.channels * SPARE_PARTS);
}

static cn_status open_state(cni_store *s)
{
    uint64_t channels = (uint64_t)s->routes.dimensions * s->routes.nodes;
    s->used = 1;
    s->queue = cni_allocate(channels, sizeof *s->queue);
    s->busy = cni_allocate(channels, sizeof *s->busy);
    if (s->queue == NULL || s->busy == NULL)
        return CN_ERR_MEMORY;
    if (s->slotted) {
        s->crossing = cni_allocate(channels, sizeof *s->crossing);
        if (s->crossing == NULL)
            return CN_ERR_MEMORY;
    }
    return cni_grow((void **)&s->place, &s->places, s->routes.survivors, sizeof *s->place);
}

static void close_kernel(void *state)
{
    cni_store *s = state;
    cni_routes_close(&s->routes);
    cni_mailbox_close(&s->head.mailbox);
    cni_release(s->place);
    cni_release(s->queue);
    cni_release(s->busy);
    cni_release(s->crossing);
    cni_release(s->landed);
    cni_release(s);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    double limit;
    cni_store *s = cni_allocate(1, sizeof *s);
    if (s == NULL)
        return CN_ERR_MEMORY;
    s->load = scenario->value[CN_PARAM_LOAD];
    s->slotted = scenario->value[CN_PARAM_SLOTTED] != 0.0;
    s->seed = seed;
    s->stream = cni_random_derive(seed, 0);
    cni_geometric_start(&s->traffic, s->load);
    cn_status status = open_routes(scenario, &s->routes, &limit);
    if (status == CN_OK) {
        s->arrivals = s->load * s->routes.survivors;
        s->spare = spare_parts(s, limit);
        status = open_state(s);
    }
    if (status == CN_OK)
        *state = s;
    else
        close_kernel(s);
    return status;
}

/* ---- stepping ---- */

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_store *s = state;
    return s->slotted ? cni_store_run_cycles(s, cycles) : cni_store_run_events(s, cycles);
}

cn_status cni_store_make_room(cni_store *s, uint64_t count)
{
    if (count > UINT32_MAX - s->messages - 1)
        return cni_fail(CN_ERR_MEMORY,
                        "out of memory: more than 2^32 messages are waiting at cycle %llu",
                        (unsigned long long)s->cycle);
    return cni_grow((void **)&s->place, &s->places, s->messages + 1 + count, sizeof *s->place);
}

/* ---- messages from the caller ---- */

static cn_status check_end(const cni_store *s, const char *end, uint64_t node)
{
    if (s->routes.row_of[node] != CNI_NO_ROW)
        return CN_OK;
    return cni_fail(CN_ERR_DISCONNECTED,
                    "cn_sim_inject: %s = %llu, but that node does not survive: it is faulty or "
                    "disabled",
                    end, (unsigned long long)node);
}

/* Room for the message, its delivery, and the account of its arrival. */
static cn_status prepare(cni_store *s, const cn_delivery *delivery)
{
    CNI_TRY(cni_store_make_room(s, 1));
    if (s->slotted)
        CNI_TRY(cni_grow((void **)&s->landed, &s->landed_room, s->head.mailbox.waiting + 1,
                         sizeof *s->landed));
    return cni_mailbox_post(&s->head.mailbox, s->injections + 1, delivery);
}

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t tag)
{
    cni_store *s = state;
    CNI_TRY(check_end(s, "source", source));
    CNI_TRY(check_end(s, "destination", destination));
    if (s->cycle >> (64 - CNI_TICK_BITS) != 0)
        return cni_fail(CN_ERR_OVERFLOW, "cn_sim_inject: cycle = %llu, but it must be below 2^%d",
                        (unsigned long long)s->cycle, 64 - CNI_TICK_BITS);
    cn_delivery delivery = {
        .tag = tag, .source = source, .destination = destination, .injected = s->cycle};
    CNI_TRY(prepare(s, &delivery));
    uint64_t stream = cni_random_derive(cni_random_derive(s->seed, s->cycle), source);
    uint64_t word = cni_random_word(stream, CNI_WORDS_INJECTED + s->injections);
    cni_store_message message = {.created = s->cycle << CNI_TICK_BITS,
                                 .number = ++s->injections,
                                 .source = (uint32_t)source,
                                 .destination = (uint32_t)destination,
                                 .row = s->routes.row_of[destination]};
    uint32_t at = cni_store_admit(s, &message);
    cni_store_join(s, at, message.source,
                   cni_store_pick(cni_store_allowed(s, at, message.source), word));
    /* What is to come has no memory: with one more message it is drawn anew from here on. */
    s->events += 1;
    s->is_drawn = 0;
    s->next = 0.0;
    return CN_OK;
}

/* ---- counting ---- */

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_store *s = state;
    memcpy(counters, s->counters, sizeof s->counters);
    counters[CNI_COUNT_CYCLES] = s->cycle;
    counters[CNI_COUNT_NODE_CYCLES] = s->routes.survivors * s->cycle;
    counters[CNI_COUNT_CHANNEL_CYCLES] = s->routes.channels * s->cycle;
    counters[CNI_COUNT_SPARE] = s->spare * s->cycle;
}

static uint64_t in_flight(const void *state)
{
    const cni_store *s = state;
    uint64_t messages = 0;
    for (uint32_t i = 0; i < s->busy_count; i++)
        for (uint32_t at = s->queue[s->busy[i]].first; at != 0; at = s->place[at].next)
            messages++;
    return messages;
}

/* ---- results ---- */

/* No steady state: the scenario's load is at its limit or above, or it leaves less than what the caller
 * injected needs. */
static int is_saturated(const uint64_t counters[CNI_COUNTERS])
{
    double asked = (double)counters[CNI_COUNT_TRAVEL_INJECTED] * SPARE_PARTS;
    return counters[CNI_COUNT_SPARE] == 0 || asked > (double)counters[CNI_COUNT_SPARE];
}

static void evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result)
{
    uint64_t cycles = counters[CNI_COUNT_CYCLES];
    cni_stored stored = {
        .node_cycles = (double)counters[CNI_COUNT_NODE_CYCLES],
        .channel_cycles = (double)counters[CNI_COUNT_CHANNEL_CYCLES],
        .hops = (double)counters[CNI_COUNT_HOPS],
        .travel = (double)counters[CNI_COUNT_TRAVEL],
        .waiting = (double)counters[CNI_COUNT_WAITING] / TICKS,
        .delay = (double)counters[CNI_COUNT_DELAY] / TICKS,
    };
    result->saturated = is_saturated(counters);
    cni_put_stored(counters, &stored, result);
    cni_result_put(result, CN_METRIC_SURVIVOR_FRACTION,
                   stored.node_cycles / ((double)scenario->topology->nodes * (double)cycles),
                   cycles);
    cni_result_put(result, CN_METRIC_REACHABLE_FRACTION, 1.0, cycles);
}

static cn_status shorten(cn_scenario *scenario)
{
    cni_routes routes;
    double limit, load = scenario->value[CN_PARAM_LOAD];
    CNI_TRY(open_routes(scenario, &routes, &limit));
    cni_routes_close(&routes);
    if (cni_routes_are_full(load, limit))
        cni_shorten_run(scenario, fmax(load / limit - 1.0, 0.0));
    return CN_OK;
}

#define STORE_KERNEL(which)                                                                        \
    {                                                                                              \
        .variant = which, .open = open_kernel, .close = close_kernel, .step = step_kernel,         \
        .inject = inject, .next_delivery = cni_head_fetch, .count = count, .in_flight = in_flight, \
        .delays = cni_head_delays, .clear_delays = cni_head_clear_delays,                          \
        .delay_bits = CNI_TICK_BITS, .evaluate = evaluate, .shorten = shorten,                     \
    }

const cni_kernel cni_optimal_path_kernel = STORE_KERNEL(CNI_OPTIMAL_PATH);
const cni_kernel cni_two_level_kernel = STORE_KERNEL(CNI_TWO_LEVEL);
