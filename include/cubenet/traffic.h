/**
 * @file traffic.h
 * Traffic: the messages that the nodes of a scenario offer, and their times.
 *
 * A cn_traffic is either a pattern (the destinations) with a source (the times), or a trace (a list
 * of messages). A scenario without a cn_traffic has uniform traffic from the source of its system.
 *
 *     cn_traffic_new(cube, CN_PATTERN_BIT_COMPLEMENT, &traffic);
 *     cn_traffic_set_source(traffic, CN_SOURCE_POISSON);
 *     cn_scenario_set_traffic(scenario, traffic);
 *
 * The parameter `load` is the offered load of a sending node: its mean number of messages per
 * cycle. A node that the pattern maps to itself is silent: it sends nothing. If S of N nodes send
 * (cn_traffic_senders()), the mean over all nodes is load S / N.
 *
 * @since 1.0
 */
#ifndef CUBENET_TRAFFIC_H
#define CUBENET_TRAFFIC_H

#include "control.h"
#include "routing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The traffic of a network; opaque. */
typedef struct cn_traffic cn_traffic;

/**
 * Traffic patterns: the destinations of the messages of each node s. The numbers never change.
 * Where N = 2^b the fixed patterns work on the b bits of the node number. On other networks they
 * work on the n digits of the address; x_i is digit i of s, in radix k_i. Source of the fixed
 * patterns: Dally & Towles, Principles and Practices of Interconnection Networks, 2004, 3.2.
 */
typedef enum cn_pattern {
    CN_PATTERN_UNIFORM = 0,        /**< "uniform": all other nodes are equally likely */
    CN_PATTERN_BIT_COMPLEMENT = 1, /**< "bit-complement": N-1-s; in each dimension k_i-1-x_i */
    CN_PATTERN_BIT_REVERSE = 2,    /**< "bit-reverse": bit i becomes bit b-1-i; b at least 2, or
                                         equal radices and n at least 2 */
    CN_PATTERN_TRANSPOSE = 3,      /**< "transpose": the upper and the lower half of the bits are
                                         exchanged; b even, or n even and equal radices */
    CN_PATTERN_SHUFFLE = 4,        /**< "shuffle": bit i becomes bit i+1 mod b; b at least 2, or
                                         equal radices and n at least 2 */
    CN_PATTERN_TORNADO = 5,        /**< "tornado": x_i + ceil(k_i/2) - 1 mod k_i in each dimension;
                                         some radix above 2 */
    CN_PATTERN_NEIGHBOR = 6,       /**< "neighbor": x_i + 1 mod k_i in each dimension */
    CN_PATTERN_HOTSPOT = 7,        /**< "hotspot": cn_traffic_hotspot() */
    CN_PATTERN_PERMUTATION = 8,    /**< "permutation": cn_traffic_permutation() */
    CN_PATTERN_LOCALITY = 9,       /**< "locality": cn_traffic_locality() */
    CN_PATTERN_DESTINATIONS = 10,  /**< "destinations": cn_traffic_destinations() */
    CN_PATTERN_MATRIX = 11,        /**< "matrix": cn_traffic_matrix() */
    CN_PATTERN_TRACE = 12          /**< "trace": cn_traffic_trace() */
} cn_pattern;

/* ---- making traffic; its source is CN_SOURCE_OF_SYSTEM until another one is set ---- */

/**
 * Makes uniform traffic or one of the fixed patterns, CN_PATTERN_UNIFORM to CN_PATTERN_NEIGHBOR.
 * O(1).
 * @param topology kept alive by the traffic
 * @return CN_ERR_UNSUPPORTED (the pattern is not defined on this network, or every node would send
 *         to itself; cn_last_error() says why), CN_ERR_ARGUMENT (NULL, a single node, or a pattern
 *         that has a constructor of its own), CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new(const cn_topology *topology, cn_pattern pattern,
                                cn_traffic **traffic);

/**
 * Makes hotspot traffic. A message goes to the hotspot with probability @p share. Otherwise its
 * destination is uniform over all nodes except its source, so the hotspot receives a part of these
 * messages, too. The hotspot itself sends uniform traffic. O(1).
 * @param node the hotspot
 * @param share probability, 0 .. 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_hotspot(const cn_topology *topology, uint64_t node, double share,
                                    cn_traffic **traffic);

/**
 * Makes the traffic of a random permutation: every node has one destination, and all N!
 * permutations are equally likely. The nodes that the permutation maps to themselves, one on
 * average, are silent. O(N) time and memory.
 * @param seed the same seed gives the same permutation
 * @return CN_ERR_UNSUPPORTED (more than 2^24 nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_permutation(const cn_topology *topology, uint64_t seed,
                                        cn_traffic **traffic);

/**
 * Makes traffic with locality: the destination is at distance d with a probability proportional to
 * weights[d-1], and all nodes at distance d are equally likely. In some networks, such as a mesh, a
 * source may have no node at some distance; the weight of this distance is then ignored. A source
 * without any node at a distance of positive weight is silent.
 *
 * Memory: O(n D) in hypercubes, k-ary n-cubes, tori and generalized hypercubes (n dimensions,
 * diameter D), O(N^2) elsewhere, up to 2048 nodes.
 *
 * @param weights count elements, 0..1e300, at least one positive, with a sum of at most 1e300
 * @param count the diameter of the network
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (too large), CN_ERR_DISCONNECTED, CN_ERR_MEMORY
 * Source: Horng 1992, 6.1.2 (a question for further work).
 */
