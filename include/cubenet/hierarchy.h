/**
 * @file hierarchy.h
 * The split of a damaged hypercube into convex clusters without disabling a working node
 * (cn_hierarchy), and the two-level routing rule for these clusters.
 *
 * While one thread changes a hierarchy, no other thread may use it; otherwise any number of threads
 * may read it. A hierarchy keeps a copy of its faults. A call that fails leaves the hierarchy
 * unchanged.
 *
 * Source: Horng 1992, 5.5 and 6.1.3. docs/faults.md has the definitions that the library uses.
 *
 * @since 1.0
 */
#ifndef CUBENET_HIERARCHY_H
#define CUBENET_HIERARCHY_H

#include "control.h"
#include "subnet.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A damaged Boolean cube split into clusters; opaque. A cluster is a subcube in which a path inside
 * the subcube, as long as the Hamming distance, joins every two working nodes. No working node is
 * disabled.
 */
typedef struct cn_hierarchy cn_hierarchy;

#define CN_NO_CLUSTER UINT32_MAX /**< the node is faulty */

/** The choice among the best channels towards another cluster. The numbers never change. */
typedef enum cn_tie_rule {
    /**
     * "header": the channels that also bring the message closer to its destination; all of them
     * when there is no such channel
     */
    CN_TIE_HEADER = 0,
    CN_TIE_ANY = 1,   /**< "any": all of the channels */
    CN_TIE_LOWEST = 2 /**< "lowest": the channel of the lowest dimension */
} cn_tie_rule;

/**
 * Makes a hierarchy: splits a damaged Boolean cube into clusters. A subcube is convex when all
 * working nodes in it are safe (cn_subnet_is_safe()), counting bad links, dimensions and nodes of
 * the subcube only. The function cuts a subcube that is not convex in the dimension in which its
 * unsafe nodes have the most bad links, and in the lowest of several such dimensions. It drops
 * subcubes without a working node. With node faults only (at least one) there are at most as many
 * clusters as faults.
 *
 * @param faults of a Boolean cube; copied
 * @return CN_ERR_UNSUPPORTED (not a Boolean cube), CN_ERR_ARGUMENT, CN_ERR_MEMORY. Every cut
 *         examines each node of its subcube, and up to 2^b nodes around a node with b bad links in
 *         the subcube: O(n 2^b N) at most.
 * Source: Horng 1992, 5.5.1 and figure 5.11.
 */
CN_API cn_status cn_hierarchy_new(const cn_faults *faults, const cn_control *control,
                                  cn_hierarchy **hierarchy);

/** Frees the hierarchy and sets the handle to NULL. Does nothing for NULL or a handle that is
 * NULL. */
CN_API void cn_hierarchy_free(cn_hierarchy **hierarchy);

/** Returns the number of clusters; 0 for NULL. */
CN_API uint32_t cn_hierarchy_cluster_count(const cn_hierarchy *hierarchy);

/**
 * Returns the address of a cluster over {0, 1, X} as two words (cn_subcube_text(), address.h), and
 * the number of working nodes of the cluster.
 * @param cluster 0 .. clusters - 1; a fault or repair may renumber the clusters
 * @param value out: digits that are 0 or 1; may be NULL
 * @param any out: digits that are X; may be NULL
 * @param survivors out: number of working nodes; may be NULL
 * @return CN_ERR_ARGUMENT (no such cluster). O(1).
 */
CN_API cn_status cn_hierarchy_cluster(const cn_hierarchy *hierarchy, uint32_t cluster,
                                      uint64_t *value, uint64_t *any, uint64_t *survivors);

/**
 * Returns the cluster of a node; CN_NO_CLUSTER (with CN_OK) for a faulty node.
 * @return CN_ERR_ARGUMENT (no such node). O(1).
 */
CN_API cn_status cn_hierarchy_cluster_of(const cn_hierarchy *hierarchy, uint64_t node,
                                         uint32_t *cluster);

/**
 * Makes the routing tables of all nodes: for every node and cluster the length in hops of a
 * shortest path, in the whole damaged network, from the node to the nearest working node of the
 * cluster. cn_hierarchy_update() makes the tables anew. The call changes nothing when the tables
 * exist.
 *
 * @return CN_ERR_MEMORY (2 bytes for each cluster and node), CN_ERR_OVERFLOW (a path of 65535
 *         hops). Time O(clusters N n).
 */
CN_API cn_status cn_hierarchy_make_tables(cn_hierarchy *hierarchy, const cn_control *control);

