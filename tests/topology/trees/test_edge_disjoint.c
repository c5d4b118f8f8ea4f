/* n spanning trees without a common channel: all channels counted one by one. */
#include "support/support.h"

#include "cubenet/experimental/multicast.h"

#include <string.h>

enum { N = 7, NODES = 1 << N };

static int dimension_between(uint64_t a, uint64_t b)
{
    int dimension = 0;
    while ((a ^ b) >> dimension != 1)
        dimension++;
    assert_int_equal(a ^ b, UINT64_C(1) << dimension);
    return dimension;
}

static void check_tree(const cn_topology *t, uint32_t n, uint64_t root, uint32_t j,
                       char used[NODES][N])
{
    uint64_t parents[NODES], first[NODES + 1], children[NODES], sizes[NODES], height;
    size_t nodes = (size_t)1 << n;
    cn_tree *tree;
    assert_ok(cn_tree_edge_disjoint(t, root, j, &tree));
    assert_ok(cn_tree_arrays(tree, parents, first, children, NODES, NULL));
    assert_ok(cn_tree_validate(t, root, parents, nodes, NULL, &height, NULL));
    assert_int_equal(height, n == 1 ? 1 : n + 1);
    assert_int_equal(first[root + 1] - first[root], 1);
    assert_int_equal(children[first[root]], root ^ (1u << j));
    for (uint64_t v = 0; v < nodes; v++) {
        uint64_t depth, above;
        assert_ok(cn_tree_depth(tree, v, &depth));
        if (v != root) {
            char *channel = &used[parents[v]][dimension_between(parents[v], v)];
            assert_int_equal(*channel, 0);
            *channel = 1;
            assert_ok(cn_tree_depth(tree, parents[v], &above));
            assert_int_equal(depth, above + 1);
        }
        for (uint64_t i = first[v]; i < first[v + 1]; i++)
            assert_int_equal(parents[children[i]], v);
        sizes[v] = 1;
    }
    assert_int_equal(first[nodes], nodes - 1);
    for (uint64_t level = height; level > 0; level--)
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

static void trees_span_and_use_every_channel_once(void **state)
{
    (void)state;
    static char used[NODES][N];
    for (uint32_t n = 1; n <= N; n++) {
        cn_topology *t;
        assert_ok(cn_topology_hypercube(n, &t));
        for (uint64_t root = 0; root < UINT64_C(1) << n; root += 1 + root / 3) {
            memset(used, 0, sizeof used);
            for (uint32_t j = 0; j < n; j++)
                check_tree(t, n, root, j, used);
            for (uint64_t v = 0; v < UINT64_C(1) << n; v++)
                for (uint32_t d = 0; d < n; d++)
                    assert_int_equal(used[v][d], (v ^ (UINT64_C(1) << d)) != root);
        }
        cn_topology_free(&t);
    }
}

static void the_checker_agrees(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *trees[6];
    uint64_t node;
    assert_ok(cn_topology_hypercube(6, &t));
    for (uint32_t j = 0; j < 6; j++)
        assert_ok(cn_tree_edge_disjoint(t, 37, j, &trees[j]));
    assert_ok(cn_tree_common_channel((const cn_tree *const *)trees, 6, &node));
    assert_true(node == CN_NO_NODE);
    for (uint32_t j = 0; j < 6; j++)
        cn_tree_free(&trees[j]);
    cn_topology_free(&t);
}

static void large_cubes_need_no_memory(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    uint64_t child, parent, depth, size;
    assert_ok(cn_topology_hypercube(62, &t));
    assert_ok(cn_tree_edge_disjoint(t, 0, 61, &tree));
    assert_ok(cn_tree_parent(tree, 7, &parent)); /* a leaf hangs across dimension 61 */
    assert_int_equal(parent, 7 | UINT64_C(1) << 61);
    assert_ok(cn_tree_parent(tree, parent, &parent)); /* 0, 1, 2 are first in its order */
    assert_int_equal(parent, 3 | UINT64_C(1) << 61);
    assert_ok(cn_tree_depth(tree, 7, &depth));
    assert_int_equal(depth, 5);
    assert_ok(cn_tree_children(tree, 0, &child, 1, NULL));
    assert_ok(cn_tree_subtree_size(tree, child, &size));
    assert_int_equal(size, (UINT64_C(1) << 62) - 1);
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    cn_topology *cube, *t;
    cn_tree *tree = (cn_tree *)&tree;
    assert_ok(cn_topology_hypercube(5, &cube));
    assert_fails(cn_tree_edge_disjoint(cube, 32, 0, &tree), CN_ERR_ARGUMENT, "root = 32");
    assert_null(tree);
    assert_fails(cn_tree_edge_disjoint(cube, 31, 5, &tree), CN_ERR_ARGUMENT, "index = 5");
    assert_fails(cn_tree_edge_disjoint(cube, 31, 0, NULL), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_edge_disjoint(NULL, 31, 0, &tree), CN_ERR_ARGUMENT, "topology");
    assert_ok(cn_topology_generalized_hypercube(3, 3, &t));
    assert_fails(cn_tree_edge_disjoint(t, 0, 0, &tree), CN_ERR_UNSUPPORTED, "hypercube(k=3,n=3)");
    cn_topology_free(&t);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_span_and_use_every_channel_once),
        cmocka_unit_test(the_checker_agrees),
        cmocka_unit_test(large_cubes_need_no_memory),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
