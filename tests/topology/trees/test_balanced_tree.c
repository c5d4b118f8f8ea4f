/* The balanced spanning tree and graph against the letter of the paper, node by node. */
#include "support/support.h"

#include "cubenet/experimental/multicast.h"

#include <string.h>

#include "support/literal_necklaces.h"

enum { MOST_NODES = 3125, MOST_CHILDREN = 64 };

static cn_topology *build(const literal_network *net)
{
    cn_topology *t;
    assert_ok(cn_topology_generalized_hypercube(net->k, net->n, &t));
    return t;
}

/* Parent for root 0 by the letter, with `start` in place of D(v): digits from the left. */
static uint64_t literal_parent(const literal_network *net, uint64_t v, uint64_t start)
{
    uint32_t index = (uint32_t)(start % net->n);
    do
        index = index == 0 ? net->n - 1 : index - 1;
    while (literal_digit(net, v, index) == 0);
    uint64_t stride = 1;
    for (uint32_t i = net->n - 1; i > index; i--)
        stride *= net->k;
    return v - literal_digit(net, v, index) * stride;
}

static uint64_t translated(const literal_network *net, uint64_t v, uint64_t by)
{
    uint64_t sum = 0, stride = 1;
    for (uint32_t i = 0; i < net->n; i++) {
        sum += (v / stride + by / stride) % net->k * stride;
        stride *= net->k;
    }
    return sum;
}

/* Some roots of a network: the first, the last and some between. */
static uint64_t root_number(const literal_network *net, int which)
{
    uint64_t last = literal_nodes(net) - 1;
    return which == 0 ? 0 : which == 1 ? last : last * 5 / 13;
}

static void parents_follow_the_rule_from_every_root(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        for (int which = 0; which < 3; which++) {
            uint64_t root = root_number(net, which), parent, depth;
            cn_tree *tree;
            assert_ok(cn_tree_balanced(t, root, &tree));
            assert_int_equal(cn_tree_root(tree), root);
            assert_ok(cn_tree_parent(tree, root, &parent));
            assert_true(parent == CN_NO_NODE);
            assert_ok(cn_tree_depth(tree, root, &depth));
            assert_int_equal(depth, 0);
            for (uint64_t v = 1; v < literal_nodes(net); v++) {
                uint64_t node = translated(net, v, root), distance;
                uint64_t expected = literal_parent(net, v, literal_displacement(net, v));
                assert_ok(cn_tree_parent(tree, node, &parent));
                assert_int_equal(parent, translated(net, expected, root));
                assert_ok(cn_tree_depth(tree, node, &depth));
                assert_ok(cn_topology_distance(t, root, node, NULL, &distance));
                assert_int_equal(depth, distance);
            }
            cn_tree_free(&tree);
        }
        cn_topology_free(&t);
    }
}

/* The test that tells the rule from all wrong readings of it. */
static void root_subtree_i_has_the_nodes_of_displacement_i(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        cn_tree *tree;
        uint64_t children[MOST_CHILDREN];
        assert_ok(cn_tree_balanced(t, 0, &tree));
        assert_ok(cn_tree_children(tree, 0, children, MOST_CHILDREN, NULL));
        for (uint64_t v = 1; v < literal_nodes(net); v++) {
            uint64_t path[8];
            size_t count;
            assert_ok(cn_tree_path(tree, v, path, 8, &count));
            assert_int_equal(count, literal_weight(net, v) + 1);
            assert_int_equal(path[0], 0);
            assert_int_equal(path[count - 1], v);
            assert_int_equal(path[1], children[literal_displacement(net, v)]);
        }
        cn_tree_free(&tree);
        cn_topology_free(&t);
    }
}

