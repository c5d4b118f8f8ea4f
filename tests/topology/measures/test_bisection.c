#include "topology/oracle.h"
#include "support/limits.h"

#include <string.h>

static void bisect(const cn_topology *t, uint64_t steps, uint64_t *lower, uint64_t *upper,
                   cn_known *kind)
{
    size_t nodes = (size_t)cn_topology_node_count(t);
    uint8_t *side = malloc(nodes);
    uint64_t width;
    memset(side, 7, nodes);
    assert_ok(cn_topology_bisection(t, LIMITS(.steps = steps), side, nodes, lower, upper, kind));
    assert_true(*lower <= *upper);
    assert_int_equal(*kind == CN_KNOWN_BOUNDS, *lower < *upper);
    assert_int_equal(oracle_cut(t, side), *upper);
    assert_ok(cn_bisection_check(t, side, nodes, NULL, &width));
    assert_int_equal(width, *upper);
    uint32_t by_rule;
    if (*kind == CN_KNOWN_CLOSED_FORM) {
        for (size_t v = 0; v < nodes; v++) {
            assert_ok(cn_bisection_side(t, v, &by_rule));
            assert_int_equal(by_rule, side[v]);
        }
        assert_ok(cn_bisection_check(t, NULL, 0, NULL, &width));
        assert_int_equal(width, *upper);
    } else {
        assert_fails(cn_bisection_side(t, 0, &by_rule), CN_ERR_UNSUPPORTED, "no closed form");
        assert_fails(cn_bisection_check(t, NULL, 0, NULL, &width), CN_ERR_UNSUPPORTED,
                     "no closed form");
    }
    free(side);
}

/* Bisects, expects a proved value, and frees. */
static void expect(cn_topology *t, uint64_t width, cn_known known)
{
    uint64_t lower, upper;
    cn_known kind;
    bisect(t, 0, &lower, &upper, &kind);
    if (lower != width || upper != width || kind != known)
        print_error("%s\n", cn_topology_name(t));
    assert_int_equal(lower, width);
    assert_int_equal(upper, width);
    assert_int_equal(kind, known);
    cn_topology_free(&t);
}

static void against_all_halves(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t lower, upper;
        cn_known kind;
        bisect(t, 0, &lower, &upper, &kind);
        assert_int_equal(lower, upper);
        assert_int_equal(upper, oracle_bisection(t));
        cn_topology_free(&t);
    }
}

