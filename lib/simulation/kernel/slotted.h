/*
 * The traffic that a scenario brings to a slotted kernel. Plain traffic takes a shorter path
 * (geometric.h).
 */
#ifndef CNI_SIMULATION_KERNEL_SLOTTED_H
#define CNI_SIMULATION_KERNEL_SLOTTED_H

#include "base/archive.h"
#include "scenario/scenario.h"
#include "scenario/traffic/source.h"
#include "simulation/kernel/geometric.h"

/* Start from {0}: no node offers a message. */
typedef struct cni_slotted {
    cni_geometric geometric; /* numbers of messages, unless the source is another */
    /* kept alive by the scenario; NULL: the plain traffic of geometric.h */
    const cn_traffic *traffic;
    const cni_trace_message *trace; /* trace_count messages instead of random messages; or NULL */
    size_t trace_count;
    double load; /* messages a node and cycle; 0 with a trace */
    cni_source_process source;
    uint8_t *on; /* by node from `first` on: 1 while its source is on; CN_SOURCE_ON_OFF alone */
    uint64_t first, nodes;
} cni_slotted;

/* Opens the traffic of `nodes` nodes from `first` on. CN_ERR_ARGUMENT for a load that the source
 * cannot offer, CN_ERR_UNSUPPORTED for a trace with messages of more than a slot, CN_ERR_MEMORY. */
cn_status cni_slotted_open(const cn_scenario *scenario, uint64_t seed, uint64_t first,
                           uint64_t nodes, cni_slotted *slotted);
void cni_slotted_close(cni_slotted *slotted);

/* Visits the states of the sources of these nodes, in a snapshot. CN_ERR_ARGUMENT. */
cn_status cni_slotted_visit(cni_archive *archive, cni_slotted *slotted);

/* The number of random messages that a node offers at the end of a cycle, from the words of
 * geometric.h. Call it for every node and cycle, because sources have states. */
uint64_t cni_slotted_offered(const cni_slotted *slotted, uint64_t node, uint64_t stream);

/* The number of trace messages that are offered from the end of cycle `first` to the end of
 * cycle `last`. */
size_t cni_slotted_between(const cni_slotted *slotted, uint64_t first, uint64_t last);

/* Message number `index` of a node and cycle in the trace; NULL: none. */
const cni_trace_message *cni_slotted_find(const cni_slotted *slotted, uint64_t cycle, uint64_t node,
                                          uint64_t index);

/* The first cycle after `cycle` at whose end a message may be offered; exact for a trace;
 * CN_NEVER: none. 1 for cycle 0 when a trace has messages before the first cycle, because the run
 * of the first cycle admits them. */
uint64_t cni_slotted_next(const cni_slotted *slotted, uint64_t cycle);

#endif
