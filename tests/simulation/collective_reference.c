#include "simulation/collective_reference.h"

#include "cubenet/experimental/multicast.h"

#include <string.h>

/* One destination of a parcel, or one piece of it, with the way to it. */
typedef struct target {
    uint64_t node;
    uint64_t way[REFERENCE_HOPS + 2]; /* nodes, the source first */
    uint32_t length, level;           /* hops of the way, and those that it has left behind */
    uint32_t pieces;
} target;

/* Targets that go over one channel together. */
typedef struct parcel {
    size_t operation;
    target *targets;
    size_t count;
    uint64_t at, to, meant; /* node where it is; where the channel leads; where it should lead */
    uint64_t hops, order, joined;
    int detour;  /* 0, 1 away, 2 back */
    int message; /* number of the message in transit that it is a copy of; -1: fresh */
} parcel;

typedef struct message {
    uint64_t node, hops;
    size_t copies;
} message;

typedef struct world {
    const cn_topology *topology;
    const reference_setting *setting;
    reference_outcome *outcome;
    uint64_t nodes, degree, height, cycle; /* greatest degree, highest tree */
    int broadcasts, detours, separate[REFERENCE_OPERATIONS];
    uint64_t given[REFERENCE_NODES][32]; /* copies put in line, by port */
    parcel *line;                        /* all that wait, in the order in which they came */
    size_t waiting;
    message *messages;
    size_t message_count;
    uint64_t orders;
    uint64_t source[REFERENCE_OPERATIONS], start[REFERENCE_OPERATIONS];
    uint64_t missing[REFERENCE_OPERATIONS];
    uint64_t pieces[REFERENCE_OPERATIONS][REFERENCE_NODES];
    uint64_t channel_since[REFERENCE_NODES * 32];
    uint64_t node_load[REFERENCE_NODES], node_since[REFERENCE_NODES];
} world;

enum { MOST_WAITING = 1 << 16, MOST_MESSAGES = 1 << 18 };

static uint32_t ports_of(const world *w, uint64_t node)
{
    uint32_t degree;
    assert_ok(cn_topology_degree(w->topology, node, &degree));
    return degree;
}

static uint64_t neighbor_of(const world *w, uint64_t node, uint32_t port)
{
    uint64_t neighbor;
    assert_ok(cn_topology_neighbor(w->topology, node, port, &neighbor));
    return neighbor;
}

/* As many as there are when none leads there. */
static uint32_t find_port(const world *w, uint64_t from, uint64_t to)
{
    uint32_t port = 0, ports = ports_of(w, from);
    while (port < ports && neighbor_of(w, from, port) != to)
        port++;
    return port;
}

static uint32_t port_to(const world *w, uint64_t from, uint64_t to)
{
    uint32_t port = find_port(w, from, to);
    assert_true(port < ports_of(w, from));
    return port;
}

/* ---- ways ---- */

static void add_tree_way(const cn_tree *tree, uint64_t node, target *made)
{
    size_t count;
    assert_ok(cn_tree_path(tree, node, made->way, REFERENCE_HOPS + 2, &count));
    made->length = (uint32_t)count - 1;
}

static void add_way_by_parents(const uint64_t parents[], uint64_t node, target *made)
{
    for (uint64_t at = node; parents[at] != CN_NO_NODE; at = parents[at])
        made->length++;
    assert_true(made->length < REFERENCE_HOPS + 2);
    for (uint32_t i = made->length + 1; i-- > 0; node = parents[node])
        made->way[i] = node;
}

/* Through one parent in the spanning graph, and from there, which is a node of a full necklace,
 * inwards. */
static void add_graph_way(const world *w, uint64_t source, uint64_t node, uint64_t parent,
                          target *made)
{
    uint64_t back[REFERENCE_HOPS + 2], parents[32];
    size_t count = 0, length = 0;
    back[length++] = node;
    for (uint64_t at = parent; at != source; at = parents[0]) {
        back[length++] = at;
        assert_ok(cn_spanning_graph_parents(w->topology, source, at, parents, NULL, 32, &count));
        assert_int_equal(count, 1);
    }
    back[length++] = source;
    for (size_t i = 0; i < length; i++)
        made->way[i] = back[length - 1 - i];
    made->length = (uint32_t)length - 1;
}

