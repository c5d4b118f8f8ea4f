/* Drawings of trees: every edge of the tree stands out, and nothing else does. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 16 };
static char text[ROOM];

static size_t count_of(const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static void links_are_those_of_the_tree(const cn_topology *t, const cn_tree *tree)
{
    size_t links = 0, edges = 0, length;
    assert_ok(cn_tree_draw(tree, CN_FORMAT_DOT, NULL, text, sizeof text, &length));
    assert_int_equal(length, strlen(text));
    int two_way = cn_topology_is_bidirectional(t);
    for (uint64_t v = 0; v < cn_topology_node_count(t); v++) {
        uint64_t neighbors[16], up, above;
        size_t degree;
        assert_ok(cn_topology_neighbors(t, v, neighbors, 16, &degree));
        assert_ok(cn_tree_parent(tree, v, &up));
        for (size_t p = 0; p < degree; p++) {
            char line[64];
            uint64_t far = neighbors[p];
            if (two_way && far < v)
                continue;
            assert_ok(cn_tree_parent(tree, far, &above));
            int is_edge = above == v || (two_way && up == far);
            snprintf(line, sizeof line, "  %d %s %d [color=\"%s", (int)v, two_way ? "--" : "->",
                     (int)far, is_edge ? "#0072B2\"]" : "#CCCCCC\", style=dashed]");
            assert_int_equal(count_of(line), 1);
            edges += (size_t)is_edge;
            links++;
        }
    }
    assert_int_equal(edges, cn_topology_node_count(t) - 1);
    assert_int_equal(count_of(two_way ? " -- " : " -> "), links);
    assert_int_equal(count_of("fillcolor=\"#F9DDB5\""), 1);
    assert_int_equal(count_of("edge of the tree"), 1);
    assert_ok(cn_tree_draw(tree, CN_FORMAT_SVG, NULL, text, sizeof text, NULL));
    assert_int_equal(count_of("stroke=\"#0072B2\""), edges + 1);
    assert_int_equal(count_of(">root</text>"), 1);
}

static void all_families_are_drawn(void **state)
{
    (void)state;
    cn_topology *cube, *ring;
    cn_tree *tree;
    assert_ok(cn_topology_hypercube(4, &cube));
    assert_ok(cn_tree_balanced(cube, 5, &tree));
    links_are_those_of_the_tree(cube, tree);
    cn_tree_free(&tree);
    assert_ok(cn_tree_edge_disjoint(cube, 3, 1, &tree));
    links_are_those_of_the_tree(cube, tree);
    cn_tree_free(&tree);
    assert_ok(cn_topology_kary_ncube(3, 2, 0, &ring));
    assert_ok(cn_tree_breadth_first(ring, 4, NULL, &tree));
    links_are_those_of_the_tree(ring, tree);
    cn_tree_free(&tree);
    cn_topology_free(&ring);
    cn_topology_free(&cube);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    cn_topology *cube;
    cn_tree *tree;
    size_t length = 0;
    assert_ok(cn_topology_hypercube(11, &cube));
    assert_ok(cn_tree_binomial(cube, 0, 0, &tree));
    assert_fails(cn_tree_draw(tree, CN_FORMAT_SVG, NULL, text, sizeof text, NULL),
                 CN_ERR_UNSUPPORTED, "a drawing has at most 1024");
    assert_fails(cn_tree_draw(tree, CN_FORMAT_DOT, NULL, text, 9, &length), CN_ERR_CAPACITY,
                 "needs");
    assert_true(length > 2048);
    assert_fails(cn_tree_draw(NULL, CN_FORMAT_DOT, NULL, text, 9, NULL), CN_ERR_ARGUMENT, "tree");
    assert_fails(cn_tree_draw(tree, CN_FORMAT_METIS, NULL, text, 9, NULL), CN_ERR_UNSUPPORTED,
                 "format = metis, but a drawing is dot or svg");
    assert_fails(cn_tree_draw(tree, (cn_format)9, NULL, text, 9, NULL), CN_ERR_ARGUMENT,
                 "format = 9");
    assert_fails(cn_tree_draw(NULL, CN_FORMAT_SVG, NULL, text, 9, NULL), CN_ERR_ARGUMENT, "tree");
    cn_tree_free(&tree);
    cn_topology_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_families_are_drawn),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
