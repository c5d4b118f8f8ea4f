/**
 * @file topology.h
 * Topologies of interconnection networks as graphs: nodes, ports and distances. The addresses of
 * nodes are in address.h.
 *
 * A topology is immutable. The library computes a topology and does not store it: a hypercube of
 * 2^62 nodes takes a kilobyte. Only cn_topology_from_edges() and cn_topology_from_function() keep a
 * graph in memory. Every function works on every topology, unless its comment or its heading names
 * the families that it supports.
 *
 * Numbering. The nodes are 0 .. N-1 and the ports of a node 0 .. degree-1. A port leads to exactly
 * one neighbour over a channel, and two nodes share at most one link. A link is a pair of opposite
 * channels, or one channel where the network is unidirectional. Hops count channels: a neighbour is
 * one hop away.
 *
 * Dimensions. In a network of n dimensions node v has the digits a_{n-1} ... a_1 a_0. Digit a_i is
 * the position of the node in dimension i, and v = a_0 + k_0 (a_1 + k_1 (a_2 + ...)), with k_i the
 * radix of dimension i. Arrays have dimension 0 first.
 *
 * @since 1.0
 */
#ifndef CUBENET_TOPOLOGY_H
#define CUBENET_TOPOLOGY_H

#include "control.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A network; opaque. */
typedef struct cn_topology cn_topology;

#define CN_NO_PORT UINT32_MAX     /**< no such port */
#define CN_NO_NODE UINT64_MAX     /**< no such node, as for the parent of a root */
#define CN_UNREACHABLE UINT64_MAX /**< the distance to a node that cannot be reached */

/* ---- families ---- */

/**
 * Makes the Boolean n-cube: 2^n nodes, two of them neighbours when their addresses differ in one
 * bit. Port i flips bit i of the node number.
 *
 * @param n dimensions, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Horng 1992, 1.2.1.
 */
CN_API cn_status cn_topology_hypercube(uint32_t n, cn_topology **topology);

/**
 * Makes the k-ary n-cube: k^n nodes, with a ring of k nodes in every dimension.
 *
 * Port i leads down in dimension i, to digit (a_i - 1) mod k. In a bidirectional network port n + i
 * leads up in dimension i, to digit (a_i + 1) mod k. With k = 2 both directions lead to the same
 * node, so every dimension has one port and one link: the network is the Boolean n-cube, port for
 * port, whatever @p bidirectional is.
 *
 * @param k radix, at least 2
 * @param n dimensions, at least 1; k^n is at most 2^62
 * @param bidirectional nonzero for links that carry messages in both directions
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Horng 1992, 4.1.
 */
CN_API cn_status cn_topology_kary_ncube(uint64_t k, uint32_t n, int bidirectional,
                                        cn_topology **topology);

/**
 * Makes the symmetric generalized hypercube GH(n,k): k^n nodes, two of them neighbours when their
 * addresses differ in exactly one digit. With n = 1 it is the complete network of k nodes, with k =
 * 2 the Boolean n-cube, port for port.
 *
 * Port i (k-1) + x, with x = 0 .. k-2, leads to digit (a_i + 1 + x) mod k in dimension i; port
 * i (k-1) + k-2 - x of the neighbour leads back.
 *
 * @param k radix, at least 2
 * @param n dimensions, 1..62; k^n is at most 2^62 and n (k-1), the degree, below 2^32 - 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ziavras & Krishnamurthy 1999, 2.
 */
CN_API cn_status cn_topology_generalized_hypercube(uint64_t k, uint32_t n, cn_topology **topology);

/**
 * Makes the generalized hypercube with a radix for each dimension. The k_i - 1 ports of dimension i
 * follow the ports of dimension i-1. Within a dimension the ports are numbered as in
 * cn_topology_generalized_hypercube().
 *
 * @param radices n radices, radices[i] of dimension i, each at least 2. Copied.
 * @param n dimensions, 1..62; the product of the radices is at most 2^62 and the sum of all k_i -
 *        1, the degree, below 2^32 - 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Bhuyan & Agrawal 1984, as cited by Ziavras & Krishnamurthy 1999, 2.
 */
CN_API cn_status cn_topology_generalized_hypercube_mixed(const uint64_t radices[], uint32_t n,
                                                         cn_topology **topology);

