/**
 * @file address.h
 * Addresses of nodes: digits, text, headers and translation, and subcubes of the Boolean n-cube.
 *
 * In a network of n dimensions node v has the digits a_{n-1} ... a_1 a_0. Digit a_i is the position
 * of the node in dimension i. A text has the least significant digit last, an array has it first
 * (digits[i] is a_i): v = a_0 + k_0 (a_1 + k_1 (a_2 + ...)), with k_i the radix of dimension i.
 *
 * @since 1.0
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
 * Returns the radix of @p dimension: its number of positions.
 * @return CN_ERR_ARGUMENT (no such dimension)
 */
CN_API cn_status cn_topology_radix(const cn_topology *topology, uint32_t dimension,
                                   uint64_t *radix);

/**
 * Returns the digits of a node: digits[i] is its position in dimension i.
 * @param capacity room in @p digits, in elements
 * @param count out: the number of dimensions, also when the capacity is too small; may be NULL
 * @return CN_ERR_UNSUPPORTED (a network without dimensions), CN_ERR_CAPACITY, CN_ERR_ARGUMENT
 */
CN_API cn_status cn_topology_digits(const cn_topology *topology, uint64_t node, uint64_t digits[],
                                    size_t capacity, size_t *count);

/**
 * Returns the digits of many nodes: the n elements from digits[i n] on are the digits of nodes[i],
 * dimension 0 first.
 * @param count elements in @p nodes
 * @param capacity room in @p digits, in elements: at least n count
 * @return as cn_topology_digits(), and CN_ERR_CANCELLED. When nodes[i] is not a node, the error
 *         sentence names i, and the digits of all nodes before i are stored. O(n count).
 */
CN_API cn_status cn_topology_digits_of(const cn_topology *topology, const uint64_t nodes[],
                                       size_t count, const cn_control *control, uint64_t digits[],
                                       size_t capacity);

/**
 * Returns the node that has the given digits.
 * @param count elements in @p digits; exactly the number of dimensions
 * @return CN_ERR_UNSUPPORTED (a network without dimensions), CN_ERR_ARGUMENT (a digit not below its
 *         radix)
 */
CN_API cn_status cn_topology_node_at(const cn_topology *topology, const uint64_t digits[],
                                     size_t count, uint64_t *node);

/**
 * Writes the address of a node as text, most significant digit first: "001011" in a hypercube,
 * "342" where all radices are at most ten, "15.0.7" where some radix is greater than ten. In a
 * network without dimensions the address is the node number.
 *
 * @param capacity room in @p text, the NUL included
 * @param length out: characters without the NUL, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY
 */
CN_API cn_status cn_topology_address_text(const cn_topology *topology, uint64_t node, char text[],
                                          size_t capacity, size_t *length);

/**
 * Returns the node whose address is @p text, in the form that cn_topology_address_text() writes.
 * @return CN_ERR_ARGUMENT (any other text)
 */
CN_API cn_status cn_topology_parse_address(const cn_topology *topology, const char *text,
                                           uint64_t *node);

/* ---- headers and translation; O(n) ---- */

/**
 * Returns the header of a message at @p node for @p destination: the remaining hops in each
 * dimension. The header is a number with digits, like a node number (cn_topology_digits()). Its
 * digits are e_i = (a_i - b_i) mod k_i, the number of hops down in dimension i, where a_i are the
 * digits of the node and b_i the digits of the destination. In the Boolean n-cube the header is the
 * exclusive-or of the two addresses. The header is 0 when the message has arrived. In a generalized
 * hypercube every nonzero digit takes one hop, and the header is the inverse translation of the
 * node with respect to the destination.
 *
 * @return CN_ERR_UNSUPPORTED (a network without dimensions), CN_ERR_ARGUMENT
 * Source: Horng 1992, 1.2.2 and 4.2.
 */
CN_API cn_status cn_topology_header(const cn_topology *topology, uint64_t node,
                                    uint64_t destination, uint64_t *header);

/**
 * Returns the translation of @p node by @p by: the node whose digits are the sums (a_i + b_i) mod
 * k_i of the digits of the two nodes. In the Boolean n-cube the translation is the exclusive-or of
 * the two addresses. Translation preserves distances in hypercubes, k-ary n-cubes and generalized
 * hypercubes. cn_topology_header(topology, translated, by, &node) reverses the translation.
 *
 * @return CN_ERR_UNSUPPORTED (a network without dimensions), CN_ERR_ARGUMENT
 * Source: Ziavras & Krishnamurthy 1999, 4.
 */
CN_API cn_status cn_topology_translate(const cn_topology *topology, uint64_t node, uint64_t by,
                                       uint64_t *translated);

/**
 * Returns the headers of many messages: headers[i] is the result of cn_topology_header() for
 * nodes[i] and destinations[i].
 * @param count elements in each of the three arrays
 * @param headers out: may be the same array as @p nodes or @p destinations
 * @return as cn_topology_header(), and CN_ERR_CANCELLED. When an element is not a node, the error
 *         sentence names its index, and the headers before that index are stored. O(n count).
 */
CN_API cn_status cn_topology_headers(const cn_topology *topology, const uint64_t nodes[],
                                     const uint64_t destinations[], size_t count,
                                     const cn_control *control, uint64_t headers[]);

/**
 * Returns many translations: translated[i] is the result of cn_topology_translate() for nodes[i]
 * and by[i]. Otherwise as cn_topology_headers().
 */
CN_API cn_status cn_topology_translations(const cn_topology *topology, const uint64_t nodes[],
                                          const uint64_t by[], size_t count,
                                          const cn_control *control, uint64_t translated[]);

/* ---- subcubes of the Boolean n-cube: addresses over {0, 1, X} ---- */

/*
 * Two words describe a subcube. Bit i of `any` is 1 where the address has X in dimension i. `value`
 * has the other bits of the address, and 0 where `any` has 1. The address 0X1X has value 0010 and
 * any 0101. A node lies in the subcube when (node ^ value) & ~any is 0. Source of all functions:
 * Horng 1992, 1.2.1.
 */

/**
 * Reads the address of a subcube, most significant symbol first. 'x' means the same as 'X'.
 * @param n out: number of symbols, 1..62
 * @param value out: the symbols 0 and 1
 * @param any out: 1 where the symbol is X
 * @return CN_ERR_ARGUMENT (any other symbol or length)
 */
CN_API cn_status cn_subcube_parse(const char *text, uint32_t *n, uint64_t *value, uint64_t *any);

/**
 * Writes the address of a subcube, most significant symbol first.
 * @param n dimensions of the whole cube, 1..62
 * @param value the symbols 0 and 1; no bit above n - 1, and no bit that is also set in @p any
 * @param any 1 where the symbol is X; no bit above n - 1
 * @param capacity room in @p text, the NUL included
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