/**
 * Returns the cluster routing table of a node: one entry for each cluster, including the cluster of
 * the node.
 *
 * @param values out: for each entry the digits that are 0 or 1 in the address of its cluster
 * @param anys out: for each entry the digits that are X in the address of its cluster
 * @param channels out: the best channels, bit i for port i; 0 for the node's own cluster and for a
 *        cluster that cannot be reached
 * @param hops out: hops to the cluster; 0 for the node's own cluster, CN_UNREACHABLE when no path
 *        leads to the cluster
 * @param capacity room in each of the four arrays, in elements
 * @param count out: number of clusters, also when the capacity is too small; may be NULL
 * @return CN_ERR_STATE (there are no tables, or the node is faulty), CN_ERR_CAPACITY,
 *         CN_ERR_ARGUMENT. O(clusters n).
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_hierarchy_table(const cn_hierarchy *hierarchy, uint64_t node, uint64_t values[],
                                    uint64_t anys[], uint64_t channels[], uint64_t hops[],
                                    size_t capacity, size_t *count);

/**
 * Returns the neighbour status of a node in the damaged network: bit i is 1 when the link of port i
 * is good, which means that the link works and leads to a working node.
 * @return CN_ERR_ARGUMENT (no such node). O(n).
 */
CN_API cn_status cn_hierarchy_neighbor_status(const cn_hierarchy *hierarchy, uint64_t node,
                                              uint64_t *status);

/**
 * Returns the mean number of hops of two-level routing over all ordered pairs of distinct working
 * nodes that can reach each other, when a message takes each allowed channel with equal
 * probability.
 *
 * @param mean out: 0 when there is no such pair
 * @param pairs out: number of these pairs; may be NULL
 *
 * @return CN_ERR_MEMORY, CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (a path of 65535 hops). Time O(N^2 n).
 *         The function does not need the tables of cn_hierarchy_make_tables().
 * Source: Horng 1992, 5.5.3.
 */
CN_API cn_status cn_hierarchy_mean_hops(const cn_hierarchy *hierarchy, cn_tie_rule tie_rule,
                                        const cn_control *control, double *mean, uint64_t *pairs);

/**
 * Lets a node or a link fail, or repairs it. Afterwards the clusters are the clusters of a new
 * hierarchy for the changed faults, and existing tables are made anew. The call changes nothing
 * when the node or link is in the demanded state already.
 *
 * @param node the node, or one end of the link
 * @param port the port of the link at @p node; ignored where a node fails or is repaired
 * @return CN_ERR_ARGUMENT (no such change, node or port), CN_ERR_MEMORY, CN_ERR_OVERFLOW (a path of
 *         65535 hops), CN_ERR_CANCELLED; after an error the hierarchy is unchanged. Cost of a new
 *         hierarchy and of its tables.
 * Source: Horng 1992, 6.1.3.
 */
CN_API cn_status cn_hierarchy_update(cn_hierarchy *hierarchy, cn_change change, uint64_t node,
                                     uint32_t port, const cn_control *control);

/* ---- as a drawing ---- */

/**
 * Draws a damaged cube with its clusters. The working nodes of a cluster have one colour, and a key
 * gives the address of the cluster for each colour; from the eleventh on clusters share colours.
 * Links between clusters are blue. Everything else, errors included, is as for cn_faults_draw().
 */
CN_API cn_status cn_hierarchy_draw(const cn_hierarchy *hierarchy, cn_format format,
                                   const cn_control *control, char text[], size_t capacity,
                                   size_t *length);

/* ---- the decision of one node, as a pure function ---- */

/**
 * Returns the channels that the two-level rule allows in a Boolean cube. A node in the cluster of
 * the destination uses the optimal-path rule (cn_route_optimal_path()). Any other node takes the
 * good channels of the table entry whose cluster contains the destination.
 *
 * @param node the current node
 * @param destination the destination of the message
 * @param neighbor_status of the node in the damaged network (cn_hierarchy_neighbor_status())
 * @param values the array `values` of the table of the node (cn_hierarchy_table()), @p count
 *        entries
 * @param anys the array `anys` of the same table
 * @param table_channels the array `channels` of the same table
 * @param tie_rule the choice among the good channels of the entry
 * @param channels out: the channels that may be taken; untouched unless CN_OK
 * @return CN_DONE (the message has arrived), CN_ERR_DISCONNECTED (no cluster of the table contains
 *         the destination, or no good channel leads there), CN_ERR_ARGUMENT. O(count).
 * Source: Horng 1992, 5.5.2.
 */
CN_API cn_status cn_route_two_level(uint64_t node, uint64_t destination, uint64_t neighbor_status,
                                    const uint64_t values[], const uint64_t anys[],
                                    const uint64_t table_channels[], size_t count,
                                    cn_tie_rule tie_rule, uint64_t *channels);

#ifdef __cplusplus
}
#endif

#endif
