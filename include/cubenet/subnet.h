/**
 * @file subnet.h
 * What is kept in use of a damaged network (cn_subnet) so that a simple routing rule works in it, and
 * the optimal-path rule.
 *
 * A survivor is a node that is neither faulty nor disabled. A link of a survivor is bad when the link
 * is faulty or its far end is no survivor. The status of a node's neighbours is a word: bit p is 1
 * when the link of port p is good.
 *
 * A subnet can be changed; it is for one thread at a time while it is, and for any number of readers
 * while it is not. It keeps a copy of the faults that it was made for. When a call on it fails for want
 * of memory, it is as it was before.
 *
 * Source: Horng 1992, 5.3, 5.4, 6.1.3, 6.1.4. docs/faults.md has the definitions as they are used here,
 * with the theorem behind them.
 *
 * @since 0.1
 */
#ifndef CUBENET_SUBNET_H
#define CUBENET_SUBNET_H

#include "control.h"
#include "fault.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The part of a damaged network that is kept in use, made by a rule from the faults; opaque. */
typedef struct cn_subnet cn_subnet;

/** What a node is in a subnet. The numbers never change. */
typedef enum cn_node_state {
    CN_NODE_SURVIVING = 0,
    CN_NODE_FAULTY = 1,
    CN_NODE_DISABLED = 2 /**< works, but is not used */
} cn_node_state;

/** Canonical name: "surviving", "faulty", "disabled"; NULL for a number that is no node state. */
CN_API const char *cn_node_state_name(cn_node_state state);

/** The node state with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_node_state_from_name(const char *name, cn_node_state *state);

/** What the k-degraded subnet makes of a faulty link. The numbers never change. */
typedef enum cn_link_rule {
    CN_LINK_IS_BAD = 0, /**< one bad link for each of its ends */
    /** One of its ends is disabled first: of two working ends the one with more faulty links to
     * working nodes, of equal ones the lower. With it every 1-degraded subnet is convex. */
    CN_LINK_DISABLES_END = 1
} cn_link_rule;

/** Canonical name: "is_bad", "disables_end"; NULL for a number that is no link rule. */
CN_API const char *cn_link_rule_name(cn_link_rule link_rule);

/** The link rule with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_link_rule_from_name(const char *name, cn_link_rule *link_rule);

/**
 * The k-degraded subnet: survivors with more than @p k bad links are disabled until there are none.
 * It is the largest set of working nodes in which each has at most k bad links, whatever the order.
 *
 * The nodes do it among themselves, in rounds: all that have too many bad links at the beginning of
 * a round disable themselves and tell those of their neighbours that still survived then, one message
 * each. cn_subnet_rounds() and cn_subnet_messages() count them.
 *
 * @param faults of a topology whose links go both ways, with at most 64 ports a node; copied
 * @param k with k at least the degree nothing is disabled (but for the link rule)
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(N + degree (faulty + disabled)).
 * Source: Horng 1992, 5.3.1.
 */
CN_API cn_status cn_subnet_degraded(const cn_faults *faults, uint32_t k, cn_link_rule link_rule,
                                    cn_subnet **subnet);

/**
 * A convex subnet of a damaged Boolean n-cube: every two survivors at Hamming distance h are joined
 * by a path of h good links. Found by a heuristic: while some survivor is unsafe
 * (cn_subnet_is_safe()), take among those with the most bad links one, and let o be the number of
 * other survivors in the subcube that its bad links span. It is disabled when o > 1. When o = 1, the one
 * of the two with fewer dead nodes within Hamming distance 2 is, of equal ones itself; of two that a
 * faulty link joins one that CN_LINK_DISABLES_END would disable. In the end disabled nodes are put back
 * as long as one of them can be added alone.
 *
 * All nodes of the 1-degraded subnet with CN_LINK_DISABLES_END survive.
 *
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT, CN_ERR_MEMORY. About 17 bytes a
 *         node, 25 with faulty links. Time O(N + n (faulty + disabled) (n + 2^b)) at most, with b the
 *         most bad links of a node and all that were disabled on the way.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_convex(const cn_faults *faults, cn_subnet **subnet);

#define CN_OPTIMUM_DEFAULT UINT64_C(1000000) /**< steps of cn_subnet_optimum() without a limit */

