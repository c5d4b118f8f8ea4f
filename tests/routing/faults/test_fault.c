#include "routing/damage.h"

#include "cubenet/experimental/damage.h"

static void nodes_and_links_come_and_go(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults, *copy;
    damage_open(3, &cube, &faults);
    cn_topology_free(&cube); /* the set keeps it alive */
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_faults_add_node(faults, 5));
    assert_ok(cn_faults_add_link(faults, 6, 1));
    assert_ok(cn_faults_add_link(faults, 4, 1)); /* the same one */
    assert_int_equal(cn_faults_node_count(faults), 1);
    assert_int_equal(cn_faults_link_count(faults), 1);
    assert_true(cn_faults_has_node(faults, 5) && !cn_faults_has_node(faults, 4));
    assert_true(cn_faults_has_link(faults, 6, 1) && cn_faults_has_link(faults, 4, 1));
    assert_false(cn_faults_has_link(faults, 6, 0) || cn_faults_has_link(faults, 5, 0));
    assert_ok(cn_faults_copy(faults, &copy));
    assert_ok(cn_faults_remove_link(faults, 4, 1));
    assert_ok(cn_faults_remove_node(faults, 5));
    assert_ok(cn_faults_remove_node(faults, 5));
    assert_int_equal(cn_faults_node_count(faults) + cn_faults_link_count(faults), 0);
    assert_false(cn_faults_has_link(faults, 6, 1));
    assert_true(cn_faults_has_node(copy, 5) && cn_faults_has_link(copy, 6, 1));
    assert_ok(cn_faults_clear(copy));
    assert_false(cn_faults_has_node(copy, 5) || cn_faults_has_link(copy, 6, 1));
    assert_int_equal(cn_faults_node_count(copy) + cn_faults_link_count(copy), 0);
    cn_faults_free(&copy);
    cn_faults_free(&faults);
    assert_null(faults);
    cn_faults_free(&faults);
    cn_faults_free(NULL);
}

static void lists_are_in_order(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    uint64_t nodes[4];
    uint32_t ports[4];
    size_t count;
    damage_open(7, &cube, &faults);
    assert_ok(cn_faults_add_node(faults, 100));
    assert_ok(cn_faults_add_node(faults, 3));
    assert_ok(cn_faults_add_node(faults, 64));
    assert_ok(cn_faults_nodes(faults, nodes, 4, &count));
    assert_int_equal(count, 3);
    assert_true(nodes[0] == 3 && nodes[1] == 64 && nodes[2] == 100);
    assert_fails(cn_faults_nodes(faults, nodes, 2, &count), CN_ERR_CAPACITY, "capacity = 2");
    assert_int_equal(count, 3);
    assert_ok(cn_faults_add_link(faults, 127, 6)); /* 63 and 127 */
    assert_ok(cn_faults_add_link(faults, 5, 2));   /* 1 and 5 */
    assert_ok(cn_faults_add_link(faults, 1, 1));   /* 1 and 3 */
    assert_ok(cn_faults_links(faults, nodes, ports, 4, &count));
    assert_int_equal(count, 3);
    assert_true(nodes[0] == 1 && ports[0] == 1 && nodes[1] == 1 && ports[1] == 2);
    assert_true(nodes[2] == 63 && ports[2] == 6);
    assert_fails(cn_faults_links(faults, NULL, NULL, 0, &count), CN_ERR_CAPACITY, "capacity = 0");
    assert_int_equal(count, 3);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void one_way_links_fail_one_way(void **state)
{
    (void)state;
    cn_topology *ring;
    cn_faults *faults;
    uint64_t node;
    uint32_t port;
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &ring));
    assert_ok(cn_faults_new(ring, &faults));
    assert_ok(cn_faults_add_link(faults, 0, 0)); /* from 0 to 4 */
    assert_true(cn_faults_has_link(faults, 0, 0) && !cn_faults_has_link(faults, 4, 0));
    assert_ok(cn_faults_links(faults, &node, &port, 1, NULL));
    assert_true(node == 0 && port == 0);
    cn_faults_free(&faults);
    cn_topology_free(&ring);
}

