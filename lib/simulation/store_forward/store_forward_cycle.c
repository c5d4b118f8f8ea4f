/* Store and forward in cycles: send, exchange, deliver, admit. */
#include "simulation/store_forward/store_forward.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

/* Every busy channel sends the first message of its queue. From the last one on: a channel that falls
 * idle is replaced by one that has sent. */
static void send_all(cni_store *s)
{
    memset(s->crossings, 0, sizeof s->crossings);
    s->counters[CNI_COUNT_HOPS] += s->busy_count;
    for (uint32_t i = s->busy_count; i-- > 0;) {
        uint32_t channel = s->busy[i], port = channel >> s->routes.dimensions;
        uint32_t node = (channel & (s->routes.nodes - 1)) ^ UINT32_C(1) << port;
        size_t to = (size_t)port * s->routes.nodes + (size_t)s->crossings[port]++;
        s->crossing[to] = (cni_crossing){.at = cni_store_take(s, i), .node = node};
    }
}

static void land(cni_store *s, uint32_t at, uint32_t port)
{
    const cni_store_message *message = &s->place[at];
    cni_store_deliver(s, at, s->cycle << CNI_TICK_BITS);
    if (message->number != 0)
        s->landed[s->landed_count++] =
            (cni_landing){.order = (uint64_t)message->destination << 32 | port,
                          .created = message->created,
                          .number = message->number,
                          .source = message->source};
}

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const cni_landing *)a)->order, y = ((const cni_landing *)b)->order;
    return (x > y) - (x < y);
}

/* Hands the cycle's arrivals of injected messages to the mailbox, by destination. */
static void post_landed(cni_store *s)
{
    qsort(s->landed, s->landed_count, sizeof *s->landed, by_order);
    for (size_t i = 0; i < s->landed_count; i++)
        cni_mailbox_arrive(&s->head.mailbox, s->landed[i].created >> CNI_TICK_BITS,
                           s->landed[i].source, s->landed[i].number, s->cycle);
    s->landed_count = 0;
}

/* Into a queue that a word of the node's random sequence of the cycle picks. */
static void join(cni_store *s, uint32_t at, uint32_t node, uint64_t cycle_seed, uint64_t word)
{
    uint32_t allowed = cni_store_allowed(s, at, node);
    if (cni_store_is_choice(allowed))
        allowed =
            cni_store_pick(allowed, cni_random_word(cni_random_derive(cycle_seed, node), word));
    cni_store_join(s, at, node, allowed);
}

/* Port by port, so that a node's messages come in the order of its ports. */
static void receive_all(cni_store *s, uint64_t cycle_seed)
{
    for (uint32_t port = 0; port < s->routes.dimensions; port++)
        for (uint64_t i = 0; i < s->crossings[port]; i++) {
            cni_crossing came = s->crossing[(size_t)port * s->routes.nodes + i];
            if (s->place[came.at].destination == came.node)
                land(s, came.at, port);
            else
                join(s, came.at, came.node, cycle_seed, port);
        }
    if (s->landed_count > 0)
        post_landed(s);
}

/* Number i of the new messages of a survivor. */
static void admit(cni_store *s, uint32_t from, uint64_t cycle_seed, uint64_t stream, uint64_t i)
{
    const cni_routes *routes = &s->routes;
    /* 1 .. survivors - 1: without damage a header, else so many places further round the survivors */
    uint32_t step = (uint32_t)cni_uniform_header(stream, i, routes->survivors);
    uint32_t to = routes->survivors == routes->nodes ? from ^ step : from + step;
    if (to >= routes->survivors)
        to -= routes->survivors;
    cni_store_message message = {.created = s->cycle << CNI_TICK_BITS,
                                 .source = routes->survivor[from],
                                 .destination = routes->survivor[to]};
    message.row = routes->row_of[message.destination];
    uint32_t at = cni_store_admit(s, &message);
    join(s, at, message.source, cycle_seed, CNI_WORDS_NEW + i);
}

static cn_status admit_all(cni_store *s, uint64_t cycle_seed)
{
    for (uint32_t i = 0; i < s->routes.survivors; i++) {
        uint64_t stream = cni_random_derive(cycle_seed, s->routes.survivor[i]);
        uint64_t offered = cni_geometric_offered(&s->traffic, stream);
        if (offered == 0)
            continue;
        CNI_TRY(cni_store_make_room(s, offered));
        for (uint64_t j = 0; j < offered; j++)
            admit(s, i, cycle_seed, stream, j);
    }
    return CN_OK;
}

/* Nothing is there and nothing comes: the cycles only pass. */
static void pass(cni_store *s, uint64_t cycles)
{
    s->cycle += cycles;
    s->injections = 0;
    cni_store_count_until(s, s->cycle << CNI_TICK_BITS);
}

cn_status cni_store_run_cycles(cni_store *s, uint64_t cycles)
{
    for (uint64_t c = 0; c < cycles; c++) {
        if (s->load == 0.0 && s->messages == 0) {
            pass(s, cycles - c);
            break;
        }
        cni_store_count_until(s, (s->cycle + 1) << CNI_TICK_BITS);
        send_all(s);
        s->cycle += 1;
        s->injections = 0;
        uint64_t cycle_seed = cni_random_derive(s->seed, s->cycle);
        receive_all(s, cycle_seed);
        if (s->load > 0.0)
            CNI_TRY(admit_all(s, cycle_seed));
    }
    return CN_OK;
}
