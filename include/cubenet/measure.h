/**
 * @file measure.h
 * The measures of Ginosar & Egozi (1989) for any network, with a statement of how each is known.
 *
 * A measure is a lower and an upper bound. They are equal when the value is known: from a closed form
 * of the family (CN_KNOWN_CLOSED_FORM) or from a search that proves it (CN_KNOWN_EXACT). Otherwise
 * (CN_KNOWN_BOUNDS) the upper bound comes from a cut or a schedule that exists, and the lower bound
 * from a proof.
 *
 * Searches. A search ends early with the bounds that it has when a limit of its cn_control is reached
 * (control.h). When that is before there is any cut or schedule,
 * the bounds are those of all connected networks of the size and degree, whether this one is connected
 * or not; the upper bound of a bisection is then the number of links. Only a schedule that is asked for
 * node by node is made in any case, in O(links).
 *
 * Without a limit in seconds the same call gives the same answer on every machine: nothing is drawn
 * at random but from fixed seeds. An exact bisection takes up to 1 GiB of memory.
 *
 * Conventions of the paper: two nodes share at most one link, a loop counts for nothing. In a
 * communication step a node sends to at most one neighbour and receives from at most one. A link of
 * a unidirectional network is one channel. For odd N the halves have floor(N/2) and ceil(N/2) nodes.
 *
 * @since 0.1
 */
#ifndef CUBENET_MEASURE_H
#define CUBENET_MEASURE_H

#include "control.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What can be measured. The numbers never change; new ones are added. */
typedef enum cn_measure {
    CN_MEASURE_DIAMETER = 1,        /**< "diameter": d, the greatest distance */
    CN_MEASURE_MEAN_DISTANCE = 2,   /**< "mean_distance", over ordered pairs of different nodes */
    CN_MEASURE_BROADCAST_TIME = 3,  /**< "broadcast_time": F, steps of a one-port broadcast from the
                                        worst source */
    CN_MEASURE_BISECTION_WIDTH = 4, /**< "bisection_width": e, fewest links between two halves */
    CN_MEASURE_DISCONNECTIVITY = 5, /**< "disconnectivity": D = N / e, infinite where e = 0 */
    CN_MEASURE_LOOSENESS = 6,       /**< "looseness": L = alpha F + (1 - alpha) D */
    CN_MEASURE_MEAN_DEGREE = 7,     /**< "mean_degree": C = 2M / N, M the number of links; the
                                        paper calls it connectivity */
    CN_MEASURE_COST_EFFECTIVENESS = 8, /**< "cost_effectiveness": L C */
    CN_MEASURE_LINKS = 9,              /**< "links": M */
    CN_MEASURE_NODE_CUT = 10 /**< "node_cut": fewest nodes without which no part has more than
                                  N / 2 nodes; star and tree only, where the paper's D counts it */
} cn_measure;

/** How a value is known. */
typedef enum cn_known {
    CN_KNOWN_CLOSED_FORM = 1, /**< "closed form" */
    CN_KNOWN_EXACT = 2,       /**< "exact": found and proved by a search */
    CN_KNOWN_BOUNDS = 3       /**< "bounds": the value lies between them, both included */
} cn_known;

/** The name of a measure as in the comments of cn_measure; NULL for a number that is none. */
CN_API const char *cn_measure_name(cn_measure measure);

/** The measure of this name. CN_ERR_NOT_FOUND. */
CN_API cn_status cn_measure_from_name(const char *name, cn_measure *measure);

/** "closed form", "exact" or "bounds"; NULL for a number that is none. */
CN_API const char *cn_known_name(cn_known known);

/** The kind with this canonical name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_known_from_name(const char *name, cn_known *known);

/**
 * A measure of a network.
 *
 * @param alpha weight of F in the looseness, 0..1; the paper uses 0, 1/2 and 1. Read by looseness
 *        and cost-effectiveness only.
 * @param control limits of a search; may be NULL
 * @param lower out: equal to @p upper unless the kind is CN_KNOWN_BOUNDS
 * @param upper out
 * @param kind out
 * @return CN_ERR_ARGUMENT, CN_ERR_DISCONNECTED, CN_ERR_MEMORY; CN_ERR_UNSUPPORTED where a search is
 *         needed and the network is too large to be stored (above 2^27 nodes), or a measure is not
 *         defined for the family; CN_ERR_OVERFLOW. O(n) for a closed form, else the cost of a search: as
 *         long as @p control lets it
 * Source: Ginosar & Egozi 1989, sections 3 and 5.
 */
