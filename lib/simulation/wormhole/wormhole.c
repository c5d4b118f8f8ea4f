/* The wormhole kernel around its cycle: opening, injecting, counting. */
#include "simulation/wormhole/wormhole.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/system.h"
#include "scenario/traffic/traffic.h"
#include "simulation/kernel/processor.h"
#include "simulation/wormhole/wormhole_kernel.h"
#include "simulation/wormhole/wormhole_short.h"
#include "simulation/wormhole/wormhole_source.h"
#include "topology/topology.h"

/* ---- opening ---- */

static void close_kernel(void *state)
{
    cni_wormhole *k = state;
    void *const grown[] = {k->worms.all,      k->worms.message,    k->worms.path,
                           k->worms.awake,    k->worms.active,     k->worms.rivals,
                           k->worms.picked,   k->worms.tails,      k->choices.set,
                           k->waiting.header, k->sources.queued,   k->broadcasts.all,
                           k->arrived.all,    k->broadcasts.parent};
    for (size_t i = 0; i < sizeof grown / sizeof grown[0]; i++)
        cni_release(grown[i]);
    for (size_t i = 0; i < k->made_count; i++)
        cni_release(k->made[i]);
    cni_release(k->sources.wheel.next);
    cni_release(k->whole.ends.next);
    cni_release(k->knot);
    cni_network_close(&k->network);
    cni_mailbox_close(&k->head.mailbox);
    cni_counts_close(&k->counts);
    cni_release(k);
}

cn_status cni_worm_make(cni_wormhole *k, void *array, uint64_t count, size_t size)
{
    void *made = cni_allocate(count, size);
    memcpy(array, &made, sizeof made);
    k->made[k->made_count++] = made;
    return made == NULL ? CN_ERR_MEMORY : CN_OK;
}

static cn_status make_channels(cni_wormhole *k)
{
    uint64_t channels = (uint64_t)k->nodes * k->ports;
    CNI_TRY(CNI_WORM_MAKE(k, k->channels.crossed, channels));
    CNI_TRY(CNI_WORM_MAKE(k, k->sources.queue, channels));
    for (size_t c = 0; c < channels; c++)
        k->sources.queue[c] = (cni_worm_queue){{CNI_WORM_NONE, CNI_WORM_NONE}, 0};
    return k->way->open(k);
}

static cn_status make_nodes(cni_wormhole *k)
{
    CNI_TRY(CNI_WORM_MAKE(k, k->waiting.held, (uint64_t)k->nodes * k->node_words));
    CNI_TRY(CNI_WORM_MAKE(k, k->waiting.wanted, (uint64_t)k->nodes * k->node_words));
    CNI_TRY(cni_wormhole_make_room(k, 1));
    CNI_TRY(CNI_WORM_MAKE(k, k->waiting.is_listed, k->nodes));
    CNI_TRY(CNI_WORM_MAKE(k, k->waiting.listed, (uint64_t)k->nodes + 1));
    CNI_TRY(CNI_WORM_MAKE(k, k->sources.arrivals, k->nodes));
    CNI_TRY(CNI_WORM_MAKE(k, k->sources.made, k->nodes));
    CNI_TRY(cni_wheel_open(&k->sources.wheel, k->nodes));
    if (!k->is_binomial)
        CNI_TRY(CNI_WORM_MAKE(k, k->broadcasts.search, k->nodes));
    if (k->broadcasts.base_rule == CN_BASE_ROUND_ROBIN)
        CNI_TRY(CNI_WORM_MAKE(k, k->broadcasts.next_base, k->nodes));
    for (uint32_t node = 0; node < k->nodes; node++)
        k->waiting.header[node].previous = k->waiting.header[node].next = node;
    k->sources.early = (cni_worm_list){CNI_WORM_NONE, CNI_WORM_NONE};
    k->worms.free = k->sources.free = k->broadcasts.free = CNI_WORM_NONE;
    return CN_OK;
}

/* Opens the network, and finds all numbers that follow from the network and its routing. */
static cn_status open_network(cni_wormhole *k, const cn_scenario *scenario)
{
    const cn_topology *t = scenario->topology;
    CNI_TRY(cni_network_open("cn_sim_open", scenario, &k->network));
    cni_inlets_close(&k->network.inlets); /* worms are found by their virtual channels */
    const cn_routing *routing = k->network.routing;
    int is_unsafe = scenario->value[CN_PARAM_UNSAFE] != 0.0;
    CNI_TRY(cni_wormhole_check_network(scenario, &k->network, &k->stride));
    k->nodes = (uint32_t)t->nodes;
    k->ports = t->max_degree;
    k->is_unclassed = is_unsafe && cni_wormhole_is_by_class(routing->kind);
    k->is_binomial = cni_is_hypercube(t) && k->network.channels == t->nodes * t->max_degree;
    k->draws_evenly = k->traffic == NULL ||
                      (k->network.rank_of != NULL && k->traffic->pattern == CN_PATTERN_UNIFORM);
    return CN_OK;
}

