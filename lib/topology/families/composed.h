/* Networks that are made of another one: hosts at its nodes, relays on its links. */
#ifndef CNI_TOPOLOGY_FAMILIES_COMPOSED_H
#define CNI_TOPOLOGY_FAMILIES_COMPOSED_H

#include "topology/topology.h"

/* Nodes of the base keep their numbers and ports. */
typedef struct cni_with_hosts {
    cn_topology common;
    cni_topology_ops own; /* without the closed forms that the base has not */
    uint32_t each;        /* hosts of a router, numbered from the nodes of the base on */
} cni_with_hosts;

/* Relays are numbered from the nodes of the base on, link by link from its first end: of a link
 * that goes both ways the lower node. Port 0 of a relay leads back to that end and port 1 on, or
 * port 0 on where there is no way back. */
typedef struct cni_with_lengths {
    cn_topology common;
    cni_topology_ops own;
    uint64_t *first; /* by node of the base, one more: links whose first end is a lower node */
    uint64_t *start; /* by link, one more: relays of the links before; NULL: all have one length */
    uint32_t length; /* that one */
    uint32_t *host_rank; /* of a base that lists its hosts, with the relays */
} cni_with_lengths;

/* Relay number `index` (node index + nodes of the base): its link, and how many relays come before
 * it there. */
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

/* The router of a node: of a host its own, of any other node the node itself. */
static inline uint64_t cni_router_of(const cn_topology *with_hosts, uint64_t node)
{
    return node < with_hosts->first_host
               ? node
               : (node - with_hosts->first_host) / cni_added_hosts(with_hosts);
}

/* The node of the base to which an added one belongs. */
static inline uint64_t cni_owner_of(const cn_topology *composed, uint64_t node)
{
    return cni_has_added_hosts(composed)
               ? cni_router_of(composed, node)
               : cni_relay_at(composed, node - composed->base->nodes).first_end;
}

#endif
