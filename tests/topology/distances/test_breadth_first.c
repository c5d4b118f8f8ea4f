#include "topology/oracle.h"
#include "support/limits.h"

#include "topology/distances/all_pairs.h"
#include "topology/distances/breadth_first.h"

/* The diameter and the sum of all distances, by search and from counts where a family has them. */
static void check_sums(const cn_topology *t, double mean, uint64_t hops)
{
    double nodes = (double)cn_topology_node_count(t), sum = mean * nodes * (nodes - 1.0);
    cni_graph graph;
    cni_all_pairs searched, found;
    cni_bounds diameter;
    assert_ok(cni_graph_open(t, NULL, &graph));
    assert_ok(cni_all_pairs_run(&graph, NULL, &searched));
    assert_ok(cni_all_pairs_find(t, NULL, &found));
    assert_ok(cni_bound_diameter(&graph, NULL, &diameter));
    cni_graph_close(&graph);
    assert_true(diameter.lower == hops && diameter.upper == hops);
    assert_near(searched.lower, sum, 1e-13 * sum);
    assert_true(searched.lower == searched.upper && found.lower == found.upper);
    assert_true(found.lower == searched.lower && found.diameter == searched.diameter);
}

/* The searches on networks that have closed forms as well. */
static void searches_meet_closed_forms(void **state)
{
    (void)state;
    cn_topology *t;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t), by_ops, by_search;
        double mean;
        assert_ok(cn_topology_diameter(t, NULL, &by_ops));
        assert_ok(cn_topology_mean_distance(t, NULL, &mean));
        check_sums(t, mean, by_ops);
        for (uint64_t v = 0; v < nodes; v++) {
            assert_ok(cn_topology_distance(t, 1, v, NULL, &by_ops));
            assert_ok(cni_search_distance(t, 1, v, &by_search));
            assert_int_equal(by_ops, by_search);
        }
        cn_topology_free(&t);
    }
}

/* A ring with a tail, as a list of edges: long enough to be searched source by source. */
static void long_ways(void **state)
{
    (void)state;
    enum { RING = 300, NODES = 320 };
    uint64_t edges[2 * NODES], hops;
    for (uint64_t v = 0; v < NODES; v++) {
        edges[2 * v] = v;
        edges[2 * v + 1] = v < RING - 1 ? v + 1 : v == RING - 1 ? 0 : v == RING ? 0 : v - 1;
    }
    cn_topology *t;
    assert_ok(cn_topology_from_edges(NODES, edges, NODES, NULL, &t));
    assert_ok(cn_topology_diameter(t, NULL, &hops));
    assert_int_equal(hops, 150 + 20);
    oracle_check_network(t);
}

