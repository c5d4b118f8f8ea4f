/* The rules of wormhole routing, arguments checked already. */
#ifndef CNI_ROUTING_WORMHOLE_WORMHOLE_H
#define CNI_ROUTING_WORMHOLE_WORMHOLE_H

#include "cubenet/wormhole.h"

#include "base/names.h"

/* CN_ERR_UNSUPPORTED or CN_ERR_ARGUMENT, in the name of the calling function, unless the rule works on
 * the topology with so many virtual channels. */
cn_status cni_check_wormhole(const char *function, const cn_topology *topology,
                             cn_wormhole_rule rule, uint32_t virtual_channels);

/* As cn_route_wormhole_least(), on a topology of any kind. */
uint32_t cni_wormhole_least(const cn_topology *topology, cn_wormhole_rule rule);

/*
 * What the rules are made of, for a node that is not the destination. Ports lead down, then up: bit i of
 * `down` for port i, bit i of `up` for port downs + i, where the hop comes closer; under dimension order
 * only `first` counts, the port of the lowest dimension in which hops are left. Of 64 virtual channels:
 * those that are escapes of the rule, and those of the class that port `first` asks for.
 */
typedef struct cni_wormhole_ways {
    uint64_t down, up;
    uint32_t downs, first;
    uint64_t escape, of_class;
} cni_wormhole_ways;
cni_wormhole_ways cni_wormhole_ways_of(const cn_topology *topology, cn_wormhole_rule rule,
                                       uint64_t node, uint64_t destination);

/* As cn_route_wormhole(); channels has an element for each port of the node. */
void cni_wormhole_channels(const cn_topology *topology, cn_wormhole_rule rule,
                           uint32_t virtual_channels, uint64_t node, uint64_t destination,
                           uint64_t channels[]);

/* As cn_route_wormhole_escape(). */
uint64_t cni_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                             uint32_t virtual_channels);

#endif
