#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/measures/bisection.h"

static uint64_t cut_of(const cn_topology *t, uint64_t steps, uint64_t enough)
{
    cni_graph graph;
    cni_budget budget;
    uint64_t width = UINT64_MAX;
    assert_ok(cni_graph_open(t, NULL, &graph));
    uint8_t *side = calloc(graph.nodes, 1);
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = steps), CN_SEARCH_DEFAULT));
    assert_ok(cni_bisect_heuristic(&graph, enough, &budget, side, &width));
    assert_int_equal(oracle_cut(t, side), width);
    free(side);
    cni_graph_close(&graph);
    return width;
}

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        cn_topology *t = oracle_random(5 + seed % 9, seed % 23, seed);
        uint64_t exact = oracle_bisection(t);
        assert_int_equal(cut_of(t, 1000000, exact), exact);
        cn_topology_free(&t);
    }
}

/* The cuts that were known before, or better, within a second or two each. */
static void known_cuts(void **state)
{
    (void)state;
    const uint64_t cuts[] = {40, 70, 132, 220, 390};
    for (uint32_t n = 8; n <= 12; n++) {
        cn_topology *t;
        assert_ok(cn_topology_psnn(n, &t));
        assert_true(cut_of(t, 100000000, cuts[n - 8]) <= cuts[n - 8]);
        cn_topology_free(&t);
    }
}

/* What was found before stays unless it is beaten. */
static void keeps_the_better(void **state)
{
    (void)state;
    cn_topology *t;
    cni_graph graph;
    cni_budget budget;
    uint8_t side[] = {0, 1, 1, 1, 0, 0};
    uint64_t width = 2;
    assert_ok(cn_topology_ring(6, 1, &t));
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 5000), CN_SEARCH_DEFAULT));
    assert_ok(cni_bisect_heuristic(&graph, 0, &budget, side, &width));
    assert_int_equal(width, 2);
    assert_true(side[0] == 0 && side[1] == 1 && side[4] == 0);
    cni_graph_close(&graph);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(known_cuts),
        cmocka_unit_test(keeps_the_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
