/* Multicast next hops against the tree, and clubbing against one message per destination. */
#include "support/support.h"

#include "cubenet/experimental/multicast.h"

#include <string.h>

#include "support/literal_necklaces.h"

static cn_topology *build(const literal_network *net)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(net->k, net->n, &t));
    return t;
}

static uint64_t source_number(const literal_network *net, int which)
{
    uint64_t last = literal_nodes(net) - 1;
    return which == 0 ? 0 : which == 1 ? last : last * 5 / 13;
}

static void the_way_of_a_message_is_the_path_of_the_tree(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        for (int which = 0; which < 3; which++) {
            uint64_t source = source_number(net, which);
            cn_tree *tree;
            assert_ok(cn_tree_balanced(t, source, &tree));
            for (uint64_t v = 0; v < literal_nodes(net); v++) {
                uint64_t path[8], current = source;
                size_t count;
                assert_ok(cn_tree_path(tree, v, path, 8, &count));
                for (size_t i = 1; i < count; i++) {
                    assert_ok(cn_route_multicast_next_hop(t, source, current, v, &current));
                    assert_int_equal(current, path[i]);
                }
                assert_int_equal(cn_route_multicast_next_hop(t, source, current, v, &current),
                                 CN_DONE);
                assert_int_equal(current, v);
            }
            cn_tree_free(&tree);
        }
        cn_topology_free(&t);
    }
}

/* From anywhere, on the tree or not, each hop brings the message closer. */
static void a_message_off_the_tree_arrives_too(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        uint64_t nodes = literal_nodes(net);
        if (nodes > 300)
            continue;
        cn_topology *t = build(net);
        for (uint64_t current = 0; current < nodes; current++)
            for (uint64_t v = 0; v < nodes; v++) {
                uint64_t before, after, next, step;
                assert_ok(cn_topology_distance(t, current, v, NULL, &before));
                cn_status status = cn_route_multicast_next_hop(t, nodes / 3, current, v, &next);
                assert_int_equal(status, before == 0 ? CN_DONE : CN_OK);
                if (status == CN_DONE)
                    continue;
                assert_ok(cn_topology_distance(t, next, v, NULL, &after));
                assert_ok(cn_topology_distance(t, current, next, NULL, &step));
                assert_int_equal(after, before - 1);
                assert_int_equal(step, 1);
            }
        cn_topology_free(&t);
    }
}

/* Clubbed messages, followed from the source down, reach each destination exactly once. */
static void deliver(const cn_topology *t, const cn_tree *tree, uint64_t current,
                    const uint64_t destinations[], size_t count, uint32_t delivered[],
                    uint64_t *messages)
{
    enum { ROOM = 64 };
    uint32_t *group_of = malloc((count + 1) * sizeof *group_of);
    uint64_t children[ROOM], sizes[ROOM], *part = malloc((count + 1) * sizeof *part), parent;
    size_t groups, total = 0;
    assert_ok(cn_route_multicast_groups(t, cn_tree_root(tree), current, destinations, count,
                                        group_of, children, sizes, ROOM, &groups));
    for (size_t m = 0; m < count; m++) {
        assert_int_equal(group_of[m] == CN_NO_GROUP, destinations[m] == current);
        if (group_of[m] == CN_NO_GROUP)
            delivered[current]++;
        total += group_of[m] == CN_NO_GROUP;
    }
    for (size_t g = 0; g < groups; g++) {
        size_t in_group = 0;
        for (size_t m = 0; m < count; m++)
            if (group_of[m] == g)
                part[in_group++] = destinations[m];
        assert_int_equal(in_group, sizes[g]);
        assert_true(in_group > 0);
        total += in_group;
        assert_ok(cn_tree_parent(tree, children[g], &parent));
        assert_int_equal(parent, current); /* so one copy per edge of the tree is enough */
        ++*messages;
        deliver(t, tree, children[g], part, in_group, delivered, messages);
    }
    assert_int_equal(total, count);
    free(group_of);
    free(part);
}

static void clubbed_messages_reach_each_destination_once(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        uint64_t nodes = literal_nodes(net), *destinations = malloc(nodes * sizeof *destinations);
        uint32_t *delivered = malloc(nodes * sizeof *delivered);
        for (uint64_t stride = 1; stride <= 7; stride += 3)
            for (int which = 0; which < 3; which++) {
                cn_tree *tree;
                assert_ok(cn_tree_balanced(t, source_number(net, which), &tree));
                size_t count = 0;
                for (uint64_t v = nodes; v-- > 0;)
                    if (v % stride == 0)
                        destinations[count++] = v;
                memset(delivered, 0, nodes * sizeof *delivered);
                uint64_t messages = 0;
                deliver(t, tree, cn_tree_root(tree), destinations, count, delivered, &messages);
                for (uint64_t v = 0; v < nodes; v++)
                    assert_int_equal(delivered[v], v % stride == 0);
                if (stride == 1) /* a broadcast: every edge of the tree once */
                    assert_int_equal(messages, nodes - 1);
                cn_tree_free(&tree);
            }
        free(destinations);
        free(delivered);
        cn_topology_free(&t);
    }
}

