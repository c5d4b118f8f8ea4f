/**
 * @file hosts.h
 * Hosts: the nodes of a network that send and receive. The others, routers, only forward.
 *
 * By default every node is a host and a router. Fat trees, butterflies and all other indirect networks have hosts
 * that are a part of the nodes. Traffic, its sources, traces and matrices speak of hosts: arrays have one place for each
 * host, in the order of their numbers, and a node that is named is named by its number. Loads, throughput and
 * delay are those of a host; so are mean distance, diameter, channel loads and saturation loads of
 * routings. Networks in which not all nodes are hosts have no trees, subnets, hierarchies and
 * broadcasts; the systems `deflection`, `cut-through-deflection`, `collective` and `flow-deviation` refuse them, and
 * of the models only that of `separate-buffers` covers them.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 0.1
 */
#ifndef CUBENET_EXPERIMENTAL_HOSTS_H
#define CUBENET_EXPERIMENTAL_HOSTS_H

#include "../control.h"
#include "../topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a network in which these nodes are the hosts, of one that was made of edges or of a
 * function. All other nodes are routers; the intermediate node of the routing `valiant` is one of them.
 *
 * @param base a network from cn_topology_from_edges(), cn_topology_from_function() or a text; it is copied
 * @param hosts nodes, each once, in any order; host number r is the one with the r-th lowest number
 * @param count 2 .. the number of nodes; with all of them it is the base again
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (another kind of network, or hosts were chosen already),
 *         CN_ERR_MEMORY, CN_ERR_CANCELLED. Time and memory O(nodes + links).
 */
CN_API cn_status cn_topology_choose_hosts(const cn_topology *base, const uint64_t hosts[],
                                          size_t count, const cn_control *control,
                                          cn_topology **topology);

/** Returns the number of hosts: that of all nodes where no hosts were chosen; 0 for NULL. */
CN_API uint64_t cn_topology_host_count(const cn_topology *topology);

/**
 * Lists the hosts, ascending.
 *
 * @param hosts out; may be NULL with capacity 0
 * @param capacity room in hosts, in elements
 * @param count out: number of hosts, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 */
CN_API cn_status cn_topology_hosts(const cn_topology *topology, uint64_t hosts[], size_t capacity,
                                   size_t *count);

#ifdef __cplusplus
}
#endif

#endif
