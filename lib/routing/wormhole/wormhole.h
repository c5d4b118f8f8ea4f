/* The rules of wormhole routing, arguments checked already. */
#ifndef CNI_ROUTING_WORMHOLE_WORMHOLE_H
#define CNI_ROUTING_WORMHOLE_WORMHOLE_H

#include "cubenet/wormhole.h"

#include "base/names.h"

extern const cni_names cni_wormhole_rules; /* rows: cni_named */

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
