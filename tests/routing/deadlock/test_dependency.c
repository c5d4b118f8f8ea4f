#include "support/support.h"
#include "support/wormhole_rules.h"

#include <string.h>

/* ---- the oracle: all states of all messages, edge by edge, by the definitions ---- */

enum { NODES = 64, PORTS = 6, CHANNELS = 4, PAIRS = 1024 };

typedef struct subject {
    const cn_topology *topology;
    uint32_t channels;
    cn_vc_rule rule;
    cn_vc_rule escape;   /* or */
    uint64_t escape_set; /* of virtual channels */
    wormhole_rule built_in;
    uint64_t parameter;
} subject;

typedef struct oracle {
    uint32_t pairs;
    uint32_t first[NODES];
    uint32_t tail[PAIRS], head[PAIRS], port[PAIRS], channel[PAIRS];
    unsigned char used[PAIRS], is_escape[PAIRS];
    /* Bit d: a message for d makes this dependency. */
    uint64_t direct[PAIRS][PAIRS];
    uint64_t extended[PAIRS][PAIRS];
    int missing;
} oracle;

static oracle the; /* large */

static uint32_t degree_of(const subject *s, uint32_t node)
{
    uint32_t degree;
    assert_ok(cn_topology_degree(s->topology, node, &degree));
    return degree;
}

/* The choices of a message that holds `pair` (PAIRS: none, at `node`), pairs with all and
 * escape. */
static uint32_t choices(const subject *s, uint32_t pair, uint32_t node, uint32_t destination,
                        uint32_t found[], int escapes[])
{
    uint64_t sets[PORTS] = {0}, escape[PORTS] = {0};
    uint32_t count = 0, tail = pair == PAIRS ? node : the.tail[pair];
    uint32_t port = pair == PAIRS ? CN_NO_PORT : the.port[pair];
    uint32_t channel = pair == PAIRS ? 0 : the.channel[pair];
    void *user = (void *)(uintptr_t)s;
    assert_ok(s->rule(user, node, destination, tail, port, channel, sets));
    if (s->escape != NULL)
        assert_ok(s->escape(user, node, destination, tail, port, channel, escape));
    for (uint32_t p = 0; p < degree_of(s, node); p++)
        for (uint32_t v = 0; v < s->channels; v++)
            if ((sets[p] >> v & 1) != 0) {
                escapes[count] = (int)((escape[p] | s->escape_set) >> v & 1);
                found[count++] = the.first[node] + p * s->channels + v;
            }
    return count;
}

static void number_pairs(const subject *s)
{
    memset(&the, 0, sizeof the);
    uint32_t nodes = (uint32_t)cn_topology_node_count(s->topology);
    assert_true(nodes <= NODES);
    for (uint32_t node = 0; node < nodes; node++) {
        the.first[node] = the.pairs;
        for (uint32_t p = 0; p < degree_of(s, node); p++)
            for (uint32_t v = 0; v < s->channels; v++) {
                uint64_t head;
                assert_ok(cn_topology_neighbor(s->topology, node, p, &head));
                assert_true(the.pairs < PAIRS);
                the.tail[the.pairs] = node;
                the.head[the.pairs] = (uint32_t)head;
                the.port[the.pairs] = p;
                the.channel[the.pairs++] = v;
            }
    }
}

