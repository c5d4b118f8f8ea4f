/**
 * @file wormhole.h
 * Wormhole routing rules: the virtual channels that the head of a message may take at a node.
 *
 * Every channel (a port of a node) is shared by V virtual channels, 0 .. V-1. A message holds a
 * virtual channel from the time its head is given it until its tail has left the buffer at the far
 * end, so it may hold several at once along its path. The rules are pure functions: they depend
 * only on the node of the head and on the destination, so a message needs no state except its
 * destination. All rules are minimal.
 *
 * The rules support the Boolean n-cube, the k-ary n-cube (unidirectional and bidirectional), the
 * torus and the mesh. In each dimension they take the shorter way round the ring. Where both ways
 * are equally long (k even, k/2 hops), an adaptive choice allows both; where only one is allowed,
 * it is down from an even digit and up from an odd digit, so that both ways carry the same share.
 * Such a tie can occur only before the first hop in that dimension.
 *
 * On a ring of three or more nodes, two classes of virtual channels prevent a dependency cycle
 * round the ring. A message uses class 1 as long as its remaining way in this dimension crosses the
 * end-around channel (between digits k-1 and 0), and class 0 otherwise. A dimension of two nodes
 * has no classes; its escape channel is virtual channel 0.
 *
 * @since 0.1
 */
#ifndef CUBENET_WORMHOLE_H
#define CUBENET_WORMHOLE_H

#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The greatest number of virtual channels per channel: a set of them is a 64-bit word. */
#define CN_MAX_VIRTUAL_CHANNELS 64

/** The rule by which a message chooses its channels. The numbers never change. */
typedef enum cn_wormhole_rule {
    /**
     * Dimension order (e-cube, XY): any virtual channel of the lowest dimension in which hops
     * remain; on rings any virtual channel of its class, where class 0 has the even and class 1 the
     * odd ones. V at least 1, on rings 2. Free of deadlock.
     */
    CN_WORMHOLE_DIMENSION_ORDER = 0,
    /**
     * Duato's rule: the escape channel, which is virtual channel 0 (on rings the one with the
     * number of the class, 0 or 1) of the lowest dimension in which hops remain, or any higher
     * virtual channel in any dimension in which hops remain. V at least 2, on rings 3. Free of
     * deadlock.
     */
    CN_WORMHOLE_ADAPTIVE = 1,
    /**
     * Dimension order without classes: any virtual channel. V at least 1. It can deadlock on rings
     * of five or more nodes (three or more if unidirectional), and exists to show this.
     */
    CN_WORMHOLE_DIMENSION_ORDER_UNSAFE = 2,
    /**
     * Any virtual channel in any dimension in which hops remain, without escape channels. V at
     * least 1. It can deadlock in as few as two dimensions, and exists to show this.
     */
    CN_WORMHOLE_ADAPTIVE_UNSAFE = 3
} cn_wormhole_rule;

/**
 * Returns the canonical name of a rule: "dimension-order", "duato", "dimension-order-unsafe",
 * "duato-unsafe"; NULL for a number that is no rule.
 */
CN_API const char *cn_wormhole_rule_name(cn_wormhole_rule rule);

/** Finds the rule with this canonical name. CN_ERR_NOT_FOUND. */
CN_API cn_status cn_wormhole_rule_from_name(const char *name, cn_wormhole_rule *rule);

/**
 * Returns the least number of virtual channels with which @p rule works on @p topology: 1, 2 or 3.
 * @return CN_ERR_UNSUPPORTED (another family), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_route_wormhole_least(const cn_topology *topology, cn_wormhole_rule rule,
                                         uint32_t *virtual_channels);

/**
 * Returns the escape channels of a rule as a set of virtual channels: bit v stands for virtual
 * channel v of every channel. Adaptive: {0}, on rings {0, 1}. Dimension order: all V. The unsafe
 * rules: none. With CN_WORMHOLE_ADAPTIVE a message that has not arrived may take exactly one escape
 * channel at every node.
 *
 * @param virtual_channels V, from cn_route_wormhole_least() to 64
 * @return CN_ERR_UNSUPPORTED (another family), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_route_wormhole_escape(const cn_topology *topology, cn_wormhole_rule rule,
                                          uint32_t virtual_channels, uint64_t *escape);

/**
 * What the head of a message at @p node for @p destination may take.
 *
 * @param virtual_channels V, from cn_route_wormhole_least() to 64
 * @param channels out: bit v of channels[p] is 1 when it may take virtual channel v of port p. One
 *        element for each port of @p node is set; all are 0 when the message has arrived.
 * @param capacity room in @p channels, in elements
 * @param count out: the degree of @p node, also when the capacity is too small; may be NULL
 * @return CN_ERR_UNSUPPORTED (another family), CN_ERR_CAPACITY, CN_ERR_ARGUMENT. O(n); in the Boolean
 *         cube a few steps a port.
 * Source: Duato 1993 (adaptive), Dally & Seitz 1987 (classes); Shahrabi et al. 2001, section 3, for the
 *         Boolean cube.
 */
CN_API cn_status cn_route_wormhole(const cn_topology *topology, cn_wormhole_rule rule,
                                   uint32_t virtual_channels, uint64_t node, uint64_t destination,
                                   uint64_t channels[], size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
