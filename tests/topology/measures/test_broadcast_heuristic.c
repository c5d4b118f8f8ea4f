#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/measures/broadcast.h"

/* Schedules of random graphs: they are schedules, and mostly the shortest. */
static void random_graphs(void **state)
{
    (void)state;
    uint32_t met = 0, all = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cn_topology *t = oracle_random(4 + seed % 7, seed % 17, seed);
        uint32_t sender[16], step[16];
        cni_schedule schedule = {sender, step};
        cni_graph graph;
        cni_budget budget;
        assert_ok(cni_graph_open(t, NULL, &graph));
        for (uint32_t source = 0; source < graph.nodes; source++) {
            uint32_t length = UINT32_MAX, last = 0;
            assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 50000), CN_SEARCH_DEFAULT));
            assert_ok(cni_broadcast_heuristic(&graph, source, 0, &budget, &schedule, &length));
            assert_int_equal(step[source], 0);
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
            uint64_t exact = oracle_broadcast(t, source);
            assert_true(length >= exact);
            met += length == exact;
            all++;
        }
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
    assert_true(met >= all - all / 50);
}

/* A schedule that cannot be beaten stays. */
static void keeps_the_better(void **state)
{
    (void)state;
    cn_topology *t;
    cni_graph graph;
    cni_budget budget;
    uint32_t sender[] = {0, 0, 1, 0}, step[] = {0, 1, 2, 2}, length = 2;
    cni_schedule schedule = {sender, step};
    assert_ok(cn_topology_ring(4, 1, &t));
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 5000), CN_SEARCH_DEFAULT));
    assert_ok(cni_broadcast_heuristic(&graph, 0, 0, &budget, &schedule, &length));
    assert_int_equal(length, 2);
    assert_true(sender[2] == 1 && step[3] == 2);
    cni_graph_close(&graph);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(keeps_the_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
