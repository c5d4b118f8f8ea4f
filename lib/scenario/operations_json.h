/* A list of collective operations as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_SCENARIO_OPERATIONS_JSON_H
#define CNI_SCENARIO_OPERATIONS_JSON_H

#include "base/json.h"
#include "scenario/operations.h"

/* An object "operations". */
void cni_operations_put(cni_json_writer *w, const cn_operations *operations);
cn_status cni_operations_of_json(const cni_json *json, cni_json_value value,
                                 const cn_topology *topology, cn_operations **operations);

#endif
