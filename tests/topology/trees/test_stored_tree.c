/* Trees of any topology: breadth first and by their parents. */
#include "support/networks.h"

#include "cubenet/experimental/multicast.h"

#include <stdlib.h>

enum { MOST = 1024 };

static uint32_t port_of(const cn_topology *t, uint64_t from, uint64_t to)
{
    uint32_t port;
    assert_ok(cn_topology_port_to(t, from, to, &port));
    assert_int_not_equal(port, CN_NO_PORT);
    return port;
}

/* The definition, with a queue: the parents. */
static void search_plainly(const cn_topology *t, uint64_t root, uint64_t parents[])
{
    uint64_t nodes = cn_topology_node_count(t), queue[MOST], at = 0, end = 0;
    for (uint64_t v = 0; v < nodes; v++)
        parents[v] = CN_NO_NODE;
    for (queue[end++] = root; at < end; at++) {
        uint32_t degree;
        assert_ok(cn_topology_degree(t, queue[at], &degree));
        for (uint32_t port = 0; port < degree; port++) {
            uint64_t w;
            assert_ok(cn_topology_neighbor(t, queue[at], port, &w));
            if (w == root || parents[w] != CN_NO_NODE)
                continue;
            parents[w] = queue[at];
            queue[end++] = w;
        }
    }
    assert_int_equal(end, nodes);
}

/* Every query agrees with the parents. */
static void check_queries(const cn_topology *t, const cn_tree *tree, uint64_t root,
                          const uint64_t expected[])
{
    static uint64_t parents[MOST], first[MOST + 1], children[MOST], sizes[MOST], path[MOST];
    uint64_t nodes = cn_topology_node_count(t), value, height = 0, deepest;
    size_t count;
    assert_int_equal(cn_tree_root(tree), root);
    assert_ok(cn_tree_arrays(tree, parents, first, children, MOST, &count));
    assert_memory_equal(parents, expected, nodes * sizeof *parents);
    assert_ok(cn_tree_validate(t, root, parents, count, NULL, &deepest, NULL));
    for (uint64_t v = 0; v < nodes; v++)
        sizes[v] = 0;
    for (uint64_t v = 0; v < nodes; v++) {
        assert_ok(cn_tree_parent(tree, v, &value));
        assert_true(value == expected[v]);
        assert_ok(cn_tree_path(tree, v, path, MOST, &count));
        assert_int_equal(path[0], root);
        assert_int_equal(path[count - 1], v);
        for (size_t i = 0; i < count; i++)
            sizes[path[i]]++;
        for (size_t i = 1; i < count; i++)
            assert_int_equal(expected[path[i]], path[i - 1]);
        assert_ok(cn_tree_depth(tree, v, &value));
        assert_int_equal(value, count - 1);
        height = value > height ? value : height;
        assert_ok(cn_tree_child_count(tree, v, &value));
        assert_int_equal(value, first[v + 1] - first[v]);
        assert_ok(cn_tree_children(tree, v, path, MOST, &count));
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(path[i], children[first[v] + i]);
            assert_int_equal(expected[path[i]], v);
            assert_true(i == 0 || port_of(t, v, path[i - 1]) < port_of(t, v, path[i]));
        }
    }
    assert_int_equal(height, deepest);
    for (uint64_t v = 0; v < nodes; v++) {
        assert_ok(cn_tree_subtree_size(tree, v, &value));
        assert_int_equal(value, sizes[v]);
    }
}

static void breadth_first_trees_are_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < network_count(); i++) {
        cn_topology *t = make_network(i);
        uint64_t nodes = cn_topology_node_count(t), parents[MOST], distance, depth;
        const uint64_t roots[] = {0, nodes / 3, nodes - 1};
        for (size_t r = 0; r < 3 && nodes <= MOST; r++) {
            cn_tree *tree, *again;
            search_plainly(t, roots[r], parents);
            assert_ok(cn_tree_breadth_first(t, roots[r], NULL, &tree));
            check_queries(t, tree, roots[r], parents);
            for (uint64_t v = 0; v < nodes; v++) {
                assert_ok(cn_topology_distance(t, roots[r], v, NULL, &distance));
                assert_ok(cn_tree_depth(tree, v, &depth));
                assert_int_equal(depth, distance);
            }
            assert_ok(cn_tree_from_parents(t, roots[r], parents, nodes, NULL, &again));
            check_queries(t, again, roots[r], parents);
            cn_tree_free(&tree);
            cn_tree_free(&again);
        }
        cn_topology_free(&t);
    }
}