/* A ring with chords by chance: too many nodes for one batch, far ends that sweeps do not find. */
static void bounds_meet_all_pairs(void **state)
{
    (void)state;
    enum { NODES = 1500, CHORDS = 500 };
    uint64_t *edges = malloc(2 * (NODES + CHORDS) * sizeof *edges), seed = 1989;
    for (int times = 0; times < 60; times++) {
        for (uint64_t v = 0; v < NODES; v++) {
            edges[2 * v] = v;
            edges[2 * v + 1] = (v + 1) % NODES;
        }
        for (uint64_t i = 0; i < CHORDS; i++) { /* node 3i to an odd place: none comes twice */
            seed = seed * UINT64_C(6364136223846793005) + 1;
            edges[2 * (NODES + i)] = 3 * i;
            edges[2 * (NODES + i) + 1] = 3 * ((seed >> 33) % CHORDS) + 1;
            if ((seed >> 33) % CHORDS == i) /* that is a link of the ring */
                edges[2 * (NODES + i) + 1] = (3 * i + 10) % NODES;
        }
        cn_topology *t;
        cni_graph graph;
        cni_all_pairs all;
        cni_bounds bounds;
        assert_ok(cn_topology_from_edges(NODES, edges, NODES + CHORDS, NULL, &t));
        assert_ok(cni_graph_open(t, NULL, &graph));
        assert_ok(cni_all_pairs_run(&graph, NULL, &all));
        assert_ok(cni_bound_diameter(&graph, NULL, &bounds));
        assert_int_equal(bounds.lower, all.diameter);
        assert_int_equal(bounds.upper, all.diameter);
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
    free(edges);
}

static void disconnected(void **state)
{
    (void)state;
    const uint64_t edges[] = {0, 1, 2, 3};
    cn_topology *t;
    uint64_t hops;
    double mean;
    assert_ok(cn_topology_from_edges(4, edges, 2, NULL, &t));
    assert_ok(cn_topology_distance(t, 0, 3, NULL, &hops));
    assert_true(hops == CN_UNREACHABLE);
    assert_fails(cn_topology_diameter(t, NULL, &hops), CN_ERR_DISCONNECTED, "reaches 2 of its 4");
    assert_fails(cn_topology_mean_distance(t, NULL, &mean), CN_ERR_DISCONNECTED,
                 "reaches 2 of its 4");
    cn_topology_free(&t);
}

/* Of some nodes, in any order, in batches or source by source: a long ring. */
static void eccentricities(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {512, 700};
    for (int i = 0; i < 2; i++) {
        cn_topology *t;
        cni_graph graph;
        cni_search search;
        uint32_t sources[400], found[400];
        assert_ok(i == 0 ? cn_topology_psnn(9, &t) : cn_topology_ring(nodes[i], 1, &t));
        assert_ok(cni_graph_open(t, NULL, &graph));
        assert_ok(cni_search_open(&graph, &search));
        for (uint32_t s = 0; s < 400; s++)
            sources[s] = (7 * s + 3) % nodes[i];
        cni_distance_sums sums = {0.0, 0};
        double expected = 0.0;
        assert_ok(cni_eccentricities(&graph, sources, 400, NULL, found, &sums));
        for (uint32_t s = 0; s < 400; s++) {
            assert_int_equal(found[s], cni_search_within(&graph, sources[s], NULL, &search));
            for (size_t v = 0; v < graph.nodes; v++)
                expected += search.hops[v];
        }
        assert_true(sums.distances == expected);
        assert_int_equal(sums.pairs, 400 * (graph.nodes - 1));
        cni_search_close(&search);
        cni_graph_close(&graph);
        cn_topology_free(&t);
    }
}

/* A search that is stopped gives bounds that hold. */
static void bounds_when_stopped(void **state)
{
    (void)state;
    cn_topology *t;
    assert_ok(cn_topology_psnn(12, &t));
    cni_graph graph;
    assert_ok(cni_graph_open(t, NULL, &graph));
    cni_budget budget;
    cni_bounds bounds;
    assert_ok(cni_budget_start(&budget, "test", LIMITS(.steps = 1), CN_SEARCH_DEFAULT));
    assert_ok(cni_bound_diameter(&graph, &budget, &bounds));
    assert_true(bounds.lower <= 16 && bounds.upper >= 16 && bounds.lower < bounds.upper);
    assert_ok(cni_bound_diameter(&graph, NULL, &bounds));
    assert_true(bounds.lower == 16 && bounds.upper == 16);
    cni_graph_close(&graph);
    cn_topology_free(&t);
}

static cn_status measure_distances(void *context)
{
    cn_topology *t = context;
    uint64_t hops, counts[64];
    double mean;
    cn_status status = cn_topology_diameter(t, NULL, &hops);
    if (status == CN_OK)
        status = cn_topology_mean_distance(t, NULL, &mean);
    if (status == CN_OK)
        status = cn_topology_distance(t, 0, 3, NULL, &hops);
    if (status == CN_OK)
        status = cn_topology_distance_counts(t, 0, NULL, counts, 64, NULL);
    return status;
}

static cn_status build_and_measure(void *context)
{
    (void)context;
    cn_topology *t;
    cn_status status = cn_topology_psnn(5, &t);
    if (status == CN_OK)
        status = measure_distances(t);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    support_fail_every_allocation(build_and_measure, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_meet_closed_forms),
        cmocka_unit_test(long_ways),
        cmocka_unit_test(bounds_meet_all_pairs),
        cmocka_unit_test(disconnected),
        cmocka_unit_test(eccentricities),
        cmocka_unit_test(bounds_when_stopped),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
