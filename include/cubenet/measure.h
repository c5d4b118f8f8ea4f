/**
 * @file measure.h
 * The measures of Ginosar & Egozi (1989) for any network. Each result says how the value is known.
 *
 * The functions return a lower and an upper bound of each measure. The bounds are equal when the
 * value is known: from a closed form of the family (CN_KNOWN_CLOSED_FORM) or from a search that
 * proves it (CN_KNOWN_EXACT). Otherwise (CN_KNOWN_BOUNDS) the upper bound comes from the best cut
 * or schedule found, and the lower bound is proved.
 *
 * Searches. When a search reaches a limit of its cn_control (control.h), or is cancelled, it
 * returns the bounds found so far. A search that has found no cut or schedule yet returns bounds
 * that hold for all connected networks of this size and degree, without a check that this network
 * is connected; the upper bound of a bisection is then the number of links. When the caller asks
 * for the transfers of a schedule, the function always makes a schedule, in O(links).
 *
 * Without a limit in seconds the same call gives the same result on every machine, because all
 * random numbers come from fixed seeds. An exact bisection takes up to 1 GiB of memory.
 *
 * Conventions of the paper: two nodes share at most one link, and loops are ignored. In a
 * communication step a node sends to at most one neighbour and receives from at most one. A link of
 * a unidirectional network is one channel. For odd N the halves have floor(N/2) and ceil(N/2)
 * nodes.
 *
 * Communication models (section 3). F is the broadcast time of the model that the paper adopts.
 * Three more measures are the broadcast times of the models that the paper rejects, in the same
 * unit: one step takes a message over a link that has the bandwidth of a port. Joined ports: each
 * transfer takes half a step, because the sender and the receiver have no other use for their
 * second port; two simultaneous transfers of one step are never faster. Divided ports: all links
 * have the same bandwidth (assumptions A and G), the bandwidth of a port divided by the greatest
 * degree. An exchange takes two steps, since a link passes information in one direction at a time.
 * A broadcast contains no exchange, but D = N/e counts exchanges: N messages, N/2 in each
 * direction, cross e links.
 *
 * @since 1.0
 */
#ifndef CUBENET_MEASURE_H
#define CUBENET_MEASURE_H

#include "control.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The measures. The numbers never change; new ones may be added. */
typedef enum cn_measure {
    CN_MEASURE_DIAMETER = 1,        /**< "diameter": d, the greatest distance */
    CN_MEASURE_MEAN_DISTANCE = 2,   /**< "mean_distance", over ordered pairs of distinct nodes */
    CN_MEASURE_BROADCAST_TIME = 3,  /**< "broadcast_time": F, steps of a one-port broadcast from the
                                        worst source */
    CN_MEASURE_BISECTION_WIDTH = 4, /**< "bisection_width": e, fewest links between two halves */
    CN_MEASURE_DISCONNECTIVITY = 5, /**< "disconnectivity": D = N / e, infinite where e = 0 */
    CN_MEASURE_LOOSENESS = 6,       /**< "looseness": L = alpha F + (1 - alpha) D */
    CN_MEASURE_MEAN_DEGREE = 7,     /**< "mean_degree": C = 2M / N, M the number of links; the
                                        paper calls it connectivity */
    CN_MEASURE_COST_EFFECTIVENESS = 8, /**< "cost_effectiveness": L C, a
                                           cost: lower is better */
    CN_MEASURE_LINKS = 9,              /**< "links": M */
    /**
     * "node_cut": the fewest nodes whose removal leaves no part with more than N / 2 nodes; star
     * and tree only, where the paper's D uses it
     */
    CN_MEASURE_NODE_CUT = 10,
    CN_MEASURE_LOOSENESS_EUCLIDEAN = 11, /**< "looseness_euclidean": sqrt(F^2 + D^2), the first
                                             definition of L */
    CN_MEASURE_LOOSENESS_PRODUCT = 12,   /**< "looseness_product": F D, which the paper rejects */
    /**
     * "layout_area_bound": e^2. By Thompson's theorem a VLSI layout takes an area of at least this
     * order: it bounds the area from below up to a constant factor.
     */
    CN_MEASURE_LAYOUT_AREA_BOUND = 13,
    /**
     * "broadcast_time_joined_ports": F where a node may join its two ports into one link of twice
     * the bandwidth: F / 2
     */
    CN_MEASURE_BROADCAST_TIME_JOINED_PORTS = 14,
    /**
     * "broadcast_time_divided_ports": F where the bandwidth of a node is divided among its links:
     * the greatest degree times d
     */
    CN_MEASURE_BROADCAST_TIME_DIVIDED_PORTS = 15,
    /**
     * "broadcast_time_limited_links": F where only the links limit: a node sends over all of them
     * in one step, and F = d
     */
    CN_MEASURE_BROADCAST_TIME_LIMITED_LINKS = 16
} cn_measure;

/** How the value of a measure is known. The numbers never change. */
typedef enum cn_known {
    CN_KNOWN_CLOSED_FORM = 1, /**< "closed-form" */
    CN_KNOWN_EXACT = 2,       /**< "exact": found and proved by a search */
    CN_KNOWN_BOUNDS = 3 /**< "bounds": the value lies between the bounds, or equals one of them */
} cn_known;

