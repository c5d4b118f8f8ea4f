/* Walks that do not arrive are seen, though no public constructor makes a routing that has one. */
#include "support/support.h"

#include "routing/rules/routing.h"

/* Round a ring of 4 by port 0, but nothing at node 2 for target 0, or back and forth between 2 and
 * 3. */
static void entry(const cn_routing *routing, uint64_t node, uint32_t class, uint64_t target,
                  cni_entry *entry)
{
    const cn_topology *t = routing->topology;
    int flaw = *(int *)routing->state;
    uint32_t port;
    (void)class;
    uint64_t next = flaw == 2 && target == 0 && node == 3 ? 2 : (node + 1) % 4;
    assert_ok(cn_topology_port_to(t, node, next, &port));
    if (flaw != 1 || node != 2 || target != 0)
        cni_allow(entry, UINT64_C(1) << port, CNI_FREE_LANE);
}

static void keep_state(void *state)
{
    (void)state;
}

static const cni_routing_kind round_about = {.name = "round-about",
                                             .summary = "for this test",
                                             .classes = 1,
                                             .legs = 1,
                                             .entry = entry,
                                             .close = keep_state};

static void dead_ends_and_circles_are_seen(void **state)
{
    (void)state;
    cn_topology *ring;
    assert_ok(cn_topology_ring(4, 1, &ring));
    for (int flaw = 0; flaw < 3; flaw++) {
        cn_routing *r;
        uint64_t hops = 0;
        double load;
        assert_ok(cni_routing_make(__func__, &round_about, ring, NULL, NULL, &r));
        r->state = &flaw;
        if (flaw == 0) {
            assert_ok(cn_routing_longest_walk(r, NULL, &hops));
            assert_int_equal(hops, 3);
            assert_ok(cn_routing_saturation_load(r, NULL, NULL, NULL, &load));
            assert_near(load, 0.5, 1e-15); /* 2 hops on average, over one channel a node */
        } else {
            assert_fails(cn_routing_longest_walk(r, NULL, &hops), CN_ERR_INTERNAL,
                         "round-about has a walk to node 0 that never reaches it");
            assert_fails(cn_routing_saturation_load(r, NULL, NULL, NULL, &load), CN_ERR_INTERNAL,
                         "to node 0");
        }
        cn_routing_free(&r);
    }
    cn_topology_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_ends_and_circles_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
