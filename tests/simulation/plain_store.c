#include "simulation/plain_store.h"

#include "cubenet/experimental/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "simulation/kernel/geometric.h"

static void check(int holds)
{
    if (!holds)
        abort();
}

static void *make(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    check(room != NULL);
    return room;
}

/* The hosts that work. */
static void list_ends(plain_store *s)
{
    size_t count = (size_t)cn_topology_host_count(s->topology);
    uint64_t *hosts = make(count, sizeof *hosts);
    s->is_end = make(s->nodes, 1);
    check(cn_topology_hosts(s->topology, hosts, count, NULL) == CN_OK);
    for (size_t i = 0; i < count; i++) {
        s->is_end[hosts[i]] = (char)cni_routing_serves(s->routing, hosts[i]);
        s->ends += (uint64_t)s->is_end[hosts[i]];
    }
    free(hosts);
}

plain_store *plain_store_open(const cn_topology *topology, const cn_faults *faults,
                              const cn_routing *routing, int separate, cn_selection selection,
                              double load, uint64_t seed)
{
    plain_store *s = make(1, sizeof *s);
    s->topology = topology;
    s->faults = faults;
    s->routing = routing;
    s->separate = separate;
    s->selection = selection;
    s->load = load;
    s->seed = seed;
    s->nodes = cn_topology_node_count(topology);
    s->ports = cn_topology_max_degree(topology);
    plain_tally_open(&s->tally, topology);
    s->line = make(s->nodes * s->ports, sizeof *s->line);
    s->seen = make(s->nodes * s->ports, sizeof *s->seen);
    s->injections = make(s->nodes, sizeof *s->injections);
    s->crossing = make(s->nodes * s->ports, sizeof *s->crossing);
    s->is_crossing = make(s->nodes * s->ports, 1);
    list_ends(s);
    return s;
}

void plain_store_close(plain_store *s)
{
    plain_tally_close(&s->tally);
    for (uint64_t i = 0; i < s->nodes * s->ports; i++)
        free(s->line[i].message);
    free(s->line);
    free(s->seen);
    free(s->injections);
    free(s->crossing);
    free(s->is_crossing);
    free(s->is_end);
    free(s->arrived);
    free(s);
}

static uint64_t stream_of(const plain_store *s, uint64_t node)
{
    return cni_random_derive(cni_random_derive(s->seed, s->cycle), node);
}

static void append(plain_line *line, const plain_message *m)
{
    if (line->count == line->room) {
        line->room = 2 * line->room + 8;
        line->message = realloc(line->message, line->room * sizeof *line->message);
        check(line->message != NULL);
    }
    line->message[line->count++] = *m;
}

static void take_out(plain_line *line, size_t at)
{
    memmove(line->message + at, line->message + at + 1,
            (line->count - at - 1) * sizeof *line->message);
    line->count--;
}

static uint64_t allowed(const plain_store *s, uint64_t node, const plain_message *m)
{
    cni_entry room;
    return cni_routing_next(s->routing, node, m->class, m->target, &room)->ports;
}

/* One of the ports by 32 random bits. */
static uint32_t pick(const plain_store *s, uint64_t node, uint64_t ports, uint32_t random)
{
    uint32_t list[PLAIN_PORTS], count = 0;
    size_t least = SIZE_MAX;
    for (uint32_t p = 0; p < s->ports; p++) {
        if ((ports >> p & 1) == 0)
            continue;
        size_t waiting = s->seen[node * s->ports + p];
        if (s->selection == CN_SELECTION_LOWEST && count == 1)
            continue;
        if (s->selection == CN_SELECTION_LEAST_LOADED && waiting > least)
            continue;
        if (s->selection == CN_SELECTION_LEAST_LOADED && waiting < least)
            count = 0;
        least = waiting < least ? waiting : least;
        list[count++] = p;
    }
    check(count > 0);
    return list[(uint64_t)random * count >> 32];
}

static void join(plain_store *s, uint64_t node, const plain_message *m, uint64_t word)
{
    uint32_t port = 0;
    if (s->separate)
        port = pick(s, node, allowed(s, node, m), (uint32_t)(word >> 32));
    append(&s->line[node * s->ports + port], m);
}

/* ---- new messages ---- */

static void begin(plain_store *s, uint64_t node, plain_message *m, uint64_t begin_word,
                  uint64_t word)
{
    m->created = s->cycle;
    m->source = node;
    m->target = cni_routing_begin(s->routing, m->destination, begin_word);
    if (m->target == node) {
        m->target = m->destination;
        m->class = cni_leg_class(s->routing, 1);
    }
    s->offered++;
    s->tally.offered[node]++;
    s->tally.accepted[node]++;
    s->in_network++;
    join(s, node, m, word);
}

void plain_store_inject(plain_store *s, uint64_t source, uint64_t destination, uint64_t tag)
{
    uint64_t stream = stream_of(s, source), i = s->injections[source]++;
    plain_message m = {.injected = 1, .number = i, .destination = destination, .tag = tag};
    begin(s, source, &m, cni_random_word(stream, CNI_WORDS_BEGIN_INJECTED + i),
          cni_random_word(stream, CNI_WORDS_INJECTED + i));
}

/* The node whose header from here is `step`, or so many hosts further round. */
static uint64_t destination_of(const plain_store *s, uint64_t node, uint64_t step)
{
    uint64_t header, to = node;
    if (s->ends == s->nodes && cn_topology_dimensions(s->topology) > 0) {
        for (to = 0; to < s->nodes; to++)
            if (cn_topology_header(s->topology, node, to, &header) == CN_OK && header == step)
                return to;
        check(0);
    }
    for (; step > 0; step -= (uint64_t)s->is_end[to])
        to = (to + 1) % s->nodes;
    return to;
}

