/* Networks that are composed of a base network: hosts at its nodes, or relays on its links. */
#ifndef CNI_TOPOLOGY_FAMILIES_COMPOSED_H
#define CNI_TOPOLOGY_FAMILIES_COMPOSED_H

#include "topology/topology.h"

/* Nodes of the base keep their numbers and ports. */
typedef struct cni_with_hosts {
    cn_topology common;
    cni_topology_ops own; /* without the closed forms that the base does not have */
    uint32_t each;        /* hosts of a router, with numbers above the nodes of the base */
} cni_with_hosts;

/* Relays have numbers above the nodes of the base, link by link, from the first end of the link:
 * for a two-way link the lower node. Port 0 of a relay leads back to the first end and port 1
 * on; port 0 leads on where the link has no way back. */
typedef struct cni_with_lengths {
    cn_topology common;
    cni_topology_ops own;
    uint64_t *first; /* by node of the base, one more: the links whose first end is a lower node */
    /* by link, one more: the relays of the links before; NULL: all links have one length */
    uint64_t *start;
    uint32_t length;     /* that one */
    uint32_t *host_rank; /* the hosts, with the relays, of a base that lists its hosts */
} cni_with_lengths;

/* Relay number `index` (node index + nodes of the base): its link, and the number of relays
 * before it on the link. */
typedef struct cni_relay {
    uint64_t first_end, second_end; /* nodes of the base */
    uint32_t port;                  /* of the first end */
    uint64_t before, count;         /* relays of the link */
    int goes_back;
} cni_relay;

cni_relay cni_relay_at(const cn_topology *with_lengths, uint64_t index);

/* Whether the port of a node of the base is the first end of its link. */
int cni_begins_link(const cn_topology *base, uint64_t node, uint32_t port);

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

/* The node of the base to which an added node belongs. */
static inline uint64_t cni_owner_of(const cn_topology *composed, uint64_t node)
{
    return cni_has_added_hosts(composed)
               ? cni_router_of(composed, node)
               : cni_relay_at(composed, node - composed->base->nodes).first_end;
}

#endif
