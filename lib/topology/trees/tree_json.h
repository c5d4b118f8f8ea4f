/* A spanning tree as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_TOPOLOGY_TREES_TREE_JSON_H
#define CNI_TOPOLOGY_TREES_TREE_JSON_H

#include "base/json.h"
#include "topology/trees/tree.h"

/* Start from NULL to read. */
void cni_io_tree(cni_io *io, const char *key, const cn_topology *topology, cn_tree **tree);

#endif
