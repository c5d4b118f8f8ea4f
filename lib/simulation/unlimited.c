/* The slotted kernels with unlimited buffers. */
#include "simulation/unlimited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "routing/channels.h"
#include "scenario/capacity.h"
#include "simulation/unlimited_kernel.h"
#include "topology/topology.h"

/* Messages per channel, on average, at which a run without a steady state has shown what it can. */
enum { BACKLOG = 16 };

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
    k->queue = cni_allocate((size_t)k->nodes * k->queues, sizeof *k->queue);
    k->crossing = cni_allocate((size_t)k->nodes * k->ports, sizeof *k->crossing);
    if (k->queue == NULL || k->crossing == NULL)
        return CN_ERR_MEMORY;
    return cni_grow((void **)&k->place, &k->places, (size_t)k->nodes, sizeof *k->place);
}

static void close_kernel(void *state)
{
    cni_unlimited *k = state;
    cni_mailbox_close(&k->mailbox);
    cni_release(k->arrived);
    cni_release(k->place);
    cni_release(k->queue);
    cni_release(k->crossing);
    cni_release(k);
}

static cn_status open_kernel(const cn_scenario *scenario, uint64_t seed, int separate, void **state)
{
    cni_unlimited *k = cni_allocate(1, sizeof *k);
    if (k == NULL)
        return CN_ERR_MEMORY;
    k->topology = scenario->topology;
    k->nodes = scenario->topology->nodes;
    k->ports = scenario->topology->max_degree;
    k->separate = separate;
    k->queues = separate ? k->ports : 1;
    k->load = scenario->value[CN_PARAM_LOAD];
    k->seed = seed;
    cni_traffic_start(&k->traffic, k->load);
    cn_status status = lay_out(k);
    if (status == CN_OK)
        status = open_state(k);
    if (status == CN_OK)
        *state = k;
    else
        close_kernel(k);
    return status;
}

static cn_status open_separate(const cn_scenario *scenario, uint64_t seed, void **state)
{
    return open_kernel(scenario, seed, 1, state);
}

static cn_status open_shared(const cn_scenario *scenario, uint64_t seed, void **state)
{
    return open_kernel(scenario, seed, 0, state);
}

/* ---- places and queues ---- */

/* Makes room for so many more messages. */
static cn_status make_room(cni_unlimited *k, uint64_t count)
{
    if (count > UINT32_MAX - k->messages - 1)
        return cni_fail(CN_ERR_MEMORY,
                        "out of memory: more than 2^32 messages are waiting at cycle %llu",
                        (unsigned long long)k->cycle);
    return cni_grow((void **)&k->place, &k->places, k->messages + 1 + (size_t)count,
                    sizeof *k->place);
}

static uint32_t take_place(cni_unlimited *k)
{
    uint32_t at = k->free;
    if (at != 0)
        k->free = k->place[at].next;
    else
        at = (uint32_t)k->used++;
    k->messages += 1;
    return at;
}

static void give_place(cni_unlimited *k, uint32_t at)
{
    k->place[at].next = k->free;
    k->free = at;
    k->messages -= 1;
}

static void append(cni_unlimited *k, cni_queue *queue, uint32_t at)
{
    if (queue->first == 0)
        queue->first = at;
    else
        k->place[queue->last].next = at;
    queue->last = at;
    k->place[at].next = 0;
}

static uint64_t header_of(const cni_unlimited *k, const cni_message *message)
{
    return message->identity & k->header_mask;
}

/* One of the message's preferred channels. */
static uint32_t pick(const cni_unlimited *k, const cni_message *message, uint32_t random)
{
    uint64_t channels = cni_preferred_channels(k->topology, header_of(k, message));
    return cni_select_bit(channels, cni_random_below(random, cni_popcount(channels)));
}

/* Into the node's queue, or that of a channel that the word picks. */
static void join(cni_unlimited *k, uint32_t at, uint64_t word)
{
    const cni_message *message = &k->place[at];
    uint64_t queue = (uint64_t)message->node * k->queues;
    if (k->separate)
        queue += pick(k, message, (uint32_t)(word >> 32));
    append(k, &k->queue[queue], at);
}

/* ---- the cycle ---- */

static void send(cni_unlimited *k, uint32_t at, uint32_t port)
{
    cni_message *message = &k->place[at];
    uint64_t header = header_of(k, message);
    message->identity ^= header ^ cni_move_header(k->topology, header, port);
    message->node = (uint32_t)k->topology->ops->neighbor(k->topology, message->node, port);
    k->crossing[port * k->nodes + k->crossings[port]++] = at;
}

