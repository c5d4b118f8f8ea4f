#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

#include "routing/subnets/subnet.h"

enum { MOST = 128 };

/* Of every ordered pair of survivors, a good path as long as the distance, by breadth-first
 * search. */
static int is_minimal(const cn_topology *network, const cn_faults *faults,
                      const unsigned char alive[])
{
    uint64_t nodes = cn_topology_node_count(network);
    for (uint64_t source = 0; source < nodes; source++) {
        uint64_t hops[MOST], queue[MOST], begin = 0, end = 0, distance;
        if (!alive[source])
            continue;
        for (uint64_t v = 0; v < nodes; v++)
            hops[v] = UINT64_MAX;
        hops[source] = 0;
        queue[end++] = source;
        for (; begin < end; begin++)
            for (uint32_t p = 0; p < cn_topology_max_degree(network); p++) {
                uint64_t v = queue[begin], far;
                assert_ok(cn_topology_neighbor(network, v, p, &far));
                if (!alive[far] || cn_faults_has_link(faults, v, p) || hops[far] != UINT64_MAX)
                    continue;
                hops[far] = hops[v] + 1;
                queue[end++] = far;
            }
        for (uint64_t v = 0; v < nodes; v++) {
            assert_ok(cn_topology_distance(network, source, v, NULL, &distance));
            if (alive[v] && hops[v] != distance)
                return 0;
        }
    }
    return 1;
}

static void check(cn_topology *network, double p, double links, uint64_t seed)
{
    cn_faults *faults;
    cn_subnet *subnet;
    unsigned char alive[MOST];
    uint64_t nodes = cn_topology_node_count(network);
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, p, seed));
    assert_ok(cn_faults_add_failing_links(faults, links, seed));
    assert_ok(cn_subnet_minimal(faults, NULL, &subnet));
    for (uint64_t v = 0; v < nodes; v++) {
        alive[v] = (unsigned char)damage_survives(subnet, v);
        assert_true(!alive[v] || !cn_faults_has_node(faults, v));
    }
    assert_true(is_minimal(network, faults, alive));
    for (uint64_t v = 0; v < nodes; v++) {
        if (!alive[v])
            continue;
        for (uint64_t w = 0; w < nodes; w++) {
            uint64_t valid, header, status;
            if (!alive[w] || v == w)
                continue;
            assert_ok(cn_topology_header(network, v, w, &header));
            assert_ok(cn_route_valid(network, header, &valid));
            assert_ok(cn_subnet_neighbor_status(subnet, v, &status));
            assert_true((valid & status) != 0);
        }
    }
    for (uint64_t v = 0; v < nodes; v++) /* none can be added alone */
        if (!alive[v] && !cn_faults_has_node(faults, v)) {
            alive[v] = 1;
            assert_false(is_minimal(network, faults, alive));
            alive[v] = 0;
        }
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
}

static void random_faults(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint32_t n;
        int two_way;
    } rows[] = {{2, 5, 1}, {3, 3, 1}, {4, 3, 1}, {5, 2, 1}, {6, 2, 1}, {7, 2, 1},
                {8, 1, 1}, {3, 3, 0}, {4, 2, 0}, {5, 2, 0}, {6, 1, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cn_topology *network;
        assert_ok(cn_topology_kary_ncube(rows[r].k, rows[r].n, rows[r].two_way, &network));
        for (uint64_t seed = 0; seed < 8; seed++)
            check(network, 0.03 * (double)(seed % 5), seed % 2 == 0 ? 0 : 0.02, seed + 1);
        cn_topology_free(&network);
    }
}

/* Rings by hand. One way with one fault: of any two survivors one way round passes it, so one node
 * is left. Two ways with k = 9 and one fault: the others form a path of 8, and a shortest way may
 * not be longer than 4 hops of it: 5 nodes in a row. */
static void rings(void **state)
{
    (void)state;
    cn_topology *ring;
    cn_faults *faults;
    cn_subnet *subnet;
    assert_ok(cn_topology_kary_ncube(7, 1, 0, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_subnet_minimal(faults, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 7);
    cn_subnet_free(&subnet);
    assert_ok(cn_faults_add_node(faults, 2));
    assert_ok(cn_subnet_minimal(faults, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 1);
    assert_fails(cn_subnet_update(subnet, CN_CHANGE_FAIL_NODE, 0, 0, NULL), CN_ERR_STATE,
                 "minimal");
    assert_fails(cn_subnet_rebuild(subnet, faults, NULL), CN_ERR_STATE, "minimal");
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
    assert_ok(cn_topology_kary_ncube(9, 1, 1, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_faults_add_node(faults, 2));
    assert_ok(cn_subnet_minimal(faults, NULL, &subnet));
    assert_int_equal(cn_subnet_survivor_count(subnet), 5);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
}

static cn_status build(void *context)
{
    cn_topology *torus = NULL;
    cn_faults *faults = NULL;
    cn_subnet *subnet = NULL;
    (void)context;
    cn_status status = cn_topology_kary_ncube(4, 2, 1, &torus);
    if (status == CN_OK)
        status = cn_faults_new(torus, &faults);
    if (status == CN_OK)
        status = cn_subnet_minimal(faults, NULL, &subnet);
    cn_subnet_free(&subnet);
    cn_faults_free(&faults);
    cn_topology_free(&torus);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(build, NULL);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *network;
    cn_faults *faults;
    cn_subnet *subnet;
    const uint64_t edge[] = {0, 1};
    damage_open(14, &network, &faults);
    assert_fails(cn_subnet_minimal(faults, NULL, &subnet), CN_ERR_UNSUPPORTED, "2^13");
    assert_null(subnet);
    cn_faults_free(&faults);
    cn_topology_free(&network);
    assert_ok(cn_topology_from_edges(2, edge, 1, NULL, &network));
    assert_ok(cn_faults_new(network, &faults));
    assert_fails(cn_subnet_minimal(faults, NULL, &subnet), CN_ERR_UNSUPPORTED, "edges(2,1)");
    assert_null(subnet);
    cn_faults_free(&faults);
    cn_topology_free(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_faults),
        cmocka_unit_test(rings),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
