/*
 * One cycle: every node gives its messages, oldest first, to its channels in two phases; what has
 * crossed a channel is delivered or joins the node at its other end; then new messages come in, as
 * many as fit. Ports that bring a message closer are told by distances alone.
 */
#include "queueing/plain_deflection.h"

#include "support/support.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 64, MOST_NODES = 4096, BATCHES = 20 };

typedef struct message {
    uint64_t closer; /* ports */
    uint64_t created;
    uint32_t source, destination, hops;
} message;

typedef struct machine {
    uint32_t nodes, ports, buffers;
    uint64_t random, cycle;
    uint32_t *neighbor; /* by node and port */
    uint8_t *distance;  /* by two nodes */
    message *held;      /* by node, oldest first */
    uint32_t *count;
    message *crossing; /* by receiving node; nodes have as many channels in as out */
    uint32_t *crossings;

    /* what happened */
    uint64_t delivered, hops, delay, moves, forced, astray, queued;
} machine;

static uint64_t draw(machine *m)
{
    uint64_t word = m->random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

static uint32_t below(machine *m, uint32_t limit)
{
    return (uint32_t)((draw(m) >> 32) * limit >> 32);
}

/* A port of the set, each with the same probability. */
static uint32_t any_of(machine *m, uint64_t set)
{
    uint32_t skip = below(m, (uint32_t)__builtin_popcountll(set));
    while (skip-- > 0)
        set &= set - 1;
    return (uint32_t)__builtin_ctzll(set);
}

static void point(const machine *m, uint32_t node, message *sent)
{
    const uint8_t *left = m->distance + (size_t)sent->destination * m->nodes;
    sent->closer = 0;
    for (uint32_t port = 0; port < m->ports; port++) {
        uint32_t next = m->neighbor[(size_t)node * m->ports + port];
        if (next < m->nodes && left[next] < left[node])
            sent->closer |= UINT64_C(1) << port;
    }
}

static void cross(machine *m, uint32_t node, message sent, uint32_t port)
{
    uint32_t next = m->neighbor[(size_t)node * m->ports + port];
    sent.hops++;
    m->moves++;
    m->astray += (sent.closer >> port & 1) == 0;
    assert_true(m->crossings[next] < m->ports);
    m->crossing[(size_t)next * m->ports + m->crossings[next]++] = sent;
}

static void assign(machine *m, uint32_t node)
{
    message *held = m->held + (size_t)node * m->buffers;
    uint32_t count = m->count[node], stay = 0, degree = 0;
    uint64_t unused = 0;
    uint32_t port_of[4 * MOST_NODES];
    for (uint32_t port = 0; port < m->ports; port++)
        if (m->neighbor[(size_t)node * m->ports + port] < m->nodes) {
            unused |= UINT64_C(1) << port;
            degree++;
        }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = any_of(m, held[i].closer);
        port_of[i] = unused >> port & 1 ? port : CN_NO_PORT;
        unused &= ~(UINT64_C(1) << port);
        stay += port_of[i] == CN_NO_PORT;
    }
    for (uint32_t i = count; i-- > 0 && stay + degree > m->buffers;)
        if (port_of[i] == CN_NO_PORT) {
            port_of[i] = any_of(m, unused);
            unused &= ~(UINT64_C(1) << port_of[i]);
            m->forced++;
            stay--;
        }
    stay = 0;
    for (uint32_t i = 0; i < count; i++)
        if (port_of[i] == CN_NO_PORT)
            held[stay++] = held[i];
        else
            cross(m, node, held[i], port_of[i]);
    m->count[node] = stay;
}

/* Older: created earlier, or then with the lower source. */
static void join(machine *m, uint32_t node, message came)
{
    message *held = m->held + (size_t)node * m->buffers;
    uint32_t at = m->count[node]++;
    assert_true(at < m->buffers);
    for (; at > 0; at--) {
        const message *other = &held[at - 1];
        if (other->created < came.created ||
            (other->created == came.created && other->source <= came.source))
            break;
        held[at] = *other;
    }
    point(m, node, &came);
    held[at] = came;
}

static void arrive(machine *m, uint32_t node)
{
    for (uint32_t i = 0; i < m->crossings[node]; i++) {
        message came = m->crossing[(size_t)node * m->ports + i];
        if (came.destination != node) {
            join(m, node, came);
            continue;
        }
        m->delivered++;
        m->hops += came.hops;
        m->delay += m->cycle - came.created;
    }
    m->crossings[node] = 0;
}

