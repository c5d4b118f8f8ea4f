/**
 * @file routing.h
 * Routing functions as objects: the channels that a message may take in a given network, damaged or
 * not.
 *
 * A routing is a routing function of one network. Constructors make it by its name from a topology
 * and faults, or from a subnet, a hierarchy, a tree or a function of the caller. A routing gives
 * the next channels of messages that are stored at nodes (sets of ports) and of worms (sets of
 * virtual channels). Other functions check a routing for deadlock, and compute the lengths of its
 * walks and the loads of its channels.
 *
 * | name | path of a message | networks | least virtual channels |
 * |---|---|---|---|
 * | `minimal` | any shortest path | any network | 1 |
 * | `preferred` | a shortest path, dimension with most hops first | k-ary, Boolean cubes | 1 |
 * | `dimension-order` | a shortest path, dimensions in order | cubes, tori, meshes | 1, rings 2 |
 * | `duato` | any shortest path; escape: dimension order | cubes, tori, meshes | 2, rings 3 |
 * | `up-down` | shortest path up, then down the levels of a tree | bidirectional networks | 1 |
 * | `up-down-adaptive` | any shortest path; escape: up-down | bidirectional networks | 2 |
 * | `negative-first` | a shortest path, first all hops down, then up | meshes, Boolean cubes | 1 |
 * | `valiant` | to a random node, then to the destination | those of a leg | twice that of a leg |
 * | `optimal-path` | any shortest path in a convex subnet | Boolean cubes | 1 |
 * | `two-level` | from cluster to cluster of a hierarchy | Boolean cubes | 1 |
 * | `tree` | the path in a spanning tree | the network of the tree | 1 |
 * | `own` | defined by a function of the caller | any network | as given |
 *
 * "Cubes" are Boolean cubes, k-ary n-cubes and generalized hypercubes; "rings" are rings of three
 * or more nodes, also those of a torus or a k-ary n-cube.
 *
 * A routing serves the survivors: every surviving node can send to every other surviving node. If
 * the routing cannot join some pair, its constructor fails, and cn_last_error() names the pair.
 * `minimal`, `up-down`, `up-down-adaptive` and `valiant` adapt to faults. All others keep their
 * rule when channels fail, and use the channels of the rule that work. Their constructor fails when
 * a message would lose its escape channel at some node.
 *
 * `dimension-order` and `duato` take the shorter way round a ring. Where both ways are equally long
 * (k even, k/2 hops), `duato` allows both outside its escape channels; dimension order then goes
 * down from an even digit and up from an odd digit, so that both ways carry the same share. On a
 * ring of three or more nodes two classes of virtual channels prevent a dependency cycle round the
 * ring: a message uses class 1 as long as its remaining path in this dimension crosses the
 * end-around channel (between digits k-1 and 0), and class 0 otherwise. With `dimension-order`
 * class 0 has the even virtual channels and class 1 the odd ones; a ring of two nodes and a line
 * have no classes, and any virtual channel serves. The escape channel of `duato` is virtual channel
 * 0, on rings the virtual channel with the number of the class, 0 or 1; all higher virtual channels
 * are adaptive.
 *
 * The levels of `up-down` come from a breadth-first search among the survivors. The root is the
 * node of least eccentricity; of several such nodes it is the lowest. The upper end of a link is
 * the end nearer to the root, or the lower node if both ends are equally near. The escape channels
 * of `up-down-adaptive` are virtual channel 0; a message that has taken an escape channel stays on
 * escape channels. Both legs of `valiant` use dimension-order where it exists and nothing is
 * damaged, otherwise up-down. The virtual channels are divided into groups of 1 (of 2 on rings, one
 * for each class); the groups belong to the first and the second leg in turn. The random node may
 * be any survivor.
 *
 * Memory. Closed forms take a few bytes. They serve `minimal` without faults on k-ary n-cubes, on
 * generalized hypercubes and on networks of more than 1448 nodes whose distances have a closed form
 * (topology.h); `preferred`, `dimension-order`, `duato` and `negative-first` without faults;
 * `tree`; and `valiant` by dimension order. `optimal-path` takes 8 bytes per node. All other
 * routings have a table of c N^2 entries. c is the number of classes of a message: 2 for `up-down`,
 * 3 for `up-down-adaptive`, for an own rule the number of classes that it needs, otherwise 1. Where
 * a search finds the channels (`minimal`, `up-down`, `up-down-adaptive`, `valiant` by up-down), an
 * entry takes 2 bytes up to 16 ports a node, 4 bytes up to 32 ports and 8 bytes above. In all other
 * tables an entry takes 2 bytes, or 4 when there are more than 2^16 different answers. A table has
 * at most 2^28 entries; a routing that needs more gives CN_ERR_UNSUPPORTED. So `minimal` takes any
 * network of up to 2^14 nodes.
 *
 * A routing is immutable, and many threads may read it at the same time. A routing keeps its own
 * copy of the faults, subnet or tree.
 *
 * @since 1.0
 */
