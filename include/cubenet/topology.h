/**
 * @file topology.h
 * Direct interconnection networks as graphs: nodes, ports, addresses and distances.
 *
 * A topology is immutable and computed, not stored: a hypercube of 2^62 nodes costs a
 * kilobyte. Only cn_topology_from_edges() keeps a graph in memory. Every function here works on every
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

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_topology_free(cn_topology **topology);

/* ---- what the network is ---- */

/** A short name with its parameters, like "hypercube(6)" or "kary_ncube(8,2)". "" for NULL. */
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
 */
CN_API cn_status cn_topology_neighbors(const cn_topology *topology, uint64_t node,
                                       uint64_t neighbors[], size_t capacity, size_t *count);

/**
 * The port of the neighbour behind @p port of @p node that leads back to @p node; CN_NO_PORT (with
 * CN_OK) where no link leads back, as in a unidirectional ring of three or more.
 */
CN_API cn_status cn_topology_back_port(const cn_topology *topology, uint64_t node, uint32_t port,
                                       uint32_t *back_port);

/** The port of @p node that leads to @p neighbor; CN_NO_PORT (with CN_OK) when none does. Looks at all
 *  ports in turn. */
CN_API cn_status cn_topology_port_to(const cn_topology *topology, uint64_t node, uint64_t neighbor,
                                     uint32_t *port);

/* ---- distances: CN_ERR_ARGUMENT for NULL and for a node that there is not; where a search is
 *      needed, CN_ERR_MEMORY ---- */

/**
 * Number of hops of a shortest path; CN_UNREACHABLE (with CN_OK) when there is none.
 * O(n) for the families with a closed form; a breadth-first search, with memory for it, for
 * cn_topology_from_edges().
 */
CN_API cn_status cn_topology_distance(const cn_topology *topology, uint64_t source,
                                      uint64_t destination, uint64_t *distance);

/**
 * The greatest distance between two nodes.
 * @return CN_ERR_DISCONNECTED. O(N (N + links)) for cn_topology_from_edges().
 */
CN_API cn_status cn_topology_diameter(const cn_topology *topology, uint64_t *diameter);

/**
 * The mean distance over all ordered pairs of different nodes; 0 when N = 1.
 *
 * Boolean n-cube: d = n 2^(n-1) / (2^n - 1) (Horng 1992, 2.3). k-ary n-cube: unidirectional
 * d = n (k-1) k^n / (2 (k^n - 1)) (Horng 1992, 4.3.1); bidirectional n m k^n / (k^n - 1) with
 * m = k/4 (k even) or (k^2-1)/(4k) (k odd), the mean on one ring. Generalized hypercube: the sum of
 * all (k_i-1)/k_i, times N/(N-1).
 * @return CN_ERR_DISCONNECTED. O(N (N + links)) for cn_topology_from_edges().
 */
CN_API cn_status cn_topology_mean_distance(const cn_topology *topology, double *mean);

/**
 * How many nodes are how far: counts[h] nodes lie h hops from @p source, h = 0 .. eccentricity.
 * Nodes that cannot be reached are in no count.
 *
 * @param capacity room in @p counts, in elements
 * @param count out: eccentricity + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY; CN_ERR_OVERFLOW when there are more distances than an array can hold
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
 * @param capacity room in @p digits; at least the number of dimensions
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_topology_digits(const cn_topology *topology, uint64_t node, uint64_t digits[],
                                    size_t capacity);

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