/* All pairs that a message for the destination may hold, from all sources. */
static void reach(const subject *s, uint32_t destination, unsigned char reached[PAIRS])
{
    uint32_t queue[PAIRS], begin = 0, end = 0, found[PORTS * CHANNELS];
    int escapes[PORTS * CHANNELS];
    memset(reached, 0, PAIRS);
    for (uint32_t node = 0; node < cn_topology_node_count(s->topology); node++) {
        uint32_t count =
            node == destination ? 0 : choices(s, PAIRS, node, destination, found, escapes);
        int any = node == destination;
        for (uint32_t i = 0; i < count; i++) {
            any |= escapes[i];
            the.is_escape[found[i]] |= (unsigned char)escapes[i];
            if (!reached[found[i]])
                queue[end++] = found[i];
            reached[found[i]] = 1;
        }
        the.missing |= !any;
    }
    while (begin < end) {
        uint32_t pair = queue[begin++];
        the.used[pair] = 1;
        if (the.head[pair] == destination)
            continue;
        uint32_t count = choices(s, pair, the.head[pair], destination, found, escapes);
        int any = 0;
        for (uint32_t i = 0; i < count; i++) {
            any |= escapes[i];
            the.is_escape[found[i]] |= (unsigned char)escapes[i];
            the.direct[pair][found[i]] |= UINT64_C(1) << destination;
            if (!reached[found[i]])
                queue[end++] = found[i];
            reached[found[i]] = 1;
        }
        the.missing |= !any;
    }
}

/* From one escape on over channels that are taken as no escapes, to the next that is asked for. */
static void extend(const subject *s, uint32_t destination, uint32_t from)
{
    uint32_t queue[PAIRS], begin = 0, end = 0, found[PORTS * CHANNELS];
    int escapes[PORTS * CHANNELS];
    unsigned char seen[PAIRS] = {0};
    seen[from] = 1;
    queue[end++] = from;
    while (begin < end) {
        uint32_t pair = queue[begin++];
        if (the.head[pair] == destination)
            continue;
        uint32_t count = choices(s, pair, the.head[pair], destination, found, escapes);
        for (uint32_t i = 0; i < count; i++) {
            if (escapes[i])
                the.extended[from][found[i]] |= UINT64_C(1) << destination;
            else if (!seen[found[i]]) {
                seen[found[i]] = 1;
                queue[end++] = found[i];
            }
        }
    }
}

static void ask_oracle(const subject *s)
{
    unsigned char reached[PAIRS];
    uint32_t nodes = (uint32_t)cn_topology_node_count(s->topology);
    number_pairs(s);
    for (uint32_t destination = 0; destination < nodes; destination++)
        reach(s, destination, reached);
    for (uint32_t destination = 0; destination < nodes; destination++) {
        reach(s, destination, reached);
        for (uint32_t pair = 0; pair < the.pairs; pair++)
            if (reached[pair] && the.is_escape[pair])
                extend(s, destination, pair);
    }
}

/* Length of a shortest cycle, 0 without one: from every pair the distance back to it. */
static size_t shortest(uint64_t edges[PAIRS][PAIRS])
{
    size_t best = 0;
    for (uint32_t start = 0; start < the.pairs; start++) {
        uint32_t queue[PAIRS], depth[PAIRS] = {0}, begin = 0, end = 0;
        queue[end++] = start;
        while (begin < end) {
            uint32_t pair = queue[begin++];
            for (uint32_t next = 0; next < the.pairs; next++) {
                if (edges[pair][next] == 0 || depth[next] != 0)
                    continue;
                depth[next] = (pair == start ? 0 : depth[pair]) + 1;
                if (next == start)
                    break;
                queue[end++] = next;
            }
            if (depth[start] != 0)
                break;
        }
        if (depth[start] != 0 && (best == 0 || depth[start] < best))
            best = depth[start];
    }
    return best;
}

static uint64_t edges_of(uint64_t edges[PAIRS][PAIRS])
{
    uint64_t count = 0;
    for (uint32_t a = 0; a < the.pairs; a++)
        for (uint32_t b = 0; b < the.pairs; b++)
            count += edges[a][b] != 0;
    return count;
}

/* ---- rules ---- */

static cn_status built_in(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t channel, uint64_t sets[])
{
    const subject *s = user;
    (void)previous;
    (void)port;
    (void)channel;
    return wormhole_route(s->topology, s->built_in, s->channels, node, destination, sets, PORTS,
                          NULL);
}

/* Dimension order as the escape out of whatever virtual channels there are. */
static cn_status xy(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                    uint32_t port, uint32_t channel, uint64_t sets[])
{
    const subject *s = user;
    (void)previous;
    (void)port;
    (void)channel;
    return wormhole_route(s->topology, WORMHOLE_ORDER, s->channels, node, destination, sets, PORTS,
                          NULL);
}