static void groups_may_be_asked_for_alone(void **state)
{
    (void)state;
    cn_topology *t;
    static const uint64_t DESTINATIONS[] = {1, 0, 1, 3, 2};
    uint64_t children[2];
    size_t groups = 0;
    assert_ok(cn_topology_hypercube(2, &t));
    assert_ok(
        cn_route_multicast_groups(t, 0, 0, DESTINATIONS, 5, NULL, children, NULL, 2, &groups));
    assert_int_equal(groups, 2);
    assert_int_equal(children[0], 1);
    assert_int_equal(children[1], 2);
    assert_ok(cn_route_multicast_groups(t, 0, 0, NULL, 0, NULL, NULL, NULL, 0, &groups));
    assert_int_equal(groups, 0);
    cn_topology_free(&t);
}

static void large_networks_need_no_memory(void **state)
{
    (void)state;
    static const literal_network LARGE[] = {{20, 8}, {62, 2}, {39, 3}};
    for (int at = 0; at < 3; at++) {
        cn_topology *t;
        cn_tree *tree;
        support_install_allocator(0);
        assert_ok(cn_topology_generalized_hypercube(LARGE[at].k, LARGE[at].n, &t));
        uint64_t source = 987654321, v = cn_topology_node_count(t) / 11 * 7, path[64];
        assert_ok(cn_tree_balanced(t, source, &tree));
        uint64_t allocations = support_allocations(), current = source;
        size_t count;
        assert_ok(cn_tree_path(tree, v, path, 64, &count));
        assert_true(count > 10);
        for (size_t i = 1; i < count; i++) {
            assert_ok(cn_route_multicast_next_hop(t, source, current, v, &current));
            assert_int_equal(current, path[i]);
        }
        assert_int_equal(support_allocations(), allocations);
        cn_tree_free(&tree);
        cn_topology_free(&t);
        support_remove_allocator();
    }
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    cn_topology *t, *mixed;
    static const uint64_t DESTINATIONS[] = {1, 125};
    uint64_t next, children[12];
    size_t groups = 0;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    assert_ok(cn_topology_generalized_hypercube_mixed((const uint64_t[]){3, 4}, 2, &mixed));
    assert_fails(cn_route_multicast_next_hop(t, 125, 0, 1, &next), CN_ERR_ARGUMENT, "source = 125");
    assert_fails(cn_route_multicast_next_hop(t, 0, 125, 1, &next), CN_ERR_ARGUMENT,
                 "current = 125");
    assert_fails(cn_route_multicast_next_hop(t, 0, 0, 125, &next), CN_ERR_ARGUMENT,
                 "destination = 125");
    assert_fails(cn_route_multicast_next_hop(t, 0, 0, 1, NULL), CN_ERR_ARGUMENT, "next");
    assert_fails(cn_route_multicast_next_hop(NULL, 0, 0, 1, &next), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_route_multicast_next_hop(mixed, 0, 0, 1, &next), CN_ERR_UNSUPPORTED, "([3,4])");
#define GROUPS(t, source, current, destinations, count, children, capacity, groups)          \
    cn_route_multicast_groups(t, source, current, destinations, count, NULL, children, NULL, \
                              capacity, groups)
    assert_fails(GROUPS(t, 125, 0, DESTINATIONS, 1, children, 12, &groups), CN_ERR_ARGUMENT,
                 "source = 125");
    assert_fails(GROUPS(t, 0, 125, DESTINATIONS, 1, children, 12, &groups), CN_ERR_ARGUMENT,
                 "current = 125");
    assert_fails(GROUPS(t, 0, 0, DESTINATIONS, 2, children, 12, &groups), CN_ERR_ARGUMENT,
                 "destination = 125");
    assert_fails(GROUPS(t, 0, 0, NULL, 2, children, 12, &groups), CN_ERR_ARGUMENT, "destinations");
    assert_fails(GROUPS(t, 0, 0, DESTINATIONS, 1, NULL, 12, &groups), CN_ERR_ARGUMENT, "children");
    assert_fails(GROUPS(t, 0, 0, DESTINATIONS, 1, children, 12, NULL), CN_ERR_ARGUMENT, "groups");
    assert_fails(GROUPS(NULL, 0, 0, DESTINATIONS, 1, children, 12, &groups), CN_ERR_ARGUMENT,
                 "topology");
    assert_fails(GROUPS(mixed, 0, 0, DESTINATIONS, 1, children, 12, &groups), CN_ERR_UNSUPPORTED,
                 "([3,4])");
    uint64_t many[20] = {0};
    assert_fails(GROUPS(t, 0, 0, many, 20, children, 11, &groups), CN_ERR_CAPACITY, "need 12");
    assert_int_equal(groups, 12);
    cn_topology_free(&mixed);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_of_a_message_is_the_path_of_the_tree),
        cmocka_unit_test(a_message_off_the_tree_arrives_too),
        cmocka_unit_test(clubbed_messages_reach_each_destination_once),
        cmocka_unit_test(groups_may_be_asked_for_alone),
        cmocka_unit_test(large_networks_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
