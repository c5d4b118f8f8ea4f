#include "topology/oracle.h"
#include "support/limits.h"

#include <math.h>

typedef struct known_value {
    double lower, upper;
    cn_known kind;
} known_value;

static cn_measure measure_of(const char *name)
{
    int value;
    assert_ok(cn_enum_from_name(CN_ENUM_MEASURE, name, &value));
    return (cn_measure)value;
}

static known_value measure(const cn_topology *t, const char *name, double alpha)
{
    known_value v;
    cn_measure m = measure_of(name);
    assert_ok(cn_topology_measure(t, m, alpha, NULL, &v.lower, &v.upper, &v.kind));
    assert_true(v.lower <= v.upper);
    return v;
}

static void assert_value(const cn_topology *t, const char *name, double value, cn_known kind)
{
    known_value v = measure(t, name, 0.5);
    if (v.kind != kind)
        print_error("%s of %s\n", name, cn_topology_name(t));
    assert_near(v.lower, value, 1e-13 * value);
    assert_near(v.upper, value, 1e-13 * value);
    assert_int_equal(v.kind, kind);
}

static void hypercube(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_hypercube(10, &t));
    assert_value(t, "diameter", 10, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "mean_distance", 5.0 * 1024 / 1023, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "broadcast_time", 10, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "bisection_width", 512, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "disconnectivity", 2, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "looseness", 6, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "mean_degree", 10, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "cost_effectiveness", 60, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "links", 5120, CN_KNOWN_CLOSED_FORM);
    cn_topology_free(&t);
}

static void shuffle(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_psnn(6, &t));
    assert_value(t, "diameter", 7, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "broadcast_time", 8, CN_KNOWN_EXACT);
    assert_value(t, "bisection_width", 14, CN_KNOWN_EXACT);
    assert_value(t, "disconnectivity", 64.0 / 14, CN_KNOWN_EXACT);
    assert_value(t, "looseness", 4 + 32.0 / 14, CN_KNOWN_EXACT);
    assert_value(t, "mean_degree", 2.0 * 123 / 64, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "cost_effectiveness", (4 + 32.0 / 14) * 123 / 32, CN_KNOWN_EXACT);
    assert_int_equal(measure(t, "mean_distance", 0.5).kind, CN_KNOWN_EXACT);
    cn_topology_free(&t);
}

/* L = alpha F + (1 - alpha) D, and what has no weight is not searched for. */
static void weights(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_psnn(5, &t)); /* F = 7, e = 8, D = 4 */
    assert_near(measure(t, "looseness", 1.0).upper, 7, 0);
    assert_near(measure(t, "looseness", 0.0).upper, 4, 0);
    assert_near(measure(t, "looseness", 0.25).lower, 0.25 * 7 + 0.75 * 4, 1e-15);
    cn_topology_free(&t);
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_tree(3, 30, &t)); /* F has a closed form, e would need a search */
    assert_near(measure(t, "looseness", 1.0).upper, 4 * 30 - 1, 0);
    assert_fails(cn_topology_measure(t, CN_MEASURE_LOOSENESS, 0.5, NULL, &lower, &upper, &kind),
                 CN_ERR_UNSUPPORTED, "tree(3,30)");
    cn_topology_free(&t);
}

/* sqrt(F^2 + D^2), F D and e^2 from F and D that other tests search for; of bounds, bounds. */
static void other_forms(void **state)
{
    (void)state;
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t), worst = 0;
        for (uint64_t v = 0; v < nodes && nodes <= 10; v++) {
            uint64_t steps = oracle_broadcast(t, v);
            worst = steps > worst ? steps : worst;
        }
        if (nodes <= 10) {
            double f = (double)worst, e = (double)oracle_bisection(t), d = (double)nodes / e;
            assert_near(measure(t, "looseness_euclidean", 0.25).upper, sqrt(f * f + d * d), 1e-12);
            assert_near(measure(t, "looseness_product", 0.25).upper, f * d, 1e-12);
            assert_near(measure(t, "layout_area_bound", 0.25).upper, e * e, 0);
            assert_near(measure(t, "layout_area_bound", 0.25).lower, e * e, 0);
        }
        cn_topology_free(&t);
    }
    assert_ok(cn_topology_psnn(6, &t)); /* F = 8, e = 14 */
    assert_value(t, "looseness_euclidean", sqrt(64 + 4096.0 / 196), CN_KNOWN_EXACT);
    assert_value(t, "looseness_product", 8 * 64.0 / 14, CN_KNOWN_EXACT);
    assert_value(t, "layout_area_bound", 196, CN_KNOWN_EXACT);
    cn_topology_free(&t);
    assert_ok(cn_topology_psnn(10, &t));
    assert_ok(cn_topology_measure(t, CN_MEASURE_LOOSENESS_PRODUCT, 0.5, LIMITS(.steps = 1000),
                                  &lower, &upper, &kind));
    assert_true(lower < upper && kind == CN_KNOWN_BOUNDS);
    cn_topology_free(&t);
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &t));
    assert_fails(
        cn_topology_measure(t, CN_MEASURE_LOOSENESS_PRODUCT, 0.5, NULL, &lower, &upper, &kind),
        CN_ERR_UNSUPPORTED, "one node");
    cn_topology_free(&t);
}