static void send_separate(cni_unlimited *k, uint64_t node)
{
    cni_queue *queue = k->queue + node * k->ports;
    for (uint32_t port = 0; port < k->ports; port++) {
        uint32_t at = queue[port].first;
        if (at == 0)
            continue;
        queue[port].first = k->place[at].next;
        send(k, at, port);
    }
}

static int is_older(const cni_message *a, const cni_message *b)
{
    return a->created != b->created ? a->created < b->created : a->identity < b->identity;
}

/* Phase 1 of cn_route_two_phase(): every message claims a channel, the losers stay. Two messages share
 * a random word. */
static void send_shared(cni_unlimited *k, uint64_t node, uint64_t cycle_seed)
{
    uint64_t stream = cni_random_derive(cycle_seed, node), word = 0;
    uint32_t winner[CNI_UNLIMITED_PORTS] = {0};
    cni_queue *queue = &k->queue[node], kept = {0};
    uint32_t at = queue->first;
    for (uint64_t m = 0; at != 0; m++) {
        uint32_t next = k->place[at].next;
        word = m % 2 == 0 ? cni_random_word(stream, m / 2) : word << 32;
        uint32_t port = pick(k, &k->place[at], (uint32_t)(word >> 32));
        uint32_t loser = at;
        if (winner[port] == 0 || is_older(&k->place[at], &k->place[winner[port]])) {
            loser = winner[port];
            winner[port] = at;
        }
        if (loser != 0)
            append(k, &kept, loser);
        at = next;
    }
    *queue = kept;
    for (uint32_t port = 0; port < k->ports; port++)
        if (winner[port] != 0)
            send(k, winner[port], port);
}

static void send_all(cni_unlimited *k)
{
    uint64_t cycle_seed = cni_random_derive(k->seed, k->cycle);
    k->counters[CNI_COUNT_WAITING] += k->messages;
    memset(k->crossings, 0, sizeof k->crossings);
    if (k->separate)
        for (uint64_t node = 0; node < k->nodes; node++)
            send_separate(k, node);
    else
        for (uint64_t node = 0; node < k->nodes; node++)
            if (k->queue[node].first != 0)
                send_shared(k, node, cycle_seed);
    for (uint32_t port = 0; port < k->ports; port++)
        k->counters[CNI_COUNT_HOPS] += k->crossings[port];
}

static void deliver(cni_unlimited *k, uint32_t at)
{
    const cni_message *message = &k->place[at];
    uint64_t delay = k->cycle - message->created;
    k->counters[CNI_COUNT_DELIVERED] += 1;
    k->counters[CNI_COUNT_DELAY] += delay;
    cni_histogram_add(&k->delays, delay);
    if (message->identity >> k->injected_shift & 1) {
        k->arrived[k->arrived_count] =
            (cni_arrival){.order = (uint64_t)message->node << 32 | k->arrived_count,
                          .created = message->created,
                          .identity = message->identity};
        k->arrived_count++;
    }
    give_place(k, at);
}

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const cni_arrival *)a)->order, y = ((const cni_arrival *)b)->order;
    return (x > y) - (x < y);
}

/* Hands the cycle's arrivals of injected messages to the mailbox, by destination. */
static void post_arrivals(cni_unlimited *k)
{
    qsort(k->arrived, k->arrived_count, sizeof *k->arrived, by_order);
    for (size_t i = 0; i < k->arrived_count; i++) {
        const cni_arrival *one = &k->arrived[i];
        cni_mailbox_arrive(&k->mailbox, one->created, one->identity >> k->source_shift,
                           one->identity >> k->number_shift & (k->numbers - 1), k->cycle);
    }
    k->arrived_count = 0;
}

/* What the channels bring, port by port, so that a node's messages come in the order of its ports. */
static void receive_all(cni_unlimited *k, uint64_t cycle_seed)
{
    for (uint32_t port = 0; port < k->ports; port++)
        for (uint64_t i = 0; i < k->crossings[port]; i++) {
            uint32_t at = k->crossing[port * k->nodes + i];
            const cni_message *message = &k->place[at];
            if (header_of(k, message) == 0)
                deliver(k, at);
            else
                join(k, at, cni_random_word(cni_random_derive(cycle_seed, message->node), port));
        }
    if (k->arrived_count > 0)
        post_arrivals(k);
}

