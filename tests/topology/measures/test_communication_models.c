/*
 * The broadcast times of the communication models of Ginosar & Egozi 1989, section 3, against
 * searches and simulations that know nothing of F or d.
 */
#include "topology/oracle.h"
#include "support/limits.h"

#include <string.h>

static uint32_t degree_of(const cn_topology *t, uint64_t node)
{
    uint32_t degree;
    assert_ok(cn_topology_degree(t, node, &degree));
    return degree;
}

static uint64_t far_of(const cn_topology *t, uint64_t node, uint32_t port)
{
    uint64_t far;
    assert_ok(cn_topology_neighbor(t, node, port, &far));
    return far;
}

static double time_of(const cn_topology *t, cn_measure measure)
{
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_measure(t, measure, 0.5, NULL, &lower, &upper, &kind));
    return upper;
}

/* ---- both ports on one link ---- */

enum { MOST = 7, DEGREES = 6 };

/* In half steps. A transfer takes one port of the sender and one of the receiver for two halves, or
 * both ports of both for one. Of each node: 0, it has nothing; 1, it has the message; 2 + port, it
 * has half of it from there. */
typedef struct search {
    const cn_topology *t;
    uint64_t nodes, neighbor[MOST][DEGREES];
    uint32_t degree[MOST];
    uint8_t *now, *next; /* states that are reached */
} search;

static uint32_t pack(const search *s, const uint8_t node[])
{
    uint32_t state = 0;
    for (uint64_t v = 0; v < s->nodes; v++)
        state = state * (2 + DEGREES) + node[v];
    return state;
}

/* One receiver after the other decides from whom it gets one half or both. */
static void go_on(search *s, const uint8_t before[], uint8_t after[], uint8_t ports[], uint64_t v)
{
    if (v == s->nodes) {
        s->next[pack(s, after)] = 1;
        return;
    }
    go_on(s, before, after, ports, v + 1);
    for (uint32_t port = 0; before[v] != 1 && port < s->degree[v]; port++) {
        uint64_t from = s->neighbor[v][port];
        int is_other = before[v] > 1 && before[v] != 2 + port;
        for (uint8_t halves = 1; before[from] == 1 && !is_other && halves <= 2 - (before[v] > 1);
             halves++) {
            if (ports[from] + halves > 2)
                continue;
            uint8_t kept = after[v];
            ports[from] = (uint8_t)(ports[from] + halves);
            after[v] = before[v] > 1 || halves == 2 ? 1 : (uint8_t)(2 + port);
            go_on(s, before, after, ports, v + 1);
            after[v] = kept;
            ports[from] = (uint8_t)(ports[from] - halves);
        }
    }
}

static void unpack(const search *s, uint32_t state, uint8_t node[])
{
    for (uint64_t v = s->nodes; v-- > 0; state /= 2 + DEGREES)
        node[v] = (uint8_t)(state % (2 + DEGREES));
}

static double joined(search *s, uint64_t source)
{
    uint8_t before[MOST], after[MOST], all[MOST], ports[MOST] = {0};
    uint32_t states = 1, halves = 0;
    for (uint64_t v = 0; v < s->nodes; v++) {
        states *= 2 + DEGREES;
        all[v] = 1;
        before[v] = v == source;
    }
    s->now = calloc(states, 1);
    s->next = calloc(states, 1);
    s->now[pack(s, before)] = 1;
    for (; !s->now[pack(s, all)]; halves++) {
        memset(s->next, 0, states);
        for (uint32_t state = 0; state < states; state++)
            if (s->now[state]) {
                unpack(s, state, before);
                memcpy(after, before, sizeof after);
                go_on(s, before, after, ports, 0);
            }
        uint8_t *swap = s->now;
        s->now = s->next;
        s->next = swap;
    }
    free(s->now);
    free(s->next);
    return halves / 2.0;
}

static int searchable(const cn_topology *t, search *s)
{
    *s = (search){.t = t, .nodes = cn_topology_node_count(t)};
    if (s->nodes > MOST || cn_topology_max_degree(t) > DEGREES)
        return 0;
    for (uint64_t v = 0; v < s->nodes; v++) {
        s->degree[v] = degree_of(t, v);
        for (uint32_t port = 0; port < s->degree[v]; port++)
            s->neighbor[v][port] = far_of(t, v, port);
    }
    return 1;
}

static void joined_ports(void **state)
{
    (void)state;
    cn_topology *t;
    search s;
    int searched = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        t = seed == 0 ? NULL : oracle_random(4 + seed % 3, seed % 4, seed);
        if (seed == 0)
            assert_ok(cn_topology_complete(5, &t));
        assert_true(searchable(t, &s));
        double worst = 0.0;
        for (uint64_t v = 0; v < s.nodes; v++) {
            double steps = joined(&s, v);
            worst = steps > worst ? steps : worst;
        }
        assert_near(time_of(t, CN_MEASURE_BROADCAST_TIME_JOINED_PORTS), worst, 0);
        searched++;
        cn_topology_free(&t);
    }
    assert_int_equal(searched, 24);
}

/* ---- 5.2: data concentration and contention ---- */

/* A broadcast schedule read backwards: who has received sends; one number a node, added up on the
 * way. */