/* The paper's D of star and tree counts the node that is cut; ours counts links. */
static void node_and_edge_cut(void **state)
{
    (void)state;
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_star(16, &t));
    assert_value(t, "node_cut", 1, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "bisection_width", 8, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "disconnectivity", 2, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "mean_degree", 2.0 * 15 / 16, CN_KNOWN_CLOSED_FORM);
    cn_topology_free(&t);
    assert_ok(cn_topology_tree(2, 3, &t));
    assert_value(t, "node_cut", 1, CN_KNOWN_CLOSED_FORM);
    assert_value(t, "disconnectivity", 15, CN_KNOWN_CLOSED_FORM);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(3, &t));
    assert_fails(cn_topology_measure(t, CN_MEASURE_NODE_CUT, 0.5, NULL, &lower, &upper, &kind),
                 CN_ERR_UNSUPPORTED, "node_cut");
    cn_topology_free(&t);
}

/* Where there is no proof the bounds of the parts become bounds of the whole. */
static void bounds(void **state)
{
    (void)state;
    cn_topology *t;
    known_value e, d, l;
    cn_measure m;
    assert_ok(cn_topology_psnn(10, &t));
    m = measure_of("bisection_width");
    assert_ok(
        cn_topology_measure(t, m, 0.5, LIMITS(.steps = 20000000), &e.lower, &e.upper, &e.kind));
    m = measure_of("disconnectivity");
    assert_ok(
        cn_topology_measure(t, m, 0.5, LIMITS(.steps = 20000000), &d.lower, &d.upper, &d.kind));
    assert_int_equal(e.kind, CN_KNOWN_BOUNDS);
    assert_int_equal(d.kind, CN_KNOWN_BOUNDS);
    assert_true(d.lower == 1024 / e.upper && d.upper == 1024 / e.lower);
    m = measure_of("looseness");
    assert_ok(
        cn_topology_measure(t, m, 0.0, LIMITS(.steps = 20000000), &l.lower, &l.upper, &l.kind));
    assert_true(l.lower == d.lower && l.upper == d.upper);
    cn_topology_free(&t);
}

/* Distances too can be stopped. */
static void stopped_distances(void **state)
{
    (void)state;
    cn_topology *t;
    double mean, lower, upper;
    cn_known kind;
    assert_ok(cn_topology_psnn(11, &t));
    assert_ok(cn_topology_mean_distance(t, NULL, &mean));
    for (uint64_t steps = 1; steps < 1000000; steps *= 10) {
        assert_ok(cn_topology_measure(t, CN_MEASURE_MEAN_DISTANCE, 0.5, LIMITS(.steps = steps),
                                      &lower, &upper, &kind));
        assert_true(lower <= mean && mean <= upper);
        assert_int_equal(kind, lower < upper ? CN_KNOWN_BOUNDS : CN_KNOWN_EXACT);
        if (steps == 1)
            assert_int_equal(kind, CN_KNOWN_BOUNDS);
    }
    cn_topology *plain = support_as_edges(t); /* a diameter without a closed form */
    assert_ok(cn_topology_measure(plain, CN_MEASURE_DIAMETER, 0.5, LIMITS(.steps = 1), &lower,
                                  &upper, &kind));
    assert_true(lower <= 15 && 15 <= upper && kind == CN_KNOWN_BOUNDS);
    cn_topology_free(&plain);
    cn_topology_free(&t);
}

static void cost(void **state)
{
    (void)state;
    cn_topology *t;
    double sum;
    assert_ok(cn_topology_hypercube(4, &t));
    assert_ok(cn_topology_cost(t, 10.0, 0.5, &sum));
    assert_near(sum, 16 * 10 + 32 * 0.5, 0);
    assert_fails(cn_topology_cost(t, -1.0, 0.5, &sum), CN_ERR_ARGUMENT, "processor_cost = -1");
    assert_fails(cn_topology_cost(t, 1.0, NAN, &sum), CN_ERR_ARGUMENT, "link_cost = ");
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(40, &t));
    assert_fails(cn_topology_cost(t, 1e300, 0.5, &sum), CN_ERR_OVERFLOW, "greatest double");
    cn_topology_free(&t);
}

