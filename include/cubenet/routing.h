/**
 * @file routing.h
 * A routing as an object: which channels a message may take, on a given network, damaged or not.
 *
 * A routing is made by its name from a topology and faults, or from a subnet, a hierarchy, a tree or a
 * function. It answers for messages that are stored at nodes (sets of ports) and for worms (sets of
 * virtual channels), can be proved free of deadlock, and says how long its walks are and what its channels
 * carry.
 *
 * | name | goes | on | virtual channels |
 * |---|---|---|---|
 * | `minimal` | all shortest ways | any network, damaged or not | 1 |
 * | `preferred` | of the channels that come closer those in the dimensions with the most hops left | k-ary and Boolean cubes | 1 |
 * | `dimension-order` | the lowest dimension with hops left, as CN_WORMHOLE_DIMENSION_ORDER | cubes, tori, meshes | 1, on rings 2 |
 * | `duato` | all shortest ways, with dimension order as the escape, as CN_WORMHOLE_ADAPTIVE | cubes, tori, meshes | 2, on rings 3 |
 * | `up-down` | the shortest of the ways that go up a tree's levels and then down | any two-way network, damaged or not | 1 |
 * | `up-down-adaptive` | all shortest ways, with up-down on virtual channel 0 as the escape | any two-way network, damaged or not | 2 |
 * | `negative-first` | shortest ways with all hops down before the first one up | meshes, Boolean cubes | 1 |
 * | `valiant` | to a random node and from there to the destination | as dimension-order or up-down | twice that of a leg |
 * | `optimal-path` | all shortest ways in a convex subnet | Boolean cubes | 1 |
 * | `two-level` | from cluster to cluster of a hierarchy | Boolean cubes | 1 |
 * | `tree` | along a spanning tree | the tree's cube | 1 |
 * | `own` | by a function | any network | its own |
 *
 * A routing serves the nodes that survive, and every pair of them: where it cannot, it is not made and
 * the sentence names a pair. A routing other than `minimal`, `up-down`, `up-down-adaptive` and `valiant`
 * keeps to its rule when channels fail: it takes those of its channels that work, and never loses an
 * escape channel.
 *
 * The levels of `up-down` are those of a breadth-first search from the node of least eccentricity (of
 * these the one of lowest number) in what survives. A link leads up to the end that is nearer to that
 * root, and of two that are equally near to the one of lower number. Who has taken an escape channel of
 * `up-down-adaptive` stays on escape channels. Both legs of `valiant` go by dimension-order where there
 * is one and nothing is damaged, else by up-down; groups of 1 virtual channel (on rings 2, one for each
 * class) belong to the first and the second leg in turn. The random node may be any that survives.
 *
 * Memory. Closed forms take a few bytes: `minimal` where distances have a closed form and nothing is
 * damaged (topology.h), `preferred`, `dimension-order`, `duato` and `negative-first` where nothing is
 * damaged, `tree`, and `valiant` by a dimension order; `optimal-path` takes 8 bytes a node. All others
 * have a table of c N^2 places of 2 bytes (4 above 2^16 different answers), with c = 1, for `up-down` 2,
 * for `up-down-adaptive` 3, for an own rule its classes; at most 2^28 places, else CN_ERR_UNSUPPORTED. So
 * `minimal` takes any network of up to 2^14 nodes.
 *
 * A routing is immutable. It holds its own copy of faults, subnet or tree. Many threads may read it at
 * once.
 *
 * @since 0.1
 */
#ifndef CUBENET_ROUTING_H
#define CUBENET_ROUTING_H

#include "deadlock.h"
#include "hierarchy.h"
#include "subnet.h"
#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A routing of one network; opaque. */
typedef struct cn_routing cn_routing;

/* ---- the routings that there are ---- */

/** Number of names in the table above. */
CN_API size_t cn_routing_kind_count(void);

/** A canonical name, like "up-down"; NULL from cn_routing_kind_count() on. */
CN_API const char *cn_routing_kind_name(size_t index);

/** What that routing does, in a few words; NULL from cn_routing_kind_count() on. */
CN_API const char *cn_routing_kind_summary(size_t index);

