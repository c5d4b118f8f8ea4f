/**
 * @file collective.h
 * Lists of collective operations: broadcasts and multicasts with their sources, destinations and
 * start cycles. The system "collective" carries out a list in place of random operations.
 *
 *     cn_operations_new(topology, &operations);
 *     cn_operations_add(operations, source, destinations, count, start);
 *     cn_operations_add_broadcast(operations, source, start);
 *     cn_scenario_set_operations(scenario, operations);
 *
 * docs/collective.md describes how the system carries out operations, cycle by cycle.
 *
 * @since 1.0
 */
#ifndef CUBENET_COLLECTIVE_H
#define CUBENET_COLLECTIVE_H

#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A list of collective operations on one topology; opaque. */
typedef struct cn_operations cn_operations;

/** The latest start cycle of an operation. */
#define CN_LATEST_START UINT64_C(1000000000000000)

/**
 * Makes an empty list.
 *
 * @param topology kept alive by the list
 * @return CN_ERR_ARGUMENT, CN_ERR_MEMORY
 */
CN_API cn_status cn_operations_new(const cn_topology *topology, cn_operations **operations);

/** Makes an independent copy. CN_ERR_ARGUMENT, CN_ERR_MEMORY. O(all destinations). */
CN_API cn_status cn_operations_copy(const cn_operations *operations, cn_operations **copy);

/** Frees the list and sets the handle to NULL. Does nothing for NULL or a handle that is NULL. */
CN_API void cn_operations_free(cn_operations **operations);

/**
 * Adds a multicast to the list.
 *
 * @param source the source node
 * @param destinations @p count distinct nodes other than the source; copied. The source queues its
 *        messages in this order.
 * @param count at least 1
 * @param start the operation starts at the end of this cycle, 0 (before the first cycle) ..
 *        CN_LATEST_START: its first messages cross a channel in cycle start + 1. Operations may be
 *        added in any order; among operations with the same start the order of adding decides.
 * @return CN_ERR_ARGUMENT, CN_ERR_OVERFLOW (2^32 - 1 operations or more), CN_ERR_MEMORY; after an
 *         error the list is unchanged. Time O(count).
 */
CN_API cn_status cn_operations_add(cn_operations *operations, uint64_t source,
                                   const uint64_t destinations[], size_t count, uint64_t start);

/** Adds a broadcast, an operation to all other nodes. Otherwise as cn_operations_add(). */
CN_API cn_status cn_operations_add_broadcast(cn_operations *operations, uint64_t source,
                                             uint64_t start);

/**
 * Sets the spanning tree for the operations whose source is the root of the tree. The parameter
 * `tree` of the scenario selects the paths of all other operations. Each source may have a tree of
 * its own; a second tree with the same root replaces the first. Operations injected at the root
 * (simulation.h) follow the tree, too.
 *
 * @param tree a tree of the topology of the list, such as any tree of cn_tree_from_parents();
 *        copied
 * @return CN_ERR_ARGUMENT (a tree of another topology), CN_ERR_MEMORY; after an error the list is
 *         unchanged. Time O(trees).
 */
CN_API cn_status cn_operations_set_tree(cn_operations *operations, const cn_tree *tree);

/** Returns the number of operations; 0 for NULL. */
CN_API size_t cn_operations_count(const cn_operations *operations);

/**
 * Returns one operation. Operations are numbered from 0 in the order of adding.
 *
 * @param index number of the operation, below the number of operations
 * @param destinations out: room for @p capacity elements; a broadcast writes no element
 * @param count out: number of destinations, 0 for a broadcast, also when the capacity is too small;
 *        may be NULL
 * @param source out; may be NULL
 * @param start out; may be NULL
 * @return CN_ERR_ARGUMENT, CN_ERR_CAPACITY
 */
CN_API cn_status cn_operations_get(const cn_operations *operations, size_t index,
                                   uint64_t destinations[], size_t capacity, size_t *count,
                                   uint64_t *source, uint64_t *start);

#ifdef __cplusplus
}
#endif

#endif
