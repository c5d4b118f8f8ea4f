/**
 * @file topology.h
 * Direct interconnection networks as graphs: nodes, ports, addresses and distances.
 *
 * A topology is immutable and computed, not stored: a hypercube of 2^62 nodes costs a
 * kilobyte. Only cn_topology_from_edges() and cn_topology_from_function() keep a graph in memory. Every function here works on every
 * topology, unless its comment names the families that have what it gives.
 *
 * Numbering. Nodes are 0 .. N-1. The ports of a node are 0 .. degree-1; a port leads to exactly one
 * neighbour over a channel, and two nodes share at most one link. A link is a pair of opposite
 * channels, or one channel where the network is unidirectional. Hops count channels: a neighbour
 * is one hop away.
 *
 * Addresses. In a network of n dimensions node v has the digits a_{n-1} ... a_1 a_0, least
 * significant last in text and first in arrays (digits[i] is a_i, the position in dimension i):
 * v = a_0 + k_0 (a_1 + k_1 (a_2 + ...)), with k_i the radix of dimension i.
 *
 * @since 0.1
 */
#ifndef CUBENET_TOPOLOGY_H
#define CUBENET_TOPOLOGY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A network; opaque. */
typedef struct cn_topology cn_topology;

#define CN_NO_PORT UINT32_MAX     /**< there is no such port */
#define CN_NO_NODE UINT64_MAX     /**< there is no such node, like the parent of a root */
#define CN_UNREACHABLE UINT64_MAX /**< the distance to a node that cannot be reached */

/* ---- families ---- */

/**
 * The Boolean n-cube: 2^n nodes, two of them neighbours when their addresses differ in one bit.
 * Port i flips bit i of the node number.
 *
 * @param n dimensions, 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Horng 1992, 1.2.1.
 */
CN_API cn_status cn_topology_hypercube(uint32_t n, cn_topology **topology);

/**
 * The k-ary n-cube: k^n nodes, a ring of k nodes in every dimension (end-around).
 *
 * Unidirectional: port i leads one down in dimension i, to digit (a_i - 1) mod k. Bidirectional:
 * port i the same, and port n + i one up in dimension i, to digit (a_i + 1) mod k. With k = 2 both
 * directions meet in one node and there is one port (and link) per dimension in either case: the
 * network is the Boolean n-cube, port for port.
 *
 * @param k radix, at least 2
 * @param n dimensions, at least 1; k^n is at most 2^62
 * @param bidirectional nonzero for links that carry messages both ways
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Horng 1992, 4.1.
 */
CN_API cn_status cn_topology_kary_ncube(uint64_t k, uint32_t n, int bidirectional,
                                        cn_topology **topology);

/**
 * The (symmetric) generalized hypercube GH(n,k): k^n nodes, two of them neighbours when their
 * addresses differ in exactly one digit. With n = 1 it is the complete network of k nodes, with
 * k = 2 the Boolean n-cube, port for port.
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
 * The generalized hypercube with a radix for each dimension. The ports of dimension i, k_i - 1 of
 * them, follow those of dimension i-1; otherwise they are numbered as above.
 *
 * @param radices n of them, radices[i] of dimension i, each at least 2. Copied.
 * @param n dimensions, 1..62; the product of the radices is at most 2^62 and the sum of all k_i - 1,
 *        the degree, below 2^32 - 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Bhuyan & Agrawal 1984, as cited by Ziavras & Krishnamurthy 1999, 2.
 */
CN_API cn_status cn_topology_generalized_hypercube_mixed(const uint64_t radices[], uint32_t n,
                                                         cn_topology **topology);

/**
 * The ring of N nodes: NN_1, or with links one way only. The k-ary 1-cube under its own name; ports
 * as in cn_topology_kary_ncube(): port 0 one down, port 1 (bidirectional, N > 2) one up.
 *
 * @param nodes N, 2..2^62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.2.
 */
CN_API cn_status cn_topology_ring(uint64_t nodes, int bidirectional, cn_topology **topology);

/**
 * The n-dimensional torus NN_n ("hypertorus"): a ring of radices[i] nodes in dimension i.
 *
 * First come the ports that lead one down, dimension by dimension, then those one up; a ring of two
 * nodes has one port and one link. With equal radices it is the bidirectional k-ary n-cube, port for
 * port.
 *
 * @param radices k_0 .. k_{n-1}, each at least 2, their product at most 2^62; least significant
 *        digit first
 * @param n 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.3.
 */
