/**
 * @file traffic.h
 * Where messages go and when they are offered: what a scenario's nodes send.
 *
 * A cn_traffic is a pattern (who sends to whom), a source (how a node's messages come in time), or
 * a trace (a list of messages), which replaces both. Without one a scenario has uniform traffic from
 * the source of its system.
 *
 *     cn_traffic_new(cube, CN_PATTERN_BIT_COMPLEMENT, &traffic);
 *     cn_traffic_set_source(traffic, CN_SOURCE_POISSON);
 *     cn_scenario_set_traffic(scenario, traffic);
 *
 * The parameter `load` remains the mean number of messages that a node offers in a cycle, and no
 * message goes to its own source: a node that its pattern maps to itself is silent. With S of N nodes
 * sending (cn_traffic_senders()) the mean over all nodes is load S / N.
 *
 * @since 0.1
 */
#ifndef CUBENET_TRAFFIC_H
#define CUBENET_TRAFFIC_H

#include "routing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the nodes of a network send; opaque. */
typedef struct cn_traffic cn_traffic;

/**
 * Who sends to whom. The numbers never change. Bits are those of the node number, b of them, where N
 * is 2^b; elsewhere the digits of the address take their place, digit i being x_i of n in radix k_i.
 * Source of the fixed patterns: Dally & Towles, Principles and Practices of Interconnection Networks,
 * 2004, 3.2.
 */
typedef enum cn_pattern {
    CN_PATTERN_UNIFORM = 0,        /**< "uniform": every other node is as likely */
    CN_PATTERN_BIT_COMPLEMENT = 1, /**< "bit-complement": N-1-s; in each dimension k_i-1-x_i */
    CN_PATTERN_BIT_REVERSE = 2,    /**< "bit-reverse": bit i becomes bit b-1-i; b at least 2, or
                                         equal radices and n at least 2 */
    CN_PATTERN_TRANSPOSE = 3,      /**< "transpose": the upper half of the bits changes places with
                                         the lower; b even, or n even and equal radices */
    CN_PATTERN_SHUFFLE = 4,        /**< "shuffle": bit i becomes bit i+1 mod b; b at least 2, or
                                         equal radices and n at least 2 */
    CN_PATTERN_TORNADO = 5,        /**< "tornado": x_i + ceil(k_i/2) - 1 mod k_i in each dimension;
                                         some radix above 2 */
    CN_PATTERN_NEIGHBOR = 6,       /**< "neighbor": x_i + 1 mod k_i in each dimension */
    CN_PATTERN_HOTSPOT = 7,        /**< "hotspot": cn_traffic_new_hotspot() */
    CN_PATTERN_PERMUTATION = 8,    /**< "permutation": cn_traffic_new_permutation() */
    CN_PATTERN_LOCALITY = 9,       /**< "locality": cn_traffic_new_locality() */
    CN_PATTERN_DESTINATIONS = 10,  /**< "destinations": cn_traffic_new_destinations() */
    CN_PATTERN_MATRIX = 11,        /**< "matrix": cn_traffic_new_matrix() */
    CN_PATTERN_TRACE = 12          /**< "trace": cn_traffic_new_trace() */
} cn_pattern;

/** Number of patterns; they are 0 .. this - 1. */
CN_API size_t cn_pattern_count(void);

/** Canonical name, as quoted above; NULL for a number that is no pattern. */
CN_API const char *cn_pattern_name(cn_pattern pattern);

/** The pattern with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT for NULL. */
CN_API cn_status cn_pattern_from_name(const char *name, cn_pattern *pattern);

/* ---- making a traffic: the source is CN_SOURCE_OF_SYSTEM ---- */

