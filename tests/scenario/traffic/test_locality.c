/* Destinations by distance. */
#include "support/support.h"

#include <math.h>

#include "base/random.h"
#include "scenario/traffic/traffic.h"

/* The messages of one node, counted by distance: chi-square against the weights, 99.99 % limits by
 * degrees of freedom; and every node of a shell as often as its neighbours there (4.5 standard
 * errors). */
static void check_source(const cn_topology *topology, const cn_traffic *traffic, uint64_t source,
                         const double weights[], uint64_t diameter)
{
    enum { DRAWS = 60000, MOST_NODES = 1024, MOST_HOPS = 32 };
    static const double limit[] = {0.0,   15.14, 18.42, 21.11, 23.51, 25.74, 27.86,
                                   29.88, 31.83, 33.72, 35.56, 37.37, 39.13};
    uint64_t by_distance[MOST_HOPS] = {0}, by_node[MOST_NODES] = {0}, counts[MOST_HOPS];
    size_t shells;
    double sum = 0.0, chi_square = 0.0;
    int freedom = -1;
    assert_ok(cn_topology_distance_counts(topology, source, NULL, counts, MOST_HOPS, &shells));
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t d, hops;
        d = cni_traffic_destination(traffic, source, cni_random_word(source + 5, i));
        assert_ok(cn_topology_distance(topology, source, d, NULL, &hops));
        assert_true(hops >= 1 && hops <= diameter);
        by_distance[hops]++;
        by_node[d]++;
    }
    for (size_t h = 1; h < shells; h++)
        sum += weights[h - 1];
    for (size_t h = 1; h < shells; h++) {
        double expected = DRAWS * weights[h - 1] / sum, off = (double)by_distance[h] - expected;
        if (expected == 0.0)
            assert_int_equal(by_distance[h], 0);
        else
            chi_square += off * off / expected;
        freedom += expected > 0.0;
    }
    assert_true(freedom >= 0 && freedom <= 12);
    assert_true(chi_square <= limit[freedom]);
    for (uint64_t d = 0; d < cn_topology_node_count(topology); d++) {
        uint64_t hops;
        double p;
        assert_ok(cn_topology_distance(topology, source, d, NULL, &hops));
        assert_ok(cn_traffic_probability(traffic, source, d, &p));
        double wanted = hops == 0 ? 0.0 : weights[hops - 1] / sum / (double)counts[hops];
        assert_near(p, wanted, 1e-13);
        assert_near((double)by_node[d], DRAWS * wanted, 4.5 * sqrt(DRAWS * wanted) + 1e-9);
    }
}

static void check_network(cn_topology *topology)
{
    double weights[32], ratio[32], power = 1.0;
    uint64_t diameter, nodes = cn_topology_node_count(topology);
    assert_ok(cn_topology_diameter(topology, NULL, &diameter));
    for (uint64_t d = 0; d < diameter; d++, power *= 0.6) {
        weights[d] = d % 4 == 2 ? 0.0 : 1.0 + (double)d;
        ratio[d] = power;
    }
    cn_traffic *traffic;
    assert_ok(cn_traffic_locality(topology, weights, diameter, &traffic));
    assert_int_equal(cn_traffic_pattern(traffic), CN_PATTERN_LOCALITY);
    check_source(topology, traffic, nodes / 3, weights, diameter);
    check_source(topology, traffic, nodes - 1, weights, diameter);
    cn_traffic_free(&traffic);
    assert_ok(cn_traffic_geometric_locality(topology, 0.6, &traffic));
    check_source(topology, traffic, nodes / 2, ratio, diameter);
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
}

