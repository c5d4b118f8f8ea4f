#include "topology/adjacency.h"

#include "base/random.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 64, EDGES = NODES * (NODES - 1) / 2 };

static uint64_t edges[2 * EDGES];
static size_t edge_count;

static void add(uint64_t a, uint64_t b)
{
    edges[2 * edge_count] = a;
    edges[2 * edge_count + 1] = b;
    edge_count++;
}

/* Holds the list of edges against the graph that it defines. */
static void check_edges(uint32_t nodes)
{
    cn_topology *topology;
    graph g;
    graph_open(&g, nodes, NODES);
    for (size_t e = 0; e < edge_count; e++) {
        graph_join(&g, (uint32_t)edges[2 * e], (uint32_t)edges[2 * e + 1]);
        graph_join(&g, (uint32_t)edges[2 * e + 1], (uint32_t)edges[2 * e]);
    }
    assert_ok(cn_topology_from_edges(nodes, edges, edge_count, NULL, &topology));
    memset(edges, 0xee, sizeof edges); /* the list was copied */
    assert_int_equal(cn_topology_dimensions(topology), 0);
    assert_true(strlen(cn_topology_name(topology)) > 0);
    graph_check(&g, topology, 1);
    cn_topology_free(&topology);
    graph_close(&g);
    edge_count = 0;
}

static void paths_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t nodes = 1; nodes <= 12; nodes++) {
        for (uint32_t v = 1; v < nodes; v++)
            add(v - 1, v);
        check_edges(nodes);
        for (uint32_t v = nodes; v-- > 1;) /* the same backwards: other ports */
            add(v, v - 1);
        check_edges(nodes);
    }
}

static void rings_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t nodes = 3; nodes <= 20; nodes++) {
        for (uint32_t v = 0; v < nodes; v++)
            add(v, (v + 1) % nodes);
        check_edges(nodes);
    }
}

static void stars_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t nodes = 2; nodes <= NODES; nodes += 5) {
        for (uint32_t v = 0; v < nodes; v++)
            if (v != nodes / 2)
                add(v, nodes / 2);
        check_edges(nodes);
    }
}

static void complete_networks_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t nodes = 2; nodes <= 20; nodes++) {
        for (uint32_t v = 0; v < nodes; v++)
            for (uint32_t u = 0; u < v; u++)
                add(v, u);
        check_edges(nodes);
    }
}

/* Every pair joined with the same probability, from mostly apart to dense; the edges in any order
 * and direction. */
static void random_graphs_are_as_defined(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 60; trial++) {
        uint64_t stream = cni_random_derive(2026, trial);
        uint32_t nodes = 2 + trial % 29, word = 0;
        for (uint32_t v = 0; v < nodes; v++)
            for (uint32_t u = 0; u < v; u++) {
                uint64_t draw = cni_random_word(stream, word++);
                if (draw % 64 >= trial)
                    continue;
                add(draw >> 63 ? u : v, draw >> 63 ? v : u);
                size_t other = (size_t)(draw >> 32) % edge_count;
                for (int end = 0; end < 2; end++) {
                    uint64_t kept = edges[2 * other + (size_t)end];
                    edges[2 * other + (size_t)end] = edges[2 * (edge_count - 1) + (size_t)end];
                    edges[2 * (edge_count - 1) + (size_t)end] = kept;
                }
            }
        check_edges(nodes);
    }
}

static void parts_that_are_apart_are_as_defined(void **state)
{
    (void)state;
    add(0, 1);
    add(1, 2);
    add(3, 4);
    check_edges(6); /* a path, a pair and a node alone */
    check_edges(2); /* no edge at all */
    check_edges(1);
}

static void no_edges_need_no_array(void **state)
{
    (void)state;
    cn_topology *topology;
    uint64_t links = 17, distance = 17;
    double mean = 17;
    assert_ok(cn_topology_from_edges(1, NULL, 0, NULL, &topology));
    assert_ok(cn_topology_link_count(topology, &links));
    assert_int_equal(links, 0);
    assert_ok(cn_topology_diameter(topology, NULL, &distance));
    assert_int_equal(distance, 0);
    assert_ok(cn_topology_mean_distance(topology, NULL, &mean));
    assert_true(mean == 0);
    assert_fails(cn_topology_neighbor(topology, 0, 0, &links), CN_ERR_ARGUMENT, "port = 0");
    cn_topology_free(&topology);
}

