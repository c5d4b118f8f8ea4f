/* The wormhole kernel around its cycle: opening, injecting, counting. */
#include "simulation/wormhole/wormhole.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "routing/wormhole/wormhole.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "simulation/wormhole/wormhole_result.h"
#include "simulation/wormhole/wormhole_source.h"
#include "topology/topology.h"

/* Nodes are numbered in 24 bits, and virtual channels in 31. */
#define MOST_NODES (UINT64_C(1) << 24)
#define MOST_VIRTUAL_CHANNELS (UINT64_C(1) << 31)

/* ---- what it takes ---- */

static uint32_t shift_of(uint32_t virtual_channels)
{
    uint32_t shift = 0;
    while (UINT32_C(1) << shift < virtual_channels)
        shift++;
    return shift;
}

cn_status cni_wormhole_rule_of(const cn_scenario *scenario, cn_wormhole_rule *rule)
{
    return cni_wormhole_rule_named(cn_scenario_routing_name(scenario),
                                   scenario->value[CN_PARAM_UNSAFE] != 0.0, rule);
}

static cn_status check_size(const cn_topology *topology, uint32_t virtual_channels)
{
    uint64_t channels = topology->nodes * topology->max_degree, diameter = 0;
    if (topology->nodes > MOST_NODES ||
        channels > MOST_VIRTUAL_CHANNELS >> shift_of(virtual_channels))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "the wormhole simulator covers up to 2^24 nodes and 2^31 virtual channels, "
                        "not %s with %lu virtual channels a channel",
                        topology->name, (unsigned long)virtual_channels);
    CNI_TRY(cn_topology_diameter(topology, &diameter));
    if (diameter > CNI_WORMHOLE_DIAMETER)
        return cni_fail(
            CN_ERR_UNSUPPORTED,
            "%s has a diameter of %llu, but the wormhole simulator covers paths of up to %d hops",
            topology->name, (unsigned long long)diameter, CNI_WORMHOLE_DIAMETER);
    return CN_OK;
}

/* What holds for a model, too. */
cn_status cni_wormhole_check_scenario(const cn_scenario *scenario)
{
    const cn_topology *topology = scenario->topology;
    double fraction = scenario->value[CN_PARAM_BROADCAST_FRACTION];
    cn_wormhole_rule rule;
    CNI_TRY(cni_wormhole_rule_of(scenario, &rule));
    CNI_TRY(cni_check_wormhole("wormhole", topology, rule,
                               (uint32_t)scenario->value[CN_PARAM_VIRTUAL_CHANNELS]));
    if (scenario->value[CN_PARAM_ONE_PORT] != 0.0 &&
        scenario->value[CN_PARAM_INJECTION_SERVERS] > 1.0)
        return cni_fail(CN_ERR_ARGUMENT,
                        "injection_servers = %g, but with one_port = yes it must be 1",
                        scenario->value[CN_PARAM_INJECTION_SERVERS]);
    if (fraction == 0.0 || cni_is_hypercube(topology))
        return CN_OK;
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "broadcast_fraction = %g, but broadcasts need a hypercube, and %s is not one",
                    fraction, topology->name);
}

static cn_status check_simulation(const cn_scenario *scenario)
{
    double startup = scenario->value[CN_PARAM_STARTUP_LATENCY];
    CNI_TRY(cni_wormhole_check_scenario(scenario));
    CNI_TRY(check_size(scenario->topology, (uint32_t)scenario->value[CN_PARAM_VIRTUAL_CHANNELS]));
    if (startup == floor(startup))
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "startup_latency = %g, but the simulator needs whole cycles",
                    startup);
}

/* ---- opening ---- */

static void close_kernel(void *state)
{
    cni_wormhole *k = state;
    void *const arrays[] = {k->far,       k->held,    k->requests,  k->held_count, k->free_count,
                            k->turn,      k->crossed, k->contested, k->holder,     k->worm,
                            k->facts,     k->path,    k->active,    k->flits_in,   k->waiting,
                            k->is_listed, k->listed,  k->arrivals,  k->messages,   k->next_node,
                            k->queue,     k->queued,  k->broadcast, k->arrived,    k->candidates,
                            k->knot};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        cni_release(arrays[i]);
    cni_mailbox_close(&k->head.mailbox);
    cni_release(k);
}

/* `count` zeroed elements into *array. */
static cn_status make(void *array, uint64_t count, size_t size)
{
    void *made = cni_allocate(count, size);
    memcpy(array, &made, sizeof made);
    return made == NULL ? CN_ERR_MEMORY : CN_OK;
}