/* A geometric number of mean `load`, to any other node with the same probability. */
static void admit(machine *m, uint32_t node, double ratio)
{
    while (m->count[node] < m->buffers && (double)(draw(m) >> 11) * 0x1p-53 < ratio) {
        uint32_t destination = below(m, m->nodes - 1);
        destination += destination >= node;
        join(m, node, (message){.created = m->cycle, .source = node, .destination = destination});
    }
}

static void cycle(machine *m, double ratio)
{
    m->cycle++;
    for (uint32_t node = 0; node < m->nodes; node++) {
        m->queued += m->count[node];
        assign(m, node);
    }
    for (uint32_t node = 0; node < m->nodes; node++) {
        arrive(m, node);
        admit(m, node, ratio);
    }
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

static void build(const cn_topology *topology, const plain_run *run, machine *m)
{
    memset(m, 0, sizeof *m);
    m->nodes = (uint32_t)cn_topology_node_count(topology);
    m->ports = cn_topology_max_degree(topology);
    m->buffers = run->buffers;
    m->random = run->seed;
    assert_true(m->nodes <= MOST_NODES && m->ports <= MOST_PORTS);
    assert_true(m->buffers >= m->ports && m->buffers <= 4 * MOST_NODES);
    m->neighbor = room((size_t)m->nodes * m->ports, sizeof *m->neighbor);
    m->distance = room((size_t)m->nodes * m->nodes, sizeof *m->distance);
    m->held = room((size_t)m->nodes * m->buffers, sizeof *m->held);
    m->count = room(m->nodes, sizeof *m->count);
    m->crossing = room((size_t)m->nodes * m->ports, sizeof *m->crossing);
    m->crossings = room(m->nodes, sizeof *m->crossings);
    for (uint32_t u = 0; u < m->nodes; u++) {
        for (uint32_t port = 0; port < m->ports; port++) {
            uint64_t next;
            cn_status status = cn_topology_neighbor(topology, u, port, &next);
            m->neighbor[(size_t)u * m->ports + port] = status == CN_OK ? (uint32_t)next : m->nodes;
        }
        for (uint32_t v = 0; v < m->nodes; v++) { /* from u to v, by v */
            uint64_t hops;
            assert_ok(cn_topology_distance(topology, u, v, NULL, &hops));
            m->distance[(size_t)v * m->nodes + u] = (uint8_t)hops;
        }
    }
}

static void scrap(machine *m)
{
    free(m->neighbor);
    free(m->distance);
    free(m->held);
    free(m->count);
    free(m->crossing);
    free(m->crossings);
}

/* Two standard errors of the mean of the batches, relative to it. */
static double doubt(const double batch[BATCHES])
{
    double mean = 0.0, squares = 0.0;
    for (int b = 0; b < BATCHES; b++)
        mean += batch[b] / BATCHES;
    for (int b = 0; b < BATCHES; b++)
        squares += (batch[b] - mean) * (batch[b] - mean);
    return 2.0 * sqrt(squares / (BATCHES * (BATCHES - 1.0))) / mean;
}

void plain_deflection(const cn_topology *topology, const plain_run *run, plain_result *result)
{
    machine m;
    double ratio = run->load / (1.0 + run->load), delivered[BATCHES], delay[BATCHES];
    build(topology, run, &m);
    for (uint64_t i = 0; i < run->warmup; i++)
        cycle(&m, ratio);
    m.delivered = m.hops = m.delay = m.moves = m.forced = m.astray = m.queued = 0;
    uint64_t each = run->cycles / BATCHES;
    double node_cycles = (double)each * BATCHES * m.nodes;
    for (int b = 0; b < BATCHES; b++) {
        uint64_t delivered_before = m.delivered, delay_before = m.delay;
        for (uint64_t i = 0; i < each; i++)
            cycle(&m, ratio);
        delivered[b] = (double)(m.delivered - delivered_before);
        delay[b] = (double)(m.delay - delay_before) / delivered[b];
    }
    *result = (plain_result){.throughput = (double)m.delivered / node_cycles,
                             .delay = (double)m.delay / (double)m.delivered,
                             .queue = (double)m.queued / node_cycles,
                             .hops = (double)m.hops / (double)m.delivered,
                             .deflected = (double)m.astray / (double)m.moves,
                             .second_phase = (double)m.forced / (double)m.moves,
                             .throughput_doubt = doubt(delivered),
                             .delay_doubt = doubt(delay)};
    scrap(&m);
}