/* A new message; there is room for it. */
static void admit(cni_unlimited *k, uint64_t source, uint64_t header, uint64_t number, int injected,
                  uint64_t word)
{
    uint32_t at = take_place(k);
    k->place[at] = (cni_message){.created = k->cycle,
                                 .identity = source << k->source_shift |
                                             (uint64_t)injected << k->injected_shift |
                                             number << k->number_shift | header,
                                 .node = (uint32_t)source};
    join(k, at, word);
    uint64_t distance = 0;
    k->topology->ops->distance(k->topology, header, 0, &distance); /* a closed form: cannot fail */
    k->counters[CNI_COUNT_TRAVEL] += distance;
    k->counters[CNI_COUNT_OFFERED] += 1;
    k->counters[CNI_COUNT_ACCEPTED] += 1;
    if (injected)
        k->counters[CNI_COUNT_TRAVEL_INJECTED] += distance;
}

static cn_status check_number(const cni_unlimited *k, uint64_t source, uint64_t number)
{
    if (number < k->numbers)
        return CN_OK;
    return cni_fail(
        CN_ERR_OVERFLOW, "more than %llu messages came in at node %llu at the end of cycle %llu",
        (unsigned long long)k->numbers, (unsigned long long)source, (unsigned long long)k->cycle);
}

static cn_status admit_all(cni_unlimited *k, uint64_t cycle_seed)
{
    for (uint64_t node = 0; node < k->nodes; node++) {
        uint64_t stream = cni_random_derive(cycle_seed, node);
        uint64_t offered = cni_traffic_offered(&k->traffic, stream);
        if (offered == 0)
            continue;
        CNI_TRY(check_number(k, node, offered - 1));
        CNI_TRY(make_room(k, offered));
        for (uint64_t j = 0; j < offered; j++)
            admit(k, node, cni_traffic_header(stream, j, k->nodes), j, 0,
                  cni_random_word(stream, CNI_UNLIMITED_NEW + j));
    }
    return CN_OK;
}

static cn_status step_kernel(void *state, uint64_t cycles)
{
    cni_unlimited *k = state;
    for (uint64_t c = 0; c < cycles; c++) {
        send_all(k);
        k->cycle += 1;
        k->injections = 0;
        uint64_t cycle_seed = cni_random_derive(k->seed, k->cycle);
        receive_all(k, cycle_seed);
        if (k->load > 0.0)
            CNI_TRY(admit_all(k, cycle_seed));
    }
    return CN_OK;
}

/* ---- messages from the caller ---- */

static cn_status inject(void *state, uint64_t source, uint64_t destination, uint64_t tag)
{
    cni_unlimited *k = state;
    uint64_t header, number = k->injections;
    CNI_TRY(check_number(k, source, number));
    CNI_TRY(cn_topology_header(k->topology, source, destination, &header));
    CNI_TRY(make_room(k, 1));
    CNI_TRY(cni_grow((void **)&k->arrived, &k->arrived_room, k->mailbox.waiting + 1,
                     sizeof *k->arrived));
    cn_delivery delivery = {
        .tag = tag, .source = source, .destination = destination, .injected = k->cycle};
    CNI_TRY(cni_mailbox_post(&k->mailbox, number, &delivery));
    uint64_t stream = cni_random_derive(cni_random_derive(k->seed, k->cycle), source);
    admit(k, source, header, number, 1, cni_random_word(stream, CNI_UNLIMITED_INJECTED + number));
    k->injections += 1;
    return CN_OK;
}

static cn_status next_delivery(void *state, cn_delivery *delivery)
{
    cni_unlimited *k = state;
    return cni_mailbox_fetch(&k->mailbox, delivery);
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

static const cni_histogram *delays(const void *state)
{
    const cni_unlimited *k = state;
    return &k->delays;
}

static void clear_delays(void *state)
{
    cni_unlimited *k = state;
    cni_histogram_clear(&k->delays);
}

/* ---- results ---- */

/* No steady state: the scenario's load is at capacity or above, or it leaves less than what the caller
 * injected needs. */
static int is_saturated(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS])
{
    const cn_topology *topology = scenario->topology;
    double capacity = cni_capacity(topology);
    double left = 1.0 - scenario->value[CN_PARAM_LOAD] / capacity; /* share of the channels */
    double channel_cycles =
        (double)topology->nodes * topology->max_degree * (double)counters[CNI_COUNT_CYCLES];
    return left <= 0.0 || (double)counters[CNI_COUNT_TRAVEL_INJECTED] > left * channel_cycles;
}

