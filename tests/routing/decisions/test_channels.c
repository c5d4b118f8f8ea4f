#include "support/support.h"

#include "routing/decisions/channels.h"

#include <string.h>

/* Radix 0 stands for the Boolean cube. */
static const struct {
    uint64_t k;
    uint32_t n;
    int bidirectional;
} networks[] = {{0, 1, 0}, {0, 4, 0}, {0, 7, 0}, {2, 3, 0}, {2, 3, 1}, {3, 3, 0},
                {3, 3, 1}, {4, 2, 0}, {4, 3, 1}, {5, 2, 0}, {5, 2, 1}, {6, 2, 1},
                {7, 2, 1}, {8, 2, 0}, {9, 1, 0}, {9, 1, 1}, {10, 1, 1}};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

static cn_topology *open_network(size_t i)
{
    cn_topology *network;
    if (networks[i].k == 0)
        assert_ok(cn_topology_hypercube(networks[i].n, &network));
    else
        assert_ok(cn_topology_kary_ncube(networks[i].k, networks[i].n, networks[i].bidirectional,
                                         &network));
    return network;
}

/* A channel is valid when the node behind it is nearer to the destination. Some pairs of nodes have
 * the same header: they must all say the same. */
static void valid_channels_come_closer(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *t = open_network(i);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t v = 0; v < nodes; v++)
            for (uint64_t destination = 0; destination < nodes; destination++) {
                uint64_t header, channels = 0, here, there, neighbor, expected = 0;
                assert_ok(cn_topology_header(t, v, destination, &header));
                assert_ok(cn_topology_distance(t, v, destination, NULL, &here));
                for (uint32_t p = 0; p < cn_topology_max_degree(t); p++) {
                    assert_ok(cn_topology_neighbor(t, v, p, &neighbor));
                    assert_ok(cn_topology_distance(t, neighbor, destination, NULL, &there));
                    expected |= (uint64_t)(there < here) << p;
                }
                assert_ok(cn_route_valid(t, header, &channels));
                assert_true(channels == expected);
                assert_true(cni_valid_channels(t, header) == expected);
            }
        cn_topology_free(&t);
    }
}

static void moving_gives_the_header_at_the_neighbor(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *t = open_network(i);
        uint64_t nodes = cn_topology_node_count(t);
        for (uint64_t v = 0; v < nodes; v++)
            for (uint64_t destination = 0; destination < nodes; destination += 1 + nodes / 20)
                for (uint32_t p = 0; p < cn_topology_max_degree(t); p++) {
                    uint64_t header, neighbor, expected, moved;
                    assert_ok(cn_topology_header(t, v, destination, &header));
                    assert_ok(cn_topology_neighbor(t, v, p, &neighbor));
                    assert_ok(cn_topology_header(t, neighbor, destination, &expected));
                    assert_ok(cn_route_move(t, header, p, &moved));
                    assert_int_equal(moved, expected);
                    assert_int_equal(cni_move_header(t, header, p), expected);
                }
        cn_topology_free(&t);
    }
}

/* Valid, and in a dimension with as many hops left as any. */
static void preferred_channels_have_the_most_hops_left(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *t = open_network(i);
        uint64_t k = networks[i].k == 0 ? 2 : networks[i].k;
        uint32_t n = networks[i].n;
        for (uint64_t header = 0; header < cn_topology_node_count(t); header++) {
            uint64_t left[8], most = 0, rest = header, valid, preferred, expected = 0;
            for (uint32_t d = 0; d < n; d++, rest /= k) {
                left[d] = rest % k;
                if (networks[i].bidirectional && k - left[d] < left[d])
                    left[d] = k - left[d];
                most = left[d] > most ? left[d] : most;
            }
            assert_ok(cn_route_valid(t, header, &valid));
            for (uint32_t p = 0; p < cn_topology_max_degree(t); p++)
                if ((valid >> p & 1) != 0 && left[p % n] == most)
                    expected |= UINT64_C(1) << p;
            assert_ok(cn_route_preferred(t, header, &preferred));
            assert_true(preferred == expected);
            assert_true((preferred == 0) == (header == 0));
            if (k == 2)
                assert_true(preferred == header);
        }
        cn_topology_free(&t);
    }
}

/* Horng 1992, 4.2: a forward lowers the digit by one, a deflection turns 0 into k-1. */
static void deflection_goes_around_the_ring(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t header, channels;
    assert_ok(cn_topology_kary_ncube(8, 2, 0, &t));
    assert_ok(cn_route_valid(t, 050, &channels));
    assert_int_equal(channels, 2);
    assert_ok(cn_route_move(t, 050, 1, &header));
    assert_int_equal(header, 040);
    assert_ok(cn_route_move(t, 050, 0, &header));
    assert_int_equal(header, 057);
    assert_ok(cn_route_preferred(t, 057, &channels));
    assert_int_equal(channels, 1);
    assert_ok(cn_route_valid(t, 057, &channels));
    assert_int_equal(channels, 3);
    cn_topology_free(&t);
}

