#include "plain_deflection.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/traffic/source.h"

#define NEVER UINT64_MAX

static void check(int holds)
{
    if (!holds)
        abort();
}

/* ---- the network ---- */

static int is_faulty(const plain_deflection *p, uint64_t node)
{
    return p->faults != NULL && cn_faults_has_node(p->faults, node);
}

static void find_channels(plain_deflection *p)
{
    for (uint64_t v = 0; v < p->nodes; v++)
        for (uint32_t port = 0; port < 64; port++) {
            uint32_t degree;
            uint64_t far;
            check(cn_topology_degree(p->topology, v, &degree) == CN_OK);
            p->far[v][port] = PLAIN_NODES;
            if (port >= degree || is_faulty(p, v) ||
                (p->faults != NULL && cn_faults_has_link(p->faults, v, port)))
                continue;
            check(cn_topology_neighbor(p->topology, v, port, &far) == CN_OK);
            if (is_faulty(p, far))
                continue;
            p->far[v][port] = far;
            p->outlets[v]++;
            p->inlets[far]++;
        }
}

/* By as many rounds over all channels as there are nodes. */
static void find_hops(plain_deflection *p)
{
    for (uint64_t u = 0; u < p->nodes; u++)
        for (uint64_t v = 0; v < p->nodes; v++)
            p->hops[u][v] = u == v ? 0 : NEVER;
    for (int changes = 1; changes != 0;) {
        changes = 0;
        for (uint64_t u = 0; u < p->nodes; u++)
            for (uint32_t port = 0; port < p->ports; port++)
                for (uint64_t v = 0; v < p->nodes && p->far[u][port] != PLAIN_NODES; v++) {
                    uint64_t there = p->hops[p->far[u][port]][v];
                    if (there != NEVER && there + 1 < p->hops[u][v]) {
                        p->hops[u][v] = there + 1;
                        changes = 1;
                    }
                }
    }
}

void plain_deflection_open(plain_deflection *p)
{
    p->nodes = cn_topology_node_count(p->topology);
    p->ports = cn_topology_max_degree(p->topology);
    check(p->nodes <= PLAIN_NODES && p->buffers <= PLAIN_BUFFERS);
    for (uint64_t v = 0; v < p->nodes; v++)
        if (!is_faulty(p, v))
            p->served[p->served_count++] = v;
    cni_geometric_start(&p->geometric, p->load);
    plain_tally_open(&p->tally, p->topology);
    find_channels(p);
    find_hops(p);
}

void plain_deflection_close(plain_deflection *p)
{
    plain_tally_close(&p->tally);
}

/* ---- new messages ---- */

static uint64_t stream_of(const plain_deflection *p, uint64_t node)
{
    return cni_random_derive(cni_random_derive(p->seed, p->cycle), node);
}

/* The node that is a step away: by header where there are headers and no faults, else round those
 * that survive. */
static uint64_t step_away(const plain_deflection *p, uint64_t node, uint64_t step)
{
    uint64_t place = 0, header;
    int has_headers = cn_topology_dimensions(p->topology) > 0 && p->served_count == p->nodes;
    for (uint64_t d = 0; has_headers && d < p->nodes; d++) {
        check(cn_topology_header(p->topology, node, d, &header) == CN_OK);
        if (header == step)
            return d;
    }
    while (p->served[place] != node)
        place++;
    return p->served[(place + step) % p->served_count];
}

uint64_t plain_deflection_destination(const plain_deflection *p, uint64_t node, uint64_t index)
{
    uint64_t stream = stream_of(p, node);
    if (p->traffic == NULL)
        return step_away(p, node, cni_uniform_header(stream, index, p->served_count));
    return cni_traffic_destination(p->traffic, node,
                                   cni_random_word(stream, CNI_WORDS_HEADERS + index));
}

uint64_t plain_deflection_offer(plain_deflection *p, uint64_t node)
{
    if (is_faulty(p, node) || (p->traffic != NULL && !cni_traffic_sends(p->traffic, node)))
        return 0;
    uint64_t offered = cni_geometric_offered(&p->geometric, stream_of(p, node));
    p->counts.offered += offered;
    p->tally.offered[node] += offered;
    return offered;
}

static void admit(plain_deflection *p, uint64_t node)
{
    plain_node *at = &p->node[node];
    uint64_t offered = plain_deflection_offer(p, node);
    for (uint64_t i = 0; i < offered && at->count < p->buffers; i++) {
        uint64_t destination = plain_deflection_destination(p, node, i);
        at->messages[at->count++] = (plain_message){p->cycle, node, i, destination, 0};
        p->tally.accepted[node]++;
        p->counts.accepted++;
        p->counts.distance += p->hops[node][destination];
    }
}

/* ---- a cycle ---- */

int plain_deflection_is_older(const plain_message *a, const plain_message *b)
{
    if (a->created != b->created)
        return a->created < b->created;
    return a->source != b->source ? a->source < b->source : a->number < b->number;
}

/* The one-bit number `rank` of a set. */
static uint32_t pick(uint64_t set, uint64_t word_half)
{
    uint32_t count = 0, port = 0;
    for (uint32_t i = 0; i < 64; i++)
        count += (uint32_t)(set >> i & 1);
    check(count > 0); /* no message is ever without a channel */
    uint32_t rank = cni_random_below((uint32_t)word_half, count);
    for (;; port++)
        if ((set >> port & 1) != 0 && rank-- == 0)
            return port;
}

static uint64_t allowed(const plain_deflection *p, uint64_t node, const plain_message *message)
{
    uint64_t ports;
    check(cn_routing_channels(p->routing, node, message->destination, &ports) == CN_OK);
    return ports;
}

