#include "topology/oracle.h"

#include "base/memory.h"
#include "topology/topology.h"

#include <string.h>

enum { KINDS = 4 };

static cn_topology *open_kind(int kind)
{
    static const uint64_t ring[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
    cn_topology *topology = NULL;
    switch (kind) {
    case 0:
        assert_ok(cn_topology_hypercube(3, &topology));
        break;
    case 1:
        assert_ok(cn_topology_kary_ncube(5, 1, 0, &topology));
        break;
    case 2:
        assert_ok(cn_topology_kary_ncube(5, 1, 1, &topology));
        break;
    default:
        assert_ok(cn_topology_from_edges(5, ring, 5, NULL, &topology));
    }
    return topology;
}

static void handles_may_be_freed_twice(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cn_topology *topology = open_kind(kind);
        cn_topology_free(&topology);
        assert_null(topology);
        assert_int_equal(cni_live_blocks(), 0);
        cn_topology_free(&topology);
        assert_null(topology);
    }
    cn_topology_free(NULL);
}

static void a_holder_keeps_the_network_alive(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cn_topology *topology = open_kind(kind), *holder = cni_topology_retain(topology);
        uint32_t degree;
        cn_topology_free(&topology);
        assert_null(topology);
        assert_ok(cn_topology_degree(holder, 0, &degree));
        cni_topology_release(holder);
        assert_int_equal(cni_live_blocks(), 0);
    }
}

static void nodes_and_ports_beyond_the_last_are_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cn_topology *t = open_kind(kind);
        uint64_t beyond[] = {cn_topology_node_count(t), UINT64_MAX}, word = 17, words[8];
        uint32_t number = 17, degree;
        size_t count = 17;
        for (int i = 0; i < 2; i++) {
            const char *text = i == 1 ? " = 18446744073709551615" : kind == 0 ? " = 8," : " = 5,";
            uint64_t v = beyond[i];
            assert_fails(cn_topology_degree(t, v, &number), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_neighbor(t, v, 0, &word), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_neighbors(t, v, words, 8, &count), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_back_port(t, v, 0, &number), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_port_to(t, v, 0, &number), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_port_to(t, 0, v, &number), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_distance(t, v, 0, NULL, &word), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_distance(t, 0, v, NULL, &word), CN_ERR_ARGUMENT, text);
            assert_fails(cn_topology_distance_counts(t, v, NULL, words, 8, &count), CN_ERR_ARGUMENT,
                         text);
        }
        assert_ok(cn_topology_degree(t, 2, &degree));
        assert_fails(cn_topology_neighbor(t, 2, degree, &word), CN_ERR_ARGUMENT, "port");
        assert_fails(cn_topology_neighbor(t, 2, CN_NO_PORT, &word), CN_ERR_ARGUMENT, "4294967295");
        assert_fails(cn_topology_back_port(t, 2, degree, &number), CN_ERR_ARGUMENT, "port");
        assert_fails(cn_topology_back_port(t, 2, CN_NO_PORT, &number), CN_ERR_ARGUMENT, "port");
        assert_true(word == 17 && number == 17 && count == 17);
        cn_topology_free(&t);
    }
}

static void null_is_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cn_topology *t = open_kind(kind);
        uint64_t word, words[8];
        uint32_t number;
        double mean;
        assert_fails(cn_topology_link_count(NULL, &word), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_link_count(t, NULL), CN_ERR_ARGUMENT, "links");
        assert_fails(cn_topology_degree(NULL, 0, &number), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_degree(t, 0, NULL), CN_ERR_ARGUMENT, "degree");
        assert_fails(cn_topology_neighbor(NULL, 0, 0, &word), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_neighbor(t, 0, 0, NULL), CN_ERR_ARGUMENT, "neighbor");
        assert_fails(cn_topology_neighbors(NULL, 0, words, 8, NULL), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_neighbors(t, 0, NULL, 8, NULL), CN_ERR_ARGUMENT, "neighbors");
        assert_fails(cn_topology_back_port(NULL, 0, 0, &number), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_back_port(t, 0, 0, NULL), CN_ERR_ARGUMENT, "back_port");
        assert_fails(cn_topology_port_to(NULL, 0, 1, &number), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_port_to(t, 0, 1, NULL), CN_ERR_ARGUMENT, "port");
        assert_fails(cn_topology_distance(NULL, 0, 1, NULL, &word), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_distance(t, 0, 1, NULL, NULL), CN_ERR_ARGUMENT, "distance");
        assert_fails(cn_topology_diameter(NULL, NULL, &word), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_diameter(t, NULL, NULL), CN_ERR_ARGUMENT, "diameter");
        assert_fails(cn_topology_mean_distance(NULL, NULL, &mean), CN_ERR_ARGUMENT, "topology");
        assert_fails(cn_topology_mean_distance(t, NULL, NULL), CN_ERR_ARGUMENT, "mean");
        assert_fails(cn_topology_distance_counts(NULL, 0, NULL, words, 8, NULL), CN_ERR_ARGUMENT,
                     "topology");
        assert_fails(cn_topology_distance_counts(t, 0, NULL, NULL, 8, NULL), CN_ERR_ARGUMENT,
                     "counts");
        cn_topology_free(&t);
    }
    assert_string_equal(cn_topology_name(NULL), "");
    assert_int_equal(cn_topology_node_count(NULL), 0);
    assert_int_equal(cn_topology_max_degree(NULL), 0);
    assert_int_equal(cn_topology_is_bidirectional(NULL), 0);
}

