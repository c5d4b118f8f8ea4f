/* A routing in JSON: its name, its faults and, under "with", what its kind has beside them. */
#ifndef CNI_ROUTING_RULES_ROUTING_JSON_H
#define CNI_ROUTING_RULES_ROUTING_JSON_H

#include "base/json.h"
#include "routing/rules/routing.h"

/* The member "routing" of what stands on a topology. Start from NULL to read; NULL stays after a failure. */
void cni_io_routing(cni_io *io, const cn_topology *topology, cn_routing **routing);

#endif
