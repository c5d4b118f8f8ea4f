/* Handles of trees: what is refused, what capacities do, what keeps what alive. */
#include "support/support.h"

static cn_tree *build(cn_topology **t)
{
    cn_tree *tree;
    assert_ok(cn_topology_generalized_hypercube(3, 3, t));
    assert_ok(cn_tree_balanced(*t, 13, &tree));
    return tree;
}

static void bad_nodes_and_indices_are_refused(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree = build(&t);
    uint64_t out, nodes[32];
    size_t count;
    assert_fails(cn_tree_parent(tree, 27, &out), CN_ERR_ARGUMENT, "node = 27");
    assert_fails(cn_tree_depth(tree, 27, &out), CN_ERR_ARGUMENT, "0 to 26");
    assert_fails(cn_tree_child_count(tree, 27, &out), CN_ERR_ARGUMENT, "0 to 26");
    assert_fails(cn_tree_children(tree, 27, nodes, 32, &count), CN_ERR_ARGUMENT, "0 to 26");
    assert_fails(cn_tree_subtree_size(tree, 27, &out), CN_ERR_ARGUMENT, "0 to 26");
    assert_fails(cn_tree_path(tree, 27, nodes, 32, &count), CN_ERR_ARGUMENT, "0 to 26");
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree = build(&t);
    uint64_t out, nodes[32];
    size_t count;
    assert_fails(cn_tree_parent(NULL, 0, &out), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_parent(tree, 0, NULL), CN_ERR_ARGUMENT, "parent");
    assert_fails(cn_tree_depth(NULL, 0, &out), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_depth(tree, 0, NULL), CN_ERR_ARGUMENT, "depth");
    assert_fails(cn_tree_child_count(NULL, 0, &out), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_child_count(tree, 0, NULL), CN_ERR_ARGUMENT, "count");
    assert_fails(cn_tree_children(NULL, 0, nodes, 32, &count), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_children(tree, 0, NULL, 32, &count), CN_ERR_ARGUMENT, "children");
    assert_fails(cn_tree_subtree_size(NULL, 0, &out), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_subtree_size(tree, 0, NULL), CN_ERR_ARGUMENT, "size");
    assert_fails(cn_tree_path(NULL, 0, nodes, 32, &count), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_path(tree, 0, NULL, 32, &count), CN_ERR_ARGUMENT, "nodes");
    assert_fails(cn_tree_arrays(NULL, nodes, NULL, NULL, 32, NULL), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_arrays(tree, NULL, NULL, NULL, 32, NULL), CN_ERR_ARGUMENT, "parents");
    assert_fails(cn_tree_arrays(tree, nodes, nodes, NULL, 32, NULL), CN_ERR_ARGUMENT, "children");
    assert_fails(cn_tree_arrays(tree, nodes, NULL, nodes, 32, NULL), CN_ERR_ARGUMENT, "first");
    assert_true(cn_tree_root(NULL) == CN_NO_NODE);
    cn_tree_free(&tree);
    assert_null(tree);
    cn_tree_free(&tree);
    cn_tree_free(NULL);
    cn_topology_free(&t);
}

static void small_arrays_learn_what_is_needed(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree = build(&t);
    uint64_t nodes[32];
    size_t count = 0;
    assert_fails(cn_tree_children(tree, 13, NULL, 0, &count), CN_ERR_CAPACITY, "capacity = 0");
    assert_int_equal(count, 6);
    assert_fails(cn_tree_path(tree, 0, nodes, 3, &count), CN_ERR_CAPACITY, "has 4");
    assert_int_equal(count, 4);
    assert_fails(cn_tree_arrays(tree, nodes, NULL, NULL, 26, NULL), CN_ERR_CAPACITY, "27 nodes");
    assert_ok(cn_tree_arrays(tree, nodes, NULL, NULL, 27, NULL));
    assert_true(nodes[13] == CN_NO_NODE);
    assert_ok(cn_tree_path(tree, 0, nodes, 4, NULL));
    assert_ok(cn_tree_children(tree, 13, nodes, 6, NULL));
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

static void a_tree_keeps_its_topology(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree = build(&t);
    uint64_t parent;
    cn_topology_free(&t);
    assert_ok(cn_tree_parent(tree, 12, &parent));
    assert_int_equal(parent, 13);
    cn_tree_free(&tree);
}

static cn_status make_all(void *context)
{
    (void)context;
    cn_topology *t = NULL;
    cn_tree *trees[3] = {NULL, NULL, NULL};
    cn_status status = cn_topology_hypercube(4, &t);
    if (status == CN_OK)
        status = cn_tree_balanced(t, 3, &trees[0]);
    if (status == CN_OK)
        status = cn_tree_binomial(t, 3, 1, &trees[1]);
    if (status == CN_OK)
        status = cn_tree_edge_disjoint(t, 3, 1, &trees[2]);
    uint64_t parents[16];
    if (status == CN_OK)
        status = cn_tree_arrays(trees[2], parents, NULL, NULL, 16, NULL);
    if (status == CN_OK)
        status = cn_tree_validate(t, 3, parents, 16, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++)
        cn_tree_free(&trees[i]);
    cn_topology_free(&t);
    return status;
}

static void out_of_memory_unwinds(void **state)
{
    (void)state;
    support_fail_every_allocation(make_all, NULL);
}

/* Beyond what can be counted in a second or two there is a sentence. */
static void refuses_long_counts(void **state)
{
    (void)state;
    cn_topology *t;
    cn_tree *tree;
    uint64_t number;
    size_t count;
    assert_ok(cn_topology_generalized_hypercube(1000000000, 2, &t));
    assert_ok(cn_tree_balanced(t, 0, &tree));
    assert_fails(cn_tree_child_count(tree, 5, &number), CN_ERR_UNSUPPORTED, "node 5");
    assert_fails(cn_tree_children(tree, 5, NULL, 0, &count), CN_ERR_UNSUPPORTED, "2^18");
    assert_ok(cn_tree_child_count(tree, 0, &number));
    assert_int_equal(number, 2 * UINT64_C(999999999));
    cn_tree_free(&tree);
    cn_topology_free(&t);
    assert_ok(cn_topology_hypercube(40, &t));
    assert_ok(cn_tree_balanced(t, 0, &tree));
    assert_fails(cn_tree_subtree_size(tree, 7, &number), CN_ERR_UNSUPPORTED, "2^18");
    assert_ok(cn_tree_subtree_size(tree, 1, &number)); /* a closed form */
    cn_tree_free(&tree);
    cn_topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_long_counts),
        cmocka_unit_test(bad_nodes_and_indices_are_refused),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(small_arrays_learn_what_is_needed),
        cmocka_unit_test(a_tree_keeps_its_topology),
        cmocka_unit_test(out_of_memory_unwinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