CN_API cn_status cn_topology_torus(const uint64_t radices[], uint32_t n, cn_topology **topology);

/**
 * The n-dimensional mesh ("hypermesh"): a line of radices[i] nodes in dimension i. Ports as in the
 * torus, without those that would leave a line; with all radices 2 the Boolean n-cube. Arguments and
 * errors as cn_topology_torus().
 */
CN_API cn_status cn_topology_mesh(const uint64_t radices[], uint32_t n, cn_topology **topology);

/**
 * The completely connected network. Port p of node v leads to (v + 1 + p) mod N.
 *
 * @param nodes N, 2..2^32 - 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.1.
 */
CN_API cn_status cn_topology_complete(uint64_t nodes, cn_topology **topology);

/**
 * The star: node 0 is joined to all others. Port p of node 0 leads to node p + 1.
 *
 * @param nodes N, 2..2^32 - 1, the middle included
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.5.
 */
CN_API cn_status cn_topology_star(uint64_t nodes, cn_topology **topology);

/**
 * The balanced tree: b children a node, m levels below the root, N = 1 + b + ... + b^m.
 *
 * Node 0 is the root, the children of v are b v + 1 .. b v + b. Port 0 leads to the parent, the next
 * ones to the children; the root has only the latter.
 *
 * @param branching b, at least 1 (a path of m + 1 nodes)
 * @param levels m, at least 1; N is at most 2^62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.6 and A.1.6.
 */
CN_API cn_status cn_topology_tree(uint64_t branching, uint32_t levels, cn_topology **topology);

/**
 * The chordal ring: a ring with one or two chords of length a at every node.
 *
 * Ports 0 and 1 lead to v - 1 and v + 1 (mod N). One chord: port 2 leads to v + a from an even node
 * and to v - a from an odd one, which needs an even N and an odd a. Two chords (dual): port 2 leads
 * to v - a, port 3 to v + a; with a = N/2 both are one.
 *
 * @param nodes N: even and at least 6 with one chord, at least 4 with two
 * @param chord a: 3..N-3, or 2..N-2 with two. 0: the paper's sqrt(N), N must be a square; with one
 *        chord sqrt(N) + 1, since that must be odd.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.7.
 */
CN_API cn_status cn_topology_chordal_ring(uint64_t nodes, uint64_t chord, int dual,
                                          cn_topology **topology);

/**
 * The shortest chord that gives the least diameter, and that diameter; every chord up to N/2 is
 * tried with a search from one node. O(N^2): well below a second for N = 10^4, some ten seconds for 10^5.
 *
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY, CN_ERR_UNSUPPORTED above 2^27 nodes
 */
CN_API cn_status cn_chordal_ring_best_chord(uint64_t nodes, int dual, uint64_t *chord,
                                            uint64_t *diameter);

/**
 * Perfect shuffle with nearest neighbours (PSNN): 2^n nodes; v is joined to v - 1, v + 1 (mod N),
 * sigma(v) and sigma^-1(v), where sigma rotates the n bits of v to the left.
 *
 * Ports are numbered in this order. As in all shift networks a neighbour that is v itself (sigma of 0
 * and N-1) has no port, and one that comes twice has one.
 *
 * @param n 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 * Source: Ginosar & Egozi 1989, 4.1.8.
 */
CN_API cn_status cn_topology_psnn(uint32_t n, cn_topology **topology);

/**
 * Perfect shuffle exchange (PSE): v is joined to epsilon(v), which inverts bit 0, to sigma(v) and
 * sigma^-1(v); ports in this order, see cn_topology_psnn().
 * @param n 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_shuffle_exchange(uint32_t n, cn_topology **topology);

/**
 * The binary de Bruijn network, links in both directions: v is joined to 2v and 2v + 1 (mod N) and to
 * v/2 and v/2 + N/2 (rounded down); ports in this order, see cn_topology_psnn().
 * @param n 1..62
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_topology_de_bruijn(uint32_t n, cn_topology **topology);

/**
 * Any undirected graph, from its list of edges. The only topology that is stored: 16 bytes an edge
 * and 8 a node (16 while it is made).
 *
 * The ports of a node are numbered in the order in which its edges appear. The graph need not be
 * connected. It has no dimensions; the address of a node is its number.
 *
 * @param node_count N, 1..2^32
 * @param edges 2 edge_count node numbers: edges[2e] and edges[2e+1] are joined by edge e. Copied.
 * @param edge_count at most 2^31; may be 0 (then @p edges may be NULL)
 * @return CN_ERR_ARGUMENT (an end that is not a node, a loop, two edges between the same nodes),
 *         CN_ERR_MEMORY. Time O(N + edges).
 */