/* The ways to one destination, their number. */
static size_t find_ways(const world *w, uint64_t source, uint64_t node, target made[])
{
    uint64_t parents[32], subtrees[32];
    size_t count = 1;
    cn_tree *tree = NULL;
    if (w->setting->trees != NULL) {
        made[0] = (target){.node = node, .pieces = 1};
        add_way_by_parents((*w->setting->trees)[source], node, &made[0]);
        return 1;
    }
    if (w->setting->tree == 1)
        assert_ok(
            cn_spanning_graph_parents(w->topology, source, node, parents, subtrees, 32, &count));
    else if (w->setting->tree == 2)
        assert_ok(cn_tree_binomial(w->topology, source, 0, &tree));
    else
        assert_ok(cn_tree_balanced(w->topology, source, &tree));
    for (size_t i = 0; i < count; i++) {
        made[i] = (target){.node = node, .pieces = (uint32_t)count};
        if (tree != NULL)
            add_tree_way(tree, node, &made[i]);
        else
            add_graph_way(w, source, node, parents[i], &made[i]);
    }
    cn_tree_free(&tree);
    return count;
}

/* ---- waiting ---- */

static int somebody_waits(const world *w, uint64_t at, uint64_t to)
{
    for (size_t i = 0; i < w->waiting; i++)
        if (w->line[i].at == at && w->line[i].to == to)
            return 1;
    return 0;
}

static void settle(const world *w, parcel *p)
{
    p->to = p->meant;
    if (!w->setting->adaptive || p->detour == 2 || (w->setting->machine == 0 && w->broadcasts) ||
        !somebody_waits(w, p->at, p->to))
        return;
    uint32_t port = port_to(w, p->at, p->to), ports = ports_of(w, p->at);
    for (uint32_t x = 1; x < ports; x++) {
        uint64_t other = neighbor_of(w, p->at, (port + x) % ports);
        if (find_port(w, other, p->meant) < ports_of(w, other) &&
            !somebody_waits(w, p->at, other)) {
            p->to = other;
            p->detour = 1;
            return;
        }
    }
}

/* The neighbour on a shortest path whose channel was given the fewest copies. */
static uint64_t least_used(const world *w, uint64_t at, uint64_t node)
{
    uint64_t here, there, best = at;
    assert_ok(cn_topology_distance(w->topology, at, node, NULL, &here));
    for (uint32_t port = 0; port < ports_of(w, at); port++) {
        uint64_t neighbor = neighbor_of(w, at, port);
        assert_ok(cn_topology_distance(w->topology, neighbor, node, NULL, &there));
        if (there + 1 == here &&
            (best == at || w->given[at][port] < w->given[at][port_to(w, at, best)]))
            best = neighbor;
    }
    return best;
}

static void wait_in_line(world *w, parcel p)
{
    settle(w, &p);
    w->given[p.at][port_to(w, p.at, p.to)]++;
    p.order = w->orders++;
    p.joined = w->cycle;
    assert_true(w->waiting < MOST_WAITING);
    w->line[w->waiting++] = p;
}

/* Sends targets on from a node: together when they share the channel and may be clubbed. */
static void send_on(world *w, const parcel *from, int clubbed, int fresh)
{
    size_t groups = 0;
    char *done = calloc(from->count, 1);
    assert_non_null(done);
    parcel made[REFERENCE_NODES];
    for (size_t i = 0; i < from->count; i++) {
        if (done[i])
            continue;
        parcel p = *from;
        if (w->setting->least_used && w->separate[p.operation])
            p.targets[i].way[p.targets[i].level + 1] = least_used(w, p.at, p.targets[i].node);
        p.detour = 0;
        p.targets = calloc(from->count, sizeof *p.targets);
        assert_non_null(p.targets);
        p.count = 0;
        p.meant = from->targets[i].way[from->targets[i].level + 1];
        for (size_t j = i; j < from->count; j++) {
            const target *t = &from->targets[j];
            if (done[j] || t->way[t->level + 1] != p.meant || (!clubbed && j != i))
                continue;
            done[j] = 1;
            p.targets[p.count] = *t;
            p.targets[p.count++].level++;
        }
        made[groups % REFERENCE_NODES] = p;
        groups++;
        if (fresh)
            wait_in_line(w, p);
    }
    if (!fresh) { /* a message in transit with so many copies */
        assert_true(w->message_count < MOST_MESSAGES && groups <= REFERENCE_NODES);
        w->messages[w->message_count] =
            (message){.node = from->at, .hops = from->hops, .copies = groups};
        for (size_t g = 0; g < groups; g++) {
            made[g].message = (int)w->message_count;
            wait_in_line(w, made[g]);
        }
        w->message_count++;
    }
    free(done);
}