static void children_are_the_inverse_of_parent(void **state)
{
    (void)state;
    static uint64_t children_of[MOST_NODES]; /* how many nodes name it their parent */
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        for (int which = 0; which < 3; which++) {
            cn_tree *tree;
            assert_ok(cn_tree_balanced(t, root_number(net, which), &tree));
            memset(children_of, 0, sizeof children_of);
            for (uint64_t v = 0; v < literal_nodes(net); v++) {
                uint64_t parent;
                assert_ok(cn_tree_parent(tree, v, &parent));
                if (parent != CN_NO_NODE)
                    children_of[parent]++;
            }
            for (uint64_t v = 0; v < literal_nodes(net); v++) {
                uint64_t children[MOST_CHILDREN], counted, parent;
                size_t count;
                assert_ok(cn_tree_children(tree, v, children, MOST_CHILDREN, &count));
                assert_ok(cn_tree_child_count(tree, v, &counted));
                assert_int_equal(count, counted);
                assert_int_equal(count, children_of[v]);
                for (size_t i = 0; i < count; i++) {
                    assert_ok(cn_tree_parent(tree, children[i], &parent));
                    assert_int_equal(parent, v);
                    for (size_t j = 0; j < i; j++)
                        assert_int_not_equal(children[i], children[j]);
                }
            }
            cn_tree_free(&tree);
        }
        cn_topology_free(&t);
    }
}

/* Section 5.2.2 and the order that the header promises. */
static void children_fill_leading_zeros_in_order(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        cn_tree *tree;
        assert_ok(cn_tree_balanced(t, 0, &tree));
        for (uint64_t v = 1; v < literal_nodes(net); v++) {
            uint64_t children[MOST_CHILDREN], displacement = literal_displacement(net, v), key = 0;
            uint32_t index = (uint32_t)(displacement % net->n), zeros = 0;
            while (literal_digit(net, v, (index + net->n - 1 - zeros) % net->n) == 0)
                zeros++;
            size_t count;
            assert_ok(cn_tree_children(tree, v, children, MOST_CHILDREN, &count));
            assert_true(count <= (net->k - 1) * zeros);
            for (size_t i = 0; i < count; i++) {
                uint32_t changed = 0;
                while (literal_digit(net, v, changed) == literal_digit(net, children[i], changed))
                    changed++;
                assert_true((index + net->n - 1 - changed) % net->n < zeros);
                assert_int_equal(literal_displacement(net, children[i]), displacement);
                /* in the generator: index of the new digit, then the digit, k-1 counting as 0 */
                uint64_t generator = literal_generator(net, children[i]);
                uint32_t there = (changed + net->n - index) % net->n;
                uint64_t next =
                    there * net->k + literal_digit(net, generator, there) % (net->k - 1) + 1;
                assert_true(next > key);
                key = next;
            }
        }
        cn_tree_free(&tree);
        cn_topology_free(&t);
    }
}

static void a_leaf_may_have_leading_zeros(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    uint64_t v, children;
    assert_ok(cn_topology_generalized_hypercube(2, 7, &t));
    assert_ok(cn_tree_balanced(t, 0, &tree));
    assert_ok(cn_topology_parse_address(t, "1010100", &v));
    assert_ok(cn_tree_child_count(tree, v, &children));
    assert_int_equal(children, 0);
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void arrays_are_a_shortest_path_spanning_tree(void **state)
{
    (void)state;
    static uint64_t parents[MOST_NODES], first[MOST_NODES + 1], children[MOST_NODES],
        sizes[MOST_NODES];
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        uint64_t nodes = literal_nodes(net);
        for (int which = 0; which < 3; which++) {
            cn_tree *tree;
            uint64_t root = root_number(net, which), height;
            int shortest;
            assert_ok(cn_tree_balanced(t, root, &tree));
            assert_ok(cn_tree_arrays(tree, parents, first, children, MOST_NODES, NULL));
            assert_ok(cn_tree_validate(t, root, parents, nodes, NULL, &height, &shortest));
            assert_int_equal(height, net->n);
            assert_int_equal(shortest, 1);
            assert_int_equal(first[nodes], nodes - 1);
            for (uint64_t v = 0; v < nodes; v++)
                for (uint64_t i = first[v]; i < first[v + 1]; i++)
                    assert_int_equal(parents[children[i]], v);
            /* subtree sizes, the deepest nodes first */
            for (uint64_t v = 0; v < nodes; v++)
                sizes[v] = 1;
            for (uint64_t level = net->n; level > 0; level--)
                for (uint64_t v = 0; v < nodes; v++) {
                    uint64_t depth;
                    assert_ok(cn_tree_depth(tree, v, &depth));
                    if (depth == level)
                        sizes[parents[v]] += sizes[v];
                }
            for (uint64_t v = 0; v < nodes; v++) {
                uint64_t size;
                assert_ok(cn_tree_subtree_size(tree, v, &size));
                assert_int_equal(size, sizes[v]);
            }
            cn_tree_free(&tree);
        }
        cn_topology_free(&t);
    }
}