/**
 * Makes the ring of N nodes, which the paper calls NN_1, with bidirectional or unidirectional
 * links. The ring is the k-ary 1-cube under another name, with the same ports: port 0 leads down,
 * port 1 (bidirectional, N > 2) leads up.
 *
 * @param nodes N, 2..2^62
 * @param bidirectional nonzero for links that carry messages in both directions
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.2.
 */
CN_API cn_status cn_topology_ring(uint64_t nodes, int bidirectional, cn_topology **topology);

/**
 * Makes the n-dimensional torus, which the paper calls NN_n or hypertorus: a ring of radices[i]
 * nodes in dimension i.
 *
 * The ports that lead down come first, dimension by dimension, then the ports that lead up. A ring
 * of two nodes is one link, with one port at each node. With equal radices the torus is the
 * bidirectional k-ary n-cube, port for port.
 *
 * @param radices n radices k_0 .. k_{n-1}, radices[i] of dimension i, each at least 2, their
 *        product at most 2^62. Copied.
 * @param n dimensions, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.3.
 */
CN_API cn_status cn_topology_torus(const uint64_t radices[], uint32_t n, cn_topology **topology);

/**
 * Makes the n-dimensional mesh, also called hypermesh: a line of radices[i] nodes in dimension i. A
 * node has the ports that lead down first, dimension by dimension, then the ports that lead up,
 * along a line of two nodes, too; except that with all radices 2 the mesh is the Boolean n-cube,
 * port for port.
 * Arguments and errors as for cn_topology_torus().
 */
CN_API cn_status cn_topology_mesh(const uint64_t radices[], uint32_t n, cn_topology **topology);

/**
 * Makes the completely connected network. Port p of node v leads to (v + 1 + p) mod N.
 *
 * @param nodes N, 2..2^32 - 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.1.
 */
CN_API cn_status cn_topology_complete(uint64_t nodes, cn_topology **topology);

/**
 * Makes the star: node 0 is the neighbour of all other nodes. Port p of node 0 leads to node p + 1,
 * port 0 of every other node leads to node 0.
 *
 * @param nodes N, 2..2^32 - 1, node 0 included
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.5.
 */
CN_API cn_status cn_topology_star(uint64_t nodes, cn_topology **topology);

/**
 * Makes the balanced tree: b children per node, m levels below the root, N = 1 + b + ... + b^m.
 *
 * Node 0 is the root. The children of node v are b v + 1 .. b v + b. Port 0 leads to the parent and
 * the next ports lead to the children; the root has ports to its children only.
 *
 * @param branching b, at least 1 (a path of m + 1 nodes)
 * @param levels m, at least 1; N is at most 2^62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.6 and A.1.6.
 */
CN_API cn_status cn_topology_tree(uint64_t branching, uint32_t levels, cn_topology **topology);

/**
 * Makes the chordal ring: a ring with one or two chords of length a at every node.
 *
 * Ports 0 and 1 of node v lead to v - 1 and v + 1 (mod N). With one chord N is even and a is odd,
 * and port 2 leads from an even node to v + a and from an odd node to v - a. With two chords (dual)
 * port 2 leads to v - a and port 3 to v + a; for a = N/2 the two chords are one.
 *
 * @param nodes N: even and at least 6 with one chord, at least 4 with two
 * @param chord a: 3..N-3 with one chord, 2..N-2 with two. 0: the choice of the paper, sqrt(N), for
 *        which N must be a square; with one chord sqrt(N) + 1, because a must be odd.
 * @param dual nonzero for two chords at every node
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.7.
 */
CN_API cn_status cn_topology_chordal_ring(uint64_t nodes, uint64_t chord, int dual,
                                          cn_topology **topology);

/**
 * Makes the perfect shuffle with nearest neighbours (PSNN): 2^n nodes; the neighbours of node v are
 * v - 1, v + 1 (mod N), sigma(v) and sigma^-1(v), where sigma rotates the n bits of v to the left.
 *
 * The ports lead to the neighbours in this order. There is no port to v itself (sigma of 0 and
 * N-1), and one port to a neighbour that occurs twice. The same holds for the shuffle exchange and
 * the de Bruijn network.
 *
 * @param n bits of a node number, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.8.
 */
CN_API cn_status cn_topology_psnn(uint32_t n, cn_topology **topology);

