#include "support/support.h"

#include <string.h>

/* The networks of these tests: the cube for k = 0. */
static const struct {
    uint64_t k;
    uint32_t n;
    int bidirectional;
} networks[] = {{0, 1, 0},  {0, 5, 0},  {2, 4, 0},  {3, 3, 0}, {3, 3, 1},
                {10, 2, 1}, {11, 2, 0}, {16, 2, 1}, {5, 1, 0}, {100, 1, 1}};
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

static cn_topology *open_path(void)
{
    static const uint64_t edges[] = {0, 1, 1, 2};
    cn_topology *path;
    assert_ok(cn_topology_from_edges(3, edges, 2, NULL, &path));
    return path;
}

static void digits_are_those_of_the_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *network = open_network(i);
        uint64_t k = networks[i].k == 0 ? 2 : networks[i].k, radix, digits[8], node;
        uint32_t n = networks[i].n;
        assert_int_equal(cn_topology_dimensions(network), n);
        for (uint32_t d = 0; d < n; d++) {
            assert_ok(cn_topology_radix(network, d, &radix));
            assert_int_equal(radix, k);
        }
        for (uint64_t v = 0; v < cn_topology_node_count(network); v++) {
            digits[n] = 77;
            assert_ok(cn_topology_digits(network, v, digits, n, NULL));
            uint64_t rest = v;
            for (uint32_t d = 0; d < n; d++, rest /= k)
                assert_int_equal(digits[d], rest % k);
            assert_int_equal(digits[n], 77);
            assert_ok(cn_topology_node_at(network, digits, n, &node));
            assert_int_equal(node, v);
        }
        cn_topology_free(&network);
    }
}

static void text_comes_back_as_the_node(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *network = open_network(i);
        for (uint64_t v = 0; v < cn_topology_node_count(network); v++) {
            char text[64];
            size_t length = 0;
            uint64_t node;
            assert_ok(cn_topology_address_text(network, v, text, sizeof text, &length));
            assert_int_equal(length, strlen(text));
            assert_ok(cn_topology_parse_address(network, text, &node));
            assert_int_equal(node, v);
        }
        cn_topology_free(&network);
    }
}

static void assert_text(cn_topology *network, uint64_t node, const char *expected)
{
    char text[128];
    uint64_t again;
    assert_ok(cn_topology_address_text(network, node, text, sizeof text, NULL));
    assert_string_equal(text, expected);
    assert_ok(cn_topology_parse_address(network, expected, &again));
    assert_true(again == node);
}

static void text_has_the_most_significant_digit_first(void **state)
{
    (void)state;
    cn_topology *network;
    assert_ok(cn_topology_hypercube(6, &network));
    assert_text(network, 11, "001011");
    cn_topology_free(&network);
    assert_ok(cn_topology_kary_ncube(5, 3, 0, &network));
    assert_text(network, 3 * 25 + 4 * 5 + 2, "342");
    cn_topology_free(&network);
    assert_ok(cn_topology_kary_ncube(10, 3, 0, &network));
    assert_text(network, 907, "907");
    cn_topology_free(&network);
    assert_ok(cn_topology_kary_ncube(16, 3, 1, &network));
    assert_text(network, 15 * 256 + 7, "15.0.7");
    cn_topology_free(&network);
    network = open_path();
    assert_text(network, 2, "2");
    cn_topology_free(&network);
}

static void text_of_the_greatest_networks(void **state)
{
    (void)state;
    cn_topology *network;
    uint64_t top = UINT64_C(1) << 62, digits[62], node;
    char ones[63], zeros[63];
    memset(ones, '1', 62);
    memset(zeros, '0', 62);
    ones[62] = zeros[62] = '\0';
    assert_ok(cn_topology_hypercube(62, &network));
    assert_text(network, top - 1, ones);
    assert_text(network, 0, zeros);
    zeros[0] = '1';
    assert_text(network, top / 2, zeros);
    cn_topology_free(&network);

    assert_ok(cn_topology_kary_ncube(top, 1, 1, &network));
    assert_text(network, top - 1, "4611686018427387903");
    assert_text(network, 0, "0");
    assert_ok(cn_topology_header(network, 0, 1, &node));
    assert_true(node == top - 1);
    cn_topology_free(&network);

    assert_ok(cn_topology_kary_ncube(UINT64_C(1) << 31, 2, 0, &network));
    assert_text(network, top - 1, "2147483647.2147483647");
    assert_text(network, top / 2, "1073741824.0");
    cn_topology_free(&network);

    assert_ok(cn_topology_kary_ncube(3, 39, 0, &network));
    uint64_t last = cn_topology_node_count(network) - 1;
    memset(ones, '2', 39);
    ones[39] = '\0';
    assert_text(network, last, ones);
    assert_ok(cn_topology_digits(network, last, digits, 62, NULL));
    for (int d = 0; d < 39; d++)
        assert_int_equal(digits[d], 2);
    assert_ok(cn_topology_node_at(network, digits, 39, &node));
    assert_true(node == last);
    cn_topology_free(&network);
}