/* What has a limit only in a steady state. */
static void put_steady(double nodes, const uint64_t counters[CNI_COUNTERS], cn_result *result)
{
    double node_cycles = nodes * (double)counters[CNI_COUNT_CYCLES];
    double offered = (double)counters[CNI_COUNT_OFFERED];
    double accepted = (double)counters[CNI_COUNT_ACCEPTED];
    double delivered = (double)counters[CNI_COUNT_DELIVERED];
    double delay = (double)counters[CNI_COUNT_DELAY] / delivered;
    double power = nodes * (delivered / node_cycles) / delay;
    uint64_t cycles = counters[CNI_COUNT_CYCLES], messages = counters[CNI_COUNT_DELIVERED];
    cni_result_put(result, CN_METRIC_MEAN_DELAY, delay, messages);
    cni_result_put(result, CN_METRIC_MEAN_QUEUE_LENGTH,
                   (double)counters[CNI_COUNT_WAITING] / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_MEAN_HOPS, (double)counters[CNI_COUNT_HOPS] / delivered,
                   messages);
    cni_result_put(result, CN_METRIC_POWER, power, cycles);
    cni_result_put(result, CN_METRIC_POWER_ACCEPTED, power * accepted / offered, cycles);
}

static void evaluate(const cn_scenario *scenario, const uint64_t counters[CNI_COUNTERS],
                     cn_result *result)
{
    double nodes = (double)scenario->topology->nodes, ports = scenario->topology->max_degree;
    double node_cycles = nodes * (double)counters[CNI_COUNT_CYCLES];
    double channel_cycles = node_cycles * ports;
    double offered = (double)counters[CNI_COUNT_OFFERED];
    double accepted = (double)counters[CNI_COUNT_ACCEPTED];
    double delivered = (double)counters[CNI_COUNT_DELIVERED];
    double hops = (double)counters[CNI_COUNT_HOPS], throughput = delivered / node_cycles;
    uint64_t cycles = counters[CNI_COUNT_CYCLES];

    cni_result_put(result, CN_METRIC_THROUGHPUT, throughput, cycles);
    cni_result_put(result, CN_METRIC_NETWORK_THROUGHPUT, nodes * throughput, cycles);
    cni_result_put(result, CN_METRIC_OFFERED_LOAD, offered / node_cycles, cycles);
    cni_result_put(result, CN_METRIC_ACCEPTANCE_PROBABILITY, accepted / offered,
                   counters[CNI_COUNT_OFFERED]);
    cni_result_put(result, CN_METRIC_CHANNEL_UTILIZATION, hops / channel_cycles, cycles);
    cni_result_put(result, CN_METRIC_TRANSIT_PROBABILITY, (hops - delivered) / channel_cycles,
                   cycles);
    cni_result_put(result, CN_METRIC_MEAN_DISTANCE, (double)counters[CNI_COUNT_TRAVEL] / accepted,
                   counters[CNI_COUNT_ACCEPTED]);
    result->saturated = is_saturated(scenario, counters);
    if (!result->saturated)
        put_steady(nodes, counters, result);
}

/* Without a steady state a run lasts until BACKLOG messages wait for each channel, on average; the
 * first quarter of it is warm-up. That bounds the memory, too. */
static void shorten(cn_scenario *scenario)
{
    double growth = scenario->value[CN_PARAM_LOAD] - cni_capacity(scenario->topology);
    double *warmup = &scenario->value[CN_PARAM_WARMUP_CYCLES];
    double *measured = &scenario->value[CN_PARAM_MEASURE_CYCLES];
    if (growth < 0.0)
        return;
    double longest = ceil(BACKLOG * (double)scenario->topology->max_degree / growth);
    if (*warmup + *measured <= longest)
        return;
    *warmup = fmin(*warmup, floor(longest / 4.0));
    *measured = fmin(*measured, longest - *warmup);
}

const cni_kernel cni_separate_buffers_kernel = {
    .open = open_separate,
    .close = close_kernel,
    .step = step_kernel,
    .inject = inject,
    .next_delivery = next_delivery,
    .count = count,
    .in_flight = in_flight,
    .delays = delays,
    .clear_delays = clear_delays,
    .evaluate = evaluate,
    .shorten = shorten,
};

const cni_kernel cni_shared_buffer_kernel = {
    .open = open_shared,
    .close = close_kernel,
    .step = step_kernel,
    .inject = inject,
    .next_delivery = next_delivery,
    .count = count,
    .in_flight = in_flight,
    .delays = delays,
    .clear_delays = clear_delays,
    .evaluate = evaluate,
    .shorten = shorten,
};