static void closed_forms(void **state)
{
    (void)state;
    cn_topology *t;
    const uint64_t shapes[][3] = {{3, 5, 0}, {3, 2, 0}, {5, 4, 0}, {2, 3, 3}, {3, 3, 2}, {7, 3, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        uint32_t n = shapes[s][2] > 0 ? 3 : 2;
        assert_ok(cn_topology_mesh(shapes[s], n, &t));
        expect(t, oracle_bisection(t), CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_topology_torus(shapes[s], n, &t));
        expect(t, oracle_bisection(t),
               shapes[s][0] == 2 || shapes[s][1] == 2 || shapes[s][2] == 2 ? CN_KNOWN_EXACT
                                                                           : CN_KNOWN_CLOSED_FORM);
    }
    for (uint64_t nodes = 2; nodes <= 14; nodes++) {
        for (int both = 0; both < 2; both++) {
            assert_ok(cn_topology_ring(nodes, both, &t));
            expect(t, nodes == 2 ? 1 : 2, CN_KNOWN_CLOSED_FORM);
        }
        assert_ok(cn_topology_complete(nodes, &t));
        expect(t, nodes * nodes / 4, CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_topology_star(nodes, &t));
        expect(t, nodes / 2, CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_topology_tree(1, (uint32_t)nodes, &t));
        expect(t, 1, CN_KNOWN_CLOSED_FORM);
    }
    for (uint32_t n = 1; n <= 10; n++) {
        assert_ok(cn_topology_hypercube(n, &t));
        expect(t, UINT64_C(1) << (n - 1), CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_topology_tree(2, n, &t));
        expect(t, 1, CN_KNOWN_CLOSED_FORM);
    }
}

/* The links of the rule are counted by dimensions, those of its sides one by one. */
static void rule_is_counted(cn_topology *t)
{
    size_t nodes = (size_t)cn_topology_node_count(t);
    uint8_t *side = malloc(nodes);
    uint64_t by_rule, by_sides, lower;
    cn_known kind;
    assert_ok(cn_topology_bisection(t, NULL, side, nodes, &lower, &lower, &kind));
    if (kind == CN_KNOWN_CLOSED_FORM) {
        assert_ok(cn_bisection_check(t, NULL, 0, NULL, &by_rule));
        assert_ok(cn_bisection_check(t, side, nodes, NULL, &by_sides));
        assert_true(by_rule == by_sides && by_rule == lower);
    }
    free(side);
    cn_topology_free(&t);
}

static void rules_are_counted(void **state)
{
    (void)state;
    cn_topology *t;
    for (uint64_t a = 2; a <= 6; a++)
        for (uint64_t b = 2; b <= 5; b++)
            for (uint64_t c = 2; c <= 5; c++) {
                const uint64_t radices[] = {a, b, c};
                assert_ok(cn_topology_mesh(radices, 3, &t));
                rule_is_counted(t);
                assert_ok(cn_topology_generalized_hypercube_mixed(radices, 3, &t));
                rule_is_counted(t);
                assert_ok(cn_topology_torus(radices, 3, &t));
                if (a > 2 && b > 2 && c > 2)
                    rule_is_counted(t);
                else
                    cn_topology_free(&t);
            }
    for (uint64_t k = 2; k <= 7; k++)
        for (uint32_t n = 1; n <= 4; n++) {
            assert_ok(cn_topology_kary_ncube(k, n, (int)(k + n) % 2, &t));
            rule_is_counted(t);
        }
}

static void large_rules(void **state)
{
    (void)state;
    const uint64_t radices[] = {1000001, 3, 99999, 1000001};
    cn_topology *t;
    uint64_t width, lower, upper;
    cn_known kind;
    for (int i = 0; i < 6; i++) {
        if (i == 0)
            assert_ok(cn_topology_hypercube(60, &t));
        else if (i == 1)
            assert_ok(cn_topology_kary_ncube(3, 39, 1, &t));
        else if (i == 2)
            assert_ok(cn_topology_complete(UINT32_MAX, &t));
        else if (i == 3)
            assert_ok(cn_topology_mesh(radices, 4, &t));
        else if (i == 4)
            assert_ok(cn_topology_torus(radices, 4, &t));
        else
            assert_ok(cn_topology_generalized_hypercube(31, 12, &t));
        assert_ok(cn_topology_bisection(t, NULL, NULL, 0, &lower, &upper, &kind));
        assert_int_equal(kind, CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_bisection_check(t, NULL, 0, NULL, &width));
        assert_int_equal(width, upper);
        cn_topology_free(&t);
    }
    /* No dimensions: node after node, as long as the control allows. */
    assert_ok(cn_topology_tree(2, 60, &t));
    assert_fails(cn_bisection_check(t, NULL, 0, LIMITS(.seconds = 0.02), &width), CN_ERR_CANCELLED,
                 "time limit");
    cn_topology_free(&t);
}

/* An odd torus needs 2 (k^n - 1) / (k - 1), not the 2 N / k of the paper. */
static void odd_tori(void **state)
{
    (void)state;
    const uint64_t k[] = {3, 5, 7, 3}, n[] = {2, 2, 2, 3}, e[] = {8, 12, 16, 26};
    for (int i = 0; i < 4; i++) {
        cn_topology *t;
        assert_ok(cn_topology_kary_ncube(k[i], (uint32_t)n[i], 1, &t));
        expect(t, e[i], CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_topology_kary_ncube(k[i], (uint32_t)n[i], 0, &t));
        expect(t, e[i], CN_KNOWN_CLOSED_FORM);
    }
}

static void shift_networks(void **state)
{
    (void)state;
    const uint64_t psnn[] = {2, 4, 6, 8, 14}, pse[] = {1, 2, 3, 6, 9, 16};
    const uint64_t de_bruijn[] = {3, 6, 10, 18};
    cn_topology *t;
    for (uint32_t n = 2; n <= 6; n++) {
        assert_ok(cn_topology_psnn(n, &t));
        expect(t, psnn[n - 2], CN_KNOWN_EXACT);
    }
    for (uint32_t n = 2; n <= 7; n++) {
        assert_ok(cn_topology_shuffle_exchange(n, &t));
        expect(t, pse[n - 2], CN_KNOWN_EXACT);
    }
    for (uint32_t n = 3; n <= 6; n++) {
        assert_ok(cn_topology_de_bruijn(n, &t));
        expect(t, de_bruijn[n - 3], CN_KNOWN_EXACT);
    }
}

static void trees_and_chordal_rings(void **state)
{
    (void)state;
    const uint64_t three[] = {2, 3, 4, 4, 5, 6}, squares[] = {16, 36, 64};
    cn_topology *t;
    for (uint32_t m = 1; m <= 6; m++) {
        assert_ok(cn_topology_tree(3, m, &t));
        expect(t, three[m - 1], m == 1 ? CN_KNOWN_CLOSED_FORM : CN_KNOWN_EXACT);
    }
    assert_ok(cn_topology_tree(4, 3, &t));
    expect(t, 2, CN_KNOWN_EXACT);
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t root = 4 + 2 * i;
        assert_ok(cn_topology_chordal_ring(squares[i], 0, 1, &t));
        expect(t, 8 + 4 * i, CN_KNOWN_EXACT);
        assert_ok(cn_topology_chordal_ring(squares[i], root + 1, 0, &t)); /* N/2 is even */
        expect(t, root + 2, CN_KNOWN_EXACT);
        assert_ok(cn_topology_chordal_ring(squares[i], root - 1, 0, &t));
        expect(t, root, CN_KNOWN_EXACT);
    }
    assert_ok(cn_topology_chordal_ring(34, 5, 0, &t)); /* N/2 is odd */
    expect(t, 7, CN_KNOWN_EXACT);
}