#ifndef CUBENET_ROUTING_H
#define CUBENET_ROUTING_H

#include "control.h"
#include "deadlock.h"
#include "hierarchy.h"
#include "subnet.h"
#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A routing of one network; opaque. */
typedef struct cn_routing cn_routing;

/* ---- the kinds of routing ---- */

/** Returns the number of names in the table above. */
CN_API size_t cn_routing_kind_count(void);

/**
 * Returns the canonical name of a routing, such as "up-down"; NULL from cn_routing_kind_count() on.
 */
CN_API const char *cn_routing_kind_name(size_t index);

/**
 * Returns a short description of the routing with this index; NULL from cn_routing_kind_count() on.
 */
CN_API const char *cn_routing_kind_summary(size_t index);

/* ---- making a routing; a node may have at most 64 ports ---- */

/**
 * Makes a routing by its name. `optimal-path` uses the convex subnet of the faults
 * (cn_subnet_convex()), `two-level` the hierarchy of the faults (cn_hierarchy_new()). `tree` and
 * `own` have constructors of their own.
 *
 * @param name canonical name (cn_routing_kind_name())
 * @param faults faults of the same topology, copied; NULL: no faults
 * @return CN_ERR_NOT_FOUND (no such name), CN_ERR_UNSUPPORTED (the routing does not exist on this
 *         topology, or its table is too large), CN_ERR_DISCONNECTED (a pair of survivors is not
 *         served; cn_last_error() names it), CN_ERR_ARGUMENT, CN_ERR_MEMORY. A table takes O(N
 *         channels) for `minimal`, `up-down` and `up-down-adaptive`, and O(N^2) evaluations of a
 *         closed form for the others.
 * Source: Glass & Ni 1992 (negative first); Valiant & Brebner 1981; Schroeder et al. 1991
 *         (up-down); Silla & Duato 1997 (up-down as an escape); Horng 1992, 4.2 (preferred).
 */
CN_API cn_status cn_routing_new(const cn_topology *topology, const char *name,
                                const cn_faults *faults, const cn_control *control,
                                cn_routing **routing);

/**
 * Makes the routing `optimal-path` among the survivors of a subnet, with the channels of
 * cn_route_optimal_path().
 * @param subnet a convex subnet of a Boolean cube; copied, so later changes to it have no effect
 * @return CN_ERR_ARGUMENT (not convex), CN_ERR_UNSUPPORTED (another topology), CN_ERR_MEMORY
 * Source: Horng 1992, 5.3.2.
 */
CN_API cn_status cn_routing_optimal_path(const cn_subnet *subnet, cn_routing **routing);