CN_API cn_status cn_traffic_locality(const cn_topology *topology, const double weights[],
                                     size_t count, cn_traffic **traffic);

/**
 * Makes traffic with locality whose weights are ratio^(d-1): distance d + 1 is `ratio` times as
 * likely as distance d.
 * @param ratio 0 (neighbours only) .. 1 (all distances equally likely)
 * @return errors as for cn_traffic_locality()
 */
CN_API cn_status cn_traffic_geometric_locality(const cn_topology *topology, double ratio,
                                               cn_traffic **traffic);

/**
 * Makes traffic in which node s sends to destinations[s]. A node that is its own destination is
 * silent. O(N).
 * @param destinations count elements; copied
 * @param count the number of nodes
 * @return CN_ERR_UNSUPPORTED (more than 2^24 nodes), CN_ERR_ARGUMENT (also when all nodes are
 *         silent), CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_destinations(const cn_topology *topology, const uint64_t destinations[],
                                         size_t count, cn_traffic **traffic);

/**
 * Makes traffic in which node s sends to node d with a probability proportional to weights[s N +
 * d]. A row of zeros makes a node silent; the diagonal must be 0. O(N^2) memory.
 * @param weights count elements, 0..1e300, each row with a sum of at most 1e300; copied
 * @param count N^2
 * @return CN_ERR_UNSUPPORTED (more than 4096 nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_matrix(const cn_topology *topology, const double weights[],
                                   size_t count, cn_traffic **traffic);

/**
 * Makes a trace: a list of messages in place of random traffic. The parameter `load` is ignored.
 * Message i is offered after cycles[i] cycles, as if cn_sim_inject() were called when
 * cn_sim_cycle() is cycles[i]. Messages of the same cycle and source are offered in the order of
 * the list. A message that a full node refuses is not offered again.
 *
 * @param cycles the cycle of each message; never decreasing, below 2^63
 * @param sources the node that sends each message
 * @param destinations the destination of each message, which is not its source
 * @param flits the length of each message, 1 .. 2^32-1; NULL: every message has the length that the
 *        scenario sets (`message_flits`). Only "wormhole" and "cut-through" take other lengths
 *        than 1.
 * @param count elements of each array, 0 .. 2^32-1; copied
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(count log count)
 */
CN_API cn_status cn_traffic_trace(const cn_topology *topology, const uint64_t cycles[],
                                  const uint64_t sources[], const uint64_t destinations[],
                                  const uint64_t flits[], size_t count, cn_traffic **traffic);

/** Frees the traffic and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_traffic_free(cn_traffic **traffic);

/**
 * Writes the traffic with its topology as JSON: the pattern with its arguments, and the source. The
 * text has a matrix as shares, a permutation as its list of destinations, a trace as its messages.
 * Otherwise as cn_topology_json().
 */
CN_API cn_status cn_traffic_json(const cn_traffic *traffic, char text[], size_t capacity,
                                 size_t *length);

/**
 * Makes the traffic that cn_traffic_json() wrote, and its topology. Simulations draw its messages
 * with the same bits.
 * @return errors as for cn_topology_from_json(), and the errors of the constructor
 */
CN_API cn_status cn_traffic_from_json(const char *text, const cn_control *control,
                                      cn_traffic **traffic);

/* ---- sources ---- */

/**
 * Sources: the times at which a sending node offers its messages. The numbers never change. The
 * mean is `load` messages per cycle for every source. A run returns CN_ERR_ARGUMENT when the source
 * cannot offer the load of the scenario.
 */