static void root_subtrees_have_the_known_sizes(void **state)
{
    (void)state;
    static const uint64_t GREATEST_LEAST[LITERAL_LISTED][2] = {
        {5, 4}, {5, 4}, {7, 7}, {11, 10}, {23, 20}, {62, 60}, {19, 18}, {157, 156}};
    for (int at = 0; at < LITERAL_LISTED; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        cn_tree *tree;
        assert_ok(cn_tree_balanced(t, 0, &tree));
        uint64_t greatest = 0, least = UINT64_MAX, children[MOST_CHILDREN];
        assert_ok(cn_tree_children(tree, 0, children, MOST_CHILDREN, NULL));
        for (uint64_t i = 0; i < net->n * (net->k - 1); i++) {
            uint64_t size;
            assert_ok(cn_tree_subtree_size(tree, children[i], &size));
            greatest = size > greatest ? size : greatest;
            least = size < least ? size : least;
        }
        assert_int_equal(greatest, GREATEST_LEAST[at][0]);
        assert_int_equal(least, GREATEST_LEAST[at][1]);
        cn_tree_free(&tree);
        cn_topology_free(&t);
    }
}

/* Each copy of a node has its parent in the same subtree, so a path in it leads to the root; every
 * subtree has one node for each necklace. */
static void spanning_graph_unfolds_short_necklaces(void **state)
{
    (void)state;
    for (int at = 0; at < LITERAL_COUNT; at++) {
        const literal_network *net = &LITERAL_NETWORKS[at];
        cn_topology *t = build(net);
        cn_tree *tree;
        uint64_t root = root_number(net, 2), length = net->n * (net->k - 1), sizes[64] = {0};
        assert_ok(cn_tree_balanced(t, root, &tree));
        for (uint64_t v = 1; v < literal_nodes(net); v++) {
            uint64_t node = translated(net, v, root), parents[8], subtrees[8], in_tree;
            uint64_t period = literal_period(net, v);
            size_t count;
            assert_ok(cn_spanning_graph_parents(t, root, node, parents, subtrees, 8, &count));
            assert_int_equal(count, length / period);
            assert_ok(cn_tree_parent(tree, node, &in_tree));
            assert_int_equal(parents[0], in_tree);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(subtrees[i], literal_displacement(net, v) + i * period);
                uint64_t expected = literal_parent(net, v, subtrees[i]);
                assert_int_equal(parents[i], translated(net, expected, root));
                if (expected != 0)
                    assert_int_equal(subtrees[i] % literal_period(net, expected),
                                     literal_displacement(net, expected));
                else
                    assert_int_equal(subtrees[i], literal_displacement(net, v));
                sizes[subtrees[i]]++;
                for (size_t j = 0; j < i; j++)
                    assert_int_not_equal(parents[i], parents[j]);
            }
        }
        uint64_t necklaces = 0;
        for (uint64_t w = 1; w <= net->n; w++) {
            uint64_t here;
            assert_ok(cn_necklace_count(t, w, &here));
            necklaces += here;
        }
        for (uint64_t i = 0; i < length; i++)
            assert_int_equal(sizes[i], necklaces);
        size_t count;
        assert_ok(cn_spanning_graph_parents(t, root, root, NULL, NULL, 0, &count));
        assert_int_equal(count, 0);
        cn_tree_free(&tree);
        cn_topology_free(&t);
    }
}