/**
 * Uniform traffic or one of the fixed patterns, CN_PATTERN_UNIFORM to CN_PATTERN_NEIGHBOR. O(1).
 * @param topology kept alive by the traffic
 * @return CN_ERR_UNSUPPORTED (the pattern is not defined on this network: the text says why, also
 *         when every node would send to itself), CN_ERR_ARGUMENT (NULL, a single node, or a pattern
 *         that has a function of its own), CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new(const cn_topology *topology, cn_pattern pattern,
                                cn_traffic **traffic);

/**
 * A share of all messages goes to one node, the rest uniformly to the other nodes, that one included;
 * what the node itself sends is uniform. O(1).
 * @param node the hotspot
 * @param share 0 .. 1
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new_hotspot(const cn_topology *topology, uint64_t node, double share,
                                        cn_traffic **traffic);

/**
 * Every node has one destination, together a random permutation, all N! as likely. Its fixed points,
 * one on average, are silent. O(N) time and memory.
 * @param seed the same seed gives the same permutation
 * @return CN_ERR_UNSUPPORTED (more than 2^24 nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new_permutation(const cn_topology *topology, uint64_t seed,
                                            cn_traffic **traffic);

/**
 * A destination at distance d with a probability proportional to weights[d-1], and at that distance
 * every node with the same. Where the distances differ between nodes (a mesh) those that a source
 * does not have are left out, and a source without any is silent.
 *
 * Memory: O(n D) in hypercubes, k-ary n-cubes, tori and generalized hypercubes (n dimensions,
 * diameter D), O(N^2) elsewhere, up to 2048 nodes.
 *
 * @param weights count elements, not negative, finite, some of them positive
 * @param count the diameter of the network
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (too large), CN_ERR_DISCONNECTED, CN_ERR_MEMORY
 * Source: Horng 1992, 6.1.2 asks for it.
 */
CN_API cn_status cn_traffic_new_locality(const cn_topology *topology, const double weights[],
                                         size_t count, cn_traffic **traffic);

/**
 * Locality with weights ratio^(d-1): each further hop is `ratio` times as likely as the one before.
 * @param ratio 0 (neighbours only) .. 1 (every distance as likely)
 * Errors as for cn_traffic_new_locality().
 */
CN_API cn_status cn_traffic_new_geometric_locality(const cn_topology *topology, double ratio,
                                                   cn_traffic **traffic);

/**
 * Node s sends to destinations[s]; a node that is its own destination is silent. O(N).
 * @param destinations count elements, copied
 * @param count the number of nodes
 * @return CN_ERR_UNSUPPORTED (more than 2^24 nodes), CN_ERR_ARGUMENT (also when all nodes are
 *         silent), CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new_destinations(const cn_topology *topology,
                                             const uint64_t destinations[], size_t count,
                                             cn_traffic **traffic);

/**
 * Node s sends to node d with a probability proportional to weights[s N + d]. A row of zeros makes a
 * node silent; the diagonal must be 0. O(N^2) memory.
 * @param weights count elements, not negative, finite, copied
 * @param count N^2
 * @return CN_ERR_UNSUPPORTED (more than 4096 nodes), CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_traffic_new_matrix(const cn_topology *topology, const double weights[],
                                       size_t count, cn_traffic **traffic);

/**
 * A list of messages, which replaces the random traffic: `load` is not used. Message i is offered
 * when cycles[i] cycles are over, as by cn_sim_inject() at that cycle; messages of the same cycle and
 * source in the order of the list. One that a full node refuses is not offered again.
 *
 * @param cycles never decreasing, below 2^63
 * @param sources node that sends each message
 * @param destinations node that it is for, another one
 * @param flits length of each, 1 .. 2^32-1; NULL: each is as long as the scenario says. Slotted
 *        systems, whose messages fill one slot, refuse a length other than 1.
 * @param count elements of each array, 0 .. 2^32-1; copied
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(count log count)
 */
CN_API cn_status cn_traffic_new_trace(const cn_topology *topology, const uint64_t cycles[],
                                      const uint64_t sources[], const uint64_t destinations[],
                                      const uint64_t flits[], size_t count, cn_traffic **traffic);

/** Gives the handle up and sets it to NULL. NULL, and a handle that is NULL, are accepted. */
CN_API void cn_traffic_free(cn_traffic **traffic);

/* ---- sources ---- */

/**
 * How a sending node's messages come in time. The numbers never change. The mean is `load` for each;
 * a scenario whose load its source cannot offer is refused with CN_ERR_ARGUMENT when it is run.
 */
typedef enum cn_source {
    CN_SOURCE_OF_SYSTEM = 0, /**< what the system has without a cn_traffic: geometric in the slotted
                                  ones */
    CN_SOURCE_GEOMETRIC = 1, /**< a geometric number in every cycle, P(j) = (1-a) a^j with
                                  a = load / (1 + load) */
    CN_SOURCE_BERNOULLI = 2, /**< none or one in every cycle; load at most 1 */
    CN_SOURCE_POISSON = 3,   /**< a Poisson process in continuous time */
    CN_SOURCE_ON_OFF = 4     /**< Bernoulli in on periods, nothing in off periods, the lengths of
                                  both geometric; load at most mean_on / (mean_on + mean_off) */
} cn_source;

/** Canonical name: "system", "geometric", "bernoulli", "poisson", "on-off"; NULL for a number that is no source. */
CN_API const char *cn_source_name(cn_source source);