/* Which of some ports a message of a node picks: the lowest, or those that the fewest of its
 * messages may take. */
static uint64_t narrow(cn_selection selection, uint64_t ports, const uint64_t wanting[64])
{
    uint64_t best = 0, fewest = NEVER;
    for (uint32_t port = 0; port < 64; port++) {
        uint64_t bit = UINT64_C(1) << port;
        if ((ports & bit) == 0)
            continue;
        if (selection == CN_SELECTION_LOWEST)
            return bit;
        if (wanting[port] < fewest)
            best = 0;
        if (wanting[port] <= fewest) {
            best |= bit;
            fewest = wanting[port];
        }
    }
    return best;
}

typedef struct crossing {
    int is_there;
    plain_message message;
} crossing;

/* Phase 1: everybody claims a channel, the older one gets it. Who loses stays, in the order of
 * losing. */
static void claim(plain_deflection *p, uint64_t node, crossing out[])
{
    plain_node before = p->node[node], *at = &p->node[node];
    uint64_t wanting[64] = {0};
    at->count = 0;
    for (size_t m = 0; m < before.count; m++) {
        uint64_t ports = allowed(p, node, &before.messages[m]);
        for (uint32_t port = 0; port < 64; port++)
            wanting[port] += ports >> port & 1;
    }
    for (size_t m = 0; m < before.count; m++) {
        plain_message message = before.messages[m];
        uint64_t ports = allowed(p, node, &message);
        uint64_t word = cni_random_word(stream_of(p, node), m / 2);
        if (p->selection != CN_SELECTION_RANDOM)
            ports = narrow(p->selection, ports, wanting);
        uint32_t port = pick(ports, m % 2 == 0 ? word >> 32 : word & UINT32_MAX);
        check(p->far[node][port] != PLAIN_NODES);
        if (!out[port].is_there) {
            out[port] = (crossing){1, message};
            p->counts.first++;
            continue;
        }
        if (plain_deflection_is_older(&message, &out[port].message)) {
            plain_message other = out[port].message;
            out[port].message = message;
            message = other;
        }
        at->messages[at->count++] = message;
    }
}

/* Phase 2: the youngest go over free channels until what comes in has room. */
static void force(plain_deflection *p, uint64_t node, crossing out[])
{
    plain_node *at = &p->node[node];
    for (uint64_t forced = 0; at->count + p->inlets[node] > p->buffers; forced++) {
        size_t youngest = 0;
        uint64_t free_ports = 0;
        for (size_t m = 1; m < at->count; m++)
            youngest =
                plain_deflection_is_older(&at->messages[youngest], &at->messages[m]) ? m : youngest;
        for (uint32_t port = 0; port < p->ports; port++)
            free_ports |= (uint64_t)(p->far[node][port] != PLAIN_NODES && !out[port].is_there)
                          << port;
        uint64_t word = cni_random_word(stream_of(p, node), CNI_WORDS_PHASE_TWO + forced);
        uint32_t port = pick(free_ports, word >> 32);
        plain_message message = at->messages[youngest];
        at->messages[youngest] = at->messages[--at->count];
        out[port] = (crossing){1, message};
        p->counts.second++;
        p->counts.deflected +=
            p->hops[p->far[node][port]][message.destination] >= p->hops[node][message.destination];
    }
}

static void arrive(plain_deflection *p, uint64_t node, const plain_message *message)
{
    plain_node *at = &p->node[node];
    if (message->destination == node) {
        p->counts.delivered++;
        p->tally.delivered[node]++;
        p->tally.hops[message->hops]++;
        p->counts.delay += p->cycle - message->created;
        return;
    }
    p->tally.forwarded[node]++;
    check(at->count < p->buffers);
    at->messages[at->count++] = *message;
}

/* The oldest message and how far it has to go. */
static plain_message oldest(const plain_deflection *p, uint64_t *hops)
{
    const plain_message *first = NULL;
    *hops = NEVER;
    for (uint64_t v = 0; v < p->nodes; v++)
        for (size_t m = 0; m < p->node[v].count; m++)
            if (first == NULL || plain_deflection_is_older(&p->node[v].messages[m], first)) {
                first = &p->node[v].messages[m];
                *hops = p->hops[v][first->destination];
            }
    return first == NULL ? (plain_message){0} : *first;
}

static void check_advanced(const plain_deflection *p, const plain_message *message, uint64_t hops)
{
    uint64_t now = 0;
    for (uint64_t v = 0; v < p->nodes; v++)
        for (size_t m = 0; m < p->node[v].count; m++) {
            const plain_message *other = &p->node[v].messages[m];
            if (!plain_deflection_is_older(other, message) &&
                !plain_deflection_is_older(message, other))
                now = p->hops[v][message->destination];
        }
    check(hops == NEVER || now == hops - 1);
}

void plain_deflection_step(plain_deflection *p)
{
    static crossing out[PLAIN_NODES][64];
    uint64_t hops;
    plain_message first = oldest(p, &hops);
    memset(out, 0, p->nodes * sizeof out[0]);
    for (uint64_t v = 0; v < p->nodes; v++) {
        p->counts.queue += p->node[v].count;
        p->tally.queue[v] += p->node[v].count;
        claim(p, v, out[v]);
        force(p, v, out[v]);
    }
    p->cycle++;
    for (uint32_t port = 0; port < p->ports; port++)
        for (uint64_t v = 0; v < p->nodes; v++)
            if (out[v][port].is_there) {
                out[v][port].message.hops++;
                p->tally.load[v * p->ports + port]++;
                arrive(p, p->far[v][port], &out[v][port].message);
            }
    check_advanced(p, &first, hops);
    for (uint64_t v = 0; v < p->nodes; v++)
        admit(p, v);
}
