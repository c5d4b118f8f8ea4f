/* GH(n,k), symmetric and of mixed radices, against its definition: one digit differs. */
#include "support/support.h"

#include <string.h>

#include "topology/topology.h"

typedef struct shape {
    uint32_t n;
    uint64_t radices[8]; /* of dimension 0, 1, ... */
} shape;

static const shape SHAPES[] = {
    {1, {2}},          {1, {7}},       {2, {8, 8}},    {3, {3, 3, 3}},
    {4, {2, 2, 2, 2}}, {3, {2, 3, 4}}, {3, {5, 2, 3}}, {4, {4, 2, 4, 2}},
    {3, {3, 5, 3}},    {2, {9, 3}},    {3, {4, 4, 4}}, {5, {2, 2, 3, 2, 2}},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

static cn_topology *build(const shape *s)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube_mixed(s->radices, s->n, &t));
    return t;
}

static uint64_t differing_digits(const shape *s, uint64_t u, uint64_t v)
{
    uint64_t differing = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        differing += u % s->radices[i] != v % s->radices[i];
        u /= s->radices[i];
        v /= s->radices[i];
    }
    return differing;
}

static void ports_lead_to_all_nodes_that_differ_in_one_digit(void **state)
{
    (void)state;
    for (int at = 0; at < SHAPE_COUNT; at++) {
        const shape *s = &SHAPES[at];
        cn_topology *t = build(s);
        uint64_t nodes = cn_topology_node_count(t);
        uint32_t degree;
        for (uint64_t v = 0; v < nodes; v++) {
            assert_ok(cn_topology_degree(t, v, &degree));
            assert_int_equal(degree, cn_topology_max_degree(t));
            uint64_t neighbors = 0;
            for (uint64_t u = 0; u < nodes; u++)
                neighbors += differing_digits(s, u, v) == 1;
            assert_int_equal(neighbors, degree);
            for (uint32_t p = 0; p < degree; p++) {
                uint64_t u, back;
                uint32_t back_port, again;
                assert_ok(cn_topology_neighbor(t, v, p, &u));
                assert_int_equal(differing_digits(s, u, v), 1);
                assert_ok(cn_topology_back_port(t, v, p, &back_port));
                assert_ok(cn_topology_neighbor(t, u, back_port, &back));
                assert_int_equal(back, v);
                assert_ok(cn_topology_port_to(t, v, u, &again)); /* no neighbour twice */
                assert_int_equal(again, p);
            }
        }
        cn_topology_free(&t);
    }
}

static void ports_are_numbered_as_the_header_says(void **state)
{
    (void)state;
    static const uint64_t RADICES[] = {3, 2, 4};
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube_mixed(RADICES, 3, &t));
    static const uint64_t DIGITS[] = {2, 1, 3};
    uint64_t v, neighbors[6];
    assert_ok(cn_topology_node_at(t, DIGITS, 3, &v));
    assert_ok(cn_topology_neighbors(t, v, neighbors, 6, NULL));
    static const uint64_t EXPECTED[6][3] = {{0, 1, 3}, {1, 1, 3}, {2, 0, 3},
                                            {2, 1, 0}, {2, 1, 1}, {2, 1, 2}};
    for (int p = 0; p < 6; p++) {
        uint64_t u;
        assert_ok(cn_topology_node_at(t, EXPECTED[p], 3, &u));
        assert_int_equal(neighbors[p], u);
    }
    cn_topology_free(&t);
}

static void distances_are_differing_digits(void **state)
{
    (void)state;
    for (int at = 0; at < SHAPE_COUNT; at++) {
        const shape *s = &SHAPES[at];
        cn_topology *t = build(s);
        uint64_t nodes = cn_topology_node_count(t), sum = 0, counts[9], found[9] = {0}, diameter;
        for (uint64_t u = 0; u < nodes; u++)
            for (uint64_t v = 0; v < nodes; v++) {
                uint64_t hops;
                assert_ok(cn_topology_distance(t, u, v, NULL, &hops));
                assert_int_equal(hops, differing_digits(s, u, v));
                sum += hops;
                found[hops] += u == 0;
            }
        size_t count;
        assert_ok(cn_topology_distance_counts(t, nodes - 1, NULL, counts, 9, &count));
        assert_int_equal(count, s->n + 1);
        for (size_t h = 0; h < count; h++)
            assert_int_equal(counts[h], found[h]);
        assert_ok(cn_topology_diameter(t, NULL, &diameter));
        assert_int_equal(diameter, s->n);
        double mean;
        assert_ok(cn_topology_mean_distance(t, NULL, &mean));
        assert_near(mean, (double)sum / (double)nodes / (double)(nodes - 1), 1e-12);
        uint64_t links;
        assert_ok(cn_topology_link_count(t, &links));
        assert_int_equal(links, nodes * cn_topology_max_degree(t) / 2);
        cn_topology_free(&t);
    }
}