typedef enum cn_source {
    /**
     * "system": the default source of the system: Poisson in "wormhole", "cut-through" and
     * continuous time, geometric in the others
     */
    CN_SOURCE_OF_SYSTEM = 0,
    /**
     * "geometric": a geometric number of messages in every cycle, P(j) = (1-a) a^j with a = load /
     * (1 + load)
     */
    CN_SOURCE_GEOMETRIC = 1,
    CN_SOURCE_BERNOULLI = 2, /**< "bernoulli": no or one message in every cycle; load at most 1 */
    CN_SOURCE_POISSON = 3,   /**< "poisson": a Poisson process in continuous time */
    /**
     * "on-off": Bernoulli in on periods, nothing in off periods; both periods have geometric
     * lengths; load at most mean_on / (mean_on + mean_off)
     */
    CN_SOURCE_ON_OFF = 4
} cn_source;

/**
 * Sets a source other than CN_SOURCE_ON_OFF.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (a trace)
 */
CN_API cn_status cn_traffic_set_source(cn_traffic *traffic, cn_source source);

/**
 * Sets the source CN_SOURCE_ON_OFF. At the start each node is in an on period with the long-run
 * probability mean_on / (mean_on + mean_off).
 * @param mean_on mean length of an on period in cycles, 1 .. 1e15
 * @param mean_off mean length of an off period in cycles, 1 .. 1e15
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (a trace)
 */
CN_API cn_status cn_traffic_set_on_off(cn_traffic *traffic, double mean_on, double mean_off);

/* ---- properties ---- */

/** Returns the pattern; CN_PATTERN_UNIFORM for NULL. */
CN_API cn_pattern cn_traffic_pattern(const cn_traffic *traffic);

/** Returns the source; CN_SOURCE_OF_SYSTEM for NULL and for a trace. */
CN_API cn_source cn_traffic_source(const cn_traffic *traffic);

/** Returns the number of messages of a trace; 0 for any other traffic and for NULL. */
CN_API uint64_t cn_traffic_trace_length(const cn_traffic *traffic);

/**
 * Returns the number of nodes that send messages; for a trace, the number of distinct sources.
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (a pattern with one destination per node, on more
 *         than 2^24 nodes), CN_ERR_MEMORY. O(N) for such patterns and for traffic that has tables,
 *         otherwise O(1)
 */
CN_API cn_status cn_traffic_senders(const cn_traffic *traffic, uint64_t *senders);

/**
 * Returns the probability that a message of @p source goes to @p destination; 0 when the source is
 * silent. For a trace it is the share of the messages of that source.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(length) for a trace; for locality O(n) in hypercubes,
 *         k-ary n-cubes, tori and generalized hypercubes, and the cost of cn_topology_distance() in
 *         other networks; otherwise O(1)
 */
CN_API cn_status cn_traffic_probability(const cn_traffic *traffic, uint64_t source,
                                        uint64_t destination, double *probability);

/**
 * Returns the mean distance in hops from source to destination over all messages, exact except for
 * rounding.
 * @return CN_ERR_ARGUMENT (also: an empty trace), CN_ERR_UNSUPPORTED (a pattern with one
 *         destination per node, on more than 2^24 nodes), CN_ERR_DISCONNECTED, CN_ERR_MEMORY. O(1)
 *         where the network has a closed form, otherwise one distance for every pair that exchanges
 *         messages
 */
CN_API cn_status cn_traffic_mean_distance(const cn_traffic *traffic, const cn_control *control,
                                          double *mean);

/**
 * Returns the channel loads: the mean number of messages per cycle over every channel, as
 * cn_routing_loads() does, when each sending node offers one message of this traffic per cycle. For
 * a trace the mean covers the cycles from 0 to the last message. The function leaves out messages
 * from or to nodes that the routing does not serve; the rates of the other messages stay the same.
 *
 * @param routing a routing on the network of the traffic
 * @param loads out: loads[node max_degree + port]
 * @param capacity room in @p loads, in elements
 * @param count out: elements needed, N max_degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (another network), CN_ERR_UNSUPPORTED (above 2^14
 *         nodes), CN_ERR_MEMORY. O(N channels); O(N^2 channels) for locality in a unidirectional
 *         network whose distances have no closed form
 */
CN_API cn_status cn_traffic_loads(const cn_traffic *traffic, const cn_routing *routing,
                                  const cn_control *control, double loads[], size_t capacity,
                                  size_t *count);

#ifdef __cplusplus
}
#endif

#endif