CN_API cn_status cn_topology_from_edges(uint64_t node_count, const uint64_t edges[],
                                        size_t edge_count, cn_topology **topology);

/**
 * A neighbour, for cn_topology_from_function(). It must give the same answer whenever it is asked the
 * same.
 *
 * @param port 0 .. max_degree-1
 * @param neighbor out: the node to which the port leads; CN_NO_NODE when called, which says that the
 *        node has no such port
 * @return CN_OK; anything else ends the construction
 */
typedef cn_status (*cn_neighbor_fn)(void *user, uint64_t node, uint32_t port, uint64_t *neighbor);

/**
 * Any graph, one-way or two-way, from a function that names the neighbours. The function is called on
 * the calling thread, twice for every node and port, and never again: its answers are stored as those
 * of cn_topology_from_edges() are, 8 bytes a channel and 8 a node (16 and 24 while it is made).
 *
 * The ports of a node keep the order of the function; where it gives no node for a port, those that
 * follow move up. The network is two-way when every channel has one that leads back, and else one-way.
 * It need not be connected. It has no dimensions; the address of a node is its number.
 *
 * @param node_count N, 1..2^20
 * @param max_degree ports that the function is asked about, 1..2^20; at most 2^31 channels in all
 * @param user handed to @p neighbor
 * @return CN_ERR_ARGUMENT (a neighbour that is no node, or the node itself, or comes twice; another
 *         answer when asked again), CN_ERR_UNSUPPORTED (too many channels), CN_ERR_MEMORY, or what
 *         @p neighbor returned other than CN_OK. Time O(N max_degree).
 */
CN_API cn_status cn_topology_from_function(uint64_t node_count, uint32_t max_degree,
                                           cn_neighbor_fn neighbor, void *user,
                                           cn_topology **topology);

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_topology_free(cn_topology **topology);

/* ---- what the network is ---- */

/**
 * 1 when two handles stand for the same network, node by node and port by port, because it was made in the same
 * way: same family, same sizes; of two lists of edges, the same neighbours at the same ports. 0 when not, also
 * when one of them is NULL. Equal networks may have different names: a ring is a k-ary n-cube with n = 1. Networks
 * of different families are not compared edge by edge: a complete network is not equal to a generalized
 * hypercube of one dimension.
 *
 * What is made for a network (faults, traffic, a subnet) goes with every network that is equal to it.
 * O(1), of different lists of edges O(N + edges).
 */
CN_API int cn_topology_equal(const cn_topology *a, const cn_topology *b);

/**
 * The family with its parameters, the same for equal networks of a family: hypercube(6),
 * kary_ncube(k=8,n=2,bidirectional=False), generalized_hypercube(k=4,n=3),
 * generalized_hypercube([4,3,2]), ring(9), ring(9,bidirectional=False), torus([8,8]), mesh([5,5,2]),
 * complete(7), star(7), tree(2,4), chordal_ring(64,9), chordal_ring(64,8,dual=True), psnn(5),
 * shuffle_exchange(5), de_bruijn(5). A list has the radix of dimension 0 first, as in the arrays here.
 *
 * After "Topology." it is the Python expression that makes the network. An edge list is
 * edges(NODES,LINKS), which makes none. At most 159 characters, no blanks. "" for NULL.
 */
CN_API const char *cn_topology_name(const cn_topology *topology);

/** Number of nodes N; 0 for NULL. */
CN_API uint64_t cn_topology_node_count(const cn_topology *topology);

/** The greatest number of ports of a node; 0 for NULL. */
CN_API uint32_t cn_topology_max_degree(const cn_topology *topology);

/** 1 when every link carries messages both ways, 0 when not or for NULL. */
CN_API int cn_topology_is_bidirectional(const cn_topology *topology);

/**
 * Number of links: neighbouring pairs, or channels where the network is unidirectional.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW above 2^64-1 (as in hypercubes of 60 dimensions and more)
 */
