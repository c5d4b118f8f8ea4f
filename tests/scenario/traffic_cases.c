#include "traffic_cases.h"

#include "base/random.h"

enum { MOST_NODES = 128, MOST_HOPS = 64 };

typedef void (*check_fn)(const cn_topology *topology, const cn_traffic *traffic);

static void check_and_free(const cn_topology *topology, cn_status status, cn_traffic *traffic,
                           check_fn check)
{
    if (status == CN_ERR_UNSUPPORTED) /* not defined on this network */
        return;
    assert_ok(status);
    check(topology, traffic);
    cn_traffic_free(&traffic);
}

static void check_given(const cn_topology *topology, check_fn check)
{
    static double weights[MOST_NODES * MOST_NODES];
    uint64_t destinations[MOST_NODES], nodes = cn_topology_node_count(topology);
    cn_traffic *traffic = NULL;
    for (uint64_t s = 0; s < nodes; s++) {
        destinations[s] = s == 0 ? nodes - 1 : s % 3 == 0 ? s : (s + 1) % nodes; /* some silent */
        for (uint64_t d = 0; d < nodes; d++) {
            uint64_t word = cni_random_word(s, d);
            weights[s * nodes + d] =
                s == d || s % 5 == 4 || word % 3 == 0 ? 0.0 : (double)(word % 97);
        }
    }
    cn_status status = cn_traffic_destinations(topology, destinations, nodes, &traffic);
    check_and_free(topology, status, traffic, check);
    status = cn_traffic_matrix(topology, weights, nodes * nodes, &traffic);
    check_and_free(topology, status, traffic, check);
}

static void check_by_distance(const cn_topology *topology, check_fn check)
{
    double weights[MOST_HOPS];
    uint64_t diameter;
    cn_traffic *traffic = NULL;
    assert_ok(cn_topology_diameter(topology, NULL, &diameter));
    for (uint64_t d = 1; d <= diameter; d++)
        weights[d - 1] = d % 3 == 2 ? 0.0 : (double)d;
    cn_status status = cn_traffic_locality(topology, weights, diameter, &traffic);
    check_and_free(topology, status, traffic, check);
    for (int tenths = 0; tenths <= 10; tenths += 5) {
        status = cn_traffic_geometric_locality(topology, tenths / 10.0, &traffic);
        check_and_free(topology, status, traffic, check);
    }
}

static void check_on(cn_topology *topology, check_fn check)
{
    cn_traffic *traffic = NULL;
    cn_status status;
    for (int p = CN_PATTERN_UNIFORM; p <= CN_PATTERN_NEIGHBOR; p++) {
        status = cn_traffic_new(topology, (cn_pattern)p, &traffic);
        check_and_free(topology, status, traffic, check);
    }
    for (int quarters = 0; quarters <= 4; quarters++) {
        status = cn_traffic_hotspot(topology, 1, quarters / 4.0, &traffic);
        check_and_free(topology, status, traffic, check);
    }
    status = cn_traffic_permutation(topology, 7, &traffic);
    check_and_free(topology, status, traffic, check);
    check_given(topology, check);
    check_by_distance(topology, check);
    cn_topology_free(&topology);
}

void for_every_traffic(check_fn check)
{
    static const uint64_t mixed[] = {2, 3, 4}, edges[] = {0, 1, 1, 2, 2, 3, 3, 0, 3, 4, 4, 5, 1, 5};
    cn_topology *t;
    for (uint32_t n = 1; n <= 6; n++) {
        assert_ok(cn_topology_hypercube(n, &t));
        check_on(t, check);
    }
    for (uint64_t k = 3; k <= 6; k++)
        for (int way = 0; way < 2; way++) {
            assert_ok(cn_topology_kary_ncube(k, 2, way, &t));
            check_on(t, check);
        }
    assert_ok(cn_topology_torus(mixed, 3, &t));
    check_on(t, check);
    assert_ok(cn_topology_mesh(mixed, 3, &t));
    check_on(t, check);
    assert_ok(cn_topology_generalized_hypercube_mixed(mixed, 3, &t));
    check_on(t, check);
    assert_ok(cn_topology_ring(9, 1, &t));
    check_on(t, check);
    assert_ok(cn_topology_complete(7, &t));
    check_on(t, check);
    assert_ok(cn_topology_star(6, &t));
    check_on(t, check);
    assert_ok(cn_topology_tree(2, 4, &t));
    check_on(t, check);
    assert_ok(cn_topology_de_bruijn(4, &t));
    check_on(t, check);
    assert_ok(cn_topology_from_edges(6, edges, 7, NULL, &t));
    check_on(t, check);
}