/**
 * Makes the routing `two-level` in a hierarchy, with the channels of cn_route_two_level() and the
 * tie rule CN_TIE_HEADER.
 * @param hierarchy a hierarchy with its tables (cn_hierarchy_make_tables()); later changes to the
 *        hierarchy have no effect
 * @return CN_ERR_STATE (no tables), CN_ERR_DISCONNECTED, CN_ERR_UNSUPPORTED (above 2^14 nodes),
 *         CN_ERR_MEMORY
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_routing_two_level(const cn_hierarchy *hierarchy, const cn_control *control,
                                      cn_routing **routing);

/**
 * Makes the routing `tree`, which follows the edges of a spanning tree in both directions and so
 * joins any two nodes. To find a next channel takes one step for each level of the destination
 * below the root.
 * @return CN_ERR_UNSUPPORTED (more than 64 ports per node, an edge of the tree without a channel
 *         back to the parent), CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_tree(const cn_tree *tree, cn_routing **routing);

/**
 * Makes the routing `own` from a rule of the caller. The constructor calls the rule on the calling
 * thread for every destination and for every virtual channel over which a message for this
 * destination may arrive, in some cases twice. It stores the answers, and the library does not call
 * the rule later. Channels over which messages arrive at a node and for which the rule gives equal
 * answers form a class; a node may have at most 255 classes.
 *
 * Every message must reach its destination, whichever of the allowed channels it takes. At one node
 * the ports may have at most 4 different sets of virtual channels, where a set of escapes counts as
 * a separate set. For a stored message the constructor asks the rule as if the message had come
 * over the lowest virtual channel that the rule allowed.
 *
 * @param virtual_channels V, 1..64: the number of virtual channels that the rule uses
 * @param rule see cn_vc_rule (deadlock.h)
 * @param escape returns the channels of @p rule that are escapes. NULL: all channels are escapes if
 *        their dependencies have no cycle (cn_deadlock_check(); tested up to 2^13 nodes and
 *        channels times V), otherwise none.
 * @param user passed to both functions
 * @return CN_ERR_ARGUMENT (a channel that does not exist, an escape that the rule does not allow, a
 *         walk without end, a different answer to the same question), CN_ERR_DISCONNECTED (the rule
 *         allows no channel), CN_ERR_UNSUPPORTED (too many sets or classes; or more than 2^28
 *         answers: N plus channels times V, for each of N destinations, of 4 bytes each during the
 *         construction), CN_ERR_MEMORY, or the error that a callback returned (CN_ERR_ARGUMENT for
 *         a positive status). cn_last_error() names node and destination.
 */
CN_API cn_status cn_routing_own(const cn_topology *topology, uint32_t virtual_channels,
                                cn_vc_rule rule, cn_vc_rule escape, void *user,
                                const cn_control *control, cn_routing **routing);

/** Frees the routing and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_routing_free(cn_routing **routing);

/**
 * Writes the routing with its topology and faults as JSON. The text has the tables of an own rule
 * and of a two-level routing, the parents of a tree, and for `optimal-path` the nodes that the
 * subnet leaves out; for all other routings the name is enough. Otherwise as cn_topology_json().
 */
CN_API cn_status cn_routing_json(const cn_routing *routing, char text[], size_t capacity,
                                 size_t *length);

/**
 * Makes the routing that cn_routing_json() wrote: the new routing gives the same answers, and
 * simulations with it have the same bits. The function asks the table of an own rule like the rule
 * itself, and refuses a table that could not come from a rule.
 * @return errors as for cn_topology_from_json(), and the errors of the constructor;
 *         CN_ERR_CANCELLED. Cost of the constructor.
 */
CN_API cn_status cn_routing_from_json(const char *text, const cn_control *control,
                                      cn_routing **routing);

/*
 * ---- next channels and deadlock; CN_ERR_ARGUMENT for NULL, and for a node that does not exist or
 * is not served ----
 */

/** Returns the canonical name of the routing; "" for NULL. */
CN_API const char *cn_routing_name(const cn_routing *routing);

/**
 * Returns the least number of virtual channels with which the routing works for worms. For an own
 * rule it is the number given to cn_routing_own(); `own` does not use more virtual channels.
 */
CN_API cn_status cn_routing_least_virtual_channels(const cn_routing *routing,
                                                   uint32_t *virtual_channels);

/**
 * Returns the channels that a stored message may take at @p node when this node is its source. With
 * `valiant` the result is for the first leg, with @p destination as the random node.
 *
 * @param ports out: bit p for port p; 0 exactly when @p node is @p destination
 */
CN_API cn_status cn_routing_channels(const cn_routing *routing, uint64_t node, uint64_t destination,
                                     uint64_t *ports);

/**
 * Returns the channels of many stored messages: ports[i] is the result of cn_routing_channels() for
 * nodes[i] and destinations[i].
 * @param count elements in each of the three arrays
 * @param ports out: may be the same array as @p nodes or @p destinations
 * @return CN_ERR_ARGUMENT (an element is not a node or is not served: the error sentence names its
 *         index, and the elements before it are stored), CN_ERR_CANCELLED. O(count) with a table.
 */
