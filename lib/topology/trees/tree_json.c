#include "topology/trees/tree_json.h"

#include <string.h>

/* A stored tree has the parents of all nodes, the root as its own. */
void cni_tree_put(cni_json_writer *w, const char *key, const cn_tree *tree)
{
    cni_json_open(w, key, '{');
    cni_json_put_name(w, "family", tree->ops->name);
    cni_json_put_whole(w, "root", tree->root);
    if (tree->ops->has_dimension)
        cni_json_put_whole(w, "dimension", tree->dimension);
    if (tree->ops->is_stored) {
        cni_json_open(w, "parents", '[');
        for (uint64_t v = 0; v < tree->topology->nodes; v++)
            cni_json_put_whole(w, NULL, v == tree->root ? v : cni_parent_in_tree(tree, v));
        cni_json_close(w, ']');
    }
    cni_json_close(w, '}');
}

static cn_status read_stored(const cni_json *json, cni_json_value value,
                             const cn_topology *topology, uint64_t root, cn_tree **tree)
{
    uint64_t *parents;
    size_t count;
    cn_status status = cni_json_all_wholes(json, value, topology->nodes - 1, &parents, &count);
    if (status == CN_OK && count > root && parents[root] == root) /* else there is no tree */
        parents[root] = CN_NO_NODE;
    if (status == CN_OK)
        status = cni_json_blame(json, value,
                                cn_tree_from_parents(topology, root, parents, count, NULL, tree));
    cni_release(parents);
    return status;
}

cn_status cni_tree_of_json(const cni_json *json, cni_json_value value, const cn_topology *topology,
                           cn_tree **tree)
{
    enum { FAMILY, ROOT, DIMENSION, PARENTS, KEYS };
    static const char *const keys[] = {"family", "root", "dimension", "parents"};
    cni_json_value is[KEYS];
    char family[CNI_JSON_NAME];
    uint64_t root, dimension = 0;
    CNI_TRY(cni_json_members(json, value, keys, 2, KEYS, is));
    CNI_TRY(cni_json_name(json, is[FAMILY], family));
    CNI_TRY(cni_json_whole(json, is[ROOT], topology->nodes - 1, &root));
    if (strcmp(family, "stored") == 0 && is[PARENTS].at != NULL && is[DIMENSION].at == NULL)
        return read_stored(json, is[PARENTS], topology, root, tree);
    if (strcmp(family, "balanced") == 0 && is[PARENTS].at == NULL && is[DIMENSION].at == NULL)
        return cni_json_blame(json, value, cn_tree_balanced(topology, root, tree));
    if (is[DIMENSION].at != NULL && is[PARENTS].at == NULL) {
        CNI_TRY(cni_json_whole(json, is[DIMENSION], UINT32_MAX, &dimension));
        if (strcmp(family, "binomial") == 0)
            return cni_json_blame(json, value,
                                  cn_tree_binomial(topology, root, (uint32_t)dimension, tree));
        if (strcmp(family, "edge-disjoint") == 0)
            return cni_json_blame(json, value,
                                  cn_tree_edge_disjoint(topology, root, (uint32_t)dimension, tree));
    }
    return cni_json_fail(json, is[FAMILY],
                         "a tree is \"balanced\", \"binomial\" or \"edge-disjoint\" with a "
                         "dimension, or \"stored\" with parents, but this one is \"%.40s\"",
                         family);
}
