#include "topology/oracle.h"

#include "topology/measures/broadcast.h"

static uint32_t bound_of(const cn_topology *t, uint32_t source, uint32_t enough)
{
    cni_graph graph;
    cni_budget budget;
    uint32_t bound = 0;
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", NULL, CN_SEARCH_DEFAULT));
    assert_ok(cni_broadcast_bound(&graph, source, enough, &budget, &bound));
    cni_graph_close(&graph);
    return bound;
}

/* Never above the least time; dense graphs have nodes of more than four neighbours. */
static void random_graphs(void **state)
{
    (void)state;
    uint32_t met = 0, all = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        cn_topology *t = oracle_random(4 + seed % 7, seed % 17, seed);
        for (uint32_t v = 0; v < cn_topology_node_count(t); v++) {
            uint64_t exact = oracle_broadcast(t, v);
            uint32_t bound = bound_of(t, v, 100);
            assert_true(bound <= exact);
            assert_true(bound_of(t, v, 2) <= 2);
            met += bound == exact;
            all++;
        }
        cn_topology_free(&t);
    }
    assert_true(4 * met >= 3 * all); /* and mostly just that */
}

/* The proofs of the exact values of PSNN, and d = F of PSE. */
static void shuffles(void **state)
{
    (void)state;
    const uint32_t psnn[] = {2, 4, 5, 7, 8, 10, 12, 13};
    cn_topology *t;
    for (uint32_t n = 2; n <= 9; n++) {
        assert_ok(cn_topology_psnn(n, &t));
        assert_int_equal(bound_of(t, 0, 100), psnn[n - 2]);
        cn_topology_free(&t);
    }
    assert_ok(cn_topology_shuffle_exchange(6, &t));
    assert_int_equal(bound_of(t, 0, 100), 11);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(shuffles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
