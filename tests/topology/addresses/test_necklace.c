/* Rotations and necklaces against the letter of their definition and against the printed tables. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "support/literal_necklaces.h"

static cn_topology *build(const literal_network *net)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(net->k, net->n, &t));
    return t;
}

static void every_node_agrees_with_the_definition(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        uint64_t nodes = literal_nodes(net), length = net->n * (net->k - 1);
        for (uint64_t v = 0; v < nodes; v++) {
            uint64_t rotated, back, period, displacement, generator;
            assert_ok(cn_necklace_rotate(t, v, &rotated));
            assert_int_equal(rotated, literal_rotate(net, v));
            assert_ok(cn_necklace_rotate_back(t, rotated, &back));
            assert_int_equal(back, v);
            assert_ok(cn_necklace_period(t, v, &period));
            assert_int_equal(period, literal_period(net, v));
            assert_int_equal(length % period, 0);
            assert_ok(cn_necklace_displacement(t, v, &displacement));
            assert_int_equal(displacement, literal_displacement(net, v));
            assert_ok(cn_necklace_generator(t, v, &generator));
            assert_int_equal(generator, literal_generator(net, v));
            /* what the trees rely on */
            if (v != 0) {
                assert_int_equal(literal_digit(net, generator, 0), net->k - 1);
                assert_int_not_equal(literal_digit(net, v, (uint32_t)(displacement % net->n)), 0);
            }
        }
        cn_topology_free(&t);
    }
}

static void element_j_has_displacement_j_and_rotates_into_element_j_minus_1(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        uint64_t length = net->n * (net->k - 1), nodes[64];
        for (uint64_t v = 0; v < literal_nodes(net); v++) {
            size_t count;
            uint64_t period;
            assert_ok(cn_necklace_unfolded(t, v, nodes, 64, &count));
            assert_int_equal(count, length);
            assert_int_equal(nodes[0], literal_generator(net, v));
            assert_ok(cn_necklace_period(t, v, &period));
            for (uint64_t j = 0; j < length; j++) {
                uint64_t displacement;
                assert_ok(cn_necklace_displacement(t, nodes[j], &displacement));
                assert_int_equal(displacement, j % period);
                assert_int_equal(literal_rotate(net, nodes[(j + 1) % length]), nodes[j]);
            }
        }
        cn_topology_free(&t);
    }
}

static void the_papers_examples(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t v;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    static const char *const FROM_TO[][2] = {{"342", "424"}, {"023", "230"}};
    for (int i = 0; i < 2; i++) {
        char text[8];
        assert_ok(cn_topology_parse_address(t, FROM_TO[i][0], &v));
        assert_ok(cn_necklace_rotate(t, v, &v));
        assert_ok(cn_topology_address_text(t, v, text, sizeof text, NULL));
        assert_string_equal(text, FROM_TO[i][1]);
    }
    cn_topology_free(&t);

    /* section 5.2.2: the necklace of 1010100 in GH(7,2) */
    static const char *const NECKLACE[] = {"1010100", "0101010", "0010101", "1001010",
                                           "0100101", "1010010", "0101001"};
    assert_ok(cn_topology_generalized_hypercube(2, 7, &t));
    assert_ok(cn_topology_parse_address(t, NECKLACE[0], &v));
    uint64_t nodes[7];
    assert_ok(cn_necklace_unfolded(t, v, nodes, 7, NULL));
    for (uint64_t j = 0; j < 7; j++) {
        uint64_t expected;
        assert_ok(cn_topology_parse_address(t, NECKLACE[j], &expected));
        assert_int_equal(nodes[j], expected);
    }
    cn_topology_free(&t);
}

/* Table 2, row by row in the printed order. GH(3,4), d = 0 is printed with ten entries; an unfolded
 * necklace has 3 (4-1) = 9. */
static const char *const TABLE_2_GH33[] = {
    "[000, 000, 000, 000, 000, 000]", "[200, 020, 002, 100, 010, 001]",
    "[220, 022, 102, 110, 011, 201]", "[210, 021, 202, 120, 012, 101]",
    "[222, 122, 112, 111, 211, 221]", "[212, 121, 212, 121, 212, 121]",
};
static const char *const TABLE_2_GH34[] = {
    "[000, 000, 000, 000, 000, 000, 000, 000, 000]",
    "[300, 030, 003, 200, 020, 002, 100, 010, 001]",
    "[330, 033, 203, 220, 022, 102, 110, 011, 301]",
    "[310, 031, 303, 230, 023, 202, 120, 012, 101]",
    "[320, 032, 103, 210, 021, 302, 130, 013, 201]",
    "[333, 233, 223, 222, 122, 112, 111, 311, 331]",
    "[332, 133, 213, 221, 322, 132, 113, 211, 321]",
    "[323, 232, 123, 212, 121, 312, 131, 313, 231]",
};

