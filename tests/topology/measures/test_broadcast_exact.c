#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/measures/broadcast.h"

/* From no knowledge at all to the least time, and a schedule of that time. */
static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cn_topology *t = oracle_random(4 + seed % 7, seed % 17, seed);
        uint32_t sender[16], step[16];
        cni_schedule schedule = {sender, step};
        cni_graph graph;
        cni_budget budget;
        assert_ok(cni_graph_open(t, NULL, &graph));
        for (uint32_t source = 0; source < graph.nodes; source++) {
            uint32_t lower = 0, length = 50, last = 0;
            uint64_t exact = oracle_broadcast(t, source);
            assert_ok(cni_budget_start(&budget, "test", NULL, CN_SEARCH_DEFAULT));
            assert_ok(cni_broadcast_exact(&graph, source, &budget, &schedule, &lower, &length));
            assert_int_equal(length, exact);
            assert_int_equal(lower, exact);
            for (uint32_t v = 0; v < graph.nodes; v++) {
                uint32_t port;
                last = step[v] > last ? step[v] : last;
                if (v == source)
                    continue;
                assert_ok(cn_topology_port_to(t, sender[v], v, &port));
                assert_true(port != CN_NO_PORT);
                assert_true(step[sender[v]] < step[v]);
                for (uint32_t u = 0; u < v; u++)
                    assert_true(u == source || sender[u] != sender[v] || step[u] != step[v]);
            }
            assert_int_equal(last, length);
        }
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
}

/* A dual chordal ring of 29 nodes has no broadcast of five steps, though 29 < 2^5. */
static void where_counting_fails(void **state)
{
    (void)state;
    for (uint64_t nodes = 28; nodes <= 33; nodes++) {
        cn_topology *t;
        double lower, upper;
        cn_known kind;
        assert_ok(cn_topology_chordal_ring(nodes, 5 + nodes / 31, 1, &t));
        assert_ok(
            cn_topology_measure(t, CN_MEASURE_BROADCAST_TIME, 0.5, NULL, &lower, &upper, &kind));
        assert_int_equal(kind, CN_KNOWN_EXACT);
        assert_true(upper == (nodes == 28 ? 5 : 6));
        cn_topology_free(&t);
    }
}

static void budget_ends(void **state)
{
    (void)state;
    cn_topology *t;
    cni_graph graph;
    cni_budget budget;
    uint32_t sender[64], step[64], lower = 0, length = 20;
    cni_schedule schedule = {sender, step};
    assert_ok(cn_topology_psnn(6, &t));
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 10), CN_SEARCH_DEFAULT));
    assert_ok(cni_broadcast_exact(&graph, 0, &budget, &schedule, &lower, &length));
    assert_true(lower <= 8 && length == 20);
    cni_graph_close(&graph);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(where_counting_fails),
        cmocka_unit_test(budget_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