static cn_status open_state(cni_wormhole *k, const cn_scenario *scenario)
{
    if (scenario->value[CN_PARAM_STATISTICS] != 0.0)
        CNI_TRY(cni_counts_open(scenario->topology, &k->counts));
    CNI_TRY(open_network(k, scenario));
    k->shift = cni_wormhole_shift(k->virtual_channels);
    k->lowest = cni_worm_lowest(k->shift);
    k->highest = k->lowest << ((1 << k->shift) - 1);
    k->span = k->ports << k->shift;
    k->node_words = (k->span + 63) / 64;
    k->has_pdep = cni_has_pdep();
    k->every = UINT64_MAX >> (64 - k->virtual_channels);
    CNI_TRY(cni_worm_open_choices(k, scenario->budget));
    CNI_TRY(make_channels(k));
    CNI_TRY(make_nodes(k));
    cni_short_enter(k);
    return cni_source_start("cn_sim_open", k->traffic, CN_SOURCE_POISSON,
                            scenario->value[CN_PARAM_LOAD], &k->sources.process);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, void **state)
{
    const double *value = scenario->value;
    CNI_TRY(cni_wormhole_check_simulation(scenario));
    cni_wormhole *k = cni_allocate(1, sizeof *k);
    if (k == NULL)
        return CN_ERR_MEMORY;
    k->traffic = cni_traffic_is_plain(cni_traffic_of(scenario), CN_SOURCE_POISSON)
                     ? NULL
                     : cni_traffic_of(scenario);
    k->virtual_channels = (uint32_t)value[CN_PARAM_VIRTUAL_CHANNELS];
    k->flits = (uint32_t)value[CN_PARAM_MESSAGE_FLITS];
    k->buffers = (uint32_t)value[CN_PARAM_FLIT_BUFFERS];
    k->way = &cni_worms;
    if (scenario->system->kernel->variant == CNI_WHOLE_MESSAGES) {
        k->way = &cni_whole_messages;
        double places = value[CN_PARAM_MESSAGE_BUFFERS];
        k->whole.room = places == 0.0 ? UINT32_MAX : (uint32_t)places;
    }
    k->selection = (cn_selection)value[CN_PARAM_SELECTION];
    k->servers = (uint32_t)value[CN_PARAM_INJECTION_SERVERS];
    k->one_port = value[CN_PARAM_ONE_PORT] != 0.0;
    k->startup = (uint64_t)value[CN_PARAM_STARTUP_LATENCY];
    k->broadcast_fraction = value[CN_PARAM_BROADCAST_FRACTION];
    k->broadcasts.base_rule = (cn_broadcast_base)value[CN_PARAM_BROADCAST_BASE];
    k->seed = seed;
    k->times_seed = cni_random_word(cni_random_derive(seed, CNI_WORMHOLE_TIMES), 0);
    k->messages_seed = cni_random_word(cni_random_derive(seed, CNI_WORMHOLE_MESSAGES), 0);
    cn_status status = open_state(k, scenario);
    if (status == CN_OK)
        *state = k;
    else
        close_kernel(k);
    return status;
}

/* ---- messages from the caller ---- */

static cn_status can_accept(const void *state, const char *function, uint64_t source)
{
    const cni_wormhole *k = state;
    return cni_network_check_node(function, &k->network, "source", source);
}

static uint64_t queued(const void *state, uint64_t node)
{
    const cni_wormhole *k = state;
    const cni_worm_queue *queue = &k->sources.queue[node * k->ports];
    uint64_t messages = 0;
    for (uint32_t port = 0; port < k->ports; port++)
        messages += queue[port].served + cni_wormhole_length(k, &queue[port].list);
    for (uint32_t at = k->sources.early.first; at != CNI_WORM_NONE; at = k->sources.queued[at].next)
        messages += k->sources.queued[at].source == node;
    return messages;
}

/* Tells the mailbox of a message whose delivery the caller awaits. */
static cn_status post_delivery(cni_wormhole *k, uint64_t source, uint64_t destination, uint64_t tag)
{
    cn_delivery delivery = {.tag = tag,
                            .source = source,
                            .destination = destination,
                            .injected = k->cycle,
                            .flits = k->flits};
    return cni_mailbox_post(&k->head.mailbox, k->injections, &delivery);
}

/* The random word of the next injected message. */
static uint64_t word_of_injection(const cni_wormhole *k, uint64_t source)
{
    uint64_t stream = cni_random_derive(cni_random_derive(k->seed, k->cycle), source);
    return cni_random_word(stream, CNI_WORMHOLE_INJECTED + k->injections);
}

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t flits,
                        uint64_t tag)
{
    cni_wormhole *k = state;
    CNI_TRY(cni_network_check_node("cn_sim_inject", &k->network, "source", source));
    CNI_TRY(cni_network_check_node("cn_sim_inject", &k->network, "destination", destination));
    CNI_TRY(cni_wormhole_make_room(k, 1));
    CNI_TRY(post_delivery(k, source, destination, tag));
    uint64_t word = word_of_injection(k, source);
    return cni_wormhole_accept(k, (uint32_t)source, (uint32_t)destination,
                               flits == 0 ? k->flits : (uint32_t)flits, k->injections++, 0, word);
}

