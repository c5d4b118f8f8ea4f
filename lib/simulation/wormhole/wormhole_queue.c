/* Messages of the wormhole kernel from their creation until they are served: sources, broadcasts,
 * queues. */
#include "simulation/wormhole/wormhole_hops.h"
#include "simulation/wormhole/wormhole_short.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenario/traffic/traffic.h"
#include "simulation/wormhole/wormhole_source.h"

/* ---- room ---- */

/* Makes room for `count` more worms. */
static cn_status make_worms(cni_wormhole *k, uint32_t count)
{
    uint64_t needed = (uint64_t)k->worms.used + count;
    if (needed >= CNI_WORM_NONE - k->nodes)
        return cni_fail(CN_ERR_MEMORY, "out of memory: more than 2^32 messages at cycle %llu",
                        (unsigned long long)k->cycle);
    if (needed <= k->worms.places[0])
        return CN_OK;
    uint64_t target = 16;
    while (target < needed)
        target *= 2;
    uint64_t sets = cni_worm_has_numbers(k) ? 0 : target * 2 * k->node_words;
    const cni_array grown[] = {
        CNI_ARRAY(k->worms.all, target),        CNI_ARRAY(k->worms.message, target),
        CNI_ARRAY(k->worms.awake, target),      CNI_ARRAY(k->worms.path, target * k->stride),
        CNI_ARRAY(k->worms.picked, target + 1), CNI_ARRAY(k->worms.tails, target + 1),
        CNI_ARRAY(k->worms.rivals, target + 1), CNI_ARRAY(k->worms.active, target + 1),
        CNI_ARRAY(k->choices.set, sets),        CNI_ARRAY(k->waiting.header, k->nodes + target),
    };
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++)
        CNI_TRY(cni_grow(grown[i].pointer, &k->worms.places[i + 1], grown[i].count, grown[i].size));
    k->worms.places[0] = (size_t)target;
    return CN_OK;
}

cn_status cni_wormhole_make_room(cni_wormhole *k, uint32_t messages)
{
    CNI_TRY(make_worms(k, messages));
    if (messages >= CNI_WORM_NONE - k->sources.used)
        return cni_fail(CN_ERR_MEMORY, "out of memory: more than 2^32 messages at cycle %llu",
                        (unsigned long long)k->cycle);
    return cni_grow(&k->sources.queued, &k->sources.places, k->sources.used + messages,
                    sizeof *k->sources.queued);
}

/* Whether there is room for one more message. */
static inline int has_room(const cni_wormhole *k)
{
    return k->worms.used < k->worms.places[0] && k->sources.used < k->sources.places;
}

cn_status cni_wormhole_make_broadcast_room(cni_wormhole *k)
{
    if (!k->is_binomial)
        CNI_TRY(cni_grow(&k->broadcasts.parent, &k->broadcasts.parent_places,
                         (k->broadcasts.used + 1) * k->nodes, sizeof *k->broadcasts.parent));
    return cni_grow(&k->broadcasts.all, &k->broadcasts.places, k->broadcasts.used + 1,
                    sizeof *k->broadcasts.all);
}

/* ---- queues ---- */

/* All flits of a worm are at the source. */
void cni_worm_begin(cni_wormhole *k, uint32_t worm, uint32_t flits)
{
    k->worms.all[worm] = (cni_worm){.filled = 1, .left = flits, .leaving = 1};
}

/* The source begins to serve a message: the message becomes a worm whose header waits. */
static void serve_message(cni_wormhole *k, const cni_worm_message *message)
{
    uint32_t worm = k->worms.free;
    if (worm == CNI_WORM_NONE)
        worm = (uint32_t)k->worms.used++;
    else
        k->worms.free = cni_worm_header_of(k, worm)->next;
    cni_worm_begin(k, worm, message->flits);
    k->worms.message[worm] = *message;
    cni_worm_header *header = cni_worm_header_of(k, worm);
    header->node = message->source;
    header->key = CNI_WORM_SOURCE + message->port;
    header->class = message->class;
    header->target = message->target;
    k->sources.queue[message->source * k->ports + message->port].served += 1;
    cni_wormhole_wait(k, worm, k->cycle);
}

