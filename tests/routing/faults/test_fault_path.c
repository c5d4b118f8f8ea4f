#include "routing/damage.h"

/* Floyd and Warshall on the damaged network. */
static void find_all(const cn_topology *network, const cn_faults *faults, uint64_t d[64][64])
{
    uint64_t nodes = cn_topology_node_count(network), far, infinite = 1000;
    uint32_t degree;
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++)
            d[a][b] = a == b && !cn_faults_has_node(faults, a) ? 0 : infinite;
    for (uint64_t a = 0; a < nodes; a++) {
        assert_ok(cn_topology_degree(network, a, &degree));
        for (uint32_t p = 0; p < degree; p++) {
            assert_ok(cn_topology_neighbor(network, a, p, &far));
            if (!cn_faults_has_node(faults, a) && !cn_faults_has_node(faults, far) &&
                !cn_faults_has_link(faults, a, p))
                d[a][far] = 1;
        }
    }
    for (uint64_t c = 0; c < nodes; c++)
        for (uint64_t a = 0; a < nodes; a++)
            for (uint64_t b = 0; b < nodes; b++)
                if (d[a][c] + d[c][b] < d[a][b])
                    d[a][b] = d[a][c] + d[c][b];
}

static void check_distances(cn_topology *network, double p, uint64_t seed)
{
    static uint64_t d[64][64];
    cn_faults *faults;
    uint64_t nodes = cn_topology_node_count(network), sum = 0, pairs = 0, found, counted, reachable;
    double mean;
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, p, seed));
    assert_ok(cn_faults_add_failing_links(faults, p, seed));
    find_all(network, faults, d);
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++) {
            assert_ok(cn_faults_distance(faults, a, b, NULL, &found));
            assert_true(found == (d[a][b] == 1000 ? CN_UNREACHABLE : d[a][b]));
            pairs += a != b && d[a][b] < 1000;
            sum += d[a][b] < 1000 ? d[a][b] : 0;
        }
    assert_ok(cn_faults_mean_distance(faults, NULL, &mean, &counted));
    assert_ok(cn_faults_reachable_pairs(faults, NULL, &reachable));
    assert_int_equal(reachable, counted);
    assert_true(counted == pairs);
    assert_near(mean, pairs == 0 ? 0 : (double)sum / (double)pairs, 1e-12);
    cn_faults_free(&faults);
}

static void distances_are_shortest(void **state)
{
    (void)state;
    const double p[] = {0, 0.1, 0.4, 1};
    for (size_t i = 0; i < 4; i++) {
        cn_topology *network;
        assert_ok(cn_topology_hypercube(5, &network));
        check_distances(network, p[i], 1);
        cn_topology_free(&network);
        assert_ok(cn_topology_kary_ncube(5, 2, 0, &network));
        check_distances(network, p[i], 2);
        cn_topology_free(&network);
        assert_ok(cn_topology_kary_ncube(5, 2, 1, &network));
        check_distances(network, p[i], 3);
        cn_topology_free(&network);
    }
}

static void figure_5_1(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    uint64_t hops, pairs;
    double mean;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_faults_distance(faults, 6, 5, NULL, &hops));
    assert_int_equal(hops, 4);
    assert_ok(cn_faults_distance(faults, 2, 5, NULL, &hops));
    assert_true(hops == CN_UNREACHABLE);
    assert_ok(cn_faults_mean_distance(faults, NULL, &mean, &pairs));
    assert_near(mean, 252.0 / 110, 1e-12); /* 2.290909 */
    assert_int_equal(pairs, 110);
    assert_fails(cn_faults_distance(faults, 16, 5, NULL, &hops), CN_ERR_ARGUMENT, "source = 16");
    assert_fails(cn_faults_distance(faults, 5, 16, NULL, &hops), CN_ERR_ARGUMENT,
                 "destination = 16");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* What is left of a ring is a chain of n nodes, with paths that are longer than batches of searches
 * take; of them the mean is (n + 1) / 3. */
