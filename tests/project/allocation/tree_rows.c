/* necklace.h, tree.h */
#include "given.h"

#include "cubenet/experimental/multicast.h"

static void balanced(void)
{
    general();
    assert_ok(cn_tree_balanced(given.topology, 3, &given.tree));
}

static void binomial(void)
{
    cube();
    assert_ok(cn_tree_binomial(given.topology, 3, 1, &given.tree));
}

static void edge_disjoint(void)
{
    cube();
    assert_ok(cn_tree_edge_disjoint(given.topology, 3, 1, &given.tree));
}

static void stored(void)
{
    static const uint64_t parents[] = {3, 0, 0, CN_NO_NODE, 3, 3, 3, 6, 6};
    general();
    assert_ok(cn_tree_from_parents(given.topology, 3, parents, 9, NULL, &given.tree));
}

static void necklaces(void)
{
    NEVER(cn_necklace_rotate, general, given.topology, 5, out.words[0]);
    NEVER(cn_necklace_rotate_back, general, given.topology, 5, out.words[0]);
    NEVER(cn_necklace_period, general, given.topology, 5, out.words[0]);
    NEVER(cn_necklace_generator, general, given.topology, 5, out.words[0]);
    NEVER(cn_necklace_displacement, general, given.topology, 5, out.words[0]);
    NEVER(cn_necklace_displacements, general, given.topology, (uint64_t[]){5, 2}, 2, NULL,
          out.words[0]);
    NEVER(cn_necklace_unfolded, general, given.topology, 5, out.words[0], 8, out.sizes);
    NEVER(cn_necklace_count, general, given.topology, 1, out.words[0]);
    NEVER(cn_necklace_first, general, given.topology, 1, out.words[0]);
    NEVER(cn_necklace_next, cube, given.topology, 12, out.words[0]);
}

static void queries(void (*tree)(void))
{
    NUMBER(cn_tree_root, tree, given.tree);
    NEVER(cn_tree_parent, tree, given.tree, 5, out.words[0]);
    NEVER(cn_tree_parents, tree, given.tree, (uint64_t[]){5, 2}, 2, NULL, out.words[0]);
    NEVER(cn_tree_depth, tree, given.tree, 5, out.words[0]);
    NEVER(cn_tree_child_count, tree, given.tree, 3, out.words[0]);
    NEVER(cn_tree_children, tree, given.tree, 3, out.words[0], 16, out.sizes);
    NEVER(cn_tree_subtree_size, tree, given.tree, 3, out.words[0]);
    NEVER(cn_tree_path, tree, given.tree, 5, out.words[0], 16, out.sizes);
    FAILS(cn_tree_draw, tree, given.tree, CN_FORMAT_DOT, NULL, out.text, sizeof out.text,
          out.sizes);
    FAILS(cn_tree_draw, tree, given.tree, CN_FORMAT_SVG, NULL, out.text, sizeof out.text,
          out.sizes);
    NEVER(cn_tree_arrays, tree, given.tree, out.words[0], out.words[1], out.words[2], 16, NULL);
    NEVER(cn_tree_common_channel, tree, (const cn_tree *const *)&given.tree, 1, out.words[0]);
    FREES(cn_tree_free, tree, &given.tree);
}

void tree_rows(void **state)
{
    static const uint64_t parents[] = {CN_NO_NODE, 0, 0, 1, 0, 1, 2, 3};
    (void)state;
    necklaces();
    FAILS(cn_tree_balanced, general, given.topology, 3, &made.tree);
    FAILS(cn_tree_binomial, cube, given.topology, 3, 1, &made.tree);
    FAILS(cn_tree_edge_disjoint, cube, given.topology, 3, 1, &made.tree);
    FAILS(cn_tree_from_parents, small_cube, given.topology, 0, parents, 8, NULL, &made.tree);
    FAILS(cn_tree_breadth_first, general, given.topology, 3, NULL, &made.tree);
    queries(balanced);
    queries(binomial);
    queries(edge_disjoint);
    queries(stored);
    FAILS(cn_tree_validate, small_cube, given.topology, 0, parents, 8, NULL, out.words[0],
          out.numbers);
    NEVER(cn_spanning_graph_parents, general, given.topology, 3, 5, out.words[0], out.words[1], 8,
          out.sizes);
}
