/* Faults as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_ROUTING_FAULTS_FAULT_JSON_H
#define CNI_ROUTING_FAULTS_FAULT_JSON_H

#include "base/json.h"
#include "routing/faults/fault.h"

/* An object "faults" with the members "nodes" and "links", each as far as there are any. */
void cni_faults_put(cni_json_writer *w, const cn_faults *faults);
cn_status cni_faults_of_json(const cni_json *json, cni_json_value value,
                             const cn_topology *topology, cn_faults **faults);

#endif
