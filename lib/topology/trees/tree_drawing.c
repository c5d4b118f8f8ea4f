/* Pictures of trees: the network, with the edges of the tree set off from other links. */
#include "topology/trees/tree.h"

#include "base/error.h"
#include "topology/interchange/picture.h"

enum { ROOT = CNI_PLAIN + 1, EDGE, OTHER, LOOKS };

static const cni_look looks[LOOKS] = {
    [ROOT] = {.fill = "#F9DDB5", .meaning = "root"},
    [EDGE] = {.line = "#0072B2", .meaning = "edge of the tree"},
    [OTHER] = {.line = "#CCCCCC", .dashed = 1, .meaning = "other link"},
};

static unsigned look_of(const void *tree, uint64_t node)
{
    return node == ((const cn_tree *)tree)->root ? ROOT : CNI_PLAIN;
}

static int is_parent(const cn_tree *tree, uint64_t parent, uint64_t child)
{
    return child != tree->root && cni_parent_in_tree(tree, child) == parent;
}

static unsigned look_of_port(const void *user, uint64_t node, uint32_t port)
{
    const cn_tree *tree = user;
    const cn_topology *t = tree->topology;
    uint64_t far = t->ops->neighbor(t, node, port);
    int is_edge = is_parent(tree, node, far) || (t->bidirectional && is_parent(tree, far, node));
    return is_edge ? EDGE : OTHER;
}

cn_status cn_tree_draw(const cn_tree *tree, cn_format format, const cn_control *control,
                       char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(tree);
    CNI_BUDGET(budget, control, 0);
    const cni_picture picture = {.topology = tree->topology,
                                 .looks = looks,
                                 .node_look = look_of,
                                 .link_look = look_of_port,
                                 .user = tree};
    return cni_picture_draw(&picture, format, &budget, text, capacity, length);
}
