/* Networks that are composed of a base network: hosts at its nodes, or relays on its links. */
#ifndef CNI_TOPOLOGY_FAMILIES_COMPOSED_H
#define CNI_TOPOLOGY_FAMILIES_COMPOSED_H

#include "topology/topology.h"

/* Nodes of the base keep their numbers and ports. */
typedef struct cni_with_hosts {
    cn_topology common;
    uint32_t each; /* hosts of a router, with numbers above the nodes of the base */
} cni_with_hosts;

static inline int cni_has_added_hosts(const cn_topology *topology)
{
    return topology->family == CNI_WITH_HOSTS;
}

static inline uint32_t cni_added_hosts(const cn_topology *with_hosts)
{
    return ((const cni_with_hosts *)with_hosts)->each;
}

/* The router of a node: the router of a host, the node itself for any other node. */
static inline uint64_t cni_router_of(const cn_topology *with_hosts, uint64_t node)
{
    return node < with_hosts->first_host
               ? node
               : (node - with_hosts->first_host) / cni_added_hosts(with_hosts);
}

#endif