/**
 * Returns bounds of one measure of a network, and how its value is known.
 *
 * @param alpha weight of F in the looseness, 0..1; the paper uses 0, 1/2 and 1. Used for looseness
 *        and cost-effectiveness only.
 * @param control limits of a search; may be NULL
 * @param lower out: lower bound; equal to @p upper unless @p kind is CN_KNOWN_BOUNDS
 * @param upper out: upper bound
 * @param kind out: how the value is known
 * @return CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED, CN_ERR_MEMORY; CN_ERR_UNSUPPORTED where a search is
 *         needed and the network is too large to store (above 2^27 nodes) or has channels without
 *         a way back, or the measure is not defined for the family; CN_ERR_OVERFLOW. O(n) for a
 *         closed form, otherwise the cost of a search: as long as @p control allows
 * Source: Ginosar & Egozi 1989, sections 3 and 5.
 */
CN_API cn_status cn_topology_measure(const cn_topology *topology, cn_measure measure, double alpha,
                                     const cn_control *control, double *lower, double *upper,
                                     cn_known *kind);

/**
 * Returns the cost of the whole machine: N processor_cost + M link_cost.
 * @param processor_cost 0..1e300
 * @param link_cost 0..1e300
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (above the greatest double).
 * Source: Ginosar & Egozi 1989, section 3 F.
 */
CN_API cn_status cn_topology_cost(const cn_topology *topology, double processor_cost,
                                  double link_cost, double *cost);

/**
 * Returns bounds of the minimum bisection width, and the best cut found. Where the kind is
 * CN_KNOWN_CLOSED_FORM, cn_bisection_side() gives that cut without an array of N sides.
 *
 * Closed forms: cubes, tori, meshes, rings, complete networks, stars, binary trees. For other
 * networks a local search finds a good cut and a multicommodity flow gives a lower bound. Where the
 * network is narrow enough (such as PSNN, shuffle-exchange and de Bruijn networks of 64 nodes),
 * dynamic programming over the sides of a moving frontier proves the minimum. For PSNN and
 * shuffle-exchange networks of 256 and 512 nodes the library keeps proved lower bounds, whose
 * certificates the tests check.
 *
 * @param control limits of the search; may be NULL
 * @param side out: side[v] is 0 or 1 for the side of node v; may be NULL with capacity 0
 * @param capacity room in @p side, in elements: at least N, or 0 with NULL
 * @param lower out: number of links
 * @param upper out: number of links: the width of the cut in @p side, or all links when the search
 *        ended before it counted this cut
 * @return as cn_topology_measure(); CN_ERR_CAPACITY. With @p side at least O(N).
 * Source: Ginosar & Egozi 1989, 5.3 and A.3.
 */
CN_API cn_status cn_topology_bisection(const cn_topology *topology, const cn_control *control,
                                       uint8_t side[], size_t capacity, uint64_t *lower,
                                       uint64_t *upper, cn_known *kind);

/**
 * Returns the side of one node in a minimum bisection of a family that has a closed form: the same
 * cut as cn_topology_bisection(), without an array.
 *
 * @param side out: 0 or 1
 * @return CN_ERR_ARGUMENT, CN_ERR_UNSUPPORTED (the width has no closed form). O(n).
 */
CN_API cn_status cn_bisection_side(const cn_topology *topology, uint64_t node, uint32_t *side);

/**
 * Checks a cut and counts its links: every side must be 0 or 1, and the two sides may differ in
 * size by at most one.
 * @param side side[v] is 0 or 1 for the side of node v; NULL, with count 0: the sides of
 *        cn_bisection_side()
 * @param count elements in @p side; exactly N
 * @param width out: number of links between the sides
 * @return CN_ERR_ARGUMENT (the cut is no bisection), CN_ERR_UNSUPPORTED (no @p side, and the width
 *         has no closed form), CN_ERR_CANCELLED. O(links); without @p side O(n) in complete
 *         networks and in networks with dimensions, whose halves follow a lexicographic order.
 */
CN_API cn_status cn_bisection_check(const cn_topology *topology, const uint8_t side[], size_t count,
                                    const cn_control *control, uint64_t *width);

/**
 * Returns a schedule of a one-port broadcast from one node, and bounds of the least number of
 * steps.
 *
 * The arrays list N - 1 transfers in the order of their steps; transfer i goes in step sent_at[i]
 * (1, 2, ...) from sender[i] to receiver[i].
 *
 * @param control limits of the search; may be NULL
 * @param capacity room in each of the three arrays, in elements; with capacity 0 the arrays may be
 *        NULL, and the function returns only the bounds
 * @param lower out: number of steps
 * @param upper out: number of steps, the length of the schedule
 * @return as cn_topology_measure(); CN_ERR_CAPACITY. With the arrays at least O(links).
 * Source: Ginosar & Egozi 1989, 5.2 and A.2.
 */
CN_API cn_status cn_topology_broadcast_schedule(const cn_topology *topology, uint64_t source,
                                                const cn_control *control, uint64_t sender[],
                                                uint64_t receiver[], uint32_t sent_at[],
                                                size_t capacity, uint64_t *lower, uint64_t *upper,
                                                cn_known *kind);

/**
 * Checks a schedule by replaying it. Every transfer must use a channel, from a node that received
 * the message in an earlier step to a node that does not have it; no node may send or receive twice
 * in a step; and in the end all nodes must have the message.
 *
 * @param count number of transfers, which are in the order of their steps
 * @param length out: the last step
 * @return CN_ERR_ARGUMENT (cn_last_error() names the first violation), CN_ERR_MEMORY. O(N degree).
 */
CN_API cn_status cn_schedule_check(const cn_topology *topology, uint64_t source,
                                   const uint64_t sender[], const uint64_t receiver[],
                                   const uint32_t sent_at[], size_t count, uint64_t *length);

#ifdef __cplusplus
}
#endif

#endif