static void check_table_2(uint64_t k, const char *const rows[], int row_count)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(k, 3, &t));
    int row = 0;
    for (uint64_t distance = 0; distance <= 3; distance++) {
        uint64_t generator;
        assert_ok(cn_necklace_first(t, distance, &generator));
        cn_status status = CN_OK;
        while (status == CN_OK) {
            uint64_t nodes[9];
            size_t count;
            char text[64] = "[";
            assert_ok(cn_necklace_unfolded(t, generator, nodes, 9, &count));
            for (size_t j = 0; j < count; j++) {
                char address[8];
                assert_ok(cn_topology_address_text(t, nodes[j], address, sizeof address, NULL));
                strcat(text, address);
                strcat(text, j + 1 < count ? ", " : "]");
            }
            assert_true(row < row_count);
            assert_string_equal(text, rows[row]);
            row++;
            status = cn_necklace_next(t, generator, &generator);
        }
        assert_int_equal(status, CN_DONE);
    }
    assert_int_equal(row, row_count);
    cn_topology_free(&t);
}

static void table_2_as_printed(void **state)
{
    (void)state;
    check_table_2(3, TABLE_2_GH33, 6);
    check_table_2(4, TABLE_2_GH34, 8);
}

static void large_networks_need_no_memory(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t v, generator, displacement, period, element, unfolded[140];
    assert_ok(cn_topology_generalized_hypercube(8, 20, &t));
    /* generator 7 3 0...0 5 0, displaced by 2 turns and 7 digits */
    assert_ok(cn_topology_parse_address(t, "73000000000000000050", &v));
    assert_ok(cn_necklace_generator(t, v, &generator));
    assert_int_equal(generator, v);
    assert_ok(cn_necklace_unfolded(t, v, unfolded, 140, NULL));
    element = unfolded[2 * 20 + 7];
    char text[32];
    assert_ok(cn_topology_address_text(t, element, text, sizeof text, NULL));
    /* 7 digits to the right: "...0050" comes around; each digit two turns back, the seven that came
     * around three: 5 -> 2, 7 -> 5, 3 -> 1 */
    assert_string_equal(text, "00000205100000000000");
    assert_ok(cn_necklace_displacement(t, element, &displacement));
    assert_int_equal(displacement, 47);
    assert_ok(cn_necklace_period(t, element, &period));
    assert_int_equal(period, 140);
    /* a step by one digit adds 0 or 1: all digits equal is a full necklace */
    uint64_t all = 0;
    for (int i = 0; i < 20; i++)
        all = 8 * all + 7;
    assert_ok(cn_necklace_period(t, all, &period));
    assert_int_equal(period, 140);
    cn_topology_free(&t);

    assert_ok(cn_topology_generalized_hypercube(2, 62, &t));
    uint64_t alternating = 0;
    for (int i = 0; i < 31; i++)
        alternating = 4 * alternating + 1;
    assert_ok(cn_necklace_period(t, alternating, &period));
    assert_int_equal(period, 2);
    assert_ok(cn_necklace_displacement(t, alternating, &displacement));
    assert_int_equal(displacement, 1);
    assert_ok(cn_necklace_period(t, 0, &period));
    assert_int_equal(period, 1);
    assert_ok(cn_necklace_displacement(t, 1, &displacement));
    assert_int_equal(displacement, 61);
    cn_topology_free(&t);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    cn_topology *t, *mixed, *ring;
    uint64_t out, nodes[12];
    size_t count = 0;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    assert_fails(cn_necklace_rotate(t, 125, &out), CN_ERR_ARGUMENT, "node = 125");
    assert_fails(cn_necklace_rotate_back(t, 125, &out), CN_ERR_ARGUMENT, "node = 125");
    assert_fails(cn_necklace_period(t, 125, &out), CN_ERR_ARGUMENT, "0 to 124");
    assert_fails(cn_necklace_displacement(t, 125, &out), CN_ERR_ARGUMENT, "0 to 124");
    assert_fails(cn_necklace_generator(t, 125, &out), CN_ERR_ARGUMENT, "0 to 124");
    assert_fails(cn_necklace_unfolded(t, 7, nodes, 11, &count), CN_ERR_CAPACITY, "12 elements");
    assert_int_equal(count, 12);
    assert_fails(cn_necklace_unfolded(t, 7, NULL, 12, &count), CN_ERR_ARGUMENT, "nodes");
    assert_fails(cn_necklace_rotate(NULL, 7, &out), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_necklace_rotate(t, 7, NULL), CN_ERR_ARGUMENT, "rotated");
    assert_fails(cn_necklace_rotate_back(t, 7, NULL), CN_ERR_ARGUMENT, "rotated");
    assert_fails(cn_necklace_period(t, 7, NULL), CN_ERR_ARGUMENT, "period");
    assert_fails(cn_necklace_displacement(t, 7, NULL), CN_ERR_ARGUMENT, "displacement");
    assert_fails(cn_necklace_generator(t, 7, NULL), CN_ERR_ARGUMENT, "generator");
    assert_ok(cn_topology_generalized_hypercube_mixed((const uint64_t[]){3, 4}, 2, &mixed));
    assert_fails(cn_necklace_rotate(mixed, 0, &out), CN_ERR_UNSUPPORTED, "([3,4])");
    assert_ok(cn_topology_kary_ncube(3, 3, 1, &ring));
    assert_fails(cn_necklace_rotate(ring, 0, &out), CN_ERR_UNSUPPORTED, "kary_ncube");
    cn_topology_free(&ring);
    cn_topology_free(&mixed);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_agrees_with_the_definition),
        cmocka_unit_test(element_j_has_displacement_j_and_rotates_into_element_j_minus_1),
        cmocka_unit_test(the_papers_examples),
        cmocka_unit_test(table_2_as_printed),
        cmocka_unit_test(large_networks_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
