#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/measures/bisection.h"

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        cn_topology *t = oracle_random(5 + seed % 9, seed % 23, seed);
        cni_graph graph;
        cni_budget budget;
        uint64_t width = 0;
        int solved;
        assert_ok(cni_graph_open(t, NULL, &graph));
        assert_ok(cni_budget_start(&budget, "test", NULL, CN_SEARCH_DEFAULT));
        assert_ok(cni_bisect_exact(&graph, &budget, &width, &solved));
        assert_int_equal(solved, 1);
        assert_int_equal(width, oracle_bisection(t));
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
}

static uint64_t solve(cn_topology *t)
{
    cni_graph graph;
    cni_budget budget;
    uint64_t width = 7;
    int solved;
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", NULL, CN_SEARCH_DEFAULT));
    assert_ok(cni_bisect_exact(&graph, &budget, &width, &solved));
    assert_int_equal(solved, 1);
    cni_graph_close(&graph);
    cn_topology_free(&t);
    return width;
}

/* A cell of the table ends at 255, which then stands for all that is more. */
static void saturation(void **state)
{
    (void)state;
    const uint64_t nodes[] = {506, 507, 508, 509, 510, 512, 600};
    cn_topology *t;
    for (int i = 0; i < 7; i++) {
        assert_ok(cn_topology_star(nodes[i], &t));
        assert_int_equal(solve(t), nodes[i] / 2 < 255 ? nodes[i] / 2 : 255);
    }
    assert_ok(cn_topology_complete(19, &t)); /* all in the frontier */
    assert_int_equal(solve(t), 19 * 19 / 4);
}

/* Closed forms against the table: every mesh, torus and cube that is narrow enough. */
static void closed_forms(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint64_t a = 2; a <= 8; a++)
        for (uint64_t b = 2; b <= a; b++)
            for (uint64_t c = 1; c <= b && c <= 4; c++)
                for (int torus = 0; torus < 2; torus++) {
                    const uint64_t radices[] = {b, a, c};
                    uint32_t n = c > 1 ? 3 : 2;
                    if (a * b * c > 80 || (torus && c > 1 && a * b * c > 48))
                        continue;
                    cn_topology *t;
                    double lower, upper;
                    cn_known kind;
                    assert_ok(torus ? cn_topology_torus(radices, n, &t)
                                    : cn_topology_mesh(radices, n, &t));
                    assert_ok(cn_topology_measure(t, CN_MEASURE_BISECTION_WIDTH, 0.5,
                                                  LIMITS(.steps = 1), &lower, &upper, &kind));
                    if (kind != CN_KNOWN_CLOSED_FORM) { /* a torus with some rings of two */
                        cn_topology_free(&t);
                        continue;
                    }
                    compared++;
                    assert_int_equal(solve(t), (uint64_t)upper);
                }
    assert_true(compared > 60);
    for (uint32_t n = 1; n <= 5; n++) {
        cn_topology *t;
        assert_ok(cn_topology_hypercube(n, &t));
        assert_int_equal(solve(t), UINT64_C(1) << (n - 1));
    }
    for (uint32_t m = 1; m <= 7; m++) {
        cn_topology *t;
        assert_ok(cn_topology_tree(2, m, &t));
        assert_int_equal(solve(t), 1);
    }
}

/* The frontier that the order promises, counted again. */
static void orders(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint32_t order[64], widest, seen = 0, found = 0;
        uint8_t placed[64] = {0};
        double rows, sum = 0.0;
        cni_graph graph;
        assert_ok(cni_graph_open(t, NULL, &graph));
        assert_ok(cni_narrow_order(&graph, NULL, order, &widest, &rows));
        for (size_t at = 0; at < graph.nodes; at++) {
            assert_int_equal(placed[order[at]], 0);
            placed[order[at]] = 1;
            uint32_t before = 0;
            for (size_t v = 0; v < graph.nodes; v++) {
                int open = 0;
                for (size_t e = graph.first[v]; e < graph.first[v + 1]; e++)
                    open |= !placed[graph.neighbor[e]] || graph.neighbor[e] == order[at];
                before += placed[v] && v != order[at] && open;
            }
            found = before + 1 > found ? before + 1 : found;
            sum += (double)(UINT64_C(1) << (before + 1));
            seen++;
        }
        assert_int_equal(seen, graph.nodes);
        assert_int_equal(found, widest);
        assert_near(sum, rows, 0.0);
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
}

/* What does not fit the budget is not begun. */
static void too_wide(void **state)
{
    (void)state;
    cn_topology *t;
    cni_graph graph;
    cni_budget budget;
    uint64_t width = 12345;
    int solved = 1;
    assert_ok(cn_topology_psnn(6, &t));
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 1000), CN_SEARCH_DEFAULT));
    assert_ok(cni_bisect_exact(&graph, &budget, &width, &solved));
    assert_int_equal(solved, 0);
    assert_int_equal(width, 12345);
    assert_true(budget.done < 1100); /* the search for an order ends with the budget, too */
    cni_graph_close(&graph);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs), cmocka_unit_test(saturation),
        cmocka_unit_test(closed_forms),  cmocka_unit_test(orders),
        cmocka_unit_test(too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