/**
 * Makes the perfect shuffle exchange (PSE): 2^n nodes; the neighbours of node v are epsilon(v),
 * sigma(v) and sigma^-1(v), where epsilon inverts bit 0 and sigma rotates the n bits to the left.
 * The ports lead to the neighbours in this order, as in cn_topology_psnn().
 * @param n bits of a node number, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_shuffle_exchange(uint32_t n, cn_topology **topology);

/**
 * Makes the binary de Bruijn network with bidirectional links: 2^n nodes; the neighbours of node v
 * are 2v and 2v + 1 (mod N), and v/2 and v/2 + N/2 (rounded down). The ports lead to the neighbours
 * in this order, as in cn_topology_psnn().
 * @param n bits of a node number, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_de_bruijn(uint32_t n, cn_topology **topology);

/**
 * Makes any undirected graph from its list of edges. The library stores the graph: 16 bytes per
 * edge and 8 per node (16 during the construction).
 *
 * The ports of a node are numbered in the order in which its edges appear in the list. The graph
 * need not be connected. The network has no dimensions; the address of a node is its number.
 *
 * @param node_count N, 1..2^32
 * @param edges 2 edge_count node numbers: edge e joins nodes edges[2e] and edges[2e+1]. Copied.
 * @param edge_count at most 2^31; may be 0 (then @p edges may be NULL)
 * @return CN_ERR_ARGUMENT (an end that is not a node, a loop, two edges between the same nodes),
 *         CN_ERR_MEMORY. Time O(N + edges).
 */
CN_API cn_status cn_topology_from_edges(uint64_t node_count, const uint64_t edges[],
                                        size_t edge_count, const cn_control *control,
                                        cn_topology **topology);

/**
 * Returns the neighbour at one port, for cn_topology_from_function(). The same arguments must
 * always give the same result.
 *
 * @param user the @p user of cn_topology_from_function()
 * @param port 0 .. max_degree-1
 * @param neighbor out: the node to which the port leads. The value is CN_NO_NODE before the call
 *        and stays so when the node has no such port.
 * @return CN_OK; any other status ends the construction
 */
typedef cn_status (*cn_neighbor_fn)(void *user, uint64_t node, uint32_t port, uint64_t *neighbor);

/**
 * Makes any graph, unidirectional or bidirectional, from a function that returns the neighbours.
 * The library calls the function on the calling thread, twice for every node and port, and not
 * after the construction. The library stores the graph: 8 bytes per channel and 8 per node (16 and
 * 24 during the construction).
 *
 * The ports of a node keep the order of the function. Where the function returns no node for a
 * port, the later ports move up by one. The network is bidirectional when every channel has an
 * opposite channel, otherwise unidirectional. The network need not be connected. It has no
 * dimensions; the address of a node is its number.
 *
 * @param node_count N, 1..2^20
 * @param max_degree number of ports for which the function is called, 1..2^20; at most 2^31
 *        channels in all
 * @param user passed to @p neighbor
 * @return CN_ERR_ARGUMENT (a neighbour is not a node, is the node itself or occurs twice; or the
 *         second call gives another result), CN_ERR_UNSUPPORTED (too many channels), CN_ERR_MEMORY,
 *         or the error that @p neighbor returned (CN_ERR_ARGUMENT for a positive status). Time O(N
 *         max_degree).
 */
CN_API cn_status cn_topology_from_function(uint64_t node_count, uint32_t max_degree,
                                           cn_neighbor_fn neighbor, void *user,
                                           const cn_control *control, cn_topology **topology);

/** Frees the topology and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_topology_free(cn_topology **topology);

/* ---- properties of the network ---- */

/**
 * Returns 1 when two topologies are equal, node by node and port by port, because of the same
 * family and sizes or, for stored graphs, because of the same neighbours at the same ports. Returns
 * 0 otherwise, and when one of the two is NULL. Equal networks may have different names: a ring
 * equals a k-ary n-cube with n = 1. The function does not compare networks of different families
 * edge by edge: a complete network is not equal to a generalized hypercube of one dimension.
 *
 * Faults, traffic or a subnet of one network can be used with every equal network. O(1); O(N +
 * edges) for two stored graphs.
 */
CN_API int cn_topology_equal(const cn_topology *a, const cn_topology *b);

