/* The inside of a cn_tree: a rule for node 0 as root and the translation to the root it has, or
 * stored rows. */
#ifndef CNI_TOPOLOGY_TREES_TREE_H
#define CNI_TOPOLOGY_TREES_TREE_H

#include "cubenet/tree.h"

#include "base/budget.h"
#include "base/json.h"
#include "topology/topology.h"

typedef struct cni_tree_rows cni_tree_rows;

/* The answer of an operation that would be too much work. */
#define CNI_TOO_MANY UINT64_MAX

/* What a family of trees computes. Arguments are valid nodes, and as seen from root 0 unless it is
 * stored. */
typedef struct cni_tree_ops {
    const char *name;  /* of the family */
    int has_dimension; /* 1: there is a tree for each dimension */
    int is_stored;     /* 1: for the root that the tree has */
    uint64_t (*parent)(const cn_tree *tree, uint64_t node); /* of any node but the root */
    uint64_t (*depth)(const cn_tree *tree, uint64_t node);
    /* Writes the children from number `from` on, as long as there is room, and returns how many
     * children there are in all, or CNI_TOO_MANY. */
    uint64_t (*children)(const cn_tree *tree, uint64_t node, uint64_t from, uint64_t out[],
                         uint64_t room);
    /* CNI_TOO_MANY when it is counted, and too large for that. */
    uint64_t (*subtree_size)(const cn_tree *tree, uint64_t node);
} cni_tree_ops;

struct cn_tree {
    cni_object head;
    cn_topology *topology;
    const cni_tree_ops *ops;
    uint64_t root;
    uint32_t dimension;  /* base of a binomial tree, index of an edge-disjoint one */
    cni_tree_rows *rows; /* of a stored tree, which its copies share; else NULL */
};

/* Makes the tree; the topology suits the ops, root and dimension are still to be checked.
 * `argument` is what the function calls the dimension, NULL where it has none. */
cn_status cni_make_tree(const char *function, const cn_topology *topology, const cni_tree_ops *ops,
                        uint64_t root, const char *argument, uint32_t dimension, cn_tree **tree);

/* A handle of its own for the same tree. */
cn_status cni_tree_copy(const cn_tree *tree, cn_tree **copy);

/* Another holder of the rows, and the end of one; NULL is accepted. */
void cni_tree_rows_retain(cni_tree_rows *rows);
void cni_tree_rows_release(cni_tree_rows *rows);

/* The parent of a valid node that is not the root. */
uint64_t cni_parent_in_tree(const cn_tree *tree, uint64_t node);

/* cn_tree_validate() in the name of the calling function. */
cn_status cni_check_tree(const char *function, const cn_topology *topology, uint64_t root,
                         const uint64_t parents[], size_t count, cni_budget *budget,
                         uint64_t *height, int *shortest);

/* ---- in JSON ---- */

/* Start from NULL to read. */
void cni_io_tree(cni_io *io, const char *key, const cn_topology *topology, cn_tree **tree);

#endif
