/* Tables and flows of the two rules, held against the rules as pure functions. */
#include "routing/damage.h"

#include <math.h>

#include "base/memory.h"
#include "routing/decisions/channels.h"
#include "routing/tables/routes.h"
#include "topology/topology.h"

enum { MOST_CLUSTERS = 64 };

/* What the pure rule allows at a node. */
typedef uint64_t (*rule_fn)(const void *network, uint64_t node, uint64_t destination);

static uint64_t optimal_path(const void *network, uint64_t node, uint64_t destination)
{
    uint64_t status, channels;
    assert_ok(cn_subnet_neighbor_status(network, node, &status));
    assert_ok(cn_route_optimal_path(node ^ destination, status, &channels));
    return channels;
}

static uint64_t two_level(const void *network, uint64_t node, uint64_t destination)
{
    uint64_t status, channels, values[MOST_CLUSTERS], anys[MOST_CLUSTERS], best[MOST_CLUSTERS];
    uint64_t hops[MOST_CLUSTERS];
    size_t count;
    assert_ok(cn_hierarchy_neighbor_status(network, node, &status));
    assert_ok(cn_hierarchy_table(network, node, values, anys, best, hops, MOST_CLUSTERS, &count));
    assert_ok(cn_route_two_level(node, destination, status, values, anys, best, count,
                                 CN_TIE_HEADER, &channels));
    return channels;
}

/* Every pair, with the table and without it. */
static void check_table(cni_routes *routes, rule_fn rule, const void *network)
{
    uint32_t *table = routes->table;
    assert_non_null(table);
    for (uint32_t i = 0; i < routes->survivors; i++)
        for (uint32_t j = 0; j < routes->survivors; j++) {
            uint32_t node = routes->survivor[i], destination = routes->survivor[j];
            uint32_t row = routes->row_of[destination];
            if (i == j)
                continue;
            uint64_t wanted = rule(network, node, destination);
            assert_int_equal(cni_routes_allowed(routes, row, node, destination), wanted);
            if (routes->hierarchy == NULL)
                continue;
            routes->table = NULL;
            assert_int_equal(cni_routes_allowed(routes, row, node, destination), wanted);
            routes->table = table;
        }
}

/* Sends `rate` messages along all ways that the rule allows, one after the other. */
static double walk(rule_fn rule, const void *network, uint64_t nodes, uint64_t node,
                   uint64_t destination, double rate, double flow[])
{
    double hops = 0.0;
    if (node == destination)
        return 0.0;
    uint64_t channels = rule(network, node, destination);
    double share = rate / cni_popcount(channels);
    for (; channels != 0; channels &= channels - 1) {
        uint32_t port = cni_lowest_bit(channels);
        flow[port * nodes + node] += share;
        hops += share + walk(rule, network, nodes, node ^ cni_bit(port), destination, share, flow);
    }
    return hops;
}

/* The flows are the sums over all pairs and all ways. Returns the mean number of hops. */
static double check_flows(const cni_routes *routes, rule_fn rule, const void *network)
{
    double found[5 * 32], wanted[5 * 32] = {0}, hops = 0.0, greatest = 0.0, limit;
    uint32_t survivors = routes->survivors;
    assert_ok(cni_routes_flows(routes, found));
    for (uint32_t i = 0; i < survivors; i++)
        for (uint32_t j = 0; j < survivors; j++)
            hops += walk(rule, network, routes->nodes, routes->survivor[i], routes->survivor[j],
                         1.0 / (survivors - 1.0), wanted);
    for (uint32_t c = 0; c < routes->dimensions * routes->nodes; c++) {
        assert_near(found[c], wanted[c], 1e-12);
        greatest = fmax(greatest, wanted[c]);
    }
    assert_ok(cni_routes_load_limit(routes, &limit));
    assert_near(limit * greatest, 1.0, 1e-12);
    return hops / survivors;
}