static void start(world *w, const cn_operations *operations, size_t operation)
{
    uint64_t destinations[REFERENCE_NODES], source;
    size_t count;
    assert_ok(cn_operations_get(operations, operation, destinations, REFERENCE_NODES, &count,
                                &source, NULL));
    int broadcast = count == 0;
    if (broadcast) /* in the order of their addresses as seen from the source */
        for (uint64_t relative = 1; relative < w->nodes; relative++, count++) {
            destinations[count] = (source + relative) % w->nodes;
            if (cn_topology_dimensions(w->topology) > 0)
                assert_ok(
                    cn_topology_translate(w->topology, relative, source, &destinations[count]));
        }
    target targets[REFERENCE_NODES * 4];
    size_t ways = 0;
    for (size_t i = 0; i < count; i++) {
        ways += find_ways(w, source, destinations[i], targets + ways);
        if (w->cycle + targets[ways - 1].length > w->outcome->bound)
            w->outcome->bound = w->cycle + targets[ways - 1].length;
    }
    w->missing[operation] = count;
    w->separate[operation] = !broadcast && !w->setting->clubbing;
    parcel all = {
        .operation = operation, .targets = targets, .count = ways, .at = source, .message = -1};
    send_on(w, &all, broadcast || w->setting->clubbing, 1);
}

/* ---- arriving ---- */

static void deliver(world *w, size_t operation, const target *t)
{
    assert_int_equal(w->outcome->arrived[operation][t->node], 0);
    if (++w->pieces[operation][t->node] < t->pieces)
        return;
    w->outcome->arrived[operation][t->node] = w->cycle;
    w->outcome->completion = w->cycle;
    if (--w->missing[operation] == 0)
        w->outcome->operation_time += w->cycle - w->start[operation];
}

static void arrive(world *w, parcel p)
{
    p.at = p.to;
    p.hops++;
    if (p.detour == 1) { /* round the corner: now to where it was meant to go */
        assert_true(w->message_count < MOST_MESSAGES);
        w->messages[w->message_count] = (message){.node = p.at, .hops = p.hops, .copies = 1};
        p.message = (int)w->message_count++;
        p.detour = 2;
        wait_in_line(w, p);
        return;
    }
    size_t left = 0;
    for (size_t i = 0; i < p.count; i++)
        if (p.targets[i].node == p.at)
            deliver(w, p.operation, &p.targets[i]);
        else
            p.targets[left++] = p.targets[i];
    p.count = left;
    if (left > 0)
        send_on(w, &p, 1, 0);
    free(p.targets);
}

/* ---- what goes in a cycle ---- */

static int ends_there(const parcel *p)
{
    if (p->detour == 1)
        return 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->targets[i].node != p->to)
            return 0;
    return 1;
}

static uint64_t class_room(const world *w, uint64_t hops)
{
    uint64_t classes = w->detours ? 2 * w->height - 1 : w->height - 1;
    uint64_t b = w->setting->buffers;
    return w->setting->buffer_classes ? b / classes + (hops - 1 < b % classes) : b;
}

typedef struct booking {
    uint64_t taken[REFERENCE_NODES][2 * REFERENCE_HOPS];
} booking;

static uint64_t class_of(const world *w, uint64_t hops)
{
    return w->setting->buffer_classes ? hops : 1;
}

static int finds_room(const world *w, const booking *b, const parcel *p)
{
    if (w->setting->buffers == 0 || ends_there(p))
        return 1;
    return b->taken[p->to][class_of(w, p->hops + 1)] < class_room(w, p->hops + 1);
}

/* Paths depend on what else is on the way. */
static int wanders(const world *w)
{
    return (w->detours && !(w->setting->machine == 0 && w->broadcasts)) ||
           (w->setting->least_used && !w->setting->clubbing);
}

