/* A routing as a value in JSON, of a topology that stands elsewhere. */
#ifndef CNI_ROUTING_RULES_ROUTING_JSON_H
#define CNI_ROUTING_RULES_ROUTING_JSON_H

#include "base/json.h"
#include "routing/rules/routing.h"

/* An object "routing". */
void cni_routing_put(cni_json_writer *w, const cn_routing *routing);
cn_status cni_routing_of_json(const cni_json *json, cni_json_value value,
                              const cn_topology *topology, cn_routing **routing);

#endif
