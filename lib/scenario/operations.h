/* The inside of a list of collective operations. */
#ifndef CNI_SCENARIO_OPERATIONS_H
#define CNI_SCENARIO_OPERATIONS_H

#include "cubenet/collective.h"

#include "base/object.h"

/* Its destinations are destination[first .. first + count - 1]; a broadcast has none. */
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
};

#endif
