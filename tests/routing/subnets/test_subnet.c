#include "routing/damage.h"

static void chosen_nodes_are_disabled(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    unsigned char alive[16];
    const uint64_t disabled[] = {6, 11, 6, 2};
    int convex;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_chosen(faults, disabled, 4, &subnet));
    damage_read(faults, subnet, 4, alive);
    assert_int_equal(cn_subnet_survivor_count(subnet), 9);
    assert_int_equal(cn_subnet_disabled_count(subnet), 2);
    for (uint64_t v = 0; v < 16; v++)
        assert_int_equal(alive[v], !cn_faults_has_node(faults, v) && v != 6 && v != 11);
    assert_ok(cn_subnet_is_convex(subnet, &convex));
    assert_int_equal(convex, 1);
    cn_subnet_free(&subnet);
    assert_null(subnet);
    cn_subnet_free(&subnet);
    cn_subnet_free(NULL);
    const uint64_t beyond[] = {3, 16};
    assert_fails(cn_subnet_chosen(faults, beyond, 2, &subnet), CN_ERR_ARGUMENT, "= 16");
    assert_null(subnet);
    assert_fails(cn_subnet_chosen(faults, NULL, 2, &subnet), CN_ERR_ARGUMENT, "disabled");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void a_copy_lives_its_own_life(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet, *copy;
    unsigned char alive[16];
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    assert_ok(cn_subnet_copy(subnet, &copy));
    assert_ok(cn_subnet_update(subnet, CN_CHANGE_REPAIR_NODE, 7, 0,
                               NULL)); /* the caller's faults stay as they are */
    assert_int_equal(cn_faults_node_count(faults), 5);
    cn_topology_free(&cube);
    cn_subnet_free(&subnet);
    damage_read(faults, copy, 4, alive);
    assert_int_equal(cn_subnet_survivor_count(copy), 9);
    assert_ok(cn_subnet_update(copy, CN_CHANGE_FAIL_NODE, 15, 0, NULL));
    assert_true(cn_subnet_survivor_count(copy) < 9);
    cn_subnet_free(&copy);
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_IS_BAD, NULL, &subnet));
    assert_ok(cn_subnet_copy(subnet, &copy));
    assert_int_equal(cn_subnet_rounds(copy), 3);
    assert_int_equal(cn_subnet_messages(copy), 19);
    cn_subnet_free(&subnet);
    cn_subnet_free(&copy);
    cn_faults_free(&faults);
}

static void rebuilding_allocates_nothing(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *convex, *degraded;
    support_install_allocator(0);
    damage_open(8, &cube, &faults);
    assert_ok(cn_faults_add_link(faults, 0, 0));
    assert_ok(cn_subnet_convex(faults, NULL, &convex));
    assert_ok(cn_subnet_degraded(faults, 1, CN_LINK_DISABLES_END, NULL, &degraded));
    uint64_t before = support_allocations();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_ok(cn_faults_clear(faults));
        assert_ok(cn_faults_add_random_nodes(faults, seed, seed));
        assert_ok(cn_faults_add_random_links(faults, seed, seed));
        assert_ok(cn_subnet_rebuild(convex, faults, NULL));
        assert_ok(cn_subnet_rebuild(degraded, faults, NULL));
        assert_ok(cn_subnet_update(convex, CN_CHANGE_FAIL_LINK, 1, 1, NULL));
    }
    assert_int_equal(support_allocations(), before);
    cn_subnet_free(&convex);
    cn_subnet_free(&degraded);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
    assert_int_equal(support_blocks(), 0);
    support_remove_allocator();
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    cn_subnet *subnet;
    uint64_t nodes[16], word;
    size_t count;
    int flag;
    cn_node_state found;
    damage_figure_5_1(&cube, &faults);
    assert_ok(cn_subnet_convex(faults, NULL, &subnet));
    assert_fails(cn_subnet_survivors(subnet, nodes, 8, &count), CN_ERR_CAPACITY, "capacity = 8");
    assert_int_equal(count, 9);
    assert_fails(cn_subnet_survivors(subnet, NULL, 9, &count), CN_ERR_ARGUMENT, "nodes");
    assert_fails(cn_subnet_node_state(subnet, 16, &found), CN_ERR_ARGUMENT, "node = 16");
    assert_fails(cn_subnet_neighbor_status(subnet, 16, &word), CN_ERR_ARGUMENT, "node = 16");
    assert_fails(cn_subnet_is_safe(subnet, 16, &flag), CN_ERR_ARGUMENT, "node = 16");
    assert_fails(cn_subnet_is_safe(subnet, 6, &flag), CN_ERR_ARGUMENT, "node = 6");
    assert_fails(cn_subnet_is_convex(subnet, NULL), CN_ERR_ARGUMENT, "convex");
    assert_int_equal(cn_subnet_survivor_count(NULL) + cn_subnet_disabled_count(NULL), 0);
    assert_int_equal(cn_subnet_rounds(NULL) + cn_subnet_messages(NULL), 0);
    cn_subnet_free(&subnet);
    assert_fails(cn_subnet_copy(NULL, &subnet), CN_ERR_ARGUMENT, "subnet");
    assert_null(subnet);
    assert_fails(cn_subnet_convex(faults, NULL, NULL), CN_ERR_ARGUMENT, "subnet");
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_nodes_are_disabled),
        cmocka_unit_test(a_copy_lives_its_own_life),
        cmocka_unit_test(rebuilding_allocates_nothing),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
