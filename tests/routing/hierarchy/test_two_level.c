#include "routing/damage.h"

static uint64_t lowest(uint64_t word)
{
    return word & (0 - word);
}

/* The pure rule, with the table of the node, decides as the routing does, and the other rules for
 * ties differ from it as they say. */
static void decides_as_the_routing(void **state)
{
    (void)state;
    uint64_t pairs = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cn_topology *cube;
        cn_faults *faults;
        cn_hierarchy *h;
        cn_routing *routing;
        damage_open(6, &cube, &faults);
        assert_ok(cn_faults_add_random_nodes(faults, 4 * seed, seed));
        assert_ok(cn_faults_add_random_links(faults, seed, seed));
        assert_ok(cn_hierarchy_new(faults, NULL, &h));
        assert_ok(cn_hierarchy_make_tables(h, NULL));
        cn_status made = cn_routing_two_level(h, NULL, &routing);
        assert_true(made == CN_OK || made == CN_ERR_DISCONNECTED);
        for (uint64_t v = 0; v < 64; v++) {
            uint64_t values[64], anys[64], table[64], hops[64], status;
            size_t count;
            if (made != CN_OK || cn_faults_has_node(faults, v))
                continue;
            assert_ok(cn_hierarchy_table(h, v, values, anys, table, hops, 64, &count));
            assert_ok(cn_hierarchy_neighbor_status(h, v, &status));
            for (uint64_t w = 0; w < 64; w++) {
                uint64_t by[3] = {0}, expected, header = v ^ w;
                uint32_t here, there;
                if (v == w || cn_faults_has_node(faults, w))
                    continue;
                assert_ok(cn_hierarchy_cluster_of(h, v, &here));
                assert_ok(cn_hierarchy_cluster_of(h, w, &there));
                for (int rule = 0; rule < 3; rule++)
                    assert_ok(cn_route_two_level(v, w, status, values, anys, table, count,
                                                 (cn_tie_rule)rule, &by[rule]));
                assert_ok(cn_routing_channels(routing, v, w, &expected));
                assert_true(by[CN_TIE_HEADER] == expected);
                assert_true(by[CN_TIE_ANY] == (here == there ? header & status : table[there]));
                assert_true(expected == ((by[CN_TIE_ANY] & header) != 0 ? by[CN_TIE_ANY] & header
                                                                        : by[CN_TIE_ANY]));
                assert_true(by[CN_TIE_LOWEST] ==
                            (here == there ? by[CN_TIE_ANY] : lowest(by[CN_TIE_ANY])));
                pairs++;
            }
        }
        cn_routing_free(&routing);
        cn_hierarchy_free(&h);
        cn_faults_free(&faults);
        cn_topology_free(&cube);
    }
    assert_true(pairs > 5000);
}

static void ties_are_broken(void **state)
{
    (void)state;
    /* at 0000 in 0XXX, to 1XXX: channels 0 and 3 are equally good; bit 3 and bit 1 are to be
     * changed */
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
        cmocka_unit_test(decides_as_the_routing),
        cmocka_unit_test(ties_are_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
