/* A topology as a value in JSON: its name or, where the graph is stored, the neighbours of every node by port. */
#ifndef CNI_TOPOLOGY_FAMILIES_TOPOLOGY_JSON_H
#define CNI_TOPOLOGY_FAMILIES_TOPOLOGY_JSON_H

#include "base/json.h"
#include "topology/topology.h"

/* With the key "topology". */
void cni_topology_put(cni_json_writer *w, const cn_topology *topology);
cn_status cni_topology_of_json(const cni_json *json, cni_json_value value, cn_topology **topology);

#endif
