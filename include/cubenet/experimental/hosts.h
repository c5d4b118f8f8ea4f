/**
 * @file hosts.h
 * Hosts: the nodes of a network that send and receive messages. All other nodes are routers and
 * only forward messages.
 *
 * By default every node is a host and a router. Fat trees, butterflies and all other indirect
 * networks have hosts that are a part of the nodes. Traffic, its sources, traces and matrices
 * concern hosts: arrays have one element for each host, in the order of the node numbers; single
 * hosts are given by their node numbers. Offered load, throughput and delay are values per host;
 * mean distance, diameter, channel loads and saturation loads of routings cover pairs of hosts.
 * Networks in which not all nodes are hosts have no trees, subnets, hierarchies and broadcasts;
 * flow deviation and the systems `deflection`, `cut-through-deflection` and `collective` refuse
 * them, and of the models only that of `separate-buffers` covers them.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_HOSTS_H
#define CUBENET_EXPERIMENTAL_HOSTS_H

#include "../control.h"
#include "../topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a network with the given hosts from a network that was made of edges or of a function. All
 * other nodes are routers; the intermediate node of the routing `valiant` is a router.
 *
 * @param base a network from cn_topology_from_edges(), cn_topology_from_function() or a text; it is
 *        copied
 * @param hosts nodes, each once, in any order; host number r is the host with the r-th lowest node
 *        number
 * @param count 2 .. the number of nodes; with all nodes as hosts the result is the base
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (another kind of network, or hosts were chosen
 *         already), CN_ERR_MEMORY, CN_ERR_CANCELLED. Time and memory O(nodes + links).
 */
CN_API cn_status cn_topology_choose_hosts(const cn_topology *base, const uint64_t hosts[],
                                          size_t count, const cn_control *control,
                                          cn_topology **topology);

/**
 * Makes a network from a base by adding hosts to each router: with 4 hosts a generalized hypercube
 * becomes a HyperX of 4 terminals a router. The library does not store the network. The nodes 0 ..
 * N-1 of the base keep their numbers and ports; host h of router r has number N + r hosts + h and
 * is at the port of r behind those of the base and behind h other hosts. Its port 0 leads to r.
 * Routers are the nodes of the base but for the relays of cn_topology_with_lengths().
 *
 * Routings by name follow the routing of the base: a host sends to its router, routers apply the
 * rule of the base to the router of the destination, and this router sends to the host. The table
 * of a routing is the table of the base. Verdicts about deadlock are those of the base, because the
 * channels of hosts close no dependency cycle. An own rule works in the same way; the library asks
 * the rule about the base.
 *
 * @param base any network whose nodes, relays aside, are all hosts; kept alive by the new network
 * @param hosts number of hosts of each router, at least 1; a router has at most 64 ports in all
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT (also: more than 2^62 nodes), CN_ERR_UNSUPPORTED (the base has chosen or
 *         added hosts), CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_with_hosts(const cn_topology *base, uint32_t hosts,
                                        cn_topology **topology);

/**
 * Makes a network from a base by giving links a length in cycles: a link of L cycles is a chain of
 * L - 1 relays, like a wire with registers. Relays only forward, and a message leaves a relay by
 * virtual channels of the kind by which it came, so the verdict about deadlock is that of the base.
 * Nodes of the base keep their numbers and ports; hosts are those of the base. The relays follow,
 * link by link in the order of cn_faults_links(): by the lower node of a link, then by its port
 * there (a link that goes one way: by its tail), and along the link from there. Port 0 of a relay
 * leads back to that end and port 1 on; where there is no way back, port 0 leads on.
 *
 * @param base a network that is not composed; kept alive by the new network
 * @param lengths cycles of each link in that order, or one number for all; 1 .. 64
 * @param count 1, or the number of links if there are any; channels that lead back to each other
 *        are one link in one-way networks, too
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the base has lengths or added hosts, or there are
 *         more than 2^27 nodes or 2^31 channels), CN_ERR_MEMORY, CN_ERR_CANCELLED. Memory: that of
 *         an edge list, 8 bytes for each node and channel.
 */
CN_API cn_status cn_topology_with_lengths(const cn_topology *base, const uint32_t lengths[],
                                          size_t count, const cn_control *control,
                                          cn_topology **topology);

/**
 * Returns the number of hosts, which is the number of nodes where no hosts were chosen or added; 0
 * for NULL.
 */
CN_API uint64_t cn_topology_host_count(const cn_topology *topology);

/**
 * Returns the hosts in ascending order.
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