static void errors(void **state)
{
    (void)state;
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    assert_ok(cn_topology_hypercube(4, &t));
    assert_fails(
        cn_topology_measure(t, (cn_measure)99, 0.5, NULL, &lower, &upper, &kind), CN_ERR_ARGUMENT,
        "measure = 99, but there is no measure of this number; there are: numbers from 1 to 16");
    assert_fails(cn_topology_measure(t, CN_MEASURE_LOOSENESS, 1.5, NULL, &lower, &upper, &kind),
                 CN_ERR_ARGUMENT, "alpha = 1.5");
    assert_fails(cn_topology_measure(t, CN_MEASURE_LOOSENESS, 0.5, NULL, &lower, &upper, NULL),
                 CN_ERR_ARGUMENT, "kind");
    cn_topology_free(&t);
    assert_ok(cn_topology_from_edges(2, NULL, 0, NULL, &t));
    assert_fails(
        cn_topology_measure(t, CN_MEASURE_COST_EFFECTIVENESS, 0.5, NULL, &lower, &upper, &kind),
        CN_ERR_UNSUPPORTED, "no links");
    cn_topology_free(&t);
}

/* Rings of 40 and of 24 nodes: the smaller one and 8 nodes of the other on one side. */
static void in_two_pieces(void **state)
{
    (void)state;
    uint64_t edges[2 * 64];
    cn_topology *t;
    for (uint64_t v = 0; v < 64; v++) {
        edges[2 * v] = v;
        edges[2 * v + 1] = v == 39 ? 0 : v == 63 ? 40 : v + 1;
    }
    assert_ok(cn_topology_from_edges(64, edges, 64, NULL, &t));
    known_value width = measure(t, "bisection_width", 0.5);
    assert_near(width.lower, 2, 0);
    assert_near(width.upper, 2, 0);
    cn_topology_free(&t);
}

/* Asks to stop at its call number `most`. */
typedef struct caller {
    int calls, most;
} caller;

static int stop_at(void *user, uint64_t done, uint64_t total, double lower, double upper)
{
    caller *c = user;
    assert_true(total == 0 || done <= total);
    assert_true(lower <= upper);
    return ++c->calls >= c->most;
}

/* Wherever a search is stopped, also while it is set up, its bounds hold, and it stops. */
static void stopped_anywhere(void **state)
{
    (void)state;
    const uint32_t n = 16;
    const uint64_t nodes = UINT64_C(1) << n;
    cn_topology *t;
    double lower, upper;
    cn_known kind;
    uint64_t width;
    assert_ok(cn_topology_de_bruijn(n, &t));
    cn_topology *plain = support_as_edges(t); /* a diameter without a closed form */
    uint8_t *side = malloc((size_t)nodes);
    for (int most = 1; most <= 12; most++)
        for (int m = CN_MEASURE_DIAMETER; m <= CN_MEASURE_BISECTION_WIDTH; m++) {
            caller c = {0, most};
            assert_int_equal(cn_topology_measure(m == CN_MEASURE_DIAMETER ? plain : t,
                                                 (cn_measure)m, 0.5,
                                                 LIMITS(.steps = CN_SEARCH_UNLIMITED,
                                                        .progress = stop_at, .user = &c),
                                                 &lower, &upper, &kind),
                             CN_ERR_CANCELLED);
            assert_int_equal(c.calls, most); /* once told, it does not ask again */
            assert_true(lower <= upper);
            if (m == CN_MEASURE_DIAMETER)
                assert_true(lower <= n && upper >= n);
            if (m == CN_MEASURE_BROADCAST_TIME)
                assert_true(lower >= n && upper >= n);
        }
    for (int most = 1; most <= 12; most++) {
        caller c = {0, most};
        uint64_t low, up, links;
        assert_int_equal(cn_topology_bisection(
                             t,
                             LIMITS(.steps = CN_SEARCH_UNLIMITED, .progress = stop_at, .user = &c),
                             side, (size_t)nodes, &low, &up, &kind),
                         CN_ERR_CANCELLED);
        assert_ok(cn_bisection_check(t, side, (size_t)nodes, NULL, &width));
        assert_ok(cn_topology_link_count(t, &links));
        assert_true(low <= width && (up == width || up == links));
        c = (caller){0, most};
        assert_int_equal(cn_topology_broadcast_schedule(
                             t, 1,
                             LIMITS(.steps = CN_SEARCH_UNLIMITED, .progress = stop_at, .user = &c),
                             NULL, NULL, NULL, 0, &low, &up, &kind),
                         CN_ERR_CANCELLED);
        assert_true(low <= up);
    }
    free(side);
    cn_topology_free(&plain);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_anywhere),
        cmocka_unit_test(hypercube),
        cmocka_unit_test(shuffle),
        cmocka_unit_test(weights),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(node_and_edge_cut),
        cmocka_unit_test(bounds),
        cmocka_unit_test(stopped_distances),
        cmocka_unit_test(cost),
        cmocka_unit_test(errors),
        cmocka_unit_test(in_two_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