static cn_status make_channels(cni_wormhole *k)
{
    uint64_t channels = (uint64_t)k->nodes * k->ports;
    CNI_TRY(make(&k->far, channels, sizeof *k->far));
    CNI_TRY(make(&k->held, channels, sizeof *k->held));
    CNI_TRY(make(&k->requests, channels, sizeof *k->requests));
    CNI_TRY(make(&k->held_count, channels, sizeof *k->held_count));
    CNI_TRY(make(&k->free_count, channels, sizeof *k->free_count));
    CNI_TRY(make(&k->turn, channels, sizeof *k->turn));
    CNI_TRY(make(&k->crossed, channels, sizeof *k->crossed));
    CNI_TRY(make(&k->contested, channels + 1, sizeof *k->contested));
    CNI_TRY(make(&k->queue, channels, sizeof *k->queue));
    CNI_TRY(make(&k->holder, channels << k->shift, sizeof *k->holder));
    uint8_t free_at_first = (uint8_t)cni_popcount(k->every & ~k->escape);
    for (size_t c = 0; c < channels; c++) {
        uint64_t node = c / k->ports;
        uint32_t port = (uint32_t)(c % k->ports);
        k->queue[c] = (cni_worm_queue){CNI_WORM_NONE, CNI_WORM_NONE, 0};
        k->free_count[c] = free_at_first;
        if (port < k->topology->ops->degree(k->topology, node))
            k->far[c] = (uint32_t)k->topology->ops->neighbor(k->topology, node, port);
    }
    return CN_OK;
}

static cn_status make_nodes(cni_wormhole *k)
{
    CNI_TRY(make(&k->waiting, k->nodes, sizeof *k->waiting));
    CNI_TRY(make(&k->is_listed, k->nodes, sizeof *k->is_listed));
    CNI_TRY(make(&k->listed, k->nodes, sizeof *k->listed));
    CNI_TRY(make(&k->arrivals, k->nodes, sizeof *k->arrivals));
    CNI_TRY(make(&k->messages, k->nodes, sizeof *k->messages));
    CNI_TRY(make(&k->next_node, k->nodes, sizeof *k->next_node));
    CNI_TRY(make(&k->candidates, k->ports, sizeof *k->candidates));
    for (uint32_t node = 0; node < k->nodes; node++)
        k->waiting[node] = (cni_worm_list){CNI_WORM_NONE, CNI_WORM_NONE};
    for (size_t slot = 0; slot < CNI_WORM_WHEEL; slot++)
        k->wheel[slot] = CNI_WORM_NONE;
    k->early = (cni_worm_list){CNI_WORM_NONE, CNI_WORM_NONE};
    k->free_worm = k->free_queued = k->free_broadcast = CNI_WORM_NONE;
    return CN_OK;
}

static cn_status open_state(cni_wormhole *k, const cn_scenario *scenario)
{
    uint64_t diameter = 0;
    CNI_TRY(cn_topology_diameter(k->topology, &diameter));
    k->stride = (uint32_t)diameter;
    k->shift = shift_of(k->virtual_channels);
    k->every = UINT64_MAX >> (64 - k->virtual_channels);
    k->escape = cni_wormhole_escape(k->topology, k->rule, k->virtual_channels);
    CNI_TRY(make_channels(k));
    CNI_TRY(make_nodes(k));
    CNI_TRY(cni_source_start("cn_sim_open", k->traffic, CN_SOURCE_POISSON,
                             scenario->value[CN_PARAM_LOAD], &k->source));
    return cni_wormhole_begin(k);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    const double *value = scenario->value;
    CNI_TRY(check_simulation(scenario));
    cni_wormhole *k = cni_allocate(1, sizeof *k);
    if (k == NULL)
        return CN_ERR_MEMORY;
    k->topology = scenario->topology;
    k->traffic = cni_traffic_is_plain(cni_traffic_of(scenario), CN_SOURCE_POISSON)
                     ? NULL
                     : cni_traffic_of(scenario);
    CNI_TRY(cni_wormhole_rule_of(scenario, &k->rule));
    k->nodes = (uint32_t)k->topology->nodes;
    k->ports = k->topology->max_degree;
    k->virtual_channels = (uint32_t)value[CN_PARAM_VIRTUAL_CHANNELS];
    k->flits = (uint32_t)value[CN_PARAM_MESSAGE_FLITS];
    k->buffers = (uint32_t)value[CN_PARAM_FLIT_BUFFERS];
    k->servers = (uint32_t)value[CN_PARAM_INJECTION_SERVERS];
    k->one_port = value[CN_PARAM_ONE_PORT] != 0.0;
    k->startup = (uint64_t)value[CN_PARAM_STARTUP_LATENCY];
    k->broadcast_fraction = value[CN_PARAM_BROADCAST_FRACTION];
    k->seed = seed;
    k->times_seed = cni_random_derive(seed, CNI_WORMHOLE_TIMES);
    k->messages_seed = cni_random_derive(seed, CNI_WORMHOLE_MESSAGES);
    cn_status status = open_state(k, scenario);
    if (status == CN_OK)
        *state = k;
    else
        close_kernel(k);
    return status;
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    return cni_wormhole_run(state, cycles);
}

