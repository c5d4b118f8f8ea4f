/*
 * A slow and plain simulator of collective operations, for networks of a few dozen nodes: what
 * docs/collective.md says, with lists that are searched and paths that are looked up through the
 * public interface. It shares no code with the library's own.
 */
#ifndef CUBENET_TESTS_COLLECTIVE_REFERENCE_H
#define CUBENET_TESTS_COLLECTIVE_REFERENCE_H

#include "support/support.h"

enum { REFERENCE_NODES = 128, REFERENCE_OPERATIONS = 64, REFERENCE_HOPS = 16 };

/* Trees by their parents, [root][node]; CN_NO_NODE at the root. */
typedef uint64_t reference_trees[REFERENCE_NODES][REFERENCE_NODES];

typedef struct reference_setting {
    const reference_trees *trees; /* of all sources; NULL: `tree` of a generalized hypercube */
    int machine, tree, clubbing, adaptive, one_port, buffer_classes;
    int least_used; /* of separate messages, without detours; `trees` are those of shortest paths */
    uint64_t buffers, channel_capacity;
} reference_setting;

typedef struct reference_outcome {
    uint64_t arrived[REFERENCE_OPERATIONS][REFERENCE_NODES]; /* cycle; 0: never */
    uint64_t *loads;                                         /* [node * degree + port]; free() it */
    uint64_t transmissions, contentions, peak_buffer_use, completion, bound, operation_time;
    int deadlock;
} reference_outcome;

/* Hops of the longest path. */
uint64_t reference_height(const cn_topology *topology, const reference_setting *setting);

void reference_run(const cn_topology *topology, const cn_operations *operations,
                   const reference_setting *setting, reference_outcome *outcome);

#endif
