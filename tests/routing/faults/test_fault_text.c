#include "routing/damage.h"
#include "support/networks.h"

#include <stdio.h>
#include <string.h>

static void text_is_written(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    char text[200];
    size_t length;
    const char *expected = "topology hypercube(4)\nnode 0010\nnode 1001\nlink 0001 0101\n";
    damage_open(4, &cube, &faults);
    assert_ok(cn_faults_add_node(faults, 9));
    assert_ok(cn_faults_add_node(faults, 2));
    assert_ok(cn_faults_add_link(faults, 5, 2));
    assert_ok(cn_faults_text(faults, text, sizeof text, &length));
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_fails(cn_faults_text(faults, text, length, &length), CN_ERR_CAPACITY, "capacity = 57");
    assert_ok(cn_faults_text(faults, text, length + 1, NULL));
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

static void check_round_trip(cn_topology *network, uint64_t seed)
{
    cn_faults *faults, *again;
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_failing_nodes(faults, 0.3, seed));
    assert_ok(cn_faults_add_failing_links(faults, 0.3, seed));
    size_t length;
    assert_fails(cn_faults_text(faults, NULL, 0, &length), CN_ERR_CAPACITY, "capacity = 0");
    char *text = malloc(length + 1);
    assert_ok(cn_faults_text(faults, text, length + 1, NULL));
    assert_ok(cn_faults_parse(network, text, &again));
    for (uint64_t v = 0; v < cn_topology_node_count(network); v++) {
        assert_int_equal(cn_faults_has_node(faults, v), cn_faults_has_node(again, v));
        for (uint32_t p = 0; p < 8; p++)
            assert_int_equal(cn_faults_has_link(faults, v, p), cn_faults_has_link(again, v, p));
    }
    assert_int_equal(cn_faults_link_count(faults), cn_faults_link_count(again));
    free(text);
    cn_faults_free(&again);
    cn_faults_free(&faults);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    cn_topology *network;
    const uint64_t edges[] = {0, 1, 1, 2, 2, 0, 2, 3};
    const uint64_t radices[] = {2, 2, 2, 2, 2, 2, 2, 2, 3}, long_radices[] = {2, 12, 3, 4};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_ok(cn_topology_hypercube(5, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
        assert_ok(cn_topology_kary_ncube(12, 2, 1, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
        assert_ok(cn_topology_kary_ncube(5, 2, 0, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
        assert_ok(cn_topology_generalized_hypercube_mixed(radices, 9, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
        assert_ok(cn_topology_generalized_hypercube_mixed(long_radices, 4, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
        assert_ok(cn_topology_from_edges(4, edges, 4, NULL, &network));
        check_round_trip(network, seed);
        cn_topology_free(&network);
    }
}

static void hand_written_text_is_read(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_faults_parse(
        cube, "# a comment of several words\r\n\n  link\t0101 0001  \nnode 1001", &faults));
    assert_true(cn_faults_has_node(faults, 9) && cn_faults_has_link(faults, 1, 2));
    cn_faults_free(&faults);
    assert_ok(cn_faults_parse(cube, "", &faults));
    assert_int_equal(cn_faults_node_count(faults), 0);
    cn_faults_free(&faults);
    cn_topology_free(&cube);
}

/* As a text is taken from network to network: of all pairs of small networks just by those that are equal. */
static void equal_networks_read_one_text(void **state)
{
    (void)state;
    size_t other_names = 0;
    for (size_t i = 0; i < network_count(); i++)
        for (size_t j = 0; j < network_count(); j++) {
            cn_topology *from = make_network(i), *to = make_network(j);
            const char *name = cn_topology_name(from);
            cn_faults *read;
            char text[200];
            int same_name = strcmp(name, cn_topology_name(to)) == 0;
            snprintf(text, sizeof text, "topology %s\n", name);
            if (cn_topology_equal(from, to) || same_name)
                assert_ok(cn_faults_parse(to, text, &read));
            else
                assert_fails(cn_faults_parse(to, text, &read), CN_ERR_ARGUMENT, ", not of");
            other_names += read != NULL && !same_name;
            cn_faults_free(&read);
            cn_topology_free(&from);
            cn_topology_free(&to);
        }
    assert_true(other_names >= 10);
}

static void a_name_may_be_long(void **state)
{
    (void)state;
    uint64_t radices[21];
    cn_topology *network, *cube;
    cn_faults *faults, *again;
    char text[200];
    for (int i = 0; i < 21; i++)
        radices[i] = i == 20 ? 3 : 2;
    assert_ok(cn_topology_generalized_hypercube_mixed(radices, 21, &network));
    assert_ok(cn_faults_new(network, &faults));
    assert_ok(cn_faults_add_node(faults, 77));
    assert_ok(cn_faults_text(faults, text, sizeof text, NULL));
    assert_non_null(strstr(text, ",2,2,2,2,3])\n"));
    assert_ok(cn_faults_parse(network, text, &again));
    assert_true(cn_faults_has_node(again, 77));
    cn_faults_free(&again);
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_fails(cn_faults_parse(cube, text, &again), CN_ERR_ARGUMENT, "2,3]), not of");
    cn_topology_free(&cube);
    cn_faults_free(&faults);
    cn_topology_free(&network);
}

static void mistakes_are_located(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_faults *faults;
    char longest[400] = "node ";
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_fails(cn_faults_parse(cube, "node 0000\nnode 20\n", &faults), CN_ERR_ARGUMENT, "line 2");
    assert_null(faults);
    assert_fails(cn_faults_parse(cube, "link 0000 0011", &faults), CN_ERR_ARGUMENT,
                 "no link from 0000 to 0011");
    assert_fails(cn_faults_parse(cube, "\n\nnodes 0000", &faults), CN_ERR_ARGUMENT,
                 "line 3: \"nodes\" followed by 1");
    assert_fails(cn_faults_parse(cube, "node 0000 0001", &faults), CN_ERR_ARGUMENT, "line 1");
    assert_fails(cn_faults_parse(cube, "link 0000 0001 0010 0011 0100", &faults), CN_ERR_ARGUMENT,
                 "line 1");
    assert_fails(cn_faults_parse(cube, "topology hypercube(5)", &faults), CN_ERR_ARGUMENT,
                 "hypercube(5)");
    assert_fails(cn_faults_parse(cube, "topology hypercube( 4 )", &faults), CN_ERR_ARGUMENT,
                 "\"topology\" followed by 3");
    memset(longest + 5, '0', sizeof longest - 6);
    assert_fails(cn_faults_parse(cube, longest, &faults), CN_ERR_ARGUMENT, "line 1");
    assert_fails(cn_faults_parse(NULL, "", &faults), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_faults_parse(cube, NULL, &faults), CN_ERR_ARGUMENT, "text");
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_written),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(hand_written_text_is_read),
        cmocka_unit_test(a_name_may_be_long),
        cmocka_unit_test(equal_networks_read_one_text),
        cmocka_unit_test(mistakes_are_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
