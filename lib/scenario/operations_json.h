/* Operations in JSON: in the order of the list, and the trees that were set. A broadcast has no destinations. */
#ifndef CNI_SCENARIO_OPERATIONS_JSON_H
#define CNI_SCENARIO_OPERATIONS_JSON_H

#include "base/json.h"
#include "scenario/operations.h"

/* The member "operations" of what stands on a topology. Start from NULL to read; NULL stays after a failure. */
void cni_io_operations(cni_io *io, const cn_topology *topology, cn_operations **operations);

#endif
