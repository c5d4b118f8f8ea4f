/*
 * The counts by channel, by node and by delivered message that a run keeps on request, from its
 * first cycle on. All arrays are whole numbers in one block: the counts of some cycles are
 * differences, and the counts of several runs sums, word by word.
 */
#ifndef CNI_SCENARIO_COUNTS_H
#define CNI_SCENARIO_COUNTS_H

#include "cubenet/topology.h"

#include "base/archive.h"
#include "base/histogram.h"

/* Start from {0}: nothing is counted. Arrays that are NULL are not counted. */
typedef struct cni_counts {
    uint64_t words; /* of all arrays */
    uint64_t *word;
    uint64_t nodes;
    uint32_t ports;
    uint64_t *load;                                       /* by channel, node * ports + port */
    uint64_t *offered, *accepted, *delivered, *forwarded; /* by node */
    /* by node: messages in the node, summed over the time in the unit of the delays */
    uint64_t *queue;
    cni_histogram *hops;       /* of delivered messages */
    cni_histogram *broadcasts; /* their delays */
} cni_counts;

/* Opens counts of 0. CN_ERR_MEMORY. The second function opens them for so many nodes of the
 * topology: all arrays, or the loads of the channels alone. */
enum { CNI_ALL_COUNTS, CNI_LOADS_ALONE };
cn_status cni_counts_open(const cn_topology *topology, cni_counts *counts);
cn_status cni_counts_open_nodes(const cn_topology *topology, uint64_t nodes, int loads_alone,
                                cni_counts *counts);
void cni_counts_close(cni_counts *counts);

/* Visits all arrays for a snapshot. `hops` are the `parts` histograms whose sum is counts->hops;
 * the first is counts->hops itself. NULL: there is no other. CN_ERR_ARGUMENT. */
cn_status cni_counts_visit(cni_archive *archive, const cni_counts *counts,
                           cni_histogram *const hops[], size_t parts);

/* Add and subtract word by word. Both counts are of the same network. */
void cni_counts_add(cni_counts *into, const cni_counts *from);
void cni_counts_subtract(cni_counts *from, const cni_counts *what);

/* Finds the totals and greatest values of the histograms; a run counts only in the bins. */
void cni_counts_settle(cni_counts *counts);

/* 1 when all arrays are counted; 0 for the loads alone. */
static inline int cni_counts_all(const cni_counts *counts)
{
    return counts->queue != NULL;
}

/* Copies the arrays that `into` has: all, or the loads alone. */
void cni_counts_copy(cni_counts *into, const cni_counts *from);

/* For messages that go from node to node as a whole: finds the messages that came in over
 * channels and were not for the node. Counts for a part of the nodes stay as they are: the other
 * parts have counted the messages that came in. */
void cni_counts_find_forwarded(const cn_topology *topology, cni_counts *counts);

/* A message joins a queue of a node, or leaves the queue, at this time. */
static inline void cni_counts_join(const cni_counts *counts, uint64_t node, uint64_t time)
{
    counts->queue[node] -= time;
}

static inline void cni_counts_leave(const cni_counts *counts, uint64_t node, uint64_t time)
{
    counts->queue[node] += time;
}

#endif