/* Adaptive in the Boolean cube, but the escape is in the highest dimension in half of the nodes. */
static cn_status crooked(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                         uint32_t port, uint32_t channel, uint64_t sets[])
{
    const subject *s = user;
    uint64_t left = node ^ destination;
    uint32_t n = cn_topology_dimensions(s->topology), low = n, high = n;
    (void)previous;
    (void)port;
    (void)channel;
    for (uint32_t i = 0; i < n; i++)
        if ((left >> i & 1) != 0) {
            low = low == n ? i : low;
            high = i;
            sets[i] = ((UINT64_C(1) << s->channels) - 1) & ~UINT64_C(1);
        }
    uint64_t odd = (node ^ node >> 1 ^ node >> 2) & 1;
    sets[odd ? high : low] |= 1;
    return CN_OK;
}

/* Minimal turn models in a two-dimensional mesh, with the directions as sets of bits: 1 down in x,
 * 2 down in y, 4 up in x, 8 up in y (Glass & Ni). parameter: those that are to be made first. */
static cn_status turn_model(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                            uint32_t port, uint32_t channel, uint64_t sets[])
{
    const subject *s = user;
    uint64_t a[2], b[2], k[2];
    uint32_t next = 0;
    unsigned wanted = 0;
    (void)previous;
    (void)port;
    (void)channel;
    for (uint32_t i = 0; i < 2; i++)
        assert_ok(cn_topology_radix(s->topology, i, &k[i]));
    assert_ok(cn_topology_digits(s->topology, node, a, 2, NULL));
    assert_ok(cn_topology_digits(s->topology, destination, b, 2, NULL));
    for (unsigned i = 0; i < 2; i++)
        wanted |= (a[i] > b[i] ? 1U << i : 0) | (a[i] < b[i] ? 4U << i : 0);
    if ((wanted & s->parameter) != 0)
        wanted &= (unsigned)s->parameter;
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned i = direction % 2;
        if (direction < 2 ? a[i] == 0 : a[i] == k[i] - 1)
            continue;
        sets[next++] = (wanted >> direction & 1) != 0 ? (UINT64_C(1) << s->channels) - 1 : 0;
    }
    return CN_OK;
}

/* Round a one-way ring: virtual channel 1 from behind the channel out of node 0, else the one
 * before. */
static cn_status dateline(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                          uint32_t port, uint32_t channel, uint64_t sets[])
{
    (void)user;
    (void)destination;
    int crossed = port != CN_NO_PORT && (previous == 0 || channel == 1);
    assert_true(port != CN_NO_PORT || previous == node);
    sets[0] = crossed ? 2 : 1;
    return CN_OK;
}

/* Along a path of nodes, ports to lower numbers first: virtual channel 0 towards the destination, 1
 * anywhere, even back. parameter 1: who has once taken virtual channel 0 stays on it. */
static cn_status wander(void *user, uint64_t node, uint64_t destination, uint64_t previous,
                        uint32_t port, uint32_t channel, uint64_t sets[])
{
    const subject *s = user;
    uint32_t degree = degree_of(s, (uint32_t)node);
    int stays = s->parameter == 1 && port != CN_NO_PORT && channel == 0;
    (void)previous;
    for (uint32_t p = 0; p < degree && !stays; p++)
        sets[p] = 2;
    sets[destination > node ? degree - 1 : 0] |= 1;
    return CN_OK;
}

/* ---- a check held against the oracle ---- */