void cni_wormhole_keep(cni_wormhole *k, cni_worm_list *list, const cni_worm_message *message)
{
    uint32_t at = k->sources.free;
    if (at == CNI_WORM_NONE)
        at = (uint32_t)k->sources.used++;
    else
        k->sources.free = k->sources.queued[at].next;
    k->sources.queued[at] = *message;
    k->sources.queued[at].next = CNI_WORM_NONE;
    *(list->first == CNI_WORM_NONE ? &list->first : &k->sources.queued[list->last].next) = at;
    list->last = at;
}

uint32_t cni_wormhole_length(const cni_wormhole *k, const cni_worm_list *list)
{
    uint32_t count = 0;
    for (uint32_t at = list->first; at != CNI_WORM_NONE; at = k->sources.queued[at].next)
        count++;
    return count;
}

static void free_place(cni_wormhole *k, uint32_t at)
{
    k->sources.queued[at].flits = 0;
    k->sources.queued[at].next = k->sources.free;
    k->sources.free = at;
}

/* Puts a message into its queue. There is room among the worms and among the queued messages. */
static void join_queue(cni_wormhole *k, const cni_worm_message *message)
{
    cni_worm_queue *queue = &k->sources.queue[message->source * k->ports + message->port];
    if (queue->served < k->servers)
        serve_message(k, message);
    else
        cni_wormhole_keep(k, &queue->list, message);
}

cn_status cni_wormhole_leave_source(cni_wormhole *k, uint32_t worm)
{
    const cni_worm_message *message = &k->worms.message[worm];
    cni_worm_queue *queue = &k->sources.queue[message->source * k->ports + message->port];
    uint32_t at = queue->list.first;
    queue->served -= 1;
    if (at == CNI_WORM_NONE)
        return CN_OK;
    CNI_TRY(make_worms(k, 1));
    queue->list.first = k->sources.queued[at].next;
    CNI_PREFETCH(&k->sources.queued[queue->list.first == CNI_WORM_NONE ? at : queue->list.first]);
    serve_message(k, &k->sources.queued[at]);
    free_place(k, at);
    return CN_OK;
}

/* Creates a message, which joins its queue at once or after the startup latency. */
static void create_message(cni_wormhole *k, cni_worm_message *message)
{
    message->created = k->cycle;
    if (k->one_port)
        message->port = 0;
    if (k->startup == 0)
        join_queue(k, message);
    else
        cni_wormhole_keep(k, &k->sources.early, message);
}

/* The cycle at whose end an early message joins its queue. */
static uint64_t due_cycle(const cni_wormhole *k, uint32_t early)
{
    return k->sources.queued[early].created + k->startup;
}

/* Lets the messages whose startup latency is over join their queues. */
static cn_status join_due_messages(cni_wormhole *k)
{
    while (k->sources.early.first != CNI_WORM_NONE &&
           due_cycle(k, k->sources.early.first) <= k->cycle) {
        uint32_t at = k->sources.early.first;
        CNI_TRY(cni_wormhole_make_room(k, 1));
        cni_worm_message message = k->sources.queued[at];
        k->sources.early.first = k->sources.queued[at].next;
        free_place(k, at);
        join_queue(k, &message);
    }
    return CN_OK;
}

/* ---- messages ---- */

static void count_accepted(cni_wormhole *k, uint32_t source)
{
    if (k->counts.words > 0) {
        k->counts.accepted[source] += 1;
        k->counts.offered[source] += 1;
        cni_counts_join(&k->counts, source, k->cycle);
    }
    k->counters[CNI_COUNT_OFFERED] += 1;
    k->counters[CNI_COUNT_ACCEPTED] += 1;
}

/* Finds the target of the first leg. */
static void pick_target(const cni_wormhole *k, cni_worm_message *message, uint64_t word)
{
    const cn_routing *routing = k->network.routing;
    message->target =
        (uint32_t)cni_routing_begin(routing, message->destination, cni_random_word(word, 0));
    if (message->target != message->source)
        return;
    message->target = message->destination;
    message->state = (uint8_t)cni_leg_class(routing, 1);
}