/**
 * Writes the topology as JSON: its name or, where the graph is stored, the neighbours of every
 * node. In one version of the library the same topology always gives the same text
 * (docs/reference/formats.md).
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(characters).
 */
CN_API cn_status cn_topology_json(const cn_topology *topology, char text[], size_t capacity,
                                  size_t *length);

/**
 * Makes the topology that cn_topology_json() wrote: an equal topology (cn_topology_equal()) with
 * the same name. The members of the JSON object may come in any order, with any white space.
 *
 * @return CN_ERR_ARGUMENT (any other text; cn_last_error() names line, column and key),
 *         CN_ERR_UNSUPPORTED (a text of another format), CN_ERR_NOT_FOUND (a name that no topology
 *         has), CN_ERR_MEMORY, CN_ERR_CANCELLED. O(characters).
 */
CN_API cn_status cn_topology_from_json(const char *text, const cn_control *control,
                                       cn_topology **topology);

/**
 * Returns the name of the topology: the family with its parameters. Equal networks of one family
 * have the same name. Examples: hypercube(6), kary_ncube(k=8,n=2,bidirectional=False),
 * generalized_hypercube(k=4,n=3), generalized_hypercube([4,3,2]), ring(9),
 * ring(9,bidirectional=False), torus([8,8]), mesh([5,5,2]), complete(7), star(7), tree(2,4),
 * chordal_ring(64,9), chordal_ring(64,8,dual=True), psnn(5), shuffle_exchange(5), de_bruijn(5). A
 * list has the radix of dimension 0 first, like the arrays of this header.
 *
 * With "Topology." in front the name is the Python expression that makes the network. Only the name
 * of a stored graph, such as edges(9,12), is no such expression. A name has at most 159 characters
 * and no blanks. "" for NULL.
 */
CN_API const char *cn_topology_name(const cn_topology *topology);

/** Returns the number of nodes N; 0 for NULL. */
CN_API uint64_t cn_topology_node_count(const cn_topology *topology);

/** Returns the greatest number of ports of any node; 0 for NULL. */
CN_API uint32_t cn_topology_max_degree(const cn_topology *topology);

/** Returns 1 when every link carries messages in both directions; otherwise, and for NULL, 0. */
CN_API int cn_topology_is_bidirectional(const cn_topology *topology);

/**
 * Returns the number of links: pairs of neighbours, or channels in a unidirectional network.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (more than 2^64-1 links, as in hypercubes of 60
 *         dimensions and more)
 */
CN_API cn_status cn_topology_link_count(const cn_topology *topology, uint64_t *links);

/*
 * ---- nodes and ports: CN_ERR_ARGUMENT for NULL and for a node or port that does not exist. O(1),
 * or O(n) in families of n dimensions. ----
 */

/** Returns the number of outgoing ports of @p node. */
CN_API cn_status cn_topology_degree(const cn_topology *topology, uint64_t node, uint32_t *degree);

/** Returns the node to which @p port of @p node leads. */
CN_API cn_status cn_topology_neighbor(const cn_topology *topology, uint64_t node, uint32_t port,
                                      uint64_t *neighbor);

/**
 * Returns all neighbours of @p node: port p leads to neighbors[p].
 * @param capacity room in @p neighbors, in elements
 * @param count out: the degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY. O(degree), or O(n degree).
 */
CN_API cn_status cn_topology_neighbors(const cn_topology *topology, uint64_t node,
                                       uint64_t neighbors[], size_t capacity, size_t *count);

/**
 * Returns all channels of the network in compressed sparse rows: port p of node v leads to
 * neighbors[first[v] + p], and first[N] is the number of channels.
 *
 * @param first out: N + 1 elements
 * @param first_capacity room in @p first, in elements: at least N + 1
 * @param neighbors out: may be NULL with capacity 0; then only @p first is filled
 * @param capacity room in @p neighbors, in elements
 * @param count out: the number of channels, also when @p capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_CANCELLED. O(channels), or O(n channels).
 */
CN_API cn_status cn_topology_adjacency(const cn_topology *topology, const cn_control *control,
                                       uint64_t first[], size_t first_capacity,
                                       uint64_t neighbors[], size_t capacity, size_t *count);

/**
 * Returns the back port of a channel: the port that leads back to @p node from the neighbour at @p
 * port of @p node. CN_NO_PORT (with CN_OK) when no port leads back, as in a unidirectional ring of
 * three or more nodes.
 */
