#include "routing/damage.h"

/* The pure rule, with the table of the node, decides as the hierarchy does. */
static void decides_as_the_hierarchy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *h;
        damage_open(6, &cube, &faults);
        assert_ok(cn_faults_add_random_nodes(faults, 4 * seed, seed));
        assert_ok(cn_faults_add_random_links(faults, seed, seed));
        assert_ok(cn_hierarchy_new(faults, NULL, &h));
        assert_ok(cn_hierarchy_make_tables(h, NULL));
        for (uint64_t v = 0; v < 64; v++) {
            uint64_t values[64], anys[64], table[64], hops[64], status;
            size_t count;
            if (cn_faults_has_node(faults, v))
                continue;
            assert_ok(cn_hierarchy_table(h, v, values, anys, table, hops, 64, &count));
            assert_ok(cn_hierarchy_neighbor_status(h, v, &status));
            for (uint64_t w = 0; w < 64; w++)
                for (int rule = 0; rule < 3; rule++) {
                    uint64_t expected = 0, channels = 0;
                    if (cn_faults_has_node(faults, w))
                        continue;
                    assert_int_equal(cn_hierarchy_next_hops(h, v, w, (cn_tie_rule)rule, &expected),
                                     cn_route_two_level(v, w, status, values, anys, table, count,
                                                        (cn_tie_rule)rule, &channels));
                    assert_true(channels == expected);
                }
        }
        cn_hierarchy_free(&h);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
}

static void ties_are_broken(void **state)
{
    (void)state;
    /* at 0000 in 0XXX, to 1XXX: channels 0 and 3 are equally good; bit 3 and bit 1 are to be changed */
    const uint64_t values[] = {0, 8}, anys[] = {7, 7}, table[] = {0, 9};
    uint64_t channels = 77;
    assert_ok(cn_route_two_level(0, 10, 15, values, anys, table, 2, CN_TIE_HEADER, &channels));
    assert_int_equal(channels, 8);
    assert_ok(cn_route_two_level(0, 10, 15, values, anys, table, 2, CN_TIE_ANY, &channels));
    assert_int_equal(channels, 9);
    assert_ok(cn_route_two_level(0, 10, 15, values, anys, table, 2, CN_TIE_LOWEST, &channels));
    assert_int_equal(channels, 1);
    /* none is in the header: any */
    assert_ok(cn_route_two_level(0, 10, 1, values, anys, table, 2, CN_TIE_HEADER, &channels));
    assert_int_equal(channels, 1);
    /* inside the cluster: the optimal-path rule */
    assert_ok(cn_route_two_level(0, 6, 13, values, anys, table, 2, CN_TIE_HEADER, &channels));
    assert_int_equal(channels, 4);
    assert_int_equal(cn_route_two_level(5, 5, 15, values, anys, table, 2, CN_TIE_ANY, &channels),
                     CN_DONE);
    channels = 77;
    assert_fails(cn_route_two_level(0, 10, 6, values, anys, table, 2, CN_TIE_ANY, &channels),
                 CN_ERR_DISCONNECTED, "destination = 10");
    assert_fails(cn_route_two_level(0, 16, 15, values, anys, table, 2, CN_TIE_ANY, &channels),
                 CN_ERR_DISCONNECTED, "no entry");
    assert_fails(cn_route_two_level(0, 1, 15, NULL, NULL, NULL, 0, CN_TIE_ANY, &channels),
                 CN_ERR_DISCONNECTED, "no entry");
    assert_fails(cn_route_two_level(0, 6, 9, values, anys, table, 2, CN_TIE_ANY, &channels),
                 CN_ERR_DISCONNECTED, "neighbor_status = 0x9");
    assert_fails(cn_route_two_level(0, 6, 9, values, anys, table, 2, (cn_tie_rule)7, &channels),
                 CN_ERR_ARGUMENT, "tie_rule = 7");
    assert_fails(cn_route_two_level(0, 6, 9, values, NULL, table, 2, CN_TIE_ANY, &channels),
                 CN_ERR_ARGUMENT, "anys");
    assert_int_equal(channels, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_as_the_hierarchy),
        cmocka_unit_test(ties_are_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