/**
 * A largest convex subnet, by exhaustive search; for small cubes.
 *
 * @param faults of a Boolean cube of at most 6 dimensions
 * @param control limits of the search (control.h); may be NULL. A step is a node of the search tree, and
 *        CN_OPTIMUM_DEFAULT their number without a limit. When a limit is reached, the subnet is the best
 *        one found, never smaller than that of cn_subnet_convex().
 * @param upper out: no convex subnet has more survivors; equal to cn_subnet_survivor_count() when the
 *        search came to its end. May be NULL.
 * @param used out: steps that were taken; may be NULL
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Rebuilding and updating the subnet use
 *         the heuristic.
 */
CN_API cn_status cn_subnet_optimum(const cn_faults *faults, const cn_control *control,
                                   cn_subnet **subnet, uint64_t *upper, uint64_t *used);

/**
 * A subnet in which minimal routing works, for Boolean and k-ary n-cubes: every two survivors are joined,
 * both ways, by a path of good links as long as their distance in the undamaged network.
 *
 * Survivors u and v are in conflict when all channels at u that come closer to v are bad; minimal
 * routing never sticks exactly when no two are. While there are conflicts, the node with the most of
 * them is disabled, of equal ones that with more bad links, then the lowest. In the end disabled
 * nodes are put back that bring no conflict.
 *
 * On long rings this costs far more than in a Boolean cube, where cn_subnet_convex() is faster and
 * keeps more: docs/faults.md has the numbers.
 *
 * @param faults of a topology with at most 2^13 nodes and 64 ports a node
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(n N (N + n disabled)), memory N^2
 *         bits while it works. It cannot be rebuilt or updated.
 * Source: Horng 1992, 6.1.4 asks for it.
 */
CN_API cn_status cn_subnet_minimal(const cn_faults *faults, cn_subnet **subnet);

/**
 * The subnet in which exactly these working nodes are disabled.
 *
 * @param faults as for cn_subnet_degraded()
 * @param disabled @p count nodes; faulty ones among them stay faulty. NULL when count is 0.
 * @return CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Time O(N + degree (faulty + disabled)). It
 *         cannot be rebuilt or updated.
 */
CN_API cn_status cn_subnet_chosen(const cn_faults *faults, const uint64_t disabled[], size_t count,
                                  cn_subnet **subnet);

/** A copy that lives its own life. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N). */
CN_API cn_status cn_subnet_copy(const cn_subnet *subnet, cn_subnet **copy);

/** Gives the subnet up and sets the handle to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_subnet_free(cn_subnet **subnet);

/**
 * Makes the subnet anew, by its own rule, for other faults of the same topology. Allocates nothing
 * unless these are the first with faulty links.
 * @return CN_ERR_ARGUMENT (another topology), CN_ERR_STATE (cn_subnet_chosen(), cn_subnet_minimal()),
 *         CN_ERR_MEMORY. Cost of making it.
 */
CN_API cn_status cn_subnet_rebuild(cn_subnet *subnet, const cn_faults *faults);

/* ---- what a subnet says ---- */

/** Number of survivors; 0 for NULL. */
CN_API uint64_t cn_subnet_survivor_count(const cn_subnet *subnet);

/** Number of nodes that work but are disabled; 0 for NULL. */
CN_API uint64_t cn_subnet_disabled_count(const cn_subnet *subnet);

/** Rounds of the latest degrading, build or update; 0 for a convex subnet and for NULL. */
CN_API uint64_t cn_subnet_rounds(const cn_subnet *subnet);

/** Messages of the latest degrading, build or update; 0 for a convex subnet and for NULL. */
CN_API uint64_t cn_subnet_messages(const cn_subnet *subnet);

/** What @p node is: one of cn_node_state. CN_ERR_ARGUMENT (no such node). O(1). */
CN_API cn_status cn_subnet_node_state(const cn_subnet *subnet, uint64_t node, cn_node_state *state);

/**
 * The survivors in ascending order.
 * @param capacity room in @p nodes, in elements
 * @param count out: how many there are, also when the capacity is too small; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY. O(N).
 */
CN_API cn_status cn_subnet_survivors(const cn_subnet *subnet, uint64_t nodes[], size_t capacity,
                                     size_t *count);

/**
 * The good links of a node, bit p for port p. Of a node that is no survivor: the working links to
 * survivors, which would be good if it were one.
 * @return CN_ERR_ARGUMENT (no such node). O(degree).
 */
