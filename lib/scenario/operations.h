/* The inside of a list of collective operations. */
#ifndef CNI_SCENARIO_OPERATIONS_H
#define CNI_SCENARIO_OPERATIONS_H

#include "cubenet/collective.h"

#include "base/json.h"
#include "base/object.h"
#include "topology/trees/tree.h"

/* The destinations of an operation are destination[first .. first + count - 1]; a broadcast has
 * none. */
typedef struct cni_listed_operation {
    uint64_t source, start;
    size_t first, count;
} cni_listed_operation;

struct cn_operations {
    cni_object head;
    cn_topology *topology;
    cni_listed_operation *row;
    size_t rows, rows_room;
    uint64_t *destination;
    size_t destinations, destinations_room;
    cn_tree **tree; /* ascending by root */
    size_t trees, trees_room;
};

/* The tree set for operations from this source; NULL: none. */
const cn_tree *cni_operations_tree(const cn_operations *operations, uint64_t source);

/* ---- in JSON ---- */

/* The member "operations" of an object on a topology. Start from NULL to read; the list stays
 * NULL after a failure. */
void cni_io_operations(cni_io *io, const cn_topology *topology, cn_operations **operations);

#endif