/* ---- messages from the caller ---- */

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t tag)
{
    cni_wormhole *k = state;
    int broadcast = destination == CN_ALL_NODES;
    if (broadcast && !cni_is_hypercube(k->topology))
        return cni_fail(CN_ERR_UNSUPPORTED,
                        "cn_sim_inject: broadcasts need a hypercube, and %s is not one",
                        k->topology->name);
    CNI_TRY(cni_wormhole_make_room(k, broadcast ? k->ports : 1));
    CNI_TRY(cni_grow(&k->broadcast, &k->broadcast_places, k->broadcasts_used + 1,
                     sizeof *k->broadcast));
    cn_delivery delivery = {
        .tag = tag, .source = source, .destination = destination, .injected = k->cycle};
    CNI_TRY(cni_mailbox_post(&k->head.mailbox, k->injections, &delivery));
    uint64_t stream = cni_random_derive(cni_random_derive(k->seed, k->cycle), source);
    uint64_t word = cni_random_word(stream, CNI_WORMHOLE_INJECTED + k->injections);
    uint32_t number = k->injections++;
    if (broadcast)
        return cni_wormhole_accept_broadcast(k, (uint32_t)source, number, word);
    return cni_wormhole_accept(k, (uint32_t)source, (uint32_t)destination, k->flits, number, word);
}

/* ---- counting ---- */

/* Adds to loads (may be NULL), by channel, the flits that the worms under way have sent over the hops
 * that they hold; returns their sum. */
static uint64_t add_under_way(const cni_wormhole *k, uint64_t loads[])
{
    uint64_t all = 0;
    for (size_t i = 0; i < k->active_count; i++) {
        uint32_t worm = k->active[i];
        const cni_worm *w = &k->worm[worm];
        uint64_t sent = k->facts[worm].message.flits - w->left;
        for (uint32_t hop = w->tail; hop < w->head; hop++) {
            all += sent;
            if (loads != NULL)
                loads[k->path[(size_t)worm * k->stride + hop] >> k->shift] += sent;
            sent -= cni_worm_flits(k, worm, hop);
        }
    }
    return all;
}

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_wormhole *k = state;
    memcpy(counters, k->counters, sizeof k->counters);
    counters[CNI_COUNT_CYCLES] = k->cycle;
    counters[CNI_COUNT_WORM_FLIT_HOPS] += add_under_way(k, NULL);
}

static void channel_loads(const void *state, uint64_t loads[])
{
    const cni_wormhole *k = state;
    memcpy(loads, k->crossed, (size_t)k->nodes * k->ports * sizeof *loads);
    add_under_way(k, loads);
}

static uint64_t count_queued(const cni_wormhole *k, uint32_t first)
{
    uint64_t messages = 0;
    for (uint32_t at = first; at != CNI_WORM_NONE; at = k->queued[at].next)
        messages += k->queued[at].message.broadcast == CNI_WORM_NONE;
    return messages;
}

static uint64_t in_flight(const void *state)
{
    const cni_wormhole *k = state;
    uint64_t messages = k->broadcasts_used + count_queued(k, k->early.first);
    for (uint32_t at = k->free_broadcast; at != CNI_WORM_NONE; at = k->broadcast[at].missing)
        messages -= 1;
    for (size_t i = 0; i < k->active_count; i++)
        messages += k->facts[k->active[i]].message.broadcast == CNI_WORM_NONE;
    for (uint32_t node = 0; node < k->nodes; node++)
        for (uint32_t w = k->waiting[node].first; w != CNI_WORM_NONE; w = k->facts[w].next)
            messages += k->worm[w].head == 0 && k->facts[w].message.broadcast == CNI_WORM_NONE;
    for (size_t q = 0; q < (size_t)k->nodes * k->ports; q++)
        messages += count_queued(k, k->queue[q].first);
    return messages;
}

static cn_status look(void *state)
{
    return cni_wormhole_check(state);
}

static const uint32_t *knot(const void *state, size_t *length)
{
    const cni_wormhole *k = state;
    *length = k->knot_count;
    return k->knot;
}

const cni_kernel cni_wormhole_kernel = {
    .open = open_kernel,
    .close = close_kernel,
    .step = step_kernel,
    .inject = inject,
    .next_delivery = cni_head_fetch,
    .count = count,
    .in_flight = in_flight,
    .delays = cni_head_delays,
    .clear_delays = cni_head_clear_delays,
    .evaluate = cni_wormhole_evaluate,
    .takes_all = 1,
    .takes_broadcasts = 1,
    .channel_loads = channel_loads,
    .look = look,
    .knot = knot,
};