/** The source with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_source_from_name(const char *name, cn_source *source);

/** Sets a source other than CN_SOURCE_ON_OFF. CN_ERR_ARGUMENT; CN_ERR_UNSUPPORTED for a trace. */
CN_API cn_status cn_traffic_set_source(cn_traffic *traffic, cn_source source);

/**
 * Sets CN_SOURCE_ON_OFF. A node is in its long-run mix of states at the start.
 * @param mean_on mean length of a period of sending in cycles, 1 .. 1e15
 * @param mean_off the same of a silent one
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED for a trace
 */
CN_API cn_status cn_traffic_set_on_off(cn_traffic *traffic, double mean_on, double mean_off);

/* ---- what a traffic is ---- */

/** Its pattern; CN_PATTERN_UNIFORM for NULL. */
CN_API cn_pattern cn_traffic_pattern(const cn_traffic *traffic);

/** Its source; CN_SOURCE_OF_SYSTEM for NULL and for a trace. */
CN_API cn_source cn_traffic_source(const cn_traffic *traffic);

/** How many messages a trace has; 0 for every other traffic and for NULL. */
CN_API uint64_t cn_traffic_trace_length(const cn_traffic *traffic);

/**
 * Number of nodes that send anything; of a trace, of different sources.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(N) for one with tables, else O(1)
 */
CN_API cn_status cn_traffic_senders(const cn_traffic *traffic, uint64_t *senders);

/**
 * Probability that a message of @p source goes to @p destination; 0 for every destination of a node
 * that is silent. For a trace the share of that source's messages.
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY; O(1) but for a trace (its length), a hypercube-like
 *         network with locality (n) and what cn_topology_distance() takes elsewhere
 */
CN_API cn_status cn_traffic_probability(const cn_traffic *traffic, uint64_t source,
                                        uint64_t destination, double *probability);

/**
 * Mean distance that a message has to travel, over all messages, exact but for rounding.
 * @return CN_ERR_ARGUMENT (also an empty trace), CN_ERR_UNSUPPORTED (one destination a node, on more than
 *         2^24 nodes), CN_ERR_DISCONNECTED, CN_ERR_MEMORY. O(1) where a closed form of the network
 *         serves, else one distance for every pair that exchanges messages
 */
CN_API cn_status cn_traffic_mean_distance(const cn_traffic *traffic, double *mean);

/**
 * Mean number of messages a cycle over every channel of a hypercube when each sending node offers one
 * message a cycle and all go the e-cube way, lowest differing dimension first. The greatest element
 * is 1 / the load that e-cube carries. Of a trace: over the cycles from 0 to its last.
 *
 * @param loads out: loads[node n + dimension], the channel from node over that dimension
 * @param capacity room in @p loads
 * @param count out: elements needed, n 2^n
 * @return CN_ERR_UNSUPPORTED (no hypercube of up to 2^24 nodes), CN_ERR_CAPACITY, CN_ERR_ARGUMENT;
 *         O(channels), with a matrix O(N^2 n)
 */
CN_API cn_status cn_traffic_ecube_loads(const cn_traffic *traffic, double loads[], size_t capacity,
                                        size_t *count);

/**
 * cn_routing_loads() when each sending node offers one message a cycle, of this traffic. Of a trace: over
 * the cycles from 0 to its last. Messages from and to nodes that the routing does not serve are not
 * sent, and the others not more often for that.
 *
 * @param routing on the network of the traffic
 * @param loads out: loads[node max_degree + port]
 * @param capacity room in @p loads, in elements
 * @param count out: elements needed, N max_degree, also when the capacity is too small; may be NULL
 * @return CN_ERR_CAPACITY, CN_ERR_ARGUMENT (another network), CN_ERR_UNSUPPORTED (above 2^14 nodes),
 *         CN_ERR_MEMORY. O(N channels); for locality in a one-way network without a closed form of its
 *         distances O(N^2 channels)
 */
CN_API cn_status cn_traffic_routing_loads(const cn_traffic *traffic, const cn_routing *routing,
                                          double loads[], size_t capacity, size_t *count);

/**
 * The load at which the busiest channel is full: 1 / the greatest of cn_traffic_routing_loads().
 * @return errors and cost as for cn_traffic_routing_loads(), and CN_ERR_ARGUMENT when no channel carries
 *         anything
 */
CN_API cn_status cn_traffic_routing_saturation_load(const cn_traffic *traffic,
                                                    const cn_routing *routing, double *load);

#ifdef __cplusplus
}
#endif

#endif