/* And those of the routing of that name, which is given up. */
static void check_routing(const cni_routes *routes, cn_status made, cn_routing *r)
{
    double found[5 * 32], wanted[5 * 32], limit, load;
    size_t count;
    assert_ok(made);
    assert_ok(cni_routes_flows(routes, wanted));
    assert_ok(cn_routing_loads(r, NULL, NULL, found, 5 * 32, &count));
    assert_int_equal(count, routes->nodes * routes->dimensions);
    for (uint32_t v = 0; v < routes->nodes; v++)
        for (uint32_t p = 0; p < routes->dimensions; p++)
            assert_near(found[v * routes->dimensions + p], wanted[p * routes->nodes + v], 1e-12);
    assert_ok(cni_routes_load_limit(routes, &limit));
    assert_ok(cn_routing_saturation_load(r, NULL, NULL, &load));
    assert_near(load, limit, 1e-12 * limit);
    cn_routing_free(&r);
}

static void damage_at_random(cn_faults *faults, uint32_t n, uint64_t seed)
{
    assert_ok(cn_faults_add_random_nodes(faults, seed % (1 + (UINT64_C(1) << n) / 5), seed));
    assert_ok(cn_faults_add_random_links(faults, seed % 3, seed));
}

static void optimal_path_goes_by_the_pure_rule(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint32_t n = 3 + (uint32_t)(seed % 3);
        cn_topology *cube;
        cn_faults *faults;
        cn_subnet *subnet;
        cni_routes routes, given;
        damage_open(n, &cube, &faults);
        damage_at_random(faults, n, seed);
        assert_ok(cn_subnet_convex(faults, &subnet));
        assert_ok(cni_routes_open(&routes, CNI_OPTIMAL_PATH, cube, faults, NULL));
        assert_int_equal(routes.survivors, cn_subnet_survivor_count(subnet));
        check_table(&routes, optimal_path, subnet);
        double hops = check_flows(&routes, optimal_path, subnet);
        assert_near(hops, cni_routes_mean_distance(&routes), 1e-12);
        cn_routing *r = NULL;
        cn_status made = cn_routing_optimal_path(subnet, &r);
        check_routing(&routes, made, r);
        /* the same with the subnet in hand */
        assert_ok(cni_routes_open(&given, CNI_OPTIMAL_PATH, cube, NULL, subnet));
        assert_int_equal(given.survivors, routes.survivors);
        assert_int_equal(given.channels, routes.channels);
        assert_memory_equal(given.table, routes.table, routes.nodes * sizeof *given.table);
        cni_routes_close(&given);
        cni_routes_close(&routes);
        cn_subnet_free(&subnet);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void two_level_goes_by_the_pure_rule(void **state)
{
    (void)state;
    uint64_t connected = 0, most = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint32_t n = 3 + (uint32_t)(seed % 3);
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *hierarchy;
        cni_routes routes;
        double hops;
        uint64_t pairs;
        damage_open(n, &cube, &faults);
        damage_at_random(faults, n, seed);
        assert_ok(cn_hierarchy_new(faults, &hierarchy));
        assert_ok(cn_hierarchy_make_tables(hierarchy));
        assert_ok(cn_hierarchy_mean_hops(hierarchy, CN_TIE_HEADER, &hops, &pairs));
        uint64_t working = cn_topology_node_count(cube) - cn_faults_node_count(faults);
        cn_status status = cni_routes_open(&routes, CNI_TWO_LEVEL, cube, faults, NULL);
        if (pairs < working * (working - 1)) {
            assert_int_equal(status, CN_ERR_DISCONNECTED);
        } else {
            assert_ok(status);
            assert_int_equal(routes.survivors, working);
            check_table(&routes, two_level, hierarchy);
            assert_near(check_flows(&routes, two_level, hierarchy), hops, 1e-12);
            cn_routing *r = NULL;
            cn_status made = cn_routing_two_level(hierarchy, &r);
            check_routing(&routes, made, r);
            connected++;
            uint64_t clusters = cn_hierarchy_cluster_count(hierarchy);
            most = clusters > most ? clusters : most;
            cni_routes_close(&routes);
        }
        cn_hierarchy_free(&hierarchy);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
    assert_true(connected > 50 && most >= 4);
}

/* Without damage every channel carries load d / n, and the bound of large cubes is the limit. */
static void an_undamaged_cube_has_equal_flows(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 13; n += n == 9 ? 4 : 1)
        for (cni_route_rule rule = CNI_OPTIMAL_PATH; rule <= CNI_TWO_LEVEL; rule++) {
            static double flow[9 << 9];
            cn_topology *cube;
            cni_routes routes;
            double limit, nodes = ldexp(1.0, (int)n), equal = 0.5 * nodes / (nodes - 1.0);
            assert_ok(cn_topology_hypercube(n, &cube));
            assert_ok(cni_routes_open(&routes, rule, cube, NULL, NULL));
            assert_int_equal(routes.channels, n << n);
            assert_ok(cni_routes_load_limit(&routes, &limit));
            assert_near(limit, 1.0 / equal, 1e-12);
            if (n <= 9) {
                assert_ok(cni_routes_flows(&routes, flow));
                for (uint32_t c = 0; c < n << n; c++)
                    assert_near(flow[c], equal, 1e-12);
            }
            cni_routes_close(&routes);
            cn_topology_free(&cube);
        }
}

