#include "routing/damage.h"

#include <math.h>
#include <string.h>

static int inside(uint64_t value, uint64_t any, uint64_t node)
{
    return ((node ^ value) & ~any) == 0;
}

/* The clusters part the working nodes, and each is convex by itself. */
static void check_clusters(const cn_faults *faults, const cn_hierarchy *h, uint32_t n)
{
    uint64_t nodes = UINT64_C(1) << n, working = 0, counted = 0;
    for (uint32_t c = 0; c < cn_hierarchy_cluster_count(h); c++) {
        uint64_t value, any, survivors, found = 0;
        unsigned char alive[DAMAGE_MOST_NODES];
        assert_ok(cn_hierarchy_cluster(h, c, &value, &any, &survivors));
        for (uint64_t v = 0; v < nodes; v++) {
            uint32_t of;
            assert_ok(cn_hierarchy_cluster_of(h, v, &of));
            alive[v] = inside(value, any, v) && !cn_faults_has_node(faults, v);
            found += alive[v];
            assert_int_equal(of == c, alive[v]);
        }
        assert_true(damage_is_convex(faults, alive, n));
        assert_int_equal(survivors, found);
        assert_true(found > 0);
        counted += found;
    }
    for (uint64_t v = 0; v < nodes; v++) {
        uint32_t of;
        assert_ok(cn_hierarchy_cluster_of(h, v, &of));
        assert_int_equal(of == CN_NO_CLUSTER, cn_faults_has_node(faults, v));
        working += !cn_faults_has_node(faults, v);
    }
    assert_int_equal(counted, working);
    if (cn_faults_link_count(faults) == 0 && cn_faults_node_count(faults) > 0)
        assert_true(cn_hierarchy_cluster_count(h) <= cn_faults_node_count(faults));
}

static void all_node_faults_of_small_cubes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *h;
        damage_open(n, &cube, &faults);
        for (uint64_t set = 0; set < UINT64_C(1) << (1 << n); set++) {
            damage_set_nodes(faults, set);
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            check_clusters(faults, h, n);
            cn_hierarchy_free(&h);
        }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void random_nodes_and_links(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *h;
        damage_open(n, &cube, &faults);
        for (uint64_t seed = 1; seed <= 30; seed++) {
            assert_ok(cn_faults_clear(faults));
            assert_ok(cn_faults_add_failing_nodes(faults, 0.02 * (double)(seed % 15), seed));
            assert_ok(cn_faults_add_failing_links(faults, 0.01 * (double)(seed % 4), seed));
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            check_clusters(faults, h, n);
            cn_hierarchy_free(&h);
        }
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void figure_5_12(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    uint64_t value, any, survivors;
    char text[8];
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    assert_int_equal(cn_hierarchy_cluster_count(h), 2);
    assert_ok(cn_hierarchy_cluster(h, 0, &value, &any, &survivors));
    assert_ok(cn_subcube_text(4, value, any, text, sizeof text, NULL));
    assert_string_equal(text, "XX0X");
    assert_int_equal(survivors, 6);
    assert_ok(cn_hierarchy_cluster(h, 1, &value, &any, NULL));
    assert_ok(cn_subcube_text(4, value, any, text, sizeof text, NULL));
    assert_string_equal(text, "XX1X");
    assert_ok(cn_hierarchy_cluster(h, 1, NULL, NULL, &survivors));
    assert_int_equal(survivors, 5);
    cn_hierarchy_free(&h);
}

/* Horng 1992, figure 5.13; the numbers come from an independent program. 4 standard errors of these
 * runs, and twice as much for the last digit and the error of the expected ones. */
static void mean_number_of_clusters(void **state)
{
    (void)state;
    enum { RUNS = 3000 };
    static const struct {
        uint64_t faults;
        double clusters;
    } rows[] = {{2, 1.238}, {4, 2.143}, {8, 3.885}, {16, 6.38}};
    cn_topology *cube;
    cn_faults *faults;
    damage_open(6, &cube, &faults);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double sum = 0, squares = 0;
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            cn_hierarchy *h;
            assert_ok(cn_faults_clear(faults));
            assert_ok(cn_faults_add_random_nodes(faults, rows[r].faults, seed));
            assert_ok(cn_hierarchy_new(faults, NULL, &h));
            double clusters = cn_hierarchy_cluster_count(h);
            sum += clusters;
            squares += clusters * clusters;
            cn_hierarchy_free(&h);
        }
        double error = sqrt((squares / RUNS - sum / RUNS * (sum / RUNS)) / RUNS);
        assert_near(sum / RUNS, rows[r].clusters, 4 * error + 0.005);
    }
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void nothing_left_and_nothing_broken(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_hierarchy *h;
    uint64_t value, any, survivors;
    damage_open(3, &cube, &faults);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_int_equal(cn_hierarchy_cluster_count(h), 1);
    assert_ok(cn_hierarchy_cluster(h, 0, &value, &any, &survivors));
    assert_true(value == 0 && any == 7 && survivors == 8);
    assert_fails(cn_hierarchy_cluster(h, 1, &value, &any, &survivors), CN_ERR_ARGUMENT,
                 "cluster = 1");
    uint32_t cluster;
    assert_fails(cn_hierarchy_cluster_of(h, 8, &cluster), CN_ERR_ARGUMENT, "node = 8");
    cn_hierarchy_free(&h);
    cn_hierarchy_free(&h);
    damage_set_nodes(faults, 0xff);
    assert_ok(cn_hierarchy_new(faults, NULL, &h));
    assert_int_equal(cn_hierarchy_cluster_count(h), 0);
    assert_ok(cn_hierarchy_make_tables(h, NULL));
    cn_hierarchy_free(&h);
    assert_int_equal(cn_hierarchy_cluster_count(NULL), 0);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void other_networks_are_refused(void **state)
{
    (void)state;
    cn_topology *torus;
    cn_faults *faults;
    cn_hierarchy *h;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_fails(cn_hierarchy_new(faults, NULL, &h), CN_ERR_UNSUPPORTED, "kary_ncube");
    assert_null(h);
    assert_fails(cn_hierarchy_new(NULL, NULL, &h), CN_ERR_ARGUMENT, "faults");
    cn_subnet *subnet;
    assert_fails(cn_subnet_convex(faults, NULL, &subnet), CN_ERR_UNSUPPORTED, "kary_ncube");
    cn_faults_free(&faults);
    cn_topology_free(&torus);
}

static cn_status build(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL;
    cn_hierarchy *h = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(6, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK) {
        assert_ok(
            cn_faults_add_random_nodes(faults, 30, 1)); /* so many clusters that arrays grow */
        status = cn_hierarchy_new(faults, NULL, &h);
    }
    if (status == CN_OK)
        status = cn_hierarchy_make_tables(h, NULL);
    double mean;
    if (status == CN_OK)
        status = cn_hierarchy_mean_hops(h, CN_TIE_ANY, NULL, &mean, NULL);
    if (status == CN_OK)
        status = cn_faults_mean_distance(faults, NULL, &mean, NULL);
    cn_hierarchy_free(&h);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(build, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_node_faults_of_small_cubes),
        cmocka_unit_test(random_nodes_and_links),
        cmocka_unit_test(figure_5_12),
        cmocka_unit_test(mean_number_of_clusters),
        cmocka_unit_test(nothing_left_and_nothing_broken),
        cmocka_unit_test(other_networks_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
