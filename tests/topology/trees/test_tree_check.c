/* The validator on trees that are right, wrong and roundabout, on any topology. */
#include "support/support.h"

#include "cubenet/experimental/multicast.h"

#define NONE CN_NO_NODE

static void trees_of_any_topology_are_judged(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t height;
    int shortest;
    /* a square 0-1-2-3 with a tail 3-4 */
    static const uint64_t EDGES[] = {0, 1, 1, 2, 2, 3, 3, 0, 3, 4};
    assert_ok(cn_topology_from_edges(5, EDGES, 5, NULL, &t));
    static const uint64_t SHORT[] = {NONE, 0, 1, 0, 3}, LONG[] = {NONE, 0, 1, 2, 3};
    assert_ok(cn_tree_validate(t, 0, SHORT, 5, NULL, &height, &shortest));
    assert_int_equal(height, 2);
    assert_int_equal(shortest, 1);
    assert_ok(cn_tree_validate(t, 0, LONG, 5, NULL, &height, &shortest));
    assert_int_equal(height, 4);
    assert_int_equal(shortest, 0);
    assert_ok(cn_tree_validate(t, 0, LONG, 5, NULL, NULL, NULL));
    cn_topology_free(&t);

    static const uint64_t ROUND[] = {NONE, 0, 1}; /* one hop too many to node 2 */
    assert_ok(cn_topology_generalized_hypercube(3, 1, &t));
    assert_ok(cn_tree_validate(t, 0, ROUND, 3, NULL, &height, &shortest));
    assert_int_equal(height, 2);
    assert_int_equal(shortest, 0);
    cn_topology_free(&t);

    /* a message goes down the ring: 0, 4, 3, 2, 1 */
    static const uint64_t DOWN[] = {NONE, 2, 3, 4, 0}, UP[] = {NONE, 0, 1, 2, 3};
    assert_ok(cn_topology_kary_ncube(5, 1, 0, &t));
    assert_ok(cn_tree_validate(t, 0, DOWN, 5, NULL, &height, &shortest));
    assert_int_equal(height, 4);
    assert_int_equal(shortest, 1);
    assert_fails(cn_tree_validate(t, 0, UP, 5, NULL, NULL, NULL), CN_ERR_ARGUMENT,
                 "parents[1] = 0");
    cn_topology_free(&t);
}

static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    cn_topology *t;
    uint64_t height = 77;
    int shortest = 77;
    assert_ok(cn_topology_hypercube(2, &t));
    static const uint64_t TWO_ROOTS[] = {NONE, NONE, 0, 1}, FAR_PARENT[] = {NONE, 0, 0, 0},
                          NO_NODE[] = {NONE, 4, 0, 1}, ROOT_PARENT[] = {1, 0, 0, 1},
                          SELF[] = {NONE, 0, 2, 1};
    assert_fails(cn_tree_validate(t, 0, TWO_ROOTS, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "node 1 has no parent");
    assert_fails(cn_tree_validate(t, 0, FAR_PARENT, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "parents[3] = 0");
    assert_fails(cn_tree_validate(t, 0, NO_NODE, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "parents[1] = 4");
    assert_fails(cn_tree_validate(t, 0, ROOT_PARENT, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "the root must have CN_NO_NODE");
    assert_fails(cn_tree_validate(t, 0, SELF, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "parents[2] = 2");
    assert_fails(cn_tree_validate(t, 4, SELF, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "root = 4");
    assert_fails(cn_tree_validate(t, 0, SELF, 3, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "count = 3");
    assert_fails(cn_tree_validate(NULL, 0, SELF, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "topology");
    assert_fails(cn_tree_validate(t, 0, NULL, 4, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "parents");
    cn_topology_free(&t);
    /* 1-3-7-5 form a cycle */
    static const uint64_t CYCLE[] = {NONE, 5, 0, 1, 0, 7, 2, 3};
    assert_ok(cn_topology_hypercube(3, &t));
    assert_fails(cn_tree_validate(t, 0, CYCLE, 8, NULL, &height, &shortest), CN_ERR_ARGUMENT,
                 "form a cycle");
    cn_topology_free(&t);
    assert_int_equal(height, 77);
    assert_int_equal(shortest, 77);
}

static void common_channels_are_found(void **state)
{
    (void)state;
    cn_topology *cube, *other;
    cn_tree *a, *b, *moved, *elsewhere;
    uint64_t node;
    assert_ok(cn_topology_hypercube(3, &cube));
    assert_ok(cn_topology_hypercube(4, &other));
    assert_ok(cn_tree_binomial(cube, 6, 0, &a));
    assert_ok(cn_tree_binomial(cube, 6, 1, &b));
    assert_ok(cn_tree_binomial(cube, 5, 1, &moved));
    assert_ok(cn_tree_binomial(other, 6, 1, &elsewhere));
    const cn_tree *pair[] = {a, b}; /* both send from 6 to 7 in dimension 0 */
    assert_ok(cn_tree_common_channel(pair, 2, &node));
    assert_int_equal(node, 7);
    assert_ok(cn_tree_common_channel(pair, 1, &node));
    assert_true(node == CN_NO_NODE);
    assert_ok(cn_tree_common_channel(pair, 0, &node));
    assert_true(node == CN_NO_NODE);
    pair[1] = moved;
    assert_fails(cn_tree_common_channel(pair, 2, &node), CN_ERR_ARGUMENT, "root 5");
    pair[1] = elsewhere;
    assert_fails(cn_tree_common_channel(pair, 2, &node), CN_ERR_ARGUMENT, "hypercube(4)");
    pair[1] = NULL;
    assert_fails(cn_tree_common_channel(pair, 2, &node), CN_ERR_ARGUMENT, "trees[1] is NULL");
    assert_fails(cn_tree_common_channel(NULL, 2, &node), CN_ERR_ARGUMENT, "trees");
    assert_fails(cn_tree_common_channel(pair, 1, NULL), CN_ERR_ARGUMENT, "node");
    cn_tree_free(&a);
    cn_tree_free(&b);
    cn_tree_free(&moved);
    cn_tree_free(&elsewhere);
    cn_topology_free(&cube);
    cn_topology_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_any_topology_are_judged),
        cmocka_unit_test(what_is_no_tree_is_refused),
        cmocka_unit_test(common_channels_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