static void a_subcube_fails(void **state)
{
    (void)state;
    cn_topology *cube, *torus;
    cn_faults *faults;
    damage_open(6, &cube, &faults);
    assert_ok(cn_faults_add_node(faults, 0));
    assert_ok(cn_faults_add_subcube(faults, 9, 38)); /* X01XX1 */
    for (uint64_t v = 0; v < 64; v++)
        assert_int_equal(cn_faults_has_node(faults, v), v == 0 || (v & 25) == 9);
    assert_fails(cn_faults_add_subcube(faults, 1, 3), CN_ERR_ARGUMENT, "value = 0x1");
    assert_fails(cn_faults_add_subcube(faults, 0, 64), CN_ERR_ARGUMENT, "any = 0x40");
    cn_faults_free(&faults);
    assert_ok(cn_topology_kary_ncube(4, 2, 1, &torus));
    assert_ok(cn_faults_new(torus, &faults));
    assert_fails(cn_faults_add_subcube(faults, 0, 1), CN_ERR_UNSUPPORTED, "kary_ncube");
    cn_faults_free(&faults);
    cn_topology_free(&torus);
    cn_topology_free(&cube);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube, *large, *star;
    cn_faults *faults;
    uint64_t edges[140];
    damage_open(3, &cube, &faults);
    assert_fails(cn_faults_add_node(faults, 8), CN_ERR_ARGUMENT, "node = 8");
    assert_fails(cn_faults_remove_node(faults, 8), CN_ERR_ARGUMENT, "node = 8");
    assert_fails(cn_faults_add_link(faults, 0, 3), CN_ERR_ARGUMENT, "port = 3");
    assert_fails(cn_faults_remove_link(faults, 0, 3), CN_ERR_ARGUMENT, "port = 3");
    assert_fails(cn_faults_add_node(NULL, 0), CN_ERR_ARGUMENT, "faults");
    assert_fails(cn_faults_clear(NULL), CN_ERR_ARGUMENT, "faults");
    assert_false(cn_faults_has_node(faults, 8) || cn_faults_has_node(NULL, 0));
    assert_false(cn_faults_has_link(faults, 8, 0) || cn_faults_has_link(faults, 0, 64));
    assert_int_equal(cn_faults_node_count(NULL) + cn_faults_link_count(NULL), 0);
    cn_faults_free(&faults);
    assert_fails(cn_faults_new(NULL, &faults), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_faults_new(cube, NULL), CN_ERR_ARGUMENT, "faults");
    assert_ok(cn_topology_hypercube(31, &large));
    assert_fails(cn_faults_new(large, &faults), CN_ERR_UNSUPPORTED, "2^30");
    for (uint64_t e = 0; e < 70; e++) {
        edges[2 * e] = 0;
        edges[2 * e + 1] = e + 1;
    }
    assert_ok(cn_topology_from_edges(71, edges, 70, NULL, &star));
    assert_ok(cn_faults_new(star, &faults));
    assert_ok(cn_faults_add_node(faults, 0));
    assert_fails(cn_faults_add_link(faults, 1, 0), CN_ERR_UNSUPPORTED, "70 ports");
    cn_faults_free(&faults);
    cn_topology_free(&star);
    cn_topology_free(&large);
    cn_topology_free(&cube);
}

static cn_status make_and_copy(void *context)
{
    cn_topology *cube = NULL;
    cn_faults *faults = NULL, *copy = NULL;
    (void)context;
    cn_status status = cn_topology_hypercube(4, &cube);
    if (status == CN_OK)
        status = cn_faults_new(cube, &faults);
    if (status == CN_OK)
        status = cn_faults_add_link(faults, 0, 1);
    if (status == CN_OK)
        status = cn_faults_copy(faults, &copy);
    if (status == CN_OK)
        status = cn_faults_add_around(faults, 0, 1);
    if (status == CN_OK)
        status = cn_faults_add_random_clusters(faults, 2, 1, 1);
    uint64_t hops;
    if (status == CN_OK)
        status = cn_faults_distance(copy, 0, 1, NULL, &hops);
    cn_faults_free(&copy);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    support_fail_every_allocation(make_and_copy, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_links_come_and_go),
        cmocka_unit_test(lists_are_in_order),
        cmocka_unit_test(a_subcube_fails),
        cmocka_unit_test(one_way_links_fail_one_way),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