cn_status cni_wormhole_accept(cni_wormhole *k, uint32_t source, uint32_t destination,
                              uint32_t flits, uint32_t number, int traced, uint64_t word)
{
    if (CNI_RARELY(!has_room(k)))
        CNI_TRY(cni_wormhole_make_room(k, 1));
    if (CNI_RARELY(flits > cni_short_most(k)))
        cni_short_leave(k);
    cni_worm_message message = {.source = source,
                                .destination = destination,
                                .flits = flits,
                                .broadcast = CNI_WORM_NONE,
                                .number = number,
                                .target = destination,
                                .class = CNI_WORM_UNICAST,
                                .traced = traced != 0};
    if (k->network.routing->kind->begin != NULL)
        pick_target(k, &message, word);
    message.port = (uint8_t)cni_worm_pick_port(k, &message, (uint32_t)(word >> 32));
    count_accepted(k, source);
    create_message(k, &message);
    return CN_OK;
}

/* ---- broadcasts ---- */

/* Sends a copy to a neighbour: its header begins with the last leg. */
static void send_copy(cni_wormhole *k, uint32_t broadcast, uint32_t node, uint32_t port)
{
    const cn_routing *routing = k->network.routing;
    uint32_t next = k->network.far[node * k->ports + port];
    int is_first = node == k->broadcasts.all[broadcast].source;
    cni_worm_message message = {.source = node,
                                .destination = next,
                                .flits = k->flits,
                                .broadcast = broadcast,
                                .number = CNI_WORM_NONE,
                                .target = next,
                                .port = (uint8_t)port,
                                .class = is_first ? CNI_WORM_BROADCAST : CNI_WORM_REPLICA,
                                .state = (uint8_t)cni_leg_class(routing, routing->kind->legs - 1)};
    create_message(k, &message);
}

/* Sends copies to the nodes whose parent is this node. */
static void send_to_children(cni_wormhole *k, uint32_t broadcast, uint32_t node)
{
    const uint32_t *far = &k->network.far[node * k->ports];
    const uint32_t *parent = &k->broadcasts.parent[(size_t)broadcast * k->nodes];
    for (uint32_t port = 0; port < k->ports; port++)
        if (far[port] != CNI_ABSENT && parent[far[port]] == node)
            send_copy(k, broadcast, node, port);
}

cn_status cni_wormhole_send_on(cni_wormhole *k, uint32_t broadcast, uint32_t node, uint32_t from)
{
    uint32_t base = k->broadcasts.all[broadcast].base, rank = 0;
    CNI_TRY(cni_wormhole_make_room(k, k->ports));
    if (!k->is_binomial) {
        send_to_children(k, broadcast, node);
        return CN_OK;
    }
    /* the ports in order from the base: behind the port of the own copy, or all at the source */
    if (from != node)
        rank = (cni_lowest_bit(from ^ node) + k->ports - base) % k->ports + 1;
    for (; rank < k->ports; rank++)
        send_copy(k, broadcast, node, (base + rank) % k->ports);
    return CN_OK;
}

/* Finds the served nodes breadth first. The parent of a node is the first found node with a channel
 * to the node. */
uint32_t cni_wormhole_grow_tree(cni_wormhole *k, uint32_t source, uint32_t parent[])
{
    uint32_t found = 1;
    for (uint32_t v = 0; v < k->nodes; v++)
        parent[v] = CNI_ABSENT;
    k->broadcasts.search[0] = source;
    parent[source] = source;
    for (uint32_t at = 0; at < found; at++) {
        uint32_t node = k->broadcasts.search[at];
        for (uint32_t port = 0; port < k->ports; port++) {
            uint32_t next = k->network.far[node * k->ports + port];
            if (next == CNI_ABSENT || parent[next] != CNI_ABSENT ||
                !cni_network_serves(&k->network, next))
                continue;
            parent[next] = node;
            k->broadcasts.search[found++] = next;
        }
    }
    parent[source] = CNI_ABSENT;
    return found;
}