static void check_cycle(const cn_deadlock *check, uint64_t edges[PAIRS][PAIRS], size_t length,
                        uint32_t channels)
{
    uint64_t nodes[PAIRS], destinations[PAIRS];
    uint32_t ports[PAIRS], vcs[PAIRS];
    size_t count = 0;
    assert_fails(cn_deadlock_cycle(check, NULL, NULL, NULL, NULL, 0, &count), CN_ERR_CAPACITY,
                 "capacity = 0");
    assert_int_equal(count, length);
    assert_ok(cn_deadlock_cycle(check, nodes, ports, vcs, destinations, count, NULL));
    for (size_t i = 0; i < count; i++) {
        size_t j = (i + 1) % count;
        uint32_t a = the.first[nodes[i]] + ports[i] * channels + vcs[i];
        uint32_t b = the.first[nodes[j]] + ports[j] * channels + vcs[j];
        assert_true(the.used[a]);
        assert_true((edges[a][b] >> destinations[i] & 1) != 0);
    }
}

static void check_subject(const subject *s, const char *expected)
{
    cn_deadlock *check;
    cn_verdict verdict;
    uint64_t channels, dependencies, escapes, escape_dependencies, used = 0, are_escapes = 0;
    ask_oracle(s);
    size_t cycle = shortest(the.direct), escape_cycle = shortest(the.extended);
    assert_ok(cn_deadlock_check(s->topology, s->channels, s->rule, s->escape, s->escape_set,
                                (void *)(uintptr_t)s, NULL, &check));
    assert_ok(cn_deadlock_verdict(check, &verdict));
    assert_string_equal(cn_enum_name(CN_ENUM_VERDICT, (int)verdict), expected);
    assert_int_equal(cn_deadlock_is_free(check),
                     verdict == CN_VERDICT_ACYCLIC || verdict == CN_VERDICT_ESCAPE);
    assert_ok(cn_deadlock_counts(check, &channels, &dependencies, &escapes, &escape_dependencies));
    for (uint32_t p = 0; p < the.pairs; p++) {
        used += the.used[p];
        are_escapes += the.is_escape[p];
    }
    assert_int_equal(channels, used);
    assert_int_equal(dependencies, edges_of(the.direct));
    assert_int_equal(escapes, are_escapes);
    assert_int_equal(cycle > 0, verdict != CN_VERDICT_ACYCLIC);
    if (verdict == CN_VERDICT_ESCAPE || verdict == CN_VERDICT_ESCAPE_CYCLIC) {
        assert_int_equal(escape_dependencies, edges_of(the.extended));
        assert_int_equal(escape_cycle > 0, verdict == CN_VERDICT_ESCAPE_CYCLIC);
    } else
        assert_int_equal(escape_dependencies, 0);
    if (verdict == CN_VERDICT_ESCAPE_CYCLIC)
        check_cycle(check, the.extended, escape_cycle, s->channels);
    else if (verdict == CN_VERDICT_ESCAPE || verdict == CN_VERDICT_CYCLIC)
        check_cycle(check, the.direct, cycle, s->channels);
    else if (verdict == CN_VERDICT_ACYCLIC)
        assert_ok(cn_deadlock_cycle(check, NULL, NULL, NULL, NULL, 0, NULL));
    assert_int_equal(verdict == CN_VERDICT_ESCAPE_MISSING,
                     the.missing && cycle > 0 && (s->escape != NULL || s->escape_set != 0));
    cn_deadlock_free(&check);
    assert_null(check);
}

static cn_topology *grid(char kind, uint64_t k, uint32_t n)
{
    cn_topology *topology = NULL;
    const uint64_t radices[] = {k, k, k, k};
    if (kind == 'm')
        assert_ok(cn_topology_mesh(radices, n, &topology));
    else
        assert_ok(cn_topology_kary_ncube(k, n, kind == 't', &topology));
    return topology;
}

