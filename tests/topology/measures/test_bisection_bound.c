#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/measures/bisection.h"

static uint64_t bound_of(const cn_topology *t, uint64_t steps, uint64_t enough)
{
    cni_graph graph;
    cni_budget budget;
    uint64_t bound;
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = steps), CN_SEARCH_DEFAULT));
    assert_ok(cni_bisect_bound(&graph, enough, &budget, &bound));
    cni_graph_close(&graph);
    return bound;
}

/* Never above the minimum, whenever it is stopped. */
static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        cn_topology *t = oracle_random(5 + seed % 9, 4 + seed % 23, seed);
        uint64_t exact = oracle_bisection(t);
        for (uint64_t steps = 1; steps <= 100000; steps *= 7)
            assert_true(bound_of(t, steps, UINT64_MAX) <= exact);
        cn_topology_free(&t);
    }
}

/* Where all links are alike the flow is level, and the bound is the minimum. */
static void symmetric_networks(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(6, &t));
    assert_int_equal(bound_of(t, 1000000, 32), 32);
    cn_topology_free(&t);
    assert_ok(cn_topology_kary_ncube(6, 2, 1, &t));
    assert_int_equal(bound_of(t, 1000000, 12), 12);
    cn_topology_free(&t);
    assert_ok(cn_topology_complete(20, &t));
    assert_int_equal(bound_of(t, 1000000, 100), 100);
    cn_topology_free(&t);
}

static void shuffles(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_psnn(6, &t));
    assert_int_equal(bound_of(t, 5000000, 14), 14); /* is the minimum, too */
    cn_topology_free(&t);
    assert_ok(cn_topology_psnn(7, &t));
    uint64_t bound = bound_of(t, 2000000, UINT64_MAX);
    assert_true(bound >= 20 && bound <= 24);
    cn_topology_free(&t);
}

static void disconnected(void **state)
{
    (void)state;
    const uint64_t edges[] = {0, 1, 2, 3};
    cn_topology *t;
    assert_ok(cn_topology_from_edges(4, edges, 2, NULL, &t));
    assert_int_equal(bound_of(t, 1000, UINT64_MAX), 0);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(symmetric_networks),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(disconnected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