static void a_cube_is_a_cube(void **state)
{
    (void)state;
    cn_topology *cube, *stored;
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t v = 0; v < 16; v++)
            if ((v >> i & 1) == 0)
                add(v, v | UINT64_C(1) << i);
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_topology_from_edges(16, edges, edge_count, NULL, &stored));
    edge_count = 0;
    for (uint64_t v = 0; v < 16; v++)
        for (uint32_t p = 0; p < 4; p++) {
            uint64_t a, b;
            assert_ok(cn_topology_neighbor(cube, v, p, &a));
            assert_ok(cn_topology_neighbor(stored, v, p, &b));
            assert_int_equal(a, b);
        }
    cn_topology_free(&cube);
    cn_topology_free(&stored);
}

static void malformed_lists_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint64_t nodes;
        uint64_t list[6];
        size_t count;
        const char *part;
    } rows[] = {
        {3, {0, 1, 1, 3}, 2, "joins 1 and 3"},
        {3, {7, 1}, 1, "joins 7 and 1"},
        {3, {0, UINT64_MAX}, 1, "18446744073709551615"},
        {3, {0, UINT64_C(1) << 32}, 1, "4294967296"}, /* 0 in 32 bits */
        {3, {0, 1, 2, 2}, 2, "node 2 is joined to 2, but"},
        {3, {0, 1, 1, 2, 0, 1}, 3, "node 0 is joined to 1 more than once"},
        {3, {0, 1, 1, 2, 1, 0}, 3, "node 0 is joined to 1 more than once"},
        {3, {2, 1, 1, 2}, 2, "node 1 is joined to 2 more than once"},
        {0, {0}, 0, "node_count = 0"},
        {(UINT64_C(1) << 32) + 1, {0}, 0, "4294967297"},
        {UINT64_MAX, {0}, 0, "18446744073709551615"},
    };
    int some_object;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_topology *topology = (cn_topology *)(void *)&some_object;
        assert_fails(
            cn_topology_from_edges(rows[i].nodes, rows[i].list, rows[i].count, NULL, &topology),
            CN_ERR_ARGUMENT, rows[i].part);
        assert_null(topology);
    }
    cn_topology *topology = (cn_topology *)(void *)&some_object;
    assert_fails(cn_topology_from_edges(3, NULL, 1, NULL, &topology), CN_ERR_ARGUMENT, "edges");
    assert_null(topology);
    assert_fails(cn_topology_from_edges(3, rows[0].list, (UINT64_C(1) << 31) + 1, NULL, &topology),
                 CN_ERR_ARGUMENT, "2147483649");
    assert_fails(cn_topology_from_edges(3, rows[0].list, 1, NULL, NULL), CN_ERR_ARGUMENT,
                 "topology");
}

static cn_status build(void *context)
{
    (void)context;
    static const uint64_t path[] = {0, 1, 1, 2, 2, 3};
    int some_object;
    cn_topology *topology = (cn_topology *)(void *)&some_object;
    cn_status status = cn_topology_from_edges(4, path, 3, NULL, &topology);
    if (status != CN_OK)
        assert_null(topology);
    cn_topology_free(&topology);
    return status;
}

static cn_status measure(void *context)
{
    static const uint64_t list[] = {0, 1, 1, 2, 2, 3};
    cn_topology *path;
    uint64_t word = 17, counts[4];
    double mean = 17;
    cn_status status = cn_topology_from_edges(4, list, 3, NULL, &path);
    if (status != CN_OK)
        return status;
    size_t count = 17;
    switch (*(int *)context) {
    case 0:
        status = cn_topology_distance(path, 0, 3, NULL, &word);
        break;
    case 1:
        status = cn_topology_diameter(path, NULL, &word);
        break;
    case 2:
        status = cn_topology_mean_distance(path, NULL, &mean);
        break;
    default:
        status = cn_topology_distance_counts(path, 0, NULL, counts, 4, &count);
    }
    if (status != CN_OK)
        assert_true(word == 17 && mean == 17 && count == 17);
    cn_topology_free(&path);
    return status;
}

static void failed_allocation_leaves_nothing(void **state)
{
    (void)state;
    support_fail_every_allocation(build, NULL);
    for (int what = 0; what < 4; what++)
        support_fail_every_allocation(measure, &what);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_as_defined),
        cmocka_unit_test(rings_are_as_defined),
        cmocka_unit_test(stars_are_as_defined),
        cmocka_unit_test(complete_networks_are_as_defined),
        cmocka_unit_test(random_graphs_are_as_defined),
        cmocka_unit_test(parts_that_are_apart_are_as_defined),
        cmocka_unit_test(no_edges_need_no_array),
        cmocka_unit_test(a_cube_is_a_cube),
        cmocka_unit_test(malformed_lists_are_refused),
        cmocka_unit_test(failed_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