CN_API cn_status cn_topology_link_count(const cn_topology *topology, uint64_t *links);

/* ---- nodes and ports: CN_ERR_ARGUMENT for NULL and for a node or port that there is not.
 *      O(1), or O(n) in families of n dimensions. ---- */

/** Number of outgoing ports of @p node. */
CN_API cn_status cn_topology_degree(const cn_topology *topology, uint64_t node, uint32_t *degree);

/** The node to which @p port of @p node leads. */
CN_API cn_status cn_topology_neighbor(const cn_topology *topology, uint64_t node, uint32_t port,
                                      uint64_t *neighbor);

/**
 * All neighbours of @p node, neighbors[p] behind port p.
 * @param capacity room in @p neighbors, in elements
 * @param count out: the degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY. O(degree), or O(n degree).
 */
CN_API cn_status cn_topology_neighbors(const cn_topology *topology, uint64_t node,
                                       uint64_t neighbors[], size_t capacity, size_t *count);

/**
 * The port of the neighbour behind @p port of @p node that leads back to @p node; CN_NO_PORT (with
 * CN_OK) where no link leads back, as in a unidirectional ring of three or more.
 */
CN_API cn_status cn_topology_back_port(const cn_topology *topology, uint64_t node, uint32_t port,
                                       uint32_t *back_port);

/** The port of @p node that leads to @p neighbor; CN_NO_PORT (with CN_OK) when none does. O(1) in
 *  trees, stars and complete networks, O(n) in generalized hypercubes; others look at the ports of one of
 *  the two in turn: at most 124 in all but edge lists. */
CN_API cn_status cn_topology_port_to(const cn_topology *topology, uint64_t node, uint64_t neighbor,
                                     uint32_t *port);

/* ---- distances: CN_ERR_ARGUMENT for NULL and for a node that there is not; where a search is
 *      needed, CN_ERR_MEMORY ---- */

/*
 * Cubes, rings, tori, meshes, complete networks, stars and trees have closed forms. In the others
 * distances are found by breadth-first search, with memory for it; CN_ERR_UNSUPPORTED where one of
 * more than 2^27 nodes or 2^31 channels would have to be stored for that, CN_ERR_MEMORY. A closed form
 * takes O(n), in a tree O(levels), and a search from one node O(N + links), unless the comment of the
 * function says otherwise.
 */

/** Number of hops of a shortest path; CN_UNREACHABLE (with CN_OK) when there is none. */
CN_API cn_status cn_topology_distance(const cn_topology *topology, uint64_t source,
                                      uint64_t destination, uint64_t *distance);

/**
 * The greatest distance between two nodes. By search: one for a node-symmetric network, otherwise
 * from as many nodes as it takes for lower and upper bound to meet.
 * @return CN_ERR_DISCONNECTED. O(N (N + links) / 256) at most where the diameter is below 100.
 */
CN_API cn_status cn_topology_diameter(const cn_topology *topology, uint64_t *diameter);

/**
 * The mean distance over all ordered pairs of different nodes; 0 when N = 1.
 *
 * Boolean n-cube: d = n 2^(n-1) / (2^n - 1) (Horng 1992, 2.3). k-ary n-cube: unidirectional
 * d = n (k-1) k^n / (2 (k^n - 1)) (Horng 1992, 4.3.1); bidirectional n m k^n / (k^n - 1) with
 * m = k/4 (k even) or (k^2-1)/(4k) (k odd), the mean on one ring. Generalized hypercube: the sum of
 * all (k_i-1)/k_i, times N/(N-1).
 * @return CN_ERR_DISCONNECTED. By search O(N (N + links)), 256 sources at once.
 */
CN_API cn_status cn_topology_mean_distance(const cn_topology *topology, double *mean);

/**
 * How many nodes are how far: counts[h] nodes lie h hops from @p source, h = 0 .. eccentricity.
 * Nodes that cannot be reached are in no count.
 *
 * @param capacity room in @p counts, in elements
 * @param count out: eccentricity + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY; CN_ERR_OVERFLOW when there are more distances than an array can hold. A closed
 *         form takes O(n count).
 */
CN_API cn_status cn_topology_distance_counts(const cn_topology *topology, uint64_t source,
                                             uint64_t counts[], size_t capacity, size_t *count);