/* The built-in rules on all kinds of networks. The set of escapes is spelled out here. */
static void built_in_rules(void **state)
{
    (void)state;
    static const struct {
        char kind;
        uint64_t k;
        uint32_t n;
        wormhole_rule rule;
        uint32_t channels;
        uint64_t escape_set;
        const char *verdict;
    } rows[] = {
        {'t', 2, 4, WORMHOLE_ORDER, 1, 1, "acyclic"},
        {'t', 2, 4, WORMHOLE_ORDER, 3, 7, "acyclic"},
        {'t', 2, 1, WORMHOLE_DUATO, 2, 1, "acyclic"},
        {'t', 2, 3, WORMHOLE_DUATO, 2, 1, "escape"},
        {'t', 2, 4, WORMHOLE_DUATO, 3, 1, "escape"},
        {'t', 2, 4, WORMHOLE_DUATO, 4, 1, "escape"},
        {'t', 2, 3, WORMHOLE_DUATO_UNSAFE, 1, 0, "cyclic"},
        {'t', 2, 4, WORMHOLE_DUATO_UNSAFE, 2, 0, "cyclic"},
        {'m', 5, 2, WORMHOLE_ORDER, 1, 1, "acyclic"},
        {'m', 3, 3, WORMHOLE_ORDER, 2, 3, "acyclic"},
        {'m', 4, 2, WORMHOLE_DUATO, 2, 1, "escape"},
        {'m', 3, 3, WORMHOLE_DUATO, 3, 1, "escape"},
        {'m', 3, 2, WORMHOLE_DUATO_UNSAFE, 1, 0, "cyclic"},
        {'m', 6, 1, WORMHOLE_DUATO_UNSAFE, 2, 0, "acyclic"},
        {'t', 5, 2, WORMHOLE_ORDER, 2, 3, "acyclic"},
        {'t', 6, 2, WORMHOLE_ORDER, 3, 7, "acyclic"},
        {'t', 5, 2, WORMHOLE_ORDER_UNSAFE, 1, 0, "cyclic"},
        {'t', 6, 2, WORMHOLE_ORDER_UNSAFE, 1, 0, "cyclic"},
        {'t', 8, 1, WORMHOLE_ORDER_UNSAFE, 2, 0, "cyclic"},
        {'t', 4, 2, WORMHOLE_ORDER_UNSAFE, 1, 0, "acyclic"},
        {'t', 3, 2, WORMHOLE_ORDER_UNSAFE, 1, 0, "acyclic"},
        {'t', 3, 2, WORMHOLE_DUATO, 3, 3, "escape"},
        {'t', 4, 2, WORMHOLE_DUATO, 3, 3, "escape"},
        {'t', 5, 2, WORMHOLE_DUATO, 3, 3, "escape"},
        {'t', 6, 2, WORMHOLE_DUATO, 4, 3, "escape"},
        {'t', 5, 2, WORMHOLE_DUATO_UNSAFE, 1, 0, "cyclic"},
        {'1', 5, 1, WORMHOLE_ORDER_UNSAFE, 1, 0, "cyclic"},
        {'1', 3, 2, WORMHOLE_ORDER_UNSAFE, 1, 0, "cyclic"},
        {'1', 5, 1, WORMHOLE_ORDER, 2, 3, "acyclic"},
        {'1', 4, 2, WORMHOLE_ORDER, 3, 7, "acyclic"},
        {'1', 4, 2, WORMHOLE_DUATO, 3, 3, "escape"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cn_topology *topology = grid(rows[r].kind, rows[r].k, rows[r].n);
        const subject s = {.topology = topology,
                           .channels = rows[r].channels,
                           .rule = built_in,
                           .escape_set = rows[r].escape_set,
                           .built_in = rows[r].rule};
        check_subject(&s, rows[r].verdict);
        cn_deadlock *check;
        cn_verdict verdict;
        assert_ok(wormhole_check(topology, rows[r].rule, rows[r].channels, NULL, &check));
        assert_ok(cn_deadlock_verdict(check, &verdict));
        assert_string_equal(cn_enum_name(CN_ENUM_VERDICT, (int)verdict), rows[r].verdict);
        cn_deadlock_free(&check);
        cn_topology_free(&topology);
    }
}

static void rules_of_others(void **state)
{
    (void)state;
    enum { DOWN_X = 1, DOWN_Y = 2 };
    cn_topology *mesh = grid('m', 4, 2), *cube = grid('t', 2, 3), *ring = grid('1', 6, 1), *path;
    check_subject(&(subject){mesh, 1, turn_model, .parameter = DOWN_X}, "acyclic");
    check_subject(&(subject){mesh, 2, turn_model, .parameter = DOWN_X | DOWN_Y}, "acyclic");
    check_subject(&(subject){mesh, 1, turn_model, .parameter = 0}, "cyclic");
    check_subject(&(subject){cube, 2, crooked, .escape_set = 1}, "escape-cyclic");
    check_subject(&(subject){cube, 3, crooked, .escape_set = 6}, "escape-cyclic");
    /* Which dimension order alone would not show: it is taken out of turn, as an ordinary
     * channel. */
    check_subject(&(subject){mesh, 1, built_in, .escape = xy, .built_in = 3}, "escape-cyclic");
    check_subject(&(subject){mesh, 2, built_in, .escape_set = 1, .built_in = 3}, "escape-cyclic");
    check_subject(&(subject){ring, 2, dateline, .escape_set = 0}, "acyclic");
    for (uint32_t nodes = 3; nodes < 7; nodes++) {
        assert_ok(cn_topology_tree(1, nodes - 1, &path));
        /* It may come back and wait for a channel that it holds itself. */
        check_subject(&(subject){path, 2, wander, .escape_set = 1}, "escape-cyclic");
        check_subject(&(subject){path, 2, wander, .escape_set = 1, .parameter = 1}, "escape");
        check_subject(&(subject){path, 2, wander, .escape_set = 2}, "escape-cyclic");
        check_subject(&(subject){path, 2, wander, .escape_set = 2, .parameter = 1},
                      "escape-missing");
        check_subject(&(subject){path, 2, wander, .escape_set = 0}, "cyclic");
        cn_topology_free(&path);
    }
    cn_topology_free(&mesh);
    cn_topology_free(&cube);
    cn_topology_free(&ring);
}

/* Networks of the size that one would simulate. The shortest cycle of the dimension order in a
 * torus is once round a ring. */
static void larger_networks(void **state)
{
    (void)state;
    static const struct {
        char kind;
        uint64_t k;
        uint32_t n;
        wormhole_rule rule;
        uint32_t channels;
        cn_verdict verdict;
        size_t cycle;
    } rows[] = {
        {'t', 2, 6, WORMHOLE_DUATO, 2, CN_VERDICT_ESCAPE, 4},
        {'t', 2, 6, WORMHOLE_DUATO, 4, CN_VERDICT_ESCAPE, 4},
        {'t', 2, 7, WORMHOLE_ORDER, 1, CN_VERDICT_ACYCLIC, 0},
        {'t', 2, 7, WORMHOLE_DUATO_UNSAFE, 1, CN_VERDICT_CYCLIC, 4},
        {'t', 8, 2, WORMHOLE_DUATO, 3, CN_VERDICT_ESCAPE, 4},
        {'t', 9, 2, WORMHOLE_ORDER_UNSAFE, 1, CN_VERDICT_CYCLIC, 9},
        {'t', 8, 2, WORMHOLE_ORDER, 2, CN_VERDICT_ACYCLIC, 0},
        {'m', 8, 2, WORMHOLE_DUATO, 2, CN_VERDICT_ESCAPE, 4},
        {'1', 500, 1, WORMHOLE_ORDER_UNSAFE, 1, CN_VERDICT_CYCLIC, 500},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cn_topology *topology = grid(rows[r].kind, rows[r].k, rows[r].n);
        cn_deadlock *check;
        cn_verdict verdict;
        size_t count = 0;
        assert_ok(wormhole_check(topology, rows[r].rule, rows[r].channels, NULL, &check));
        assert_ok(cn_deadlock_verdict(check, &verdict));
        assert_int_equal(verdict, rows[r].verdict);
        cn_deadlock_cycle(check, NULL, NULL, NULL, NULL, 0, &count);
        assert_int_equal(count, rows[r].cycle);
        cn_deadlock_free(&check);
        cn_topology_free(&topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_rules),
        cmocka_unit_test(rules_of_others),
        cmocka_unit_test(larger_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
