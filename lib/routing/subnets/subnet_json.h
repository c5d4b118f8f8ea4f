/* A subnet in JSON: its faults, and an array that names the working nodes that it leaves out. */
#ifndef CNI_ROUTING_SUBNETS_SUBNET_JSON_H
#define CNI_ROUTING_SUBNETS_SUBNET_JSON_H

#include "base/json.h"
#include "routing/subnets/subnet.h"

/* The member "subnet" of what stands on a topology. Start from NULL to read; NULL stays after a failure. */
void cni_io_subnet(cni_io *io, const cn_topology *topology, cn_subnet **subnet);

/* The array, of a subnet or of what knows of each node whether it is left out; what is read is the subnet with the same
 * survivors, as cn_subnet_chosen() makes it. */
void cni_io_disabled(cni_io *io, const cn_topology *topology, const cn_faults *faults,
                     cni_visit_element_fn put, void *of, cn_subnet **subnet);

#endif