/* A path down and up again in a network that nobody could store, without asking for memory. */
static void walk_down(uint64_t k, uint32_t n, uint64_t root)
{
    enum { FOUND = 200000 };
    static uint64_t found[FOUND];
    cn_topology *t;
    cn_tree *tree;
    support_install_allocator(0);
    assert_ok(cn_topology_generalized_hypercube(k, n, &t));
    assert_ok(cn_tree_balanced(t, root, &tree));
    uint64_t allocations = support_allocations(), v = root, count, size, path[64];
    size_t on_path;
    assert_ok(cn_tree_child_count(tree, v, &count));
    assert_int_equal(count, n * (k - 1));
    uint64_t depth = 0;
    for (; count > 0; depth++) {
        uint64_t child, parent, hops;
        assert_true(count <= FOUND);
        assert_ok(cn_tree_children(tree, v, found, FOUND, NULL));
        child = found[depth == 0 ? count / 3 : 0];
        assert_ok(cn_tree_parent(tree, child, &parent));
        assert_int_equal(parent, v);
        assert_ok(cn_tree_depth(tree, child, &hops));
        assert_int_equal(hops, depth + 1);
        v = child;
        assert_ok(cn_tree_child_count(tree, v, &count));
    }
    assert_true(depth > 3);
    assert_ok(cn_tree_subtree_size(tree, v, &size));
    assert_int_equal(size, 1);
    assert_ok(cn_tree_path(tree, v, path, 64, &on_path));
    assert_int_equal(on_path, depth + 1);
    assert_int_equal(path[0], root);
    uint64_t sum = 1;
    assert_ok(cn_tree_children(tree, root, found, FOUND, NULL));
    for (uint64_t i = 0; i < n * (k - 1); i++) {
        assert_ok(cn_tree_subtree_size(tree, found[i], &size));
        sum += size;
    }
    assert_int_equal(sum, cn_topology_node_count(t));
    assert_int_equal(support_allocations(), allocations);
    cn_tree_free(&tree);
    cn_topology_free(&t);
    support_remove_allocator();
}

static void large_networks_need_no_memory(void **state)
{
    (void)state;
    walk_down(8, 20, UINT64_C(1) << 59);
    walk_down(2, 62, UINT64_C(0x1234567890abcdef));
    walk_down(3, 39, UINT64_C(1234567890123456789));
    walk_down(46340, 4, 12345678901234);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    cn_topology *t, *mixed, *ring;
    cn_tree *tree = (cn_tree *)&tree;
    uint64_t parents[8];
    size_t count;
    assert_ok(cn_topology_generalized_hypercube(5, 3, &t));
    assert_fails(cn_tree_balanced(t, 125, &tree), CN_ERR_ARGUMENT, "root = 125");
    assert_null(tree);
    assert_fails(cn_tree_balanced(NULL, 0, &tree), CN_ERR_ARGUMENT, "topology");
    assert_fails(cn_tree_balanced(t, 0, NULL), CN_ERR_ARGUMENT, "tree");
    assert_ok(cn_topology_generalized_hypercube_mixed((const uint64_t[]){3, 4}, 2, &mixed));
    assert_fails(cn_tree_balanced(mixed, 0, &tree), CN_ERR_UNSUPPORTED, "([3,4])");
    assert_ok(cn_topology_kary_ncube(5, 2, 1, &ring));
    assert_fails(cn_tree_balanced(ring, 0, &tree), CN_ERR_UNSUPPORTED, "kary_ncube(k=5,n=2,");
    assert_fails(cn_spanning_graph_parents(t, 125, 0, parents, NULL, 8, &count), CN_ERR_ARGUMENT,
                 "root = 125");
    assert_fails(cn_spanning_graph_parents(t, 0, 125, parents, NULL, 8, &count), CN_ERR_ARGUMENT,
                 "node = 125");
    assert_fails(cn_spanning_graph_parents(t, 0, 1, NULL, NULL, 8, &count), CN_ERR_ARGUMENT,
                 "parents");
    assert_fails(cn_spanning_graph_parents(NULL, 0, 1, parents, NULL, 8, &count), CN_ERR_ARGUMENT,
                 "topology");
    assert_fails(cn_spanning_graph_parents(t, 0, 1, NULL, NULL, 0, &count), CN_ERR_CAPACITY,
                 "has 1 parents");
    assert_int_equal(count, 1);
    assert_fails(cn_spanning_graph_parents(mixed, 0, 1, parents, NULL, 8, &count),
                 CN_ERR_UNSUPPORTED, "([3,4])");
    cn_topology_free(&ring);
    cn_topology_free(&mixed);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_follow_the_rule_from_every_root),
        cmocka_unit_test(root_subtree_i_has_the_nodes_of_displacement_i),
        cmocka_unit_test(children_are_the_inverse_of_parent),
        cmocka_unit_test(children_fill_leading_zeros_in_order),
        cmocka_unit_test(a_leaf_may_have_leading_zeros),
        cmocka_unit_test(arrays_are_a_shortest_path_spanning_tree),
        cmocka_unit_test(root_subtrees_have_the_known_sizes),
        cmocka_unit_test(spanning_graph_unfolds_short_necklaces),
        cmocka_unit_test(large_networks_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
