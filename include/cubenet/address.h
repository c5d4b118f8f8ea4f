/**
 * @file address.h
 * Addresses of nodes: digits, text, headers and translation, and subcubes of the Boolean n-cube.
 *
 * In a network of n dimensions node v has the digits a_{n-1} ... a_1 a_0. Text has the least
 * significant digit last, arrays have it first (digits[i] is a_i, the position in dimension i):
 * v = a_0 + k_0 (a_1 + k_1 (a_2 + ...)), with k_i the radix of dimension i.
 *
 * @since 0.1
 */
#ifndef CUBENET_ADDRESS_H
#define CUBENET_ADDRESS_H

#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ---- digits and text: families with dimensions; CN_ERR_ARGUMENT for NULL and for a node that does
 * not exist. O(n) ----
 */

/** Returns the number of dimensions; 0 for a network without dimensions and for NULL. */
CN_API uint32_t cn_topology_dimensions(const cn_topology *topology);

/**
 * Returns the radix: the number of positions in @p dimension. CN_ERR_ARGUMENT when there is no such
 * dimension.
 */
CN_API cn_status cn_topology_radix(const cn_topology *topology, uint32_t dimension,
                                   uint64_t *radix);

/**
 * Returns the digits of a node, digits[i] in dimension i.
 * @param capacity room in @p digits, in elements
 * @param count out: the number of dimensions, also when the capacity is too small; may be NULL
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_topology_digits(const cn_topology *topology, uint64_t node, uint64_t digits[],
                                    size_t capacity, size_t *count);

/**
 * Returns the digits of many nodes: row i, from digits[i n] on, has those of nodes[i], that of
 * dimension 0 first.
 * @param count elements in @p nodes
 * @param capacity room in @p digits, in elements: at least n count
 * @return as cn_topology_digits(), CN_ERR_CANCELLED. O(n count); where nodes[i] is no node, the
 *         sentence names i, and the rows before it are filled.
 */
CN_API cn_status cn_topology_digits_of(const cn_topology *topology, const uint64_t nodes[],
                                       size_t count, const cn_control *control, uint64_t digits[],
                                       size_t capacity);

/**
 * Returns the node that has the given digits.
 * @param count elements in @p digits; exactly the number of dimensions
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT (a digit not below its radix)
 */
CN_API cn_status cn_topology_node_at(const cn_topology *topology, const uint64_t digits[],
                                     size_t count, uint64_t *node);

/**
 * Writes the address of a node as text, most significant digit first: "001011" in a hypercube,
 * "342" where all radices are at most ten, "15.0.7" where one is greater, and the node number in a
 * network without dimensions.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY
 */
CN_API cn_status cn_topology_address_text(const cn_topology *topology, uint64_t node, char text[],
                                          size_t capacity, size_t *length);

/**
 * Returns the node with an address in the form that cn_topology_address_text() writes.
 * CN_ERR_ARGUMENT for any other text.
 */
CN_API cn_status cn_topology_parse_address(const cn_topology *topology, const char *text,
                                           uint64_t *node);

/* ---- headers and translation; O(n) ---- */

/**
 * Returns the header of a message at @p node for @p destination: the remaining way, per dimension.
 * The header is a number like that of a node (cn_topology_digits()). Its digits are e_i = (a_i -
 * b_i) mod k_i, where a_i are the digits of the node and b_i those of the destination: the number
 * of hops down in dimension i. In the Boolean n-cube the header is the exclusive-or of the two
 * addresses. The header is 0 when the message has arrived. In a generalized hypercube every nonzero
 * digit takes one hop, and the header is the inverse translation of the node with respect to the
 * destination.
 *
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT
 * Source: Horng 1992, 1.2.2 and 4.2.
 */
CN_API cn_status cn_topology_header(const cn_topology *topology, uint64_t node,
                                    uint64_t destination, uint64_t *header);

/**
 * Returns the translation of @p node by @p by: the node whose digits are the sums of the digits of
 * the two nodes, (a_i + b_i) mod k_i. In the Boolean n-cube it is the exclusive-or. Translation
 * preserves distances in hypercubes, k-ary n-cubes and generalized hypercubes.
 * cn_topology_header(topology, translated, by, &node) reverses it.
 *
 * @return CN_ERR_UNSUPPORTED without dimensions, CN_ERR_ARGUMENT
 * Source: Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_topology_translate(const cn_topology *topology, uint64_t node, uint64_t by,
                                       uint64_t *translated);

/**
 * Returns the headers of many messages: headers[i] for nodes[i] and destinations[i], as
 * cn_topology_header().
 * @param count elements in each of the three arrays
 * @param headers out: may be one of the two other arrays
 * @return as cn_topology_header(), CN_ERR_CANCELLED. O(n count); where an element is no node, the
 *         sentence names its index, and what comes before it is filled.
 */
CN_API cn_status cn_topology_headers(const cn_topology *topology, const uint64_t nodes[],
                                     const uint64_t destinations[], size_t count,
                                     const cn_control *control, uint64_t headers[]);

/** Returns many translations: translated[i] of nodes[i] by by[i]. Otherwise as
 * cn_topology_headers(). */
CN_API cn_status cn_topology_translations(const cn_topology *topology, const uint64_t nodes[],
                                          const uint64_t by[], size_t count,
                                          const cn_control *control, uint64_t translated[]);

/* ---- subcubes of the Boolean n-cube: addresses over {0, 1, X} ---- */

/*
 * Two words hold a subcube: bit i of `any` is 1 where its address has X in dimension i, and `value`
 * has the other bits (0 where `any` is 1). The address 0X1X has value 0010 and any 0101. A node
 * lies in the subcube when (node ^ value) & ~any is 0. Source of all functions: Horng 1992, 1.2.1.
 */

/**
 * Reads the address of a subcube, most significant symbol first ('x' is read as 'X').
 * @param n out: number of symbols, 1..62
 * @return CN_ERR_ARGUMENT for any other symbol or length
 */
CN_API cn_status cn_subcube_parse(const char *text, uint32_t *n, uint64_t *value, uint64_t *any);

/**
 * Writes the address of a subcube.
 * @param n dimensions of the whole cube, 1..62; bits above n - 1 are refused, and so is a bit that
 *        is set in both words
 * @param length out: characters without the NUL (n), also when the capacity is too small; may be
 *        NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 */
CN_API cn_status cn_subcube_text(uint32_t n, uint64_t value, uint64_t any, char text[],
                                 size_t capacity, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