static cn_status check_base(const cni_wormhole *k, uint32_t base)
{
    const char *function = "cn_sim_inject_broadcast";
    if (base == CN_BASE_OF_SCENARIO)
        return CN_OK;
    if (k->is_binomial)
        return cni_check_range(function, "base", base, 0, k->ports - 1);
    return cni_fail(CN_ERR_UNSUPPORTED,
                    "%s: base = %lu, but only on undamaged Boolean n-cubes the tree of a broadcast "
                    "has a base; elsewhere it must be CN_BASE_OF_SCENARIO",
                    function, (unsigned long)base);
}

static cn_status inject_broadcast(void *state, uint64_t source, uint32_t base, uint64_t tag)
{
    cni_wormhole *k = state;
    CNI_TRY(cni_check_all_hosts("cn_sim_inject_broadcast", k->network.topology));
    CNI_TRY(cni_network_check_node("cn_sim_inject_broadcast", &k->network, "source", source));
    CNI_TRY(check_base(k, base));
    CNI_TRY(cni_wormhole_make_room(k, k->ports));
    CNI_TRY(cni_wormhole_make_broadcast_room(k));
    CNI_TRY(post_delivery(k, source, CN_ALL_NODES, tag));
    uint64_t word = word_of_injection(k, source);
    if (base == CN_BASE_OF_SCENARIO)
        base = cni_wormhole_next_base(k, (uint32_t)source, word);
    return cni_wormhole_accept_broadcast(k, (uint32_t)source, k->injections++, base);
}

/* ---- counting ---- */

static void count(const void *state, uint64_t counters[CNI_COUNTERS])
{
    const cni_wormhole *k = state;
    memcpy(counters, k->counters, sizeof k->counters);
    counters[CNI_COUNT_CYCLES] = k->cycle;
    counters[CNI_COUNT_WORM_FLIT_HOPS] += k->way->sent(k, NULL);
}

/* A message counts in the queue of its source from its acceptance to its delivery. */
static void read_counts(const void *state, cni_counts *counts)
{
    const cni_wormhole *k = state;
    if (cni_counts_all(counts)) {
        cni_counts_copy(counts, &k->counts);
        memcpy(counts->offered, counts->accepted, (size_t)k->nodes * sizeof *counts->offered);
        for (uint32_t node = 0; node < k->nodes; node++)
            counts->queue[node] += k->cycle * k->counts.offered[node];
    }
    memcpy(counts->load, k->channels.crossed, (size_t)k->nodes * k->ports * sizeof *counts->load);
    k->way->sent(k, counts->load);
}

/* Goes through all places for queued messages: the lists may be long and scattered in memory. */
static uint64_t in_flight(const void *state)
{
    const cni_wormhole *k = state;
    uint64_t messages = k->broadcasts.used;
    for (uint32_t at = k->broadcasts.free; at != CNI_WORM_NONE; at = k->broadcasts.all[at].missing)
        messages -= 1;
    for (size_t i = 0; i < k->sources.used; i++)
        messages +=
            k->sources.queued[i].flits > 0 && k->sources.queued[i].broadcast == CNI_WORM_NONE;
    for (size_t i = 0; i < k->worms.used; i++)
        messages += cni_worm_holds(cni_worm_at(k, (uint32_t)i)) &&
                    k->worms.message[i].broadcast == CNI_WORM_NONE;
    for (uint32_t node = 0; node < k->nodes; node++)
        for (uint32_t at = k->waiting.header[node].next; at != node;
             at = k->waiting.header[at].next)
            messages += cni_worm_at(k, at - k->nodes)->head == 0 &&
                        k->worms.message[at - k->nodes].broadcast == CNI_WORM_NONE;
    return messages;
}

static const uint32_t *knot(const void *state, size_t *length)
{
    const cni_wormhole *k = state;
    *length = k->knot_count;
    return k->knot;
}

static int takes_all(const cn_scenario *scenario)
{
    (void)scenario;
    return 1;
}

#define KERNEL(which)                                                                              \
    {                                                                                              \
        .variant = which, .open = open_kernel, .close = close_kernel, .begin = cni_wormhole_begin, \
        .step = cni_wormhole_run, .next_event = cni_wormhole_next_event,                           \
        .skip = cni_wormhole_skip, .can_accept = can_accept, .queued = queued, .inject = inject,   \
        .inject_broadcast = inject_broadcast, .report_trace = cni_head_report_trace,               \
        .next_delivery = cni_head_fetch, .count = count, .in_flight = in_flight,                   \
        .delays = cni_head_delays, .clear_delays = cni_head_clear_delays,                          \
        .evaluate = cni_wormhole_evaluate, .takes_all = takes_all, .has_flits = 1,                 \
        .shares_routing = 1, .read = read_counts, .counts_channels = 1,                            \
        .look = cni_wormhole_check, .knot = knot, .visit = cni_wormhole_visit                      \
    }

const cni_kernel cni_wormhole_kernel = KERNEL(CNI_WORMS);
const cni_kernel cni_cut_through_kernel = KERNEL(CNI_WHOLE_MESSAGES);
