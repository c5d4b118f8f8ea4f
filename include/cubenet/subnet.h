/**
 * @file subnet.h
 * Subnets: the part of a damaged network that stays in use, chosen so that a simple routing rule
 * works there (cn_subnet), and the optimal-path rule.
 *
 * A survivor is a node that is neither faulty nor disabled. A link of a survivor is bad when the
 * link is faulty or its far end is no survivor; otherwise it is good. The neighbour status of a
 * node is a 64-bit word in which bit p is 1 when the link of port p is good.
 *
 * While one thread changes a subnet, no other thread may use it; otherwise any number of threads
 * may read it. A subnet keeps a copy of its faults. A call that returns CN_ERR_MEMORY leaves the
 * subnet unchanged.
 *
 * Source: Horng 1992, 5.3, 5.4, 6.1.3, 6.1.4. docs/faults.md has the definitions that the library
 * uses, and the theorem behind the definitions.
 *
 * @since 1.0
 */
#ifndef CUBENET_SUBNET_H
#define CUBENET_SUBNET_H

#include "control.h"
#include "fault.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The part of a damaged network that stays in use, made by a rule from the faults; opaque. */
typedef struct cn_subnet cn_subnet;

/** The state of a node in a subnet. The numbers never change. */
typedef enum cn_node_state {
    CN_NODE_SURVIVING = 0, /**< "surviving" */
    CN_NODE_FAULTY = 1,    /**< "faulty" */
    CN_NODE_DISABLED = 2   /**< "disabled": the node works, but is not in use */
} cn_node_state;

/** The effect of a faulty link on the k-degraded subnet. The numbers never change. */
typedef enum cn_link_rule {
    CN_LINK_IS_BAD = 0, /**< "is_bad": the link counts as one bad link at each of its ends */
    /**
     * "disables_end": one end of the link is disabled first: of two working ends the end with more
     * faulty links to working nodes, or the lower node when the numbers are equal. With this rule
     * every 1-degraded subnet of a Boolean cube is convex.
     */
    CN_LINK_DISABLES_END = 1
} cn_link_rule;

/**
 * Makes the k-degraded subnet: disables survivors with more than @p k bad links until every
 * survivor has at most k bad links. The result is the largest set of working nodes in which each
 * node has at most k bad links; it does not depend on the order.
 *
 * The nodes can compute the subnet among themselves, in rounds. All survivors with too many bad
 * links at the beginning of a round disable themselves and send one message to each neighbour that
 * was a survivor at the beginning of the round. cn_subnet_rounds() and cn_subnet_messages() return
 * the numbers of rounds and messages.
 *
 * @param faults faults of a bidirectional topology with at most 64 ports a node; copied
 * @param k greatest number of bad links of a survivor; when k is at least the degree, only the link
 *        rule disables nodes
 * @return CN_ERR_UNSUPPORTED (a unidirectional topology, or more than 64 ports a node),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(N + degree (faulty + disabled)).
 * Source: Horng 1992, 5.3.1.
 */
CN_API cn_status cn_subnet_degraded(const cn_faults *faults, uint32_t k, cn_link_rule link_rule,
                                    const cn_control *control, cn_subnet **subnet);

/**
 * Makes a convex subnet of a damaged Boolean n-cube: a path of h good links joins every two
 * survivors at Hamming distance h.
 *
 * A heuristic finds the subnet. While some survivor is unsafe (cn_subnet_is_safe()), take an unsafe
 * survivor with the most bad links, and let o be the number of other survivors in the subcube that
 * its bad links span. When o > 1, disable this survivor. When o = 1, disable that one of the two
 * survivors with fewer dead nodes (faulty or disabled) within Hamming distance 2, or the unsafe
 * survivor when the numbers are equal. If a faulty link joins the two survivors, a survivor with a
 * single bad link is disabled only if CN_LINK_DISABLES_END would disable it. Finally, enable
 * disabled nodes again as long as the subnet stays convex with one more node.
 *
 * Where links are faulty, exchanges follow, two for each disabled node and 4096 at most: enable the
 * node and all disabled nodes within Hamming distance 2, and disable unsafe nodes as before, but
 * keep the node. An exchange that does not increase the number of survivors is undone.
 *
 * All nodes of the 1-degraded subnet with CN_LINK_DISABLES_END survive.
 *
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT, CN_ERR_MEMORY. Memory: about 17
 *         bytes per node, 25 with faulty links. Time O(N + n (faulty + disabled) (n + 2^b)) at
 *         most, with b the most bad links of a node, counting all that were disabled on the way.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_convex(const cn_faults *faults, const cn_control *control,
                                  cn_subnet **subnet);

/**
 * Makes the subnet in which exactly the given nodes are disabled.
 *
 * @param faults as for cn_subnet_degraded()
 * @param disabled @p count nodes; a faulty node in the list stays faulty. NULL when @p count is 0.
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(N + degree (faulty +
 *         disabled)). The subnet cannot be rebuilt or updated.
 */
CN_API cn_status cn_subnet_chosen(const cn_faults *faults, const uint64_t disabled[], size_t count,
                                  cn_subnet **subnet);

/** Makes an independent copy. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N). */
CN_API cn_status cn_subnet_copy(const cn_subnet *subnet, cn_subnet **copy);

