/*
 * A network as a kernel without header arithmetic uses it: the nodes that take part, the two ends
 * of every channel, and the routing of the messages.
 */
#ifndef CNI_SIMULATION_KERNEL_NETWORK_H
#define CNI_SIMULATION_KERNEL_NETWORK_H

#include "base/inline.h"
#include "routing/faults/inlets.h"
#include "routing/rules/routing.h"
#include "scenario/scenario.h"
#include "simulation/kernel/slotted.h"

#define CNI_ABSENT UINT32_MAX

/* Start from {0}. */
typedef struct cni_network {
    const cn_topology *topology; /* kept alive by the scenario of the cn_sim */
    cn_routing *routing;
    uint64_t nodes;
    uint32_t classes;   /* classes of the routing */
    uint32_t ports;     /* of the node with most ports */
    uint32_t served;    /* nodes that take part, which are the nodes that the routing serves */
    uint32_t endpoints; /* nodes that take part, send, receive and are counted */
    uint64_t channels;  /* working channels between nodes that take part */
    /* by rank: the endpoints, ascending; NULL: all nodes are endpoints, with their numbers as
     * ranks */
    uint32_t *node_of;
    uint32_t *rank_of; /* by node: the rank; CNI_ABSENT: no endpoint; NULL: as above */
    /* by node * ports + port: the node at the end of the channel; CNI_ABSENT: no working channel */
    uint32_t *far;
    /* the channels into a node, in the order in which the node takes messages from them */
    cni_inlets inlets;
    /* the entries of the routing, when it has no table and the entries are few */
    cni_table computed;
    const cni_table *table; /* `computed` or the routing's table; NULL: the routing is asked */
    /* The allowed ports by node, class and target, so that the entries of one node lie together.
     * The table is in `bytes` when no node has more than 8 ports, otherwise in `near`. */
    uint8_t *bytes; /* NULL: see `near`; both empty: no table */
    cni_packed near;
} cni_network;

/* Opens the network of a scenario that cni_scenario_check() has accepted. Errors of
 * cni_scenario_open_routing(); CN_ERR_DISCONNECTED when fewer than two nodes take part;
 * CN_ERR_UNSUPPORTED for more nodes than CNI_UNIFORM_NODES or more than CNI_MOST_PORTS channels
 * into a node. Close the network also after a failure. */
cn_status cni_network_open(const char *function, const cn_scenario *scenario, cni_network *network);

/* Makes `computed`, for a kernel that looks up every hop; does nothing when the routing has a
 * table or the network is large. CN_ERR_MEMORY. */
cn_status cni_network_tabulate(cni_network *network, cni_budget *budget);

/* Makes `bytes` or `near`, when the network is small enough. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_network_list_ports(cni_network *network, cni_budget *budget);

/* Opens a cube in which all nodes take part, for a kernel with header arithmetic: the network
 * has no arrays and no routing. */
cn_status cni_network_open_whole(const char *function, const cn_topology *cube,
                                 cni_network *network);
void cni_network_close(cni_network *network);

/* Distances, over the channels of these inlets, between the nodes of a list (NULL: all nodes),
 * by places in the list: target * count + source. The caller releases the array. Distances of
 * 2^16 and more do not fit. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_network_hops(const cni_inlets *inlets, const uint32_t list[], uint64_t count,
                           cni_budget *budget, uint16_t **hops);

/* Counts endpoints, and working channels between nodes that take part, for senders from `first`
 * up to `end`. */
void cni_network_count(const cni_network *network, uint64_t first, uint64_t end,
                       uint64_t *endpoints, uint64_t *channels);

/* Checks a node in the name of the calling function: CN_ERR_DISCONNECTED for a node that takes
 * no part, CN_ERR_ARGUMENT for a node that is no host. */
cn_status cni_network_check_node(const char *function, const cni_network *network,
                                 const char *argument, uint64_t node);

/* CN_ERR_DISCONNECTED, in the name of the calling function, when a trace has a message from or
 * to a node that takes no part, or when other traffic (NULL: uniform) sends from a node that
 * takes part to a node that does not. Uniform traffic goes to nodes that take part; other
 * traffic sends nothing from nodes that take no part. */
cn_status cni_network_check_traffic(const char *function, const cni_network *network,
                                    const cn_traffic *traffic, cni_budget *budget);

static inline int cni_network_serves(const cni_network *network, uint64_t node)
{
    return network->routing == NULL || cni_routing_serves(network->routing, node);
}

static inline int cni_network_is_endpoint(const cni_network *network, uint64_t node)
{
    return network->rank_of == NULL || network->rank_of[node] != CNI_ABSENT;
}

/* The rank of an endpoint, and the endpoint of a rank. */
static inline uint64_t cni_network_rank(const cni_network *network, uint64_t endpoint)
{
    return network->rank_of == NULL ? endpoint : network->rank_of[endpoint];
}

static inline uint64_t cni_network_endpoint(const cni_network *network, uint64_t rank)
{
    return network->node_of == NULL ? rank : network->node_of[rank];
}

/*
 * The endpoint that is `step` away from another endpoint, 1 .. endpoints - 1. Where all nodes are
 * endpoints and the topology has headers, `step` is the header, so that kernels with header
 * arithmetic draw the same destinations. Otherwise it is a cyclic difference of ranks.
 */
uint64_t cni_network_step(const cni_network *network, uint64_t node, uint64_t step);

/* The destination of message number `index` that a node offers in a cycle, by the words of
 * geometric.h. */
uint64_t cni_network_destination(const cni_network *network, const cni_slotted *slotted,
                                 uint64_t node, uint64_t stream, uint64_t index);

/* The index in `bytes` and `near`. */
static inline size_t cni_network_place(const cni_network *network, uint64_t node, uint32_t class,
                                       uint64_t target)
{
    return (size_t)((node * network->classes + class) * network->nodes + target);
}

/* Fetches the memory that cni_network_ports() will read. */
static inline void cni_network_fetch_ports(const cni_network *network, uint64_t node,
                                           uint32_t class, uint64_t target)
{
    size_t place = cni_network_place(network, node, class, target);
    if (network->bytes != NULL)
        CNI_PREFETCH(network->bytes + place);
    else if (network->near.narrow != NULL)
        CNI_PREFETCH(network->near.narrow + place);
}

/* As cni_routing_ports(). */
static inline uint64_t cni_network_ports(const cni_network *network, uint64_t node, uint32_t class,
                                         uint64_t target)
{
    size_t place = cni_network_place(network, node, class, target);
    if (network->bytes != NULL)
        return network->bytes[place];
    if (network->near.count > 0)
        return cni_packed_at(&network->near, place);
    if (network->table == NULL)
        return cni_routing_ports(network->routing, node, class, target);
    return cni_table_at(network->table, cni_routing_place(network->routing, node, class, target))
        ->ports;
}

#endif