static void malformed_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint64_t k; /* 0: the 3-cube, 1: the path of three nodes, else the k-ary 3-cube */
        const char *text;
    } rows[] = {
        {0, ""},
        {0, "0"},
        {0, "01"},
        {0, "0110"},
        {0, "012"},
        {0, "0X1"},
        {0, " 01"},
        {0, "01 "},
        {0, "-01"},
        {0, "+01"},
        {0, "0.1.1"},
        {0, "01\n"},
        {5, "345"},
        {5, "34"},
        {5, "3421"},
        {5, "3.4.2"},
        {5, "a42"},
        {16, ""},
        {16, "15.0"},
        {16, "15.0.7.1"},
        {16, "16.0.7"},
        {16, "15..7"},
        {16, ".15.7"},
        {16, "15.7."},
        {16, "15.0.7."},
        {16, "15.0. 7"},
        {16, "15.0.-7"},
        {16, "15.0.+7"},
        {16, "15,0,7"},
        {16, "1507"},
        {16, "15.0.0x7"},
        {16, "15.0.f"},
        {16, " 15.0.7"},
        {16, "15.0.7 "},
        {16, "15.0.07"},
        {16, "15.00.7"},
        {16, "..."},
        {16, "18446744073709551616.0.0"},
        {16, "0.0.18446744073709551623"},
        {1, ""},
        {1, "3"},
        {1, "-1"},
        {1, "+1"},
        {1, "01"},
        {1, "00"},
        {1, " 1"},
        {1, "1 "},
        {1, "one"},
        {1, "1.0"},
        {1, "0x1"},
        {1, "1e0"},
        {1, "18446744073709551616"},
        {1, "18446744073709551617"},
        {1, "99999999999999999999999999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_topology *network;
        uint64_t node = 17;
        if (rows[i].k == 1)
            network = open_path();
        else if (rows[i].k == 0)
            assert_ok(cn_topology_hypercube(3, &network));
        else
            assert_ok(cn_topology_kary_ncube(rows[i].k, 3, 0, &network));
        assert_fails(cn_topology_parse_address(network, rows[i].text, &node), CN_ERR_ARGUMENT,
                     quoted(rows[i].text));
        assert_int_equal(node, 17);
        cn_topology_free(&network);
    }
}

static void header_is_what_is_left_to_travel(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        cn_topology *network = open_network(i);
        uint64_t k = networks[i].k == 0 ? 2 : networks[i].k,
                 count = cn_topology_node_count(network);
        for (uint64_t v = 0; v < count; v++)
            for (uint64_t u = 0; u < count; u++) {
                uint64_t header, expected = 0, stride = 1;
                for (uint32_t d = 0; d < networks[i].n; d++, stride *= k)
                    expected += (v / stride % k + k - u / stride % k) % k * stride;
                assert_ok(cn_topology_header(network, v, u, &header));
                assert_int_equal(header, expected);
                if (k == 2)
                    assert_int_equal(header, v ^ u);
                assert_true((header == 0) == (v == u));
            }
        cn_topology_free(&network);
    }
}

static void networks_without_dimensions_have_no_digits(void **state)
{
    (void)state;
    cn_topology *path = open_path();
    uint64_t word = 17, digits[4] = {0};
    assert_int_equal(cn_topology_dimensions(path), 0);
    assert_fails(cn_topology_radix(path, 0, &word), CN_ERR_ARGUMENT, "dimension = 0");
    assert_fails(cn_topology_digits(path, 0, digits, 4, NULL), CN_ERR_UNSUPPORTED, "no dimensions");
    assert_fails(cn_topology_node_at(path, digits, 0, &word), CN_ERR_UNSUPPORTED, "no dimensions");
    assert_fails(cn_topology_header(path, 0, 1, &word), CN_ERR_UNSUPPORTED, "no dimensions");
    assert_int_equal(word, 17);
    cn_topology_free(&path);
}

