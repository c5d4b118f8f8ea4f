/* Operations in JSON: in the order of the list, and the trees that were set. A broadcast has no destinations. */
#include "scenario/operations_json.h"

#include "base/memory.h"
#include "topology/trees/tree_json.h"

void cni_operations_put(cni_json_writer *w, const cn_operations *operations)
{
    cni_json_open(w, "operations", '{');
    cni_json_open(w, "list", '[');
    for (size_t i = 0; i < operations->rows; i++) {
        const cni_listed_operation *row = &operations->row[i];
        cni_json_open(w, NULL, '{');
        cni_json_put_whole(w, "source", row->source);
        cni_json_put_whole(w, "start", row->start);
        if (row->count > 0)
            cni_json_put_wholes(w, "destinations", operations->destination + row->first,
                                row->count);
        cni_json_close(w, '}');
    }
    cni_json_close(w, ']');
    if (operations->trees > 0) {
        cni_json_open(w, "trees", '[');
        for (size_t i = 0; i < operations->trees; i++)
            cni_tree_put(w, NULL, operations->tree[i]);
        cni_json_close(w, ']');
    }
    cni_json_close(w, '}');
}

static cn_status read_operation(const cni_json *json, cni_json_value value,
                                cn_operations *operations)
{
    static const char *const keys[] = {"source", "start", "destinations"};
    cni_json_value is[3];
    uint64_t source, start, *destinations;
    size_t count;
    CNI_TRY(cni_json_members(json, value, keys, 2, 3, is));
    CNI_TRY(cni_json_whole(json, is[0], UINT64_MAX, &source));
    CNI_TRY(cni_json_whole(json, is[1], UINT64_MAX, &start));
    if (is[2].at == NULL)
        return cni_json_blame(json, value, cn_operations_add_broadcast(operations, source, start));
    cn_status status = cni_json_all_wholes(json, is[2], UINT64_MAX, &destinations, &count);
    if (status == CN_OK)
        status = cni_json_blame(json, value,
                                cn_operations_add(operations, source, destinations, count, start));
    cni_release(destinations);
    return status;
}

static cn_status read_tree(const cni_json *json, cni_json_value value, cn_operations *operations)
{
    cn_tree *tree = NULL;
    CNI_TRY(cni_tree_of_json(json, value, operations->topology, &tree));
    cn_status status = cn_operations_set_tree(operations, tree);
    cn_tree_free(&tree);
    return status;
}

static cn_status fill(const cni_json *json, const cni_json_value is[2], cn_operations *operations)
{
    size_t count;
    CNI_TRY(cni_json_count(json, is[0], &count));
    for (cni_json_value v = cni_json_first(is[0]); v.at != NULL; v = cni_json_next(v))
        CNI_TRY(read_operation(json, v, operations));
    if (is[1].at == NULL)
        return CN_OK;
    CNI_TRY(cni_json_count(json, is[1], &count));
    for (cni_json_value v = cni_json_first(is[1]); v.at != NULL; v = cni_json_next(v))
        CNI_TRY(read_tree(json, v, operations));
    return CN_OK;
}

cn_status cni_operations_of_json(const cni_json *json, cni_json_value value,
                                 const cn_topology *topology, cn_operations **operations)
{
    static const char *const keys[] = {"list", "trees"};
    cni_json_value is[2];
    CNI_TRY(cni_json_members(json, value, keys, 1, 2, is));
    CNI_TRY(cn_operations_new(topology, operations));
    cn_status status = fill(json, is, *operations);
    if (status != CN_OK)
        cn_operations_free(operations);
    return status;
}
