/* The cycle of the kernels with unlimited buffers: send, exchange, deliver, admit. */
#include "simulation/store_forward/unlimited.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "routing/decisions/channels.h"
#include "topology/topology.h"

/* ---- places and queues ---- */

cn_status cni_unlimited_make_room(cni_unlimited *k, uint64_t count)
{
    if (count > UINT32_MAX - k->messages - 1)
        return cni_fail(CN_ERR_MEMORY,
                        "out of memory: more than 2^32 messages are waiting at cycle %llu",
                        (unsigned long long)k->cycle);
    return cni_grow((void **)&k->place, &k->places, k->messages + 1 + count, sizeof *k->place);
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
    cni_histogram_add(&k->head.delays, delay);
    if (message->identity >> k->injected_shift & 1) {
        k->arrived[k->arrived_count] =
            (cni_unlimited_arrival){.order = (uint64_t)message->node << 32 | k->arrived_count,
                                    .created = message->created,
                                    .identity = message->identity};
        k->arrived_count++;
    }
    give_place(k, at);
}

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const cni_unlimited_arrival *)a)->order,
             y = ((const cni_unlimited_arrival *)b)->order;
    return (x > y) - (x < y);
}

/* Hands the cycle's arrivals of injected messages to the mailbox, by destination. */
static void post_arrivals(cni_unlimited *k)
{
    qsort(k->arrived, k->arrived_count, sizeof *k->arrived, by_order);
    for (size_t i = 0; i < k->arrived_count; i++) {
        const cni_unlimited_arrival *one = &k->arrived[i];
        cni_mailbox_arrive(&k->head.mailbox, one->created, one->identity >> k->source_shift,
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

void cni_unlimited_admit(cni_unlimited *k, uint64_t source, uint64_t header, uint64_t number,
                         int injected, uint64_t word)
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

cn_status cni_unlimited_check_number(const cni_unlimited *k, uint64_t source, uint64_t number)
{
    if (number < k->numbers)
        return CN_OK;
    return cni_fail(
        CN_ERR_OVERFLOW, "more than %llu messages arrived at node %llu at the end of cycle %llu",
        (unsigned long long)k->numbers, (unsigned long long)source, (unsigned long long)k->cycle);
}

static cn_status admit_uniform(cni_unlimited *k, uint64_t cycle_seed)
{
    for (uint64_t node = 0; node < k->nodes; node++) {
        uint64_t stream = cni_random_derive(cycle_seed, node);
        uint64_t offered = cni_geometric_offered(&k->slotted.geometric, stream);
        if (offered == 0)
            continue;
        CNI_TRY(cni_unlimited_check_number(k, node, offered - 1));
        CNI_TRY(cni_unlimited_make_room(k, offered));
        for (uint64_t j = 0; j < offered; j++)
            cni_unlimited_admit(k, node, cni_uniform_header(stream, j, k->nodes), j, 0,
                                cni_random_word(stream, CNI_WORDS_NEW + j));
    }
    return CN_OK;
}

/* The traffic that the scenario brings: `offered` messages of a node, listed in a trace or random. What a
 * trace holds is in nobody's load and counts as injected. */
static cn_status admit_of_scenario(cni_unlimited *k, uint64_t node, uint64_t stream,
                                   uint64_t offered, const cni_trace_message *listed)
{
    if (offered == 0)
        return CN_OK;
    uint64_t travelled = k->counters[CNI_COUNT_TRAVEL];
    CNI_TRY(cni_unlimited_check_number(k, node, offered - 1));
    CNI_TRY(cni_unlimited_make_room(k, offered));
    for (uint64_t j = 0; j < offered; j++) {
        uint64_t header = listed != NULL ? cni_header(k->topology, node, listed[j].destination)
                                         : cni_slotted_header(&k->slotted, node, stream, j);
        cni_unlimited_admit(k, node, header, j, 0, cni_random_word(stream, CNI_WORDS_NEW + j));
    }
    if (listed != NULL)
        k->counters[CNI_COUNT_TRAVEL_INJECTED] += k->counters[CNI_COUNT_TRAVEL] - travelled;
    return CN_OK;
}

static cn_status admit_drawn(cni_unlimited *k, uint64_t cycle_seed)
{
    for (uint64_t node = 0; node < k->nodes; node++) {
        uint64_t stream = cni_random_derive(cycle_seed, node);
        uint64_t offered = cni_slotted_offered(&k->slotted, node, stream);
        CNI_TRY(admit_of_scenario(k, node, stream, offered, NULL));
    }
    return CN_OK;
}

static cn_status admit_listed(cni_unlimited *k, uint64_t cycle_seed)
{
    const cni_slotted *slotted = &k->slotted;
    size_t at = cni_trace_find(slotted->traffic, k->cycle, 0);
    while (at < slotted->trace_count && slotted->trace[at].cycle == k->cycle) {
        uint64_t node = slotted->trace[at].source;
        uint64_t offered = cni_slotted_listed(slotted, at, k->cycle, node);
        uint64_t stream = cni_random_derive(cycle_seed, node);
        CNI_TRY(admit_of_scenario(k, node, stream, offered, &slotted->trace[at]));
        at += (size_t)offered;
    }
    return CN_OK;
}

static cn_status admit_all(cni_unlimited *k, uint64_t cycle_seed)
{
    if (k->slotted.trace != NULL)
        return admit_listed(k, cycle_seed);
    if (!(k->slotted.load > 0.0))
        return CN_OK;
    return k->slotted.traffic == NULL ? admit_uniform(k, cycle_seed) : admit_drawn(k, cycle_seed);
}

cn_status cni_unlimited_run(cni_unlimited *k, uint64_t cycles)
{
    if (k->cycle == 0 && cycles > 0 && k->slotted.trace != NULL)
        CNI_TRY(admit_listed(k, cni_random_derive(k->seed, 0)));
    for (uint64_t c = 0; c < cycles; c++) {
        send_all(k);
        k->cycle += 1;
        k->injections = 0;
        uint64_t cycle_seed = cni_random_derive(k->seed, k->cycle);
        receive_all(k, cycle_seed);
        CNI_TRY(admit_all(k, cycle_seed));
    }
    return CN_OK;
}