static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    cn_topology *network;
    uint64_t digits[4] = {1, 2, 3, 4}, word = 17;
    char text[16] = "before";
    size_t length = 17;
    assert_ok(cn_topology_kary_ncube(5, 3, 0, &network));
    assert_fails(cn_topology_radix(network, 3, &word), CN_ERR_ARGUMENT, "dimension = 3");
    assert_fails(cn_topology_radix(network, UINT32_MAX, &word), CN_ERR_ARGUMENT, "4294967295");
    assert_fails(cn_topology_digits(network, 125, digits, 4, NULL), CN_ERR_ARGUMENT, "node = 125");
    assert_fails(cn_topology_digits(network, 124, digits, 2, NULL), CN_ERR_CAPACITY,
                 "3 dimensions");
    assert_fails(cn_topology_node_at(network, digits, 2, &word), CN_ERR_ARGUMENT, "count = 2");
    assert_fails(cn_topology_node_at(network, digits, 4, &word), CN_ERR_ARGUMENT, "count = 4");
    digits[1] = 5;
    assert_fails(cn_topology_node_at(network, digits, 3, &word), CN_ERR_ARGUMENT, "digits[1] = 5");
    digits[1] = UINT64_MAX;
    assert_fails(cn_topology_node_at(network, digits, 3, &word), CN_ERR_ARGUMENT,
                 "18446744073709551615");
    assert_fails(cn_topology_address_text(network, 125, text, 16, &length), CN_ERR_ARGUMENT,
                 "node = 125");
    assert_fails(cn_topology_header(network, 125, 0, &word), CN_ERR_ARGUMENT, "node = 125");
    assert_fails(cn_topology_header(network, 0, 125, &word), CN_ERR_ARGUMENT, "destination = 125");
    assert_int_equal(word, 17);
    assert_int_equal(length, 17);
    assert_string_equal(text, "before");
    cn_topology_free(&network);
}

static void null_is_refused(void **state)
{
    (void)state;
    cn_topology *network;
    uint64_t digits[3], word;
    char text[16];
    assert_ok(cn_topology_hypercube(3, &network));
    assert_int_equal(cn_topology_dimensions(NULL), 0);
    assert_fails(cn_topology_radix(NULL, 0, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_radix(network, 0, NULL), CN_ERR_ARGUMENT, "radix");
    assert_fails(cn_topology_digits(NULL, 0, digits, 3, NULL), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_digits(network, 0, NULL, 3, NULL), CN_ERR_ARGUMENT, "digits");
    assert_fails(cn_topology_node_at(NULL, digits, 3, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_node_at(network, NULL, 3, &word), CN_ERR_ARGUMENT, "digits");
    assert_fails(cn_topology_node_at(network, digits, 3, NULL), CN_ERR_ARGUMENT, "node");
    assert_fails(cn_topology_address_text(NULL, 0, text, 16, NULL), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_address_text(network, 0, NULL, 16, NULL), CN_ERR_ARGUMENT, "text");
    assert_fails(cn_topology_parse_address(NULL, "000", &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_parse_address(network, NULL, &word), CN_ERR_ARGUMENT, "text");
    assert_fails(cn_topology_parse_address(network, "000", NULL), CN_ERR_ARGUMENT, "node");
    assert_fails(cn_topology_header(NULL, 0, 0, &word), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_topology_header(network, 0, 0, NULL), CN_ERR_ARGUMENT, "header");
    cn_topology_free(&network);
}

static void room_that_is_too_small_gives_the_length(void **state)
{
    (void)state;
    cn_topology *network;
    char text[32];
    assert_ok(cn_topology_kary_ncube(16, 3, 0, &network));
    for (size_t capacity = 0; capacity <= 8; capacity++) {
        size_t length = 0;
        memset(text, '#', sizeof text);
        if (capacity <= 6) {
            assert_fails(cn_topology_address_text(network, 15 * 256 + 7,
                                                  capacity == 0 ? NULL : text, capacity, &length),
                         CN_ERR_CAPACITY, "needs 7");
        } else {
            assert_ok(cn_topology_address_text(network, 15 * 256 + 7, text, capacity, &length));
            assert_string_equal(text, "15.0.7");
        }
        assert_int_equal(length, 6);
        for (size_t i = capacity; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
    cn_topology_free(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_those_of_the_number),
        cmocka_unit_test(text_comes_back_as_the_node),
        cmocka_unit_test(text_has_the_most_significant_digit_first),
        cmocka_unit_test(text_of_the_greatest_networks),
        cmocka_unit_test(malformed_text_is_refused),
        cmocka_unit_test(header_is_what_is_left_to_travel),
        cmocka_unit_test(networks_without_dimensions_have_no_digits),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(room_that_is_too_small_gives_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
