/**
 * @file decision.h
 * The routing decisions of one node, as pure functions: the decisions depend on the state of one
 * node only, allocate nothing and need no simulator. The simulators of cubenet use the same rules,
 * so a program that embeds these functions runs the code that cubenet tests. The decisions in
 * damaged networks are in subnet.h and hierarchy.h. cn_routing_channels() and
 * cn_routing_virtual_channels() (routing.h) give the next channels of any routing.
 *
 * A set of channels is a 64-bit word in which bit p stands for port p. The functions that use such
 * sets support the Boolean n-cube and the k-ary n-cube with at most 64 ports per node; other
 * topologies give CN_ERR_UNSUPPORTED.
 *
 * A header is the result of cn_topology_header(): e_i hops down remain in dimension i. On a
 * bidirectional ring the message may make k - e_i hops up instead.
 *
 * @since 1.0
 */
#ifndef CUBENET_DECISION_H
#define CUBENET_DECISION_H

#include "address.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- valid and preferred channels: CN_ERR_ARGUMENT for NULL or a header not below N,
 *      CN_ERR_UNSUPPORTED for other families. O(1) in the Boolean n-cube, O(n) in others. ---- */

/**
 * Returns the valid channels: the channels that bring a message with this header one hop closer to
 * its destination (the empty set for header 0). In the Boolean n-cube they are the one-bits of the
 * header. On a bidirectional ring the channel down is valid when 0 < e_i <= k/2, and the channel up
 * when 0 < k - e_i <= k/2, so both are valid for the opposite node of an even ring.
 *
 * @param header below N
 * Source: Horng 1992, 1.2.2 and 4.1.
 */
CN_API cn_status cn_route_valid(const cn_topology *topology, uint64_t header, uint64_t *channels);

/**
 * Returns the preferred channels: the valid channels in the dimensions with the most remaining
 * hops. Phase 1 of cn_route_two_phase() picks among the preferred channels. In the Boolean n-cube
 * all valid channels are preferred.
 * Source: Horng 1992, 4.2.
 */
CN_API cn_status cn_route_preferred(const cn_topology *topology, uint64_t header,
                                    uint64_t *channels);

/**
 * Returns the header after the message has crossed the channel of @p port. A valid channel brings
 * the message one hop closer; any other channel deflects it (in a unidirectional ring a digit 0
 * becomes k-1).
 * Source: Horng 1992, 1.2.2 and 4.2.
 */
CN_API cn_status cn_route_move(const cn_topology *topology, uint64_t header, uint32_t port,
                               uint64_t *next_header);

/**
 * The selection function: which of the channels that a routing allows a message takes. It is the
 * parameter `selection` (parameter.h) and an argument of cn_route_two_phase(). Worms and messages
 * in cut-through take a free virtual channel that is no escape if there is any, otherwise the
 * lowest free escape of a port that the selection function chooses. The numbers never change.
 * Source: Horng 1992, 1.2.2.
 */
typedef enum cn_selection {
    CN_SELECTION_RANDOM = 0, /**< "random": each of the channels with equal probability */
    CN_SELECTION_LOWEST = 1, /**< "lowest": the channel of the lowest port (deterministic) */
    /**
     * "least-loaded": the channel for which the fewest messages wait; a random channel among
     * several such channels (adaptive). In slotted time all messages that come to a node in a cycle
     * choose at once. In deflection: the channel that the fewest messages of the node want. In
     * cut-through: the virtual channel whose buffer holds the fewest messages. With worms: the port
     * of which the fewest virtual channels are held.
     */
    CN_SELECTION_LEAST_LOADED = 2
} cn_selection;

/**
 * Assigns the messages of a node to its channels in two phases, as in deflection routing.
 *
 * Phase 1: every message picks one of its preferred channels by the selection function, and each
 * channel goes to the oldest message that picked it. A message wants all its preferred channels,
 * and all messages pick at once: with `least-loaded` each message picks, among its preferred
 * channels, a channel that the fewest of the i messages want. Let j be the number of messages that
 * receive a channel. Phase 2: the neighbours may send up to P = degree messages. If fewer than P of
 * the M buffers would be free for these messages (M - i + j < P), each of the P - M + i - j
 * youngest messages without a channel receives one of the free channels, uniformly at random, the
 * youngest message first. A valid channel makes the hop a lucky forward, any other channel a
 * deflection. The remaining messages stay in the node.
 *
 * A random choice among w channels uses one word r of @p random and takes element floor(r w / 2^32)
 * of the channels in ascending order. The choice is uniform to within w / 2^32. With `least-loaded`
 * the w channels of phase 1 are the preferred channels that the fewest messages want. With `lowest`
 * phase 1 reads no word.
 *
 * @param headers the headers of the i messages, oldest first, none 0. Of two messages the message
 *        created earlier is the older one; of two messages created at the same time it is the
 *        message with the lower source address.
 * @param count i, the number of messages, 0 .. buffers
 * @param buffers M, at least the number of ports P
 * @param selection the choice of a message among its preferred channels
 * @param random count + P independent uniform words: random[m] for message m in phase 1,
 *        random[count + x] for the x-th message of phase 2. May be NULL when @p count is 0.
 * @param random_count elements in @p random; at least count + P
 * @param ports out, count elements: ports[m] is the channel of message m, or CN_NO_PORT when the
 *        message stays in the node
 * @return CN_ERR_ARGUMENT (also: too few random words), CN_ERR_UNSUPPORTED. O(count P):
 *         a few steps per message in the Boolean cube, n divisions elsewhere.
 * Source: Horng 1992, 1.2.2, 3.2 and 4.2; Horng & Kleinrock 1991, 2.2.
 */
CN_API cn_status cn_route_two_phase(const cn_topology *topology, const uint64_t headers[],
                                    size_t count, uint64_t buffers, cn_selection selection,
                                    const uint32_t random[], size_t random_count, uint32_t ports[]);

/**
 * Checks an assignment of the messages of a node to its channels. An assignment is right when
 * cn_route_two_phase() gives it for some random words with the selection function `random`; the
 * assignments of the other selection functions are then right, too. The function helps programs
 * with their own two-phase code.
 *
 * @param headers the headers of the messages, oldest first, as for cn_route_two_phase()
 * @param count i, the number of messages, 0 .. buffers
 * @param buffers M, at least the number of ports
 * @param ports count elements: ports[m] is the channel of message m, or CN_NO_PORT when the message
 *        stays in the node
 * @param message out: @p count when the assignment is right; with CN_ERR_STATE the index of the
 *        wrongly placed message, 0 .. count - 1
 * @return CN_OK when the assignment is right. CN_ERR_STATE when it is wrong: cn_last_error() names
 *         the message and the reason, as in "message 3 stays although its preferred channel 2 is
 *         free". CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED as for cn_route_two_phase(). O(count^2).
 * Source: Horng 1992, 3.2 and 4.2.
 */
CN_API cn_status cn_route_two_phase_check(const cn_topology *topology, const uint64_t headers[],
                                          size_t count, uint64_t buffers, const uint32_t ports[],
                                          size_t *message);

#ifdef __cplusplus
}
#endif

#endif