static void what_cannot_be_routed_is_refused(void **state)
{
    (void)state;
    static const uint64_t disabled[] = {6};
    cn_topology *cube, *large, *ring;
    cn_faults *faults, *others;
    cn_subnet *subnet;
    cni_routes routes;
    damage_figure_5_1(&cube, &faults);
    /* 0101 and 0110 are cut off from each other's optimal paths */
    assert_ok(cn_subnet_chosen(faults, disabled, 1, &subnet));
    assert_fails(cni_routes_open(&routes, CNI_OPTIMAL_PATH, cube, NULL, subnet), CN_ERR_ARGUMENT,
                 "no optimal path leads from its survivor");
    cn_subnet_free(&subnet);
    assert_ok(cn_subnet_convex(faults, &subnet));
    assert_ok(cni_routes_open(&routes, CNI_OPTIMAL_PATH, cube, faults, subnet));
    cni_routes_close(&routes);
    assert_ok(cn_faults_copy(faults, &others));
    assert_ok(cn_faults_remove_node(others, 2));
    assert_ok(cn_faults_add_node(others, 14));
    assert_fails(cni_routes_open(&routes, CNI_OPTIMAL_PATH, cube, others, subnet), CN_ERR_ARGUMENT,
                 "set only one of the two");
    cn_subnet_free(&subnet);
    /* corner 0 loses its neighbours */
    assert_ok(cn_faults_clear(faults));
    damage_set_nodes(faults, 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8);
    assert_fails(cni_routes_open(&routes, CNI_TWO_LEVEL, cube, faults, NULL), CN_ERR_DISCONNECTED,
                 "node");
    damage_set_nodes(faults, 0xfffe);
    assert_fails(cni_routes_open(&routes, CNI_TWO_LEVEL, cube, faults, NULL), CN_ERR_DISCONNECTED,
                 "survivors = 1");
    damage_set_nodes(faults, 0xffff);
    for (cni_route_rule rule = CNI_OPTIMAL_PATH; rule <= CNI_TWO_LEVEL; rule++)
        assert_fails(cni_routes_open(&routes, rule, cube, faults, NULL), CN_ERR_DISCONNECTED,
                     "survivors = 0");
    assert_ok(cn_topology_hypercube(23, &large));
    assert_ok(cn_topology_ring(16, 1, &ring));
    assert_fails(cni_check_routes("here", large), CN_ERR_UNSUPPORTED, "hypercube(23)");
    assert_fails(cni_check_routes("here", ring), CN_ERR_UNSUPPORTED, "ring(16)");
    cn_faults_free(&faults);
    cn_faults_free(&others);
    cn_topology_free(&cube);
    cn_topology_free(&large);
    cn_topology_free(&ring);
}

static cn_status open_both(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_status status = cn_topology_hypercube(4, &cube);
    (void)context;
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_random_nodes(faults, 3, 1);
    for (cni_route_rule rule = CNI_OPTIMAL_PATH; rule <= CNI_TWO_LEVEL && status == CN_OK; rule++) {
        cni_routes routes;
        double limit;
        status = cni_routes_open(&routes, rule, cube, faults, NULL);
        if (status == CN_OK)
            status = cni_routes_load_limit(&routes, &limit);
        cni_routes_close(&routes);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_failed_allocation_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(open_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_path_goes_by_the_pure_rule),
        cmocka_unit_test(two_level_goes_by_the_pure_rule),
        cmocka_unit_test(an_undamaged_cube_has_equal_flows),
        cmocka_unit_test(what_cannot_be_routed_is_refused),
        cmocka_unit_test(every_failed_allocation_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