static void room_that_is_too_small_gives_the_count(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cn_topology *t = open_kind(kind);
        uint64_t words[16];
        uint32_t degree;
        size_t count = 0, far = 0;
        assert_ok(cn_topology_degree(t, 1, &degree));
        assert_fails(cn_topology_neighbors(t, 1, NULL, 0, &count), CN_ERR_CAPACITY, "capacity = ");
        assert_int_equal(count, degree);
        memset(words, 0x55, sizeof words);
        count = 0;
        assert_fails(cn_topology_neighbors(t, 1, words, degree - 1, &count), CN_ERR_CAPACITY,
                     "capacity = ");
        assert_int_equal(count, degree);
        assert_true(words[degree - 1] == UINT64_C(0x5555555555555555));
        assert_fails(cn_topology_neighbors(t, 1, words, degree - 1, NULL), CN_ERR_CAPACITY,
                     "capacity = ");
        assert_ok(cn_topology_neighbors(t, 1, words, degree, NULL));
        assert_true(words[degree] == UINT64_C(0x5555555555555555));

        assert_fails(cn_topology_distance_counts(t, 1, NULL, NULL, 0, &far), CN_ERR_CAPACITY,
                     "capacity = ");
        assert_int_equal(far, kind == 0 ? 4 : kind == 1 ? 5 : 3);
        memset(words, 0x55, sizeof words);
        assert_fails(cn_topology_distance_counts(t, 1, NULL, words, far - 1, NULL), CN_ERR_CAPACITY,
                     "capacity = ");
        assert_true(words[far - 1] == UINT64_C(0x5555555555555555));
        assert_ok(cn_topology_distance_counts(t, 1, NULL, words, far, NULL));
        assert_true(words[far] == UINT64_C(0x5555555555555555));
        cn_topology_free(&t);
    }
}

static void names_tell_the_networks_apart(void **state)
{
    (void)state;
    cn_topology *t[KINDS];
    for (int i = 0; i < KINDS; i++) {
        t[i] = open_kind(i);
        assert_true(strlen(cn_topology_name(t[i])) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(cn_topology_name(t[i]), cn_topology_name(t[j]));
    }
    for (int i = 0; i < KINDS; i++)
        cn_topology_free(&t[i]);
}

static void bits_are_counted(void **state)
{
    (void)state;
    assert_int_equal(cni_popcount(0), 0);
    assert_int_equal(cni_popcount(UINT64_MAX), 64);
    assert_int_equal(cni_popcount(UINT64_C(1) << 63), 1);
    assert_int_equal(cni_popcount(UINT64_C(0x8000000100000003)), 4);
}

static cn_status build(void *context)
{
    int some_object, kind = *(int *)context;
    cn_topology *topology = (cn_topology *)(void *)&some_object;
    cn_status status = kind == 0 ? cn_topology_hypercube(5, &topology)
                                 : cn_topology_kary_ncube(5, 2, kind == 2, &topology);
    if (status != CN_OK)
        assert_null(topology);
    cn_topology_free(&topology);
    return status;
}

static void failed_allocation_leaves_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        support_fail_every_allocation(build, &kind);
}

/* What a family says is what looking at all ports finds. */
static void port_to(void **state)
{
    (void)state;
    cn_topology *t;
    uint32_t port;
    for (size_t i = 0; (t = oracle_network(i)) != NULL; i++) {
        uint64_t nodes = cn_topology_node_count(t), other;
        for (uint64_t u = 0; u < nodes; u++)
            for (uint64_t v = 0; v < nodes; v++) {
                uint32_t degree, found = CN_NO_PORT;
                assert_ok(cn_topology_degree(t, u, &degree));
                for (uint32_t p = degree; p-- > 0;) {
                    assert_ok(cn_topology_neighbor(t, u, p, &other));
                    found = other == v ? p : found;
                }
                assert_ok(cn_topology_port_to(t, u, v, &port));
                assert_int_equal(port, found);
            }
        cn_topology_free(&t);
    }
    assert_ok(cn_topology_complete(UINT32_MAX, &t));
    assert_ok(cn_topology_port_to(t, 0, UINT32_MAX - 1, &port));
    assert_int_equal(port, UINT32_MAX - 2);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(port_to),
        cmocka_unit_test(handles_may_be_freed_twice),
        cmocka_unit_test(a_holder_keeps_the_network_alive),
        cmocka_unit_test(nodes_and_ports_beyond_the_last_are_refused),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(room_that_is_too_small_gives_the_count),
        cmocka_unit_test(names_tell_the_networks_apart),
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(failed_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
