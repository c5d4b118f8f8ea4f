/* The rules of wormhole routing, arguments checked already. */
#ifndef CNI_ROUTING_WORMHOLE_WORMHOLE_H
#define CNI_ROUTING_WORMHOLE_WORMHOLE_H

#include "cubenet/wormhole.h"

#include "base/names.h"

/* The rule that a routing of this name is, with `is_unsafe` without what protects it. CN_ERR_UNSUPPORTED,
 * with a sentence of what there is, for the name of another routing. */
cn_status cni_wormhole_rule_named(const char *routing, int is_unsafe, cn_wormhole_rule *rule);

/* CN_ERR_UNSUPPORTED or CN_ERR_ARGUMENT, in the name of the calling function, unless the rule works on
 * the topology with so many virtual channels. */
cn_status cni_check_wormhole(const char *function, const cn_topology *topology,
                             cn_wormhole_rule rule, uint32_t virtual_channels);

/* As cn_route_wormhole(); channels has an element for each port of the node. */
void cni_wormhole_channels(const cn_topology *topology, cn_wormhole_rule rule,
                           uint32_t virtual_channels, uint64_t node, uint64_t destination,
                           uint64_t channels[]);

/* As cn_route_wormhole_escape(). */
uint64_t cni_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                             uint32_t virtual_channels);

#endif
