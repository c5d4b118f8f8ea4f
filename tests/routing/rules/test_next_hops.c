/* cn_routing_next_hops() against cn_routing_channels(), on all routings that have a name. */
#include "support/support.h"

#include "base/random.h"

enum { MANY = 500 };

static uint64_t nodes[MANY], destinations[MANY], ports[MANY];

static void check(const cn_routing *routing, const cn_topology *t)
{
    uint64_t one;
    for (size_t i = 0; i < MANY; i++) {
        nodes[i] = cni_random_word(3, 2 * i) % cn_topology_node_count(t);
        destinations[i] = cni_random_word(3, 2 * i + 1) % cn_topology_node_count(t);
        nodes[i] = nodes[i] == 6 ? 5 : nodes[i]; /* the faulty one */
        destinations[i] = destinations[i] == 6 ? 1 : destinations[i];
    }
    assert_ok(cn_routing_next_hops(routing, nodes, destinations, MANY, NULL, ports));
    for (size_t i = 0; i < MANY; i++) {
        assert_ok(cn_routing_channels(routing, nodes[i], destinations[i], &one));
        assert_int_equal(ports[i], one);
    }
    assert_ok(cn_routing_next_hops(routing, nodes, destinations, MANY, NULL, destinations));
    assert_memory_equal(ports, destinations, sizeof ports); /* in place */
}

static void as_one_by_one(void **state)
{
    (void)state;
    int made = 0;
    for (int which = 0; which < 6; which++) {
        const uint64_t radices[] = {4, 3};
        cn_topology *t;
        cn_faults *faults = NULL;
        if (which == 0)
            assert_ok(cn_topology_kary_ncube(5, 2, 1, &t));
        else if (which == 1)
            assert_ok(cn_topology_mesh(radices, 2, &t));
        else if (which == 2)
            assert_ok(cn_topology_psnn(4, &t));
        else
            assert_ok(cn_topology_hypercube(4, &t));
        if (which == 5) {
            assert_ok(cn_faults_new(t, &faults));
            assert_ok(cn_faults_add_node(faults, 6));
        }
        for (size_t k = 0; k < cn_routing_kind_count(); k++) {
            cn_routing *routing;
            if (cn_routing_new(t, cn_routing_kind_name(k), faults, NULL, &routing) != CN_OK)
                continue;
            check(routing, t);
            made++;
            cn_routing_free(&routing);
        }
        cn_faults_free(&faults);
        cn_topology_free(&t);
    }
    assert_true(made > 20);
}

static void the_bad_element_is_named(void **state)
{
    (void)state;
    cn_topology *t;
    cn_faults *faults;
    cn_routing *routing;
    uint64_t from[] = {1, 2, 6, 3}, to[] = {2, 3, 4, 16};
    assert_ok(cn_topology_hypercube(4, &t));
    assert_ok(cn_faults_new(t, &faults));
    assert_ok(cn_faults_add_node(faults, 6));
    assert_ok(cn_routing_new(t, "minimal", faults, NULL, &routing));
    assert_fails(cn_routing_next_hops(routing, from, to, 4, NULL, ports), CN_ERR_ARGUMENT,
                 "nodes[2] = 6, but minimal serves only nodes that survive");
    from[2] = 5;
    assert_fails(cn_routing_next_hops(routing, from, to, 4, NULL, ports), CN_ERR_ARGUMENT,
                 "destinations[3] = 16, but the nodes of hypercube(4) are 0 to 15");
    assert_fails(cn_routing_next_hops(routing, from, to, 3, NULL, NULL), CN_ERR_ARGUMENT, "ports");
    cn_routing_free(&routing);
    cn_faults_free(&faults);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_by_one),
        cmocka_unit_test(the_bad_element_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
