/* A topology as a value in JSON: its name or, for a stored graph, the neighbours of every node
 * by port. */
#ifndef CNI_TOPOLOGY_FAMILIES_TOPOLOGY_JSON_H
#define CNI_TOPOLOGY_FAMILIES_TOPOLOGY_JSON_H

#include "base/json.h"
#include "topology/topology.h"

/* The member "topology". Start from NULL to read; the topology stays NULL after a failure. */
void cni_io_topology(cni_io *io, cn_topology **topology);

#endif