uint32_t cni_wormhole_depth(const cni_wormhole *k, uint32_t broadcast, uint32_t node)
{
    uint32_t source = k->broadcasts.all[broadcast].source, depth = 0;
    if (k->is_binomial)
        return cni_popcount(source ^ node);
    for (; node != source; depth++)
        node = k->broadcasts.parent[(size_t)broadcast * k->nodes + node];
    return depth;
}

uint32_t cni_wormhole_next_base(cni_wormhole *k, uint32_t source, uint64_t word)
{
    uint32_t base = 0;
    if (k->broadcasts.base_rule == CN_BASE_RANDOM)
        base = cni_random_below((uint32_t)(word >> 32), k->ports);
    if (k->broadcasts.base_rule == CN_BASE_ROUND_ROBIN) {
        base = k->broadcasts.next_base[source];
        k->broadcasts.next_base[source] = (uint8_t)((base + 1) % k->ports);
    }
    return base;
}

cn_status cni_wormhole_accept_broadcast(cni_wormhole *k, uint32_t source, uint32_t number,
                                        uint32_t base)
{
    CNI_TRY(cni_wormhole_make_room(k, k->ports));
    CNI_TRY(cni_wormhole_make_broadcast_room(k));
    uint32_t at = k->broadcasts.free;
    if (at == CNI_WORM_NONE)
        at = (uint32_t)k->broadcasts.used++;
    else
        k->broadcasts.free = k->broadcasts.all[at].missing;
    k->broadcasts.all[at] = (cni_worm_broadcast){.created = k->cycle,
                                                 .source = source,
                                                 .base = base,
                                                 .missing = k->network.served - 1,
                                                 .number = number};
    if (!k->is_binomial)
        cni_wormhole_grow_tree(k, source, &k->broadcasts.parent[(size_t)at * k->nodes]);
    count_accepted(k, source);
    return cni_wormhole_send_on(k, at, source, source);
}

/* ---- sources ---- */

static uint64_t time_of_source(const void *user, uint32_t node)
{
    return ((const cni_wormhole *)user)->sources.arrivals[node].cycle;
}

static void put_on_wheel(cni_wormhole *k, uint32_t node)
{
    if (k->sources.arrivals[node].cycle != UINT64_MAX)
        cni_wheel_put(&k->sources.wheel, node, k->sources.arrivals[node].cycle);
}

/* A uniform endpoint other than this node. */
static uint32_t other_endpoint(const cni_network *network, uint32_t node, uint64_t word)
{
    uint64_t rank = cni_network_rank(network, node);
    rank = cni_wormhole_other(rank, network->endpoints, word);
    return (uint32_t)cni_network_endpoint(network, rank);
}

/* Creates the next random message of a node. */
static cn_status offer_message(cni_wormhole *k, uint32_t node)
{
    uint64_t stream = cni_random_word(k->messages_seed, node);
    uint64_t first = k->sources.made[node]++ * CNI_WORMHOLE_WORDS;
    uint64_t word = cni_random_word(stream, first + CNI_WORMHOLE_DESTINATION);
    if (k->broadcast_fraction > 0.0 &&
        cni_wormhole_uniform(cni_random_word(stream, first + CNI_WORMHOLE_CLASS)) <
            k->broadcast_fraction)
        return cni_wormhole_accept_broadcast(k, node, CNI_WORM_NONE,
                                             cni_wormhole_next_base(k, node, word));
    uint32_t destination = k->draws_evenly
                               ? other_endpoint(&k->network, node, word)
                               : (uint32_t)cni_traffic_destination(k->traffic, node, word);
    return cni_wormhole_accept(k, node, destination, k->flits, CNI_WORM_NONE, 0,
                               cni_random_word(stream, first + CNI_WORMHOLE_QUEUE));
}