/* Too wide for a proof: the bounds enclose what is known, and the cut is no worse than that. */
static void beyond_proof(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper;
    cn_known kind;
    assert_ok(cn_topology_de_bruijn(8, &t));
    bisect(t, 20000000, &lower, &upper, &kind);
    assert_int_equal(kind, CN_KNOWN_BOUNDS);
    assert_true(lower >= 40 && lower < 54 && upper == 54);
    cn_topology_free(&t);
}

/* Lower bounds that are kept, with their certificates: test_certificate.c. A cut of that width is
 * found. */
static void kept_bounds(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper;
    cn_known kind;
    assert_ok(cn_topology_psnn(8, &t));
    expect(t, 40, CN_KNOWN_EXACT);
    assert_ok(cn_topology_psnn(9, &t));
    expect(t, 68, CN_KNOWN_EXACT);
    assert_ok(cn_topology_shuffle_exchange(8, &t));
    expect(t, 27, CN_KNOWN_EXACT);
    assert_ok(cn_topology_shuffle_exchange(9, &t));
    bisect(t, 20000000, &lower, &upper, &kind);
    assert_true(kind == CN_KNOWN_BOUNDS && lower == 47 && upper == 48);
    cn_topology_free(&t);
}

static int stop_at_once(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    (void)done;
    assert_int_equal(total, 0);
    assert_true(lower <= upper);
    *(int *)user += 1;
    return 1;
}

static void budgets(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper, again_lower, again_upper;
    cn_known kind;
    int calls = 0;
    uint8_t side[256];
    assert_ok(cn_topology_psnn(8, &t));
    bisect(t, 1, &lower, &upper, &kind); /* the least there is: some cut */
    assert_int_equal(kind, CN_KNOWN_BOUNDS);
    assert_true(upper >= 40);
    bisect(t, 500000, &lower, &upper, &kind);
    bisect(t, 500000, &again_lower, &again_upper, &kind);
    assert_true(lower == again_lower && upper == again_upper);
    assert_fails(cn_topology_bisection(
                     t,
                     LIMITS(.steps = CN_SEARCH_UNLIMITED, .progress = stop_at_once, .user = &calls),
                     side, 256, &lower, &upper, &kind),
                 CN_ERR_CANCELLED, "cn_topology_bisection: cancelled by its callback");
    assert_int_equal(calls, 1);
    assert_int_equal(oracle_cut(t, side), upper);
    assert_ok(cn_topology_bisection(t, LIMITS(.steps = CN_SEARCH_UNLIMITED, .seconds = 0.05), side,
                                    256, &lower, &upper, &kind));
    assert_int_equal(oracle_cut(t, side), upper);
    assert_true(lower <= upper); /* how far it gets in the time is the machine's affair */
    cn_topology_free(&t);
}

