/*
 * A workload on its way through a simulation: which messages are ready, wait at their sources,
 * travel, have arrived. It injects and takes deliveries as a host does; no kernel knows of it.
 */
#ifndef CNI_SIMULATION_RUN_WORKLOAD_RUN_H
#define CNI_SIMULATION_RUN_WORKLOAD_RUN_H

#include "scenario/result_messages.h"
#include "scenario/workload/workload.h"
#include "simulation/run/sim.h"

/* What a run of a workload counts, behind what kernels count: the critical path in cycles. The
 * last one is 1 more than the completion time; 0: not complete. */
enum {
    CNI_COUNT_CRITICAL_COMPUTING = CNI_COUNT_OF_RUN,
    CNI_COUNT_CRITICAL_SOURCE,
    CNI_COUNT_CRITICAL_NETWORK,
    CNI_COUNT_COMPLETED
};

#define CNI_NOTHING_NEXT UINT32_MAX

typedef struct cni_source_queue {
    uint32_t first, last; /* messages; first: CNI_NOTHING_NEXT when there is none */
} cni_source_queue;

typedef struct cni_workload_run {
    const cn_workload *workload; /* that of the scenario of the simulation */
    void *block;
    cni_message_times times;
    /* By message: events that it still waits for; then, while it waits at its source, the next
     * message there; at last its hops. */
    uint32_t *word;
    uint32_t *first;         /* by message and one more: where its own begin in the next array */
    cni_workload_wait *heir; /* the messages that wait for it, and for which of its events */
    uint32_t *heap;          /* messages that are to be ready in the future, the next one first */
    size_t in_heap;
    cni_source_queue *queue; /* by node */
    uint32_t *waiting;       /* nodes at which messages wait to be admitted */
    size_t in_waiting;
    uint64_t start; /* the cycle at which it began; CN_NEVER: not yet */
    size_t under_way, done;
} cni_workload_run;

/* The scenario of the simulation has a workload, whose messages must fit to the kernel.
 * CN_ERR_UNSUPPORTED, CN_ERR_DISCONNECTED, CN_ERR_MEMORY. */
cn_status cni_workload_run_open(cn_sim *sim);
void cni_workload_run_close(cni_workload_run *run);

/* At the end of the warm-up. */
void cni_workload_run_begin(cni_workload_run *run, uint64_t cycle);

/* At the end of each cycle in which something may have happened: takes the deliveries, injects what
 * is ready. Nothing where there is no workload. */
cn_status cni_workload_run_look(cn_sim *sim);

/* Puts a message whose ready time is known into the heap of the messages to inject. */
void cni_workload_run_push(cni_workload_run *run, uint32_t message);

/* The next cycle at whose end a message is ready, or the workload begins, at the latest; CN_NEVER:
 * none. */
uint64_t cni_workload_run_next(const cn_sim *sim);

/* Of so many cycles those until something may happen to a message; all where there is no
 * workload. */
uint64_t cni_workload_run_room(const cn_sim *sim, uint64_t room);

static inline int cni_workload_run_is_over(const cni_workload_run *run)
{
    return run->done == run->workload->messages;
}

/* The counts above; nothing unless it is complete. */
void cni_workload_run_count(const cn_sim *sim, uint64_t counters[CNI_COUNTERS]);

/* Cycles in which no machine with one flit a channel and cycle completes the workload of the
 * scenario. CN_ERR_MEMORY. */
cn_status cni_workload_bound(const cn_scenario *scenario, uint64_t *cycles);

/* Puts the bound into the result of a scenario, unless it has no workload or time is continuous,
 * where a hop may take less than a cycle. CN_ERR_MEMORY. */
cn_status cni_put_workload_bound(const cn_scenario *scenario, cn_result *result);

/* Puts the means of what a run has one value of, by metric. */
void cni_put_workload_means(const cni_moments moments[], cn_result *result);

cn_status cni_workload_run_visit(cn_sim *sim, cni_archive *archive);

#endif