/* The trees that are rules, written down and read again. */
static void a_rule_and_its_parents_are_one_tree(void **state)
{
    (void)state;
    static const uint64_t shapes[][2] = {{3, 3}, {4, 3}, {2, 6}, {5, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        cn_topology *t;
        assert_ok(cn_topology_generalized_hypercube(shapes[i][0], (uint32_t)shapes[i][1], &t));
        uint64_t nodes = cn_topology_node_count(t), parents[MOST], a, b;
        for (uint64_t root = 0; root < nodes; root += 7) {
            cn_tree *rule, *stored;
            assert_ok(cn_tree_balanced(t, root, &rule));
            assert_ok(cn_tree_arrays(rule, parents, NULL, NULL, MOST, NULL));
            assert_ok(cn_tree_from_parents(t, root, parents, nodes, NULL, &stored));
            check_queries(t, stored, root, parents);
            for (uint64_t v = 0; v < nodes; v++) {
                assert_ok(cn_tree_depth(rule, v, &a));
                assert_ok(cn_tree_depth(stored, v, &b));
                assert_int_equal(a, b);
                assert_ok(cn_tree_subtree_size(rule, v, &a));
                assert_ok(cn_tree_subtree_size(stored, v, &b));
                assert_int_equal(a, b);
            }
            assert_ok(cn_tree_common_channel((const cn_tree *[]){rule, stored}, 2, &a));
            assert_true(a != CN_NO_NODE);
            cn_tree_free(&rule);
            cn_tree_free(&stored);
        }
        cn_topology_free(&t);
    }
}

/* A ring of one-way channels, v to v+1; one of them is missing. */
static cn_status chain(void *user, uint64_t node, uint32_t port, uint64_t *neighbor)
{
    (void)user;
    *neighbor = port == 0 && node < 4 ? node + 1 : CN_NO_NODE;
    return CN_OK;
}

static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    uint64_t parents[] = {CN_NO_NODE, 0, 1, 2, 3};
    assert_ok(cn_topology_from_function(5, 1, chain, NULL, NULL, &t));
    assert_ok(cn_tree_from_parents(t, 0, parents, 5, NULL, &tree));
    cn_tree_free(&tree);
    assert_fails(cn_tree_from_parents(t, 5, parents, 5, NULL, &tree), CN_ERR_ARGUMENT, "root = 5");
    assert_null(tree);
    assert_fails(cn_tree_from_parents(t, 0, parents, 4, NULL, &tree), CN_ERR_ARGUMENT, "count = 4");
    assert_fails(cn_tree_from_parents(t, 0, NULL, 5, NULL, &tree), CN_ERR_ARGUMENT, "parents");
    assert_fails(cn_tree_from_parents(NULL, 0, parents, 5, NULL, &tree), CN_ERR_ARGUMENT,
                 "topology");
    assert_fails(cn_tree_from_parents(t, 0, parents, 5, NULL, NULL), CN_ERR_ARGUMENT, "tree");
    parents[0] = 1;
    assert_fails(cn_tree_from_parents(t, 0, parents, 5, NULL, &tree), CN_ERR_ARGUMENT,
                 "cn_tree_from_parents: parents[0] = 1, but the root");
    parents[0] = CN_NO_NODE;
    parents[3] = CN_NO_NODE;
    assert_fails(cn_tree_from_parents(t, 0, parents, 5, NULL, &tree), CN_ERR_ARGUMENT,
                 "node 3 has no parent");
    parents[3] = 4;
    assert_fails(cn_tree_from_parents(t, 0, parents, 5, NULL, &tree), CN_ERR_ARGUMENT,
                 "parents[3] = 4, but");
    parents[3] = 5;
    assert_fails(cn_tree_from_parents(t, 0, parents, 5, NULL, &tree), CN_ERR_ARGUMENT, "0 to 4");
    assert_fails(cn_tree_breadth_first(t, 5, NULL, &tree), CN_ERR_ARGUMENT, "root = 5");
    assert_fails(cn_tree_breadth_first(t, 2, NULL, &tree), CN_ERR_DISCONNECTED,
                 "no path leads from root 2 to node 0");
    assert_null(tree);
    assert_fails(cn_tree_breadth_first(NULL, 2, NULL, &tree), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_tree_breadth_first(t, 2, NULL, NULL), CN_ERR_ARGUMENT, "tree");
    cn_topology_free(&t);

    assert_ok(cn_topology_ring(6, 1, &t));
    const uint64_t around[] = {CN_NO_NODE, 0, 3, 4, 3, 0};
    assert_fails(cn_tree_from_parents(t, 0, around, 6, NULL, &tree), CN_ERR_ARGUMENT, "cycle");
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(28, &t));
    assert_fails(cn_tree_breadth_first(t, 0, NULL, &tree), CN_ERR_UNSUPPORTED, "2^27");
    cn_topology_free(&t);
}

