/* The spanning binomial tree with a base dimension against recursive doubling, step by step. */
#include "support/support.h"

enum { N = 6, NODES = 1 << N };

/* Step i of a broadcast: whoever has the message sends it in dimension base + i. Each node's parent
 * and the step in which it got the message. */
static void broadcast(uint32_t n, uint64_t root, uint32_t base, uint64_t parents[],
                      uint32_t steps[])
{
    for (uint64_t v = 0; v < UINT64_C(1) << n; v++)
        steps[v] = UINT32_MAX;
    steps[root] = 0;
    parents[root] = CN_NO_NODE;
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t v = 0; v < UINT64_C(1) << n; v++) {
            if (steps[v] > i)
                continue;
            uint64_t to = v ^ (UINT64_C(1) << (base + i) % n);
            assert_int_equal(steps[to], UINT32_MAX); /* nobody gets it twice */
            steps[to] = i + 1;
            parents[to] = v;
        }
}

static void check_tree(uint32_t n, uint64_t root, uint32_t base)
{
    uint64_t expected[NODES], parents[NODES], first[NODES + 1], children[NODES], height;
    uint32_t steps[NODES];
    size_t nodes = (size_t)1 << n;
    int shortest;
    cn_topology *t;
    cn_tree *tree;
    broadcast(n, root, base, expected, steps);
    assert_ok(cn_topology_hypercube(n, &t));
    assert_ok(cn_tree_binomial(t, root, base, &tree));
    assert_ok(cn_tree_arrays(tree, parents, first, children, NODES, NULL));
    assert_memory_equal(parents, expected, nodes * sizeof *parents);
    assert_ok(cn_tree_validate(t, root, parents, nodes, NULL, &height, &shortest));
    assert_int_equal(height, n);
    assert_int_equal(shortest, 1);
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t count, depth, size, hops, own[62];
        assert_ok(cn_tree_child_count(tree, v, &count));
        assert_int_equal(count, n - steps[v]);
        assert_int_equal(first[v + 1] - first[v], count);
        assert_ok(cn_tree_children(tree, v, own, 62, NULL));
        for (uint64_t i = 0; i < count; i++) { /* in the order in which they are sent to */
            assert_int_equal(own[i], children[first[v] + i]);
            assert_int_equal(parents[own[i]], v);
            assert_int_equal(steps[own[i]], steps[v] + i + 1);
        }
        assert_ok(cn_tree_depth(tree, v, &depth));
        assert_ok(cn_topology_distance(t, root, v, NULL, &hops));
        assert_int_equal(depth, hops);
        assert_ok(cn_tree_subtree_size(tree, v, &size));
        assert_int_equal(size, nodes >> steps[v]);
    }
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void every_base_and_root_broadcasts_by_doubling(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= N; n++)
        for (uint32_t base = 0; base < n; base++)
            for (uint64_t root = 0; root < UINT64_C(1) << n; root += 5)
                check_tree(n, root, base);
}

static void large_cubes_need_no_memory(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    uint64_t root = UINT64_C(0x2aaaaaaaaaaaaaaa), child, parent, size, path[63];
    size_t count;
    assert_ok(cn_topology_hypercube(62, &t));
    assert_ok(cn_tree_binomial(t, root, 40, &tree));
    assert_ok(cn_tree_children(tree, root, path, 63, NULL));
    child = path[30]; /* dimension 70 mod 62 = 8 */
    assert_int_equal(child ^ root, 1 << 8);
    assert_ok(cn_tree_subtree_size(tree, child, &size));
    assert_int_equal(size, UINT64_C(1) << 31);
    assert_ok(cn_tree_children(tree, child, path, 63, NULL));
    child = path[30]; /* the last dimension, 39 */
    assert_int_equal(child ^ root, UINT64_C(1) << 39 | 1 << 8);
    assert_ok(cn_tree_parent(tree, child, &parent));
    assert_int_equal(parent ^ root, 1 << 8);
    assert_ok(cn_tree_path(tree, root ^ ((UINT64_C(1) << 62) - 1), path, 63, &count));
    assert_int_equal(count, 63);
    assert_int_equal(path[1] ^ root, UINT64_C(1) << 40);
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *t;
    cn_tree *tree = (cn_tree *)&tree;
    assert_ok(cn_topology_hypercube(5, &cube));
    assert_fails(cn_tree_binomial(cube, 32, 0, &tree), CN_ERR_ARGUMENT, "root = 32");
    assert_null(tree);
    assert_fails(cn_tree_binomial(cube, 31, 5, &tree), CN_ERR_ARGUMENT, "base = 5");
    assert_fails(cn_tree_binomial(cube, 31, 0, NULL), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_binomial(NULL, 31, 0, &tree), CN_ERR_ARGUMENT, "topology");
    assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
    assert_fails(cn_tree_binomial(t, 0, 0, &tree), CN_ERR_UNSUPPORTED, "hypercube(k=3,n=3)");
    cn_topology_free(&t);
    assert_ok(cn_topology_generalized_hypercube(2, 3, &t)); /* this one is a Boolean cube */
    assert_ok(cn_tree_binomial(t, 0, 0, &tree));
    cn_tree_free(&tree);
    cn_topology_free(&t);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_base_and_root_broadcasts_by_doubling),
        cmocka_unit_test(large_cubes_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