/* ---- making them; all take at most 64 ports a node ---- */

/**
 * Makes a routing by its name. `optimal-path` goes by the convex subnet of the faults
 * (cn_subnet_convex()), `two-level` by their hierarchy (cn_hierarchy_new()); `tree` and `own` have
 * constructors of their own.
 *
 * @param faults of the same topology; NULL: none. Copied.
 * @return CN_ERR_NOT_FOUND (no such name), CN_ERR_UNSUPPORTED (not on this topology, or too large),
 *         CN_ERR_DISCONNECTED (a pair that survives is not served; the sentence names it),
 *         CN_ERR_ARGUMENT, CN_ERR_MEMORY. Tables: O(N channels) for `minimal` and up-down, O(N^2) closed
 *         forms else.
 * Source: Glass & Ni 1992 (negative first); Valiant & Brebner 1981; Schroeder et al. 1991 (up-down);
 *         Silla & Duato 1997 (up-down as an escape); Horng 1992, 4.2 (preferred).
 */
CN_API cn_status cn_routing_new(const cn_topology *topology, const char *name,
                                const cn_faults *faults, cn_routing **routing);

/**
 * `optimal-path` among the survivors of a subnet: cn_subnet_next_hops() as a routing.
 * @param subnet a convex one of a Boolean cube. What happens to it later does not matter.
 * @return CN_ERR_ARGUMENT (not convex), CN_ERR_UNSUPPORTED (another topology), CN_ERR_MEMORY
 * Source: Horng 1992, 5.3.2.
 */
CN_API cn_status cn_routing_optimal_path(const cn_subnet *subnet, cn_routing **routing);

/**
 * `two-level` in a hierarchy: cn_hierarchy_next_hops() with CN_TIE_HEADER as a routing.
 * @param hierarchy with its tables (cn_hierarchy_make_tables()). What happens to it later does not
 *        matter.
 * @return CN_ERR_STATE (no tables), CN_ERR_DISCONNECTED, CN_ERR_UNSUPPORTED (above 2^14 nodes),
 *         CN_ERR_MEMORY
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_routing_two_level(const cn_hierarchy *hierarchy, cn_routing **routing);

/**
 * `tree`: along the edges of a spanning tree, in both directions, so from any node to any. A node costs
 * the way from the destination to the root.
 * @return CN_ERR_UNSUPPORTED (more than 64 ports a node, an edge of the tree without a channel back to
 *         the parent), CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_tree(const cn_tree *tree, cn_routing **routing);

/**
 * `own`: a caller's rule. It is called on the calling thread for every destination and every virtual
 * channel over which a message for it may come, some of that twice, and never again: its answers are
 * stored. Arriving channels of a node whose answers do not differ become one class, of which there may
 * be 255 a node.
 *
 * The rule must let every message arrive, whatever it chooses. At one node the ports may have at most 4
 * different sets of virtual channels, an escape set counting apart. A stored message counts as having
 * come over the lowest virtual channel that it was allowed.
 *
 * @param virtual_channels V, 1..64, with which the rule works
 * @param rule see cn_vc_rule (deadlock.h)
 * @param escape of the channels that the rule gives, those that are escapes. NULL: all are, if their
 *        dependencies have no cycle (cn_deadlock_check(); found out up to 2^13 nodes and channels times
 *        V), and else none.
 * @param user handed to both functions
 * @return CN_ERR_ARGUMENT (a channel that there is not, an escape that the rule does not give, a walk
 *         without end, another answer when asked again), CN_ERR_DISCONNECTED (no channel at all),
 *         CN_ERR_UNSUPPORTED (too many sets or classes; above 2^28 answers, N and channels times V for
 *         each of N destinations, of 4 bytes while it is made), CN_ERR_MEMORY, or what a function
 *         returned other than CN_OK. The sentence names node and destination.
 */
CN_API cn_status cn_routing_own(const cn_topology *topology, uint32_t virtual_channels,
                                cn_vc_rule rule, cn_vc_rule escape, void *user,
                                cn_routing **routing);

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_routing_free(cn_routing **routing);