static void disconnected(void **state)
{
    (void)state;
    const uint64_t edges[] = {0, 1, 2, 3, 3, 4};
    cn_topology *t;
    assert_ok(cn_topology_from_edges(6, edges, 3, NULL, &t));
    expect(t, 0, CN_KNOWN_EXACT);
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &t));
    expect(t, 0, CN_KNOWN_EXACT);
}

static void checker(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t width;
    uint8_t side[] = {0, 0, 0, 1, 1, 1};
    assert_ok(cn_topology_ring(6, 1, &t));
    assert_ok(cn_bisection_check(t, side, 6, NULL, &width));
    assert_int_equal(width, 2);
    side[3] = 0;
    assert_fails(cn_bisection_check(t, side, 6, NULL, &width), CN_ERR_ARGUMENT, "2 of the 6");
    side[3] = 2;
    assert_fails(cn_bisection_check(t, side, 6, NULL, &width), CN_ERR_ARGUMENT, "side[3] = 2");
    assert_fails(cn_bisection_check(t, side, 5, NULL, &width), CN_ERR_ARGUMENT, "count = 5");
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper;
    uint8_t side[4];
    cn_known kind;
    assert_ok(cn_topology_psnn(3, &t));
    assert_fails(cn_topology_bisection(t, NULL, side, 4, &lower, &upper, &kind), CN_ERR_CAPACITY,
                 "capacity = 4");
    assert_fails(cn_topology_bisection(t, NULL, NULL, 8, &lower, &upper, &kind), CN_ERR_ARGUMENT,
                 "side");
    assert_ok(cn_topology_bisection(t, NULL, NULL, 0, &lower, &upper, &kind));
    assert_int_equal(upper, 4);
    cn_topology_free(&t);
    assert_ok(cn_topology_psnn(40, &t));
    assert_fails(cn_topology_bisection(t, NULL, NULL, 0, &lower, &upper, &kind), CN_ERR_UNSUPPORTED,
                 "psnn(40)");
    cn_topology_free(&t);
}

static cn_status build_and_bisect(void *context)
{
    uint64_t lower, upper;
    cn_known kind;
    cn_topology *t;
    cn_status status = cn_topology_de_bruijn(*(uint32_t *)context, &t);
    if (status == CN_OK)
        status = cn_topology_bisection(t, LIMITS(.steps = 100000), NULL, 0, &lower, &upper, &kind);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    uint32_t small = 4, wide = 8;
    support_fail_every_allocation(build_and_bisect, &small);
    support_fail_every_allocation(build_and_bisect, &wide);
}

/* Wide networks, where even the search for a good order would take minutes: the steps end it. */
static void few_steps_end_soon(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t lower, upper;
    cn_known kind;
    assert_ok(cn_topology_tree(150, 2, &t));
    assert_ok(cn_topology_bisection(t, LIMITS(.steps = 1000000), NULL, 0, &lower, &upper, &kind));
    assert_true(lower <= upper);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_halves),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(rules_are_counted),
        cmocka_unit_test(large_rules),
        cmocka_unit_test(odd_tori),
        cmocka_unit_test(shift_networks),
        cmocka_unit_test(trees_and_chordal_rings),
        cmocka_unit_test(beyond_proof),
        cmocka_unit_test(kept_bounds),
        cmocka_unit_test(budgets),
        cmocka_unit_test(disconnected),
        cmocka_unit_test(checker),
        cmocka_unit_test(errors),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(few_steps_end_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
