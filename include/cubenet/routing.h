/**
 * @file routing.h
 * Decisions of one node, as pure functions: they see the node's own state, allocate nothing and know
 * no simulator. cubenet's own kernels decide exactly like this, so whoever embeds these functions
 * runs what cubenet tests.
 *
 * Sets of channels are words: bit p stands for port p. The functions serve the Boolean n-cube and
 * the k-ary n-cube with at most 64 ports a node; others get CN_ERR_UNSUPPORTED.
 *
 * A header is what cn_topology_header() gives: e_i hops down are left in dimension i. On a
 * bidirectional ring they can also be made as k - e_i hops up.
 */
#ifndef CUBENET_ROUTING_H
#define CUBENET_ROUTING_H

#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The channels that bring a message with this header one hop closer (the empty set for header 0).
 * Boolean n-cube: the one-bits of the header. Bidirectional ring: down when e_i <= k/2, up when
 * k - e_i <= k/2, both for the opposite node of an even ring.
 *
 * @param header below N
 * Source: Horng 1992, 1.2.2 and 4.1.
 */
CN_API cn_status cn_route_valid(const cn_topology *topology, uint64_t header, uint64_t *channels);

/**
 * Of the valid channels those in the dimensions with the most hops left, among which phase 1 picks.
 * In the Boolean n-cube all valid channels are preferred.
 * Source: Horng 1992, 4.2.
 */
CN_API cn_status cn_route_preferred(const cn_topology *topology, uint64_t header,
                                    uint64_t *channels);

/**
 * The header after the message has crossed the channel of @p port. Over a valid channel it comes one
 * hop closer; over any other it is deflected (in a unidirectional ring a digit 0 becomes k-1).
 * Source: Horng 1992, 1.2.2 and 4.2.
 */
CN_API cn_status cn_route_move(const cn_topology *topology, uint64_t header, uint32_t port,
                               uint64_t *next_header);

/**
 * The two-phase assignment of a node's messages to its channels: deflection routing.
 *
 * Phase 1: every message picks one of its preferred channels, and the oldest that picked a channel
 * gets it. Phase 2: if j won and fewer than P = degree of the M buffers would be free for what the
 * neighbours may send (M - i + j < P), the P - M + i - j youngest losers are each given one of the
 * channels still free, uniformly; a valid one is a lucky forward, any other a deflection. The rest
 * stay. The youngest is served first.
 *
 * Where randomness is needed, a word r of @p random picks element floor(r w / 2^32) of the w channels
 * at choice in ascending order: uniform to within w / 2^32.
 *
 * @param headers of the i messages, oldest first, none 0 (age: time of creation, ties by lower
 *        source address)
 * @param count i, 0 .. buffers
 * @param buffers M, at least the number of ports P
 * @param random count + P independent uniform words: random[m] for the phase 1 of message m,
 *        random[count + x] for the x-th message of phase 2
 * @param ports out, count elements: the channel of message m, or CN_NO_PORT when it stays
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED. O(count + P).
 * Source: Horng 1992, 3.2 and 4.2; Horng & Kleinrock 1991, 2.2.
 */
CN_API cn_status cn_route_two_phase(const cn_topology *topology, const uint64_t headers[],
                                    size_t count, uint64_t buffers, const uint32_t random[],
                                    uint32_t ports[]);

#ifdef __cplusplus
}
#endif

#endif