CN_API cn_status cn_routing_next_hops(const cn_routing *routing, const uint64_t nodes[],
                                      const uint64_t destinations[], size_t count,
                                      const cn_control *control, uint64_t ports[]);

/**
 * Returns the virtual channels that the head of a worm may take.
 *
 * @param virtual_channels V, from cn_routing_least_virtual_channels() to 64
 * @param node the node of the head
 * @param destination the destination of the worm. With `valiant`: the end of the leg to which @p
 *        virtual_channel belongs; at the source, the end of the first leg.
 * @param previous the node from which the head has come, as for cn_vc_rule (deadlock.h)
 * @param port the port of @p previous that the head took. CN_NO_PORT at the source of the worm; @p
 *        previous and @p virtual_channel are then ignored.
 * @param virtual_channel the virtual channel of @p port that the head took. For a channel over
 *        which no worm for @p destination arrives, the result is meaningless.
 * @param channels out: bit v of channels[p] when the head may take virtual channel v of port p; all
 *        0 when @p node is @p destination
 * @param capacity room in @p channels, in elements
 * @param count out: the degree of @p node, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (also: the channel does not lead to @p node)
 */
CN_API cn_status cn_routing_virtual_channels(const cn_routing *routing, uint32_t virtual_channels,
                                             uint64_t node, uint64_t destination, uint64_t previous,
                                             uint32_t port, uint32_t virtual_channel,
                                             uint64_t channels[], size_t capacity, size_t *count);

/**
 * Checks whether worms on this routing can deadlock, as cn_deadlock_check() does, with the escape
 * channels of the routing. The routing stores the result for each number of virtual channels, and
 * the handle refers to the stored result.
 *
 * All channels of `dimension-order`, `up-down`, `negative-first`, `valiant` and `tree` are escapes.
 * `duato` and `up-down-adaptive` have the escapes that the comment of this header names, an own
 * rule the escapes given to cn_routing_own(). `minimal`, `preferred`, `optimal-path` and
 * `two-level` have no escapes. With `valiant` the last channels of the first leg depend on the
 * first channels of the second leg, and a destination in cn_deadlock_cycle() is the end of a leg.
 *
 * @param virtual_channels V, from cn_routing_least_virtual_channels() to 64
 * @return CN_ERR_UNSUPPORTED (above 2^13 nodes or channels times V), CN_ERR_ARGUMENT,
 *         CN_ERR_MEMORY. Cost of cn_deadlock_check() the first time, then O(1).
 */
CN_API cn_status cn_routing_deadlock_check(const cn_routing *routing, uint32_t virtual_channels,
                                           const cn_control *control, cn_deadlock **check);

/* ---- walks ---- */

/*
 * A walk is a path that a message may take from its source to its destination, whichever of the
 * allowed channels it takes. Lengths are lengths of walks of worms with the least number of virtual
 * channels; these walks include all walks of stored messages. With `valiant` a walk leads over any
 * served node, which may be the source or the destination; where hosts do not forward messages,
 * over any served router.
 *
 * The functions for lengths and loads examine all walks to each destination. They return
 * CN_ERR_UNSUPPORTED for networks of more than 2^14 nodes. They take O(N channels) time and
 * O(channels) memory unless their comment says otherwise. In these costs a channel counts once for
 * each class.
 */

/**
 * Returns a random walk of a stored message. At each node every allowed channel has the same
 * probability. With `valiant` every served node is the intermediate node with the same probability.
 *
 * @param seed the same seed gives the same walk
 * @param nodes out: the nodes of the walk, first @p source, last @p destination
 * @param capacity room in @p nodes, in elements
 * @param count out: the number of nodes, hops + 1, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT; O(hops)
 */
CN_API cn_status cn_routing_path(const cn_routing *routing, uint64_t source, uint64_t destination,
                                 uint64_t seed, uint64_t nodes[], size_t capacity, size_t *count);

/**
 * Returns the number of hops of a shortest walk from @p source to @p destination.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY; O(channels), with `valiant` O(N
 *         channels)
 */
CN_API cn_status cn_routing_distance(const cn_routing *routing, uint64_t source,
                                     uint64_t destination, const cn_control *control,
                                     uint64_t *hops);