/* ---- what it says; CN_ERR_ARGUMENT for NULL, for a node that there is not or that is not served ---- */

/** The canonical name; "" for NULL. */
CN_API const char *cn_routing_name(const cn_routing *routing);

/** The least number of virtual channels with which worms can go by it. An own rule has its own; where
 *  there are more, they are not used. */
CN_API cn_status cn_routing_least_virtual_channels(const cn_routing *routing,
                                                   uint32_t *virtual_channels);

/**
 * The channels that a message which is stored at nodes may take at its source.
 * With `valiant`: in the first leg, with @p destination as the random node.
 *
 * @param ports out: bit p for port p; 0 exactly when @p node is @p destination
 */
CN_API cn_status cn_routing_channels(const cn_routing *routing, uint64_t node, uint64_t destination,
                                     uint64_t *ports);

/**
 * The virtual channels that the head of a worm may take.
 *
 * @param virtual_channels V, from cn_routing_least_virtual_channels() to 64
 * @param node where the head is
 * @param destination where it goes. With `valiant` the end of the leg to which @p virtual_channel
 *        belongs, at the source of the first one.
 * @param previous the node from which it has come, as for cn_vc_rule
 * @param port the port there; CN_NO_PORT at its source, and @p previous and @p virtual_channel are then
 *        not looked at
 * @param virtual_channel that of the port. What is given for a channel over which no message for
 *        @p destination comes means nothing.
 * @param channels out: bit v of channels[p] when it may take virtual channel v of port p; all 0 when
 *        node is destination
 * @param capacity room in @p channels, in elements
 * @param count out: the degree of @p node, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (also: the channel does not lead to @p node)
 */
CN_API cn_status cn_routing_virtual_channels(const cn_routing *routing, uint32_t virtual_channels,
                                             uint64_t node, uint64_t destination, uint64_t previous,
                                             uint32_t port, uint32_t virtual_channel,
                                             uint64_t channels[], size_t capacity, size_t *count);

/**
 * Whether worms that go by it can deadlock: cn_deadlock_check() of the routing with its escape channels.
 * It is found once for each number of virtual channels and kept; the handle stands for what is kept.
 *
 * Escapes are all channels of `dimension-order`, `up-down`, `negative-first`, `valiant` and `tree`, those
 * of `duato` and `up-down-adaptive` that their names say, those of an own rule; `minimal`, `preferred`,
 * `optimal-path` and `two-level` have none. With `valiant` the channels that end one leg depend on
 * those that begin the next, and a destination of cn_deadlock_cycle() is the end of a leg.
 *
 * @param virtual_channels V, from cn_routing_least_virtual_channels() to 64
 * @return CN_ERR_UNSUPPORTED (above 2^13 nodes or channels times V), CN_ERR_ARGUMENT, CN_ERR_MEMORY.
 *         Cost of cn_deadlock_check() the first time, then O(1).
 */
CN_API cn_status cn_routing_deadlock_check(const cn_routing *routing, uint32_t virtual_channels,
                                           cn_deadlock **check);

/* ---- its walks ---- */

/*
 * A walk is what a message may do from its source to its destination, whatever channels it chooses among
 * those that it is allowed. Lengths are those of the walks of worms with the least number of virtual
 * channels, which may do all that stored messages may do. With `valiant` a walk goes by way of any node
 * that is served, its ends included.
 *
 * Questions about lengths and loads look at all walks to each destination. They take networks of at most
 * 2^14 nodes, else CN_ERR_UNSUPPORTED, and O(N channels) time and O(channels) memory unless their comment says
 * otherwise; channels count once for each class.
 */

/**
 * A walk of a stored message. Every channel is drawn with equal probability among those that are
 * allowed, and with `valiant` the node on the way among all that are served.
 *
 * @param seed the same one gives the same walk
 * @param nodes out: the nodes of the walk, first @p source, last @p destination
 * @param capacity room in @p nodes, in elements
 * @param count out: the number of nodes, hops + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT; O(hops)
 */