static void concentrate(const cn_topology *t, uint64_t root)
{
    size_t nodes = (size_t)cn_topology_node_count(t), transfers = nodes - 1;
    uint64_t *sender = calloc(nodes, sizeof *sender), *receiver = calloc(nodes, sizeof *receiver);
    uint64_t *sum = calloc(nodes, sizeof *sum), lower, upper;
    uint32_t *step = calloc(nodes, sizeof *step), *received = calloc(nodes, sizeof *received);
    cn_known kind;
    assert_ok(cn_topology_broadcast_schedule(t, root, LIMITS(.steps = 2000), sender, receiver, step,
                                             transfers, &lower, &upper, &kind));
    for (size_t v = 0; v < nodes; v++)
        sum[v] = UINT64_C(1) << v;
    for (size_t i = transfers; i-- > 0;) {
        uint64_t from = receiver[i], to = sender[i];
        uint32_t now = (uint32_t)upper + 1 - step[i];
        assert_true(now > received[from]); /* all that it sends has come in earlier steps, */
        assert_true(now > received[to]);   /* and a node receives once a step */
        received[to] = now;
        sum[to] += sum[from];
        sum[from] = 0; /* it sends once */
    }
    assert_int_equal(sum[root], (UINT64_C(1) << nodes) - 1);
    assert_int_equal(received[root], upper);
    free(sender);
    free(receiver);
    free(sum);
    free(step);
    free(received);
}

/* Up a breadth-first tree, one message sent and one received a step; of several children the one
 * with most to come. */
static uint64_t contend(const cn_topology *t, uint64_t root)
{
    size_t nodes = (size_t)cn_topology_node_count(t);
    uint64_t *hops = calloc(nodes, sizeof *hops), parent[64], steps = 0, depth = 0;
    uint64_t here[64], below[64] = {0}; /* messages at a node, and there and behind it */
    assert_ok(cn_topology_distances(t, root, NULL, hops, nodes));
    for (uint64_t v = 0; v < nodes; v++) {
        here[v] = v != root;
        depth = hops[v] > depth ? hops[v] : depth;
        for (uint32_t port = 0; port < degree_of(t, v); port++)
            if (hops[far_of(t, v, port)] + 1 == hops[v])
                parent[v] = far_of(t, v, port);
    }
    for (; here[root] < nodes - 1; steps++) {
        uint64_t child[64];
        for (uint64_t v = 0; v < nodes; v++) {
            below[v] = v == root ? 0 : here[v];
            child[v] = nodes;
        }
        for (uint64_t level = depth; level > 0; level--)
            for (uint64_t v = 0; v < nodes; v++)
                if (hops[v] == level)
                    below[parent[v]] += below[v];
        for (uint64_t v = 0; v < nodes; v++)
            if (v != root && here[v] > 0 &&
                (child[parent[v]] == nodes || below[v] > below[child[parent[v]]]))
                child[parent[v]] = v;
        for (uint64_t v = 0; v < nodes; v++)
            if (child[v] < nodes) {
                here[child[v]]--;
                here[v]++;
            }
    }
    free(hops);
    return steps;
}

/* Combined messages take F steps, since a schedule may be read either way; messages that are not
 * combined N - 1, since the root receives one a step. */
static void messages_to_one_node(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t v = 0; v < nodes && nodes < 64; v++) {
            concentrate(t, v);
            assert_int_equal(contend(t, v), nodes - 1);
        }
        cn_topology_free(&t);
    }
}

/* ---- all links at once, each so many steps a message ---- */

static double flood(const cn_topology *t, uint64_t source, uint32_t slowness)
{
    uint64_t nodes = cn_topology_node_count(t), informed = 1;
    uint32_t *at = calloc((size_t)nodes, sizeof *at), now = 0; /* 1 + the step */
    at[source] = 1;
    while (informed < nodes) {
        now++;
        for (uint64_t v = 0; v < nodes; v++)
            for (uint32_t port = 0; at[v] != 0 && port < degree_of(t, v); port++) {
                uint64_t far = far_of(t, v, port);
                if (at[far] == 0 && at[v] - 1 + slowness == now) {
                    at[far] = 1 + now;
                    informed++;
                }
            }
    }
    free(at);
    return now;
}

static void other_models(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t);
        uint32_t degree = 0;
        for (uint64_t v = 0; v < nodes; v++)
            degree = degree_of(t, v) > degree ? degree_of(t, v) : degree;
        double limited = 0.0, divided = 0.0;
        for (uint64_t v = 0; v < nodes; v++) {
            double fast = flood(t, v, 1), slow = flood(t, v, degree);
            limited = fast > limited ? fast : limited;
            divided = slow > divided ? slow : divided;
        }
        assert_near(time_of(t, CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS), limited, 0);
        assert_near(time_of(t, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS), divided, 0);
        cn_topology_free(&t);
    }
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_ring(5, 0, &t));
    assert_near(time_of(t, CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS), 4, 0);
    assert_fails(cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS, 0.5, NULL, &lower,
                                     &upper, &kind),
                 CN_ERR_UNSUPPORTED, "broadcast_time_divided_ports");
    cn_topology_free(&t);
}

/* Divided ports alone make the PSNN of 256 nodes faster than the hypercube: they charge for the
 * degree. */
static void hypercube_and_shuffle(void **state)
{
    (void)state;
    cn_topology *cube, *psnn;
    assert_ok(cn_topology_hypercube(8, &cube));
    assert_ok(cn_topology_psnn(8, &psnn));
    assert_near(time_of(cube, CN_MEASURE_BROADCAST_TIME_JOINED_PORTS), 4, 0);
    assert_near(time_of(cube, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS), 64, 0);
    assert_near(time_of(cube, CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS), 8, 0);
    assert_near(time_of(psnn, CN_MEASURE_BROADCAST_TIME_JOINED_PORTS), 6, 0);
    assert_near(time_of(psnn, CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS), 40, 0);
    assert_near(time_of(psnn, CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS), 10, 0);
    cn_topology_free(&cube);
    cn_topology_free(&psnn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_ports),
        cmocka_unit_test(messages_to_one_node),
        cmocka_unit_test(other_models),
        cmocka_unit_test(hypercube_and_shuffle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