CN_API cn_status cn_topology_back_port(const cn_topology *topology, uint64_t node, uint32_t port,
                                       uint32_t *back_port);

/**
 * Returns the port of @p node that leads to @p neighbor; CN_NO_PORT (with CN_OK) when no port does.
 * O(1) in trees, stars and complete networks, O(n) in generalized hypercubes. In other families the
 * function examines the ports of one of the two nodes in turn: at most 78 ports, except in stored
 * graphs.
 */
CN_API cn_status cn_topology_port_to(const cn_topology *topology, uint64_t node, uint64_t neighbor,
                                     uint32_t *port);

/*
 * ---- distances: CN_ERR_ARGUMENT for NULL and for a node that does not exist; CN_ERR_MEMORY where
 * a search is needed ----
 */

/*
 * Cubes, rings, tori, meshes, complete networks, stars and trees have closed forms. There are
 * closed forms also for the distance and the diameter of shuffle-exchange and de Bruijn networks
 * (O(n^2)) and for the diameter of the PSNN; in a de Bruijn network cn_topology_distance_counts()
 * takes O(n^4). In all other cases a breadth-first search, which allocates memory, finds the
 * distances. A search returns CN_ERR_UNSUPPORTED for a network of more than 2^27 nodes or 2^31
 * channels, which is too large to store, and CN_ERR_MEMORY. A closed form takes O(n), in a tree
 * O(levels), and a search from one node O(N + links), unless the comment of the function says
 * otherwise.
 */

/**
 * Returns the distance of two nodes: the number of hops of a shortest path; CN_UNREACHABLE (with
 * CN_OK) when there is no path.
 */
CN_API cn_status cn_topology_distance(const cn_topology *topology, uint64_t source,
                                      uint64_t destination, const cn_control *control,
                                      uint64_t *distance);

/**
 * Returns the distances from @p source to all nodes: distances[v] is the number of hops to node v,
 * CN_UNREACHABLE when there is no path.
 * @param capacity room in @p distances, in elements: at least N
 * @return CN_ERR_CAPACITY. One search, or a closed form for each node.
 */
CN_API cn_status cn_topology_distances(const cn_topology *topology, uint64_t source,
                                       const cn_control *control, uint64_t distances[],
                                       size_t capacity);

/**
 * Returns the diameter: the greatest distance between two nodes, in hops. Without a closed form the
 * function makes one search in a node-symmetric network; in other networks it searches until its
 * lower and upper bounds of the diameter meet.
 * @return CN_ERR_DISCONNECTED. O(N (N + links) / 256) at most where the diameter is below 100.
 */
CN_API cn_status cn_topology_diameter(const cn_topology *topology, const cn_control *control,
                                      uint64_t *diameter);

/**
 * Returns the mean distance, in hops, over all ordered pairs of distinct hosts, which are all nodes
 * unless experimental/hosts.h says otherwise; 0 when N = 1.
 *
 * Boolean n-cube: d = n 2^(n-1) / (2^n - 1) (Horng 1992, 2.3). k-ary n-cube: unidirectional
 * d = n (k-1) k^n / (2 (k^n - 1)) (Horng 1992, 4.3.1); bidirectional n m k^n / (k^n - 1) with
 * m = k/4 (k even) or (k^2-1)/(4k) (k odd), the mean on one ring. Generalized hypercube: the sum of
 * all (k_i-1)/k_i, times N/(N-1).
 * @return CN_ERR_DISCONNECTED. By search O(N (N + links)), 256 sources at a time. In a de Bruijn
 *         network O(N n^4), and CN_ERR_UNSUPPORTED above 2^27 nodes as for a search.
 */
CN_API cn_status cn_topology_mean_distance(const cn_topology *topology, const cn_control *control,
                                           double *mean);

/**
 * Counts nodes by distance: counts[h] nodes are h hops away from @p source, h = 0 .. eccentricity.
 * Unreachable nodes are not counted.
 *
 * @param capacity room in @p counts, in elements
 * @param count out: eccentricity + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_OVERFLOW (more distances than an array can hold). A closed form
 *         takes O(n count).
 */
CN_API cn_status cn_topology_distance_counts(const cn_topology *topology, uint64_t source,
                                             const cn_control *control, uint64_t counts[],
                                             size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