CN_API cn_status cn_routing_path(const cn_routing *routing, uint64_t source, uint64_t destination,
                                 uint64_t seed, uint64_t nodes[], size_t capacity, size_t *count);

/**
 * Hops of a shortest walk.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY; O(channels), with `valiant` O(N channels)
 */
CN_API cn_status cn_routing_distance(const cn_routing *routing, uint64_t source,
                                     uint64_t destination, uint64_t *hops);

/**
 * How much longer than need be the shortest walks are: hops of a shortest walk over the distance in
 * what survives, for all ordered pairs of different nodes that are served. 1 for all pairs, for
 * instance, with `minimal`. What messages go on average follows from cn_routing_loads(): the sum of the
 * loads is the mean number of hops times the messages that are sent in a cycle.
 *
 * @param mean out: over the pairs, 1 when there are none; may be NULL
 * @param greatest out; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY. With `valiant` 2 N^2 bytes, and O(N) more
 *         for each pair that one leg does not join by a shortest way
 */
CN_API cn_status cn_routing_stretch(const cn_routing *routing, double *mean, double *greatest);

/**
 * Hops of the longest walk of all, between any two nodes. It has an end: a routing that allows a
 * walk without one is not made.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_longest_walk(const cn_routing *routing, uint64_t *hops);

/**
 * Whether all walks are shortest ways in what survives.
 * @param is_minimal out: 1 or 0. `up-down-adaptive` is not where a worm on its escape channels makes
 *        a detour; its stored messages always go a shortest way.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_is_minimal(const cn_routing *routing, int *is_minimal);

/**
 * Whether there is a way on from wherever a walk may come, until it is at its destination.
 * @param is_connected out: 1, since a routing of which that is not so is not made; found from the walks
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_is_connected(const cn_routing *routing, int *is_connected);

/**
 * Whether all walks have an end, so that no message goes on for ever.
 * @param is_livelock_free out: 1, since a routing of which that is not so is not made; found from the
 *        walks
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_is_livelock_free(const cn_routing *routing, int *is_livelock_free);

/* ---- its loads ---- */

/**
 * How much one node sends to another, for cn_routing_loads().
 * @param source a node that is served
 * @param destination another one
 * @param rate out: messages a cycle, 0 or more; 0 when called
 * @return CN_OK; anything else ends the question
 */
typedef cn_status (*cn_rate_fn)(void *user, uint64_t source, uint64_t destination, double *rate);

/**
 * Mean number of messages a cycle over every channel when stored messages take each of the channels
 * that they are allowed with equal probability, whatever waits there. Exact but for rounding.
 *
 * @param rate is asked once for every ordered pair of different nodes that are served, on the calling
 *        thread. NULL: uniform; every node that is served sends one message a cycle, to each of the others
 *        alike.
 * @param user handed to @p rate
 * @param loads out: loads[node max_degree + port], 0 where there is no such port or no message takes it
 * @param capacity room in @p loads, in elements
 * @param count out: elements needed, N max_degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (also: a rate that is negative or not finite),
 *         CN_ERR_UNSUPPORTED, CN_ERR_MEMORY, or what @p rate returned other than CN_OK. O(N channels)
 */
CN_API cn_status cn_routing_loads(const cn_routing *routing, cn_rate_fn rate, void *user,
                                  double loads[], size_t capacity, size_t *count);

/**
 * The load at which the busiest channel is full: 1 / the greatest of cn_routing_loads(), when a channel
 * takes one message a cycle. A factor by which all rates may be multiplied; for uniform traffic the
 * messages that each node sends a cycle.
 *
 * @param rate as for cn_routing_loads()
 * @param user handed to @p rate
 * @return CN_ERR_ARGUMENT (also: no channel carries anything), CN_ERR_UNSUPPORTED, CN_ERR_MEMORY, or what
 *         @p rate returned other than CN_OK. O(N channels)
 */
CN_API cn_status cn_routing_saturation_load(const cn_routing *routing, cn_rate_fn rate, void *user,
                                            double *load);

#ifdef __cplusplus
}
#endif

#endif
