/**
 * @file hosts.h
 * Hosts: the nodes of a network that send and receive. The others, routers, only forward.
 *
 * By default every node is a host and a router. Fat trees, butterflies and all other indirect
 * networks have hosts that are a part of the nodes. Traffic, its sources, traces and matrices speak
 * of hosts: arrays have one place for each host, in the order of their numbers, and a node that is
 * named is named by its number. Loads, throughput and delay are those of a host; so are mean
 * distance, diameter, channel loads and saturation loads of routings. Networks in which not all
 * nodes are hosts have no trees, subnets, hierarchies and broadcasts; flow deviation and the
 * systems `deflection`, `cut-through-deflection` and `collective` refuse them, and of the models
 * only that of `separate-buffers` covers them.
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
 * function. All other nodes are routers; the intermediate node of the routing `valiant` is one of
 * them.
 *
 * @param base a network from cn_topology_from_edges(), cn_topology_from_function() or a text; it is
 *        copied
 * @param hosts nodes, each once, in any order; host number r is the one with the r-th lowest number
 * @param count 2 .. the number of nodes; with all of them it is the base again
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (another kind of network, or hosts were chosen
 *         already), CN_ERR_MEMORY, CN_ERR_CANCELLED. Time and memory O(nodes + links).
 */
CN_API cn_status cn_topology_choose_hosts(const cn_topology *base, const uint64_t hosts[],
                                          size_t count, const cn_control *control,
                                          cn_topology **topology);

/**
 * Adds hosts to each router of a network: with 4 hosts a generalized hypercube becomes a HyperX of
 * 4 terminals a router. Nothing is stored. The nodes 0 .. N-1 of the base keep their numbers and
 * ports; host h of router r has number N + r hosts + h and is at the port of r behind those of the
 * base and behind h other hosts. Its port 0 leads to r. Routers are the nodes of the base but for
 * the relays of cn_topology_with_lengths().
 *
 * Routings by name are those of the base, lifted: a host sends to its router, a router does what
 * the rule says for the router of the destination, and there the host's port is taken. A table is
 * that of the base. Verdicts about deadlock are those of the base: what is added closes no
 * dependency cycle. The same holds for an own rule, which is asked about the base.
 *
 * @param base any network of which all nodes are hosts, with lengths or not; it is kept alive
 * @param hosts of each router, at least 1; the routers have at most 64 ports in all
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT (also for more than 2^62 nodes), CN_ERR_UNSUPPORTED (there are hosts
 *         already), CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_with_hosts(const cn_topology *base, uint32_t hosts,
                                        cn_topology **topology);

/**
 * Makes links take several cycles: a link of L cycles is a chain of L - 1 relays, a wire with
 * registers. Relays only forward, and a message leaves a relay by virtual channels of the kind by
 * which it came, so that the verdict about deadlock is that of the base. Nodes of the base keep
 * their numbers and ports; hosts are those of the base. The relays follow, link by link in the
 * order of cn_faults_links(): by the lower node of a link, then by its port there (a link that goes
 * one way: by its tail), and along the link from there. Port 0 of a relay leads back to that end
 * and port 1 on; where there is no way back, port 0 leads on.
 *
 * @param base a network that is not composed; it is kept alive
 * @param lengths cycles of each link in that order, or one number for all; 1 .. 64
 * @param count 1, or the number of links; channels that lead back to each other are one link in
 *        one-way networks, too
 * @param topology out; free it with cn_topology_free()
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the base has lengths or added hosts, or there are
 *         more than 2^27 nodes), CN_ERR_MEMORY, CN_ERR_CANCELLED. Memory: 8 bytes for each node of
 *         the base, with different lengths 8 more for each link.
 */
CN_API cn_status cn_topology_with_lengths(const cn_topology *base, const uint32_t lengths[],
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
