/* Networks given by a function. */
#include "topology/adjacency.h"

#include <string.h>

/* A graph as a function, and what is wrong with it. */
typedef struct teller {
    const graph *g;
    uint64_t calls;
    int flaw;
} teller;

enum { SOUND, NO_SUCH_NODE, LOOP, TWICE, FICKLE, FAILING, POSITIVE };

static cn_status tell(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    teller *it = user;
    const graph *g = it->g;
    it->calls++;
    assert_true(*neighbor == CN_NO_NODE);
    assert_true(port < 2 * g->ports);
    /* every other port leads nowhere */
    if (port % 2 == 1 && port / 2 < g->degree[node])
        *neighbor = g->to[node * g->ports + port / 2];
    if (node != 2 || port != 3)
        return CN_OK;
    if (it->flaw == NO_SUCH_NODE)
        *neighbor = g->nodes;
    if (it->flaw == LOOP)
        *neighbor = 2;
    if (it->flaw == TWICE)
        *neighbor = g->to[2 * g->ports];
    if (it->flaw == FICKLE && it->calls > 2 * g->nodes * g->ports)
        *neighbor = CN_NO_NODE;
    if (it->flaw == FAILING)
        return CN_ERR_NOT_FOUND;
    return it->flaw == POSITIVE ? CN_DONE : CN_OK;
}

static cn_topology *made_from(const graph *g)
{
    cn_topology *t;
    teller it = {.g = g};
    assert_ok(cn_topology_from_function(g->nodes, 2 * g->ports, tell, &it, NULL, &t));
    assert_int_equal(it.calls, 2 * g->nodes * 2 * g->ports);
    return t;
}

static void wheel(graph *g)
{
    graph_open(g, 7, 6);
    for (uint32_t v = 1; v < 7; v++) {
        graph_join(g, 0, v);
        graph_join(g, v, v % 6 + 1);
        graph_join(g, v, 0);
        graph_join(g, v, (v + 4) % 6 + 1);
    }
}

static void a_two_way_graph_keeps_its_ports(void **state)
{
    (void)state;
    graph g;
    uint64_t links, diameter;
    wheel(&g);
    cn_topology *t = made_from(&g);
    graph_check(&g, t, 1);
    assert_int_equal(cn_topology_is_bidirectional(t), 1);
    assert_int_equal(cn_topology_max_degree(t), 6);
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(links, 12);
    assert_ok(cn_topology_diameter(t, NULL, &diameter));
    assert_int_equal(diameter, 2);
    assert_string_equal(cn_topology_name(t), "function(7,12)");
    cn_topology_free(&t);
    graph_close(&g);
}

/* The ring 0 1 ... 8 one way with a channel from 0 to 4: nodes see different distances. */
static void a_one_way_graph_is_one(void **state)
{
    (void)state;
    graph g;
    uint64_t links, diameter, worst = 0, sum = 0;
    uint32_t distance[9];
    double mean, lower, upper;
    cn_known kind;
    graph_open(&g, 9, 2);
    for (uint32_t v = 0; v < 9; v++)
        graph_join(&g, v, (v + 1) % 9);
    graph_join(&g, 0, 4);
    cn_topology *t = made_from(&g);
    graph_check(&g, t, 1);
    assert_int_equal(cn_topology_is_bidirectional(t), 0);
    assert_ok(cn_topology_link_count(t, &links));
    assert_int_equal(links, 10);
    for (uint32_t v = 0; v < 9; v++) {
        graph_distances(&g, v, distance);
        for (uint32_t u = 0; u < 9; u++) {
            sum += distance[u];
            worst = distance[u] > worst ? distance[u] : worst;
        }
    }
    assert_ok(cn_topology_diameter(t, NULL, &diameter));
    assert_int_equal(diameter, worst);
    assert_ok(cn_topology_mean_distance(t, NULL, &mean));
    assert_near(mean, (double)sum / 72.0, 1e-12);
    assert_fails(
        cn_topology_measure(t, CN_MEASURE_BISECTION_WIDTH, 0.5, NULL, &lower, &upper, &kind),
        CN_ERR_UNSUPPORTED, "bidirectional links");
    assert_fails(
        cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind),
        CN_ERR_UNSUPPORTED, "bidirectional links");
    cn_topology_free(&t);
    graph_close(&g);
}