static void admit(plain_store *s, uint64_t node)
{
    cni_geometric geometric;
    uint64_t stream = stream_of(s, node);
    if (s->load == 0.0 || !s->is_end[node])
        return;
    cni_geometric_start(&geometric, s->load);
    uint64_t offered = cni_geometric_offered(&geometric, stream);
    for (uint64_t i = 0; i < offered; i++) {
        plain_message m = {.number = i};
        m.destination = destination_of(s, node, cni_uniform_header(stream, i, s->ends));
        begin(s, node, &m, cni_random_word(stream, CNI_WORDS_BEGIN + i),
              cni_random_word(stream, CNI_WORDS_NEW + i));
    }
}

/* ---- sending ---- */

static void send(plain_store *s, uint64_t node, uint32_t port, size_t at)
{
    plain_line *line = &s->line[node * s->ports + (s->separate ? port : 0)];
    plain_message m = line->message[at];
    take_out(line, at);
    m.hops++;
    s->tally.load[node * s->ports + port]++;
    m.class = cni_routing_after(s->routing, m.class, m.target, node, port, CNI_STORED);
    s->crossing[node * s->ports + port] = m;
    s->is_crossing[node * s->ports + port] = 1;
    s->hops++;
}

static int is_older(const plain_message *a, const plain_message *b)
{
    if (a->created != b->created)
        return a->created < b->created;
    if (a->source != b->source)
        return a->source < b->source;
    if (a->injected != b->injected)
        return a->injected < b->injected;
    return a->number < b->number;
}

/* Who loses a channel, at once or to one that comes later in the line, goes to the end of those
 * that stay. */
static void send_shared(plain_store *s, uint64_t node)
{
    plain_line *line = &s->line[node * s->ports], stay = {0};
    plain_message winner[PLAIN_PORTS];
    uint64_t taken = 0, stream = stream_of(s, node);
    for (size_t i = 0; i < line->count; i++) {
        uint64_t word = cni_random_word(stream, i / 2);
        uint32_t bits = (uint32_t)(i % 2 == 0 ? word >> 32 : word);
        plain_message m = line->message[i];
        uint32_t port = pick(s, node, allowed(s, node, &m), bits);
        if ((taken >> port & 1) == 0) {
            taken |= UINT64_C(1) << port;
            winner[port] = m;
        } else if (is_older(&m, &winner[port])) {
            append(&stay, &winner[port]);
            winner[port] = m;
        } else {
            append(&stay, &m);
        }
    }
    line->count = 0;
    for (uint32_t p = 0; p < s->ports; p++)
        if ((taken >> p & 1) != 0) {
            append(line, &winner[p]);
            send(s, node, p, 0);
        }
    free(line->message);
    *line = stay;
}

/* ---- receiving ---- */

static void receive(plain_store *s, uint64_t node, plain_message m, uint64_t inlet)
{
    if (m.target == node && m.class < cni_leg_class(s->routing, s->routing->kind->legs - 1)) {
        m.class = cni_leg_class(s->routing, 1);
        m.target = m.destination;
    }
    if (m.target != node) {
        s->tally.forwarded[node]++;
        join(s, node, &m, cni_random_word(stream_of(s, node), inlet));
        return;
    }
    s->delivered++;
    s->tally.delivered[node]++;
    s->tally.hops[m.hops]++;
    s->in_network--;
    s->delay += s->cycle - m.created;
    if (!m.injected)
        return;
    if (s->arrived_count == s->arrived_room) {
        s->arrived_room = 2 * s->arrived_room + 8;
        s->arrived = realloc(s->arrived, s->arrived_room * sizeof *s->arrived);
        check(s->arrived != NULL);
    }
    s->arrived[s->arrived_count++] = (plain_delivery){m.tag, m.destination, s->cycle, m.hops};
}

static int works(const plain_store *s, uint64_t from, uint32_t port, uint64_t to)
{
    return s->faults == NULL ||
           !(cn_faults_has_node(s->faults, from) || cn_faults_has_node(s->faults, to) ||
             cn_faults_has_link(s->faults, from, port));
}

/* From the channels that work, by port, then by sender. */
static void receive_all(plain_store *s, uint64_t node)
{
    uint64_t inlet = 0, to;
    for (uint32_t p = 0; p < s->ports; p++)
        for (uint64_t from = 0; from < s->nodes; from++) {
            if (cn_topology_neighbor(s->topology, from, p, &to) != CN_OK || to != node ||
                !works(s, from, p, to))
                continue;
            if (s->is_crossing[from * s->ports + p])
                receive(s, node, s->crossing[from * s->ports + p], inlet);
            inlet++;
        }
}

void plain_store_step(plain_store *s)
{
    s->waiting += s->in_network;
    for (uint64_t line = 0; line < s->nodes * s->ports; line++)
        s->tally.queue[line / s->ports] += s->line[line].count;
    memset(s->is_crossing, 0, s->nodes * s->ports);
    for (uint64_t node = 0; node < s->nodes; node++) {
        if (!s->separate)
            send_shared(s, node);
        for (uint32_t p = 0; s->separate && p < s->ports; p++)
            if (s->line[node * s->ports + p].count > 0)
                send(s, node, p, 0);
    }
    for (uint64_t line = 0; line < s->nodes * s->ports; line++)
        s->seen[line] = s->line[line].count;
    s->cycle++;
    memset(s->injections, 0, s->nodes * sizeof *s->injections);
    for (uint64_t node = 0; node < s->nodes; node++) {
        receive_all(s, node);
        admit(s, node);
    }
}