static void greatest_networks_work(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t channels, header, last = (UINT64_C(1) << 62) - 1;
    assert_ok(cn_topology_hypercube(62, &t));
    assert_ok(cn_route_valid(t, last, &channels));
    assert_true(channels == last);
    assert_ok(cn_route_preferred(t, last - 1, &channels));
    assert_true(channels == last - 1);
    assert_ok(cn_route_move(t, last, 61, &header));
    assert_true(header == last >> 1);
    cn_topology_free(&t);
    /* 64 ports: the last bit of the word */
    assert_ok(cn_topology_kary_ncube(3, 32, 1, &t));
    assert_ok(cn_route_valid(t, cn_topology_node_count(t) - 1, &channels)); /* all digits 2: up */
    assert_true(channels == UINT64_C(0xffffffff00000000));
    assert_ok(cn_route_preferred(t, cn_topology_node_count(t) - 1, &channels));
    assert_true(channels == UINT64_C(0xffffffff00000000));
    assert_ok(cn_route_move(t, 0, 63, &header)); /* up from 0: one down is left */
    assert_true(header == cn_topology_node_count(t) / 3);
    cn_topology_free(&t);
}

static void other_networks_are_not_supported(void **state)
{
    (void)state;
    static const uint64_t edges[] = {0, 1};
    cn_topology *t;
    uint64_t word = 17;
    assert_ok(cn_topology_from_edges(2, edges, 1, NULL, &t));
    assert_fails(cn_route_valid(t, 0, &word), CN_ERR_UNSUPPORTED, "nor a k-ary n-cube");
    assert_fails(cn_route_preferred(t, 0, &word), CN_ERR_UNSUPPORTED, "nor a k-ary n-cube");
    assert_fails(cn_route_move(t, 0, 0, &word), CN_ERR_UNSUPPORTED, "nor a k-ary n-cube");
    cn_topology_free(&t);
    assert_ok(cn_topology_kary_ncube(3, 33, 1, &t)); /* 66 ports */
    assert_fails(cn_route_valid(t, 0, &word), CN_ERR_UNSUPPORTED, "66 ports");
    assert_fails(cn_route_preferred(t, 0, &word), CN_ERR_UNSUPPORTED, "66 ports");
    assert_fails(cn_route_move(t, 0, 0, &word), CN_ERR_UNSUPPORTED, "66 ports");
    cn_topology_free(&t);
    assert_ok(cn_topology_kary_ncube(3, 33, 0, &t)); /* 33 ports */
    assert_ok(cn_route_valid(t, 1, &word));
    assert_int_equal(word, 1);
    cn_topology_free(&t);
}

static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t word = 17;
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
    assert_fails(cn_route_valid(t, 25, &word), CN_ERR_ARGUMENT, "header = 25");
    assert_fails(cn_route_preferred(t, 25, &word), CN_ERR_ARGUMENT, "header = 25");
    assert_fails(cn_route_move(t, 25, 0, &word), CN_ERR_ARGUMENT, "header = 25");
    assert_fails(cn_route_move(t, 3, 4, &word), CN_ERR_ARGUMENT, "port = 4");
    assert_fails(cn_route_move(t, 3, CN_NO_PORT, &word), CN_ERR_ARGUMENT, "4294967295");
    assert_int_equal(word, 17);
    assert_fails(cn_route_valid(NULL, 1, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_route_valid(t, 1, NULL), CN_ERR_ARGUMENT, "channels");
    assert_fails(cn_route_preferred(NULL, 1, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_route_preferred(t, 1, NULL), CN_ERR_ARGUMENT, "channels");
    assert_fails(cn_route_move(NULL, 1, 0, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_route_move(t, 1, 0, NULL), CN_ERR_ARGUMENT, "next_header");
    cn_topology_free(&t);
}

static void bits_are_selected_by_rank(void **state)
{
    (void)state;
    assert_int_equal(cni_select_bit(1, 0), 0);
    assert_int_equal(cni_select_bit(UINT64_C(1) << 63, 0), 63);
    assert_int_equal(cni_select_bit(UINT64_MAX, 63), 63);
    for (uint64_t word = 1; word < 1024; word++) {
        uint32_t rank = 0;
        for (uint32_t bit = 0; bit < 10; bit++)
            if ((word >> bit & 1) != 0)
                assert_int_equal(cni_select_bit(word, rank++), bit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_channels_come_closer),
        cmocka_unit_test(moving_gives_the_header_at_the_neighbor),
        cmocka_unit_test(preferred_channels_have_the_most_hops_left),
        cmocka_unit_test(deflection_goes_around_the_ring),
        cmocka_unit_test(greatest_networks_work),
        cmocka_unit_test(other_networks_are_not_supported),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(bits_are_selected_by_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
