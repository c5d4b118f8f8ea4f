/*
 * The state of a workload in a simulation: the messages that are ready, wait at their sources,
 * travel, and have arrived. A workload injects messages and takes deliveries as a program of the
 * caller does; no kernel knows of workloads.
 */
#ifndef CNI_SIMULATION_RUN_WORKLOAD_RUN_H
#define CNI_SIMULATION_RUN_WORKLOAD_RUN_H

#include "scenario/result_messages.h"
#include "scenario/workload/workload.h"
#include "simulation/run/sim.h"

/* The counters of a run of a workload, behind the counters of kernels: the critical path in
 * cycles. The last counter is the completion time plus 1; 0: not complete. */
enum {
    CNI_COUNT_CRITICAL_COMPUTING = CNI_COUNT_OF_RUN,
    CNI_COUNT_CRITICAL_SOURCE,
    CNI_COUNT_CRITICAL_NETWORK,
    CNI_COUNT_COMPLETED
};

#define CNI_NOTHING_NEXT UINT32_MAX

typedef struct cni_source_queue {
    uint32_t first, last; /* messages; first: CNI_NOTHING_NEXT without a message */
} cni_source_queue;

typedef struct cni_workload_run {
    const cn_workload *workload; /* the workload of the scenario of the simulation */
    void *block;
    cni_message_times times;
    /* By message: the number of events that it still waits for; while the message waits at its
     * source, the next message there; after the delivery its hops. */
    uint32_t *word;
    /* by message, one more: the place of its first heir in the next array */
    uint32_t *first;
    /* the messages that wait for the message, and for which of its events */
    cni_workload_wait *heir;
    uint32_t *heap; /* messages with a known ready time, the earliest first */
    size_t in_heap;
    cni_source_queue *queue; /* by node */
    uint32_t *waiting;       /* nodes at which messages wait to be admitted */
    size_t in_waiting;
    uint64_t start; /* the cycle at which the workload began; CN_NEVER: not yet */
    size_t under_way, done;
} cni_workload_run;

/* Opens the workload of the scenario. Its messages must fit the kernel. CN_ERR_UNSUPPORTED,
 * CN_ERR_DISCONNECTED, CN_ERR_MEMORY. */
cn_status cni_workload_run_open(cn_sim *sim);
void cni_workload_run_close(cni_workload_run *run);

/* Begins the workload, at the end of the warm-up. */
void cni_workload_run_begin(cni_workload_run *run, uint64_t cycle);

/* Takes the deliveries and injects the ready messages, at the end of each cycle in which a
 * message may be ready or arrive. Does nothing without a workload. */
cn_status cni_workload_run_look(cn_sim *sim);

/* Puts a message whose ready time is known into the heap of the messages to inject. */
void cni_workload_run_push(cni_workload_run *run, uint32_t message);

/* The next cycle at whose end a message is ready or the workload begins, if no event comes
 * before; CN_NEVER: none. */
uint64_t cni_workload_run_next(const cn_sim *sim);

/* The cycles until an event of a message is possible, at most `room`; `room` without a workload. */
uint64_t cni_workload_run_room(const cn_sim *sim, uint64_t room);

static inline int cni_workload_run_is_over(const cni_workload_run *run)
{
    return run->done == run->workload->messages;
}

/* Adds the counters above, once the workload is complete. */
void cni_workload_run_count(const cn_sim *sim, uint64_t counters[CNI_COUNTERS]);

/* A lower bound of the cycles in which any machine with one flit a channel and cycle completes
 * the workload of the scenario. CN_ERR_MEMORY. */
cn_status cni_workload_bound(const cn_scenario *scenario, uint64_t *cycles);

/* Puts the bound into the result of a scenario that has a workload, unless time is continuous,
 * where a hop may take less than a cycle. CN_ERR_MEMORY. */
cn_status cni_put_workload_bound(const cn_scenario *scenario, cn_result *result);

/* Puts the means of the metrics of which a run has one value. */
void cni_put_workload_means(const cni_moments moments[], cn_result *result);

cn_status cni_workload_run_visit(cn_sim *sim, cni_archive *archive);

#endif
