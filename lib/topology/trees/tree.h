/* The inside of a cn_tree: either a rule for node 0 as root and the translation to the root of
 * the tree, or stored rows. */
#ifndef CNI_TOPOLOGY_TREES_TREE_H
#define CNI_TOPOLOGY_TREES_TREE_H

#include "cubenet/tree.h"

#include "base/budget.h"
#include "base/json.h"
#include "topology/topology.h"

typedef struct cni_tree_rows cni_tree_rows;

/* The answer of an operation that would take too much work. */
#define CNI_TOO_MANY UINT64_MAX

/* The operations of a family of trees. Arguments are valid nodes, as seen from root 0; in a
 * stored tree they are the nodes themselves. */
typedef struct cni_tree_ops {
    const char *name;  /* of the family */
    int has_dimension; /* 1: the family has a tree for each dimension */
    int is_stored;     /* 1: the rows are those of the tree itself; nodes need no translation */
    uint64_t (*parent)(const cn_tree *tree, uint64_t node); /* of any node but the root */
    uint64_t (*depth)(const cn_tree *tree, uint64_t node);
    /* Writes the children from number `from` on, as long as there is room. Returns the number of
     * all children, or CNI_TOO_MANY. */
    uint64_t (*children)(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room);
    /* CNI_TOO_MANY when the nodes must be counted and are too many. */
    uint64_t (*subtree_size)(const cn_tree *tree, uint64_t node);
} cni_tree_ops;

struct cn_tree {
    cni_object head;
    cn_topology *topology;
    const cni_tree_ops *ops;
    uint64_t root;
    uint32_t dimension;  /* base of a binomial tree, index of an edge-disjoint tree */
    cni_tree_rows *rows; /* of a stored tree, shared by its copies; else NULL */
};

/* Makes a tree on a topology that suits the ops; checks root and dimension. `argument` is the
 * name of the dimension in the calling function, NULL without a dimension. */
cn_status cni_make_tree(const char *function, const cn_topology *topology, const cni_tree_ops *ops,
                        uint64_t root, const char *argument, uint32_t dimension, cn_tree **tree);

/* Another handle of the same tree. */
cn_status cni_tree_copy(const cn_tree *tree, cn_tree **copy);

/* Makes another reference to the rows; and releases one. Both accept NULL. */
void cni_tree_rows_retain(cni_tree_rows *rows);
void cni_tree_rows_release(cni_tree_rows *rows);

/* The parent of a valid node that is not the root. */
uint64_t cni_parent_in_tree(const cn_tree *tree, uint64_t node);

/* cn_tree_validate() in the name of the calling function. */
cn_status cni_check_tree(const char *function, const cn_topology *topology, uint64_t root,
                         const uint64_t parents[], size_t count, cni_budget *budget,
                         uint64_t *height, int *shortest);

/* ---- in JSON ---- */

/* A member with a tree on this topology. Start from NULL to read. */
void cni_io_tree(cni_io *io, const char *key, const cn_topology *topology, cn_tree **tree);

#endif