CN_API cn_status cn_subnet_neighbor_status(const cn_subnet *subnet, uint64_t node,
                                           uint64_t *status);

/**
 * Whether the subcube spanned at a survivor by all its bad links holds no other survivor.
 *
 * @param safe out: 1 or 0. All survivors are safe exactly when the subnet is convex, and exactly when
 *        the optimal-path rule never finds itself without a channel.
 * @return CN_ERR_UNSUPPORTED (not a hypercube), CN_ERR_ARGUMENT (also: not a survivor). Time
 *         O(2^b) with b bad links, less when it is not safe.
 * Source: Horng 1992, 5.4.1.
 */
CN_API cn_status cn_subnet_is_safe(const cn_subnet *subnet, uint64_t node, int *safe);

/** Whether every two survivors are joined by a path of good links as long as their Hamming
 * distance: 1 or 0. Errors as of cn_subnet_is_safe(). O(N) times the cost of that at most. */
CN_API cn_status cn_subnet_is_convex(const cn_subnet *subnet, int *convex);

/**
 * The channels that the optimal-path rule allows at @p node to @p destination in this subnet: those that
 * come closer and are good. In a k-ary n-cube the channels of cn_route_valid() stand for the header.
 *
 * @param channels out: bit i for port i; never 0 with CN_OK
 * @return CN_DONE when node is destination, CN_ERR_DISCONNECTED (one of the two is no survivor, or no
 *         channel is left, which does not happen in a convex or minimal subnet), CN_ERR_UNSUPPORTED
 *         (neither a hypercube nor a k-ary n-cube), CN_ERR_ARGUMENT
 */
CN_API cn_status cn_subnet_next_hops(const cn_subnet *subnet, uint64_t node, uint64_t destination,
                                     uint64_t *channels);

/* ---- faults and repairs while the subnet is in use ---- */

/*
 * A k-degraded subnet is afterwards exactly the one that cn_subnet_rebuild() would make.
 *
 * A convex subnet is afterwards convex; no node that works and is disabled could be added to it
 * alone. With thorough = 0 only what the change concerns is looked at, and the disabled nodes. With
 * thorough = 1 the subnet is also made anew, and the larger of the two is kept: never fewer survivors
 * than cn_subnet_rebuild() would leave.
 *
 * All: no change when it is so already. CN_ERR_STATE (cn_subnet_chosen(), cn_subnet_minimal()),
 * CN_ERR_UNSUPPORTED, CN_ERR_ARGUMENT, CN_ERR_MEMORY. Cost of making the subnet anew at most, with
 * thorough = 1 twice that.
 */

/** The node fails. */
CN_API cn_status cn_subnet_fail_node(cn_subnet *subnet, uint64_t node, int thorough);

/** The node works again. */
CN_API cn_status cn_subnet_repair_node(cn_subnet *subnet, uint64_t node, int thorough);

/** The link behind @p port of @p node fails. */
CN_API cn_status cn_subnet_fail_link(cn_subnet *subnet, uint64_t node, uint32_t port, int thorough);

/** The link behind @p port of @p node works again. */
CN_API cn_status cn_subnet_repair_link(cn_subnet *subnet, uint64_t node, uint32_t port,
                                       int thorough);

/* ---- as a drawing ---- */

/** A subnet in its damaged network, drawn and returned as by cn_faults_dot(). */
CN_API cn_status cn_subnet_dot(const cn_subnet *subnet, char text[], size_t capacity,
                               size_t *length);

/* ---- the decision of one node, as a pure function ---- */

/**
 * The optimal-path rule: of the channels that the header asks for, those whose link is good. Any of
 * them may be taken. For Boolean cubes.
 *
 * @param header cn_topology_header(): node xor destination
 * @param neighbor_status bit i is 1 when the link of port i is good
 * @param channels out: header & neighbor_status; untouched unless CN_OK
 * @return CN_DONE for header 0 (arrived), CN_ERR_DISCONNECTED when none is left: the destination is
 *         dead, or the subnet is not convex. Drop the message; it cannot get there by this rule.
 * Source: Horng 1992, 5.3.2 and figure 5.4.
 */
CN_API cn_status cn_route_optimal_path(uint64_t header, uint64_t neighbor_status,
                                       uint64_t *channels);

#ifdef __cplusplus
}
#endif

#endif