/* Node 0 reaches all, and nobody reaches node 0. */
static void one_way_networks_may_be_disconnected_one_way(void **state)
{
    (void)state;
    graph g;
    uint64_t diameter, distance;
    double mean;
    graph_open(&g, 3, 1);
    graph_join(&g, 0, 1);
    graph_join(&g, 1, 2);
    graph_join(&g, 2, 1);
    cn_topology *t = made_from(&g);
    assert_fails(cn_topology_diameter(t, NULL, &diameter), CN_ERR_DISCONNECTED,
                 "node 1 reaches 2 of its 3");
    assert_fails(cn_topology_mean_distance(t, NULL, &mean), CN_ERR_DISCONNECTED,
                 "node 1 reaches 2");
    assert_ok(cn_topology_distance(t, 2, 0, NULL, &distance));
    assert_true(distance == CN_UNREACHABLE);
    cn_topology_free(&t);
    graph_close(&g);
}

static void bad_functions_get_a_sentence(void **state)
{
    (void)state;
    static const struct {
        cn_status status;
        const char *part;
    } expected[] = {
        [NO_SUCH_NODE] = {CN_ERR_ARGUMENT, "gave 7 for port 3 of node 2, but the nodes are 0 to 6"},
        [LOOP] = {CN_ERR_ARGUMENT, "node 2 is joined to 2, but"},
        [TWICE] = {CN_ERR_ARGUMENT, "node 2 is joined to 3 more than once"},
        [FICKLE] = {CN_ERR_ARGUMENT, "different neighbours of node 2 in its second call"},
        [FAILING] = {CN_ERR_NOT_FOUND, "returned -5 for port 3 of node 2"},
        [POSITIVE] = {CN_ERR_ARGUMENT, "returned 1 for port 3 of node 2"},
    };
    graph g;
    cn_topology *t;
    wheel(&g);
    for (int flaw = NO_SUCH_NODE; flaw <= POSITIVE; flaw++) {
        teller it = {.g = &g, .flaw = flaw};
        assert_fails(cn_topology_from_function(7, 12, tell, &it, NULL, &t), expected[flaw].status,
                     expected[flaw].part);
        assert_null(t);
    }
    assert_fails(cn_topology_from_function(0, 1, tell, NULL, NULL, &t), CN_ERR_ARGUMENT,
                 "1 to 2^20");
    assert_fails(cn_topology_from_function((1 << 20) + 1, 1, tell, NULL, NULL, &t), CN_ERR_ARGUMENT,
                 "node_count = 1048577");
    assert_fails(cn_topology_from_function(2, 0, tell, NULL, NULL, &t), CN_ERR_ARGUMENT,
                 "max_degree = 0");
    assert_fails(cn_topology_from_function(2, 1, NULL, NULL, NULL, &t), CN_ERR_ARGUMENT,
                 "neighbor is NULL");
    graph_close(&g);
}

static cn_status make(void *context)
{
    cn_topology *t = (cn_topology *)(void *)&t;
    teller it = {.g = context};
    cn_status status = cn_topology_from_function(7, 12, tell, &it, NULL, &t);
    if (status != CN_OK)
        assert_null(t);
    cn_topology_free(&t);
    return status;
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    graph g;
    wheel(&g);
    support_fail_every_allocation(make, &g);
    graph_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_two_way_graph_keeps_its_ports),
        cmocka_unit_test(a_one_way_graph_is_one),
        cmocka_unit_test(one_way_networks_may_be_disconnected_one_way),
        cmocka_unit_test(bad_functions_get_a_sentence),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