static void destinations_have_their_distances(void **state)
{
    (void)state;
    static const uint64_t mixed[] = {2, 5, 4};
    cn_topology *t;
    assert_ok(cn_topology_hypercube(7, &t));
    check_network(t);
    assert_ok(cn_topology_kary_ncube(5, 2, 0, &t));
    check_network(t);
    assert_ok(cn_topology_kary_ncube(6, 3, 1, &t));
    check_network(t);
    assert_ok(cn_topology_torus(mixed, 3, &t));
    check_network(t);
    assert_ok(cn_topology_mesh(mixed, 3, &t));
    check_network(t);
    assert_ok(cn_topology_generalized_hypercube_mixed(mixed, 3, &t));
    check_network(t);
    assert_ok(cn_topology_tree(2, 5, &t));
    check_network(t);
    assert_ok(cn_topology_psnn(4, &t));
    check_network(t);
    assert_ok(cn_topology_de_bruijn(6, &t));
    check_network(t);
}

/* Weights in proportion to the sizes of the shells are uniform traffic. */
static void uniform_traffic_is_a_locality(void **state)
{
    (void)state;
    cn_topology *t;
    cn_traffic *traffic;
    uint64_t counts[16];
    double weights[16], p, mean, wanted;
    size_t shells;
    assert_ok(cn_topology_kary_ncube(5, 3, 1, &t));
    assert_ok(cn_topology_distance_counts(t, 0, NULL, counts, 16, &shells));
    for (size_t h = 1; h < shells; h++)
        weights[h - 1] = (double)counts[h];
    assert_ok(cn_traffic_locality(t, weights, shells - 1, &traffic));
    for (uint64_t d = 0; d < 125; d++) {
        assert_ok(cn_traffic_probability(traffic, 17, d, &p));
        assert_near(p, d == 17 ? 0.0 : 1.0 / 124.0, 1e-16);
    }
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
    assert_ok(cn_topology_mean_distance(t, NULL, &wanted));
    assert_near(mean, wanted, 1e-14);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

/* A hypercube of 2^62 nodes: no table but that of the distances. */
static void a_large_cube_needs_no_list(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    cn_topology *t;
    cn_traffic *traffic;
    double sum = 0.0, mean;
    uint64_t bits[62] = {0};
    assert_ok(cn_topology_hypercube(62, &t));
    assert_ok(cn_traffic_geometric_locality(t, 0.9, &traffic));
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t source = cni_random_word(1, i) >> 2;
        uint64_t header = source ^ cni_traffic_destination(traffic, source, cni_random_word(2, i));
        for (uint32_t b = 0; b < 62; b++) {
            bits[b] += header >> b & 1;
            sum += (double)(header >> b & 1);
        }
    }
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
    assert_near(sum / DRAWS, mean, 4.5 * 10.0 / sqrt(DRAWS)); /* standard deviation below 10 */
    for (uint32_t b = 0; b < 62; b++)
        assert_near((double)bits[b] / DRAWS, mean / 62.0, 4.5 * 0.5 / sqrt(DRAWS));
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static void nodes_without_a_distance_are_silent(void **state)
{
    (void)state;
    cn_topology *t;
    cn_traffic *traffic;
    static const double ends_only[] = {0.0, 0.0, 0.0, 1.0};
    uint64_t senders;
    double mean;
    assert_ok(cn_topology_mesh((uint64_t[]){5}, 1, &t));
    assert_ok(cn_traffic_locality(t, ends_only, 4, &traffic));
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_int_equal(senders, 2);
    assert_false(cni_traffic_sends(traffic, 2));
    assert_int_equal(cni_traffic_destination(traffic, 4, 9), 0);
    assert_ok(cn_traffic_mean_distance(traffic, NULL, &mean));
    assert_true(mean == 4.0);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

/* Then all senders are counted at once. */
static void all_nodes_of_a_large_cube_send(void **state)
{
    (void)state;
    cn_topology *t;
    cn_traffic *traffic;
    cn_scenario *scenario;
    uint64_t senders;
    assert_ok(cn_topology_hypercube(62, &t));
    assert_ok(cn_traffic_geometric_locality(t, 0.5, &traffic));
    assert_ok(cn_traffic_senders(traffic, &senders));
    assert_true(senders == UINT64_C(1) << 62);
    assert_ok(cn_scenario_new(t, "deflection", &scenario));
    assert_ok(cn_scenario_set_traffic(scenario, traffic));
    cn_scenario_free(&scenario);
    cn_traffic_free(&traffic);
    cn_topology_free(&t);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *t, *ring, *mesh, *parts;
    cn_traffic *traffic;
    double weights[4] = {1.0, 0.5, 0.25, 0.125};
    assert_ok(cn_topology_hypercube(4, &t));
    assert_ok(cn_topology_ring(UINT64_C(1) << 40, 1, &ring));
    assert_ok(cn_topology_mesh((uint64_t[]){64, 64}, 2, &mesh));
    assert_ok(cn_topology_from_edges(4, (uint64_t[]){0, 1, 2, 3}, 2, NULL, &parts));
    assert_fails(cn_traffic_locality(t, weights, 3, &traffic), CN_ERR_ARGUMENT, "count = 3");
    weights[1] = NAN;
    assert_fails(cn_traffic_locality(t, weights, 4, &traffic), CN_ERR_ARGUMENT, "weights[1]");
    weights[1] = -0.5;
    assert_fails(cn_traffic_locality(t, weights, 4, &traffic), CN_ERR_ARGUMENT, "weights[1]");
    weights[1] = INFINITY;
    assert_fails(cn_traffic_locality(t, weights, 4, &traffic), CN_ERR_ARGUMENT, "weights[1]");
    static const double nothing[4];
    assert_fails(cn_traffic_locality(t, nothing, 4, &traffic), CN_ERR_ARGUMENT, "above 0");
    assert_fails(cn_traffic_locality(t, NULL, 4, &traffic), CN_ERR_ARGUMENT, "weights");
    assert_fails(cn_traffic_geometric_locality(t, 1.1, &traffic), CN_ERR_ARGUMENT, "ratio");
    assert_fails(cn_traffic_geometric_locality(t, NAN, &traffic), CN_ERR_ARGUMENT, "ratio");
    assert_fails(cn_traffic_geometric_locality(ring, 0.5, &traffic), CN_ERR_UNSUPPORTED,
                 "up to 32767");
    assert_fails(cn_traffic_geometric_locality(mesh, 0.5, &traffic), CN_ERR_UNSUPPORTED, "4096");
    assert_fails(cn_traffic_geometric_locality(parts, 0.5, &traffic), CN_ERR_DISCONNECTED, "reach");
    assert_null(traffic);
    cn_topology_free(&ring);
    assert_ok(cn_topology_ring(UINT64_C(1) << 20, 1, &ring));
    assert_fails(cn_traffic_geometric_locality(ring, 0.5, &traffic), CN_ERR_UNSUPPORTED,
                 "distances up to");
    cn_topology_free(&t);
    cn_topology_free(&ring);
    cn_topology_free(&mesh);
    cn_topology_free(&parts);
}

static cn_status make_on(cn_status status, cn_topology *topology)
{
    cn_traffic *traffic = NULL;
    if (status == CN_OK)
        status = cn_traffic_geometric_locality(topology, 0.5, &traffic);
    cn_traffic_free(&traffic);
    cn_topology_free(&topology);
    return status;
}

static cn_status make_on_cube(void *context)
{
    (void)context;
    cn_topology *topology = NULL;
    cn_status status = cn_topology_hypercube(5, &topology);
    return make_on(status, topology);
}

static cn_status make_on_mesh(void *context)
{
    (void)context;
    cn_topology *topology = NULL;
    cn_status status = cn_topology_mesh((uint64_t[]){3, 4}, 2, &topology);
    return make_on(status, topology);
}

static void no_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    support_fail_every_allocation(make_on_cube, NULL);
    support_fail_every_allocation(make_on_mesh, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(destinations_have_their_distances),
        cmocka_unit_test(uniform_traffic_is_a_locality),
        cmocka_unit_test(a_large_cube_needs_no_list),
        cmocka_unit_test(nodes_without_a_distance_are_silent),
        cmocka_unit_test(all_nodes_of_a_large_cube_send),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