/* Along a stored tree from any node to any, also when the tree has been freed; not without ways
 * back. */
static void a_routing_takes_them(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    cn_routing *routing;
    uint64_t a, b, hops, path[MOST];
    assert_ok(cn_topology_psnn(5, &t));
    uint64_t nodes = cn_topology_node_count(t), depth[MOST];
    assert_ok(cn_tree_breadth_first(t, 3, NULL, &tree));
    for (uint64_t v = 0; v < nodes; v++)
        assert_ok(cn_tree_depth(tree, v, &depth[v]));
    assert_ok(cn_routing_tree(tree, &routing));
    cn_tree_free(&tree);
    for (uint64_t v = 0; v < nodes; v++) {
        size_t count;
        assert_ok(cn_routing_path(routing, 3, v, 1, path, MOST, &count));
        assert_int_equal(count - 1, depth[v]);
        assert_ok(cn_routing_distance(routing, v, 3, NULL, &hops));
        assert_int_equal(hops, depth[v]);
    }
    cn_routing_free(&routing);
    cn_topology_free(&t);
    assert_ok(cn_topology_ring(5, 0, &t));
    assert_ok(cn_tree_breadth_first(t, 2, NULL, &tree));
    assert_fails(cn_routing_tree(tree, &routing), CN_ERR_UNSUPPORTED, "no channel from node");
    assert_ok(cn_tree_depth(tree, 3, &a));
    assert_ok(cn_topology_distance(t, 2, 3, NULL, &b));
    assert_int_equal(a, b);
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static cn_status make_all(void *context)
{
    static const uint64_t parents[] = {CN_NO_NODE, 0, 1, 2, 0};
    (void)context;
    cn_topology *t = NULL;
    cn_tree *one = NULL, *other = NULL;
    cn_routing *routing = NULL;
    cn_status status = cn_topology_ring(5, 1, &t);
    if (status == CN_OK)
        status = cn_tree_from_parents(t, 0, parents, 5, NULL, &one);
    if (status == CN_OK)
        status = cn_tree_breadth_first(t, 0, NULL, &other);
    if (status == CN_OK)
        status = cn_routing_tree(one, &routing);
    cn_tree_free(&one);
    cn_tree_free(&other);
    cn_routing_free(&routing);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breadth_first_trees_are_what_they_say),
        cmocka_unit_test(a_rule_and_its_parents_are_one_tree),
        cmocka_unit_test(what_is_no_tree_is_refused),
        cmocka_unit_test(a_routing_takes_them),
        cmocka_unit_test(out_of_memory_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