/* Links between the two parts that a set of nodes, as a word, makes. */
static uint64_t cut_by(const cn_topology *t, uint64_t set)
{
    uint64_t cut = 0;
    for (uint64_t v = 0; v < cn_topology_node_count(t); v++)
        for (uint32_t p = 0; (set >> v & 1) != 0 && p < cn_topology_max_degree(t); p++) {
            uint64_t u;
            assert_ok(cn_topology_neighbor(t, v, p, &u));
            cut += (set >> u & 1) == 0;
        }
    return cut;
}

/* The cut that is given has that width, also where the radices differ. */
static void bisection_comes_with_its_cut(void **state)
{
    (void)state;
    static const shape MIXED[] = {{3, {5, 5, 5}}, {3, {4, 3, 7}}, {4, {3, 3, 5, 2}}, {2, {9, 5}}};
    for (size_t at = 0; at < sizeof MIXED / sizeof MIXED[0]; at++) {
        cn_topology *t = build(&MIXED[at]);
        size_t nodes = (size_t)cn_topology_node_count(t);
        uint8_t side[256];
        uint64_t lower, upper, width;
        cn_known kind;
        assert_true(nodes <= sizeof side);
        assert_ok(cn_topology_bisection(t, NULL, side, nodes, &lower, &upper, &kind));
        assert_int_equal(kind, CN_KNOWN_CLOSED_FORM);
        assert_ok(cn_bisection_check(t, side, nodes, NULL, &width));
        assert_int_equal(width, upper);
        assert_int_equal(lower, upper);
        assert_int_equal(upper, t->bisection);
        cn_topology_free(&t);
    }
}

static void bisection_is_the_least_cut(void **state)
{
    (void)state;
    static const shape SMALL[] = {{1, {2}},       {1, {5}},    {1, {8}},         {2, {3, 3}},
                                  {2, {4, 4}},    {2, {3, 4}}, {2, {2, 7}},      {3, {2, 2, 3}},
                                  {3, {3, 2, 3}}, {2, {5, 3}}, {4, {2, 2, 2, 2}}};
    for (size_t at = 0; at < sizeof SMALL / sizeof SMALL[0]; at++) {
        cn_topology *t = build(&SMALL[at]);
        uint64_t nodes = cn_topology_node_count(t), least = UINT64_MAX;
        for (uint64_t set = 0; set < UINT64_C(1) << nodes; set++) {
            if (cni_popcount(set) != nodes / 2 || (set & 1) != 0)
                continue; /* all nodes are alike: node 0 may be in the greater half */
            uint64_t cut = cut_by(t, set);
            least = cut < least ? cut : least;
        }
        assert_int_equal(t->bisection, least);
        cn_topology_free(&t);
    }
}

/* Exact values found by exhaustive search elsewhere. */
static void bisection_has_the_known_values(void **state)
{
    (void)state;
    static const uint64_t KNOWN[][3] = {{2, 3, 8},  {2, 4, 16}, {2, 5, 36},
                                        {3, 3, 26}, {2, 2, 2},  {3, 4, 64}};
    for (size_t at = 0; at < sizeof KNOWN / sizeof KNOWN[0]; at++) {
        cn_topology *t;
        assert_ok(cn_topology_generalized_hypercube(KNOWN[at][1], (uint32_t)KNOWN[at][0], &t));
        assert_int_equal(t->bisection, KNOWN[at][2]);
        cn_topology_free(&t);
    }
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(2, 62, &t));
    assert_int_equal(t->bisection, UINT64_C(1) << 61);
    cn_topology_free(&t);
    uint64_t links;
    assert_ok(cn_topology_generalized_hypercube(1000000, 3, &t)); /* 10^24 / 4 */
    assert_int_equal(t->bisection, 0);
    assert_fails(cn_topology_link_count(t, &links), CN_ERR_OVERFLOW, "2^64");
    cn_topology_free(&t);
}

/* Ziavras & Krishnamurthy 1999, table 1 and the wires of section 2: channels are directed, 64
 * bits. */
static void table_1_has_the_wires_of_section_2(void **state)
{
    (void)state;
    cn_topology *torus, *cube;
    assert_ok(cn_topology_kary_ncube(22, 3, 1, &torus));
    assert_ok(cn_topology_generalized_hypercube(22, 3, &cube));
    uint64_t nodes = cn_topology_node_count(cube), diameter;
    assert_int_equal(nodes, 10648);
    assert_int_equal(nodes * cn_topology_max_degree(torus), 2 * 3 * nodes);
    assert_int_equal(nodes * cn_topology_max_degree(cube), 21 * 3 * nodes);
    assert_int_equal(64 * nodes * cn_topology_max_degree(torus), 4088832);
    assert_int_equal(64 * nodes * cn_topology_max_degree(cube), 42932736);
    assert_ok(cn_topology_diameter(torus, NULL, &diameter));
    assert_int_equal(diameter, 33);
    assert_ok(cn_topology_diameter(cube, NULL, &diameter));
    assert_int_equal(diameter, 3);
    cn_topology_free(&torus);
    cn_topology_free(&cube);
}