CN_API cn_status cn_topology_measure(const cn_topology *topology, cn_measure measure, double alpha,
                                     const cn_control *control, double *lower, double *upper,
                                     cn_known *kind);

/**
 * The cost of the whole machine: N processor_cost + M link_cost.
 * @param processor_cost finite, not negative
 * @param link_cost finite, not negative
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (above the greatest double).
 * Source: Ginosar & Egozi 1989, section 3 F.
 */
CN_API cn_status cn_topology_cost(const cn_topology *topology, double processor_cost,
                                  double link_cost, double *cost);

/**
 * The minimum bisection width, with the best cut that is known.
 *
 * Closed forms: cubes, tori, meshes, rings, complete networks, stars, binary trees. Otherwise a local
 * search finds a good cut, a multicommodity flow gives a lower bound, and where the network is
 * narrow enough (PSNN, shuffle-exchange and de Bruijn networks of 64 nodes are) dynamic programming
 * over the sides of a moving frontier proves the minimum.
 *
 * @param control limits of the search; may be NULL
 * @param side out: side[v] is 0 or 1 for the side of node v; may be NULL with capacity 0, else
 * @param capacity at least N
 * @param lower out: links
 * @param upper out: links; the width of the cut in @p side, or all links when the search was stopped
 *        before that cut was counted
 * @return as cn_topology_measure(); CN_ERR_CAPACITY. With @p side at least O(N).
 * Source: Ginosar & Egozi 1989, 5.3 and A.3.
 */
CN_API cn_status cn_topology_bisection(const cn_topology *topology, const cn_control *control,
                                       uint8_t side[], size_t capacity, uint64_t *lower,
                                       uint64_t *upper, cn_known *kind);

/**
 * Checks a cut and counts its links: every side is 0 or 1, and the two differ in size by at most one.
 * @param count elements in @p side; exactly N
 * @return CN_ERR_ARGUMENT when it is no bisection. O(links).
 */
CN_API cn_status cn_bisection_check(const cn_topology *topology, const uint8_t side[], size_t count,
                                    uint64_t *width);

/**
 * A one-port broadcast from one node: who sends to whom in which step.
 *
 * The arrays list N - 1 transfers in the order of their steps; transfer i goes in step sent_at[i] (1,
 * 2, ...) from sender[i] to receiver[i].
 *
 * @param control limits of the search; may be NULL
 * @param capacity room in each of the three arrays, in elements; all may be NULL when it is 0, and
 *        then only the bounds are given
 * @param lower out: steps
 * @param upper out: steps; the length of the schedule
 * @return as cn_topology_measure(); CN_ERR_CAPACITY. With the arrays at least O(links).
 * Source: Ginosar & Egozi 1989, 5.2 and A.2.
 */
CN_API cn_status cn_topology_broadcast_schedule(const cn_topology *topology, uint64_t source,
                                                const cn_control *control, uint64_t sender[],
                                                uint64_t receiver[], uint32_t sent_at[],
                                                size_t capacity, uint64_t *lower, uint64_t *upper,
                                                cn_known *kind);

/**
 * Replays a schedule: every transfer goes over a channel, from a node that has the message since an
 * earlier step to one that has not, no node sends or receives twice in a step, and in the end all
 * nodes have it.
 *
 * @param count transfers, in the order of their steps
 * @param length out: the last step
 * @return CN_ERR_ARGUMENT, with the first offence in cn_last_error(); CN_ERR_MEMORY. O(N degree).
 */
CN_API cn_status cn_schedule_check(const cn_topology *topology, uint64_t source,
                                   const uint64_t sender[], const uint64_t receiver[],
                                   const uint32_t sent_at[], size_t count, uint64_t *length);

#ifdef __cplusplus
}
#endif

#endif