/* ---- addresses: families with dimensions; CN_ERR_ARGUMENT for NULL and for a node that there is not.
 *      O(n) ---- */

/** Number of dimensions; 0 for a network without them and for NULL. */
CN_API uint32_t cn_topology_dimensions(const cn_topology *topology);

/** Number of positions in @p dimension. CN_ERR_ARGUMENT when there is no such dimension. */
CN_API cn_status cn_topology_radix(const cn_topology *topology, uint32_t dimension,
                                   uint64_t *radix);

/**
 * The digits of a node, digits[i] in dimension i.
 * @param capacity room in @p digits, in elements
 * @param count out: the number of dimensions, also when the capacity is too small; may be NULL
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_topology_digits(const cn_topology *topology, uint64_t node, uint64_t digits[],
                                    size_t capacity, size_t *count);

/**
 * The node that has these digits.
 * @param count elements in @p digits; exactly the number of dimensions
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT (a digit not below its radix)
 */
CN_API cn_status cn_topology_node_at(const cn_topology *topology, const uint64_t digits[],
                                     size_t count, uint64_t *node);

/**
 * The address of a node as text, most significant digit first: "001011" in a hypercube, "342" where
 * all radices are at most ten, "15.0.7" where one is greater, the plain number without dimensions.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY
 */
CN_API cn_status cn_topology_address_text(const cn_topology *topology, uint64_t node, char text[],
                                          size_t capacity, size_t *length);

/** The node with this address; reads what cn_topology_address_text() writes. CN_ERR_ARGUMENT for any
 *  other text. */
CN_API cn_status cn_topology_parse_address(const cn_topology *topology, const char *text,
                                           uint64_t *node);

/**
 * The header of a message at @p node for @p destination: what is left to travel, per dimension.
 * The digits of the header (cn_topology_digits(); it is numbered like a node) are
 * e_i = (a_i - b_i) mod k_i, a the node's and b the destination's digits: the hops down in dimension
 * i. In the Boolean n-cube that is the exclusive-or of the two addresses. 0 means: arrived. In a
 * generalized hypercube every digit but 0 takes one hop; there the header is the inverse translation
 * of the node with respect to the destination.
 *
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT
 * Source: Horng 1992, 1.2.2 and 4.2.
 */
CN_API cn_status cn_topology_header(const cn_topology *topology, uint64_t node,
                                    uint64_t destination, uint64_t *header);

/**
 * The node whose digits are the sums of those of two nodes, (a_i + b_i) mod k_i: the translation of
 * @p node by @p by, which preserves distances in hypercubes, k-ary n-cubes and generalized hypercubes. Exclusive-or in the
 * Boolean n-cube. cn_topology_header(topology, translated, by, &node) takes it back.
 *
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT
 * Source: Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_topology_translate(const cn_topology *topology, uint64_t node, uint64_t by,
                                       uint64_t *translated);

/* ---- subcubes of the Boolean n-cube: addresses over {0, 1, X} ---- */

/*
 * A subcube is held in two words: bit i of `any` is 1 where its address has X in dimension i, and
 * `value` has the other bits (0 where `any` is 1). 0X1X is value 0010, any 0101.
 * Source of all of them: Horng 1992, 1.2.1.
 */

/**
 * Reads a subcube's address, most significant symbol first ('x' counts as 'X').
 * @param n out: number of symbols, 1..62
 * @return CN_ERR_ARGUMENT for any other symbol or length
 */
CN_API cn_status cn_subcube_parse(const char *text, uint32_t *n, uint64_t *value, uint64_t *any);

/**
 * Writes a subcube's address.
 * @param n dimensions of the whole cube, 1..62; bits above are refused, as is a bit in both words
 * @param length out: characters without the NUL (n), also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 */
CN_API cn_status cn_subcube_text(uint32_t n, uint64_t value, uint64_t any, char text[],
                                 size_t capacity, size_t *length);

/** 1 when @p node lies in the subcube, else 0. */
CN_API int cn_subcube_contains(uint64_t value, uint64_t any, uint64_t node);

/** Hamming distance of two subcubes: dimensions in which one has 0 and the other 1. */
CN_API uint32_t cn_subcube_distance(uint64_t value_a, uint64_t any_a, uint64_t value_b,
                                    uint64_t any_b);

#ifdef __cplusplus
}
#endif

#endif
