#include "damage.h"

/* Floyd and Warshall on the damaged network. */
static void find_all(const cn_topology *network, const cn_faults *faults, uint64_t d[64][64])
{
    uint64_t nodes = cn_topology_node_count(network), far, infinite = 1000;
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++)
            d[a][b] = a == b && !cn_faults_has_node(faults, a) ? 0 : infinite;
    for (uint64_t a = 0; a < nodes; a++)
        for (uint32_t p = 0; p < cn_topology_max_degree(network); p++) {
            assert_ok(cn_topology_neighbor(network, a, p, &far));
            if (!cn_faults_has_node(faults, a) && !cn_faults_has_node(faults, far) &&
                !cn_faults_has_link(faults, a, p))
                d[a][far] = 1;
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
    uint64_t nodes = cn_topology_node_count(network), sum = 0, pairs = 0, found, counted;
    double mean;
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, p, seed));
    assert_ok(cn_faults_add_failing_links(faults, p, seed));
    find_all(network, faults, d);
    for (uint64_t a = 0; a < nodes; a++)
        for (uint64_t b = 0; b < nodes; b++) {
            assert_ok(cn_faults_distance(faults, a, b, &found));
            assert_true(found == (d[a][b] == 1000 ? CN_UNREACHABLE : d[a][b]));
            pairs += a != b && d[a][b] < 1000;
            sum += d[a][b] < 1000 ? d[a][b] : 0;
        }
    assert_ok(cn_faults_mean_distance(faults, &mean, &counted));
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
    assert_ok(cn_faults_distance(faults, 6, 5, &hops));
    assert_int_equal(hops, 4);
    assert_ok(cn_faults_distance(faults, 2, 5, &hops));
    assert_true(hops == CN_UNREACHABLE);
    assert_ok(cn_faults_mean_distance(faults, &mean, &pairs));
    assert_near(mean, 252.0 / 110, 1e-12); /* 2.290909 */
    assert_int_equal(pairs, 110);
    assert_fails(cn_faults_distance(faults, 16, 5, &hops), CN_ERR_ARGUMENT, "source = 16");
    assert_fails(cn_faults_distance(faults, 5, 16, &hops), CN_ERR_ARGUMENT, "destination = 16");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_shortest),
        cmocka_unit_test(figure_5_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