static void radix_2_is_the_boolean_cube(void **state)
{
    (void)state;
    cn_topology *t, *cube;
    assert_ok(cn_topology_generalized_hypercube(2, 5, &t));
    assert_ok(cn_topology_hypercube(5, &cube));
    for (uint64_t v = 0; v < 32; v++)
        for (uint32_t p = 0; p < 5; p++) {
            uint64_t a, b;
            assert_ok(cn_topology_neighbor(t, v, p, &a));
            assert_ok(cn_topology_neighbor(cube, v, p, &b));
            assert_int_equal(a, b);
        }
    uint64_t channels;
    assert_ok(cn_route_valid(t, 5, &channels)); /* so everything for Boolean cubes takes it */
    assert_int_equal(channels, 5);
    cn_topology_free(&t);
    cn_topology_free(&cube);
}

static void translation_adds_digits_and_preserves_distance(void **state)
{
    (void)state;
    for (int at = 0; at < SHAPE_COUNT; at++) {
        cn_topology *t = build(&SHAPES[at]);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t s = 0; s < nodes; s++)
            for (uint64_t v = 0; v < nodes; v++) {
                uint64_t moved, back, root, before, after;
                assert_ok(cn_topology_translate(t, v, s, &moved));
                assert_ok(cn_topology_header(t, moved, s, &back));
                assert_int_equal(back, v);
                uint64_t u = (v * 5 + 1) % nodes;
                assert_ok(cn_topology_translate(t, u, s, &root));
                assert_ok(cn_topology_distance(t, u, v, NULL, &before));
                assert_ok(cn_topology_distance(t, root, moved, NULL, &after));
                assert_int_equal(before, after);
            }
        cn_topology_free(&t);
    }
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    uint64_t v, s, moved;
    char text[8];
    assert_ok(cn_topology_parse_address(t, "342", &v));
    assert_ok(cn_topology_parse_address(t, "423", &s));
    assert_ok(cn_topology_translate(t, v, s, &moved));
    assert_ok(cn_topology_address_text(t, moved, text, sizeof text, NULL));
    assert_string_equal(text, "210");
    cn_topology_free(&t);
}

static void translation_refuses_what_it_cannot_do(void **state)
{
    (void)state;
    cn_topology *t, *edges;
    uint64_t v;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    assert_fails(cn_topology_translate(t, 125, 0, &v), CN_ERR_ARGUMENT, "node = 125");
    assert_fails(cn_topology_translate(t, 0, 125, &v), CN_ERR_ARGUMENT, "by = 125");
    assert_fails(cn_topology_translate(t, 0, 0, NULL), CN_ERR_ARGUMENT, "translated");
    assert_fails(cn_topology_translate(NULL, 0, 0, &v), CN_ERR_ARGUMENT, "topology");
    assert_ok(cn_topology_from_edges(2, (const uint64_t[]){0, 1}, 1, NULL, &edges));
    assert_fails(cn_topology_translate(edges, 0, 1, &v), CN_ERR_UNSUPPORTED, "dimensions");
    cn_topology_free(&edges);
    cn_topology_free(&t);
}

static void large_networks_need_no_memory(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t u, hops;
    uint32_t back;
    assert_ok(cn_topology_generalized_hypercube(8, 20, &t)); /* 2^60 nodes */
    uint64_t last = cn_topology_node_count(t) - 1;
    assert_int_equal(cn_topology_max_degree(t), 140);
    assert_ok(cn_topology_neighbor(t, last, 139, &u)); /* 7 + 7 mod 8 in dimension 19 */
    assert_int_equal(u, last - (UINT64_C(1) << 57));
    assert_ok(cn_topology_back_port(t, last, 139, &back));
    assert_int_equal(back, 133);
    assert_ok(cn_topology_distance(t, 0, last, NULL, &hops));
    assert_int_equal(hops, 20);
    cn_topology_free(&t);
    assert_ok(cn_topology_generalized_hypercube(4294967295u, 1, &t)); /* the greatest degree */
    assert_int_equal(cn_topology_max_degree(t), 4294967294u);
    cn_topology_free(&t);
}

