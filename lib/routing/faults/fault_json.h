/* Faults in JSON: "nodes" and "links", each as far as there are any. */
#ifndef CNI_ROUTING_FAULTS_FAULT_JSON_H
#define CNI_ROUTING_FAULTS_FAULT_JSON_H

#include "base/json.h"
#include "routing/faults/fault.h"

/* The member "faults" of what stands on a topology. Start from NULL to read; NULL stays after a failure. */
void cni_io_faults(cni_io *io, const cn_topology *topology, cn_faults **faults);

#endif
