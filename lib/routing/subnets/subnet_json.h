/* A subnet in JSON: its faults stand elsewhere, and an array names the working nodes that it leaves out. */
#ifndef CNI_ROUTING_SUBNETS_SUBNET_JSON_H
#define CNI_ROUTING_SUBNETS_SUBNET_JSON_H

#include "base/json.h"
#include "routing/subnets/subnet.h"

/* An object "subnet" with the members "faults" and "disabled". */
void cni_subnet_put(cni_json_writer *w, const cn_subnet *subnet);

/* From the array: the same survivors, as cn_subnet_chosen() makes them. */
cn_status cni_subnet_of_disabled(const cni_json *json, cni_json_value disabled,
                                 const cn_faults *faults, cn_subnet **subnet);

/* From the object. */
cn_status cni_subnet_of_json(const cni_json *json, cni_json_value value,
                             const cn_topology *topology, cn_subnet **subnet);

#endif