static void note_crossing(world *w, const parcel *p)
{
    uint64_t channel = p->at * w->degree + port_to(w, p->at, p->to);
    uint64_t since = w->start[p->operation] + p->hops;
    uint64_t key = w->setting->machine == 0 && w->broadcasts ? p->to : p->at;
    w->outcome->transmissions++;
    if (w->outcome->loads[channel]++ == 0 || since < w->channel_since[channel])
        w->channel_since[channel] = since;
    if (wanders(w) && p->hops > 0)
        return;
    if (w->node_load[key]++ == 0 || since < w->node_since[key])
        w->node_since[key] = since;
}

static parcel take(world *w, size_t i)
{
    parcel p = w->line[i];
    memmove(w->line + i, w->line + i + 1, (w->waiting - i - 1) * sizeof *w->line);
    w->waiting--;
    return p;
}

/* Takes out of the line what crosses: `most` at most among those that are at `at` (and go to
 * `to`). */
static size_t let_go(world *w, booking *b, uint64_t at, uint64_t to, uint64_t most, parcel gone[])
{
    size_t count = 0;
    for (size_t i = 0; i < w->waiting && count < most;) {
        const parcel *p = &w->line[i];
        if (p->at != at || (to != UINT64_MAX && p->to != to) ||
            (w->setting->machine == 1 && !finds_room(w, b, p))) {
            i++;
            continue;
        }
        note_crossing(w, p);
        if (w->setting->machine == 1 && !ends_there(p))
            b->taken[p->to][class_of(w, p->hops + 1)]++;
        gone[count++] = take(w, i);
    }
    return count;
}

/* In one cycle those that go on come after those that set out. */
static int comes_after(const parcel *a, const parcel *b)
{
    if (a->joined != b->joined)
        return a->joined > b->joined;
    if ((a->hops > 0) != (b->hops > 0))
        return a->hops > 0;
    return a->order > b->order;
}

/* Last come, first served. */
static size_t accept(world *w, uint64_t to, uint64_t most, parcel gone[])
{
    for (size_t count = 0; count < most; count++) {
        size_t last = SIZE_MAX;
        for (size_t i = 0; i < w->waiting; i++)
            if (w->line[i].to == to &&
                (last == SIZE_MAX || comes_after(&w->line[i], &w->line[last])))
                last = i;
        if (last == SIZE_MAX)
            return count;
        note_crossing(w, &w->line[last]);
        gone[count] = take(w, last);
    }
    return most;
}

static size_t serve(world *w, booking *b, uint64_t node, parcel gone[])
{
    uint64_t most = w->setting->buffers == 0 ? UINT64_MAX : w->setting->buffers;
    if (w->setting->machine == 0)
        return w->broadcasts ? accept(w, node, most, gone)
                             : let_go(w, b, node, UINT64_MAX, most, gone);
    if (w->setting->one_port)
        return let_go(w, b, node, UINT64_MAX, 1, gone);
    uint64_t capacity =
        w->setting->channel_capacity == 0 ? UINT64_MAX : w->setting->channel_capacity;
    size_t count = 0;
    uint32_t ports = ports_of(w, node);
    for (uint32_t i = 0; i < ports; i++) {
        uint64_t to = neighbor_of(w, node, w->cycle % 2 ? i : ports - 1 - i);
        count += let_go(w, b, node, to, capacity, gone + count);
    }
    return count;
}

/* What holds places at the start of a cycle. */
static void look_at_buffers(const world *w, booking *b)
{
    memset(b, 0, sizeof *b);
    for (size_t m = 0; m < w->message_count; m++)
        if (w->messages[m].copies > 0)
            b->taken[w->messages[m].node][class_of(w, w->messages[m].hops)]++;
}

static void note_peak(world *w)
{
    for (uint64_t node = 0; node < w->nodes; node++) {
        uint64_t use = 0;
        if (w->setting->machine == 1)
            for (size_t m = 0; m < w->message_count; m++)
                use += w->messages[m].copies > 0 && w->messages[m].node == node;
        else
            for (size_t i = 0; i < w->waiting; i++)
                use += node == (w->broadcasts ? w->line[i].to : w->line[i].at);
        if (use > w->outcome->peak_buffer_use)
            w->outcome->peak_buffer_use = use;
    }
}

