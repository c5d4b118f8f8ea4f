/**
 * @file collectives.h
 * Collective operations as workloads: the messages of an algorithm, and the messages for which each
 * message waits.
 *
 *     cn_workload_collective(torus, CN_COLLECTIVE_ALLREDUCE, CN_ALGORITHM_SWING, 4096, 0,
 *                            &workload);
 *
 * M is the argument `flits`. A *block* is data that an algorithm moves as a whole. In allreduce and
 * reduce-scatter the vector of M flits is divided into P N blocks, where P is the number of parts
 * of the algorithm and N that of nodes: block i has floor((i+1) M / (P N)) - floor(i M / (P N))
 * flits, so that sizes differ by one at most, and block p N + v of part p ends at node v. In
 * allgather and all-to-all the M flits of a node, or of a pair of nodes, are divided by the same
 * rule into P blocks. Blocks without flits are not sent.
 *
 * docs/collective.md, "Algorithms", has each algorithm with its source, its steps and its busiest
 * channel.
 *
 * Experimental: any version may change or remove what this header declares.
 *
 * @since 1.0
 */
#ifndef CUBENET_EXPERIMENTAL_COLLECTIVES_H
#define CUBENET_EXPERIMENTAL_COLLECTIVES_H

#include "../tree.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Collective operations. The numbers never change. */
typedef enum cn_collective_operation {
    CN_COLLECTIVE_ALLREDUCE = 0, /**< "allreduce": all nodes have the sum of the vectors of all */
    CN_COLLECTIVE_REDUCE_SCATTER = 1, /**< "reduce-scatter": every node has its share of that sum */
    CN_COLLECTIVE_ALLGATHER = 2,      /**< "allgather": every node has the vectors of all nodes */
    CN_COLLECTIVE_ALL_TO_ALL = 3,     /**< "all-to-all": every node has what each node has for it */
    CN_COLLECTIVE_BROADCAST = 4,      /**< "broadcast": every node has the vector of the root */
    CN_COLLECTIVE_REDUCE = 5 /**< "reduce": the root has the sum of the vectors of all nodes */
} cn_collective_operation;

/** Algorithms of collective operations. The numbers never change. */
typedef enum cn_algorithm {
    CN_ALGORITHM_RING = 0,  /**< "ring": round one cycle of all nodes */
    CN_ALGORITHM_RINGS = 1, /**< "rings": round the rings of a torus, in all directions at once */
    CN_ALGORITHM_RECURSIVE = 2,  /**< "recursive": halving and doubling, one bit after the other */
    CN_ALGORITHM_SWING = 3,      /**< "swing": partners on rings at distances 1, 1, 3, 5, 11, ... */
    CN_ALGORITHM_BINE = 4,       /**< "bine": the same partners on the ring of all node numbers */
    CN_ALGORITHM_DIMENSIONS = 5, /**< "dimensions": complete exchange in each dimension in turn */
    CN_ALGORITHM_ROTATED = 6,    /**< "rotated": node s sends to s+1, s+2, ... in turn */
    CN_ALGORITHM_INTERLEAVED = 7 /**< "interleaved": no channel is used twice in a step */
} cn_algorithm;

/** Returns the canonical name of an operation; NULL for a number that has none. */
CN_API const char *cn_collective_operation_name(cn_collective_operation operation);

/** Finds the operation with this name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_collective_operation_from_name(const char *name,
                                                   cn_collective_operation *operation);

/** Returns the canonical name of an algorithm; NULL for a number that has none. */
CN_API const char *cn_algorithm_name(cn_algorithm algorithm);

/** Finds the algorithm with this name. CN_ERR_NOT_FOUND, CN_ERR_ARGUMENT. */
CN_API cn_status cn_algorithm_from_name(const char *name, cn_algorithm *algorithm);

/**
 * Makes the workload of a collective operation of all nodes. Where not all nodes are hosts
 * (hosts.h), "node" here stands for a host, by its rank among them.
 *
 * A node that waits for several deliveries before it sends several messages joins the waits in a
 * message to itself without flits, which computes for 0 cycles. In an allreduce the messages of the
 * reduce-scatter come first, part by part.
 *
 * @param operation allreduce, reduce-scatter, allgather or all-to-all
 * @param algorithm an algorithm that has the operation and exists on the network
 * @param flits M, 1 .. 2^32 - 1: of the vector of each node (allreduce, reduce-scatter), of what
 *        each node contributes (allgather), of what each node has for each other one (all-to-all)
 * @param most the greatest number of flits of a message, up to 2^32 - 1; longer data are sent as
 *        several messages, all except the last with @p most flits. 0: no limit. 1 in systems whose
 *        messages have no flits.
 * @return CN_ERR_UNSUPPORTED (the algorithm does not have the operation or does not exist on the
 *         network: the sentence says which networks it needs; more than 2^20 nodes or 2^24
 *         messages, messages without flits included), CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(messages +
 *         waits)
 */
CN_API cn_status cn_workload_collective(const cn_topology *topology,
                                        cn_collective_operation operation, cn_algorithm algorithm,
                                        uint64_t flits, uint64_t most, cn_workload **workload);

/**
 * Makes the workload of a broadcast from the root of a tree to all nodes, or of a reduce from all
 * nodes to the root: a node sends as soon as it has received. The i-th message that a node sends
 * waits for the i-th messages that the node receives, so messages of at most @p most flits follow
 * each other along the tree.
 *
 * @param operation broadcast or reduce
 * @param flits M, 1 .. 2^32 - 1, over each channel of the tree
 * @param most as for cn_workload_collective()
 * @return CN_ERR_UNSUPPORTED (another operation; more than 2^20 nodes or 2^24 messages),
 *         CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (2^32 - 1 waits), CN_ERR_MEMORY. O(messages + waits),
 *         and the cost of cn_tree_arrays()
 */
CN_API cn_status cn_workload_tree(const cn_tree *tree, cn_collective_operation operation,
                                  uint64_t flits, uint64_t most, cn_workload **workload);

#ifdef __cplusplus
}
#endif

#endif