/* Creates the random messages of this cycle. */
static cn_status offer_all(cni_wormhole *k)
{
    uint32_t node = cni_wheel_take(&k->sources.wheel, k->cycle, time_of_source, k);
    while (node != CNI_WHEEL_NONE) {
        uint32_t next = k->sources.wheel.next[node];
        while (k->sources.arrivals[node].cycle == k->cycle) {
            if (!k->sources.arrivals[node].silent)
                CNI_TRY(offer_message(k, node));
            cni_source_next(&k->sources.process, cni_random_word(k->times_seed, node),
                            &k->sources.arrivals[node]);
        }
        put_on_wheel(k, node);
        node = next;
    }
    return CN_OK;
}

/* Creates the messages that the trace has in this cycle. */
static cn_status offer_trace(cni_wormhole *k)
{
    const cni_traffic_table *table = k->traffic->table;
    for (; k->sources.traced < table->trace_count &&
           table->trace[k->sources.traced].cycle == k->cycle;
         k->sources.traced++) {
        const cni_trace_message *m = &table->trace[k->sources.traced];
        uint32_t node = (uint32_t)m->source;
        uint64_t word =
            cni_random_word(cni_random_word(k->messages_seed, node),
                            k->sources.made[node]++ * CNI_WORMHOLE_WORDS + CNI_WORMHOLE_QUEUE);
        CNI_TRY(cni_wormhole_accept(k, node, (uint32_t)m->destination,
                                    m->flits == 0 ? k->flits : m->flits,
                                    (uint32_t)k->sources.traced, 1, word));
    }
    return CN_OK;
}

uint64_t cni_wormhole_next_message(const cni_wormhole *k)
{
    uint64_t early =
        k->sources.early.first == CNI_WORM_NONE ? CN_NEVER : due_cycle(k, k->sources.early.first);
    uint64_t next = cni_traffic_is_trace(k->traffic)
                        ? cni_trace_next(k->traffic, k->cycle)
                        : cni_wheel_next(&k->sources.wheel, time_of_source, k);
    return early < next ? early : next;
}

cn_status cni_wormhole_admit(cni_wormhole *k)
{
    if (cni_traffic_is_trace(k->traffic))
        CNI_TRY(offer_trace(k));
    else
        CNI_TRY(offer_all(k));
    return join_due_messages(k);
}

static int is_source(const cni_wormhole *k, uint32_t node)
{
    return k->sources.process.load != 0.0 && cni_network_is_endpoint(&k->network, node) &&
           (k->traffic == NULL || cni_traffic_sends(k->traffic, node));
}

cn_status cni_wormhole_begin(void *state)
{
    cni_wormhole *k = state;
    if (cni_traffic_is_trace(k->traffic))
        return offer_trace(k);
    for (uint32_t node = 0; node < k->nodes; node++) {
        if (!is_source(k, node))
            continue;
        cni_source_begin(&k->sources.process, cni_random_word(k->times_seed, node),
                         &k->sources.arrivals[node]);
        put_on_wheel(k, node);
    }
    return CN_OK;
}

/* Visits the sources in a snapshot. The wheel follows from the times; all messages of a trace up
 * to now were admitted. */
cn_status cni_wormhole_visit_sources(cni_wormhole *k, cni_archive *archive)
{
    int is_trace = cni_traffic_is_trace(k->traffic);
    cni_archive_u64s(archive, k->sources.made, k->nodes);
    for (uint32_t node = 0; k->broadcasts.next_base != NULL && node < k->nodes; node++) {
        cni_archive_u8s(archive, &k->broadcasts.next_base[node], 1);
        CNI_ALLOW(k->broadcasts.next_base[node] < k->ports, "the base of a node's next broadcast");
    }
    if (cni_archive_reads(archive)) {
        k->sources.wheel.now = k->cycle;
        k->sources.traced = is_trace ? cni_trace_find(k->traffic, k->cycle + 1, 0) : 0;
    }
    for (uint32_t node = 0; node < k->nodes && !is_trace; node++) {
        if (!is_source(k, node))
            continue;
        CNI_TRY(cni_arrivals_visit(archive, &k->sources.arrivals[node], k->cycle));
        if (cni_archive_reads(archive))
            put_on_wheel(k, node);
    }
    return CN_OK;
}