static void cycle(world *w, booking *b, parcel gone[])
{
    size_t count = 0;
    look_at_buffers(w, b);
    for (uint64_t i = 0; i < w->nodes; i++)
        count += serve(w, b, w->cycle % 2 ? i : w->nodes - 1 - i, gone + count);
    w->outcome->contentions += w->waiting;
    w->outcome->deadlock = count == 0 && w->waiting > 0;
    for (size_t i = 0; i < count; i++)
        if (gone[i].message >= 0)
            w->messages[gone[i].message].copies--;
    for (size_t i = 0; i < count; i++)
        arrive(w, gone[i]);
}

/* ---- all of it ---- */

static void bound_by(reference_outcome *outcome, uint64_t load, uint64_t since, uint64_t rate)
{
    uint64_t least = since + (load + rate - 1) / rate;
    if (rate > 0 && load > 0 && least > outcome->bound)
        outcome->bound = least;
}

static void find_bound(world *w)
{
    const reference_setting *s = w->setting;
    uint64_t rate = s->machine == 0 ? s->buffers : s->one_port ? 1 : s->channel_capacity;
    if (s->machine == 1 && !s->one_port && !wanders(w)) {
        for (uint64_t c = 0; c < w->nodes * w->degree && rate > 0; c++)
            bound_by(w->outcome, w->outcome->loads[c], w->channel_since[c], rate);
        return;
    }
    if (s->machine == 1 && !s->one_port)
        rate *= w->degree;
    for (uint64_t v = 0; v < w->nodes && rate > 0; v++)
        bound_by(w->outcome, w->node_load[v], w->node_since[v], rate);
}

static void begin(world *w, const cn_operations *operations)
{
    size_t count = cn_operations_count(operations);
    assert_true(count <= REFERENCE_OPERATIONS && w->nodes <= REFERENCE_NODES && w->degree <= 32);
    w->broadcasts = 1;
    for (size_t o = 0; o < count; o++) {
        size_t destinations;
        cn_operations_get(operations, o, NULL, 0, &destinations, NULL, NULL);
        uint64_t room[REFERENCE_NODES];
        assert_ok(cn_operations_get(operations, o, room, REFERENCE_NODES, NULL, &w->source[o],
                                    &w->start[o]));
        w->broadcasts = w->broadcasts && destinations == 0;
    }
    memset(w->outcome, 0, sizeof *w->outcome);
    w->outcome->loads = calloc(w->nodes * w->degree, sizeof *w->outcome->loads);
    assert_non_null(w->outcome->loads);
}

uint64_t reference_height(const cn_topology *topology, const reference_setting *setting)
{
    uint64_t nodes = cn_topology_node_count(topology), height = 0;
    if (setting->trees == NULL)
        return cn_topology_dimensions(topology);
    for (uint64_t source = 0; source < nodes; source++)
        for (uint64_t node = 0; node < nodes; node++) {
            target reached = {0};
            add_way_by_parents((*setting->trees)[source], node, &reached);
            height = reached.length > height ? reached.length : height;
        }
    return height;
}

void reference_run(const cn_topology *topology, const cn_operations *operations,
                   const reference_setting *setting, reference_outcome *outcome)
{
    world *w = calloc(1, sizeof *w);
    booking *b = calloc(1, sizeof *b);
    static parcel line[MOST_WAITING],
        gone[MOST_WAITING]; /* to clear them for each run takes long */
    static message messages[MOST_MESSAGES];
    assert_true(w != NULL && b != NULL);
    w->line = line;
    w->messages = messages;
    w->topology = topology;
    w->setting = setting;
    w->outcome = outcome;
    w->nodes = cn_topology_node_count(topology);
    w->degree = cn_topology_max_degree(topology);
    w->height = reference_height(topology, setting);
    /* neighbours in a Boolean cube have no neighbour in common */
    w->detours = setting->adaptive && !(cn_topology_dimensions(topology) == w->degree &&
                                        w->nodes == UINT64_C(1) << w->degree);
    begin(w, operations);
    size_t count = cn_operations_count(operations), started = 0;
    for (w->cycle = 0; !outcome->deadlock && (started < count || w->waiting > 0); w->cycle++) {
        if (w->cycle > 0)
            cycle(w, b, gone);
        for (size_t o = 0; o < count; o++)
            if (w->start[o] == w->cycle) {
                start(w, operations, o);
                started++;
            }
        note_peak(w);
    }
    find_bound(w);
    for (size_t i = 0; i < w->waiting; i++)
        free(w->line[i].targets);
    free(w);
    free(b);
}