/**
 * Returns the mean and the greatest stretch over all ordered pairs of distinct served nodes. The
 * stretch of a pair is the number of hops of a shortest walk divided by the distance among the
 * survivors; with `minimal` it is 1, except where links have lengths, which `minimal` does not see.
 * The stretch covers shortest walks only. The mean number of hops of all messages follows from
 * cn_routing_loads(): divide the sum of the loads by the number of messages sent per cycle.
 *
 * @param mean out: the mean over the pairs, 1 when there are none; may be NULL
 * @param greatest out: the greatest over the pairs; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY. With `valiant` 2 N^2 bytes of memory,
 *         and O(N) more steps for each pair that one leg does not join by a shortest path, or for
 *         each pair where hosts do not forward messages.
 */
CN_API cn_status cn_routing_stretch(const cn_routing *routing, const cn_control *control,
                                    double *mean, double *greatest);

/**
 * Returns the number of hops of the longest walk between any two served nodes. The number is
 * finite, because constructors refuse a routing that allows a walk without end.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY
 */
CN_API cn_status cn_routing_longest_walk(const cn_routing *routing, const cn_control *control,
                                         uint64_t *hops);

/**
 * Tests whether all walks are shortest paths among the survivors.
 * @param is_minimal out: 1 or 0. For `up-down-adaptive` the result is 0 where a worm on escape
 *        channels makes a detour, although stored messages always take a shortest path.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED, CN_ERR_MEMORY. With `valiant` where hosts do not
 *         forward messages 2 N^2 bytes of memory, and O(N) steps for each pair until one has a
 *         longer walk.
 */
CN_API cn_status cn_routing_is_minimal(const cn_routing *routing, const cn_control *control,
                                       int *is_minimal);

/* ---- channel loads ---- */

/**
 * Returns the rate at which one node sends to another, for cn_routing_loads().
 * @param user the @p user of cn_routing_loads()
 * @param source a node that is served
 * @param destination another node that is served
 * @param rate out: messages per cycle, 0 or more; the value is 0 before the call
 * @return CN_OK; an error ends the calculation, and a positive status ends it with CN_ERR_ARGUMENT
 */
typedef cn_status (*cn_rate_fn)(void *user, uint64_t source, uint64_t destination, double *rate);

/**
 * Returns the channel loads: the mean number of messages per cycle over every channel, when a
 * stored message takes each of the allowed channels with the same probability, whatever queues
 * there are. The loads are exact except for rounding. At light load worms spread in the same way,
 * if each port has equally many allowed virtual channels.
 *
 * @param rate called once for every ordered pair of distinct nodes that are served, on the calling
 *        thread. NULL: uniform traffic, in which every node that is served sends one message per
 *        cycle, to each of the others with the same probability.
 * @param user passed to @p rate
 * @param loads out: loads[node max_degree + port], 0 where there is no such port or no message
 *        takes it
 * @param capacity room in @p loads, in elements
 * @param count out: elements needed, N max_degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (also: a rate that is negative or not finite),
 *         CN_ERR_OVERFLOW (a load is greater than any double), CN_ERR_UNSUPPORTED, CN_ERR_MEMORY,
 *         or the error that @p rate returned; the sentence names the pair. O(N channels)
 */
CN_API cn_status cn_routing_loads(const cn_routing *routing, cn_rate_fn rate, void *user,
                                  const cn_control *control, double loads[], size_t capacity,
                                  size_t *count);

/**
 * Returns the saturation load of the routing, at which the busiest channel is full: 1 divided by
 * the greatest channel load of cn_routing_loads(), where a channel carries at most one message per
 * cycle. The result is the factor by which all rates may be multiplied; for uniform traffic it is
 * the number of messages that each node may send per cycle.
 *
 * @param rate as for cn_routing_loads()
 * @param user passed to @p rate
 * @return CN_ERR_ARGUMENT (also: no channel carries any messages), CN_ERR_OVERFLOW (a channel load
 *         or the saturation load is greater than any double), CN_ERR_UNSUPPORTED, CN_ERR_MEMORY, or
 *         the error that @p rate returned. O(N channels)
 */
CN_API cn_status cn_routing_saturation_load(const cn_routing *routing, cn_rate_fn rate, void *user,
                                            const cn_control *control, double *load);

#ifdef __cplusplus
}
#endif

#endif