static void a_ring_that_is_cut(void **state)
{
    (void)state;
    cn_topology *ring;
    cn_faults *faults;
    uint64_t pairs;
    double mean;
    assert_ok(cn_topology_ring(600, 1, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_faults_add_node(faults, 1));
    assert_ok(cn_faults_mean_distance(faults, NULL, &mean, &pairs));
    assert_near(mean, 200.0, 1e-12);
    assert_int_equal(pairs, 599 * 598);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
}

static void check_stretch(cn_topology *network, double p, uint64_t seed)
{
    static uint64_t d[64][64], counts[64];
    uint64_t nodes = cn_topology_node_count(network), expected[64] = {0}, apart = 0, found;
    size_t count, longest = 0;
    cn_faults *faults;
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, p, seed));
    assert_ok(cn_faults_add_failing_links(faults, p / 2, seed));
    find_all(network, faults, d);
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++) {
            uint64_t hops;
            if (a == b || cn_faults_has_node(faults, a) || cn_faults_has_node(faults, b))
                continue;
            assert_ok(cn_topology_distance(network, a, b, NULL, &hops));
            if (d[a][b] == 1000) {
                apart++;
                continue;
            }
            expected[d[a][b] - hops]++;
            longest = d[a][b] - hops >= longest ? d[a][b] - hops + 1 : longest;
        }
    assert_ok(cn_faults_stretch_counts(faults, NULL, counts, 64, &count, &found));
    assert_int_equal(count, longest);
    assert_int_equal(found, apart);
    assert_memory_equal(counts, expected, longest * sizeof counts[0]);
    if (longest > 0)
        assert_fails(cn_faults_stretch_counts(faults, NULL, counts, 0, &count, NULL),
                     CN_ERR_CAPACITY, "capacity = 0");
    cn_faults_free(&faults);
}

static void stretch_is_counted(void **state)
{
    (void)state;
    const double p[] = {0, 0.03, 0.2, 1};
    for (size_t i = 0; i < 4; i++)
        for (int kind = 0; kind < 4; kind++) {
            cn_topology *network;
            const uint64_t path[] = {0, 1, 1, 2, 2, 3, 3, 0, 3, 4};
            if (kind == 0)
                assert_ok(cn_topology_hypercube(5, &network));
            else if (kind < 3)
                assert_ok(cn_topology_kary_ncube(5, 2, kind == 1, &network));
            else
                assert_ok(cn_topology_from_edges(5, path, 5, NULL, &network));
            check_stretch(network, p[i], 10 + i);
            cn_topology_free(&network);
        }
}

/*
 * One fault in a one-way k-ary n-cube: a pair needs an extra wrap, and one is enough, exactly when
 * the fault lies on the line between them: n lines through it, on each the (k-1)(k-2)/2 ordered
 * pairs that it lies between.
 */
static void one_fault_costs_one_wrap_on_its_lines(void **state)
{
    (void)state;
    for (uint64_t k = 3; k <= 6; k++)
        for (uint32_t n = 2; n <= 3; n++) {
            cn_topology *torus;
            cn_faults *faults;
            uint64_t counts[20], unreachable;
            size_t count;
            assert_ok(cn_topology_kary_ncube(k, n, 0, &torus));
            assert_ok(cn_faults_new(torus, &faults));
            assert_ok(cn_faults_add_node(faults, k + 1));
            assert_ok(cn_faults_stretch_counts(faults, NULL, counts, 20, &count, &unreachable));
            uint64_t working = cn_topology_node_count(torus) - 1;
            uint64_t separated = n * (k - 1) * (k - 2) / 2;
            assert_int_equal(unreachable, 0);
            assert_int_equal(count, k + 1);
            assert_int_equal(counts[k], separated);
            assert_int_equal(counts[0], working * (working - 1) - separated);
            cn_faults_free(&faults);
            cn_topology_free(&torus);
        }
}

static cn_status compare(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    uint64_t counts[20];
    (void)context;
    cn_status status = cn_topology_hypercube(3, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_stretch_counts(faults, NULL, counts, 20, NULL, NULL);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(compare, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_shortest),
        cmocka_unit_test(figure_5_1),
        cmocka_unit_test(a_ring_that_is_cut),
        cmocka_unit_test(stretch_is_counted),
        cmocka_unit_test(one_fault_costs_one_wrap_on_its_lines),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