/** Frees the subnet and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_subnet_free(cn_subnet **subnet);

/**
 * Makes the subnet again, by its own rule, for other faults of the same topology. The call
 * allocates memory only when the subnet gets faulty links for the first time.
 * @return CN_ERR_ARGUMENT (another topology), CN_ERR_STATE (the subnet is one of cn_subnet_chosen()
 *         or cn_subnet_minimal(), experimental/damage.h), CN_ERR_MEMORY. CN_ERR_CANCELLED: a call
 *         that was cancelled before it began has changed nothing; otherwise the subnet has the new
 *         faults, but no survivors. Cost of making the subnet.
 */
CN_API cn_status cn_subnet_rebuild(cn_subnet *subnet, const cn_faults *faults,
                                   const cn_control *control);

/* ---- properties of a subnet ---- */

/** Returns the number of survivors; 0 for NULL. */
CN_API uint64_t cn_subnet_survivor_count(const cn_subnet *subnet);

/** Returns the number of nodes that work but are disabled; 0 for NULL. */
CN_API uint64_t cn_subnet_disabled_count(const cn_subnet *subnet);

/**
 * Returns the number of rounds of the latest build or update of a k-degraded subnet; 0 for other
 * subnets and for NULL.
 */
CN_API uint64_t cn_subnet_rounds(const cn_subnet *subnet);

/**
 * Returns the number of messages of the latest build or update of a k-degraded subnet; 0 for other
 * subnets and for NULL.
 */
CN_API uint64_t cn_subnet_messages(const cn_subnet *subnet);

/** Returns the state of @p node. CN_ERR_ARGUMENT (no such node). O(1). */
CN_API cn_status cn_subnet_node_state(const cn_subnet *subnet, uint64_t node, cn_node_state *state);

/**
 * Returns the survivors in ascending order.
 * @param capacity room in @p nodes, in elements
 * @param count out: number of survivors, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N).
 */
CN_API cn_status cn_subnet_survivors(const cn_subnet *subnet, uint64_t nodes[], size_t capacity,
                                     size_t *count);

/**
 * Returns the neighbour status of a node: bit p is 1 when the link of port p is good. For a node
 * that is no survivor, bit p is 1 when the link of port p works and leads to a survivor.
 * @return CN_ERR_ARGUMENT (no such node). O(degree).
 */
CN_API cn_status cn_subnet_neighbor_status(const cn_subnet *subnet, uint64_t node,
                                           uint64_t *status);

/**
 * Checks whether a survivor is safe. It is safe when the subcube that its bad links span contains
 * no other survivor.
 *
 * @param safe out: 1 or 0. All survivors are safe if and only if the subnet is convex, and if and
 *        only if the optimal-path rule always has a channel.
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (also: not a survivor). Time O(2^b)
 *         with b bad links of the node, less when the survivor is not safe.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_is_safe(const cn_subnet *subnet, uint64_t node, int *safe);

/**
 * Checks whether the subnet is convex: whether a path of good links as long as the Hamming distance
 * joins every two survivors.
 *
 * @param convex out: 1 or 0
 * @return errors as for cn_subnet_is_safe(). At most N times the cost of cn_subnet_is_safe().
 */
CN_API cn_status cn_subnet_is_convex(const cn_subnet *subnet, int *convex);

/* ---- faults and repairs while the subnet is in use ---- */

/**
 * Lets a node or a link fail, or repairs it. After the call the subnet is exactly the subnet that
 * cn_subnet_rebuild() would make. The function updates a k-degraded subnet from its present state,
 * and cn_subnet_rounds() and cn_subnet_messages() then count the update. It makes a convex subnet
 * anew. The call changes nothing when the node or link is in the demanded state already.
 *
 * @param node the node, or one end of the link
 * @param port the port of the link at @p node; ignored where a node fails or is repaired
 * @return CN_ERR_STATE (as cn_subnet_rebuild()), CN_ERR_ARGUMENT (no such change, node or port),
 *         CN_ERR_UNSUPPORTED (a link, as cn_faults_add_link()), CN_ERR_MEMORY. CN_ERR_CANCELLED: a
 *         call that was cancelled before it began has changed nothing; otherwise the fault or
 *         repair is done, the subnet has no survivors, and cn_subnet_rebuild() makes the subnet
 *         again. The cost is at most the cost of making the subnet anew.
 */
CN_API cn_status cn_subnet_update(cn_subnet *subnet, cn_change change, uint64_t node, uint32_t port,
                                  const cn_control *control);

/* ---- as a drawing ---- */

/**
 * Draws a subnet in its damaged network. Drawing, arguments and errors are as for cn_faults_draw().
 */
CN_API cn_status cn_subnet_draw(const cn_subnet *subnet, cn_format format,
                                const cn_control *control, char text[], size_t capacity,
                                size_t *length);

/* ---- the decision of one node, as a pure function ---- */

/**
 * Returns the channels that the optimal-path rule allows in a Boolean cube: the valid channels of
 * the header whose links are good. The message may take any of these channels.
 *
 * @param header the exclusive-or of node and destination (cn_topology_header()). For the same rule
 *        in a k-ary n-cube pass the channels of cn_route_valid().
 * @param neighbor_status bit i is 1 when the link of port i is good: cn_subnet_neighbor_status()
 * @param channels out: header & neighbor_status; untouched unless CN_OK
 * @return CN_DONE (header 0: the message has arrived), CN_ERR_DISCONNECTED (no valid channel has a
 *         good link: the destination is no survivor, or the subnet is not convex; this rule cannot
 *         deliver the message, and the caller should drop it). O(1).
 * Source: Horng 1992, 5.3.2 and figure 5.4.
 */
CN_API cn_status cn_route_optimal_path(uint64_t header, uint64_t neighbor_status,
                                       uint64_t *channels);

#ifdef __cplusplus
}
#endif

#endif