static void names_tell_the_radices(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    assert_string_equal(cn_topology_name(t), "generalized_hypercube(k=5,n=3)");
    cn_topology_free(&t);
    assert_ok(cn_topology_generalized_hypercube_mixed((const uint64_t[]){2, 3, 4}, 3, &t));
    assert_string_equal(cn_topology_name(t), "generalized_hypercube([2,3,4])");
    cn_topology_free(&t);
    uint64_t radices[40] = {3};
    for (int i = 1; i < 40; i++)
        radices[i] = 2;
    assert_ok(cn_topology_generalized_hypercube_mixed(radices, 40, &t));
    char name[160] = "generalized_hypercube([3";
    for (int i = 1; i < 40; i++)
        strcat(name, ",2");
    assert_string_equal(cn_topology_name(t), strcat(name, "])"));
    cn_topology_free(&t);
}

static void bad_radices_are_refused(void **state)
{
    (void)state;
    cn_topology *t = (cn_topology *)&t;
    assert_fails(cn_topology_generalized_hypercube(1, 3, &t), CN_ERR_ARGUMENT, "k = 1, but");
    assert_null(t);
    assert_fails(cn_topology_generalized_hypercube(0, 3, &t), CN_ERR_ARGUMENT, "at least 2");
    assert_fails(cn_topology_generalized_hypercube(3, 0, &t), CN_ERR_ARGUMENT, "n = 0");
    assert_fails(cn_topology_generalized_hypercube(2, 63, &t), CN_ERR_ARGUMENT, "n = 63");
    assert_fails(cn_topology_generalized_hypercube(3, 40, &t), CN_ERR_ARGUMENT, "2^62");
    assert_fails(cn_topology_generalized_hypercube(UINT64_MAX, 1, &t), CN_ERR_ARGUMENT, "2^62");
    assert_fails(cn_topology_generalized_hypercube(UINT64_C(1) << 32, 1, &t), CN_ERR_ARGUMENT,
                 "4294967295 ports");
    assert_fails(cn_topology_generalized_hypercube(3, 3, NULL), CN_ERR_ARGUMENT, "topology");
    const uint64_t radices[] = {3, 1};
    assert_fails(cn_topology_generalized_hypercube_mixed(radices, 2, &t), CN_ERR_ARGUMENT,
                 "radices[1] = 1");
    assert_fails(cn_topology_generalized_hypercube_mixed(NULL, 2, &t), CN_ERR_ARGUMENT, "radices");
    assert_fails(cn_topology_generalized_hypercube_mixed(radices, 63, &t), CN_ERR_ARGUMENT,
                 "n = 63");
}

/* A header digit of a generalized hypercube is one hop, not so many: what goes by rings says no. */
static void ring_routing_refuses_it(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t out;
    assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
    assert_fails(cn_route_valid(t, 1, &out), CN_ERR_UNSUPPORTED, "generalized_hypercube(k=3,n=3)");
    assert_fails(cn_route_preferred(t, 1, &out), CN_ERR_UNSUPPORTED, "k-ary n-cube");
    assert_fails(cn_route_move(t, 1, 0, &out), CN_ERR_UNSUPPORTED, "k-ary n-cube");
    uint64_t header = 1;
    uint32_t random[8] = {0}, port;
    assert_fails(cn_route_two_phase(t, &header, 1, 8, CN_SELECTION_RANDOM, random, 8, &port),
                 CN_ERR_UNSUPPORTED, "k-ary n-cube");
    cn_topology_free(&t);
}

static cn_status make_both(void *context)
{
    (void)context;
    cn_topology *a = NULL, *b = NULL;
    cn_status status = cn_topology_generalized_hypercube(4, 3, &a);
    if (status == CN_OK)
        status = cn_topology_generalized_hypercube_mixed((const uint64_t[]){2, 5}, 2, &b);
    cn_topology_free(&a);
    cn_topology_free(&b);
    return status;
}

static void out_of_memory_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(make_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_lead_to_all_nodes_that_differ_in_one_digit),
        cmocka_unit_test(ports_are_numbered_as_the_header_says),
        cmocka_unit_test(distances_are_differing_digits),
        cmocka_unit_test(bisection_is_the_least_cut),
        cmocka_unit_test(bisection_comes_with_its_cut),
        cmocka_unit_test(bisection_has_the_known_values),
        cmocka_unit_test(table_1_has_the_wires_of_section_2),
        cmocka_unit_test(radix_2_is_the_boolean_cube),
        cmocka_unit_test(translation_adds_digits_and_preserves_distance),
        cmocka_unit_test(translation_refuses_what_it_cannot_do),
        cmocka_unit_test(large_networks_need_no_memory),
        cmocka_unit_test(names_tell_the_radices),
        cmocka_unit_test(bad_radices_are_refused),
        cmocka_unit_test(ring_routing_refuses_it),
        cmocka_unit_test(out_of_memory_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
