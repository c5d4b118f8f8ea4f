/* A spanning tree as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_TOPOLOGY_TREES_TREE_JSON_H
#define CNI_TOPOLOGY_TREES_TREE_JSON_H

#include "base/json.h"
#include "topology/trees/tree.h"

void cni_tree_put(cni_json_writer *w, const char *key, const cn_tree *tree);
cn_status cni_tree_of_json(const cni_json *json, cni_json_value value, const cn_topology *topology,
                           cn_tree **tree);

#endif
