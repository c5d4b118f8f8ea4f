/**
 * @file decision.h
 * The routing decisions of one node, as pure functions: they depend on the state of that node only,
 * allocate nothing and need no simulator. The simulators of cubenet use the same rules, so a
 * program that embeds these functions runs the code that cubenet tests. Those for damaged networks
 * are in subnet.h and hierarchy.h; cn_routing_channels() and cn_routing_virtual_channels()
 * (routing.h) answer for any routing.
 *
 * A set of channels is a 64-bit word in which bit p stands for port p. The functions that use such
 * sets support the Boolean n-cube and the k-ary n-cube with at most 64 ports per node; other
 * topologies give CN_ERR_UNSUPPORTED.
 *
 * A header is the result of cn_topology_header(): e_i hops down remain in dimension i. On a
 * bidirectional ring the message may make k - e_i hops up instead.
 *
 * @since 0.1
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
 * Returns the valid channels: those that bring a message with this header one hop closer to its
 * destination (the empty set for header 0). Boolean n-cube: the one-bits of the header.
 * Bidirectional ring: down when e_i <= k/2, up when k - e_i <= k/2, so both for the opposite node
 * of an even ring.
 *
 * @param header below N
 * Source: Horng 1992, 1.2.2 and 4.1.
 */
CN_API cn_status cn_route_valid(const cn_topology *topology, uint64_t header, uint64_t *channels);

/**
 * Returns the preferred channels: of the valid channels those in the dimensions with the most
 * remaining hops. Phase 1 picks among them. In the Boolean n-cube all valid channels are preferred.
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
 * Which of the channels that a routing allows a message takes: parameter `selection` (parameter.h),
 * and an argument of cn_route_two_phase(). Worms and cut-through take a free virtual channel: one
 * that is no escape if there is any, else the lowest free escape of a port that the selection
 * chooses. The numbers never change. Source: Horng 1992, 1.2.2.
 */
typedef enum cn_selection {
    CN_SELECTION_RANDOM = 0, /**< "random": any of them, with equal probability */
    CN_SELECTION_LOWEST = 1, /**< "lowest": the one of the lowest port (deterministic) */
    /**
     * "least-loaded": the one for which the fewest messages wait, of equal ones a random one
     * (adaptive). In slotted time all messages that come to a node in a cycle choose at once. In
     * deflection: the one that the fewest messages of the node want. With cut-through: the virtual
     * channel whose buffer holds the fewest messages; with worms: the port of which the fewest
     * virtual channels are held.
     */
    CN_SELECTION_LEAST_LOADED = 2
} cn_selection;

/**
 * Assigns the messages of a node to its channels in two phases, as deflection routing does.
 *
 * Phase 1: every message picks one of its preferred channels by the selection, and each channel
 * goes to the oldest message that picked it. A message wants all its preferred channels, and all
 * messages pick at once: with `least-loaded` each one picks that of its channels which the fewest
 * of the i messages want, whatever the others pick. Let j be the number of messages that receive a
 * channel. Phase 2: the neighbours may send up to P = degree messages. If fewer than P of the M
 * buffers would be free for them (M - i + j < P), each of the P - M + i - j youngest messages
 * without a channel is given one of the channels still free, uniformly at random. A valid channel
 * makes this a lucky forward, any other channel a deflection. Phase 2 serves the youngest first.
 * The remaining messages stay in the node.
 *
 * A random choice among w channels uses one word r of @p random: it takes element floor(r w / 2^32)
 * of the channels in ascending order. This is uniform to within w / 2^32. With `least-loaded` the w
 * channels of phase 1 are those that equally few messages want; with `lowest` phase 1 looks at no
 * word.
 *
 * @param headers of the i messages, oldest first, none 0. The older message is the one created
 *        earlier; of two created at the same time, the one with the lower source address.
 * @param count i, 0 .. buffers
 * @param buffers M, at least the number of ports P
 * @param selection which of its preferred channels a message picks
 * @param random count + P independent uniform words: random[m] for the phase 1 of message m,
 *        random[count + x] for the x-th message of phase 2. May be NULL when @p count is 0.
 * @param random_count elements in @p random; at least count + P
 * @param ports out, count elements: the channel of message m, or CN_NO_PORT when it stays
 * @return CN_ERR_ARGUMENT (also: too few random words), CN_ERR_UNSUPPORTED. O(count P):
 *         a few steps per message in the Boolean cube, n divisions elsewhere.
 * Source: Horng 1992, 1.2.2, 3.2 and 4.2; Horng & Kleinrock 1991, 2.2.
 */
CN_API cn_status cn_route_two_phase(const cn_topology *topology, const uint64_t headers[],
                                    size_t count, uint64_t buffers, cn_selection selection,
                                    const uint32_t random[], size_t random_count, uint32_t ports[]);

/**
 * Judges an assignment of a node's messages to its channels: whether cn_route_two_phase() gives it
 * for some random words with the selection `random`. So what other selections give is right, too.
 * For those who write the two phases themselves.
 *
 * @param headers of the messages, oldest first, as for cn_route_two_phase()
 * @param count i, 0 .. buffers
 * @param buffers M, at least the number of ports
 * @param ports count elements: the channel of message m, or CN_NO_PORT when it stays
 * @param message out: with CN_ERR_STATE the message that is wrongly placed, 0 .. count - 1; count
 *        when the assignment is right
 * @return CN_OK when the assignment is right. CN_ERR_STATE when it is not: cn_last_error() names
 *         the message and the reason, as "message 3 stays although its preferred channel 2 is
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
